/**
 * Documents of `test/fixtures/answers` with all that they answer, word by word: hovers, code actions with what they write, every report, and what is asked about an instruction for each of them. When the
 * files were made llc-22 scheduled `kernel`, `blocks`, `names` and `waves` (and allocated `kernel`) as amdgpu-mir does and printed the same pressure; the words around the numbers are ours. A
 * change of an answer is to be read before it is kept.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actions, answering, hovers, instructions, reports, type Answering } from '../../support/wholeAnswers.js';

const FOLDER = join(__dirname, '..', '..', 'fixtures', 'answers');

/** Documents, with the instruction whose reports are kept. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  kernel: 'V_FMA_F32',
  blocks: 'GLOBAL_LOAD',
  names: 'V_ADD_U32',
  lanes: 'V_SUB_U32',
  errors: 'S_NOP',
  waves: 'SI_LOOP',
};

describe('all that a document answers', () => {
  for (const [name, word] of Object.entries(DOCUMENTS)) {
    const open = (): Answering => answering(readFileSync(join(FOLDER, `${name}.mir`), 'utf8'));
    const kinds: Readonly<Record<string, () => string>> = {
      hovers: () => hovers(open()),
      actions: () => actions(open()),
      reports: () => reports(open(), word),
      instructions: () => instructions(open()),
    };
    for (const [kind, make] of Object.entries(kinds)) {
      const file = join(FOLDER, `${name}.${kind}.txt`);
      if (existsSync(file))
        it(`${name}: ${kind}`, () => {
          const parts = (text: string): string[] => text.split(/^(?=== )/m);
          assert.deepEqual(parts(make()), parts(readFileSync(file, 'utf8')));
        });
    }
  }
});

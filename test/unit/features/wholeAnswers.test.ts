/**
 * Documents of `test/fixtures/answers` with all that they answer, word by word: hovers, code actions with what they write, every report, and what is asked about an instruction for each of them. When the
 * files were made llc-22 scheduled `kernel`, `blocks`, `names` and `waves` (and allocated `kernel`) as amdgpu-mir does and printed the same pressure; the words around the numbers are ours. A
 * change of an answer is to be read before it is kept.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  actions,
  answering,
  hovers,
  instructions,
  reports,
  type Answering,
  type Lines,
} from '../../support/wholeAnswers.js';

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

const ALL_LINES: Lines = [0, Infinity];

const partsOf = (text: string): string[] => text.split(/^(?=== )/m).filter((part) => part !== '');

/** What is said, by the places that it is said of; of some lines. */
function byText(text: string, [from, to]: Lines): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of partsOf(text)) {
    const [, head = '', rest = ''] = /^== (.*)\n([^]*)$/.exec(part)!;
    const places = head.split(', ').filter((place) => from <= parseInt(place, 10) - 1 && parseInt(place, 10) - 1 < to);
    if (places.length > 0) found.set(rest.trim(), places.join(', '));
  }
  return found;
}

/** So many lines are asked together. */
const TOGETHER = 12;

describe('all that a document answers', () => {
  for (const [name, word] of Object.entries(DOCUMENTS)) {
    const text = readFileSync(join(FOLDER, `${name}.mir`), 'utf8');
    const open = (): Answering => answering(text);
    const fileOf = (kind: string): string => join(FOLDER, `${name}.${kind}.txt`);
    for (const [kind, make] of Object.entries({ hovers, actions })) {
      if (!existsSync(fileOf(kind))) continue;
      const wanted = readFileSync(fileOf(kind), 'utf8');
      for (let from = 0; from < text.split('\n').length; from += TOGETHER)
        it(`${name}: ${kind} from line ${from + 1} on`, () => {
          const which = [from, from + TOGETHER] as const;
          assert.deepEqual(byText(make(open(), which), ALL_LINES), byText(wanted, which));
        });
    }
    const whole = { reports: () => reports(open(), word), instructions: () => instructions(open()) };
    for (const [kind, make] of Object.entries(whole))
      if (existsSync(fileOf(kind)))
        it(`${name}: ${kind}`, () => {
          assert.deepEqual(partsOf(make()), partsOf(readFileSync(fileOf(kind), 'utf8')));
        });
  }
});

/**
 * After every random edit the updated tree, the lowered functions, the diagnostics, the verifier's findings and the pressure are those of a
 * fresh parse of the same text, and functions that the edit did not touch are the same objects. Files: the corpus when it is there, else
 * the project's own. `AMDGPU_MIR_SEED` replays a run; `node test/bench/fuzz.mjs edits` is the long version.
 */
import { join } from 'node:path';
import { allInputs, Random, type InputText } from '../support/damageInputs.js';
import { differenceEdit, EDIT_KINDS, randomEdit } from '../support/edits.js';
import { EditSession } from '../support/editsCheck.js';
import { runsOr, seedOr } from '../support/switches.js';

const SEED = seedOr(Date.now() % 1_000_000);
const FILES = runsOr(20);
const EDITS_PER_FILE = 15;
const MAX_LENGTH = 20_000;

function targetOf({ args }: InputText): { triple: string; cpu: string; features: string } {
  const value = (name: string): string => args.find((a) => a.startsWith(`-${name}=`))?.slice(name.length + 2) ?? '';
  return { triple: value('mtriple'), cpu: value('mcpu'), features: value('mattr') };
}

describe('whole stack under random edits', () => {
  it(`equals a fresh parse after ${FILES * EDITS_PER_FILE} edits of ${FILES} files, seed ${SEED}`, () => {
    const inputs = allInputs(join(__dirname, '..', '..'), MAX_LENGTH);
    const session = new EditSession();
    for (let n = 0; n < FILES; n++) {
      const random = new Random(SEED * 1009 + n);
      const input = random.pick(inputs);
      const donor = random.pick(inputs).text;
      const file = session.open(input.text, targetOf(input));
      let last = input.text;
      for (let i = 0; i < EDITS_PER_FILE; i++) {
        const kind = random.chance(30) ? 'undo' : random.pick(EDIT_KINDS);
        const before = file.text;
        const edits = kind === 'undo' ? differenceEdit(before, last) : randomEdit(before, kind, donor, random);
        last = before;
        try {
          file.edit(edits);
          file.compare();
        } catch (error) {
          const where = `seed ${SEED}, file ${n} (${input.name}), edit ${i} (${kind})`;
          throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
        }
      }
    }
  });

  it('reads a broken header again where another document follows it', () => {
    const text = '---\nname: f\nbody: |\n  bb.0:\n"    INLINEASM &"", 9 :: (load (s32))\n    S_ENDPGM 59\n...\n';
    const file = new EditSession().open(text, { triple: 'amdgcn', cpu: 'gfx90a', features: '' });
    file.compare();
    file.edit([{ start: text.length, end: text.length, text }]);
    file.compare();
  });

  it('reads a header again that moves to another column', () => {
    const text = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n    one: 1\n    two\n...\n';
    const file = new EditSession().open(text, { triple: 'amdgcn', cpu: 'gfx90a', features: '' });
    file.compare();
    const start = text.indexOf('    one');
    file.edit([{ start, end: start + 4, text: '' }]);
    file.compare();
  });
});

/**
 * Damaged files through the whole command line in process: whatever the damage, `llc` with each pass and `check` end with one of llc's exit
 * codes and a message, and soon. `AMDGPU_MIR_SEED` replays a run; `node test/bench/fuzz.mjs damage` is the long version.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { damage, DAMAGE_KINDS } from '../support/damage.js';
import { checkDamaged } from '../support/damageCheck.js';
import { allInputs, Random } from '../support/damageInputs.js';
import { runsOr, seedOr } from '../support/switches.js';

const SEED = seedOr(Date.now() % 1_000_000);
const FILES = runsOr(100);
const MAX_LENGTH = 30_000;
/** Of CPU time, with tsx and cold code; the long run on the bundle has 2 seconds. */
const LIMIT_MS = 5000;

describe('whole command line on damaged files', () => {
  it(`${FILES} files, seed ${SEED}`, () => {
    const inputs = allInputs(join(__dirname, '..', '..'), MAX_LENGTH);
    const counts = { commands: 0, accepted: 0, slowestMs: 0 };
    for (let n = 0; n < FILES; n++) {
      const random = new Random(SEED * 1013 + n);
      const input = random.pick(inputs);
      const donor = random.pick(inputs).text;
      let { text } = input;
      const kinds: string[] = [];
      for (let times = 1 + random.below(3); times > 0; times--) {
        const kind = n < DAMAGE_KINDS.length ? DAMAGE_KINDS[n] : random.pick(DAMAGE_KINDS);
        kinds.push(kind);
        text = damage(text, kind, donor, random);
      }
      const args = input.args.length > 0 ? input.args : ['-mtriple=amdgcn', '-mcpu=gfx900'];
      const where = `seed ${SEED}, file ${n} (${input.name}), ${kinds.join(', ')}`;
      assert.deepEqual(checkDamaged(text, args, counts, LIMIT_MS), [], where);
    }
    // Some damage leaves the file whole; if it never did, only error paths were seen.
    assert.ok(counts.accepted > 0, 'no command accepted its file');
  });
});

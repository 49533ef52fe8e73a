/**
 * Options that steer the scheduler, in random combinations on random functions, against llc-22: all that it prints, standard error
 * included. `SEED` and `RUNS` ask for others and for more.
 */
import assert from 'node:assert/strict';
import { normalise } from '../support/golden.js';
import { needsLlc } from '../support/llc.js';
import { scheduleWithLlc, scheduleWithOurs } from '../support/schedule.js';
import { randomFile, randomOptions } from '../support/schedulerOptions.js';
import { runsOr, seedOr } from '../support/switches.js';

const SEED = seedOr(1);
const RUNS = runsOr(12);
const N_FUNCTIONS = 8;

describe('scheduler options against llc-22', () => {
  before(function () {
    needsLlc(this);
  });

  it(`${RUNS} random combinations from seed ${SEED}`, function () {
    this.timeout(0);
    let changed = 0;
    for (let seed = SEED; seed < SEED + RUNS; seed++) {
      const { text, args } = randomFile(seed, N_FUNCTIONS);
      const options = randomOptions(seed);
      const what = `seed ${seed}: ${options.join(' ')}`;
      const llc = scheduleWithLlc(text, [...args, ...options]);
      assert.equal(llc.status, 0, `llc-22 fails with ${what}: ${llc.stderr.slice(0, 300)}`);
      const ours = scheduleWithOurs(text, [...args, ...options]);
      assert.equal(normalise(ours.stdout), normalise(llc.stdout), what);
      assert.equal(ours.stderr, llc.stderr, what);
      if (ours.stdout !== scheduleWithOurs(text, args).stdout) changed++;
    }
    assert.ok(RUNS < 6 || changed * 2 > RUNS, 'most combinations change nothing');
  });
});

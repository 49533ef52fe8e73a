/**
 * Whole runs of llc on random jobs (test/support/llcJobs.ts), half of them on files of the corpus, half on fresh ones (freshInputs.ts), a
 * quarter with other line ends or `-simplify-mir`:
 * standard output, standard error and exit code equal llc-22's.
 * `AMDGPU_MIR_RUNS=5000` is the long version, `AMDGPU_MIR_SEED` takes other jobs, `AMDGPU_MIR_ONLY=N` one job of them. Differences that are known
 * and open (`knownDifference`) are counted and named; any other one fails.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Random } from '../support/damageInputs.js';
import { freshInput } from '../support/freshInputs.js';
import { needsLlc } from '../support/llc.js';
import { skip } from '../support/skip.js';
import { knownDifference, llcJob, llcJobInputs, runLlcJob, widened } from '../support/llcJobs.js';
import { randomOptions } from '../support/randomOptions.js';
import { ONLY, runsOr, seedOr } from '../support/switches.js';

const SEED = seedOr(1);
const JOBS = runsOr(30);

describe('random runs of llc', function () {
  this.timeout(0);

  it(`${JOBS} jobs, seed ${SEED}`, function () {
    needsLlc(this);
    const inputs = llcJobInputs(join(__dirname, '..', '..'));
    if (inputs.length === 0) skip(this, '../shared/corpus is not there');
    const different: string[] = [];
    const known = new Map<string, number>();
    let accepted = 0;
    let crashed = 0;
    for (let n = ONLY === undefined ? 0 : Number(ONLY); n < (ONLY === undefined ? JOBS : Number(ONLY) + 1); n++) {
      const drawn = llcJob(inputs, SEED, n, {
        options: (random) => (random.chance(50) ? randomOptions(random) : []),
        ...(n % 2 === 0 ? {} : { input: (random) => freshInput(random, inputs) }),
      });
      const job = n % 4 === 3 ? widened(drawn, new Random(SEED * 7919 + n)) : drawn;
      const result = runLlcJob(job);
      const { llc, differs } = result;
      const why = differs === null || differs === 'crash' ? null : knownDifference(job, result);
      if (llc.status === 0) accepted++;
      if (differs === 'crash') crashed++;
      else if (why !== null) known.set(why, (known.get(why) ?? 0) + 1);
      else if (differs !== null) different.push(`job ${n} of seed ${SEED}: ${differs} of ${job.name}`);
    }
    for (const [why, n] of known) console.log(`      ${n} differ, known and open: ${why}`);
    if (JOBS > 100) console.log(`      ${accepted} accepted, llc-22 crashed on ${crashed}, ${different.length} differ`);
    assert.deepEqual(different, []);
    assert.ok(ONLY !== undefined || accepted > 0, 'llc-22 accepted no job');
  });
});

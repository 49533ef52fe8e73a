/**
 * Whole runs of llc on random jobs (test/support/llcJobs.ts): standard output, standard error and exit code equal llc-22's.
 * `LLC_JOBS=5000` is the long version, `AMDGPU_MIR_SEED` replays a run, `LLC_JOBS_ONLY=N` one job of it.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { needsLlc } from '../support/llc.js';
import { skip } from '../support/skip.js';
import { llcJob, llcJobInputs, runLlcJob } from '../support/llcJobs.js';

const SEED = Number(process.env['AMDGPU_MIR_SEED'] ?? Date.now() % 1_000_000);
const JOBS = Number(process.env['LLC_JOBS'] ?? 60);
const ONLY = process.env['LLC_JOBS_ONLY'];

describe('random runs of llc', function () {
  this.timeout(0);

  it(`${JOBS} jobs, seed ${SEED}`, function () {
    needsLlc(this);
    const inputs = llcJobInputs(join(__dirname, '..', '..'));
    if (inputs.length === 0) skip(this, '../shared/corpus is not there');
    const different: string[] = [];
    let accepted = 0;
    let crashed = 0;
    for (let n = ONLY === undefined ? 0 : Number(ONLY); n < (ONLY === undefined ? JOBS : Number(ONLY) + 1); n++) {
      const job = llcJob(inputs, SEED, n);
      const { llc, differs } = runLlcJob(job);
      if (llc.status === 0) accepted++;
      if (differs === 'crash') crashed++;
      else if (differs !== null) different.push(`job ${n} of seed ${SEED}: ${differs} of ${job.name}`);
    }
    if (JOBS > 100) console.log(`      ${accepted} accepted, llc-22 crashed on ${crashed}, ${different.length} differ`);
    assert.deepEqual(different, []);
    assert.ok(ONLY !== undefined || accepted > 0, 'llc-22 accepted no job');
  });
});

/**
 * post-RA-hazard-rec on random instructions in a few registers, which no compiler would put together, in blocks with loops and bundles, for all generations:
 * llc-22 and amdgpu-mir print the same. `AMDGPU_MIR_RUNS=200` makes that many functions for each processor, `AMDGPU_MIR_SEED` takes others.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../support/damageInputs.js';
import { needsLlc } from '../support/llc.js';
import { runLlcJob } from '../support/llcJobs.js';
import { RANDOM_CPUS, randomFunctions } from '../support/randomInstrs.js';
import { KEEP, runsOr, seedOr } from '../support/switches.js';

const SEED = seedOr(1);
const RUNS = runsOr(40);

describe('hazards between random instructions, as llc-22', () => {
  for (const [cpu, features] of RANDOM_CPUS)
    it(`${cpu} ${features}`, function () {
      needsLlc(this);
      this.timeout(RUNS * 1000 + 20_000);
      const random = new Random(SEED * 7919 + RANDOM_CPUS.findIndex((c) => c[0] === cpu && c[1] === features));
      const fns = randomFunctions(random, RUNS, cpu, features);
      const args = [
        '-mtriple=amdgcn-amd-amdhsa',
        `-mcpu=${cpu}`,
        `-mattr=${features}`,
        '-run-pass=post-RA-hazard-rec',
        '-simplify-mir',
      ];
      const { differs, llc, ours } = runLlcJob({ name: cpu, text: fns.join(''), args });
      if (KEEP !== undefined) {
        mkdirSync(KEEP, { recursive: true });
        writeFileSync(join(KEEP, `${cpu}${features}.mir`), fns.join(''));
      }
      assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
      assert.equal(ours.stderr, llc.stderr);
      const split = (text: string): string[] => text.split(/^---$/m);
      const [expected, got] = [split(llc.stdout), split(ours.stdout)];
      const bad = expected.findIndex((text, k) => text !== got[k]);
      if (bad >= 0) assert.equal(got[bad], expected[bad]);
      assert.equal(differs, null);
    });
});

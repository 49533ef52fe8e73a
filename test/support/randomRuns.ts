/** A pass on random instructions (randomInstrs.ts), for all generations: llc-22 and amdgpu-mir print the same. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from './damageInputs.js';
import { needsLlc, runLlc } from './llc.js';
import { runLlcJob } from './llcJobs.js';
import { RANDOM_CPUS, randomFunctions } from './randomInstrs.js';
import { runLlcOnText } from './schedule.js';
import { KEEP, runsOr, seedOr } from './switches.js';

/** A test for each processor. `more`: templates of instructions beyond the common ones. `AMDGPU_MIR_RUNS=200` makes that many functions for each, `AMDGPU_MIR_SEED` takes others. */
export function itRunsAsLlcOnRandomInstrs(pass: string, runs: number, more = ''): void {
  const n = runsOr(runs);
  for (const [k, [cpu, features]] of RANDOM_CPUS.entries())
    it(`${cpu} ${features}`, function () {
      needsLlc(this);
      this.timeout(n * 1000 + 60_000);
      const random = new Random(seedOr(1) * 7919 + k);
      const fns = randomFunctions(random, n, [cpu, features], more);
      const args = [
        '-mtriple=amdgcn-amd-amdhsa',
        `-mcpu=${cpu}`,
        `-mattr=${features}`,
        `-run-pass=${pass}`,
        '-simplify-mir',
      ];
      // llc dies of some functions and loops on others that amdgpu-mir refuses: those are left out.
      const known = fns.filter((text) => !runLlcOnText([...args, '-o', '-'], text).stderr.includes('does not model'));
      const survives = (text: string): boolean => runLlc([...args, '-x', 'mir', '-o', '-'], text).status === 0;
      const taken = survives(known.join('')) ? known : known.filter(survives);
      assert.ok(taken.length > n / 2, `llc takes only ${taken.length} of ${n} functions`);
      const { differs, llc, ours } = runLlcJob({ name: cpu, text: taken.join(''), args });
      if (KEEP !== undefined) {
        mkdirSync(KEEP, { recursive: true });
        writeFileSync(join(KEEP, `${pass}-${cpu}${features}.mir`), taken.join(''));
      }
      assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
      assert.equal(ours.stderr, llc.stderr);
      const split = (text: string): string[] => text.split(/^---$/m);
      const [expected, got] = [split(llc.stdout), split(ours.stdout)];
      const bad = expected.findIndex((text, i) => text !== got[i]);
      if (bad >= 0) assert.equal(got[bad], expected[bad]);
      assert.equal(differs, null);
    });
}

/** A pass on random instructions (randomInstrs.ts), for all generations: llc (22.1.8, or LLVM 24's) and amdgpu-mir print the same. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from './damageInputs.js';
import { needsLlc, runLlc } from './llc.js';
import { needsLlc24, runLlc24 } from './llc24.js';
import { runLlcJob } from './llcJobs.js';
import { RANDOM_CPUS, randomFunctions } from './randomInstrs.js';
import { runLlcOnText } from './schedule.js';
import { KEEP, runsOr, seedOr } from './switches.js';

const argsFor = (cpu: string, features: string, pass: string): string[] => [
  '-mtriple=amdgcn-amd-amdhsa',
  `-mcpu=${cpu}`,
  `-mattr=${features}`,
  `-run-pass=${pass}`,
  '-simplify-mir',
];

/** A test for each processor but those that `without` matches, on which the pass is not modelled. `more`: templates of instructions beyond the common ones. `AMDGPU_MIR_RUNS=200` makes that many functions for each, `AMDGPU_MIR_SEED` takes others. */
export function itRunsAsLlcOnRandomInstrs(pass: string, runs: number, more = '', without = /^$/): void {
  const n = runsOr(runs);
  for (const [k, [cpu, features]] of RANDOM_CPUS.entries()) {
    if (without.test(cpu)) continue;
    it(`${cpu} ${features}`, function () {
      needsLlc(this);
      this.timeout(n * 1000 + 60_000);
      const random = new Random(seedOr(1) * 7919 + k);
      const fns = randomFunctions(random, n, [cpu, features], more);
      const args = argsFor(cpu, features, pass);
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
}

/** The functions of a file as llc prints them: what the embedded module holds, that oracle writes its own way. */
const functionsOf = (text: string): string[] => text.split(/^---$/m).filter((part) => /^\s*name:/.test(part));

/** The same for LLVM 24, function by function, all processors in one test: its llc is started once. */
export function itRunsAsLlc24OnRandomInstrs(pass: string, runs: number, more = ''): void {
  const n = runsOr(runs);
  it(`${pass}, as LLVM 24`, function () {
    needsLlc24(this);
    this.timeout(RANDOM_CPUS.length * n * 1000 + 60_000);
    const jobs = RANDOM_CPUS.flatMap(([cpu, features], k) =>
      randomFunctions(new Random(seedOr(1) * 7919 + k), n, [cpu, features], more).map((text) => ({
        text,
        args: argsFor(cpu, features, pass),
      })),
    );
    let nCompared = 0;
    for (const [k, { status, stdout }] of runLlc24(jobs).entries()) {
      const { text, args } = jobs[k]!;
      if (status !== 0) continue;
      const ours = runLlcOnText(['--model=llvm-24', ...args, '-o', '-'], text);
      if (ours.stderr.includes('does not model')) continue;
      nCompared++;
      const [expected, got] = [functionsOf(stdout), functionsOf(ours.stdout)];
      if (expected.join() !== got.join())
        assert.equal(`${args.join(' ')}\n${got.join()}`, `${args.join(' ')}\n${expected.join()}`);
    }
    assert.ok(nCompared > jobs.length * 0.8, `${nCompared} of ${jobs.length} functions are compared`);
  });
}

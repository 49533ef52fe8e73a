/** si-load-store-opt on functions whose accesses share addresses (randomAccesses.ts): llc-22, LLVM 24 and amdgpu-mir print the same. */
import assert from 'node:assert/strict';
import { Random } from '../support/damageInputs.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { needsLlc24, runLlc24 } from '../support/llc24.js';
import { randomAccessFunctions } from '../support/randomAccesses.js';
import { RANDOM_CPUS } from '../support/randomInstrs.js';
import { runLlcOnText } from '../support/schedule.js';
import { runsOr, seedOr } from '../support/switches.js';

const RUNS = runsOr(12);
const argsFor = (cpu: string, features: string): string[] => [
  '-mtriple=amdgcn-amd-amdhsa',
  `-mcpu=${cpu}`,
  `-mattr=${features}`,
  '-run-pass=si-load-store-opt',
  '-simplify-mir',
];
const textOf = (k: number): string => {
  const [cpu, features] = RANDOM_CPUS[k]!;
  const names = Array.from({ length: RUNS }, (_, n) => `f${n}`);
  return randomAccessFunctions(new Random(seedOr(1) * 7919 + k), names, cpu, features);
};
const functionsOf = (text: string): string[] => text.split(/^---$/m).slice(1);

describe('accesses that become one', () => {
  for (const [k, [cpu, features]] of RANDOM_CPUS.entries())
    it(`${cpu} ${features}, as llc-22`, function () {
      needsLlc(this);
      this.timeout(60_000);
      const text = textOf(k);
      const args = [...argsFor(cpu, features), '-x', 'mir', '-o', '-'];
      const llc = runLlc(args, text);
      assert.equal(llc.status, 0, /Bad machine code[^]*/.exec(llc.stderr)?.[0].slice(0, 500) ?? llc.stderr);
      const ours = runLlcOnText(args, text);
      assert.equal(ours.stderr, llc.stderr);
      const [expected, got] = [functionsOf(llc.stdout), functionsOf(ours.stdout)];
      for (const [n, fn] of expected.entries()) assert.equal(got[n], fn);
    });

  it('as LLVM 24', function () {
    needsLlc24(this);
    this.timeout(120_000);
    const jobs = RANDOM_CPUS.map(([cpu, features], k) => ({ text: textOf(k), args: argsFor(cpu, features) }));
    for (const [k, { status, stdout, stderr }] of runLlc24(jobs).entries()) {
      assert.equal(status, 0, stderr.slice(0, 500));
      const ours = runLlcOnText(['--model=llvm-24', ...jobs[k]!.args, '-x', 'mir', '-o', '-'], jobs[k]!.text);
      const [expected, got] = [functionsOf(stdout), functionsOf(ours.stdout)];
      for (const [n, fn] of expected.entries()) assert.equal(got[n], fn, jobs[k]!.args.join(' '));
    }
  });
});

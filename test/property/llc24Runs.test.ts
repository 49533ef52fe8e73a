/**
 * Random runs of LLVM 24's llc (test/support/llc24Jobs.ts) and of ours with its model: reading, printing, verifier, pressure, schedules,
 * uniformity and allocation over all processors of 24. `AMDGPU_MIR_RUNS=3000` is the long version, `AMDGPU_MIR_SEED` takes other runs,
 * `AMDGPU_MIR_ONLY=N,N` some of them, `AMDGPU_MIR_KEEP` the folder for those that differ, with both answers.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needsLlc } from '../support/llc.js';
import { needsLlc24, processorsOf24, runLlc24 } from '../support/llc24.js';
import { answerOf, isCrash, isRefused, isUnverified, randomRun, type RandomRun } from '../support/llc24Jobs.js';
import { runLlcOnText } from '../support/schedule.js';
import { KEEP, ONLY, runsOr, seedOr, SHOW } from '../support/switches.js';

const SEED = seedOr(1);
const RUNS = runsOr(30);
/** of all runs that did not crash, in thousandths */
const EQUAL = 998;
const AT_ONCE = 50;

function keep(n: number, { kind, seed, args, text }: RandomRun, ours: string, llc: string): void {
  if (KEEP === undefined) return;
  mkdirSync(KEEP, { recursive: true });
  const file = join(KEEP, String(n));
  writeFileSync(`${file}.mir`, text);
  writeFileSync(`${file}.args`, `${args.join(' ')}\n# ${kind} ${seed}\n`);
  writeFileSync(`${file}.ours`, ours);
  writeFileSync(`${file}.llc`, llc);
}

describe('random runs of LLVM 24', function () {
  this.timeout(0);

  it(`${RUNS} runs, seed ${SEED}`, function () {
    needsLlc24(this);
    needsLlc(this);
    const processors = processorsOf24();
    const numbers = ONLY === undefined ? Array.from({ length: RUNS }, (_, n) => n) : ONLY.split(',').map(Number);
    const different: string[] = [];
    let compared = 0;
    let accepted = 0;
    let crashed = 0;
    let refused = 0;
    for (let from = 0; from < numbers.length; from += AT_ONCE) {
      const runs = numbers.slice(from, from + AT_ONCE).flatMap((n) => {
        const run = randomRun(processors, SEED, n);
        return run === null ? [] : [{ n, run }];
      });
      const answers = runLlc24(runs.map(({ run }) => run));
      for (const [k, { n, run }] of runs.entries()) {
        if (isCrash(run, answers[k])) {
          crashed++;
          continue;
        }
        const own = runLlcOnText(['--model=llvm-24', ...run.args, '-o', '-'], run.text);
        if (isUnverified(own)) continue;
        if (isRefused(own)) {
          refused++;
          continue;
        }
        compared++;
        const llc = answerOf(run, answers[k]);
        if (answers[k].status === 0) accepted++;
        const ours = answerOf(run, own);
        if (ours === llc) continue;
        keep(n, run, ours, llc);
        const head = llc.split('\n').find((line, at) => line !== ours.split('\n')[at]);
        if (SHOW > different.length)
          console.log(`      ${n}: ${run.kind}, ${run.args.join(' ')}\n        ${head ?? ''}`);
        different.push(`run ${n} of seed ${SEED}: ${run.kind} ${run.seed}, ${run.args.join(' ')}`);
      }
    }
    if (RUNS > 100)
      console.log(
        `      ${compared} compared (${accepted} accepted), llc crashed on ${crashed}, ${refused} refused here, ${different.length} differ`,
      );
    if (different.length * 1000 > compared * (1000 - EQUAL)) assert.deepEqual(different, []);
  });
});

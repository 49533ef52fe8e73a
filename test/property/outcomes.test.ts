/**
 * What `check --outcome` says of kernels and device functions that clang-22 compiled, against the assembly that llc-22 makes of the same MIR from the machine
 * scheduler on. `AMDGPU_MIR_RUNS=200` takes so many programs, `AMDGPU_MIR_SEED` others.
 */
import assert from 'node:assert/strict';
import { BufferedIO } from '../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../server/src/cli/check.js';
import { assemblyNumbers } from '../support/assemblyNumbers.js';
import { Random } from '../support/damageInputs.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { compileOpenCl, hasClang, randomOpenCl } from '../support/randomOpenCl.js';
import { skip } from '../support/skip.js';
import { runsOr, seedOr, SHOW } from '../support/switches.js';

const SEED = seedOr(1);
const RUNS = runsOr(3);

interface CheckedFunction {
  readonly name: string;
  readonly outcome: Readonly<Record<string, number | null>> | null;
  readonly noOutcome: string;
}

/** Where llc stops, and where it goes on. */
const PLACES = [
  { from: 'the scheduler', stop: '-stop-before=machine-scheduler', start: '-start-before=machine-scheduler' },
  { from: 'SSA form', stop: '-stop-after=finalize-isel', start: '-start-before=early-tailduplication' },
];

/** What a pass before the scheduler refuses, which it says. */
const REFUSED = /^amdgpu-mir does not model .* in [\w-]+$|^it calls others/;

describe('what llc ends with', function () {
  this.timeout(0);

  for (const { from, stop, start } of PLACES)
    it(`is what its assembly says, from ${from} on: ${RUNS} programs, seed ${SEED}`, async function () {
      needsLlc(this);
      if (!hasClang()) skip(this, 'clang-22 is not installed');
      let compared = 0;
      const wrong: string[] = [];
      for (let n = 0, programs = 0; programs < RUNS && n < 4 * RUNS + 8; n++) {
        const source = randomOpenCl(new Random(SEED * 1_000_003 + n));
        const { ir } = compileOpenCl(source);
        if (ir === null) continue;
        const target = [`-mtriple=${source.triple}`, `-mcpu=${source.cpu}`];
        const mir = runLlc([...target, stop, '-o', '-'], ir);
        if (mir.status !== 0) continue;
        const asm = runLlc([...target, '-x', 'mir', start, '-o', '-'], mir.stdout);
        if (asm.status !== 0) continue;
        programs++;
        const io = new BufferedIO(() => mir.stdout);
        await runCheck(['--json', '--outcome', '--model=llvm-22', ...target.map((word) => `-${word}`), '-'], io);
        const { files } = JSON.parse(io.out()) as { files: readonly { functions: readonly CheckedFunction[] }[] };
        const ours = new Map(files.flatMap((f) => f.functions).map((f) => [f.name, f]));
        for (const [name, wanted] of assemblyNumbers(asm.stdout)) {
          const { outcome = null, noOutcome = '' } = ours.get(name) ?? {};
          if (start !== PLACES[0]!.start && REFUSED.test(noOutcome)) {
            if (SHOW > 0) console.log(`      ${name}: ${noOutcome}`);
            continue;
          }
          compared++;
          const differing = Object.entries(wanted).filter(
            ([key, value]) => value !== undefined && (outcome === null || outcome[key] !== value),
          );
          if (differing.length === 0) continue;
          const texts = differing.map(([key, value]) => `${key} ${outcome?.[key] ?? 'not known'} for ${value}`);
          wrong.push(`program ${n} of seed ${SEED}, ${target.join(' ')}: ${name}: ${texts.join(', ')}`);
          if (SHOW > 0) console.log(`      ${wrong.at(-1)}`);
        }
      }
      if (SHOW > 0) console.log(`      ${compared} functions, ${wrong.length} differ`);
      assert.deepEqual(wrong, []);
      assert.ok(compared > 0, 'clang-22 or llc-22 refuses all programs');
    });
});

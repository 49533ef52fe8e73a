/**
 * Registers, scratch memory and waves of kernels and device functions that clang-22 compiled and llc-22 allocated, half of them with few registers, against
 * the numbers of llc-22's assembly. `AMDGPU_MIR_RUNS=200` takes so many programs, `AMDGPU_MIR_SEED` others.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allocatedNumbers } from '../support/allocatedNumbers.js';
import { Random } from '../support/damageInputs.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { compileOpenCl, hasClang, randomOpenCl } from '../support/randomOpenCl.js';
import { skip } from '../support/skip.js';
import { KEEP, runsOr, seedOr, SHOW } from '../support/switches.js';

const SEED = seedOr(1);
const RUNS = runsOr(4);

describe('numbers of allocated functions', function () {
  this.timeout(0);

  it(`are those of llc-22: ${RUNS} programs, seed ${SEED}`, function () {
    needsLlc(this);
    if (!hasClang()) skip(this, 'clang-22 is not installed');
    let compared = 0;
    const wrong: string[] = [];
    for (let n = 0, programs = 0; programs < RUNS && n < 4 * RUNS + 8; n++) {
      const random = new Random(SEED * 1_000_003 + n);
      const source = randomOpenCl(random);
      const { ir } = compileOpenCl(source);
      const args = [`-mtriple=${source.triple}`, `-mcpu=${source.cpu}`];
      const stress = random.chance(50) ? [`-stress-regalloc=${random.pick([4, 6, 8, 12, 20])}`] : [];
      if (ir === null) continue;
      const allocated = runLlc([...args, ...stress, '-stop-after=virtregrewriter,2', '-o', '-'], ir);
      if (allocated.status !== 0) continue;
      const numbers = allocatedNumbers(allocated.stdout, source.triple, source.cpu);
      if (numbers === null) continue;
      programs++;
      for (const { name, ours, llc } of numbers) {
        compared++;
        if (ours === llc) continue;
        wrong.push(`program ${n} of seed ${SEED}, ${[...args, ...stress].join(' ')}: ${name} ${ours} for ${llc}`);
        if (KEEP !== undefined) writeFileSync(join(KEEP, `numbers${SEED}-${n}.mir`), allocated.stdout);
        if (SHOW > 0) console.log(`      ${wrong.at(-1)}`);
      }
    }
    if (SHOW > 0) console.log(`      ${compared} functions, ${wrong.length} differ`);
    assert.deepEqual(wrong, []);
    assert.ok(compared > 0, 'clang-22 or llc-22 refuses all programs');
  });
});

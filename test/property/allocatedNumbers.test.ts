/**
 * Registers, scratch memory and waves of kernels and device functions that clang-22 compiled and llc-22 allocated, half of them with few registers, against
 * the numbers of llc-22's assembly. `AMDGPU_MIR_RUNS=200` takes so many programs, `AMDGPU_MIR_SEED` others.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allocatedUse } from '../../server/src/analysis/allocatedUse.js';
import { moduleUse } from '../../server/src/analysis/frame/moduleUse.js';
import { Random } from '../support/damageInputs.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { lowerMir } from '../support/mir.js';
import { compileOpenCl, hasClang, randomOpenCl } from '../support/randomOpenCl.js';
import { skip } from '../support/skip.js';
import { KEEP, runsOr, seedOr, SHOW } from '../support/switches.js';

const SEED = seedOr(1);
const RUNS = runsOr(4);

/** By function: VGPRs, AGPRs, SGPRs and bytes of scratch of its own code, whether that uses VCC, then the SGPRs, VGPRs and waves that count, where they are numbers. */
function numbersOfAsm(asm: string): Map<string, readonly (number | null)[]> {
  const names = [...asm.matchAll(/^\s*\.type\s+(\S+),@function/gm)].map((m) => m[1]);
  const parts = asm.split(/^\s*\.type\s+\S+,@function.*$/m).slice(1);
  return new Map(
    names.map((name, k) => {
      const number = (pattern: string): number | null => {
        const found = new RegExp(pattern, 'm').exec(parts[k]);
        return found === null ? null : Number(found[1]);
      };
      const symbol = (key: string): number | null => number(`^\\s*\\.set ${name}\\.${key}, (?:max\\()?(\\d+)`);
      const comment = (key: string): number | null => number(`^; ${key}: (\\d+)$`);
      return [
        name,
        [
          ...['num_vgpr', 'num_agpr', 'numbered_sgpr', 'private_seg_size', 'uses_vcc'].map(symbol),
          ...[comment('TotalNumSgprs'), comment('TotalNumVgprs') ?? comment('NumVgprs'), comment('Occupancy')],
        ],
      ];
    }),
  );
}

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
      const asm = runLlc(['-x', 'mir', ...args, '-start-after=virtregrewriter,2', '-o', '-'], allocated.stdout);
      if (asm.status !== 0) continue;
      programs++;
      const members = lowerMir(allocated.stdout, { triple: source.triple, cpu: source.cpu, features: '' }).map(
        (fn) => ({ fn, use: allocatedUse(fn), own: allocatedUse(fn).own }),
      );
      const wanted = numbersOfAsm(asm.stdout);
      const totals = moduleUse(members);
      for (const { fn, use } of members) {
        const { name } = fn.header;
        const { totalSGPR, totalVGPR, occupancy } = totals.get(name)!;
        const own = [use.framedVGPR, use.framedAGPR, use.framedSGPR, use.scratchBytes, Number(use.own.usesVCC)];
        const numbers = [...own, totalSGPR, totalVGPR, occupancy];
        const known = wanted.get(name)!;
        const have = numbers.map((x, k) => (known[k] === null ? null : x));
        compared++;
        if (have.join() === known.join()) continue;
        wrong.push(
          `program ${n} of seed ${SEED}, ${[...args, ...stress].join(' ')}: ${name} ${have.join()} for ${known.join()}`,
        );
        if (KEEP !== undefined) writeFileSync(join(KEEP, `numbers${SEED}-${n}.mir`), allocated.stdout);
        if (SHOW > 0) console.log(`      ${wrong.at(-1)}`);
      }
    }
    if (SHOW > 0) console.log(`      ${compared} functions, ${wrong.length} differ`);
    assert.deepEqual(wrong, []);
    assert.ok(compared > 0, 'clang-22 or llc-22 refuses all programs');
  });
});

/** Pressure arithmetic: counting lanes, updating counters, comparing two pressures. */
import * as assert from 'node:assert';
import { computeFunctionLimits } from '../../../server/src/analysis/functionLimits.js';
import {
  VRegPressureFacts,
  coveredRegs,
  incPressure,
  lessPressure,
  newPressure,
  numVGPRs,
} from '../../../server/src/analysis/gcnPressure.js';
import { emptyFunction } from '../../support/emptyFunction.js';

const SGPR = 0;
const VGPR = 1;
const AGPR = 2;
const AVGPR = 3;
const TUPLE = 4;

/**
 * Processor, two pressures (registers of the four kinds, then their tuple weights), cap of the occupancy, and whether
 * GCNRegPressure::less of LLVM 22.1.8 calls the first better in a kernel with work-groups of 1 to 256.
 */
const PAIRS: readonly (readonly [string, readonly number[], readonly number[], number, boolean])[] = [
  ['gfx600', [32, 68, 0, 466, 4, 96, 188, 204], [68, 68, 0, 466, 4, 96, 188, 204], 99, false],
  ['gfx600', [106, 65, 30, 0, 8, 43, 22, 46], [106, 65, 30, 0, 8, 43, 22, 46], 99, false],
  ['gfx600', [50, 60, 0, 213, 27, 132, 87, 121], [50, 60, 0, 213, 27, 132, 87, 121], 10, false],
  ['gfx600', [4, 49, 0, 60, 18, 45, 57, 65], [21, 49, 0, 16, 18, 45, 57, 65], 16, false],
  ['gfx600', [80, 133, 0, 0, 109, 163, 290, 69], [80, 133, 0, 0, 109, 163, 290, 69], 2, false],
  ['gfx600', [4, 98, 82, 58, 91, 129, 36, 22], [4, 53, 82, 58, 91, 129, 36, 22], 99, false],
  ['gfx600', [155, 113, 592, 438, 255, 518, 382, 125], [30, 113, 592, 99, 255, 518, 694, 125], 11, false],
  ['gfx600', [50, 151, 0, 0, 102, 272, 209, 105], [2, 151, 0, 0, 102, 105, 209, 105], 99, false],
  ['gfx600', [93, 36, 80, 0, 52, 48, 69, 4], [68, 36, 80, 0, 52, 48, 14, 112], 99, true],
  ['gfx600', [3, 73, 66, 0, 27, 33, 28, 53], [3, 23, 90, 0, 27, 33, 28, 136], 99, true],
  ['gfx600', [92, 84, 7, 0, 18, 26, 23, 77], [92, 84, 7, 0, 107, 26, 23, 77], 99, true],
  ['gfx600', [47, 43, 1, 0, 15, 38, 1, 53], [47, 43, 69, 0, 15, 38, 1, 53], 99, true],
  ['gfx600', [69, 40, 0, 299, 0, 144, 257, 92], [34, 40, 0, 299, 0, 144, 257, 295], 16, true],
  ['gfx600', [93, 79, 0, 0, 19, 27, 23, 134], [93, 79, 0, 0, 19, 64, 61, 134], 99, true],
  ['gfx600', [42, 293, 0, 0, 44, 162, 203, 7], [42, 293, 0, 0, 52, 162, 203, 7], 99, true],
  ['gfx600', [21, 198, 0, 37, 6, 52, 497, 87], [21, 198, 0, 37, 6, 533, 497, 87], 99, true],
  ['gfx908', [32, 68, 0, 466, 4, 96, 188, 204], [68, 68, 0, 466, 4, 96, 188, 204], 99, false],
  ['gfx908', [106, 65, 30, 0, 8, 43, 22, 46], [106, 65, 30, 0, 8, 43, 22, 46], 99, false],
  ['gfx908', [50, 60, 0, 213, 27, 132, 87, 121], [50, 60, 0, 213, 27, 132, 87, 121], 10, false],
  ['gfx908', [4, 49, 0, 60, 18, 45, 57, 65], [21, 49, 0, 16, 18, 45, 57, 65], 16, false],
  ['gfx908', [80, 133, 0, 0, 109, 163, 290, 69], [80, 133, 0, 0, 109, 163, 290, 69], 2, false],
  ['gfx908', [4, 98, 82, 58, 91, 129, 36, 22], [4, 53, 82, 58, 91, 129, 36, 22], 99, false],
  ['gfx908', [155, 113, 592, 438, 255, 518, 382, 125], [30, 113, 592, 99, 255, 518, 694, 125], 11, false],
  ['gfx908', [50, 151, 0, 0, 102, 272, 209, 105], [2, 151, 0, 0, 102, 105, 209, 105], 99, false],
  ['gfx908', [93, 36, 80, 0, 52, 48, 69, 4], [68, 36, 80, 0, 52, 48, 14, 112], 99, true],
  ['gfx908', [3, 73, 66, 0, 27, 33, 28, 53], [3, 23, 90, 0, 27, 33, 28, 136], 99, true],
  ['gfx908', [92, 84, 7, 0, 18, 26, 23, 77], [92, 84, 7, 0, 107, 26, 23, 77], 99, true],
  ['gfx908', [47, 43, 1, 0, 15, 38, 1, 53], [47, 43, 69, 0, 15, 38, 1, 53], 99, true],
  ['gfx908', [69, 40, 0, 299, 0, 144, 257, 92], [34, 40, 0, 299, 0, 144, 257, 295], 16, true],
  ['gfx908', [93, 79, 0, 0, 19, 27, 23, 134], [93, 79, 0, 0, 19, 64, 61, 134], 99, true],
  ['gfx908', [42, 293, 0, 0, 44, 162, 203, 7], [42, 293, 0, 0, 52, 162, 203, 7], 99, true],
  ['gfx908', [21, 198, 0, 37, 6, 52, 497, 87], [21, 198, 0, 37, 6, 533, 497, 87], 99, true],
  ['gfx90a', [32, 68, 0, 466, 4, 96, 188, 204], [68, 68, 0, 466, 4, 96, 188, 204], 99, false],
  ['gfx90a', [106, 65, 30, 0, 8, 43, 22, 46], [106, 65, 30, 0, 8, 43, 22, 46], 99, false],
  ['gfx90a', [50, 60, 0, 213, 27, 132, 87, 121], [50, 60, 0, 213, 27, 132, 87, 121], 10, false],
  ['gfx90a', [4, 49, 0, 60, 18, 45, 57, 65], [21, 49, 0, 16, 18, 45, 57, 65], 16, false],
  ['gfx90a', [80, 133, 0, 0, 109, 163, 290, 69], [80, 133, 0, 0, 109, 163, 290, 69], 2, false],
  ['gfx90a', [3, 73, 66, 0, 27, 33, 28, 53], [3, 23, 90, 0, 27, 33, 28, 136], 99, false],
  ['gfx90a', [4, 98, 82, 58, 91, 129, 36, 22], [4, 53, 82, 58, 91, 129, 36, 22], 99, false],
  ['gfx90a', [155, 113, 592, 438, 255, 518, 382, 125], [30, 113, 592, 99, 255, 518, 694, 125], 11, false],
  ['gfx90a', [93, 36, 80, 0, 52, 48, 69, 4], [68, 36, 80, 0, 52, 48, 14, 112], 99, true],
  ['gfx90a', [70, 32, 13, 135, 72, 67, 88, 42], [95, 32, 107, 135, 72, 67, 88, 42], 99, true],
  ['gfx90a', [92, 84, 7, 0, 18, 26, 23, 77], [92, 84, 7, 0, 107, 26, 23, 77], 99, true],
  ['gfx90a', [47, 43, 1, 0, 15, 38, 1, 53], [47, 43, 69, 0, 15, 38, 1, 53], 99, true],
  ['gfx90a', [70, 57, 31, 0, 99, 37, 15, 45], [70, 57, 39, 0, 99, 37, 15, 45], 14, true],
  ['gfx90a', [69, 40, 0, 299, 0, 144, 257, 92], [34, 40, 0, 299, 0, 144, 257, 295], 16, true],
  ['gfx90a', [93, 79, 0, 0, 19, 27, 23, 134], [93, 79, 0, 0, 19, 64, 61, 134], 99, true],
  ['gfx90a', [42, 293, 0, 0, 44, 162, 203, 7], [42, 293, 0, 0, 52, 162, 203, 7], 99, true],
  ['gfx1100', [32, 68, 0, 466, 4, 96, 188, 204], [68, 68, 0, 466, 4, 96, 188, 204], 99, false],
  ['gfx1100', [106, 65, 30, 0, 8, 43, 22, 46], [106, 65, 30, 0, 8, 43, 22, 46], 99, false],
  ['gfx1100', [50, 60, 0, 213, 27, 132, 87, 121], [50, 60, 0, 213, 27, 132, 87, 121], 10, false],
  ['gfx1100', [4, 49, 0, 60, 18, 45, 57, 65], [21, 49, 0, 16, 18, 45, 57, 65], 16, false],
  ['gfx1100', [80, 133, 0, 0, 109, 163, 290, 69], [80, 133, 0, 0, 109, 163, 290, 69], 2, false],
  ['gfx1100', [4, 98, 82, 58, 91, 129, 36, 22], [4, 53, 82, 58, 91, 129, 36, 22], 99, false],
  ['gfx1100', [155, 113, 592, 438, 255, 518, 382, 125], [30, 113, 592, 99, 255, 518, 694, 125], 11, false],
  ['gfx1100', [50, 151, 0, 0, 102, 272, 209, 105], [2, 151, 0, 0, 102, 105, 209, 105], 99, false],
  ['gfx1100', [93, 36, 80, 0, 52, 48, 69, 4], [68, 36, 80, 0, 52, 48, 14, 112], 99, true],
  ['gfx1100', [3, 73, 66, 0, 27, 33, 28, 53], [3, 23, 90, 0, 27, 33, 28, 136], 99, true],
  ['gfx1100', [92, 84, 7, 0, 18, 26, 23, 77], [92, 84, 7, 0, 107, 26, 23, 77], 99, true],
  ['gfx1100', [47, 43, 1, 0, 15, 38, 1, 53], [47, 43, 69, 0, 15, 38, 1, 53], 99, true],
  ['gfx1100', [69, 40, 0, 299, 0, 144, 257, 92], [34, 40, 0, 299, 0, 144, 257, 295], 16, true],
  ['gfx1100', [93, 79, 0, 0, 19, 27, 23, 134], [93, 79, 0, 0, 19, 64, 61, 134], 99, true],
  ['gfx1100', [42, 293, 0, 0, 44, 162, 203, 7], [42, 293, 0, 0, 52, 162, 203, 7], 99, true],
  ['gfx1100', [21, 198, 0, 37, 6, 52, 497, 87], [21, 198, 0, 37, 6, 533, 497, 87], 99, true],
  ['gfx600', [89, 1, 39, 0, 76, 63, 30, 64], [89, 1, 45, 0, 76, 63, 30, 64], 10, true],
  ['gfx600', [72, 24, 0, 0, 2, 9, 25, 4], [42, 36, 0, 0, 2, 9, 25, 4], 12, true],
];

describe('register pressure', () => {
  it('counts 32-bit registers with a live half', () => {
    assert.equal(coveredRegs(0, 0), 0);
    assert.equal(coveredRegs(0x1, 0), 1);
    assert.equal(coveredRegs(0x2, 0), 1);
    assert.equal(coveredRegs(0x6, 0), 2);
    assert.equal(coveredRegs(0xffffffff, 0xffffffff), 32);
    assert.equal(coveredRegs(0, 0x80000001), 2);
  });

  it('changes counters by the rules of GCNRegPressure::inc', () => {
    const fn = emptyFunction();
    const reg = (rc: string): number => {
      const v = fn.vregs.add(-1, null);
      fn.vregs.regClass[v] = fn.tables.regClassByName(rc);
      assert.ok(fn.vregs.regClass[v] >= 0, rc);
      return v;
    };
    const regs = ['vreg_64', 'sgpr_32', 'av_128', 'agpr_32', 'vgpr_16', 'vreg_1', 'vreg_1024'].map(reg);
    const [pair, sgpr, av, agpr, half, boolean, huge] = regs;
    const facts = new VRegPressureFacts(fn);
    const change = (v: number, old: number, now: number, oldHi = 0, nowHi = 0): Record<number, number> => {
      const p = newPressure();
      incPressure(p, facts, v, old, oldHi, now, nowHi);
      const res: Record<number, number> = {};
      p.forEach((n, k) => {
        if (n !== 0) res[k] = n;
      });
      return res;
    };
    assert.deepEqual(change(pair, 0, 0x3), { [VGPR]: 1, [TUPLE + VGPR]: 2 });
    assert.deepEqual(change(pair, 0x3, 0xf), { [VGPR]: 1 });
    assert.deepEqual(change(pair, 0xf, 0), { [VGPR]: -2, [TUPLE + VGPR]: -2 });
    assert.deepEqual(change(pair, 0x2, 0xf), { [VGPR]: 1 });
    assert.deepEqual(change(pair, 0x1, 0x2), {});
    assert.deepEqual(change(sgpr, 0, 0x3), { [SGPR]: 1 });
    assert.deepEqual(change(av, 0, 0x3), { [AVGPR]: 1, [TUPLE + AVGPR]: 4 });
    assert.deepEqual(change(agpr, 0x3, 0), { [AGPR]: -1 });
    assert.deepEqual(change(half, 0, 0x1), { [VGPR]: 1, [TUPLE + VGPR]: 1 });
    assert.deepEqual(change(boolean, 0, 0x1), { [VGPR]: 1 });
    assert.deepEqual(change(huge, 0, 0xffffffff, 0, 0xffffffff), { [VGPR]: 32, [TUPLE + VGPR]: 32 });
    assert.deepEqual(change(huge, 0xffffffff, 0, 0xffffffff, 0xc0000000), { [VGPR]: -31 });
  });

  it('adds AGPRs after the aligned VGPRs of a unified file', () => {
    const p = newPressure();
    p[VGPR] = 60;
    p[AVGPR] = 1;
    assert.equal(numVGPRs(p, true), 61);
    p[AGPR] = 4;
    assert.equal(numVGPRs(p, true), 68);
    assert.equal(numVGPRs(p, false), 61);
    p[AGPR] = 70;
    assert.equal(numVGPRs(p, false), 70);
  });

  it('compares as LLVM does', () => {
    for (const [cpu, a, b, maxOccupancy, want] of PAIRS) {
      const fn = emptyFunction({ cpu, callingConv: 91, attributes: { 'amdgpu-flat-work-group-size': '1,256' } });
      const got = lessPressure(Int32Array.from(a), Int32Array.from(b), computeFunctionLimits(fn), maxOccupancy);
      assert.equal(got, want, `${cpu} ${a.join()} < ${b.join()} up to ${maxOccupancy}`);
    }
  });

  it('weighs SGPRs that would be spilled into lanes of VGPRs', () => {
    // SGPRs beyond the limit and other registers of a and b; whether a is better. A VGPR takes as many SGPRs as a wave has lanes.
    const cases: readonly (readonly [string, readonly number[], readonly number[], boolean])[] = [
      // The same excess once SGPRs are spilled: where VGPRs alone differ, the side that spills.
      ['gfx900', [64, 260, 0, 0], [0, 261, 0, 0], true],
      ['gfx900', [65, 259, 0, 0], [64, 260, 0, 0], true],
      ['gfx1030', [33, 259, 0, 0], [32, 260, 0, 0], true],
      ['gfx1030', [64, 259, 0, 0], [32, 260, 0, 0], true],
      ['gfx90a', [1, 256, 0, 0], [0, 257, 0, 0], true],
      ['gfx90a', [1, 0, 0, 256], [0, 0, 0, 257], true],
      // Where they do not, the side that spills less.
      ['gfx900', [1, 260, 0, 0], [64, 260, 0, 0], true],
      ['gfx900', [63, 260, 0, 0], [64, 260, 0, 0], true],
      ['gfx900', [0, 20, 0, 0], [1, 20, 0, 0], true],
      ['gfx1030', [31, 260, 0, 0], [32, 260, 0, 0], true],
      // Less excess of VGPRs before anything else.
      ['gfx900', [64, 260, 0, 0], [65, 260, 0, 0], true],
      ['gfx900', [64, 260, 0, 0], [0, 262, 0, 0], true],
      ['gfx1030', [32, 260, 0, 0], [33, 260, 0, 0], true],
      ['gfx900', [5, 256, 0, 0], [0, 258, 0, 0], true],
      // AGPRs have half of a unified file.
      ['gfx90a', [0, 0, 256, 0], [0, 0, 257, 0], true],
      ['gfx90a', [9, 4, 256, 0], [0, 4, 258, 0], true],
      ['gfx90a', [0, 256, 200, 0], [0, 257, 100, 0], true],
      ['gfx908', [0, 4, 256, 0], [0, 4, 257, 0], true],
    ];
    for (const [cpu, a, b, isLess] of cases) {
      const fn = emptyFunction({ cpu, callingConv: 91, attributes: { 'amdgpu-flat-work-group-size': '1,256' } });
      const limits = computeFunctionLimits(fn);
      const pressure = ([sgprs, ...others]: readonly number[]): Int32Array =>
        Int32Array.of(limits.maxNumSGPRs + sgprs, ...others, 0, 0, 0, 0);
      assert.equal(lessPressure(pressure(a), pressure(b), limits, 1), isLess, `${cpu} ${a.join()} < ${b.join()}`);
      assert.equal(lessPressure(pressure(b), pressure(a), limits, 1), !isLess, `${cpu} ${b.join()} < ${a.join()}`);
    }
  });

  it('weighs tuples by the heavier of both vector files, registers of either kind as VGPRs', () => {
    // Weights of tuples (SGPR, VGPR, AGPR, either) of the better and the other side, with the same registers.
    const few: readonly number[] = [10, 8, 8, 0];
    const manySGPRs: readonly number[] = [101, 8, 8, 0];
    const cases: readonly (readonly [readonly number[], readonly number[], readonly number[]])[] = [
      [few, [0, 4, 8, 0], [0, 4, 16, 0]],
      [few, [0, 4, 11, 0], [0, 12, 4, 0]],
      [few, [0, 12, 8, 0], [0, 8, 16, 0]],
      [few, [0, 6, 13, 6], [0, 7, 0, 7]],
      [few, [0, 6, 0, 6], [0, 0, 13, 0]],
      [few, [0, 2, 0, 9], [0, 9, 2, 3]],
      [few, [9, 4, 8, 0], [0, 4, 9, 0]],
      [few, [1, 4, 8, 0], [2, 8, 4, 0]],
      [few, [1, 0, 9, 0], [2, 9, 0, 0]],
      // SGPRs limit both: theirs come first.
      [manySGPRs, [1, 4, 16, 0], [2, 4, 8, 0]],
      [manySGPRs, [1, 4, 8, 0], [1, 4, 16, 0]],
      [manySGPRs, [1, 12, 8, 0], [1, 8, 16, 0]],
    ];
    for (const cpu of ['gfx908', 'gfx90a']) {
      const fn = emptyFunction({ cpu, callingConv: 91, attributes: { 'amdgpu-flat-work-group-size': '1,256' } });
      const limits = computeFunctionLimits(fn);
      for (const [regs, a, b] of cases) {
        const [better, other] = [a, b].map((tuples) => Int32Array.of(...regs, ...tuples));
        assert.equal(
          lessPressure(better!, other!, limits, 99),
          true,
          `${cpu} ${regs.join()} ${a.join()} < ${b.join()}`,
        );
        assert.equal(
          lessPressure(other!, better!, limits, 99),
          false,
          `${cpu} ${regs.join()} ${b.join()} < ${a.join()}`,
        );
      }
    }
  });
});

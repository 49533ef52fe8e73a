/** Pressure and occupancy in words, each by hand; registers against the limits of waves, by the sizes of the register files (AMDGPU's ISA documents). */
import assert from 'node:assert/strict';
import { Bank, OccupancyLimiter, PressureSummary, type OccupancyReport } from '../../../server/src/analysis/summary.js';
import type { UsedRegisters } from '../../../server/src/analysis/usedRegisters.js';
import {
  bankTypeRows,
  excessText,
  limiterPlace,
  limiterText,
  limitText,
  nextWaveText,
  roomText,
  sgprUse,
  usedRegistersText,
  vgprUse,
} from '../../../server/src/features/words/pressureText.js';
import { atCursor } from '../../support/cursor.js';

const report = (more: object): OccupancyReport => more as OccupancyReport;

describe('pressure in words', () => {
  it('what holds the occupancy, and what would change it', () => {
    const words: readonly (readonly [OccupancyLimiter, string])[] = [
      [OccupancyLimiter.SGPRs, 'SGPR'],
      [OccupancyLimiter.VGPRs, 'VGPR'],
      [OccupancyLimiter.WorkGroupSize, 'workgroup size'],
      [OccupancyLimiter.LDS, 'LDS'],
      [OccupancyLimiter.FunctionInfo, 'occupancy in machineFunctionInfo'],
    ];
    for (const [limiter, word] of words) {
      assert.equal(limiterText(report({ limiters: [limiter, OccupancyLimiter.LDS] })), word);
    }
    assert.equal(limiterText(report({ limiters: [] })), '');
    const step = (registers: number) => ({ registers });
    assert.equal(nextWaveText(report({ vgprStepUp: step(3), sgprStepUp: step(2) })), '-3 VGPR, -2 SGPR');
    assert.equal(nextWaveText(report({ vgprStepUp: step(3), sgprStepUp: null })), '-3 VGPR');
    assert.equal(nextWaveText(report({ vgprStepUp: null, sgprStepUp: step(2) })), '-2 SGPR');
    assert.equal(nextWaveText(report({ vgprStepUp: null, sgprStepUp: null })), '');
    assert.equal(roomText(report({ vgprStepDown: step(5), sgprStepDown: step(80) })), '5 VGPR, 80 SGPR');
    assert.equal(roomText(report({ vgprStepDown: null, sgprStepDown: step(80) })), '80 SGPR');
    assert.equal(roomText(report({ vgprStepDown: null, sgprStepDown: null })), '');
  });

  it('what is too much, and limits', () => {
    assert.equal(excessText([]), '');
    assert.equal(
      excessText([
        { bank: 'VGPR', count: 300, most: 256 },
        { bank: 'SGPR', count: 103, most: 102 },
      ] as never),
      'will spill: 44 VGPR too many (300 live of 256), 1 SGPR too many (103 live of 102)',
    );
    assert.equal(limitText({ count: 5, limit: 72, waves: 7, next: null }), ' of 72 for 7 waves');
    assert.equal(
      limitText({ count: 67, limit: 72, waves: 1, next: { limit: 64, waves: 8 } }),
      ' of 72 for 1 wave (64 for 8: 3 too many)',
    );
  });

  it('registers of functions whose pressure means nothing', () => {
    const generic = (...banks: object[]): UsedRegisters => ({ kind: 'generic', banks }) as never;
    const bank = (name: string, registers: number, isChosen: boolean, types: [string, number][] = []) => ({
      bank: name,
      registers,
      isChosen,
      types,
    });
    assert.equal(usedRegistersText({ kind: 'virtual' } as never), '');
    assert.equal(usedRegistersText({ kind: 'none' } as never), 'no registers');
    assert.equal(usedRegistersText({ kind: 'empty' } as never), 'no code');
    assert.equal(
      usedRegistersText(generic(bank('sgpr', 12, false), bank('vgpr', 3, false))),
      'generic registers: banks sgpr 12 x 32 bit, vgpr 3 x 32 bit (estimate)',
    );
    assert.equal(
      usedRegistersText(generic(bank('sgpr', 12, true), bank('', 4, true))),
      'generic registers: banks sgpr 12 x 32 bit, 4 x 32 bit without bank (estimate, banks by divergence)',
    );
    assert.equal(
      usedRegistersText(generic(bank('', 4, true))),
      'generic registers: 4 x 32 bit without bank (estimate)',
    );
    assert.deepEqual(bankTypeRows({ kind: 'none' } as never), []);
    assert.deepEqual(
      bankTypeRows(
        generic(
          bank('vgpr', 12, false, [
            ['s32', 4],
            ['p1', 2],
            ['', 1],
          ]),
          bank('', 1, false, [['s1', 1]]),
        ),
      ),
      ['vgpr 12 x 32 bit: 4 s32, 2 p1, 1 without type', 'without bank 1 x 32 bit: 1 s1'],
    );
  });
});

/** A function with so many registers of a class at one instruction, after fewer in the block before. */
function summaryOf(cpu: string, counts: Readonly<Record<string, number>>): PressureSummary {
  const names: string[] = [];
  const defs: string[] = [];
  let next = 1;
  for (const [rc, n] of Object.entries(counts))
    for (let k = 0; k < n; k++) {
      names.push(`%${next}`);
      defs.push(`    %${next++}:${rc} = IMPLICIT_DEF\n`);
    }
  const uses = names.map((name) => `implicit ${name}`).join(', ');
  const { snapshot } = atCursor(
    `$0# RUN: llc -mtriple=amdgcn -mcpu=${cpu} -run-pass=none %s\n--- |\n  define amdgpu_kernel void @f() #0 { ret void }\n  attributes #0 = { "amdgpu-flat-work-group-size"="1,64" }\n...\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    S_NOP 0, implicit %0\n\n  bb.4:\n${defs.join('')}    S_NOP 0${uses === '' ? '' : `, ${uses}`}\n    S_ENDPGM 0\n...\n`,
  );
  return snapshot.functions[0]!.summary!;
}

/** The instruction with all of them. */
const all = ({ fn }: PressureSummary): number => fn.nInstrs - 2;

describe('registers against the limits of waves', () => {
  /** Registers of a SIMD for a lane, in what pieces they are given out, the most waves. */
  const FILES: Readonly<Record<string, readonly [total: number, piece: number, most: number]>> = {
    gfx900: [256, 4, 10],
    gfx90a: [512, 8, 8],
    gfx1010: [1024, 8, 20],
    gfx1030: [1024, 16, 16],
    gfx1100: [1536, 24, 16],
  };
  const up = (n: number, piece: number): number => Math.ceil(n / piece) * piece;

  it('vector registers, on each kind of file', () => {
    for (const [cpu, [total, piece, most]] of Object.entries(FILES))
      for (const n of [1, 24, 25, 32, 33, 40, 41, 48, 64, 65, 72, 73, 84, 85, 96, 97, 128, 129, 170, 200, 256]) {
        const wide = Math.floor((n - 1) / 32);
        const summary = summaryOf(cpu, {
          [cpu === 'gfx90a' ? 'vreg_1024_align2' : 'vreg_1024']: wide,
          vgpr_32: n - 32 * wide,
        });
        const wavesOf = (k: number): number => Math.min(most, Math.floor(total / Math.max(piece, up(k, piece))));
        const limitOf = (waves: number): number =>
          Math.min(cpu === 'gfx90a' ? 512 : 256, Math.floor(Math.floor(total / waves) / piece) * piece);
        const waves = wavesOf(n);
        const found = vgprUse(summary, all(summary));
        const what = `${n} on ${cpu}`;
        assert.deepEqual([found.count, found.limit, found.waves], [n, limitOf(waves), waves], what);
        const next = waves < most ? limitOf(waves + 1) : -1;
        const isLess = next > 0 && next < n;
        assert.deepEqual(found.next, isLess ? { limit: next, waves: wavesOf(next) } : null, what);
      }
  });

  it('accumulators: beside the others on gfx908, after them in one file on gfx90a', () => {
    const count = (cpu: string, vgprs: number, agprs: number): number => {
      const summary = summaryOf(cpu, { vgpr_32: vgprs, agpr_32: agprs });
      return vgprUse(summary, all(summary)).count;
    };
    assert.deepEqual([count('gfx908', 5, 3), count('gfx908', 3, 7), count('gfx908', 4, 0)], [5, 7, 4]);
    assert.deepEqual(
      [count('gfx90a', 5, 3), count('gfx90a', 8, 7), count('gfx90a', 5, 0), count('gfx90a', 0, 6)],
      [11, 15, 5, 6],
    );
  });

  it('scalar registers, where their number costs waves', () => {
    // Waves by number of SGPRs, from gfx8 on: 10 up to 80, 9 up to 88, 8 up to 100, 7.
    const wavesOf = (n: number): number => (n <= 80 ? 10 : n <= 88 ? 9 : n <= 100 ? 8 : 7);
    for (const n of [1, 79, 80, 81, 88, 89, 100, 101, 102]) {
      const wide = Math.floor((n - 1) / 32);
      const summary = summaryOf('gfx900', { sgpr_1024: wide, sgpr_32: n - 32 * wide });
      const found = sgprUse(summary, all(summary))!;
      // VCC, FLAT_SCR and XNACK_MASK are not among them here.
      assert.deepEqual([found.count, found.waves], [n, wavesOf(n)], String(n));
      const limits: Readonly<Record<number, number>> = { 10: 80, 9: 88, 8: 100, 7: 102 };
      assert.ok(found.limit >= n && found.limit === limits[found.waves], `${n}: ${found.limit}`);
      const next = limits[found.waves + 1];
      assert.deepEqual(found.next, next === undefined ? null : { limit: next, waves: found.waves + 1 }, String(n));
    }
    const newer = summaryOf('gfx1030', { sgpr_32: 20 });
    assert.equal(sgprUse(newer, all(newer)), null);
  });

  it('the place where the limiter is at its most', () => {
    const vectors = summaryOf('gfx900', { vreg_1024: 3 });
    assert.equal(
      limiterPlace(vectors, () => -1),
      'VGPR in bb.4',
    );
    assert.equal(
      limiterPlace(vectors, (i) => (i === all(vectors) - 1 ? 5 : 7)),
      'VGPR in region 5 (bb.4)',
    );
    assert.equal(
      limiterPlace(vectors, () => 0),
      'VGPR in region 0 (bb.4)',
    );
    const scalars = summaryOf('gfx900', { sgpr_1024: 3 });
    assert.equal(
      limiterPlace(scalars, () => -1),
      'SGPR in bb.4',
    );
    const none = summaryOf('gfx900', { vgpr_32: 3 });
    assert.equal(
      limiterPlace(none, () => 1),
      '',
    );
    assert.equal(PressureSummary.count(vectors.up.at, Bank.VGPR, all(vectors)), 96);
  });
});

/** The register pressure report: text for text what `llc-22 -run-pass=amdgpu-print-rp` writes, upward and downward. */
import * as assert from 'node:assert';
import { printRegisterPressure } from '../../../server/src/passes/printRp/printRegisterPressure.js';
import { Bank, PressureSummary } from '../../../server/src/analysis/summary.js';
import type { MachineFunction } from '../../../server/src/model/machineFunction.js';
import { InstrPrinter } from '../../../server/src/model/printer/index.js';
import { llcVersion, needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir, mirFunction } from '../../support/mir.js';
import { randomSource } from '../../support/random.js';
import { randomFunction } from '../../support/randomFunction.js';

function report(fn: MachineFunction, downward: boolean): string {
  return printRegisterPressure(fn, {
    downward,
    printInstr: (f, i) => new InstrPrinter(f, { standalone: true }).printInstr(i),
  });
}

function llcReport(text: string, cpu: string, downward: boolean): string {
  const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-x', 'mir', '-run-pass=amdgpu-print-rp'];
  if (downward) args.push('-amdgpu-print-rp-downward');
  const run = runLlc([...args, '-o', '/dev/null'], text);
  assert.equal(run.status, 0, run.stderr.slice(0, 1000));
  return run.stderr;
}

/** Debug metadata is spelled out by the caller's printer, which is tested elsewhere. */
const withoutMetadata = (text: string): string => text.replace(/(DBG_VALUE [^,]*, \$noreg), .*/g, '$1');

/** Compares both directions of a whole file with llc-22. */
function compareWithLlc(text: string, cpu: string, directions: readonly boolean[] = [false, true]): void {
  const functions = lowerMir(text, { cpu });
  for (const downward of directions) {
    const got = functions.map((fn) => report(fn, downward)).join('');
    assert.equal(
      withoutMetadata(got),
      withoutMetadata(llcReport(text, cpu, downward)),
      downward ? 'downward' : 'upward',
    );
  }
}

const EARLY_CLOBBER = `
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    early-clobber %1:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec
    INLINEASM &"", 0, 1835019, def early-clobber %2:vgpr_32, 2147483657, %1(tied-def 3)
    S_NOP 0, implicit %2
    %3:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
`;

const HIGH_LANES = `
  bb.0:
    %0:vreg_1024 = IMPLICIT_DEF
    S_NOP 0, implicit %0.sub16_sub17_sub18_sub19
    S_NOP 1
    S_NOP 2, implicit %0.sub20
    S_NOP 3, implicit %0.sub0
    undef %1.sub16:vreg_1024 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 4
    %1.sub17:vreg_1024 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 5, implicit %1.sub16
    S_NOP 6, implicit %1.sub17, implicit %0.sub1
    S_ENDPGM 0
`;

/** A definition of low lanes without the others ends what the upper ones had, on one of two ways. */
const HIGH_LANES_END = `
  bb.0:
    successors: %bb.1, %bb.2
    undef %0.sub16:vreg_1024 = V_MOV_B32_e32 0, implicit $exec
    undef %1.sub0:vreg_1024 = V_MOV_B32_e32 0, implicit $exec
    S_CBRANCH_SCC0 %bb.2, implicit undef $scc
  bb.1:
    successors: %bb.2
    S_NOP 1
    undef %0.sub1:vreg_1024 = V_MOV_B32_e32 0, implicit $exec
    undef %1.sub17:vreg_1024 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 2
  bb.2:
    S_NOP 3, implicit %0.sub16, implicit %0.sub1, implicit %1.sub0
    S_NOP 4, implicit %1.sub17
    S_ENDPGM 0
`;

const CONTROL_FLOW = `
  bb.0.entry:
    liveins: $sgpr0_sgpr1, $vgpr0
    successors: %bb.1, %bb.2
    %0:sgpr_64 = COPY killed $sgpr0_sgpr1
    undef %1.sub0:vreg_64 = COPY killed $vgpr0
    $vcc = S_MOV_B64 0
    %7:vgpr_32 = V_MOV_B32_e32 3, implicit $exec
    S_NOP 0, implicit killed %7, implicit killed $vcc
    S_CBRANCH_SCC0 %bb.2, implicit undef $scc
  bb.1:
    successors: %bb.1, %bb.2
    DBG_VALUE %1.sub0, $noreg, !1, !DIExpression(), debug-location !2
    %1.sub1:vreg_64 = V_MOV_B32_e32 0, implicit $exec
    %3:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 0, implicit killed %3
    %3:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.2:
    BUNDLE implicit-def %5:vgpr_32, implicit %0, implicit $exec {
      %5:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
      S_NOP 0, implicit %0, implicit internal %5
    }
    S_NOP 0, implicit %1.sub0, implicit killed %5, implicit %0.sub0
    S_NOP 0, implicit undef %8:vgpr_32
    S_ENDPGM 0
`;

const AV_AND_AGPRS = `
  bb.0:
    %0:agpr_32 = IMPLICIT_DEF
    %1:av_32 = IMPLICIT_DEF
    %2:vgpr_32 = IMPLICIT_DEF
    %3:areg_64_align2 = IMPLICIT_DEF
    %4:av_64_align2 = IMPLICIT_DEF
    %5:vreg_64_align2 = IMPLICIT_DEF
    %6:vreg_1 = IMPLICIT_DEF
    S_NOP 0, implicit %0, implicit %1, implicit %2, implicit %3, implicit %4, implicit %5, implicit %6
    S_ENDPGM 0
`;

const PHIS = `
  bb.0:
    successors: %bb.1
    %0:vgpr_32 = IMPLICIT_DEF
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.1, %bb.2
    %1:vgpr_32 = PHI %0, %bb.0, %2, %bb.1
    %2:vgpr_32 = V_ADD_U32_e32 1, %1, implicit $exec
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.2:
    S_ENDPGM 0
`;

const DEBUG_ONLY_BLOCK = `
  bb.0:
    successors: %bb.1
    %0:vgpr_32 = IMPLICIT_DEF
  bb.1:
    successors: %bb.2
    DBG_VALUE %0, $noreg, !1, !DIExpression(), debug-location !2
  bb.2:
    successors: %bb.3
  bb.3:
    S_NOP 0, implicit %0
    S_ENDPGM 0
`;

const DEBUG_INFO = `--- |
  define void @f() !dbg !3 {
  entry:
    ret void
  }
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!5}
  !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !4, emissionKind: FullDebug)
  !1 = !DILocalVariable(name: "x", scope: !3)
  !2 = !DILocation(line: 1, scope: !3)
  !3 = distinct !DISubprogram(name: "f", file: !4, unit: !0)
  !4 = !DIFile(filename: "a.c", directory: "/")
  !5 = !{i32 2, !"Debug Info Version", i32 3}
...
`;

/**
 * A loop with n PHIs, and as many registers that come and go in it. Unused registers between the initial values spread their numbers,
 * so that some meet in LLVM's hash table: it lists the registers in the order of that table.
 */
function manyPhis(n: number, seed: number): string {
  const below = randomSource(seed + 1);
  let unused = 4 * n;
  const each = (line: (k: number) => string): string =>
    Array.from({ length: n }, (_, k) => `    ${line(k)}\n`).join('');
  const spread = (): string =>
    Array.from({ length: below(20) }, () => `    %${unused++}:vgpr_32 = IMPLICIT_DEF\n`).join('');
  const initial = Array.from({ length: n }, (_, k) => k);
  for (let k = n - 1; k > 0; k--) {
    const j = below(k + 1);
    [initial[k], initial[j]] = [initial[j], initial[k]];
  }
  return `
  bb.0:
    successors: %bb.1
${each((k) => `%${k}:vgpr_32 = IMPLICIT_DEF\n${spread()}`)}
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.1, %bb.2
${each((k) => `%${k + n}:vgpr_32 = PHI %${initial[k]}, %bb.0, %${k + 2 * n}, %bb.1`)}
${each((k) => `%${k + 3 * n}:vgpr_32 = V_ADD_U32_e32 1, %${n + below(n)}, implicit $exec`)}
${each((k) => `%${k + 2 * n}:vgpr_32 = V_ADD_U32_e32 %${3 * n + below(n)}, %${k + n}, implicit $exec`)}
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.2:
    S_ENDPGM 0
`;
}

/** The use of %0 reads nothing: the definition beside it is before it. */
const STRAY_READS = `
  bb.0:
    %1:vgpr_32 = IMPLICIT_DEF
    early-clobber %0:sreg_32 = STRICT_WQM %0, implicit $exec
    S_NOP 0, implicit %1
    %0 = S_MOV_B32 5
    S_NOP 0, implicit %0
    S_ENDPGM 0
`;

/** Registers without a definition live from the start of the function, or of the block that reads them. */
const NO_DEFINITIONS = `
  bb.0:
    S_NOP 0, implicit %0:vgpr_32
    S_NOP 1, implicit %1:vreg_64
    S_NOP 2, implicit %1.sub0
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    S_NOP 3, implicit %2:sgpr_32
    S_NOP 4
  bb.2:
    S_NOP 5, implicit %0
    S_ENDPGM 0
`;

/** At the end of bb.1 LLVM counts no registers, though it has one. */
const PHI_OF_ITSELF = `
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
  bb.1:
    %1:vgpr_32 = PHI %0, %bb.0, %1, %bb.1
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.2:
    S_ENDPGM 0
`;

describe('register pressure report', () => {
  it('counts early clobbers with the uses and dead defs at their instruction', () => {
    const text = mirFunction('f', EARLY_CLOBBER);
    const [fn] = lowerMir(text, { cpu: 'gfx1100' });
    // From llc-22 -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1100 -run-pass=amdgpu-print-rp.
    const want = `---
name: f
body:             |
  bb.0:
    Live-in: 
    SGPR  VGPR
    0     0    
    0     1      %0:vgpr_32 = IMPLICIT_DEF
    0     1    
    0     2      early-clobber %1:vgpr_32 = V_MOV_B32_e32 %0:vgpr_32, implicit $exec
    0     1    
    0     2      INLINEASM &"" [attdialect], $0:[regdef-ec:SReg_32], def early-clobber %2:vgpr_32, $1:[reguse tiedto:$0], %1:vgpr_32(tied-def 3)
    0     1    
    0     1      S_NOP 0, implicit %2:vgpr_32
    0     0    
    0     1      dead %3:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    0     0    
    Live-out:
    Live-thr:
    0     0    
...
`;
    assert.equal(report(fn, false), want);
    if (llcVersion() !== null) assert.equal(llcReport(text, 'gfx1100', false), want, 'llc-22 disagrees');
  });

  it('leaves the function as it was', () => {
    const [fn] = lowerMir(mirFunction('f', CONTROL_FLOW.replace(/^.*DBG_VALUE.*\n/m, '')), { cpu: 'gfx900' });
    const flags = fn.opFlags.slice(0, fn.nOperands);
    const values = fn.opVal.slice(0, fn.nOperands);
    const nVRegs = fn.vregs.n;
    report(fn, false);
    assert.deepEqual(fn.opFlags.slice(0, fn.nOperands), flags);
    assert.deepEqual(fn.opVal.slice(0, fn.nOperands), values);
    assert.equal(fn.vregs.n, nVRegs);
  });

  it('equals llc-22 on blocks, bundles, debug instructions and split registers', function () {
    needsLlc(this);
    compareWithLlc(DEBUG_INFO + mirFunction('f', CONTROL_FLOW), 'gfx900');
  });

  it('equals llc-22 where only lanes above the 32nd come and go', function () {
    needsLlc(this);
    compareWithLlc(mirFunction('f', HIGH_LANES), 'gfx90a');
    compareWithLlc(mirFunction('f', HIGH_LANES_END), 'gfx90a');
  });

  it('equals llc-22 on blocks without instructions', function () {
    needsLlc(this);
    compareWithLlc(DEBUG_INFO + mirFunction('f', DEBUG_ONLY_BLOCK), 'gfx900');
    const nothingLive = DEBUG_ONLY_BLOCK.replace('S_NOP 0, implicit %0', 'S_NOP 0');
    compareWithLlc(DEBUG_INFO + mirFunction('f', nothingLive), 'gfx900');
  });

  it('equals llc-22 on registers without a definition, where no liveness is tracked', function () {
    needsLlc(this);
    compareWithLlc(mirFunction('f', NO_DEFINITIONS).replace('tracksRegLiveness: true\n', ''), 'gfx900');
  });

  it('equals llc-22 on AGPRs and registers that may be either', function () {
    needsLlc(this);
    compareWithLlc(mirFunction('f', AV_AND_AGPRS), 'gfx90a');
  });

  it('reports, as llc-22 does, where the tracker and the intervals disagree at PHIs', function () {
    needsLlc(this);
    const text = mirFunction('f', PHIS);
    assert.match(report(lowerMir(text)[0], false), /mis LIS:/);
    compareWithLlc(text, 'gfx900');
    for (let seed = 0; seed < 8; seed++)
      for (const n of [9, 30, 60]) compareWithLlc(mirFunction('f', manyPhis(n, seed)), 'gfx900', [false]);
  });

  it('counts what is read but does not live off, as llc-22 does: below zero', function () {
    needsLlc(this);
    const text = mirFunction('f', STRAY_READS);
    assert.match(report(lowerMir(text)[0], true), /^ {4}-1 /m);
    compareWithLlc(text, 'gfx1100');
    compareWithLlc(mirFunction('f', PHI_OF_ITSELF), 'gfx900');
  });

  it('takes a value that comes back around a loop to its own def for one that lives through, as llc-22 does', function () {
    needsLlc(this);
    // Of 6000 seeds these have such a loop.
    const texts = [184, 4455, 5948].map((seed, k) =>
      randomFunction(seed, `f${k}`, { maxBlocks: 20, undefinedPaths: true }),
    );
    compareWithLlc(texts.join(''), 'gfx90a', [false]);
  });

  it('equals llc-22 on random functions', function () {
    needsLlc(this);
    const texts: string[] = [];
    for (let seed = 1000; texts.length < 80; seed++) {
      const text = randomFunction(seed, `f${texts.length}`);
      if (text !== null) texts.push(text);
    }
    compareWithLlc(texts.join(''), 'gfx90a');
  });
});

describe('pressure summary', () => {
  it('has the numbers of the report for every instruction', () => {
    const text = mirFunction('f', AV_AND_AGPRS);
    const [fn] = lowerMir(text, { cpu: 'gfx90a' });
    const summary = new PressureSummary(fn);
    for (const downward of [false, true]) {
      const columns = downward ? summary.down : summary.up;
      const rows = report(fn, downward)
        .split('\n')
        .filter((line) => /^ {4}\d+ +\d+ {2,}/.test(line))
        .map((line) => line.trim().split(/ +/).slice(0, 2).map(Number));
      // Two rows an instruction, one for the end of the block, one for the live-through pressure.
      assert.equal(rows.length, 2 * fn.nInstrs + 2);
      for (let i = 0; i < fn.nInstrs; i++) {
        const numbers = (c: readonly Int32Array[]): number[] => [
          PressureSummary.count(c, Bank.SGPR, i),
          Math.max(PressureSummary.count(c, Bank.VGPR, i), PressureSummary.count(c, Bank.AGPR, i)),
        ];
        assert.deepEqual(numbers(columns.before), rows[2 * i], `before instruction ${i}`);
        assert.deepEqual(numbers(columns.at), rows[2 * i + 1], `at instruction ${i}`);
        assert.deepEqual(numbers(columns.after), rows[2 * i + 2], `after instruction ${i}`);
      }
    }
  });

  it('finds the peaks and counts both files of a unified register file', () => {
    const [fn] = lowerMir(mirFunction('f', AV_AND_AGPRS), { cpu: 'gfx90a' });
    const summary = new PressureSummary(fn);
    // VGPRs: av_32, vgpr_32, av_64, vreg_64 and vreg_1; AGPRs: agpr_32 and areg_64.
    assert.deepEqual(
      summary.peaks.map((p) => p.value),
      [0, 7, 3],
    );
    assert.equal(summary.peaks[Bank.VGPR].instr, 6);
    assert.equal(summary.peaks[Bank.AGPR].instr, 3);
    // 7 VGPRs are rounded up to 8 before the 3 AGPRs follow; 64 registers allow 8 waves.
    assert.deepEqual(summary.occupancy.vgprStepDown, { occupancy: 7, registers: 64 - 11 });
  });

  it('counts what lives at block borders', () => {
    const body = CONTROL_FLOW.replace(/^.*DBG_VALUE.*\n/m, '');
    const summary = new PressureSummary(lowerMir(mirFunction('f', body), { cpu: 'gfx900' })[0]);
    assert.equal(summary.borders.numLiveIns(0), 0);
    assert.equal(summary.borders.numLiveOuts(0), 2);
    const p = summary.borderPressure(1, 'in');
    // The whole pair %0 is read by the bundle; of %1 only the first half ever is.
    assert.deepEqual([p[Bank.SGPR], p[Bank.VGPR]], [2, 1]);
  });
});

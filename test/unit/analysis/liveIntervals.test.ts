/**
 * Live intervals: worked examples with the ranges that `llc-22 -passes='print<live-intervals>'` prints, and random functions
 * compared with it segment by segment.
 */
import * as assert from 'node:assert';
import { computeLiveIntervals, printRange, type LiveIntervals } from '../../../server/src/analysis/liveIntervals.js';
import { printLaneMask } from '../../../server/src/passes/printRp/printRegisterPressure.js';
import { printSlot } from '../../../server/src/analysis/slotIndexes.js';
import { llcVersion, needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir, mirFunction } from '../../support/mir.js';
import { randomFunction } from '../../support/randomFunction.js';

/** Segments without value numbers, which are arbitrary. */
function segments(lis: LiveIntervals, range: number): string {
  const parts: string[] = [];
  const from = lis.segBegin[range];
  for (let s = from; s < from + lis.segCount[range]; s++) {
    parts.push(`[${printSlot(lis.segStart[s])},${printSlot(lis.segEnd[s])})`);
  }
  return parts.length > 0 ? parts.join('') : 'EMPTY';
}

/** `%0 [16r,32r) L0003 [16r,32r)` per register, sub-ranges by ascending mask. */
function describeIntervals(lis: LiveIntervals): string[] {
  const lines: string[] = [];
  for (let v = 0; v < lis.nVRegs; v++) {
    if (lis.mainRange[v] < 0) continue;
    const subs: string[] = [];
    for (let r = lis.subRange[v]; r >= 0; r = lis.nextSubRange[r]) {
      subs.push(` L${printLaneMask(lis.laneLo[r], lis.laneHi[r])} ${segments(lis, r)}`);
    }
    lines.push(`%${v} ${segments(lis, lis.mainRange[v])}${subs.sort().join('')}`);
  }
  return lines;
}

/** The same lines from LLVM's printer. */
function parseIntervals(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const m = /^%(\d+) (.*?)\s+weight:/.exec(line);
    if (m === null) continue;
    // Values are listed after the segments of each range, as `0@16r 1@32B-phi`.
    const body = m[2]
      .replace(/ +\d+@\S+/g, '')
      .replace(/:\d+\)/g, ')')
      .replace(/\) +\[/g, ')[');
    const parts = body.split(/ +(?=L[0-9A-F]{16})/).map((p) => p.trim());
    const subs = parts.slice(1).map((p) => ` ${p}`);
    lines.push(`%${m[1]} ${parts[0]}${subs.sort().join('')}`);
  }
  return lines.sort((a, b) => parseInt(a.slice(1)) - parseInt(b.slice(1)));
}

const LLC_ARGS = [
  '-mtriple=amdgcn-amd-amdhsa',
  '-x',
  'mir',
  '-passes=print<live-intervals>',
  '-disable-verify',
  '-o',
  '/dev/null',
];

function intervalsOf(text: string, cpu: string, edit: boolean): string[] {
  const fn = lowerMir(text, { cpu })[0].clone();
  return describeIntervals(computeLiveIntervals(fn, { edit }));
}

/** Checks our intervals, and those of llc-22 where it is installed, against `want`. */
function check(body: string, cpu: string, want: readonly string[]): void {
  const text = mirFunction('f', body);
  assert.deepEqual(intervalsOf(text, cpu, true), want);
  if (llcVersion() === null) return;
  assert.deepEqual(parseIntervals(runLlc([...LLC_ARGS, `-mcpu=${cpu}`], text).stderr), want, 'llc-22 disagrees');
}

describe('live intervals', () => {
  it('track lanes that an undef sub-register def starts', () => {
    const body = `
  bb.0:
    undef %0.sub0:vreg_128 = IMPLICIT_DEF
    %0.sub1:vreg_128 = IMPLICIT_DEF
    %0.sub2_sub3:vreg_128 = IMPLICIT_DEF
    S_NOP 0, implicit %0.sub1_sub2
    S_NOP 0, implicit %0
`;
    check(body, 'gfx1100', [
      '%0 [16r,32r)[32r,48r)[48r,80r)' +
        ' L0000000000000003 [16r,80r) L000000000000000C [32r,80r)' +
        ' L0000000000000030 [48r,80r) L00000000000000C0 [48r,80r)',
    ]);
  });

  it('begin early-clobber defs a slot early and end tied uses there', () => {
    const body = `
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    early-clobber %1:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec
    INLINEASM &"", 0, 1835019, def early-clobber %2:vgpr_32, 2147483657, %1(tied-def 3)
    S_NOP 0, implicit %2
    %3:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
`;
    check(body, 'gfx1100', ['%0 [16r,32r)', '%1 [32e,48e)', '%2 [48e,64r)', '%3 [80r,80d)']);
  });

  it('carry values around loops and through PHIs', () => {
    const body = `
  bb.0:
    successors: %bb.1
    %0:vgpr_32 = IMPLICIT_DEF
    %5:sreg_64 = IMPLICIT_DEF
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.1, %bb.2
    %3:vgpr_32 = PHI %0, %bb.0, %4, %bb.1
    S_NOP 0, implicit %5
    %4:vgpr_32 = V_ADD_U32_e32 1, %3, implicit $exec
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.2:
    S_ENDPGM 0
`;
    // Registers are numbered in the order of the text: %0, %5, %3, %4.
    check(body, 'gfx900', ['%0 [16r,64B)', '%1 [32r,144B)', '%2 [80r,112r)', '%3 [112r,144B)']);
  });

  it('keep lanes above the 32nd apart, and values that begin anew on one way', () => {
    const body = `
  bb.0:
    successors: %bb.1, %bb.2
    undef %0.sub31:vreg_1024 = IMPLICIT_DEF
    undef %0.sub0:vreg_1024 = V_MOV_B32_e32 0, implicit $exec
    %0.sub20:vreg_1024 = V_MOV_B32_e32 1, implicit $exec
    undef %1.sub0_sub1_sub2_sub3_sub4_sub5_sub6_sub7_sub8_sub9_sub10_sub11_sub12_sub13_sub14_sub15:vreg_1024 = IMPLICIT_DEF
    undef %2.sub0:vreg_512 = IMPLICIT_DEF
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    successors: %bb.2
    undef %1.sub16_sub17_sub18_sub19_sub20_sub21_sub22_sub23_sub24_sub25_sub26_sub27_sub28_sub29_sub30_sub31:vreg_1024 = IMPLICIT_DEF
    undef %2.sub15:vreg_512 = IMPLICIT_DEF
    undef %0.sub1:vreg_1024 = V_MOV_B32_e32 2, implicit $exec
  bb.2:
    S_NOP 0, implicit %0.sub20, implicit %1.sub31, implicit %2.sub15
    S_NOP 0, implicit %0.sub1, implicit %1.sub3
    early-clobber %3:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 0, implicit %3
    %4:vgpr_32 = IMPLICIT_DEF
    S_ENDPGM 0
`;
    check(body, 'gfx90a', [
      '%0 [16r,16d) LC000000000000000 [16r,16d)',
      '%1 [64r,112B)[128r,176B)[176B,208r) L00000000000000C0 [64r,112B)[176B,208r) L00000000FFFFFF3F [64r,64d) L3FFFFFFF00000000 [128r,128d) LC000000000000000 [128r,176B)[176B,192r)',
      '%2 [80r,112B)[144r,176B)[176B,192r) L0000000000000003 [80r,80d) L00000000C0000000 [144r,176B)[176B,192r)',
      '%3 [224e,240r)',
      '%4 [256r,256d)',
      '%5 [32r,48r)[48r,112B)[160r,176B)[176B,208r) L0000000000000003 [32r,32d) L000000000000000C [160r,176B)[176B,208r) L0000030000000000 [48r,112B)[176B,192r)',
    ]);
  });

  it('of register units begin where control enters the function with the register, at a landing pad anew', () => {
    const text = mirFunction(
      'f',
      `
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr5, $sgpr8_sgpr9, $vgpr7_lo16

    $vgpr6 = V_MOV_B32_e32 1, implicit $exec
    $vgpr3 = V_ADD_U32_e32 $vgpr6, $vgpr5, implicit $exec
    early-clobber $sgpr10_sgpr11 = S_LOAD_DWORDX2_IMM $sgpr8_sgpr9, 0, 0
    S_NOP 0, implicit $sgpr10
    DBG_VALUE $sgpr9, $noreg
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    liveins: $vgpr3, $vgpr5

    early-clobber $vgpr5 = V_MAC_F32_e32 $vgpr3, $vgpr3, $vgpr5(tied-def 0), implicit $mode, implicit $exec
    $vgpr9 = V_MOV_B32_e32 1, implicit $exec
    S_NOP 0, implicit $vgpr5, implicit undef $vgpr6
    S_ENDPGM 0
  bb.2 (landing-pad):
    successors: %bb.3
    liveins: $vgpr9, $vgpr5

    S_NOP 0, implicit $vgpr9, implicit $vgpr5
    BUNDLE implicit-def $sgpr12, implicit $vgpr5 {
      $sgpr12 = S_MOV_B32 1
      S_NOP 0, implicit $vgpr5, implicit internal $sgpr12
    }
  bb.3 (landing-pad):
    liveins: $sgpr12

    S_NOP 0, implicit $sgpr12
    $sgpr12 = S_MOV_B32 2
    S_ENDPGM 0, implicit $sgpr12
`,
    );
    const fn = lowerMir(text, { cpu: 'gfx900' })[0];
    const { tables } = fn;
    const lis = computeLiveIntervals(fn);
    const rangeOf = (name: string): string =>
      segments(
        lis,
        lis.regUnitRange(tables.unitList[tables.unitBegin[tables.regByName(name)]!]!, () => false),
      );
    const own = { vgpr3: '[32r,112r)', vgpr6: '[16r,32r)', sgpr10: '[48e,64r)', sgpr11: '[48e,48d)' };
    const entered = {
      sgpr8: '[0B,48r)',
      sgpr9: '[0B,48r)',
      sgpr12: '[208r,208d)[224B,240r)[256r,272r)',
      vgpr5: '[0B,112e)[112e,144r)[176B,208r)',
      vgpr7: '[0B,0d)',
      vgpr9: '[128r,128d)[176B,192r)',
    };
    for (const [name, want] of Object.entries({ ...own, ...entered })) assert.equal(rangeOf(name), want, name);
    if (llcVersion() === null) return;
    const { stderr } = runLlc([...LLC_ARGS, '-mcpu=gfx900'], text);
    const printed = [...stderr.matchAll(/^([A-Z]+\d+)_LO16 (\[.*\))/gm)].map(([, name, ranges]) => [
      name!.toLowerCase(),
      ranges!.replaceAll(/:\d+\)/g, ')'),
    ]);
    assert.deepEqual(Object.fromEntries(printed), entered, 'llc-22 disagrees');
  });

  it('are printed with their values', () => {
    const body = `
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 0, implicit killed %0
    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_NOP 0, implicit undef %1:vgpr_32
    S_ENDPGM 0
`;
    const lis = computeLiveIntervals(lowerMir(mirFunction('f', body), { cpu: 'gfx900' })[0]);
    assert.deepEqual(
      [...lis.mainRange].slice(0, 2).map((range) => printRange(lis, range)),
      ['[16r,32r:0) [48r,48d:1)', 'EMPTY'],
    );
  });

  it('mark dead defs and give unconnected values registers of their own when they may edit', () => {
    const body = `
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 0, implicit killed %0
    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0
`;
    const text = mirFunction('f', body);
    assert.deepEqual(intervalsOf(text, 'gfx900', false), ['%0 [16r,32r)[48r,48d)'], 'the function is only read');
    check(body, 'gfx900', ['%0 [48r,48d)', '%1 [16r,32r)']);
  });

  /** Live intervals of 120 random functions, ours and llc's. */
  function compareRandom(options: { maxBlocks?: number; undefinedPaths?: boolean }): void {
    const texts: string[] = [];
    for (let seed = 1; texts.length < 120; seed++) {
      const text = randomFunction(seed, `f${texts.length}`, options);
      if (text !== null) texts.push(text);
    }
    const input = texts.join('');
    const run = runLlc([...LLC_ARGS, '-mcpu=gfx90a'], input);
    assert.equal(run.status, 0, run.stderr.slice(0, 1000));
    const wanted = run.stderr.split(/^Live intervals for machine function: f\d+:$/m).slice(1);
    const functions = lowerMir(input, { cpu: 'gfx90a' });
    assert.equal(wanted.length, functions.length);
    functions.forEach((original, k) => {
      const fn = original.clone();
      const got = describeIntervals(computeLiveIntervals(fn, { edit: true }));
      assert.deepEqual(got, parseIntervals(wanted[k]), texts[k]);
    });
  }

  it('equal those of llc-22 on random functions', function () {
    needsLlc(this);
    compareRandom({});
  });

  it('equal those of llc-22 where lanes are undefined on some paths', function () {
    needsLlc(this);
    compareRandom({ maxBlocks: 16, undefinedPaths: true });
  });
});

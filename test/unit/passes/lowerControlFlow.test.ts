/** si-i1-copies, si-opt-vgpr-liverange and si-lower-control-flow at their edges, as llc-22; what they do is in docs/llvm/lowering-control-flow.md. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { runLlcOnText } from '../../support/schedule.js';

/** Loops with one header, a bit that leaves them, constants, undefined bits, readers of SCC at the end of a block. */
const BITS = `name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr4
    %2:sreg_64 = S_MOV_B64 -1
    %3:vreg_1 = COPY %2
    %4:vreg_1 = COPY %0
    %5:vreg_1 = IMPLICIT_DEF
    %6:vreg_1 = COPY %0
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.2, %bb.3
    %7:vreg_1 = PHI %3, %bb.0, %8, %bb.4
    %9:sreg_64 = COPY %7
    %10:sreg_64 = V_CMP_EQ_U32_e64 %0, 3, implicit $exec
    %11:sreg_64 = S_MOV_B64 0
    %12:vreg_1 = COPY killed %10
    %13:sreg_64 = SI_IF killed %9, %bb.3, implicit-def $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.2
  bb.2:
    successors: %bb.3, %bb.4
    %14:sreg_64 = V_CMP_LT_U32_e64 %0, 7, implicit $exec
    %15:vreg_1 = COPY %14
    S_CMP_EQ_U32 %1, 0, implicit-def $scc
    %16:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_CBRANCH_SCC1 %bb.4, implicit $scc
    S_BRANCH %bb.3
  bb.3:
    successors: %bb.4
    %17:vreg_1 = PHI %12, %bb.1, %15, %bb.2
    %18:vgpr_32 = COPY %17
    S_NOP 0, implicit %18
    SI_END_CF %13, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
  bb.4:
    successors: %bb.1, %bb.5
    %8:vreg_1 = PHI %17, %bb.3, %5, %bb.2
    %19:vreg_1 = COPY %11
    %20:sreg_64 = COPY %8
    SI_LOOP %20, %bb.1, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.5
  bb.5:
    successors: %bb.6, %bb.7
    %21:vgpr_32 = COPY %19
    %22:vgpr_32 = COPY %4
    %23:vgpr_32 = COPY %12
    %24:sreg_64 = COPY %4
    %25:sreg_64 = SI_IF %24, %bb.7, implicit-def $exec, implicit-def dead $scc, implicit $exec
  bb.6:
    successors: %bb.7
    %26:sreg_64 = S_MOV_B64 0
    %27:vreg_1 = COPY %26
  bb.7:
    %28:vreg_1 = PHI %3, %bb.5, %27, %bb.6
    %29:vreg_1 = PHI %27, %bb.6, %3, %bb.5
    %30:sreg_64 = COPY %28
    %31:sreg_64 = COPY %29
    S_ENDPGM 0, implicit %21, implicit %22, implicit %23, implicit %30, implicit %31
...
`;

/** Branches in branches whose ends meet, one in a block of its own and one that jumps; a mask that its block defines, a loop, masks of masks. */
const BRANCHES = `name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.6
    liveins: $vgpr0, $sgpr4_sgpr5
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = COPY $sgpr4_sgpr5
    %2:sreg_64 = V_CMP_EQ_U32_e64 %0, 3, implicit $exec
    %3:sreg_64 = SI_IF %2, %bb.6, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.2, %bb.4
    %4:sreg_64 = V_CMP_LT_U32_e64 %0, 7, implicit $exec
    %5:sreg_64 = SI_IF killed %4, %bb.4, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
  bb.2:
    successors: %bb.3, %bb.5
    %6:sreg_64 = SI_IF %1, %bb.5, implicit-def dead $exec, implicit-def $scc, implicit $exec
    S_CBRANCH_SCC1 %bb.3, implicit undef $scc
  bb.3:
    successors: %bb.5
    S_NOP 1
  bb.5:
    successors: %bb.4
    SI_END_CF %6, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.4
  bb.4:
    successors: %bb.6
    SI_END_CF %5, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.6
  bb.7:
    successors: %bb.8
    %7:sreg_64 = S_MOV_B64 0
    %8:sreg_64 = S_MOV_B64 1
    SI_END_CF %8, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_NOP 0, implicit %1
    S_BRANCH %bb.8
  bb.6:
    successors: %bb.7
    SI_END_CF %3, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.7
  bb.8:
    successors: %bb.9, %bb.8
    %9:sreg_64 = V_CMP_NE_U32_e64 %0, 1, implicit $exec
    %10:sreg_64 = SI_IF_BREAK %9, %7, implicit-def dead $scc
    %11:sreg_64 = SI_IF_BREAK %1, %10, implicit-def dead $scc
    %12:sreg_64 = S_AND_B64 $exec, %1, implicit-def dead $scc
    %13:sreg_64 = S_AND_B64 $exec, %12, implicit-def dead $scc
    SI_LOOP %11, %bb.8, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.9
  bb.9:
    successors: %bb.10, %bb.11
    %14:sreg_64 = SI_IF %13, %bb.10, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.11
  bb.10:
    successors: %bb.12, %bb.13
    %15:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %16:sreg_64 = SI_ELSE %14, %bb.13, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.12
  bb.11:
    successors: %bb.10
    S_NOP 2
    S_BRANCH %bb.10
  bb.12:
    successors: %bb.12, %bb.13
    SI_WATERFALL_LOOP %bb.12, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
  bb.13:
    SI_END_CF %16, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_ENDPGM 0
...
`;

const KILLS = `--- |
  define amdgpu_ps void @f() { ret void }
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $sgpr4_sgpr5
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64_xexec = COPY $sgpr4_sgpr5
    %2:sreg_64 = SI_IF %1, %bb.2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.2
    SI_DEMOTE_I1 %1, 0, implicit-def $exec, implicit-def $scc, implicit $exec
  bb.2:
    successors: %bb.3, %bb.4
    SI_END_CF %2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    %3:sreg_64 = SI_IF %1, %bb.4, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.3
  bb.3:
    successors: %bb.4
    SI_KILL_I1_TERMINATOR %1, 0, implicit-def $exec, implicit-def $scc, implicit $exec
  bb.4:
    successors: %bb.5, %bb.6
    SI_END_CF %3, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    %4:sreg_64 = SI_IF %1, %bb.6, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.5
  bb.5:
    successors: %bb.6
    S_NOP 0
  bb.6:
    SI_END_CF %4, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_ENDPGM 0
...
`;

/** Registers that the other side of a branch alone reads, more than eight; one in a PHI, one of another loop, one read behind; waterfall loops of one and two blocks. */
const RANGES = `name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $vgpr1_vgpr2, $sgpr4_sgpr5
    %0:vgpr_32 = COPY $vgpr0
    %1:vreg_64 = COPY $vgpr1_vgpr2
    %2:sreg_64 = COPY $sgpr4_sgpr5
    %10:vgpr_32 = V_ADD_U32_e32 10, %0, implicit $exec
    %11:vgpr_32 = V_ADD_U32_e32 11, %0, implicit $exec
    %12:vgpr_32 = V_ADD_U32_e32 12, %0, implicit $exec
    %13:vgpr_32 = V_ADD_U32_e32 13, %0, implicit $exec
    %14:vgpr_32 = V_ADD_U32_e32 14, %0, implicit $exec
    %15:vgpr_32 = V_ADD_U32_e32 15, %0, implicit $exec
    %16:vgpr_32 = V_ADD_U32_e32 16, %0, implicit $exec
    %17:vgpr_32 = V_ADD_U32_e32 17, %0, implicit $exec
    %18:vgpr_32 = V_ADD_U32_e32 18, %0, implicit $exec
    %19:vgpr_32 = V_ADD_U32_e32 19, %0, implicit $exec
    %20:vgpr_32 = V_ADD_U32_e32 20, %0, implicit $exec
    %21:vgpr_32 = V_ADD_U32_e32 21, %0, implicit $exec
    %3:sreg_64 = SI_IF %2, %bb.2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.6, %bb.7
    GLOBAL_STORE_DWORD %1, %12, 0, 0, implicit $exec
    S_CBRANCH_SCC1 %bb.7, implicit undef $scc
  bb.6:
    successors: %bb.7
    GLOBAL_STORE_DWORD %1, %15, 4, 0, implicit $exec
    GLOBAL_STORE_DWORD %1, %15, 8, 0, implicit $exec
  bb.7:
    successors: %bb.2
    %30:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
  bb.2:
    successors: %bb.3, %bb.4
    %31:vgpr_32 = PHI %30, %bb.7, %17, %bb.0
    %4:sreg_64 = SI_ELSE %3, %bb.4, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.3
  bb.3:
    successors: %bb.4
    GLOBAL_STORE_DWORD %1, %21, 84, 0, implicit $exec
    GLOBAL_STORE_DWORD %1, %12, 48, 0, implicit $exec
    GLOBAL_STORE_DWORD %1, %19, 76, 0, implicit $exec
    GLOBAL_STORE_DWORD %1, %10, 40, 0, implicit $exec
    GLOBAL_STORE_DWORD %1, %15, 60, 0, implicit $exec
    GLOBAL_STORE_DWORD %1, %11, 44, 0, implicit $exec
    GLOBAL_STORE_DWORD %1, %18, 72, 0, implicit $exec
    GLOBAL_STORE_DWORD %1, %14, 56, 0, implicit $exec
    GLOBAL_STORE_DWORD %1, %13, 52, 0, implicit $exec
    GLOBAL_STORE_DWORD %1, %20, 80, 0, implicit $exec
  bb.4:
    successors: %bb.5
    %32:vgpr_32 = PHI %31, %bb.2, %16, %bb.3
    SI_END_CF %4, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    GLOBAL_STORE_DWORD %1, %32, 12, 0, implicit $exec
    GLOBAL_STORE_DWORD %1, %20, 16, 0, implicit $exec
    %40:vgpr_32 = V_ADD_U32_e32 40, %0, implicit $exec
    %41:vgpr_32 = V_ADD_U32_e32 41, %0, implicit $exec
    %42:vgpr_32 = V_ADD_U32_e32 42, %0, implicit $exec
  bb.5:
    successors: %bb.5, %bb.8
    %50:sgpr_32 = V_READFIRSTLANE_B32 %40, implicit $exec
    GLOBAL_STORE_DWORD %1, %41, 0, 0, implicit $exec
    GLOBAL_STORE_DWORD %1, %41, 4, 0, implicit $exec
    SI_WATERFALL_LOOP %bb.5, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
  bb.8:
    successors: %bb.9
    %60:vgpr_32 = V_ADD_U32_e32 60, %42, implicit $exec
  bb.9:
    successors: %bb.10
    GLOBAL_STORE_DWORD %1, %60, 20, 0, implicit $exec
  bb.10:
    successors: %bb.9, %bb.11
    GLOBAL_STORE_DWORD %1, %42, 24, 0, implicit $exec
    SI_WATERFALL_LOOP %bb.9, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
  bb.11:
    S_ENDPGM 0, implicit %40
...
`;

const wave32 = (text: string): string =>
  text
    .replaceAll('sreg_64', 'sreg_32')
    .replaceAll(/S_(MOV|AND)_B64/g, 'S_$1_B32')
    .replaceAll('B32 $exec', 'B32 $exec_lo')
    .replaceAll('sgpr4_sgpr5', 'sgpr4');

const TEXTS = { BITS, SELECTED: BITS.replace('name: f', 'name: f\nselected: true') };
const LOWERED = {
  BRANCHES,
  'BRANCHES in waves of 32': wave32(BRANCHES),
  KILLS,
  'demotes elsewhere': KILLS.replace('amdgpu_ps', 'amdgpu_cs'),
};

const RUNS = [
  ['-mcpu=gfx900', '-run-pass=si-i1-copies'],
  ['-mcpu=gfx900', '-passes=si-i1-copies'],
  ['-mcpu=gfx900', '-run-pass=si-i1-copies,opt-phis', '-verify-machineinstrs'],
];
const LOWERINGS = [
  ['-run-pass=si-lower-control-flow'],
  ['-passes=si-lower-control-flow'],
  ['-run-pass=si-lower-control-flow', '-amdgpu-remove-redundant-endcf=0'],
  ['-run-pass=si-lower-control-flow', '-O0'],
  ['-run-pass=livevars,phi-node-elimination,si-lower-control-flow,twoaddressinstruction'],
  ['-run-pass=livevars,phi-node-elimination,si-lower-control-flow'],
  ['-run-pass=si-lower-control-flow,liveintervals,machine-scheduler', '-verify-machineinstrs'],
];

const RANGE_RUNS = [
  ['-run-pass=si-opt-vgpr-liverange'],
  ['-passes=si-opt-vgpr-liverange'],
  ['-run-pass=livevars,si-opt-vgpr-liverange,phi-node-elimination,si-lower-control-flow,twoaddressinstruction'],
  ['-run-pass=si-opt-vgpr-liverange', '-verify-machineinstrs'],
];

const documentOf = (text: string): string => (text.startsWith('---') ? text : `---\n${text}`);

function itRunsAsLlc(name: string, text: string, args: readonly string[]): void {
  it(`${args.join(' ')} on ${name}`, function () {
    needsLlc(this);
    const { differs, llc } = runLlcJob({ name, text: documentOf(text), args: ['-mtriple=amdgcn', ...args] });
    assert.equal(differs, null);
    assert.equal(llc.status, 0, llc.stderr);
  });
}

describe('lowering of control flow, as llc-22', () => {
  for (const [name, text] of Object.entries(TEXTS)) for (const args of RUNS) itRunsAsLlc(name, text, args);
  for (const [name, text] of Object.entries(LOWERED))
    for (const args of LOWERINGS) itRunsAsLlc(name, text, [`-mcpu=gfx${name.includes('32') ? 1100 : 900}`, ...args]);

  for (const args of RANGE_RUNS) itRunsAsLlc('RANGES', RANGES, ['-mcpu=gfx900', ...args]);

  it('refuses live intervals that are known', () => {
    const args = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=liveintervals,si-lower-control-flow', '-o', '-'];
    const { status, stderr } = runLlcOnText(args, documentOf(BRANCHES));
    assert.equal(status, 1);
    assert.match(stderr, /live intervals that are kept while control flow is lowered/);
  });
});

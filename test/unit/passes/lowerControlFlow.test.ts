/** si-i1-copies at its edges, as llc-22; what it does is in docs/llvm/lowering-control-flow.md. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';

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

const TEXTS = { BITS, SELECTED: BITS.replace('name: f', 'name: f\nselected: true') };

const RUNS = [
  ['-mcpu=gfx900', '-run-pass=si-i1-copies'],
  ['-mcpu=gfx900', '-passes=si-i1-copies'],
  ['-mcpu=gfx900', '-run-pass=si-i1-copies,opt-phis', '-verify-machineinstrs'],
];

describe('lowering of bits, as llc-22', () => {
  for (const [name, text] of Object.entries(TEXTS))
    for (const args of RUNS)
      it(`${args.join(' ')} on ${name}`, function () {
        needsLlc(this);
        const { differs, llc } = runLlcJob({ name, text: `---\n${text}`, args: ['-mtriple=amdgcn', ...args] });
        assert.equal(differs, null);
        assert.equal(llc.status, 0, llc.stderr);
      });
});

/**
 * -verify-machineinstrs after the scheduler: llc asks whether the live intervals fit that the scheduler's moves have left, and shows them. What it answers here is
 * a fault of its own scheduler; the functions are as small as they come.
 */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';

const PASS = ['-mtriple=amdgcn-amd-amdhsa', '-run-pass=machine-scheduler', '-verify-machineinstrs'];

/** A definition of lanes that nobody reads goes after the last read of the others, and nobody marks it dead. */
const DEAD_PART = `---
name: dead_part
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1
    undef %0.sub0:vreg_64 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %0.sub1:vreg_64 = V_XOR_B32_e32 %1, %1, implicit $exec
    %2:vgpr_32 = V_ADD_U32_e64 %0.sub0, %1, 0, implicit $exec
    %3:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR undef %9:sreg_64_xexec_xnull, %2, 0, 0, implicit $exec
    GLOBAL_STORE_DWORD_SADDR %2, %3, undef %9:sreg_64_xexec_xnull, 0, 0, implicit $exec
    GLOBAL_STORE_DWORD_SADDR %2, %1, undef %9:sreg_64_xexec_xnull, 8, 0, implicit $exec
    S_ENDPGM 0
...
`;

/** A PHI goes after other instructions; SCC, a call's register mask and a bundle stand in the listing. */
const LATE_PHI = `---
name: late_phi
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr0
    %9:sreg_32 = S_MOV_B32 7
    BUNDLE implicit-def %10:vgpr_32, implicit %0, implicit $exec {
      %10:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec
    }
    %11:vgpr_32 = V_MOV_B32_e32 %10, implicit $exec
    dead $sgpr30_sgpr31 = SI_CALL undef %12:sreg_64_xexec, 0, csr_amdgpu, implicit %11

  bb.1:
    %2:sreg_32 = PHI %9, %bb.0, %5, %bb.1
    %3:vgpr_32 = PHI %0, %bb.0, %4, %bb.1
    %4:vgpr_32 = V_ADD_U32_e64 %3, %0, 0, implicit $exec
    %5:sreg_32 = S_ADD_I32 %1, 3, implicit-def dead $scc
    %6:vgpr_32 = V_ADD_U32_e64 %4, %2, 0, implicit $exec
    GLOBAL_STORE_DWORD undef %7:vreg_64_align2, %6, 0, 0, implicit $exec
    S_CMP_EQ_U32 %5, %1, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit $scc

  bb.2:
    S_ENDPGM 0
...
`;

describe('live intervals after the scheduler', () => {
  const cases: readonly (readonly [name: string, text: string, ...args: string[]])[] = [
    ['a dead part, bottom up and top down', DEAD_PART, '-mcpu=gfx90a'],
    ['a dead part, max-ilp', DEAD_PART, '-mcpu=gfx900', '-misched=gcn-max-ilp'],
    ['a dead part, iterative', DEAD_PART, '-mcpu=gfx1200', '-misched=gcn-iterative-ilp'],
    ['a late PHI', LATE_PHI, '-mcpu=gfx1200'],
    ['a late PHI, pressure as LLVM tracks it', LATE_PHI, '-mcpu=gfx1200', '-amdgpu-use-amdgpu-trackers'],
  ];
  for (const [name, text, ...args] of cases)
    it(name, function () {
      needsLlc(this);
      const { ours, llc, differs } = runLlcJob({ name, text, args: [...PASS, ...args] });
      assert.match(llc.stderr, /\n# After Machine Instruction Scheduler\n\*{10} INTERVALS/);
      assert.equal(ours.stderr, llc.stderr);
      assert.equal(differs, null);
    });

  it('a schedule that keeps them whole is accepted', function () {
    needsLlc(this);
    const args = [...PASS, '-mcpu=gfx90a', '-misched-prera-direction=topdown'];
    const { llc, differs } = runLlcJob({ name: '', text: DEAD_PART, args });
    assert.equal(llc.status, 0);
    assert.equal(differs, null);
  });
});

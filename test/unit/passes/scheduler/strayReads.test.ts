/**
 * Registers that are read though they do not live there: what an early-clobber definition of the same register cuts off, and the inputs of PHIs. The downward
 * tracker of llc-22 counts them off without having them, and numbers below zero are the largest there are.
 */
import assert from 'node:assert/strict';
import { needsLlc } from '../../../support/llc.js';
import { runLlcJob } from '../../../support/llcJobs.js';
import { randomWholeQuads } from '../../../support/randomWholeQuads.js';
import { scheduleWithLlc, scheduleWithOurs } from '../../../support/schedule.js';

/** A loop whose PHI reads two registers of 32 bits, with enough others live that the count stays above zero. */
const PHI = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1, $sgpr4
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %9:sreg_32 = COPY $sgpr4
  bb.1:
    %2:sreg_32 = PHI %9, %bb.0, %7, %bb.1
    %3:vgpr_32 = V_ADD_U32_e32 %0, %1, implicit $exec
    %4:vgpr_32 = V_MUL_LO_U32_e64 %3, %1, implicit $exec
    %5:vgpr_32 = V_MUL_LO_U32_e64 %0, %3, implicit $exec
    %6:vgpr_32 = V_ADD_U32_e32 %4, %5, implicit $exec
    %7:sreg_32 = S_ADD_I32 %2, 1, implicit-def dead $scc
    S_NOP 0, implicit %6
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.2:
    S_ENDPGM 0
...
`;

/** So few live here that the count goes below zero: as a number without sign it is rounded up beyond 32 bits. */
const FEW = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1, $sgpr4
    %0:vgpr_32 = COPY $vgpr0
    %1:vreg_64 = IMPLICIT_DEF
    %9:sreg_32 = COPY $sgpr4
  bb.1:
    %2:vreg_64 = PHI %1, %bb.0, %6, %bb.1
    %3:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %4:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    %5:vgpr_32 = V_ADD_U32_e32 %3, %4, implicit $exec
    %6:vreg_64 = REG_SEQUENCE %5, %subreg.sub0, %4, %subreg.sub1
    GLOBAL_STORE_DWORDX2 %2, %6, 0, 0, implicit $exec
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.2:
    S_ENDPGM 0
...
`;

describe('reads of registers that do not live there', () => {
  it('count as in llc-22 when scheduling: an early-clobber definition of the same register', function () {
    needsLlc(this);
    const { text, args } = randomWholeQuads(20, 1, false);
    const llc = scheduleWithLlc(text, args);
    assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
    assert.equal(scheduleWithOurs(text, args).stdout, llc.stdout);
  });

  it('count as in llc-22 when scheduling: PHI', function () {
    needsLlc(this);
    for (const cpu of ['gfx900', 'gfx90a', 'gfx1030']) {
      const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`];
      const llc = scheduleWithLlc(PHI, args);
      assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
      assert.equal(scheduleWithOurs(PHI, args).stdout, llc.stdout);
    }
  });

  it('below zero, where a granule of 24 registers leaves a remainder', function () {
    needsLlc(this);
    for (const cpu of ['gfx1100', 'gfx1200']) {
      const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`];
      const llc = scheduleWithLlc(FEW, args);
      assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
      assert.equal(scheduleWithOurs(FEW, args).stdout, llc.stdout);
    }
  });

  it('are none where a register of a bank has no lanes', function () {
    needsLlc(this);
    const text = `---
name: f
legalized: true
regBankSelected: true
body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr(s32) = COPY $vgpr0
    %1:vgpr(s32) = G_ADD %0, %0
    S_ENDPGM 0, implicit %1(s32)
...
`;
    const args = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=amdgpu-print-rp', '-amdgpu-print-rp-downward'];
    const { ours, llc } = runLlcJob({ name: '', text, args });
    assert.match(llc.stderr, /Live-out/);
    assert.deepEqual(ours, llc);
  });
});

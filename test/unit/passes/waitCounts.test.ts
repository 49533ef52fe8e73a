/** si-insert-waitcnts beside llc-22, where halves of registers meet; docs/llvm/waits.md. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';

/** A load of one half, then the other half is written, loaded, read. */
const HALVES = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2, $vgpr3
    $vgpr8_hi16 = GLOBAL_LOAD_UBYTE_D16_t16 $vgpr0_vgpr1, 16, 0, implicit $exec :: (load (s8), addrspace 1)
    $vgpr8_lo16 = V_MOV_B16_t16_e32 $vgpr2_lo16, implicit $exec
    $vgpr9_hi16 = GLOBAL_LOAD_UBYTE_D16_t16 $vgpr0_vgpr1, 16, 0, implicit $exec :: (load (s8), addrspace 1)
    $vgpr9_lo16 = GLOBAL_LOAD_UBYTE_D16_t16 $vgpr0_vgpr1, 17, 0, implicit $exec :: (load (s8), addrspace 1)
    GLOBAL_STORE_SHORT_t16 $vgpr0_vgpr1, $vgpr9_lo16, 0, 0, implicit $exec :: (store (s16), addrspace 1)
    GLOBAL_STORE_SHORT_t16 $vgpr0_vgpr1, $vgpr9_hi16, 0, 0, implicit $exec :: (store (s16), addrspace 1)
    $vgpr3_hi16 = GLOBAL_LOAD_UBYTE_D16_t16 $vgpr0_vgpr1, 18, 0, implicit $exec :: (load (s8), addrspace 1)
    $vgpr2_lo16 = V_MOV_B16_t16_e32 $vgpr3_lo16, implicit $exec
    S_ENDPGM 0, implicit $vgpr8, implicit $vgpr2
...
`;

describe('wait counts, as llc-22', () => {
  for (const cpu of ['gfx1100', 'gfx1102', 'gfx1150', 'gfx1200', 'gfx1250'])
    it(`of halves of registers, ${cpu}`, function () {
      needsLlc(this);
      const args = ['-mtriple=amdgcn', `-mcpu=${cpu}`, '-mattr=+real-true16', '-run-pass=si-insert-waitcnts'];
      const { llc, differs } = runLlcJob({ name: cpu, text: HALVES, args });
      assert.equal(differs, null);
      assert.ok((llc.stdout.match(/S_WAIT/g)?.length ?? 0) > 3);
    });
});

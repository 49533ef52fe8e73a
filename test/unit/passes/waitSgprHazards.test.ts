/** amdgpu-wait-sgpr-hazards where a function begins: its calling convention decides, not what the file says of its entry. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';

const text = (convention: string, isEntry: boolean): string => `--- |
  define ${convention} void @f() { ret void }
...
---
name: f
tracksRegLiveness: true
machineFunctionInfo: { isEntryFunction: ${isEntry} }
body: |
  bb.0:
    liveins: $vgpr1
    $sgpr2 = S_MOV_B32 0
  bb.1:
    liveins: $sgpr2, $vgpr1
    $vgpr1 = V_ADD_F32_e32 $vgpr1, $vgpr1, implicit $mode, implicit $exec
    $sgpr2 = S_ADD_I32 killed $sgpr2, 1, implicit-def dead $scc
    S_CMP_LT_I32 $sgpr2, 100, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit killed $scc
  bb.2:
    S_ENDPGM 0
...
`;

describe('amdgpu-wait-sgpr-hazards where a function begins, as llc-22', () => {
  for (const convention of ['', 'amdgpu_kernel', 'amdgpu_gfx', 'amdgpu_cs', 'amdgpu_cs_chain'])
    for (const isEntry of [true, false])
      it(`${convention || 'a plain function'}, isEntryFunction: ${isEntry}`, function () {
        needsLlc(this);
        const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx1200', '-run-pass=amdgpu-wait-sgpr-hazards'];
        const { differs, llc } = runLlcJob({ name: convention, text: text(convention, isEntry), args });
        assert.equal(llc.status, 0, llc.stderr.slice(0, 300));
        assert.equal(differs, null);
      });
});

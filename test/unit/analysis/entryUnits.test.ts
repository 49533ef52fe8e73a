/** Numbers of a function whose copies are from registers that are live into it, against llc-22's assembly. */
import assert from 'node:assert/strict';
import { allocatedUse } from '../../../server/src/analysis/allocatedUse.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';

const TRIPLE = 'amdgcn-amd-amdhsa';

const textOf = (liveIn: string): string => `--- |
  define amdgpu_kernel void @f() { ret void }
...
---
name: f
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    liveins: ${liveIn}
    renamable $vgpr9 = V_MOV_B32_e32 1, implicit $exec
    renamable $vgpr2 = COPY killed renamable $vgpr9
    S_ENDPGM 0, implicit killed $vgpr2
...
`;

describe('copies from registers that are live into the function', () => {
  for (const [liveIn, wanted] of [
    ['$vgpr0', 3],
    ['$vgpr9', 10],
    ['$vgpr8_vgpr9', 10],
  ] as const)
    it(`${liveIn}: ${wanted} VGPRs`, function () {
      const text = textOf(liveIn);
      for (const cpu of ['gfx900', 'gfx1030', 'gfx1200']) {
        const own = allocatedUse(lowerMir(text, { triple: TRIPLE, cpu, features: '' })[0]!);
        assert.equal(own.framedVGPR, wanted, cpu);
      }
      needsLlc(this);
      const args = ['-x', 'mir', `-mtriple=${TRIPLE}`, '-mcpu=gfx900', '-start-after=virtregrewriter,2', '-o', '-'];
      assert.match(runLlc(args, text).stdout, new RegExp(`\\.set f\\.num_vgpr, ${wanted}$`, 'm'));
    });
});

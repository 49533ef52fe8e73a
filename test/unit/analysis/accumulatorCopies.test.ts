/** Copies between AGPRs of gfx908 that need a VGPR on the way, against llc-22's assembly. */
import assert from 'node:assert/strict';
import { needsVGPRForAGPRs } from '../../../server/src/analysis/frame/accumulatorCopies.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';

const TARGET = { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx908', features: '' };

/** What stands between the write of an AGPR and its copy, and whether the copy then needs a VGPR. */
const BETWEEN: readonly (readonly [string, boolean])[] = [
  ['S_NOP 0', false],
  ['$vgpr1 = V_MOV_B32_e32 0, implicit $exec', true],
  ['S_NOP 0, CustomRegMask($vgpr1,$agpr0)', false],
  ['S_NOP 0, CustomRegMask($vgpr1)', true],
  ['S_NOP 0, CustomRegMask($agpr0)', true],
  ['S_NOP 0, csr_amdgpu', true],
  ['S_NOP 0, csr_amdgpu_noregs', true],
  // Of a call the mask alone counts, too.
  ['$sgpr30_sgpr31 = SI_CALL killed $sgpr4_sgpr5, 0, CustomRegMask($vgpr1,$agpr0)', false],
  ['$sgpr30_sgpr31 = SI_CALL killed $sgpr4_sgpr5, 0, csr_amdgpu_gfx90ainsts', true],
];

const textOf = (between: string): string => `--- |
  define void @f() #0 { ret void }
  attributes #0 = { nounwind }
...
---
name: f
frameInfo:
  maxAlignment: 4
machineFunctionInfo:
  isEntryFunction: false
  stackPtrOffsetReg: '$sgpr32'
  frameOffsetReg: '$sgpr33'
  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'
body: |
  bb.0:
    $agpr0 = V_ACCVGPR_WRITE_B32_e64 $vgpr1, implicit $exec
    ${between}
    $agpr3 = COPY $agpr0
    SI_RETURN implicit $agpr3
...
`;

describe('copies between AGPRs', () => {
  for (const [between, isNeeded] of BETWEEN) {
    it(`after ${between}`, () => {
      const [fn] = lowerMir(textOf(between), TARGET);
      assert.equal(
        needsVGPRForAGPRs(fn!, () => []),
        isNeeded,
      );
    });

    it(`as llc-22 copies after ${between}`, function () {
      needsLlc(this);
      const args = ['-x', 'mir', `-mtriple=${TARGET.triple}`, `-mcpu=${TARGET.cpu}`];
      const { status, stdout } = runLlc([...args, '-start-after=virtregrewriter,2', '-o', '-'], textOf(between));
      assert.equal(status, 0);
      // $agpr3 is written from the VGPR that is kept, into which $agpr0 was read
      assert.equal(/v_accvgpr_read_b32 (v\d+), a0\n(?:.*\n)*?\s+v_accvgpr_write_b32 a3, \1\n/.test(stdout), isNeeded);
    });
  }
});

/** mir-namer and mir-canonicalizer, as llc-22; what they do is in docs/llvm/small-passes.md, 13 and 14. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { runLlcOnText } from '../../support/schedule.js';

const BUNDLE = `    %22:vgpr_32 = BUNDLE implicit %14, implicit %15, implicit $exec {
      %22:vgpr_32 = V_ADD_U32_e32 %14, %15, implicit $exec
    }
`;

/** Operands of all kinds that a hash knows, memory with scopes, copies, definitions of two registers, one register defined twice. */
const KINDS = `--- |
  define void @f(ptr addrspace(1) %p) {
    fence syncscope("wavefront") acquire
    ret void
  }
...
---
name: f
tracksRegLiveness: true
fixedStack:
  - { id: 0, type: default, offset: 16, size: 4, alignment: 16, isImmutable: true }
  - { id: 1, type: default, offset: 0, size: 4, alignment: 16, isImmutable: true }
  - { id: 2, type: default, offset: 32, size: 4, alignment: 16, isImmutable: true }
stack:
  - { id: 0, type: default, offset: 0, size: 4, alignment: 16 }
constants:
  - { id: 0, value: 'i32 7', alignment: 4 }
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0_vgpr1
    %0:sreg_32 = S_MOV_B32 %fixed-stack.0
    %1:sreg_32 = S_MOV_B32 %fixed-stack.1
    %8:sreg_32 = S_MOV_B32 %fixed-stack.2
    %2:sreg_32 = S_MOV_B32 %stack.0
    %3:vreg_64 = COPY $vgpr0_vgpr1
    %4:vgpr_32 = FLAT_LOAD_DWORD %3, 0, 0, implicit $exec, implicit $flat_scr :: (load syncscope("agent") seq_cst (s32) from %ir.p)
    %5:vgpr_32 = FLAT_LOAD_DWORD %3, 0, 0, implicit $exec, implicit $flat_scr :: (volatile load syncscope("wavefront") monotonic (s32) from %ir.p + 4, addrspace 1)
    %7:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) @f + 4, target-flags(amdgpu-rel32-hi) @f + 12, implicit-def dead $scc
    %9:sreg_32 = S_MOV_B32 %const.0
    %10:vgpr_32 = nofpexcept nsz V_ADD_F32_e64 0, %4, 0, %5, 0, 0, implicit $mode, implicit $exec
    %11:vgpr_32 = COPY %10
    %12:vgpr_32, %13:sreg_64 = V_ADD_CO_U32_e64 %11, %5, 0, implicit $exec
    %20:vgpr_32, %21:sreg_64 = V_ADD_CO_U32_e64 %11, %5, 0, implicit $exec
    %15:vgpr_32 = V_MOV_B32_e32 17, implicit $exec
    %14:vgpr_32 = V_MOV_B32_e32 3, implicit $exec
    %16:vgpr_32 = V_MOV_B32_e32 3, implicit $exec
    S_NOP 0, implicit %0, implicit %1, implicit %2, implicit %12, implicit killed %13, implicit %16, implicit %20
  bb.1:
    %17:vgpr_32 = IMPLICIT_DEF
    %17:vgpr_32 = V_ADD_U32_e32 %17, %14, implicit $exec
    S_CMP_EQ_U32 %0, %1, implicit-def $scc
    S_ENDPGM 0
...
`;

const WITH_BUNDLE = KINDS.replace('    S_NOP', `${BUNDLE}    S_NOP`).replace(
  'implicit %16',
  'implicit %16, implicit %22',
);

/** Many instructions of one text, more than std::sort leaves in their order. */
const ALIKE = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
${Array.from({ length: 40 }, (_, k) => `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k % 3}, implicit $exec\n`).join('')}${Array.from(
  { length: 39 },
  (_, k) => `    %${k + 40}:vgpr_32 = V_ADD_U32_e32 %${k}, %${k + 1}, implicit $exec\n`,
).join('')}    S_NOP 0, ${Array.from({ length: 39 }, (_, k) => `implicit %${k + 40}`).join(', ')}
    INLINEASM &"", 16 /* maystore attdialect */, 1245194 /* regdef:VGPR_32 */, def %80:vgpr_32
    INLINEASM &"", 1 /* sideeffect attdialect */, 1245194 /* regdef:VGPR_32 */, def %81:vgpr_32
    S_ENDPGM 0, implicit %80, implicit %81
...
`;

const ARGS = ['-mtriple=amdgcn', '-mcpu=gfx900'];

describe('names of virtual registers, as llc-22', () => {
  for (const [name, text] of Object.entries({ KINDS, ALIKE, WITH_BUNDLE }))
    for (const pass of ['mir-namer', 'mir-canonicalizer'])
      for (const more of [[], ['-verify-machineinstrs']]) {
        if (pass === 'mir-canonicalizer' && name === 'WITH_BUNDLE') continue;
        it(`${[pass, ...more].join(' ')} on ${name}`, function () {
          needsLlc(this);
          const { differs } = runLlcJob({ name, text, args: [...ARGS, `-run-pass=${pass}`, ...more] });
          assert.equal(differs, null);
        });
      }
  it('refuses by name what names would be others of', () => {
    const said = (text: string, ...args: string[]): string => runLlcOnText([...ARGS, ...args, '-o', '-'], text).stderr;
    const namer = '-run-pass=mir-namer';
    assert.match(
      said(ALIKE, namer, '-mir-vreg-namer-use-stable-hash'),
      /does not model names by '-mir-vreg-namer-use-stable-hash'/,
    );
    assert.match(said(ALIKE, namer, '--model=llvm-24'), /does not model names by the hashes of this release/);
    assert.match(said(WITH_BUNDLE, '-run-pass=mir-canonicalizer'), /does not model bundles put in order/);
    assert.match(said(ALIKE, '-run-pass=mir-canonicalizer', '-canon-nth-function=1'), /does not model one function of/);
    const undefinedRead = ALIKE.replace('%80, implicit %81', '%80, implicit undef %99:vgpr_32').replace(
      'S_NOP 0,',
      'dead %98:vgpr_32 = COPY undef %99\n    S_NOP 0,',
    );
    assert.match(said(undefinedRead, namer), /does not model a register without a definition/);
  });
});

/** Rare cases of passes that random programs have met (test/bench/passRuns.ts), as llc-22. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';

interface Edge {
  readonly pass: string;
  readonly cpu: string;
  readonly what: string;
  readonly features?: string;
  /** of the function in IR */
  readonly attributes?: string;
  /** instructions of the only block, or the whole function from `body:` on */
  readonly code: string;
  /** what llc prints with the case in question */
  readonly shows: RegExp;
}

const DPP = (add: string): string => `
    liveins: $vgpr0, $vgpr1, $sgpr4
    %1:vgpr_32 = COPY $vgpr0
    %2:vgpr_32 = COPY $vgpr1
    %6:sreg_32 = COPY $sgpr4
    %5:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    %3:vgpr_32 = V_MOV_B32_dpp %5, %1, 273, 15, 15, 0, implicit $exec
    %4:vgpr_32 = ${add}
    $vgpr0 = COPY %4
    SI_RETURN implicit $vgpr0`;

const INDEXED = `
    liveins: $vgpr0_vgpr1_vgpr2_vgpr3, $sgpr4, $sgpr5
    renamable $vgpr4 = V_INDIRECT_REG_READ_GPR_IDX_B32_V4 $vgpr0_vgpr1_vgpr2_vgpr3, killed $sgpr4, 1, implicit-def $m0, implicit $m0, implicit $exec
    renamable $vgpr0_vgpr1_vgpr2_vgpr3 = V_INDIRECT_REG_WRITE_GPR_IDX_B32_V4 renamable $vgpr0_vgpr1_vgpr2_vgpr3, $vgpr4, killed $sgpr5, 1, implicit-def $m0, implicit $m0, implicit $exec
    SI_RETURN implicit $vgpr0`;

const RELOADED = `stack:
  - { id: 0, type: spill-slot, size: 2, alignment: 2 }
machineFunctionInfo:
  stackPtrOffsetReg: '$sgpr32'
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1
    $vgpr1_hi16 = SI_SPILL_V16_RESTORE %stack.0, $sgpr32, 0, implicit $exec :: (load (s16) from %stack.0, addrspace 5)
    $vgpr4_lo16 = SI_SPILL_V16_RESTORE %stack.0, $sgpr32, 20000000, implicit $exec :: (load (s16) from %stack.0, addrspace 5)
    SI_RETURN implicit $vgpr0, implicit $vgpr1, implicit $vgpr4`;

const OF_BOTH_FILES = `body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $vgpr1
    %0:vgpr_32 = COPY $vgpr0
    %1:av_32 = COPY $vgpr1
    %2:vgpr_32 = COPY $vgpr1
    %3:sreg_64 = V_CMP_EQ_U32_e64 0, %0, implicit $exec
    %4:sreg_64 = SI_IF killed %3, %bb.2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.2
    S_NOP 0
  bb.2:
    successors: %bb.3, %bb.4
    %5:sreg_64 = SI_ELSE killed %4, %bb.4, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.3
  bb.3:
    successors: %bb.4
    S_NOP 0, implicit killed %1, implicit killed %2
  bb.4:
    SI_END_CF killed %5, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_ENDPGM 0`;

const LOOP = (between: string): string => `body: |
  bb.0:
    liveins: $sgpr4_sgpr5
    %0:sreg_64 = COPY $sgpr4_sgpr5
  bb.1:
    %1:sreg_64_xexec = S_LOAD_DWORDX2_IMM %0, 0, 0 :: ("amdgpu-noclobber" load (s64), addrspace 1)
    ${between}
    S_CMP_LG_U64 %1, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit killed $scc
  bb.2:
    S_ENDPGM 0`;

const EDGES: readonly Edge[] = [
  {
    pass: 'gcn-dpp-combine',
    what: 'a constant as the second source where no scalar register may be one',
    cpu: 'gfx1100',
    code: DPP('V_LSHL_ADD_U32_e64 %3, 1, %2, implicit $exec'),
    shows: /V_LSHL_ADD_U32_e64_dpp/,
  },
  {
    pass: 'gcn-dpp-combine',
    what: 'a scalar register there',
    cpu: 'gfx1100',
    code: DPP('V_LSHL_ADD_U32_e64 %3, %6, %2, implicit $exec'),
    shows: /V_LSHL_ADD_U32_e64_dpp/,
  },
  {
    pass: 'gcn-dpp-combine',
    what: 'a literal there',
    cpu: 'gfx1100',
    code: DPP('V_LSHL_ADD_U32_e64 %3, 100, %2, implicit $exec'),
    shows: /V_MOV_B32_dpp/,
  },
  {
    pass: 'postrapseudos',
    what: 'the index of a write ends where the mode begins, that of a read does not',
    cpu: 'gfx900',
    code: INDEXED,
    shows: /S_SET_GPR_IDX_ON \$sgpr4[^]*S_SET_GPR_IDX_ON killed \$sgpr5/,
  },
  ...['+real-true16', '+real-true16,-sramecc'].map((features) => ({
    pass: 'prologepilog',
    what: `a reload of 16 bits with ${features}`,
    cpu: 'gfx1250',
    features,
    code: RELOADED,
    shows: features.includes('sramecc') ? /SHORT_D16_SADDR_t16/ : /SCRATCH_LOAD_USHORT_SADDR[^]*V_MOV_B16_t16_e64/,
  })),
  {
    pass: 'si-opt-vgpr-liverange',
    what: 'a register of a class of both VGPRs and AGPRs',
    cpu: 'gfx90a',
    code: OF_BOTH_FILES,
    shows: /implicit killed %1, implicit killed %(?!2\b)/,
  },
  ...['SCHED_BARRIER 6', 'S_NOP 0', 'INLINEASM &"", 1', 'INLINEASM &"", 8'].map((between) => ({
    pass: 'early-machinelicm',
    what: `a load in a loop with ${between}`,
    cpu: 'gfx900',
    code: LOOP(between),
    shows: /bb\.1:[^]*S_LOAD_DWORDX2_IMM/,
  })),
  {
    pass: 'amdgpu-prepare-agpr-alloc',
    what: 'a function that is not optimized keeps its constants',
    cpu: 'gfx942',
    attributes: 'noinline optnone',
    code: `
    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0`,
    shows: /%0:vgpr_32 = V_MOV_B32_e32 1/,
  },
];

describe('rare cases of passes, as llc-22', () => {
  for (const { pass, what, cpu, features = '', attributes = '', code, shows } of EDGES)
    it(`${pass}: ${what}`, function () {
      needsLlc(this);
      const body = code.includes('body: |') ? code : `body: |\n  bb.0:${code}`;
      const text = `--- |\n  define void @f() ${attributes} { ret void }\n...\n---\nname: f\ntracksRegLiveness: true\n${body}\n...\n`;
      const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, `-mattr=${features}`, `-run-pass=${pass}`];
      const { ours, llc, differs } = runLlcJob({ name: what, text, args });
      assert.match(llc.stdout, shows);
      assert.deepEqual([differs, ours.stderr, ours.stdout], [null, llc.stderr, llc.stdout]);
    });
});

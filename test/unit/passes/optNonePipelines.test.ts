/**
 * `-passes` on functions that are `optnone`: the new pass manager leaves out what is not required. Two functions with the same body, of which one is
 * `optnone`, through each pass that a pipeline may name, as llc-22.
 */
import assert from 'node:assert/strict';
import { pipelinePasses } from '../../../server/src/passes/passes.js';
import { QUIET_PASSES } from '../../../server/src/passes/quietPasses/quietPasses.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';

/** Something to do for most passes before allocation. */
const VIRTUAL = `tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0_vgpr1, $sgpr0_sgpr1, $sgpr2
    %0:vreg_64 = COPY $vgpr0_vgpr1
    %1:sgpr_64 = COPY $sgpr0_sgpr1
    %2:sreg_32_xm0 = COPY $sgpr2
    dead %3:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    undef %4.sub0:sreg_64 = S_MOV_B32 7
    %4.sub1:sreg_64 = S_MOV_B32 9
    %5:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    %6:vgpr_32 = V_ADD_U32_e32 %5, %5, implicit $exec
    %7:vgpr_32 = GLOBAL_LOAD_DWORD %0, 4, 0, implicit $exec :: (load (s32), addrspace 1)
    %8:vgpr_32 = WQM %7, implicit $exec
    early-clobber %9:vgpr_32 = STRICT_WWM %6, implicit $exec
    %10:vgpr_32 = COPY %2
    %11:sreg_64_xexec = COPY $exec
    $exec = S_AND_B64 %11, %4, implicit-def dead $scc
    %12:vgpr_32 = V_ADD_U32_e32 %8, %9, implicit $exec
    BUFFER_STORE_DWORD_OFFSET_exact %12, undef %13:sgpr_128, 0, 0, 0, 0, implicit $exec
    S_BRANCH %bb.1
  bb.1:
    $exec = S_OR_B64 $exec, %11, implicit-def dead $scc
    GLOBAL_STORE_DWORD %0, %12, 8, 0, implicit $exec :: (store (s32), addrspace 1)
    GLOBAL_STORE_DWORD %0, %10, 12, 0, implicit $exec :: (store (s32), addrspace 1)
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0
...
`;

/** A copy that cannot stay: what is read in a lane is written to a scalar register. */
const COPIES = `body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32_xm0 = COPY %0
    %2:sreg_32_xm0 = S_ADD_I32 %1, 3, implicit-def dead $scc
    %3:vgpr_32 = COPY %2
    S_ENDPGM 0, implicit %3
...
`;

/** What follows the allocation of SGPRs. */
const SPILLED = `tracksRegLiveness: true
stack:
  - { id: 0, type: spill-slot, size: 4, alignment: 4, stack-id: sgpr-spill }
  - { id: 1, type: spill-slot, size: 4, alignment: 4 }
  - { id: 2, type: spill-slot, size: 4, alignment: 4 }
machineFunctionInfo:
  scratchRSrcReg: $sgpr96_sgpr97_sgpr98_sgpr99
  stackPtrOffsetReg: $sgpr32
  sgprForEXECCopy: '$sgpr100_sgpr101'
  hasSpilledSGPRs: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr4
    renamable $vgpr1 = V_MOV_B32_e32 1, implicit $exec
    SI_SPILL_V32_SAVE killed renamable $vgpr1, %stack.1, $sgpr32, 0, implicit $exec :: (store (s32) into %stack.1, addrspace 5)
    renamable $vgpr1 = SI_SPILL_V32_RESTORE %stack.1, $sgpr32, 0, implicit $exec :: (load (s32) from %stack.1, addrspace 5)
    SI_SPILL_V32_SAVE killed renamable $vgpr1, %stack.2, $sgpr32, 0, implicit $exec :: (store (s32) into %stack.2, addrspace 5)
    renamable $vgpr2 = SI_SPILL_V32_RESTORE %stack.2, $sgpr32, 0, implicit $exec :: (load (s32) from %stack.2, addrspace 5)
    SI_SPILL_S32_SAVE killed renamable $sgpr4, %stack.0, implicit $exec, implicit $sgpr32 :: (store (s32) into %stack.0, addrspace 5)
    renamable $sgpr5 = SI_SPILL_S32_RESTORE %stack.0, implicit $exec, implicit $sgpr32 :: (load (s32) from %stack.0, addrspace 5)
    S_ENDPGM 0, implicit killed renamable $sgpr5, implicit killed renamable $vgpr2
...
`;

/** Whole-wave registers on the way. */
const WHOLE_WAVE = `tracksRegLiveness: true
registers:
  - { id: 2, class: vgpr_32, flags: [ WWM_REG ] }
machineFunctionInfo:
  sgprForEXECCopy: '$sgpr100_sgpr101'
body: |
  bb.0:
    liveins: $vgpr0, $sgpr4
    %0:vgpr_32 = COPY $vgpr0
    %9:vgpr_32 = IMPLICIT_DEF
    renamable $vgpr3 = SI_SPILL_S32_TO_VGPR $sgpr4, 0, renamable $vgpr3
    renamable $sgpr6_sgpr7 = ENTER_STRICT_WWM -1, implicit-def $exec, implicit-def $scc, implicit $exec
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    $exec = EXIT_STRICT_WWM killed renamable $sgpr6_sgpr7
    %2 = WWM_COPY %0
    S_ENDPGM 0, implicit %1, implicit %2
...
`;

/** A PHI that nobody reads, a part that nobody does, a bit of each lane. */
const DEAD = `tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $vgpr1
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %1, %subreg.sub1
    %4:vreg_1 = IMPLICIT_DEF
  bb.1:
    successors: %bb.1, %bb.2
    %3:vgpr_32 = PHI %0, %bb.0, %3, %bb.1
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.2:
    %5:sreg_64 = COPY %4
    SI_END_CF %5, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_ENDPGM 0, implicit %2.sub0, implicit %5
...
`;

/** Copies after allocation, a lane that is chosen too early, two loads, a mask for EXEC. */
const ALLOCATED = `tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr2_sgpr3
    renamable $vgpr1 = COPY killed renamable $vgpr0
    renamable $vgpr2 = COPY killed renamable $vgpr1
    $sgpr4 = V_READFIRSTLANE_B32 $vgpr2, implicit $exec
    $sgpr5 = V_READLANE_B32 $vgpr2, $sgpr4
    $sgpr6 = S_LOAD_DWORD_IMM $sgpr2_sgpr3, 0, 0 :: (load (s32), addrspace 4)
    $sgpr7 = S_LOAD_DWORD_IMM $sgpr2_sgpr3, 4, 0 :: (load (s32), addrspace 4)
    $sgpr8_sgpr9 = COPY $exec
    $sgpr10_sgpr11 = S_AND_B64 killed $sgpr2_sgpr3, $sgpr8_sgpr9, implicit-def $scc
    $exec = S_MOV_B64 killed $sgpr10_sgpr11
    S_ENDPGM 0, implicit killed renamable $vgpr2
...
`;

/** The same twice, what a copy leads to, and a comparison with 0. */
const TWICE = `body: |
  bb.0:
    liveins: $vgpr0, $sgpr2
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr2
    %2:sreg_32 = COPY %1
    %3:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    %4:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    %5:sreg_32 = COPY %1
    S_ENDPGM 0, implicit %2, implicit %3, implicit %4, implicit %5
...
`;

const twins = (body: string): string => `--- |
  define amdgpu_ps void @opt() noinline optnone { ret void }
  define amdgpu_ps void @f() { ret void }
...
---
name: opt
${body}---
name: f
${body}`;

/** Passes that run on every function. */
const REQUIRED =
  /^(?:greedy|localstackalloc|virt-reg-rewriter|amdgpu-reserve-wwm-regs|amdgpu-preload-kern-arg-prolog|post-RA-hazard-rec|prolog-epilog|si-insert-waitcnts|si-late-branch-lowering|si-memory-legalizer|si-pre-emit-peephole|branch-relaxation|detect-dead-lanes|phi-node-elimination|finalize-isel|print|regallocfast)/;
/** Passes that have an effect after an allocation alone, or none on these functions. */
const WITHOUT_EFFECT =
  /^(?:amdgpu-|virt-reg|print|stack-slot-coloring|si-lower-wwm-copies|si-insert-hard-clauses|tailduplication|si-load-store-opt|si-mode-register|si-pre-emit-peephole|branch-relaxation|stack-coloring|si-peephole-sdwa|gcn-dpp-combine|gcn-create-vopd|early-machinelicm|machinelicm|machine-latecleanup|remove-redundant-debug-values|live-debug-values|machine-sink|postra-machine-sink)/;
const QUIET: ReadonlySet<string | null> = new Set(QUIET_PASSES.map(({ pipelineName }) => pipelineName));

/** What llc-22 makes of virtual registers there is no rule of. */
const ALLOCATED_ONLY =
  /^(?:machine-latecleanup|postra-machine-sink|post-RA-sched|postmisched|si-insert-waitcnts|prolog-epilog)$/;

const NAMES = [
  // llc ends at this one, which wants a summary of the profile (blockPlacement.test.ts).
  ...pipelinePasses().filter((name) => name !== 'block-placement'),
  ...['greedy<sgpr>', 'greedy<wwm>', 'greedy<vgpr>', 'virt-reg-rewriter<no-clear-vregs>'],
];
const BODIES = { VIRTUAL, COPIES, SPILLED, WHOLE_WAVE, DEAD, ALLOCATED, TWICE };

const PIPELINES = [
  'machine-scheduler,si-wqm,greedy',
  'greedy<sgpr>,virt-reg-rewriter<no-clear-vregs>,stack-slot-coloring,si-lower-sgpr-spills,si-pre-allocate-wwm-regs,' +
    'greedy<wwm>,si-lower-wwm-copies,virt-reg-rewriter<no-clear-vregs>,amdgpu-reserve-wwm-regs,' +
    'greedy<vgpr>,amdgpu-nsa-reassign,amdgpu-rewrite-agpr-copy-mfma,virt-reg-rewriter',
  'dead-mi-elimination,si-form-memory-clauses,unreachable-mbb-elimination',
];

const TARGET = ['-mtriple=amdgcn', '-mcpu=gfx900', '-mattr=+xnack'];

/** The documents of `opt` and of `f`, under one name. */
function documents(module: string): [opt: string, f: string] {
  const [, , opt = '', f = ''] = module.split(/^---/m).map((d) => d.replace(/^name: .*$/m, ''));
  return [opt, f];
}

function compare(passes: string, body: string): { readonly opt: string; readonly f: string } | null {
  const args = [...TARGET, `-passes=${passes}`, '-o', '-'];
  const run = runLlc(['-x', 'mir', ...args], twins(body));
  if (run.status === null || run.status > 1) return null;
  const ours = runLlcOnText(args, twins(body));
  assert.equal(ours.stdout, run.stdout, ours.stderr);
  assert.equal(ours.stderr, run.stderr);
  assert.equal(ours.status, run.status);
  // A pass that ends llc leaves no text.
  if (run.stdout === '') return null;
  const [opt, f] = documents(run.stdout);
  return { opt, f };
}

describe('-passes on optnone functions', function () {
  this.timeout(0);

  for (const name of NAMES) {
    it(`runs ${name} as llc does`, function () {
      needsLlc(this);
      let nCompared = 0;
      let hasEffect = false;
      for (const body of ALLOCATED_ONLY.test(name) ? [ALLOCATED] : Object.values(BODIES)) {
        const made = compare(name, body);
        if (made === null) continue;
        nCompared++;
        const none = runLlc(['-x', 'mir', ...TARGET, '-run-pass=none', '-o', '-'], twins(body)).stdout;
        const [opt, f] = documents(none);
        if (!REQUIRED.test(name)) assert.equal(made.opt, opt);
        hasEffect ||= made.f !== f;
      }
      assert.ok(nCompared > 0, 'llc-22 runs none');
      if (!WITHOUT_EFFECT.test(name) && !QUIET.has(name)) assert.ok(hasEffect, 'the other function is left alone, too');
    });
  }

  for (const passes of PIPELINES) {
    it(`runs ${passes} as llc does`, function () {
      needsLlc(this);
      assert.ok(compare(passes, VIRTUAL) !== null);
    });
  }
});

/** finalize-isel on each pseudo instruction that it expands, as llc-22; what it does is in docs/llvm/selected-code.md. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { runLlcOnText } from '../../support/schedule.js';

const HEAD = `--- |
  define amdgpu_CC void @f() ATTRIBUTES { ret void }
...
---
name: f
tracksRegLiveness: true
frameInfo:
  hasCalls: CALLS
machineFunctionInfo:
  isEntryFunction: ENTRY
  scratchRSrcReg: '$private_rsrc_reg'
  frameOffsetReg: '$fp_reg'
  stackPtrOffsetReg: '$sp_reg'
  argumentInfo:
    privateSegmentBuffer: { reg: '$sgpr0_sgpr1_sgpr2_sgpr3' }
`;

const PSEUDOS = `body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0_vgpr1, $sgpr4_sgpr5, $sgpr6, $vgpr2
    %0:vreg_64ALIGN = COPY $vgpr0_vgpr1
    %1:sreg_64 = COPY $sgpr4_sgpr5
    %2:sreg_32 = COPY $sgpr6
    %3:vgpr_32 = COPY $vgpr2
    %4:sgpr_128 = COPY $private_rsrc_reg
    %5:sreg_64 = S_ADD_U64_PSEUDO %1, 4294967301, implicit-def dead $scc
    %6:sreg_64 = nuw S_SUB_U64_PSEUDO killed %5, %1, implicit-def dead $scc
    %7:vreg_64ALIGN = V_ADD_U64_PSEUDO %0, %1, implicit-def dead $vcc, implicit $exec
    %8:vreg_64ALIGN = V_SUB_U64_PSEUDO 5, killed %7, implicit-def dead $vcc, implicit $exec
    %9:sreg_32, %10:LANES = S_UADDO_PSEUDO %2, 7, implicit-def dead $scc
    %11:sreg_32, %12:LANES = S_USUBO_PSEUDO %2, %9, implicit-def dead $scc
    %18:sreg_64_xexec = IMPLICIT_DEF
    %13:vreg_64ALIGN = V_CNDMASK_B64_PSEUDO %8, %0, %18, implicit $exec
    $m0 = S_MOV_B32 0
    SI_INIT_M0 %2, implicit-def $m0
    SI_INIT_M0 -1, implicit-def $m0
    %14:sreg_32 = S_MOV_B32 240
    S_SETREG_B32 %14, 2305, implicit-def $mode, implicit $mode
    S_SETREG_B32 %2, 6145, implicit-def $mode, implicit $mode
    %15:sreg_32 = S_MOV_B32 255
    S_SETREG_B32 %15, 14337, implicit-def $mode, implicit $mode
    ADJCALLSTACKUP 0, 0, implicit-def dead $scc
    SI_CALL_ISEL %6, 0, csr_amdgpu, implicit $vgpr0
    ADJCALLSTACKDOWN 0, 0, implicit-def dead $scc
    %16:sreg_32 = GET_GROUPSTATICSIZE
    %17:vreg_96 = IMPLICIT_DEF
    SI_BR_UNDEF %bb.2
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.2
    SI_KILL_I1_PSEUDO %12, 0, implicit-def $exec, implicit-def $scc, implicit $exec
    S_NOP 0
    SI_KILL_F32_COND_IMM_PSEUDO %3, 0, 3, implicit-def $exec, implicit-def $scc, implicit-def $vcc, implicit $exec
    S_NOP 1
  bb.2:
    S_ENDPGM 0, implicit %13, implicit %16, implicit %11, implicit %4
...
`;

/** What has short forms on some processors alone. */
const CARRIES = `body: |
  bb.0:
    liveins: $vgpr0, $vgpr1, $sgpr4
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:sreg_32 = COPY $sgpr4
    %3:vgpr_32 = V_ADD_CO_U32_e32 %0, %1, implicit-def $vcc, implicit $exec
    %4:vgpr_32 = V_SUB_CO_U32_e32 %2, %1, implicit-def $vcc, implicit $exec
    %5:vgpr_32 = V_SUBREV_CO_U32_e32 3, %1, implicit-def $vcc, implicit $exec
    INLINEASM &"", 3, 12, implicit-def early-clobber $vcc
    S_ENDPGM 0, implicit %3, implicit %4, implicit %5
...
`;

/** Programs that end where code follows, or edges to other blocks. */
const ENDS = `---
name: a
tracksRegLiveness: true
body: |
  bb.0:
    ENDPGM_TRAP
...
---
name: b
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    ENDPGM_TRAP
    %1:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec
    ENDPGM_TRAP
  bb.1:
    %2:vgpr_32 = PHI %1, %bb.0
    %3:vgpr_32 = V_MOV_B32_e32 %2, implicit $exec
    S_ENDPGM 0
...
---
name: c
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    ENDPGM_TRAP
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    ENDPGM_TRAP
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0
...
`;

/** Sums of uniform values whose carries are lane masks. */
const SCALAR_CARRIES = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $sgpr0, $sgpr1, MASK
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %2:LANES = COPY MASK
    %3:sreg_32, %4:LANES = S_ADD_CO_PSEUDO %0, %1, %2, implicit-def dead $scc
    %5:sreg_32, %6:LANES = S_SUB_CO_PSEUDO %1, killed %0, killed %4, implicit-def dead $scc
    %7:sreg_32, %8:LANES = S_ADD_CO_PSEUDO %1, 5, %6, implicit-def dead $scc
    %9:sreg_64 = GET_SHADERCYCLESHILO implicit-def dead $scc
    S_ENDPGM 0, implicit %3, implicit %5, implicit %7, implicit %8, implicit %9
...
`;

const inWave32 = (cpu: string): boolean => /^gfx1[0-2]/.test(cpu);

function text(body: string, cpu: string, cc: string, hasCalls: boolean, attributes = ''): string {
  const isEntry = cc !== 'gfx';
  return `${HEAD}${body}`
    .replace('CC', cc)
    .replace('ATTRIBUTES', attributes)
    .replace('CALLS', String(hasCalls))
    .replace('ENTRY', String(isEntry))
    .replaceAll('ALIGN', cpu === 'gfx90a' || cpu === 'gfx1250' ? '_align2' : '')
    .replaceAll('LANES', inWave32(cpu) ? 'sreg_32_xm0_xexec' : 'sreg_64_xexec');
}

const CLOBBERS = 'implicit-def dead $m0, implicit-def dead $exec, implicit-def dead $scc, implicit $exec';

/** Reads and writes of elements, in each number of them: by a uniform and a divergent index, by offsets inside and outside, with flags of their operands, in a loop. */
function indirectMoves(aligned: string): string {
  const functions: string[] = [];
  for (const n of [1, 2, 4, 8, 9, 10, 11, 12, 16, 32])
    for (const index of ['%0', '%2'])
      for (const [offset, flag] of [
        [0, ''],
        [n - 1, 'killed '],
        [n, 'undef '],
        [-2, ''],
      ] as const)
        functions.push(`name: f${functions.length}
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1(0x30000000), %bb.2(0x50000000)
    liveins: $vgpr0, $vgpr1, $sgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:sreg_32 = COPY $sgpr0
    %3:${n === 1 ? 'vgpr_32' : `vreg_${32 * n}${aligned}`} = IMPLICIT_DEF
    %4:vgpr_32 = SI_INDIRECT_SRC_V${n} %3, ${index}, ${offset}, ${CLOBBERS}
    %5:${n === 1 ? 'vgpr_32' : `vreg_${32 * n}${aligned}`} = SI_INDIRECT_DST_V${n} ${flag}%3, ${flag}${index}, ${offset}, ${flag}%1, ${CLOBBERS}
    S_NOP 0, implicit %5
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    %6:vgpr_32 = PHI %4, %bb.0, %7, %bb.1
    %7:vgpr_32 = SI_INDIRECT_SRC_V${n} %5, %6, 0, ${CLOBBERS}
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.2:
    %8:vgpr_32 = PHI %4, %bb.0, %7, %bb.1
    %9:${n === 1 ? 'vgpr_32' : `vreg_${32 * n}${aligned}`} = SI_INDIRECT_DST_V${n} %5, $noreg, 0, %8, ${CLOBBERS}
    S_ENDPGM 0, implicit %9
...
`);
  return functions.map((f) => `---\n${f}`).join('');
}

/** All that wait for the resource, also at the end of a block; those with data where it need not be aligned. */
function globalWaveSync(isAligned: boolean): string {
  const read = ':: (load (s32) from custom "GWSResource")';
  const withData = `    DS_GWS_INIT %0, 4, implicit $m0, implicit $exec :: (store (s32) into custom "GWSResource")
    DS_GWS_SEMA_BR %0, 8, implicit $m0, implicit $exec ${read}
    %3:vgpr_32 = COPY %0
    DS_GWS_BARRIER killed %3, 12, implicit $m0, implicit $exec ${read}
`;
  return `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    $m0 = S_MOV_B32 0
    DS_GWS_SEMA_V 0, implicit $m0, implicit $exec ${read}
${isAligned ? '' : withData}    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    %1:vgpr_32 = PHI %0, %bb.0
    DS_GWS_SEMA_P 0, implicit $m0, implicit $exec ${read}
  bb.2:
    %2:vgpr_32 = PHI %0, %bb.0, %1, %bb.1
    S_ENDPGM 0, implicit %2
...
`;
}

/** Each of 32-bit integers, of a divergent and a uniform value, in a block whose successors have PHIs. */
function waveReductions(): string {
  const functions: string[] = [];
  for (const name of [
    'UMIN_PSEUDO_U32',
    'UMAX_PSEUDO_U32',
    'MIN_PSEUDO_I32',
    'MAX_PSEUDO_I32',
    'ADD_PSEUDO_I32',
  ].concat(['SUB_PSEUDO_I32', 'AND_PSEUDO_B32', 'OR_PSEUDO_B32', 'XOR_PSEUDO_B32']))
    for (const value of ['%0', 'killed %0', '%1', 'killed %1'])
      functions.push(`---
name: f${functions.length}
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr0
    %2:sgpr_32 = WAVE_REDUCE_${name} ${value}, 1, implicit $exec
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    S_NOP 0, implicit %2
  bb.2:
    %3:sgpr_32 = PHI %2, %bb.0, %2, %bb.1
    S_ENDPGM 0, implicit %3
...
`);
  return functions.join('');
}

/** By tfe, by lwe, by both, of halves packed or not, of all elements, and in the opcode. */
const FAILING_LOADS = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7
    %0:vgpr_32 = COPY $vgpr0
    %1:sgpr_256 = COPY $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7
    %2:sgpr_128 = COPY $sgpr0_sgpr1_sgpr2_sgpr3
    %3:vreg_160 = IMAGE_LOAD_V5_V1 %0, %1, 15, -1, 0, 0, 1, 0, 0, 0, implicit $exec :: (dereferenceable load (s128), addrspace 8)
    %4:vreg_96 = IMAGE_LOAD_V3_V1 %0, %1, 5, -1, 0, 0, 0, 1, 0, 0, implicit $exec :: (dereferenceable load (s64), addrspace 8)
    %5:vreg_160 = IMAGE_LOAD_V5_V1 %0, %1, 15, -1, 0, 0, 1, 1, 0, 1, implicit $exec :: (dereferenceable load (s64), addrspace 8)
    %6:vreg_64 = IMAGE_LOAD_V2_V1 %0, %1, 1, -1, 0, 0, 0, 0, 0, 0, implicit $exec :: (dereferenceable load (s64), addrspace 8)
    %7:vreg_96 = BUFFER_LOAD_DWORDX2_TFE_OFFEN %0, %2, 0, 0, 0, 0, implicit $exec :: (dereferenceable load (s96), align 1, addrspace 8)
    S_ENDPGM 0, implicit %3, implicit %4, implicit %5, implicit %6, implicit %7
...
`;

describe('finalize-isel, as llc-22', () => {
  const check = (name: string, mir: string, args: readonly string[]): void => {
    it(`${name}, ${args.join(' ')}`, function () {
      needsLlc(this);
      const { differs, llc } = runLlcJob({ name, text: mir, args: [...args, '-run-pass=finalize-isel'] });
      assert.equal(differs, null);
      assert.equal(llc.status, 0, llc.stderr);
    });
  };
  for (const cpu of ['gfx700', 'gfx900', 'gfx90a', 'gfx1030', 'gfx1100', 'gfx1200', 'gfx1250']) {
    check('pseudo instructions', text(PSEUDOS, cpu, 'kernel', false), ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`]);
    check('a kernel that calls', text(PSEUDOS, cpu, 'kernel', true, '"frame-pointer"="all"'), [
      '-mtriple=amdgcn-amd-amdhsa',
      `-mcpu=${cpu}`,
    ]);
    check('a shader', text(PSEUDOS, cpu, 'ps', true), ['-mtriple=amdgcn-amd-amdpal', `-mcpu=${cpu}`]);
    check('a function', text(PSEUDOS, cpu, 'gfx', false, '"amdgpu-waves-per-eu"="2,4"'), [
      '-mtriple=amdgcn-mesa-mesa3d',
      `-mcpu=${cpu}`,
    ]);
    check('without optimization', text(PSEUDOS, cpu, 'kernel', false), [
      '-mtriple=amdgcn-amd-amdhsa',
      `-mcpu=${cpu}`,
      '-O0',
    ]);
    check('ends of programs', ENDS, ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`]);
    check('carries', text(CARRIES, cpu, 'kernel', false), ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`]);
  }

  for (const cpu of ['gfx600', 'gfx700', 'gfx803', 'gfx90a', 'gfx1030', 'gfx1200']) {
    const [lanes, mask] = inWave32(cpu) ? ['sreg_32_xm0_xexec', '$sgpr2'] : ['sreg_64_xexec', '$sgpr2_sgpr3'];
    const mir = SCALAR_CARRIES.replaceAll('LANES', lanes).replaceAll('MASK', () => mask);
    check('scalar carries', mir, ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`]);
  }

  for (const cpu of ['gfx600', 'gfx803', 'gfx900', 'gfx90a', 'gfx1030', 'gfx1200']) {
    const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`];
    check('reductions over the lanes', waveReductions(), args);
    check('global wave sync', globalWaveSync(cpu === 'gfx90a'), args);
    check('elements by an index', indirectMoves(cpu === 'gfx90a' ? '_align2' : ''), args);
    if (cpu === 'gfx803')
      check('elements by an index in its mode', indirectMoves(''), [...args, '-amdgpu-vgpr-index-mode']);
  }

  for (const cpu of ['gfx803', 'gfx810', 'gfx900'])
    for (const features of [[], ['-mattr=-enable-prt-strict-null']])
      check('loads that tell of failures', FAILING_LOADS, ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, ...features]);

  it('refuses what it does not know', () => {
    const body = CARRIES.replace(
      'INLINEASM &"", 3, 12, implicit-def early-clobber $vcc',
      '%50:sgpr_32 = WAVE_REDUCE_FMIN_PSEUDO_F32 %3, 0, implicit $mode, implicit $exec',
    );
    const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=finalize-isel', '-o', '-'];
    const { status, stderr } = runLlcOnText(args, text(body, 'gfx900', 'kernel', false));
    assert.equal(status, 1);
    assert.match(stderr, /does not model the expansion of WAVE_REDUCE_FMIN_PSEUDO_F32/);
  });
});

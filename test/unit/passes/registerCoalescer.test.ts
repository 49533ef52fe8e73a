/** register-coalescer, rename-independent-subregs and rewrite-partial-reg-uses at their edges, as llc-22; what they do is in docs/llvm/coalescing.md. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';

const f = (body: string): string => `---\nname: f\ntracksRegLiveness: true\nbody: |\n${body}...\n`;

const TEXTS = {
  'lanes of tuples': f(`  bb.0:
    liveins: $vgpr0, $vgpr1, $sgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    undef %2.sub0:vreg_64 = COPY %0
    %2.sub1:vreg_64 = COPY %1
    %3:vreg_64 = COPY %2
    undef %4.sub1:vreg_128 = COPY %3.sub0
    %4.sub2:vreg_128 = COPY %2.sub1
    %5:vreg_64 = COPY %4.sub1_sub2
    S_NOP 0, implicit %4, implicit %3
    S_NOP 0, implicit %5
    S_ENDPGM 0
`),
  'values that meet': f(`  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $sgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr0
    %2:vgpr_32 = COPY %0
    %3:vgpr_32 = COPY %0
    %4:vgpr_32 = IMPLICIT_DEF
    S_CMP_EQ_U32 %1, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
  bb.1:
    successors: %bb.1, %bb.2
    %5:vgpr_32 = COPY %2
    %2:vgpr_32 = V_ADD_U32_e32 %5, %3, implicit $exec
    %4:vgpr_32 = COPY %2
    DBG_VALUE %5, $noreg
    S_CMP_EQ_U32 %1, 1, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit $scc
  bb.2:
    S_NOP 0, implicit %3, implicit %4, implicit %0
    S_ENDPGM 0
`),
  'copies made anew': f(`  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    %1:sreg_32 = S_MOV_B32 3
    %2:sreg_64 = S_MOV_B64 5
    $m0 = COPY %1
    $vgpr1 = COPY %0
    $sgpr2 = COPY %1
    $sgpr4_sgpr5 = COPY %2
    $sgpr6 = COPY %2.sub0
    undef %3.sub1:vreg_64 = COPY %0
    %3.sub0:vreg_64 = COPY %0
    %4:vgpr_32 = COPY %0
    %4:vgpr_32 = V_ADD_U32_e32 %4, %0, implicit $exec
    S_NOP 0, implicit %0, implicit %3, implicit %4, implicit $m0, implicit $vgpr1, implicit $sgpr2, implicit $sgpr4_sgpr5
    S_ENDPGM 0, implicit $sgpr6
`),
  'reserved registers': f(`  bb.0:
    liveins: $sgpr0, $sgpr32
    %0:sreg_32 = COPY $sgpr0
    $m0 = COPY %0
    S_NOP 0, implicit $m0
    %1:sreg_32 = S_ADD_I32 %0, 1, implicit-def dead $scc
    $m0 = COPY %1
    S_NOP 0, implicit $m0
    %2:sreg_64 = COPY $exec
    %3:sreg_32 = COPY $sgpr32
    %4:sreg_64 = COPY $exec
    $exec = COPY %2
    S_NOP 0, implicit %2, implicit %3, implicit %4
    %5:sreg_32 = COPY $src_shared_limit
    S_NOP 0, implicit %5
    S_ENDPGM 0
`),
  'copies of nothing': f(`  bb.0:
    successors: %bb.1, %bb.2
    %0:vreg_64 = COPY undef %9:vreg_64
    undef %1.sub0:vreg_64 = V_MOV_B32_e32 1, implicit $exec
    %2:vreg_64 = COPY %1
    %3:vgpr_32 = COPY %2.sub1
    %4:vgpr_32 = COPY undef %8:vgpr_32
    dead %7:vgpr_32 = COPY %2.sub0
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    successors: %bb.2
    %4:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
  bb.2:
    S_NOP 0, implicit %0, implicit %2, implicit %3, implicit %4
    S_ENDPGM 0
`),
  'copies that move': f(`  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $vgpr1
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.1, %bb.2
    %1:vgpr_32 = COPY %0
    %2:vgpr_32 = V_ADD_U32_e32 %1, %1, implicit $exec
    S_NOP 0, implicit %2
    %0:vgpr_32 = COPY %1
    S_NOP 0, implicit %0, implicit %1
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.2:
    S_NOP 0, implicit %0
    S_ENDPGM 0
`),
};

const RENAMED = {
  'lanes apart': f(`  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $vgpr1
    undef %0.sub0:vreg_64 = COPY $vgpr0
    S_NOP 0, implicit %0.sub0
    %0.sub1:vreg_64 = COPY $vgpr1
    S_NOP 0, implicit %0.sub1
    undef %1.sub0:vreg_128 = COPY $vgpr0
    %1.sub1:vreg_128 = COPY $vgpr1
    S_NOP 0, implicit %1.sub0_sub1
    %1.sub2:vreg_128 = V_MOV_B32_e32 1, implicit $exec
    %1.sub3:vreg_128 = V_MOV_B32_e32 2, implicit $exec
    S_NOP 0, implicit %1.sub2_sub3
    undef %2.sub0:vreg_64 = V_MOV_B32_e32 3, implicit $exec
    DBG_VALUE %2.sub0, $noreg
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    successors: %bb.2
    %2.sub1:vreg_64 = V_MOV_B32_e32 4, implicit $exec
    %2.sub0:vreg_64 = V_MAC_F32_e32 %2.sub1, %2.sub1, %2.sub0, implicit $mode, implicit $exec
  bb.2:
    S_NOP 0, implicit %2.sub0, implicit undef %2.sub1
    S_ENDPGM 0
`),
  'lanes round a loop': f(`  bb.0:
    successors: %bb.1
    undef %0.sub0:vreg_64 = V_MOV_B32_e32 1, implicit $exec
    %0.sub1:vreg_64 = V_MOV_B32_e32 2, implicit $exec
    undef %1.sub2:vreg_96 = V_MOV_B32_e32 2, implicit $exec
  bb.1:
    successors: %bb.1, %bb.2
    S_NOP 0, implicit %0.sub1
    undef %0.sub0:vreg_64 = V_MOV_B32_e32 3, implicit $exec
    S_NOP 0, implicit %0.sub0, implicit %1.sub2
    %1.sub0:vreg_96 = V_MOV_B32_e32 3, implicit $exec
    %0.sub1:vreg_64 = V_ADD_U32_e32 %0.sub0, %0.sub0, implicit $exec
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.2:
    S_NOP 0, implicit %0, implicit %1.sub0
    S_ENDPGM 0
`),
};

const RUNS = [
  ['-run-pass=register-coalescer'],
  ['-run-pass=register-coalescer', '-verify-machineinstrs'],
  ['-run-pass=register-coalescer', '-join-globalcopies=0'],
  ['-run-pass=register-coalescer', '-terminal-rule=0'],
  ['-run-pass=register-coalescer', '-join-splitedges'],
  ['-run-pass=register-coalescer', '-join-liveintervals=0'],
  ['-run-pass=register-coalescer', '-late-remat-update-threshold=1'],
  ['-run-pass=register-coalescer', '-large-interval-size-threshold=1', '-large-interval-freq-threshold=1'],
];

describe('register-coalescer, as llc-22', () => {
  for (const [name, text] of Object.entries(TEXTS))
    for (const args of RUNS)
      it(`${args.join(' ')} on ${name}`, function () {
        needsLlc(this);
        for (const cpu of ['gfx900', 'gfx90a', 'gfx1100']) {
          const { differs } = runLlcJob({ name, text, args: ['-mtriple=amdgcn', `-mcpu=${cpu}`, ...args] });
          assert.equal(differs, null, cpu);
        }
      });
});

describe('rename-independent-subregs, as llc-22', () => {
  for (const [name, text] of Object.entries({ ...RENAMED, ...TEXTS }))
    for (const args of [
      ['-run-pass=rename-independent-subregs'],
      ['-passes=rename-independent-subregs'],
      ['-run-pass=rename-independent-subregs', '-verify-machineinstrs'],
      ['-run-pass=register-coalescer,rename-independent-subregs', '-verify-machineinstrs'],
    ])
      it(`${args.join(' ')} on ${name}`, function () {
        needsLlc(this);
        const { differs } = runLlcJob({ name, text, args: ['-mtriple=amdgcn', '-mcpu=gfx90a', ...args] });
        assert.equal(differs, null);
      });
});

/** Lanes that come to a join on one way only: `other` has nothing to do with those in `parts`, which are read as `read`. */
const joined = (rc: string, other: string, parts: readonly string[], read: string): string =>
  f(`  bb.0:
    successors: %bb.1, %bb.2
    undef %0.${other}:${rc} = V_MOV_B32_e32 1, implicit $exec
    S_NOP 0, implicit %0.${other}
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    successors: %bb.2
${parts.map((part, k) => `    ${k === 0 ? 'undef ' : ''}%0.${part}:${rc} = V_MOV_B32_e32 2, implicit $exec\n`).join('')}  bb.2:
    successors: %bb.2, %bb.3
    S_NOP 0, implicit %0.${read}
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.3:
    S_ENDPGM 0
`);

describe('lanes of a join, as llc-22', () => {
  for (const text of [
    joined('vreg_128', 'sub0', ['sub2', 'sub3'], 'sub2_sub3'),
    joined('vreg_128', 'sub3', ['sub0', 'sub2'], 'sub0_sub1_sub2'),
    joined('vreg_256', 'sub0', ['sub1', 'sub2', 'sub4'], 'sub1_sub2_sub3_sub4'),
    joined('vreg_256_align2', 'sub0', ['sub1', 'sub3', 'sub2'], 'sub1_sub2_sub3'),
  ])
    for (const args of [
      ['-run-pass=rename-independent-subregs'],
      ['-run-pass=rename-independent-subregs,rewrite-partial-reg-uses', '-verify-machineinstrs'],
      ['-start-before=register-coalescer', '-stop-after=rename-independent-subregs'],
    ])
      it(`${args.join(' ')} on ${/implicit %0.(sub\d_sub\w+)/.exec(text)![1]!}`, function () {
        needsLlc(this);
        const { differs } = runLlcJob({ name: 'join', text, args: ['-mtriple=amdgcn', '-mcpu=gfx90a', ...args] });
        assert.equal(differs, null);
      });
});

const PARTS = {
  'parts of vectors': f(`  bb.0:
    liveins: $vgpr0
    undef %0.sub4:vreg_1024 = COPY $vgpr0
    %0.sub5:vreg_1024 = COPY $vgpr0
    %0.sub6:vreg_1024 = COPY $vgpr0
    %0.sub7:vreg_1024 = COPY $vgpr0
    S_NOP 0, implicit %0.sub4_sub5_sub6_sub7, implicit %0.sub6_sub7
    undef %1.sub3:vreg_128 = COPY $vgpr0
    DBG_VALUE %1, $noreg
    DBG_VALUE %1.sub3, $noreg
    S_NOP 0, implicit %1.sub3
    undef %2.sub1:vreg_256 = COPY $vgpr0
    %2.sub4:vreg_256 = COPY $vgpr0
    S_NOP 0, implicit %2.sub1, implicit %2.sub4
    undef %3.sub1_sub2:vreg_160 = IMPLICIT_DEF
    %3.sub4:vreg_160 = COPY $vgpr0
    S_NOP 0, implicit %3.sub1_sub2, implicit %3.sub4
    undef %4.sub0:vreg_64 = COPY $vgpr0
    S_NOP 0, implicit %4
    undef %5.lo16:vgpr_32 = IMPLICIT_DEF
    S_NOP 0, implicit %5.lo16
    S_ENDPGM 0
`),
  'parts of scalars': f(`  bb.0:
    liveins: $sgpr0
    undef %0.sub1:sgpr_64 = COPY $sgpr0
    S_NOP 0, implicit %0.sub1
    undef %1.sub2:sgpr_256 = COPY $sgpr0
    %1.sub3:sgpr_256 = COPY $sgpr0
    %1.sub7:sgpr_256 = COPY $sgpr0
    S_NOP 0, implicit %1.sub2_sub3, implicit %1.sub7
    undef %2.sub5:sgpr_256 = COPY $sgpr0
    %2.sub6:sgpr_256 = COPY $sgpr0
    S_NOP 0, implicit %2.sub5, implicit %2.sub6
    undef %3.sub1:sreg_64_xexec = S_MOV_B32 1
    %4:sreg_32 = S_ADD_U32 %3.sub1, %3.sub1, implicit-def $scc
    undef %5.sub4_sub5_sub6_sub7:sgpr_512 = IMPLICIT_DEF
    %5.sub8_sub9_sub10_sub11:sgpr_512 = IMPLICIT_DEF
    %6:vgpr_32 = IMPLICIT_DEF
    BUFFER_STORE_DWORD_OFFSET %6, %5.sub4_sub5_sub6_sub7, %5.sub8, 0, 0, 0, implicit $exec
    S_NOP 0, implicit %5.sub8_sub9_sub10_sub11
    S_ENDPGM 0
`),
};

describe('rewrite-partial-reg-uses, as llc-22', () => {
  for (const [name, text] of Object.entries({ ...PARTS, ...RENAMED, ...TEXTS }))
    for (const args of [
      ['-run-pass=rewrite-partial-reg-uses'],
      ['-passes=amdgpu-rewrite-partial-reg-uses'],
      ['-run-pass=register-coalescer,rename-independent-subregs,rewrite-partial-reg-uses', '-verify-machineinstrs'],
    ])
      it(`${args.join(' ')} on ${name}`, function () {
        needsLlc(this);
        for (const cpu of ['gfx900', 'gfx90a']) {
          const { differs } = runLlcJob({ name, text, args: ['-mtriple=amdgcn', `-mcpu=${cpu}`, ...args] });
          assert.equal(differs, null, cpu);
        }
      });
});

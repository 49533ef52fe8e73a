/** dead-mi-elimination, unreachable-mbb-elimination, processimpdefs and unpack-mi-bundles at their edges, as llc-22; what they do is in docs/llvm/small-passes.md. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { runLlcOnText } from '../../support/schedule.js';

const DEAD = `--- |
  define void @opt() noinline optnone { ret void }
  define void @f() { ret void }
...
---
name: opt
body: |
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.2
    liveins: $vgpr0
    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    DBG_VALUE %0, $noreg
    %1:vgpr_32 = COPY $vgpr0
    %2:vreg_64 = IMPLICIT_DEF
    $vgpr3 = V_MOV_B32_e32 1, implicit $exec
    $vgpr4 = V_MOV_B32_e32 1, implicit $exec
    $vgpr5 = V_MOV_B32_e32 1, implicit $exec
    DBG_VALUE $vgpr5, $noreg
    $m0 = S_MOV_B32 3
    %3:vgpr_32 = V_ADD_F32_e32 %0, %1, implicit $mode, implicit $exec
    %5:vgpr_32 = nofpexcept V_ADD_F32_e32 %0, %1, implicit $mode, implicit $exec
    BUNDLE implicit-def $vgpr9 {
      $vgpr9 = V_MOV_B32_e32 1, implicit $exec
    }
    %6:vgpr_32 = GLOBAL_LOAD_DWORD %2, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    %7:vgpr_32 = GLOBAL_LOAD_DWORD %2, 0, 0, implicit $exec :: (volatile load (s32), addrspace 1)
    %8:vgpr_32 = GLOBAL_LOAD_DWORD %2, 0, 0, implicit $exec
    S_NOP 0, implicit $vgpr4
    INLINEASM &"", 0
    S_BRANCH %bb.2
  bb.1:
    successors: %bb.3
    %9:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_BRANCH %bb.3
  bb.2:
    successors: %bb.3, %bb.2
    %10:vgpr_32 = PHI %0, %bb.0, %11, %bb.2
    %11:vgpr_32 = V_ADD_U32_e32 %10, %10, implicit $exec
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.3:
    %12:vgpr_32 = PHI %11, %bb.2, %9, %bb.1
    S_ENDPGM 0, implicit %12
...
`;

const LIVES_ELSEWHERE = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    $vgpr3 = V_MOV_B32_e32 1, implicit $exec
    $vgpr4_vgpr5 = IMPLICIT_DEF
    S_ENDPGM 0
  bb.2:
    successors: %bb.3
    $vgpr3 = V_MOV_B32_e32 2, implicit $exec
    $vgpr4 = V_MOV_B32_e32 2, implicit $exec
  bb.3:
    liveins: $vgpr3, $vgpr4
    S_NOP 0, implicit $vgpr3
    S_ENDPGM 0, implicit $vgpr4
...
`;

const PHIS = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0_vgpr1, $sgpr0
    %0:vreg_64 = COPY $vgpr0_vgpr1
    %1:sreg_32 = COPY $sgpr0
    %2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_BRANCH %bb.4
  bb.2:
    %3:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_BRANCH %bb.4
  bb.3:
    S_BRANCH %bb.2
  bb.4:
    %4:vgpr_32 = PHI %0.sub1, %bb.0, %3, %bb.2
    %5:sreg_32_xm0 = PHI %1, %bb.0, undef %6:sreg_32_xm0, %bb.2
    %7:vgpr_32 = PHI undef %8:vgpr_32, %bb.0, %3, %bb.2
    %9:av_32 = PHI %2, %bb.0, %3, %bb.2
    DBG_VALUE %9, $noreg
    S_NOP 0, implicit %4, implicit %5, implicit %7, implicit %9
    S_ENDPGM 0
...
`;

const UNDEFINED = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr8
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = COPY %0
    %2:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %1, %subreg.sub1
    %3:vreg_64 = INSERT_SUBREG %2, %0, %subreg.sub1
    DBG_VALUE %0, $noreg
    S_NOP 0, implicit %3, implicit %0
    $vgpr0 = IMPLICIT_DEF
    $vgpr1_vgpr2 = IMPLICIT_DEF implicit-def $vgpr7
    $vgpr3 = COPY %1
    S_NOP 0, implicit $vgpr1, implicit $vgpr2
    $vgpr4 = IMPLICIT_DEF
    $vgpr4 = V_MOV_B32_e32 0, implicit $exec
    BUNDLE implicit-def $vgpr9, implicit $vgpr8 {
      $vgpr9 = V_MOV_B32_e32 $vgpr8, implicit $exec
    }
    $vgpr5_vgpr6 = IMPLICIT_DEF implicit-def $vgpr5, implicit-def $vgpr6
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.1, %bb.2
    %4:vgpr_32 = PHI %0, %bb.0, %4, %bb.1
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.2:
    S_ENDPGM 0, implicit %4
...
`;

/** Headers with members of all sorts, and members without a header. */
const BUNDLES = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr8, $sgpr4_sgpr5
    BUNDLE implicit-def $vgpr9, implicit-def $vgpr7, implicit $vgpr8, implicit $exec {
      $vgpr9 = V_MOV_B32_e32 killed $vgpr8, implicit $exec
      $vgpr7 = V_MOV_B32_e32 internal $vgpr9, implicit $exec
      DBG_VALUE internal $vgpr7, $noreg
    }
    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec {
      %1:vgpr_32 = V_MOV_B32_e32 internal %0, implicit $exec
    }
    BUNDLE implicit %1 {
      S_NOP 0, implicit internal %1
    }
    S_BRANCH %bb.1
  bb.1:
    liveins: $vgpr7
    BUNDLE implicit-def $sgpr6, implicit $vgpr7 {
      $sgpr6 = S_MOV_B32 0
      S_NOP 0, implicit internal $sgpr6, implicit $vgpr7
    }
    S_ENDPGM 0
...
`;

/** Of what makes no code, SCHED_BARRIER alone ends a row of accesses. */
const load = (to: string): string =>
  `    ${to} = BUFFER_LOAD_DWORD_OFFSET $sgpr0_sgpr1_sgpr2_sgpr3, 0, 4, 0, 0, implicit $exec\n`;
const ROWS = `---
name: f
body: |
  bb.0:
${load('$vgpr1')}${load('$vgpr2')}    SCHED_BARRIER 6
${load('$vgpr3')}    DBG_VALUE $vgpr3, $noreg
${load('$vgpr4')}    WAVE_BARRIER
${load('$vgpr5')}    S_ENDPGM 0
...
`;

const PASSES = [
  '-run-pass=dead-mi-elimination',
  '-passes=dead-mi-elimination',
  '-run-pass=unreachable-mbb-elimination',
  '-passes=unreachable-mbb-elimination',
  '-run-pass=processimpdefs',
  '-run-pass=unreachable-mbb-elimination,dead-mi-elimination,processimpdefs',
  '-run-pass=unpack-mi-bundles',
];
/** llc-22 crashes on blocks that nothing reaches. */
const ALSO_SCHEDULED = '-run-pass=processimpdefs,machine-scheduler';

/** What is left of an undefined register is read after the pass has taken its definition away. */
const HALF_READ = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    $vgpr0_vgpr1 = IMPLICIT_DEF
    S_NOP 0, implicit $vgpr0
    S_NOP 0, implicit $vgpr1
    S_ENDPGM 0
...
`;

describe('small passes, as llc-22', () => {
  for (const passes of [
    ['-run-pass=processimpdefs'],
    ['-run-pass=processimpdefs', '-run-pass=dead-mi-elimination'],
    ['-run-pass=unreachable-mbb-elimination', '-run-pass=processimpdefs'],
  ])
    it(`what the verifier says after ${passes.join(' ')}`, function () {
      needsLlc(this);
      const args = ['-mtriple=amdgcn', '-mcpu=gfx900', ...passes, '-verify-machineinstrs'];
      const { ours, llc, differs } = runLlcJob({ name: passes.join(), text: HALF_READ, args });
      assert.deepEqual([differs, ours], [null, llc]);
      assert.match(llc.stderr, /^# After Process Implicit Definitions$/m);
    });

  it('-run-pass=si-post-ra-bundler on ROWS', function () {
    needsLlc(this);
    const args = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=si-post-ra-bundler'];
    const { llc, differs } = runLlcJob({ name: 'ROWS', text: ROWS, args });
    assert.equal(differs, null);
    assert.equal(llc.stdout.match(/BUNDLE/g)?.length, 2);
  });

  for (const [name, text] of Object.entries({ DEAD, LIVES_ELSEWHERE, PHIS, UNDEFINED, BUNDLES }))
    for (const pass of text === DEAD || text === PHIS ? PASSES : [...PASSES, ALSO_SCHEDULED])
      it(`${pass} on ${name}`, function () {
        needsLlc(this);
        const args = ['-mtriple=amdgcn', '-mcpu=gfx900', pass, '-o', '-'];
        const llc = runLlc([...args, '-x', 'mir'], text);
        const ours = runLlcOnText(args, text);
        assert.deepEqual([ours.status, ours.stderr, ours.stdout], [llc.status, llc.stderr, llc.stdout]);
        assert.equal(llc.status, 0);
      });
});

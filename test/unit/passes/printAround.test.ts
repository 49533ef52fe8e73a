/** `-print-before` and `-print-after`: functions around the passes of a run, with slot indexes where llc-22 has some, compared with it. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../../support/llc.js';
import { randomAllocation } from '../../support/randomAllocation.js';
import { runLlcOnText } from '../../support/schedule.js';
import { withoutAddresses } from '../../support/verify.js';

const TEXT = `--- |
  define amdgpu_ps void @f() { ret void }
  define amdgpu_ps void @g() { ret void }
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr0
    %0:vgpr_32 = COPY killed $vgpr0
    %1:vgpr_32 = COPY %0
    S_NOP 0, implicit %1
    %2:vgpr_32 = V_ADD_U32_e32 killed %0, %0, implicit $exec
    dead %3:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    $vgpr3 = COPY %2
    $vgpr4 = COPY %2
    S_NOP 0, implicit killed $vgpr4, implicit killed $vgpr3
    BUNDLE implicit-def $sgpr4, implicit-def $sgpr5 {
      $sgpr4 = S_MOV_B32 1
      $sgpr5 = S_MOV_B32 2
    }
    S_NOP 0, implicit killed $sgpr4, implicit killed $sgpr5
    S_BRANCH %bb.2
  bb.1:
    S_NOP 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: g
body: |
  bb.0:
    S_ENDPGM 0
...
`;

const ALL = [
  'machine-scheduler,amdgpu-pre-ra-optimizations,si-wqm,si-optimize-exec-masking-pre-ra,si-form-memory-clauses,amdgpu-pre-ra-long-branch-reg',
  'greedy,virtregrewriter,stack-slot-coloring,si-lower-sgpr-spills,si-pre-allocate-wwm-regs,si-lower-wwm-copies,amdgpu-reserve-wwm-regs',
  'amdgpu-nsa-reassign,amdgpu-rewrite-agpr-copy-mfma,dead-mi-elimination,processimpdefs,unreachable-mbb-elimination,si-fix-sgpr-copies',
  'amdgpu-print-rp,print-machine-uniformity',
].join();

function assertAsLlc(words: string, text = TEXT): string {
  const args = ['-mtriple=amdgcn', ...words.split(' '), '-o', '-'];
  const theirs = runLlc(['-x', 'mir', ...args], text);
  const ours = runLlcOnText(args, text);
  // Where the verifier finds fault llc aborts, and tells of that, too.
  const [said = ''] = theirs.stderr.replaceAll('llc-22', 'llc').split(/^PLEASE submit/m);
  const status = theirs.signal === 'SIGABRT' ? 134 : theirs.status;
  assert.deepEqual(
    [withoutAddresses(ours.stderr), ours.stdout, ours.status],
    [withoutAddresses(said), theirs.stdout, status],
    words,
  );
  return said;
}

describe('functions printed around passes, as llc-22', function () {
  this.timeout(0);

  for (const passes of [
    'dead-mi-elimination',
    'dead-mi-elimination,processimpdefs,unreachable-mbb-elimination',
    'machine-scheduler',
    'machine-scheduler,dead-mi-elimination',
    'dead-mi-elimination,machine-scheduler,greedy',
    'si-fix-sgpr-copies,machine-scheduler,si-wqm,greedy,virtregrewriter',
    'greedy',
    'greedy,virtregrewriter',
    'greedy,virtregrewriter,stack-slot-coloring,si-lower-sgpr-spills',
    'greedy,virtregrewriter,si-wqm,si-lower-sgpr-spills,amdgpu-print-rp',
    'greedy,dead-mi-elimination,virtregrewriter',
    'greedy,virtregrewriter,greedy,virtregrewriter',
    'stack-slot-coloring',
    'stack-slot-coloring,si-lower-sgpr-spills,dead-mi-elimination',
    'si-lower-sgpr-spills,si-lower-wwm-copies',
    'amdgpu-print-rp,machine-scheduler,amdgpu-print-rp',
    'amdgpu-print-rp,dead-mi-elimination,print-machine-uniformity',
    'si-form-memory-clauses,amdgpu-pre-ra-long-branch-reg,greedy',
    'si-wqm,dead-mi-elimination,si-wqm',
  ])
    it(`-run-pass=${passes}`, function () {
      needsLlc(this);
      const around = assertAsLlc(`-mcpu=gfx900 -run-pass=${passes} -print-before=${ALL} -print-after=${ALL}`);
      assert.match(around, /^# \*\*\* IR Dump Before /m);
      assertAsLlc(`-mcpu=gfx900 -run-pass=${passes} -print-after-all -print-before=machineverifier`);
      assertAsLlc(`-mcpu=gfx900 -run-pass=${passes} -print-before-all -print-after-all -verify-machineinstrs`);
    });

  for (const passes of [
    'dead-mi-elimination',
    'si-fix-sgpr-copies,unreachable-mbb-elimination,machine-scheduler,print<machine-uniformity>',
    'machine-scheduler,amdgpu-pre-ra-optimizations,si-wqm,si-optimize-exec-masking-pre-ra,si-form-memory-clauses,amdgpu-pre-ra-long-branch-reg,' +
      'greedy<sgpr>,virt-reg-rewriter<no-clear-vregs>,stack-slot-coloring,si-lower-sgpr-spills,si-pre-allocate-wwm-regs,greedy<wwm>,si-lower-wwm-copies,' +
      'virt-reg-rewriter<no-clear-vregs>,amdgpu-reserve-wwm-regs,greedy<vgpr>,amdgpu-nsa-reassign,amdgpu-rewrite-agpr-copy-mfma,virt-reg-rewriter',
  ])
    it(`-passes=${passes}`, function () {
      needsLlc(this);
      const around = assertAsLlc(`-mcpu=gfx900 -passes=${passes} -print-before-all -print-after-all`);
      assert.match(around, /^; \*\*\* IR Dump Before /m);
      const names =
        'dead-mi-elimination,greedy,virt-reg-rewriter,machine-uniformity,print<machine-uniformity>,machine-scheduler';
      assertAsLlc(`-mcpu=gfx900 -passes=${passes} -print-before=${names} -print-after=greedy -filter-print-funcs=f`);
      assertAsLlc(`-mcpu=gfx900 -passes=${passes} -print-after-all -verify-machineinstrs`);
      const optNone = TEXT.replace('@f() {', '@f() noinline optnone {');
      assertAsLlc(`-mcpu=gfx900 -passes=${passes} -print-after-all`, optNone);
    });

  it('one function alone, one pass alone, with the verifier', function () {
    needsLlc(this);
    const passes = '-run-pass=dead-mi-elimination,machine-scheduler';
    for (const words of [
      `-mcpu=gfx900 ${passes} -print-after=dead-mi-elimination -filter-print-funcs=g`,
      `-mcpu=gfx900 ${passes} -print-after=dead-mi-elimination -filter-print-funcs=h,f`,
      `-mcpu=gfx900 ${passes} -print-before=machine-scheduler -print-before=foo -verify-machineinstrs`,
      `-mcpu=gfx900 ${passes} -print-before=machine-scheduler -print-module-scope`,
      `-mcpu=gfx900 ${passes} -print-before=greedy`,
      '-mcpu=gfx900 -run-pass=greedy -print-after=slotindexes',
      '-mcpu=gfx900 -run-pass=none -print-after-all -print-before-all -verify-machineinstrs',
      '-mcpu=gfx900 -run-pass=amdgpu-print-rp,amdgpu-print-rp -print-after-all -verify-machineinstrs',
      '-mcpu=gfx900 -run-pass=none -print-before=none',
    ])
      assertAsLlc(words);
  });

  it('through the pipeline, on random functions', function () {
    needsLlc(this);
    for (let seed = 0; seed < 6; seed++) {
      const { args, text } = randomAllocation(seed, 2);
      const target = args.filter((a) => /^-m(?:cpu|attr)=/.test(a)).join(' ');
      for (const first of ['machine-scheduler', 'greedy'])
        assertAsLlc(
          `${target} -start-before=${first} -stop-after=virtregrewriter,2 -print-before=${ALL} -print-after=${ALL}`,
          text,
        );
      assertAsLlc(
        `${target} -start-before=machine-scheduler -stop-after=virtregrewriter,2 -print-before-all -print-after-all -verify-machineinstrs`,
        text,
      );
    }
  });

  it('the scheduler goes on with the numbers that are left where copies have vanished', function () {
    needsLlc(this);
    assertAsLlc('-mcpu=gfx900 -run-pass=greedy,virtregrewriter,machine-scheduler -print-after-all');
  });

  it('says what it does not print', () => {
    const words = '-passes=dead-mi-elimination -print-after=dead-mi-elimination -print-module-scope';
    const { status, stderr } = runLlcOnText(['-mtriple=amdgcn', '-mcpu=gfx900', ...words.split(' '), '-o', '-'], TEXT);
    assert.equal(status, 1);
    assert.match(stderr, /does not model '-print-module-scope' with -passes/);
  });
});

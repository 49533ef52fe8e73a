/**
 * Several passes of one run share what llc computes once: live intervals, with the kill and dead flags that these leave, and the control flow's
 * analyses. Every list here is asked of llc-22, too.
 */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';

const FUNCTION = `name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr0
    %0:vgpr_32 = COPY killed $vgpr0
    %1:vgpr_32 = COPY %0
    %2:vgpr_32 = V_ADD_U32_e32 killed %0, %0, implicit $exec
    undef %3.sub0:vreg_64 = V_MOV_B32_e32 1, implicit $exec
    dead %3.sub1:vreg_64 = V_MOV_B32_e32 2, implicit $exec
    S_NOP 0, implicit killed $sgpr0, implicit %3.sub0
    undef %3.sub1:vreg_64 = V_ADD_F32_e32 %1, %2, implicit $mode, implicit $exec
    S_NOP 0, implicit killed %1, implicit %3.sub1
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0, implicit %2
...
`;
const UNREADABLE = `--- |
  define amdgpu_kernel void @f() #0 { ret void }
  attributes #0 = { "amdgpu-num-vgpr"="x" "amdgpu-num-sgpr"="y" "amdgpu-agpr-alloc"="z" "amdgpu-dynamic-vgpr-block-size"="x" }
...
---
`;

/** Two times four values that live at once, and whose slots can be the same. */
const SPILLED = `---
name: f
tracksRegLiveness: true
machineFunctionInfo: { isEntryFunction: true, scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3' }
body: |
  bb.0:
    successors: %bb.1, %bb.2
${eightValues()}
    S_CBRANCH_EXECZ %bb.2, implicit $exec
  bb.1:
    successors: %bb.2
    S_NOP 1
  bb.2:
    S_ENDPGM 0
...
`;

function eightValues(): string {
  const lines = [0, 4].flatMap((first) => {
    const regs = [0, 1, 2, 3].map((k) => first + k);
    return [
      ...regs.map((v) => `%${v}:vgpr_32 = V_MUL_LO_U32_e64 ${v}, $sgpr4, implicit $exec`),
      ...regs.map((v) => `S_NOP 0, implicit %${v}`),
      ...regs.map((v) => `S_NOP 0, implicit %${v}`),
    ];
  });
  return ['liveins: $sgpr4', ...lines].map((line) => `    ${line}`).join('\n');
}

/** Registers that live into the function, of which one comes back before a call: how long they live is known before the scheduler begins. */
const LIVE_INS = `--- |
  define void @f() { ret void }
  declare void @callee()
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: ${[...Array(14).keys(), 31].map((k) => `$vgpr${k}`).join(', ')}
${copiedLiveIns()}
...
`;

function copiedLiveIns(): string {
  const lines = [
    '%0:vgpr_32 = COPY $vgpr31',
    ...[...Array(13).keys()].map((k) => `%${k + 1}:vgpr_32 = COPY $vgpr${13 - k}`),
    '$vgpr31 = COPY %0',
    '$sgpr30_sgpr31 = SI_CALL undef %14:sreg_64, @callee, csr_amdgpu, implicit $vgpr0',
    '%15:vgpr_32 = V_MUL_LO_U32_e64 %1, %2, implicit $exec',
    '%16:vgpr_32 = V_MUL_LO_U32_e64 %9, %10, implicit $exec',
    '%17:vgpr_32 = V_MUL_LO_U32_e64 %3, undef %18:vgpr_32, implicit $exec',
  ];
  return lines.map((line) => `    ${line}`).join('\n');
}

const PLAIN = `---\n${FUNCTION}`;
const ATTRIBUTES = UNREADABLE + FUNCTION;
const BROKEN = PLAIN.replace('V_ADD_F32_e32', 'V_NO');

function assertAsLlc(context: Mocha.Context, text: string, args: readonly string[]): void {
  needsLlc(context);
  const all = ['-mtriple=amdgcn', ...args, '-o', '-'];
  const { status, stdout, stderr } = runLlc([...all, '-x', 'mir'], text);
  const ours = runLlcOnText(all, text);
  assert.deepEqual([ours.status, ours.stderr, ours.stdout], [status, stderr, stdout]);
}

const passes = (list: string): string[] => list.split(' ').map((name) => `-run-pass=${name}`);

describe('lists of passes, as llc-22', function () {
  for (const list of [
    'amdgpu-print-rp amdgpu-print-rp',
    'amdgpu-print-rp machine-scheduler amdgpu-print-rp',
    'amdgpu-print-rp greedy virtregrewriter amdgpu-print-rp',
    'amdgpu-print-rp si-wqm amdgpu-print-rp amdgpu-print-rp',
    'machine-scheduler machine-scheduler',
    'machine-scheduler si-fix-sgpr-copies machine-scheduler',
    'greedy virtregrewriter machine-scheduler',
    'greedy none virtregrewriter none machine-scheduler',
    'greedy virtregrewriter amdgpu-print-rp',
    'greedy virtregrewriter si-fix-sgpr-copies machine-scheduler',
    'greedy virtregrewriter greedy virtregrewriter',
    'greedy virtregrewriter amdgpu-print-rp greedy virtregrewriter',
    'greedy virtregrewriter si-wqm si-lower-sgpr-spills',
    'virtregrewriter',
    'virtregrewriter none',
    'greedy amdgpu-print-rp virtregrewriter',
    'greedy amdgpu-print-rp print-machine-uniformity virtregrewriter amdgpu-print-rp',
    'machine-scheduler amdgpu-print-rp greedy virtregrewriter',
    'amdgpu-print-rp machine-scheduler greedy virtregrewriter',
    'machine-scheduler none greedy print-machine-uniformity virtregrewriter',
    'amdgpu-print-rp dead-mi-elimination amdgpu-print-rp',
    'amdgpu-print-rp unreachable-mbb-elimination amdgpu-print-rp',
    'amdgpu-print-rp processimpdefs amdgpu-print-rp',
    'si-lower-sgpr-spills greedy virtregrewriter amdgpu-print-rp',
    'dead-mi-elimination processimpdefs greedy virtregrewriter',
    'si-fix-sgpr-copies dead-mi-elimination machine-scheduler si-wqm greedy virtregrewriter',
  ])
    it(list, function () {
      assertAsLlc(this, PLAIN, ['-mcpu=gfx908', ...passes(list)]);
    });

  for (const cpu of ['gfx803', 'gfx900', 'gfx90a', 'gfx1030', 'gfx1100'])
    for (const list of [
      'register-coalescer machine-scheduler',
      'twoaddressinstruction register-coalescer machine-scheduler greedy virtregrewriter',
      'twoaddressinstruction register-coalescer machine-scheduler machine-scheduler greedy virtregrewriter',
    ])
      it(`${list} on ${cpu}: the scheduler goes on with the intervals of the coalescer`, function () {
        assertAsLlc(this, LIVE_INS, [`-mcpu=${cpu}`, ...passes(list)]);
        assertAsLlc(this, LIVE_INS, [`-mcpu=${cpu}`, '-stress-regalloc=6', ...passes(list)]);
      });

  for (const cuts of [
    '-start-before=machine-scheduler -stop-after=machine-scheduler',
    '-start-after=machine-scheduler -stop-after=virtregrewriter,2',
    '-start-after=machine-scheduler -stop-after=amdgpu-pre-ra-long-branch-reg',
    '-start-before=amdgpu-pre-ra-long-branch-reg -stop-before=greedy',
    '-start-before=si-wqm -stop-after=si-wqm',
    '-start-before=si-fix-sgpr-copies -stop-after=si-fix-sgpr-copies',
    '-start-before=processimpdefs -stop-after=unreachable-mbb-elimination',
    '-start-before=dead-mi-elimination,2 -stop-after=dead-mi-elimination,2',
    '-start-before=greedy,7 -stop-after=greedy',
    '-start-before=greedy,7 -stop-after=greedy,8',
    '-start-before=virtregrewriter,1 -stop-before=greedy,2 -disable-ssc',
    '-start-before=greedy -stop-after=stack-slot-coloring,0',
    // Analyses and passes that are not in the pipeline stop nothing; those before the machine passes come too early.
    '-start-before=greedy -stop-after=virtregmap',
    '-start-before=machine-scheduler -stop-before=early-ifcvt',
    '-start-before=greedy -stop-after=greedy,7',
    '-start-before=virtregmap -stop-after=livestacks',
    '-start-before=virtregmap -stop-after=greedy',
    '-start-before=greedy -stop-after=codegenprepare',
    '-O1 -start-before=greedy -stop-after=licm',
    '-start-before=greedy -stop-before=licm',
  ])
    it(cuts, function () {
      // Far branches, so that a register is reserved for them.
      assertAsLlc(this, PLAIN, ['-mcpu=gfx908', '-amdgpu-s-branch-bits=2', ...cuts.split(' ')]);
    });

  for (const cpu of ['gfx908', 'gfx90a', 'gfx1030', 'gfx1200'])
    it(`${cpu}: each allocation asks for the reserved registers again`, function () {
      assertAsLlc(this, ATTRIBUTES, [`-mcpu=${cpu}`, ...passes('greedy greedy amdgpu-nsa-reassign virtregrewriter')]);
      assertAsLlc(this, ATTRIBUTES, [`-mcpu=${cpu}`, '-start-before=greedy,0', '-stop-after=virtregrewriter,2']);
    });

  it('what is wrong in the file comes before a pass that is not modelled', function () {
    assertAsLlc(this, BROKEN, ['-mcpu=gfx908', ...passes('register-coalescer')]);
  });

  for (const between of [
    ...['machine-scheduler', 'dead-mi-elimination', 'processimpdefs', 'si-wqm', 'si-fix-sgpr-copies'],
    ...['unreachable-mbb-elimination', 'stack-slot-coloring', 'si-lower-sgpr-spills', 'si-pre-allocate-wwm-regs'],
    ...['amdgpu-nsa-reassign', 'amdgpu-print-rp machine-scheduler', 'greedy si-wqm greedy'],
  ])
    it(`registers are assigned, then comes ${between}, then a rewriter`, function () {
      assertAsLlc(this, PLAIN, ['-mcpu=gfx908', ...passes(`greedy ${between} virtregrewriter`)]);
      assertAsLlc(this, SPILLED, [
        '-mcpu=gfx908',
        '-stress-regalloc=3',
        ...passes(`greedy ${between} virtregrewriter`),
      ]);
    });

  it('slots of the stack are known until a pass ends that', function () {
    const run = (list: string): string => {
      const args = ['-mcpu=gfx908', '-stress-regalloc=3', ...passes(list)];
      assertAsLlc(this, SPILLED, args);
      return runLlcOnText(['-mtriple=amdgcn', ...args, '-o', '-'], SPILLED).stdout;
    };
    const nSlots = (text: string): number => text.match(/type: spill-slot/g)?.length ?? 0;
    const all = nSlots(run('greedy virtregrewriter'));
    const shared = nSlots(run('greedy virtregrewriter stack-slot-coloring'));
    assert.ok(shared < all, `${shared} of ${all}`);
    assert.equal(nSlots(run('greedy virtregrewriter amdgpu-print-rp stack-slot-coloring')), shared);
    for (const list of ['si-wqm', 'dead-mi-elimination', 'machine-scheduler'])
      assert.equal(nSlots(run(`greedy virtregrewriter ${list} stack-slot-coloring`)), all, list);
  });

  it('refuses registers that a rewriter has forgotten', () => {
    const stderr = (list: string): string =>
      runLlcOnText(['-mtriple=amdgcn', ...passes(list), '-o', '-'], PLAIN).stderr;
    assert.match(stderr('virtregrewriter machine-scheduler'), /after a 'virtregrewriter' that had no registers/);
  });
});

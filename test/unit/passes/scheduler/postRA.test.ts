/** The schedulers after allocation (server/src/passes/scheduler/postRA) beside llc. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../../support/llc.js';
import { needsLlc24, runLlc24 } from '../../../support/llc24.js';
import { runLlcJob } from '../../../support/llcJobs.js';
import { itRunsAsLlcOnRandomInstrs } from '../../../support/randomRuns.js';
import { runLlcOnText } from '../../../support/schedule.js';

/** What pairs up as one instruction on gfx11 and later. */
const PAIRS = `
V1 = V_MOV_B32_e32 ?, implicit $exec
V1 = V_MUL_F32_e32 V1, V1, implicit $mode, implicit $exec
V1 = V_MUL_F32_e32 S1, V1, implicit $mode, implicit $exec
V1 = V_FMAC_F32_e32 V1, V1, V1, implicit $mode, implicit $exec
V1 = V_ADD_U32_e32 V1, V1, implicit $exec
V1 = V_LSHLREV_B32_e32 ?, V1, implicit $exec
V1 = V_AND_B32_e32 V1, V1, implicit $exec
`;

describe('postmisched on random instructions', () => {
  itRunsAsLlcOnRandomInstrs('postmisched', 20, PAIRS);
});

describe('post-RA-sched on random instructions', () => {
  itRunsAsLlcOnRandomInstrs('post-RA-sched', 20, PAIRS);
});

/** Its counters are those of the scheduler before allocation, and mean nothing here. */
describe('IGLP_OPT after allocation, as llc-22', () => {
  const lines = [
    ...[8, 9, 10, 11].map((v) => `$vgpr${v} = V_EXP_F32_e32 $vgpr${v - 6}, implicit $mode, implicit $exec`),
    ...[8, 9, 10, 11].map((v) => `$vgpr${v + 4} = V_MUL_F32_e32 $vgpr${v}, $vgpr${v}, implicit $mode, implicit $exec`),
    '$vgpr20 = GLOBAL_LOAD_DWORD $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), addrspace 1)',
    '$vgpr21 = V_ADD_F32_e32 $vgpr20, $vgpr12, implicit $mode, implicit $exec',
    'S_ENDPGM 0, implicit $vgpr13, implicit $vgpr14, implicit $vgpr15, implicit $vgpr21',
  ];
  for (const strategy of [0, 1, 2, 3])
    for (const passes of ['postmisched', 'machine-scheduler,postmisched'])
      it(`strategy ${strategy}: ${passes}`, function () {
        needsLlc(this);
        const liveIns = [0, 1, 2, 3, 4, 5].map((v) => `$vgpr${v}`).join(', ');
        const body = [`IGLP_OPT ${strategy}`, ...lines].map((line) => `    ${line}\n`).join('');
        const text = `---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: ${liveIns}\n${body}...\n`;
        const args = ['-mtriple=amdgcn', '-mcpu=gfx942', `-run-pass=${passes}`];
        const { differs, llc } = runLlcJob({ name: passes, text, args });
        assert.equal(llc.status, 0, llc.stderr.slice(0, 300));
        assert.equal(differs, null);
      });
});

const DOT = 'V_DOT4_I32_I8 8, $vgpr8, 8, $vgpr9, 8, $vgpr7, 0, 0, 0, implicit $exec';
/** Where the releases differ: cycles before an instruction that stalls, and pairs. */
const CHANGED_IN_24 = {
  stall: {
    cpu: 'gfx942',
    liveIns: ['vgpr0_vgpr1', 'vgpr6', 'vgpr7', 'vgpr10'],
    lines: [
      '$vgpr8_vgpr9 = GLOBAL_LOAD_DWORDX2 $vgpr0_vgpr1, 0, 0, implicit $exec',
      `$vgpr7 = ${DOT}`,
      '$vgpr11 = V_MOV_B32_e32 $vgpr7, implicit $exec',
      '$vgpr10 = V_ADD_U32_e32 $vgpr8, $vgpr10, implicit $exec',
      '$vgpr6 = V_ADD_U32_e32 $vgpr9, $vgpr6, implicit $exec',
    ],
  },
  pairsBothWrite: {
    cpu: 'gfx1200',
    liveIns: ['vgpr2', 'vgpr3', 'vgpr5', 'vgpr7'],
    lines: [
      '$vgpr2 = V_MAX_F32_e32 $vgpr7, $vgpr2, implicit $mode, implicit $exec',
      '$vgpr5 = V_BFREV_B32_e32 $vgpr5, implicit $exec',
      '$vgpr3 = V_MOV_B32_e32 -1, implicit $exec, implicit-def $vgpr2_vgpr3',
    ],
  },
};

describe('postmisched, as LLVM 24', () => {
  it('where it differs from 22', function () {
    needsLlc24(this);
    this.timeout(60_000);
    const cases = Object.entries(CHANGED_IN_24).map(([name, { cpu, liveIns, lines }]) => ({
      args: ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-run-pass=postmisched', '-simplify-mir'],
      text: [
        `---\nname: ${name}\ntracksRegLiveness: true\nbody: |\n  bb.0:`,
        `    liveins: ${liveIns.map((reg) => `$${reg}`).join(', ')}`,
        ...lines.map((line) => `    ${line}`),
        '    S_ENDPGM 0\n...\n',
      ].join('\n'),
    }));
    const bodyOf = (text: string): string => text.slice(text.indexOf('\nbody:'));
    for (const [k, { status, stdout }] of runLlc24(cases).entries()) {
      const { args, text } = cases[k]!;
      assert.equal(status, 0);
      const ours = (model: string): string =>
        bodyOf(runLlcOnText([`--model=${model}`, ...args, '-o', '-'], text).stdout);
      assert.equal(ours('llvm-24'), bodyOf(stdout));
      assert.notEqual(ours('llvm-22'), bodyOf(stdout), text);
    }
  });
});

/** The whole report of a small rematerialization, bank by bank. */
import assert from 'node:assert/strict';
import { RematRecorder } from '../../../../../server/src/passes/scheduler/remat/rematRecorder.js';
import type { RematReport } from '../../../../../server/src/passes/scheduler/remat/report.js';
import type { GCNScheduleDAGMILive } from '../../../../../server/src/passes/scheduler/stages/gcnScheduleDAGMILive.js';
import { entryFunctionFile } from '../../../../support/mir.js';
import { liveThrough } from '../../../../support/rematTexts.js';
import { lowerWithRunLine, traceText } from '../../../../support/schedule.js';

interface Bank {
  readonly name: 'SGPR' | 'VGPR' | 'AGPR';
  readonly member: 'sgpr' | 'vgpr' | 'agpr';
  readonly def: (r: number) => string;
  /** so many allow ten waves of gfx908 */
  readonly most: number;
}

const BANKS: readonly Bank[] = [
  { name: 'SGPR', member: 'sgpr', def: (r) => `%${r}:sreg_32 = S_MOV_B32 ${r}`, most: 80 },
  { name: 'VGPR', member: 'vgpr', def: (r) => `%${r}:vgpr_32 = V_MOV_B32_e32 ${r}, implicit $exec`, most: 24 },
  {
    name: 'AGPR',
    member: 'agpr',
    def: (r) => `%${r}:agpr_32 = V_ACCVGPR_WRITE_B32_e64 ${r % 64}, implicit $exec`,
    most: 24,
  },
];

/** One value more than `most` lives from bb.0 through bb.1 into bb.2; the last two may be computed again there. */
function reportOf(bank: Bank, more = 1, cpu = 'gfx908'): { report: RematReport; opcode: (i: number) => string } {
  const text = liveThrough(2, { n: bank.most + more, def: bank.def, cpu });
  const [{ trace, fn }] = traceText(text);
  assert.ok(trace.remat);
  return { report: trace.remat, opcode: (i) => fn.tables.opcodeName(fn.opcode[i]) };
}

describe('the report of a rematerialization', () => {
  for (const bank of BANKS) {
    it(`has each number of it: ${bank.name}`, () => {
      const { report: r, opcode } = reportOf(bank);
      const n = bank.most + 1;
      const [moved, kept] = [n - 2, n - 1];
      assert.deepEqual(
        [r.model, r.objective, r.occupancyBefore, r.occupancyAfter, r.maxWaves, r.achievedOccupancy, r.result],
        ['llvm-22', { kind: 'occupancy', occupancy: 10 }, 9, 10, 10, 10, 'kept'],
      );
      assert.deepEqual(r.budget, { sgpr: 80, vgpr: 24, unified: null });
      assert.deepEqual(
        r.candidates.map(({ def, uses, ...c }) => ({ ...c, def: opcode(def), uses: uses.map((u) => [opcode(u.instr), u.region]) })),
        [moved, kept].map((v) => ({
          vreg: v,
          name: `%${v}`,
          bank: bank.name,
          registers: 1,
          defRegion: 0,
          live: [0, 1, 2],
          liveThrough: [1],
          def: /= (\w+)/.exec(bank.def(v))![1],
          uses: [['S_NOP', 2]],
        })),
      ); // prettier-ignore
      assert.deepEqual(
        r.rejected.map((x) => [x.name, x.why, x.operand, x.operandName, x.defRegion, x.uses.map((u) => u.region)]),
        Array.from({ length: n - 2 }, (_, v) => [`%${v}`, 'extra implicit operands', -1, '', 0, [2]]),
      );
      const [first, second] = r.candidates;
      assert.deepEqual(r.rounds, [
        {
          verdicts: [
            { candidate: 0, score: null, verdict: 'chosen' },
            { candidate: 1, score: null, verdict: 'not needed' },
          ],
          reopened: [],
          open: [],
        },
      ]);
      assert.notEqual(first!.def, second!.def);
      const clone = r.chosen[0]!.copies[0]!.clone;
      assert.ok(clone > Math.max(second!.def, second!.uses[0]!.instr));
      assert.deepEqual(r.chosen, [
        { candidate: 0, copies: [{ clone, use: first!.uses[0]!.instr, region: 2, vreg: moved, name: `%${moved}` }] },
      ]);
      assert.deepEqual(
        r.regions.map((x) => [x.region, x.block, opcode(x.first), opcode(x.last), opcode(x.boundary)]),
        [
          [0, 0, /= (\w+)/.exec(bank.def(0))![1], /= (\w+)/.exec(bank.def(0))![1], 'S_BRANCH'],
          [1, 1, 'S_NOP', 'S_NOP', 'S_BRANCH'],
          [2, 2, 'S_NOP', 'S_NOP', 'S_ENDPGM'],
        ],
      );
      const none = { sgpr: 0, vgpr: 0, agpr: 0, unified: 0 };
      for (const x of r.regions) {
        assert.notEqual(x.first, x.last);
        assert.deepEqual(
          [x.frequency, x.isTarget, x.occupancyBefore, x.occupancyAfter, x.excessBefore, x.excessAfter],
          [null, true, 9, 10, { ...none, [bank.member]: 1 }, none],
        );
        const of = (p: RematReport['regions'][number]['before'] | null): (number | undefined)[] => [p?.sgpr, p?.vgpr, p?.agpr, p?.avgpr]; // prettier-ignore
        const only = (k: number): number[] => BANKS.map((b) => (b === bank ? k : 0)).concat(0);
        assert.deepEqual([x.before, x.rematerialized, x.after].map(of), [only(n), only(n - 1), only(n - 1)]);
      }
    });

    it(`has none of what was not done: ${bank.name}`, () => {
      // three too many, two may go; and none too many
      const { report: far } = reportOf(bank, 3);
      assert.deepEqual([far.result, far.chosen, far.achievedOccupancy], ['target out of reach', [], null]);
      assert.deepEqual(far.regions.map((x) => x.rematerialized), [null, null, null]); // prettier-ignore
      assert.deepEqual(far.rounds[0]!.verdicts.map((v) => v.verdict), ['chosen', 'chosen']); // prettier-ignore
      assert.deepEqual(far.rounds[0]!.open, [0, 1, 2]);
      const { report: met } = reportOf(bank, 0);
      assert.deepEqual(
        [met.result, met.rounds, met.candidates, met.objective.kind],
        ['targets already met', [], [], 'spilling'],
      );
      assert.deepEqual(met.regions.map((x) => x.isTarget), [false, false, false]); // prettier-ignore
    });
  }

  it('counts a unified file together', () => {
    const { report } = reportOf({ ...BANKS[1]!, most: 64 }, 1, 'gfx90a');
    assert.deepEqual(
      [report.result, report.budget.unified, report.occupancyBefore, report.occupancyAfter],
      ['kept', 64, 7, 8],
    );
    assert.deepEqual(report.regions.map((x) => [x.excessBefore.unified > 0, x.excessAfter.unified]), [[true, 0], [true, 0], [true, 0]]); // prettier-ignore
  });
});

describe('the rounds of a long search', () => {
  it('are told whole at first, later without the candidates that just waited', () => {
    const [fn] = lowerWithRunLine(entryFunctionFile('-mtriple=amdgcn -mcpu=gfx908', ['    S_ENDPGM 0'])).fns;
    const dag = { ctx: { fn }, regions: [], minOccupancy: 8, maxWaves: 10 } as unknown as GCNScheduleDAGMILive;
    const recorder = new RematRecorder(dag, 'llvm-main-2026-01');
    const budget = { maxSGPRs: 80, maxVGPRs: 24, maxUnified: 0 };
    recorder.begin({ objective: { kind: 'occupancy', occupancy: 10 }, budget, isTarget: () => true, frequency: null });
    const all = ['chosen', 'gain is gone', 'next round', 'no gain', 'not needed'] as const;
    const verdicts = all.map((verdict, candidate) => ({ candidate, score: null, verdict }));
    for (let k = 0; k < 22; k++) recorder.round({ verdicts, reopened: [], open: [] });
    const told = recorder.finish('kept').rounds.map((r) => r.verdicts.map((v) => v.verdict));
    assert.equal(told.length, 22);
    assert.deepEqual(told.slice(0, 20), Array(20).fill([...all]));
    assert.deepEqual(told.slice(20), Array(2).fill(['chosen', 'gain is gone']));
  });
});

/**
 * The scoring rematerialization stages of LLVM main, of which no llc is here: what holds for every run (test/support/rematCheck.ts), and that
 * the report is true of the function. A few random functions; test/property asks more.
 */
import assert from 'node:assert/strict';
import { verifyFunction } from '../../../../../server/src/analysis/verifier/index.js';
import { OpFlag, type MachineFunction } from '../../../../../server/src/model/machineFunction.js';
import { printFunctionDocument } from '../../../../../server/src/model/printer/index.js';
import type { RematReport } from '../../../../../server/src/passes/scheduler/remat/report.js';
import {
  DEFAULT_SCHEDULE_OPTIONS,
  scheduleFunction,
  SchedulerProcessState,
} from '../../../../../server/src/passes/scheduler/scheduleFunction.js';
import { SCHEDULER_MODELS, type SchedulerModel } from '../../../../../server/src/passes/scheduler/schedulerModel.js';
import { randomRemat } from '../../../../support/randomRemat.js';
import { checkRemat } from '../../../../support/rematCheck.js';
import { liveThrough } from '../../../../support/rematTexts.js';
import { lowerWithRunLine, traceText } from '../../../../support/schedule.js';

/** Instructions that read or define a register, debug instructions left out. */
function mentions(fn: MachineFunction, vreg: number, wantsDef: boolean): number[] {
  const found: number[] = [];
  for (let i = 0; i < fn.nInstrs; i++) {
    if (fn.tables.opcodeName(fn.opcode[i]!).startsWith('DBG_')) continue;
    let isOne = false;
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++)
      if (fn.opVal[o] === ~vreg && ((fn.opFlags[o]! & OpFlag.Def) !== 0) === wantsDef) isOne = true;
    if (isOne) found.push(i);
  }
  return found;
}

function checkReport(fn: MachineFunction, report: RematReport): void {
  const { candidates, rejected, rounds, regions, chosen } = report;
  for (const c of candidates) {
    assert.deepEqual(mentions(fn, c.vreg, true), [c.def]);
    const users = mentions(fn, c.vreg, false);
    const elsewhere = c.uses.map((u) => u.instr);
    assert.ok(elsewhere.length > 0 && elsewhere.every((u) => users.includes(u)), c.name);
    assert.ok(
      c.uses.every((u) => u.region !== c.defRegion && c.live.includes(u.region)),
      c.name,
    );
    assert.ok(
      c.liveThrough.every((r) => c.live.includes(r) && !c.uses.some((u) => u.region === r)),
      c.name,
    );
    if (report.model === 'llvm-main-2026-01') assert.deepEqual(elsewhere, users);
  }
  const order = candidates.map((c) => c.def);
  assert.deepEqual(order, [...new Set(order)]);
  for (const r of rejected) {
    assert.ok(!order.includes(r.def), r.name);
    const [defs, users] = [mentions(fn, r.vreg, true), mentions(fn, r.vreg, false)];
    if (r.why === 'several definitions') assert.ok(defs.length > 1, r.name);
    if (r.why === 'several users') assert.ok(users.length > 1, r.name);
    if (r.why === 'operand not available at the use') assert.ok(mentions(fn, r.operand, false).includes(r.def));
  }
  const isTarget = (r: number): boolean => regions[r]!.isTarget;
  rounds.forEach(({ verdicts, open, reopened }, k) => {
    const scores = verdicts.map((v) => v.score!);
    for (const [i, a] of scores.entries()) {
      const b = scores[i + 1];
      if (b === undefined) break;
      const [x, y] = [a, b].map((s) => [s.maxFreq, s.freqDiff, s.regionImpact]);
      const at = x!.findIndex((n, j) => n !== y![j]);
      // what gains nothing comes last
      if (a.regionImpact > 0 && b.regionImpact > 0)
        assert.ok(at < 0 || x![at]! > y![at]!, `${k}: ${x!.join()} ${y!.join()}`);
      else assert.ok(b.regionImpact === 0 || a.regionImpact > 0);
    }
    for (const v of verdicts) {
      assert.equal(v.verdict === 'no gain', v.score!.regionImpact === 0);
      const { liveThrough, live, registers } = candidates[v.candidate]!;
      // a region that it only passes counts twice, of those that still miss the target
      const most = live.filter(isTarget).length + liveThrough.filter(isTarget).length;
      if (k === 0 && report.model === 'llvm-main-2026-01') assert.ok(v.score!.regionImpact <= most * registers);
    }
    const taken = verdicts.findIndex((v) => v.verdict !== 'chosen');
    if (taken >= 0) assert.ok(verdicts.slice(taken).every((v) => v.verdict !== 'chosen'));
    assert.ok(reopened.every((r) => open.includes(r)) && open.every((r, n) => n === 0 || open[n - 1]! < r));
  });
  const last = rounds.at(-1);
  for (const { region, before, rematerialized, isTarget: missed } of regions) {
    const isLower = rematerialized !== null && (rematerialized.vgpr < before.vgpr || rematerialized.sgpr < before.sgpr);
    if (missed && last !== undefined && !last.open.includes(region))
      assert.ok(isLower || rematerialized!.agpr < before.agpr);
  }
  for (const { candidate, copies } of chosen) {
    const { uses, def } = candidates[candidate]!;
    assert.deepEqual([...new Set(copies.map((c) => c.region))], [...new Set(uses.map((u) => u.region))]);
    assert.ok(copies.every((c) => c.clone >= fn.nInstrs && c.clone !== def && uses.some((u) => u.instr === c.use)));
  }
}

/** Every third user of a value becomes one of another value, too. */
const withSharedUsers = (text: string): string => {
  let n = 0;
  return text.replace(/^ {4}S_NOP 0, implicit (%\d+).*$/gm, (line, reg: string) =>
    n++ % 3 === 0 ? `${line}\n    S_NOP 1, implicit ${reg}` : line,
  );
};

/** The first ones, and some in which nothing is useful or all is rolled back. */
const SEEDS = [...Array.from({ length: 24 }, (_, k) => k + 1), 48, 56, 66, 75, 95, 116, 133, 145, 149];

/** How the stage ends, function by function; each is checked on the way. */
function outcomesOf(seed: number, model: SchedulerModel): string[] {
  const text = randomRemat(seed);
  const { fns, facts } = lowerWithRunLine(seed % 2 === 0 ? withSharedUsers(text) : text);
  const options = { ...DEFAULT_SCHEDULE_OPTIONS, model };
  return fns.map((fn) => {
    const { report, fn: watched } = checkRemat(fn, facts, options);
    if (report !== null) checkReport(fn, report);
    const { fn: alone } = scheduleFunction(fn, options, new SchedulerProcessState(), facts);
    assert.equal(printFunctionDocument(alone, {}), printFunctionDocument(watched, {}));
    return report === null ? 'did not run' : `${report.objective.kind}: ${report.result}`;
  });
}

/** A seed that ends so, under every model. */
const ENDINGS: Readonly<Record<string, readonly number[]>> = {
  'occupancy: kept': [1],
  'spilling: kept': [8],
  'occupancy: rolled back': [56],
  'occupancy: no useful candidate': [95],
};

/** VGPRs, of which the last `free` may be computed again; `users`: those that are free are read there alone. */
const vgprsThrough = (n: number, free: number, users?: readonly string[]): string =>
  liveThrough(free, {
    n,
    def: (k) => `%${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec`,
    users,
    hasBlockBehind: true,
  });

describe('scoring rematerialization stages', () => {
  for (const model of SCHEDULER_MODELS)
    it(`${model}: does not schedule a region anew in which nothing was computed again`, () => {
      const [{ trace }] = traceText(vgprsThrough(25, 2), { model });
      assert.equal(trace.remat?.result, 'kept');
      const stage = trace.stages.find((s) => s.stage === 'PreRARematerialize');
      assert.deepEqual(
        stage?.runs.map((r) => [r.region, r.skipped]),
        [
          [0, null],
          [1, null],
          [2, null],
          [3, 'not touched by rematerialization'],
        ],
      );
    });

  it('takes the earlier one of two equals; the later one where LLVM published it so', () => {
    const order = (model: SchedulerModel, n: number): readonly unknown[] => {
      const [{ trace }] = traceText(vgprsThrough(n, 2), { model });
      const r = trace.remat!;
      return [r.objective.kind, ...r.rounds[0]!.verdicts.map((v) => r.candidates[v.candidate]!.name)];
    };
    assert.deepEqual(order('llvm-main-2026-01', 25), ['occupancy', '%24', '%23']);
    assert.deepEqual(order('llvm-main-2026-01', 257), ['spilling', '%255', '%256']);
    assert.deepEqual(order('llvm-main-2026-07', 25), ['occupancy', '%23', '%24']);
    assert.deepEqual(order('llvm-main-2026-07', 257), ['spilling', '%255', '%256']);
  });

  it('puts one copy before the first user in the order as it is by then', () => {
    // while the loads are under way, what does not wait for them goes first
    const load = (pointer: number): readonly string[] => [
      `    %${pointer}:vreg_64 = IMPLICIT_DEF`,
      `    %${pointer + 1}:vgpr_32 = GLOBAL_LOAD_DWORD %${pointer}, 0, 0, implicit $exec :: (load (s32), addrspace 1)`,
      `    %${pointer + 2}:vgpr_32 = V_ADD_U32_e32 %${pointer + 1}, %24, implicit $exec`,
    ];
    const text = vgprsThrough(25, 1, [
      '    SCHED_BARRIER 0',
      ...load(100),
      '    %200:vgpr_32 = V_ADD_U32_e32 1, %24, implicit $exec',
      ...load(300),
      '    S_NOP 0, implicit %102, implicit %200, implicit %302',
    ]);
    const [{ trace, fn }] = traceText(text, { model: 'llvm-main-2026-07' });
    assert.equal(trace.remat?.result, 'kept');
    const [{ candidate, copies }] = trace.remat.chosen;
    assert.equal(copies.length, 1);
    const [{ use, clone }] = copies;
    const order = [...fn.order];
    const users = trace.remat.candidates[candidate]!.uses.map((u) => u.instr);
    const byPlace = [...users].sort((a, b) => order.indexOf(a) - order.indexOf(b));
    assert.notDeepEqual(
      byPlace,
      users.slice().sort((a, b) => a - b),
    );
    assert.equal(use, byPlace[0]);
    assert.equal(order[order.indexOf(use) - 1], clone);
    assert.deepEqual(
      verifyFunction(fn, {}).map((r) => r.message),
      [],
    );
  });

  for (const model of ['llvm-24', 'llvm-main-2026-01', 'llvm-main-2026-07'] as const) {
    for (const seed of SEEDS)
      it(`${model}: report, pressure, rollback and verifier agree, seed ${seed}`, () => {
        const outcomes = outcomesOf(seed, model);
        for (const [ending, seeds] of Object.entries(ENDINGS))
          if (seeds.includes(seed)) assert.ok(outcomes.includes(ending), outcomes.join());
      });
  }
});

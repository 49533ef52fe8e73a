/**
 * What holds for every run of a rematerialization stage: after a rollback the function is the one before the stage, bit for bit; after
 * success every region has the target occupancy; the pressure that the stage tracks is that of live intervals made anew; the report
 * tells what was done; the result is accepted by the verifier.
 */
import assert from 'node:assert/strict';
import { verifyFunction } from '../../server/src/analysis/verifier/index.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import { printFunctionDocument } from '../../server/src/model/printer/index.js';
import type { RematReport } from '../../server/src/passes/scheduler/remat/report.js';
import type { SchedulerModel } from '../../server/src/passes/scheduler/schedulerModel.js';
import {
  scheduleFunction,
  SchedulerProcessState,
  type ModuleFacts,
  type ScheduleOptions,
} from '../../server/src/passes/scheduler/scheduleFunction.js';
import type {
  GCNScheduleDAGMILive,
  StageObserver,
} from '../../server/src/passes/scheduler/stages/gcnScheduleDAGMILive.js';
import { StageKind } from '../../server/src/passes/scheduler/stages/stageEvents.js';

/** The function as the scheduler has it at a moment. */
function snapshot(s: GCNScheduleDAGMILive): string {
  s.ctx.list.writeBack();
  return printFunctionDocument(s.ctx.fn, { simplify: false });
}

class Watch implements StageObserver {
  scheduler: GCNScheduleDAGMILive | null = null;
  before = '';
  after = '';
  report: RematReport | null = null;
  undone = false;
  readonly moved: number[] = [];

  begin(s: GCNScheduleDAGMILive): void {
    this.scheduler = s;
  }

  stageBegin(kind: StageKind): void {
    if (kind === StageKind.PreRARemat && this.scheduler !== null) this.before = snapshot(this.scheduler);
  }

  stage(kind: StageKind): void {
    if (kind === StageKind.PreRARemat && this.scheduler !== null) this.after = snapshot(this.scheduler);
  }

  rematReport(report: RematReport): void {
    this.report = report;
  }

  rematerialized(def: number): void {
    this.moved.push(def);
  }

  rematUndone(): void {
    this.undone = true;
  }
}

/** Pressures of the regions that still have instructions. */
function pressures(s: GCNScheduleDAGMILive): string[] {
  const { list, roles } = s.ctx;
  const isEmpty = (r: number): boolean => {
    const { begin, end } = s.regions[r];
    for (let p = begin; p !== end && p >= 0; p = list.after(p)) if (!roles.isDebug(p)) return false;
    return true;
  };
  return s.regions.flatMap(({ pressure }, r) => (isEmpty(r) ? [] : [Array.from(pressure).join(' ')]));
}

export interface RematCheck {
  readonly report: RematReport | null;
  /** the scheduled function */
  readonly fn: MachineFunction;
}

/** What a model promises. */
export interface RematPromises {
  /** a rollback restores the function, and the pressure is that of the result; 22.1.8 forgets some registers on purpose (remat.md A.2), 24 leaves traces (D) and counts too much (gcn-strategy.md 5.2) */
  readonly isExact: boolean;
  /** the target is only called reached when every region has it */
  readonly isReached: boolean;
}

const PROMISES: Readonly<Record<SchedulerModel, RematPromises>> = {
  'llvm-22': { isExact: false, isReached: false },
  'llvm-main-2026-01': { isExact: true, isReached: true },
  'llvm-24': { isExact: false, isReached: false },
  'rocm-10': { isExact: false, isReached: false },
  'llvm-main': { isExact: false, isReached: false },
  'llvm-main-2026-07': { isExact: true, isReached: false },
};

/** Schedules a function and checks the properties. */
export function checkRemat(original: MachineFunction, facts: ModuleFacts, options: ScheduleOptions): RematCheck {
  const watch = new Watch();
  const { fn } = scheduleFunction(original, options, new SchedulerProcessState(), facts, watch);
  const { scheduler: s, report } = watch;
  if (s === null || report === null) return { report: null, fn };

  const { occupancy } = report.objective;
  const { isExact, isReached } = PROMISES[options.model];
  if (report.chosen.length === 0) assert.equal(watch.after, watch.before, 'nothing was chosen, and something changed');
  if (report.result === 'rolled back' && isExact) assert.equal(watch.after, watch.before, 'rollback');
  if (report.result.startsWith('kept') && isReached && occupancy !== null)
    report.regions.forEach((r) => assert.ok(r.occupancyAfter >= occupancy, `region ${r.region} misses the target`));

  const defs = report.chosen.map((c) => report.candidates[c.candidate].def);
  assert.deepEqual(defs, [...new Set(watch.moved)]);
  assert.equal(report.result === 'rolled back', watch.undone);
  const decided = report.rounds.flatMap((r) =>
    r.verdicts.filter((v) => v.verdict === 'chosen').map((v) => v.candidate),
  );
  if (report.result !== 'target out of reach')
    assert.deepEqual(
      decided,
      report.chosen.map((c) => c.candidate),
    );

  const tracked = pressures(s);
  let anew: string[] = [];
  const again: StageObserver = { begin: (x) => void (anew = pressures(x)) };
  scheduleFunction(fn, options, new SchedulerProcessState(), facts, again);
  if (isExact) assert.deepEqual(tracked, anew);
  assert.deepEqual(
    verifyFunction(fn, {}).map((r) => r.message),
    [],
  );
  return { report, fn };
}

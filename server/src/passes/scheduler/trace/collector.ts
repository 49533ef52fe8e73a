/**
 * Collects the decision trace of a function while it is scheduled. Nothing here runs unless a trace is asked for.
 */
import { pressureOccupancy, type Pressure } from '../../../analysis/gcnPressure.js';
import type { InstrId, MachineFunction, BlockId } from '../../../model/machineFunction.js';
import { GenericKind, type GenericObserver } from '../generic/genericScheduler.js';
import {
  IterativeKind,
  PROPOSED,
  SEARCH_PASS,
  USES_PROPOSAL,
  type IterativeEvent,
} from '../iterative/iterativeScheduler.js';
import {
  chooseScheduler,
  scheduleFunction,
  whyNotScheduled,
  type ModuleFacts,
  type ScheduleOptions,
  type SchedulerChoice,
  type SchedulerProcessState,
} from '../scheduleFunction.js';
import type { GCNScheduleDAGMILive, StageObserver } from '../stages/gcnScheduleDAGMILive.js';
import { scheduleLength } from '../stages/scheduleMetrics.js';
import { STAGE_NAMES, type RegionEvent, type SkipReason, type StageKind } from '../stages/stageEvents.js';
import { StrategyKind, type PickObserver } from '../strategy/gcnSchedStrategy.js';
import type { IlpWatch } from '../regionScheduler.js';
import type { RematReport } from '../remat/report.js';
import type { MfmaRewriteReport } from '../stages/mfmaRewriteReport.js';
import { IlpCollector } from './ilpCollector.js';
import { PickCollector } from './pickCollector.js';
import { pressureTrace, type PressureTrace } from './pressureTrace.js';
import type {
  RegionRunDetails,
  RegionRunTrace,
  RegionTrace,
  RematTrace,
  SchedulerOrigin,
  ScheduleTrace,
  StageTrace,
} from './scheduleTrace.js';

export interface TraceOptions {
  /** regions whose picks are wanted, by number and instructions; null = none, they are the big part */
  readonly picksOf: ((region: number, nInstrs: number) => boolean) | null;
  /** told where the scheduler is: `OccInitialSchedule, region 3 of 7` */
  readonly onProgress?: (place: string) => void;
}

export interface TracedSchedule {
  /** the scheduled function, a clone */
  readonly fn: MachineFunction;
  readonly trace: ScheduleTrace;
}

/** Schedules a clone of `original` and tells how. Same result as scheduleFunction; the same preconditions. */
export function traceSchedule(
  original: MachineFunction,
  options: ScheduleOptions,
  process: SchedulerProcessState,
  module: ModuleFacts,
  trace: TraceOptions,
): TracedSchedule {
  const collector = new TraceCollector(trace);
  const { fn, choice } = scheduleFunction(original, options, process, module, collector, collector);
  return { fn, trace: collector.finish(original, fn, choice, options) };
}

function schedulerName(choice: SchedulerChoice): string {
  if ('list' in choice) {
    switch (choice.list) {
      case StrategyKind.MaxOccupancy:
        return 'gcn-max-occupancy';
      case StrategyKind.MaxILP:
        return 'gcn-max-ilp';
      case StrategyKind.MaxMemoryClause:
        return 'gcn-max-memory-clause';
      case StrategyKind.CoExec:
        return 'gcn-coexec';
      case StrategyKind.Generic:
        return 'converge';
    }
  }
  if ('generic' in choice) {
    switch (choice.generic) {
      case GenericKind.Converge:
        return 'converge';
      case GenericKind.ILPMax:
        return 'ilpmax';
      case GenericKind.ILPMin:
        return 'ilpmin';
    }
  }
  switch (choice.iterative) {
    case IterativeKind.MinReg:
      return 'gcn-iterative-minreg';
    case IterativeKind.ILP:
      return 'gcn-iterative-ilp';
    case IterativeKind.MaxOccupancy:
      return 'gcn-iterative-max-occupancy-experimental';
  }
}

/** What made chooseScheduler choose. */
function originOf(fn: MachineFunction, options: ScheduleOptions): SchedulerOrigin {
  const plain = { ...options, misched: '', schedStrategy: '' };
  const name = (o: ScheduleOptions): string => schedulerName(chooseScheduler(fn, o));
  if (options.misched !== '' && options.misched !== 'default') return 'option -misched';
  if (fn.header.irFunction.attributes.has('amdgpu-sched-strategy')) return 'attribute "amdgpu-sched-strategy"';
  return name(options) === name(plain) ? 'default' : 'option -amdgpu-sched-strategy';
}

interface OpenStage {
  readonly stage: string;
  readonly minOccupancyBefore: number;
  readonly occupancyBefore: number;
  readonly runs: RegionRunTrace[];
}

/** A region as the scheduler formed it, before anything moved. */
interface FormedTrace {
  readonly block: BlockId;
  readonly boundary: InstrId;
  readonly order: readonly InstrId[];
}

class TraceCollector implements StageObserver, GenericObserver {
  private readonly stages: StageTrace[] = [];
  private open: OpenStage | null = null;
  private regions: FormedTrace[] = [];
  private scheduler: GCNScheduleDAGMILive | null = null;
  private readonly rematerializations: RematTrace[] = [];
  private undone = false;
  private remat: RematReport | null = null;
  private rewriting: MfmaRewriteReport | null = null;
  private pickers: PickCollector | null = null;
  private ilp: IlpCollector | null = null;
  private occupancyOf: (p: Pressure) => number = () => 0;
  private initialPressure: (PressureTrace | null)[] = [];
  private initialOccupancy: number[] = [];
  private occupancyAtStart = 0;

  constructor(private readonly options: TraceOptions) {}

  // -- list schedulers ----------------------------------------------------------------------------------------------

  begin(s: GCNScheduleDAGMILive): void {
    this.scheduler = s;
    this.occupancyAtStart = s.startingOccupancy;
    this.occupancyOf = (p) => s.occupancyOf(p);
    this.regions = s.regions.map((r) => ({
      block: r.block,
      boundary: Math.max(r.end, -1),
      order: s.ctx.instrsOf(r).filter((i) => !s.ctx.roles.isDebug(i)),
    }));
    this.initialPressure = s.regions.map((r) => pressureTrace(r.pressure));
    this.initialOccupancy = s.regions.map((r) => s.occupancyOf(r.pressure));
  }

  stageBegin(kind: StageKind): void {
    const s = this.scheduler as GCNScheduleDAGMILive;
    this.open = {
      stage: STAGE_NAMES[kind],
      minOccupancyBefore: s.minOccupancy,
      occupancyBefore: s.ctx.mfi.occupancy,
      runs: [],
    };
  }

  stage(_kind: StageKind, ran: boolean, why: SkipReason | null): void {
    const s = this.scheduler as GCNScheduleDAGMILive;
    this.closeStage(ran, why, s.minOccupancy, s.ctx.mfi.occupancy);
  }

  private closeStage(ran: boolean, why: string | null, minOccupancyAfter: number, occupancyAfter: number): void {
    if (this.open === null) return;
    const runs = ran ? this.open.runs : [];
    this.stages.push({ ...this.open, ran, why, minOccupancyAfter, occupancyAfter, runs });
    this.open = null;
  }

  picks(_kind: StageKind, region: number): PickObserver {
    return (this.pickers = new PickCollector(this.wantsPicks(region)));
  }

  ilpPicks(region: number): IlpWatch | null {
    return this.wantsPicks(region) ? (this.ilp = new IlpCollector()) : null;
  }

  /** Of the region that is about to be scheduled. */
  private wantsPicks(region: number): boolean {
    this.options.onProgress?.(`${this.open?.stage ?? ''}, region ${region + 1} of ${this.regions.length}`);
    return this.options.picksOf?.(region, this.regions[region].order.length) === true;
  }

  skipped(_kind: StageKind, region: number, why: SkipReason): void {
    this.open?.runs.push({ region, skipped: why, details: null });
  }

  region(e: RegionEvent): void {
    const s = this.scheduler as GCNScheduleDAGMILive;
    const identity = Int32Array.from(e.nodes, (_, n) => n);
    const before = scheduleLength(e.graph, identity);
    const after = scheduleLength(e.graph, e.scheduled);
    const p = this.pickers as PickCollector;
    this.pickers = null;
    const details: RegionRunDetails = {
      targetOccupancy: e.targetOccupancy,
      limits: { ...e.limits },
      before: pressureTrace(e.before),
      after: pressureTrace(e.after),
      occupancyBefore: s.occupancyOf(e.before),
      occupancyAfter: s.occupancyOf(e.after),
      minOccupancyAfter: e.minOccupancyAfter,
      highPressureSeen: e.hasHighPressure,
      highRP: e.highRP,
      excessRP: e.excessRP,
      checked: e.checked,
      reverted: e.reverted,
      profit: e.profit,
      criticalPath: p.criticalPath,
      cyclicCriticalPath: p.cyclicCriticalPath,
      acyclicLatencyLimited: p.acyclicLatencyLimited,
      lengthBefore: before.cycles,
      lengthAfter: after.cycles,
      stallsBefore: before.bubbles,
      stallsAfter: after.bubbles,
      oldOrder: Array.from(e.nodes),
      newOrder: Array.from(e.scheduled, (n) => e.nodes[n]),
      picks: p.picks,
    };
    this.open?.runs.push({ region: e.region, skipped: null, details });
  }

  rematerialized(def: InstrId, use: InstrId, clone: InstrId): void {
    this.rematerializations.push({ def, use, clone });
  }

  rematUndone(): void {
    this.undone = true;
  }

  mfmaRewrite(report: MfmaRewriteReport): void {
    this.rewriting = report;
  }

  replaced(s: GCNScheduleDAGMILive): void {
    this.scheduler = s;
  }

  rematReport(report: RematReport): void {
    this.remat = report;
  }

  // -- iterative schedulers -----------------------------------------------------------------------------------------

  iterativeBegin(fn: MachineFunction, dynamicVGPRBlockSize: number, occupancy: number): void {
    this.occupancyAtStart = occupancy;
    this.occupancyOf = (p) => pressureOccupancy(p, fn.subtarget, dynamicVGPRBlockSize);
  }

  iterativeRegion(block: BlockId, boundary: InstrId, order: readonly InstrId[], pressure: Pressure): void {
    this.regions.push({ block, boundary, order });
    this.initialPressure.push(pressureTrace(pressure));
    this.initialOccupancy.push(this.occupancyOf(pressure));
  }

  iterativePass(name: string, occupancy: number): void {
    this.closePass(occupancy);
    this.open = { stage: name, minOccupancyBefore: occupancy, occupancyBefore: occupancy, runs: [] };
  }

  private closePass(occupancy: number): void {
    this.closeStage(true, null, occupancy, occupancy);
  }

  iterativeRun(e: IterativeEvent): void {
    const p = this.pickers;
    const ilp = this.ilp;
    this.pickers = this.ilp = null;
    const length = e.length;
    this.open?.runs.push({
      region: e.region,
      skipped: e.skipped,
      details:
        e.before === null || e.after === null
          ? null
          : {
              targetOccupancy: e.targetOccupancy,
              limits: null,
              before: pressureTrace(e.before),
              after: pressureTrace(e.after),
              occupancyBefore: this.occupancyOf(e.before),
              occupancyAfter: this.occupancyOf(e.after),
              minOccupancyAfter: e.targetOccupancy,
              highPressureSeen: false,
              highRP: false,
              excessRP: false,
              checked: true,
              reverted: e.reverted,
              profit: null,
              criticalPath: p?.criticalPath ?? 0,
              cyclicCriticalPath: p?.cyclicCriticalPath ?? 0,
              acyclicLatencyLimited: p?.acyclicLatencyLimited ?? false,
              lengthBefore: length?.before.cycles ?? 0,
              lengthAfter: length?.after.cycles ?? 0,
              stallsBefore: length?.before.bubbles ?? 0,
              stallsAfter: length?.after.bubbles ?? 0,
              oldOrder: e.oldOrder,
              newOrder: e.newOrder,
              picks: p?.picks ?? ilp?.picks ?? [],
            },
    });
  }

  // -- the result ---------------------------------------------------------------------------------------------------

  finish(
    original: MachineFunction,
    fn: MachineFunction,
    choice: SchedulerChoice,
    options: ScheduleOptions,
  ): ScheduleTrace {
    const occupancyAfter = fn.header.machineFunctionInfo.occupancy;
    if (this.open !== null) this.closePass(occupancyAfter);
    const s = this.scheduler;
    return {
      function: original.header.name,
      model: options.model,
      scheduler: schedulerName(choice),
      chosenBy: originOf(original, options),
      notScheduled: whyNotScheduled(original),
      occupancyBefore: this.regions.length === 0 ? occupancyAfter : this.occupancyAtStart,
      occupancyAfter,
      regions: this.regions.map((_, r) => this.regionTrace(r, fn, s)),
      stages: this.stages,
      rematerialized: this.rematerializations,
      rematUndone: this.undone,
      remat: this.remat,
      mfmaRewrite: this.rewriting,
    };
  }

  private regionTrace(r: number, fn: MachineFunction, s: GCNScheduleDAGMILive | null): RegionTrace {
    const formed = this.regions[r];
    let settledBy: string | null = null;
    let lengthBefore = 0;
    let lengthAfter = 0;
    let criticalPath = 0;
    let pressureAfter = this.initialPressure[r];
    let occupancyAfter = this.initialOccupancy[r];
    let newOrder: readonly number[];
    let proposal: RegionRunDetails | null = null;
    const reverts: { stage: string; rule: string }[] = [];
    for (const stage of this.stages) {
      for (const run of stage.runs) {
        const d = run.details;
        if (run.region !== r || d === null) continue;
        if (lengthBefore === 0) lengthBefore = lengthAfter = d.lengthBefore;
        if (criticalPath === 0) criticalPath = d.criticalPath;
        if (d.reverted === PROPOSED) {
          proposal = d;
          continue;
        }
        if (d.reverted === USES_PROPOSAL && proposal !== null) {
          settledBy = SEARCH_PASS;
          lengthAfter = proposal.lengthAfter;
          pressureAfter = proposal.after;
          occupancyAfter = proposal.occupancyAfter;
        }
        if (d.reverted !== null) {
          reverts.push({ stage: stage.stage, rule: d.reverted });
          continue;
        }
        settledBy = stage.stage;
        lengthAfter = d.lengthAfter;
        criticalPath = d.criticalPath;
        pressureAfter = d.after;
        occupancyAfter = d.occupancyAfter;
      }
    }
    if (s !== null) {
      // rematerialization may have changed a region without scheduling it
      newOrder = s.ctx.instrsOf(s.regions[r]).filter((i) => !s.ctx.roles.isDebug(i));
      pressureAfter = pressureTrace(s.regions[r].pressure);
      occupancyAfter = s.occupancyOf(s.regions[r].pressure);
    } else {
      const own = new Set(formed.order);
      const block = fn.order.subarray(fn.blockBegin[formed.block], fn.blockEnd[formed.block]);
      newOrder = Array.from(block).filter((i) => own.has(i));
    }
    return {
      region: r,
      block: formed.block,
      first: formed.order[0],
      last: formed.order[formed.order.length - 1],
      boundary: formed.boundary,
      nInstrs: formed.order.length,
      pressureBefore: this.initialPressure[r],
      pressureAfter,
      occupancyBefore: this.initialOccupancy[r],
      occupancyAfter,
      lengthBefore,
      lengthAfter,
      criticalPath,
      settledBy,
      reverts,
      oldOrder: formed.order,
      newOrder,
    };
  }
}

/**
 * The machine-scheduler pass on one function: choice of the scheduler, mutations, stages.
 *
 * Follows MachineScheduler and AMDGPUTargetMachine::createMachineScheduler (LLVM 22.1.8) as docs/llvm/schedule-dag.md, 2 and 9 and
 * gcn-strategy.md 2 describe them.
 */
import type { LimitQuery } from '../../model/attributeErrors.js';
import { OperandKind, type BlockId, type MachineFunction } from '../../model/machineFunction.js';
import { Generation, type RegUnit } from '../../target/api.js';
import { releaseOf } from '../../target/index.js';
import { SchedContext, SetLimitsState } from './context.js';
import { AliasFacts, type IRAliasQueries } from './dag/aliasFacts.js';
import { addBarrierLatency } from './dag/mutations/barrierLatency.js';
import { addHazardLatency } from './dag/mutations/hazardLatency.js';
import type { ScheduleGraph } from './dag/graph.js';
import { clusterLoads, clusterStores } from './dag/mutations/clusterMemOps.js';
import { DEFAULT_HUGE_REGION_LIMITS, type HugeRegionLimits } from './dag/memory.js';
import { clusterExports } from './dag/mutations/exports.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { IGroupLP, IglpPhase } from './dag/mutations/igroupLP.js';
import { DEFAULT_IGLP_OPTIONS, type IglpOptions } from './dag/mutations/groupRun.js';
import { IglpProcessState } from './dag/mutations/iglpStrategies.js';
import { fuseMacros } from './dag/mutations/macroFusion.js';
import { pinOrder, type Pin } from './dag/mutations/pins.js';
import { DEFAULT_CLUSTER_LIMITS, type ClusterLimits, type Mutation } from './dag/mutations/mutation.js';
import { GenericKind, runGenericScheduler, type GenericObserver } from './generic/genericScheduler.js';
import { IterativeKind, GCNIterativeScheduler } from './iterative/iterativeScheduler.js';
import { SpareColumns } from './regionColumns.js';
import { RegionScheduler } from './regionScheduler.js';
import { formRegions } from './regions.js';
import { PreRARematStage } from './remat/remat22.js';
import { SCORING_RULES, ScoringRematStage } from './remat/scoringRemat.js';
import { resolveSchedClass } from './schedClass.js';
import { DEFAULT_MODEL, rematerializationOfMain, releaseOfModel, type SchedulerModel } from './schedulerModel.js';
import { RewriteMFMAFormStage } from './stages/rewriteMfmaForm.js';
import { GCNScheduleDAGMILive, type SchedStage, type StageObserver } from './stages/gcnScheduleDAGMILive.js';
import {
  ClusteredLowOccStage,
  ILPInitialScheduleStage,
  MemoryClauseInitialScheduleStage,
  OccInitialScheduleStage,
  UnclusteredHighRPStage,
} from './stages/gcnStages.js';
import { DEFAULT_PENDING_QUEUE_LIMIT, Direction, StrategyKind } from './strategy/gcnSchedStrategy.js';
import { DEFAULT_SCHED_BOUNDARY_OPTIONS, type SchedBoundaryOptions } from './strategy/schedBoundary.js';

/** Options of the pass by the names of llc's options. */
export interface ScheduleOptions {
  /** `--model`, not one of llc's */
  readonly model: SchedulerModel;
  /** `-misched`; '' = not given */
  readonly misched: string;
  /** `-amdgpu-sched-strategy`; the attribute of the function wins */
  readonly schedStrategy: string;
  readonly direction: Direction;
  readonly cluster: boolean;
  readonly fusion: boolean;
  readonly useAA: boolean;
  readonly usesBasicAA: boolean;
  readonly useAmdgpuTrackers: boolean;
  readonly disableUnclusteredHighRP: boolean;
  readonly disableClusteredLowOccupancy: boolean;
  /** `-amdgpu-disable-rewrite-mfma-form-sched-stage=0`, an option of LLVM main */
  readonly rewriteMfmaForm: boolean;
  readonly relaxedOccupancy: boolean;
  readonly metricBias: number;
  readonly pendingQueueLimit: number;
  readonly barrierSignalWaitLatencyCycles: number;
  readonly iglp: IglpOptions;
  /** `-misched-regpressure` */
  readonly tracksPressure: boolean;
  /** `-misched-cyclicpath` */
  readonly cyclicPath: boolean;
  readonly zone: SchedBoundaryOptions;
  /** `-enable-scoped-noalias` */
  readonly usesScopes: boolean;
  readonly schedModel: boolean;
  /** `-verify-misched`; the generic scheduler then judges candidates another way */
  readonly verifies: boolean;
  readonly hugeRegionLimits: HugeRegionLimits;
  readonly clusterLimits: ClusterLimits;
  /** `-stress-regalloc`; 0 = no limit */
  readonly stressRegAlloc: number;
  /** told the critical path, in cycles, of every region that is scheduled (`-misched-dcpl`) */
  readonly onCriticalPath?: (cycles: number) => void;
  /** told the block of every region that is handed to the scheduler, before any is scheduled (`-misched-dcpl`) */
  readonly onRegion?: (block: BlockId) => void;
  /** told each time that LLVM computes a limit of the function anew, with what that has to say about its attributes */
  readonly onLimits?: (query: LimitQuery) => void;
  /** instructions that are to stand before others, not one of llc's; the schedulers that LLVM has for every target know none */
  readonly pins?: readonly Pin[];
  /** shown every graph after its mutations; borrowed */
  readonly onGraph?: (graph: ScheduleGraph) => void;
  /** follows the function through the pass */
  readonly follower?: ScheduleFollower | undefined;
  /** see MachinePass.run */
  readonly hasIntervals?: boolean | undefined;
  /** see ContextOptions */
  readonly knownUnits?: ReadonlySet<RegUnit> | null | undefined;
  /** asked now and then, also inside of a region; throws `Cancelled` to end the work. The clone is of no use then. */
  readonly checkpoint?: () => void;
}

export const DEFAULT_SCHEDULE_OPTIONS: ScheduleOptions = {
  model: DEFAULT_MODEL,
  misched: '',
  schedStrategy: '',
  direction: Direction.Bidirectional,
  cluster: true,
  fusion: true,
  useAA: true,
  usesBasicAA: true,
  useAmdgpuTrackers: false,
  disableUnclusteredHighRP: false,
  disableClusteredLowOccupancy: false,
  rewriteMfmaForm: false,
  relaxedOccupancy: false,
  metricBias: 10,
  pendingQueueLimit: DEFAULT_PENDING_QUEUE_LIMIT,
  barrierSignalWaitLatencyCycles: 16,
  iglp: DEFAULT_IGLP_OPTIONS,
  tracksPressure: true,
  cyclicPath: true,
  zone: DEFAULT_SCHED_BOUNDARY_OPTIONS,
  usesScopes: true,
  schedModel: true,
  verifies: false,
  hugeRegionLimits: DEFAULT_HUGE_REGION_LIMITS,
  clusterLimits: DEFAULT_CLUSTER_LIMITS,
  stressRegAlloc: 0,
};

/** Takes note of all that becomes of a function. */
export interface ScheduleFollower {
  /** A function that is followed already, which is scheduled itself and not a clone of it; null = none. */
  readonly known: MachineFunction | null;
  /** The function that is to be scheduled, before anything is computed of it; its editor, which the scheduler takes over. */
  start(fn: MachineFunction): FunctionEditor;
  /** What the scheduler works on, before it moves anything. */
  prepared(context: SchedContext): void;
}

/** What LLVM keeps from one function of a run to the next. */
export class SchedulerProcessState {
  readonly iglp = new IglpProcessState();
  readonly setLimits = new SetLimitsState();
  /** ours: what LLVM allocates anew */
  readonly columns = new SpareColumns();
}

export type SchedulerChoice =
  { readonly list: StrategyKind } | { readonly iterative: IterativeKind } | { readonly generic: GenericKind };

const BY_STRATEGY = new Map<string, SchedulerChoice>([
  ['max-ilp', { list: StrategyKind.MaxILP }],
  ['max-memory-clause', { list: StrategyKind.MaxMemoryClause }],
  ['iterative-ilp', { iterative: IterativeKind.ILP }],
  ['iterative-minreg', { iterative: IterativeKind.MinReg }],
  ['iterative-maxocc', { iterative: IterativeKind.MaxOccupancy }],
]);

const BY_MISCHED = new Map<string, SchedulerChoice>([
  ['gcn-max-occupancy', { list: StrategyKind.MaxOccupancy }],
  ['gcn-max-ilp', { list: StrategyKind.MaxILP }],
  ['gcn-max-memory-clause', { list: StrategyKind.MaxMemoryClause }],
  ['gcn-iterative-max-occupancy-experimental', { iterative: IterativeKind.MaxOccupancy }],
  ['gcn-iterative-minreg', { iterative: IterativeKind.MinReg }],
  ['gcn-iterative-ilp', { iterative: IterativeKind.ILP }],
  ['converge', { generic: GenericKind.Converge }],
  ['ilpmax', { generic: GenericKind.ILPMax }],
  ['ilpmin', { generic: GenericKind.ILPMin }],
]);

export const isKnownMisched = (name: string): boolean => name === '' || name === 'default' || BY_MISCHED.has(name);

/** Why this function's schedule would not be llc's; null where it is. */
export function whyNotModelledFor(fn: MachineFunction, options: ScheduleOptions): string | null {
  const isNew = fn.subtarget.release.rules.hasCoExecStrategy && BY_MISCHED.get(options.misched) === undefined;
  if (isNew && strategyOf(fn, options) === COEXEC && !knowsCoExec(fn))
    return `amdgpu-mir does not model the scheduling strategy '${COEXEC}'`;
  if (!fn.subtarget.hasFeature('si-scheduler')) return null;
  const named = BY_MISCHED.get(options.misched);
  if (named === undefined)
    return `amdgpu-mir does not model the SI scheduler, which the feature 'si-scheduler' asks for; -misched=gcn-iterative-minreg names another`;
  // GCNSubtarget::overrideSchedPolicy; the iterative schedulers do not ask it.
  if ('iterative' in named || !hasSubRegisters(fn)) return null;
  return `amdgpu-mir does not model sub-registers that are scheduled as whole registers, which the feature 'si-scheduler' asks for`;
}

function hasSubRegisters(fn: MachineFunction): boolean {
  for (let o = 0; o < fn.nOperands; o++) {
    if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] < 0 && fn.opSub[o] !== 0) return true;
  }
  return false;
}

const COEXEC = 'coexec';

const strategyOf = (fn: MachineFunction, options: ScheduleOptions): string =>
  fn.header.irFunction.attributes.get('amdgpu-sched-strategy') ?? options.schedStrategy;

/** @llvm AMDGPUTargetMachine.cpp GCNTargetMachine::createMachineScheduler */
export function chooseScheduler(fn: MachineFunction, options: ScheduleOptions): SchedulerChoice {
  const named = BY_MISCHED.get(options.misched);
  if (named !== undefined) return named;
  const strategy = strategyOf(fn, options);
  if (strategy === COEXEC && knowsCoExec(fn)) return { list: StrategyKind.CoExec };
  return BY_STRATEGY.get(strategy) ?? { list: StrategyKind.MaxOccupancy };
}

/** What that strategy decides for itself. */
const COEXEC_OPTIONS = { direction: Direction.TopDown, useAmdgpuTrackers: true };

const knowsCoExec = ({ subtarget }: MachineFunction): boolean =>
  subtarget.release.rules.hasCoExecStrategy && subtarget.hasFeature('gfx1250-insts');

/** What the scheduler asks of the module around the function. */
export interface ModuleFacts {
  /** names in `syncscope("...")` in the order of their first mention in the file, without singlethread */
  readonly syncScopes: readonly string[];
  /** alias queries of a function's IR; null without IR */
  aliasQueries(fn: MachineFunction): IRAliasQueries | null;
}

const NO_MODULE: ModuleFacts = { syncScopes: [], aliasQueries: () => null };

function mutationsFor(
  choice: SchedulerChoice,
  fn: MachineFunction,
  options: ScheduleOptions,
  state: IglpProcessState,
  syncScopes: readonly string[],
): Mutation[] {
  const list: Mutation[] = [];
  const clusters = (): void => {
    if (!options.cluster) return;
    list.push(clusterLoads);
    if (fn.subtarget.generation >= Generation.GFX11) list.push(clusterStores);
  };
  const groups = (): void => {
    const group = new IGroupLP(IglpPhase.Initial, state, options.iglp);
    list.push((m) => group.apply(m));
  };
  const exportsAndBarriers = (): void => {
    list.push(clusterExports, addBarrierLatency(syncScopes, fn));
    if (fn.subtarget.release.rules.spacesMaskWrites) list.push(addHazardLatency);
  };
  if ('list' in choice) {
    switch (choice.list) {
      case StrategyKind.MaxOccupancy:
        clusters();
        groups();
        if (options.fusion) list.push(fuseMacros);
        exportsAndBarriers();
        break;
      case StrategyKind.MaxILP:
      case StrategyKind.CoExec:
        groups();
        break;
      case StrategyKind.MaxMemoryClause:
        clusters();
        exportsAndBarriers();
        break;
    }
    return list;
  }
  if ('generic' in choice) return list;
  if (choice.iterative !== IterativeKind.MinReg) clusters();
  if (choice.iterative === IterativeKind.ILP && options.fusion) list.push(fuseMacros);
  groups();
  return list;
}

/**
 * Why the pass leaves a function as it is, null when it does not. Live intervals are computed all the same.
 * @llvm Pass.h Pass::skipFunction
 */
export function whyNotScheduled(fn: MachineFunction): string | null {
  return fn.isOptNone ? 'the function is marked optnone' : null;
}

export interface ScheduleResult {
  /** the scheduled function, a clone */
  readonly fn: MachineFunction;
  readonly choice: SchedulerChoice;
  readonly context: SchedContext;
}

/** A clone of a function with all that is needed to build the graphs of its regions. */
export interface PreparedSchedule {
  readonly choice: SchedulerChoice;
  readonly context: SchedContext;
  readonly scheduler: RegionScheduler;
  readonly mutations: readonly Mutation[];
}

/** The function must be accepted by the verifier. */
export function prepareSchedule(
  original: MachineFunction,
  options: ScheduleOptions,
  process: SchedulerProcessState,
  module: ModuleFacts = NO_MODULE,
): PreparedSchedule {
  const isFollowed = options.follower?.known === original;
  return prepareInPlace(isFollowed ? original : original.clone(), options, process, module);
}

/** The same on the function itself. */
function prepareInPlace(
  fn: MachineFunction,
  options: ScheduleOptions,
  process: SchedulerProcessState,
  module: ModuleFacts,
): PreparedSchedule {
  const choice = chooseScheduler(fn, options);
  const { schedModel, stressRegAlloc, hugeRegionLimits, clusterLimits, cyclicPath, onLimits } = options;
  const { hasIntervals, knownUnits } = options;
  const editor = options.follower?.start(fn);
  const contextOptions = { schedModel, stressRegAlloc, onLimits, editor, hasIntervals, knownUnits };
  const ctx = new SchedContext(fn, resolveSchedClass, contextOptions, process.setLimits);
  options.follower?.prepared(ctx);
  const memory = new AliasFacts(fn, module.aliasQueries(fn), options);
  const regionOptions = {
    barrierSignalWaitLatencyCycles: options.barrierSignalWaitLatencyCycles,
    hugeRegionLimits,
    clusterLimits,
    schedModel,
    cyclicPath,
    underlyingObjectOfBase: memory.underlyingObjectOfBase,
    onCriticalPath: options.onCriticalPath,
    onGraph: options.onGraph,
    checkpoint: options.checkpoint,
  };
  const scheduler = new RegionScheduler(ctx, memory, regionOptions, process.columns.take(fn, ctx.unitRanges));
  const mutations = mutationsFor(choice, fn, options, process.iglp, module.syncScopes);
  // First, so that no other artificial edge stands in their way.
  if (options.pins !== undefined && options.pins.length > 0) mutations.unshift(pinOrder(options.pins));
  return { choice, context: ctx, scheduler, mutations };
}

function rematStage(dag: GCNScheduleDAGMILive, model: SchedulerModel): ReturnType<SchedStage> {
  const policy = rematerializationOfMain(model) ?? releaseOf(releaseOfModel(model)).rules.rematerialization;
  return policy === 'sinks' ? new PreRARematStage(dag) : new ScoringRematStage(dag, SCORING_RULES[policy], model);
}

/**
 * The stages of a strategy in their order; `rewrite` = null without the one that rewrites matrix instructions.
 * @llvm GCNSchedStrategy.cpp GCNMaxOccupancySchedStrategy
 */
function stagesOf(strategy: StrategyKind, model: SchedulerModel, rewrite: SchedStage | null): SchedStage[] {
  switch (strategy) {
    case StrategyKind.MaxOccupancy:
      return [
        (dag) => new OccInitialScheduleStage(dag),
        ...(rewrite === null ? [] : [rewrite]),
        (dag) => new UnclusteredHighRPStage(dag),
        (dag) => new ClusteredLowOccStage(dag),
        (dag) => rematStage(dag, model),
      ];
    case StrategyKind.MaxILP:
      return [(dag) => new ILPInitialScheduleStage(dag)];
    case StrategyKind.CoExec:
      return [(dag) => new ILPInitialScheduleStage(dag), (dag) => rematStage(dag, model)];
    case StrategyKind.MaxMemoryClause:
      return [(dag) => new MemoryClauseInitialScheduleStage(dag)];
    case StrategyKind.Generic:
      return [];
  }
}

/** Schedules a clone of `original`, or itself if it is followed already. The function must be accepted by the verifier. */
export function scheduleFunction(
  original: MachineFunction,
  options: ScheduleOptions,
  process: SchedulerProcessState,
  module: ModuleFacts = NO_MODULE,
  observer: StageObserver | null = null,
  iterativeObserver: GenericObserver | null = null,
): ScheduleResult {
  const { choice, context, scheduler, mutations } = prepareSchedule(original, options, process, module);
  let ctx = context;
  const { fn } = ctx;
  if (whyNotScheduled(original) !== null) {
    ctx.clearKillsOfKnownUnits();
    return { fn, choice, context: ctx };
  }
  if (options.onRegion !== undefined && !('generic' in choice)) {
    // only the list schedulers take regions of one instruction
    for (const r of formRegions(fn, ctx.list, ctx.roles))
      if ('list' in choice || ctx.list.before(r.end) !== r.begin) options.onRegion(r.block);
  }
  if ('list' in choice) {
    const gcnOptions = {
      ...options,
      strategy: choice.list,
      ...(choice.list === StrategyKind.CoExec ? COEXEC_OPTIONS : {}),
    };
    const rewrite: SchedStage = (before) =>
      new RewriteMFMAFormStage(before, (dag) => {
        dag.ctx.list.writeBack();
        const next = prepareInPlace(fn, options, process, module);
        ctx = next.context;
        return new GCNScheduleDAGMILive(ctx, next.scheduler, next.mutations, process.iglp, gcnOptions, observer, dag);
      });
    const dag = new GCNScheduleDAGMILive(ctx, scheduler, mutations, process.iglp, gcnOptions, observer);
    dag.runSchedStages(stagesOf(choice.list, options.model, options.rewriteMfmaForm ? rewrite : null));
  } else if ('generic' in choice) {
    const { direction, tracksPressure, zone, verifies, onRegion } = options;
    const generic = { kind: choice.generic, direction, tracksPressure, zone, verifies, onRegion };
    runGenericScheduler(ctx, scheduler, generic, iterativeObserver);
  } else {
    const iterative = { ...options, kind: choice.iterative };
    new GCNIterativeScheduler(ctx, scheduler, mutations, process.iglp, iterative, iterativeObserver).run();
  }
  ctx.list.writeBack();
  ctx.clearKillsOfKnownUnits();
  const isWatched = observer !== null || iterativeObserver !== null || options.onGraph !== undefined;
  if (!isWatched) process.columns.giveBack(scheduler.columns);
  return { fn, choice, context: ctx };
}

/**
 * What llc ends with: the numbers in the comments of its assembly and in the metadata of kernels, for functions that have been allocated. They belong to the
 * module, since a function needs what it calls, too.
 */
import type { OwnUse, TotalUse } from '../analysis/allocatedUse.js';
import { PressureSummary } from '../analysis/summary.js';
import type { UsedRegisters } from '../analysis/usedRegisters.js';
import { moduleUse } from '../analysis/frame/moduleUse.js';
import { computeFunctionLimits, isEntryFunctionCC, isKernelCC, type FunctionLimits } from '../model/functionLimits.js';
import type { MachineFunction } from '../model/machineFunction.js';
import type { IRModule } from '../ir/module.js';
import { readCommandLine } from '../commandLine/commandLine.js';
import { ANY_LLC_TABLE } from '../commandLine/optionTable.js';
import { isSchedulerOn } from '../passes/scheduler/llcOptions.js';
import {
  chooseScheduler,
  scheduleFunction,
  SchedulerProcessState,
  whyNotModelledFor,
  type ModuleFacts,
  type SchedulerChoice,
  type ScheduleResult,
} from '../passes/scheduler/scheduleFunction.js';
import type { SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import {
  allocateAsItStands,
  allocateFromEarlier,
  allocationSettingOf,
  SCHEDULER_OFF,
  type AllocationSetting,
  type EarlierPlace,
  type SchedulerBefore,
} from './allocation.js';
import type { AllocatedFunction } from '../passes/regalloc/trace/collector.js';
import { spilledRegisters } from './codeCounts.js';
import { finalCode, type FinalCode } from './finalCode.js';
import { scheduleSettingOf } from './scheduleSetting.js';
import { stageOf, whyNoWayFrom, type FunctionStage, type StageEvidence } from './stage.js';
import type { PlacedPass } from '../passes/codegenPipeline.js';
import type { FileTarget } from './targetOfFile.js';
import { lazy } from '../util/lazy.js';

/** 32-bit registers, bytes, waves per EU. null: llc says nothing of it for such a function. */
export interface Outcome {
  /** NumVgprs, NumAgprs and TotalNumVgprs: only processors with matrix instructions have the last two */
  readonly vgpr: number;
  readonly agpr: number | null;
  readonly totalVgpr: number | null;
  /** TotalNumSgprs */
  readonly sgpr: number;
  /** of a lane, with the callees' */
  readonly scratchBytes: number;
  /** of entry functions */
  readonly ldsBytes: number | null;
  readonly waves: number | null;
  /** registers that are saved, of kernels for amdhsa */
  readonly vgprSpills: number | null;
  readonly sgprSpills: number | null;
}

/** What the waves that llc ends with are bound by. */
export interface OutcomeBounds {
  /** waves that the processor can do */
  readonly most: number;
  /** what keeps the function from them, of which the first is the one to name; empty = nothing does */
  readonly by: readonly OutcomeLimit[];
  /** most registers with which there would be more waves; null = registers do not bind */
  readonly next: OutcomeStep | null;
}

export type OutcomeLimit = 'VGPR' | 'SGPR' | 'LDS' | 'workgroup size';

export interface OutcomeStep {
  readonly waves: number;
  /** of both vector files together where they are one; null = this file does not bind */
  readonly vgpr: number | null;
  readonly sgpr: number | null;
}

/** A function at the end of allocation, and the numbers of llc's assembly. */
export interface EndedFunction {
  readonly fn: MachineFunction;
  readonly outcome: Outcome;
  /** null where there are no waves */
  readonly bounds: OutcomeBounds | null;
}

/** What has become of a function on its own. */
export interface OwnEnd {
  readonly stage: FunctionStage;
  /** waves in the scheduler's order; null: no scheduler runs, or it has run before */
  readonly scheduled: number | null;
  /** why it has no outcome, empty when it has one */
  readonly failed: string;
  /** null: its registers were allocated before, or could not be, or passes before the scheduler gave it others */
  readonly allocated: AllocatedFunction | null;
  /** the function in the order in which registers were allocated; null unless somebody wants to see it, and as `allocated` */
  readonly order: MachineFunction | null;
}

/** A function of a module after its registers are allocated, and what its own code needs; null: it could not be allocated. */
export type ModuleMember = {
  readonly fn: MachineFunction;
  /** the same when slots are shared, before its frame is made */
  readonly framed: MachineFunction;
  readonly own: OwnUse;
} | null;

/** Why a function has no outcome though its own registers could be allocated. */
export const CALLS_FAILED = 'it calls others, and not every function of the file could be allocated';

/** `problem`: why nothing can be scheduled. */
type KnownScheduler = SchedulerBefore | typeof SCHEDULER_OFF | { readonly problem: string };

function schedulerOf(target: FileTarget, model: SchedulerModel, facts: () => ModuleFacts): KnownScheduler {
  const { values } = readCommandLine(target.commands[target.commandIdx]?.args ?? [], [], 'llc', ANY_LLC_TABLE);
  if (!isSchedulerOn(values)) return SCHEDULER_OFF;
  const { options } = scheduleSettingOf(target, model);
  return typeof options === 'string' ? { problem: options } : { options, facts: facts() };
}

/** The functions of one file, in their order, each brought to the end of llc's run from where it stands. */
export class FileOutcomes {
  private readonly members: ModuleMember[] = [];
  private readonly process = new SchedulerProcessState();
  private readonly setting: AllocationSetting;
  private readonly scheduler: () => KnownScheduler;
  /** of the function that was added last */
  private scheduled: number | null = null;
  private allocated: AllocatedFunction | null = null;
  private order: MachineFunction | null = null;

  /** `target`: with the RUN line whose options count; `facts`: what the scheduler asks of the file; `checkpoint` may throw, and is called now and then; `keepsOrder`: for who asks each end for its `order` */
  constructor(
    target: FileTarget,
    private readonly model: SchedulerModel,
    private readonly facts: () => ModuleFacts,
    private readonly ir: IRModule | null,
    private readonly evidence: StageEvidence,
    private readonly checkpoint: () => void = () => undefined,
    private readonly keepsOrder = false,
  ) {
    this.setting = allocationSettingOf(target);
    this.scheduler = lazy(() => schedulerOf(target, model, facts));
  }

  /** A function that has no outcome. */
  addFailed(): void {
    this.members.push(null);
  }

  /** The function must be accepted by the verifier; `start`: where its document begins. */
  add(fn: MachineFunction, used: UsedRegisters, start: number): OwnEnd {
    this.scheduled = null;
    this.allocated = null;
    this.order = null;
    const stage = stageOf(fn, this.evidence, start);
    const ended = this.ended(fn, used, stage);
    const { scheduled, order } = this;
    const allocated = stage.ahead === null ? this.allocated : null;
    this.members.push(typeof ended === 'string' ? null : ended);
    return { stage, scheduled, failed: typeof ended === 'string' ? ended : '', allocated, order };
  }

  /** The function, which has an outcome, in the order in which its registers are allocated: itself where no scheduler goes before. `start`: where its document begins. */
  inOrder(fn: MachineFunction, start: number): MachineFunction {
    const { stage, ahead } = stageOf(fn, this.evidence, start);
    if (ahead !== null) {
      let found = fn;
      const keep = (ordered: MachineFunction): void => void (found = ordered.clone());
      const place = { first: ahead, model: this.model, facts: this.facts(), keep };
      allocateFromEarlier(fn, this.ir, this.setting, { withDecisions: false, checkpoint: this.checkpoint }, place);
      return found;
    }
    const schedule = stage === 'before-scheduling' ? this.scheduleOf(fn) : SCHEDULER_OFF;
    if (schedule === SCHEDULER_OFF || 'problem' in schedule) return fn;
    return scheduleFunction(fn, schedule.options, new SchedulerProcessState(), schedule.facts).fn;
  }

  private ended(fn: MachineFunction, used: UsedRegisters, stage: FunctionStage): NonNullable<ModuleMember> | string {
    const { setting, ir } = this;
    if (used.kind === 'allocated') return { fn, framed: fn, own: used.use.own };
    const why = whyNoWayFrom(stage);
    if (why !== '') return why;
    const collect = { withDecisions: false, checkpoint: this.checkpoint };
    if (stage.ahead !== null) {
      const keep = (ordered: MachineFunction): void => this.keepScheduled(ordered);
      return this.memberOf(allocateFromEarlier(fn, ir, setting, collect, { ...this.earlier(stage.ahead), keep }), null);
    }
    const schedule = stage.stage === 'scheduled' ? null : this.scheduleOf(fn);
    if (schedule !== null && typeof schedule !== 'string' && 'problem' in schedule) return schedule.problem;
    return this.memberOf(allocateAsItStands(fn, ir, setting, collect, schedule), fn);
  }

  private earlier(first: PlacedPass): EarlierPlace {
    return { first, model: this.model, facts: this.facts(), process: this.process };
  }

  /** Of a function on its way from before the scheduler. */
  private keepScheduled(ordered: MachineFunction): void {
    const scheduler = this.scheduler();
    if (scheduler !== SCHEDULER_OFF && !('problem' in scheduler) && !ordered.isOptNone)
      this.scheduled = scheduledWaves(ordered, chooseScheduler(ordered, scheduler.options));
    if (this.keepsOrder) this.order = ordered.clone();
  }

  /** `ordered`: the function in the order in which registers were allocated; null: `keepScheduled` had it */
  private memberOf(
    allocated: AllocatedFunction | string,
    ordered: MachineFunction | null,
  ): NonNullable<ModuleMember> | string {
    if (typeof allocated === 'string') return allocated;
    if (allocated.errors.length > 0) return allocated.errors[0]!;
    this.allocated = allocated;
    if (this.keepsOrder) this.order ??= ordered;
    return { fn: allocated.fn, framed: allocated.framed, own: allocated.use.own };
  }

  private scheduleOf(fn: MachineFunction): KnownScheduler {
    const scheduler = this.scheduler();
    if (scheduler === SCHEDULER_OFF || 'problem' in scheduler) return scheduler;
    const problem = whyNotModelledFor(fn, scheduler.options);
    if (problem !== null) return { problem };
    const keep = (made: ScheduleResult): void => {
      this.scheduled = scheduledWaves(made.fn, made.choice);
      if (this.keepsOrder) this.order = made.fn.clone();
    };
    return { ...scheduler, process: this.process, ...(fn.isOptNone ? {} : { keep }) };
  }

  /** The last code of the function that was added last, or why it is not known. Throws what `checkpoint` throws. */
  final(): FinalCode | string {
    const { allocated, ir, model, checkpoint } = this;
    if (allocated === null) return 'registers were allocated before';
    return finalCode(allocated, { ir, model, checkpoint, given: this.setting.given, facts: this.facts() });
  }

  /** By name of the function. A function that calls others has none where one of the file could not be allocated. */
  result(): ReadonlyMap<string, EndedFunction> {
    return outcomesOf(this.members);
  }
}

/** LLVM's own schedulers do not say how many waves they leave; the pressure of their order does. */
const scheduledWaves = (fn: MachineFunction, choice: SchedulerChoice): number =>
  'generic' in choice ? new PressureSummary(fn).occupancy.occupancy : fn.header.machineFunctionInfo.occupancy;

/**
 * O(instructions)
 * @llvm AMDGPUAsmPrinter.cpp AMDGPUAsmPrinter::getSIProgramInfo
 */
export function outcomesOf(members: readonly ModuleMember[]): Map<string, EndedFunction> {
  const known = members.filter((member) => member !== null);
  const isComplete = known.length === members.length;
  const outcomes = new Map<string, EndedFunction>();
  const uses = moduleUse(known);
  for (const { fn, framed } of known) {
    const { name, frameInfo } = fn.header;
    if (!isComplete && (frameInfo.hasCalls || frameInfo.hasTailCall)) continue;
    const all = uses.get(name)!;
    const { use, totalVGPR, totalSGPR, occupancy } = all;
    const { callingConv } = fn.header.irFunction;
    const hasMAI = fn.subtarget.hasMAIInsts;
    const isEntry = isEntryFunctionCC(callingConv);
    const spills = fn.subtarget.isAmdHsaOS && isKernelCC(callingConv) ? spilledRegisters(framed) : null;
    const limits = computeFunctionLimits(fn);
    const outcome: Outcome = {
      vgpr: use.vgpr,
      agpr: hasMAI ? use.agpr : null,
      totalVgpr: hasMAI ? totalVGPR : null,
      sgpr: totalSGPR,
      scratchBytes: use.scratchBytes,
      ldsBytes: isEntry ? fn.header.machineFunctionInfo.ldsSize : null,
      waves: isEntry ? occupancy : null,
      vgprSpills: spills?.vector ?? null,
      sgprSpills: spills?.scalar ?? null,
    };
    const bounds = { most: limits.subtarget.maxWavesPerEU, by: boundBy(all, limits), next: nextStep(all, limits) };
    outcomes.set(name, { fn, outcome, bounds: isEntry ? bounds : null });
  }
  return outcomes;
}

function boundBy({ occupancy, byVGPRs, bySGPRs }: TotalUse, limits: FunctionLimits): OutcomeLimit[] {
  const { subtarget, occupancyRange, flatWorkGroupSizes } = limits;
  if (occupancy >= subtarget.maxWavesPerEU) return [];
  const bound: OutcomeLimit[] = [];
  if (byVGPRs === occupancy) bound.push('VGPR');
  if (bySGPRs === occupancy) bound.push('SGPR');
  if (occupancyRange[1] === occupancy) {
    const withoutLds = subtarget.occupancyWithWorkGroupSizes(0, ...flatWorkGroupSizes)[1];
    bound.push(withoutLds > occupancy ? 'LDS' : 'workgroup size');
  }
  return bound;
}

/** Fewer registers raise the waves as far as the other limits let them. */
function nextStep(
  { occupancy, byVGPRs, bySGPRs, totalVGPR, totalSGPR }: TotalUse,
  limits: FunctionLimits,
): OutcomeStep | null {
  const { subtarget, occupancyRange, dynamicVGPRBlockSize } = limits;
  const most = Math.min(occupancyRange[1], limits.wavesPerEU[1], subtarget.maxWavesPerEU);
  if (occupancy >= most) return null;
  const byVGPR = (n: number): number => subtarget.occupancyWithNumVGPRs(n, dynamicVGPRBlockSize);
  const bySGPR = (n: number): number => subtarget.occupancyWithNumSGPRs(n);
  const below = (from: number, waves: (n: number) => number): number => {
    let n = from - 1;
    while (n > 0 && waves(n) <= occupancy) n--;
    return n;
  };
  const vgpr = byVGPRs > occupancy ? null : below(totalVGPR, byVGPR);
  const sgpr = bySGPRs > occupancy ? null : below(totalSGPR, bySGPR);
  if ((vgpr === null && sgpr === null) || vgpr === 0 || sgpr === 0) return null;
  const waves = Math.min(most, vgpr === null ? byVGPRs : byVGPR(vgpr), sgpr === null ? bySGPRs : bySGPR(sgpr));
  return { waves, vgpr, sgpr };
}

/**
 * What llc ends with: the numbers in the comments of its assembly and in the metadata of kernels, for functions that have been allocated. They belong to the
 * module, since a function needs what it calls, too.
 */
import type { OwnUse } from '../analysis/allocatedUse.js';
import type { UsedRegisters } from '../analysis/usedRegisters.js';
import { moduleUse } from '../analysis/frame/moduleUse.js';
import { isEntryFunctionCC, isKernelCC } from '../model/functionLimits.js';
import type { MachineFunction } from '../model/machineFunction.js';
import type { IRModule } from '../ir/module.js';
import { readCommandLine } from '../commandLine/commandLine.js';
import { ANY_LLC_TABLE } from '../commandLine/optionTable.js';
import { isSchedulerOn } from '../passes/scheduler/llcOptions.js';
import { moduleFactsOf } from '../passes/scheduler/moduleFacts.js';
import { SchedulerProcessState, whyNotModelledFor } from '../passes/scheduler/scheduleFunction.js';
import type { SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import {
  allocateAsItStands,
  allocationSettingOf,
  SCHEDULER_OFF,
  type AllocationSetting,
  type SchedulerBefore,
} from './allocation.js';
import { spilledRegisters } from './codeCounts.js';
import { scheduleSettingOf } from './scheduleSetting.js';
import type { FileTarget } from './targetOfFile.js';

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

/** A function at the end of allocation, and the numbers of llc's assembly. */
export interface EndedFunction {
  readonly fn: MachineFunction;
  readonly outcome: Outcome;
}

/** A function of a module after its registers are allocated, and what its own code needs; null: it could not be allocated. */
type ModuleMember = { readonly fn: MachineFunction; readonly own: OwnUse } | null;

const NOTHING = { withDecisions: false, checkpoint: () => undefined };

function schedulerOf(
  target: FileTarget,
  model: SchedulerModel,
  source: string,
  ir: IRModule | null,
): SchedulerBefore | typeof SCHEDULER_OFF | { readonly problem: string } {
  const { values } = readCommandLine(target.commands[target.commandIdx]?.args ?? [], [], 'llc', ANY_LLC_TABLE);
  if (!isSchedulerOn(values)) return SCHEDULER_OFF;
  const { options } = scheduleSettingOf(target, model);
  return typeof options === 'string' ? { problem: options } : { options, facts: moduleFactsOf(source, ir) };
}

/** The functions of one file, in their order, each brought to the end of llc's run from where the file stands. */
export class FileOutcomes {
  private readonly members: ModuleMember[] = [];
  private readonly process = new SchedulerProcessState();
  private readonly setting: AllocationSetting;
  /** null where the file stands after the scheduler; a reason where its options are not modelled */
  private readonly scheduler: SchedulerBefore | typeof SCHEDULER_OFF | null | { readonly problem: string };

  /** `target`: with the RUN line whose options count; `source`: the file's text */
  constructor(
    target: FileTarget,
    model: SchedulerModel,
    source: string,
    private readonly ir: IRModule | null,
  ) {
    this.setting = allocationSettingOf(target);
    this.scheduler = this.setting.isAfterScheduler ? null : schedulerOf(target, model, source, ir);
  }

  /** A function that has no outcome. */
  addFailed(): void {
    this.members.push(null);
  }

  /** Why the function has no outcome, '' when it has one. It must be accepted by the verifier. */
  add(fn: MachineFunction, used: UsedRegisters): string {
    const ended = this.ended(fn, used);
    this.members.push(typeof ended === 'string' ? null : ended);
    return typeof ended === 'string' ? ended : '';
  }

  private ended(fn: MachineFunction, used: UsedRegisters): NonNullable<ModuleMember> | string {
    const { scheduler, setting, ir, process } = this;
    if (used.kind === 'allocated') return { fn, own: used.use.own };
    let schedule: SchedulerBefore | typeof SCHEDULER_OFF | null = null;
    if (scheduler === SCHEDULER_OFF) schedule = scheduler;
    else if (scheduler !== null) {
      if ('problem' in scheduler) return scheduler.problem;
      const why = whyNotModelledFor(fn, scheduler.options);
      if (why !== null) return why;
      schedule = { ...scheduler, process };
    }
    const allocated = allocateAsItStands(fn, ir, setting, NOTHING, schedule);
    if (typeof allocated === 'string') return allocated;
    if (allocated.errors.length > 0) return allocated.errors[0]!;
    return { fn: allocated.fn, own: allocated.use.own };
  }

  /** By name of the function. A function that calls others has none where one of the file could not be allocated. */
  result(): ReadonlyMap<string, EndedFunction> {
    return outcomesOf(this.members);
  }
}

/**
 * O(instructions)
 * @llvm AMDGPUAsmPrinter.cpp AMDGPUAsmPrinter::getSIProgramInfo
 */
function outcomesOf(members: readonly ModuleMember[]): Map<string, EndedFunction> {
  const known = members.filter((member) => member !== null);
  const isComplete = known.length === members.length;
  const outcomes = new Map<string, EndedFunction>();
  const uses = moduleUse(known);
  for (const { fn } of known) {
    const { name, frameInfo } = fn.header;
    if (!isComplete && (frameInfo.hasCalls || frameInfo.hasTailCall)) continue;
    const { use, totalVGPR, totalSGPR, occupancy } = uses.get(name)!;
    const { callingConv } = fn.header.irFunction;
    const hasMAI = fn.subtarget.hasMAIInsts;
    const isEntry = isEntryFunctionCC(callingConv);
    const spills = fn.subtarget.isAmdHsaOS && isKernelCC(callingConv) ? spilledRegisters(fn) : null;
    const outcome = {
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
    outcomes.set(name, { fn, outcome });
  }
  return outcomes;
}

/**
 * What llc ends with: the numbers in the comments of its assembly and in the metadata of kernels, for functions that have been allocated. They belong to the
 * module, since a function needs what it calls, too.
 */
import type { OwnUse } from '../analysis/allocatedUse.js';
import type { UsedRegisters } from '../analysis/usedRegisters.js';
import { moduleUse } from '../analysis/frame/moduleUse.js';
import { isEntryFunctionCC, isKernelCC } from '../model/functionLimits.js';
import { OpFlag, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import type { IRModule } from '../ir/module.js';
import { SchedulerProcessState } from '../passes/scheduler/scheduleFunction.js';
import { OpcodePattern } from '../target/opcodeSets.js';
import { allocateAsItStands, SCHEDULER_OFF, type AllocationSetting, type SchedulerBefore } from './allocation.js';

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

/** The functions of one file, in their order, each brought to the end of llc's run from where the file stands. */
export class FileOutcomes {
  private readonly members: ModuleMember[] = [];
  private readonly process = new SchedulerProcessState();

  /** `scheduler`: null where the file stands after it */
  constructor(
    private readonly ir: IRModule | null,
    private readonly setting: AllocationSetting,
    private readonly scheduler: SchedulerBefore | typeof SCHEDULER_OFF | null,
  ) {}

  /** A function that has no outcome. */
  addFailed(): void {
    this.members.push(null);
  }

  /** Why the function has no outcome, '' when it has one. It must be accepted by the verifier and the scheduler. */
  add(fn: MachineFunction, used: UsedRegisters): string {
    const why = this.tryToAdd(fn, used);
    if (why !== '') this.addFailed();
    return why;
  }

  private tryToAdd(fn: MachineFunction, used: UsedRegisters): string {
    if (used.kind === 'allocated') {
      this.members.push({ fn, own: used.use.own });
      return '';
    }
    const { scheduler } = this;
    const schedule =
      scheduler === null || scheduler === SCHEDULER_OFF ? scheduler : { ...scheduler, process: this.process };
    const allocated = allocateAsItStands(fn, this.ir, this.setting, NOTHING, schedule);
    if (typeof allocated === 'string') return allocated;
    if (allocated.errors.length > 0) return allocated.errors[0]!;
    this.members.push({ fn: allocated.fn, own: allocated.use.own });
    return '';
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

const VECTOR_SAVE = new OpcodePattern(/^SI_SPILL_(?:WWM_)?(?:V|AV|A)\d+(?:_CFI)?_SAVE$/);
const SCALAR_SPILL = new OpcodePattern(/^SI_SPILL_S\d+(?:_CFI)?_(?:SAVE|RESTORE|TO_VGPR)$/);

/** 32-bit registers that the code saves; an SGPR for which no lane is left counts when it is reloaded, too. */
function spilledRegisters(fn: MachineFunction): { readonly vector: number; readonly scalar: number } {
  let [vector, scalar] = [0, 0];
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const opcode = fn.opcode[fn.order[p]!]!;
      if (VECTOR_SAVE.has(fn.tables, opcode) && !savesNothing(fn, fn.order[p]!))
        vector += registersOf(fn.tables.opcodeName(opcode));
      else if (SCALAR_SPILL.has(fn.tables, opcode)) scalar += registersOf(fn.tables.opcodeName(opcode));
    }
  }
  return { vector, scalar };
}

/** A save of what has no value goes when the frame is made, and is not counted. */
function savesNothing(fn: MachineFunction, i: InstrId): boolean {
  const o = fn.firstReg(i);
  return o >= 0 && (fn.opFlags[o]! & OpFlag.Undef) !== 0;
}

/** 2 of `SI_SPILL_V64_SAVE` */
const registersOf = (spill: string): number => Math.ceil(Number(/\d+/.exec(spill)![0]) / 32);

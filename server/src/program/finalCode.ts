/** The code that llc writes at the end of its pipeline, counted: from an allocated function through all passes that are left. */
import { InstrSizes } from '../passes/branchRelaxation/instrSize.js';
import { waitsOf } from '../analysis/waits.js';
import type { OptionValue } from '../commandLine/optionSpec.js';
import type { IRModule } from '../ir/module.js';
import { type MachineFunction } from '../model/machineFunction.js';
import { isEntryFunctionCC } from '../model/functionLimits.js';
import { callsAfterSlots } from '../passes/pipelineCalls.js';
import { runAfterAllocation } from '../passes/regalloc/runAllocation.js';
import type { AllocatedFunction } from '../passes/regalloc/trace/collector.js';
import { SchedulerProcessState, type ModuleFacts } from '../passes/scheduler/scheduleFunction.js';
import type { SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import { Generation } from '../target/api.js';
import { OpcodePattern } from '../target/opcodeSets.js';
import { roundUp } from '../util/roundUp.js';
import { orWhyNot } from './allocation.js';

/** Numbers of instructions, but for bytes. */
export interface FinalCode {
  /** codeLenInByte of llc's assembly */
  readonly codeBytes: number;
  /** that have a size: without debug instructions, headers of bundles and the like */
  readonly instructions: number;
  /** that wait for counters of memory and exports */
  readonly waits: number;
  /** by counter, as llc's assembly calls it: how many of those wait for it */
  readonly waitsByCounter: Readonly<Record<string, number>>;
  /** S_WAITCNT_DEPCTR: waits for the ALU and for reads of registers */
  readonly depctrWaits: number;
  /** S_NOP and V_NOP, those of the source among them */
  readonly noOps: number;
  /** S_DELAY_ALU */
  readonly delays: number;
  /** S_CLAUSE */
  readonly clauses: number;
}

/** What the passes after allocation are told of the run. */
export interface FinalRun {
  readonly ir: IRModule | null;
  /** llc's options that were given */
  readonly given: ReadonlyMap<string, OptionValue>;
  readonly model: SchedulerModel;
  readonly facts: ModuleFacts;
  readonly checkpoint: () => void;
}

const NO_OP = new OpcodePattern(/^(?:S_NOP|V_NOP_e32)$/);
const DELAY = new OpcodePattern(/^S_DELAY_ALU$/);
const CLAUSE = new OpcodePattern(/^S_CLAUSE$/);
/** for translations of addresses */
const X_WAIT = new OpcodePattern(/^S_WAIT_XCNT$/);
const DEPCTR = new OpcodePattern(/^S_WAITCNT_DEPCTR$/);

/** Or why it is not known, with the pass that refuses. Throws what `checkpoint` throws. */
export function finalCode(allocated: AllocatedFunction, run: FinalRun): FinalCode | string {
  return orWhyNot(() => {
    const { ir, given, model, facts, checkpoint } = run;
    const errors: string[] = [];
    const context = {
      options: new Map([...given, ['model', model]]),
      ir,
      error: (message: string) => void errors.push(message),
      checkpoint,
    };
    const scheduler = { process: new SchedulerProcessState(), module: facts };
    const fn = runAfterAllocation(allocated.framed, callsAfterSlots(given), allocated.kept, context, scheduler);
    return errors[0] ?? countFinal(fn);
  });
}

/**
 * O(instructions). Of kernels and shaders gfx11 and later want the size before, as a lower bound, for the prefetcher, and llc prints that: padding between blocks
 * is left out there.
 * @llvm SIProgramInfo.cpp SIProgramInfo::getFunctionCodeSize
 */
function countFinal(fn: MachineFunction): FinalCode {
  const { tables, subtarget } = fn;
  const sizes = new InstrSizes(fn);
  const waitsByCounter: Record<string, number> = {};
  let [codeBytes, instructions, waits, depctrWaits, noOps, delays, clauses] = [0, 0, 0, 0, 0, 0, 0];
  const isPadded = subtarget.generation < Generation.GFX11 || !isEntryFunctionCC(fn.header.irFunction.callingConv);
  for (let b = 0; b < fn.blocks.length; b++) {
    if (isPadded) codeBytes = roundUp(codeBytes, Math.max(1, fn.blocks[b]!.alignment));
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      const opcode = fn.opcode[i]!;
      const size = sizes.alone(i);
      codeBytes += size;
      instructions += Number(size > 0);
      const counters = X_WAIT.has(tables, opcode) ? [{ counter: 'xcnt' }] : waitsOf(fn, i);
      waits += Number(counters.length > 0);
      for (const { counter } of counters) waitsByCounter[counter] = (waitsByCounter[counter] ?? 0) + 1;
      if (NO_OP.has(tables, opcode)) noOps++;
      else if (DELAY.has(tables, opcode)) delays++;
      else if (CLAUSE.has(tables, opcode)) clauses++;
      else if (DEPCTR.has(tables, opcode)) depctrWaits++;
    }
  }
  return { codeBytes, instructions, waits, waitsByCounter, depctrWaits, noOps, delays, clauses };
}

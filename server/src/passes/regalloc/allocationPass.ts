/** What the passes around register allocation share on a function, and how they come to it. */
import { IntervalEditor } from '../../analysis/edit/intervalEditor.js';
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import type { SlotList } from '../../analysis/edit/slotList.js';
import { SlotIndexes } from '../../analysis/slotIndexes.js';
import type { KnownIntervals } from '../../analysis/verifier/index.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import { DOMINATORS, LOOPS } from '../controlFlowAnalyses.js';
import type { FunctionState } from '../functionState.js';
import { NotModelled, type MachinePass, type PassUse } from '../machinePass.js';
import { Analysis, CFG, LIVE_INTERVALS, SLOT_INDEXES, type AnalysedFunction, type Preserved } from '../passContext.js';
import { BlockFrequencies } from './blockFrequencies.js';
import { DebugInfo } from '../debugInfo/scopes.js';
import { regAllocOptions } from './regAllocOptions.js';
import { takeDebugValues } from './debug/variables.js';
import type { WaitingDebugValues } from './debug/contract.js';
import type { Scheduled } from './scheduledIntervals.js';
import { AllocState, KeptRegisters, type RegAllocOptions } from './state.js';
import { VIRT_REG_MAP, type LiveStacks } from './virtRegMap.js';
import type { AllocationWatch } from './watch.js';

/** The options of the allocator, and who watches it. */
export interface AllocSetting {
  readonly options: RegAllocOptions;
  readonly watchFor: ((state: AllocState) => AllocationWatch) | null;
}

export const ALLOC_SETTING = new Analysis<AllocSetting>(
  'options of the allocator',
  ({ context }) => ({ options: regAllocOptions(context.options), watchFor: null }),
  { isOfFunction: true },
);

export const KEPT_REGISTERS = new Analysis<KeptRegisters>('registers kept apart', () => new KeptRegisters(), {
  isOfFunction: true,
});

/** @llvm MachineBlockFrequencyInfo.cpp MachineBlockFrequencyInfoWrapperPass */
const BLOCK_FREQUENCIES = new Analysis('block frequencies', (of) => new BlockFrequencies(of.fn.blocks, of.get(LOOPS)), {
  isOfCFG: true,
});

/** What the scheduler leaves to the passes after it: intervals that followed its moves, and the units whose ranges it has computed. */
export const SCHEDULED = new Analysis<Scheduled | null>('intervals of the scheduler', () => null);

export const LIVE_STACKS = new Analysis<LiveStacks>('lives of stack slots', () => new Map());

/** The function on lists with slot indexes, and with its live intervals where these are computed. */
export const ALLOCATION: Analysis<AllocState> = new Analysis('allocation', begin, {
  writeBack: (state) => state.writeHints(),
  holds: [LIVE_INTERVALS, SLOT_INDEXES, VIRT_REG_MAP, LIVE_STACKS],
});

/**
 * Debug values that have left the code, and that only the last rewriter puts back.
 * @llvm LiveDebugVariables.cpp LiveDebugVariablesWrapperLegacy
 */
export const DEBUG_VARIABLES = new Analysis<WaitingDebugValues>('debug variables', (of) =>
  takeDebugValues(of.get(ALLOCATION), of.context.ir),
);

function begin(of: AnalysedFunction): AllocState {
  const { context, fn } = of;
  if (context.options.get('live-debug-variables') === false && hasDebugInstrs(fn))
    throw new NotModelled("debug instructions that stay in the code ('-live-debug-variables=false')");
  const { options, watchFor } = of.get(ALLOC_SETTING);
  const scheduled = of.known(SCHEDULED);
  if (scheduled !== null && of.known(DOMINATORS) === null) of.provide(DOMINATORS, scheduled.intervals.dominators);
  const intervals = scheduled?.intervals ?? new IntervalEditor(of.editor(), new SlotIndexes(of.fn), of.get(DOMINATORS));
  const { verify } = context;
  const state = new AllocState(intervals.editor.fn, intervals, of.get(BLOCK_FREQUENCIES), {
    options,
    kept: of.get(KEPT_REGISTERS),
    sourcePlaces: DebugInfo.of(context.ir, fn.header.name),
    verify: context.options.get('verify-regalloc') === true ? (verify ?? null) : null,
    error: (message) => context.error(message),
    watchFor,
  });
  if (scheduled !== null) state.analyse(scheduled.units);
  else if (of.has(LIVE_INTERVALS)) state.analyse(null, true);
  return state;
}

function hasDebugInstrs(fn: MachineFunction): boolean {
  const traits = opcodeTraits(fn.tables);
  return fn.layout().some((i) => (traits[fn.opcode[i]] & OpcodeTrait.Debug) !== 0);
}

/** The state with its intervals, whatever becomes of registers that are assigned. */
export const KEEPS_STATE: readonly Analysis<unknown>[] = [ALLOCATION, LIVE_INTERVALS, SLOT_INDEXES];

export const KEEPS_ALLOCATION: Preserved = [...KEEPS_STATE, CFG, VIRT_REG_MAP, LIVE_STACKS, DEBUG_VARIABLES];

/** A pass over an `AllocState`. */
interface AllocationPass extends Omit<MachinePass, 'run' | 'requires' | 'preserves' | 'makeReady'> {
  /** llc computes no live intervals for it, so that kill flags stay; it computes slot indexes alone, or nothing */
  readonly isWithoutIntervals?: 'slot indexes' | 'nothing';
  /** absent: all that these passes share */
  readonly preserves?: MachinePass['preserves'];
  /** debug values have to have left the code before it */
  readonly takesDebugValues?: boolean;
  work(state: AllocState, use: PassUse, of: FunctionState): void;
}

export function allocationPass(pass: AllocationPass): MachinePass {
  const { isWithoutIntervals, takesDebugValues = false, work, preserves, ...names } = pass;
  const required =
    isWithoutIntervals === undefined ? [LIVE_INTERVALS] : isWithoutIntervals === 'nothing' ? [] : [SLOT_INDEXES];
  const ready = (of: FunctionState): AllocState => {
    const state = allocationOf(of, isWithoutIntervals === undefined);
    const map = of.get(VIRT_REG_MAP);
    const liveStacks = of.get(LIVE_STACKS);
    const debugValues = takesDebugValues ? of.get(DEBUG_VARIABLES) : of.known(DEBUG_VARIABLES);
    state.beginPass({ map, liveStacks, debugValues });
    if (isWithoutIntervals === 'slot indexes') of.provide<SlotList | null>(SLOT_INDEXES, state.slots);
    return state;
  };
  return {
    ...names,
    requires: [ALLOCATION, ...required],
    makeReady: (of) => void ready(of),
    preserves: preserves ?? KEEPS_ALLOCATION,
    run(of, use) {
      const state = ready(of);
      work(state, use, of);
      state.watch?.passEnds(names.name, use.parameters);
    },
  };
}

function allocationOf(of: FunctionState, needsIntervals: boolean): AllocState {
  let state = of.get(ALLOCATION);
  if (needsIntervals && !state.isAnalysed) {
    // llc computes them now, of what the passes before have made.
    of.forget(ALLOCATION);
    state = of.get(ALLOCATION);
    if (!state.isAnalysed) state.analyse();
  }
  if (state.isAnalysed) of.provide<KnownIntervals | null>(LIVE_INTERVALS, state.known);
  return state;
}

/** Register allocation with llc's options. Apart from its names: the bundle of a short llc run leaves it out. */
import type { OptionValue } from '../../commandLine/optionSpec.js';
import { IntervalEditor } from '../../analysis/edit/intervalEditor.js';
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import { SlotIndexes } from '../../analysis/slotIndexes.js';
import type { KnownIntervals } from '../../analysis/verifier/index.js';
import { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { LimitQuery } from '../../model/attributeErrors.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { RegUnit } from '../../target/api.js';
import { PassError, type PassContext } from '../machinePass.js';
import { DEFAULT_MODEL } from '../scheduler/schedulerModel.js';
import { runScheduler } from '../scheduler/schedulerRun.js';
import { DebugInfo } from './debug/scopes.js';
import { runAllocation, type Scheduled } from './pipeline.js';
import { isInPipeline, PIPELINE, titleOf, type AllocPass } from './pipelineNames.js';
import { ScheduledIntervals } from './scheduledIntervals.js';
import { DEFAULT_OPTIONS, NotModelled, SplitMode, type RegAllocOptions } from './state.js';
import { UnitRanges } from './unitRanges.js';

/** The function after some passes. Throws PassError. */
export function allocate(
  fn: MachineFunction,
  context: PassContext,
  passes: readonly AllocPass[],
  hasIntervals: boolean,
): MachineFunction {
  try {
    const debugInfo = DebugInfo.of(context.ir, fn.header.name);
    if (context.options.get('live-debug-variables') === false && hasDebugInstrs(fn))
      throw new NotModelled("debug instructions that stay in the code ('-live-debug-variables=false')");
    const isScheduled = passes[0] === 'machine-scheduler,0';
    const start = isScheduled ? schedule(fn, context) : { fn, scheduled: null };
    const rest = isScheduled ? passes.slice(1) : passes;
    if (rest.length === 0) return start.fn;
    const { scheduled } = start;
    const { onLimits, verifyAfter } = context;
    const result = runAllocation(start.fn, rest, regAllocOptions(context.options), {
      debugInfo,
      scheduled,
      hasIntervals: hasIntervals && !isScheduled,
      verify: context.options.get('verify-regalloc') === true ? context.verify : undefined,
      ...(verifyAfter ? { verifyAfter } : {}),
      ...(onLimits ? { onLimits: (query: LimitQuery) => onLimits(fn, query) } : {}),
    });
    for (const e of result.errors) context.error(e);
    return result.fn;
  } catch (error) {
    if (!(error instanceof NotModelled)) throw error;
    throw new PassError(`llc: error: amdgpu-mir does not model ${error.message} in function '${fn.header.name}'.`);
  }
}

function hasDebugInstrs(fn: MachineFunction): boolean {
  const traits = opcodeTraits(fn.tables);
  return fn.order.some((i) => (traits[fn.opcode[i]] & OpcodeTrait.Debug) !== 0);
}

/** Other stages of rematerialization than 22.1.8's do not say what they leave in the intervals. */
function isDefaultModel(context: PassContext): boolean {
  return (context.options.get('model') ?? DEFAULT_MODEL) === DEFAULT_MODEL;
}

/** The scheduler's result with the intervals as its moves have left them. */
function schedule(
  fn: MachineFunction,
  context: PassContext,
): { readonly fn: MachineFunction; readonly scheduled: Scheduled | null } {
  if (!isDefaultModel(context))
    throw new NotModelled(`what --model=${String(context.options.get('model'))} leaves to the allocator`);
  const { verifyAfter } = context;
  const follower = new ScheduledIntervals(context.checkpoint ?? null, verifyAfter !== undefined);
  const made = runScheduler(fn, context, { follower });
  const scheduled = follower.finish();
  const known = scheduled && { intervals: scheduled.intervals, unitRange: (unit: RegUnit) => follower.unitRange(unit) };
  verifyAfter?.(made, known, titleOf('machine-scheduler,0'));
  return { fn: made, scheduled };
}

/**
 * The scheduler's result with what the verifier behind it asks about: intervals and ranges as its moves have left them; null where they are not
 * modelled.
 */
export function scheduleForVerifier(
  fn: MachineFunction,
  context: PassContext,
  hasIntervals: boolean,
): { readonly fn: MachineFunction; readonly known: KnownIntervals | null } {
  if (!isDefaultModel(context)) return { fn: runScheduler(fn, context, { hasIntervals }), known: null };
  const follower = new ScheduledIntervals(context.checkpoint ?? null, true);
  const made = runScheduler(fn, context, { follower, hasIntervals });
  const intervals = follower.finish()?.intervals;
  if (intervals === undefined) return { fn: made, known: null };
  return { fn: made, known: { intervals, unitRange: (unit) => follower.unitRange(unit) } };
}

/** A copy of a function with the live intervals that llc computes, and what it marks while it does: a pass that changes nothing leaves them so. */
export function analyseForVerifier(fn: MachineFunction): {
  readonly fn: MachineFunction;
  readonly known: KnownIntervals;
} {
  const own = fn.clone();
  const intervals = new IntervalEditor(new FunctionEditor(own), new SlotIndexes(own));
  const { slots, editor } = intervals;
  const reserved = new ReservedRegs(own);
  const units = new UnitRanges({ fn: own, tables: own.tables, slots, editor, lis: intervals, reserved });
  intervals.computeAll();
  units.computeLiveIns();
  return { fn: own, known: { intervals, unitRange: (unit) => units.known(unit) } };
}

const SPLIT_MODES: Readonly<Record<string, SplitMode>> = {
  default: SplitMode.Partition,
  size: SplitMode.Size,
  speed: SplitMode.Speed,
};

export function regAllocOptions(options: ReadonlyMap<string, OptionValue>): RegAllocOptions {
  const number = (name: string, byDefault: number): number => {
    const given = options.get(name);
    return given === undefined ? byDefault : Number(given);
  };
  const d = DEFAULT_OPTIONS;
  return {
    stress: number('stress-regalloc', d.stress),
    csrFirstTimeCost: options.has('regalloc-csr-first-time-cost') ? number('regalloc-csr-first-time-cost', 0) : null,
    evictionCutoff: number('regalloc-eviction-max-interference-cutoff', d.evictionCutoff),
    recolorDepth: number('lcr-max-depth', d.recolorDepth),
    recolorInterference: number('lcr-max-interf', d.recolorInterference),
    isExhaustive: options.get('exhaustive-register-search') === true,
    hintSplitThreshold: number('split-threshold-for-reg-with-hint', d.hintSplitThreshold),
    growBudget: number('grow-region-complexity-budget', d.growBudget),
    hugeSize: number('huge-size-for-split', d.hugeSize),
    spillsSGPRsToVGPRs: options.get('amdgpu-spill-sgpr-to-vgpr') !== false,
    spillsVGPRsToAGPRs: options.get('amdgpu-spill-vgpr-to-agpr') !== false,
    numVGPRsForWWM: number('amdgpu-num-vgprs-for-wwm-alloc', d.numVGPRsForWWM),
    branchFactor: number('amdgpu-long-branch-factor', d.branchFactor),
    branchBits: number('amdgpu-s-branch-bits', d.branchBits),
    sharesSlots: options.get('no-stack-slot-sharing') !== true,
    ssc: options.get('disable-ssc') !== true,
    // llc counts what went in a statistic that a release does not keep: it stays 0.
    dropsDeadStores: number('ssc-dce-limit', -1) === -1 || number('ssc-dce-limit', -1) > 0,
    splitMode: SPLIT_MODES[String(options.get('split-spill-mode') ?? '')] ?? d.splitMode,
    knowsLoopIVs: options.get('enable-split-loopiv-heuristic') !== false,
    classTrumpsGlobal: options.get('greedy-regclass-priority-trumps-globalness') === true,
    reversesLocals: options.get('greedy-reverse-local-assignment') === true,
    goesByNumber: options.get('regalloc-enable-priority-advisor') === 'dummy',
    maxClause: number('amdgpu-max-memory-clause', d.maxClause),
    leftOut: PIPELINE.filter((pass) => !isInPipeline(pass, options)),
    preallocatesLanes: options.get('amdgpu-prealloc-sgpr-spill-vgprs') === true,
    costs: d.costs,
  };
}

/**
 * Runs passes over a function, and does for every one of them what LLVM's pass managers do: leaves passes out, keeps analyses, prints, verifies.
 */
import type { KnownIntervals } from '../analysis/verifier/index.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { areTiedOperandsRewritten } from '../model/tiedOperands.js';
import type { FunctionState } from './functionState.js';
import { NotModelled, PassError, preservedBy, type MachinePass, type PassCall, type PassUse } from './machinePass.js';
import { LegacyPrinter, PipelinePrinter } from './passPrinter.js';
import type { PrintOptions } from './printOptions.js';
import { verifyState } from './verifyState.js';
import { CFG, LIVE_INTERVALS, type Analysis, type PassContext, type Preserved } from './passContext.js';

/** What is asked of a run beside its passes. */
export interface RunOptions {
  /** the new pass manager runs the passes (-passes) */
  readonly isPipeline: boolean;
  /** the passes are a part of llc's pipeline (-start-* and -stop-*) */
  readonly isCut: boolean;
  /**
   * Asked after each pass of the legacy pass manager, once after a pipeline: throws where the verifier finds fault. `known`: live intervals that LLVM has
   * then. null: nobody asks.
   */
  readonly verify: ((fn: MachineFunction, known: KnownIntervals | null, banner: string) => void) | null;
  /** what is printed around passes, null = nothing */
  readonly printed: PrintOptions | null;
  /** called after each pass, for who wants the function on its way at no cost: unlike with `watch`, passes keep nothing for the reader */
  readonly after?: (pass: MachinePass) => void;
  /** who looks at the function around each pass that runs, by its place in the list of calls */
  readonly watch?: PassWatch;
}

export interface PassWatch {
  before(place: number, state: FunctionState): void;
  after(place: number, state: FunctionState): void;
}

/** Runs passes over a function. Throws NotModelled, PassError, and what `verify` and checkpoints throw. */
export function runPasses(state: FunctionState, calls: readonly PassCall[], options: RunOptions): void {
  const { isPipeline, verify, printed, watch } = options;
  const printer = printed === null ? null : new (isPipeline ? PipelinePrinter : LegacyPrinter)(state, printed);
  // The new pass manager leaves out what is not required; in the legacy one each pass asks for itself.
  const leavesOut = isPipeline && state.fn.isOptNone;
  const places = [...calls.keys()].filter((k) => !leavesOut || calls[k]!.pass.isRequired === true);
  const own = places.map((k) => calls[k]!);
  /** passes that LLVM takes for analyses of the control flow as it is */
  const hasRun = new Set<MachinePass>();
  if (verify !== null) printer?.begin();
  state.header.areTiesRewritten ??= areTiedOperandsRewritten(state.fn);
  own.forEach(({ pass, parameters }, k) => {
    if (hasRun.has(pass)) {
      // llc verifies all the same, and finds what it has found before.
      if (verify !== null) printer?.aroundVerifier(() => undefined);
      return;
    }
    refuseForgotten(state, pass);
    const wants = (analysis: Analysis<unknown>): boolean => isWanted(analysis, own.slice(k + 1), isPipeline);
    printer?.before(pass);
    const isWatched = verify !== null || printer !== null || watch !== undefined;
    watch?.before(places[k]!, state);
    runPass(state, pass, { parameters, isPipeline, isWatched, wants });
    const preserved = preservedBy(pass, { parameters, isPipeline });
    const left = liveIntervalsLeft(state, preserved);
    state.keepOnly(preserved);
    printer?.after(pass, left);
    watch?.after(places[k]!, state);
    if (verify !== null && !isPipeline && pass.name !== 'none') {
      const check = (): void => {
        if (pass.title !== null) verifyState(state, left, verify, `After ${pass.title}`);
      };
      if (printer === null) check();
      else printer.aroundVerifier(check);
    }
    if (preserved !== 'all' && !preserved.includes(CFG)) hasRun.clear();
    if (pass.isAnalysis === true) hasRun.add(pass);
    options.after?.(pass);
    state.context.checkpoint?.();
  });
  if (options.isCut) printer?.endOfCut();
  // The new pass manager verifies once, before its printer.
  if (isPipeline) verify?.(state.fn, state.known(LIVE_INTERVALS), '');
}

function runPass(state: FunctionState, pass: MachinePass, use: PassUse): void {
  try {
    pass.run(state, use);
  } catch (error) {
    if (error instanceof NotModelled) error.pass ||= pass.name;
    throw error;
  }
  const { properties } = pass;
  if (properties !== undefined && !(use.isPipeline && properties.isOnlyLegacy === true))
    for (const property of properties.cleared) state.header[property] = false;
  for (const analysis of pass.requires) state.noteComputed(analysis);
}

/** Those that a pass leaves to llc, though the passes after it may have to compute them here (after the last rewriter). */
const liveIntervalsLeft = (state: FunctionState, preserved: Preserved): KnownIntervals | null =>
  preserved === 'all' || preserved.includes(LIVE_INTERVALS) ? state.known(LIVE_INTERVALS) : null;

/** Whether one of the passes requires the analysis, with none before it that ends it. */
function isWanted(analysis: Analysis<unknown>, calls: readonly PassCall[], isPipeline: boolean): boolean {
  for (const { pass, parameters } of calls) {
    if (pass.requires.includes(analysis) || pass.uses?.includes(analysis) === true) return true;
    const preserved = preservedBy(pass, { parameters, isPipeline });
    if (!analysis.isPreservedBy(preserved)) return false;
  }
  return false;
}

/** What llc does with registers that a rewriter has forgotten but left in the code depends on its memory. */
function refuseForgotten({ header, nVRegs }: FunctionState, { name }: MachinePass): void {
  if (!header.noVRegs || nVRegs === 0 || name === 'none') return;
  throw new PassError("llc: error: amdgpu-mir does not model passes after a 'virtregrewriter' that had no registers.");
}

/** Each pass that has something to say before it comes to the first function says it. */
export function preparePasses(calls: readonly PassCall[], context: PassContext): void {
  for (const pass of new Set(calls.map((call) => call.pass))) pass.prepare?.(context);
}

/** A pass among `calls` that is for AMDGCN only, null without. */
export const passForAMDGCN = (calls: readonly PassCall[]): MachinePass | null =>
  calls.find(({ pass }) => pass.isForR600 !== true)?.pass ?? null;

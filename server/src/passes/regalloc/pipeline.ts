/**
 * The passes of llc from the first allocation run to the last rewriter, in their order (docs/llvm/allocation-pipeline.md, 1), and what one run of them
 * does to a function.
 */
import type { KnownIntervals } from '../../analysis/verifier/index.js';
import type { LimitQuery } from '../../model/attributeErrors.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { DebugInfo } from './debug/scopes.js';
import { DebugVariables } from './debug/variables.js';
import { GreedyRun } from './greedy.js';
import { lowerSGPRSpills } from './lowerSGPRSpills.js';
import { titleOf, WITHOUT_INTERVALS, type AllocPass, type RunFilter } from './pipelineNames.js';
import type { RegUnit } from '../../target/api.js';
import type { IntervalEditor } from '../../analysis/edit/intervalEditor.js';
import { formMemoryClauses } from './memoryClauses.js';
import { mergeConstants, optimizeExecMasking, reserveLongBranchReg } from './preAllocation.js';
import { rewriteAGPRCopies } from './agprCopies.js';
import { hasBothEncodings, reassignImageAddresses } from './nsaReassign.js';
import { rewriteRegisters } from './rewriter.js';
import { colorStackSlots } from './stackSlotColoring.js';
import { AllocState, type RegAllocOptions } from './state.js';
import type { AllocationWatch } from './watch.js';
import { enterWholeQuads } from '../wqm/wholeQuadMode.js';
import { lowerWWMCopies, preAllocateWWMRegs, reserveWWMRegs } from './wwmPasses.js';

const FILTERS: readonly RunFilter[] = ['sgpr', 'wwm', 'vgpr'];

/** What the scheduler leaves behind: intervals that followed its moves, and the units whose ranges it has computed. */
export interface Scheduled {
  readonly intervals: IntervalEditor;
  readonly units: ReadonlySet<number>;
}

export interface FunctionFacts {
  /** debug information of the IR function, null: there is none, and debug instructions go */
  readonly debugInfo: DebugInfo | null;
  /** The function comes from the scheduler and may be changed: what that has computed. */
  readonly scheduled?: Scheduled | null | undefined;
  /** Live intervals were computed in front: kill flags are what later passes left. */
  readonly hasIntervals?: boolean;
  /** asked at some moments of a run whether the function is sound; its lists are written back before */
  readonly verify?: ((fn: MachineFunction, known: KnownIntervals, banner: string) => void) | undefined;
  /** asked after each pass, with the live intervals that LLVM has then */
  readonly verifyAfter?: (fn: MachineFunction, known: KnownIntervals | null, title: string) => void;
  /** told each time that LLVM would compute a limit of the function again */
  readonly onLimits?: (query: LimitQuery) => void;
}

export interface AllocResult {
  readonly fn: MachineFunction;
  /** messages of llc, which goes on and fails in the end */
  readonly errors: readonly string[];
}

/** Runs passes over a copy of a function. Throws NotModelled. */
export function runAllocation(
  fn: MachineFunction,
  passes: readonly AllocPass[],
  options: RegAllocOptions,
  facts: FunctionFacts,
  watchFor: ((state: AllocState) => AllocationWatch) | null = null,
): AllocResult {
  const scheduled = facts.scheduled ?? null;
  const errors: string[] = [];
  const begin = (own: MachineFunction, intervals?: IntervalEditor): AllocState => {
    const made = new AllocState(own, options, intervals, errors);
    made.sourcePlaces = facts.debugInfo;
    made.verifier = facts.verify ?? null;
    made.watch = watchFor?.(made) ?? null;
    return made;
  };
  let state = begin(scheduled === null ? fn.clone() : fn, scheduled?.intervals);
  let isAnalysed = scheduled !== null;
  if (scheduled !== null) state.analyse(scheduled.units);
  else if (facts.hasIntervals === true && passes.some((pass) => !WITHOUT_INTERVALS.has(pass))) {
    state.analyse(null, true);
    isAnalysed = true;
  }
  let hasIntervals = scheduled !== null;
  passes.forEach((pass, k) => {
    const needsIntervals = !WITHOUT_INTERVALS.has(pass);
    if (needsIntervals && !isAnalysed) {
      if (k > 0) {
        // llc computes them now, of what the passes before have made.
        const before = state;
        before.writeHints();
        state = begin(before.editor.finish());
        state.takeReserved(before);
      }
      state.analyse();
      isAnalysed = true;
    }
    runPass(state, pass, facts);
    state.watch?.passEnds(pass);
    hasIntervals ||= needsIntervals;
    if (facts.verifyAfter === undefined) return;
    const known = { intervals: state.lis, unitRange: (unit: RegUnit) => state.units.known(unit) };
    facts.verifyAfter(state.editor.finish(), hasIntervals ? known : null, titleOf(pass));
  });
  state.writeHints();
  return { fn: state.editor.finish(), errors };
}

function runPass(state: AllocState, pass: AllocPass, facts: FunctionFacts): void {
  const [name, instance] = pass.split(',') as [string, string];
  const n = Number(instance);
  switch (name) {
    case 'greedy':
      facts.onLimits?.('reservedRegs');
      takeDebugValues(state, facts);
      state.header.isSSA = false;
      state.matrix = new GreedyRun(state, instance === 'all' ? 'all' : FILTERS[n], state.matrix).run();
      return;
    case 'amdgpu-rewrite-agpr-copy-mfma':
      if (state.matrix !== null) rewriteAGPRCopies(state, state.matrix);
      return;
    case 'amdgpu-nsa-reassign':
      if (hasBothEncodings(state.fn.subtarget)) facts.onLimits?.('maxNumVGPRs');
      if (state.matrix !== null) reassignImageAddresses(state, state.matrix);
      return;
    case 'virtregrewriter':
      takeDebugValues(state, facts);
      rewriteRegisters(state, n === 2);
      state.matrix = null;
      return;
    case 'amdgpu-pre-ra-optimizations':
      mergeConstants(state);
      return;
    case 'si-wqm':
      state.header.isSSA = false;
      enterWholeQuads(state);
      state.followBlocks();
      return;
    case 'si-optimize-exec-masking-pre-ra':
      optimizeExecMasking(state);
      return;
    case 'si-form-memory-clauses':
      if (instance !== 'new') state.header.isSSA = false;
      formMemoryClauses(state);
      return;
    case 'amdgpu-pre-ra-long-branch-reg':
      reserveLongBranchReg(state);
      return;
    case 'stack-slot-coloring':
      colorStackSlots(state);
      return;
    case 'si-lower-sgpr-spills':
      state.header.isSSA = false;
      // It may make registers for lanes.
      state.header.noVRegs = false;
      lowerSGPRSpills(state);
      state.liveStacks.clear();
      return;
    case 'si-pre-allocate-wwm-regs':
      preAllocateWWMRegs(state);
      return;
    case 'si-lower-wwm-copies':
      lowerWWMCopies(state);
      return;
    case 'amdgpu-reserve-wwm-regs':
      reserveWWMRegs(state);
      return;
    default:
  }
}

/** In front of the first run debug values leave the code; what has no debug information loses them. */
function takeDebugValues(state: AllocState, { debugInfo }: FunctionFacts): void {
  const { fn, editor, lis } = state;
  if (state.debugValues !== null) return;
  fn.header.tracksDebugUserValues = true;
  if (debugInfo !== null) {
    state.debugValues = new DebugVariables(state, debugInfo);
    return;
  }
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let i = editor.list.first(b); i >= 0;) {
      const next = editor.list.after(i);
      if (state.isDebugInstr(i)) lis.erase(i);
      i = next;
    }
  }
}

/** Instructions that a loop may do without, and the block in front of it that takes them (MachineLICM, LLVM 22). */
import type { DominatorTree } from '../../analysis/dominators.js';
import type { LoopInfo } from '../../analysis/loops.js';
import { AsmBit, asmBits } from '../../model/asmBits.js';
import { barsLoads, isConvergent, isInvariantLoad, isOrderedAccess, isSafeToMove } from '../../analysis/safeToMove.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { BundleFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { hasOpcodeFlag, McFlag } from '../../target/index.js';
import { reversePostOrder } from '../../util/reversePostOrder.js';
import { BlockEnds } from '../blockEnds.js';
import { setLocation } from '../debugLines.js';
import { DOMINATORS, LOOPS } from '../controlFlowAnalyses.js';
import { canSplitEdge, splitCriticalEdge } from '../criticalEdges.js';
import type { FunctionState } from '../functionState.js';
import { loopPredecessor, loopPreheader } from '../loopEntry.js';
import { firstTerminator, isDebugInstr } from '../instrOrder.js';

/** Of a function whose outermost loops have a block in front of them, wherever one can be put there. Its block ids may be others than before. */
export function loopCandidates(state: FunctionState): LoopCandidates {
  const made = (): LoopCandidates => new LoopCandidates(state.editor(), state.get(LOOPS), state.get(DOMINATORS));
  const candidates = made();
  if (!candidates.addPreheaders()) return candidates;
  state.editor().renumberBlocks();
  for (const analysis of [LOOPS, DOMINATORS]) state.forget(analysis);
  return made();
}

export class LoopCandidates {
  private readonly fn: MachineFunction;
  /** by loop: its loads may go in front of it, for nothing stores in it */
  private readonly hasNoStore: boolean[];
  /** whether the block that is worked on runs in each round; null = nobody has asked */
  private runsAlways: boolean | null = null;

  constructor(
    readonly editor: FunctionEditor,
    readonly loops: LoopInfo,
    readonly dominators: DominatorTree,
  ) {
    this.fn = editor.fn;
    this.hasNoStore = this.loopsWithoutStores();
  }

  /** The loops that lie in no other, in LLVM's order. */
  *outermost(): IterableIterator<number> {
    const { loops, loopOf } = this.loops;
    for (const b of reversePostOrder(this.fn.blocks)) {
      const loop = loopOf[b];
      if (loop >= 0 && loops[loop].parent < 0 && loops[loop].header === b) yield loop;
    }
  }

  /** Another block is worked on. */
  enterBlock(): void {
    this.runsAlways = null;
  }

  /** The header of a bundle has what a member has. */
  has(i: InstrId, flag: McFlag): boolean {
    const { fn } = this;
    for (let m = i; ; m++) {
      if (hasOpcodeFlag(fn.tables, fn.opcode[m], flag)) return true;
      if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) return false;
    }
  }

  /** The block is of a loop to which an exception leads. */
  isOfLandingPad(b: BlockId): boolean {
    const { loops, loopOf } = this.loops;
    return this.fn.blocks[loops[loopOf[b]].header].isLandingPad;
  }

  /** @llvm MachineLICM.cpp MachineLICMImpl::InitializeLoadsHoistableLoops */
  private loopsWithoutStores(): boolean[] {
    const { fn, editor } = this;
    const { loops, loopOf } = this.loops;
    const result = loops.map(() => true);
    for (let b = 0; b < fn.blocks.length; b++) {
      if (loopOf[b] < 0) continue;
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
        const isLoad = this.has(i, McFlag.MayLoad) || (asmBits(fn, i) & AsmBit.MayLoad) !== 0;
        const isOrdered = isLoad && isOrderedAccess(fn, i);
        if (!barsLoads(fn, i) && !isOrdered) continue;
        for (let l = loopOf[b]; l >= 0; l = loops[l].parent) result[l] = false;
        break;
      }
    }
    return result;
  }

  // -- in front of a loop ------------------------------------------------------------------------------------------------

  private predecessorOf(loop: number): BlockId {
    return loopPredecessor(this.fn, this.loops.loops[loop].header, (b) => this.loops.contains(loop, b));
  }

  /**
   * The block in front of a loop, -1 = there is none to put instructions into.
   * @llvm MachineBasicBlock.cpp MachineBasicBlock::isLegalToHoistInto
   */
  preheaderOf(loop: number): BlockId {
    const { fn, editor } = this;
    const { header } = this.loops.loops[loop];
    const b = loopPreheader(fn, header, (p) => this.loops.contains(loop, p));
    if (b < 0 || fn.blocks[header].isLandingPad || fn.blocks[header].isInlineAsmBrIndirectTarget) return -1;
    const last = editor.list.before(~b);
    return last >= 0 && this.has(last, McFlag.Return) ? -1 : b;
  }

  /**
   * Puts blocks in front of outermost loops that have none. Returns whether there were such.
   * @llvm MachineLICM.cpp MachineLICMImpl::getOrCreatePreheader
   */
  addPreheaders(): boolean {
    const { fn, editor } = this;
    const ends = new BlockEnds(editor, (b) => editor.blockAfter(b));
    let hasNew = false;
    for (const loop of this.outermost()) {
      const from = this.preheaderOf(loop) < 0 ? this.predecessorOf(loop) : -1;
      const { header } = this.loops.loops[loop];
      if (from < 0 || !canSplitEdge(fn, ends, from, header)) continue;
      splitCriticalEdge(editor, ends, from, header);
      hasNew = true;
    }
    return hasNew;
  }

  /** Moves an instruction to the end of a block; it comes from no line of the source any more. */
  moveTo(preheader: BlockId, i: InstrId): void {
    const { editor } = this;
    editor.move(i, firstTerminator(editor, preheader), preheader);
    setLocation(this.fn, i, undefined);
  }

  // -- instructions ------------------------------------------------------------------------------------------------------

  /** @llvm MachineLICM.cpp MachineLICMImpl::IsLICMCandidate */
  isCandidate(i: InstrId, block: BlockId, loop: number): boolean {
    const { fn } = this;
    if (isDebugInstr(fn, i) || !isSafeToMove(fn, i)) return false;
    if (this.has(i, McFlag.MayLoad)) {
      if (!this.hasNoStore[loop] && !isInvariantLoad(fn, i)) return false;
      const mem = fn.memOperands[i] ?? [];
      const isOfTable =
        mem.length === 0 || mem.some(({ pointer: { kind } }) => kind === 'got' || kind === 'constantPool');
      if (!isOfTable && !this.isAlwaysRun(block, loop)) return false;
    }
    return !isConvergent(fn, i);
  }

  /** @llvm MachineLICM.cpp MachineLICMImpl::IsGuaranteedToExecute */
  isAlwaysRun(block: BlockId, loop: number): boolean {
    if (this.runsAlways !== null) return this.runsAlways;
    const { fn, dominators } = this;
    this.runsAlways =
      block === this.loops.loops[loop].header ||
      fn.blocks.every((from, b) => {
        const isExiting = this.loops.contains(loop, b) && from.successors.some((s) => !this.loops.contains(loop, s));
        return !isExiting || dominators.dominates(block, b);
      });
    return this.runsAlways;
  }
}

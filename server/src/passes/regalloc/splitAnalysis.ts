/** Where a register is used and lives, block by block, and where it can be split (SplitAnalysis of LLVM 22; docs/llvm/allocation-splitting.md, 2). */
import { isSkippedAtStart } from '../../analysis/blockPrologue.js';
import { NO_VALUE, type LiveInterval, type LiveRange } from '../../analysis/edit/liveRange.js';
import { NO_SLOT, SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { OpcodeTrait } from '../../analysis/opcodeTraits.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { OpFlag, type BlockId } from '../../model/machineFunction.js';
import { virtReg } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import type { AllocState } from './state.js';

/** A stretch of life in a block with uses. A block with a hole between two has two of them. */
export interface UseBlock {
  readonly block: BlockId;
  readonly first: SlotRef;
  readonly last: SlotRef;
  /** NO_SLOT = nothing is defined there */
  readonly firstDef: SlotRef;
  readonly liveIn: boolean;
  readonly liveOut: boolean;
}

export interface Uses {
  readonly interval: LiveInterval;
  readonly slots: readonly SlotRef[];
  readonly blocks: readonly UseBlock[];
  /** blocks that it lives through without a use */
  readonly through: readonly BlockId[];
  readonly numGaps: number;
  readonly looksLikeLoopIV: boolean;
}

/** @llvm SplitKit.cpp SplitAnalysis */
export class SplitAnalysis {
  /** by block, NO_SLOT = not asked for yet: kept from the first time on, as in LLVM */
  private readonly lastPoints: Int32Array;
  /** by block with a jump out of inline assembly, where that is; undefined: not looked for yet */
  private readonly jumps = new Map<BlockId, SlotRef>();
  private readonly hasJumps: boolean;
  /** whose places are asked for */
  private current: LiveRange | null = null;

  constructor(private readonly state: AllocState) {
    this.lastPoints = new Int32Array(state.fn.blocks.length).fill(NO_SLOT);
    this.hasJumps = state.fn.blocks.some((block) => block.isInlineAsmBrIndirectTarget);
  }

  /**
   * @llvm SplitKit.cpp SplitAnalysis::analyze
   * @llvm SplitKit.cpp SplitAnalysis::analyzeUses
   */
  analyse(v: number): Uses {
    const interval = this.state.lis.interval(v);
    this.askFor(interval);
    const slots = this.useSlots(v, interval);
    const { blocks, through, numGaps } = this.useBlocks(interval, slots);
    return { interval, slots, blocks, through, numGaps, looksLikeLoopIV: this.looksLikeLoopIV(blocks) };
  }

  /** Definitions and reads, one per instruction, in order. */
  private useSlots(v: number, interval: LiveInterval): SlotRef[] {
    const { lis, editor, fn, slots } = this.state;
    const found: SlotRef[] = [];
    for (let value = 0; value < interval.nValues; value++)
      if (!interval.isUnused(value) && !interval.isPhi(value)) found.push(interval.valueDef[value]);
    for (let o = editor.firstOperand(virtReg(v)); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDef(o) || editor.isDebug(o) || (fn.opFlags[o] & OpFlag.Undef) !== 0) continue;
      found.push(SlotList.at(slots.ofInstr(lis.headerOf(editor.instrOf(o))), Slot.Register));
    }
    sortSlots(found, slots);
    let n = 0;
    for (let k = 0; k < found.length; k++)
      if (n === 0 || !SlotList.isSameInstr(found[k], found[n - 1])) found[n++] = found[k];
    found.length = n;
    return found;
  }

  /** @llvm SplitKit.cpp SplitAnalysis::calcLiveBlockInfo */
  private useBlocks(
    interval: LiveInterval,
    uses: readonly SlotRef[],
  ): { blocks: UseBlock[]; through: BlockId[]; numGaps: number } {
    const { slots, fn } = this.state;
    const found: UseBlock[] = [];
    const through: BlockId[] = [];
    let numGaps = 0;
    const done = { blocks: found, through, numGaps };
    if (interval.isEmpty) return done;
    let k = 0;
    let u = 0;
    let block = slots.blockOf(interval.start[0]);
    for (;;) {
      const start = slots.startOf(block);
      const end = slots.endOf(block);
      if (u >= uses.length || !slots.isBefore(uses[u], end)) {
        through.push(block);
      } else {
        let first = uses[u];
        while (u < uses.length && slots.isBefore(uses[u], end)) u++;
        let last = uses[u - 1];
        let liveIn = slots.isAtOrBefore(interval.start[k], start);
        let firstDef = liveIn ? NO_SLOT : first;
        let liveOut = true;
        while (slots.isBefore(interval.end[k], end)) {
          const stop = interval.end[k];
          k++;
          if (k >= interval.size || !slots.isBefore(interval.start[k], end)) {
            liveOut = false;
            last = stop;
            break;
          }
          if (slots.isBefore(stop, interval.start[k])) {
            numGaps++;
            found.push({ block, first, last: stop, firstDef, liveIn, liveOut: false });
            liveIn = false;
            liveOut = true;
            first = firstDef = interval.start[k];
          }
          if (firstDef === NO_SLOT) firstDef = interval.start[k];
        }
        found.push({ block, first, last, firstDef, liveIn, liveOut });
        if (k >= interval.size) break;
      }
      if (slots.number(interval.end[k]) === slots.number(end)) {
        k++;
        if (k >= interval.size) break;
      }
      block = slots.isBefore(interval.start[k], end) ? block + 1 : slots.blockOf(interval.start[k]);
      if (block >= fn.blocks.length) break;
    }
    return { blocks: found, through, numGaps };
  }

  /** @llvm SplitKit.cpp SplitAnalysis::calcLiveBlockInfo */
  private looksLikeLoopIV(blocks: readonly UseBlock[]): boolean {
    const { fn } = this.state;
    const { loops } = this.state.blocks;
    if (blocks.length !== 2 || !this.state.options.knowsLoopIVs) return false;
    return blocks.some(({ block, liveIn, liveOut, firstDef }) => {
      const loop = loops.loopOf[block];
      if (!liveIn || !liveOut || firstDef === NO_SLOT || loop < 0) return false;
      return fn.blocks[block].successors.includes(loops.loops[loop].header);
    });
  }

  // -- points ------------------------------------------------------------------------------------------------------

  /**
   * After it no value can be defined for the successors: the first terminator, or the end of the block.
   * @llvm SplitKit.cpp InsertPointAnalysis::computeLastInsertPoint
   */
  lastSplitPoint(b: BlockId): SlotRef {
    if (this.lastPoints[b] === NO_SLOT) this.lastPoints[b] = this.firstTerminatorSlot(b);
    return this.hasJumps && this.leavesByJump(b) ? this.jumps.get(b)! : this.lastPoints[b];
  }

  /** Last split points are from now on those of this range. */
  askFor(range: LiveRange): void {
    this.current = range;
  }

  /** Whether the range is live into a block that inline assembly jumps to, with the value that it has at the jump (InsertPointAnalysis). */
  private leavesByJump(b: BlockId): boolean {
    const { current } = this;
    const { fn, slots } = this.state;
    if (current === null) return false;
    const isTarget = (s: BlockId): boolean => fn.blocks[s].isInlineAsmBrIndirectTarget;
    if (!fn.blocks[b].successors.some((s) => isTarget(s) && current.isLiveAt(slots.startOf(s)))) return false;
    const jump = this.jumps.get(b) ?? this.lastJump(b);
    this.jumps.set(b, jump);
    const end = slots.endOf(b);
    const value = jump === NO_SLOT ? NO_VALUE : current.valueBefore(end);
    if (value === NO_VALUE) return false;
    const def = SlotList.base(current.valueDef[value]);
    return slots.isBefore(def, jump) || !slots.isBefore(def, end);
  }

  private lastJump(b: BlockId): SlotRef {
    const { list } = this.state.editor;
    const { fn, opcodes, slots } = this.state;
    for (let i = list.before(~b); i >= 0; i = list.before(i))
      if (fn.opcode[i] === opcodes.inlineAsmBr) return slots.ofInstr(i);
    return NO_SLOT;
  }

  /** Whether it was asked for before. */
  knowsLastSplitPoint(b: BlockId): boolean {
    return this.lastPoints[b] !== NO_SLOT;
  }

  private firstTerminatorSlot(b: BlockId): SlotRef {
    const { state } = this;
    const { list } = state.editor;
    let at = state.slots.endOf(b);
    for (let i = list.before(~b); i >= 0; i = list.before(i)) {
      if ((state.traits[state.fn.opcode[i]] & OpcodeTrait.NoSlotIndex) !== 0) continue;
      if (!state.has(i, McFlag.Terminator)) break;
      at = state.slots.ofInstr(i);
    }
    return at;
  }

  /** The place in the list that belongs to the last split point. */
  lastSplitPos(b: BlockId): number {
    const s = this.lastSplitPoint(b);
    const i = this.state.slots.instrOf(s);
    return s === this.state.slots.endOf(b) || i < 0 ? ~b : i;
  }

  /** Before it nothing can be put: labels, and what restores EXEC. */
  firstSplitPoint(b: BlockId): SlotRef {
    const { state } = this;
    const at = this.skipPrologue(b, -1);
    return at >= 0 ? state.slots.ofInstr(at) : state.slots.startOf(b);
  }

  /**
   * The first instruction of a block after which a register may be defined; -1: any register.
   * @llvm MachineBasicBlock.cpp MachineBasicBlock::SkipPHIsLabelsAndDebug
   */
  skipPrologue(b: BlockId, v: number): number {
    const { state } = this;
    const { list } = state.editor;
    let i = list.first(b);
    while (i >= 0 && isSkippedAtStart(state.fn, i, v)) i = list.after(i);
    return i;
  }
}

/** In order; short lists, as most are, without the calls of a sort. */
function sortSlots(list: SlotRef[], slots: SlotList): void {
  if (list.length > 24) {
    list.sort((a, b) => slots.number(a) - slots.number(b));
    return;
  }
  for (let k = 1; k < list.length; k++) {
    const s = list[k];
    const number = slots.number(s);
    let at = k;
    for (; at > 0 && slots.number(list[at - 1]) > number; at--) list[at] = list[at - 1];
    list[at] = s;
  }
}

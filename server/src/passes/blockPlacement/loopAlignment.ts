/** Where loops begin at a cache line, and are fetched ahead of time (docs/llvm/block-layout.md, 4). */
import { immOperand } from '../../model/edit/functionEditor.js';
import { NO_LOCATION } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import type { BlockId } from '../../model/machineFunction.js';
import { Generation, McFlag } from '../../target/api.js';
import type { FoldedFunction } from '../branchFolder/foldedFunction.js';
import { InstrSizes } from '../branchRelaxation/instrSize.js';
import { firstTerminator } from '../instrOrder.js';
import { probability, times, type EdgeFrequencies } from './edgeFrequency.js';
import { loopPreheader } from '../loopEntry.js';
import type { PlacedLoop, PlacedLoops } from './placedLoops.js';

/** Bytes */
const CACHE_LINE = 64;
/** Lines that the prefetcher keeps: what S_INST_PREFETCH says */
const TWO_LINES_BACK = 1;
const ONE_LINE_BACK = 2;
/** Blocks that run less often than that part of what they are compared with are cold. */
const COLD = probability(1, 5);

export class LoopAlignment {
  private readonly sizes: InstrSizes;
  private readonly isUseful: boolean;
  private readonly prefetch: number;

  constructor(
    private readonly folded: FoldedFunction,
    private readonly loops: PlacedLoops,
    private readonly edges: EdgeFrequencies,
    isDisabled: boolean,
  ) {
    const { subtarget, tables } = folded.fn;
    const { generation } = subtarget;
    const hasPrefetch = generation === Generation.GFX10 || generation === Generation.GFX11;
    this.isUseful = !isDisabled && hasPrefetch && !subtarget.hasFeature('inst-fwd-prefetch-bug');
    this.sizes = new InstrSizes(folded.fn);
    this.prefetch = tables.opcodeByName('S_INST_PREFETCH');
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::alignBlocks */
  run(): void {
    const { folded, loops, edges } = this;
    const { fn, layout } = folded;
    if (fn.isForSize) return;
    const ofEntry = times(edges.ofBlock(layout.first), COLD);
    for (let b = layout.after(layout.first); b >= 0; b = layout.after(b)) {
      const loop = loops.loopOf(b);
      if (loop === null) continue;
      const alignment = this.preferred(loop);
      const frequency = edges.ofBlock(b);
      if (alignment <= 1 || frequency < ofEntry || frequency < times(edges.ofBlock(loop.header), COLD)) continue;
      const before = layout.before(b);
      const isFallenInto = fn.blocks[before].successors.includes(b);
      if (!isFallenInto || edges.ofEdge(before, b) <= times(frequency, COLD)) fn.blocks[b].alignment = alignment;
    }
  }

  /**
   * Bytes; a loop of three lines gets instructions that make the prefetcher keep two of them.
   * @llvm SIISelLowering.cpp SITargetLowering::getPrefLoopAlignment
   */
  private preferred(loop: PlacedLoop): number {
    if (!this.isUseful) return 1;
    const { fn } = this.folded;
    const { alignment } = fn.blocks[loop.header];
    if (alignment > 1) return alignment;
    const size = this.sizeOf(loop);
    if (size <= CACHE_LINE || size > 3 * CACHE_LINE) return 1;
    if (size > 2 * CACHE_LINE) this.keepTwoLines(loop);
    return CACHE_LINE;
  }

  /** Up to what is too much. */
  private sizeOf({ blocks, header }: PlacedLoop): number {
    const { fn, editor } = this.folded;
    let size = 0;
    for (const b of blocks) {
      if (b !== header) size += fn.blocks[b].alignment >> 1;
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
        size += this.sizes.of(i);
        if (size > 3 * CACHE_LINE) return size;
      }
    }
    return size;
  }

  private keepTwoLines(loop: PlacedLoop): void {
    const { folded } = this;
    const { editor } = folded;
    const { list } = editor;
    for (let l = loop.outer; l !== null; l = l.outer) {
      const exit = this.exitOf(l);
      if (exit >= 0 && this.isPrefetch(folded.firstReal(exit))) return;
    }
    const before = this.preheaderOf(loop);
    const exit = this.exitOf(loop);
    if (before < 0 || exit < 0) return;
    const end = firstTerminator(editor, before);
    if (!this.isPrefetch(list.before(end))) this.insert(end, TWO_LINES_BACK);
    const first = folded.firstReal(exit);
    if (!this.isPrefetch(first)) this.insert(first < 0 ? ~exit : first, ONE_LINE_BACK);
  }

  private insert(at: ListPos, lines: number): void {
    this.folded.builder.build(at, NO_LOCATION, this.prefetch, [immOperand(lines)]);
  }

  private isPrefetch(i: ListPos): boolean {
    return i >= 0 && this.folded.fn.opcode[i] === this.prefetch;
  }

  private preheaderOf(loop: PlacedLoop): BlockId {
    const { folded, loops } = this;
    const before = loopPreheader(folded.fn, loop.header, (b) => loops.has(loop, b));
    const last = before < 0 ? -1 : folded.editor.list.before(~before);
    return last >= 0 && folded.isBundledOr(last, McFlag.Return) ? -1 : before;
  }

  /**
   * The block that the only edge out of a loop goes to, -1 without.
   * @llvm GenericLoopInfoImpl.h LoopBase::getExitBlock
   */
  private exitOf(loop: PlacedLoop): BlockId {
    const { folded, loops } = this;
    let found = -1;
    for (const b of loop.blocks)
      for (const s of folded.fn.blocks[b].successors) {
        if (loops.has(loop, s)) continue;
        if (found >= 0) return -1;
        found = s;
      }
    return found;
  }
}

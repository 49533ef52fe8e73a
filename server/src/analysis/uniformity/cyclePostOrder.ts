/**
 * Post-order of a control flow graph in which cycles count as one node (LLVM 22: ModifiedPostOrder; docs/llvm/uniformity.md, section 3.1): what is
 * after a cycle comes before its header, the header before the other blocks of the cycle, and those in post-order among themselves.
 */
import type { BlockId, MachineBasicBlock } from '../../model/machineFunction.js';
import { NO_CYCLE, type CycleInfo } from '../../util/cycles.js';

/** @llvm GenericUniformityImpl.h ModifiedPostOrder */
export class CyclePostOrder {
  /** reachable blocks */
  readonly order: BlockId[] = [];
  /** place in `order` by block, -1 = unreachable */
  readonly index: Int32Array;
  /** 1 for headers of reducible cycles, by block */
  readonly isReducibleHeader: Uint8Array;
  /** where paths go on, by place in `order`: the successors of a block, the exits of its cycle for the header of a reducible one; next[nextBegin[k]] .. next[nextBegin[k + 1] - 1], places */
  readonly next: Int32Array;
  readonly nextBegin: Int32Array;

  /** O(blocks + edges + exits of cycles) */
  constructor(cfg: readonly MachineBasicBlock[], cycles: CycleInfo) {
    this.index = new Int32Array(cfg.length).fill(-1);
    this.isReducibleHeader = new Uint8Array(cfg.length);
    if (cfg.length > 0) this.walk(cfg, cycles);
    const { order, index } = this;
    const goesOn = order.map((b) =>
      this.isReducibleHeader[b] === 1 ? cycles.exitBlocks(cycles.cycleOf[b]) : cfg[b].successors,
    );
    this.nextBegin = new Int32Array(order.length + 1);
    goesOn.forEach((list, k) => (this.nextBegin[k + 1] = this.nextBegin[k] + list.length));
    this.next = new Int32Array(this.nextBegin[order.length]);
    goesOn.forEach((list, k) => list.forEach((b, i) => (this.next[this.nextBegin[k] + i] = index[b])));
  }

  /** @llvm GenericUniformityImpl.h ModifiedPostOrder::compute */
  private walk(cfg: readonly MachineBasicBlock[], cycles: CycleInfo): void {
    const { index } = this;
    const stack: BlockId[] = [0];
    // A walk inside one cycle ends when the stack is down to where it began. Walks nest as cycles do, so they are kept here. It does not leave the cycle,
    // since the exits came before.
    const walks: { cycle: number; base: number }[] = [{ cycle: NO_CYCLE, base: 0 }];
    const push = (b: BlockId): boolean => {
      if (index[b] >= 0) return false;
      stack.push(b);
      return true;
    };
    while (walks.length > 0) {
      const { cycle, base } = walks[walks.length - 1];
      if (stack.length === base) {
        walks.pop();
        continue;
      }
      const b = stack[stack.length - 1];
      if (index[b] >= 0) {
        stack.pop();
        continue;
      }
      let inner = cycles.cycleOf[b];
      let pushed = false;
      if (inner === cycle) {
        for (const s of cfg[b].successors) pushed = push(s) || pushed;
        if (pushed) continue;
        stack.pop();
        this.append(b);
        continue;
      }
      while (cycles.parent[inner] !== cycle) inner = cycles.parent[inner];
      for (const e of cycles.exitBlocks(inner)) pushed = push(e) || pushed;
      if (pushed) continue;
      stack.pop();
      const header = cycles.header(inner);
      this.append(header);
      if (cycles.isReducible(inner)) this.isReducibleHeader[header] = 1;
      walks.push({ cycle: inner, base: stack.length });
      for (const s of cfg[header].successors) push(s);
    }
  }

  /** @llvm GenericUniformityImpl.h ModifiedPostOrder::appendBlock */
  private append(b: BlockId): void {
    this.index[b] = this.order.push(b) - 1;
  }
}

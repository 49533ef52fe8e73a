/** Which entries and exits of blocks a value shares (EdgeBundles of LLVM 22; docs/llvm/allocation-splitting.md, 3.1). */
import type { MachineFunction } from '../../model/machineFunction.js';

/** @llvm EdgeBundles.cpp EdgeBundles::init */
export class EdgeBundles {
  readonly n: number;
  /** bundle of the entry of each block, and of its exit */
  readonly in: Int32Array;
  readonly out: Int32Array;
  /** blocks that touch each bundle, in the order of their numbers */
  readonly blocks: readonly (readonly number[])[];

  constructor(fn: MachineFunction) {
    const { blocks } = fn;
    const leader = Int32Array.from({ length: blocks.length * 2 }, (_, k) => k);
    const find = (k: number): number => {
      let x = k;
      while (leader[x] !== x) x = leader[x] = leader[leader[x]];
      return x;
    };
    blocks.forEach((block, b) => {
      for (const s of block.successors) {
        const x = find(2 * fn.numberOf(b) + 1);
        const y = find(2 * fn.numberOf(s));
        leader[Math.max(x, y)] = Math.min(x, y);
      }
    });
    const idOf = new Int32Array(blocks.length);
    for (let b = 0; b < blocks.length; b++) idOf[fn.numberOf(b)] = b;
    const number = new Int32Array(blocks.length * 2).fill(-1);
    let n = 0;
    this.in = new Int32Array(blocks.length);
    this.out = new Int32Array(blocks.length);
    const lists: number[][] = [];
    for (let k = 0; k < leader.length; k++) {
      const first = find(k);
      if (number[first] < 0) {
        number[first] = n++;
        lists.push([]);
      }
      (k % 2 === 0 ? this.in : this.out)[idOf[k >> 1]] = number[first];
    }
    for (const b of idOf) {
      lists[this.in[b]].push(b);
      if (this.out[b] !== this.in[b]) lists[this.out[b]].push(b);
    }
    this.n = n;
    this.blocks = lists;
  }
}

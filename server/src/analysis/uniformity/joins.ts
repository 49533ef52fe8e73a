/**
 * Where the paths that part at a divergent branch meet again, and which exits of the cycles around it lanes take at different times (LLVM 22:
 * GenericSyncDependenceAnalysis; docs/llvm/uniformity.md, section 3.2). Each successor of the branch gets a label of its own, labels
 * flow along the edges, and a block that two different ones reach is a join and goes on with its own.
 */
import type { BlockId, MachineBasicBlock } from '../../model/machineFunction.js';
import { CyclePostOrder } from './cyclePostOrder.js';
import { NO_CYCLE, type CycleInfo } from './cycles.js';

const NO_LABEL = -1;

/** Both lists are in the order of discovery and name each block once. */
export interface Joins {
  readonly joins: readonly BlockId[];
  /** exits of cycles around the branch that lanes reach in different iterations */
  readonly divergentExits: readonly BlockId[];
}

/** The lists of JoinFinder, a bit each. */
const enum Found {
  Join = 1,
  Exit = 2,
}

const NO_JOINS: Joins = { joins: [], divergentExits: [] };

export class JoinFinder {
  private order: CyclePostOrder | undefined;
  private readonly label: Int32Array;
  /** blocks with a label, to be cleared */
  private readonly labelled: BlockId[] = [];
  /** places in the post-order whose label is to be passed on */
  private readonly fresh: Uint32Array;
  private nFresh = 0;
  /** no word of `fresh` behind this one has a bit */
  private lastWord = -1;
  /** found for the present branch; a block is in a list if its mark has that list's bit */
  private joins: BlockId[] = [];
  private exits: BlockId[] = [];
  private readonly found: Uint8Array;

  constructor(
    private readonly cfg: readonly MachineBasicBlock[],
    private readonly cycles: CycleInfo,
  ) {
    this.label = new Int32Array(cfg.length).fill(NO_LABEL);
    this.fresh = new Uint32Array((cfg.length + 31) >>> 5);
    this.found = new Uint8Array(cfg.length);
  }

  /** Joins of a branch in a reachable block. O(blocks and edges until all paths have met), more inside irreducible cycles */
  find(branch: BlockId): Joins {
    const { cfg, cycles, label } = this;
    const { successors } = cfg[branch];
    if (successors.length <= 1) return NO_JOINS;
    const order = (this.order ??= new CyclePostOrder(cfg, cycles));
    this.joins = [];
    this.exits = [];
    const branchCycle = cycles.cycleOf[branch];
    const irreducible = this.outermostIrreducible(branchCycle);
    for (const s of successors) {
      if (branchCycle >= 0 && !cycles.contains(branchCycle, s)) this.add(s, Found.Exit);
      this.pass(s, s, Found.Join);
    }
    for (let k = this.lastFresh(); k >= 0; k = this.lastFresh()) {
      const b = order.order[k];
      // One label is left: all paths have met. Inside an irreducible cycle a label may come around and find another one.
      if (this.nFresh === 1 && (irreducible < 0 || !cycles.contains(irreducible, b))) break;
      this.clearFresh(k);
      if (b === branch) continue;
      if (order.isReducibleHeader[b] === 1) {
        const c = cycles.cycleOf[b];
        const meeting = cycles.contains(c, branch) ? Found.Exit : Found.Join;
        for (const e of cycles.exitBlocks(c)) this.pass(e, label[b], meeting);
      } else {
        for (const s of cfg[b].successors) this.pass(s, label[b], Found.Join);
      }
    }
    for (let c = branchCycle; c >= 0; c = cycles.parent[c]) {
      if (cycles.isReducible(c)) continue;
      const ofHeader = label[cycles.header(c)];
      for (const e of cycles.exitBlocks(c)) if (label[e] !== ofHeader) this.add(e, Found.Exit);
    }
    this.reset();
    return { joins: this.joins, divergentExits: this.exits };
  }

  /** The largest cycle around an irreducible one, itself included, with no reducible one between; -1 if `c` is none or reducible. */
  private outermostIrreducible(c: number): number {
    const { parent } = this.cycles;
    if (c < 0 || this.cycles.isReducible(c)) return NO_CYCLE;
    while (parent[c] >= 0 && !this.cycles.isReducible(parent[c])) c = parent[c];
    return c;
  }

  private add(b: BlockId, list: Found): void {
    if ((this.found[b] & list) !== 0) return;
    this.found[b] |= list;
    (list === Found.Join ? this.joins : this.exits).push(b);
  }

  /** Passes a label on to a block; where it meets another one the block goes into the list `meeting`. */
  private pass(to: BlockId, pushed: BlockId, meeting: Found): void {
    const old = this.label[to];
    if (old === pushed) return;
    if (old !== to) this.setFresh(this.order!.index[to]);
    if (old === NO_LABEL) {
      this.label[to] = pushed;
      this.labelled.push(to);
      return;
    }
    this.label[to] = to;
    this.add(to, meeting);
  }

  private setFresh(k: number): void {
    const w = k >>> 5;
    const bit = 1 << (k & 31);
    if ((this.fresh[w] & bit) !== 0) return;
    this.fresh[w] |= bit;
    this.nFresh++;
    if (w > this.lastWord) this.lastWord = w;
  }

  private clearFresh(k: number): void {
    this.fresh[k >>> 5] &= ~(1 << (k & 31));
    this.nFresh--;
  }

  private lastFresh(): number {
    while (this.lastWord >= 0) {
      const word = this.fresh[this.lastWord];
      if (word !== 0) return this.lastWord * 32 + 31 - Math.clz32(word);
      this.lastWord--;
    }
    return -1;
  }

  private reset(): void {
    for (const b of this.labelled) this.label[b] = NO_LABEL;
    this.labelled.length = 0;
    for (const b of this.joins) this.found[b] = 0;
    for (const b of this.exits) this.found[b] = 0;
    for (let k = this.lastFresh(); k >= 0; k = this.lastFresh()) this.clearFresh(k);
  }
}

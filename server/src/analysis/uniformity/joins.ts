/**
 * Where the paths that part at a divergent branch meet again, and which exits of the cycles around it lanes take at different times (LLVM 22:
 * GenericSyncDependenceAnalysis; docs/llvm/uniformity.md, section 3.2). Each successor of the branch gets a label of its own, labels
 * flow along the edges, and a block that two different ones reach is a join and goes on with its own.
 */
import type { BlockId, MachineBasicBlock } from '../../model/machineFunction.js';
import type { CyclePostOrder } from './cyclePostOrder.js';
import { NO_CYCLE, type CycleInfo } from '../../util/cycles.js';

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

/** @llvm GenericUniformityImpl.h DivergencePropagator */
export class JoinFinder {
  /** blocks visited by all calls of `find` */
  nSteps = 0;
  /** the label of the block at each place of the post-order, a place itself */
  private readonly label: Int32Array;
  /** places with a label, to be cleared */
  private readonly labelled: Int32Array;
  private nLabelled = 0;
  /** places whose label is to be passed on */
  private readonly fresh: Uint32Array;
  private nFresh = 0;
  /** no word of `fresh` after this one has a bit */
  private lastWord = -1;
  private blockAt: readonly BlockId[] = [];
  /** found for the present branch; a block is in a list if its place's mark has that list's bit */
  private joins: BlockId[] = [];
  private exits: BlockId[] = [];
  private readonly found: Uint8Array;
  /** newExits by inner cycle */
  private readonly exitsBeyond: (readonly BlockId[] | undefined)[] = [];

  constructor(
    private readonly cfg: readonly MachineBasicBlock[],
    private readonly cycles: CycleInfo,
    private readonly order: () => CyclePostOrder,
  ) {
    this.label = new Int32Array(cfg.length).fill(NO_LABEL);
    this.labelled = new Int32Array(cfg.length);
    this.fresh = new Uint32Array((cfg.length + 31) >>> 5);
    this.found = new Uint8Array(cfg.length);
  }

  /**
   * Joins of a branch in a reachable block. O(blocks and edges until all paths have met), more inside irreducible cycles
   * @llvm GenericUniformityImpl.h DivergencePropagator::computeJoinPoints
   */
  find(branch: BlockId): Joins {
    const { cfg, cycles, label } = this;
    const { successors } = cfg[branch];
    if (successors.length <= 1) return NO_JOINS;
    const { order, index, isReducibleHeader, next, nextBegin } = this.order();
    this.blockAt = order;
    this.joins = [];
    this.exits = [];
    const branchCycle = cycles.cycleOf[branch];
    const irreducible = this.outermostIrreducible(branchCycle);
    for (const s of successors) {
      if (branchCycle >= 0 && !cycles.contains(branchCycle, s)) this.add(s, index[s], Found.Exit);
      this.pass(index[s], index[s], Found.Join);
    }
    for (let k = this.lastFresh(); k >= 0; k = this.lastFresh()) {
      const b = order[k];
      // One label is left: all paths have met. Inside an irreducible cycle a label may come around and find another one.
      if (this.nFresh === 1 && (irreducible < 0 || !cycles.contains(irreducible, b))) break;
      this.clearFresh(k);
      if (b === branch) continue;
      this.nSteps++;
      const meeting =
        isReducibleHeader[b] === 1 && cycles.contains(cycles.cycleOf[b], branch) ? Found.Exit : Found.Join;
      const pushed = label[k];
      for (let e = nextBegin[k]; e < nextBegin[k + 1]; e++)
        if (label[next[e]] !== pushed) this.pass(next[e], pushed, meeting);
    }
    this.findIrreducibleExits(branchCycle);
    this.reset();
    return { joins: this.joins, divergentExits: this.exits };
  }

  /**
   * For each irreducible cycle around the branch the exits whose label is not that of its header, from the innermost outwards. Most are exits of many nested cycles and found
   * with the first: for an outer cycle those count that are new in it and those that were not found so far.
   */
  private findIrreducibleExits(innermost: number): void {
    const { cycles, label } = this;
    const { index } = this.order();
    let rest: BlockId[] = [];
    let inner = NO_CYCLE;
    for (let c = innermost; c >= 0; inner = c, c = cycles.parent[c]) {
      const isReducible = cycles.isReducible(c);
      const ofHeader = label[index[cycles.header(c)]];
      const before = rest;
      rest = [];
      let isInOrder = true;
      for (const e of before) {
        if (cycles.contains(c, e)) continue;
        if (!isReducible && label[index[e]] !== ofHeader) isInOrder = false;
        else rest.push(e);
      }
      if (!isInOrder) {
        for (const e of cycles.exitBlocks(c)) if (label[index[e]] !== ofHeader) this.add(e, index[e], Found.Exit);
        for (const e of this.newExits(c, inner)) if (label[index[e]] === ofHeader) rest.push(e);
        continue;
      }
      for (const e of this.newExits(c, inner)) {
        if (!isReducible && label[index[e]] !== ofHeader) this.add(e, index[e], Found.Exit);
        else rest.push(e);
      }
    }
  }

  /** Exits of a cycle that are not exits of the cycle `inner` right inside it (-1: all), in their order. */
  private newExits(c: number, inner: number): readonly BlockId[] {
    const exits = this.cycles.exitBlocks(c);
    if (inner < 0) return exits;
    let known = this.exitsBeyond[inner];
    if (known === undefined) {
      const ofInner = new Set(this.cycles.exitBlocks(inner));
      known = this.exitsBeyond[inner] = exits.filter((e) => !ofInner.has(e));
    }
    return known;
  }

  /** The largest cycle around an irreducible one, itself included, with no reducible one between; -1 if `c` is none or reducible. */
  private outermostIrreducible(c: number): number {
    const { parent } = this.cycles;
    if (c < 0 || this.cycles.isReducible(c)) return NO_CYCLE;
    while (parent[c] >= 0 && !this.cycles.isReducible(parent[c])) c = parent[c];
    return c;
  }

  /** `k`: the place of `b` */
  private add(b: BlockId, k: number, list: Found): void {
    if ((this.found[k] & list) !== 0) return;
    this.found[k] |= list;
    (list === Found.Join ? this.joins : this.exits).push(b);
  }

  /**
   * Passes a label on to a place; where it meets another one the block goes into the list `meeting`.
   * @llvm GenericUniformityImpl.h DivergencePropagator::computeJoin
   */
  private pass(to: number, pushed: number, meeting: Found): void {
    const old = this.label[to];
    if (old === pushed) return;
    if (old !== to) this.setFresh(to);
    if (old === NO_LABEL) {
      this.label[to] = pushed;
      this.labelled[this.nLabelled++] = to;
      return;
    }
    this.label[to] = to;
    this.add(this.blockAt[to], to, meeting);
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
    const { index } = this.order();
    for (let k = 0; k < this.nLabelled; k++) this.label[this.labelled[k]] = NO_LABEL;
    this.nLabelled = 0;
    for (const b of this.joins) this.found[index[b]] = 0;
    for (const b of this.exits) this.found[index[b]] = 0;
    for (let k = this.lastFresh(); k >= 0; k = this.lastFresh()) this.clearFresh(k);
  }
}

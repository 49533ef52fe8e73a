/**
 * LLVM's ILP schedulers for every target (`-misched=ilpmax`, `ilpmin`): bottom-up, subtree by subtree, by the number of instructions above a
 * node per cycle of its depth. They look at no register pressure.
 *
 * Follows ILPScheduler and ILPOrder (MachineScheduler.cpp, LLVM 22). The queue is a heap whose ties show, so it is libstdc++'s.
 */
import { NONE, type EdgeId, type ScheduleGraph, type SUnitId } from '../dag/graph.js';
import { makeHeap, popHeap, pushHeap } from '../../../util/introsort.js';
import type { NodePicker } from '../strategy/nodePicker.js';
import { Subtrees } from './subtrees.js';

/** What put a node before another: named after LLVM's functions. */
export type IlpRule = 'ScheduledTree' | 'SubtreeLevel' | 'ILP' | 'NoCand';

/** A pick, and the node that would have been picked without it. */
export interface IlpPick {
  readonly node: SUnitId;
  readonly runnerUp: SUnitId;
  readonly rule: IlpRule;
  /** what the rule compared: begun or not, cycles, instructions per cycle */
  readonly value: number;
  readonly runnerUpValue: number;
  /** nodes in the queue */
  readonly available: number;
}

/** @llvm MachineScheduler.cpp ILPScheduler */
export class IlpStrategy implements NodePicker {
  readonly pickedTop = false;
  private readonly queue: SUnitId[] = [];
  private readonly subtrees: Subtrees;
  private readonly isBegun: Uint8Array;

  constructor(
    private readonly graph: ScheduleGraph,
    isTransient: (n: SUnitId) => boolean,
    private readonly maximizes: boolean,
    private readonly onPick: ((pick: IlpPick) => void) | null,
  ) {
    this.subtrees = new Subtrees(graph, isTransient);
    this.isBegun = new Uint8Array(this.subtrees.nTrees);
  }

  private readonly before = (a: SUnitId, b: SUnitId): boolean => this.decide(a, b).isBefore;

  /**
   * Whether b goes first, and why.
   * @llvm MachineScheduler.cpp ILPOrder
   */
  private decide(a: SUnitId, b: SUnitId): { isBefore: boolean; rule: IlpRule } {
    const { subtrees, isBegun } = this;
    const ta = subtrees.tree[a];
    const tb = subtrees.tree[b];
    if (ta !== tb) {
      if (isBegun[ta] !== isBegun[tb]) return { isBefore: isBegun[tb] !== 0, rule: 'ScheduledTree' };
      const la = subtrees.level(ta);
      const lb = subtrees.level(tb);
      if (la !== lb) return { isBefore: la < lb, rule: 'SubtreeLevel' };
    }
    const less = this.compareIlp(a, b);
    return { isBefore: this.maximizes ? less < 0 : less > 0, rule: less === 0 ? 'NoCand' : 'ILP' };
  }

  /** Sign of the difference of two ILP values, which are fractions. */
  private compareIlp(a: SUnitId, b: SUnitId): number {
    const { graph, subtrees } = this;
    return subtrees.nInstrs[a] * (1 + graph.depth(b)) - subtrees.nInstrs[b] * (1 + graph.depth(a));
  }

  private valueOf(rule: IlpRule, n: SUnitId): number {
    const { subtrees, graph } = this;
    switch (rule) {
      case 'ScheduledTree':
        return this.isBegun[subtrees.tree[n]];
      case 'SubtreeLevel':
        return subtrees.level(subtrees.tree[n]);
      default:
        return subtrees.nInstrs[n] / (1 + graph.depth(n));
    }
  }

  /**
   * Fills the queue with the roots.
   * @llvm MachineScheduler.cpp ILPScheduler::registerRoots
   */
  releaseRoots(): void {
    const { graph } = this;
    const roots: SUnitId[] = [];
    for (let n = 0; n < graph.nSUnits; n++) if (graph.numSuccsLeft[n] === 0) roots.push(n);
    for (let k = roots.length - 1; k >= 0; k--) pushHeap(this.queue, this.before, roots[k]);
    this.releasePredsOf(graph.exitSU);
    makeHeap(this.queue, this.before);
  }

  private releasePredsOf(n: SUnitId): void {
    const { graph } = this;
    for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e])
      if (this.releaseEdge(e)) pushHeap(this.queue, this.before, graph.edgePred[e]);
  }

  /** Returns whether the source became ready. The graph has no weak edges: nothing adds to it. */
  private releaseEdge(e: EdgeId): boolean {
    return --this.graph.numSuccsLeft[this.graph.edgePred[e]] === 0;
  }

  /** @llvm MachineScheduler.cpp ILPScheduler::pickNode */
  pickNode(): SUnitId {
    const available = this.queue.length;
    const node = popHeap(this.queue, this.before);
    if (this.onPick !== null) this.tell(node, available, this.onPick);
    return node;
  }

  private tell(node: SUnitId, available: number, onPick: (pick: IlpPick) => void): void {
    if (this.queue.length === 0) {
      onPick({ node, runnerUp: NONE, rule: 'NoCand', value: 0, runnerUpValue: 0, available });
      return;
    }
    const runnerUp = this.queue.reduce((best, n) => (this.before(best, n) ? n : best));
    const { rule } = this.decide(runnerUp, node);
    const value = this.valueOf(rule, node);
    onPick({ node, runnerUp, rule, value, runnerUpValue: this.valueOf(rule, runnerUp), available });
  }

  /**
   * The first node of a subtree changes the order of all that wait.
   * @llvm MachineScheduler.cpp ILPScheduler::schedNode
   */
  schedNode(n: SUnitId): void {
    const tree = this.subtrees.tree[n];
    if (this.isBegun[tree] !== 0) return;
    this.isBegun[tree] = 1;
    this.subtrees.begin(tree);
    makeHeap(this.queue, this.before);
  }

  releaseNeighbours(n: SUnitId): void {
    this.releasePredsOf(n);
  }

  physRegFollowers(_n: SUnitId, _isTop: boolean, out: SUnitId[]): void {
    out.length = 0;
  }
}

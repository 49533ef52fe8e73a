/** What paths lead to one node and from it, while edges of that node are tried. */
import { NONE, type ScheduleGraph, type SUnitId } from '../graph.js';

/** Searches of a node look at so many edges for each SUnit before all that it reaches is marked. */
const SEARCHED_FOR_EACH = 2;

/**
 * The answers of `ScheduleGraph.isReachable` for one node. A few of them are searched for, as there; for more of them all nodes before and behind it are
 * marked, once, and what a new edge adds. Edges of other nodes must not come in between.
 */
export class NodeReach {
  /** equal to `epoch`: a path leads from there to the node, or from the node there */
  private readonly before: Int32Array;
  private readonly behind: Int32Array;
  private epoch = 0;
  private node: SUnitId = 0;
  private isMarked = false;
  private searchedAtBegin = 0;
  private readonly stack: SUnitId[] = [];

  constructor(private readonly graph: ScheduleGraph) {
    this.before = new Int32Array(graph.nSUnits + 1);
    this.behind = new Int32Array(graph.nSUnits + 1);
  }

  begin(node: SUnitId): void {
    this.epoch++;
    this.node = node;
    this.isMarked = false;
    this.searchedAtBegin = this.graph.nSearched;
  }

  /** A path leads from another node `m` to the node. */
  isBehind(m: SUnitId): boolean {
    return this.marks() ? this.before[m] === this.epoch : this.graph.isReachable(this.node, m);
  }

  /** A path leads from the node to another one. */
  isBefore(m: SUnitId): boolean {
    return this.marks() ? this.behind[m] === this.epoch : this.graph.isReachable(m, this.node);
  }

  /** An edge m -> node is there now. */
  linkedFrom(m: SUnitId): void {
    if (this.isMarked) this.markBefore(m);
  }

  /** An edge node -> m is there now. */
  linkedTo(m: SUnitId): void {
    if (this.isMarked) this.markBehind(m);
  }

  private marks(): boolean {
    if (this.isMarked) return true;
    const { graph } = this;
    if (graph.nSearched - this.searchedAtBegin <= SEARCHED_FOR_EACH * graph.nSUnits) return false;
    this.isMarked = true;
    this.markBefore(this.node);
    this.markBehind(this.node);
    return true;
  }

  private markBefore(from: SUnitId): void {
    const { before, epoch, stack, graph } = this;
    if (before[from] === epoch) return;
    before[from] = epoch;
    stack.push(from);
    for (let n = stack.pop(); n !== undefined; n = stack.pop())
      for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
        const p = graph.edgePred[e];
        if (before[p] === epoch) continue;
        before[p] = epoch;
        stack.push(p);
      }
  }

  private markBehind(from: SUnitId): void {
    const { behind, epoch, stack, graph } = this;
    if (behind[from] === epoch) return;
    behind[from] = epoch;
    stack.push(from);
    for (let n = stack.pop(); n !== undefined; n = stack.pop())
      for (let e = graph.firstSucc[n]; e !== NONE; e = graph.nextSucc[e]) {
        const s = graph.edgeSucc[e];
        if (behind[s] === epoch) continue;
        behind[s] = epoch;
        stack.push(s);
      }
  }
}

/** What paths lead to one node and from it, while edges of that node are tried. */
import { NONE, type ScheduleGraph, type SUnitId } from '../graph.js';

/** Searches of a node look at so many edges for each SUnit before all that it reaches is marked. */
const SEARCHED_FOR_EACH = 2;

/**
 * The answers of `ScheduleGraph.isReachable` for one node. A few of them are searched for, as there; for more of them all nodes before and after it are
 * marked, once, and what a new edge adds. Edges of other nodes must not come in between.
 */
export class NodeReach {
  /** equal to `epoch`: a path leads from there to the node, or from the node there */
  private readonly before: Int32Array;
  private readonly after: Int32Array;
  private epoch = 0;
  private node: SUnitId = 0;
  private isMarked = false;
  private searchedAtBegin = 0;
  private readonly stack: SUnitId[] = [];

  constructor(private readonly graph: ScheduleGraph) {
    this.before = new Int32Array(graph.nSUnits + 1);
    this.after = new Int32Array(graph.nSUnits + 1);
  }

  begin(node: SUnitId): void {
    this.epoch++;
    this.node = node;
    this.isMarked = false;
    this.searchedAtBegin = this.graph.nSearched;
  }

  /** A path leads from another node `m` to the node. */
  isAfter(m: SUnitId): boolean {
    return this.marks() ? this.before[m] === this.epoch : this.graph.isReachable(this.node, m);
  }

  /** A path leads from the node to another one, `m`. */
  isBefore(m: SUnitId): boolean {
    return this.marks() ? this.after[m] === this.epoch : this.graph.isReachable(m, this.node);
  }

  /** An edge m -> node is there now. */
  linkedFrom(m: SUnitId): void {
    if (this.isMarked) this.markBefore(m);
  }

  /** An edge node -> m is there now. */
  linkedTo(m: SUnitId): void {
    if (this.isMarked) this.markAfter(m);
  }

  private marks(): boolean {
    if (this.isMarked) return true;
    const { graph } = this;
    if (graph.nSearched - this.searchedAtBegin <= SEARCHED_FOR_EACH * graph.nSUnits) return false;
    this.isMarked = true;
    this.markBefore(this.node);
    this.markAfter(this.node);
    return true;
  }

  private markBefore(from: SUnitId): void {
    const { graph } = this;
    this.mark(this.before, from, graph.firstPred, graph.nextPred, graph.edgePred);
  }

  private markAfter(from: SUnitId): void {
    const { graph } = this;
    this.mark(this.after, from, graph.firstSucc, graph.nextSucc, graph.edgeSucc);
  }

  /** Marks a node and all that is reached from it on lists of edges: `first` by node, `next` and `ends` by edge. */
  private mark(marks: Int32Array, from: SUnitId, first: Int32Array, next: Int32Array, ends: Int32Array): void {
    const { epoch, stack } = this;
    if (marks[from] === epoch) return;
    marks[from] = epoch;
    stack.push(from);
    for (let n = stack.pop(); n !== undefined; n = stack.pop())
      for (let e = first[n]; e !== NONE; e = next[e]) {
        const end = ends[e];
        if (marks[end] === epoch) continue;
        marks[end] = epoch;
        stack.push(end);
      }
  }
}

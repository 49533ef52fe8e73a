/**
 * What can be scheduled, the longest way to the end first (LatencyPriorityQueue, LLVM 22). Of nodes that are as far from it, the one that alone holds back
 * more others, then the first of the region.
 */
import { NONE, SUnitFlag, type ScheduleGraph, type SUnitId } from '../dag/graph.js';

/** @llvm LatencyPriorityQueue.cpp LatencyPriorityQueue */
export class LatencyQueue {
  private readonly nodes: SUnitId[] = [];
  /** by node: successors that wait for it alone, when it was pushed last */
  private readonly solelyBlocked: Int32Array;

  constructor(private readonly graph: ScheduleGraph) {
    this.solelyBlocked = new Int32Array(graph.nSUnits);
  }

  get isEmpty(): boolean {
    return this.nodes.length === 0;
  }

  /** @llvm LatencyPriorityQueue.cpp LatencyPriorityQueue::push */
  push(n: SUnitId): void {
    const { graph } = this;
    let blocked = 0;
    for (let e = graph.firstSucc[n]; e !== NONE; e = graph.nextSucc[e])
      if (this.onlyOpenPred(graph.edgeSucc[e]) === n) blocked++;
    this.solelyBlocked[n] = blocked;
    this.nodes.push(n);
  }

  /**
   * O(nodes in the queue)
   * @llvm LatencyPriorityQueue.cpp LatencyPriorityQueue::pop
   */
  pop(): SUnitId {
    const { nodes } = this;
    let best = 0;
    for (let k = 1; k < nodes.length; k++) if (this.isBefore(nodes[k], nodes[best])) best = k;
    return this.take(best);
  }

  /**
   * A node was scheduled: what now holds back its successors alone counts for more.
   * @llvm LatencyPriorityQueue.cpp LatencyPriorityQueue::scheduledNode
   */
  scheduled(n: SUnitId, isAvailable: (other: SUnitId) => boolean): void {
    const { graph, nodes } = this;
    for (let e = graph.firstSucc[n]; e !== NONE; e = graph.nextSucc[e]) {
      const succ = graph.edgeSucc[e];
      if (succ !== graph.exitSU && isAvailable(succ)) continue;
      const only = this.onlyOpenPred(succ);
      if (only === NONE || !isAvailable(only)) continue;
      this.take(nodes.indexOf(only));
      this.push(only);
    }
  }

  private take(at: number): SUnitId {
    const { nodes } = this;
    const n = nodes[at];
    nodes[at] = nodes[nodes.length - 1];
    nodes.pop();
    return n;
  }

  /** @llvm LatencyPriorityQueue.cpp latency_sort */
  private isBefore(a: SUnitId, b: SUnitId): boolean {
    const { graph, solelyBlocked } = this;
    const [ha, hb] = [graph.height(a), graph.height(b)];
    if (ha !== hb) return ha > hb;
    return solelyBlocked[a] === solelyBlocked[b] ? a < b : solelyBlocked[a] > solelyBlocked[b];
  }

  /**
   * The one predecessor that is not scheduled; NONE when there are several, or none.
   * @llvm LatencyPriorityQueue.cpp LatencyPriorityQueue::getSingleUnscheduledPred
   */
  private onlyOpenPred(n: SUnitId): SUnitId {
    const { graph } = this;
    let only: SUnitId = NONE;
    for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
      const pred = graph.edgePred[e];
      if ((graph.flags[pred] & SUnitFlag.IsScheduled) !== 0 || pred === only) continue;
      if (only !== NONE) return NONE;
      only = pred;
    }
    return only;
  }
}

/**
 * The minimal-register order of a region: finish the youngest group of ready nodes first.
 *
 * Follows GCNMinRegScheduler as docs/llvm/iterative-schedulers.md, 6.2 describes it.
 */
import { DepKind, isWeakDep, NONE, type ScheduleGraph, type SUnitId } from '../dag/graph.js';

/** @llvm GCNMinRegStrategy.cpp GCNMinRegScheduler */
class MinRegOrder {
  private readonly left: Int32Array;
  private readonly done: Uint8Array;
  /** of the nodes that are ready */
  private readonly priority: Int32Array;
  private readonly inClosure: Uint8Array;
  private readonly ready: SUnitId[] = [];

  constructor(private readonly g: ScheduleGraph) {
    const n = g.nSUnits;
    this.left = g.numPredsLeft.slice(0, n + 1);
    this.done = new Uint8Array(n + 1);
    this.priority = new Int32Array(n + 1);
    this.inClosure = new Uint8Array(n + 1);
  }

  /** Successor edges of n (of every kind) that lead to nodes whose predecessors are n itself or done. */
  private opens(n: SUnitId): number {
    const { g, done } = this;
    let count = 0;
    for (let e = g.firstSucc[n]; e !== NONE; e = g.nextSucc[e]) {
      let opened = true;
      for (let p = g.firstPred[g.edgeSucc[e]]; p !== NONE && opened; p = g.nextPred[p]) {
        const from = g.edgePred[p];
        opened = from === n || done[from] !== 0;
      }
      if (opened) count++;
    }
    return count;
  }

  private nSuccs(n: SUnitId): number {
    const { g } = this;
    let count = 0;
    for (let e = g.firstSucc[n]; e !== NONE; e = g.nextSucc[e]) count++;
    return count;
  }

  /** @llvm GCNMinRegStrategy.cpp GCNMinRegScheduler::pickCandidate */
  private pick(): SUnitId {
    const { ready, priority } = this;
    let best = 0;
    let bestOpens = -1;
    let bestBlocks = -1;
    for (let k = 1; k < ready.length; k++) {
      const a = ready[k];
      const b = ready[best];
      if (priority[a] !== priority[b]) {
        if (priority[a] > priority[b]) {
          best = k;
          bestOpens = -1;
        }
        continue;
      }
      if (bestOpens < 0) {
        bestOpens = this.opens(b);
        bestBlocks = this.nSuccs(b) - bestOpens;
      }
      const opens = this.opens(a);
      const blocks = this.nSuccs(a) - opens;
      if (blocks !== bestBlocks ? blocks < bestBlocks : opens !== bestOpens ? opens > bestOpens : a < b) {
        best = k;
        bestOpens = opens;
        bestBlocks = blocks;
      }
    }
    const n = ready[best];
    ready.splice(best, 1);
    return n;
  }

  /**
   * Gives all ready nodes that hold back users of `n` the priority of this step.
   * @llvm GCNMinRegStrategy.cpp GCNMinRegScheduler::bumpPredsPriority
   */
  private boost(n: SUnitId, step: number): void {
    const { g, done, inClosure, ready, priority } = this;
    const members: SUnitId[] = [];
    const addPreds = (of: SUnitId): void => {
      for (let p = g.firstPred[of]; p !== NONE; p = g.nextPred[p]) {
        const from = g.edgePred[p];
        if (done[from] !== 0 || inClosure[from] !== 0) continue;
        inClosure[from] = 1;
        members.push(from);
      }
    };
    for (let e = g.firstSucc[n]; e !== NONE; e = g.nextSucc[e]) {
      const s = g.edgeSucc[e];
      if (g.edgeKind[e] === DepKind.Data && s !== g.exitSU && done[s] === 0) addPreds(s);
    }
    for (let k = 0; k < members.length; k++) addPreds(members[k]);
    for (const r of ready) if (inClosure[r] !== 0) priority[r] = step;
    for (const m of members) inClosure[m] = 0;
  }

  /** @llvm GCNMinRegStrategy.cpp GCNMinRegScheduler::schedule */
  run(): Int32Array {
    const { g, left, done, priority, ready } = this;
    const order = new Int32Array(g.nSUnits);
    for (let n = 0; n < g.nSUnits; n++) {
      if (left[n] !== 0) continue;
      priority[n] = 0;
      ready.push(n);
    }
    let step = 0;
    while (ready.length > 0) {
      const n = this.pick();
      for (let e = g.firstSucc[n]; e !== NONE; e = g.nextSucc[e]) {
        const s = g.edgeSucc[e];
        if (isWeakDep(g.edgeKind[e]) || s === g.exitSU) continue;
        if (--left[s] === 0) {
          priority[s] = step;
          ready.push(s);
        }
      }
      order[step] = n;
      done[n] = 1;
      if (this.opens(n) === 0) this.boost(n, step);
      step++;
    }
    return order;
  }
}

/**
 * Int32Array(nSUnits): all nodes in the new order.
 * @llvm GCNMinRegStrategy.cpp makeMinRegSchedule
 */
export function minRegOrder(g: ScheduleGraph): Int32Array {
  return new MinRegOrder(g).run();
}

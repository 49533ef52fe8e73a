/**
 * The ILP order of a region, made bottom-up by Sethi-Ullman numbers, depth and height.
 *
 * Follows GCNILPScheduler as docs/llvm/iterative-schedulers.md, 6.4 describes it.
 */
import { DepKind, isWeakDep, NONE, type ScheduleGraph, type SUnitId } from '../dag/graph.js';

/** Depth and height differences up to this are left to the register rules. */
const REORDER_WINDOW_CYCLES = 6;
const LAST_RANK = 65535;

/** @llvm GCNILPSched.cpp GCNILPScheduler */
class ILPOrder {
  private readonly rank: Int32Array;
  private readonly far: Int32Array;
  private readonly ins: Int32Array;
  private readonly left: Int32Array;
  private avail: SUnitId[] = [];
  private pending: SUnitId[] = [];
  private cycle = 0;

  constructor(private readonly g: ScheduleGraph) {
    const n = g.nSUnits;
    this.rank = new Int32Array(n);
    this.far = new Int32Array(n);
    this.ins = new Int32Array(n);
    this.left = g.numSuccsLeft.slice(0, n + 1);
    this.computeRanks();
  }

  /** @llvm GCNILPSched.cpp CalcNodeSethiUllmanNumber */
  private computeRanks(): void {
    const { g, rank, far, ins } = this;
    const n = g.nSUnits;
    const su = new Int32Array(n);
    // Data edges always lead from a smaller to a larger node number
    for (let k = 0; k < n; k++) {
      let max = 0;
      let times = 0;
      for (let e = g.firstPred[k]; e !== NONE; e = g.nextPred[e]) {
        if (g.edgeKind[e] !== DepKind.Data) continue;
        ins[k]++;
        const s = su[g.edgePred[e]];
        if (s > max) {
          max = s;
          times = 1;
        } else if (s === max) times++;
      }
      su[k] = ins[k] === 0 ? 1 : max + times - 1;
      let hasDataSucc = false;
      for (let e = g.firstSucc[k]; e !== NONE; e = g.nextSucc[e]) {
        if (g.edgeKind[e] !== DepKind.Data) continue;
        hasDataSucc = true;
        const h = g.height(g.edgeSucc[e]);
        if (h > far[k]) far[k] = h;
      }
      if (!hasDataSucc && ins[k] > 0) rank[k] = LAST_RANK;
      else if (hasDataSucc && ins[k] === 0) rank[k] = 0;
      else rank[k] = su[k];
    }
  }

  /** @llvm GCNILPSched.cpp GCNILPScheduler::releasePredecessors */
  private release(n: SUnitId): void {
    const { g, left } = this;
    for (let e = g.firstPred[n]; e !== NONE; e = g.nextPred[e]) {
      if (isWeakDep(g.edgeKind[e])) continue;
      const from = g.edgePred[e];
      if (--left[from] === 0) this.pending.unshift(from);
    }
  }

  /** @llvm GCNILPSched.cpp GCNILPScheduler::advanceToCycle */
  private advance(cycle: number): void {
    if (cycle <= this.cycle) return;
    this.cycle = cycle;
    const rest: SUnitId[] = [];
    for (const n of this.pending) (this.g.height(n) <= cycle ? this.avail : rest).push(n);
    this.pending = rest;
  }

  /** @llvm GCNILPSched.cpp GCNILPScheduler::pickBest */
  private beats(a: SUnitId, b: SUnitId): boolean {
    const { g, rank, far, ins } = this;
    const da = g.depth(a);
    const db = g.depth(b);
    if (Math.abs(da - db) > REORDER_WINDOW_CYCLES) return da > db;
    const ha = g.height(a);
    const hb = g.height(b);
    if (Math.abs(ha - hb) > REORDER_WINDOW_CYCLES) return ha < hb;
    if (rank[a] !== rank[b]) return rank[a] < rank[b];
    if (far[a] !== far[b]) return far[a] > far[b];
    if (ins[a] !== ins[b]) return ins[a] < ins[b];
    if (ha !== hb) return ha < hb;
    if (da !== db) return da > db;
    return g.latencyCycles[a] < g.latencyCycles[b];
  }

  /** @llvm GCNILPSched.cpp GCNILPScheduler::schedule */
  run(): Int32Array {
    const { g } = this;
    const n = g.nSUnits;
    const order = new Int32Array(n);
    for (let k = 0; k < n; k++) if (this.left[k] === 0) this.avail.push(k);
    this.release(g.exitSU);
    let write = n;
    for (;;) {
      if (this.avail.length === 0) {
        if (this.pending.length === 0) break;
        let min = Infinity;
        for (const p of this.pending) min = Math.min(min, g.height(p));
        this.advance(Math.max(this.cycle + 1, min));
        continue;
      }
      // the relation is not transitive: the scan order decides
      let best = 0;
      for (let k = 1; k < this.avail.length; k++) if (this.beats(this.avail[k], this.avail[best])) best = k;
      const node = this.avail[best];
      this.avail.splice(best, 1);
      this.advance(g.height(node));
      this.release(node);
      order[--write] = node;
    }
    return order;
  }
}

/**
 * Int32Array(nSUnits): all nodes in the new order, top-down.
 * @llvm GCNILPSched.cpp makeGCNILPScheduler
 */
export function ilpOrder(g: ScheduleGraph): Int32Array {
  return new ILPOrder(g).run();
}

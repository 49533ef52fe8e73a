/**
 * One end of the region being scheduled: ready queues, cycle, resource counts.
 *
 * Follows SchedBoundary and SchedRemainder as docs/llvm/generic-scheduler.md, 4, 5 and 8 describe them for the AMDGPU models
 * (issue width 1, micro-op buffer 1, every factor 1, one unit per resource). Behind allocation a zone has a hazard recognizer.
 */
import { isWeakDep, NONE, SUnitFlag, type EdgeId, type ScheduleGraph, type SUnitId } from '../dag/graph.js';
import type { SchedModel, WriteProcRes } from '../../../target/api.js';
import type { CandPolicy } from './candidate.js';
import { withRoom } from '../../../util/columns.js';

/** How zones count, from llc's options. */
export interface SchedBoundaryOptions {
  /** `-misched-limit`: nodes in a ready queue, at least 1 */
  readonly readyListLimit: number;
  /**
   * `-sched-model-force-enable-intervals`: a reserved resource remembers this many intervals in which it is taken
   * (`-misched-resource-cutoff`), not only the last cycle; null = off
   */
  readonly resourceCutoff: number | null;
}

export const DEFAULT_SCHED_BOUNDARY_OPTIONS: SchedBoundaryOptions = { readyListLimit: 256, resourceCutoff: null };

const NEVER = -1;
const NO_CYCLE = 0x7fffffff;

/**
 * What both zones share: the part of the region that is not yet scheduled.
 * @llvm MachineScheduler.cpp SchedRemainder
 */
export class SchedRemainder {
  criticalPathCycles = 0;
  cyclicCritPathCycles = 0;
  remIssueCount = 0;
  isAcyclicLatencyLimited = false;
  /** by resource */
  readonly remainingCounts: Int32Array;

  constructor(readonly nResources: number) {
    this.remainingCounts = new Int32Array(nResources);
  }

  /** @llvm MachineScheduler.cpp SchedRemainder::init */
  init(graph: ScheduleGraph, resources: NodeResources): void {
    this.remIssueCount = 0;
    this.remainingCounts.fill(0);
    this.isAcyclicLatencyLimited = false;
    this.criticalPathCycles = 0;
    this.cyclicCritPathCycles = 0;
    for (let n = 0; n < graph.nSUnits; n++) {
      if (resources.hasInstrSchedModel) this.remIssueCount += resources.uops[n];
      for (const w of resources.writes[n]) this.remainingCounts[w.resource] += w.releaseAtCycle - w.acquireAtCycle;
    }
  }
}

/** Per-node machine facts, filled once per graph. */
export class NodeResources {
  uops = new Uint8Array(64);
  /** those of the nodes of an earlier graph may follow */
  readonly writes: (readonly WriteProcRes[])[] = [];

  constructor(
    readonly model: SchedModel,
    /** the model tells classes and resources of instructions; not with `-schedmodel=0` */
    readonly hasInstrSchedModel = model.hasInstrSchedModel,
  ) {}

  reset(n: number): void {
    this.uops = withRoom(this.uops, n);
  }
}

/**
 * Ordered queue with LLVM's remove: the last element takes the freed place.
 * @llvm MachineScheduler.h ReadyQueue
 */
class ReadyQueue {
  readonly nodes: SUnitId[] = [];

  removeAt(i: number): void {
    this.nodes[i] = this.nodes[this.nodes.length - 1];
    this.nodes.pop();
  }

  /** Removes a node if present. */
  remove(n: SUnitId): boolean {
    const i = this.nodes.indexOf(n);
    if (i < 0) return false;
    this.removeAt(i);
    return true;
  }
}

/**
 * The cycles in which a resource is taken, as half-open intervals in ascending order; those that touch are one. A zone at the bottom
 * counts its cycles upward from the region's end, so that an instruction takes the cycles before the one at which it starts.
 * @llvm MachineScheduler.cpp ResourceSegments
 */
class ReservedIntervals {
  private readonly begin: number[] = [];
  private readonly end: number[] = [];

  private static first(cycle: number, w: WriteProcRes, isTop: boolean): number {
    return isTop ? cycle + w.acquireAtCycle : cycle - w.releaseAtCycle + 1;
  }

  /**
   * First cycle from `cycle` on at which an instruction that uses the resource like this can start.
   * @llvm MachineScheduler.cpp ResourceSegments::getFirstAvailableAt
   */
  firstFree(cycle: number, w: WriteProcRes, isTop: boolean): number {
    const length = w.releaseAtCycle - w.acquireAtCycle;
    if (length === 0) return cycle;
    let at = ReservedIntervals.first(cycle, w, isTop);
    for (let k = 0; k < this.begin.length; k++) if (at < this.end[k] && this.begin[k] < at + length) at = this.end[k];
    return cycle + at - ReservedIntervals.first(cycle, w, isTop);
  }

  /**
   * Only the last `cutoff` intervals are remembered.
   * @llvm MachineScheduler.cpp ResourceSegments::add
   */
  add(cycle: number, w: WriteProcRes, isTop: boolean, cutoff: number): void {
    const { begin, end } = this;
    const length = w.releaseAtCycle - w.acquireAtCycle;
    if (length === 0) return;
    const at = ReservedIntervals.first(cycle, w, isTop);
    let k = begin.findIndex((b) => b > at);
    if (k < 0) k = begin.length;
    begin.splice(k, 0, at);
    end.splice(k, 0, at + length);
    for (let j = 1; j < begin.length;) {
      if (end[j - 1] < begin[j]) {
        j++;
        continue;
      }
      begin.splice(j, 1);
      end.splice(j - 1, 1);
    }
    const tooMany = begin.length - cutoff;
    if (tooMany > 0) {
      begin.splice(0, tooMany);
      end.splice(0, tooMany);
    }
  }
}

/** What keeps a node back besides latency and resources (ScheduleHazardRecognizer). A zone tells it what is issued, cycle by cycle. */
export interface ZoneHazards {
  /** nothing is issued yet */
  reset(): void;
  isHazard(n: SUnitId): boolean;
  emit(n: SUnitId): void;
  advanceCycle(): void;
  /** see ReleaseRules */
  readonly emitsBehindStalls: boolean;
}

/** @llvm MachineScheduler.cpp SchedBoundary */
export class SchedBoundary {
  readonly available = new ReadyQueue();
  readonly pending = new ReadyQueue();
  checkPending = false;
  currCycle = 0;
  minReadyCycle = NO_CYCLE;
  expectedLatencyCycles = 0;
  dependentLatencyCycles = 0;
  retiredMOps = 0;
  zoneCritResIdx = 0;
  isResourceLimited = false;
  readonly executedResCounts: Int32Array;
  private readonly reservedCycles: Int32Array;
  /** the same as intervals, by resource; only with `resourceCutoff` */
  private readonly reservedIntervals = new Map<number, ReservedIntervals>();
  /** a node may be picked before it is ready; false only without a scheduling model */
  readonly isBuffered: boolean;
  /** whether any node stalls, whether any reserves a resource: most regions have none */
  mayStall = false;
  private mayReserve = false;
  /** by node: cycle at which it is ready on this side */
  readyCycle = new Int32Array(64);
  options: SchedBoundaryOptions = DEFAULT_SCHED_BOUNDARY_OPTIONS;

  constructor(
    readonly isTop: boolean,
    private readonly graph: ScheduleGraph,
    private readonly resources: NodeResources,
    private readonly rem: SchedRemainder,
    private readonly hazards: ZoneHazards | null = null,
  ) {
    this.isBuffered = resources.model.microOpBufferSize !== 0;
    this.executedResCounts = new Int32Array(rem.nResources);
    this.reservedCycles = new Int32Array(rem.nResources);
  }

  /** @llvm MachineScheduler.cpp SchedBoundary::reset */
  reset(): void {
    this.available.nodes.length = 0;
    this.pending.nodes.length = 0;
    this.checkPending = false;
    this.currCycle = 0;
    this.minReadyCycle = NO_CYCLE;
    this.expectedLatencyCycles = this.dependentLatencyCycles = 0;
    this.retiredMOps = 0;
    this.zoneCritResIdx = 0;
    this.isResourceLimited = false;
    this.executedResCounts.fill(0);
    this.reservedCycles.fill(NEVER);
    this.reservedIntervals.clear();
    const { flags } = this.graph;
    const n = this.graph.nSUnits + 1;
    let all = 0;
    for (let node = 0; node < n; node++) all |= flags[node];
    this.mayStall = (all & SUnitFlag.IsUnbuffered) !== 0;
    this.mayReserve = (all & SUnitFlag.HasReservedResource) !== 0;
    this.readyCycle = withRoom(this.readyCycle, n);
    this.readyCycle.fill(0, 0, n);
    this.hazards?.reset();
  }

  /** @llvm MachineScheduler.h SchedBoundary::getCriticalCount */
  get critCount(): number {
    return this.zoneCritResIdx === 0 ? this.retiredMOps : this.executedResCounts[this.zoneCritResIdx];
  }

  /** @llvm MachineScheduler.h SchedBoundary::getScheduledLatency */
  get scheduledLatencyCycles(): number {
    return Math.max(this.expectedLatencyCycles, this.currCycle);
  }

  /**
   * Cycles that a node still has to wait; only unbuffered nodes stall.
   * @llvm MachineScheduler.cpp SchedBoundary::getLatencyStallCycles
   */
  latencyStallCycles(n: SUnitId): number {
    if ((this.graph.flags[n] & SUnitFlag.IsUnbuffered) === 0) return 0;
    const wait = this.readyCycle[n] - this.currCycle;
    return wait > 0 ? wait : 0;
  }

  /** Cycles that a node would wait if it came next: until it is ready, or until what it takes alone is free. */
  effectiveStallCycles(n: SUnitId): number {
    let until = this.readyCycle[n];
    if ((this.graph.flags[n] & SUnitFlag.HasReservedResource) !== 0)
      for (const w of this.resources.writes[n]) until = Math.max(until, this.nextResourceCycle(w));
    return Math.max(0, until - this.currCycle);
  }

  /** @llvm MachineScheduler.cpp SchedBoundary::getNextResourceCycle */
  private nextResourceCycle(w: WriteProcRes): number {
    if (this.options.resourceCutoff !== null) {
      return this.reservedIntervals.get(w.resource)?.firstFree(this.currCycle, w, this.isTop) ?? this.currCycle;
    }
    const reserved = this.reservedCycles[w.resource];
    if (reserved === NEVER) return this.currCycle;
    return this.isTop ? reserved : Math.max(this.currCycle, reserved + w.releaseAtCycle);
  }

  /** A resource without a buffer is taken by an instruction that starts at `cycle`. */
  private reserve(w: WriteProcRes, cycle: number): void {
    const { resourceCutoff } = this.options;
    if (resourceCutoff !== null) {
      let intervals = this.reservedIntervals.get(w.resource);
      if (intervals === undefined) this.reservedIntervals.set(w.resource, (intervals = new ReservedIntervals()));
      intervals.add(cycle, w, this.isTop, resourceCutoff);
    } else if (this.isTop)
      this.reservedCycles[w.resource] = Math.max(this.nextResourceCycle(w), cycle + w.releaseAtCycle);
    else this.reservedCycles[w.resource] = cycle;
  }

  /** @llvm MachineScheduler.cpp SchedBoundary::checkHazard */
  checkHazard(n: SUnitId): boolean {
    if (this.hazards?.isHazard(n) === true) return true;
    if ((this.graph.flags[n] & SUnitFlag.HasReservedResource) === 0) return false;
    return this.resources.writes[n].some((w) => this.nextResourceCycle(w) > this.currCycle);
  }

  /**
   * Puts a ready node into Available, or into Pending on a hazard. `pendingIdx` is its place in Pending or NONE.
   * @llvm MachineScheduler.cpp SchedBoundary::releaseNode
   */
  releaseNode(n: SUnitId, pendingIdx: number): void {
    this.minReadyCycle = Math.min(this.minReadyCycle, this.readyCycle[n]);
    const waits = !this.isBuffered && this.readyCycle[n] > this.currCycle;
    if (!waits && !this.checkHazard(n) && this.available.nodes.length < this.options.readyListLimit) {
      this.available.nodes.push(n);
      if (pendingIdx !== NONE) this.pending.removeAt(pendingIdx);
    } else if (pendingIdx === NONE) this.pending.nodes.push(n);
  }

  /** @llvm MachineScheduler.cpp SchedBoundary::releasePending */
  releasePending(): void {
    const { available, pending } = this;
    if (available.nodes.length === 0) this.minReadyCycle = NO_CYCLE;
    for (let i = 0; i < pending.nodes.length;) {
      const n = pending.nodes[i];
      this.minReadyCycle = Math.min(this.minReadyCycle, this.readyCycle[n]);
      if (available.nodes.length >= this.options.readyListLimit) break;
      const before = pending.nodes.length;
      this.releaseNode(n, i);
      if (pending.nodes.length === before) i++;
    }
    this.checkPending = false;
  }

  /** @llvm MachineScheduler.cpp SchedBoundary::bumpCycle */
  bumpCycle(to: number): void {
    // without a buffer nothing can be picked before the next node is ready
    const next = !this.isBuffered && this.minReadyCycle !== NO_CYCLE ? Math.max(to, this.minReadyCycle) : to;
    const by = next - this.currCycle;
    this.dependentLatencyCycles = Math.max(0, this.dependentLatencyCycles - by);
    if (this.hazards !== null) for (let c = 0; c < by; c++) this.hazards.advanceCycle();
    this.currCycle = next;
    this.checkPending = true;
    this.updateResourceLimited();
  }

  private updateResourceLimited(): void {
    this.isResourceLimited = this.critCount - this.scheduledLatencyCycles >= 1;
  }

  /**
   * The only candidate there is, or NONE when there is a choice to make.
   * @llvm MachineScheduler.cpp SchedBoundary::pickOnlyChoice
   */
  pickOnlyChoice(): SUnitId {
    const { available, pending } = this;
    if (this.checkPending) this.releasePending();
    const mayWait = this.mayReserve || this.hazards !== null;
    for (let i = 0; mayWait && i < available.nodes.length;) {
      if (this.checkHazard(available.nodes[i])) {
        pending.nodes.push(available.nodes[i]);
        available.removeAt(i);
      } else i++;
    }
    while (available.nodes.length === 0) {
      this.bumpCycle(this.currCycle + 1);
      this.releasePending();
    }
    return available.nodes.length === 1 ? available.nodes[0] : NONE;
  }

  /**
   * Longest latency that the unscheduled nodes of this zone still have before them.
   * @llvm MachineScheduler.cpp computeRemLatency
   */
  remainingLatencyCycles(): number {
    const { graph } = this;
    let max = this.dependentLatencyCycles;
    for (const queue of [this.available.nodes, this.pending.nodes]) {
      for (let i = 0; i < queue.length; i++) {
        const l = this.isTop ? graph.height(queue[i]) : graph.depth(queue[i]);
        if (l > max) max = l;
      }
    }
    return max;
  }

  /**
   * Sets `policy` for this zone given the other one; without one (after allocation) latency is always to be reduced.
   * @llvm MachineScheduler.cpp GenericSchedulerBase::setPolicy
   */
  setPolicy(policy: CandPolicy, other: SchedBoundary | null): void {
    policy.reset();
    const { rem } = this;
    let otherCrit = 0;
    let otherLimited = false;
    if (other === null) policy.reduceLatency = true;
    else {
      let otherCount = this.resources.hasInstrSchedModel ? rem.remIssueCount + other.retiredMOps : 0;
      for (let r = 1; r < rem.nResources; r++) {
        const c = other.executedResCounts[r] + rem.remainingCounts[r];
        if (c > otherCount) {
          otherCount = c;
          otherCrit = r;
        }
      }
      let remLatency = -1;
      if (otherCount !== 0) {
        remLatency = this.remainingLatencyCycles();
        otherLimited = otherCount - remLatency > 1;
      }
      if (!otherLimited) {
        if (this.currCycle > rem.criticalPathCycles) policy.reduceLatency = true;
        else if (this.currCycle !== 0) {
          if (remLatency < 0) remLatency = this.remainingLatencyCycles();
          if (remLatency + this.currCycle > rem.criticalPathCycles) policy.reduceLatency = true;
        }
      }
    }
    if (this.zoneCritResIdx !== otherCrit) {
      if (this.isResourceLimited) policy.reduceResIdx = this.zoneCritResIdx;
      if (otherLimited) policy.demandResIdx = otherCrit;
    }
  }

  /**
   * Accounts for a scheduled node.
   * @llvm MachineScheduler.cpp SchedBoundary::bumpNode
   */
  bumpNode(n: SUnitId): void {
    const { rem, graph } = this;
    const uops = this.resources.uops[n];
    const writes = this.resources.writes[n];
    const { hazards } = this;
    if (hazards !== null) this.checkPending = true;
    if (hazards?.emitsBehindStalls === false) hazards.emit(n);
    let next = this.isBuffered ? Math.max(this.currCycle, this.readyCycle[n]) : this.currCycle;
    this.retiredMOps += uops;
    rem.remIssueCount -= uops;
    if (this.zoneCritResIdx !== 0 && this.retiredMOps - this.executedResCounts[this.zoneCritResIdx] >= 1)
      this.zoneCritResIdx = 0;
    for (let i = 0; i < writes.length; i++) {
      const w = writes[i];
      const r = w.resource;
      const cycles = w.releaseAtCycle - w.acquireAtCycle;
      this.executedResCounts[r] += cycles;
      rem.remainingCounts[r] -= cycles;
      if (this.executedResCounts[r] > this.critCount) this.zoneCritResIdx = r;
      const free = this.nextResourceCycle(w);
      if (free > next) next = free;
    }
    if ((graph.flags[n] & SUnitFlag.HasReservedResource) !== 0) {
      for (let i = 0; i < writes.length; i++) {
        const w = writes[i];
        if (this.resources.model.resources[w.resource].bufferSize === 0) this.reserve(w, next);
      }
    }
    const depth = graph.depth(n);
    const height = graph.height(n);
    const expected = this.isTop ? depth : height;
    const dependent = this.isTop ? height : depth;
    if (expected > this.expectedLatencyCycles) this.expectedLatencyCycles = expected;
    if (dependent > this.dependentLatencyCycles) this.dependentLatencyCycles = dependent;
    if (next > this.currCycle) this.bumpCycle(next);
    else this.updateResourceLimited();
    if (hazards?.emitsBehindStalls === true) hazards.emit(n);
    // One micro-op is issued a cycle: LLVM's CurrMOps is 0 again before the next node is looked at.
    for (let left = uops; left > 0;) {
      const from = this.currCycle;
      this.bumpCycle(++next);
      left -= this.currCycle - from;
    }
  }

  /**
   * Takes a node out of the queues of this zone; returns whether it was there.
   * @llvm MachineScheduler.cpp SchedBoundary::removeReady
   */
  removeReady(n: SUnitId): void {
    if (!this.available.remove(n)) this.pending.remove(n);
  }

  /** One edge of a node scheduled on this side is satisfied; returns true when its other end becomes ready. */
  releaseEdge(e: EdgeId): boolean {
    const g = this.graph;
    const from = this.isTop ? g.edgePred[e] : g.edgeSucc[e];
    const to = this.isTop ? g.edgeSucc[e] : g.edgePred[e];
    const weak = isWeakDep(g.edgeKind[e]);
    if (this.isTop) {
      if (weak) {
        g.weakPredsLeft[to]--;
        return false;
      }
      g.numPredsLeft[to]--;
    } else {
      if (weak) {
        g.weakSuccsLeft[to]--;
        return false;
      }
      g.numSuccsLeft[to]--;
    }
    const ready = this.readyCycle[from] + (this.isTop ? g.succLatencyCycles : g.edgeLatencyCycles)[e];
    if (this.readyCycle[to] < ready) this.readyCycle[to] = ready;
    return to < g.nSUnits && (this.isTop ? g.numPredsLeft[to] : g.numSuccsLeft[to]) === 0;
  }
  /**
   * Releases what a scheduled node holds back on this side; returns whether something became ready.
   * @llvm MachineScheduler.cpp ScheduleDAGMI::releaseSuccessors
   * @llvm MachineScheduler.cpp ScheduleDAGMI::releasePredecessors
   */
  releaseNeighbours(n: SUnitId): boolean {
    const { graph, isTop } = this;
    let isAnyReady = false;
    for (
      let e = isTop ? graph.firstSucc[n] : graph.firstPred[n];
      e !== NONE;
      e = isTop ? graph.nextSucc[e] : graph.nextPred[e]
    ) {
      if (!this.releaseEdge(e)) continue;
      const to = isTop ? graph.edgeSucc[e] : graph.edgePred[e];
      if ((graph.flags[to] & SUnitFlag.IsScheduled) !== 0) continue;
      this.releaseNode(to, NONE);
      isAnyReady = true;
    }
    return isAnyReady;
  }
}

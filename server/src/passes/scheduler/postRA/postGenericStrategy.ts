/**
 * The choice of the next instruction after allocation: from the top of a region down, no pressure to watch, hazards instead.
 * Follows PostGenericScheduler (MachineScheduler.cpp, LLVM 22; docs/llvm/post-ra-scheduling.md, 2).
 */
import { NONE, type ScheduleGraph, type SUnitId } from '../dag/graph.js';
import {
  CandPolicy,
  CandReason,
  initResourceDelta,
  SchedCandidate,
  tryGreater,
  tryLatency,
  tryLess,
} from '../strategy/candidate.js';
import {
  SchedBoundary,
  SchedRemainder,
  type NodeResources,
  type SchedBoundaryOptions,
  type ZoneHazards,
} from '../strategy/schedBoundary.js';

/** @llvm MachineScheduler.cpp PostGenericScheduler */
export class PostGenericStrategy {
  private readonly rem: SchedRemainder;
  private readonly top: SchedBoundary;
  private readonly best = new SchedCandidate();
  private readonly tried = new SchedCandidate();
  private readonly policy = new CandPolicy();
  private lastCluster = NONE;

  constructor(
    private readonly graph: ScheduleGraph,
    private readonly resources: NodeResources,
    hazards: ZoneHazards,
    options: SchedBoundaryOptions,
  ) {
    this.rem = new SchedRemainder(resources.model.resources.length);
    this.top = new SchedBoundary(true, graph, resources, this.rem, hazards);
    this.top.options = options;
  }

  /**
   * Begins with the region in `graph`, whose mutations are done.
   * @llvm MachineScheduler.cpp PostGenericScheduler::initialize
   * @llvm MachineScheduler.cpp PostGenericScheduler::registerRoots
   */
  initialize(): void {
    const { graph, top, rem } = this;
    rem.init(graph, this.resources);
    top.reset();
    this.lastCluster = NONE;
    const roots: SUnitId[] = [];
    for (let n = 0; n < graph.nSUnits; n++) if (graph.numPredsLeft[n] === 0) roots.push(n);
    for (const n of roots) top.releaseNode(n, NONE);
  }

  /** @llvm MachineScheduler.cpp PostGenericScheduler::pickNode */
  pickNode(): SUnitId {
    const { top } = this;
    let n = top.pickOnlyChoice();
    if (n === NONE) n = this.pickNodeFromQueue();
    top.removeReady(n);
    return n;
  }

  /** @llvm MachineScheduler.cpp PostGenericScheduler::pickNodeFromQueue */
  private pickNodeFromQueue(): SUnitId {
    const { top, best, tried, policy } = this;
    top.setPolicy(policy, null);
    best.reset(policy);
    tried.reset(policy);
    for (const n of top.available.nodes) {
      tried.renew();
      tried.node = n;
      tried.atTop = true;
      initResourceDelta(tried, this.resources.writes[n]!);
      if (this.tryCandidate(best, tried)) best.setBest(tried);
    }
    return best.node;
  }

  /**
   * Whether `t` beats `c`.
   * @llvm MachineScheduler.cpp PostGenericScheduler::tryCandidate
   */
  private tryCandidate(c: SchedCandidate, t: SchedCandidate): boolean {
    if (!c.isValid) return true;
    const { top } = this;
    const isDecided =
      tryLess(top.latencyStallCycles(t.node), top.latencyStallCycles(c.node), t, c, CandReason.Stall) ||
      tryGreater(this.continuesCluster(t), this.continuesCluster(c), t, c, CandReason.Cluster) ||
      tryLess(t.critResources, c.critResources, t, c, CandReason.ResourceReduce) ||
      tryGreater(t.demandedResources, c.demandedResources, t, c, CandReason.ResourceDemand) ||
      (c.policy.reduceLatency && tryLatency(this.graph, t, c, top));
    return isDecided ? t.reason !== CandReason.NoCand : t.node < c.node;
  }

  private continuesCluster(c: SchedCandidate): number {
    const own = this.graph.parentCluster[c.node];
    return own !== NONE && own === this.lastCluster ? 1 : 0;
  }

  /**
   * Accounts for a node that was placed, and releases what it held back.
   * @llvm MachineScheduler.cpp PostGenericScheduler::schedNode
   */
  schedNode(n: SUnitId): void {
    const { top } = this;
    if (top.readyCycle[n]! < top.currCycle) top.readyCycle[n] = top.currCycle;
    this.lastCluster = this.graph.parentCluster[n]!;
    top.bumpNode(n);
    top.releaseNeighbours(n);
  }
}

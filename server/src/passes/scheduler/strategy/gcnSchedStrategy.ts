/**
 * GCN's list-scheduling strategies for one region: limits, candidate pressure, the comparison rules of max-occupancy,
 * max-ILP and max-memory-clause, and the choice between the two zones with their pending queues.
 *
 * Follows GCNSchedStrategy, GCNMaxILPSchedStrategy, GCNMaxMemoryClauseSchedStrategy and GenericSchedulerBase (LLVM 22.1.8) as
 * docs/llvm/generic-scheduler.md, 6 to 8 and docs/llvm/gcn-strategy.md, 3 to 4 describe them, faithful oddities included.
 */
import { isRegisterDep, NONE, SUnitFlag, DepKind, type ScheduleGraph, type SUnitId } from '../dag/graph.js';
import {
  CandPolicy,
  CandReason,
  initResourceDelta,
  SchedCandidate,
  SREG_32_SET,
  tryGreater,
  tryLatency,
  tryLess,
  tryPressure,
  VGPR_32_SET,
} from './candidate.js';
import { CoexecHeuristics, type Flavor } from './coexecHeuristics.js';
import { SchedBoundary, SchedRemainder, type NodeResources, type SchedBoundaryOptions } from './schedBoundary.js';

/** Registers that are kept free below each limit. */
const ERROR_MARGIN = 3;
/** VGPR tuples may be as wide as 16 registers, so tracking starts that early. */
const MAX_VGPR_PRESSURE_INC = 16;
/** after every CandReason */
const LOSER_MARK = 99 as CandReason;
/** `-amdgpu-scheduler-pending-queue-limit` */
export const DEFAULT_PENDING_QUEUE_LIMIT = 256;

export const enum StrategyKind {
  MaxOccupancy = 0,
  MaxILP = 1,
  MaxMemoryClause = 2,
  /** LLVM's scheduler for every target (`-misched=converge`), with GCN's settings */
  Generic = 3,
  /** LLVM 24's for gfx1250 */
  CoExec = 4,
}

export const enum Direction {
  Bidirectional = 0,
  TopDown = 1,
  BottomUp = 2,
}

/** Register-pressure limits of a region (gcn-strategy.md 3), in 32-bit registers, margins subtracted. */
export interface PressureLimits {
  sgprExcess: number;
  vgprExcess: number;
  sgprCritical: number;
  vgprCritical: number;
}

/** What the strategy asks of the region's pressure trackers. `sgpr` and `vgpr` are the answers of the last query. */
export interface RegionPressure {
  sgpr: number;
  vgpr: number;
  /** pressure at the boundary of the zone */
  queryCurrent(isTop: boolean): void;
  /** pressure if `n` were scheduled next, exactly */
  queryAfter(n: SUnitId, isTop: boolean): void;
  /** the same at the bottom by the cached pressure diff */
  queryDiffBelow(n: SUnitId): void;
  /** whether queryDiffBelow may be asked for `n` */
  canUseDiff(n: SUnitId): boolean;
  /** fills in the pressure changes of a candidate as the generic scheduler sees them */
  judge?(cand: SchedCandidate): void;
}

/** Facts of an instruction that the rules need. */
export interface NodeFacts {
  /** COPY */
  isCopy(n: SUnitId): boolean;
  /** neither a COPY nor a move-immediate: nothing to bias */
  isPlain(n: SUnitId): boolean;
  copyDestIsPhys(n: SUnitId): boolean;
  copySrcIsPhys(n: SUnitId): boolean;
  /** move-immediate whose explicit defs are all physical */
  isMoveImmToPhys(n: SUnitId): boolean;
  isMoveImm(n: SUnitId): boolean;
  mayLoad(n: SUnitId): boolean;
  flavor(n: SUnitId): Flavor;
}

export interface StrategyOptions {
  readonly kind: StrategyKind;
  readonly direction: Direction;
  readonly pendingQueueLimit: number;
  /** false with `-misched-regpressure=0`: no candidate is asked for its pressure */
  readonly tracksPressure: boolean;
  readonly zone: SchedBoundaryOptions;
}

/** Called for every pick when tracing is on. */
export interface PickObserver {
  /** the region is set up, nothing is picked; both are borrowed until the region is done */
  begin?(strategy: GCNSchedStrategy, graph: ScheduleGraph): void;
  onPick(node: SUnitId, atTop: boolean, reason: CandReason, cycle: number): void;
  /** Two candidates were compared, in a zone or (null) across the zones, by the rules of a pending queue or the full ones. */
  onCompare?(
    best: SchedCandidate,
    tried: SchedCandidate,
    zone: SchedBoundary | null,
    won: boolean,
    byPendingRules: boolean,
  ): void;
}

/** Limits of a region from the function's numbers (gcn-strategy.md 3). */
export function subtractMargins(l: PressureLimits, sgprBias: number, vgprBias: number): PressureLimits {
  const s = sgprBias + ERROR_MARGIN;
  const v = vgprBias + ERROR_MARGIN;
  return {
    sgprCritical: l.sgprCritical - Math.min(s, l.sgprCritical),
    vgprCritical: l.vgprCritical - Math.min(v, l.vgprCritical),
    sgprExcess: l.sgprExcess - Math.min(s, l.sgprExcess),
    vgprExcess: l.vgprExcess - Math.min(v, l.vgprExcess),
  };
}

/** @llvm GCNSchedStrategy.cpp GCNSchedStrategy */
export class GCNSchedStrategy {
  readonly rem: SchedRemainder;
  readonly top: SchedBoundary;
  readonly bot: SchedBoundary;
  /** of the region, before it is begun */
  limits!: PressureLimits;
  /** a candidate above a limit was examined in this region */
  hasHighPressure = false;
  observer: PickObserver | null = null;

  private readonly topCand = new SchedCandidate();
  private readonly botCand = new SchedCandidate();
  private readonly tryCandScratch = new SchedCandidate();
  private readonly candC = new SchedCandidate();
  private readonly candT = new SchedCandidate();
  private readonly topPolicy = new CandPolicy();
  private readonly botPolicy = new CandPolicy();
  private lastTopCluster = NONE;
  private lastBotCluster = NONE;
  private coexec: CoexecHeuristics | null = null;
  private pickedPending = false;
  private pickedReason = CandReason.NoCand;
  private pickedAtTop = false;

  constructor(
    readonly graph: ScheduleGraph,
    private readonly resources: NodeResources,
    private readonly facts: NodeFacts,
    private pressure: RegionPressure,
    public options: StrategyOptions,
  ) {
    this.rem = new SchedRemainder(resources.model.resources.length);
    this.top = new SchedBoundary(true, graph, resources, this.rem);
    this.bot = new SchedBoundary(false, graph, resources, this.rem);
  }

  /** Takes the object over for another region. */
  reuse(pressure: RegionPressure, options: StrategyOptions): void {
    this.pressure = pressure;
    this.options = options;
  }

  /**
   * Prepares for the region in `graph`. Mutations are done, limits are set by the caller before.
   * @llvm GCNSchedStrategy.cpp GCNSchedStrategy::initialize
   */
  initialize(): void {
    const { graph, rem, resources } = this;
    rem.init(graph, resources);
    this.top.options = this.bot.options = this.options.zone;
    this.top.reset();
    this.bot.reset();
    this.topCand.reset(null);
    this.botCand.reset(null);
    this.lastTopCluster = this.lastBotCluster = NONE;
    this.hasHighPressure = false;
    const isCoExec = this.options.kind === StrategyKind.CoExec;
    this.coexec = isCoExec ? new CoexecHeuristics(graph, resources, (n) => this.facts.flavor(n)) : null;
  }

  /**
   * Fills the queues with the roots; then `registerRoots` (generic-scheduler.md 3, items 4 and 5).
   * @llvm MachineScheduler.cpp GenericScheduler::registerRoots
   */
  releaseRoots(cyclicCritPathCycles: () => number): void {
    const { graph, top, bot, rem } = this;
    const n = graph.nSUnits;
    // roots are collected before anything is released: releasing ExitSU's predecessors changes the counts
    const topRoots: SUnitId[] = [];
    const botRoots: SUnitId[] = [];
    for (let i = 0; i < n; i++) {
      if (graph.numPredsLeft[i] === 0) topRoots.push(i);
      if (graph.numSuccsLeft[i] === 0) botRoots.push(i);
    }
    for (const r of topRoots) top.releaseNode(r, NONE);
    for (let i = botRoots.length - 1; i >= 0; i--) bot.releaseNode(botRoots[i], NONE);
    for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
      if (bot.releaseEdge(e)) bot.releaseNode(graph.edgePred[e], NONE);
    }
    rem.criticalPathCycles = graph.depth(n);
    for (const q of bot.available.nodes) rem.criticalPathCycles = Math.max(rem.criticalPathCycles, graph.depth(q));
    rem.cyclicCritPathCycles = bot.isBuffered ? cyclicCritPathCycles() : 0;
    this.checkAcyclicLatency();
  }

  /** @llvm MachineScheduler.cpp GenericScheduler::checkAcyclicLatency */
  private checkAcyclicLatency(): void {
    const rem = this.rem;
    if (rem.cyclicCritPathCycles === 0 || rem.cyclicCritPathCycles >= rem.criticalPathCycles) return;
    const iterCount = Math.max(rem.cyclicCritPathCycles, rem.remIssueCount);
    const inFlight = Math.ceil((rem.criticalPathCycles * rem.remIssueCount) / iterCount);
    rem.isAcyclicLatencyLimited = inFlight > 1;
  }

  // -- candidates --------------------------------------------------------------------------------------------------

  /** @llvm GCNSchedStrategy.cpp GCNSchedStrategy::initCandidate */
  private initCandidate(cand: SchedCandidate, n: SUnitId, isTop: boolean): void {
    const { pressure, limits } = this;
    cand.node = n;
    cand.atTop = isTop;
    if (!this.options.tracksPressure) return;
    if (pressure.judge !== undefined) {
      pressure.judge(cand);
      return;
    }
    pressure.queryCurrent(isTop);
    const v = pressure.vgpr;
    const s = pressure.sgpr;
    if (!isTop && pressure.canUseDiff(n)) pressure.queryDiffBelow(n);
    else pressure.queryAfter(n, isTop);
    const newV = pressure.vgpr;
    const newS = pressure.sgpr;
    const trackV = v + MAX_VGPR_PRESSURE_INC >= limits.vgprExcess;
    const trackS = !trackV && s >= limits.sgprExcess;
    if (trackV && newV >= limits.vgprExcess) {
      this.hasHighPressure = true;
      cand.excessSet = VGPR_32_SET;
      cand.excessUnits = newV - limits.vgprExcess;
    }
    if (trackS && newS >= limits.sgprExcess) {
      this.hasHighPressure = true;
      cand.excessSet = SREG_32_SET;
      cand.excessUnits = newS - limits.sgprExcess;
    }
    const ds = newS - limits.sgprCritical;
    const dv = newV - limits.vgprCritical;
    if (ds >= 0 || dv >= 0) {
      this.hasHighPressure = true;
      if (ds > dv) {
        cand.criticalSet = SREG_32_SET;
        cand.criticalUnits = ds;
      } else {
        cand.criticalSet = VGPR_32_SET;
        cand.criticalUnits = dv;
      }
    }
  }

  /** @llvm MachineScheduler.cpp biasPhysReg */
  private biasPhysReg(n: SUnitId, isTop: boolean): number {
    const f = this.facts;
    if (f.isPlain(n)) return 0;
    if (f.isCopy(n)) {
      const scheduledIsPhys = isTop ? f.copySrcIsPhys(n) : f.copyDestIsPhys(n);
      const unscheduledIsPhys = isTop ? f.copyDestIsPhys(n) : f.copySrcIsPhys(n);
      if (scheduledIsPhys) return 1;
      if (unscheduledIsPhys) {
        const atBoundary = isTop ? this.graph.numSuccsLeft[n] === 0 : this.graph.numPredsLeft[n] === 0;
        return atBoundary ? -1 : 1;
      }
    }
    return f.isMoveImmToPhys(n) ? (isTop ? -1 : 1) : 0;
  }

  private tryPhysReg(t: SchedCandidate, c: SchedCandidate): boolean {
    const f = this.facts;
    if (f.isPlain(t.node) && f.isPlain(c.node)) return false;
    return tryGreater(this.biasPhysReg(t.node, t.atTop), this.biasPhysReg(c.node, c.atTop), t, c, CandReason.PhysReg);
  }

  // Most candidates are alike in most respects: what is equal is passed over before a rule is asked.

  private tryExcess(t: SchedCandidate, c: SchedCandidate): boolean {
    if (t.excessUnits === c.excessUnits && t.excessSet === c.excessSet) return false;
    return tryPressure(t.excessSet, t.excessUnits, c.excessSet, c.excessUnits, t, c, CandReason.RegExcess);
  }

  private tryCritical(t: SchedCandidate, c: SchedCandidate): boolean {
    if (t.criticalUnits === c.criticalUnits && t.criticalSet === c.criticalSet) return false;
    return tryPressure(t.criticalSet, t.criticalUnits, c.criticalSet, c.criticalUnits, t, c, CandReason.RegCritical);
  }

  private tryRegMax(t: SchedCandidate, c: SchedCandidate): boolean {
    if (t.currentMaxUnits === c.currentMaxUnits && t.currentMaxSet === c.currentMaxSet) return false;
    return tryPressure(t.currentMaxSet, t.currentMaxUnits, c.currentMaxSet, c.currentMaxUnits, t, c, CandReason.RegMax);
  }

  private tryLatency(t: SchedCandidate, c: SchedCandidate, zone: SchedBoundary): boolean {
    return tryLatency(this.graph, t, c, zone);
  }

  private tryStall(t: SchedCandidate, c: SchedCandidate, zone: SchedBoundary): boolean {
    if (!zone.mayStall) return false;
    return tryLess(zone.latencyStallCycles(t.node), zone.latencyStallCycles(c.node), t, c, CandReason.Stall);
  }

  private continuesCluster(c: SchedCandidate): number {
    const own = this.graph.parentCluster[c.node];
    return own !== NONE && own === (c.atTop ? this.lastTopCluster : this.lastBotCluster) ? 1 : 0;
  }

  private tryCluster(t: SchedCandidate, c: SchedCandidate): boolean {
    if (this.lastTopCluster === NONE && this.lastBotCluster === NONE) return false;
    return tryGreater(this.continuesCluster(t), this.continuesCluster(c), t, c, CandReason.Cluster);
  }

  /** @llvm MachineScheduler.cpp getWeakLeft */
  private weakLeft(c: SchedCandidate): number {
    return c.atTop ? this.graph.weakPredsLeft[c.node] : this.graph.weakSuccsLeft[c.node];
  }

  private tryWeak(t: SchedCandidate, c: SchedCandidate): boolean {
    return tryLess(this.weakLeft(t), this.weakLeft(c), t, c, CandReason.Weak);
  }

  private tryResourceReduce(t: SchedCandidate, c: SchedCandidate): boolean {
    return tryLess(t.critResources, c.critResources, t, c, CandReason.ResourceReduce);
  }

  private tryResourceDemand(t: SchedCandidate, c: SchedCandidate): boolean {
    return tryGreater(t.demandedResources, c.demandedResources, t, c, CandReason.ResourceDemand);
  }

  private tryNodeOrder(t: SchedCandidate, c: SchedCandidate, zone: SchedBoundary): void {
    if (zone.isTop ? t.node < c.node : t.node > c.node) t.reason = CandReason.NodeOrder;
  }

  /** Long-latency loads early at the top, late at the bottom (max-memory-clause). */
  private tryLongLatencyLoad(t: SchedCandidate, c: SchedCandidate, zone: SchedBoundary): boolean {
    const tLoads = this.facts.mayLoad(t.node);
    const cLoads = this.facts.mayLoad(c.node);
    if (!tLoads && !cLoads) return false;
    const tLat = this.graph.latencyCycles[t.node];
    const cLat = this.graph.latencyCycles[c.node];
    const tLong = tLat > 10 * cLat && tLoads ? 1 : 0;
    const cLong = 10 * tLat < cLat && cLoads ? 1 : 0;
    return zone.isTop
      ? tryGreater(tLong, cLong, t, c, CandReason.Stall)
      : tryGreater(cLong, tLong, t, c, CandReason.Stall);
  }

  /** Gives `t` a reason when it beats `c`. `zone` null: they come from different zones. */
  private tryCandidate(c: SchedCandidate, t: SchedCandidate, zone: SchedBoundary | null): void {
    if (!c.isValid) {
      const { kind } = this.options;
      const isOwn = kind === StrategyKind.MaxILP || kind === StrategyKind.MaxMemoryClause;
      t.reason = isOwn ? CandReason.NodeOrder : CandReason.FirstValid;
      return;
    }
    switch (this.options.kind) {
      case StrategyKind.MaxOccupancy:
      case StrategyKind.Generic:
        this.tryMaxOccupancy(c, t, zone);
        return;
      case StrategyKind.MaxILP:
        this.tryMaxILP(c, t, zone);
        return;
      case StrategyKind.MaxMemoryClause:
        this.tryMaxMemoryClause(c, t, zone);
        return;
      case StrategyKind.CoExec:
        this.tryCoExec(c, t, zone);
        return;
    }
  }

  /** @llvm MachineScheduler.cpp GenericScheduler::tryCandidate */
  private tryMaxOccupancy(c: SchedCandidate, t: SchedCandidate, zone: SchedBoundary | null): void {
    if (this.tryPhysReg(t, c) || this.tryExcess(t, c) || this.tryCritical(t, c)) return;
    if (zone !== null) {
      if (this.rem.isAcyclicLatencyLimited && this.tryLatency(t, c, zone)) return;
      if (this.tryStall(t, c, zone)) return;
    }
    if (this.tryCluster(t, c)) return;
    if (zone !== null && this.tryWeak(t, c)) return;
    // GCN leaves what this rule compares empty
    if (this.tryRegMax(t, c) || zone === null) return;
    if (this.tryResourceReduce(t, c) || this.tryResourceDemand(t, c)) return;
    if (t.policy.reduceLatency && !this.rem.isAcyclicLatencyLimited && this.tryLatency(t, c, zone)) return;
    this.tryNodeOrder(t, c, zone);
  }

  /** @llvm GCNSchedStrategy.cpp GCNMaxILPSchedStrategy::tryCandidate */
  private tryMaxILP(c: SchedCandidate, t: SchedCandidate, zone: SchedBoundary | null): void {
    if (this.tryExcess(t, c) || this.tryPhysReg(t, c)) return;
    if (zone !== null) {
      if (this.tryStall(t, c, zone) || this.tryResourceReduce(t, c) || this.tryResourceDemand(t, c)) return;
      if (this.tryLatency(t, c, zone) || this.tryWeak(t, c)) return;
    }
    if (this.tryCluster(t, c) || this.tryCritical(t, c)) return;
    if (zone !== null) this.tryNodeOrder(t, c, zone);
  }

  /** @llvm GCNSchedStrategy.cpp GCNMaxMemoryClauseSchedStrategy::tryCandidate */
  private tryMaxMemoryClause(c: SchedCandidate, t: SchedCandidate, zone: SchedBoundary | null): void {
    if (this.tryPhysReg(t, c) || this.tryExcess(t, c) || this.tryCritical(t, c) || this.tryCluster(t, c)) return;
    if (zone !== null) {
      if (this.rem.isAcyclicLatencyLimited && this.tryLatency(t, c, zone)) return;
      if (this.tryLongLatencyLoad(t, c, zone) || this.tryStall(t, c, zone) || this.tryWeak(t, c)) return;
    }
    if (zone === null) return;
    if (this.tryResourceReduce(t, c) || this.tryResourceDemand(t, c)) return;
    if (t.policy.reduceLatency && !this.rem.isAcyclicLatencyLimited && this.tryLatency(t, c, zone)) return;
    this.tryNodeOrder(t, c, zone);
  }

  /** It has one zone alone, and no policy: latency is never to be reduced. */
  private tryCoExec(c: SchedCandidate, t: SchedCandidate, zone: SchedBoundary | null): void {
    if (this.tryPhysReg(t, c) || this.tryExcess(t, c) || zone === null || this.coexec === null) return;
    if (tryLess(zone.effectiveStallCycles(t.node), zone.effectiveStallCycles(c.node), t, c, CandReason.Stall)) return;
    this.coexec.sortUnits();
    if (this.coexec.tryCriticalResource(t, c) || this.coexec.tryCriticalResourceDependency(t, c)) return;
    if (this.tryCluster(t, c) || this.tryWeak(t, c)) return;
    this.tryNodeOrder(t, c, zone);
  }

  /**
   * The shorter rule list for nodes of a pending queue. Returns whether `t` won.
   * @llvm GCNSchedStrategy.cpp GCNSchedStrategy::tryPendingCandidate
   */
  private tryPendingCandidate(c: SchedCandidate, t: SchedCandidate, zone: SchedBoundary | null): boolean {
    if (!c.isValid) {
      t.reason = CandReason.NodeOrder;
      return true;
    }
    const decided =
      this.tryPhysReg(t, c) ||
      this.tryExcess(t, c) ||
      this.tryCritical(t, c) ||
      (zone !== null && (this.tryResourceReduce(t, c) || this.tryResourceDemand(t, c)));
    return decided && t.reason !== CandReason.NoCand;
  }

  // -- picking -----------------------------------------------------------------------------------------------------

  private considersPending(zone: SchedBoundary): boolean {
    if (this.coexec !== null) return true;
    if (!zone.isBuffered || !this.resources.hasInstrSchedModel) return false;
    return zone.available.nodes.length + zone.pending.nodes.length <= this.options.pendingQueueLimit;
  }

  /** @llvm GCNSchedStrategy.cpp pickOnlyChoice */
  private onlyChoice(zone: SchedBoundary): SUnitId {
    const only = zone.pickOnlyChoice();
    return this.considersPending(zone) && zone.pending.nodes.length > 0 ? NONE : only;
  }

  /**
   * Scans a zone into `best`; returns whether the winner is a pending node.
   * @llvm GCNSchedStrategy.cpp GCNSchedStrategy::pickNodeFromQueue
   */
  private pickNodeFromQueue(zone: SchedBoundary, policy: CandPolicy, best: SchedCandidate): boolean {
    const t = this.tryCandScratch;
    const observer = this.observer;
    let isPending = false;
    t.policy.set(policy);
    const avail = zone.available.nodes;
    for (let i = 0; i < avail.length; i++) {
      t.renew();
      this.initCandidate(t, avail[i], zone.isTop);
      initResourceDelta(t, this.resources.writes[t.node]);
      this.tryCandidate(best, t, zone);
      const won = t.reason !== CandReason.NoCand;
      if (observer?.onCompare) observer.onCompare(best, t, zone, won, false);
      if (won) best.setBest(t);
    }
    if (!this.considersPending(zone)) return false;
    const pending = zone.pending.nodes;
    for (let i = 0; i < pending.length; i++) {
      t.renew();
      this.initCandidate(t, pending[i], zone.isTop);
      initResourceDelta(t, this.resources.writes[t.node]);
      if (this.coexec === null) this.tryPendingCandidate(best, t, zone);
      else this.tryCandidate(best, t, zone);
      const won = t.reason !== CandReason.NoCand;
      if (observer?.onCompare) observer.onCompare(best, t, zone, won, this.coexec === null);
      if (won) {
        best.setBest(t);
        isPending = true;
      }
    }
    return isPending;
  }

  private setPick(n: SUnitId, atTop: boolean, reason: CandReason, pending: boolean): SUnitId {
    this.pickedAtTop = atTop;
    this.pickedReason = reason;
    this.pickedPending = pending;
    return n;
  }

  private isUsable(cand: SchedCandidate, policy: CandPolicy): boolean {
    return cand.isValid && (this.graph.flags[cand.node] & SUnitFlag.IsScheduled) === 0 && cand.policy.equals(policy);
  }

  /** @llvm GCNSchedStrategy.cpp GCNSchedStrategy::pickNodeBidirectional */
  private pickBidirectional(): SUnitId {
    const { top, bot, topCand, botCand, topPolicy, botPolicy } = this;
    let only = this.onlyChoice(bot);
    if (only !== NONE) return this.setPick(only, false, CandReason.Only1, false);
    only = this.onlyChoice(top);
    if (only !== NONE) return this.setPick(only, true, CandReason.Only1, false);
    bot.setPolicy(botPolicy, top);
    top.setPolicy(topPolicy, bot);
    let botPending = false;
    let topPending = false;
    // setBest leaves the policy alone, so a cached candidate carries the reset policy and is reused only if that is wanted
    if (!this.isUsable(botCand, botPolicy)) {
      botCand.reset(null);
      botPending = this.pickNodeFromQueue(bot, botPolicy, botCand);
    }
    if (!this.isUsable(topCand, topPolicy)) {
      topCand.reset(null);
      topPending = this.pickNodeFromQueue(top, topPolicy, topCand);
    }
    const c = this.candC;
    const t = this.candT;
    c.assign(botPending ? topCand : botCand);
    t.assign(botPending ? botCand : topCand);
    let picked = botPending && topPending;
    t.reason = CandReason.NoCand;
    if (botPending || topPending) {
      picked = this.tryPendingCandidate(c, topCand, null) || picked;
      if (this.observer?.onCompare) this.observer.onCompare(c, topCand, null, false, true);
    } else {
      this.tryCandidate(c, t, null);
      if (this.observer?.onCompare) this.observer.onCompare(c, t, null, t.reason !== CandReason.NoCand, false);
    }
    if (t.reason !== CandReason.NoCand) c.setBest(t);
    return this.setPick(c.node, c.atTop, c.reason, picked);
  }

  private pickOneDirection(zone: SchedBoundary, cand: SchedCandidate): SUnitId {
    const only = this.onlyChoice(zone);
    if (only !== NONE) return this.setPick(only, zone.isTop, CandReason.Only1, false);
    this.candC.policy.reset();
    cand.reset(null);
    const pending = this.pickNodeFromQueue(zone, this.candC.policy, cand);
    return this.setPick(cand.node, zone.isTop, cand.reason, pending);
  }

  /**
   * The next node and, in `pickedTop`, its side. The caller stops when the region is done.
   * @llvm GCNSchedStrategy.cpp GCNSchedStrategy::pickNode
   */
  pickNode(): SUnitId {
    const { top, bot, graph } = this;
    let n: SUnitId;
    do {
      switch (this.options.direction) {
        case Direction.TopDown:
          n = this.pickOneDirection(top, this.topCand);
          break;
        case Direction.BottomUp:
          n = this.pickOneDirection(bot, this.botCand);
          break;
        case Direction.Bidirectional:
          n = this.pickBidirectional();
          break;
      }
    } while ((graph.flags[n] & SUnitFlag.IsScheduled) !== 0);
    const zone = this.pickedAtTop ? top : bot;
    this.observer?.onPick(n, this.pickedAtTop, this.pickedReason, zone.currCycle);
    if (this.pickedPending) {
      if (zone.readyCycle[n] > zone.currCycle) zone.bumpCycle(zone.readyCycle[n]);
      while (zone.checkHazard(n)) zone.bumpCycle(zone.currCycle + 1);
      zone.releasePending();
    }
    if (graph.numPredsLeft[n] === 0) top.removeReady(n);
    if (graph.numSuccsLeft[n] === 0) bot.removeReady(n);
    return n;
  }

  get pickedTop(): boolean {
    return this.pickedAtTop;
  }

  // -- for the trace -------------------------------------------------------------------------------------------------

  private readonly judged = [new SchedCandidate(), new SchedCandidate()] as const;

  /** The rule that decides between two candidates; NoCand for a tie. Neither is changed. */
  decidingRule(
    best: SchedCandidate,
    tried: SchedCandidate,
    zone: SchedBoundary | null,
    byPendingRules: boolean,
  ): CandReason {
    const [c, t] = this.judged;
    c.assign(best);
    t.assign(tried);
    // weaker than every rule, so that a lost comparison leaves its rule here
    c.reason = LOSER_MARK;
    t.reason = CandReason.NoCand;
    if (byPendingRules) this.tryPendingCandidate(c, t, zone);
    else this.tryCandidate(c, t, zone);
    if (t.reason !== CandReason.NoCand) return t.reason;
    if (c.reason !== LOSER_MARK) return c.reason;
    return zone !== null && !byPendingRules ? CandReason.NodeOrder : CandReason.NoCand;
  }

  /** Stall is the reason that stalls give and, in max-memory-clause, the latency of loads; only the second decides between equal stalls. */
  isLatencyOfLoads(rule: CandReason, a: SchedCandidate, b: SchedCandidate): boolean {
    return rule === CandReason.Stall && this.ruleValue(rule, a) === this.ruleValue(rule, b);
  }

  /** The number of a candidate that a rule compares. */
  ruleValue(rule: CandReason, c: SchedCandidate): number {
    const zone = c.atTop ? this.top : this.bot;
    switch (rule) {
      case CandReason.PhysReg:
        return this.biasPhysReg(c.node, c.atTop);
      case CandReason.RegExcess:
        return c.excessUnits;
      case CandReason.RegCritical:
        return c.criticalUnits;
      case CandReason.RegMax:
        return c.currentMaxUnits;
      case CandReason.Stall:
        return zone.latencyStallCycles(c.node);
      case CandReason.Cluster:
        return this.continuesCluster(c);
      case CandReason.Weak:
        return this.weakLeft(c);
      case CandReason.ResourceReduce:
        return c.critResources;
      case CandReason.ResourceDemand:
        return c.demandedResources;
      case CandReason.BotHeightReduce:
      case CandReason.TopPathReduce:
        return this.graph.height(c.node);
      case CandReason.TopDepthReduce:
      case CandReason.BotPathReduce:
        return this.graph.depth(c.node);
      default:
        return c.node;
    }
  }

  /** Pressure of a zone, and what it would be with `n` next. */
  pressureAt(n: SUnitId, isTop: boolean): { sgpr: number; vgpr: number; sgprAfter: number; vgprAfter: number } {
    const { pressure } = this;
    pressure.queryCurrent(isTop);
    const { sgpr, vgpr } = pressure;
    if (!isTop && pressure.canUseDiff(n)) pressure.queryDiffBelow(n);
    else pressure.queryAfter(n, isTop);
    return { sgpr, vgpr, sgprAfter: pressure.sgpr, vgprAfter: pressure.vgpr };
  }

  /**
   * Accounts for the pick after its instruction was placed.
   * @llvm GCNSchedStrategy.cpp GCNSchedStrategy::schedNode
   */
  schedNode(n: SUnitId, isTop: boolean): void {
    this.coexec?.markScheduled(n);
    const zone = isTop ? this.top : this.bot;
    if (zone.readyCycle[n] < zone.currCycle) zone.readyCycle[n] = zone.currCycle;
    if (isTop) this.lastTopCluster = this.graph.parentCluster[n];
    else this.lastBotCluster = this.graph.parentCluster[n];
    zone.bumpNode(n);
  }

  /**
   * Releases the neighbours of a scheduled node on its side (generic-scheduler.md 4.2).
   */
  releaseNeighbours(n: SUnitId, isTop: boolean): void {
    const zone = isTop ? this.top : this.bot;
    if (!zone.releaseNeighbours(n)) return;
    // a better candidate may have come
    if (isTop) this.topCand.node = NONE;
    else this.botCand.node = NONE;
  }

  /**
   * Nodes already scheduled that must follow `n` because they copy from or to its physical registers
   * (GenericScheduler::reschedulePhysReg): sources of Data edges at the top, targets at the bottom.
   * @llvm MachineScheduler.cpp GenericScheduler::reschedulePhysReg
   */
  physRegFollowers(n: SUnitId, isTop: boolean, out: SUnitId[]): void {
    const { graph, facts } = this;
    out.length = 0;
    if ((graph.flags[n] & (isTop ? SUnitFlag.HasPhysRegUses : SUnitFlag.HasPhysRegDefs)) === 0) return;
    for (
      let e = isTop ? graph.firstPred[n] : graph.firstSucc[n];
      e !== NONE;
      e = isTop ? graph.nextPred[e] : graph.nextSucc[e]
    ) {
      if (graph.edgeKind[e] !== DepKind.Data || !isRegisterDep(graph.edgeKind[e]) || graph.edgeReg[e] <= 0) continue;
      const other = isTop ? graph.edgePred[e] : graph.edgeSucc[e];
      const only = isTop
        ? graph.firstSucc[other] === graph.lastSucc[other]
        : graph.firstPred[other] === graph.lastPred[other];
      if (only && (facts.isCopy(other) || facts.isMoveImm(other))) out.push(other);
    }
  }
}

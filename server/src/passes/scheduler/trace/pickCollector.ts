/**
 * Records the picks of one region: both zones' candidates, what they beat and by which number. One object per scheduling run of
 * a region; it may be slow, as it exists only while a trace is collected.
 */
import { NONE, type ScheduleGraph, type SUnitId } from '../dag/graph.js';
import {
  AGPR_32_SET,
  CAND_REASON_NAMES,
  CandReason,
  type SchedCandidate,
  SREG_32_SET,
  VGPR_32_SET,
} from '../strategy/candidate.js';
import type { GCNSchedStrategy, PickObserver } from '../strategy/gcnSchedStrategy.js';
import type { SchedBoundary } from '../strategy/schedBoundary.js';
import type { Contest, PickTrace, ZoneChoice } from './scheduleTrace.js';

/** What is known of a zone's candidate until the next scan. */
class ZoneRecord {
  best: SUnitId = NONE;
  reason = CandReason.NoCand;
  runnerUp: Contest | null = null;
  /** strength of the rule that beat the runner-up; greater is closer */
  closeness = -1;
  /** the zone was scanned for the pick being made */
  isFresh = false;
}

const setName = (set: number): string | null => {
  switch (set) {
    case SREG_32_SET:
      return 'SReg_32';
    case AGPR_32_SET:
      return 'AGPR_32';
    case VGPR_32_SET:
      return 'VGPR_32';
    default:
      return null;
  }
};

function pressureSetOf(rule: CandReason, c: SchedCandidate): string | null {
  if (rule === CandReason.RegExcess) return setName(c.excessSet);
  if (rule === CandReason.RegCritical) return setName(c.criticalSet);
  if (rule === CandReason.RegMax) return setName(c.currentMaxSet);
  return null;
}

export class PickCollector implements PickObserver {
  readonly picks: PickTrace[] = [];
  criticalPath = 0;
  cyclicCriticalPath = 0;
  acyclicLatencyLimited = false;
  private strategy: GCNSchedStrategy | null = null;
  private instr: Int32Array = new Int32Array(0);
  private readonly top = new ZoneRecord();
  private readonly bottom = new ZoneRecord();
  private between: Contest | null = null;

  /** With `withPicks` false only the numbers of the region are taken. */
  constructor(private readonly withPicks: boolean) {}

  begin(strategy: GCNSchedStrategy, graph: ScheduleGraph): void {
    this.strategy = strategy;
    this.instr = graph.instr.slice(0, graph.nSUnits);
    this.criticalPath = strategy.rem.criticalPathCycles;
    this.cyclicCriticalPath = strategy.rem.cyclicCritPathCycles;
    this.acyclicLatencyLimited = strategy.rem.isAcyclicLatencyLimited;
  }

  onCompare(
    best: SchedCandidate,
    tried: SchedCandidate,
    zone: SchedBoundary | null,
    won: boolean,
    byPendingRules: boolean,
  ): void {
    const { strategy } = this;
    if (strategy === null || !this.withPicks) return;
    if (zone === null) {
      if (best.isValid && best.node !== tried.node)
        this.between = this.contest(strategy, best, tried, null, won, byPendingRules);
      return;
    }
    const record = zone.isTop ? this.top : this.bottom;
    if (!best.isValid) {
      record.isFresh = true;
      record.runnerUp = null;
      record.closeness = -1;
      record.best = tried.node;
      record.reason = tried.reason;
      return;
    }
    const rule = strategy.decidingRule(best, tried, zone, byPendingRules);
    const closeness = rule === CandReason.NoCand ? CAND_REASON_NAMES.length : rule;
    if (won) {
      record.best = tried.node;
      record.reason = tried.reason;
      record.runnerUp = this.contest(strategy, best, tried, zone, won, byPendingRules);
      record.closeness = closeness;
    } else {
      record.reason = best.reason;
      if (closeness <= record.closeness) return;
      record.runnerUp = this.contest(strategy, best, tried, zone, won, byPendingRules);
      record.closeness = closeness;
    }
  }

  private contest(
    strategy: GCNSchedStrategy,
    best: SchedCandidate,
    tried: SchedCandidate,
    zone: SchedBoundary | null,
    won: boolean,
    byPendingRules: boolean,
  ): Contest {
    const rule = strategy.decidingRule(best, tried, zone, byPendingRules);
    const winner = won ? tried : best;
    const loser = won ? best : tried;
    const byLatency = strategy.isLatencyOfLoads(rule, winner, loser);
    const valueOf = (c: SchedCandidate): number =>
      byLatency ? strategy.graph.latencyCycles[c.node] : strategy.ruleValue(rule, c);
    return {
      winner: this.instr[winner.node],
      loser: this.instr[loser.node],
      rule: CAND_REASON_NAMES[rule],
      winnerValue: valueOf(winner),
      loserValue: valueOf(loser),
      ...(byLatency ? { quantity: 'latency' as const } : {}),
      winnerSet: pressureSetOf(rule, winner),
      loserSet: pressureSetOf(rule, loser),
    };
  }

  onPick(node: SUnitId, atTop: boolean, reason: CandReason, cycle: number): void {
    const { strategy } = this;
    if (strategy === null || !this.withPicks) return;
    const zone = atTop ? strategy.top : strategy.bot;
    const p = strategy.pressureAt(node, atTop);
    const only = reason === CandReason.Only1;
    this.picks.push({
      instr: this.instr[node],
      node,
      side: atTop ? 'top' : 'bottom',
      reason: CAND_REASON_NAMES[reason],
      cycle,
      readyCycle: zone.readyCycle[node],
      sgpr: p.sgpr,
      vgpr: p.vgpr,
      sgprAfter: p.sgprAfter,
      vgprAfter: p.vgprAfter,
      top: only ? null : this.choice(this.top, strategy.top),
      bottom: only ? null : this.choice(this.bottom, strategy.bot),
      between: only ? null : this.between,
    });
    this.top.isFresh = this.bottom.isFresh = false;
    this.between = null;
  }

  private choice(record: ZoneRecord, zone: SchedBoundary): ZoneChoice | null {
    if (record.best === NONE) return null;
    return {
      available: zone.available.nodes.length,
      pending: zone.pending.nodes.length,
      best: this.instr[record.best],
      reason: CAND_REASON_NAMES[record.reason],
      runnerUp: record.runnerUp,
      cached: !record.isFresh,
    };
  }
}

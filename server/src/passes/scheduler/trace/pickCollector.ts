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

/** Two candidates that were compared: of most comparisons nobody will ask, so that words are found for those that are left over. */
class Comparison {
  private winner = NONE;
  private loser = NONE;
  private rule = CandReason.NoCand;
  private winnerValue = 0;
  private loserValue = 0;
  private winnerSet = NONE;
  private loserSet = NONE;
  private isByLatency = false;
  private contest: Contest | null = null;

  clear(): void {
    this.winner = NONE;
  }

  note(strategy: GCNSchedStrategy, rule: CandReason, winner: SchedCandidate, loser: SchedCandidate): void {
    const isByLatency = strategy.isLatencyOfLoads(rule, winner, loser);
    const { latencyCycles } = strategy.graph;
    this.winner = winner.node;
    this.loser = loser.node;
    this.rule = rule;
    this.isByLatency = isByLatency;
    this.winnerValue = isByLatency ? latencyCycles[winner.node] : strategy.ruleValue(rule, winner);
    this.loserValue = isByLatency ? latencyCycles[loser.node] : strategy.ruleValue(rule, loser);
    this.winnerSet = pressureSetOf(rule, winner);
    this.loserSet = pressureSetOf(rule, loser);
    this.contest = null;
  }

  /** Null where there was none. `instr`: instructions of the nodes. */
  inWords(instr: Int32Array): Contest | null {
    if (this.winner === NONE) return null;
    return (this.contest ??= {
      winner: instr[this.winner],
      loser: instr[this.loser],
      rule: CAND_REASON_NAMES[this.rule],
      winnerValue: this.winnerValue,
      loserValue: this.loserValue,
      ...(this.isByLatency ? { quantity: 'latency' as const } : {}),
      winnerSet: setName(this.winnerSet),
      loserSet: setName(this.loserSet),
    });
  }
}

/** What is known of a zone's candidate until the next scan. */
class ZoneRecord {
  best: SUnitId = NONE;
  reason = CandReason.NoCand;
  readonly runnerUp = new Comparison();
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

function pressureSetOf(rule: CandReason, c: SchedCandidate): number {
  if (rule === CandReason.RegExcess) return c.excessSet;
  if (rule === CandReason.RegCritical) return c.criticalSet;
  if (rule === CandReason.RegMax) return c.currentMaxSet;
  return NONE;
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
  private readonly between = new Comparison();

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
    if (zone === null && (!best.isValid || best.node === tried.node)) return;
    const record = zone === null ? null : zone.isTop ? this.top : this.bottom;
    if (record !== null && !best.isValid) {
      record.isFresh = true;
      record.runnerUp.clear();
      record.closeness = -1;
      record.best = tried.node;
      record.reason = tried.reason;
      return;
    }
    const rule = strategy.decidingRule(best, tried, zone, byPendingRules);
    const winner = won ? tried : best;
    const loser = won ? best : tried;
    if (record === null) {
      this.between.note(strategy, rule, winner, loser);
      return;
    }
    const closeness = rule === CandReason.NoCand ? CAND_REASON_NAMES.length : rule;
    if (won) record.best = tried.node;
    record.reason = winner.reason;
    if (!won && closeness <= record.closeness) return;
    record.runnerUp.note(strategy, rule, winner, loser);
    record.closeness = closeness;
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
      between: only ? null : this.between.inWords(this.instr),
    });
    this.top.isFresh = this.bottom.isFresh = false;
    this.between.clear();
  }

  private choice(record: ZoneRecord, zone: SchedBoundary): ZoneChoice | null {
    if (record.best === NONE) return null;
    return {
      available: zone.available.nodes.length,
      pending: zone.pending.nodes.length,
      best: this.instr[record.best],
      reason: CAND_REASON_NAMES[record.reason],
      runnerUp: record.runnerUp.inWords(this.instr),
      cached: !record.isFresh,
    };
  }
}

/** What is noted of picks, told step by step: the candidate of each zone, whom it beat last or most closely, and by which numbers. */
import assert from 'node:assert/strict';
import type { ScheduleGraph } from '../../../../../server/src/passes/scheduler/dag/graph.js';
import {
  AGPR_32_SET,
  CAND_REASON_NAMES,
  CandReason,
  NO_SET,
  SchedCandidate,
  SREG_32_SET,
  VGPR_32_SET,
} from '../../../../../server/src/passes/scheduler/strategy/candidate.js';
import type { GCNSchedStrategy } from '../../../../../server/src/passes/scheduler/strategy/gcnSchedStrategy.js';
import type { SchedBoundary } from '../../../../../server/src/passes/scheduler/strategy/schedBoundary.js';
import { PickCollector } from '../../../../../server/src/passes/scheduler/trace/pickCollector.js';
import type { Contest, PickTrace } from '../../../../../server/src/passes/scheduler/trace/scheduleTrace.js';

const zoneOf = (isTop: boolean): SchedBoundary =>
  ({
    isTop,
    readyCycle: Int32Array.from({ length: 8 }, (_, n) => (isTop ? 100 : 200) + n),
    available: { nodes: isTop ? [1, 2, 3] : [4, 5] },
    pending: { nodes: isTop ? [6] : [] },
  }) as unknown as SchedBoundary;

/** Instruction n + 10 is node n; a rule's number is that of the rule and ten times the node. */
class Told {
  readonly collector: PickCollector;
  readonly top = zoneOf(true);
  readonly bottom = zoneOf(false);
  rule = CandReason.NodeOrder;
  byLatency = false;
  readonly asked: [best: number, tried: number, zone: SchedBoundary | null, byPendingRules: boolean][] = [];

  constructor(withPicks = true, begins = true) {
    this.collector = new PickCollector(withPicks);
    const strategy = {
      rem: { criticalPathCycles: 31, cyclicCritPathCycles: 7, isAcyclicLatencyLimited: true },
      top: this.top,
      bot: this.bottom,
      graph: { latencyCycles: Int32Array.from({ length: 8 }, (_, n) => 1000 + n) },
      decidingRule: (b: SchedCandidate, t: SchedCandidate, zone: SchedBoundary | null, byPendingRules: boolean) => {
        this.asked.push([b.node, t.node, zone, byPendingRules]);
        return this.rule;
      },
      isLatencyOfLoads: () => this.byLatency,
      ruleValue: (rule: CandReason, c: SchedCandidate) => 10 * c.node + rule,
      pressureAt: (node: number, atTop: boolean) =>
        atTop
          ? { sgpr: node, vgpr: node + 1, sgprAfter: node + 2, vgprAfter: node + 3 }
          : { sgpr: node + 4, vgpr: node + 5, sgprAfter: node + 6, vgprAfter: node + 7 },
    };
    const graph = { instr: Int32Array.from({ length: 9 }, (_, n) => n + 10), nSUnits: 8 };
    if (begins) this.collector.begin(strategy as unknown as GCNSchedStrategy, graph as unknown as ScheduleGraph);
  }

  candidate(node: number, more: Partial<SchedCandidate> = {}): SchedCandidate {
    return Object.assign(new SchedCandidate(), { node, ...more });
  }

  compare(
    best: number,
    tried: number,
    zone: SchedBoundary | null,
    rule: CandReason,
    won: boolean,
    pending = false,
  ): void {
    this.rule = rule;
    const reasons = [CandReason.Weak, CandReason.Stall];
    this.collector.onCompare(
      best < 0 ? new SchedCandidate() : this.candidate(best, { reason: reasons[0]! }),
      this.candidate(tried, { reason: reasons[1]! }),
      zone,
      won,
      pending,
    );
  }

  pick(node: number, atTop: boolean, reason = CandReason.Weak, cycle = 5): PickTrace {
    this.collector.onPick(node, atTop, reason, cycle);
    return this.collector.picks.at(-1)!;
  }
}

const contest = (winner: number, loser: number, rule: CandReason): Contest => ({
  winner: winner + 10,
  loser: loser + 10,
  rule: CAND_REASON_NAMES[rule],
  winnerValue: 10 * winner + rule,
  loserValue: 10 * loser + rule,
  winnerSet: null,
  loserSet: null,
});

describe('what is noted of picks', () => {
  it('the numbers of the region, and a pick without a choice', () => {
    const told = new Told();
    const { criticalPath, cyclicCriticalPath, acyclicLatencyLimited } = told.collector;
    assert.deepEqual([criticalPath, cyclicCriticalPath, acyclicLatencyLimited], [31, 7, true]);
    const common = { top: null, bottom: null, between: null, reason: 'Only1' };
    assert.deepEqual(told.pick(3, true, CandReason.Only1, 9), {
      ...common, instr: 13, node: 3, side: 'top', cycle: 9, readyCycle: 103, sgpr: 3, vgpr: 4, sgprAfter: 5, vgprAfter: 6,
    }); // prettier-ignore
    assert.deepEqual(told.pick(2, false, CandReason.Only1, 1), {
      ...common, instr: 12, node: 2, side: 'bottom', cycle: 1, readyCycle: 202, sgpr: 6, vgpr: 7, sgprAfter: 8, vgprAfter: 9,
    }); // prettier-ignore
    // a zone that was looked at tells nothing of it
    told.compare(-1, 1, told.top, CandReason.NoCand, true);
    told.compare(0, 1, null, CandReason.Cluster, true);
    const { top, bottom, between } = told.pick(1, true, CandReason.Only1);
    assert.deepEqual([top, bottom, between], [null, null, null]);
  });

  it('the candidate of each zone and how it came to be that', () => {
    const told = new Told();
    told.compare(-1, 1, told.top, CandReason.NoCand, true);
    const one = { available: 3, pending: 1, best: 11, reason: 'Stall', runnerUp: null, cached: false };
    assert.deepEqual(told.pick(1, true).top, one);
    // not looked at again: that of before; the other zone was never looked at
    const { top, bottom } = told.pick(1, true);
    assert.deepEqual([top, bottom], [{ ...one, cached: true }, null]);
    told.compare(-1, 5, told.bottom, CandReason.NoCand, true);
    const second = told.pick(5, false);
    assert.deepEqual(second.bottom, {
      available: 2,
      pending: 0,
      best: 15,
      reason: 'Stall',
      runnerUp: null,
      cached: false,
    });
    assert.equal(second.top?.cached, true);
    assert.equal(told.pick(5, false).bottom?.cached, true);
    told.compare(-1, 4, told.bottom, CandReason.NoCand, true);
    assert.deepEqual([told.pick(4, false).bottom?.best, told.pick(4, false).bottom?.cached], [14, true]);
  });

  it('whom it beat: the last that was in front, and of those after the closest', () => {
    const [Stall, Weak, NodeOrder] = [CandReason.Stall, CandReason.Weak, CandReason.NodeOrder];
    const [NoCand, RegExcess] = [CandReason.NoCand, CandReason.RegExcess];
    const runnerUp = (
      ...steps: readonly (readonly [best: number, tried: number, rule: CandReason, won: boolean])[]
    ): unknown => {
      const told = new Told();
      // what an earlier look left does not count
      told.compare(-1, 7, told.top, NoCand, true);
      told.compare(7, 6, told.top, NoCand, false);
      told.compare(-1, steps[0]![0], told.top, NoCand, true);
      for (const [best, tried, rule, won] of steps) told.compare(best, tried, told.top, rule, won);
      const { top } = told.pick(1, true);
      return [top?.best, top?.reason, top?.runnerUp];
    };
    assert.deepEqual(runnerUp([1, 2, Weak, false]), [11, 'Weak', contest(1, 2, Weak)]);
    assert.deepEqual(runnerUp([1, 2, Weak, true]), [12, 'Stall', contest(2, 1, Weak)]);
    // a later rule is closer, a tie the closest, and the first of equals stays
    assert.deepEqual(runnerUp([1, 2, Stall, false], [1, 3, Weak, false]), [11, 'Weak', contest(1, 3, Weak)]);
    assert.deepEqual(runnerUp([1, 2, Weak, false], [1, 3, Stall, false]), [11, 'Weak', contest(1, 2, Weak)]);
    assert.deepEqual(runnerUp([1, 2, Weak, false], [1, 3, Weak, false]), [11, 'Weak', contest(1, 2, Weak)]);
    assert.deepEqual(runnerUp([1, 2, NodeOrder, false], [1, 3, NoCand, false]), [11, 'Weak', contest(1, 3, NoCand)]);
    assert.deepEqual(runnerUp([1, 2, NoCand, false], [1, 3, NodeOrder, false]), [11, 'Weak', contest(1, 2, NoCand)]);
    assert.deepEqual(runnerUp([1, 2, RegExcess, false], [1, 3, NodeOrder, false]), [
      11,
      'Weak',
      contest(1, 3, NodeOrder),
    ]);
    // one that comes in front has beaten that before it, however far after others were
    assert.deepEqual(runnerUp([1, 2, NodeOrder, false], [1, 3, RegExcess, true]), [
      13,
      'Stall',
      contest(3, 1, RegExcess),
    ]);
    assert.deepEqual(runnerUp([1, 2, NodeOrder, true], [2, 3, RegExcess, true], [3, 4, Stall, false]), [
      13,
      'Weak',
      contest(3, 4, Stall),
    ]);
    assert.deepEqual(runnerUp([1, 2, Weak, true], [2, 3, Stall, false]), [12, 'Weak', contest(2, 1, Weak)]);
  });

  it('the zones against each other', () => {
    const told = new Told();
    told.compare(-1, 1, null, CandReason.Weak, true);
    told.compare(2, 2, null, CandReason.Weak, true);
    assert.equal(told.pick(1, true).between, null);
    told.compare(1, 2, null, CandReason.Cluster, false, true);
    assert.deepEqual(told.asked.at(-1), [1, 2, null, true]);
    assert.deepEqual(told.pick(1, true).between, contest(1, 2, CandReason.Cluster));
    assert.equal(told.pick(1, true).between, null);
    told.compare(1, 2, null, CandReason.Cluster, true);
    assert.deepEqual(told.pick(2, false).between, contest(2, 1, CandReason.Cluster));
    told.compare(3, 4, told.bottom, CandReason.Weak, false, true);
    assert.deepEqual(told.asked.at(-1), [3, 4, told.bottom, true]);
  });

  it('numbers: units of the sets for rules of pressure, latencies where these decide', () => {
    const sets = { excessSet: SREG_32_SET, criticalSet: AGPR_32_SET, currentMaxSet: VGPR_32_SET };
    const between = (rule: CandReason): (string | null)[] => {
      const told = new Told();
      told.rule = rule;
      const other = { excessSet: VGPR_32_SET, criticalSet: NO_SET, currentMaxSet: SREG_32_SET };
      told.collector.onCompare(told.candidate(1, sets), told.candidate(2, other), null, false, false);
      const c = told.pick(1, true).between!;
      assert.equal('quantity' in c, false);
      return [c.winnerSet, c.loserSet];
    };
    assert.deepEqual(between(CandReason.RegExcess), ['SReg_32', 'VGPR_32']);
    assert.deepEqual(between(CandReason.RegCritical), ['AGPR_32', null]);
    assert.deepEqual(between(CandReason.RegMax), ['VGPR_32', 'SReg_32']);
    assert.deepEqual(between(CandReason.Stall), [null, null]);
    const told = new Told();
    told.byLatency = true;
    told.compare(1, 2, null, CandReason.Stall, true);
    assert.deepEqual(told.pick(2, true).between, {
      ...contest(2, 1, CandReason.Stall), winnerValue: 1002, loserValue: 1001, quantity: 'latency',
    }); // prettier-ignore
  });

  it('nothing without picks, or before it begins', () => {
    for (const told of [new Told(false), new Told(true, false)]) {
      told.compare(-1, 1, told.top, CandReason.NoCand, true);
      told.compare(1, 2, told.top, CandReason.Weak, true);
      told.pick(1, true);
      assert.deepEqual([told.collector.picks, told.asked], [[], []]);
    }
    assert.equal(new Told(false).collector.criticalPath, 31);
  });
});

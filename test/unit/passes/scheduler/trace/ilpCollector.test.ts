/** What is noted of the picks of the ILP schedulers, told one by one. */
import assert from 'node:assert/strict';
import { NONE, type ScheduleGraph } from '../../../../../server/src/passes/scheduler/dag/graph.js';
import type { IlpPick } from '../../../../../server/src/passes/scheduler/generic/ilpStrategy.js';
import type { RegionPressure } from '../../../../../server/src/passes/scheduler/strategy/gcnSchedStrategy.js';
import { IlpCollector } from '../../../../../server/src/passes/scheduler/trace/ilpCollector.js';

describe('what is noted of picks by ILP', () => {
  it('whom each was preferred to, and the pressure with and without it', () => {
    const pressure = {
      sgpr: 0,
      vgpr: 0,
      queryCurrent(atTop: boolean) {
        [this.sgpr, this.vgpr] = atTop ? [-1, -1] : [4, 5];
      },
      queryAfter(node: number, atTop: boolean) {
        [this.sgpr, this.vgpr] = atTop ? [-1, -1] : [40 + node, 50 + node];
      },
    };
    const collector = new IlpCollector();
    const pick = (p: Partial<IlpPick>): void =>
      collector.onPick({
        node: 2,
        available: 3,
        rule: 'ILP',
        value: 7,
        runnerUp: 1,
        runnerUpValue: 9,
        ...p,
      } as IlpPick);
    // nobody has begun
    pick({});
    assert.deepEqual(collector.picks, []);
    const graph = { instr: Int32Array.from([10, 11, 12, 99]), nSUnits: 3 };
    collector.begin(graph as unknown as ScheduleGraph, pressure as unknown as RegionPressure);
    pick({});
    pick({ node: 0, runnerUp: NONE });
    const common = { side: 'bottom', readyCycle: 0, sgpr: 4, vgpr: 5, top: null, between: null };
    const runnerUp = {
      winner: 12,
      loser: 11,
      rule: 'ILP',
      winnerValue: 7,
      loserValue: 9,
      winnerSet: null,
      loserSet: null,
    };
    assert.deepEqual(collector.picks, [
      {
        ...common, instr: 12, node: 2, reason: 'ILP', cycle: 0, sgprAfter: 42, vgprAfter: 52,
        bottom: { available: 3, pending: 0, best: 12, reason: 'ILP', runnerUp, cached: false },
      },
      { ...common, instr: 10, node: 0, reason: 'Only1', cycle: 1, sgprAfter: 40, vgprAfter: 50, bottom: null },
    ]); // prettier-ignore
  });
});

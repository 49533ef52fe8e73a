/** How long an order takes (GCNSchedStage::getScheduleMetrics). What llc keeps by it: test/golden/answers/metricEdges.br. */
import assert from 'node:assert/strict';
import { DepKind, ScheduleGraph } from '../../../../../server/src/passes/scheduler/dag/graph.js';
import { scheduleLength, scheduleMetric } from '../../../../../server/src/passes/scheduler/stages/scheduleMetrics.js';

/** Three nodes, the last of which depends on the first in some way; the first takes 10 cycles. */
function lengthWith(kind: DepKind, reg: number): { cycles: number; bubbles: number } {
  const graph = new ScheduleGraph();
  graph.reset(3);
  graph.addEdge(2, 0, kind, reg, 1);
  return scheduleLength(graph, [0, 1, 2], [10, 1, 1]);
}

describe('scheduler: length of an order', () => {
  it('waits for values of registers as long as the instruction takes', () => {
    assert.deepEqual(lengthWith(DepKind.Data, 5), { cycles: 11, bubbles: 8 });
  });

  it('waits for nothing else: registers written again, order, artificial edges, data without a register', () => {
    for (const [kind, reg] of [
      [DepKind.Anti, 5],
      [DepKind.Output, 5],
      [DepKind.Data, 0],
      [DepKind.Artificial, 0],
    ] as const)
      assert.deepEqual(lengthWith(kind, reg), { cycles: 3, bubbles: 0 });
  });

  it('is a share of stalls, at least 1', () => {
    const graph = new ScheduleGraph();
    graph.reset(2);
    assert.equal(scheduleMetric(graph, [0, 1], [4, 1]), 1);
    graph.addEdge(1, 0, DepKind.Data, 3, 1);
    assert.equal(scheduleMetric(graph, [0, 1], [4, 1]), 60);
  });
});

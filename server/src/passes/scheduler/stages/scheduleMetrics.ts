/** How long an order takes by the latencies of its register edges. */
import { DepKind, NONE, type ScheduleGraph } from '../dag/graph.js';

/**
 * Share of stall cycles of an order in percent, at least 1: register edges only, full
 * instruction latencies.
 * @llvm GCNSchedStrategy.cpp GCNSchedStage::getScheduleMetrics
 * @llvm GCNSchedStrategy.h ScheduleMetrics::getMetric
 */
export function scheduleMetric(
  graph: ScheduleGraph,
  order: ArrayLike<number>,
  latencies: ArrayLike<number> = graph.latencyCycles,
): number {
  const { cycles, bubbles } = scheduleLength(graph, order, latencies);
  return Math.max(1, cycles === 0 ? 0 : Math.floor((bubbles * 100) / cycles));
}

/** Estimated length of an order, in cycles of one instruction each, and how many of them are stalls. */
export function scheduleLength(
  graph: ScheduleGraph,
  order: ArrayLike<number>,
  latencies: ArrayLike<number> = graph.latencyCycles,
): { cycles: number; bubbles: number } {
  const ready = new Int32Array(graph.nSUnits + 1);
  let cycle = 0;
  let bubbles = 0;
  for (let k = 0; k < order.length; k++) {
    const n = order[k];
    let at = cycle;
    for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
      if (graph.edgeKind[e] !== DepKind.Data || graph.edgeReg[e] === 0) continue;
      const pred = graph.edgePred[e];
      const t = ready[pred] + latencies[pred];
      if (t > at) at = t;
    }
    bubbles += at - cycle;
    ready[n] = at;
    cycle = at + 1;
  }
  return { cycles: cycle, bubbles };
}

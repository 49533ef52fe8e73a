/** Reachability in scheduling graphs: the table that replaces searches answers as a search does while edges come and go. */
import assert from 'node:assert/strict';
import { DepKind, ScheduleGraph } from '../../../../../server/src/passes/scheduler/dag/graph.js';
import { randomSource } from '../../../../support/random.js';

const NODES = 150;

/** By the edges that are in the lists. */
function reaches(graph: ScheduleGraph, from: number, to: number): boolean {
  const seen = new Set([from]);
  const work = [from];
  for (let n = work.pop(); n !== undefined; n = work.pop()) {
    if (n === to) return true;
    for (let e = graph.firstSucc[n]!; e >= 0; e = graph.nextSucc[e]!) {
      const s = graph.edgeSucc[e]!;
      if (s === graph.exitSU || seen.has(s)) continue;
      seen.add(s);
      work.push(s);
    }
  }
  return false;
}

describe('scheduling graph', () => {
  it('knows what reaches what after many questions, new edges and lost ones', () => {
    const random = randomSource(7);
    const graph = new ScheduleGraph(100);
    graph.reset(NODES);
    let refused = 0;
    const ask = (n: number): void => {
      for (let k = 0; k < n; k++) {
        const [from, to] = [random(NODES), random(NODES)];
        assert.equal(graph.isReachable(to, from), reaches(graph, from, to), `${from} to ${to}`);
      }
    };
    for (let round = 0; round < 12; round++) {
      for (let k = 0; k < 250; k++)
        if (!graph.addEdge(random(NODES), random(NODES), k % 5 === 0 ? DepKind.Artificial : DepKind.Data, k)) refused++;
      // The table is made soon, and follows the edges of the next round.
      ask(300);
      if (round % 4 !== 3) continue;
      graph.removeEdge(graph.firstSucc.find((e) => e >= 0)!);
      ask(300);
    }
    assert.ok(refused > 100);
  });
});

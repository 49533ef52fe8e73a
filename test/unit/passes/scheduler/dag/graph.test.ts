/** The scheduling graph as a data structure: cycles are refused exactly when there is a path, edges merge as LLVM's do. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DepKind, isWeakDep, NONE, ScheduleGraph } from '../../../../../server/src/passes/scheduler/dag/graph.js';

/** Paths by plain search over the edges that were taken. */
function reaches(edges: readonly (readonly [number, number])[], from: number, to: number): boolean {
  const seen = new Set([from]);
  const work = [from];
  while (work.length > 0) {
    const n = work.pop()!;
    if (n === to) return true;
    for (const [pred, succ] of edges) {
      if (pred !== n || seen.has(succ)) continue;
      seen.add(succ);
      work.push(succ);
    }
  }
  return false;
}

const N = 12;
const node = fc.integer({ min: 0, max: N - 1 });
const kind = fc.constantFrom(DepKind.Data, DepKind.Anti, DepKind.Barrier, DepKind.Artificial, DepKind.Cluster);

describe('ScheduleGraph', () => {
  it('refuses an edge exactly when it closes a cycle, under any sequence of edges', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node, kind, fc.nat(9)), { maxLength: 60 }), (tried) => {
        const graph = new ScheduleGraph();
        graph.reset(N);
        const taken: [number, number][] = [];
        for (const [pred, succ, k, latency] of tried) {
          const closesCycle = reaches(taken, succ, pred);
          assert.equal(graph.isReachable(pred, succ), closesCycle);
          assert.equal(graph.canAddEdge(succ, pred), !closesCycle);
          assert.equal(graph.addEdge(succ, pred, k, k <= DepKind.Output ? 5 : 0, latency), !closesCycle);
          if (!closesCycle) taken.push([pred, succ]);
        }
        // depth and height: longest paths over the edges of the lists
        const longest = new Array<number>(N).fill(0);
        for (let round = 0; round < N; round++) {
          for (let n = 0; n < N; n++) {
            for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e])
              longest[n] = Math.max(longest[n], longest[graph.edgePred[e]] + graph.edgeLatencyCycles[e]);
          }
        }
        for (let n = 0; n < N; n++) assert.equal(graph.depth(n), longest[n]);
      }),
    );
  });

  it('keeps one edge per ends, kind and register, with the larger latency', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node, kind, fc.nat(2), fc.nat(9)), { maxLength: 80 }), (tried) => {
        const graph = new ScheduleGraph();
        graph.reset(N);
        const latencies = new Map<string, number>();
        for (const [a, b, k, reg, latency] of tried) {
          if (a === b) continue;
          const pred = Math.min(a, b);
          const succ = Math.max(a, b);
          const register = k <= DepKind.Output ? reg : 0;
          const key = `${pred} ${succ} ${k} ${register}`;
          const isNew = !latencies.has(key);
          assert.equal(graph.addPred(succ, pred, k, register, latency), isNew);
          latencies.set(key, Math.max(latencies.get(key) ?? 0, latency));
        }
        const found = new Map<string, number>();
        let strong = 0;
        for (let n = 0; n < N; n++) {
          let left = 0;
          for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
            const key = `${graph.edgePred[e]} ${n} ${graph.edgeKind[e]} ${graph.edgeReg[e]}`;
            assert.ok(!found.has(key), 'an edge stands twice');
            found.set(key, graph.edgeLatencyCycles[e]);
            if (!isWeakDep(graph.edgeKind[e])) left++;
          }
          assert.equal(graph.numPredsLeft[n], left);
          strong += left;
        }
        assert.deepEqual(new Map([...found].sort()), new Map([...latencies].sort()));
        let succs = 0;
        for (let n = 0; n < N; n++) succs += graph.numSuccsLeft[n];
        assert.equal(succs, strong);
      }),
    );
  });
});

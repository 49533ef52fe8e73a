/** Reachability in scheduling graphs: the table that replaces searches answers as a search does while edges come and go. */
import assert from 'node:assert/strict';
import { DepKind, ScheduleGraph } from '../../../../../server/src/passes/scheduler/dag/graph.js';
import { EdgePairs } from '../../../../../server/src/passes/scheduler/dag/edgePairs.js';
import { NodeReach } from '../../../../../server/src/passes/scheduler/dag/mutations/nodeReach.js';
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

  it('answers for one node while its edges are tried, and is as before when they are taken back', () => {
    const random = randomSource(3);
    const graph = new ScheduleGraph();
    graph.reset(NODES);
    for (let k = 0; k < 4 * NODES; k++) {
      const [a, b] = [random(NODES), random(NODES)];
      if (a !== b) graph.addEdge(Math.max(a, b), Math.min(a, b), DepKind.Data, k);
    }
    const lists = (): number[][] =>
      Array.from({ length: NODES }, (_, n) => {
        const edges: number[] = [];
        for (let e = graph.firstPred[n]!; e >= 0; e = graph.nextPred[e]!) edges.push(e);
        for (let e = graph.firstSucc[n]!; e >= 0; e = graph.nextSucc[e]!) edges.push(e);
        return [...edges, graph.lastPred[n]!, graph.lastSucc[n]!, graph.numPredsLeft[n]!, graph.numSuccsLeft[n]!];
      });
    const reach = new NodeReach(graph);
    let [nTried, nMarked] = [0, 0];
    for (let node = 0; node < NODES; node += 3) {
      const [before, nEdges] = [lists(), graph.nEdges];
      const tried: [number, number, number][] = [];
      const link = (a: number, b: number): void => {
        const ends = [graph.lastPred[b]!, graph.lastSucc[a]!] as const;
        tried.push([graph.addTrialEdge(b, a), ...ends]);
      };
      reach.begin(node);
      for (let k = 0; k < 60; k++) {
        const m = random(NODES);
        if (m === node) continue;
        const [isAfter, isBefore] = [reach.isAfter(m), reach.isBefore(m)];
        assert.equal(isAfter, reaches(graph, m, node), `${m} to ${node}`);
        assert.equal(isBefore, reaches(graph, node, m), `${node} to ${m}`);
        if (isAfter || isBefore) continue;
        if (random(2) === 0) {
          link(m, node);
          reach.linkedFrom(m);
        } else {
          link(node, m);
          reach.linkedTo(m);
        }
      }
      nTried += tried.length;
      const searched = graph.nSearched;
      reach.isAfter((node + 1) % NODES);
      if (searched === graph.nSearched) nMarked++;
      for (const [e, beforePred, beforeSucc] of tried.reverse()) graph.takeBack(e, beforePred, beforeSucc);
      assert.equal(graph.nEdges, nEdges);
      assert.deepEqual(lists(), before);
    }
    assert.ok(nTried > 100 && nMarked > 10, `${nTried} ${nMarked}`);
  });

  it('joins many to one as one by one, but what closes a cycle or is joined', () => {
    const random = randomSource(11);
    const [together, oneByOne] = [new ScheduleGraph(), new ScheduleGraph()];
    for (const graph of [together, oneByOne]) graph.reset(NODES);
    for (let k = 0; k < 300; k++) {
      const [a, b] = [random(NODES), random(NODES)];
      if (a === b) continue;
      for (const graph of [together, oneByOne]) graph.addEdge(b, a, DepKind.Data, 1);
    }
    const reach = new NodeReach(together);
    for (let k = 0; k < 60; k++) {
      const succ = random(NODES);
      const preds = Array.from({ length: 20 }, () => random(NODES));
      together.addArtificialPreds(succ, preds, reach);
      for (const pred of preds) if (pred !== succ) oneByOne.addEdge(succ, pred, DepKind.Artificial);
      assert.equal(together.nEdges, oneByOne.nEdges);
    }
    for (let e = 0; e < together.nEdges; e++)
      assert.deepEqual([together.edgePred[e], together.edgeSucc[e]], [oneByOne.edgePred[e], oneByOne.edgeSucc[e]]);
    assert.ok(together.nEdges > 400);
  });

  it('knows which edges it has where each joins each, and only takes the larger latency of one that comes again', () => {
    const n = 400;
    const graph = new ScheduleGraph();
    graph.reset(2 * n);
    const all = (latency: number): number => {
      let added = 0;
      for (let a = 0; a < n; a++)
        for (let b = n; b < 2 * n; b++) if (graph.addPred(b, a, DepKind.Data, 1, latency)) added++;
      return added;
    };
    assert.deepEqual([all(1), all(3), all(2)], [n * n, 0, 0]);
    assert.ok(graph.edgeLatencyCycles.subarray(0, graph.nEdges).every((latency) => latency === 3));
    assert.equal(graph.addPred(n, 0, DepKind.Artificial, 0, 0, false), false);
    assert.equal(graph.addPred(n, 0, DepKind.Data, 2, 0), true);
    assert.equal(graph.addPred(n, 0, DepKind.Data, 2, 0), false);
    graph.removeEdge(graph.nEdges - 1);
    assert.equal(graph.addPred(n, 0, DepKind.Data, 2, 0), true);
  });

  it('finds edges by their ends, the last first', () => {
    const random = randomSource(5);
    const ends = { edgePred: new Int32Array(5000), edgeSucc: new Int32Array(5000) };
    const pairs = new EdgePairs(ends, 10);
    const known = new Map<string, number[]>();
    for (let e = 0; e < 5000; e++) {
      ends.edgePred[e] = random(60);
      ends.edgeSucc[e] = random(60);
      pairs.add(e);
      const key = `${ends.edgePred[e]} ${ends.edgeSucc[e]}`;
      known.set(key, [e, ...(known.get(key) ?? [])]);
    }
    for (let a = 0; a < 60; a++)
      for (let b = 0; b < 60; b++) {
        const found: number[] = [];
        for (let e = pairs.find(a, b); e >= 0; e = pairs.next(e)) found.push(e);
        assert.deepEqual(found, known.get(`${a} ${b}`) ?? []);
      }
  });
});

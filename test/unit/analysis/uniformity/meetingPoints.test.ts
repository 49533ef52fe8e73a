/** Where paths meet, on random graphs: against the definitions, applied to sets of blocks. */
import assert from 'node:assert/strict';
import { CyclePostOrder } from '../../../../server/src/analysis/uniformity/cyclePostOrder.js';
import { CycleInfo } from '../../../../server/src/util/cycles.js';
import { JoinFinder } from '../../../../server/src/analysis/uniformity/joins.js';
import { MeetingPoints } from '../../../../server/src/analysis/uniformity/meetingPoints.js';
import { makeBlocks } from '../../../support/emptyFunction.js';
import { randomSource } from '../../../support/random.js';

type Graph = readonly (readonly number[])[];

/** Mostly down the layout, with edges back; a few blocks that nothing reaches. */
function randomGraph(seed: number, n: number): Graph {
  const below = randomSource(seed);
  return Array.from({ length: n }, (_, b) => {
    const found = new Set<number>();
    if (b + 1 < n && below(9) > 0) found.add(b + 1);
    for (let k = below(3); k > 0; k--) found.add(below(3) === 0 ? 1 + below(n - 1) : Math.min(n - 1, b + 1 + below(5)));
    if (below(7) === 0) found.add(Math.max(1, b - below(4)));
    return [...found].reverse();
  });
}

class Graphs {
  readonly blocks;
  readonly cycles;
  readonly order;
  readonly reached: readonly number[];

  constructor(readonly graph: Graph) {
    this.blocks = makeBlocks(graph);
    this.cycles = new CycleInfo(this.blocks);
    this.order = new CyclePostOrder(this.blocks, this.cycles);
    this.reached = [...this.order.order].sort((a, b) => a - b);
  }

  around(b: number): number[] {
    const found: number[] = [];
    for (let c = this.cycles.cycleOf[b]!; c >= 0; c = this.cycles.parent[c]!) found.push(c);
    return found;
  }

  /** Where paths go on: after the header of a reducible cycle at its exits. */
  goesOn(b: number): readonly number[] {
    const c = this.cycles.cycleOf[b]!;
    const isHeader = c >= 0 && this.cycles.isReducible(c) && this.cycles.header(c) === b;
    return isHeader ? this.cycles.exitBlocks(c) : this.graph[b]!;
  }
}

/** Blocks that a block reaches; from a block of an irreducible cycle a path leads to all of that cycle. */
function reach(g: Graphs, from: number): Set<number> {
  const found = new Set([from]);
  for (const b of found) {
    for (const s of g.goesOn(b)) found.add(s);
    for (const c of g.around(b)) if (!g.cycles.isReducible(c)) for (const s of g.cycles.blocks[c]!) found.add(s);
  }
  return found;
}

describe('blocks that two successors of a branch reach', () => {
  it('are known for each branch, while fewer and fewer count', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const n = seed % 6 === 0 ? 31 + (seed % 4) : 2 + (seed % 29) + (seed % 5 === 0 ? 60 : 0);
      const g = new Graphs(randomGraph(seed, n));
      const below = randomSource(seed + 500);
      const points = new MeetingPoints(g.blocks, g.cycles, () => g.order);
      const open = new Set(g.reached);
      const isOpen = (b: number): boolean => {
        assert.ok(g.reached.includes(b));
        return open.has(b);
      };
      const rows = new Map(g.reached.map((b) => [b, reach(g, b)]));
      const branches = g.reached.filter((b) => g.graph[b]!.length > 0);
      for (let step = 0; step < 60 && branches.length > 0; step++) {
        const branch = branches[below(branches.length)]!;
        const sets = g.graph[branch]!.map((s) => rows.get(s)!);
        const isMet = [...open].some((b) => sets.filter((set) => set.has(b)).length > 1);
        assert.equal(points.someOf(branch, isOpen), isMet, `seed ${seed}, bb.${branch} of ${JSON.stringify(g.graph)}`);
        for (let k = below(1 + (n >> 3)); k >= 0; k--) open.delete(g.reached[below(g.reached.length)]!);
      }
    }
  });

  it('are not looked for among more than 16,384 blocks: some may be', () => {
    const line = (n: number): Graph => Array.from({ length: n }, (_, b) => (b + 1 < n ? [b + 1] : []));
    for (const [n, isMet] of [
      [16_384, false],
      [16_385, true],
    ] as const) {
      const g = new Graphs(line(n));
      assert.equal(
        new MeetingPoints(g.blocks, g.cycles, () => g.order).someOf(0, () => false),
        isMet,
      );
    }
  });
});

/** GenericSyncDependenceAnalysis with sets: labels flow in the order of the places, the largest first, until none is fresh. */
function joinsOf(g: Graphs, branch: number): { joins: number[]; exits: number[] } {
  const { cycles } = g;
  const place = (b: number): number => g.order.index[b]!;
  const label = new Map<number, number>();
  const fresh = new Set<number>();
  const joins = new Set<number>();
  const exits = new Set<number>();
  const around = g.around(branch);
  const pass = (to: number, pushed: number, list: Set<number>): void => {
    const old = label.get(to);
    if (old === pushed) return;
    if (old !== to) fresh.add(to);
    label.set(to, old === undefined ? pushed : to);
    if (old !== undefined) list.add(to);
  };
  if (g.graph[branch]!.length < 2) return { joins: [], exits: [] };
  for (const s of g.graph[branch]!) {
    if (around.length > 0 && !cycles.contains(around[0]!, s)) exits.add(s);
    pass(s, s, joins);
  }
  const reducible = around.findIndex((c) => cycles.isReducible(c));
  const irreducible = reducible < 0 ? around.at(-1) : around[reducible - 1];
  while (fresh.size > 0) {
    const b = [...fresh].sort((x, y) => place(y) - place(x))[0]!;
    if (fresh.size === 1 && (irreducible === undefined || !cycles.contains(irreducible, b))) break;
    fresh.delete(b);
    if (b === branch) continue;
    const c = cycles.cycleOf[b]!;
    const isHeader = c >= 0 && cycles.isReducible(c) && cycles.header(c) === b;
    for (const s of g.goesOn(b)) pass(s, label.get(b)!, isHeader && cycles.contains(c, branch) ? exits : joins);
  }
  for (const c of around)
    if (!cycles.isReducible(c))
      for (const e of cycles.exitBlocks(c)) if (label.get(e) !== label.get(cycles.header(c))) exits.add(e);
  return { joins: [...joins], exits: [...exits] };
}

describe('joins and divergent exits of a branch', () => {
  it('are those of labels that flow along the edges, whatever was asked before', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const g = new Graphs(randomGraph(seed, seed % 7 === 0 ? 40 + seed : 3 + (seed % 20)));
      const finder = new JoinFinder(g.blocks, g.cycles, () => g.order);
      for (const branch of [...g.reached, ...[...g.reached].reverse()]) {
        const { joins, divergentExits } = finder.find(branch);
        assert.deepEqual({ joins, exits: divergentExits }, joinsOf(g, branch), `seed ${seed}, bb.${branch}`);
      }
    }
  });
});

describe('the post-order in which a cycle is one node', () => {
  it('has what a cycle leads to before its header, and the header before the rest', () => {
    for (let seed = 1; seed <= 80; seed++) {
      const g = new Graphs(randomGraph(seed, 2 + (seed % 40)));
      const { order, index, isReducibleHeader, next, nextBegin } = g.order;
      const reached = new Set([0]);
      for (const b of reached) for (const s of g.graph[b]!) reached.add(s);
      assert.deepEqual(
        g.reached,
        [...reached].sort((a, b) => a - b),
      );
      g.graph.forEach((_, b) => {
        assert.equal(index[b], order.indexOf(b));
        if (!reached.has(b)) return;
        const c = g.cycles.cycleOf[b]!;
        const isHeader = c >= 0 && g.cycles.header(c) === b && g.cycles.isReducible(c);
        assert.equal(isReducibleHeader[b], isHeader ? 1 : 0);
        const k = index[b]!;
        assert.deepEqual(
          [...next.subarray(nextBegin[k], nextBegin[k + 1])].map((to) => order[to]),
          g.goesOn(b),
        );
        for (const around of g.around(b)) {
          assert.ok(index[b]! >= index[g.cycles.header(around)]!);
          for (const e of g.cycles.exitBlocks(around))
            assert.ok(
              index[e]! < index[g.cycles.header(around)]! || g.around(e).some((o) => g.cycles.containsCycle(o, around)),
            );
        }
      });
    }
  });
});

/** Subtrees of a graph and what connects them, as SchedDFSResult says (ScheduleDAGInstrs.cpp, LLVM 22). */
import assert from 'node:assert/strict';
import { DepKind, ScheduleGraph } from '../../../../../server/src/passes/scheduler/dag/graph.js';
import { Subtrees } from '../../../../../server/src/passes/scheduler/generic/subtrees.js';

type Edge = readonly [pred: number, succ: number];
const LATENCY = 5;

function graphOf(
  n: number,
  edges: readonly Edge[],
  others: readonly (readonly [number, number, DepKind])[] = [],
): ScheduleGraph {
  const graph = new ScheduleGraph();
  graph.reset(n);
  for (const [pred, succ] of edges) assert.ok(graph.addEdge(succ, pred, DepKind.Data, 7, LATENCY));
  for (const [pred, succ, kind] of others) assert.ok(graph.addEdge(succ, pred, kind, 0, LATENCY));
  return graph;
}

const treesOf = (
  n: number,
  edges: readonly Edge[],
  others: readonly (readonly [number, number, DepKind])[] = [],
): Subtrees => new Subtrees(graphOf(n, edges, others), () => false);

const chain = (first: number, last: number): Edge[] =>
  Array.from({ length: last - first }, (_, k): Edge => [first + k, first + k + 1]);

/** Levels of all trees when these are begun. */
function levelsWith(trees: Subtrees, ...begun: number[]): number[] {
  for (const t of begun) trees.begin(t);
  return Array.from({ length: trees.nTrees }, (_, t) => trees.level(t));
}

describe('subtrees of a graph', () => {
  it('are single nodes without edges, and joined by data alone', () => {
    const alone = treesOf(
      4,
      [[1, 3]],
      [
        [0, 1, DepKind.Anti],
        [1, 2, DepKind.Output],
        [0, 2, DepKind.Barrier],
      ],
    );
    assert.deepEqual([...alone.tree], [0, 1, 2, 1]);
    assert.deepEqual([...alone.nInstrs], [1, 1, 1, 2]);
    assert.equal(alone.nTrees, 3);
  });

  it('count the instructions above a node, those that make none left out', () => {
    const graph = graphOf(5, [
      [0, 2],
      [1, 2],
      [2, 4],
      [3, 4],
    ]);
    const trees = new Subtrees(graph, (n) => n === 1 || n === 2);
    assert.deepEqual([...trees.nInstrs], [1, 0, 1, 1, 3]);
    assert.deepEqual([...trees.tree], [0, 0, 0, 0, 0]);
  });

  it('join what has up to eight instructions, and what is not eight smaller', () => {
    // of a chain each node is one larger than the one above it
    const long = treesOf(30, chain(0, 29));
    assert.equal(long.nTrees, 1);
    assert.equal(long.nInstrs[29], 30);
    for (const [a, b, expected] of [
      // sizes of two chains that meet in a last node; their trees
      [8, 8, 1],
      [9, 6, 1],
      [9, 7, 2],
      [9, 8, 2],
      [9, 9, 3],
      [8, 20, 2],
      [6, 20, 1],
      [7, 20, 2],
    ] as const) {
      const n = a + b + 1;
      const trees = treesOf(n, [...chain(0, a - 1), ...chain(a, a + b - 1), [a - 1, n - 1], [a + b - 1, n - 1]]);
      assert.equal(trees.nTrees, expected, `${a} and ${b}`);
      assert.equal(trees.nInstrs[n - 1], n);
    }
  });

  it('end at a node with four data successors', () => {
    for (const succs of [2, 3, 4, 5]) {
      const edges = Array.from({ length: succs }, (_, k): Edge => [0, 1 + k]);
      const trees = treesOf(1 + succs, edges);
      // the first of them that is visited takes the node in; the others are roots of their own
      assert.equal(trees.nTrees, succs < 4 ? succs : succs + 1, `${succs}`);
      assert.deepEqual([...trees.nInstrs], [1, 2, ...new Array<number>(succs - 1).fill(1)]);
      assert.equal(trees.tree[1] === trees.tree[0], succs < 4);
    }
  });

  it('are connected by data between them, as deep as the deepest', () => {
    // 0 -> 1 -> 2 is one tree, 3 and 4 read from it
    const edges: Edge[] = [
      [0, 1],
      [1, 2],
      [0, 3],
      [1, 4],
    ];
    const made = (): Subtrees => treesOf(5, edges);
    assert.deepEqual([...made().tree], [0, 0, 0, 1, 2]);
    assert.deepEqual(levelsWith(made()), [0, 0, 0]);
    // node 0 stands at depth 0: that connects nothing
    assert.deepEqual(levelsWith(made(), 1), [0, 0, 0]);
    assert.deepEqual(levelsWith(made(), 2), [LATENCY, 0, 0]);
    assert.deepEqual(levelsWith(made(), 0), [0, 0, LATENCY]);
  });

  it('connect the trees below, too, until one is known to be', () => {
    // chains 0..8 and 9..17 end in 18, which is a tree of its own; 19 reads from the first chain at depth 0 and 5, in either order
    const base: Edge[] = [...chain(0, 8), ...chain(9, 17), [8, 18], [17, 18]];
    for (const cross of [[0, 1], [1, 0], [1], [1, 2, 0], [2, 1], [0, 2]]) {
      const made = (): Subtrees => treesOf(20, [...base, ...cross.map((k): Edge => [k, 19])]);
      const depth = Math.max(...cross) * LATENCY;
      assert.deepEqual([...made().tree], [...new Array<number>(9).fill(0), ...new Array<number>(9).fill(1), 2, 3]);
      assert.deepEqual(levelsWith(made(), 0), [0, 0, 0, depth], `${cross}: the first chain`);
      assert.deepEqual(levelsWith(made(), 1), [0, 0, 0, 0], 'the other chain');
      assert.deepEqual(levelsWith(made(), 3), [depth, 0, 0, 0], 'its reader');
      // below, the first connection that is not at depth 0 stays
      const first = cross.find((k) => k > 0)! * LATENCY;
      assert.deepEqual(levelsWith(made(), 2), [0, 0, 0, first], `${cross}: below`);
      assert.deepEqual(levelsWith(made(), 2, 0), [0, 0, 0, depth], `${cross}: both`);
    }
  });
});

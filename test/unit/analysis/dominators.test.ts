/** Dominators by their definition: what cannot be reached once a block is taken out. With blocks that nothing reaches, and edges that lead nowhere. */
import { strict as assert } from 'node:assert';
import { DominatorTree } from '../../../server/src/analysis/dominators.js';
import { makeBlocks } from '../../support/emptyFunction.js';
import { randomSource } from '../../support/random.js';

type Graph = readonly (readonly number[])[];

function reachedWithout(succs: Graph, removed: number): Set<number> {
  const seen = new Set<number>(removed === 0 || succs.length === 0 ? [] : [0]);
  for (const b of seen) for (const s of succs[b]!) if (s !== removed && s in succs) seen.add(s);
  return seen;
}

function check(succs: Graph, dom = new DominatorTree(makeBlocks(succs.map((l) => [...l])))): void {
  const reached = reachedWithout(succs, -1);
  const blocks = succs.map((_, b) => b);
  assert.deepEqual(new Set(dom.dfsOrder), reached);
  assert.equal(dom.dfsOrder.length, reached.size);
  for (const a of blocks) {
    assert.equal(dom.isReachable(a), reached.has(a));
    const without = reachedWithout(succs, a);
    // Everything dominates what is not reached; what is not reached dominates nothing else.
    for (const b of blocks)
      assert.equal(dom.dominates(a, b), !reached.has(b) || (reached.has(a) && !without.has(b)), `${a} over ${b}`);
    const strict = blocks.filter((d) => d !== a && reached.has(d) && reached.has(a) && dom.dominates(d, a));
    // The nearest one is dominated by all others.
    const nearest = strict.find((d) => strict.every((e) => dom.dominates(e, d))) ?? -1;
    assert.equal(dom.idom[a], nearest, `above ${a}`);
    const inside = blocks.filter((b) => reached.has(b) && dom.dominates(a, b)).length;
    if (reached.has(a)) assert.equal(dom.treeOut[a]! - dom.treeIn[a]!, inside);
    else assert.deepEqual([dom.treeIn[a], dom.treeOut[a], dom.idom[a]], [-1, -1, -1]);
  }
}

describe('dominators', () => {
  it('are those of the definition in graphs by hand', () => {
    const graphs: Graph[] = [
      [],
      [[]],
      [[0]],
      [[1], [0]],
      [[], [0]],
      [[], [1]],
      [[1, 2], [3], [3], []],
      [[1, 2], [2], [1], []],
      [[3], [2], [1], [2]],
      [[1], [2, 3], [4], [4], [1, 5], []],
      [[1, 4], [2], [3], [1], [3]],
      // Lengauer and Tarjan's example
      [[1, 2, 3], [4], [1, 4, 5], [6, 7], [12], [8], [9], [9, 10], [5, 11], [11], [9], [9, 0], [8]],
    ];
    for (const g of graphs) check(g);
  });

  it('are those of the definition in random graphs', () => {
    const below = randomSource(7);
    for (let round = 0; round < 150; round++) {
      const n = 2 + below(11);
      const density = 2 + below(3);
      check(Array.from({ length: n }, () => [...new Set(Array.from({ length: below(density) }, () => below(n)))]));
    }
  });

  it('pay no heed to edges out of the function', () => {
    const blocks = makeBlocks([[1], [2], []]);
    const [first] = blocks;
    blocks[0] = { ...first!, successors: [-1, 3, 1] };
    blocks[2] = { ...blocks[2]!, predecessors: [-1, 3, ...blocks[2]!.predecessors] };
    const dom = new DominatorTree(blocks);
    assert.deepEqual([...dom.idom], [-1, 0, 1]);
    assert.deepEqual([...dom.dfsOrder], [0, 1, 2]);
  });
});

/** Dominators, loops, block frequencies and bit sets. */
import * as assert from 'node:assert';
import * as fc from 'fast-check';
import { computeBlockFrequencies } from '../../../server/src/analysis/blockFrequency.js';
import { DominatorTree } from '../../../server/src/analysis/dominators.js';
import { LoopInfo } from '../../../server/src/analysis/loops.js';
import { BitSet, popCount32 } from '../../../server/src/util/bitset.js';
import { makeBlocks } from '../../support/emptyFunction.js';

/** Successor lists of a random control flow graph. */
const graphs = fc
  .integer({ min: 1, max: 12 })
  .chain((n) => fc.array(fc.array(fc.nat(n - 1), { maxLength: 3 }), { minLength: n, maxLength: n }))
  .map((succs) => succs.map((list) => [...new Set(list)]));

function reachableWithout(succs: readonly (readonly number[])[], removed: number): Set<number> {
  const seen = new Set<number>(removed === 0 ? [] : [0]);
  const work = [...seen];
  while (work.length > 0) {
    for (const s of succs[work.pop()!]) {
      if (s === removed || seen.has(s)) continue;
      seen.add(s);
      work.push(s);
    }
  }
  return seen;
}

describe('dominator tree', () => {
  it('agrees with the definition: a dominates b when b is unreachable without a', () => {
    fc.assert(
      fc.property(graphs, (succs) => {
        const dom = new DominatorTree(makeBlocks(succs));
        const reached = reachableWithout(succs, -1);
        for (let a = 0; a < succs.length; a++) {
          assert.equal(dom.isReachable(a), reached.has(a));
          if (!reached.has(a)) continue;
          const without = reachableWithout(succs, a);
          for (const b of reached) assert.equal(dom.dominates(a, b), a === b || !without.has(b), `${a} over ${b}`);
          if (a === 0) continue;
          const strict = [...reached].filter((d) => d !== a && dom.dominates(d, a));
          assert.ok(
            strict.every((d) => dom.dominates(d, dom.idom[a])),
            'the immediate dominator is the lowest',
          );
          assert.ok(strict.includes(dom.idom[a]));
        }
      }),
    );
  });

  it('stays linear on a long ladder', () => {
    // Anything else would not end.
    const n = 300_000;
    const succs = Array.from({ length: n }, (_, b) => (b + 1 < n ? [b + 1, Math.min(b + 2, n - 1)] : []));
    const blocks = makeBlocks(succs);
    const dom = new DominatorTree(blocks);
    new LoopInfo(blocks, dom);
    // A step of two passes each block but the first by.
    assert.deepEqual([...dom.idom.subarray(0, 5)], [-1, 0, 0, 0, 0]);
    assert.equal(dom.idom[n - 1], 0);
  });
});

describe('loops', () => {
  it('contain exactly the blocks from which a back edge is reached without the header', () => {
    fc.assert(
      fc.property(graphs, (succs) => {
        const blocks = makeBlocks(succs);
        const dom = new DominatorTree(blocks);
        const info = new LoopInfo(blocks, dom);
        const members = new Map<number, Set<number>>();
        for (let h = 0; h < succs.length; h++) {
          if (!dom.isReachable(h)) continue;
          const latches = blocks[h].predecessors.filter((p) => dom.isReachable(p) && dom.dominates(h, p));
          if (latches.length === 0) continue;
          const body = new Set([h]);
          const work = [...latches];
          while (work.length > 0) {
            const b = work.pop()!;
            if (body.has(b)) continue;
            body.add(b);
            for (const p of blocks[b].predecessors) if (dom.isReachable(p)) work.push(p);
          }
          members.set(h, body);
        }
        assert.deepEqual(new Set(info.loops.map((l) => l.header)), new Set(members.keys()));
        for (let b = 0; b < succs.length; b++) {
          const around = [...members.values()].filter((body) => body.has(b)).length;
          assert.equal(info.depthOf(b), around, `depth of ${b}`);
          info.loops.forEach((l, k) => assert.equal(info.contains(k, b), members.get(l.header)!.has(b)));
        }
      }),
    );
  });
});

describe('block frequencies', () => {
  const frequencies = (succs: number[][], probabilities?: number[][]): string[] => {
    const blocks = makeBlocks(succs, probabilities);
    const info = new LoopInfo(blocks, new DominatorTree(blocks));
    return computeBlockFrequencies(blocks, info).map(String);
  };

  // The wanted numbers are those of MachineBlockFrequencyInfo of LLVM 22.1.8 for the same graphs.
  it('split at branches', () => {
    assert.deepEqual(frequencies([[1, 2], [2], []]), ['18014398509481984', '9007199254740992', '18014398509481984']);
  });

  it('handle irreducible cycles', () => {
    const cases: [number[][], number[][], string[]][] = JSON.parse(IRREDUCIBLE);
    for (const [succs, probabilities, want] of cases) {
      assert.deepEqual(frequencies(succs, probabilities), want, JSON.stringify(succs));
    }
  });
});

/** Successors, probabilities over 2^31, frequencies from LLVM. */
const IRREDUCIBLE = `[
  [[[1,2],[2,3],[1,3],[]],[[1073741824,1073741824],[2080374784,67108864],[1610612736,536870912],[]],["4494519790627333","13946631112756834","18014398509481984","4494519790627333"]],
  [[[2,1],[1,2],[1,3],[]],[[1073741824,1073741824],[268435456,1879048192],[2080374784,67108864],[]],["500526067449736","18014398509481984","16271069620986410","500526067449736"]],
  [[[1,2],[3],[3,4],[1,2],[5,4],[]],[[536870912,1610612736],[2147483648],[1073741824,1073741824],[1342177280,805306368],[286331153,1861152495],[]],["2401919800705024","6004799501762560","3602879701057536","7205759402115072","18014398509481984","2401919800705024"]]
]`;

describe('bit set', () => {
  it('behaves like a set of numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(99)), fc.array(fc.nat(99)), fc.nat(99), (xs, ys, cut) => {
        const a = new BitSet(100);
        const b = new BitSet(100);
        xs.forEach((x) => a.add(x));
        ys.forEach((y) => b.add(y));
        const listed: number[] = [];
        for (let i = a.next(0); i >= 0; i = a.next(i + 1)) listed.push(i);
        const sorted = [...new Set(xs)].sort((p, q) => p - q);
        assert.deepEqual(listed, sorted);
        assert.equal(a.count(), sorted.length);
        assert.equal(a.next(cut), sorted.find((x) => x >= cut) ?? -1);
        const grew = a.unionWith(b);
        assert.equal(
          grew,
          ys.some((y) => !xs.includes(y)),
        );
        for (let i = 0; i < 100; i++) assert.equal(a.has(i), xs.includes(i) || ys.includes(i));
        a.subtract(b);
        for (let i = 0; i < 100; i++) assert.equal(a.has(i), xs.includes(i) && !ys.includes(i));
      }),
    );
  });

  it('counts bits', () => {
    fc.assert(
      fc.property(fc.integer(), (x) =>
        assert.equal(popCount32(x), [...(x >>> 0).toString(2)].filter((c) => c === '1').length),
      ),
    );
  });
});

/**
 * Block frequencies of random graphs: loops in loops, cycles with several entries, loops without an exit, edges that are hardly ever taken.
 * The numbers are those that llc-22 prints for the same graphs.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { computeBlockFrequencies } from '../../../server/src/analysis/blockFrequency.js';
import { DominatorTree } from '../../../server/src/analysis/dominators.js';
import { LoopInfo } from '../../../server/src/analysis/loops.js';
import { makeBlocks } from '../../support/emptyFunction.js';
import { golden } from '../../support/golden.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { randomSource } from '../../support/random.js';

const COUNT = 400;
const NESTED = 160;
const ONE = 2 ** 31;

interface Graph {
  readonly successors: number[][];
  /** numerators over 2^31; those of a block come to 2^31 */
  readonly probabilities: number[][];
}

/** Probabilities of a block's edges: even, lopsided, or some that are never or hardly ever taken. */
function split(n: number, below: (n: number) => number): number[] {
  const mode = below(4);
  const parts = Array.from({ length: n }, (): number =>
    mode === 0 ? 1 : mode === 1 ? below(1000) + 1 : mode === 2 ? [0, 1, 1 << 20][below(3)]! : 1 << (3 * below(8)),
  );
  if (!parts.some((p) => p > 0)) parts[0] = 1;
  const total = parts.reduce((sum, p) => sum + p, 0);
  const shares = parts.map((p) => Math.floor((p / total) * ONE));
  shares[shares.indexOf(Math.max(...shares))]! += ONE - shares.reduce((sum, s) => sum + s, 0);
  return shares;
}

/** Most edges go to a neighbour, as in programs; the others anywhere but to the entry. */
function graph(seed: number): Graph {
  const below = randomSource(seed);
  const n = 2 + below(seed % 3 === 0 ? 14 : 6);
  const isLocal = below(3) > 0;
  const successors = Array.from({ length: n }, (_, b) => {
    const count = [0, 1, 2, 2, 2, 3][b === 0 ? 1 + below(5) : below(6)]!;
    const wanted = Array.from({ length: count }, (): number => (isLocal ? b - 2 + below(5) : below(n)));
    return [...new Set(wanted.filter((s) => s > 0 && s < n))];
  });
  for (let b = 0; b + 1 < n; b++) if (successors[b]!.length === 0 && below(4) > 0) successors[b]!.push(b + 1);
  return { successors, probabilities: successors.map((s) => (s.length === 0 ? [] : split(s.length, below))) };
}

/** Loops and cycles with several entries, in each other and one after the other. */
function nestedGraph(seed: number): Graph {
  const below = randomSource(seed);
  const successors: number[][] = [];
  const block = (): number => successors.push([]) - 1;
  const edge = (from: number, to: number): void => {
    if (successors[from]!.includes(to)) return;
    if (below(2) === 0) successors[from]!.push(to);
    else successors[from]!.unshift(to);
  };
  /** First and last block. */
  const region = (depth: number): [number, number] => {
    const kind = depth === 0 ? 0 : 1 + below(7);
    const first = block();
    if (kind === 0) return [first, first];
    const parts = Array.from({ length: kind < 4 ? kind : 2 }, () => region(depth - 1));
    const last = block();
    edge(first, parts[0]![0]);
    edge(parts.at(-1)![1], last);
    parts.forEach(([, out], k) => {
      if (k + 1 < parts.length) edge(out, parts[k + 1]![0]);
    });
    // A loop (1), a cycle with two or three entries (2, 3), a loop that ends at its header (4), a branch around a part (5), else one after the other.
    if (kind === 2 || kind === 3) {
      for (const [into] of parts) if (below(5) > 0) edge(first, into);
      edge(parts.at(-1)![1], parts[0]![0]);
      if (below(4) === 0) edge(last, parts[below(parts.length)]![0]);
    } else if (kind === 1 || kind === 4) {
      edge(kind === 1 ? parts[0]![1] : last, first);
      if (kind === 4) {
        const behind = block();
        edge(first, behind);
        return [first, behind];
      }
    } else if (kind === 5) edge(first, parts[1]![0]);
    return [first, last];
  };
  const start = block();
  let at = start;
  for (let n = 1 + below(3); n > 0; n--) {
    const [first, last] = region(1 + below(4));
    edge(at, first);
    at = last;
  }
  return { successors, probabilities: successors.map((s) => (s.length === 0 ? [] : split(s.length, below))) };
}

function textOf({ successors, probabilities }: Graph, k: number): string {
  const blocks = successors.map((list, b) => {
    const edges = list.map((s, j) => `%bb.${s}(0x${probabilities[b]![j]!.toString(16).padStart(8, '0')})`);
    return `  bb.${b}:\n    successors: ${edges.join(', ')}\n    S_SETPC_B64 undef $sgpr0_sgpr1\n`;
  });
  return `---\nname: f${k}\nbody: |\n${blocks.join('')}...\n`;
}

/** A line of numbers for each graph. */
function fromLlc(graphs: readonly Graph[]): string {
  const args = ['-mtriple=amdgcn', '-mcpu=gfx900', '-passes=print<machine-block-freq>', '-o', '/dev/null', '-x=mir'];
  const { stderr } = runLlc(args, graphs.map(textOf).join(''));
  const lines = stderr
    .split(/^Machine block frequency for machine function: f\d+$/m)
    .slice(1)
    .map((part) => [...part.matchAll(/int = (\d+)/g)].map((m) => m[1]).join(' '));
  assert.equal(lines.length, graphs.length, stderr.slice(0, 1000));
  return lines.map((line) => `${line}\n`).join('');
}

describe('block frequencies of random graphs', () => {
  const graphs = [
    ...Array.from({ length: COUNT }, (_, k) => graph(k + 1)),
    ...Array.from({ length: NESTED }, (_, k) => nestedGraph(k + 1)),
  ];
  const lines = golden(join(__dirname, '..', '..', 'golden', 'blockFrequencies.txt'), () => fromLlc(graphs));
  const wanted = lines.trimEnd().split('\n');

  it("are LLVM's to the last bit", () => {
    assert.equal(wanted.length, graphs.length);
    graphs.forEach(({ successors, probabilities }, k) => {
      const blocks = makeBlocks(successors, probabilities);
      const info = new LoopInfo(blocks, new DominatorTree(blocks));
      const found = computeBlockFrequencies(blocks, info);
      assert.equal(found.join(' '), wanted[k], JSON.stringify({ k, successors, probabilities }));
    });
  });

  it('are still what llc-22 prints', function () {
    needsLlc(this);
    assert.equal(fromLlc(graphs), lines);
  });
});

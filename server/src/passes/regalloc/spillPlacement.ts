/**
 * Where a value stays in its register and where it lies on the stack: a network with a node per edge bundle that settles for the cheaper
 * (SpillPlacement of LLVM 22; docs/llvm/allocation-splitting.md, 3.3).
 */
import type { EdgeBundles } from './edgeBundles.js';

export const enum Border {
  DontCare,
  PrefReg,
  PrefSpill,
  MustSpill,
}

const MAX = (1n << 64n) - 1n;
const add = (a: bigint, b: bigint): bigint => (a + b > MAX ? MAX : a + b);

/** Bundles of so many blocks are held back a little. */
const LARGE_BUNDLE = 100;

class Node {
  biasN = 0n;
  biasP = 0n;
  value = 0;
  sumLinks: bigint;
  readonly links = new Map<number, bigint>();

  constructor(threshold: bigint) {
    this.sumLinks = threshold;
  }
}

export class SpillPlacement {
  private readonly threshold: bigint;
  private readonly entry: bigint;
  private nodes = new Map<number, Node>();
  private todo: number[] = [];
  private inTodo = new Set<number>();
  recentPositive: number[] = [];

  constructor(
    private readonly bundles: EdgeBundles,
    private readonly freq: readonly bigint[],
  ) {
    this.entry = freq[0] ?? 1n;
    const t = (this.entry >> 13n) + ((this.entry >> 12n) & 1n);
    this.threshold = t < 1n ? 1n : t;
  }

  prepare(): void {
    this.nodes = new Map();
    this.todo = [];
    this.inTodo = new Set();
    this.recentPositive = [];
  }

  private activate(n: number): Node {
    if (!this.inTodo.has(n)) {
      this.inTodo.add(n);
      this.todo.push(n);
    }
    let node = this.nodes.get(n);
    if (node === undefined) {
      this.nodes.set(n, (node = new Node(this.threshold)));
      if (this.bundles.blocks[n].length > LARGE_BUNDLE) node.biasN = this.entry >> 4n;
    }
    return node;
  }

  private bias(node: Node, border: Border, freq: bigint): void {
    if (border === Border.PrefReg) node.biasP = add(node.biasP, freq);
    else if (border === Border.PrefSpill) node.biasN = add(node.biasN, freq);
    else node.biasN = MAX;
  }

  constrain(b: number, entry: Border, exit: Border): void {
    if (entry !== Border.DontCare) this.bias(this.activate(this.bundles.in[b]), entry, this.freq[b]);
    if (exit !== Border.DontCare) this.bias(this.activate(this.bundles.out[b]), exit, this.freq[b]);
  }

  preferSpill(b: number, isStrong: boolean): void {
    const f = isStrong ? add(this.freq[b], this.freq[b]) : this.freq[b];
    const from = this.activate(this.bundles.in[b]);
    const to = this.activate(this.bundles.out[b]);
    this.bias(from, Border.PrefSpill, f);
    this.bias(to, Border.PrefSpill, f);
  }

  link(b: number): void {
    const i = this.bundles.in[b];
    const o = this.bundles.out[b];
    if (i === o) return;
    const from = this.activate(i);
    const to = this.activate(o);
    const f = this.freq[b];
    from.links.set(o, add(from.links.get(o) ?? 0n, f));
    from.sumLinks = add(from.sumLinks, f);
    to.links.set(i, add(to.links.get(i) ?? 0n, f));
    to.sumLinks = add(to.sumLinks, f);
  }

  private update(n: number): boolean {
    const node = this.nodes.get(n)!;
    let sumN = node.biasN;
    let sumP = node.biasP;
    for (const [other, weight] of node.links) {
      const value = this.nodes.get(other)!.value;
      if (value < 0) sumN = add(sumN, weight);
      else if (value > 0) sumP = add(sumP, weight);
    }
    const before = node.value > 0;
    node.value = sumN >= add(sumP, this.threshold) ? -1 : sumP >= add(sumN, this.threshold) ? 1 : 0;
    if (before === node.value > 0) return false;
    for (const other of node.links.keys()) {
      if (this.nodes.get(other)!.value === node.value || this.inTodo.has(other)) continue;
      this.inTodo.add(other);
      this.todo.push(other);
    }
    return true;
  }

  /** Looks at all nodes once; whether some of them want a register. */
  scan(): boolean {
    this.recentPositive = [];
    for (const n of [...this.nodes.keys()].sort((a, b) => a - b)) {
      this.update(n);
      const node = this.nodes.get(n)!;
      if (node.biasN >= add(node.biasP, node.sumLinks)) continue;
      if (node.value > 0) this.recentPositive.push(n);
    }
    return this.recentPositive.length > 0;
  }

  /** Lets the network settle. */
  iterate(): void {
    this.recentPositive = [];
    for (let limit = this.bundles.n * 10; limit > 0 && this.todo.length > 0; limit--) {
      const n = this.todo.pop()!;
      this.inTodo.delete(n);
      if (this.update(n) && this.nodes.get(n)!.value > 0) this.recentPositive.push(n);
    }
  }

  /** Bundles whose values stay in the register. */
  finish(): Set<number> {
    const live = new Set<number>();
    for (const [n, node] of this.nodes) if (node.value > 0) live.add(n);
    return live;
  }
}

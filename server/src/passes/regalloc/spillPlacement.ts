/**
 * Where a value stays in its register and where it lies on the stack: a network with a node per edge bundle that settles for the cheaper
 * (SpillPlacement of LLVM 22; docs/llvm/allocation-splitting.md, 3.3).
 *
 * One network serves all questions: its nodes are columns by bundle, of which only those that a question touches are set up for it.
 */
import type { EdgeBundles } from './edgeBundles.js';
import { LIMB, type FrequencyTable } from './frequency.js';

export const enum Border {
  DontCare,
  PrefReg,
  PrefSpill,
  MustSpill,
}

/** Bundles of so many blocks are held back a little. */
const LARGE_BUNDLE = 100;
/** columns of a node: what speaks against a register and for one, and the sum of its links, in two halves each */
const enum Column {
  NegativeHi,
  NegativeLo,
  PositiveHi,
  PositiveLo,
  LinksHi,
  LinksLo,
  Count,
}
const NONE = -1;

/** @llvm SpillPlacement.cpp SpillPlacement */
export class SpillPlacement {
  private readonly thresholdHi: number;
  private readonly thresholdLo: number;
  private readonly entryHi: number;
  private readonly entryLo: number;
  private readonly sums: Float64Array;
  /** by bundle: 1 register, -1 stack, 0 undecided; the question for which it was set up */
  private readonly value: Int8Array;
  private readonly question: Int32Array;
  private readonly inTodo: Uint8Array;
  private current = 0;
  /** nodes of the question of now, and those that are to be looked at: lists with their lengths */
  private readonly active: Int32Array;
  private nActive = 0;
  private readonly todo: Int32Array;
  private nTodo = 0;
  /** links of a node in the order in which they came: lists over the columns below */
  private readonly firstLink: Int32Array;
  private readonly lastLink: Int32Array;
  private readonly nextLink: number[] = [];
  private readonly linkTo: number[] = [];
  private readonly linkHi: number[] = [];
  private readonly linkLo: number[] = [];
  private nLinks = 0;
  /** the first `nRecent` are nodes that the latest step has given a register */
  readonly recentPositive: number[] = [];
  nRecent = 0;

  /** `entry`: frequency of the function's entry */
  constructor(
    private readonly bundles: EdgeBundles,
    private readonly freq: FrequencyTable,
    entry: bigint,
  ) {
    const t = (entry >> 13n) + ((entry >> 12n) & 1n);
    const threshold = t < 1n ? 1n : t;
    this.thresholdHi = Number(threshold >> 32n);
    this.thresholdLo = Number(threshold & 0xffffffffn);
    this.entryHi = Number(entry >> 36n);
    this.entryLo = Number((entry >> 4n) & 0xffffffffn);
    const { n } = bundles;
    this.sums = new Float64Array(n * Column.Count);
    this.value = new Int8Array(n);
    this.question = new Int32Array(n);
    this.inTodo = new Uint8Array(n);
    this.active = new Int32Array(n);
    this.todo = new Int32Array(n);
    this.firstLink = new Int32Array(n);
    this.lastLink = new Int32Array(n);
  }

  /** @llvm SpillPlacement.cpp SpillPlacement::prepare */
  prepare(): void {
    this.current++;
    for (let k = 0; k < this.nTodo; k++) this.inTodo[this.todo[k]] = 0;
    this.nActive = this.nTodo = this.nLinks = this.nRecent = 0;
  }

  /** @llvm SpillPlacement.cpp SpillPlacement::activate */
  private activate(n: number): void {
    this.enqueue(n);
    if (this.question[n] === this.current) return;
    this.question[n] = this.current;
    this.active[this.nActive++] = n;
    this.value[n] = 0;
    this.firstLink[n] = this.lastLink[n] = NONE;
    const { sums } = this;
    const at = n * Column.Count;
    const isLarge = this.bundles.blocks[n].length > LARGE_BUNDLE;
    sums[at + Column.NegativeHi] = isLarge ? this.entryHi : 0;
    sums[at + Column.NegativeLo] = isLarge ? this.entryLo : 0;
    sums[at + Column.PositiveHi] = sums[at + Column.PositiveLo] = 0;
    sums[at + Column.LinksHi] = this.thresholdHi;
    sums[at + Column.LinksLo] = this.thresholdLo;
  }

  private enqueue(n: number): void {
    if (this.inTodo[n] !== 0) return;
    this.inTodo[n] = 1;
    this.todo[this.nTodo++] = n;
  }

  /**
   * Adds the frequency of block `b`, `times` over, to one side of a node.
   * @llvm SpillPlacement.cpp SpillPlacement::Node::addBias
   */
  private bias(n: number, border: Border, b: number, times = 1): void {
    const at = n * Column.Count + (border === Border.PrefReg ? Column.PositiveHi : Column.NegativeHi);
    if (border === Border.MustSpill) {
      // as much as there is, and more
      this.sums[at] = LIMB;
      return;
    }
    this.sums[at] += this.freq.hi[b] * times;
    this.sums[at + 1] += this.freq.lo[b] * times;
  }

  /** @llvm SpillPlacement.cpp SpillPlacement::addConstraints */
  constrain(b: number, entry: Border, exit: Border): void {
    if (entry !== Border.DontCare) {
      const n = this.bundles.in[b];
      this.activate(n);
      this.bias(n, entry, b);
    }
    if (exit !== Border.DontCare) {
      const n = this.bundles.out[b];
      this.activate(n);
      this.bias(n, exit, b);
    }
  }

  /** @llvm SpillPlacement.cpp SpillPlacement::addPrefSpill */
  preferSpill(b: number, isStrong: boolean): void {
    const from = this.bundles.in[b];
    const to = this.bundles.out[b];
    this.activate(from);
    this.activate(to);
    this.bias(from, Border.PrefSpill, b, isStrong ? 2 : 1);
    this.bias(to, Border.PrefSpill, b, isStrong ? 2 : 1);
  }

  /** @llvm SpillPlacement.cpp SpillPlacement::addLinks */
  link(b: number): void {
    const i = this.bundles.in[b];
    const o = this.bundles.out[b];
    if (i === o) return;
    this.activate(i);
    this.activate(o);
    this.addLink(i, o, b);
    this.addLink(o, i, b);
  }

  /** @llvm SpillPlacement.cpp SpillPlacement::Node::addLink */
  private addLink(from: number, to: number, b: number): void {
    const { sums, linkTo, linkHi, linkLo, nextLink } = this;
    const hi = this.freq.hi[b];
    const lo = this.freq.lo[b];
    const at = from * Column.Count;
    sums[at + Column.LinksHi] += hi;
    sums[at + Column.LinksLo] += lo;
    for (let k = this.firstLink[from]; k >= 0; k = nextLink[k]) {
      if (linkTo[k] !== to) continue;
      linkHi[k] += hi;
      linkLo[k] += lo;
      return;
    }
    const k = this.nLinks++;
    linkTo[k] = to;
    linkHi[k] = hi;
    linkLo[k] = lo;
    nextLink[k] = NONE;
    if (this.lastLink[from] < 0) this.firstLink[from] = k;
    else nextLink[this.lastLink[from]] = k;
    this.lastLink[from] = k;
  }

  /**
   * @llvm SpillPlacement.cpp SpillPlacement::update
   * @llvm SpillPlacement.cpp SpillPlacement::Node::update
   */
  private update(n: number): boolean {
    const { sums, value, linkTo, linkHi, linkLo, nextLink } = this;
    const at = n * Column.Count;
    let negativeHi = sums[at + Column.NegativeHi];
    let negativeLo = sums[at + Column.NegativeLo];
    let positiveHi = sums[at + Column.PositiveHi];
    let positiveLo = sums[at + Column.PositiveLo];
    for (let k = this.firstLink[n]; k >= 0; k = nextLink[k]) {
      const other = value[linkTo[k]];
      if (other < 0) {
        negativeHi += linkHi[k];
        negativeLo += linkLo[k];
      } else if (other > 0) {
        positiveHi += linkHi[k];
        positiveLo += linkLo[k];
      }
    }
    const { thresholdHi, thresholdLo } = this;
    const before = value[n] > 0;
    const now = isAtLeast(negativeHi, negativeLo, positiveHi + thresholdHi, positiveLo + thresholdLo)
      ? -1
      : isAtLeast(positiveHi, positiveLo, negativeHi + thresholdHi, negativeLo + thresholdLo)
        ? 1
        : 0;
    value[n] = now;
    if (before === now > 0) return false;
    for (let k = this.firstLink[n]; k >= 0; k = nextLink[k]) if (value[linkTo[k]] !== now) this.enqueue(linkTo[k]);
    return true;
  }

  /**
   * Looks at all nodes once; whether some of them want a register.
   * @llvm SpillPlacement.cpp SpillPlacement::scanActiveBundles
   */
  scan(): boolean {
    const { sums, active, recentPositive } = this;
    this.nRecent = 0;
    sortAscending(active, this.nActive);
    for (let k = 0; k < this.nActive; k++) {
      const n = active[k];
      this.update(n);
      if (this.value[n] <= 0) continue;
      const at = n * Column.Count;
      const hi = sums[at + Column.PositiveHi] + sums[at + Column.LinksHi];
      const lo = sums[at + Column.PositiveLo] + sums[at + Column.LinksLo];
      if (!isAtLeast(sums[at + Column.NegativeHi], sums[at + Column.NegativeLo], hi, lo))
        recentPositive[this.nRecent++] = n;
    }
    return this.nRecent > 0;
  }

  /**
   * Lets the network settle.
   * @llvm SpillPlacement.cpp SpillPlacement::iterate
   */
  iterate(): void {
    this.nRecent = 0;
    for (let limit = this.bundles.n * 10; limit > 0 && this.nTodo > 0; limit--) {
      const n = this.todo[--this.nTodo];
      this.inTodo[n] = 0;
      if (this.update(n) && this.value[n] > 0) this.recentPositive[this.nRecent++] = n;
    }
  }

  /**
   * Whether a value stays in the register at a bundle.
   * @llvm SpillPlacement.cpp SpillPlacement::Node::preferReg
   */
  isLive(n: number): boolean {
    return this.question[n] === this.current && this.value[n] > 0;
  }

  hasLive(): boolean {
    for (let k = 0; k < this.nActive; k++) if (this.value[this.active[k]] > 0) return true;
    return false;
  }

  /**
   * All bundles at which it does.
   * @llvm SpillPlacement.cpp SpillPlacement::finish
   */
  live(): number[] {
    return Array.from(this.active.subarray(0, this.nActive)).filter((n) => this.value[n] > 0);
  }
}

/** The first `n` of a list that is almost in order as a rule: blocks come in the order of the layout. */
function sortAscending(list: Int32Array, n: number): void {
  if (n > 64) {
    list.subarray(0, n).sort();
    return;
  }
  for (let k = 1; k < n; k++) {
    const x = list[k];
    let at = k;
    for (; at > 0 && list[at - 1] > x; at--) list[at] = list[at - 1];
    list[at] = x;
  }
}

/** a >= b, numbers in two halves that may be uncarried and are cut off at 64 bits. */
function isAtLeast(aHi: number, aLo: number, bHi: number, bLo: number): boolean {
  const a = Math.floor(aLo / LIMB);
  const b = Math.floor(bLo / LIMB);
  const x = aHi + a;
  const y = bHi + b;
  if (x >= LIMB) return true;
  return x === y ? aLo - a * LIMB >= bLo - b * LIMB : x > y;
}

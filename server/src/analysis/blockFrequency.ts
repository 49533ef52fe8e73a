/**
 * Block frequencies from branch probabilities (LLVM 22: MachineBlockFrequencyInfo, BlockFrequencyInfoImpl).
 *
 * Mass flows from the entry (or, inside a loop, from its header) to the successors in proportion to the edges'
 * probabilities. Loops are solved inside out: the mass that comes back around a loop gives its scale, and the loop is
 * then one node of the loop around it. At the end every block's mass is multiplied by the scales of the loops around it.
 * Irreducible cycles are made into loops with several headers when the flow meets one.
 *
 * Masses are fixed-point 64-bit fractions and scales are 64-bit floating point with a power-of-two exponent; both are
 * reproduced with LLVM's rounding, because consumers compare the resulting integers.
 */
import type { BlockId, MachineBasicBlock } from '../model/machineFunction.js';
import type { LoopInfo } from './loops.js';
import { stronglyConnected } from './stronglyConnected.js';

const U64 = (1n << 64n) - 1n;
const FULL_MASS = U64;
/** BranchProbability's denominator */
const PROB_ONE = 1n << 31n;

/** digits * 2^scale with 64-bit digits (ScaledNumber<uint64_t>) */
interface Scaled {
  readonly digits: bigint;
  readonly scale: number;
}

const bitLength = (x: bigint): number => x.toString(2).length;

function rounded(digits: bigint, scale: number, up: boolean): Scaled {
  if (!up) return { digits, scale };
  return digits === U64 ? { digits: 1n << 63n, scale: scale + 1 } : { digits: digits + 1n, scale };
}

function multiply(a: Scaled, b: Scaled): Scaled {
  if (a.digits === 0n || b.digits === 0n) return { digits: 0n, scale: 0 };
  const product = a.digits * b.digits;
  const scale = a.scale + b.scale;
  if (product <= U64) return { digits: product, scale };
  const shift = bitLength(product) - 64;
  const half = (product >> BigInt(shift - 1)) & 1n;
  return rounded(product >> BigInt(shift), scale + shift, half !== 0n);
}

/** a / b with as many quotient bits as 64 hold, the rest rounded half up. */
function divide(a: Scaled, b: Scaled): Scaled {
  let divisor = b.digits;
  let shift = 0;
  while ((divisor & 1n) === 0n) {
    divisor >>= 1n;
    shift--;
  }
  const scale = a.scale - b.scale;
  if (divisor === 1n) return { digits: a.digits, scale: scale + shift };
  const zeros = 64 - bitLength(a.digits);
  shift -= zeros;
  let dividend = a.digits << BigInt(zeros);
  let quotient = dividend / divisor;
  dividend %= divisor;
  while (quotient >> 63n === 0n && dividend !== 0n) {
    dividend <<= 1n;
    shift--;
    quotient <<= 1n;
    if (divisor <= dividend) {
      quotient |= 1n;
      dividend -= divisor;
    }
  }
  return rounded(quotient, scale + shift, dividend >= (divisor >> 1n) + (divisor & 1n));
}

function compare(a: Scaled, b: Scaled): number {
  if (a.digits === 0n || b.digits === 0n) return a.digits === b.digits ? 0 : a.digits === 0n ? -1 : 1;
  const d = a.scale - b.scale;
  const x = d > 0 ? a.digits << BigInt(d) : a.digits;
  const y = d < 0 ? b.digits << BigInt(-d) : b.digits;
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Whole part, saturated to 64 bits. */
function toInteger(a: Scaled): bigint {
  const x = a.scale >= 0 ? a.digits << BigInt(Math.min(a.scale, 128)) : a.digits >> BigInt(-a.scale);
  return x > U64 ? U64 : x;
}

function massToScaled(mass: bigint): Scaled {
  return mass === FULL_MASS ? { digits: 1n, scale: 0 } : { digits: mass + 1n, scale: -64 };
}

const addMass = (a: bigint, b: bigint): bigint => (a + b > FULL_MASS ? FULL_MASS : a + b);
const subMass = (a: bigint, b: bigint): bigint => (a > b ? a - b : 0n);

/** Scale given to a loop without exit: 2^12. */
const INFINITE_LOOP_SCALE: Scaled = { digits: 1n, scale: 12 };

/** Free bits kept above the hottest frequency, so that users may add up and multiply. */
const SLACK_BITS = 10;

const enum EdgeType {
  Local = 0,
  Exit = 1,
  Backedge = 2,
}

/** @llvm BlockFrequencyInfoImpl.cpp BlockFrequencyInfoImplBase::LoopData */
class LoopData {
  isPackaged = false;
  /** nodes in reverse post-order, headers first; inner loops by their header */
  nodes: number[];
  nHeaders: number;
  backedgeMass: bigint[];
  exits: { target: number; mass: bigint }[] = [];
  mass = 0n;
  scale: Scaled = { digits: 1n, scale: 0 };

  constructor(
    public parent: LoopData | null,
    headers: readonly number[],
    members: readonly number[] = [],
  ) {
    this.nodes = [...headers, ...members];
    this.nHeaders = headers.length;
    this.backedgeMass = headers.map(() => 0n);
  }

  get header(): number {
    return this.nodes[0];
  }

  isHeader(node: number): boolean {
    return this.headerIndex(node) >= 0;
  }

  headerIndex(node: number): number {
    if (this.nHeaders === 1) return node === this.nodes[0] ? 0 : -1;
    for (let k = 0; k < this.nHeaders; k++) if (this.nodes[k] === node) return k;
    return -1;
  }
}

interface Weight {
  type: EdgeType;
  target: number;
  amount: bigint;
}

/** @llvm BlockFrequencyInfoImpl.cpp BlockFrequencyInfoImplBase::Distribution */
class Distribution {
  weights: Weight[] = [];
  total = 0n;
  private didOverflow = false;

  /** @llvm BlockFrequencyInfoImpl.cpp BlockFrequencyInfoImplBase::Distribution::add */
  add(target: number, amount: bigint, type: EdgeType): void {
    const sum = this.total + amount;
    if (sum > U64) this.didOverflow = true;
    this.total = sum & U64;
    this.weights.push({ type, target, amount });
  }

  /**
   * Merges edges to one target and scales the weights so that their sum fits 32 bits.
   * @llvm BlockFrequencyInfoImpl.cpp BlockFrequencyInfoImplBase::Distribution::normalize
   */
  normalize(): void {
    if (this.weights.length > 1) {
      this.weights.sort((a, b) => a.target - b.target);
      const merged: Weight[] = [];
      for (const w of this.weights) {
        const last = merged[merged.length - 1];
        if (last !== undefined && last.target === w.target) last.amount = addMass(last.amount, w.amount);
        else merged.push(w);
      }
      this.weights = merged;
    }
    if (this.weights.length === 1) {
      this.total = 1n;
      this.weights[0].amount = 1n;
      return;
    }
    let shift = 0;
    if (this.didOverflow) shift = 33;
    else if (this.total > 0xffffffffn) shift = 33 - (64 - bitLength(this.total));
    if (shift === 0) return;
    this.total = 0n;
    for (const w of this.weights) {
      const half = (w.amount >> BigInt(shift - 1)) & 1n;
      const scaled = (w.amount >> BigInt(shift)) + half;
      w.amount = scaled > 1n ? scaled : 1n;
      this.total += w.amount;
    }
  }
}

/** Mass times weight / total, through a 31-bit probability as LLVM does. */
function takeShare(mass: bigint, weight: bigint, total: bigint): bigint {
  const numerator = total === PROB_ONE ? weight : (weight * PROB_ONE + total / 2n) / total;
  return (mass * numerator) / PROB_ONE;
}

class Solver {
  /** reachable blocks in reverse post-order; a node is an index here */
  private readonly rpo: BlockId[] = [];
  private readonly nodeOf: Int32Array;
  private readonly mass: bigint[];
  /** innermost loop of a node; for a header the loop it heads */
  private readonly loop: (LoopData | null)[];
  /** outer loops first */
  private loops: LoopData[] = [];

  constructor(
    private readonly blocks: readonly MachineBasicBlock[],
    private readonly loopInfo: LoopInfo,
  ) {
    this.nodeOf = new Int32Array(blocks.length).fill(-1);
    this.numberNodes();
    this.mass = this.rpo.map(() => 0n);
    this.loop = this.rpo.map(() => null);
  }

  run(): bigint[] {
    this.initializeLoops();
    for (let k = this.loops.length - 1; k >= 0; k--) this.computeMassInLoop(this.loops[k]);
    if (!this.tryFunctionMass()) {
      this.computeIrreducibleMass(null);
      this.tryFunctionMass();
    }
    return this.finish();
  }

  private numberNodes(): void {
    const { blocks, nodeOf } = this;
    if (blocks.length === 0) return;
    const state = new Uint8Array(blocks.length);
    const next = new Int32Array(blocks.length);
    const stack: BlockId[] = [0];
    const post: BlockId[] = [];
    state[0] = 1;
    while (stack.length > 0) {
      const b = stack[stack.length - 1];
      const succs = blocks[b].successors;
      if (next[b] < succs.length) {
        const s = succs[next[b]++];
        if (s >= 0 && s < blocks.length && state[s] === 0) {
          state[s] = 1;
          stack.push(s);
        }
        continue;
      }
      stack.pop();
      post.push(b);
    }
    for (let k = post.length - 1; k >= 0; k--) {
      nodeOf[post[k]] = this.rpo.length;
      this.rpo.push(post[k]);
    }
  }

  /** @llvm BlockFrequencyInfoImpl.h BlockFrequencyInfoImpl::initializeLoops */
  private initializeLoops(): void {
    const { loopInfo, nodeOf } = this;
    const n = loopInfo.loops.length;
    const children: number[][] = loopInfo.loops.map(() => []);
    const queue: number[] = [];
    for (let l = 0; l < n; l++) {
      const { parent } = loopInfo.loops[l];
      if (parent < 0) queue.push(l);
      else children[parent].push(l);
    }
    const data: LoopData[] = [];
    for (let k = 0; k < queue.length; k++) {
      const l = queue[k];
      const { header, parent } = loopInfo.loops[l];
      data[l] = new LoopData(parent < 0 ? null : data[parent], [nodeOf[header]]);
      this.loops.push(data[l]);
      this.loop[nodeOf[header]] = data[l];
      for (const c of children[l]) queue.push(c);
    }
    for (let node = 0; node < this.rpo.length; node++) {
      if (this.isLoopHeader(node)) {
        this.containingLoop(node)?.nodes.push(node);
        continue;
      }
      const l = loopInfo.loopOf[this.rpo[node]];
      if (l < 0) continue;
      this.loop[node] = data[l];
      data[l].nodes.push(node);
    }
  }

  private isLoopHeader(node: number): boolean {
    return this.loop[node] !== null && this.loop[node]!.isHeader(node);
  }

  private isDoubleLoopHeader(node: number): boolean {
    const l = this.loop[node];
    return l !== null && l.isHeader(node) && l.parent !== null && l.parent.nHeaders > 1 && l.parent.isHeader(node);
  }

  /** @llvm BlockFrequencyInfoImpl.cpp BlockFrequencyInfoImplBase::WorkingData::getContainingLoop */
  private containingLoop(node: number): LoopData | null {
    const l = this.loop[node];
    if (!this.isLoopHeader(node)) return l;
    if (!this.isDoubleLoopHeader(node)) return l!.parent;
    return l!.parent!.parent;
  }

  /** The outermost packaged loop around a node as its header, or the node itself. */
  private resolve(node: number): number {
    const l = this.packagedLoop(node);
    return l === null ? node : l.header;
  }

  private packagedLoop(node: number): LoopData | null {
    let l = this.loop[node];
    if (l === null || !l.isPackaged) return null;
    while (l.parent !== null && l.parent.isPackaged) l = l.parent;
    return l;
  }

  /** The loop that a node stands for once it is packaged and the node is one of its headers. */
  private packageAt(node: number): LoopData | null {
    const l = this.loop[node];
    if (l === null || !l.isPackaged || !l.isHeader(node)) return null;
    return this.isDoubleLoopHeader(node) && l.parent!.isPackaged ? l.parent : l;
  }

  /** @llvm BlockFrequencyInfoImpl.cpp BlockFrequencyInfoImplBase::WorkingData::getMass */
  private massOf(node: number): bigint {
    const l = this.packageAt(node);
    return l === null ? this.mass[node] : l.mass;
  }

  private setMass(node: number, mass: bigint): void {
    const l = this.packageAt(node);
    if (l === null) this.mass[node] = mass;
    else l.mass = mass;
  }

  /**
   * False when the edge closes an irreducible cycle.
   * @llvm BlockFrequencyInfoImpl.cpp BlockFrequencyInfoImplBase::addToDist
   */
  private addToDist(dist: Distribution, outer: LoopData | null, pred: number, succ: number, weight: bigint): boolean {
    const amount = weight === 0n ? 1n : weight;
    const resolved = this.resolve(succ);
    if (outer !== null && outer.isHeader(resolved)) {
      dist.add(resolved, amount, EdgeType.Backedge);
      return true;
    }
    if (this.containingLoop(resolved) !== outer) {
      dist.add(resolved, amount, EdgeType.Exit);
      return true;
    }
    if (resolved < pred && !(outer !== null && outer.isHeader(pred))) return false;
    dist.add(resolved, amount, EdgeType.Local);
    return true;
  }

  /** @llvm BlockFrequencyInfoImpl.h BlockFrequencyInfoImpl::propagateMassToSuccessors */
  private propagate(outer: LoopData | null, node: number): boolean {
    const dist = new Distribution();
    const packaged = this.packageAt(node);
    if (packaged !== null) {
      for (const { target, mass } of packaged.exits) {
        if (!this.addToDist(dist, outer, packaged.header, target, mass)) return false;
      }
    } else {
      const block = this.blocks[this.rpo[node]];
      for (let k = 0; k < block.successors.length; k++) {
        const succ = this.nodeOf[block.successors[k]];
        if (!this.addToDist(dist, outer, node, succ, BigInt(block.probabilities[k] ?? 0))) return false;
      }
    }
    let left = this.massOf(node);
    dist.normalize();
    let total = dist.total;
    for (const w of dist.weights) {
      const taken = takeShare(left, w.amount, total);
      total -= w.amount;
      left = subMass(left, taken);
      if (w.type === EdgeType.Local) {
        this.setMass(w.target, addMass(this.massOf(w.target), taken));
      } else if (w.type === EdgeType.Backedge) {
        const h = outer!.headerIndex(w.target);
        outer!.backedgeMass[h] = addMass(outer!.backedgeMass[h], taken);
      } else {
        outer?.exits.push({ target: w.target, mass: taken });
      }
    }
    return true;
  }

  /** @llvm BlockFrequencyInfoImpl.h BlockFrequencyInfoImpl::computeMassInLoop */
  private computeMassInLoop(loop: LoopData): void {
    if (loop.nHeaders > 1) {
      // Several headers share the mass evenly at first, then in proportion to what comes back to each.
      const n = BigInt(loop.nHeaders);
      let left = FULL_MASS;
      let count = n;
      for (let h = 0; h < loop.nHeaders; h++) {
        const share = takeShare(left, 1n, count);
        this.setMass(loop.nodes[h], share);
        left = subMass(left, share);
        count--;
      }
      for (const node of loop.nodes) this.propagate(loop, node);
      this.adjustHeaderMass(loop);
    } else {
      this.setMass(loop.header, FULL_MASS);
      for (const node of loop.nodes) {
        if (this.propagate(loop, node)) continue;
        this.computeIrreducibleMass(loop);
        this.computeMassInLoop(loop);
        return;
      }
    }
    this.computeScale(loop);
    loop.isPackaged = true;
  }

  /** @llvm BlockFrequencyInfoImpl.cpp BlockFrequencyInfoImplBase::computeLoopScale */
  private computeScale(loop: LoopData): void {
    let back = 0n;
    for (const m of loop.backedgeMass) back = addMass(back, m);
    const exit = subMass(FULL_MASS, back);
    loop.scale = exit === 0n ? INFINITE_LOOP_SCALE : divide({ digits: 1n, scale: 0 }, massToScaled(exit));
  }

  /** @llvm BlockFrequencyInfoImpl.cpp BlockFrequencyInfoImplBase::adjustLoopHeaderMass */
  private adjustHeaderMass(loop: LoopData): void {
    const dist = new Distribution();
    for (let h = 0; h < loop.nHeaders; h++) {
      if (loop.backedgeMass[h] !== 0n) dist.add(loop.nodes[h], loop.backedgeMass[h], EdgeType.Local);
    }
    dist.normalize();
    let left = FULL_MASS;
    let total = dist.total;
    for (const w of dist.weights) {
      const taken = takeShare(left, w.amount, total);
      total -= w.amount;
      left = subMass(left, taken);
      this.setMass(w.target, taken);
    }
  }

  /** @llvm BlockFrequencyInfoImpl.h BlockFrequencyInfoImpl::tryToComputeMassInFunction */
  private tryFunctionMass(): boolean {
    if (this.rpo.length > 0) this.setMass(0, FULL_MASS);
    for (let node = 0; node < this.rpo.length; node++) {
      // Nodes inside a packaged loop are represented by its header.
      if (this.loop[node] !== null && this.resolve(node) !== node) continue;
      if (!this.propagate(null, node)) return false;
    }
    return true;
  }

  /**
   * Turns every strongly connected part of the graph inside `outer` (without its header) into a loop with headers.
   * @llvm BlockFrequencyInfoImpl.h BlockFrequencyInfoImpl::computeIrreducibleMass
   */
  private computeIrreducibleMass(outer: LoopData | null): void {
    const members: number[] = [];
    if (outer === null) {
      for (let node = 0; node < this.rpo.length; node++) {
        if (this.resolve(node) === node) members.push(node);
      }
    } else {
      for (const node of outer.nodes) members.push(node);
    }
    const index = new Map<number, number>();
    members.forEach((node, k) => {
      index.set(node, k);
      // What the failed attempt has left behind.
      this.setMass(node, 0n);
    });
    const succs: number[][] = members.map(() => []);
    const preds: number[][] = members.map(() => []);
    members.forEach((node, k) => {
      const packaged = this.packageAt(node);
      const targets =
        packaged !== null
          ? packaged.exits.map((e) => e.target)
          : this.blocks[this.rpo[node]].successors.map((s) => this.nodeOf[s]);
      for (const t of targets) {
        // Edges back to the outer loop's header are no part of the inner cycles.
        if (outer !== null && outer.isHeader(t)) continue;
        const to = index.get(t);
        if (to === undefined) continue;
        succs[k].push(to);
        preds[to].push(k);
      }
    });
    const made: LoopData[] = [];
    for (const scc of stronglyConnected(succs)) {
      if (scc.length < 2) continue;
      made.push(this.createIrreducibleLoop(outer, members, preds, scc));
    }
    // Inner loops stand after the outer one in `loops`, so that unwrapping goes from the outside in.
    const at = outer === null ? 0 : this.loops.indexOf(outer) + 1;
    this.loops.splice(at, 0, ...made);
    for (const l of made) this.computeMassInLoop(l);
    if (outer === null) return;
    outer.exits = [];
    outer.backedgeMass = outer.backedgeMass.map(() => 0n);
    outer.nodes = outer.nodes.filter((node) => this.resolve(node) === node);
  }

  /** @llvm BlockFrequencyInfoImpl.cpp BlockFrequencyInfoImplBase::analyzeIrreducible */
  private createIrreducibleLoop(
    outer: LoopData | null,
    members: readonly number[],
    preds: readonly (readonly number[])[],
    scc: readonly number[],
  ): LoopData {
    const inScc = new Set(scc);
    const sorted = [...scc].sort((a, b) => members[a] - members[b]);
    const headers: number[] = [];
    const others: number[] = [];
    for (const k of sorted) {
      if (preds[k].some((p) => !inScc.has(p))) headers.push(k);
      else others.push(k);
    }
    // Targets of edges backwards in reverse post-order that no header dominates are headers too.
    const isHeader = new Set(headers);
    const rest: number[] = [];
    for (const k of others) {
      const backward = preds[k].some((p) => members[p] >= members[k] && !isHeader.has(p));
      if (backward) headers.push(k);
      else rest.push(k);
    }
    headers.sort((a, b) => members[a] - members[b]);
    const loop = new LoopData(
      outer,
      headers.map((k) => members[k]),
      rest.map((k) => members[k]),
    );
    for (const node of loop.nodes) {
      const inner = this.packageAt(node);
      if (inner !== null) inner.parent = loop;
      else this.loop[node] = loop;
    }
    return loop;
  }

  /** @llvm BlockFrequencyInfoImpl.cpp BlockFrequencyInfoImplBase::finalizeMetrics */
  private finish(): bigint[] {
    const freq: Scaled[] = this.mass.map(massToScaled);
    for (const loop of this.loops) {
      loop.scale = multiply(loop.scale, massToScaled(loop.mass));
      loop.isPackaged = false;
      for (const node of loop.nodes) {
        const inner = this.innerPackage(loop, node);
        if (inner !== null) inner.scale = multiply(loop.scale, inner.scale);
        else freq[node] = multiply(loop.scale, freq[node]);
      }
    }
    let max: Scaled = { digits: 0n, scale: 0 };
    for (const f of freq) if (compare(f, max) > 0) max = f;
    const result: bigint[] = this.blocks.map(() => 0n);
    if (max.digits === 0n) return result;
    const factor = divide({ digits: 1n, scale: 64 - SLACK_BITS }, max);
    freq.forEach((f, node) => {
      const n = toInteger(multiply(f, factor));
      result[this.rpo[node]] = n > 1n ? n : 1n;
    });
    return result;
  }

  /** The still packaged loop inside `loop` that a member node stands for. */
  private innerPackage(loop: LoopData, node: number): LoopData | null {
    const l = this.packageAt(node);
    return l !== null && l !== loop ? l : null;
  }
}

/**
 * Frequency of every block as LLVM's integer (the hottest block has 2^54); 0 for unreachable blocks. Compare or divide them,
 * absolute values mean nothing.
 * @llvm MachineBlockFrequencyInfo.cpp MachineBlockFrequencyInfo::calculate
 */
export function computeBlockFrequencies(blocks: readonly MachineBasicBlock[], loopInfo: LoopInfo): bigint[] {
  return new Solver(blocks, loopInfo).run();
}

/** One placement of the blocks of a function: chains of loops from the inside out, then one of all (docs/llvm/block-layout.md, 4). */
import type { PostDominatorTree } from '../../analysis/postDominators.js';
import type { BlockId, MachineFunction } from '../../model/machineFunction.js';
import { PROBABILITY_ONE } from '../../model/probability.js';
import type { FoldedFunction } from '../branchFolder/foldedFunction.js';
import { TailDuplicator } from '../tailDuplication/tailDuplicator.js';
import { BlockChain, BlockFilter } from './blockChains.js';
import { by, larger, minus, plus, probability, smaller, times, type EdgeFrequencies } from './edgeFrequency.js';
import type { PlacedLoop, PlacedLoops } from './placedLoops.js';

/** An edge that is taken at least that often is likely. */
const LIKELY = probability(80, 100);
const HALF = probability(50, 100);
/** A copy has to save that part of the runs of the function. */
const COPY_PENALTY = probability(2, 100);
/** Blocks with more predecessors are not looked at closely. */
const MAX_PREDECESSORS = 1000;
/** Triangles in a row that are worth copies */
const MIN_TRIANGLES = 2;

const less = (a: number, b: number): number => Math.max(0, a - b);

/** The block that shall follow one. */
interface Choice {
  readonly block: BlockId;
  /** and be copied into its other predecessors */
  readonly copies: boolean;
}

interface WeighedEdge {
  readonly weight: bigint;
  readonly from: BlockId;
  readonly to: BlockId;
}

interface Viable {
  readonly successors: readonly BlockId[];
  /** probability of the edges that count */
  readonly sum: number;
}

export class Placement {
  private readonly fn: MachineFunction;
  private readonly chainOf: (BlockChain | undefined)[] = [];
  private readonly chosen = new Map<BlockId, Choice>();
  private readonly tails: TailDuplicator | null;
  /** first blocks of chains without predecessors that have no place yet */
  private ready: BlockId[] = [];
  private preferredExit: BlockId = -1;
  /** where the next block without a place is looked for, while a chain is made */
  private filter: BlockFilter | null = null;
  private nextInFilter = 0;
  private nextInLayout: BlockId = -1;

  /** `tailSize`: instructions of blocks that are copied at most, 0: none are */
  constructor(
    private readonly folded: FoldedFunction,
    private readonly loops: PlacedLoops,
    private readonly edges: EdgeFrequencies,
    tailSize: number,
    private readonly postDominators: PostDominatorTree,
  ) {
    this.fn = folded.fn;
    const limits = { size: tailSize, indirectSize: 0, predecessors: Infinity, successors: Infinity, tails: Infinity };
    const placement = { layout: folded.layout, onRemove: (b: BlockId): void => this.forget(b) };
    this.tails = tailSize === 0 ? null : new TailDuplicator(folded.editor, folded.names, false, limits, placement);
  }

  private chain(b: BlockId): BlockChain {
    return this.chainOf[b]!;
  }

  // -- triangles -------------------------------------------------------------------------------------------------------

  /**
   * Triangles in a row, of which the blocks where they end are to be copied.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::precomputeTriangleChains
   */
  findTriangles(): void {
    const { fn, edges, tails, folded } = this;
    if (tails === null) return;
    const rows = new Map<BlockId, BlockId[]>();
    for (const b of folded.layout.order()) {
      const { successors } = fn.blocks[b];
      if (successors.length !== 2) continue;
      const end = successors.find((s) => this.postDominators.dominates(s, b));
      if (end === undefined || edges.probability(b, end) < HALF || !this.mayCopy(end)) continue;
      if (!fn.blocks[end].predecessors.every((p) => p === b || tails.takesCopy(p, end))) continue;
      const row = rows.get(b) ?? [b];
      rows.delete(b);
      row.push(end);
      if (!rows.has(end)) rows.set(end, row);
    }
    for (const row of rows.values())
      if (row.length > MIN_TRIANGLES)
        for (let k = row.length - 2; k >= 0; k--)
          if (!this.chosen.has(row[k])) this.chosen.set(row[k], { block: row[k + 1], copies: true });
  }

  // -- chains ----------------------------------------------------------------------------------------------------------

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::buildCFGChains */
  run(): void {
    const { folded, loops } = this;
    const { layout, ends } = folded;
    for (let b = layout.first; b >= 0; b = layout.after(b)) {
      const chain = new BlockChain([b]);
      this.chainOf[b] = chain;
      // What LLVM cannot read stays before what it falls into.
      while (folded.read(b) === null && ends.fallThrough(b) >= 0) {
        b = layout.after(b);
        chain.blocks.push(b);
        this.chainOf[b] = chain;
      }
    }
    for (const loop of loops.insideOut) if (loop.blocks.length > 0) this.placeLoop(loop);
    this.preferredExit = -1;
    const counted = new Set<BlockChain>();
    for (const b of layout.order()) this.countUnplaced(b, counted, null);
    const whole = this.chain(layout.first);
    this.extend(layout.first, whole, null);
    this.layOut(whole.blocks);
    this.ready = [];
  }

  private layOut(order: readonly BlockId[]): void {
    const { layout, ends } = this.folded;
    const before = new Map<BlockId, BlockId>();
    for (const b of layout.order()) before.set(b, layout.after(b));
    let at: BlockId = -1;
    for (const b of order) {
      if (at < 0 ? layout.first !== b : layout.after(at) !== b) layout.moveAfter(b, at);
      at = b;
    }
    for (const b of order) ends.update(b, before.get(b)!);
  }

  /**
   * Predecessors in other chains that count.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::fillWorkLists
   */
  private countUnplaced(of: BlockId, counted: Set<BlockChain>, filter: BlockFilter | null): void {
    const chain = this.chain(of);
    if (counted.has(chain)) return;
    counted.add(chain);
    for (const b of chain.blocks)
      for (const p of this.fn.blocks[b].predecessors)
        if ((filter === null || filter.has(p)) && this.chainOf[p] !== chain) chain.unplaced++;
    if (chain.unplaced === 0) this.ready.push(chain.first);
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::markChainSuccessors */
  private notePlaced(chain: BlockChain, header: BlockId): void {
    for (const b of chain.blocks) this.noteBlockPlaced(chain, b, header);
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::markBlockSuccessors */
  private noteBlockPlaced(chain: BlockChain, b: BlockId, header: BlockId): void {
    const { filter } = this;
    for (const s of this.fn.blocks[b].successors) {
      if (filter !== null && !filter.has(s)) continue;
      const other = this.chain(s);
      if (other === chain || s === header || other.unplaced === 0) continue;
      if (--other.unplaced === 0) this.ready.push(other.first);
    }
  }

  /**
   * Puts all blocks of `filter`, or of the function, behind a chain.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::buildChain
   */
  private extend(header: BlockId, chain: BlockChain, filter: BlockFilter | null): void {
    const { fn, folded } = this;
    this.filter = filter;
    this.nextInFilter = 0;
    this.nextInLayout = folded.layout.first;
    this.notePlaced(chain, header);
    for (;;) {
      const b = chain.last;
      const choice = this.bestSuccessor(b, chain);
      let next = choice.block;
      const copies = choice.copies || (next >= 0 && this.tails !== null && this.copiesIntoAll(b, next, chain));
      if (next < 0) next = this.bestReady(chain);
      if (next < 0) next = this.firstUnplaced(chain);
      if (next < 0) return;
      if (copies) {
        const end = this.copyRepeatedly(next, b, header, chain);
        // It has been copied into the end of the chain.
        if (!fn.blocks[end].successors.includes(next)) continue;
      }
      const other = this.chain(next);
      other.unplaced = 0;
      this.notePlaced(other, header);
      for (const x of other.blocks) {
        chain.blocks.push(x);
        this.chainOf[x] = chain;
      }
    }
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::selectBestCandidateBlock */
  private bestReady(chain: BlockChain): BlockId {
    this.ready = this.ready.filter((b) => this.chainOf[b] !== chain);
    let best: BlockId = -1;
    for (const b of this.ready) if (best < 0 || this.edges.ofBlock(b) > this.edges.ofBlock(best)) best = b;
    return best;
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::getFirstUnplacedBlock */
  private firstUnplaced(chain: BlockChain): BlockId {
    const { filter, folded } = this;
    if (filter !== null) {
      for (; this.nextInFilter < filter.order.length; this.nextInFilter++) {
        const other = this.chain(filter.order[this.nextInFilter]);
        if (other !== chain) return other.first;
      }
      return -1;
    }
    for (let b = this.nextInLayout; b >= 0; b = folded.layout.after(b)) {
      const other = this.chain(b);
      if (other === chain) continue;
      this.nextInLayout = b;
      return other.first;
    }
    return -1;
  }

  // -- which successor -----------------------------------------------------------------------------------------------------

  /**
   * Successors that can follow a block.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::collectViableSuccessors
   */
  private viable(b: BlockId, chain: BlockChain): Viable {
    const { filter } = this;
    const successors: BlockId[] = [];
    let sum = PROBABILITY_ONE;
    for (const s of this.fn.blocks[b].successors) {
      const other = this.chain(s);
      if ((filter !== null && !filter.has(s)) || other === chain) sum = less(sum, this.edges.probability(b, s));
      else if (s === other.first) successors.push(s);
    }
    return { successors, sum };
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::selectBestSuccessor */
  private bestSuccessor(b: BlockId, chain: BlockChain): Choice {
    const { edges, filter } = this;
    const { successors, sum } = this.viable(b, chain);
    const known = this.chosen.get(b);
    if (known !== undefined) {
      this.chosen.delete(b);
      const { block } = known;
      const other = this.chainOf[block];
      const isSuccessor = this.fn.blocks[b].successors.includes(block) && (filter === null || filter.has(block));
      if (isSuccessor && other !== chain && block === other?.first) return known;
    }
    if (this.isTrellis(b, successors, chain)) return this.bestOfTrellis(b, successors, chain);
    let best: BlockId = -1;
    let bestProbability = 0;
    const toCopy: (readonly [number, BlockId])[] = [];
    for (const s of successors) {
      const real = edges.probability(b, s);
      const adjusted = real >= sum ? PROBABILITY_ONE : probability(real, sum);
      if (this.hasBetterPredecessor(b, s, this.chain(s), real, chain)) {
        if (this.mayCopy(s)) toCopy.push([adjusted, s]);
        continue;
      }
      if (best >= 0 && bestProbability >= adjusted) continue;
      best = s;
      bestProbability = adjusted;
    }
    toCopy.sort(([a], [c]) => c - a);
    for (const [p, s] of toCopy) {
      if (p < bestProbability) break;
      if (this.copiesIntoAll(b, s, chain) && this.isCopyProfitable(b, s, bestProbability, chain))
        return { block: s, copies: true };
    }
    return { block: best, copies: false };
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::hasBetterLayoutPredecessor */
  private hasBetterPredecessor(b: BlockId, s: BlockId, own: BlockChain, real: number, chain: BlockChain): boolean {
    const { edges, filter } = this;
    const { predecessors } = this.fn.blocks[s];
    if (own.unplaced === 0 || predecessors.length > MAX_PREDECESSORS) return false;
    const weight = times(times(edges.ofBlock(b), real), PROBABILITY_ONE - LIKELY);
    return predecessors.some((p) => {
      const other = this.chain(p);
      if (p === s || other === own || (filter !== null && !filter.has(p)) || other === chain) return false;
      return p === other.last && p !== b && times(edges.ofEdge(p, s), LIKELY) >= weight;
    });
  }

  /**
   * Two successors that share all their predecessors.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::isTrellis
   */
  private isTrellis(b: BlockId, viable: readonly BlockId[], chain: BlockChain): boolean {
    const { fn, filter } = this;
    const { successors } = fn.blocks[b];
    if (successors.length !== 2 || viable.length !== 2) return false;
    for (const s of viable) {
      const { predecessors } = fn.blocks[s];
      if (predecessors.length > MAX_PREDECESSORS) return false;
      let isShared = false;
      for (const p of predecessors) {
        if (successors.includes(p)) {
          if (!fn.blocks[p].successors.every((x) => successors.includes(x))) return false;
          continue;
        }
        const other = this.chain(p);
        if (p === b || (filter !== null && !filter.has(p)) || other === chain || other === this.chain(s)) continue;
        isShared = true;
        if (!this.goesToSame(p, successors)) return false;
      }
      if (!isShared) return false;
    }
    return true;
  }

  private goesToSame(b: BlockId, targets: readonly BlockId[]): boolean {
    const { successors } = this.fn.blocks[b];
    if (successors.length !== new Set(targets).size || targets.includes(b)) return false;
    return successors.every((s) => targets.includes(s));
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::getBestTrellisSuccessor */
  private bestOfTrellis(b: BlockId, viable: readonly BlockId[], chain: BlockChain): Choice {
    const { fn, edges, filter } = this;
    const incoming = viable.map((s) => {
      const all: WeighedEdge[] = [];
      for (const p of fn.blocks[s].predecessors) {
        const other = this.chain(p);
        const isPlaced = (filter !== null && !filter.has(p)) || other === chain || other === this.chain(s);
        if (p === b || !isPlaced) all.push({ weight: edges.ofEdge(p, s), from: p, to: s });
      }
      return all;
    });
    const [own, other] = this.bestPair(b, incoming[0], incoming[1]);
    if (own.from !== b) return { block: -1, copies: false };
    const isTriangle = own.to === other.from;
    if (isTriangle && this.mayCopy(other.to) && this.copiesIntoAll(b, other.to, chain))
      if (this.isCopyProfitable(b, other.to, edges.probability(b, own.to), chain))
        return { block: other.to, copies: true };
    this.chosen.set(other.from, { block: other.to, copies: false });
    return { block: own.to, copies: false };
  }

  /**
   * The two edges that run most often together, from two blocks; that from `b` first.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::getBestNonConflictingEdges
   */
  private bestPair(b: BlockId, toA: WeighedEdge[], toB: WeighedEdge[]): readonly [WeighedEdge, WeighedEdge] {
    const down = (x: WeighedEdge, y: WeighedEdge): number => (x.weight > y.weight ? -1 : x.weight < y.weight ? 1 : 0);
    const [a, secondA] = toA.sort(down);
    const [c, secondB] = toB.sort(down);
    let pair: readonly [WeighedEdge, WeighedEdge] = [a, c];
    if (a.from === c.from)
      pair = plus(a.weight, secondB.weight) < plus(c.weight, secondA.weight) ? [secondA, c] : [a, secondB];
    return pair[1].from === b ? [pair[1], pair[0]] : pair;
  }

  // -- copies --------------------------------------------------------------------------------------------------------------

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::shouldTailDuplicate */
  private mayCopy(b: BlockId): boolean {
    return this.tails !== null && this.fn.blocks[b].successors.length !== 1 && this.tails.isWorthIt(b, false);
  }

  /**
   * Whether copies go into all predecessors without a place.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::canTailDuplicateUnplacedPreds
   */
  private copiesIntoAll(b: BlockId, s: BlockId, chain: BlockChain): boolean {
    const { fn, filter, tails } = this;
    if (!this.mayCopy(s)) return false;
    const { successors } = fn.blocks[b];
    const { successors: own } = fn.blocks[s];
    let isComplete = true;
    let nCopies = 0;
    for (const p of fn.blocks[s].predecessors) {
      if (p === b || (filter !== null && !filter.has(p)) || (this.chainOf[p] === chain && own.length > 0)) continue;
      if (tails!.takesCopy(p, s)) nCopies++;
      else if (new Set(successors).size <= 1 || !this.goesToSame(p, successors)) isComplete = false;
    }
    if (nCopies === 0) return false;
    return own.length === 0 || (nCopies + 1 <= own.length && isComplete);
  }

  /** @llvm MachineBlockPlacement.cpp greaterWithBias */
  private saves(cost: bigint, withCopies: bigint): boolean {
    return by(minus(cost, withCopies), COPY_PENALTY) >= this.edges.ofBlock(this.folded.layout.first);
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::isProfitableToTailDup */
  private isCopyProfitable(b: BlockId, s: BlockId, elsewhere: number, chain: BlockChain): boolean {
    const { fn, edges, filter } = this;
    const { successors, sum } = this.viable(s, chain);
    const runs = edges.ofBlock(s);
    const into = edges.ofEdge(b, s);
    const out = times(edges.ofBlock(b), elsewhere);
    if (successors.length === 0) return this.saves(into, out);
    let bestProbability = 0;
    let end: BlockId = -1;
    for (const x of successors) {
      bestProbability = Math.max(bestProbability, edges.probability(s, x));
      if (!this.postDominators.dominates(x, s)) continue;
      end = x;
      break;
    }
    let other = 0n;
    for (const p of fn.blocks[s].predecessors)
      if (p !== s && p !== b && this.chainOf[p] !== chain && (filter === null || filter.has(p)))
        other = larger(other, edges.ofEdge(p, s));
    const rest = minus(runs, other);
    const [few, many] = [smaller(other, rest), larger(other, rest)];
    if (end < 0 || !fn.blocks[s].successors.includes(end)) {
      const left = less(sum, bestProbability);
      const cost = plus(into, times(runs, left));
      return this.saves(cost, plus(out, times(few, bestProbability), times(many, left)));
    }
    const toEnd = edges.probability(s, end);
    const left = less(sum, toEnd);
    if (toEnd > sum >>> 1 && !this.hasBetterPredecessor(s, end, this.chain(end), toEnd, chain))
      return this.saves(plus(into, times(runs, left)), plus(out, times(many, left), times(few, toEnd)));
    return this.saves(plus(into, times(runs, toEnd)), plus(out, times(few, sum), times(many, toEnd)));
  }

  /**
   * Copies a block, and what has taken it, as long as they go. Returns the end of the chain.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::repeatedlyTailDuplicateBlock
   */
  private copyRepeatedly(b: BlockId, end: BlockId, header: BlockId, chain: BlockChain): BlockId {
    const first = this.copy(b, end, chain);
    if (!first.isGone) return end;
    for (let last = first; last.isGone && last.isInEnd && chain.blocks.length > 1;)
      last = this.copy(chain.last, chain.blocks[chain.blocks.length - 2], chain);
    if (first.isInEnd) this.noteBlockPlaced(chain, chain.last, header);
    return chain.last;
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::maybeTailDuplicateBlock */
  private copy(b: BlockId, end: BlockId, chain: BlockChain): { readonly isGone: boolean; readonly isInEnd: boolean } {
    const { fn, filter } = this;
    if (!this.mayCopy(b)) return { isGone: false, isInEnd: false };
    let isInEnd = false;
    for (const p of this.tails!.copyPlaced(b, end)) {
      if (p === end) isInEnd = true;
      const own = this.chain(p);
      if (p === end || (filter !== null && !filter.has(p)) || own === chain) continue;
      for (const s of fn.blocks[p].successors) {
        if (filter !== null && !filter.has(s)) continue;
        const other = this.chain(s);
        if (other !== chain && other !== own) other.unplaced++;
      }
    }
    return { isGone: this.chainOf[b] === undefined, isInEnd };
  }

  /** A block goes. */
  private forget(b: BlockId): void {
    const { filter, folded } = this;
    const chain = this.chainOf[b];
    if (chain !== undefined) chain.blocks.splice(chain.blocks.lastIndexOf(b), 1);
    this.chainOf[b] = undefined;
    if (this.nextInLayout === b) this.nextInLayout = folded.layout.after(b);
    this.ready = this.ready.filter((x) => x !== b);
    const at = filter?.remove(b) ?? -1;
    if (at >= 0 && at < this.nextInFilter) this.nextInFilter--;
    this.loops.remove(b);
    if (this.preferredExit === b) this.preferredExit = -1;
  }

  // -- loops ---------------------------------------------------------------------------------------------------------------

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::buildLoopChains */
  private placeLoop(loop: PlacedLoop): void {
    const { layout } = this.folded;
    const members = new BlockFilter([...loop.blocks].sort((a, b) => layout.numberOf(a) - layout.numberOf(b)));
    const top = this.bestTop(loop, members);
    this.preferredExit = -1;
    let exitFrequency = 0n;
    if (top === loop.header) exitFrequency = this.findExit(loop, members);
    const chain = this.chain(top);
    const counted = new Set([chain]);
    for (const b of members.order) this.countUnplaced(b, counted, members);
    this.extend(top, chain, members);
    this.rotate(chain, exitFrequency, members);
    this.ready = [];
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::findBestLoopTop */
  private bestTop(loop: PlacedLoop, members: BlockFilter): BlockId {
    let top = loop.header;
    if (this.fn.isForSize) return top;
    for (;;) {
      const better = this.betterTop(top, loop, members);
      if (better === top) return top;
      this.chosen.set(better, { block: top, copies: false });
      top = better;
    }
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::findBestLoopTopHelper */
  private betterTop(top: BlockId, { header }: PlacedLoop, members: BlockFilter): BlockId {
    const { fn, folded } = this;
    const { blocks } = fn;
    const { first } = this.chain(top);
    if (!members.has(first) || top !== first) return top;
    let most = 0n;
    let best: BlockId = -1;
    for (const p of blocks[top].predecessors) {
      const { successors } = blocks[p];
      if (!members.has(p) || p === header || successors.length > 2) continue;
      const other = successors.length < 2 ? -1 : successors[0] === top ? successors[1] : successors[0];
      if (!this.canGoToTop(p, top)) continue;
      const gains = this.gains(p, top, other, members);
      if (gains === 0n || gains < most || (gains === most && folded.layout.after(p) !== top)) continue;
      most = gains;
      best = p;
    }
    if (best < 0) return top;
    for (;;) {
      const [before, ...others] = blocks[best].predecessors;
      if (before === undefined || others.length > 0 || blocks[before].successors.length !== 1 || before === header)
        return best;
      best = before;
    }
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::canMoveBottomBlockToTop */
  private canGoToTop(bottom: BlockId, top: BlockId): boolean {
    const { blocks } = this.fn;
    const [p, ...others] = blocks[bottom].predecessors;
    if (p === undefined || others.length > 0 || blocks[p].successors.length !== 2) return true;
    const [a, b] = blocks[p].successors;
    return (a === bottom ? b : a) !== top;
  }

  private isEnd(b: BlockId): boolean {
    return this.chainOf[b]?.last === b;
  }

  private isBegin(b: BlockId): boolean {
    return this.chainOf[b]?.first === b;
  }

  /**
   * How often a loop is entered from what may stand before it.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::TopFallThroughFreq
   */
  private intoTop(top: BlockId, members: BlockFilter): bigint {
    const { fn, edges } = this;
    let most = 0n;
    for (const p of fn.blocks[top].predecessors) {
      if (members.has(p) || !this.isEnd(p)) continue;
      const own = edges.probability(p, top);
      const isBetter = (s: BlockId): boolean => !members.has(s) && edges.probability(p, s) > own && this.isBegin(s);
      if (!fn.blocks[p].successors.some(isBetter)) most = larger(most, edges.ofEdge(p, top));
    }
    return most;
  }

  /**
   * Jumps that are saved where a block comes before the top of a loop.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::FallThroughGains
   */
  private gains(b: BlockId, top: BlockId, exit: BlockId, members: BlockFilter): bigint {
    const { fn, edges } = this;
    let fromBefore = 0n;
    let before: BlockId = -1;
    for (const p of fn.blocks[b].predecessors) {
      if (!members.has(p) || !this.isEnd(p)) continue;
      const frequency = edges.ofEdge(p, b);
      if (frequency <= fromBefore) continue;
      fromBefore = frequency;
      before = p;
    }
    let instead = 0n;
    if (before >= 0) {
      const own = this.chain(before);
      for (const s of fn.blocks[before].successors) {
        if (s === b || s === before || !members.has(s) || this.chosen.has(s)) continue;
        if (this.isBegin(s) && this.chainOf[s] !== own) instead = larger(instead, edges.ofEdge(before, s));
      }
      if (instead > edges.ofEdge(before, b)) {
        instead = 0n;
        fromBefore = 0n;
      }
    }
    const toExit = exit < 0 ? 0n : edges.ofEdge(b, exit);
    return minus(plus(edges.ofEdge(b, top), instead), plus(this.intoTop(top, members), toExit, fromBefore));
  }

  /**
   * Sets the block that shall be the last one of a loop, and returns how often the loop is left from there.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::findBestLoopExit
   */
  private findExit(loop: PlacedLoop, members: BlockFilter): bigint {
    const { fn, edges, folded, loops } = this;
    if (!members.has(this.chain(loop.header).first)) return 0n;
    let most = 0n;
    let found: BlockId = -1;
    const toOuter = new Set<BlockId>();
    for (const b of loop.blocks) {
      const chain = this.chain(b);
      if (b !== chain.last) continue;
      const old = { most, found };
      let staysInside = false;
      for (const s of fn.blocks[b].successors) {
        if (s === b || this.chainOf[s] === chain) continue;
        if (members.has(s)) {
          staysInside = true;
          continue;
        }
        const outer = loops.loopOf(s);
        if (outer?.holds(loop) === true) toOuter.add(b);
        const frequency = edges.ofEdge(b, s);
        const isFallThrough = folded.layout.after(b) === s && frequency >= most;
        // The depth that LLVM compares with is never set.
        if (found >= 0 && (outer?.depth ?? 0) === 0 && frequency <= most && !isFallThrough) continue;
        most = frequency;
        found = b;
      }
      if (!staysInside) ({ most, found } = old);
    }
    if (found < 0 || loop.blocks.length === 1 || (toOuter.size > 0 && !toOuter.has(found))) return 0n;
    this.preferredExit = found;
    return most;
  }

  /** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::hasViableTopFallthrough */
  private isFallenInto(top: BlockId, members: BlockFilter): boolean {
    const { fn, edges } = this;
    return fn.blocks[top].predecessors.some((p) => {
      if (members.has(p) || !this.isEnd(p)) return false;
      const own = edges.probability(p, top);
      return !fn.blocks[p].successors.some((s) => this.isBegin(s) && edges.probability(p, s) > own);
    });
  }

  /**
   * The block that leaves the loop comes last.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::rotateLoop
   */
  private rotate(chain: BlockChain, exitFrequency: bigint, members: BlockFilter): void {
    const { fn, folded } = this;
    const exit = this.preferredExit;
    const { first: top, last: bottom } = chain;
    if (exit < 0 || bottom === exit || top === folded.layout.first) return;
    const isFallenInto = this.isFallenInto(top, members);
    if (isFallenInto) {
      if (fn.blocks[bottom].successors.some((s) => !members.has(s) && this.isBegin(s))) return;
      if (this.intoTop(top, members) >= exitFrequency) return;
    }
    const at = chain.blocks.indexOf(exit);
    if (at < 0) return;
    const isBroken = fn.blocks[exit].successors.includes(chain.blocks[at + 1]);
    if (isFallenInto && isBroken && !fn.blocks[bottom].successors.includes(top)) return;
    chain.rotate(at + 1);
  }

  // -- branches ------------------------------------------------------------------------------------------------------------

  /**
   * Of two branches the one that is taken more often comes first.
   * @llvm MachineBlockPlacement.cpp MachineBlockPlacement::optimizeBranches
   */
  optimizeBranches(): void {
    const { folded, edges } = this;
    const { ends, layout } = folded;
    if (this.fn.isForSize) return;
    for (const b of layout.order()) {
      const read = folded.read(b);
      if (read === null || read.target < 0 || read.otherTarget < 0 || read.condition === null) continue;
      if (edges.probability(b, read.target) >= edges.probability(b, read.otherTarget)) continue;
      const location = ends.branchLocation(b, folded.names);
      ends.remove(b);
      ends.insert(b, read.otherTarget, read.target, ends.reversed(read.condition), location());
    }
  }
}

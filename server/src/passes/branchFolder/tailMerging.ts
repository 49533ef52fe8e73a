/** Equal ends of blocks that go on to the same block, or end the function, become one (docs/llvm/block-layout.md, 1). */
import { addSuccessor, removeSuccessor, transferSuccessors } from '../../model/edit/blockEdges.js';
import { regOperand } from '../../model/edit/functionEditor.js';
import { NO_LOCATION } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OpFlag, OperandKind, type BlockId, type InstrId } from '../../model/machineFunction.js';
import type { MemOperand } from '../../model/memOperand.js';
import { probabilityAt, PROBABILITY_ONE } from '../../model/probability.js';
import { sameInstr } from '../../model/sameOperand.js';
import { McFlag, type PhysReg } from '../../target/api.js';
import { mergedLocation, setLocation } from '../debugLines.js';
import { firstTerminator } from '../instrOrder.js';
import type { PassContext } from '../passContext.js';
import type { FoldedFunction } from './foldedFunction.js';

/** Instructions that two blocks have in common at least, where nothing else speaks for merging them (TargetInstrInfo::getTailMergeSize) */
export const MIN_TAIL = 3;
/** Blocks that are compared with each other at most */
const MAX_BLOCKS = 150;
/** What instructions take, roughly */
const CALL_TIME = 10;
const MEMORY_TIME = 2;

export interface TailMergingRun {
  /** by block; those of merged ends are put in */
  readonly frequencies: bigint[];
  /** instructions that blocks have in common at least */
  readonly minTail: number;
  readonly options: PassContext['options'];
  /** loops of a function whose blocks have been placed */
  readonly placed?: PlacedLoopsOf;
}

/** The innermost loop of a block, null without. */
export interface PlacedLoopsOf {
  loopOf(b: BlockId): { readonly header: BlockId } | null;
  /** A block is part of the loops of another one. */
  add(b: BlockId, like: BlockId): void;
}

/** A block whose end may be that of others, too. */
interface Candidate {
  readonly hash: number;
  block: BlockId;
  /** of the branch that was taken out */
  readonly location: () => string | undefined;
}

/** A block with the end that it has in common with others. */
interface Tail {
  readonly of: Candidate;
  /** the first of the common instructions */
  begin: ListPos;
}

interface CommonTail {
  readonly length: number;
  readonly begins: readonly [ListPos, ListPos];
}

/** The successor that blocks have in common, and the block before it; -1 = none. */
interface Meeting {
  readonly successor: BlockId;
  before: BlockId;
}

export class TailMerging {
  private candidates: Candidate[] = [];
  private readonly tried = new Set<BlockId>();
  private readonly frequencies: bigint[];
  private readonly isEnabled: boolean;
  private readonly minTail: number;
  private readonly maxBlocks: number;
  private readonly isForSize: boolean;
  private readonly placed: PlacedLoopsOf | null;

  constructor(
    private readonly folded: FoldedFunction,
    { frequencies, minTail, options, placed }: TailMergingRun,
  ) {
    const { fn } = folded;
    this.frequencies = frequencies;
    this.placed = placed ?? null;
    this.isEnabled = options.get('enable-tail-merge') !== false;
    this.minTail = minTail;
    this.maxBlocks = Number(options.get('tail-merge-threshold') ?? MAX_BLOCKS);
    this.isForSize = fn.isForSize;
  }

  /** @llvm BranchFolding.cpp BranchFolder::TailMergeBlocks */
  run(): boolean {
    if (!this.isEnabled) return false;
    const { folded } = this;
    const { fn, layout } = folded;
    let hasChanged = false;
    this.candidates = [];
    for (const b of layout.order()) {
      if (this.candidates.length === this.maxBlocks) break;
      if (!this.tried.has(b) && fn.blocks[b].successors.length === 0)
        this.add(b, folded.ends.branchLocation(b, folded.names));
    }
    this.noteTried();
    if (this.candidates.length >= 2) hasChanged = this.merge({ successor: -1, before: -1 });
    for (let b = layout.after(layout.first); b >= 0; b = layout.after(b)) {
      if (fn.blocks[b].predecessors.length < 2 || this.placed?.loopOf(b)?.header === b) continue;
      this.candidates = [];
      this.takeOutBranches(b);
      this.noteTried();
      if (this.candidates.length >= 2 && this.merge({ successor: b, before: layout.before(b) })) hasChanged = true;
      if (this.candidates.length === 1 && this.candidates[0].block !== layout.before(b))
        this.fixTail(this.candidates[0], b);
    }
    return hasChanged;
  }

  private add(block: BlockId, location: () => string | undefined): void {
    this.candidates.push({ hash: this.hashOfEnd(block), block, location });
  }

  private noteTried(): void {
    if (this.candidates.length === this.maxBlocks) for (const { block } of this.candidates) this.tried.add(block);
  }

  /** Predecessors of a block go to it without a branch for the time being. */
  private takeOutBranches(b: BlockId): void {
    const { folded } = this;
    const { fn, ends, layout } = folded;
    for (const p of new Set(fn.blocks[b].predecessors)) {
      if (this.candidates.length === this.maxBlocks) return;
      if (this.tried.has(p) || p === b) continue;
      if (this.placed !== null && this.placed.loopOf(p) !== this.placed.loopOf(b)) continue;
      const branches = folded.read(p);
      if (branches === null) continue;
      const { target, otherTarget, condition } = branches;
      const isTarget = condition !== null && target === b;
      const other = isTarget && otherTarget < 0 ? layout.after(p) : otherTarget;
      const location = ends.branchLocation(p, this.folded.names);
      if (target >= 0 && (condition === null || other >= 0)) {
        ends.remove(p);
        if (condition !== null)
          ends.insert(p, isTarget ? other : target, -1, isTarget ? ends.reversed(condition) : condition, location());
      }
      this.add(p, location);
    }
  }

  // -- groups of blocks that may have a common end ----------------------------------------------------------------------------

  /** @llvm BranchFolding.cpp BranchFolder::TryTailMergeBlocks */
  private merge(meeting: Meeting): boolean {
    const { folded } = this;
    const { layout } = folded;
    const byNumber = (a: Candidate, b: Candidate): number => layout.numberOf(a.block) - layout.numberOf(b.block);
    this.candidates.sort((a, b) => a.hash - b.hash || byNumber(a, b));
    let hasChanged = false;
    while (this.candidates.length > 1) {
      const { hash, location } = this.candidates.at(-1)!;
      const tails = this.longestTails(hash, meeting);
      if (tails.length === 0) {
        this.putBack(hash, meeting, location);
        continue;
      }
      let common = this.wholeTail(tails, meeting);
      if (common < 0) common = this.splitOff(tails, meeting);
      const { block } = tails[common].of;
      this.weighEdges(block, tails);
      this.mergeInstrs(tails, common);
      for (const [k, tail] of tails.entries()) {
        if (k === common) continue;
        this.branchTo(tail, block);
        this.candidates.splice(this.candidates.indexOf(tail.of), 1);
      }
      hasChanged = true;
    }
    return hasChanged;
  }

  /**
   * The blocks of one hash with the most instructions in common.
   * @llvm BranchFolding.cpp BranchFolder::ComputeSameTails
   */
  private longestTails(hash: number, meeting: Meeting): Tail[] {
    const { candidates } = this;
    let tails: Tail[] = [];
    let longest = 0;
    let owner = candidates.length - 1;
    for (let k = candidates.length - 1; k > 0 && candidates[k].hash === hash; k--)
      for (let m = k - 1; m >= 0 && candidates[m].hash === hash; m--) {
        const tail = this.tailToMerge(candidates[k].block, candidates[m].block, meeting);
        if (tail === null) continue;
        if (tail.length > longest) {
          longest = tail.length;
          owner = k;
          tails = [{ of: candidates[k], begin: tail.begins[0] }];
        }
        if (owner === k && tail.length === longest) tails.push({ of: candidates[m], begin: tail.begins[1] });
      }
    return tails;
  }

  /**
   * Blocks of one hash are done: their branches come back.
   * @llvm BranchFolding.cpp BranchFolder::RemoveBlocksWithHash
   */
  private putBack(hash: number, { successor, before }: Meeting, location: Candidate['location']): void {
    for (let last = this.candidates.at(-1); last?.hash === hash; last = this.candidates.at(-1)) {
      if (successor >= 0 && last.block !== before) this.fixTail({ ...last, location }, successor);
      this.candidates.pop();
    }
  }

  /**
   * A block goes to a successor by a branch again; one that goes to what follows by a condition goes to the other by the opposite.
   * @llvm BranchFolding.cpp FixTail
   */
  private fixTail({ block, location }: Candidate, successor: BlockId): void {
    const { folded } = this;
    const { ends, layout } = folded;
    const own = ends.branchLocation(block, folded.names);
    const where = (): string | undefined => own() ?? location();
    const next = layout.after(block);
    const branches = next < 0 ? null : folded.read(block);
    if (branches !== null && branches.condition !== null && branches.target === next && branches.otherTarget < 0) {
      ends.remove(block);
      ends.insert(block, successor, -1, ends.reversed(branches.condition), where());
      return;
    }
    ends.insert(block, successor, -1, null, where());
  }

  // -- whether it is worth while --------------------------------------------------------------------------------------------

  /**
   * The common end of two blocks; null where it is not worth a branch.
   * @llvm BranchFolding.cpp ProfitableToMerge
   */
  private tailToMerge(a: BlockId, b: BlockId, meeting: Meeting): CommonTail | null {
    const { folded } = this;
    const { layout, editor } = folded;
    const { list } = editor;
    const tail = this.commonTail(a, b);
    if (tail === null) return null;
    const whole = (block: BlockId, at: ListPos): boolean => list.first(block) === at;
    const begins = ([a, b] as const).map((block, k) => {
      const at = tail.begins[k];
      return folded.skipDebug(list.first(block), true) === at ? list.first(block) : at;
    }) as [ListPos, ListPos];
    const found = { length: tail.length, begins };
    const [isWholeA, isWholeB] = [whole(a, begins[0]), whole(b, begins[1])];
    const { successor, before } = meeting;
    const isBefore = a === before || b === before;
    const isAlone = this.placed === null || folded.fn.blocks[a].successors.length === 1;
    if (isBefore && isAlone && tail.length > this.countTerminators(a === before ? b : a)) return found;
    if (isWholeA && isWholeB && this.endsUnreachable(a) && this.endsUnreachable(b)) return found;
    if (layout.after(a) === b && isWholeB) return found;
    if (layout.after(b) === a && isWholeA) return found;
    const stays = isWholeA && isWholeB && this.placed !== null;
    if (stays && !(this.isFallenThrough(a) && this.isFallenThrough(b))) return found;
    const isBarrier = (block: BlockId): boolean => {
      const last = list.before(~block);
      return last >= 0 && folded.isBundledOr(last, McFlag.Barrier);
    };
    const saved = tail.length + (successor >= 0 && !isBefore && isAlone && !isBarrier(a) && !isBarrier(b) ? 1 : 0);
    if (saved >= this.minTail) return found;
    return saved >= 2 && this.isForSize && (isWholeA || isWholeB) ? found : null;
  }

  /** A block that its predecessor in the layout falls into, and that falls through or ends the function. */
  private isFallenThrough(b: BlockId): boolean {
    const { folded } = this;
    const { fn, layout } = folded;
    if (fn.blocks[b].successors.length > 0 && !folded.canFallThrough(b)) return false;
    return b !== layout.first && folded.canFallThrough(layout.before(b));
  }

  /** @llvm BranchFolding.cpp ComputeCommonTailLength */
  private commonTail(a: BlockId, b: BlockId): CommonTail | null {
    const { folded } = this;
    const { fn } = folded;
    let length = 0;
    let begins: [ListPos, ListPos] = [~a, ~b];
    for (let [i, j] = begins; ; length++, begins = [i, j]) {
      i = this.before(i);
      j = this.before(j);
      if (i < 0 || j < 0 || !sameInstr(fn, i, j) || folded.isInlineAsm(i)) break;
    }
    return length === 0 ? null : { length, begins };
  }

  /** The instruction before a place that counts as one, negative without. */
  private before(at: ListPos): ListPos {
    const { folded } = this;
    const { list } = folded.editor;
    let i = list.before(at);
    while (i >= 0 && !folded.counts(i)) i = list.before(i);
    return i;
  }

  /** @llvm BranchFolding.cpp CountTerminators */
  private countTerminators(b: BlockId): number {
    const { folded } = this;
    const { list } = folded.editor;
    let n = 0;
    for (let i = list.before(~b); i >= 0 && folded.isBundledOr(i, McFlag.Terminator); i = list.before(i)) n++;
    return n;
  }

  /** @llvm BranchFolding.cpp blockEndsInUnreachable */
  private endsUnreachable(b: BlockId): boolean {
    const { folded } = this;
    if (folded.fn.blocks[b].successors.length > 0) return false;
    const last = folded.editor.list.before(~b);
    return last < 0 || !(folded.isBundledOr(last, McFlag.Return) || folded.isBundledOr(last, McFlag.IndirectBranch));
  }

  /**
   * Blocks are sorted by it.
   * @llvm BranchFolding.cpp HashEndOfMBB
   */
  private hashOfEnd(b: BlockId): number {
    const { folded } = this;
    const { fn, layout } = folded;
    const i = folded.lastReal(b, true);
    if (i < 0) return 0;
    let hash: number = fn.opcode[i];
    for (let o = fn.opBegin[i], k = 0; o < fn.opBegin[i + 1]; o++, k++) {
      const kind = fn.opKind[o];
      const val = fn.opVal[o];
      let own = 0;
      if (kind === OperandKind.Register) own = val < 0 ? 0x80000000 | ~val : val;
      else if (kind === OperandKind.Immediate) own = val;
      else if (kind === OperandKind.MBB) own = layout.numberOf(val);
      else if (kind === OperandKind.FrameIndex) own = val;
      else if (kind === OperandKind.ConstantPoolIndex) own = fn.payload(o, kind).index;
      else if (kind === OperandKind.GlobalAddress || kind === OperandKind.ExternalSymbol)
        own = Number(BigInt.asIntN(32, fn.payload(o, kind).offset));
      hash += ((own << 3) | kind) << (k & 31);
    }
    return hash >>> 0;
  }

  // -- the block that stays --------------------------------------------------------------------------------------------------------

  /** The block that is nothing but the common end, and that the others can go to; -1: none is. */
  private wholeTail(tails: readonly Tail[], { before }: Meeting): number {
    const { folded } = this;
    const { layout } = folded;
    const isWhole = ({ of, begin }: Tail): boolean => folded.editor.list.first(of.block) === begin;
    if (tails.length === 2) {
      const [a, b] = tails;
      if (layout.after(a.of.block) === b.of.block && isWhole(b)) return 1;
      if (layout.after(b.of.block) === a.of.block && isWhole(a)) return 0;
    }
    let chosen = -1;
    for (const [k, tail] of tails.entries()) {
      if (tail.of.block === layout.first && isWhole(tail)) continue;
      if (tail.of.block === before) return isWhole(tail) ? k : -1;
      if (isWhole(tail)) chosen = k;
    }
    return chosen;
  }

  /**
   * The common end of one block becomes a block of its own. Returns which one's.
   * @llvm BranchFolding.cpp BranchFolder::CreateCommonTailOnlyBlock
   */
  private splitOff(tails: readonly Tail[], meeting: Meeting): number {
    const { folded } = this;
    const { fn } = folded;
    let chosen = 0;
    let least = Infinity;
    for (const [k, { of, begin }] of tails.entries()) {
      const { block } = of;
      if (block === meeting.before) {
        chosen = k;
        break;
      }
      const time = this.timeUpTo(block, begin);
      if (time > least) continue;
      least = time;
      chosen = k;
    }
    const { of, begin } = tails[chosen];
    const { block } = of;
    const named = meeting.successor >= 0 && fn.blocks[block].successors.length === 1 ? meeting.successor : block;
    const made = this.splitAt(block, begin, named);
    of.block = made;
    tails[chosen].begin = folded.editor.list.first(made);
    if (meeting.before === block) meeting.before = made;
    return chosen;
  }

  /** @llvm BranchFolding.cpp EstimateRuntime */
  private timeUpTo(b: BlockId, end: ListPos): number {
    const { folded } = this;
    const { list } = folded.editor;
    let time = 0;
    for (let i = list.first(b); i !== end; i = list.after(i)) {
      if (!folded.counts(i)) continue;
      const isMemory = folded.isBundledOr(i, McFlag.MayLoad) || folded.isBundledOr(i, McFlag.MayStore);
      time += folded.isBundledOr(i, McFlag.Call) ? CALL_TIME : isMemory ? MEMORY_TIME : 1;
    }
    return time;
  }

  /**
   * From `begin` on the instructions of a block become one of their own, behind it, that has the name of `named`.
   * @llvm BranchFolding.cpp BranchFolder::SplitMBBAt
   */
  private splitAt(b: BlockId, begin: ListPos, named: BlockId): BlockId {
    const { folded } = this;
    const { fn, editor, layout } = folded;
    const made = editor.appendBlock();
    layout.insertAfter(made, b);
    this.placed?.add(made, b);
    const { irName, irBlockRef } = fn.blocks[named];
    Object.assign(fn.blocks[made], { irName, irBlockRef });
    transferSuccessors(fn, b, made);
    addSuccessor(fn, b, made);
    for (let i = begin; i >= 0;) {
      const next = editor.list.after(i);
      editor.move(i, ~made, made);
      i = next;
    }
    this.frequencies[made] = this.frequencies[b];
    if (folded.tracksLiveness) folded.setLiveIns(made, folded.liveAtBegin(made));
    return made;
  }

  /**
   * How often a common end goes where, by how often the blocks that it was of run.
   * @llvm BranchFolding.cpp BranchFolder::setCommonTailEdgeWeights
   */
  private weighEdges(b: BlockId, tails: readonly Tail[]): void {
    const { fn } = this.folded;
    const { successors } = fn.blocks[b];
    const edges = successors.map(() => 0n);
    let all = 0n;
    for (const { of } of tails) {
      const { block } = of;
      const frequency = this.frequencies[block];
      all = saturated(all + frequency);
      if (successors.length <= 1) continue;
      const own = fn.blocks[block];
      for (const [k, s] of successors.entries()) {
        const at = own.successors.indexOf(s);
        const probability = at < 0 ? 0 : probabilityAt(own.probabilities, at);
        edges[k] = saturated(edges[k] + (frequency * BigInt(probability)) / BigInt(PROBABILITY_ONE));
      }
    }
    this.frequencies[b] = all;
    const sum = edges.reduce((x, y) => saturated(x + y), 0n);
    if (successors.length > 1 && sum > 0n) fn.blocks[b].probabilities = edges.map((e) => probabilityOf(e, sum));
  }

  // -- instructions of several blocks become those of one -----------------------------------------------------------------------------

  /** @llvm BranchFolding.cpp BranchFolder::mergeCommonTails */
  private mergeInstrs(tails: readonly Tail[], common: number): void {
    const { folded } = this;
    const { fn, editor } = folded;
    const { list } = editor;
    const { block } = tails[common].of;
    const counted = (from: ListPos): InstrId[] => {
      const all: InstrId[] = [];
      for (let i = from; i >= 0; i = list.after(i)) if (folded.counts(i)) all.push(i);
      return all;
    };
    const own = counted(list.first(block));
    const others = tails.filter((_, k) => k !== common).map(({ begin }) => counted(begin));
    for (const other of others)
      for (let [k, m] = [own.length - 1, other.length - 1]; m >= 0; k--, m--) this.mergeInto(own[k], other[m]);
    for (const [k, i] of own.entries()) {
      const locations = [i, ...others.map((other) => other[k])].map((m) => fn.extras.get(m)?.debugLocation);
      const debugLocation = mergedLocation(folded.names, locations);
      setLocation(fn, i, debugLocation);
    }
    if (folded.tracksLiveness) this.defineUndefined(block);
  }

  /**
   * An instruction stands for another one, too: it accesses what both access, and what one of them reads is defined.
   * @llvm BranchFolding.cpp mergeOperations
   */
  private mergeInto(i: InstrId, other: InstrId): void {
    const { folded } = this;
    const { fn } = folded;
    if (folded.isBundledOr(i, McFlag.MayLoad) || folded.isBundledOr(i, McFlag.MayStore))
      fn.memOperands[i] = mergedMemory(fn.memOperands[i] ?? [], fn.memOperands[other] ?? []);
    for (let k = 0; k < fn.numOperands(i); k++) {
      const [o, p] = [fn.opBegin[i] + k, fn.opBegin[other] + k];
      if (fn.opKind[o] === OperandKind.Register && (fn.opFlags[p] & OpFlag.Undef) === 0) fn.opFlags[o] &= ~OpFlag.Undef;
    }
  }

  /** What a common end reads now is defined in the blocks before it. */
  private defineUndefined(b: BlockId): void {
    const { folded } = this;
    const { fn, editor, reserved } = folded;
    const live = folded.liveAtBegin(b);
    for (const p of fn.blocks[b].predecessors) {
      const outs = folded.liveOuts(p);
      const at = firstTerminator(editor, p);
      for (const reg of live.all()) {
        if (!outs.isAvailable(reg, reserved)) continue;
        if (fn.tables.superRegs(reg).some((s) => live.has(s) && !reserved.isReserved(s))) continue;
        this.define(at, reg);
      }
    }
    folded.setLiveIns(b, live);
  }

  private define(at: ListPos, reg: PhysReg): void {
    const { builder, fn } = this.folded;
    builder.build(at, NO_LOCATION, fn.tables.opcodeByName('IMPLICIT_DEF'), [regOperand(reg, OpFlag.Def)]);
  }

  /**
   * A block goes to the common end in place of its own.
   * @llvm BranchFolding.cpp BranchFolder::replaceTailWithBranchTo
   */
  private branchTo({ of, begin }: Tail, common: BlockId): void {
    const { block } = of;
    const { folded } = this;
    const { fn, editor, layout, ends } = folded;
    const { list } = editor;
    if (folded.tracksLiveness) {
      const live = folded.liveOuts(block);
      for (let i = list.before(~block); ; i = list.before(i)) {
        live.stepBackward(i);
        if (i === begin) break;
      }
      for (const { reg } of fn.blocks[common].liveIns)
        if (live.isAvailable(reg, folded.reserved)) this.define(begin, reg);
    }
    for (const s of [...fn.blocks[block].successors]) removeSuccessor(fn, block, s);
    const location = fn.extras.get(begin)?.debugLocation;
    for (let i = begin; i >= 0;) {
      const next = list.after(i);
      editor.erase(i);
      i = next;
    }
    if (layout.after(block) !== common) ends.insert(block, common, -1, null, location);
    addSuccessor(fn, block, common);
  }
}

const MAX_FREQUENCY = (1n << 64n) - 1n;
const saturated = (f: bigint): bigint => (f > MAX_FREQUENCY ? MAX_FREQUENCY : f);

/** @llvm BranchProbability.cpp BranchProbability::getBranchProbability */
function probabilityOf(part: bigint, whole: bigint): number {
  let [n, d] = [part, whole];
  while (d > 0xffffffffn) {
    d >>= 1n;
    n >>= 1n;
  }
  const one = BigInt(PROBABILITY_ONE);
  return Number(d === one ? n : (n * one + d / 2n) / d);
}

/**
 * What one instruction accesses in the place of two; of nothing that is known nothing is known.
 * @llvm MachineInstr.cpp MachineInstr::cloneMergedMemRefs
 */
function mergedMemory(a: readonly MemOperand[], b: readonly MemOperand[]): readonly MemOperand[] | null {
  if (a.length === 0) return null;
  const text = (m: readonly MemOperand[]): string =>
    JSON.stringify(m, (_, v: unknown) => (typeof v === 'bigint' ? `${v}n` : v));
  if (text(a) === text(b)) return a;
  return b.length === 0 ? null : [...a, ...b];
}

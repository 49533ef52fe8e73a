/**
 * Copies of small blocks at the ends of those that jump to them. In SSA form the values of a copy are new registers, and what reads them is mended
 * (TailDuplicator, LLVM 22; docs/llvm/block-layout.md, 2).
 */
import type { DebugNames } from '../../model/printer/index.js';
import { isConvergent } from '../../analysis/safeToMove.js';
import {
  addSuccessor,
  normalizeSuccessors,
  removeSuccessor,
  replaceSuccessor,
  transferSuccessors,
} from '../../model/edit/blockEdges.js';
import { probabilityAt } from '../../model/probability.js';
import { regOperand, type FunctionEditor, type NewOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { McFlag, type RegClassId, type SubRegIdx } from '../../target/api.js';
import { BlockEnds } from '../blockEnds.js';
import { BlockLayout } from '../blockLayout.js';
import { firstTerminator, isDebugInstr, isDebugOrProbe } from '../instrOrder.js';
import { InstrQueries } from '../instrQueries.js';
import { NotModelled } from '../machinePass.js';
import { SSAUpdater } from '../ssaUpdater.js';

/** What a block may have at most. */
export interface TailLimits {
  /** instructions */
  readonly size: number;
  /** instructions before an indirect branch */
  readonly indirectSize: number;
  /** predecessors and successors, where both are more and there are PHIs */
  readonly predecessors: number;
  readonly successors: number;
  /** blocks that are copied in a function */
  readonly tails: number;
}

/** What places the blocks of a function while small ones are copied. */
export interface TailPlacement {
  readonly layout: BlockLayout;
  /** Called before a block goes that nobody goes to any more. */
  onRemove(b: BlockId): void;
}

/** A register, or a part of it. */
interface Value {
  readonly reg: Reg;
  readonly sub: SubRegIdx;
}

/** A copy of a value at the end of a block. */
interface NewCopy extends Value {
  readonly to: Reg;
}

/** What the copies of one block share. */
interface Work {
  readonly tail: BlockId;
  /** the block that it will follow, -1: the one before it in the layout */
  readonly forced: BlockId;
  /** what it falls through to, -1 = nothing */
  readonly next: BlockId;
  /** registers that the block's PHIs read */
  readonly readByPhis: ReadonlySet<Reg>;
  /** blocks that have got a copy */
  readonly taken: BlockId[];
  readonly copies: InstrId[];
}

/** Blocks with computed jumps may have so many instructions after allocation. */
const COMPUTED_JUMP_SIZE = 10;

function membersOf(fn: MachineFunction, header: InstrId): number {
  let n = 0;
  for (let m = header; (fn.bundle[m] & BundleFlag.BundledSucc) !== 0; m++) n++;
  return n;
}

export class TailDuplicator {
  private readonly fn: MachineFunction;
  private readonly layout: BlockLayout;
  private readonly ends: BlockEnds;
  private readonly queries: InstrQueries;
  private readonly builder: InstrBuilder;
  private readonly copy: number;
  private readonly phi: number;
  private readonly dead: BlockId[] = [];
  private nTails = 0;
  /** by register of the block that is copied, in the order in which they were met: what stands for it at the end of which block */
  private readonly versions = new Map<Reg, (readonly [BlockId, Reg])[]>();

  /** `isBeforeAllocation`: the function is in SSA form; `placement`: blocks are being placed, and their order says nothing yet */
  constructor(
    private readonly editor: FunctionEditor,
    private readonly names: DebugNames,
    private readonly isBeforeAllocation: boolean,
    private readonly limits: TailLimits,
    private readonly placement: TailPlacement | null = null,
  ) {
    this.fn = editor.fn;
    this.layout = placement?.layout ?? new BlockLayout(editor.blockOrder());
    this.ends = new BlockEnds(editor, this.layout.after);
    this.queries = new InstrQueries(this.fn);
    this.builder = new InstrBuilder(editor);
    this.copy = this.fn.tables.opcodeByName('COPY');
    this.phi = this.fn.tables.opcodeByName('PHI');
  }

  /**
   * Goes over all blocks once. Returns whether something has changed. O(size of the function, and of what is copied)
   * @llvm TailDuplicator.cpp TailDuplicator::tailDuplicateBlocks
   */
  runOnce(): boolean {
    let changed = false;
    const { first } = this.layout;
    let next = this.layout.after(first);
    for (let b = next; b >= 0; b = next) {
      next = this.layout.after(b);
      if (this.nTails >= this.limits.tails) break;
      const isSimple = this.isSimple(b);
      if (this.isWorthIt(b, isSimple) && this.duplicate(b, isSimple)) changed = true;
    }
    return changed;
  }

  /** Blocks that nobody jumps to any more are gone. */
  finish(): void {
    if (this.dead.length === 0) return;
    this.editor.takeOutBlocks(...this.dead);
    this.editor.dropTakenBlocks();
  }

  // -- which blocks ------------------------------------------------------------------------------------------------------

  private *instrsOf(b: BlockId): IterableIterator<InstrId> {
    const { list } = this.editor;
    for (let i = list.first(b); i >= 0;) {
      const next = list.after(i);
      yield i;
      i = next;
    }
  }

  private *phisOf(b: BlockId): IterableIterator<InstrId> {
    for (const i of this.instrsOf(b)) {
      if (this.fn.opcode[i] !== this.phi) return;
      yield i;
    }
  }

  private hasPhis(b: BlockId): boolean {
    const first = this.editor.list.first(b);
    return first >= 0 && this.fn.opcode[first] === this.phi;
  }

  /**
   * A jump, and nothing else.
   * @llvm TailDuplicator.cpp TailDuplicator::isSimpleBB
   */
  private isSimple(b: BlockId): boolean {
    const { predecessors, successors } = this.fn.blocks[b];
    if (successors.length !== 1 || predecessors.length === 0) return false;
    for (const i of this.instrsOf(b)) if (!isDebugOrProbe(this.fn, i)) return this.isJump(i);
    return true;
  }

  private isJump(i: InstrId): boolean {
    const { queries } = this;
    return queries.has(i, McFlag.Branch) && queries.has(i, McFlag.Barrier) && !queries.has(i, McFlag.IndirectBranch);
  }

  /** @llvm TailDuplicator.cpp TailDuplicator::shouldTailDuplicate */
  isWorthIt(b: BlockId, isSimple: boolean): boolean {
    const { successors } = this.fn.blocks[b];
    const fallsThrough = this.ends.fallThrough(b) >= 0;
    if (fallsThrough && (this.placement === null || this.ends.read(b) === null)) return false;
    if (successors.includes(b)) return false;
    const last = this.editor.list.before(~b);
    const isIndirect = last >= 0 && this.queries.has(last, McFlag.IndirectBranch);
    if (!this.isSmall(b, isIndirect)) return false;
    for (const s of successors)
      for (const phi of this.phisOf(s)) {
        const value = this.sourceFrom(phi, b);
        if (value >= 0 && this.fn.opSub[value] !== 0) return false;
      }
    return (isIndirect && this.isBeforeAllocation) || isSimple || !this.isBeforeAllocation || this.canGo(b);
  }

  private isSmall(b: BlockId, isIndirect: boolean): boolean {
    const { fn, queries, isBeforeAllocation, limits } = this;
    const { successors, predecessors } = fn.blocks[b];
    let most = this.fn.isForSize ? 1 : limits.size;
    if (isIndirect && isBeforeAllocation) most = limits.indirectSize;
    else if (isIndirect && successors.length > 0) most = Math.max(most, COMPUTED_JUMP_SIZE);
    let n = 0;
    for (const i of this.instrsOf(b)) {
      if (queries.anyHas(i, McFlag.NotDuplicable) || isConvergent(fn, i)) return false;
      if (isBeforeAllocation && (queries.anyHas(i, McFlag.Return) || queries.anyHas(i, McFlag.Call))) return false;
      if (queries.isBundle(i)) n += membersOf(fn, i);
      else if (fn.opcode[i] !== this.phi && !queries.isMeta(i)) n++;
      if (n > most) return false;
    }
    const isCrossing = predecessors.length > limits.predecessors && successors.length > limits.successors;
    return !(isBeforeAllocation && isCrossing && [b, ...successors].some((s) => this.hasPhis(s)));
  }

  /**
   * Each block before it can take a copy.
   * @llvm TailDuplicator.cpp TailDuplicator::canCompletelyDuplicateBB
   */
  private canGo(b: BlockId): boolean {
    return this.fn.blocks[b].predecessors.every((p) => this.endsInJump(p));
  }

  private endsInJump(b: BlockId): boolean {
    if (this.fn.blocks[b].successors.length > 1) return false;
    const ends = this.ends.read(b);
    return ends !== null && ends.condition === null;
  }

  // -- copies ------------------------------------------------------------------------------------------------------------

  /** @llvm TailDuplicator.cpp TailDuplicator::tailDuplicateAndUpdate */
  private duplicate(b: BlockId, isSimple: boolean): boolean {
    return this.copyTail(b, isSimple, -1) !== null;
  }

  /**
   * Copies a block that is worth it into those that jump to it, while blocks are placed: behind `forced`, which takes the block itself where nobody else
   * goes to it. Returns those that have got it.
   */
  copyPlaced(b: BlockId, forced: BlockId): readonly BlockId[] {
    return this.copyTail(b, false, forced) ?? [];
  }

  /**
   * A block can take a copy of another one.
   * @llvm TailDuplicator.cpp TailDuplicator::canTailDuplicate
   */
  takesCopy(p: BlockId, tail: BlockId): boolean {
    return this.endsInJump(p) && !this.fn.blocks[tail].isInlineAsmBrIndirectTarget;
  }

  private copyTail(b: BlockId, isSimple: boolean, forced: BlockId): readonly BlockId[] | null {
    const { fn, layout } = this;
    const successors = new Set(fn.blocks[b].successors);
    const readByPhis = new Set<Reg>();
    for (const phi of this.phisOf(b))
      for (let o = fn.opBegin[phi] + 1; o < fn.opBegin[phi + 1]; o += 2) readByPhis.add(fn.opVal[o]);
    const next = this.ends.fallThrough(b) >= 0 ? layout.after(b) : -1;
    const work: Work = { tail: b, forced, next, readByPhis, taken: [], copies: [] };
    if (!(isSimple ? this.passBy(work) : this.copyIntoPredecessors(work))) return null;
    this.nTails++;
    const isDead = fn.blocks[b].predecessors.length === 0 && !this.fn.isAddressTaken(b);
    if (this.isBeforeAllocation) for (const s of successors) this.updatePhis(s, work, isDead);
    if (isDead) this.removeBlock(b);
    this.mendValues();
    for (const copy of work.copies) this.dropCopy(copy);
    return work.taken;
  }

  /**
   * Who jumps to a block that only jumps goes on to its target.
   * @llvm TailDuplicator.cpp TailDuplicator::duplicateSimpleBB
   */
  private passBy({ tail, taken }: Work): boolean {
    const { fn, ends, layout } = this;
    const [target] = fn.blocks[tail].successors;
    let changed = false;
    for (const p of [...fn.blocks[tail].predecessors]) {
      const block = fn.blocks[p];
      if (block.successors.some((s) => fn.blocks[s].isLandingPad || fn.blocks[s].isInlineAsmBrIndirectTarget)) continue;
      if (block.successors.includes(target) && this.hasPhis(target)) continue;
      const read = ends.read(p);
      if (read === null) continue;
      changed = true;
      const next = layout.after(p);
      const moved = (to: BlockId): BlockId => {
        const explicit = to < 0 ? next : to;
        return explicit === tail ? target : explicit;
      };
      let to = moved(read.target);
      let other = moved(read.condition === null ? read.target : read.otherTarget);
      const condition = to === other ? null : read.condition;
      if (to === other) other = -1;
      if (other === next) other = -1;
      if (to === next && other < 0) to = -1;
      const location = ends.branchLocation(p, this.names);
      ends.remove(p);
      if (!block.successors.includes(target)) replaceSuccessor(fn, p, tail, target);
      else {
        removeSuccessor(fn, p, tail);
        normalizeSuccessors(fn, p);
      }
      if (to >= 0) ends.insert(p, to, other, condition, location());
      taken.push(p);
    }
    return changed;
  }

  /** @llvm TailDuplicator.cpp TailDuplicator::tailDuplicate */
  private copyIntoPredecessors(work: Work): boolean {
    const { fn, ends, layout } = this;
    const { tail, taken, forced, next } = work;
    const predecessors = [...new Set(fn.blocks[tail].predecessors)];
    let changed = false;
    for (const p of predecessors) {
      if (!this.takesCopy(p, tail)) continue;
      // Into one that falls through it moves, below.
      if (forced >= 0 ? p === forced : layout.after(p) === tail && ends.fallThrough(p) >= 0) continue;
      taken.push(p);
      ends.remove(p);
      this.copyInstrs(work, p, false);
      removeSuccessor(fn, p, tail);
      fn.blocks[tail].successors.forEach((s, k) =>
        addSuccessor(fn, p, s, probabilityAt(fn.blocks[tail].probabilities, k)),
      );
      if (next >= 0) ends.update(p, next);
      changed = true;
    }
    const merged = this.moveIntoPrevious(work);
    if (merged === 'not')
      return this.isBeforeAllocation && changed ? this.copyPhisElsewhere(work, predecessors) : changed;
    if (merged === 'branches' && !changed) return true;
    return this.isBeforeAllocation ? this.copyPhisElsewhere(work, predecessors) : true;
  }

  /** What is left goes into the block before it, if only that one comes to it. 'branches': nothing but jumps has gone. */
  private moveIntoPrevious(work: Work): 'all' | 'branches' | 'not' {
    const { fn, ends, layout, editor } = this;
    const { tail, taken, forced, next } = work;
    const previous = forced >= 0 ? forced : layout.before(tail);
    const { successors } = fn.blocks[previous];
    if (successors.length !== 1 || successors[0] !== tail) return 'not';
    const read = ends.read(previous);
    if (read === null || read.condition !== null || (read.target >= 0 && read.target !== tail)) return 'not';
    if (fn.blocks[tail].predecessors.length !== 1 || this.fn.isAddressTaken(tail)) return 'not';
    const hadBranch = read.target >= 0;
    ends.remove(previous);
    if (firstTerminator(editor, previous) >= 0) return hadBranch ? 'branches' : 'not';
    if (this.isBeforeAllocation) this.copyInstrs(work, previous, true);
    else for (const i of this.instrsOf(tail)) editor.move(i, ~previous, previous);
    removeSuccessor(fn, previous, tail);
    transferSuccessors(fn, tail, previous);
    if (next >= 0) ends.update(previous, next);
    taken.push(previous);
    return 'all';
  }

  /** Of a loop of which some ways in have got copies, PHIs are needed elsewhere: the other ways get copies of the values. */
  private copyPhisElsewhere(work: Work, predecessors: readonly BlockId[]): true {
    for (const p of predecessors) {
      if (work.taken.includes(p) || this.fn.blocks[p].successors.length !== 1) continue;
      const copies: NewCopy[] = [];
      for (const phi of this.phisOf(work.tail)) this.takePhi(work, phi, p, new Map(), copies, false);
      this.addCopies(work, p, copies);
    }
    return true;
  }

  private copyInstrs(work: Work, to: BlockId, isMove: boolean): void {
    const { fn, editor } = this;
    const values = new Map<Reg, Value>();
    const copies: NewCopy[] = [];
    for (const i of this.instrsOf(work.tail)) {
      if (fn.opcode[i] === this.phi) this.takePhi(work, i, to, values, copies, true);
      else {
        this.copyInstr(work, i, to, values);
        if (isMove) editor.erase(i);
      }
    }
    this.addCopies(work, to, copies);
  }

  /** The operand of a PHI with the value that comes from a block, -1 = none. */
  private sourceFrom(phi: InstrId, from: BlockId): OperandId {
    const { fn } = this;
    for (let o = fn.opBegin[phi] + 1; o + 1 < fn.opBegin[phi + 1]; o += 2) if (fn.opVal[o + 1] === from) return o;
    return -1;
  }

  /**
   * What a PHI has from a block is copied at its end; `isTaken`: the block is none of its sources any more.
   * @llvm TailDuplicator.cpp TailDuplicator::processPHI
   */
  private takePhi(
    work: Work,
    phi: InstrId,
    from: BlockId,
    values: Map<Reg, Value>,
    copies: NewCopy[],
    isTaken: boolean,
  ): void {
    const { fn, editor, builder } = this;
    const o = this.sourceFrom(phi, from);
    const result = fn.opVal[fn.opBegin[phi]];
    const value = { reg: fn.opVal[o], sub: fn.opSub[o] };
    values.set(result, value);
    const to = builder.newVReg(this.classOf(result));
    copies.push({ to, ...value });
    if (this.isReadElsewhere(work, result)) this.addVersion(result, to, from);
    if (!isTaken) return;
    const kept: number[] = [0];
    for (let k = 1; k + 1 < fn.numOperands(phi); k += 2)
      if (fn.opVal[fn.opBegin[phi] + k + 1] !== from) kept.push(k, k + 1);
    if (kept.length > 1) editor.reshape(phi, kept);
    else if (!this.fn.isAddressTaken(work.tail)) editor.erase(phi);
    else fn.opcode[editor.reshape(phi, kept)] = fn.tables.opcodeByName('IMPLICIT_DEF');
  }

  /** @llvm TailDuplicator.cpp TailDuplicator::duplicateInstruction */
  private copyInstr(work: Work, i: InstrId, to: BlockId, values: Map<Reg, Value>): void {
    const { fn, editor, builder, queries } = this;
    if (queries.isBundle(i)) throw new NotModelled('copies of bundles');
    const made = editor.insertCopy(~to, to, i);
    if (!this.isBeforeAllocation) return;
    for (let o = fn.opBegin[made]; o < fn.opBegin[made + 1]; o++) {
      const reg = fn.opVal[o];
      if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(reg)) continue;
      if ((fn.opFlags[o] & OpFlag.Def) !== 0) {
        const own = builder.newVReg(this.classOf(reg));
        editor.setReg(o, own);
        values.set(reg, { reg: own, sub: 0 });
        if (this.isReadElsewhere(work, reg)) this.addVersion(reg, own, to);
        continue;
      }
      const value = values.get(reg);
      if (value === undefined) continue;
      if (this.fits(value, this.classOf(reg), isDebugInstr(fn, made))) {
        editor.setReg(o, value.reg);
        fn.opSub[o] = this.composed(value.sub, fn.opSub[o]);
      } else {
        const own = builder.newVReg(this.classOf(reg));
        builder.build(made, made, this.copy, [regOperand(own, OpFlag.Def), regOperand(value.reg, 0, value.sub)]);
        values.set(reg, { reg: own, sub: 0 });
        editor.setReg(o, own);
      }
      fn.opFlags[o] &= ~OpFlag.Kill;
    }
  }

  private composed(a: SubRegIdx, b: SubRegIdx): SubRegIdx {
    if (a === 0 || b === 0) return a + b;
    return this.fn.tables.composeSubRegIndices(a, b);
  }

  /** Whether a value may stand where a register of a class stood; its class is narrowed for that. */
  private fits({ reg, sub }: Value, rc: RegClassId, isDebug: boolean): boolean {
    const { fn, editor } = this;
    if (sub === 0) return isDebug || editor.constrainClass(reg, rc);
    const common = fn.tables.getMatchingSuperRegClass(this.classOf(reg), rc, sub);
    if (common < 0) return false;
    fn.vregs.regClass[virtRegIndex(reg)] = common;
    return true;
  }

  private classOf(reg: Reg): RegClassId {
    const rc = this.fn.vregs.regClass[virtRegIndex(reg)];
    if (rc < 0) throw new NotModelled('generic registers in a block that is copied');
    return rc;
  }

  private isReadElsewhere({ tail, readByPhis }: Work, reg: Reg): boolean {
    const { editor, fn } = this;
    return readByPhis.has(reg) || editor.usesOf(reg).some((o) => fn.instrBlock[editor.instrOf(o)] !== tail);
  }

  private addVersion(reg: Reg, version: Reg, at: BlockId): void {
    const known = this.versions.get(reg);
    if (known === undefined) this.versions.set(reg, [[at, version]]);
    else known.push([at, version]);
  }

  /** @llvm TailDuplicator.cpp TailDuplicator::appendCopies */
  private addCopies(work: Work, b: BlockId, copies: readonly NewCopy[]): void {
    const { builder, editor, fn } = this;
    if (copies.length > 0 && fn.blocks[work.tail].isInlineAsmBrIndirectTarget)
      throw new NotModelled('copies before assembly that jumps');
    for (const { to, reg, sub } of copies) {
      const operands = [regOperand(to, OpFlag.Def), regOperand(reg, 0, sub)];
      work.copies.push(builder.build(firstTerminator(editor, b), NO_LOCATION, this.copy, operands));
    }
  }

  // -- SSA form ----------------------------------------------------------------------------------------------------------

  /**
   * PHIs after the block have values from those that have got copies of it.
   * @llvm TailDuplicator.cpp TailDuplicator::updateSuccessorsPHIs
   */
  private updatePhis(s: BlockId, { tail, taken }: Work, isDead: boolean): void {
    const { fn, editor } = this;
    for (const phi of this.phisOf(s)) {
      const from = this.sourceFrom(phi, tail);
      if (from < 0) continue;
      const reg = fn.opVal[from];
      const versions = this.versions.get(reg);
      const sources =
        versions?.filter(([b]) => fn.blocks[b].successors.includes(s)) ?? taken.map((b) => [b, reg] as const);
      const kept: (number | NewOperand)[] = [0];
      let rest = sources;
      for (let k = 1; k + 1 < fn.numOperands(phi); k += 2) {
        const o = fn.opBegin[phi] + k;
        if (!isDead || fn.opVal[o + 1] !== tail) kept.push(k, k + 1);
        else if (o === from && sources.length > 0) {
          // The first one takes its place, flags and all.
          const [[block, version]] = sources;
          editor.setReg(o, version);
          fn.opVal[o + 1] = block;
          kept.push(k, k + 1);
          rest = sources.slice(1);
        }
      }
      for (const [block, version] of rest) kept.push(regOperand(version), { kind: OperandKind.MBB, val: block });
      editor.reshape(phi, kept);
    }
  }

  /** @llvm TailDuplicator.cpp TailDuplicator::removeDeadBlock */
  private removeBlock(b: BlockId): void {
    const { fn, editor, layout } = this;
    this.placement?.onRemove(b);
    for (const i of this.instrsOf(b)) editor.erase(i);
    for (const s of [...fn.blocks[b].successors].reverse()) removeSuccessor(fn, b, s);
    layout.remove(b);
    this.dead.push(b);
  }

  /** Who reads a register that has several versions now reads the one that arrives. */
  private mendValues(): void {
    const { fn, editor } = this;
    for (const [reg, versions] of this.versions) {
      const updater = new SSAUpdater(this.builder);
      updater.start(this.classOf(reg));
      const def = editor.defOf(reg);
      const home = def < 0 ? -1 : fn.instrBlock[def];
      if (home >= 0) updater.provide(home, reg);
      for (const [b, version] of versions) updater.provide(b, version);
      const uses: OperandId[] = [];
      for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) if (!editor.isDef(o)) uses.push(o);
      for (const o of uses) {
        const i = editor.instrOf(o);
        if (!editor.isDebug(o) && (fn.instrBlock[i] !== home || fn.opcode[i] === this.phi)) updater.rewriteUse(o);
      }
      for (const o of uses)
        if (editor.isDebug(o)) editor.setReg(o, updater.knownInMiddleOf(fn.instrBlock[editor.instrOf(o)]));
    }
    this.versions.clear();
  }

  /** A copy that alone reads its source is not needed. */
  private dropCopy(i: InstrId): void {
    const { fn, editor } = this;
    const [to, from] = [fn.opVal[fn.opBegin[i]], fn.opVal[fn.opBegin[i] + 1]];
    if (editor.onlyUse(from) < 0 || !editor.constrainClass(from, this.classOf(to))) return;
    editor.replaceReg(to, from);
    editor.erase(i);
  }
}

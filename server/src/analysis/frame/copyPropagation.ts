/**
 * The first machine-cp after allocation, which runs before prologepilog: readers of a copy take its source, what writes the source of a copy writes the
 * copy's result, and copies that nothing reads go. Registers that only such copies name are not used any more. Follows MachineCopyPropagation.cpp (LLVM 22;
 * docs/llvm/allocation-pipeline.md, 8).
 */
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { maskClobbers } from '../../model/regMask.js';
import { isPhysicalReg } from '../../model/register.js';
import type { PhysReg } from '../../target/api.js';
import type { BitSet } from '../../util/bitset.js';
import { lazy } from '../../util/lazy.js';
import { OpcodeTrait, opcodeTraits } from '../opcodeTraits.js';
import { operandClass } from '../operandClass.js';
import { ReservedRegs } from '../reservedRegs.js';
import { hasUnitOf } from './entryUnits.js';
import { CopyTracker, type Copy } from './copyTracker.js';

/** The function without such copies; itself where it has none. `unkilled`: units whose registers no use kills; `reserved`: those of the text without it. O(operands) */
export function withCopiesPropagated(
  fn: MachineFunction,
  unkilled: BitSet | null = null,
  reserved: ReservedRegs | null = null,
): MachineFunction {
  const copy = fn.tables.opcodeByName('COPY');
  if (fn.isOptNone || fn.vregs.n > 0) return fn;
  for (let p = 0; p < (fn.blockEnd.at(-1) ?? 0); p++)
    if (fn.opcode[fn.order[p]] === copy) return new CopyPropagation(fn.clone(), unkilled, reserved).run() ?? fn;
  return fn;
}

const NOT_READ = OpFlag.Undef | OpFlag.Internal | OpFlag.Def;

class CopyPropagation {
  private readonly copyOpcode: number;
  private readonly reserved: ReservedRegs;
  private readonly tracker: CopyTracker;
  private readonly traits: Uint8Array;
  private readonly erased = new Set<InstrId>();
  /** copies of the block that go unless something reads them, in the order in which they were found */
  private readonly maybeDead = new Set<InstrId>();
  /** headers and single instructions of the block */
  private instrs: InstrId[] = [];
  private readonly placeOf: Int32Array;
  /** places of those that have a register mask */
  private masks: number[] = [];
  /** debug instructions that look at the result of a copy */
  private readonly watchers = new Map<InstrId, Set<InstrId>>();
  private hasChanged = false;
  private readonly definedUnits = lazy(() => this.unitsDefined());
  private readonly crossings = new Map<number, boolean | null>();

  constructor(
    private readonly fn: MachineFunction,
    private readonly unkilled: BitSet | null,
    reserved: ReservedRegs | null,
  ) {
    this.copyOpcode = fn.tables.opcodeByName('COPY');
    this.reserved = reserved ?? new ReservedRegs(fn);
    this.tracker = new CopyTracker(fn.tables);
    this.traits = opcodeTraits(fn.tables);
    this.placeOf = new Int32Array(fn.nInstrs);
  }

  /** null: nothing changes. */
  run(): MachineFunction | null {
    const { fn } = this;
    for (let b = 0; b < fn.blocks.length; b++) {
      this.enter(b);
      if (!this.instrs.some((i) => fn.opcode[i] === this.copyOpcode)) continue;
      this.propagateBackward();
      this.endDirection();
      this.instrs = this.instrs.filter((i) => !this.erased.has(i));
      this.propagateForward();
      this.keepLiveOuts(b);
      // Without live-ins of the successors nobody knows what is dead.
      if (fn.header.tracksRegLiveness || fn.blocks[b].successors.length === 0) this.endDirection();
      this.maybeDead.clear();
      this.tracker.clear();
    }
    if (!this.hasChanged) return null;
    this.leaveOutErased();
    return fn;
  }

  private enter(b: BlockId): void {
    const { fn } = this;
    this.instrs = [];
    this.masks = [];
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
      const i = fn.order[p];
      this.placeOf[i] = p;
      if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0) continue;
      this.instrs.push(i);
      if (this.maskOf(i) >= 0) this.masks.push(p);
    }
  }

  private endDirection(): void {
    for (const i of this.maybeDead) this.eraseDead(i);
    this.maybeDead.clear();
    this.tracker.clear();
  }

  /** A copy that nothing reads goes; debug instructions look at its source. */
  private eraseDead(i: InstrId): void {
    const { to, from } = this.copyOf(i)!;
    for (const watcher of this.watchers.get(i) ?? []) this.watch(watcher, to, from);
    this.erase(i);
  }

  /** @llvm MachineRegisterInfo.h MachineRegisterInfo::updateDbgUsersToReg */
  private watch(watcher: InstrId, old: PhysReg, now: PhysReg): void {
    const { fn } = this;
    for (let o = fn.firstReg(watcher); o >= 0; o = fn.nextReg(watcher, o)) if (this.overlaps(o, old)) fn.opVal[o] = now;
  }

  private noteWatcher(copy: Copy | null, watcher: InstrId): void {
    if (copy === null) return;
    const all = this.watchers.get(copy.instr);
    if (all === undefined) this.watchers.set(copy.instr, new Set([watcher]));
    else all.add(watcher);
  }

  private erase(i: InstrId): void {
    this.erased.add(i);
    this.hasChanged = true;
  }

  private leaveOutErased(): void {
    const { fn } = this;
    let to = 0;
    for (let b = 0; b < fn.blocks.length; b++) {
      const [begin, end] = [fn.blockBegin[b], fn.blockEnd[b]];
      fn.blockBegin[b] = to;
      for (let p = begin; p < end; p++) if (!this.erased.has(fn.order[p])) fn.order[to++] = fn.order[p];
      fn.blockEnd[b] = to;
    }
  }

  // -- from readers to what they read: a definition writes the result of the copy ------------------------------------

  private propagateBackward(): void {
    const { fn, tracker } = this;
    for (let k = this.instrs.length - 1; k >= 0; k--) {
      const i = this.instrs[k];
      const copy = this.copyOf(i);
      if (copy !== null && this.isMovableUp(copy)) {
        tracker.invalidate(copy.from);
        tracker.invalidate(copy.to);
        tracker.track(copy);
        continue;
      }
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        if ((fn.opFlags[o] & OpFlag.EarlyClobber) !== 0 && fn.opVal[o] > 0) tracker.invalidate(fn.opVal[o]);
      this.writeResults(i);
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (!isPhysicalReg(fn.opVal[o])) continue;
        if ((fn.opFlags[o] & OpFlag.Def) !== 0) tracker.invalidate(fn.opVal[o]);
        if (!this.reads(o)) continue;
        if (this.isDebug(i)) {
          for (const unit of tracker.units(fn.opVal[o])) this.noteWatcher(tracker.copyByResult(unit), i);
          continue;
        }
        if (!tracker.noteReader(fn.opVal[o], i)) tracker.invalidate(fn.opVal[o]);
      }
    }
  }

  private isMovableUp({ instr, to, from }: Copy): boolean {
    const { fn, reserved } = this;
    const source = fn.opBegin[instr] + 1;
    const wanted = OpFlag.Renamable | OpFlag.Kill;
    if (fn.numOperands(instr) > 2 || fn.tables.regsOverlap(to, from)) return false;
    if ((fn.opFlags[source] & wanted) !== wanted || hasUnitOf(fn, this.unkilled, from)) return false;
    return !reserved.isReserved(to) && !reserved.isReserved(from);
  }

  private writeResults(i: InstrId): void {
    const { fn, tracker } = this;
    if (!tracker.hasCopies) return;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const flags = fn.opFlags[o];
      if ((flags & (OpFlag.Def | OpFlag.Renamable)) !== (OpFlag.Def | OpFlag.Renamable)) continue;
      if ((flags & (OpFlag.Undef | OpFlag.Implicit)) !== 0 || fn.opTied[o] >= 0 || !isPhysicalReg(fn.opVal[o]))
        continue;
      const copy = tracker.copyFrom(fn.opVal[o]);
      if (copy === null || copy.from !== fn.opVal[o] || this.isMaskBetween(i, copy.instr, copy)) continue;
      if (!this.takes(i, o, copy.to) || this.hasImplicitOverlap(i, o) || this.definesElse(i, o, copy.to)) continue;
      const readers = tracker.readersOf(copy.from);
      if (!this.canReadResult(readers, copy)) continue;
      this.rename(o, copy.to, this.isRenamable(fn.opBegin[copy.instr]));
      for (const reader of readers)
        for (const use of this.usesOf(reader, copy.from))
          this.rename(use, copy.to, this.isRenamable(fn.opBegin[copy.instr]));
      this.maybeDead.add(copy.instr);
    }
  }

  private canReadResult(readers: ReadonlySet<InstrId>, copy: Copy): boolean {
    const { fn } = this;
    const source = fn.opBegin[copy.instr] + 1;
    for (const reader of readers) {
      if (this.hasImplicitOverlap(reader, source)) return false;
      for (const o of this.usesOf(reader, copy.from))
        if (fn.opTied[o] >= 0 || !this.isRenamable(o) || !this.takes(reader, o, copy.to)) return false;
    }
    return true;
  }

  private usesOf(i: InstrId, reg: PhysReg): OperandId[] {
    const { fn } = this;
    const uses: OperandId[] = [];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if ((fn.opFlags[o] & OpFlag.Def) === 0 && fn.opVal[o] === reg) uses.push(o);
    return uses;
  }

  private definesElse(i: InstrId, except: OperandId, reg: PhysReg): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (o !== except && (fn.opFlags[o] & OpFlag.Def) !== 0 && this.overlaps(o, reg)) return true;
    return false;
  }

  // -- from copies to their readers ------------------------------------------------------------------------------------

  private propagateForward(): void {
    const { fn, tracker } = this;
    for (const i of this.instrs) {
      const before = this.copyOf(i);
      const wasReal = before !== null && !fn.tables.regsOverlap(before.to, before.from);
      if (wasReal) {
        if (this.eraseRepeated(i, before.to, before.from) || this.eraseRepeated(i, before.from, before.to)) continue;
      }
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if ((fn.opFlags[o] & OpFlag.EarlyClobber) === 0 || !isPhysicalReg(fn.opVal[o])) continue;
        if (fn.opTied[o] >= 0) this.noteRead(fn.opVal[o]);
        tracker.clobber(fn.opVal[o]);
      }
      this.readSources(i);
      const copy = this.copyOf(i);
      // One that the text has already stays.
      if (wasReal && copy !== null && copy.from === copy.to && !this.reserved.isReserved(copy.from)) {
        this.erase(i);
        continue;
      }
      const isReal = copy !== null && !fn.tables.regsOverlap(copy.to, copy.from);
      if (isReal && !this.reserved.isReserved(copy.to)) this.maybeDead.add(i);
      const defs = this.readAndDefine(i);
      if (this.maskOf(i) >= 0) this.clobberByMask(this.maskOf(i));
      for (const reg of defs) tracker.clobber(reg);
      if (isReal) tracker.track(copy);
    }
  }

  /** What an instruction reads is no dead copy; its results. */
  private readAndDefine(i: InstrId): PhysReg[] {
    const { fn } = this;
    const defs: PhysReg[] = [];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (!isPhysicalReg(reg)) continue;
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.EarlyClobber)) === OpFlag.Def) {
        if (!fn.tables.isConstantPhysReg(reg)) defs.push(reg);
      } else if (this.reads(o)) {
        if (this.isDebug(i)) for (const unit of this.tracker.units(reg)) this.noteWatcher(this.tracker.copyTo(unit), i);
        else this.noteRead(reg);
      }
    }
    return defs;
  }

  private noteRead(reg: PhysReg): void {
    const { unitBegin, unitEnd, unitList } = this.fn.tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) {
      const copy = this.tracker.copyTo(unitList[u]);
      if (copy !== null) this.maybeDead.delete(copy.instr);
    }
  }

  /** A copy of `from` to `to` was made before, by itself or as part of a larger one; `instr` makes it again, or back. */
  private eraseRepeated(instr: InstrId, from: PhysReg, to: PhysReg): boolean {
    const { fn, reserved } = this;
    const { tables } = fn;
    if (reserved.isReserved(from) || reserved.isReserved(to)) return false;
    const earlier = this.availableCopy(instr, to);
    if (earlier === null || (fn.opFlags[fn.opBegin[earlier.instr]] & OpFlag.Dead) !== 0) return false;
    if (earlier.from !== from || earlier.to !== to) {
      if (!tables.isSubRegister(earlier.from, from)) return false;
      if (tables.getSubRegIndex(earlier.from, from) !== tables.getSubRegIndex(earlier.to, to)) return false;
    }
    const source = fn.opBegin[instr] + 1;
    if ((fn.opFlags[source] & OpFlag.Undef) === 0) fn.opFlags[fn.opBegin[earlier.instr] + 1] &= ~OpFlag.Undef;
    this.clearKills(fn.opVal[fn.opBegin[instr]], earlier.instr, instr);
    this.erase(instr);
    return true;
  }

  /** The copy that still holds in `reg`, no mask between. */
  private availableCopy(at: InstrId, reg: PhysReg): Copy | null {
    const { tables } = this.fn;
    const copy = this.tracker.availableCopyTo(tables.unitList[tables.unitBegin[reg]]);
    if (copy === null || (copy.to !== reg && !tables.isSubRegister(copy.to, reg))) return null;
    return this.isMaskBetween(copy.instr, at, copy) ? null : copy;
  }

  private readSources(i: InstrId): void {
    const { fn, tracker } = this;
    const { tables } = fn;
    if (!tracker.hasCopies) return;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const flags = fn.opFlags[o];
      const reg = fn.opVal[o];
      if ((flags & (OpFlag.Def | OpFlag.Undef | OpFlag.Implicit)) !== 0 || (flags & OpFlag.Renamable) === 0) continue;
      if (fn.opTied[o] >= 0 || !isPhysicalReg(reg)) continue;
      const copy = this.availableCopy(i, reg);
      if (copy === null) continue;
      const source = reg === copy.to ? copy.from : tables.getSubReg(copy.from, tables.getSubRegIndex(copy.to, reg));
      if (source === 0 || (this.reserved.isReserved(copy.from) && !this.isConstant(copy.from))) continue;
      if (!this.isForwardable(copy, i, o) || this.hasImplicitOverlap(i, o)) continue;
      // A copy that overwrites part of what it would read.
      if (this.copyOf(i) !== null && this.modifies(i, copy.from) && !this.defines(i, copy.from)) continue;
      const from = fn.opBegin[copy.instr] + 1;
      this.rename(o, source, false);
      if ((fn.opFlags[from] & OpFlag.Undef) !== 0) fn.opFlags[o] |= OpFlag.Undef;
      this.clearKills(copy.from, copy.instr, i);
    }
  }

  /**
   * A register is read after what was its last use: from one instruction to another, both included, no operand kills part of it.
   * @llvm MachineInstr.cpp MachineInstr::clearRegisterKills
   */
  private clearKills(reg: PhysReg, first: InstrId, last: InstrId): void {
    const { fn, placeOf } = this;
    for (let p = placeOf[first]; p <= placeOf[last]; p++) {
      const i = fn.order[p];
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        if ((fn.opFlags[o] & OpFlag.Kill) !== 0 && this.overlaps(o, reg)) fn.opFlags[o] &= ~OpFlag.Kill;
    }
  }

  /** By the class that the operand wants; a copy has none, and must not become one that goes by way of another class where this one did not. */
  private isForwardable(copy: Copy, i: InstrId, o: OperandId): boolean {
    const { fn } = this;
    const rc = operandClass(fn, i, o - fn.opBegin[i]);
    if (rc >= 0) return fn.tables.classContains(rc, copy.from);
    const user = this.copyOf(i);
    if (user === null) return false;
    const crosses = this.crossesClasses(copy.from, user.to);
    return crosses === false || (crosses === true && this.crossesClasses(copy.from, copy.to) === true);
  }

  /** Whether a class that has both registers is copied by way of another; null: none has both. */
  private crossesClasses(from: PhysReg, to: PhysReg): boolean | null {
    const key = from * 0x10000 + to;
    const known = this.crossings.get(key);
    if (known !== undefined) return known;
    const { tables } = this.fn;
    const scc = tables.regClassByName('scc_class');
    let found: boolean | null = null;
    for (let rc = 0; rc < tables.nRegClasses && found !== true; rc++)
      if (tables.classContains(rc, from) && tables.classContains(rc, to)) found = rc === scc;
    this.crossings.set(key, found);
    return found;
  }

  private clobberByMask(o: OperandId): void {
    const { tables } = this.fn;
    const { unitBegin, unitEnd, unitList } = tables;
    const preserved = this.preservedUnits(o);
    for (const instr of this.maybeDead) {
      const { to } = this.copyOf(instr)!;
      if (!maskClobbers(this.fn, o, to)) continue;
      let isKept = false;
      for (let u = unitBegin[to]; u < unitEnd[to]; u++)
        if (!preserved.has(unitList[u])) this.tracker.clobberUnit(unitList[u]);
        else if (this.tracker.copyTo(unitList[u])?.instr === instr) isKept = true;
      this.maybeDead.delete(instr);
      if (!isKept) this.eraseDead(instr);
    }
  }

  private preservedUnits(o: OperandId): ReadonlySet<number> {
    const { tables } = this.fn;
    const units = new Set<number>();
    for (let reg = 1; reg < tables.nRegs; reg++) {
      if (maskClobbers(this.fn, o, reg)) continue;
      for (let u = tables.unitBegin[reg]; u < tables.unitEnd[reg]; u++) units.add(tables.unitList[u]);
    }
    return units;
  }

  private keepLiveOuts(b: BlockId): void {
    const { fn } = this;
    const { unitBegin, unitEnd, unitList, unitLaneLo, unitLaneHi } = fn.tables;
    if (this.maybeDead.size === 0 || !fn.header.tracksRegLiveness) return;
    for (const s of fn.blocks[b].successors)
      for (const { reg, laneLo, laneHi } of fn.blocks[s].liveIns) {
        let lane = fn.tables.unitLaneBegin(reg);
        for (let u = unitBegin[reg]; u < unitEnd[reg]; u++, lane++) {
          if ((unitLaneLo[lane] & laneLo) === 0 && (unitLaneHi[lane] & laneHi) === 0) continue;
          const copy = this.tracker.copyTo(unitList[u]);
          if (copy !== null) this.maybeDead.delete(copy.instr);
        }
      }
  }

  // -- instructions and operands -----------------------------------------------------------------------------------

  private copyOf(i: InstrId): Copy | null {
    const { fn } = this;
    if (fn.opcode[i] !== this.copyOpcode) return null;
    const o = fn.opBegin[i];
    return { instr: i, to: fn.opVal[o], from: fn.opVal[o + 1] };
  }

  private rename(o: OperandId, reg: PhysReg, isRenamable: boolean): void {
    const { fn } = this;
    fn.opVal[o] = reg;
    if (isRenamable) fn.opFlags[o] |= OpFlag.Renamable;
    else fn.opFlags[o] &= ~OpFlag.Renamable;
    this.hasChanged = true;
  }

  private isRenamable(o: OperandId): boolean {
    return (this.fn.opFlags[o] & OpFlag.Renamable) !== 0;
  }

  private reads(o: OperandId): boolean {
    return (this.fn.opFlags[o] & NOT_READ) === 0;
  }

  private isDebug(i: InstrId): boolean {
    return (this.traits[this.fn.opcode[i]] & OpcodeTrait.Debug) !== 0;
  }

  private takes(i: InstrId, o: OperandId, reg: PhysReg): boolean {
    const rc = operandClass(this.fn, i, o - this.fn.opBegin[i]);
    return rc >= 0 && this.fn.tables.classContains(rc, reg);
  }

  private overlaps(o: OperandId, reg: PhysReg): boolean {
    return isPhysicalReg(this.fn.opVal[o]) && this.fn.tables.regsOverlap(this.fn.opVal[o], reg);
  }

  /** Implicit reads may stand for larger registers, which nobody would rename. */
  private hasImplicitOverlap(i: InstrId, operand: OperandId): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const isImplicitUse = (fn.opFlags[o] & (OpFlag.Implicit | OpFlag.Def)) === OpFlag.Implicit;
      if (o !== operand && isImplicitUse && this.overlaps(o, fn.opVal[operand])) return true;
    }
    return false;
  }

  private modifies(i: InstrId, reg: PhysReg): boolean {
    return this.definesElse(i, -1, reg);
  }

  private defines(i: InstrId, reg: PhysReg): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if ((fn.opFlags[o] & OpFlag.Def) !== 0 && fn.opVal[o] === reg) return true;
    return false;
  }

  /** MachineRegisterInfo::isConstantPhysReg: constant by the target, or never written and not for allocation. */
  private isConstant(reg: PhysReg): boolean {
    const { tables } = this.fn;
    if (tables.isConstantPhysReg(reg)) return true;
    const { unitBegin, unitEnd, unitList } = tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) {
      if (this.definedUnits().has(unitList[u])) return false;
      for (const root of tables.regUnitRoots(unitList[u]))
        if ([root, ...tables.superRegs(root)].some((alias) => this.reserved.isAllocatable(alias))) return false;
    }
    return true;
  }

  private unitsDefined(): ReadonlySet<number> {
    const { fn } = this;
    const { unitBegin, unitEnd, unitList } = fn.tables;
    const units = new Set<number>();
    for (let b = 0; b < fn.blocks.length; b++)
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++)
        for (let o = fn.firstReg(fn.order[p]); o >= 0; o = fn.nextReg(fn.order[p], o)) {
          if ((fn.opFlags[o] & OpFlag.Def) === 0 || !isPhysicalReg(fn.opVal[o])) continue;
          for (let u = unitBegin[fn.opVal[o]]; u < unitEnd[fn.opVal[o]]; u++) units.add(unitList[u]);
        }
    return units;
  }

  // -- register masks --------------------------------------------------------------------------------------------------

  private maskOf(i: InstrId): OperandId {
    const { fn } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) if (fn.opKind[o] === OperandKind.RegisterMask) return o;
    return -1;
  }

  /** Whether a mask after `first` and before `last` has one of a copy's registers. */
  private isMaskBetween(first: InstrId, last: InstrId, { to, from }: Copy): boolean {
    const { fn, placeOf } = this;
    return this.masks.some((p) => {
      if (p <= placeOf[first] || p >= placeOf[last]) return false;
      const o = this.maskOf(fn.order[p]);
      return maskClobbers(this.fn, o, to) || maskClobbers(this.fn, o, from);
    });
  }
}

/**
 * What splitting and spilling do alike: new registers for an old one, definitions made anew, and dead code taken out
 * (LiveRangeEdit of LLVM 22; docs/llvm/allocation-splitting.md, 5).
 */
import type { LiveInterval } from '../../analysis/edit/liveRange.js';
import { SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { operandClass } from '../../analysis/operandClass.js';
import { isSafeToMove } from '../../analysis/safeToMove.js';
import { Slot } from '../../analysis/slotIndexes.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, virtReg } from '../../model/register.js';
import type { ListPos } from '../../model/edit/instrList.js';
import type { RegClassId } from '../../target/api.js';
import { isRematerializable } from './remat.js';
import type { SpillWeights } from './spillWeights.js';
import type { AllocState } from './state.js';

/** What the allocator wants to know of edits to live ranges. */
export interface VRegEvents {
  /** A register has no operands any more; false: its empty interval stays. */
  mayErase(v: number): boolean;
  willShrink(v: number): void;
  cloned(made: number, from: number): void;
}

/** @llvm LiveRangeEdit.cpp LiveRangeEdit */
export class LiveRangeEdit {
  private readonly firstNew: number;
  /** values of the parent that were made anew somewhere */
  readonly rematted = new Set<number>();

  /**
   * @param parent the register that is replaced, -1 for dead code alone
   * @param made where the numbers of new registers go
   * @param deadRemats definitions that are kept until the end of the run, for others to be made from them
   */
  constructor(
    readonly state: AllocState,
    readonly parent: number,
    readonly made: number[],
    private readonly events: VRegEvents | null,
    private readonly deadRemats: Set<InstrId> | null,
    private readonly willEraseInstr: (i: InstrId) => void = () => undefined,
  ) {
    this.firstNew = made.length;
  }

  get size(): number {
    return this.made.length - this.firstNew;
  }

  at(k: number): number {
    return this.made[this.firstNew + k];
  }

  /** The new registers as of now. */
  regs(): number[] {
    return this.made.slice(this.firstNew);
  }

  // -- registers ---------------------------------------------------------------------------------------------------

  /**
   * A register like another one, of its family.
   * @llvm LiveRangeEdit.cpp LiveRangeEdit::createFrom
   */
  create(from: number): number {
    const v = this.createUnlisted(from);
    this.made.push(v);
    return v;
  }

  private createUnlisted(from: number): number {
    const { state } = this;
    const v = state.editor.cloneVReg(from);
    state.map.original[v] = state.map.originalOf(from);
    return v;
  }

  /**
   * The same with an empty interval, with parts like those of `from` when `withParts`.
   * @llvm LiveRangeEdit.cpp LiveRangeEdit::createEmptyIntervalFrom
   */
  createWithInterval(from: number, withParts: boolean): number {
    const v = this.create(from);
    this.emptyInterval(v, from, withParts);
    return v;
  }

  private emptyInterval(v: number, from: number, withParts: boolean): LiveInterval {
    const { lis } = this.state;
    const interval = lis.createEmpty(v);
    if (this.parent >= 0 && lis.interval(this.parent).weight === Infinity) interval.weight = Infinity;
    if (withParts) for (const sub of lis.interval(from).subRanges) interval.addSubRange(sub.laneLo, sub.laneHi);
    return interval;
  }

  // -- making values anew ------------------------------------------------------------------------------------------

  /**
   * A copy of a definition before `at` that defines `v`, with a slot.
   * @llvm LiveRangeEdit.cpp LiveRangeEdit::rematerializeAt
   */
  rematerialize(def: InstrId, at: ListPos, block: BlockId, v: number, value: number, late: boolean): InstrId {
    const { state } = this;
    const { fn, lis, editor } = state;
    const i = lis.insertCopy(at, block, def, late);
    const old = fn.opVal[fn.opBegin[i]];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== old) continue;
      fn.opFlags[o] &= ~OpFlag.Dead;
      editor.setReg(o, virtReg(v));
    }
    if (value >= 0) this.rematted.add(value);
    return i;
  }

  // -- dead code ---------------------------------------------------------------------------------------------------

  /**
   * Takes instructions out whose results nobody reads, and what only they needed. `spilled`: registers that must not fall apart.
   * @llvm LiveRangeEdit.cpp LiveRangeEdit::eliminateDeadDefs
   */
  eliminateDeadDefs(dead: InstrId[], spilled: readonly number[]): void {
    const { state } = this;
    const { lis } = state;
    const toShrink = new Set<number>();
    for (;;) {
      for (let i = dead.pop(); i !== undefined; i = dead.pop()) this.eliminate(i, toShrink);
      if (toShrink.size === 0) return;
      const v = [...toShrink].pop()!;
      toShrink.delete(v);
      this.events?.willShrink(v);
      const shrunk = lis.shrinkToUses(v);
      dead.push(...shrunk.dead);
      if (!shrunk.mayFallApart || spilled.includes(v)) continue;
      lis.interval(v).renumberValues();
      const original = state.map.originalOf(v);
      for (const part of lis.splitComponents(v)) {
        if (original !== v) state.map.original[part] = original;
        this.made.push(part);
        this.events?.cloned(part, v);
      }
    }
  }

  /** @llvm LiveRangeEdit.cpp LiveRangeEdit::eliminateDeadDef */
  private eliminate(i: InstrId, toShrink: Set<number>): void {
    const { state } = this;
    const { fn, lis, slots, editor, opcodes } = state;
    if (editor.list.after(i) === i) return;
    if (fn.bundle[i] !== 0 || state.isInlineAsm(i) || !isSafeToMove(fn, i)) return;
    const at = SlotList.at(slots.ofInstr(i), Slot.Register);
    const first = fn.opBegin[i];
    let isOriginalDef = false;
    const hasOneDef =
      fn.opBegin[i + 1] > first &&
      fn.opKind[first] === OperandKind.Register &&
      editor.isDef(first) &&
      state.tables.opcodeNumDefs(fn.opcode[i]) === 1;
    if (hasOneDef && isVirtualReg(fn.opVal[first])) {
      const original = lis.interval(state.map.originalOf(~fn.opVal[first]));
      const value = original.valueAt(at);
      isOriginalDef = value >= 0 && SlotList.isSameInstr(original.valueDef[value], at);
    }
    let readsPhys = false;
    let hasLiveUses = false;
    const toErase: number[] = [];
    for (let o = first; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] !== OperandKind.Register) continue;
      const reg = fn.opVal[o];
      if (!isVirtualReg(reg)) {
        if (reg !== 0 && editor.reads(o) && !state.reserved.isReserved(reg)) readsPhys = true;
        else if (reg !== 0 && editor.isDef(o)) state.units.removeDef(reg, at);
        continue;
      }
      const interval = lis.interval(~reg);
      const readsAtAll = state.readsWrites(i, ~reg).reads;
      if (
        (readsAtAll && (editor.isDef(o) || state.isCopy(i))) ||
        (editor.reads(o) && (this.hasOneUse(~reg) || this.isKill(interval, o, at)))
      )
        toShrink.add(~reg);
      else if (editor.reads(o)) hasLiveUses = true;
      if (!editor.isDef(o)) continue;
      if (interval.valueAt(at) >= 0) this.events?.willShrink(~reg);
      this.state.lis.removeDef(interval, at);
      if (interval.isEmpty) toErase.push(~reg);
    }
    if (isOriginalDef && this.deadRemats !== null && !hasLiveUses && isRematerializable(state, i)) {
      this.park(i, first, at);
    } else if (readsPhys) {
      const kept: { kind: OperandKind; flags: number; val: number }[] = [];
      for (let o = first; o < fn.opBegin[i + 1]; o++)
        if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] > 0)
          kept.push({ kind: OperandKind.Register, flags: fn.opFlags[o], val: fn.opVal[o] });
      const made = lis.replace(i, opcodes.kill, kept);
      fn.memOperands[made] = null;
    } else {
      this.willEraseInstr(i);
      lis.erase(i);
    }
    for (const v of toErase) {
      if (!editor.isUnused(virtReg(v))) continue;
      toShrink.delete(v);
      this.eraseVirtReg(v);
    }
  }

  /** The definition stays, of a register of its own, so that other values of the family can be made from it. */
  private park(i: InstrId, first: OperandId, at: SlotRef): void {
    const { state } = this;
    const { fn, lis, editor } = state;
    const old = fn.opVal[first];
    const sub = fn.opSub[first];
    const v = this.createUnlisted(~old);
    const interval = this.emptyInterval(v, ~old, false);
    interval.addDeadDef(at);
    if (sub !== 0) interval.addSubRange(...lis.lanesOf(first)).addDeadDef(at);
    this.deadRemats!.add(i);
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] === old) editor.setReg(o, virtReg(v));
  }

  /** @llvm LiveRangeEdit.cpp LiveRangeEdit::eraseVirtReg */
  eraseVirtReg(v: number): void {
    if (this.events !== null && this.events.mayErase(v)) this.state.lis.remove(v);
  }

  private hasOneUse(v: number): boolean {
    const { editor } = this.state;
    let n = 0;
    for (const o of editor.operandsOf(virtReg(v))) if (!editor.isDef(o) && !editor.isDebug(o)) n++;
    return n === 1;
  }

  /** @llvm LiveRangeEdit.cpp LiveRangeEdit::useIsKill */
  private isKill(interval: LiveInterval, o: OperandId, at: SlotRef): boolean {
    if (interval.query(at).isKill) return true;
    const [lo, hi] = this.state.lis.lanesOf(o);
    return interval.subRanges.some(
      (sub) => ((sub.laneLo & lo) !== 0 || (sub.laneHi & hi) !== 0) && sub.query(at).isKill,
    );
  }

  // -- classes and weights -----------------------------------------------------------------------------------------

  /**
   * Gives the new registers the largest classes that their operands allow, and weights.
   * @llvm LiveRangeEdit.cpp LiveRangeEdit::calculateRegClassAndHint
   */
  computeClassesAndHints(weights: SpillWeights): void {
    for (let k = 0; k < this.size; k++) {
      recomputeClass(this.state, this.at(k));
      weights.compute(this.at(k));
    }
  }
}

/**
 * The largest class that the operands of a register allow.
 * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::recomputeRegClass
 */
export function recomputeClass(state: AllocState, v: number): void {
  const { fn, editor } = state;
  const old = fn.vregs.regClass[v];
  let rc = state.classes.largestSuperClass(old);
  if (rc === old) return;
  for (const o of editor.operandsOf(virtReg(v))) {
    if (editor.isDebug(o)) continue;
    rc = constrainedClass(state, editor.instrOf(o), o, rc);
    if (rc < 0 || rc === old) return;
  }
  fn.vregs.regClass[v] = rc;
}

/**
 * What an operand leaves of a class, -1 = nothing.
 * @llvm MachineInstr.cpp MachineInstr::getRegClassConstraintEffect
 */
export function constrainedClass(state: AllocState, i: InstrId, o: OperandId, rc: RegClassId): RegClassId {
  const { fn, tables } = state;
  const wanted = operandClass(fn, i, o - fn.opBegin[i]);
  const sub = fn.opSub[o];
  if (sub === 0) return wanted < 0 ? rc : tables.getCommonSubClass(rc, wanted);
  return wanted < 0 ? tables.getSubClassWithSubReg(rc, sub) : tables.getMatchingSuperRegClass(rc, wanted, sub);
}

/**
 * What bundle members or a single instruction leave of a class for one register.
 * @llvm MachineInstr.cpp MachineInstr::getRegClassConstraintEffectForVReg
 */
export function constrainedByInstr(state: AllocState, i: InstrId, v: number, from: RegClassId): RegClassId {
  const { fn } = state;
  let rc = from;
  for (let m = i; ; m++) {
    for (let o = fn.opBegin[m]; o < fn.opBegin[m + 1] && rc >= 0; o++)
      if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] === virtReg(v)) rc = constrainedClass(state, m, o, rc);
    if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) return rc;
  }
}

/** A copy of what is cheaply made: it is made anew in its place (RegisterCoalescer::reMaterializeDef, LLVM 22; docs/llvm/coalescing.md, 4). */
import { NO_VALUE, type LiveInterval } from '../../analysis/edit/liveRange.js';
import { SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { joinedLanes, lanesOfClass } from '../../analysis/lanes.js';
import { isSafeToMove } from '../../analysis/safeToMove.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type InstrId } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { McFlag, type RegClassId, type SubRegIdx } from '../../target/api.js';
import { isRematerializable, usesAvailableAt } from '../regalloc/remat.js';
import { composed } from '../registerParts.js';
import type { CoalescerPair } from './coalescerPair.js';
import type { Coalescing } from './coalescing.js';

/** Done, or why not: `copy` = the source is itself a copy, which may go later. */
type Remat = 'done' | 'copy' | 'no';

/** What is copied from, and what to. */
interface Ends {
  readonly source: Reg;
  /** where the source's value stands in the joined register */
  readonly sourceIdx: SubRegIdx;
  readonly destination: Reg;
  readonly destinationIdx: SubRegIdx;
}

const endsOf = (pair: CoalescerPair): Ends =>
  pair.isFlipped
    ? {
        source: pair.destination,
        sourceIdx: pair.destinationIdx,
        destination: pair.source,
        destinationIdx: pair.sourceIdx,
      }
    : pair;

/** @llvm RegisterCoalescer.cpp RegisterCoalescer::reMaterializeDef */
export function rematerializeCopy(of: Coalescing, pair: CoalescerPair, copy: InstrId): Remat {
  const { state, fn } = of;
  const ends = endsOf(pair);
  const { source, destination } = ends;
  if (isPhysicalReg(source)) return 'no';
  const interval = of.interval(source);
  const at = of.slotOf(copy);
  const value = interval.query(at).valueIn;
  if (value === NO_VALUE || interval.isPhi(value) || interval.isUnused(value)) return 'no';
  const def = state.slots.instrOf(interval.valueDef[value]);
  if (def < 0) return 'no';
  if (of.isCopyLike(def)) return 'copy';
  if (!state.has(def, McFlag.CheapAsAMove) || !isRematerializable(state, def)) return 'no';
  if (!definesAll(of, def, source) || !isSafeToMove(fn, def)) return 'no';
  if (state.tables.opcodeNumDefs(fn.opcode[def]) !== 1) return 'no';
  const result = fn.opBegin[copy];
  if (fn.opSub[result] !== 0 && (fn.opFlags[result] & OpFlag.Undef) === 0) return 'no';
  if (ends.sourceIdx !== 0 && ends.destinationIdx !== 0) return 'no';
  if (isPhysicalReg(destination) && !fitsPhysical(of, pair, def, destination)) return 'no';
  if (!usesAvailableAt(state, def, at)) return 'no';
  new CopyRemat(of, pair, ends, def, copy).run();
  shrinkSource(of, source);
  return 'done';
}

/** @llvm RegisterCoalescer.cpp definesFullReg */
function definesAll({ fn, editor }: Coalescing, i: InstrId, reg: Reg): boolean {
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
    if (editor.isDef(o) && fn.opVal[o] === reg && (fn.opSub[o] === 0 || (fn.opFlags[o] & OpFlag.Undef) !== 0))
      return true;
  return false;
}

function fitsPhysical({ state, fn }: Coalescing, pair: CoalescerPair, def: InstrId, reg: Reg): boolean {
  const { tables, opcodes } = state;
  if (fn.opcode[def] === opcodes.implicitDef) return true;
  const part = composed(tables, pair.sourceIdx, fn.opSub[fn.opBegin[def]]);
  const rc = fn.subtarget.opInfoRegClass(fn.opcode[def], 0);
  const named = part === 0 ? reg : tables.getSubReg(reg, part);
  return rc >= 0 && named !== 0 && tables.classContains(rc, named);
}

/** The source has lost a reader. */
function shrinkSource(of: Coalescing, source: Reg): void {
  const { editor } = of;
  const v = virtRegIndex(source);
  if (of.toBeUpdated.has(v)) return;
  let nCopies = 0;
  for (let o = editor.firstOperand(source); o >= 0; o = editor.nextOperand(o))
    if (!editor.isDef(o) && !editor.isDebug(o) && of.isCopyLike(editor.instrOf(o))) nCopies++;
  if (nCopies >= of.limit('late-remat-update-threshold', 100)) {
    of.toBeUpdated.add(v);
    return;
  }
  of.shrinkToUses(v, of.deadDefs);
  if (of.deadDefs.length > 0) of.eliminateDeadDefs(v);
}

class CopyRemat {
  private made: InstrId;

  constructor(
    private readonly of: Coalescing,
    private readonly pair: CoalescerPair,
    private readonly ends: Ends,
    private readonly def: InstrId,
    private readonly copy: InstrId,
  ) {
    this.made = def;
  }

  run(): void {
    const { of, ends, copy } = this;
    const { fn, editor } = of;
    const { destination } = ends;
    const copyResult = fn.opVal[fn.opBegin[copy]];
    const implicit = this.implicitOperandsOfCopy();
    this.cloneDefinition();
    let { destinationIdx } = ends;
    let { rc } = this.pair;
    if (destinationIdx !== 0) {
      const narrower = this.definesJustThat(destinationIdx);
      if (narrower >= 0) {
        rc = narrower;
        destinationIdx = 0;
      }
    }
    of.erased.add(copy);
    editor.erase(copy);
    if (isVirtualReg(destination)) this.toVirtual(destination, destinationIdx, rc);
    else if (fn.opVal[fn.opBegin[this.made]] !== copyResult) this.toPhysicalPart(copyResult);
    const result = fn.opVal[fn.opBegin[this.made]];
    for (let o = fn.firstReg(this.made); o >= 0; o = fn.nextReg(this.made, o))
      if (editor.isDef(o) && fn.opVal[o] === result && fn.opSub[o] !== 0) fn.opFlags[o] |= OpFlag.Undef;
    for (const operand of implicit) this.add(operand);
    this.moveDebugValues();
  }

  private add(operand: NewOperand): void {
    const { state, editor } = this.of;
    const made = editor.withOperand(this.made, operand);
    state.slots.replace(this.made, made);
    this.made = made;
  }

  private implicitOperandsOfCopy(): NewOperand[] {
    const { fn } = this.of;
    const { copy } = this;
    const kept: NewOperand[] = [];
    for (let o = fn.opBegin[copy] + fn.tables.opcodeNumOperands(fn.opcode[copy]); o < fn.opBegin[copy + 1]; o++)
      if (fn.opKind[o] === OperandKind.Register) kept.push(operandOf(fn, o));
    return kept;
  }

  /** After the copy, at its slot and with its location. */
  private cloneDefinition(): void {
    const { of, ends, copy } = this;
    const { state, fn, editor } = of;
    const { sourceIdx, source, destination } = ends;
    const location = fn.extras.get(copy)?.debugLocation;
    this.made = editor.insertCopy(editor.list.after(copy), fn.instrBlock[copy], this.def);
    const { debugLocation: _, ...extra } = fn.extras.get(this.made) ?? {};
    fn.extras.set(this.made, location === undefined ? extra : { ...extra, debugLocation: location });
    for (let o = fn.firstReg(this.made); o >= 0; o = fn.nextReg(this.made, o)) {
      if (fn.opVal[o] !== source) continue;
      if (isPhysicalReg(destination)) {
        of.setPhysical(o, sourceIdx === 0 ? destination : fn.tables.getSubReg(destination, sourceIdx));
      } else {
        editor.setReg(o, destination);
        fn.opSub[o] = composed(fn.tables, sourceIdx, fn.opSub[o]);
      }
      if (editor.isDef(o)) fn.opFlags[o] &= ~OpFlag.Dead;
    }
    state.slots.replace(copy, this.made);
  }

  /** The definition defines just the part that is copied: it defines the destination instead. Its class, -1 if it cannot. */
  private definesJustThat(part: SubRegIdx): RegClassId {
    const { of, ends, made } = this;
    const { fn } = of;
    const result = fn.opBegin[made];
    if (fn.opSub[result] !== part) return -1;
    const own = fn.subtarget.opInfoRegClass(fn.opcode[made], 0);
    const rc = fn.vregs.regClass[virtRegIndex(ends.destination)];
    const common = own < 0 ? -1 : fn.tables.getCommonSubClass(own, rc);
    if (common < 0) return -1;
    for (let o = fn.firstReg(made); o >= 0; o = fn.nextReg(made, o))
      if (fn.opVal[o] === ends.destination && fn.opSub[o] === part) fn.opSub[o] = 0;
    fn.opFlags[result] &= ~OpFlag.Undef;
    return common;
  }

  private toVirtual(destination: Reg, part: SubRegIdx, joined: RegClassId): void {
    const { of } = this;
    const { fn, state, lanes } = of;
    const { tables } = fn;
    const newIdx = fn.opSub[fn.opBegin[this.made]];
    const own =
      fn.opcode[this.made] === state.opcodes.implicitDef ? -1 : fn.subtarget.opInfoRegClass(fn.opcode[this.made], 0);
    let rc = joined;
    if (own >= 0)
      rc = newIdx === 0 ? tables.getCommonSubClass(rc, own) : tables.getMatchingSuperRegClass(rc, own, newIdx);
    const interval = of.interval(destination);
    if (part !== 0)
      for (const sub of interval.subRanges) {
        const mask = lanes.outward(part, joinedLanes(sub.laneLo, sub.laneHi));
        sub.laneLo = Number(mask & 0xffffffffn);
        sub.laneHi = Number(mask >> 32n);
      }
    fn.vregs.regClass[virtRegIndex(destination)] = rc;
    of.updateOperands(destination, destination, part);
    const result = fn.opBegin[this.made];
    fn.opSub[result] = newIdx;
    if (newIdx === 0) fn.opFlags[result] &= ~OpFlag.Undef;
    if (interval.subRanges.length === 0) return;
    const isEarly = (fn.opFlags[result] & OpFlag.EarlyClobber) !== 0;
    const at = SlotList.at(of.slotOf(this.made), isEarly ? Slot.EarlyClobber : Slot.Register);
    if (newIdx === 0) this.defineAll(interval, at, lanesOfClass(tables, rc));
    else this.definePart(interval, at, lanes.mask(newIdx));
  }

  /** Parts that nobody read of the copy are defined, too, and dead. */
  private defineAll(interval: LiveInterval, at: SlotRef, all: bigint): void {
    let rest = all;
    for (const sub of interval.subRanges) {
      if (!sub.isLiveAt(at)) sub.addDeadDef(at);
      rest &= ~joinedLanes(sub.laneLo, sub.laneHi);
    }
    if (rest !== 0n) this.of.addPart(interval, rest, null).addDeadDef(at);
  }

  private definePart(interval: LiveInterval, at: SlotRef, mask: bigint): void {
    const register = SlotList.at(at, Slot.Register);
    let hasChanged = false;
    for (const sub of interval.subRanges) {
      if ((joinedLanes(sub.laneLo, sub.laneHi) & mask) === 0n) {
        const value = sub.valueAt(register);
        if (value !== NO_VALUE) sub.removeValue(value);
        hasChanged = true;
      } else if (sub.isEmpty) sub.addDeadDef(at);
    }
    if (hasChanged) interval.removeEmptySubRanges();
  }

  /** The definition is of a part of what the copy defines. */
  private toPhysicalPart(whole: Reg): void {
    const { of } = this;
    const { fn, state } = of;
    const { unitBegin, unitEnd, unitList } = fn.tables;
    const result = fn.opBegin[this.made];
    fn.opFlags[result] |= OpFlag.Dead;
    const reg = fn.opVal[result];
    this.add(regOperand(whole, OpFlag.Implicit | OpFlag.Def));
    const at = SlotList.at(of.slotOf(this.made), Slot.Register);
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const range = state.units.known(unitList[k]);
      if (range === null) continue;
      range.addDeadDef(at);
      state.units.changes++;
    }
  }

  /** Debug values of a source that nobody reads any more speak of the destination. */
  private moveDebugValues(): void {
    const { of, ends } = this;
    const { editor, state, fn } = of;
    const uses = [...editor.operandsOf(ends.source)].filter((o) => !editor.isDef(o));
    if (uses.some((o) => !editor.isDebug(o))) return;
    for (const o of uses) {
      const i = editor.instrOf(o);
      if (!state.isDebugInstr(i)) continue;
      if (isPhysicalReg(ends.destination)) of.setPhysical(o, ends.destination);
      else editor.setReg(o, ends.destination);
      editor.move(i, editor.list.after(this.made), fn.instrBlock[this.made]);
    }
  }
}

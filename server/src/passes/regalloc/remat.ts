/**
 * Which values the allocator may make anew where they are read (docs/llvm/remat.md, 0.2 and 0.3), on the function as it is edited.
 */
import { SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { mayRaiseFPException } from '../../analysis/safeToMove.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { OpFlag, OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg } from '../../model/register.js';
import { MemFlag } from '../../model/memOperand.js';
import { McFlag } from '../../target/api.js';
import { hasOpcodeFlag } from '../../target/opcodes.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { isConstantReg, isIgnorableUse, type EditedFunction } from '../constantRegs.js';
import type { AllocState } from './state.js';

const SALU = 1 << 0;
const ALU = SALU | (1 << 7) | (1 << 8) | (1 << 10) | (1 << 14);
const SMRD = 1 << 19;

/**
 * Whether an instruction may be repeated elsewhere, as far as it alone tells.
 * @llvm SIInstrInfo.cpp SIInstrInfo::isReMaterializableImpl
 * @llvm TargetInstrInfo.h TargetInstrInfo::isReMaterializable
 */
export function isRematerializable(of: EditedFunction, i: InstrId): boolean {
  const { fn } = of.editor;
  if (fn.opcode[i] === fn.tables.opcodeByName('IMPLICIT_DEF') && fn.numOperands(i) === 1) return true;
  if (!hasOpcodeFlag(fn.tables, fn.opcode[i], McFlag.Rematerializable)) return false;
  return isByTarget(fn, i) || isByGenericRule(of, i);
}

/**
 * Plain arithmetic and invariant scalar loads, with the implicit operands of the opcode and no others.
 * @llvm SIInstrInfo.cpp SIInstrInfo::isReMaterializableImpl
 */
function isByTarget(fn: MachineFunction, i: InstrId): boolean {
  const { tables } = fn;
  const opc = fn.opcode[i];
  const ts = tables.opcodeTSLo(opc);
  const mem = fn.memOperands[i] ?? [];
  const isInvariantLoad =
    (ts & SMRD) !== 0 &&
    mem.length > 0 &&
    mem.every((m) => (m.flags & MemFlag.Load) !== 0 && (m.flags & MemFlag.Invariant) !== 0);
  if ((ts & ALU) === 0 && !isInvariantLoad) return false;
  if (tables.implicitDefs(opc).length > 0) return false;
  let nImplicit = 0;
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    if ((fn.opFlags[o] & OpFlag.Implicit) === 0) continue;
    if ((fn.opFlags[o] & OpFlag.Def) !== 0) return false;
    nImplicit++;
  }
  return nImplicit === tables.implicitUses(opc).length && !mayRaiseFPException(fn, i);
}

/**
 * The rule of all targets.
 * @llvm TargetInstrInfo.cpp TargetInstrInfo::isReMaterializableImpl
 */
function isByGenericRule(of: EditedFunction, i: InstrId): boolean {
  const { fn } = of.editor;
  const { tables } = fn;
  const first = fn.opBegin[i];
  if (fn.numOperands(i) === 0 || fn.opKind[first] !== OperandKind.Register || (fn.opFlags[first] & OpFlag.Def) === 0)
    return false;
  const reg = fn.opVal[first];
  if (isVirtualReg(reg) && fn.opSub[first] !== 0 && of.editor.readsVirtual(i, reg)) return false;
  for (const flag of [McFlag.NotDuplicable, McFlag.MayStore, McFlag.UnmodeledSideEffects])
    if (hasOpcodeFlag(tables, fn.opcode[i], flag)) return false;
  if (mayRaiseFPException(fn, i) || opcodeSet(tables, 'inlineAsm').has(fn.opcode[i])) return false;
  if (hasOpcodeFlag(tables, fn.opcode[i], McFlag.MayLoad)) {
    const wanted = MemFlag.Invariant | MemFlag.Dereferenceable;
    const mem = fn.memOperands[i] ?? [];
    if (mem.length === 0 || !mem.every((m) => (m.flags & wanted) === wanted && (m.flags & MemFlag.Store) === 0))
      return false;
  }
  for (let o = first; o < fn.opBegin[i + 1]; o++) {
    if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] === 0) continue;
    const isDef = (fn.opFlags[o] & OpFlag.Def) !== 0;
    if (!isVirtualReg(fn.opVal[o])) {
      if (isDef || !isConstantReg(of, fn.opVal[o])) return false;
    } else if (isDef && fn.opVal[o] !== reg) return false;
  }
  return true;
}

/**
 * Whether everything that `def` reads has the same value at the slot `at` (LiveRangeEdit::allUsesAvailableAt). `def` has a slot.
 * @llvm CalcSpillWeights.cpp VirtRegAuxInfo::allUsesAvailableAt
 */
export function usesAvailableAt(state: AllocState, def: InstrId, at: SlotRef): boolean {
  const { fn, slots, lis, editor } = state;
  const from = SlotList.at(slots.ofInstr(lis.headerOf(def)), Slot.EarlyClobber);
  const early = SlotList.at(at, Slot.EarlyClobber);
  const to = slots.isBefore(at, early) ? early : at;
  for (let o = fn.firstReg(def); o >= 0; o = fn.nextReg(def, o)) {
    if (fn.opVal[o] === 0 || !editor.reads(o)) continue;
    const reg = fn.opVal[o];
    if (!isVirtualReg(reg)) {
      if (isConstantReg(state, reg) || isIgnorableUse(state, def, o)) continue;
      return false;
    }
    const interval = lis.interval(~reg);
    const value = interval.valueAt(from);
    if (value < 0) continue;
    if (SlotList.isSameInstr(from, to)) return false;
    if (interval.valueAt(to) !== value) return false;
    if (interval.subRanges.length === 0) continue;
    const [lo, hi] = lis.lanesOf(o);
    for (const sub of interval.subRanges) {
      if ((sub.laneLo & lo) === 0 && (sub.laneHi & hi) === 0) continue;
      if (!sub.isLiveAt(to)) return false;
    }
  }
  return true;
}

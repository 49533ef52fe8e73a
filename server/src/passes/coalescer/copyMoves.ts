/** Copies between registers that cannot be one, but of which one side goes or moves (RegisterCoalescer, LLVM 22; docs/llvm/coalescing.md, 5). */
import { NO_VALUE, type LiveInterval, type LiveRange, type ValueId } from '../../analysis/edit/liveRange.js';
import { NO_SLOT, SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { regOperand } from '../../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type BlockId, type InstrId } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import { NotModelled } from '../machinePass.js';
import type { CoalescerPair } from './coalescerPair.js';
import type { Coalescing } from './coalescing.js';
import { firstTerminator } from '../instrOrder.js';

const sourceOf = (pair: CoalescerPair): Reg => (pair.isFlipped ? pair.destination : pair.source);
const destinationOf = (pair: CoalescerPair): Reg => (pair.isFlipped ? pair.source : pair.destination);

/**
 * `A = B ... B = A`: the life of B goes on to the second copy, which then copies B to itself.
 * @llvm RegisterCoalescer.cpp RegisterCoalescer::adjustCopiesBackFrom
 */
export function adjustCopiesBackFrom(of: Coalescing, pair: CoalescerPair, copy: InstrId): boolean {
  const { state, fn } = of;
  const { slots, editor } = state;
  const a = of.interval(sourceOf(pair));
  const b = of.interval(destinationOf(pair));
  const at = SlotList.at(of.slotOf(copy), Slot.Register);
  const bSegment = b.segmentAt(at);
  if (bSegment < 0) return false;
  const bValue = b.value[bSegment];
  if (b.valueDef[bValue] !== at) return false;
  const early = SlotList.at(at, Slot.EarlyClobber);
  const aSegment = a.segmentAt(early);
  if (aSegment < 0) return false;
  const aDef = a.valueDef[a.value[aSegment]];
  const back = slots.instrOf(aDef);
  if (back < 0 || !pair.isCoalescable(back) || !of.isFullCopy(back)) return false;
  const before = b.segmentAt(slots.before(aDef));
  if (before < 0) return false;
  const last = slots.instrOf(slots.before(b.end[before]));
  if (last < 0 || fn.instrBlock[last] !== fn.instrBlock[copy] || before + 1 !== bSegment) return false;
  const [from, to] = [b.end[before], b.start[bSegment]];
  const endsAtCopy = a.end[aSegment] === at;
  b.valueDef[bValue] = from;
  fill(b, from, to, bValue, b.value[before]);
  for (const sub of b.subRanges) fillPart(of, sub, at, from, to, slots.before(aDef));
  for (let o = fn.firstReg(last); o >= 0; o = fn.nextReg(last, o))
    if (!editor.isDef(o) && fn.opVal[o] === destinationOf(pair)) fn.opFlags[o] &= ~OpFlag.Kill;
  for (let o = fn.firstReg(copy); o >= 0; o = fn.nextReg(copy, o))
    if (fn.opVal[o] === sourceOf(pair)) editor.setReg(o, destinationOf(pair));
  const endsInPart = a.subRanges.some((sub) => {
    const s = sub.segmentAt(early);
    return s >= 0 && sub.end[s] === at;
  });
  if (endsAtCopy || endsInPart) of.shrinkToUses(a.vreg);
  return true;
}

/** The hole between two values becomes theirs, as one. */
function fill(range: LiveRange, from: SlotRef, to: SlotRef, value: ValueId, before: ValueId): void {
  range.addSegment(from, to, value);
  if (value !== before) range.mergeValues(value, before);
}

function fillPart(of: Coalescing, sub: LiveRange, at: SlotRef, from: SlotRef, to: SlotRef, beforeBack: SlotRef): void {
  const { slots } = of.state;
  const s = sub.segmentAt(at);
  if (s >= 0 && SlotList.isSameInstr(sub.start[s], sub.end[s])) {
    sub.removeSegment(sub.start[s], sub.end[s], true);
    return;
  }
  if (sub.valueAt(from) === NO_VALUE) sub.extendInBlock(slots.startOf(slots.blockOf(from)), from);
  const value = sub.valueAt(at);
  if (value === NO_VALUE) return;
  sub.addSegment(from, to, value);
  const before = sub.valueAt(beforeBack);
  if (value !== before && before !== NO_VALUE) sub.mergeValues(value, before);
}

/**
 * A definition whose sources could change places so that the copy goes: the tied source would have to be one of them, which no instruction of
 * the target has.
 * @llvm RegisterCoalescer.cpp RegisterCoalescer::removeCopyByCommutingDef
 */
export function commuteDefinition(
  of: Coalescing,
  pair: CoalescerPair,
  copy: InstrId,
): { readonly isDone: boolean; readonly shrinks: boolean } {
  const none = { isDone: false, shrinks: false };
  const { state, fn } = of;
  const a = of.interval(sourceOf(pair));
  const value = a.valueAt(SlotList.at(of.slotOf(copy), Slot.EarlyClobber));
  if (value === NO_VALUE || a.isPhi(value)) return none;
  const i = state.slots.instrOf(a.valueDef[value]);
  if (i < 0 || !state.has(i, McFlag.Commutable)) return none;
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    if (fn.opVal[o] !== sourceOf(pair) || !state.editor.isDef(o)) continue;
    const tied = fn.opTied[o];
    const places = state.tables.getNamedOperandIdxs(fn.opcode[i], ['src0', 'src1']);
    if (tied >= 0 && places.includes(tied) && places.every((k) => k >= 0))
      throw new NotModelled(`${state.tables.opcodeName(fn.opcode[i])}, whose sources might change places`);
    return none;
  }
  return none;
}

/**
 * `B = A` at the start of a block, where A comes from `A = B` on one of two ways: the copy moves to the end of the other way.
 * @llvm RegisterCoalescer.cpp RegisterCoalescer::removePartialRedundancy
 */
export function moveToPredecessor(of: Coalescing, pair: CoalescerPair, copy: InstrId): boolean {
  const { state, fn } = of;
  const { slots, lis } = state;
  if (!of.isFullCopy(copy)) return false;
  const block = fn.instrBlock[copy];
  const { predecessors, isLandingPad, isInlineAsmBrIndirectTarget } = fn.blocks[block];
  if (isLandingPad || isInlineAsmBrIndirectTarget || predecessors.length !== 2) return false;
  const a = of.interval(sourceOf(pair));
  const b = of.interval(destinationOf(pair));
  const at = SlotList.at(of.slotOf(copy), Slot.EarlyClobber);
  const value = a.valueAt(at);
  if (value === NO_VALUE || !a.isPhi(value) || b.livesWithin(slots.startOf(block), at)) return false;
  const left = predecessors.filter((p) => !comesBack(of, pair, a, b, p));
  if (left.length === predecessors.length) return false;
  const target: BlockId = left.length === 0 ? -1 : left[left.length - 1];
  if (target >= 0) {
    if (fn.blocks[target].successors.length > 1) return false;
    const place = firstTerminator(state.editor, target);
    if (place >= 0) {
      const from = SlotList.at(of.slotOf(place), Slot.EarlyClobber);
      if (b.livesWithin(from, slots.endOf(target))) return false;
    }
    const made = state.builder.build(place, copy, state.opcodes.copy, [
      regOperand(destinationOf(pair), OpFlag.Def),
      regOperand(sourceOf(pair)),
    ]);
    const def = SlotList.at(slots.insert(made, target), Slot.Register);
    b.addDeadDef(def);
    for (const sub of b.subRanges) sub.addDeadDef(def);
  }
  const isUndefined = (fn.opFlags[fn.opBegin[copy] + 1] & OpFlag.Undef) !== 0;
  of.deleteInstr(copy);
  const def = SlotList.at(at, Slot.Register);
  const ends: SlotRef[] = [];
  const old = b.query(at).valueOutOrDead;
  lis.pruneValue(b, def, ends);
  b.valueDef[old] = NO_SLOT;
  if (isUndefined) markReads(of, b, destinationOf(pair));
  lis.extendTo(b, ends);
  for (const sub of b.subRanges) {
    const partEnds: SlotRef[] = [];
    const part = sub.query(at).valueOutOrDead;
    lis.pruneValue(sub, def, partEnds);
    if (part !== NO_VALUE) sub.valueDef[part] = NO_SLOT;
    const reached = withoutCopy(partEnds, at);
    lis.extendTo(sub, reached, lis.undefsOf(b.vreg, sub.laneLo, sub.laneHi));
  }
  of.shrinkToUses(b.vreg);
  of.shrinkToUses(a.vreg);
  return true;
}

/** Whether A is a copy of B at the end of a block, and B still what it was. */
function comesBack(of: Coalescing, pair: CoalescerPair, a: LiveInterval, b: LiveInterval, p: BlockId): boolean {
  const { state, fn } = of;
  const { slots } = state;
  const value = a.valueBefore(slots.endOf(p));
  if (value === NO_VALUE) return false;
  const def = a.valueDef[value];
  const i = slots.instrOf(def);
  if (i < 0 || !of.isFullCopy(i) || fn.instrBlock[i] !== p) return false;
  const begin = fn.opBegin[i];
  if (fn.opVal[begin] !== sourceOf(pair) || fn.opVal[begin + 1] !== destinationOf(pair)) return false;
  return !b.valueDef.some(
    (other, k) => !b.isUnused(k) && slots.isBefore(def, other) && slots.isBefore(other, slots.endOf(p)),
  );
}

function markReads(of: Coalescing, b: LiveInterval, reg: Reg): void {
  const { editor, fn } = of;
  for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) {
    if (editor.isDef(o) || editor.isDebug(o) || fn.opKind[o] !== OperandKind.Register) continue;
    if (!b.isLiveAt(of.slotOf(editor.instrOf(o)))) fn.opFlags[o] |= OpFlag.Undef;
  }
}

/** Ends, without those at the copy that is gone; the last one takes the place of one that goes. */
function withoutCopy(ends: readonly SlotRef[], at: SlotRef): SlotRef[] {
  const kept = [...ends];
  for (let k = 0; k < kept.length;) {
    if (SlotList.isSameInstr(kept[k], at)) {
      kept[k] = kept[kept.length - 1];
      kept.pop();
    } else k++;
  }
  return kept;
}

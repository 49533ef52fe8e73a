/**
 * Debug values while registers are allocated (LiveDebugVariables of LLVM 22; docs/llvm/allocation-spilling.md, 7): they leave the code before the
 * first run, follow what becomes of the registers that they name, and come back with the last rewriter.
 */
import { isSkippedAtStart } from '../../../analysis/blockPrologue.js';
import type { LiveInterval } from '../../../analysis/edit/liveRange.js';
import { SlotList, type SlotRef } from '../../../analysis/edit/slotList.js';
import { OpcodeTrait } from '../../../analysis/opcodeTraits.js';
import { Slot } from '../../../analysis/slotIndexes.js';
import { operandOf, regOperand, type NewOperand } from '../../../model/edit/functionEditor.js';
import type { ListPos } from '../../../model/edit/instrList.js';
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../../model/machineFunction.js';
import { isVirtualReg, NO_REG, virtReg } from '../../../model/register.js';
import type { IRModule } from '../../../ir/module.js';
import { McFlag } from '../../../target/api.js';
import { NotModelled } from '../../machinePass.js';
import type { AllocState } from '../state.js';
import type { WaitingDebugValues } from './contract.js';
import { metadataKey, operandKey } from '../../debugOperands.js';
import { argInMemory, fragmentOf, inMemory, mergeArgs } from '../../debugInfo/expression.js';
import { isSameValue, isUndef, RangeMap, UNDEF_LOC, type DebugValue } from './rangeMap.js';
import { DebugInfo, LexicalScopes } from '../../debugInfo/scopes.js';
import { firstTerminator } from '../../instrOrder.js';

/** More locations than these are none. */
const MAX_LOCATIONS = 63;

/** An instruction that only waits for its place. */
interface Stashed {
  readonly instr: InstrId;
  readonly at: SlotRef;
  readonly block: BlockId;
}

interface Label {
  readonly key: string;
  readonly instr: InstrId;
  readonly at: SlotRef;
}

/** @llvm LiveDebugVariables.cpp LiveDebugVariables::LDVImpl */
class DebugVariables implements WaitingDebugValues {
  private readonly variables = new Map<string, Variable>();
  private readonly labels: Label[] = [];
  private readonly stashed: Stashed[] = [];

  /** Takes the debug instructions of a function out. Throws NotModelled. */
  constructor(
    private readonly state: AllocState,
    private readonly info: DebugInfo,
  ) {
    for (let b = 0; b < state.fn.blocks.length; b++) this.collectBlock(b);
    let scopes: LexicalScopes | null = null;
    for (const variable of this.variables.values()) {
      variable.extendAll();
      if (variable.isInlined) variable.trim((scopes ??= new LexicalScopes(state.editor, info)));
    }
  }

  private collectBlock(b: BlockId): void {
    const { editor, slots, traits, fn, lis } = this.state;
    const isDebug = (i: InstrId): boolean => (traits[fn.opcode[i]] & OpcodeTrait.NoSlotIndex) !== 0;
    let at = slots.startOf(b);
    for (let i = editor.list.first(b); i >= 0;) {
      const next = editor.list.after(i);
      if (!isDebug(i)) at = SlotList.at(slots.ofInstr(i), Slot.Register);
      else if (this.collect(i, at, b)) lis.erase(i);
      i = next;
    }
  }

  /**
   * Whether the instruction is taken over.
   * @llvm LiveDebugVariables.cpp LiveDebugVariables::LDVImpl::collectDebugValues
   */
  private collect(i: InstrId, at: SlotRef, block: BlockId): boolean {
    const { fn, tables } = this.state;
    const name = tables.opcodeName(fn.opcode[i]);
    const isReference = name === 'DBG_PHI' || name === 'DBG_INSTR_REF';
    if (fn.header.debugInstrRef && (name === 'DBG_VALUE' || isReference)) {
      if (this.namesVirtual(i)) throw new NotModelled(`${name} of a virtual register beside instruction references`);
      this.stashed.push({ instr: i, at, block });
      return true;
    }
    if (name === 'DBG_VALUE' || name === 'DBG_VALUE_LIST') {
      this.collectValue(i, at, name === 'DBG_VALUE_LIST');
      return true;
    }
    if (name === 'DBG_LABEL') {
      const key = `${metadataKey(fn, fn.opBegin[i])} ${this.info.inlinedAt(this.locationOf(i))} ${at}`;
      if (!this.labels.some((label) => label.key === key)) this.labels.push({ key, instr: i, at });
      return true;
    }
    if (this.namesVirtual(i)) throw new NotModelled(`${name} of a virtual register`);
    return false;
  }

  private namesVirtual(i: InstrId): boolean {
    const { fn } = this.state;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.Register && isVirtualReg(fn.opVal[o])) return true;
    return false;
  }

  private locationOf(i: InstrId): string {
    const location = this.state.fn.extras.get(i)?.debugLocation;
    if (location === undefined) throw new NotModelled('debug instructions without a location');
    return location;
  }

  /** @llvm LiveDebugVariables.cpp LiveDebugVariables::LDVImpl::handleDebugValue */
  private collectValue(i: InstrId, at: SlotRef, isList: boolean): void {
    const { state } = this;
    const { fn } = state;
    const first = fn.opBegin[i];
    const end = fn.opBegin[i + 1];
    const variableOp = isList ? first : first + 2;
    // LLVM looks for them wherever they would stand.
    const isMetadata = (o: OperandId): boolean => o < end && fn.opKind[o] === OperandKind.Metadata;
    if (!isMetadata(variableOp) || !isMetadata(variableOp + 1))
      throw new NotModelled('a debug value without variable and expression');
    const named: OperandId[] = [];
    for (let o = isList ? first + 2 : first; o < (isList ? end : first + 1); o++) named.push(o);
    const isLost = named.some((o) => {
      if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o])) return false;
      const interval = state.lis.known(~fn.opVal[o]);
      return interval === null || interval.query(at).valueOutOrDead < 0;
    });
    const expression = fn.payload(variableOp + 1, OperandKind.Metadata).text;
    const location = this.locationOf(i);
    const inlinedAt = this.info.inlinedAt(location);
    const key = `${metadataKey(fn, variableOp)} ${fragmentOf(expression)} ${inlinedAt}`;
    let variable = this.variables.get(key);
    if (variable === undefined)
      this.variables.set(key, (variable = new Variable(state, variableOp, location, inlinedAt !== '')));
    const locs = named.map((o) => (isLost ? UNDEF_LOC : variable.locationOf(operandAt(fn, o))));
    const isIndirect = !isLost && !isList && fn.opKind[first + 1] === OperandKind.Immediate;
    variable.define(at, debugValue(locs, isIndirect, isList, expression));
  }

  // -- what becomes of registers -----------------------------------------------------------------------------------

  /**
   * Where one of `made` lives now, it holds what `old` held.
   * @llvm LiveDebugVariables.cpp LiveDebugVariables::LDVImpl::splitRegister
   */
  split(old: number, made: readonly number[]): void {
    for (const variable of this.variables.values()) variable.split(old, made);
  }

  // -- back into the code ------------------------------------------------------------------------------------------

  /** @llvm LiveDebugVariables.cpp LiveDebugVariables::LDVImpl::emitDebugValues */
  emit(): void {
    const { state } = this;
    const { slots, editor } = state;
    const places = new Places(state);
    for (const variable of this.variables.values()) variable.emit(places);
    for (const { instr, at } of this.labels) {
      const block = slots.blockOf(at);
      editor.insertCopy(places.behind(block, at), block, instr);
    }
    for (let k = 0; k < this.stashed.length;) {
      const { at, block } = this.stashed[k];
      const pos = at === slots.startOf(block) ? places.behind(block, at) : places.ofStashed(block, at);
      for (; k < this.stashed.length && this.stashed[k].at === at; k++)
        editor.insertCopy(pos, block, this.stashed[k].instr);
    }
  }
}

function operandAt(fn: MachineFunction, o: OperandId): NewOperand {
  if (fn.opKind[o] === OperandKind.Register) return regOperand(fn.opVal[o], OpFlag.Debug, fn.opSub[o]);
  return operandOf(fn, o);
}

/** A value each of whose locations is there once: the expression names what is left of them. */
function debugValue(given: readonly number[], isIndirect: boolean, isList: boolean, expression: string): DebugValue {
  const locs: number[] = [];
  let text = expression;
  for (const loc of given) {
    const at = locs.indexOf(loc);
    if (at < 0) locs.push(loc);
    else text = mergeArgs(text, locs.length, at);
  }
  const isKept = locs.length <= MAX_LOCATIONS;
  return { locs: isKept ? locs : [UNDEF_LOC], isIndirect, isList, expression: text };
}

const withLocs = ({ isIndirect, isList, expression }: DebugValue, locs: readonly number[]): DebugValue =>
  debugValue(locs, isIndirect, isList, expression);

const renamed = (value: DebugValue, from: number, to: number): DebugValue =>
  withLocs(
    value,
    value.locs.map((loc) => (loc === from ? to : loc)),
  );

/** A register that ends where a value could go on, and which one it is. */
interface Killed {
  readonly at: SlotRef;
  readonly locs: readonly number[];
}

/**
 * A variable, or a part of it, at one place of inlining.
 * @llvm LiveDebugVariables.cpp UserValue
 */
class Variable {
  private readonly map: RangeMap;
  private locations: NewOperand[] = [];
  /** starts of stretches that were cut to their scope */
  private readonly trimmed = new Set<SlotRef>();

  constructor(
    private readonly state: AllocState,
    /** operand that names it */
    private readonly named: OperandId,
    private readonly debugLocation: string,
    readonly isInlined: boolean,
  ) {
    this.map = new RangeMap(state.slots);
  }

  /**
   * Number of a location, which is new when no equal one is known.
   * @llvm LiveDebugVariables.cpp UserValue::getLocationNo
   */
  locationOf(operand: NewOperand): number {
    if (operand.kind === OperandKind.Register && operand.val === NO_REG) return UNDEF_LOC;
    const key = operandKey(this.state.fn, operand);
    const known = this.locations.findIndex((l) => operandKey(this.state.fn, l) === key);
    return known >= 0 ? known : this.locations.push(operand) - 1;
  }

  /** @llvm LiveDebugVariables.cpp UserValue::addDef */
  define(at: SlotRef, value: DebugValue): void {
    const { map } = this;
    const k = map.find(at);
    if (k < map.list.length && map.list[k].start === at) {
      map.list[k].value = value;
      map.join(k);
    } else map.insert(k, at, this.state.slots.after(at), value);
  }

  // -- how far values reach ----------------------------------------------------------------------------------------

  /**
   * Lets each value reach as far as its registers hold it, within its block, and on in copies of them.
   * @llvm LiveDebugVariables.cpp UserValue::computeIntervals
   */
  extendAll(): void {
    const defs = this.map.list.filter((s) => !isUndef(s.value)).map((s) => ({ at: s.start, value: s.value }));
    for (let k = 0; k < defs.length; k++) {
      const { at, value } = defs[k];
      const live = new Map<number, LiveInterval>();
      let isExtended = false;
      for (const loc of value.locs) {
        const { kind, val } = this.locations[loc];
        if (kind === OperandKind.Register && !isVirtualReg(val)) continue;
        isExtended = true;
        if (kind !== OperandKind.Register) continue;
        const interval = this.state.lis.known(~val);
        if (interval !== null && interval.isLiveAt(at)) live.set(loc, interval);
      }
      if (!isExtended) continue;
      const killed = this.extend(at, value, live);
      if (killed === null || killed.locs.some((loc) => this.locations[loc].sub !== 0)) continue;
      const copied = this.followCopies(value, killed);
      if (copied !== null) defs.push({ at: killed.at, value: copied });
    }
  }

  /** @llvm LiveDebugVariables.cpp UserValue::extendDef */
  private extend(at: SlotRef, value: DebugValue, live: ReadonlyMap<number, LiveInterval>): Killed | null {
    const { map } = this;
    const { slots } = this.state;
    let stop = slots.endOf(slots.blockOf(at));
    let killed: number[] = [];
    for (const [loc, interval] of live) {
      const end = interval.end[interval.segmentAt(at)];
      if (slots.isBefore(end, stop)) {
        stop = end;
        killed = [loc];
      } else if (end === stop && killed.length > 0) killed.push(loc);
    }
    let start = at;
    let k = map.find(start);
    if (k < map.list.length && slots.isAtOrBefore(map.list[k].start, start)) {
      start = slots.after(start);
      // Anything but the one slot that the value itself has taken is another value.
      if (!isSameValue(map.list[k].value, value) || slots.number(map.list[k].stop) !== slots.number(start)) return null;
      k++;
    }
    if (k < map.list.length && slots.isBefore(map.list[k].start, stop)) {
      stop = map.list[k].start;
      killed = [];
    }
    if (slots.isBefore(start, stop)) map.insert(k, start, stop, value);
    return killed.length === 0 ? null : { at: stop, locs: killed };
  }

  /**
   * The value in registers that were copied from those that end, null when there are none for all of them.
   * @llvm LiveDebugVariables.cpp UserValue::addDefsFromCopies
   */
  private followCopies(value: DebugValue, { at, locs }: Killed): DebugValue | null {
    const { map } = this;
    const { slots, lis, fn } = this.state;
    const copies = locs.map((loc) => this.copiesOf(value, loc));
    if (copies.every((list) => list.length === 0)) return null;
    const k = map.find(at);
    if (k < map.list.length && slots.isAtOrBefore(map.list[k].start, at)) return null;
    let moved = value;
    for (let n = 0; n < locs.length; n++) {
      const found = copies[n].find((copy) => {
        const to = lis.interval(~fn.opVal[fn.opBegin[copy]]);
        return to.valueAt(at) >= 0 && to.valueAt(at) === to.valueAt(this.defSlot(copy));
      });
      if (found === undefined) return null;
      const to = fn.opBegin[found];
      moved = renamed(moved, locs[n], this.locationOf(regOperand(fn.opVal[to], OpFlag.Debug, fn.opSub[to])));
    }
    map.insert(k, at, slots.after(at), moved);
    return moved;
  }

  private defSlot(i: InstrId): SlotRef {
    const { lis, slots } = this.state;
    return SlotList.at(slots.ofInstr(lis.headerOf(i)), Slot.Register);
  }

  /** Copies of all of a register into virtual ones, where the value is valid. */
  private copiesOf(value: DebugValue, loc: number): InstrId[] {
    const { map } = this;
    const { editor, fn, opcodes, lis } = this.state;
    const found: InstrId[] = [];
    for (const o of editor.operandsOf(this.locations[loc].val)) {
      if (editor.isDef(o) || editor.isDebug(o) || fn.opSub[o] !== 0) continue;
      const i = editor.instrOf(o);
      const to = fn.opVal[fn.opBegin[i]];
      if (fn.opcode[i] !== opcodes.copy || !isVirtualReg(to)) continue;
      const k = map.find(SlotList.at(this.defSlot(i), Slot.EarlyClobber));
      if (k < map.list.length && isSameValue(map.list[k].value, value) && lis.known(~to) !== null) found.push(i);
    }
    return found;
  }

  /** Cuts the stretches to the code of the variable's scope. */
  trim(scopes: LexicalScopes): void {
    const { map } = this;
    const { slots, editor, fn } = this.state;
    const ranges = scopes.rangesAt(this.debugLocation);
    if (ranges === null) return;
    let end = -1;
    let k = 0;
    for (const { first, last } of ranges) {
      const block = fn.instrBlock[first];
      const from = editor.list.first(block) === first ? slots.startOf(block) : slots.ofInstr(first);
      if (end >= 0 && slots.isBefore(map.list[k].start, end)) {
        const { stop, value } = map.list[k];
        map.list[k].stop = end;
        k++;
        if (slots.isBefore(from, stop)) k = map.insert(k, from, stop, value);
      }
      k = map.find(from, k);
      if (k === map.list.length) return;
      if (slots.isBefore(map.list[k].start, from)) {
        map.list[k].start = from;
        this.trimmed.add(from);
      }
      end = slots.nextIndex(slots.ofInstr(last));
      k = map.find(end, k);
      if (k === map.list.length) return;
    }
    if (end >= 0 && slots.isBefore(map.list[k].start, end)) map.list[k].stop = end;
  }

  // -- splits ------------------------------------------------------------------------------------------------------

  /** @llvm LiveDebugVariables.cpp UserValue::splitRegister */
  split(old: number, made: readonly number[]): void {
    for (let loc = this.locations.length - 1; loc >= 0; loc--) {
      const { kind, val } = this.locations[loc];
      if (kind !== OperandKind.Register || val !== virtReg(old)) continue;
      for (const v of made) this.moveTo(loc, v);
      if (!this.map.list.some((s) => s.value.locs.includes(loc))) this.removeLocation(loc);
    }
  }

  /**
   * Where register `v` lives it has what the location has.
   * @llvm LiveDebugVariables.cpp UserValue::splitLocation
   */
  private moveTo(loc: number, v: number): void {
    const { map } = this;
    const { slots, lis } = this.state;
    const interval = lis.interval(v);
    let to = UNDEF_LOC;
    const earlier = (a: SlotRef, b: SlotRef): SlotRef => (slots.isBefore(b, a) ? b : a);
    const later = (a: SlotRef, b: SlotRef): SlotRef => (slots.isBefore(a, b) ? b : a);
    const old = map.list;
    map.list = [];
    for (const stretch of old) {
      const { start, stop, value } = stretch;
      if (!value.locs.includes(loc)) {
        map.list.push(stretch);
        continue;
      }
      let at = start;
      for (let s = interval.find(start); s < interval.size && slots.isBefore(interval.start[s], stop); s++) {
        if (to === UNDEF_LOC) to = this.locationOf(regOperand(virtReg(v), OpFlag.Debug, this.locations[loc].sub));
        const from = later(interval.start[s], start);
        const end = earlier(interval.end[s], stop);
        if (slots.isBefore(at, from)) map.list.push({ start: at, stop: from, value });
        map.list.push({ start: from, stop: end, value: renamed(value, loc, to) });
        at = end;
      }
      if (slots.isBefore(at, stop)) map.list.push({ start: at, stop, value });
    }
    map.joinAll();
  }

  private removeLocation(loc: number): void {
    this.locations.splice(loc, 1);
    for (const s of this.map.list) {
      if (!s.value.locs.some((l) => l > loc)) continue;
      s.value = { ...s.value, locs: s.value.locs.map((l) => (l > loc ? l - 1 : l)) };
    }
  }

  // -- back into the code ------------------------------------------------------------------------------------------

  /** @llvm LiveDebugVariables.cpp UserValue::emitDebugValues */
  emit(places: Places): void {
    const offsets = this.assignLocations();
    const { slots, fn } = this.state;
    for (const { start: from, stop, value } of this.map.list) {
      const start = this.trimmed.has(from) ? slots.previousIndex(from) : from;
      for (let block = slots.blockOf(start), at = start; block < fn.blocks.length; at = slots.startOf(++block)) {
        const end = slots.endOf(block);
        this.emitIn(places, block, at, slots.isBefore(end, stop) ? end : stop, value, offsets);
        if (slots.isAtOrBefore(stop, end)) break;
      }
    }
  }

  /**
   * Puts registers and slots for virtual registers. By location: the offset in a spill slot, -1 where nothing is spilled.
   * @llvm LiveDebugVariables.cpp UserValue::rewriteLocations
   */
  private assignLocations(): number[] {
    const { state, map } = this;
    const locations: NewOperand[] = [];
    const offsets: number[] = [];
    const keys: string[] = [];
    const numbers = this.locations.map((location) => {
      const [operand, offset] = assigned(state, location);
      const key = operandKey(state.fn, operand);
      if (keys.includes(key)) return keys.indexOf(key);
      locations.push(operand);
      offsets.push(offset);
      return keys.push(key) - 1;
    });
    this.locations = locations;
    for (const s of map.list)
      s.value = withLocs(
        s.value,
        s.value.locs.map((loc) => (loc === UNDEF_LOC ? loc : numbers[loc])),
      );
    // Stretches that have one place now stay two: LLVM means to join them, but its test for it never holds.
    return offsets;
  }

  /**
   * Writes one value at a place, and again after each definition of its registers.
   * @llvm LiveDebugVariables.cpp UserValue::insertDebugValue
   */
  private emitIn(
    places: Places,
    block: BlockId,
    start: SlotRef,
    stop: SlotRef,
    value: DebugValue,
    offsets: readonly number[],
  ): void {
    const { fn, editor, tables } = this.state;
    const isLost = isUndef(value);
    const operands = value.locs.map((loc) => (isLost ? regOperand(NO_REG, OpFlag.Debug) : this.locations[loc]));
    let { expression, isIndirect } = value;
    value.locs.forEach((loc, k) => {
      if (isLost || offsets[loc] < 0) return;
      if (value.isList) expression = argInMemory(expression, k, offsets[loc]);
      else {
        expression = inMemory(expression, offsets[loc], isIndirect);
        isIndirect = true;
      }
    });
    const named: NewOperand[] = [
      { kind: OperandKind.Metadata, val: fn.opVal[this.named] },
      { kind: OperandKind.Metadata, val: fn.addPayload({ kind: OperandKind.Metadata, text: expression, node: -1 }) },
    ];
    const second = isIndirect ? { kind: OperandKind.Immediate, val: 0 } : regOperand(NO_REG, OpFlag.Debug);
    const all = value.isList ? [...named, ...operands] : [...operands, second, ...named];
    const opcode = tables.opcodeByName(value.isList ? 'DBG_VALUE_LIST' : 'DBG_VALUE');
    for (let pos = places.behind(block, start); ;) {
      const i = editor.insert(pos, block, opcode, all);
      fn.extras.set(i, { debugLocation: this.debugLocation });
      const next = places.behindDef(pos, stop, operands);
      if (next === null) return;
      pos = next;
    }
  }
}

/** A location without virtual registers, and its offset when it is a spill slot, else -1. */
function assigned(state: AllocState, location: NewOperand): [NewOperand, number] {
  const { kind, val, sub = 0 } = location;
  if (kind !== OperandKind.Register || !isVirtualReg(val)) return [location, -1];
  const reg = state.map.physOf(~val);
  if (reg !== 0) return [regOperand(state.part(reg, sub), OpFlag.Debug), -1];
  const slot = state.map.slotOf(~val);
  if (slot < 0) return [regOperand(NO_REG, OpFlag.Debug), -1];
  return [{ kind: OperandKind.FrameIndex, val: slot }, sub === 0 ? 0 : state.tables.subRegOffset[sub] / 8];
}

/**
 * Where debug instructions go.
 * @llvm LiveDebugVariables.cpp findInsertLocation
 */
class Places {
  /** by block: the last instruction that was skipped at its start */
  private readonly skipped = new Map<BlockId, InstrId>();

  constructor(private readonly state: AllocState) {}

  /** After the instruction of a slot, or the one before it that is still there, and the debug instructions there. */
  behind(block: BlockId, slot: SlotRef): ListPos {
    const { slots, editor } = this.state;
    const start = slots.startOf(block);
    let at = SlotList.base(slot);
    let i = slots.instrOf(at);
    while (i < 0) {
      if (at === start) return this.behindPrologue(block);
      at = slots.previousIndex(at);
      i = slots.instrOf(at);
    }
    return this.skipDebug(this.isTerminator(i) ? firstTerminator(this.state.editor, block) : editor.list.after(i));
  }

  /** In place of a stashed instruction: after the debug instructions of its slot, or before the next instruction that is still there. */
  ofStashed(block: BlockId, slot: SlotRef): ListPos {
    const { slots, editor } = this.state;
    const i = slots.instrOf(slot);
    if (i >= 0) return this.skipDebug(editor.list.after(i));
    const at = slots.nextInstr(slot);
    return slots.isBefore(at, slots.endOf(block)) ? slots.instrOf(at) : firstTerminator(this.state.editor, block);
  }

  /**
   * After the next definition of a register from `pos` on, before slot `stop`; null: there is none.
   * @llvm LiveDebugVariables.cpp findNextInsertLocation
   */
  behindDef(pos: ListPos, stop: SlotRef, operands: readonly NewOperand[]): ListPos | null {
    const { slots, editor, fn, tables } = this.state;
    const regs = operands.filter((o) => o.kind === OperandKind.Register).map((o) => o.val);
    if (regs.length === 0) return null;
    for (let i = pos; i >= 0 && !this.isTerminator(i); i = editor.list.after(i)) {
      const at = slots.ofInstr(i);
      if (at >= 0 && slots.isAtOrBefore(SlotList.base(stop), at)) return null;
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
        if (fn.opKind[o] !== OperandKind.Register || !editor.isDef(o)) continue;
        const def = fn.opVal[o];
        if (!regs.some((reg) => reg > 0 && (def === reg || (def > 0 && tables.isSubRegister(def, reg))))) continue;
        const next = editor.list.after(i);
        // The end of the block is LLVM's sign of no place.
        return next < 0 ? null : next;
      }
    }
    return null;
  }

  private behindPrologue(block: BlockId): ListPos {
    const { editor } = this.state;
    const last = this.skipped.get(block);
    const first = last === undefined ? editor.list.first(block) : editor.list.after(last);
    let pos: ListPos = first;
    while (pos >= 0 && isSkippedAtStart(this.state.fn, pos, -1)) pos = editor.list.after(pos);
    if (pos !== first) this.skipped.set(block, editor.list.before(pos));
    return pos;
  }

  private skipDebug(from: ListPos): ListPos {
    let pos = from;
    while (pos >= 0 && this.state.isDebugInstr(pos)) pos = this.state.editor.list.after(pos);
    return pos;
  }

  private isTerminator(i: InstrId): boolean {
    return this.state.has(i, McFlag.Terminator);
  }
}

const NO_VALUES: WaitingDebugValues = { split: () => undefined, emit: () => undefined };

/** Debug values leave the code; what has no debug information loses them. `ir`: the module of the function. */
export function takeDebugValues(state: AllocState, ir: IRModule | null): WaitingDebugValues {
  const { fn, editor, lis } = state;
  fn.header.tracksDebugUserValues = true;
  const debugInfo = DebugInfo.of(ir, fn.header.name);
  if (debugInfo !== null) return new DebugVariables(state, debugInfo);
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let i = editor.list.first(b); i >= 0;) {
      const next = editor.list.after(i);
      if (state.isDebugInstr(i)) lis.erase(i);
      i = next;
    }
  }
  return NO_VALUES;
}

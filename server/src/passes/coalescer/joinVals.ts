/**
 * The values of one of two registers that are about to be joined, and what becomes of each (JoinVals, LLVM 22; docs/llvm/coalescing.md, 3). There are always
 * two of these, one for each register or for some lanes of each.
 */
import {
  NO_VALUE,
  valueDefined,
  valueOut,
  type LiveInterval,
  type LiveQuery,
  type LiveRange,
  type ValueId,
} from '../../analysis/edit/liveRange.js';
import { NO_SLOT, type SlotRef } from '../../analysis/edit/slotList.js';
import { ALL_LANES, joinedLanes, type Lanes } from '../../analysis/lanes.js';
import { OpcodeTrait } from '../../analysis/opcodeTraits.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { OpFlag, type InstrId } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import type { SubRegIdx } from '../../target/api.js';
import { invariant } from '../../util/invariant.js';
import type { AllocState } from '../regalloc/state.js';
import { composed } from '../registerParts.js';
import type { CoalescerPair } from './coalescerPair.js';

/** @llvm RegisterCoalescer.cpp JoinVals::ConflictResolution */
export const enum Resolution {
  /** no conflict */
  Keep,
  /** becomes the other value, its instruction goes */
  Erase,
  /** becomes the other value, which the same instruction defines */
  Merge,
  /** stays, and takes the place of the other value from here on */
  Replace,
  Unresolved,
  Impossible,
}

/** A value of a range; numbers may be given up while ranges are joined. */
interface ValueIn {
  readonly range: LiveRange;
  readonly value: ValueId;
}

/** Values of the joined range, in order. */
export type NewValues = ValueIn[];

/** What the copy tells of the lanes of a register, and where its value comes from. */
interface Val {
  resolution: Resolution;
  /** 0 = not looked at */
  writeLanes: bigint;
  validLanes: bigint;
  redefines: ValueId;
  other: ValueId;
  isErasableImplicitDef: boolean;
  isPruned: boolean;
  knowsPruned: boolean;
  isIdentical: boolean;
}

/** What both sides share. */
export interface Joining {
  readonly state: AllocState;
  readonly lanes: Lanes;
  readonly pair: CoalescerPair;
  readonly newValues: NewValues;
  readonly isOfParts: boolean;
  readonly tracksParts: boolean;
}

/** Where lanes stop being wrong. */
interface Taint {
  readonly end: SlotRef;
  readonly lanes: bigint;
}

const defOf = ({ range, value }: ValueIn): SlotRef => (value < range.nValues ? range.valueDef[value] : NO_SLOT);

/** @llvm RegisterCoalescer.cpp JoinVals */
export class JoinVals {
  readonly assignments: Int32Array;
  private readonly vals: Val[];

  constructor(
    private readonly joining: Joining,
    readonly range: LiveRange,
    readonly reg: Reg,
    readonly part: SubRegIdx,
    private readonly laneMask: bigint,
  ) {
    this.assignments = new Int32Array(range.nValues).fill(-1);
    this.vals = range.valueDef.map(() => ({
      resolution: Resolution.Keep,
      writeLanes: 0n,
      validLanes: 0n,
      redefines: NO_VALUE,
      other: NO_VALUE,
      isErasableImplicitDef: false,
      isPruned: false,
      knowsPruned: false,
      isIdentical: false,
    }));
  }

  private get state(): AllocState {
    return this.joining.state;
  }

  resolutionOf(value: ValueId): Resolution {
    return this.vals[value].resolution;
  }

  private lanesOfPart(sub: SubRegIdx): bigint {
    return this.joining.lanes.mask(sub);
  }

  private isImplicitDef(i: InstrId): boolean {
    return this.state.fn.opcode[i] === this.state.opcodes.implicitDef;
  }

  private isFullCopy(i: InstrId): boolean {
    const { fn, opcodes } = this.state;
    const begin = fn.opBegin[i];
    return fn.opcode[i] === opcodes.copy && fn.opSub[begin] === 0 && fn.opSub[begin + 1] === 0;
  }

  // -- mapping -----------------------------------------------------------------------------------------------------------

  /**
   * False: the two cannot be joined.
   * @llvm RegisterCoalescer.cpp JoinVals::mapValues
   */
  mapValues(other: JoinVals): boolean {
    for (let value = 0; value < this.vals.length; value++) {
      this.assign(value, other);
      if (this.vals[value].resolution === Resolution.Impossible) return false;
    }
    return true;
  }

  /** @llvm RegisterCoalescer.cpp JoinVals::computeAssignment */
  private assign(value: ValueId, other: JoinVals): void {
    const v = this.vals[value];
    if (v.writeLanes !== 0n) return;
    const { newValues } = this.joining;
    v.resolution = this.analyze(value, other);
    if (v.resolution === Resolution.Erase || v.resolution === Resolution.Merge) {
      this.assignments[value] = other.assignments[v.other];
      return;
    }
    if (v.resolution === Resolution.Replace || v.resolution === Resolution.Unresolved)
      other.vals[v.other].isPruned = true;
    this.assignments[value] = newValues.push({ range: this.range, value }) - 1;
  }

  /** @llvm RegisterCoalescer.cpp JoinVals::analyzeValue */
  private analyze(value: ValueId, other: JoinVals): Resolution {
    const { slots } = this.state;
    const { range } = this;
    const v = this.vals[value];
    if (range.isUnused(value)) {
      v.writeLanes = ALL_LANES;
      return Resolution.Keep;
    }
    const def = range.valueDef[value];
    const instr = this.lanesWritten(value, other);
    const q = other.range.query(def);
    const defined = valueDefined(q);
    if (defined !== NO_VALUE) return this.analyzeTwoDefs(value, other, q, defined);
    v.other = q.valueIn;
    if (v.other === NO_VALUE) return Resolution.Keep;
    other.assign(v.other, this);
    if (other.vals[v.other].isErasableImplicitDef) this.judgeImplicitDef(v.other, instr, other);
    if (range.isPhi(value)) return Resolution.Replace;
    if (this.isImplicitDef(instr)) return Resolution.Erase;
    const { pair, isOfParts } = this.joining;
    const otherV = other.vals[v.other];
    if (pair.isCoalescable(instr)) {
      v.validLanes &= (~v.writeLanes & ALL_LANES) | otherV.validLanes;
      return Resolution.Erase;
    }
    if (q.isKill && slots.isAtOrBefore(q.end, def)) return Resolution.Keep;
    if (this.isFullCopy(instr) && !pair.isPartial && this.areIdentical(value, v.other, other)) {
      v.isIdentical = true;
      return Resolution.Erase;
    }
    if (isOfParts || (v.writeLanes & otherV.validLanes) === 0n) return Resolution.Replace;
    return this.analyzeClobber(v, def, q, other);
  }

  /** Both ranges have a definition by one instruction, or PHIs of one block. */
  private analyzeTwoDefs(value: ValueId, other: JoinVals, q: LiveQuery, defined: ValueId): Resolution {
    const { slots } = this.state;
    const v = this.vals[value];
    const def = this.range.valueDef[value];
    const otherDef = other.range.valueDef[defined];
    if (slots.isBefore(otherDef, def)) other.assign(defined, this);
    else if (slots.isBefore(def, otherDef) && q.valueIn !== NO_VALUE) {
      v.other = q.valueIn;
      return Resolution.Impossible;
    }
    v.other = defined;
    const otherV = other.vals[defined];
    if (otherV.writeLanes === 0n || other.assignments[defined] === -1) return Resolution.Keep;
    if (this.range.isPhi(value)) return Resolution.Merge;
    return (v.validLanes & otherV.validLanes) !== 0n ? Resolution.Impossible : Resolution.Merge;
  }

  /** Sets the lanes that the definition of a value writes and leaves valid; its instruction, -1 for a PHI. */
  private lanesWritten(value: ValueId, other: JoinVals): InstrId {
    const { slots } = this.state;
    const { isOfParts } = this.joining;
    const v = this.vals[value];
    if (this.range.isPhi(value)) {
      v.validLanes = v.writeLanes = isOfParts ? 1n : this.lanesOfPart(this.part);
      return -1;
    }
    const def = this.range.valueDef[value];
    const instr = slots.instrOf(def);
    const isImplicit = this.isImplicitDef(instr);
    v.isErasableImplicitDef = isImplicit;
    if (isOfParts) {
      v.writeLanes = 1n;
      v.validLanes = isImplicit ? 0n : 1n;
      return instr;
    }
    const { lanes, isRedefinition } = this.lanesDefinedBy(instr);
    v.validLanes = v.writeLanes = lanes;
    if (!isRedefinition) return instr;
    v.redefines = this.range.query(def).valueIn;
    if (v.redefines === NO_VALUE) return instr;
    this.assign(v.redefines, other);
    v.validLanes |= this.vals[v.redefines].validLanes;
    return instr;
  }

  /** @llvm RegisterCoalescer.cpp JoinVals::computeWriteLanes */
  private lanesDefinedBy(i: InstrId): { readonly lanes: bigint; readonly isRedefinition: boolean } {
    const { fn, editor } = this.state;
    let lanes = 0n;
    let isRedefinition = false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== this.reg || !editor.isDef(o)) continue;
      lanes |= this.lanesOfPart(composed(fn.tables, this.part, fn.opSub[o]));
      if (editor.reads(o)) isRedefinition = true;
    }
    return { lanes, isRedefinition };
  }

  /** An IMPLICIT_DEF of the other register that lives into another block, or round a loop, is a value like others. */
  private judgeImplicitDef(value: ValueId, instr: InstrId, other: JoinVals): void {
    const { slots, fn } = this.state;
    const v = other.vals[value];
    const implicitDef = slots.instrOf(other.range.valueDef[value]);
    const home = fn.instrBlock[implicitDef];
    const isKept = instr >= 0 && (fn.instrBlock[instr] !== home || this.range.isLiveAt(slots.startOf(home)));
    if (!isKept) {
      v.validLanes &= ~v.writeLanes & ALL_LANES;
      return;
    }
    v.isErasableImplicitDef = false;
    v.validLanes = this.lanesOfPart(fn.opSub[fn.opBegin[implicitDef]]);
  }

  /** Lanes that live in the other register are written: the two can be one only if nobody reads these any more. */
  private analyzeClobber(v: Val, def: SlotRef, q: LiveQuery, other: JoinVals): Resolution {
    const { slots, lis } = this.state;
    const { lanes, tracksParts } = this.joining;
    if (q.isKill) return Resolution.Impossible;
    const otherLanes = this.lanesOfPart(other.part);
    if ((otherLanes & ~v.writeLanes & ALL_LANES) === 0n) return Resolution.Impossible;
    if (tracksParts) {
      const interval = lis.interval(virtRegIndex(other.reg));
      if (interval.subRanges.length === 0)
        return (otherLanes & v.writeLanes) === 0n ? Resolution.Replace : Resolution.Impossible;
      for (const sub of interval.subRanges) {
        const mask = lanes.outward(other.part, joinedLanes(sub.laneLo, sub.laneHi));
        if ((mask & v.writeLanes) === 0n) continue;
        const there = sub.query(def);
        if (there.valueIn !== NO_VALUE && slots.isBefore(def, there.end)) return Resolution.Impossible;
      }
      return Resolution.Replace;
    }
    return slots.isBefore(q.end, slots.endOf(slots.blockOf(def))) ? Resolution.Unresolved : Resolution.Impossible;
  }

  // -- values that are the same ----------------------------------------------------------------------------------------------

  /** @llvm RegisterCoalescer.cpp JoinVals::valuesIdentical */
  private areIdentical(mine: ValueId, theirs: ValueId, other: JoinVals): boolean {
    const a = this.origin(mine);
    if (a.from !== null && a.from.range === other.range && a.from.value === theirs && a.reg === other.reg) return true;
    const b = other.origin(theirs);
    if (a.from === null || b.from === null) return a.from === b.from && a.reg === b.reg;
    return defOf(a.from) === defOf(b.from) && a.reg === b.reg;
  }

  /**
   * Where a value comes from through full copies; null = it is undefined.
   * @llvm RegisterCoalescer.cpp JoinVals::followCopyChain
   */
  private origin(value: ValueId): { readonly from: ValueIn | null; readonly reg: Reg } {
    const { fn, slots, lis } = this.state;
    let at: ValueIn = { range: this.range, value };
    let { reg } = this;
    while (!at.range.isPhi(at.value)) {
      const def = defOf(at);
      const i = slots.instrOf(def);
      if (!this.isFullCopy(i)) break;
      const source = fn.opVal[fn.opBegin[i] + 1];
      if (!isVirtualReg(source)) break;
      const interval = lis.interval(virtRegIndex(source));
      const found = this.valueCopied(interval, def);
      if (found === undefined) break;
      if (found === null) return { from: null, reg: source };
      at = found;
      reg = source;
    }
    return { from: at, reg };
  }

  /** undefined: parts say different things */
  private valueCopied(interval: LiveInterval, def: SlotRef): ValueIn | null | undefined {
    const { isOfParts, lanes } = this.joining;
    const valueOf = (range: LiveRange): ValueIn | null => {
      const value = range.query(def).valueIn;
      return value === NO_VALUE ? null : { range, value };
    };
    if (!isOfParts || interval.subRanges.length === 0) return valueOf(interval);
    let found: ValueIn | null = null;
    for (const sub of interval.subRanges) {
      const mask = lanes.outward(this.part, joinedLanes(sub.laneLo, sub.laneHi));
      if ((mask & this.laneMask) === 0n) continue;
      const here = valueOf(sub);
      if (found === null) found = here;
      // Values of two parts are never the same one to LLVM.
      else if (here !== null) return undefined;
    }
    return found;
  }

  // -- conflicts that need all values ----------------------------------------------------------------------------------------

  /** @llvm RegisterCoalescer.cpp JoinVals::resolveConflicts */
  resolveConflicts(other: JoinVals): boolean {
    for (let value = 0; value < this.vals.length; value++) {
      const v = this.vals[value];
      if (v.resolution !== Resolution.Unresolved) continue;
      if (this.joining.isOfParts || !this.isTaintUnread(value, other)) return false;
      v.resolution = Resolution.Replace;
    }
    return true;
  }

  private isTaintUnread(value: ValueId, other: JoinVals): boolean {
    const { slots, editor } = this.state;
    const v = this.vals[value];
    const def = this.range.valueDef[value];
    const taints = this.taintExtent(def, v.writeLanes & other.vals[v.other].validLanes, other);
    if (taints === null || taints.length === 0) return false;
    let i = this.range.isPhi(value) ? editor.list.first(slots.blockOf(def)) : slots.instrOf(def);
    if (!this.range.isPhi(value) && (def & 3) !== Slot.EarlyClobber) i = editor.list.after(i);
    for (const { end, lanes } of taints) {
      const last = slots.instrOf(end);
      for (; i >= 0; i = editor.list.after(i)) {
        if (this.readsLanes(i, other, lanes)) return false;
        if (i === last) break;
      }
    }
    return true;
  }

  /**
   * null: wrong lanes leave the block
   * @llvm RegisterCoalescer.cpp JoinVals::taintExtent
   */
  private taintExtent(def: SlotRef, tainted: bigint, other: JoinVals): Taint[] | null {
    const { slots } = this.state;
    const blockEnd = slots.endOf(slots.blockOf(def));
    const { range } = other;
    const found: Taint[] = [];
    let lanes = tainted;
    for (let s = range.find(def); ;) {
      const end = range.end[s];
      if (!slots.isBefore(end, blockEnd)) return null;
      if ((end & 3) === Slot.Dead) break;
      found.push({ end, lanes });
      if (++s === range.size || !slots.isBefore(range.start[s], blockEnd)) break;
      const next = other.vals[range.value[s]];
      lanes &= ~next.writeLanes & ALL_LANES;
      if (next.redefines === NO_VALUE || lanes === 0n) break;
    }
    return found;
  }

  /** @llvm RegisterCoalescer.cpp JoinVals::usesLanes */
  private readsLanes(i: InstrId, other: JoinVals, lanes: bigint): boolean {
    const { fn, editor, traits } = this.state;
    if ((traits[fn.opcode[i]] & OpcodeTrait.NoSlotIndex) !== 0) return false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (editor.isDef(o) || fn.opVal[o] !== other.reg || !editor.reads(o)) continue;
      if ((lanes & this.lanesOfPart(composed(fn.tables, other.part, fn.opSub[o]))) !== 0n) return true;
    }
    return false;
  }

  // -- pruning ---------------------------------------------------------------------------------------------------------------

  /** @llvm RegisterCoalescer.cpp JoinVals::isPrunedValue */
  private isPruned(value: ValueId, other: JoinVals): boolean {
    const v = this.vals[value];
    if (v.isPruned || v.knowsPruned) return v.isPruned;
    if (v.resolution !== Resolution.Erase && v.resolution !== Resolution.Merge) return v.isPruned;
    v.knowsPruned = true;
    v.isPruned = other.isPruned(v.other, this);
    return v.isPruned;
  }

  /** @llvm RegisterCoalescer.cpp JoinVals::pruneValues */
  pruneValues(other: JoinVals, ends: SlotRef[], changesInstrs: boolean): void {
    const { lis } = this.state;
    for (let value = 0, n = this.range.nValues; value < n; value++) {
      const def = this.range.valueDef[value];
      const { resolution } = this.vals[value];
      if (resolution === Resolution.Replace) this.pruneReplaced(value, other, ends, changesInstrs);
      else if (resolution === Resolution.Erase || resolution === Resolution.Merge) {
        if (this.isPruned(value, other)) lis.pruneValue(this.range, def, ends);
      }
    }
  }

  private pruneReplaced(value: ValueId, other: JoinVals, ends: SlotRef[], changesInstrs: boolean): void {
    const { lis, slots, fn, editor } = this.state;
    const def = this.range.valueDef[value];
    lis.pruneValue(other.range, def, ends);
    const otherV = other.vals[this.vals[value].other];
    const erases = otherV.isErasableImplicitDef && otherV.resolution === Resolution.Keep;
    if ((def & 3) === Slot.Block) return;
    if (changesInstrs) {
      const i = slots.instrOf(def);
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (fn.opVal[o] !== this.reg || !editor.isDef(o)) continue;
        if (fn.opSub[o] !== 0 && !erases) fn.opFlags[o] &= ~OpFlag.Undef;
        fn.opFlags[o] &= ~OpFlag.Dead;
      }
    }
    if (!erases) ends.push(def);
  }

  /**
   * Parts that begin or end where a copy goes; lanes that are to be shrunk. LLVM asks of a value that it has given up whether it is a PHI, which is
   * always so.
   * @llvm RegisterCoalescer.cpp JoinVals::pruneSubRegValues
   */
  pruneSubRegValues(interval: LiveInterval, other: JoinVals): bigint {
    let shrunk = 0n;
    let hasPruned = false;
    for (let value = 0, n = this.range.nValues; value < n; value++) {
      const v = this.vals[value];
      const isErased = v.resolution === Resolution.Erase;
      if (!isErased && (v.resolution !== Resolution.Keep || !v.isErasableImplicitDef || !v.isPruned)) continue;
      for (const sub of interval.subRanges) {
        const isPruned = this.prunePart(sub, value, other);
        if (isPruned) hasPruned = true;
        if (isPruned || this.losesReader(sub, value)) shrunk |= joinedLanes(sub.laneLo, sub.laneHi);
      }
    }
    if (hasPruned) interval.removeEmptySubRanges();
    return shrunk;
  }

  /** What the copy defines in a part goes, or becomes the value that it is the same as. */
  private prunePart(sub: LiveRange, value: ValueId, other: JoinVals): boolean {
    const { lis } = this.state;
    const v = this.vals[value];
    const def = this.range.valueDef[value];
    const q = sub.query(def);
    const out = q.valueOutOrDead;
    if (out === NO_VALUE) return false;
    const isSame = v.isIdentical && v.resolution === Resolution.Erase && sub.valueDef[out] === def;
    if (q.valueIn !== NO_VALUE && !isSame) return false;
    const ends: SlotRef[] = [];
    lis.pruneValue(sub, def, ends);
    sub.valueDef[out] = NO_SLOT;
    if (v.isIdentical && sub.query(other.range.valueDef[v.other]).valueOutOrDead !== NO_VALUE) lis.extendTo(sub, ends);
    return true;
  }

  private losesReader(sub: LiveRange, value: ValueId): boolean {
    const q = sub.query(this.range.valueDef[value]);
    if (q.valueIn === NO_VALUE) return false;
    const out = valueOut(q);
    if (out === NO_VALUE) return true;
    return this.vals[value].resolution === Resolution.Erase && sub.isPhi(q.valueIn) && q.valueIn === out;
  }

  /**
   * Values of the main range that no part has any more.
   * @llvm RegisterCoalescer.cpp JoinVals::pruneMainSegments
   */
  pruneMainSegments(interval: LiveInterval): boolean {
    let shrinks = false;
    for (let value = 0, n = this.range.nValues; value < n; value++) {
      if (this.vals[value].resolution !== Resolution.Keep) continue;
      if (this.range.isUnused(value) || this.range.isPhi(value)) continue;
      const def = this.range.valueDef[value];
      const isInPart = interval.subRanges.some((sub) => {
        const out = sub.query(def).valueOutOrDead;
        return out !== NO_VALUE && sub.valueDef[out] === def;
      });
      if (isInPart) continue;
      this.vals[value].isPruned = true;
      shrinks = true;
    }
    return shrinks;
  }

  /** @llvm RegisterCoalescer.cpp JoinVals::removeImplicitDefs */
  removeImplicitDefs(): void {
    for (let value = 0, n = this.range.nValues; value < n; value++) {
      const { resolution, isErasableImplicitDef, isPruned } = this.vals[value];
      if (resolution === Resolution.Keep && isErasableImplicitDef && isPruned) this.range.removeValue(value);
    }
  }

  /**
   * Takes out the instructions that are of no use any more. `interval`: whose main range this is, if it has parts to go by; `shrunk`: registers that
   * lost a reader by that.
   * @llvm RegisterCoalescer.cpp JoinVals::eraseInstrs
   */
  eraseInstrs(erase: (i: InstrId) => void, shrunk: Reg[], interval: LiveInterval | null): void {
    const { slots, fn, opcodes } = this.state;
    const { pair } = this.joining;
    for (let value = 0, n = this.range.nValues; value < n; value++) {
      const def = this.range.valueDef[value];
      const { resolution, isErasableImplicitDef, isPruned } = this.vals[value];
      if (resolution === Resolution.Keep) {
        if (!isErasableImplicitDef || !isPruned) continue;
        this.removeImplicit(value, def, interval);
      } else if (resolution !== Resolution.Erase) continue;
      const i = slots.instrOf(def);
      invariant(i >= 0, 'an instruction to take out');
      if (fn.opcode[i] === opcodes.copy) {
        const source = fn.opVal[fn.opBegin[i] + 1];
        if (isVirtualReg(source) && source !== pair.source && source !== pair.destination) shrunk.push(source);
      }
      erase(i);
    }
  }

  private removeImplicit(value: ValueId, def: SlotRef, interval: LiveInterval | null): void {
    const { slots } = this.state;
    const { range } = this;
    const min = (a: SlotRef, b: SlotRef): SlotRef => (slots.isBefore(b, a) ? b : a);
    const at = interval === null ? -1 : range.segmentAt(def);
    let end: SlotRef = at < 0 ? NO_SLOT : range.end[at];
    range.removeValue(value);
    if (interval === null || interval.subRanges.length === 0 || end === NO_SLOT) return;
    let nextDef: SlotRef = NO_SLOT;
    let lastEnd: SlotRef = NO_SLOT;
    for (const sub of interval.subRanges) {
      const s = sub.find(def);
      if (s === sub.size) continue;
      if (slots.isBefore(def, sub.start[s])) nextDef = nextDef === NO_SLOT ? sub.start[s] : min(nextDef, sub.start[s]);
      else if (lastEnd === NO_SLOT || slots.isBefore(lastEnd, sub.end[s])) lastEnd = sub.end[s];
    }
    if (lastEnd === NO_SLOT) return;
    end = min(end, lastEnd);
    if (nextDef !== NO_SLOT) end = min(end, nextDef);
    const s = range.find(def);
    if (s > 0) range.end[s - 1] = end;
  }
}

/** Definitions of the joined values, as they are now. */
export const definitionsOf = (values: NewValues): SlotRef[] => values.map(defOf);

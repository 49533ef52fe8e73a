/**
 * Live intervals of virtual registers with sub-ranges, and live ranges of register units.
 * Follows LiveIntervals and LiveIntervalCalc (LLVM 22; docs/llvm/liveness.md, 2 to 6).
 *
 * A range is an integer. Its segments are a run in three shared columns (start, end, value), ascending and disjoint;
 * its lanes are two words. A virtual register has one main range and a chain of sub-ranges, or none. Runs are only ever
 * appended and re-pointed, so that a later pass can replace one register's ranges without moving the others.
 *
 * Computing intervals also edits a function (`edit`): LLVM's analysis clears kill flags, marks dead defs and read-undef
 * sub-register defs, and gives unconnected parts of a register a register of their own. Without `edit` the function is
 * only read and each register keeps its number; the pressure is the same (docs/llvm/liveness.md, 5).
 */
import type { Id } from '../util/id.js';
import { BundleFlag, OpFlag, OperandKind, type MachineFunction, type BlockId } from '../model/machineFunction.js';
import type { VRegId } from '../model/register.js';
import { OpcodeTrait, opcodeTraits } from './opcodeTraits.js';
import { RangeCalc } from './rangeCalc.js';
import { ReservedRegs } from './reservedRegs.js';
import { Slot, SlotIndexes, type SlotIndex, printSlot } from './slotIndexes.js';
import type { RegUnit } from '../target/api.js';
import { SparseColumn } from '../util/sparseColumn.js';

/** Index of a live range in the columns of LiveIntervals. */
export type RangeId = Id<'range'>;

/** The ranges of a virtual register. */
export interface RegisterRanges {
  readonly main: RangeId;
  /** the first one, as `LiveIntervals.subRange` */
  readonly sub: RangeId;
}

export interface LiveIntervalOptions {
  /** apply LLVM's edits to the function (give it a clone) */
  readonly edit?: boolean;
}

/** Room for a few ranges and segments more, as an edit brings them. */
const SPARE = 64;

/** No range, no segment. */
const NONE = -1;

function growInt32(a: Int32Array, atLeast: number): Int32Array {
  let n = a.length * 2;
  while (n < atLeast) n *= 2;
  const b = new Int32Array(n);
  b.set(a);
  return b;
}

function growUint32(a: Uint32Array, atLeast: number): Uint32Array {
  let n = a.length * 2;
  while (n < atLeast) n *= 2;
  const b = new Uint32Array(n);
  b.set(a);
  return b;
}

/** @llvm LiveIntervals.cpp LiveIntervals */
export class LiveIntervals {
  // -- virtual registers, by index -----------------------------------------------------------------------------
  /** main range, -1 = the register has no operand outside debug instructions */
  mainRange: Int32Array;
  /** first sub-range, -1 = none; the others follow by `nextSubRange` */
  subRange: Int32Array;
  nVRegs: number;

  // -- ranges, by RangeId --------------------------------------------------------------------------------------
  nRanges = 0;
  segBegin: Int32Array;
  segCount: Int32Array;
  laneLo: Uint32Array;
  laneHi: Uint32Array;
  nextSubRange: Int32Array;

  // -- segments ------------------------------------------------------------------------------------------------
  nSegs = 0;
  segStart: Int32Array;
  segEnd: Int32Array;
  /** value number within the range: equal means that the segment continues the same value */
  segValue: Int32Array;

  /** second half of the latest answer of liveLanes and maxLanes */
  lanesHi = 0;

  private unitRange: SparseColumn | null = null;
  private unitOperands: UnitOperands | null = null;
  private calc: RangeCalc | null = null;

  /** Without ranges. */
  constructor(
    readonly fn: MachineFunction,
    readonly indexes: SlotIndexes,
  ) {
    const n = fn.vregs.n;
    this.nVRegs = n;
    this.mainRange = new Int32Array(n).fill(NONE);
    this.subRange = new Int32Array(n).fill(NONE);
    const ranges = n + SPARE;
    this.segBegin = new Int32Array(ranges);
    this.segCount = new Int32Array(ranges);
    this.laneLo = new Uint32Array(ranges);
    this.laneHi = new Uint32Array(ranges);
    this.nextSubRange = new Int32Array(ranges);
    this.segStart = new Int32Array(ranges);
    this.segEnd = new Int32Array(ranges);
    this.segValue = new Int32Array(ranges);
  }

  // -- queries ---------------------------------------------------------------------------------------------------

  /** Position in the segment columns of the first segment of `range` that ends after `slot`; the end of the run if none does. */
  findSegment(range: RangeId, slot: SlotIndex): number {
    let lo = this.segBegin[range];
    let hi = lo + this.segCount[range];
    const ends = this.segEnd;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (ends[mid] <= slot) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  isLiveAt(range: RangeId, slot: SlotIndex): boolean {
    const begin = this.segBegin[range];
    const n = this.segCount[range];
    if (n === 1) return this.segStart[begin] <= slot && slot < this.segEnd[begin];
    const s = this.findSegment(range, slot);
    return s < begin + n && this.segStart[s] <= slot;
  }

  /** Segment that contains `slot`, or -1. */
  segmentAt(range: RangeId, slot: SlotIndex): number {
    const s = this.findSegment(range, slot);
    return s < this.segBegin[range] + this.segCount[range] && this.segStart[s] <= slot ? s : NONE;
  }

  /** Full lane mask of a register's class: the low half, the high half is in `lanesHi`. 0 for a register without class. */
  maxLanes(vreg: VRegId): number {
    const rc = this.fn.vregs.regClass[vreg];
    if (rc < 0) {
      this.lanesHi = 0;
      return 0;
    }
    this.lanesHi = this.fn.tables.regClassLaneHi[rc];
    return this.fn.tables.regClassLaneLo[rc];
  }

  /** Lanes of a register that are live at `slot`: returns the low half, the high half is in `lanesHi`. */
  liveLanes(vreg: VRegId, slot: SlotIndex): number {
    const main = this.mainRange[vreg];
    if (main < 0) {
      this.lanesHi = 0;
      return 0;
    }
    let sub = this.subRange[vreg];
    if (sub < 0) {
      if (this.isLiveAt(main, slot)) return this.maxLanes(vreg);
      this.lanesHi = 0;
      return 0;
    }
    let lo = 0;
    let hi = 0;
    for (; sub >= 0; sub = this.nextSubRange[sub]) {
      if (!this.isLiveAt(sub, slot)) continue;
      lo |= this.laneLo[sub];
      hi |= this.laneHi[sub];
    }
    this.lanesHi = hi >>> 0;
    return lo >>> 0;
  }

  rangesOf(vreg: VRegId): RegisterRanges {
    return { main: this.mainRange[vreg], sub: this.subRange[vreg] };
  }

  // -- changes ---------------------------------------------------------------------------------------------------

  setRanges(vreg: VRegId, { main, sub }: RegisterRanges): void {
    this.mainRange[vreg] = main;
    this.subRange[vreg] = sub;
  }

  /** Those of a register that lives nowhere, with the lanes of register `like` told apart. */
  noRanges(like: VRegId): RegisterRanges {
    return { main: NONE, sub: this.subRange[like] };
  }

  /** Ranges with the lanes of register `like` that are [start, end), as far as those live at `slot`, which some do; else empty. */
  rangesWithin(start: SlotIndex, end: SlotIndex, like: VRegId, slot: SlotIndex): RegisterRanges {
    const main = this.addSimpleRange(start, end);
    let first: RangeId = NONE;
    let last: RangeId = NONE;
    for (let r = this.subRange[like]; r >= 0; r = this.nextSubRange[r]) {
      const made = this.isLiveAt(r, slot) ? this.addSimpleRange(start, end) : this.newRange(0);
      this.laneLo[made] = this.laneLo[r];
      this.laneHi[made] = this.laneHi[r];
      if (last < 0) first = made;
      else this.nextSubRange[last] = made;
      last = made;
    }
    return { main, sub: first };
  }

  /**
   * Range of a register unit, computed when it is first asked for. Reserved units have def points only.
   * @llvm LiveIntervals.h LiveIntervals::getRegUnit
   */
  regUnitRange(unit: RegUnit, isReservedUnit: (unit: RegUnit) => boolean): RangeId {
    const ranges = (this.unitRange ??= new SparseColumn(this.fn.tables.nRegUnits, NONE));
    const known = ranges.get(unit);
    if (known >= 0) return known;
    this.unitOperands ??= new UnitOperands(this);
    const range = computeUnitRange(this, this.rangeCalc(), this.unitOperands, unit, isReservedUnit(unit));
    ranges.set(unit, range);
    return range;
  }

  // -- construction ------------------------------------------------------------------------------------------------

  /** The reusable engine of this function. */
  rangeCalc(): RangeCalc {
    return (this.calc ??= new RangeCalc(this.indexes));
  }

  /** Adds a range with one segment. */
  addSimpleRange(start: SlotIndex, end: SlotIndex): RangeId {
    const r = this.newRange(1);
    const s = this.segBegin[r];
    this.segStart[s] = start;
    this.segEnd[s] = end;
    this.segValue[s] = 0;
    return r;
  }

  /** Adds the range that `calc` holds. */
  addComputedRange(calc: RangeCalc): RangeId {
    const n = calc.nSegs;
    const r = this.newRange(n);
    const at = this.segBegin[r];
    for (let k = 0; k < n; k++) {
      this.segStart[at + k] = calc.segStart[k];
      this.segEnd[at + k] = calc.segEnd[k];
      this.segValue[at + k] = calc.segValue[k];
    }
    return r;
  }

  /** Appends a range with those segments of `from` whose entry in `keys` is `key`; lanes are copied. */
  addFilteredRange(from: RangeId, keys: readonly number[], key: number): RangeId {
    const n = keys.reduce((count, k) => (k === key ? count + 1 : count), 0);
    const r = this.newRange(n);
    this.laneLo[r] = this.laneLo[from];
    this.laneHi[r] = this.laneHi[from];
    let at = this.segBegin[r];
    for (let k = 0, s = this.segBegin[from]; k < keys.length; k++, s++) {
      if (keys[k] !== key) continue;
      this.segStart[at] = this.segStart[s];
      this.segEnd[at] = this.segEnd[s];
      this.segValue[at++] = this.segValue[s];
    }
    return r;
  }

  /** Adds a range with room for `n` segments, which the caller writes. */
  private newRange(n: number): RangeId {
    const r = this.nRanges++;
    if (r === this.segBegin.length) this.growRanges(r + 1);
    this.reserveSegs(n);
    this.segBegin[r] = this.nSegs;
    this.nSegs += n;
    this.segCount[r] = n;
    this.nextSubRange[r] = NONE;
    this.laneLo[r] = 0;
    this.laneHi[r] = 0;
    return r;
  }

  private growRanges(n: number): void {
    this.segBegin = growInt32(this.segBegin, n);
    this.segCount = growInt32(this.segCount, n);
    this.nextSubRange = growInt32(this.nextSubRange, n);
    this.laneLo = growUint32(this.laneLo, n);
    this.laneHi = growUint32(this.laneHi, n);
  }

  /** An empty range. */
  addEmptyRange(): RangeId {
    return this.newRange(0);
  }

  /** Follows registers that were added to the function, without ranges, or taken from it. */
  resizeVRegs(): void {
    const n = this.fn.vregs.n;
    this.mainRange.fill(NONE, n, this.nVRegs);
    this.subRange.fill(NONE, n, this.nVRegs);
    if (n > this.mainRange.length) {
      const old = this.mainRange.length;
      this.mainRange = growInt32(this.mainRange, n).fill(NONE, old);
      this.subRange = growInt32(this.subRange, n).fill(NONE, old);
    }
    this.nVRegs = n;
  }

  private reserveSegs(n: number): void {
    const need = this.nSegs + n;
    if (need <= this.segStart.length) return;
    this.segStart = growInt32(this.segStart, need);
    this.segEnd = growInt32(this.segEnd, need);
    this.segValue = growInt32(this.segValue, need);
  }
}

/**
 * Whether the pressure code and the intervals may split a class into lanes.
 * @llvm TargetRegisterInfo.h TargetRegisterClass::HasDisjunctSubRegs
 */
function tracksSubRegs(fn: MachineFunction, vreg: VRegId): boolean {
  const rc = fn.vregs.regClass[vreg];
  return rc >= 0 && fn.tables.regClassBits[rc] >= 32;
}

const enum VRegState {
  /** has an operand outside debug instructions */
  Present = 1,
  /** not "one def, all reads later in the same block, no sub-register": needs the engine */
  Complex = 2,
  /** a def or a read names a sub-register */
  SubRegs = 4,
}

/**
 * Computes the intervals of all virtual registers of a function. O(operands + segments) for structured code.
 * @llvm LiveIntervals.cpp LiveIntervals::analyze
 */
export function computeLiveIntervals(fn: MachineFunction, options: LiveIntervalOptions = {}): LiveIntervals {
  const lis = new LiveIntervals(fn, new SlotIndexes(fn));
  new IntervalBuilder(lis, options.edit === true).run();
  return lis;
}

class IntervalBuilder {
  private readonly fn: MachineFunction;
  private readonly indexes: SlotIndexes;
  /** operands of the complex registers, one run per register, in text order */
  private entryOp = new Int32Array(0);
  private entryInstr = new Int32Array(0);
  private entryBlock = new Int32Array(0);
  /** lanes and class of sub-ranges being refined; the head of LLVM's list is the last entry */
  private readonly partLo: number[] = [];
  private readonly partHi: number[] = [];
  /** registers with a dead value, which may fall apart */
  private readonly suspects: number[] = [];

  constructor(
    private readonly lis: LiveIntervals,
    private readonly edit: boolean,
  ) {
    this.fn = lis.fn;
    this.indexes = lis.indexes;
  }

  /** @llvm LiveIntervals.cpp LiveIntervals::computeVirtRegs */
  run(): void {
    const { fn, lis, edit } = this;
    const { opKind, opFlags, opVal, opSub, opTied, opBegin, opcode, order } = fn;
    const nVRegs = fn.vregs.n;
    const instrIndex = this.indexes.instrIndex;
    const traits = opcodeTraits(fn.tables);
    const state = new Uint8Array(nVRegs);
    const count = new Int32Array(nVRegs + 1);
    const defPos = new Int32Array(nVRegs).fill(NONE);
    const defBlock = new Int32Array(nVRegs);
    const defOp = new Int32Array(nVRegs);
    const lastRead = new Int32Array(nVRegs).fill(NONE);

    // One walk classifies every register and finishes the common kind on the fly.
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let p = fn.blockBegin[b], end = fn.blockEnd[b]; p < end; p++) {
        const i = order[p];
        const trait = traits[opcode[i]];
        const base = instrIndex[i];
        if (base < 0 || (trait & OpcodeTrait.NoSlotIndex) !== 0) continue;
        const first = opBegin[i];
        for (let o = first, e = opBegin[i + 1]; o < e; o++) {
          const val = opVal[o];
          if (opKind[o] !== OperandKind.Register || val >= 0) continue;
          const x = ~val;
          if (x >= nVRegs) continue;
          const flags = opFlags[o];
          if ((flags & OpFlag.Debug) !== 0) continue;
          count[x]++;
          if ((flags & OpFlag.Def) !== 0) {
            if (defPos[x] >= 0 || opSub[o] !== 0) {
              state[x] |= opSub[o] !== 0 ? 7 : 3;
              if (defPos[x] < 0) defPos[x] = base;
              continue;
            }
            state[x] |= VRegState.Present;
            defPos[x] = base + ((flags & OpFlag.EarlyClobber) !== 0 ? Slot.EarlyClobber : Slot.Register);
            defBlock[x] = b;
            // flags go to the header of a bundle only
            defOp[x] = (fn.bundle[i] & BundleFlag.BundledPred) === 0 ? o : NONE;
            continue;
          }
          if (edit) opFlags[o] = flags & ~OpFlag.Kill;
          state[x] |= VRegState.Present;
          if ((flags & (OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
          if (opSub[o] !== 0) {
            state[x] |= 7;
            continue;
          }
          let use = base + Slot.Register;
          if (opTied[o] >= 0 && (opFlags[first + opTied[o]] & OpFlag.EarlyClobber) !== 0)
            use = base + Slot.EarlyClobber;
          if (defPos[x] < 0 || defBlock[x] !== b || use <= defPos[x] || (trait & OpcodeTrait.Phi) !== 0) {
            state[x] |= VRegState.Complex | VRegState.Present;
          } else {
            lastRead[x] = use;
          }
        }
      }
    }
    if (edit) this.clearLiveInKills();

    let nEntries = 0;
    for (let x = 0; x < nVRegs; x++) {
      const entries = (state[x] & VRegState.Complex) !== 0 ? count[x] : 0;
      count[x] = nEntries;
      nEntries += entries;
    }
    count[nVRegs] = nEntries;
    if (nEntries > 0) this.collectEntries(state, count, nEntries);
    for (let x = 0; x < nVRegs; x++) {
      const s = state[x];
      if (s === 0) continue;
      if ((s & VRegState.Complex) !== 0) {
        this.computeComplex(x, count[x], count[x + 1], edit);
      } else if (defPos[x] < 0) {
        lis.mainRange[x] = lis.addEmptyRange();
      } else {
        const dead = lastRead[x] < 0;
        lis.mainRange[x] = lis.addSimpleRange(defPos[x], dead ? (defPos[x] & ~3) + Slot.Dead : lastRead[x]);
        if (dead && edit && defOp[x] >= 0) opFlags[defOp[x]] |= OpFlag.Dead;
      }
    }
    for (const v of this.suspects) this.splitComponents(v, count[v], count[v + 1]);
  }

  /** Second walk: the operands of the complex registers, grouped by register. `begin` = prefix sums. */
  private collectEntries(state: Uint8Array, begin: Int32Array, n: number): void {
    const { fn } = this;
    const { opKind, opFlags, opVal, opBegin, opcode, order } = fn;
    const traits = opcodeTraits(fn.tables);
    const at = begin.slice();
    const entryOp = (this.entryOp = new Int32Array(n));
    const entryInstr = (this.entryInstr = new Int32Array(n));
    const entryBlock = (this.entryBlock = new Int32Array(n));
    const nVRegs = fn.vregs.n;
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let p = fn.blockBegin[b], end = fn.blockEnd[b]; p < end; p++) {
        const i = order[p];
        if (this.indexes.instrIndex[i] < 0 || (traits[opcode[i]] & OpcodeTrait.NoSlotIndex) !== 0) continue;
        for (let o = opBegin[i], e = opBegin[i + 1]; o < e; o++) {
          const val = opVal[o];
          if (opKind[o] !== OperandKind.Register || val >= 0) continue;
          const x = ~val;
          if (x >= nVRegs || (state[x] & VRegState.Complex) === 0 || (opFlags[o] & OpFlag.Debug) !== 0) continue;
          const k = at[x]++;
          entryOp[k] = o;
          entryInstr[k] = i;
          entryBlock[k] = b;
        }
      }
    }
  }

  /**
   * Kill flags vanish from physical registers too where LLVM computes the range of a unit: those live into the function, unless
   * the unit is reserved (then its uses are not looked at).
   */
  private clearLiveInKills(): void {
    const { fn } = this;
    const { unitBegin, unitEnd, unitList, nRegUnits } = fn.tables;
    let units: Uint8Array | null = null;
    for (let b = 0; b < fn.blocks.length; b++) {
      if (b > 0 && !fn.blocks[b].isLandingPad) continue;
      for (const { reg } of fn.blocks[b].liveIns) {
        units ??= new Uint8Array(nRegUnits);
        for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) units[unitList[k]] = 1;
      }
    }
    if (units === null) return;
    let reserved: ReservedRegs | null = null;
    for (let o = 0; o < fn.nOperands; o++) {
      if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o] & (OpFlag.Kill | OpFlag.Debug)) !== OpFlag.Kill)
        continue;
      const reg = fn.opVal[o];
      if (reg <= 0) continue;
      for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
        if (units[unitList[k]] === 0) continue;
        reserved ??= new ReservedRegs(fn);
        if (reserved.isReservedUnit(unitList[k])) continue;
        fn.opFlags[o] &= ~OpFlag.Kill;
        break;
      }
    }
  }

  private defSlot(k: number): number {
    const ec = (this.fn.opFlags[this.entryOp[k]] & OpFlag.EarlyClobber) !== 0;
    return this.indexes.instrIndex[this.entryInstr[k]] + (ec ? Slot.EarlyClobber : Slot.Register);
  }

  private isDef(k: number): boolean {
    return (this.fn.opFlags[this.entryOp[k]] & OpFlag.Def) !== 0;
  }

  /** A use that reads (not undef, not inside its bundle). */
  private isReadingUse(k: number): boolean {
    return (this.fn.opFlags[this.entryOp[k]] & (OpFlag.Def | OpFlag.Undef | OpFlag.Internal)) === 0;
  }

  /**
   * Extends the engine's range to the use of entry k.
   * @llvm LiveIntervalCalc.cpp LiveIntervalCalc::extendToUses
   */
  private extendToUse(calc: RangeCalc, k: number): void {
    const { fn } = this;
    const o = this.entryOp[k];
    const i = this.entryInstr[k];
    if ((opcodeTraits(fn.tables)[fn.opcode[i]] & OpcodeTrait.Phi) !== 0) {
      if (o + 1 >= fn.opBegin[i + 1] || fn.opKind[o + 1] !== OperandKind.MBB) return;
      const pred = fn.opVal[o + 1];
      if (pred < 0 || pred >= fn.blocks.length) return;
      calc.extend(this.indexes.endOf(pred), pred);
      return;
    }
    let use = this.indexes.instrIndex[i] + Slot.Register;
    const tied = fn.opTied[o];
    if (tied >= 0 && (fn.opFlags[fn.opBegin[i] + tied] & OpFlag.EarlyClobber) !== 0)
      use += Slot.EarlyClobber - Slot.Register;
    calc.extend(use, this.entryBlock[k]);
  }

  /**
   * Interval of register v from its entries [begin, end); with `flags` also LLVM's edits of its def operands.
   * @llvm LiveIntervals.cpp LiveIntervals::computeVirtRegInterval
   * @llvm LiveIntervalCalc.cpp LiveIntervalCalc::calculate
   */
  private computeComplex(v: VRegId, begin: number, end: number, flags: boolean): void {
    const { fn, lis } = this;
    const calc = lis.rangeCalc();
    let hasSubs = false;
    if (tracksSubRegs(fn, v)) {
      for (let k = begin; k < end && !hasSubs; k++) {
        hasSubs = fn.opSub[this.entryOp[k]] !== 0 && (this.isDef(k) || this.isReadingUse(k));
      }
    }
    if (hasSubs) this.computeSubRanges(v, begin, end);
    const maxLo = lis.maxLanes(v);
    const maxHi = lis.lanesHi;
    const { subRegLaneLo, subRegLaneHi } = fn.tables;

    calc.begin();
    for (let k = begin; k < end; k++) {
      if (!this.isDef(k)) continue;
      const o = this.entryOp[k];
      const sub = fn.opSub[o];
      calc.addDef(this.defSlot(k), this.entryBlock[k]);
      if (!hasSubs || sub === 0 || (fn.opFlags[o] & OpFlag.Undef) === 0) continue;
      if ((maxLo & ~subRegLaneLo[sub]) !== 0 || (maxHi & ~subRegLaneHi[sub]) !== 0) calc.addUndef(this.defSlot(k));
    }
    // A sub-register def reads the rest of the register; LLVM meets the defs of a register last to first, then the uses.
    for (let k = end - 1; k >= begin; k--) {
      if (!this.isDef(k)) continue;
      const o = this.entryOp[k];
      if (fn.opSub[o] === 0 || (fn.opFlags[o] & (OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
      calc.extend(this.defSlot(k), this.entryBlock[k]);
    }
    for (let k = begin; k < end; k++) if (this.isReadingUse(k)) this.extendToUse(calc, k);
    calc.emit();
    lis.mainRange[v] = lis.addComputedRange(calc);
    if (flags) this.editDefs(calc, v, begin, end);
  }

  /**
   * Marks dead and read-undef defs.
   * @llvm LiveIntervals.cpp LiveIntervals::computeDeadValues
   */
  private editDefs(calc: RangeCalc, v: VRegId, begin: number, end: number): void {
    const { fn } = this;
    const tracked = tracksSubRegs(fn, v);
    let d = -1;
    let index = -1;
    let anyDead = false;
    for (let k = begin; k < end; k++) {
      if (!this.isDef(k)) continue;
      const base = this.indexes.instrIndex[this.entryInstr[k]];
      if (base !== index) {
        index = base;
        d++;
      }
      if ((fn.bundle[this.entryInstr[k]] & BundleFlag.BundledPred) !== 0) {
        // members keep their flags, but a component of its own may begin here
        if (calc.defEnd[d] === base + Slot.Dead) anyDead = true;
        continue;
      }
      const o = this.entryOp[k];
      if (tracked && fn.opSub[o] !== 0 && calc.defPrevEnd[d] < calc.defPos[d]) fn.opFlags[o] |= OpFlag.Undef;
      if (calc.defEnd[d] === base + Slot.Dead) {
        fn.opFlags[o] |= OpFlag.Dead;
        anyDead = true;
      }
    }
    if (anyDead) this.suspects.push(v);
  }

  /**
   * Divides the lanes by the operand masks and computes a range for each part.
   * @llvm LiveInterval.cpp LiveInterval::refineSubRanges
   */
  private computeSubRanges(v: VRegId, begin: number, end: number): void {
    const { fn, lis } = this;
    const { opSub, opFlags } = fn;
    const { subRegLaneLo, subRegLaneHi } = fn.tables;
    const maxLo = lis.maxLanes(v);
    const maxHi = lis.lanesHi;
    const { partLo, partHi } = this;
    partLo.length = 0;
    partHi.length = 0;
    let fullDef = false;
    for (let pass = 0; pass < 2; pass++) {
      for (let n = 0; n < end - begin; n++) {
        const k = pass === 0 ? end - 1 - n : begin + n;
        if (pass === 0 ? !this.isDef(k) : !this.isReadingUse(k)) continue;
        const sub = opSub[this.entryOp[k]];
        if (sub === 0 && partLo.length === 0) {
          if (pass === 0) fullDef = true;
          continue;
        }
        if (partLo.length === 0 && fullDef) {
          partLo.push(maxLo);
          partHi.push(maxHi);
        }
        this.refine(sub === 0 ? maxLo : subRegLaneLo[sub], sub === 0 ? maxHi : subRegLaneHi[sub]);
      }
    }

    const calc = lis.rangeCalc();
    let last = NONE;
    for (let part = partLo.length - 1; part >= 0; part--) {
      const lo = partLo[part];
      const hi = partHi[part];
      calc.begin();
      for (let k = begin; k < end; k++) {
        if (!this.isDef(k)) continue;
        const o = this.entryOp[k];
        const sub = opSub[o];
        if (sub === 0) {
          calc.addDef(this.defSlot(k), this.entryBlock[k]);
          continue;
        }
        const defLo = subRegLaneLo[sub];
        const defHi = subRegLaneHi[sub];
        if ((defLo & lo) !== 0 || (defHi & hi) !== 0) calc.addDef(this.defSlot(k), this.entryBlock[k]);
        if ((opFlags[o] & OpFlag.Undef) === 0) continue;
        if ((maxLo & ~defLo & lo) !== 0 || (maxHi & ~defHi & hi) !== 0) calc.addUndef(this.defSlot(k));
      }
      if (calc.nDefs === 0) continue;
      for (let k = begin; k < end; k++) {
        if (!this.isReadingUse(k)) continue;
        const sub = opSub[this.entryOp[k]];
        if (sub !== 0 && (subRegLaneLo[sub] & lo) === 0 && (subRegLaneHi[sub] & hi) === 0) continue;
        this.extendToUse(calc, k);
      }
      calc.emit();
      const r = lis.addComputedRange(calc);
      lis.laneLo[r] = lo;
      lis.laneHi[r] = hi;
      if (last < 0) lis.subRange[v] = r;
      else lis.nextSubRange[last] = r;
      last = r;
    }
  }

  /** Splits the parts so that the mask is a union of parts. New parts go to the front of LLVM's list, the end of ours. */
  private refine(maskLo: number, maskHi: number): void {
    const { partLo, partHi } = this;
    let restLo = maskLo;
    let restHi = maskHi;
    for (let p = partLo.length - 1; p >= 0; p--) {
      const commonLo = (partLo[p] & maskLo) >>> 0;
      const commonHi = (partHi[p] & maskHi) >>> 0;
      if (commonLo === 0 && commonHi === 0) continue;
      if (commonLo !== partLo[p] || commonHi !== partHi[p]) {
        partLo[p] = (partLo[p] & ~commonLo) >>> 0;
        partHi[p] = (partHi[p] & ~commonHi) >>> 0;
        partLo.push(commonLo);
        partHi.push(commonHi);
      }
      restLo = (restLo & ~commonLo) >>> 0;
      restHi = (restHi & ~commonHi) >>> 0;
    }
    if (restLo !== 0 || restHi !== 0) {
      partLo.push(restLo);
      partHi.push(restHi);
    }
  }

  /**
   * Gives every group of connected values but the first a new register. Values are
   * connected through join points and through defs that redefine a value that is live up to them.
   * @llvm LiveIntervals.cpp LiveIntervals::splitSeparateComponents
   */
  private splitComponents(v: VRegId, begin: number, end: number): void {
    const { fn, lis, indexes } = this;
    const { segBegin, segCount, segStart, segEnd, segValue } = lis;
    const main = lis.mainRange[v];
    const from = segBegin[main];
    const to = from + segCount[main];
    let nValues = 0;
    for (let s = from; s < to; s++) if (segValue[s] >= nValues) nValues = segValue[s] + 1;
    const leader = new Int32Array(nValues);
    for (let n = 0; n < nValues; n++) leader[n] = n;
    const find = (x: number): number => {
      while (leader[x] !== x) {
        leader[x] = leader[leader[x]];
        x = leader[x];
      }
      return x;
    };
    for (let s = from; s < to; s++) {
      // Only the segment that begins at a def starts in the middle of a block.
      if ((segStart[s] & 3) === Slot.Block || s === from || segValue[s] < 0 || segValue[s - 1] < 0) continue;
      if (segEnd[s - 1] === segStart[s]) leader[find(segValue[s])] = find(segValue[s - 1]);
    }
    // Join values: wherever a value enters a block, the values that leave its predecessors are connected with it.
    for (let s = from; s < to; s++) {
      const value = segValue[s];
      if (value < 0) continue;
      let b = indexes.blockOf(segStart[s]);
      if (indexes.startOf(b) < segStart[s]) b++;
      for (; b < fn.blocks.length && indexes.startOf(b) < segEnd[s]; b++) {
        for (const p of fn.blocks[b].predecessors) {
          const out = lis.segmentAt(main, indexes.lastSlotOf(p));
          if (out >= 0 && segValue[out] >= 0) leader[find(value)] = find(segValue[out]);
        }
      }
    }
    const exists = new Uint8Array(nValues);
    for (let s = from; s < to; s++) if (segValue[s] >= 0) exists[find(segValue[s])] = 1;
    if (exists.indexOf(1) === exists.lastIndexOf(1)) return;

    // LLVM numbers the groups by their value with the lowest number; values are numbered as defs are met: last def first,
    // and with sub-ranges one sub-range after the other.
    const groupOf = new Int32Array(nValues).fill(NONE);
    let next = 0;
    const visit = (slot: SlotIndex): void => {
      const s = lis.segmentAt(main, slot);
      if (s < 0 || segValue[s] < 0) return;
      const g = find(segValue[s]);
      if (groupOf[g] < 0) groupOf[g] = next++;
    };
    if (lis.subRange[v] < 0) {
      for (let k = end - 1; k >= begin; k--) if (this.isDef(k)) visit(this.defSlot(k));
    } else {
      const { subRegLaneLo, subRegLaneHi } = fn.tables;
      for (let r = lis.subRange[v]; r >= 0; r = lis.nextSubRange[r]) {
        for (let k = end - 1; k >= begin; k--) {
          if (!this.isDef(k)) continue;
          const sub = fn.opSub[this.entryOp[k]];
          if (sub !== 0 && (subRegLaneLo[sub] & lis.laneLo[r]) === 0 && (subRegLaneHi[sub] & lis.laneHi[r]) === 0)
            continue;
          visit(this.defSlot(k));
        }
      }
    }
    if (next <= 1) return;

    const regs = [v];
    for (let g = 1; g < next; g++) {
      regs.push(fn.vregs.addLike(v));
    }
    lis.resizeVRegs();
    const groupOfValue = (value: number): number => (value < 0 ? 0 : Math.max(groupOf[find(value)], 0));
    for (let k = begin; k < end; k++) {
      const g = groupOfValue(this.valueAtOperand(main, k));
      if (g > 0) fn.opVal[this.entryOp[k]] = ~regs[g];
    }
    this.renameDebugUses(v, main, regs, groupOfValue);
    this.distribute(v, regs, groupOfValue);
  }

  /**
   * Gives each register of `regs` (v first) the segments of its group. A sub-range
   * follows the main range: each of its segments belongs where the value of the main range at its start belongs.
   * @llvm LiveInterval.cpp ConnectedVNInfoEqClasses::Distribute
   */
  private distribute(v: VRegId, regs: readonly number[], groupOfValue: (value: number) => number): void {
    const { lis } = this;
    const main = lis.mainRange[v];
    const mainGroups: number[] = [];
    for (let s = lis.segBegin[main], e = s + lis.segCount[main]; s < e; s++)
      mainGroups.push(groupOfValue(lis.segValue[s]));
    const subs: { range: RangeId; groups: number[] }[] = [];
    for (let r = lis.subRange[v]; r >= 0; r = lis.nextSubRange[r]) {
      const groups: number[] = [];
      for (let s = lis.segBegin[r], e = s + lis.segCount[r]; s < e; s++) {
        const at = lis.segmentAt(main, lis.segStart[s]);
        groups.push(at < 0 ? 0 : groupOfValue(lis.segValue[at]));
      }
      subs.push({ range: r, groups });
    }
    for (let g = 0; g < regs.length; g++) {
      lis.mainRange[regs[g]] = lis.addFilteredRange(main, mainGroups, g);
      lis.subRange[regs[g]] = NONE;
      // LLVM puts each new sub-range before the list; those of the first group keep their order.
      let last = NONE;
      for (const sub of subs) {
        if (!sub.groups.includes(g)) continue;
        const r = lis.addFilteredRange(sub.range, sub.groups, g);
        if (g === 0) {
          if (last < 0) lis.subRange[v] = r;
          else lis.nextSubRange[last] = r;
          last = r;
        } else {
          lis.nextSubRange[r] = lis.subRange[regs[g]];
          lis.subRange[regs[g]] = r;
        }
      }
    }
  }

  /** The value of `range` that operand entry k reads or, if it does not read, defines; -1 = none (LiveQueryResult). */
  private valueAtOperand(range: RangeId, k: number): number {
    const { fn, lis } = this;
    const o = this.entryOp[k];
    const flags = fn.opFlags[o];
    const base = this.indexes.instrIndex[this.entryInstr[k]];
    const reads = (flags & (OpFlag.Undef | OpFlag.Internal)) === 0 && ((flags & OpFlag.Def) === 0 || fn.opSub[o] !== 0);
    const s = lis.segmentAt(range, base);
    const valueIn = s >= 0 ? lis.segValue[s] : NONE;
    if (reads) return valueIn;
    const end = lis.segBegin[range] + lis.segCount[range];
    for (let t = lis.findSegment(range, base); t < end && lis.segStart[t] <= base + Slot.Dead; t++) {
      if (lis.segStart[t] > base) return lis.segValue[t];
    }
    return NONE;
  }

  /** DBG_VALUE operands follow the value that is live after the instruction before them. */
  private renameDebugUses(
    v: VRegId,
    range: RangeId,
    regs: readonly number[],
    groupOf: (value: number) => number,
  ): void {
    const { fn, lis, indexes } = this;
    const traits = opcodeTraits(fn.tables);
    for (let b = 0; b < fn.blocks.length; b++) {
      let before = indexes.startOf(b);
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = fn.order[p];
        if (indexes.instrIndex[i] >= 0) before = indexes.instrIndex[i];
        if ((traits[fn.opcode[i]] & OpcodeTrait.Debug) === 0) continue;
        for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
          if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] !== ~v) continue;
          const s = lis.segmentAt(range, before + Slot.Dead);
          if (s >= 0 && lis.segValue[s] >= 0) fn.opVal[o] = ~regs[groupOf(lis.segValue[s])];
        }
      }
    }
  }
}

/** Operands of physical registers by unit, in layout order. */
class UnitOperands {
  /** Int32Array(nRegUnits + 1) */
  readonly begin: Int32Array;
  readonly operand: Int32Array;
  readonly instr: Int32Array;
  readonly block: Int32Array;

  constructor(lis: LiveIntervals) {
    const { fn, indexes } = lis;
    const { unitBegin, unitEnd, unitList, nRegUnits } = fn.tables;
    const { opKind, opVal, opFlags, opBegin, order } = fn;
    const traits = opcodeTraits(fn.tables);
    const begin = (this.begin = new Int32Array(nRegUnits + 1));
    let operand = new Int32Array(0);
    let instr = operand;
    let block = operand;
    let at = begin;
    let firstUnit = nRegUnits;
    let lastUnit = -1;
    for (let pass = 0; pass < 2; pass++) {
      for (let b = 0; b < fn.blocks.length; b++) {
        for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
          const i = order[p];
          if (indexes.instrIndex[i] < 0 || (traits[fn.opcode[i]] & OpcodeTrait.NoSlotIndex) !== 0) continue;
          for (let o = opBegin[i]; o < opBegin[i + 1]; o++) {
            const reg = opVal[o];
            if (opKind[o] !== OperandKind.Register || reg <= 0 || (opFlags[o] & OpFlag.Debug) !== 0) continue;
            for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
              const unit = unitList[k];
              if (pass === 0) {
                if (unit < firstUnit) firstUnit = unit;
                if (unit > lastUnit) lastUnit = unit;
                begin[unit + 1]++;
                continue;
              }
              const n = at[unit]++;
              operand[n] = o;
              instr[n] = i;
              block[n] = b;
            }
          }
        }
      }
      if (pass === 1) break;
      for (let u = firstUnit; u <= lastUnit; u++) begin[u + 1] += begin[u];
      // Most functions touch the lower registers of each file.
      if (lastUnit >= 0) begin.fill(begin[lastUnit + 1], lastUnit + 2);
      operand = new Int32Array(begin[nRegUnits]);
      instr = new Int32Array(begin[nRegUnits]);
      block = new Int32Array(begin[nRegUnits]);
      at = begin.slice();
    }
    this.operand = operand;
    this.instr = instr;
    this.block = block;
  }
}

/**
 * Live range of a register unit from the operands of all registers that contain it.
 * @llvm LiveIntervals.cpp LiveIntervals::computeRegUnitRange
 */
function computeUnitRange(
  lis: LiveIntervals,
  calc: RangeCalc,
  operands: UnitOperands,
  unit: RegUnit,
  reserved: boolean,
): RangeId {
  const { fn, indexes } = lis;
  const { unitBegin, unitEnd, unitList } = fn.tables;
  const hasUnit = (reg: number): boolean => {
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) if (unitList[k] === unit) return true;
    return false;
  };
  calc.begin();
  const { begin, operand, instr, block } = operands;
  let n = begin[unit];
  const end = begin[unit + 1];
  const addDefsUpTo = (b: BlockId): void => {
    for (; n < end && block[n] <= b; n++) {
      const flags = fn.opFlags[operand[n]];
      if ((flags & OpFlag.Def) === 0) continue;
      const slot = (flags & OpFlag.EarlyClobber) !== 0 ? Slot.EarlyClobber : Slot.Register;
      calc.addDef(indexes.instrIndex[instr[n]] + slot, block[n]);
    }
  };
  for (let b = 0; b < fn.blocks.length; b++) {
    if ((b > 0 && !fn.blocks[b].isLandingPad) || !fn.blocks[b].liveIns.some((l) => hasUnit(l.reg))) continue;
    addDefsUpTo(b - 1);
    calc.addDef(indexes.startOf(b), b);
  }
  addDefsUpTo(fn.blocks.length);
  if (!reserved) {
    for (let k = begin[unit]; k < end; k++) {
      const o = operand[k];
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
      const tied = fn.opTied[o];
      const ec = tied >= 0 && (fn.opFlags[fn.opBegin[instr[k]] + tied] & OpFlag.EarlyClobber) !== 0;
      calc.extend(indexes.instrIndex[instr[k]] + (ec ? Slot.EarlyClobber : Slot.Register), block[k]);
    }
  }
  calc.emit();
  return lis.addComputedRange(calc);
}

/**
 * One line per range in the style of LLVM's interval printer, for tests and traces: `[16r,48r:0) [64r,80d:1)`.
 * @llvm LiveInterval.cpp LiveRange::print
 */
export function printRange(lis: LiveIntervals, range: RangeId): string {
  const from = lis.segBegin[range];
  const parts: string[] = [];
  for (let s = from; s < from + lis.segCount[range]; s++) {
    parts.push(`[${printSlot(lis.segStart[s])},${printSlot(lis.segEnd[s])}:${lis.segValue[s]})`);
  }
  return parts.length > 0 ? parts.join(' ') : 'EMPTY';
}

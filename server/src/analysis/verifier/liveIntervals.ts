/**
 * Whether live intervals that a pass has kept up to date fit the function (MachineVerifier with LiveIntervals, LLVM 22). llc asks after each pass that
 * preserves them, and the scheduler's own moves may leave what it refuses.
 */
import { BundleFlag, OpFlag, OperandKind } from '../../model/machineFunction.js';
import type { BlockId, InstrId, OperandId } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtReg, type Reg } from '../../model/register.js';
import type { RegUnit, TargetTables } from '../../target/api.js';
import type { IntervalEditor } from '../edit/intervalEditor.js';
import { NO_VALUE, printLanes, type LiveInterval, type LiveRange, type ValueId } from '../edit/liveRange.js';
import { NO_SLOT, SlotList, type SlotRef } from '../edit/slotList.js';
import { Slot } from '../slotIndexes.js';
import type { KnownIntervals } from './knownIntervals.js';
import type { VerifierContext } from './verifierContext.js';

/** A range, whose it is, and the lanes that it speaks of (0, 0: all of them). */
interface Subject {
  readonly range: LiveRange;
  /** a virtual register, else a unit */
  readonly reg: Reg;
  readonly unit: RegUnit;
  readonly laneLo: number;
  readonly laneHi: number;
}

const isOfLanes = (s: Subject): boolean => (s.laneLo | s.laneHi) !== 0;

/** LLVM's name of a register unit: its roots. */
export function unitName(tables: TargetTables, unit: RegUnit): string {
  const roots = tables.regUnitRoots(unit);
  return roots.map((root) => tables.regName(root).toUpperCase()).join('~');
}

/** A spill weight as printf's %e has it. */
function weightText(weight: number): string {
  if (weight === Infinity) return 'INF';
  // In the middle between two, C takes the even one, and this language the greater.
  const middle = /^(\d\.\d{5}[02468])50*(e.*)$/.exec(weight.toExponential(60));
  const text = middle === null ? weight.toExponential(6) : `${middle[1]}${middle[2]}`;
  return text.replace(/([+-])(\d)$/, '$10$2');
}

/**
 * An interval as LLVM prints it.
 * @llvm LiveInterval.cpp LiveInterval::print
 */
export const printInterval = (interval: LiveInterval): string =>
  `%${interval.vreg} ${interval.print()}  weight:${weightText(interval.weight)}`;

export class IntervalChecks {
  private readonly lis: IntervalEditor;
  private readonly slots: SlotList;

  constructor(
    private readonly ctx: VerifierContext,
    private readonly known: KnownIntervals,
  ) {
    this.lis = known.intervals;
    this.slots = this.lis.slots;
  }

  // -- operands --------------------------------------------------------------------------------------------------

  /**
   * MachineVerifier::checkLiveness, what it does before it looks at an operand as a read or a definition.
   * @llvm MachineVerifier.cpp MachineVerifier::checkLiveness
   */
  checkOperand(i: InstrId, j: number, o: OperandId): void {
    const { fn, out } = this.ctx;
    const interval = this.intervalOf(fn.opVal[o]);
    if (interval === null || fn.opSub[o] === 0 || interval.isEmpty || interval.subRanges.length > 0) return;
    if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Undef)) === OpFlag.Undef) return;
    out.onOperand(i, j, 'Live interval for subreg operand has no subranges');
  }

  private intervalOf(reg: Reg): LiveInterval | null {
    return isVirtualReg(reg) ? this.lis.known(~reg) : null;
  }

  private hasSlot(i: InstrId): boolean {
    return (this.ctx.fn.bundle[i] & BundleFlag.BundledPred) === 0;
  }

  /**
   * A register that is read must live there.
   * @llvm MachineVerifier.cpp MachineVerifier::checkLivenessAtUse
   */
  checkUse(i: InstrId, j: number, o: OperandId, isPhi: boolean): void {
    if (!this.hasSlot(i)) return;
    const { fn, tables } = this.ctx;
    const reg = fn.opVal[o];
    let at = this.slots.ofInstr(i);
    if (isPhi) {
      if (o + 1 >= fn.opBegin[i + 1] || fn.opKind[o + 1] !== OperandKind.MBB) return;
      at = this.slots.lastSlotOf(fn.opVal[o + 1]);
    }
    if (isPhysicalReg(reg)) {
      if (this.ctx.isReserved(reg)) return;
      const { unitBegin, unitEnd, unitList } = tables;
      for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
        const unit = unitList[k];
        const range = this.ctx.isReservedUnit(unit) ? null : this.known.unitRange(unit);
        if (range !== null) this.checkRead(i, j, o, at, { range, reg: 0, unit, laneLo: 0, laneHi: 0 }, isPhi);
      }
      return;
    }
    const interval = this.intervalOf(reg);
    if (interval === null) return;
    this.checkRead(i, j, o, at, { range: interval, reg, unit: 0, laneLo: 0, laneHi: 0 }, isPhi);
    if (interval.subRanges.length === 0 || (fn.opFlags[o] & OpFlag.Def) !== 0) return;
    const [lo, hi] = this.lis.lanesOf(o);
    let liveLo = 0;
    let liveHi = 0;
    for (const sub of interval.subRanges) {
      if ((sub.laneLo & lo) === 0 && (sub.laneHi & hi) === 0) continue;
      this.checkRead(i, j, o, at, { range: sub, reg, unit: 0, laneLo: sub.laneLo, laneHi: sub.laneHi }, isPhi);
      if (!this.arrives(sub, at, isPhi)) continue;
      liveLo |= sub.laneLo;
      liveHi |= sub.laneHi;
    }
    const { out } = this.ctx;
    const where = [`- interval:    ${printInterval(interval)}`, this.placeLine(at)];
    if ((liveLo & lo) === 0 && (liveHi & hi) === 0) out.onOperand(i, j, 'No live subrange at use', where);
    if (isPhi && (liveLo >>> 0 !== lo >>> 0 || liveHi >>> 0 !== hi >>> 0))
      out.onOperand(i, j, 'Not all lanes of PHI source live at use', where);
  }

  private arrives(range: LiveRange, at: SlotRef, isPhi: boolean): boolean {
    const q = range.query(at);
    return q.valueIn !== NO_VALUE || (isPhi && q.valueOutOrDead !== NO_VALUE && (q.end & 3) !== Slot.Dead);
  }

  private checkRead(i: InstrId, j: number, o: OperandId, at: SlotRef, s: Subject, isPhi: boolean): void {
    const { out, fn } = this.ctx;
    if (!isOfLanes(s) && !this.arrives(s.range, at, isPhi))
      out.onOperand(i, j, 'No live segment at use', [...this.subjectLines(s), this.placeLine(at)]);
    if ((fn.opFlags[o] & OpFlag.Kill) !== 0 && !s.range.query(at).isKill)
      out.onOperand(i, j, 'Live range continues after kill flag', [...this.subjectLines(s), this.placeLine(at)]);
  }

  /** A virtual register that is defined must live from there. */
  checkDef(i: InstrId, j: number, o: OperandId): void {
    if (!this.hasSlot(i)) return;
    const { fn } = this.ctx;
    const interval = this.intervalOf(fn.opVal[o]);
    if (interval === null) return;
    const at = this.lis.defSlot(o);
    const reg = fn.opVal[o];
    this.checkDefinition(i, j, o, at, { range: interval, reg, unit: 0, laneLo: 0, laneHi: 0 });
    if (interval.subRanges.length === 0) return;
    const [lo, hi] = this.lis.lanesOf(o);
    for (const sub of interval.subRanges) {
      if ((sub.laneLo & lo) === 0 && (sub.laneHi & hi) === 0) continue;
      this.checkDefinition(i, j, o, at, { range: sub, reg, unit: 0, laneLo: sub.laneLo, laneHi: sub.laneHi });
    }
  }

  /**
   * MachineVerifier::checkLivenessAtDef; whether the range is well-formed is asked by builds with assertions alone.
   * @llvm MachineVerifier.cpp MachineVerifier::checkLivenessAtDef
   */
  private checkDefinition(i: InstrId, j: number, o: OperandId, at: SlotRef, s: Subject): void {
    const { out, fn } = this.ctx;
    const { range } = s;
    const isExact = isOfLanes(s) || fn.opSub[o] === 0;
    const value = range.valueAt(at);
    if (value === NO_VALUE)
      out.onOperand(i, j, 'No live segment at def', [...this.subjectLines(s), this.placeLine(at)]);
    else {
      const def = range.valueDef[value];
      // The whole may begin early where another part of it does.
      const isEarlier = def !== at && ((def & 3) !== Slot.EarlyClobber || (at & 3) !== Slot.Register);
      if ((isExact && def !== at) || !SlotList.isSameInstr(def, at) || isEarlier)
        out.onOperand(i, j, 'Inconsistent valno->def', [
          ...this.subjectLines(s),
          this.valueLine(range, value),
          this.placeLine(at),
        ]);
    }
    if ((fn.opFlags[o] & OpFlag.Dead) === 0 || !isExact) return;
    const { end } = range.query(at);
    if (end === NO_SLOT || (end & 3) !== Slot.Dead)
      out.onOperand(i, j, 'Live range continues after dead def flag', this.subjectLines(s));
  }

  // -- ranges ----------------------------------------------------------------------------------------------------

  /** @llvm MachineVerifier.cpp MachineVerifier::verifyLiveIntervals */
  run(): void {
    const { fn, out, tables } = this.ctx;
    for (let v = 0; v < fn.vregs.n; v++) {
      if (!this.isMentioned(v)) continue;
      const interval = this.lis.known(v);
      if (interval === null)
        out.onFunction('Missing live interval for virtual register', [`%${v} still has defs or uses`]);
      else this.checkInterval(interval);
    }
    for (let unit = 0; unit < tables.nRegUnits; unit++) {
      const range = this.known.unitRange(unit);
      if (range !== null) this.checkRange({ range, reg: 0, unit, laneLo: 0, laneHi: 0 });
    }
  }

  private isMentioned(v: number): boolean {
    const { editor } = this.lis;
    for (const o of editor.operandsOf(virtReg(v))) if (!editor.isDebug(o)) return true;
    return false;
  }

  /** @llvm MachineVerifier.cpp MachineVerifier::verifyLiveInterval */
  private checkInterval(interval: LiveInterval): void {
    const { out } = this.ctx;
    const reg = virtReg(interval.vreg);
    this.checkRange({ range: interval, reg, unit: 0, laneLo: 0, laneHi: 0 });
    for (const sub of interval.subRanges) {
      const subject = { range: sub, reg, unit: 0, laneLo: sub.laneLo, laneHi: sub.laneHi };
      if (sub.isEmpty) out.onFunction('Subrange must not be empty', this.subjectLines(subject));
      this.checkRange(subject);
      if (!interval.covers(sub))
        out.onFunction('A Subrange is not covered by the main range', [`- interval:    ${printInterval(interval)}`]);
    }
    const groups = this.lis.components(interval);
    const n = groups.reduce((most, g) => Math.max(most, g + 1), 0);
    if (n <= 1) return;
    const lines = [`- interval:    ${printInterval(interval)}`];
    for (let g = 0; g < n; g++)
      lines.push(`${g}: valnos${groups.flatMap((group, value) => (group === g ? [` ${value}`] : [])).join('')}`);
    out.onFunction('Multiple connected components in live interval', lines);
  }

  /** @llvm MachineVerifier.cpp MachineVerifier::verifyLiveRange */
  private checkRange(s: Subject): void {
    for (let value = 0; value < s.range.nValues; value++) if (!s.range.isUnused(value)) this.checkValue(s, value);
    for (let at = 0; at < s.range.size; at++) this.checkSegment(s, at);
  }

  /** @llvm MachineVerifier.cpp MachineVerifier::verifyLiveRangeValue */
  private checkValue(s: Subject, value: ValueId): void {
    const { out } = this.ctx;
    const { range } = s;
    const { slots } = this;
    const def = range.valueDef[value];
    const lines = [...this.subjectLines(s), this.valueLine(range, value)];
    const there = range.valueAt(def);
    if (there === NO_VALUE) {
      out.onFunction('Value not live at VNInfo def and not marked unused', lines);
      return;
    }
    if (there !== value) {
      out.onFunction('Live segment at def has different VNInfo', lines);
      return;
    }
    const block = slots.blockOf(def);
    if (range.isPhi(value)) {
      if (def !== slots.startOf(block)) out.onBlock(block, 'PHIDef VNInfo is not defined at MBB start', lines);
      return;
    }
    const i = slots.instrOf(def);
    if (i < 0) {
      out.onBlock(block, 'No instruction at VNInfo def index', lines);
      return;
    }
    const { fn } = this.ctx;
    let hasDef = false;
    let isEarly = false;
    for (const o of this.bundleOperands(i)) {
      if ((fn.opFlags[o] & OpFlag.Def) === 0 || !this.isOf(s, o)) continue;
      const sub = fn.opSub[o];
      const { subRegLaneLo, subRegLaneHi } = fn.tables;
      if (isOfLanes(s) && (subRegLaneLo[sub] & s.laneLo) === 0 && (subRegLaneHi[sub] & s.laneHi) === 0) continue;
      hasDef = true;
      if ((fn.opFlags[o] & OpFlag.EarlyClobber) !== 0) isEarly = true;
    }
    if (!hasDef) out.onInstr(i, 'Defining instruction does not modify register', lines);
    if (isEarly) {
      if ((def & 3) !== Slot.EarlyClobber)
        out.onBlock(block, 'Early clobber def must be at an early-clobber slot', lines);
    } else if ((def & 3) !== Slot.Register)
      out.onBlock(block, 'Non-PHI, non-early clobber def must be at a register slot', lines);
  }

  /** Register operands of an instruction or of the bundle that it heads. */
  private *bundleOperands(i: InstrId): Iterable<OperandId> {
    const { fn } = this.ctx;
    const { list } = this.lis.editor;
    for (let m = i; m >= 0; m = list.nextInBundle(m))
      for (let o = fn.firstReg(m); o >= 0; o = fn.nextReg(m, o)) yield o;
  }

  private isOf(s: Subject, o: OperandId): boolean {
    const { fn, tables } = this.ctx;
    const reg = fn.opVal[o];
    if (s.reg !== 0) return reg === s.reg;
    if (!isPhysicalReg(reg)) return false;
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) if (tables.unitList[k] === s.unit) return true;
    return false;
  }

  /** @llvm MachineVerifier.cpp MachineVerifier::verifyLiveRangeSegment */
  private checkSegment(s: Subject, at: number): void {
    const { out } = this.ctx;
    const { slots } = this;
    const { range } = s;
    const [start, end, value] = [range.start[at], range.end[at], range.value[at]];
    const def = range.valueDef[value];
    const segment = `- segment:     [${slots.print(start)},${slots.print(end)}:${value})`;
    const lines = [...this.subjectLines(s), segment];
    const block = slots.blockOf(start);
    if (start !== slots.startOf(block) && start !== def)
      out.onBlock(block, 'Live segment must begin at MBB entry or valno def', lines);
    const last = slots.blockOf(slots.before(end));
    if (end !== slots.endOf(last)) {
      const isDeadJoin = s.reg === 0 && range.isPhi(value) && start === def && end === SlotList.at(def, Slot.Dead);
      if (isDeadJoin) return;
      const i = slots.instrOf(slots.before(end));
      if (i < 0) {
        out.onBlock(last, "Live segment doesn't end at a valid instruction", lines);
        return;
      }
      if ((end & 3) === Slot.Block) out.onBlock(last, 'Live segment ends at B slot of an instruction', lines);
      if ((end & 3) === Slot.Dead && !SlotList.isSameInstr(start, end))
        out.onBlock(last, 'Live segment ending at dead slot spans instructions', lines);
      if (s.reg !== 0) this.checkEnd(s, i, end, lines);
    }
    let first: BlockId = block;
    if (start === def && !range.isPhi(value)) {
      if (block === last) return;
      first++;
    }
    const undefs = isOfLanes(s) ? this.lis.undefsOf(~s.reg, s.laneLo, s.laneHi) : [];
    for (let b = first; b <= last; b++) this.checkArrival(s, value, b, undefs);
  }

  /** What ends inside of a block ends at a read, at a definition that nobody reads or where it is defined again. */
  private checkEnd(s: Subject, i: InstrId, end: SlotRef, lines: readonly string[]): void {
    const { out, fn } = this.ctx;
    const { subRegLaneLo, subRegLaneHi } = fn.tables;
    let hasRead = false;
    let hasPartDef = false;
    let hasDeadDef = false;
    for (const o of this.bundleOperands(i)) {
      if (fn.opVal[o] !== s.reg) continue;
      const sub = fn.opSub[o];
      let [lo, hi] = [subRegLaneLo[sub], subRegLaneHi[sub]];
      if ((fn.opFlags[o] & OpFlag.Def) !== 0) {
        if (sub !== 0) {
          hasPartDef = true;
          // A definition of a part reads the others.
          [lo, hi] = [~lo, ~hi];
        }
        if ((fn.opFlags[o] & OpFlag.Dead) !== 0) hasDeadDef = true;
      }
      if (isOfLanes(s) && (lo & s.laneLo) === 0 && (hi & s.laneHi) === 0) continue;
      if (this.lis.editor.reads(o)) hasRead = true;
    }
    if ((end & 3) === Slot.Dead) {
      if (!isOfLanes(s) && !hasDeadDef)
        out.onInstr(i, 'Instruction ending live segment on dead slot has no dead flag', lines);
    } else if (!hasRead && (isOfLanes(s) || !hasPartDef))
      out.onInstr(i, "Instruction ending live segment doesn't read the register", lines);
  }

  /** A value that lives into a block lives out of all that leads there. */
  private checkArrival(s: Subject, value: ValueId, block: BlockId, undefs: readonly SlotRef[]): void {
    const { out, fn } = this.ctx;
    const { slots } = this;
    const { range } = s;
    if (s.reg === 0 && fn.blocks[block].isLandingPad) return;
    const start = slots.startOf(block);
    const isJoin = range.isPhi(value) && range.valueDef[value] === start;
    for (const pred of fn.blocks[block].predecessors) {
      const end = slots.endOf(pred);
      const arriving = range.valueBefore(end);
      if (arriving === NO_VALUE) {
        if ((isOfLanes(s) && isJoin) || this.isUndefinedAt(pred, undefs)) continue;
        out.onBlock(pred, 'Register not marked live out of predecessor', [
          ...this.subjectLines(s),
          this.valueLine(range, value),
          ` live into %bb.${block}@${slots.print(start)}, not live before ${slots.print(end)}`,
        ]);
      } else if (!isJoin && arriving !== value)
        out.onBlock(pred, 'Different value live out of predecessor', [
          ...this.subjectLines(s),
          `Valno #${arriving} live out of %bb.${pred}@${slots.print(end)}`,
          `Valno #${value} live into %bb.${block}@${slots.print(start)}`,
        ]);
    }
  }

  /**
   * Whether each way from the entry to the end of a block goes through one that undefines it.
   * @llvm LiveRangeCalc.cpp LiveRangeCalc::isJointlyDominated
   */
  private isUndefinedAt(block: BlockId, undefs: readonly SlotRef[]): boolean {
    const undefines = new Set(undefs.map((at) => this.slots.blockOf(at)));
    const queue = new Set([block]);
    for (const b of queue) {
      if (undefines.has(b)) continue;
      if (b === 0) return false;
      for (const p of this.ctx.fn.blocks[b].predecessors) queue.add(p);
    }
    return true;
  }

  // -- lines after a report -------------------------------------------------------------------------------------

  private subjectLines(s: Subject): string[] {
    const owner = s.reg !== 0 ? `- v. register: %${~s.reg}` : `- regunit:     ${unitName(this.ctx.tables, s.unit)}`;
    const lanes = isOfLanes(s) ? [`- lanemask:    ${printLanes(s.laneLo, s.laneHi)}`] : [];
    return [`- liverange:   ${s.range.printRange()}`, owner, ...lanes];
  }

  private valueLine(range: LiveRange, value: ValueId): string {
    return `- ValNo:       ${value} (def ${this.slots.print(range.valueDef[value])})`;
  }

  private placeLine(at: SlotRef): string {
    return `- at:          ${this.slots.print(at)}`;
  }
}

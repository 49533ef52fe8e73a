/**
 * Where physical registers of the code live, by register unit (LiveIntervals::getRegUnit): computed when first asked for, and forgotten when a
 * rewriter puts registers into the code.
 *
 * Computing a range takes the kill flags off all uses of the unit's registers, as in LLVM, so that the text tells which units were asked about.
 */
import { LiveRange } from '../../analysis/edit/liveRange.js';
import { NO_SLOT, SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { IntervalEditor } from '../../analysis/edit/intervalEditor.js';
import type { ReservedRegs } from '../../analysis/reservedRegs.js';
import type { PhysReg, RegUnit, TargetTables } from '../../target/api.js';

/** What ranges of units are made of. */
export interface UnitContext {
  readonly fn: MachineFunction;
  readonly tables: TargetTables;
  readonly slots: SlotList;
  readonly editor: FunctionEditor;
  readonly lis: IntervalEditor;
  readonly reserved: ReservedRegs;
}

export class UnitRanges {
  private readonly ranges: (LiveRange | null)[];
  private keepsKills = false;
  /** how often a range that was handed out has changed */
  changes = 0;
  private nForgotten = 0;

  constructor(private readonly state: UnitContext) {
    this.ranges = new Array<LiveRange | null>(state.tables.nRegUnits).fill(null);
  }

  /**
   * The range of a unit.
   * @llvm LiveIntervals.h LiveIntervals::getRegUnit
   */
  of(unit: RegUnit): LiveRange {
    return (this.ranges[unit] ??= this.compute(new LiveRange(this.state.slots), unit));
  }

  /** Ranges that another pass has computed, and that were kept up to date since: the kill flags are what it left. */
  adopt(units: Iterable<RegUnit>): void {
    this.keepsKills = true;
    this.computeLiveIns();
    for (const unit of units) this.of(unit);
    this.keepsKills = false;
  }

  /** The range of a unit that another pass computes, and whose kill flags that takes care of. */
  adopted(unit: RegUnit): LiveRange {
    this.keepsKills = true;
    const range = this.of(unit);
    this.keepsKills = false;
    return range;
  }

  /** The range of a unit if it was computed. */
  known(unit: RegUnit): LiveRange | null {
    return this.ranges[unit];
  }

  /** As long as it is the same, ranges that are known stay known, and stay as they are. */
  get version(): number {
    return this.changes + this.nForgotten;
  }

  forget(unit: RegUnit): void {
    this.ranges[unit] = null;
    this.nForgotten++;
  }

  forgetReg(reg: PhysReg): void {
    const { unitBegin, unitEnd, unitList } = this.state.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) this.forget(unitList[k]);
  }

  /**
   * A definition that is gone.
   * @llvm LiveIntervals.cpp LiveIntervals::removePhysRegDefAt
   */
  removeDef(reg: PhysReg, at: SlotRef): void {
    const { unitBegin, unitEnd, unitList } = this.state.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const range = this.known(unitList[k]);
      const value = range === null ? -1 : range.valueAt(at);
      if (range === null || value < 0) continue;
      range.removeValue(value);
      this.changes++;
    }
  }

  /**
   * The registers that live into the function, from its start on.
   * @llvm LiveIntervals.cpp LiveIntervals::computeLiveInRegUnits
   */
  computeLiveIns(): void {
    const { fn, slots, tables } = this.state;
    const { unitBegin, unitEnd, unitList } = tables;
    const found: RegUnit[] = [];
    fn.blocks.forEach((block, b) => {
      if (b > 0 && !block.isLandingPad) return;
      for (const { reg } of block.liveIns) {
        for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
          const unit = unitList[k];
          let range = this.known(unit);
          if (range === null) {
            range = this.ranges[unit] = new LiveRange(slots);
            found.push(unit);
          }
          if (range.isLiveAt(slots.startOf(b))) continue;
          range.addDeadDef(slots.startOf(b));
          this.changes++;
        }
      }
    });
    for (const unit of found) this.compute(this.ranges[unit]!, unit);
  }

  /** @llvm LiveIntervals.cpp LiveIntervals::computeRegUnitRange */
  private compute(range: LiveRange, unit: RegUnit): LiveRange {
    const { state } = this;
    const { editor, lis, fn } = state;
    const mentioned: PhysReg[] = [];
    for (const reg of editor.regsOver(unit)) if (editor.firstOperand(reg) >= 0) mentioned.push(reg);
    if (mentioned.length === 0) return range;
    for (const reg of mentioned) {
      for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) {
        if (editor.isDebug(o) || !editor.isDef(o)) continue;
        const at = lis.defSlot(o);
        if (at !== NO_SLOT) range.addDeadDef(at);
      }
    }
    if (state.reserved.isReservedUnit(unit)) return range;
    const uses: SlotRef[] = [];
    let last: InstrId = -1;
    for (const reg of mentioned) {
      for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) {
        if (editor.isDebug(o)) continue;
        if (!editor.isDef(o) && !this.keepsKills) fn.opFlags[o] &= ~OpFlag.Kill;
        if (!editor.reads(o)) continue;
        const at = this.useSlot(o);
        const i = editor.instrOf(o);
        if (at === NO_SLOT || (i === last && uses[uses.length - 1] === at)) continue;
        last = i;
        uses.push(at);
      }
    }
    lis.extendUnitTo(range, uses);
    return range;
  }

  private useSlot(o: number): SlotRef {
    const at = this.state.lis.useSlot(o);
    return at === NO_SLOT ? at : (at & 3) === Slot.Block ? SlotList.at(at, Slot.Register) : at;
  }
}

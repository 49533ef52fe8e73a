/**
 * Live ranges after one of their instructions has moved within its block (LiveIntervals::handleMove of LLVM 22).
 *
 * A range that is computed anew is not always the same: a definition of a part that has come to read nothing still belongs to the value before
 * it here, ends stay where a use once was, and where definitions of parts change places the numbers of their values do, too. The allocator
 * sees all that, so it is done LLVM's way, by cases.
 */
import type { ListPos } from '../../model/edit/instrList.js';
import { OpFlag, type InstrId } from '../../model/machineFunction.js';
import { virtReg, type VRegId } from '../../model/register.js';
import type { PhysReg, RegUnit } from '../../target/api.js';
import { Slot } from '../slotIndexes.js';
import type { IntervalEditor } from './intervalEditor.js';
import type { LiveRange } from './liveRange.js';
import { SlotList, type SlotRef } from './slotList.js';

/**
 * An instruction that had the slot `from` and has the slot `to` now.
 * @llvm LiveIntervals.cpp LiveIntervals::HMEditor
 */
export class MovedInstr {
  private readonly slots: SlotList;
  private readonly isDown: boolean;

  /** `unitRange`: the ranges of register units that follow, null for those that nobody has asked for. */
  constructor(
    private readonly lis: IntervalEditor,
    private readonly instr: InstrId,
    private readonly from: SlotRef,
    private readonly to: SlotRef,
    private readonly unitRange: ((unit: RegUnit) => LiveRange | null) | null = null,
  ) {
    this.slots = lis.slots;
    this.isDown = this.isEarlier(from, to);
  }

  /**
   * Mends the intervals of the virtual registers, and the ranges of the units, that the instruction mentions.
   * @llvm LiveIntervals.cpp LiveIntervals::HMEditor::updateAllRanges
   */
  update(): void {
    const { lis, instr } = this;
    const { fn } = lis.editor;
    const done = new Set<LiveRange>();
    for (let o = fn.firstReg(instr); o >= 0; o = fn.nextReg(instr, o)) {
      if (!lis.editor.isDef(o) && !lis.editor.reads(o)) continue;
      if (fn.opVal[o] >= 0) {
        this.updateUnits(fn.opVal[o], done);
        continue;
      }
      const v = ~fn.opVal[o];
      const interval = lis.interval(v);
      const [lo, hi] = lis.lanesOf(o);
      const parts = interval.subRanges.filter((sub) => (sub.laneLo & lo) !== 0 || (sub.laneHi & hi) !== 0);
      const once = (range: LiveRange, laneLo: number, laneHi: number): void => {
        if (done.has(range)) return;
        done.add(range);
        if (this.isDown) this.moveDown(range);
        else this.moveUp(range, (limit) => this.lastUse(limit, v, laneLo, laneHi));
      };
      for (const sub of parts) once(sub, sub.laneLo, sub.laneHi);
      once(interval, 0, 0);
      // A part that is read across a hole of the whole is more than the whole can follow by itself.
      if (parts.some((sub) => !interval.covers(sub))) lis.constructMain(interval);
    }
  }

  private updateUnits(reg: PhysReg, done: Set<LiveRange>): void {
    if (this.unitRange === null) return;
    const { unitBegin, unitEnd, unitList } = this.lis.editor.fn.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const unit = unitList[k];
      const range = this.unitRange(unit);
      if (range === null || done.has(range)) continue;
      done.add(range);
      if (this.isDown) this.moveDown(range);
      else this.moveUp(range, (limit) => this.lastMentionOfUnit(limit, unit));
    }
  }

  private isEarlier(a: SlotRef, b: SlotRef): boolean {
    return this.slots.isBefore(SlotList.base(a), SlotList.base(b));
  }

  /** The slot at which the moved instruction defines now what it defined or read at `then`. */
  private newSlot(then: SlotRef): SlotRef {
    return SlotList.at(this.to, (then & 3) === Slot.EarlyClobber ? Slot.EarlyClobber : Slot.Register);
  }

  // -- downward --------------------------------------------------------------------------------------------------

  /** @llvm LiveIntervals.cpp LiveIntervals::HMEditor::handleMoveDown */
  private moveDown(range: LiveRange): void {
    const { from, to } = this;
    const { start, end, valueDef } = range;
    const at = range.find(from);
    if (at === range.size || this.isEarlier(from, start[at])) return;
    let def = at;
    if (this.isEarlier(start[at], from)) {
      if (!this.isEarlier(end[at], to)) return;
      def = at + 1;
      const hasNext = def < range.size;
      const isRedefined = hasNext && SlotList.isSameInstr(start[def], from);
      if (hasNext && !isRedefined && this.isEarlier(start[def], to)) {
        this.readBehindOthers(range, at);
        return;
      }
      const isKill = SlotList.isSameInstr(end[at], from);
      end[at] = this.newSlot(end[at]);
      if (!isKill || !isRedefined) return;
    }
    const v = range.value[def];
    const newDef = this.newSlot(start[def]);
    if (this.isEarlier(newDef, end[def])) {
      valueDef[v] = start[def] = newDef;
      return;
    }
    const behind = Math.max(def, range.find(SlotList.at(to, Slot.Register)));
    const isDead = (end[def] & 3) === Slot.Dead;
    if (!isDead && this.isEarlier(end[def], newDef)) {
      this.defineBehindOthers(range, def, behind, newDef);
    } else if (behind < range.size && SlotList.isSameInstr(start[behind], newDef)) range.removeValue(v);
    else {
      range.removeAt(def, 1);
      range.insertAt(behind - 1, newDef, SlotList.at(newDef, Slot.Dead), v);
      valueDef[v] = newDef;
    }
  }

  /** A read that goes after definitions of other parts: what lies between lives on up to it. */
  private readBehindOthers(range: LiveRange, at: number): void {
    const { to } = this;
    const into = Math.max(at + 1, range.find(to));
    if (into === range.size || !this.isEarlier(range.start[into], to))
      range.end[into - 1] = SlotList.at(to, Slot.Register);
    range.end[at] = range.start[at + 1];
  }

  /** A definition of a part that goes after definitions of others, which its value reached. */
  private defineBehindOthers(range: LiveRange, def: number, behind: number, newDef: SlotRef): void {
    const { start, end, value, valueDef } = range;
    const v = value[def];
    if (def > 0 && !this.isEarlier(end[def - 1], start[def])) end[def - 1] = end[def];
    else valueDef[value[def + 1]] = start[def + 1] = end[def];
    const isLast = behind === range.size;
    range.removeAt(def, 1);
    if (isLast) {
      if (range.size > 0) end[range.size - 1] = newDef;
      range.push(newDef, SlotList.at(newDef, Slot.Dead), v);
      valueDef[v] = newDef;
      return;
    }
    const last = behind - 1;
    if (this.isEarlier(start[last], newDef)) {
      // The numbers change places: what was last is defined by the moved instruction from now on.
      const w = value[last];
      range.insertAt(behind, newDef, end[last], w);
      valueDef[w] = newDef;
      end[last] = newDef;
      value[last] = v;
      valueDef[v] = start[last];
    } else {
      range.insertAt(last, newDef, start[last], v);
      valueDef[v] = newDef;
    }
  }

  // -- upward ----------------------------------------------------------------------------------------------------

  /**
   * `lastUse`: where the value that the instruction has read is read last now, at least at `limit`.
   * @llvm LiveIntervals.cpp LiveIntervals::HMEditor::handleMoveUp
   */
  private moveUp(range: LiveRange, lastUse: (limit: SlotRef) => SlotRef): void {
    const { slots, from, to } = this;
    const { start, end, value, valueDef } = range;
    const at = range.find(from);
    if (at === range.size || this.isEarlier(from, start[at])) return;
    let def = at;
    let before = at - 1;
    if (this.isEarlier(start[at], from)) {
      if (!SlotList.isSameInstr(end[at], from)) return;
      const own = SlotList.at(start[at], Slot.Dead);
      const moved = this.newSlot(end[at]);
      end[at] = lastUse(slots.isBefore(own, moved) ? moved : own);
      def = at + 1;
      before = at;
      if (def === range.size || !SlotList.isSameInstr(start[def], from)) return;
    }
    const moved = value[def];
    const isDead = (end[def] & 3) === Slot.Dead;
    const newDef = this.newSlot(start[def]);
    const there = range.find(SlotList.at(to, Slot.Register));
    if (SlotList.isSameInstr(start[there], to)) {
      if (isDead) {
        range.removeValue(moved);
        return;
      }
      valueDef[moved] = start[def] = newDef;
      range.removeValue(value[there]);
    } else if (!isDead) {
      if (before >= 0 && this.isEarlier(newDef, start[before])) this.defineBeforeOthers(range, def, there, newDef);
      else {
        valueDef[moved] = start[def] = newDef;
        if (before >= 0 && this.isEarlier(to, end[before])) end[before] = newDef;
      }
    } else if (before >= 0 && this.isEarlier(start[there], to) && this.isEarlier(to, end[there])) {
      this.reviveDeadDef(range, def, there, newDef);
    } else {
      range.removeAt(def, 1);
      range.insertAt(there, newDef, SlotList.at(newDef, Slot.Dead), moved);
      valueDef[moved] = newDef;
    }
  }

  /** A definition of a part that goes before definitions of others. */
  private defineBeforeOthers(range: LiveRange, def: number, there: number, newDef: SlotRef): void {
    const { slots, to } = this;
    const { start, end, value, valueDef } = range;
    const before = def - 1;
    const v = value[before];
    let upTo = end[there + 1];
    if (before > 0 && this.isEarlier(to, end[before - 1]))
      upTo = slots.isBefore(start[before], start[there + 1]) ? start[before] : start[there + 1];
    // The last of the others and the moved definition become one segment.
    valueDef[value[def]] = start[def] = start[before];
    range.removeAt(before, 1);
    if (this.isEarlier(start[there], to)) {
      range.insertAt(there, start[there], newDef, value[there]);
      start[there + 1] = newDef;
      end[there + 1] = upTo;
      value[there + 1] = v;
    } else range.insertAt(there, newDef, start[there], v);
    valueDef[v] = newDef;
  }

  /** A definition that nobody read comes to stand in the middle of a value, whose other lanes are read after it. */
  private reviveDeadDef(range: LiveRange, def: number, there: number, newDef: SlotRef): void {
    const { end, value, valueDef } = range;
    const { fn, list } = this.lis.editor;
    const v = value[def];
    const at = SlotList.at(newDef, Slot.Register);
    const oldEnd = end[there];
    range.removeAt(def, 1);
    range.insertAt(there + 1, at, oldEnd, v);
    end[there] = at;
    valueDef[v] = newDef;
    for (let s = there + 2; s <= def; s++) value[s] = v;
    // What has come to stand after it counts for members of its bundle.
    for (let i = this.instr; i >= 0; i = list.nextInBundle(i))
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) fn.opFlags[o] &= ~OpFlag.Dead;
  }

  /**
   * The last read of some lanes of a register before where the instruction was, at least `limit`.
   * @llvm LiveIntervals.cpp LiveIntervals::HMEditor::findLastUseBefore
   */
  private lastUse(limit: SlotRef, v: VRegId, laneLo: number, laneHi: number): SlotRef {
    const { lis, slots, from } = this;
    const { editor } = lis;
    const { fn } = editor;
    let last = limit;
    for (let o = editor.firstOperand(virtReg(v)); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDef(o) || editor.isDebug(o) || (fn.opFlags[o] & OpFlag.Undef) !== 0) continue;
      if (fn.opSub[o] !== 0 && (laneLo | laneHi) !== 0) {
        const [lo, hi] = lis.lanesOf(o);
        if ((lo & laneLo) === 0 && (hi & laneHi) === 0) continue;
      }
      const at = slots.ofInstr(lis.headerOf(editor.instrOf(o)));
      if (slots.isBefore(last, at) && slots.isBefore(at, from)) last = SlotList.at(at, Slot.Register);
    }
    return last;
  }

  /** The same for a unit, whose definitions count, too: it is looked for from where the instruction was up to `limit`. */
  private lastMentionOfUnit(limit: SlotRef, unit: RegUnit): SlotRef {
    const { lis, slots, from } = this;
    const { fn, list } = lis.editor;
    const behind = slots.instrOf(slots.nextInstr(from));
    const block = slots.blockOf(limit);
    let p: ListPos = behind >= 0 && fn.instrBlock[behind] === block ? behind : ~block;
    for (p = list.before(p); p >= 0; p = list.before(p)) {
      const at = slots.ofInstr(p);
      if (at < 0) continue;
      if (!this.isEarlier(limit, at)) return limit;
      if (this.mentionsUnit(p, unit)) return SlotList.at(at, Slot.Register);
    }
    return limit;
  }

  private mentionsUnit(header: InstrId, unit: RegUnit): boolean {
    const { fn, list } = this.lis.editor;
    const { unitBegin, unitEnd, unitList } = fn.tables;
    for (let i = header; i >= 0; i = list.nextInBundle(i)) {
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        const reg = fn.opVal[o];
        if (reg <= 0 || (fn.opFlags[o] & OpFlag.Undef) !== 0) continue;
        for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) if (unitList[k] === unit) return true;
      }
    }
    return false;
  }
}

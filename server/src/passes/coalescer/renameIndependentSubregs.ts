/**
 * `rename-independent-subregs`: lanes of a register that have nothing to do with each other get registers of their own
 * (RenameIndependentSubregs, LLVM 22; docs/llvm/coalescing.md, 7).
 */
import { distribute } from '../../analysis/edit/intervalEditor.js';
import { NO_VALUE, type LiveInterval, type SubRange } from '../../analysis/edit/liveRange.js';
import { SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { joinedLanes, Lanes, lanesOfClass } from '../../analysis/lanes.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { regOperand } from '../../model/edit/functionEditor.js';
import { OpFlag, type BlockId, type OperandId } from '../../model/machineFunction.js';
import { virtReg, type VRegId } from '../../model/register.js';
import { CFG, LIVE_INTERVALS } from '../passContext.js';
import { allocationPass, KEEPS_STATE } from '../regalloc/allocationPass.js';
import { coveringIndices } from '../regalloc/coveringIndices.js';
import type { AllocState } from '../regalloc/state.js';
import { firstTerminator } from '../instrOrder.js';

/** @llvm RenameIndependentSubregs.cpp RenameIndependentSubregsLegacy */
export const renameIndependentSubregsPass = allocationPass({
  name: 'rename-independent-subregs',
  pipelineName: 'rename-independent-subregs',
  className: 'RenameIndependentSubregsPass',
  title: 'Rename Disconnected Subregister Components',
  preserves: [...KEEPS_STATE, LIVE_INTERVALS, CFG],
  work(state) {
    const renames = new SubregRenames(state);
    for (let v = 0, n = state.fn.vregs.n; v < n; v++) renames.rename(v);
  },
});

/** A part of the register, with the groups of its values; `first`: the number of the first group among all. */
interface PartGroups {
  readonly part: SubRange;
  readonly groups: readonly number[];
  readonly first: number;
}

class SubregRenames {
  private readonly lanes: Lanes;

  constructor(private readonly state: AllocState) {
    this.lanes = new Lanes(state.tables);
  }

  /** @llvm RenameIndependentSubregs.cpp RenameIndependentSubregs::renameComponents */
  rename(v: VRegId): void {
    const { lis, builder, fn } = this.state;
    const interval = lis.known(v);
    if (interval === null || interval.subRanges.length < 2 || interval.nValues < 2) return;
    const parts = this.groupsOf(interval);
    const classes = this.classesOf(interval, parts);
    const nClasses = classes.reduce((n, c) => Math.max(n, c + 1), 0);
    if (nClasses <= 1) return;
    const intervals = [interval];
    while (intervals.length < nClasses) intervals.push(lis.createEmpty(~builder.newVReg(fn.vregs.regClass[v])));
    this.rewrite(v, parts, classes, intervals);
    for (const { part, groups, first } of parts) {
      const mapped = groups.map((group) => classes[group + first]);
      const to = intervals.slice(1).map((other, k) => {
        return mapped.includes(k + 1) ? other.addSubRange(part.laneLo, part.laneHi) : null;
      });
      distribute(part, to, mapped);
    }
    for (const one of intervals) this.mend(one);
  }

  private groupsOf(interval: LiveInterval): PartGroups[] {
    let first = 0;
    return interval.subRanges.map((part) => {
      const groups = this.state.lis.components(part);
      const found = { part, groups, first };
      first += groups.reduce((n, g) => Math.max(n, g + 1), 0);
      return found;
    });
  }

  /**
   * The class of each group: groups that one operand names belong together.
   * @llvm RenameIndependentSubregs.cpp RenameIndependentSubregs::findComponents
   */
  private classesOf(interval: LiveInterval, parts: readonly PartGroups[]): number[] {
    const { editor } = this.state;
    const n = parts.reduce(
      (all, { groups, first }) => Math.max(all, first + groups.reduce((m, g) => Math.max(m, g + 1), 0)),
      0,
    );
    const leader = Array.from({ length: n }, (_, k) => k);
    const find = (k: number): number => {
      let at = k;
      while (leader[at] !== at) at = leader[at];
      return at;
    };
    const reg = virtReg(interval.vreg);
    for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) {
      let merged = -1;
      for (const id of this.groupsAt(o, parts)) {
        if (merged < 0) merged = id;
        else {
          const [a, b] = [find(merged), find(id)];
          leader[Math.max(a, b)] = Math.min(a, b);
        }
      }
    }
    const classes: number[] = [];
    let nClasses = 0;
    for (let k = 0; k < n; k++) classes.push(find(k) === k ? nClasses++ : classes[find(k)]);
    return classes;
  }

  /** Groups that an operand names, in the order of the parts. */
  private *groupsAt(o: OperandId, parts: readonly PartGroups[]): IterableIterator<number> {
    const { editor, fn } = this.state;
    if (editor.isDebug(o) || (!editor.isDef(o) && !editor.reads(o))) return;
    const mask = this.lanes.mask(fn.opSub[o]);
    const at = this.placeOf(o);
    for (const { part, groups, first } of parts) {
      if ((joinedLanes(part.laneLo, part.laneHi) & mask) === 0n) continue;
      const value = part.valueAt(at);
      if (value !== NO_VALUE) yield groups[value] + first;
    }
  }

  private placeOf(o: OperandId): SlotRef {
    const { editor, lis } = this.state;
    return editor.isDef(o) ? lis.defSlot(o) : this.baseOf(o);
  }

  private baseOf(o: OperandId): SlotRef {
    const { slots } = this.state;
    return SlotList.base(slots.ofInstr(this.state.headOf(o)));
  }

  /** @llvm RenameIndependentSubregs.cpp RenameIndependentSubregs::rewriteOperands */
  private rewrite(
    v: VRegId,
    parts: readonly PartGroups[],
    classes: readonly number[],
    to: readonly LiveInterval[],
  ): void {
    const { editor, fn } = this.state;
    const reg = virtReg(v);
    for (let o = editor.firstOperand(reg); o >= 0;) {
      const next = editor.nextOperand(o);
      const [group] = this.groupsAt(o, parts);
      if (group === undefined) {
        o = next;
        continue;
      }
      const made = virtReg(to[classes[group]].vreg);
      const tied = fn.opTied[o];
      const begin = fn.opBegin[editor.instrOf(o)];
      editor.setReg(o, made);
      if (tied >= 0 && made !== reg) {
        editor.setReg(begin + tied, made);
        o = editor.firstOperand(reg);
      } else o = next;
    }
  }

  /** @llvm RenameIndependentSubregs.cpp RenameIndependentSubregs::computeMainRangesFixFlags */
  private mend(interval: LiveInterval): void {
    const { lis, slots, fn } = this.state;
    interval.removeEmptySubRanges();
    for (const part of [...interval.subRanges])
      for (let value = 0; value < part.nValues; value++) {
        if (part.isUnused(value) || !part.isPhi(value)) continue;
        for (const p of fn.blocks[slots.blockOf(part.valueDef[value])].predecessors)
          if (!this.isLiveAt(interval, slots.lastSlotOf(p))) this.define(interval, p);
      }
    this.markDefs(interval);
    lis.constructMain(interval);
    lis.shrinkToUses(interval.vreg);
  }

  private isLiveAt(interval: LiveInterval, at: SlotRef): boolean {
    return interval.subRanges.some((part) => part.isLiveAt(at));
  }

  /** An undefined value at the end of a block that has none: of the lanes that live, where they are one part, else of all of them. */
  private define(interval: LiveInterval, b: BlockId): void {
    const { slots, builder, editor, opcodes, fn, tables } = this.state;
    const rc = fn.vregs.regClass[interval.vreg];
    const all = lanesOfClass(tables, rc);
    const used = interval.subRanges.reduce((lanes, { laneLo, laneHi }) => lanes | joinedLanes(laneLo, laneHi), 0n);
    const parts = used === all ? [] : coveringIndices(tables, rc, Number(used & 0xffffffffn), Number(used >> 32n));
    const part = parts.length === 1 ? parts[0] : 0;
    const operand = regOperand(virtReg(interval.vreg), part === 0 ? OpFlag.Def : OpFlag.Def | OpFlag.Undef, part);
    const made = builder.build(firstTerminator(editor, b), -1, opcodes.implicitDef, [operand]);
    const at = SlotList.at(slots.insert(made, b), Slot.Register);
    for (const range of interval.subRanges) range.addSegment(at, slots.endOf(b), range.newValue(at));
    const rest = part === 0 ? all & ~used : 0n;
    if (rest !== 0n) interval.addSubRange(Number(rest & 0xffffffffn), Number(rest >> 32n)).addDeadDef(at);
  }

  private markDefs(interval: LiveInterval): void {
    const { editor, fn } = this.state;
    const reg = virtReg(interval.vreg);
    for (let o = editor.firstOperand(reg); o >= 0 && editor.isDef(o); o = editor.nextOperand(o)) {
      if (fn.opSub[o] === 0) continue;
      const at = this.baseOf(o);
      if (!this.isLiveAt(interval, at)) fn.opFlags[o] |= OpFlag.Undef;
      if (!this.isLiveAt(interval, SlotList.at(at, Slot.Dead))) fn.opFlags[o] |= OpFlag.Dead;
    }
  }
}

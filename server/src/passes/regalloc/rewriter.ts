/**
 * Puts the registers of a run into the code (VirtRegRewriter of LLVM 22; docs/llvm/allocation-pipeline.md, 4).
 */
import type { LiveInterval } from '../../analysis/edit/liveRange.js';
import { SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { sortLiveIns } from '../../model/liveIns.js';
import { operandOf, type NewOperand } from '../../model/edit/functionEditor.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, virtReg, type Reg } from '../../model/register.js';
import { McFlag, type PhysReg } from '../../target/api.js';
import { coveringIndices } from './coveringIndices.js';
import type { AllocState } from './state.js';
import { NotModelled } from '../machinePass.js';
import { blockOfLocal } from './spillWeights.js';

/**
 * Rewrites the code with the map of the run; `isLast`: no virtual register is left after it.
 * @llvm VirtRegMap.cpp VirtRegRewriter::run
 */
export function rewriteRegisters(state: AllocState, isLast: boolean): void {
  new Rewriter(state).run();
  if (!isLast) return;
  state.debugValues?.emit();
  const { fn } = state;
  // Operands that got no register keep naming theirs, which has only its class left.
  let isAnyLeft = false;
  for (let v = 0; v < fn.vregs.n; v++) isAnyLeft ||= state.map.physOf(v) === 0 && !state.editor.isUnused(virtReg(v));
  if (!isAnyLeft) state.forgetVRegs();
  fn.header.noVRegs = true;
  for (const l of fn.header.liveIns) (l as { vreg: number }).vreg = -1;
}

/** @llvm VirtRegMap.cpp VirtRegRewriter */
class Rewriter {
  private readonly used = new Set<PhysReg>();

  constructor(private readonly state: AllocState) {}

  /** @llvm VirtRegMap.cpp VirtRegRewriter::rewrite */
  run(): void {
    const { state } = this;
    const { fn, editor } = state;
    for (let v = 0; v < fn.vregs.n; v++) if (this.isAssigned(v)) this.addKillFlags(v);
    for (let v = 0; v < fn.vregs.n; v++) if (this.isAssigned(v)) this.addLiveIns(v);
    for (const block of fn.blocks) sortLiveIns(block.liveIns);
    for (let b = 0; b < fn.blocks.length; b++) {
      state.watch?.checkpoint();
      for (let i = editor.list.first(b); i >= 0;) {
        const next = editor.list.after(i);
        this.rewriteBundle(i);
        i = next;
      }
    }
    for (const reg of this.used) state.units.forgetReg(reg);
  }

  private isAssigned(v: number): boolean {
    return this.state.map.physOf(v) !== 0 && !this.state.editor.isUnused(virtReg(v));
  }

  // -- kill flags --------------------------------------------------------------------------------------------------

  /** @llvm LiveIntervals.cpp LiveIntervals::addKillFlags */
  private addKillFlags(v: number): void {
    const { state } = this;
    const { lis, slots, tables, fn } = state;
    const interval = lis.interval(v);
    if (interval.isEmpty) return;
    const reg = state.map.physOf(v);
    const fixed = [];
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) {
      const range = state.units.of(tables.unitList[k]);
      if (!range.isEmpty) fixed.push(range);
    }
    for (let s = 0; s < interval.size; s++) {
      const end = interval.end[s];
      if ((end & 3) === Slot.Block) continue;
      const i = slots.instrOf(end);
      if (i < 0) continue;
      let isKill = true;
      for (const range of fixed) {
        const f = range.find(end);
        if (f < range.size && slots.isBefore(range.start[f], end) && slots.isBefore(end, range.end[f])) isKill = false;
      }
      if (isKill && interval.subRanges.length > 0 && this.readsLivingLanes(interval, i, end)) isKill = false;
      if (isKill && !this.hasFullDef(i, v) && s + 1 < interval.size && interval.start[s + 1] === end) isKill = false;
      let isMarked = false;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (fn.opVal[o] !== virtReg(v)) continue;
        if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Debug | OpFlag.Undef)) !== 0) continue;
        if (!isKill) fn.opFlags[o] &= ~OpFlag.Kill;
        else if (!isMarked) {
          fn.opFlags[o] |= OpFlag.Kill;
          isMarked = true;
        }
      }
    }
  }

  /** Whether the instruction reads lanes that do not end there. */
  private readsLivingLanes(interval: LiveInterval, i: InstrId, end: SlotRef): boolean {
    const { fn, slots, lis } = this.state;
    let lo = 0;
    let hi = 0;
    for (const sub of interval.subRanges) {
      const s = sub.segmentAt(slots.before(end));
      if (s < 0 || sub.end[s] !== end) continue;
      lo |= sub.laneLo;
      hi |= sub.laneHi;
    }
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== virtReg(interval.vreg)) continue;
      if ((fn.opFlags[o] & OpFlag.Def) !== 0) continue;
      const [useLo, useHi] = lis.lanesOf(o);
      if ((useLo & ~lo) !== 0 || (useHi & ~hi) !== 0) return true;
    }
    return false;
  }

  private hasFullDef(i: InstrId, v: number): boolean {
    const { fn } = this.state;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== virtReg(v)) continue;
      if ((fn.opFlags[o] & OpFlag.Def) === 0) continue;
      if (fn.opSub[o] === 0) return true;
    }
    return false;
  }

  // -- live-ins ----------------------------------------------------------------------------------------------------

  /**
   * @llvm VirtRegMap.cpp VirtRegRewriter::addMBBLiveIns
   * @llvm VirtRegMap.cpp VirtRegRewriter::addLiveInsForSubRanges
   */
  private addLiveIns(v: number): void {
    const { state } = this;
    const { lis, slots, fn } = state;
    const interval = lis.interval(v);
    if (interval.isEmpty || blockOfLocal(state, interval) >= 0) return;
    const reg = state.map.physOf(v);
    const add = (b: BlockId, laneLo: number, laneHi: number): void => {
      fn.blocks[b].liveIns.push({ reg, laneLo, laneHi });
    };
    if (interval.subRanges.length === 0) {
      for (let s = 0; s < interval.size; s++)
        for (let b = this.firstBlockFrom(interval.start[s]); b < fn.blocks.length; b++) {
          if (!slots.isBefore(slots.startOf(b), interval.end[s])) break;
          add(b, -1, -1);
        }
      return;
    }
    for (let b = this.firstBlockFrom(interval.start[0]); b < fn.blocks.length; b++) {
      const at = slots.startOf(b);
      if (!slots.isBefore(at, interval.end[interval.size - 1])) break;
      let lo = 0;
      let hi = 0;
      for (const sub of interval.subRanges) {
        if (!sub.isLiveAt(at)) continue;
        lo |= sub.laneLo;
        hi |= sub.laneHi;
      }
      if ((lo | hi) !== 0) add(b, lo, hi);
    }
  }

  /** The first block that starts at or after a slot. */
  private firstBlockFrom(s: SlotRef): BlockId {
    const { slots } = this.state;
    const b = slots.blockOf(s);
    return s === slots.startOf(b) ? b : b + 1;
  }

  // -- operands ----------------------------------------------------------------------------------------------------

  private rewriteBundle(first: InstrId): void {
    const { fn, editor } = this.state;
    if (fn.bundle[first] === 0) {
      const i = this.rewrite(first);
      if (this.isIdentity(i)) this.dropIdentity(i);
      return;
    }
    let isOfCopies = true;
    let last = first;
    for (let m = first; ; m++) {
      const { copy, kill } = this.state.opcodes;
      if (fn.opcode[m] !== copy && fn.opcode[m] !== kill) isOfCopies = false;
      this.rewrite(m);
      last = m;
      if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) break;
    }
    if (!isOfCopies) {
      for (let m = first; m <= last; m++) if (this.isIdentity(m)) throw new NotModelled('an identity copy in a bundle');
      return;
    }
    const block = fn.instrBlock[first];
    editor.unbundle(first);
    // The last member is looked at for identity after the reordering of the bundle.
    const members: InstrId[] = [];
    for (let m = first; m <= last; m++) {
      if (m < last && this.isIdentity(m)) {
        if (!this.dropIdentity(m, m + 1)) members.push(m);
      } else members.push(m);
    }
    this.orderCopies(members, block);
    if (this.isIdentity(last)) this.dropIdentity(last);
  }

  /**
   * Brings copies that happen at once into an order in which none overwrites what a later one reads.
   * @llvm VirtRegMap.cpp VirtRegRewriter::expandCopyBundle
   */
  private orderCopies(members: readonly InstrId[], block: BlockId): void {
    const { fn, editor, tables, slots } = this.state;
    if (members.length < 2) return;
    const list = [...members].reverse();
    const overlaps = (a: InstrId, b: InstrId): boolean => {
      const source = fn.opVal[fn.opBegin[b] + 1];
      return source > 0 && tables.regsOverlap(fn.opVal[fn.opBegin[a]], source);
    };
    let end = list.length;
    while (end > 1) {
      const before = end;
      for (let k = before - 1; k >= 0; k--) {
        let isBlocked = false;
        for (let n = 0; n < end && !isBlocked; n++) isBlocked = n !== k && overlaps(list[k], list[n]);
        if (isBlocked || k >= end) continue;
        [list[k], list[end - 1]] = [list[end - 1], list[k]];
        end--;
      }
      if (end === before) {
        this.state.error('register rewriting failed: cycle in copy bundle');
        break;
      }
    }
    // One by one they go before the first that is left, or that one stays where it is. The place in the index list was that of the bundle's
    // first member; each of the others takes one after what stands before it by then.
    const left = [...members];
    for (const i of list.reverse()) {
      if (i !== left[0]) editor.move(i, left[0], block);
      left.splice(left.indexOf(i), 1);
      if (slots.ofInstr(i) < 0) slots.insert(i, block);
    }
  }

  private isIdentity(i: InstrId): boolean {
    const { fn, opcodes } = this.state;
    if (fn.opcode[i] !== opcodes.copy) return false;
    const o = fn.opBegin[i];
    return fn.opVal[o] === fn.opVal[o + 1] && fn.opSub[o] === fn.opSub[o + 1] && !isVirtualReg(fn.opVal[o]);
  }

  /**
   * Erases a copy to itself, or leaves a KILL where its other operands matter. True when it is gone. `heir`: the member after it.
   * @llvm VirtRegMap.cpp VirtRegRewriter::handleIdentityCopy
   */
  private dropIdentity(i: InstrId, heir: InstrId = -1): boolean {
    const { fn, opcodes, lis, slots } = this.state;
    const o = fn.opBegin[i];
    // Also where the copy was one of a physical register to itself before.
    this.used.add(fn.opVal[o]);
    if ((fn.opFlags[o + 1] & OpFlag.Undef) !== 0 || fn.numOperands(i) > 2) {
      fn.opcode[i] = opcodes.kill;
      return false;
    }
    // The next member of a bundle takes its place in the index list over.
    if (heir >= 0 && slots.ofInstr(i) >= 0) slots.replace(i, heir);
    lis.erase(i);
    return true;
  }

  /** The instruction with registers for virtual ones; another one when it takes more operands. */
  private rewrite(i: InstrId): InstrId {
    const { state } = this;
    const { fn, editor, tables, lis } = state;
    const more: Reg[] = [];
    if (state.isDebugInstr(i)) return i;
    const hidesUses = state.has(i, McFlag.ExtraSrcRegAllocReq);
    const hidesDefs = state.has(i, McFlag.ExtraDefRegAllocReq);
    const touched: OperandId[] = [];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (!isVirtualReg(reg)) continue;
      const p = state.map.physOf(~reg);
      if (p === 0) continue;
      this.used.add(p);
      const sub = fn.opSub[o];
      const isDef = editor.isDef(o);
      if (sub !== 0) {
        if (!isDef) {
          if (this.readsUndefLanes(o)) fn.opFlags[o] |= OpFlag.Undef;
        } else {
          if ((fn.opFlags[o] & (OpFlag.Dead | OpFlag.Undef)) === OpFlag.Undef)
            more.push(...this.liveOutUndefLanes(o, i, p));
          fn.opFlags[o] &= ~(OpFlag.Undef | OpFlag.Internal);
        }
      }
      if (!(isDef ? hidesDefs : hidesUses)) fn.opFlags[o] |= OpFlag.Renamable;
      touched.push(o);
    }
    for (const o of touched) {
      const p = state.part(state.map.physOf(~fn.opVal[o]), fn.opSub[o]);
      fn.opSub[o] = 0;
      editor.setReg(o, p);
    }
    const added: NewOperand[] = [];
    for (const reg of more) {
      let isThere = false;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (!editor.isDef(o)) continue;
        if (fn.opVal[o] === reg || tables.isSubRegister(fn.opVal[o], reg)) isThere = true;
      }
      if (!isThere && !added.some((a) => a.val === reg || tables.isSubRegister(a.val, reg)))
        added.push({ kind: OperandKind.Register, flags: OpFlag.Def | OpFlag.Implicit, val: reg });
    }
    if (added.length === 0) return i;
    if (fn.bundle[i] !== 0) throw new NotModelled('undefined lanes that live out of a bundle');
    const operands: NewOperand[] = [];
    const tied = [];
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      operands.push(operandOf(fn, o));
      tied.push(fn.opTied[o]);
    }
    const made = lis.replace(i, fn.opcode[i], [...operands, ...added]);
    tied.forEach((t, k) => (fn.opTied[fn.opBegin[made] + k] = t));
    return made;
  }

  /**
   * No part that the operand names lives before its instruction.
   * @llvm VirtRegMap.cpp VirtRegRewriter::readsUndefSubreg
   */
  private readsUndefLanes(o: OperandId): boolean {
    const { lis, fn, slots } = this.state;
    const interval = lis.interval(~fn.opVal[o]);
    const at = slots.ofInstr(this.state.headOf(o));
    const [lo, hi] = lis.lanesOf(o);
    if (interval.subRanges.length === 0) return !interval.isLiveAt(at);
    for (const sub of interval.subRanges)
      if (((sub.laneLo & lo) !== 0 || (sub.laneHi & hi) !== 0) && sub.isLiveAt(at)) return false;
    return true;
  }

  /**
   * Parts that the definition leaves undefined but that a successor expects to be there.
   * @llvm VirtRegMap.cpp VirtRegRewriter::liveOutUndefPhiLanesForUndefSubregDef
   */
  private liveOutUndefLanes(o: OperandId, i: InstrId, reg: PhysReg): PhysReg[] {
    const { state } = this;
    const { lis, fn, slots, tables } = state;
    const v = ~fn.opVal[o];
    const interval = lis.interval(v);
    const [defLo, defHi] = lis.lanesOf(o);
    const b = fn.instrBlock[i];
    let needLo = 0;
    let needHi = 0;
    for (const sub of interval.subRanges) {
      const lo = sub.laneLo & ~defLo;
      const hi = sub.laneHi & ~defHi;
      if ((lo | hi) === 0 || sub.isLiveAt(slots.lastSlotOf(b))) continue;
      if (!fn.blocks[b].successors.some((s) => sub.isLiveAt(slots.startOf(s)))) continue;
      needLo |= lo;
      needHi |= hi;
    }
    if ((needLo | needHi) === 0) return [];
    // What others have in these registers here must not be overwritten.
    const at = SlotList.base(slots.ofInstr(lis.headerOf(i)));
    for (let w = 0; w < fn.vregs.n; w++) {
      const other = state.map.physOf(w);
      if (other === 0 || !tables.regsOverlap(other, reg)) continue;
      const range = lis.interval(w);
      for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) {
        const n = k - tables.unitBegin[reg];
        for (let q = tables.unitBegin[other]; q < tables.unitEnd[other]; q++) {
          if (tables.unitList[q] !== tables.unitList[k]) continue;
          const lane = tables.unitLaneBegin(other) + q - tables.unitBegin[other];
          const live =
            range.subRanges.length === 0
              ? livesIn(range, at, slots)
              : range.subRanges.some(
                  (sub) =>
                    ((sub.laneLo & tables.unitLaneLo[lane]) !== 0 || (sub.laneHi & tables.unitLaneHi[lane]) !== 0) &&
                    livesIn(sub, at, slots),
                );
          if (!live) continue;
          const own = tables.unitLaneBegin(reg) + n;
          needLo &= ~tables.unitLaneLo[own];
          needHi &= ~tables.unitLaneHi[own];
        }
      }
    }
    if ((needLo | needHi) === 0) return [];
    return coveringIndices(tables, fn.vregs.regClass[v], needLo, needHi)
      .reverse()
      .map((idx) => tables.getSubReg(reg, idx));
  }
}

/** Whether a range lives between the base and the register slot of an index. */
function livesIn(
  range: { find(s: SlotRef): number; size: number; start: SlotRef[] },
  at: SlotRef,
  slots: SlotList,
): boolean {
  const s = range.find(at);
  return s < range.size && slots.isBefore(range.start[s], SlotList.at(at, Slot.Register));
}

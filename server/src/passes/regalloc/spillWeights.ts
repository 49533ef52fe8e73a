/**
 * Spill weights and copy hints of virtual registers (VirtRegAuxInfo of LLVM 22; docs/llvm/allocation-greedy.md, 2).
 *
 * Weights are single-precision floats: every operation rounds, in LLVM's order, since ties decide.
 */
import type { LiveInterval } from '../../analysis/edit/liveRange.js';
import { SlotList } from '../../analysis/edit/slotList.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { type BlockId, type InstrId } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg, type Reg } from '../../model/register.js';
import { isRematerializable, usesAvailableAt } from './remat.js';
import { NotModelled } from '../machinePass.js';
import type { AllocState } from './state.js';

const f32 = Math.fround;

/**
 * Sum of the lengths of an interval's segments, in slots.
 * @llvm LiveInterval.cpp LiveInterval::getSize
 */
export function sizeOf(state: AllocState, interval: LiveInterval): number {
  const { slots } = state;
  let size = 0;
  for (let s = 0; s < interval.size; s++) size += slots.number(interval.end[s]) - slots.number(interval.start[s]);
  return size;
}

/**
 * Whether the interval lives inside one block only.
 * @llvm LiveIntervals.cpp LiveIntervals::intervalIsInOneMBB
 */
export function blockOfLocal(state: AllocState, interval: LiveInterval): BlockId {
  const { slots } = state;
  const first = interval.start[0];
  const last = interval.end[interval.size - 1];
  if ((first & 3) === Slot.Block || (last & 3) === Slot.Block) return -1;
  const b = slots.blockOf(first);
  return b === slots.blockOf(last) ? b : -1;
}

/**
 * What the use list of an instruction says about registers that a copy joins.
 * @llvm CalcSpillWeights.cpp VirtRegAuxInfo::copyHint
 */
function copyHint(state: AllocState, i: InstrId, v: number): Reg {
  const { fn, tables } = state;
  const o = fn.opBegin[i];
  const [own, other] = fn.opVal[o] === virtReg(v) ? [o, o + 1] : [o + 1, o];
  const h = fn.opVal[other];
  if (h === 0) return 0;
  const s = fn.opSub[own];
  if (isVirtualReg(h)) return s === fn.opSub[other] ? h : 0;
  const rc = fn.vregs.regClass[v];
  const p = state.part(h, fn.opSub[other]);
  if (p > 0 && tables.classContains(rc, p)) return p;
  return s !== 0 && p > 0 ? tables.getMatchingSuperReg(p, s, rc) : 0;
}

/** @llvm CalcSpillWeights.cpp VirtRegAuxInfo */
export class SpillWeights {
  private readonly exiting: Int8Array;
  private readonly calleeSaved: Uint32Array | null;
  private readonly lo256: ReadonlySet<number>;
  private seen = new Int32Array(0);
  private stamp = 0;

  private readonly countsOnly: boolean;

  /** `favorsSize`: in a function that is to be small an operand weighs the same everywhere. */
  constructor(
    private readonly state: AllocState,
    favorsSize: boolean,
  ) {
    const { fn, tables } = state;
    this.countsOnly = favorsSize && fn.isForSize;
    const { loops } = state.blocks;
    this.exiting = new Int8Array(fn.blocks.length);
    for (let b = 0; b < fn.blocks.length; b++) {
      const loop = loops.loopOf[b];
      if (loop >= 0 && fn.blocks[b].successors.some((s) => !loops.contains(loop, s))) this.exiting[b] = 1;
    }
    const mask = fn.subtarget.callPreservedMask(fn.header.irFunction.callingConv);
    this.calleeSaved = mask < 0 ? null : tables.regMaskBits(mask);
    this.lo256 = new Set(['vgpr_32_lo256', 'vreg_64_lo256_align2'].map((n) => tables.regClassByName(n)));
  }

  /** @llvm CalcSpillWeights.cpp VirtRegAuxInfo::calculateSpillWeightsAndHints */
  computeAll(): void {
    const { fn, editor, watch } = this.state;
    for (let v = 0; v < fn.vregs.n; v++) {
      watch?.checkpoint();
      if (!editor.isUnused(virtReg(v))) this.compute(v);
    }
  }

  /** Marks of instructions that were looked at for the register of now, and for others before. */
  private newStamp(): number {
    const { nInstrs } = this.state.fn;
    if (this.seen.length < nInstrs) this.seen = new Int32Array(nInstrs + (nInstrs >> 2));
    return ++this.stamp;
  }

  /**
   * Sets the weight and the hints of a register.
   * @llvm CalcSpillWeights.cpp VirtRegAuxInfo::calculateSpillWeightAndHint
   * @llvm CalcSpillWeights.cpp VirtRegAuxInfo::weightCalcHelper
   */
  compute(v: number): void {
    const { state } = this;
    const { fn, editor, lis, opcodes, slots } = state;
    const interval = lis.interval(v);
    const rc = fn.vregs.regClass[v];
    if (rc < 0) return;
    const original = state.map.originalOf(v);
    const isSpillable = interval.weight !== Infinity && (original === v || lis.interval(original).weight !== Infinity);
    if (!isSpillable) interval.weight = Infinity;
    let total = 0;
    let hints: Map<Reg, number> | null = null;
    const stamp = this.newStamp();
    for (let o = editor.firstOperand(virtReg(v)); o >= 0; o = editor.nextOperand(o)) {
      const i = editor.instrOf(o);
      if (editor.isDebug(o) || this.seen[i] === stamp) continue;
      this.seen[i] = stamp;
      const isCopy = state.isCopy(i);
      const b0 = fn.opBegin[i];
      if (isCopy && fn.opVal[b0] === fn.opVal[b0 + 1] && fn.opSub[b0] === fn.opSub[b0 + 1]) continue;
      if (fn.opcode[i] === opcodes.implicitDef) continue;
      let w = 1;
      if (isSpillable) {
        const { reads, writes } = state.readsWrites(i, v);
        const b = fn.instrBlock[i];
        const n = (reads ? 1 : 0) + (writes ? 1 : 0);
        w = this.countsOnly ? n : state.spillWeightOf(n, b);
        if (writes && this.exiting[b] !== 0 && interval.isLiveAt(slots.before(slots.endOf(b)))) w = f32(w * 3);
        total = f32(total + w);
      }
      if (!isCopy) continue;
      const h = copyHint(state, i, v);
      if (h === 0 || (h > 0 && !state.reserved.isAllocatable(h))) continue;
      hints ??= new Map();
      hints.set(h, f32((hints.get(h) ?? 0) + w));
    }
    if (hints !== null) {
      this.setHints(v, hints);
      total = f32(total * f32(1.01));
    }
    if (!isSpillable) return;
    if (this.isTiny(interval)) {
      interval.weight = Infinity;
      return;
    }
    if (this.isRematerializable(v, interval)) total = f32(total * 0.5);
    if (this.lo256.has(rc)) total = f32(total * 2);
    interval.weight = f32(total / f32(sizeOf(state, interval) + 400));
  }

  /** Physical before virtual, the weightier first, callee-saved ones after, then by number. */
  private setHints(v: number, hints: ReadonlyMap<Reg, number>): void {
    const { state, calleeSaved } = this;
    const isSaved = (r: number): number =>
      calleeSaved !== null && r > 0 ? (calleeSaved[r >>> 5] >>> (r & 31)) & 1 : 0;
    const number = (r: Reg): number => (r < 0 ? ~r : r);
    const weight = (r: Reg): number => hints.get(r) ?? 0;
    const sorted = [...hints.keys()];
    if (sorted.length > 1)
      sorted.sort(
        (a, b) =>
          Number(a < 0) - Number(b < 0) ||
          weight(b) - weight(a) ||
          (a > 0 ? isSaved(a) - isSaved(b) : 0) ||
          number(a) - number(b),
      );
    const list = (state.hints[v] ??= { type: 0, regs: [] });
    if (list.type === 0) {
      list.regs = sorted;
      return;
    }
    const skip = list.regs[0] ?? 0;
    for (const r of sorted) if (r !== skip) list.regs.push(r);
  }

  /**
   * No instruction stands between the ends of any segment: spilling would not make it shorter.
   * @llvm LiveInterval.h LiveRange::isZeroLength
   */
  private isTiny(interval: LiveInterval): boolean {
    const { slots, regMaskSlots } = this.state;
    for (let s = 0; s < interval.size; s++) {
      const next = slots.nextInstr(interval.start[s]);
      if (slots.isBefore(SlotList.base(next), SlotList.base(interval.end[s]))) return false;
    }
    for (const m of regMaskSlots) if (interval.isLiveAt(m)) return false;
    return true;
  }

  /**
   * Whether each value can be made anew wherever it is read.
   * @llvm CalcSpillWeights.cpp VirtRegAuxInfo::isRematerializable
   */
  private isRematerializable(v: number, interval: LiveInterval): boolean {
    const { state } = this;
    const { lis, slots, fn, editor, opcodes } = state;
    const defOf: InstrId[] = [];
    let reg = v;
    const original = state.map.originalOf(v);
    for (let value = 0; value < interval.nValues; value++) {
      if (interval.isUnused(value)) continue;
      if (interval.isPhi(value)) return false;
      let i = slots.instrOf(interval.valueDef[value]);
      if (i < 0) return false;
      const copies: InstrId[] = [];
      while (isFullCopy(state, i)) {
        if (copies.includes(i)) throw new NotModelled('a value that is a copy of itself');
        copies.push(i);
        const o = fn.opBegin[i];
        if (fn.opVal[o] !== virtReg(reg)) return false;
        const source = fn.opVal[o + 1];
        if (!isVirtualReg(source) || state.map.originalOf(~source) !== original) return false;
        const from = lis.interval(~source);
        const q = from.query(slots.ofInstr(lis.headerOf(i)));
        if (q.valueIn < 0 || from.isPhi(q.valueIn)) return false;
        reg = ~source;
        i = slots.instrOf(from.valueDef[q.valueIn]);
        if (i < 0) return false;
      }
      if (!isRematerializable(state, i)) return false;
      defOf[value] = i;
    }
    // A def without register operands needs no look at the uses.
    for (let o = editor.firstOperand(virtReg(v)); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDebug(o) || !editor.reads(o) || opcodes.kill < 0) continue;
      const use = state.headOf(o);
      const at = slots.ofInstr(use);
      const value = interval.query(at).valueIn;
      const def = value < 0 ? undefined : defOf[value];
      if (def === undefined) continue;
      if (!usesAvailableAt(state, def, at)) return false;
    }
    return true;
  }
}

/** A copy of all of a register: no part on either side. */
export function isFullCopy(state: AllocState, i: InstrId): boolean {
  const { fn } = state;
  if (!state.isCopy(i)) return false;
  const o = fn.opBegin[i];
  return fn.opSub[o] === 0 && fn.opSub[o + 1] === 0;
}

/**
 * si-form-memory-clauses: with XNACK, runs of loads must not overwrite their own addresses; these are kept alive by KILLs after the run
 * (SIFormMemoryClauses of LLVM 22; docs/llvm/allocation-pipeline.md, 6).
 */
import {
  incPressure,
  maxPressure,
  newPressure,
  numSGPRs,
  numVGPRs,
  pressureOccupancy,
  VRegPressureFacts,
  type Pressure,
} from '../../analysis/gcnPressure.js';
import { SlotList } from '../../analysis/edit/slotList.js';
import { unreadableNumber } from '../../model/attributeErrors.js';
import { integerAttribute } from '../../model/functionLimits.js';
import { OpFlag, OperandKind, type InstrId } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg, type Reg } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import { isFLAT, isImage, isMTBUF, isMUBUF, isSMRD } from '../../target/opcodes.js';
import { DenseMapOrder } from '../../util/denseMapOrder.js';
import { coveringIndices } from './coveringIndices.js';
import type { AllocState } from './state.js';
import { allocationPass } from './allocationPass.js';

const MAX_LENGTH = 'amdgpu-max-memory-clause';
/** TSFlags, upper half: atomics */
const ATOMIC = (1 << 25) | (1 << 26);

type Lanes = [lo: number, hi: number];

/** @llvm SIFormMemoryClauses.cpp SIFormMemoryClausesImpl::run */
function formMemoryClauses(state: AllocState): void {
  if (!state.fn.subtarget.xnackEnabled || state.fn.isOptNone) return;
  new Clauses(state).run();
}

/** Registers that a clause mentions, in LLVM's order. */
class Mentions {
  readonly lanes = new Map<Reg, { flags: number; lo: number; hi: number }>();
  private readonly order = new DenseMapOrder();

  add(reg: Reg, flags: number, lo: number, hi: number): void {
    const known = this.lanes.get(reg);
    if (known !== undefined) {
      known.flags |= flags;
      known.lo |= lo;
      known.hi |= hi;
      return;
    }
    this.lanes.set(reg, { flags, lo, hi });
    this.order.insert(isVirtualReg(reg) ? ~reg : reg);
  }

  virtuals(): number[] {
    return this.order.keys().filter((k) => this.lanes.has(virtReg(k)));
  }
}

/** @llvm SIFormMemoryClauses.cpp SIFormMemoryClausesImpl */
class Clauses {
  private readonly facts: VRegPressureFacts;
  private readonly maxVGPRs: number;
  private readonly maxSGPRs: number;
  private readonly maxLength: number;
  private live = new Map<number, Lanes>();
  private pressure: Pressure = newPressure();
  private max: Pressure = newPressure();
  /** the instruction that the tracker comes to next, -1 = it was not started */
  private next: InstrId = -1;
  private occupancy: number;

  constructor(private readonly state: AllocState) {
    const { fn, tables, reserved, info } = state;
    this.facts = new VRegPressureFacts(fn);
    this.maxVGPRs = reserved.numAllocatableRegs(tables.regClassByName('vgpr_32'));
    this.maxSGPRs = reserved.numAllocatableRegs(tables.regClassByName('sgpr_32'));
    const { irFunction } = fn.header;
    const problem = unreadableNumber(irFunction, MAX_LENGTH);
    if (problem !== null) state.error(problem);
    this.maxLength = integerAttribute(irFunction, MAX_LENGTH, state.options.maxClause);
    this.occupancy = info.occupancy;
  }

  run(): void {
    const { fn, editor } = this.state;
    for (let b = 0; b < fn.blocks.length; b++) {
      this.next = -1;
      for (let i = editor.list.first(b); i >= 0;) i = this.formAt(i);
    }
  }

  /** Forms a clause that begins with an instruction, if there is one; the instruction to go on with. */
  private formAt(i: InstrId): number {
    const { state } = this;
    const { list } = state.editor;
    let behind = list.after(i);
    if (state.has(i, McFlag.Meta)) return behind;
    const isVector = this.isVector(i);
    if (!this.isValid(i, isVector)) return behind;
    if (this.next < 0) this.reset(i, null);
    else {
      while (this.next !== i && this.next >= 0) {
        this.dropDead();
        this.addDefs();
      }
      this.dropDead();
    }
    const before = new Map([...this.live].map(([v, l]) => [v, [...l] as Lanes]));
    const defs = new Mentions();
    const uses = new Mentions();
    if (!this.take(i, defs, uses)) {
      this.reset(i, before);
      return behind;
    }
    let last = i;
    let length = 1;
    for (; behind >= 0 && length < this.maxLength; behind = list.after(behind)) {
      if (state.has(behind, McFlag.Meta)) continue;
      if (!this.isValid(behind, isVector) || !this.take(behind, defs, uses)) break;
      last = behind;
      length++;
    }
    if (length < 2) {
      this.reset(i, before);
      return behind;
    }
    state.info.occupancy = Math.min(state.info.occupancy, this.occupancy);
    this.keep(i, last, defs, uses);
    this.reset(i, before);
    return behind;
  }

  /** @llvm SIFormMemoryClauses.cpp isVMEMClauseInst */
  private isVector(i: InstrId): boolean {
    const { tables, fn } = this.state;
    const opc = fn.opcode[i];
    return isMUBUF(tables, opc) || isMTBUF(tables, opc) || isImage(tables, opc) || isFLAT(tables, opc);
  }

  /** @llvm SIFormMemoryClauses.cpp isValidClauseInst */
  private isValid(i: InstrId, isVector: boolean): boolean {
    const { state } = this;
    const { fn, tables, editor } = state;
    if (fn.bundle[i] !== 0 || !state.has(i, McFlag.MayLoad) || state.has(i, McFlag.MayStore)) return false;
    if ((tables.opcodeTSHi(fn.opcode[i]) & ATOMIC) !== 0) return false;
    if (isVector ? !this.isVector(i) : !isSMRD(tables, fn.opcode[i])) return false;
    const first = fn.opBegin[i];
    if (fn.opKind[first] !== OperandKind.Register || !editor.isDef(first)) return true;
    for (let o = first; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.Register && !editor.isDef(o) && fn.opVal[o] === fn.opVal[first]) return false;
    return true;
  }

  /** @llvm SIFormMemoryClauses.cpp SIFormMemoryClausesImpl::collectRegUses */
  private take(i: InstrId, defs: Mentions, uses: Mentions): boolean {
    const { state } = this;
    const { fn, editor, tables } = state;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.FrameIndex) return false;
      if (fn.opKind[o] !== OperandKind.Register) continue;
      if (fn.opTied[o] >= 0) return false;
      const clash = (editor.isDef(o) ? uses : defs).lanes.get(fn.opVal[o]);
      if (clash === undefined) continue;
      if (!isVirtualReg(fn.opVal[o])) return false;
      const sub = fn.opSub[o];
      if (sub === 0 || (clash.lo & tables.subRegLaneLo[sub]) !== 0 || (clash.hi & tables.subRegLaneHi[sub]) !== 0)
        return false;
    }
    if (!this.fits()) return false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] === 0) continue;
      const sub = isVirtualReg(fn.opVal[o]) ? fn.opSub[o] : 0;
      const [lo, hi] = sub === 0 ? [-1, -1] : [tables.subRegLaneLo[sub], tables.subRegLaneHi[sub]];
      const kept = OpFlag.Implicit | OpFlag.Kill | OpFlag.Dead | OpFlag.Undef | OpFlag.EarlyClobber;
      const flags = fn.opFlags[o] & kept;
      (editor.isDef(o) ? defs : uses).add(fn.opVal[o], flags, lo, hi);
    }
    return true;
  }

  /**
   * @llvm SIFormMemoryClauses.cpp SIFormMemoryClausesImpl::checkPressure
   * @llvm SIFormMemoryClauses.cpp SIFormMemoryClausesImpl::canBundle
   */
  private fits(): boolean {
    const { state } = this;
    this.addDefs();
    const max = this.max;
    this.max = newPressure();
    const { subtarget } = state.fn;
    const { limits } = state.reserved;
    const occupancy = pressureOccupancy(max, subtarget, limits.dynamicVGPRBlockSize);
    const { info } = state;
    const least = info.memoryBound || info.waveLimiter ? Math.min(info.occupancy, 4) : info.occupancy;
    if (occupancy < least || numVGPRs(max, subtarget.hasGFX90AInsts) > Math.floor(this.maxVGPRs / 2)) return false;
    if (numSGPRs(max) > Math.floor(this.maxSGPRs / 2)) return false;
    this.occupancy = occupancy;
    return true;
  }

  // -- tracker -----------------------------------------------------------------------------------------------------

  private reset(i: InstrId, live: Map<number, Lanes> | null): void {
    const { state } = this;
    const { fn, lis, slots } = state;
    this.next = i;
    this.pressure = newPressure();
    if (live === null) {
      this.live = new Map();
      const at = slots.ofInstr(i);
      for (let v = 0; v < fn.vregs.n; v++) {
        if (state.editor.isUnused(virtReg(v))) continue;
        const [lo, hi] = this.lanesAt(v, at);
        if ((lo | hi) !== 0) this.live.set(v, [lo, hi]);
      }
    } else this.live = live;
    for (const [v, [lo, hi]] of this.live) incPressure(this.pressure, this.facts, v, 0, 0, lo, hi);
    this.max = this.pressure.slice();
    void lis;
  }

  private lanesAt(v: number, at: number): Lanes {
    const { lis } = this.state;
    const interval = lis.interval(v);
    if (interval.subRanges.length === 0) return interval.isLiveAt(at) ? [...lis.allLanes(v)] : [0, 0];
    const lanes: Lanes = [0, 0];
    for (const sub of interval.subRanges) {
      if (!sub.isLiveAt(at)) continue;
      lanes[0] |= sub.laneLo;
      lanes[1] |= sub.laneHi;
    }
    return lanes;
  }

  private set(v: number, lo: number, hi: number): void {
    const [oldLo, oldHi] = this.live.get(v) ?? [0, 0];
    incPressure(this.pressure, this.facts, v, oldLo, oldHi, lo, hi);
    if ((lo | hi) === 0) this.live.delete(v);
    else this.live.set(v, [lo, hi]);
  }

  private tracked: InstrId = -1;

  /** Comes to the next instruction: what it defines is alive. */
  private addDefs(): void {
    const { state } = this;
    const { fn, editor, lis } = state;
    const i = this.next;
    this.tracked = i;
    let behind = editor.list.after(i);
    while (behind >= 0 && state.isDebugInstr(behind)) behind = editor.list.after(behind);
    this.next = behind;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (!editor.isDef(o) || !isVirtualReg(fn.opVal[o])) continue;
      const v = ~fn.opVal[o];
      const [lo, hi] = lis.lanesOf(o);
      const [oldLo, oldHi] = this.live.get(v) ?? [0, 0];
      this.set(v, oldLo | lo, oldHi | hi);
    }
    maxPressure(this.max, this.pressure);
  }

  /** What the instruction after was the last to read is dead. */
  private dropDead(): void {
    const { state } = this;
    const { fn, editor, lis, slots } = state;
    const i = this.tracked;
    if (i < 0) return;
    const at = this.next < 0 ? SlotList.at(slots.ofInstr(i), 3) : slots.ofInstr(this.next);
    const seen = new Set<number>();
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (!isVirtualReg(fn.opVal[o])) continue;
      if (!editor.isDef(o) && !editor.reads(o)) continue;
      const v = ~fn.opVal[o];
      if (seen.has(v)) continue;
      seen.add(v);
      const [oldLo, oldHi] = this.live.get(v) ?? [0, 0];
      const interval = lis.interval(v);
      if (interval.subRanges.length === 0) {
        if (!interval.isLiveAt(at)) this.set(v, 0, 0);
        continue;
      }
      let [lo, hi] = [oldLo, oldHi];
      for (const sub of interval.subRanges) {
        if (sub.isLiveAt(at)) continue;
        lo &= ~sub.laneLo;
        hi &= ~sub.laneHi;
      }
      this.set(v, lo, hi);
    }
    maxPressure(this.max, this.pressure);
    this.tracked = -1;
  }

  // -- KILLs -------------------------------------------------------------------------------------------------------

  private keep(first: InstrId, last: InstrId, defs: Mentions, uses: Mentions): void {
    const { state } = this;
    const { fn, lis, slots, tables, opcodes, editor } = state;
    const liveIn = slots.ofInstr(first);
    const liveOut = slots.nextIndex(slots.ofInstr(last));
    let hasKill = false;
    for (const v of uses.virtuals()) {
      const { flags } = uses.lanes.get(virtReg(v))!;
      const interval = lis.interval(v);
      const subs: number[] = [];
      if (interval.subRanges.length === 0) {
        if (interval.isLiveAt(liveOut)) continue;
        subs.push(0);
      } else {
        let lo = 0;
        let hi = 0;
        for (const sub of interval.subRanges) {
          if (!sub.isLiveAt(liveIn) || sub.isLiveAt(liveOut)) continue;
          lo |= sub.laneLo;
          hi |= sub.laneHi;
        }
        if ((lo | hi) === 0) continue;
        subs.push(...coveringIndices(tables, fn.vregs.regClass[v], lo, hi));
      }
      lis.insert(
        editor.list.after(last),
        opcodes.kill,
        subs.map((sub) => ({ kind: OperandKind.Register, flags: flags | OpFlag.Kill, val: virtReg(v), sub })),
      );
      hasKill = true;
    }
    if (!hasKill) return;
    for (const v of defs.virtuals()) lis.recompute(v);
    for (const v of uses.virtuals()) lis.recompute(v);
  }
}

/** @llvm SIFormMemoryClauses.cpp SIFormMemoryClausesLegacy */
export const formMemoryClausesPass = allocationPass({
  name: 'si-form-memory-clauses',
  pipelineName: 'si-form-memory-clauses',
  className: 'SIFormMemoryClausesPass',
  title: 'SI Form memory clauses',
  properties: { cleared: ['isSSA'], isOnlyLegacy: true },
  work: formMemoryClauses,
});

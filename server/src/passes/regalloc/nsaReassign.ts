/**
 * amdgpu-nsa-reassign: consecutive registers for the addresses of image instructions, which are shorter then
 * (GCNNSAReassign of LLVM 22; docs/llvm/allocation-pipeline.md, 5).
 */
import { calleeSaved } from '../../analysis/frame/calleeSaves.js';
import type { SlotRef } from '../../analysis/edit/slotList.js';
import { OpFlag, type InstrId } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg } from '../../model/register.js';
import { Generation, type PhysReg, type Subtarget } from '../../target/api.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { Interference, type LiveRegMatrix } from './matrix.js';
import type { AllocState } from './state.js';
import { allocationPass } from './allocationPass.js';

interface Candidate {
  readonly i: InstrId;
  isContiguous: boolean;
}

/** How the address registers lie; null = not an instruction of that kind, or they cannot move. */
type Layout = 'contiguous' | 'scattered' | null;

/** Addresses may be scattered or not: elsewhere the pass has nothing to look at. */
const hasBothEncodings = (st: Subtarget): boolean => st.hasFeature('nsa-encoding') && st.generation < Generation.GFX12;

/** @llvm GCNNSAReassign.cpp GCNNSAReassignImpl::run */
function reassignImageAddresses(state: AllocState, matrix: LiveRegMatrix): void {
  const { fn, editor } = state;
  if (!hasBothEncodings(fn.subtarget)) return;
  const candidates: Candidate[] = [];
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      const layout = layoutOf(state, i, false);
      if (layout !== null) candidates.push({ i, isContiguous: layout === 'contiguous' });
    }
  }
  if (candidates.every((c) => c.isContiguous)) return;
  const pass = new Reassignment(state, matrix, candidates);
  for (const c of candidates) if (!c.isContiguous) pass.tryOne(c);
}

const SCATTERED = new OpcodePattern(/_nsa_gfx1[01]/);

/** Positions of the address operands within an instruction in the encoding for scattered registers. */
function addressOperands({ fn, tables }: AllocState, i: InstrId): readonly number[] {
  const opc = fn.opcode[i];
  if (!SCATTERED.has(tables, opc)) return [];
  const found: number[] = [];
  for (let n = 0; ; n++) {
    const k = tables.getNamedOperandIdx(opc, `vaddr${n}`);
    if (k < 0) return found;
    found.push(k);
  }
}

/** @llvm GCNNSAReassign.cpp GCNNSAReassignImpl::CheckNSA */
function layoutOf(state: AllocState, i: InstrId, isKnown: boolean): Layout {
  const { fn, tables } = state;
  const operands = addressOperands(state, i);
  if (operands.length === 0) return null;
  let base = 0;
  let isScattered = false;
  for (let n = 0; n < operands.length; n++) {
    const o = fn.opBegin[i] + operands[n];
    const reg = fn.opVal[o];
    if (!isVirtualReg(reg)) return null;
    const p = state.map.physOf(~reg);
    if (p === 0) return null;
    if (!isKnown) {
      if (tables.regClassBits[fn.vregs.regClass[~reg]] !== 32 || fn.opSub[o] !== 0) return null;
      if (state.map.isSplitOff(~reg) || isTiedByCopies(state, ~reg, p)) return null;
    }
    if (n === 0) base = p;
    else if (base + n !== p) isScattered = true;
  }
  return isScattered ? 'scattered' : 'contiguous';
}

/** Copies from or to its own register would come back, and implicit uses want it where it is. */
function isTiedByCopies(state: AllocState, v: number, p: PhysReg): boolean {
  const { fn, editor, opcodes } = state;
  let def: InstrId = -1;
  let nDefs = 0;
  for (const o of editor.operandsOf(virtReg(v))) {
    if (editor.isDebug(o)) continue;
    const i = editor.instrOf(o);
    const first = fn.opBegin[i];
    if (editor.isDef(o)) {
      nDefs++;
      def = i;
    } else {
      if ((fn.opFlags[o] & OpFlag.Implicit) !== 0) return true;
      if (fn.opcode[i] === opcodes.copy && fn.opVal[first] === p) return true;
    }
  }
  return nDefs === 1 && fn.opcode[def] === opcodes.copy && fn.opVal[fn.opBegin[def] + 1] === p;
}

/** @llvm GCNNSAReassign.cpp GCNNSAReassignImpl */
class Reassignment {
  private readonly vgpr0: PhysReg;
  private readonly budget: number;
  private readonly saved: readonly PhysReg[];

  constructor(
    private readonly state: AllocState,
    private readonly matrix: LiveRegMatrix,
    private readonly candidates: readonly Candidate[],
  ) {
    const { fn, tables, reserved, info } = state;
    const { limits } = reserved;
    this.vgpr0 = tables.regByName('vgpr0');
    this.budget = Math.min(fn.subtarget.maxNumVGPRs(info.occupancy, limits.dynamicVGPRBlockSize), limits.maxNumVGPRs);
    this.saved = calleeSaved(fn);
  }

  /** @llvm GCNNSAReassign.cpp GCNNSAReassignImpl::tryAssignRegisters */
  tryOne(c: Candidate): void {
    const { state, matrix } = this;
    const { fn, lis, slots } = state;
    if (layoutOf(state, c.i, true) === 'contiguous') {
      c.isContiguous = true;
      return;
    }
    const regs = addressOperands(state, c.i).map((k) => ~fn.opVal[fn.opBegin[c.i] + k]);
    if (new Set(regs).size < regs.length) return;
    const before = regs.map((v) => state.map.physOf(v));
    let from: SlotRef = slots.ofInstr(c.i);
    let to: SlotRef = from;
    regs.forEach((v, n) => {
      const interval = lis.interval(v);
      if (interval.isEmpty) return;
      const start = interval.start[0];
      const end = interval.end[interval.size - 1];
      if (n === 0 || slots.isBefore(start, from)) from = start;
      if (n === 0 || slots.isBefore(to, end)) to = end;
    });
    let isBetter = this.findRun(regs);
    if (!isBetter && state.map.physOf(regs[regs.length - 1]) !== 0) return;
    if (isBetter) {
      // Others must not be worse off.
      for (const other of this.candidates) {
        const at = slots.ofInstr(other.i);
        if (slots.isBefore(at, from) || !slots.isBefore(at, to)) continue;
        if (other.isContiguous && layoutOf(state, other.i, true) !== 'contiguous') isBetter = false;
      }
    }
    if (isBetter) {
      c.isContiguous = true;
      return;
    }
    for (const v of regs) if (state.map.physOf(v) !== 0) matrix.unassign(v);
    regs.forEach((v, n) => matrix.assign(v, before[n]));
  }

  /**
   * Gives the registers the lowest run that is free. Without one they have none.
   * @llvm GCNNSAReassign.cpp GCNNSAReassignImpl::scavengeRegs
   */
  private findRun(regs: readonly number[]): boolean {
    const { state, matrix, budget, vgpr0 } = this;
    for (let n = 0; n + regs.length <= budget; n++) {
      if (!this.mayUse(vgpr0 + n, regs.length)) continue;
      for (const v of regs) if (state.map.physOf(v) !== 0) matrix.unassign(v);
      const isFree = regs.every((v, k) => {
        matrix.invalidate();
        return matrix.check(v, vgpr0 + n + k) === Interference.Free;
      });
      if (!isFree) continue;
      regs.forEach((v, k) => matrix.assign(v, vgpr0 + n + k));
      return true;
    }
    return false;
  }

  /** @llvm GCNNSAReassign.cpp GCNNSAReassignImpl::canAssign */
  private mayUse(first: PhysReg, n: number): boolean {
    const { state, matrix, saved } = this;
    for (let reg = first; reg < first + n; reg++) {
      if (!state.reserved.isAllocatable(reg)) return false;
      if (saved.includes(reg) && !matrix.isUsed(reg)) return false;
    }
    return true;
  }
}

/** @llvm GCNNSAReassign.cpp GCNNSAReassignLegacy */
export const nsaReassignPass = allocationPass({
  name: 'amdgpu-nsa-reassign',
  pipelineName: 'amdgpu-nsa-reassign',
  className: 'GCNNSAReassignPass',
  title: 'GCN NSA Reassign',
  work(state, _use, { context }) {
    if (hasBothEncodings(state.fn.subtarget)) context.onLimits?.(state.fn, 'maxNumVGPRs');
    if (state.map.matrix !== null) reassignImageAddresses(state, state.map.matrix);
  },
});

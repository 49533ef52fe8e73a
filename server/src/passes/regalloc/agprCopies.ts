/**
 * amdgpu-rewrite-agpr-copy-mfma: matrix instructions whose operands are copied from or to AGPRs use those themselves, and saves of VGPRs
 * that fit after that become copies (AMDGPURewriteAGPRCopyMFMA of LLVM 22; docs/llvm/allocation-pipeline.md, 5).
 */
import type { LiveRange } from '../../analysis/edit/liveRange.js';
import { OperandKind, OpFlag, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg, virtRegIndex, type Reg, type VRegId } from '../../model/register.js';
import type { Opcode, PhysReg, RegClassId } from '../../target/api.js';
import { constrainedClass } from './liveRangeEdit.js';
import { Interference, type LiveRegMatrix } from './matrix.js';
import { isVGPRSpill, stackAccess } from '../../analysis/frame/spillCode.js';
import type { AllocState } from './state.js';
import { allocationPass } from './allocationPass.js';

/** @llvm AMDGPURewriteAGPRCopyMFMA.cpp AMDGPURewriteAGPRCopyMFMAImpl::run */
function rewriteAGPRCopies(state: AllocState, matrix: LiveRegMatrix): void {
  if (state.fn.isOptNone || !state.fn.subtarget.hasGFX90AInsts || !matrix.isUsed(state.tables.regByName('agpr0')))
    return;
  const pass = new Rewriting(state, matrix);
  let isChanged = false;
  for (let v = 0; v < state.fn.vregs.n; v++) if (pass.copiesOf(v)) isChanged = true;
  if (isChanged) dissolveSlots(state, matrix);
}

/** @llvm AMDGPURewriteAGPRCopyMFMA.cpp AMDGPURewriteAGPRCopyMFMAImpl */
class Rewriting {
  constructor(
    private readonly state: AllocState,
    private readonly matrix: LiveRegMatrix,
  ) {}

  /** Matrix instructions at the other ends of the copies to and from a register that has an AGPR. */
  copiesOf(v: VRegId): boolean {
    const { state } = this;
    const { fn, tables } = state;
    const reg = state.map.physOf(v);
    if (reg === 0 || !tables.hasAGPRs(tables.getMinimalPhysRegClass(reg))) return false;
    let isChanged = false;
    for (const i of this.copies(v, true)) {
      const source = fn.opVal[fn.opBegin[i] + 1];
      if (!isVirtualReg(source)) continue;
      for (const o of this.operands(source))
        if (state.editor.isDef(o)) isChanged = this.tryChain(o, source, reg) || isChanged;
    }
    for (const i of this.copies(v, false)) {
      const made = fn.opVal[fn.opBegin[i]];
      if (!isVirtualReg(made)) continue;
      for (const o of this.operands(made)) {
        if (state.editor.isDebug(o) || !state.editor.reads(o)) continue;
        isChanged = this.tryChain(o, made, state.map.physOf(virtRegIndex(made))) || isChanged;
      }
    }
    return isChanged;
  }

  private operands(reg: Reg): OperandId[] {
    return [...this.state.editor.operandsOf(reg)];
  }

  /**
   * Each copy once that writes, or reads, a register.
   * @llvm AMDGPURewriteAGPRCopyMFMA.cpp AMDGPURewriteAGPRCopyMFMAImpl::tryFoldCopiesToAGPR
   * @llvm AMDGPURewriteAGPRCopyMFMA.cpp AMDGPURewriteAGPRCopyMFMAImpl::tryFoldCopiesFromAGPR
   */
  private copies(v: VRegId, isDef: boolean): Set<InstrId> {
    const { fn, editor, opcodes } = this.state;
    const found = new Set<InstrId>();
    for (const o of editor.operandsOf(virtReg(v)))
      if (editor.isDef(o) === isDef && fn.opcode[editor.instrOf(o)] === opcodes.copy) found.add(editor.instrOf(o));
    return found;
  }

  /** The same instruction with its sum in AGPRs, -1 = there is none. */
  private inAGPRs(i: InstrId): Opcode {
    return this.state.tables.mapOpcode('MFMASrcCVDstAGPR', this.state.fn.opcode[i]);
  }

  /**
   * Moves the register at operand `o`, and all that matrix instructions tie to it, to AGPRs, `wanted` where it is free. False, and nothing
   * changed, where the instruction is none of them, another use wants VGPRs, or no AGPRs are free.
   * @llvm AMDGPURewriteAGPRCopyMFMA.cpp AMDGPURewriteAGPRCopyMFMAImpl::tryReassigningMFMAChain
   */
  private tryChain(o: OperandId, start: Reg, wanted: PhysReg): boolean {
    const { state, matrix } = this;
    const { fn, editor } = state;
    const first = editor.instrOf(o);
    if (this.inAGPRs(first) < 0) return false;
    const instrs = new Set<InstrId>([first]);
    const regs = new Set<VRegId>([virtRegIndex(start)]);
    if (!this.collect(regs, instrs)) return false;
    const before = [...regs].map((v) => [v, state.map.physOf(v)] as const);
    for (const [v] of before) matrix.unassign(v);
    for (const [v] of before) {
      const reg = this.freeAGPRs(v, wanted);
      if (reg !== 0) {
        matrix.assign(v, reg);
        continue;
      }
      for (const [w, old] of before.reverse()) {
        if (state.map.physOf(w) !== 0) matrix.unassign(w);
        matrix.assign(w, old);
      }
      return false;
    }
    for (const v of regs) fn.vregs.regClass[v] = this.classInAGPRs(v);
    for (const i of instrs) fn.opcode[i] = this.inAGPRs(i);
    return true;
  }

  /**
   * Adds the registers and matrix instructions that move together; false if one of them cannot.
   * @llvm AMDGPURewriteAGPRCopyMFMA.cpp AMDGPURewriteAGPRCopyMFMAImpl::recomputeRegClassExceptRewritable
   */
  private collect(regs: Set<VRegId>, instrs: Set<InstrId>): boolean {
    const { fn, editor } = this.state;
    const work = [...regs];
    for (let v = work.pop(); v !== undefined; v = work.pop()) {
      const old = fn.vregs.regClass[v];
      let rc = this.state.classes.largestSuperClass(old);
      if (rc === old) return false;
      for (const o of editor.operandsOf(virtReg(v))) {
        if (editor.isDebug(o)) continue;
        const i = editor.instrOf(o);
        if (this.inAGPRs(i) >= 0) {
          if (!this.addTied(i, o, regs, work)) return false;
          instrs.add(i);
          continue;
        }
        rc = constrainedClass(this.state, i, o, rc);
        if (rc < 0 || rc === old) return false;
      }
    }
    return true;
  }

  /** The result and the third source of a matrix instruction are in the same kind of register. */
  private addTied(i: InstrId, o: OperandId, regs: Set<VRegId>, work: VRegId[]): boolean {
    const { fn, tables } = this.state;
    const taken = fn.subtarget.opInfoRegClass(this.inAGPRs(i), o - fn.opBegin[i]);
    if (taken < 0 || !tables.hasAGPRs(taken)) return false;
    for (const name of ['vdst', 'src2']) {
      const other = fn.opBegin[i] + tables.getNamedOperandIdx(fn.opcode[i], name);
      if (fn.opKind[other] !== OperandKind.Register) continue;
      if (!isVirtualReg(fn.opVal[other])) return false;
      const w = virtRegIndex(fn.opVal[other]);
      if (regs.has(w)) continue;
      regs.add(w);
      work.push(w);
    }
    return true;
  }

  private classInAGPRs(v: VRegId): RegClassId {
    const { fn, tables } = this.state;
    const bits = tables.regClassBits[fn.vregs.regClass[v]];
    const aligned = fn.subtarget.needsAlignedVGPRs ? '_align2' : '';
    return tables.regClassByName(bits <= 32 ? `agpr_${bits}` : `areg_${bits}${aligned}`);
  }

  /** @llvm AMDGPURewriteAGPRCopyMFMA.cpp AMDGPURewriteAGPRCopyMFMAImpl::attemptReassignmentsToAGPR */
  private freeAGPRs(v: VRegId, wanted: PhysReg): PhysReg {
    const { state, matrix } = this;
    const rc = this.classInAGPRs(v);
    const isFree = (reg: PhysReg): boolean => matrix.check(v, reg) === Interference.Free;
    matrix.invalidate();
    if (wanted !== 0 && state.tables.classContains(rc, wanted) && isFree(wanted)) return wanted;
    return state.classes.order(rc).find(isFree) ?? 0;
  }
}

/**
 * Slots of vector registers that nothing but saves and reloads uses go into a register that is free now, the longest life first.
 * @llvm AMDGPURewriteAGPRCopyMFMA.cpp AMDGPURewriteAGPRCopyMFMAImpl::eliminateSpillsOfReassignedVGPRs
 */
function dissolveSlots(state: AllocState, matrix: LiveRegMatrix): void {
  const { tables, fn, lis, slots } = state;
  const wanted = [...state.liveStacks]
    .filter(([slot, { regClass }]) => tables.hasVGPRs(regClass) && state.stack[slot].isDead !== true)
    .map(([slot, { range, regClass }]) => ({ slot, range, regClass, length: lengthOf(range) }))
    .sort((a, b) => b.length - a.length || a.slot - b.slot);
  const users = spillsOf(state, new Set(wanted.map(({ slot }) => slot)));
  for (const { slot, range, regClass } of wanted) {
    const spills = users.get(slot);
    if (spills === undefined) continue;
    const reg = state.classes.order(regClass).find((r) => matrix.isFreeFor(range, r));
    if (reg === undefined) continue;
    const v = fn.vregs.add(-1, null);
    fn.vregs.regClass[v] = regClass;
    for (const i of spills) becomeCopy(state, i, virtReg(v));
    lis.recompute(v);
    matrix.invalidate();
    matrix.assign(v, reg);
    state.stack[slot] = { ...state.stack[slot], isDead: true };
  }

  function lengthOf(range: LiveRange): number {
    let n = 0;
    for (let s = 0; s < range.size; s++) n += slots.number(range.end[s]) - slots.number(range.start[s]);
    return n;
  }
}

/**
 * Saves and reloads of the slots that have no other users, in the order of the code.
 * @llvm AMDGPURewriteAGPRCopyMFMA.cpp AMDGPURewriteAGPRCopyMFMAImpl::collectSpillIndexUses
 */
function spillsOf(state: AllocState, wanted: Set<number>): Map<number, InstrId[]> {
  const { fn, editor } = state;
  const found = new Map<number, InstrId[]>();
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
        if (fn.opKind[o] !== OperandKind.FrameIndex || !wanted.has(fn.opVal[o])) continue;
        const slot = fn.opVal[o];
        if (isVGPRSpill(state, i)) {
          const list = found.get(slot);
          if (list === undefined) found.set(slot, [i]);
          else list.push(i);
        } else {
          wanted.delete(slot);
          found.delete(slot);
        }
      }
    }
  }
  return found;
}

/** @llvm AMDGPURewriteAGPRCopyMFMA.cpp AMDGPURewriteAGPRCopyMFMAImpl::replaceSpillWithCopyToVReg */
function becomeCopy(state: AllocState, i: InstrId, reg: Reg): void {
  const { fn, lis, opcodes } = state;
  const o = fn.opBegin[i];
  const own = { kind: OperandKind.Register, flags: fn.opFlags[o], val: fn.opVal[o], sub: fn.opSub[o] };
  const slot = { kind: OperandKind.Register, val: reg };
  const isSave = stackAccess(state, i)?.isSave === true;
  const made = lis.replace(i, opcodes.copy, isSave ? [{ ...slot, flags: OpFlag.Def }, own] : [own, slot]);
  fn.memOperands[made] = null;
  fn.instrFlags[made] = 0;
}

/** @llvm AMDGPURewriteAGPRCopyMFMA.cpp AMDGPURewriteAGPRCopyMFMALegacy */
export const rewriteAGPRCopiesPass = allocationPass({
  name: 'amdgpu-rewrite-agpr-copy-mfma',
  pipelineName: 'amdgpu-rewrite-agpr-copy-mfma',
  className: 'AMDGPURewriteAGPRCopyMFMAPass',
  title: 'AMDGPU Rewrite AGPR-Copy-MFMA',
  work(state) {
    if (state.map.matrix !== null) rewriteAGPRCopies(state, state.map.matrix);
  },
});

/** Slots of spilled vector registers that registers of the other file take the place of (SIFrameLowering, LLVM 22; docs/llvm/frame-lowering.md, 3). */
import { forgetDebugValues } from '../../analysis/frame/debugValues.js';
import { isPhysRegUsed } from '../../analysis/frame/usedRegisters.js';
import { isVGPRSpill } from '../../analysis/frame/spillCode.js';
import { OperandKind, type InstrId } from '../../model/machineFunction.js';
import { isPreserved } from '../../model/regMask.js';
import type { PhysReg } from '../../target/api.js';
import { isMUBUF } from '../../target/opcodes.js';
import type { Frame, OtherFile } from './frame.js';
import { eliminateFrameIndex, SCALAR_SPILL } from './frameIndexes.js';
import type { Scavenger } from './scavenger.js';

/** @llvm SIFrameLowering.cpp SIFrameLowering::processFunctionBeforeFrameFinalized */
export function moveToOtherFile(frame: Frame, scavenger: Scavenger): void {
  const { fn, editor } = frame;
  const done = new Set<number>();
  const others = new Set<number>();
  let hasDebug = false;
  for (let b = 0; b < fn.blocks.length; b++)
    for (let i = editor.list.first(b); i >= 0;) {
      const next = editor.list.after(i);
      hasDebug ||= frame.isDebugInstr(i);
      if (isVGPRSpill(frame, i)) {
        const o = fn.opBegin[i];
        const slot = fn.opVal[o + 1];
        if (takeOtherFile(frame, slot, frame.isAGPR(fn.opVal[o]))) {
          scavenger.enterEnd(b);
          scavenger.backward(next);
          eliminateFrameIndex(frame, i, 1, scavenger);
          done.add(slot);
        }
      } else {
        const slot = accessedSlot(frame, i);
        if (slot >= 0) others.add(slot);
      }
      i = next;
    }
  for (const slot of done) {
    const other = frame.otherFile.get(slot);
    if (other !== undefined && !others.has(slot)) other.isDead = true;
  }
  for (let b = 0; b < fn.blocks.length; b++) {
    for (const reg of [...frame.spillVGPRs, ...frame.spillAGPRs]) frame.addLiveIn(b, reg);
    frame.sortLiveIns(b);
    if (hasDebug && done.size > 0) forgetDebugValues(editor, b, done);
  }
}

/** The slot that a buffer instruction or a save of a scalar register goes to; -1 = none. */
function accessedSlot({ fn, tables }: Frame, i: InstrId): number {
  const opcode = fn.opcode[i];
  const k = isMUBUF(tables, opcode)
    ? tables.getNamedOperandIdx(opcode, 'vaddr')
    : SCALAR_SPILL.has(tables, opcode)
      ? 1
      : -1;
  const o = fn.opBegin[i] + k;
  return k >= 0 && fn.opKind[o] === OperandKind.FrameIndex ? fn.opVal[o] : -1;
}

/**
 * Whether registers of the other file hold all of a slot, which are found when it is first met.
 * @llvm SIMachineFunctionInfo.cpp SIMachineFunctionInfo::allocateVGPRSpillToAGPR
 */
function takeOtherFile(frame: Frame, slot: number, isAGPR: boolean): boolean {
  const known = frame.otherFile.get(slot);
  if (known !== undefined && known.lanes.length > 0) return known.isWhole;
  const { fn, tables, reserved } = frame;
  const n = Math.floor(frame.sizeOf(slot) / 4);
  const other: OtherFile = { lanes: new Array<PhysReg>(n).fill(0), isWhole: true, isDead: false };
  frame.otherFile.set(slot, other);
  const mask = fn.subtarget.callPreservedMask(fn.header.irFunction.callingConv);
  const kept = mask < 0 ? null : tables.regMaskBits(mask);
  const taken = new Set([...frame.spillAGPRs, ...frame.spillVGPRs]);
  const regs = tables.classRegs(tables.regClassByName(isAGPR ? 'vgpr_32' : 'agpr_32'));
  const list = isAGPR ? frame.spillAGPRs : frame.spillVGPRs;
  let k = 0;
  const isFree = (reg: PhysReg): boolean =>
    reserved.isAllocatable(reg) &&
    !isPhysRegUsed(frame, reg) &&
    !taken.has(reg) &&
    (kept === null || !isPreserved(kept, reg));
  for (let lane = n - 1; lane >= 0; lane--) {
    while (k < regs.length && !isFree(regs[k])) k++;
    if (k === regs.length) {
      other.isWhole = false;
      break;
    }
    list.push(regs[k]);
    frame.reserve(regs[k]);
    other.lanes[lane] = regs[k++];
  }
  return other.isWhole;
}

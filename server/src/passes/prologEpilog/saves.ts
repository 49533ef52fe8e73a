/** Which registers are saved, and where (SIFrameLowering, LLVM 22; docs/llvm/frame-lowering.md, 2). */
import { insertSpill } from '../../analysis/frame/spillCode.js';
import { findUnusedRegister, isPhysRegModified, isPhysRegUsed } from '../../analysis/frame/usedRegisters.js';
import { savedAtEnd } from '../../analysis/frame/calleeSaves.js';
import { hasBasePointer, startsNobody } from '../../analysis/frame/framePointers.js';
import { LiveRegUnits } from '../../analysis/liveRegUnits.js';
import { OpFlag, type BlockId } from '../../model/machineFunction.js';
import type { PhysReg, RegClassId } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { NotModelled } from '../machinePass.js';
import type { Frame, Lane, ScalarSave } from './frame.js';

/** VGPRs that hold arguments of functions which are started in the place of another. */
const CHAIN_SCRATCH_VGPRS = 8;

/**
 * The registers that generic code saves, in the order of the calling convention; null = none of the function's are looked at.
 * @llvm SIFrameLowering.cpp SIFrameLowering::determineCalleeSaves
 */
function determineSaves(frame: Frame): readonly PhysReg[] | null {
  const { fn, info, editor } = frame;
  if (startsNobody(fn.header)) return null;
  const isChanged = (reg: PhysReg): boolean => fn.header.callsUnwindInit || isPhysRegModified(frame, reg);
  const changed = new Set(frame.isNaked ? [] : frame.calleeSaved.filter(isChanged));
  const wholeWave = opcodeSet(frame.tables, 'wholeWaveSpill');
  let needsExecCopy = false;
  for (let b = 0; b < fn.blocks.length && !needsExecCopy; b++)
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i))
      if (wholeWave.has(fn.opcode[i])) needsExecCopy = true;
  const moved = moveDown(frame);
  if (frame.isEntry) return frame.calleeSaved.filter((reg) => changed.has(reg) && !moved.has(reg));
  if (info.isWholeWaveFunction) throw new NotModelled('functions of whole waves (amdgpu_gfx_whole_wave)');
  for (const reg of info.wwmReservedRegs) {
    const rc = frame.facts.baseClassOf(reg);
    spillWholeWave(frame, reg, frame.tables.regClassSpillSize(rc), frame.tables.regClassSpillAlign(rc));
  }
  const { vectors } = savedAtEnd(fn, (reg) => changed.has(reg), moved);
  determineScalarSaves(frame, vectors.length > 0, needsExecCopy);
  return vectors.filter((reg) => !frame.wwmSpills.has(reg));
}

/**
 * Whole-wave registers, which were taken from the top, move to the lowest that are free.
 * @llvm SIMachineFunctionInfo.cpp SIMachineFunctionInfo::shiftWwmVGPRsToLowestRange
 */
function moveDown(frame: Frame): ReadonlySet<PhysReg> {
  const { fn, info, editor } = frame;
  const moved = new Set<PhysReg>();
  const rc = frame.classNamed('vgpr_32');
  const all = info.wwmReservedRegs.filter((reg) => frame.bitsOf(reg) === 32).sort((a, b) => b - a);
  for (const reg of all) {
    const free = findUnusedRegister(frame, rc);
    if (free === 0 || free >= reg) break;
    editor.replaceReg(reg, free);
    info.wwmReservedRegs = [...info.wwmReservedRegs.filter((r) => r !== reg && r !== free), free];
    frame.reserve(free);
    info.spillPhysVGPRs = info.spillPhysVGPRs.map((r) => (r === reg ? free : r));
    moved.add(reg);
    for (let b = 0; b < fn.blocks.length; b++) {
      fn.blocks[b].liveIns = fn.blocks[b].liveIns.filter((l) => l.reg !== reg);
      frame.sortLiveIns(b);
    }
  }
  return moved;
}

/** @llvm SIMachineFunctionInfo.cpp SIMachineFunctionInfo::allocateWWMSpill */
function spillWholeWave(frame: Frame, reg: PhysReg, size = 4, alignment = 4): void {
  const { info } = frame;
  if (frame.isEntry || frame.wwmSpills.has(reg)) return;
  const scratch = frame.tables.numberedRegs('vgpr').subarray(0, CHAIN_SCRATCH_VGPRS);
  if (frame.isChain && (scratch.includes(reg) || !frame.frame.hasTailCall || info.hasInitWholeWave)) return;
  frame.wwmSpills.set(reg, createSpillObject(frame, size, alignment));
}

/** @llvm MachineFrameInfo.cpp MachineFrameInfo::CreateSpillStackObject */
function createSpillObject(frame: Frame, size: number, alignment: number): number {
  return frame.createObject(size, alignment, 'spill-slot');
}

/** @llvm SIFrameLowering.cpp SIFrameLowering::determinePrologEpilogSGPRSaves */
function determineScalarSaves(frame: Frame, savesVGPRs: boolean, needsExecCopy: boolean): void {
  const { fn, info, editor } = frame;
  const live = new LiveRegUnits(fn);
  for (const reg of frame.calleeSaved) live.addReg(reg);
  const rc = frame.classNamed(frame.st.wavefrontSize === 32 ? 'sreg_32' : 'sreg_64');
  const copy = info.sgprForEXECCopy;
  if (needsExecCopy || (copy > 0 && isPhysRegUsed(frame, copy, false))) {
    if (copy > 0) frame.reserve(copy);
    const free = frame.findUnused(live, rc);
    if (free > 0) {
      info.sgprForEXECCopy = free;
      if (copy > 0) editor.replaceReg(copy, free);
      live.addReg(free);
    } else saveScalar(frame, live, copy, rc, false);
  } else if (copy > 0) info.sgprForEXECCopy = 0;
  const single = frame.classNamed('sreg_32_xm0_xexec');
  if ((frame.frame.hasCalls && (savesVGPRs || !frame.isEmpty)) || frame.hasFP)
    saveScalar(frame, live, info.frameOffsetReg, single, true);
  if (hasBasePointer(fn.header)) saveScalar(frame, live, frame.basePointer, single, true);
}

/**
 * In a free register, in lanes or in memory.
 * @llvm SIFrameLowering.cpp getVGPRSpillLaneOrTempRegister
 */
function saveScalar(frame: Frame, live: LiveRegUnits, reg: PhysReg, rc: RegClassId, mayCopy: boolean): void {
  const to = mayCopy ? frame.findUnused(live, rc) : 0;
  let save: ScalarSave;
  if (to > 0) {
    save = { kind: 'copy', to };
    live.addReg(to);
  } else {
    const [size, alignment] = [frame.tables.regClassSpillSize(rc), frame.tables.regClassSpillAlign(rc)];
    let slot = frame.createObject(size, alignment, 'spill-slot', 'sgpr-spill');
    const lanes = frame.options.spillsSGPRsToVGPRs ? takeLanes(frame, size / 4) : null;
    if (lanes !== null) frame.lanesOf.set(slot, lanes);
    else {
      frame.remove(slot);
      slot = createSpillObject(frame, size, alignment);
    }
    save = { kind: lanes === null ? 'memory' : 'lanes', slot };
  }
  frame.scalarSaves = [...frame.scalarSaves, [reg, save] as const].sort(([a], [b]) => a - b);
}

/**
 * Lanes of the register that has some left, or of one that is free; null = there is none.
 * @llvm SIMachineFunctionInfo.cpp SIMachineFunctionInfo::allocateSGPRSpillToVGPRLane
 * @llvm SIMachineFunctionInfo.cpp SIMachineFunctionInfo::allocatePhysicalVGPRForSGPRSpills
 */
function takeLanes(frame: Frame, n: number): readonly Lane[] | null {
  const { fn, info, st } = frame;
  const lanes: Lane[] = [];
  for (let k = 0; k < n; k++) {
    const lane = frame.physLanes % st.wavefrontSize;
    if (lane === 0) {
      const reg = findUnusedRegister(frame, frame.classNamed('vgpr_32'));
      if (reg === 0) {
        frame.physLanes -= k;
        return null;
      }
      spillWholeWave(frame, reg);
      if (!info.wwmReservedRegs.includes(reg)) info.wwmReservedRegs = [...info.wwmReservedRegs, reg];
      for (let b = 0; b < fn.blocks.length; b++) {
        frame.addLiveIn(b, reg);
        frame.sortLiveIns(b);
      }
      info.spillPhysVGPRs = [...info.spillPhysVGPRs, reg];
    }
    const reg = info.spillPhysVGPRs.at(-1);
    if (reg === undefined) throw new NotModelled('lanes of a register that the text does not name');
    lanes.push({ reg, lane });
    frame.physLanes++;
  }
  return lanes;
}

interface SaveSlots {
  readonly first: number;
  readonly last: number;
}

/**
 * Saves and reloads of registers; null = there are none.
 * @llvm PrologEpilogInserter.cpp PEIImpl::spillCalleeSavedRegs
 */
export function saveRegisters(
  frame: Frame,
  saveBlocks: readonly BlockId[],
  restoreBlocks: readonly BlockId[],
): SaveSlots | null {
  const { fn, tables, stack, st } = frame;
  const regs = determineSaves(frame);
  let slots: SaveSlots | null = null;
  const slotOf: number[] = [];
  if (regs !== null) {
    frame.saved = regs;
    stack.forEach((o, slot) => {
      if (o.calleeSavedRegister !== null) frame.change(slot, { calleeSavedRegister: null });
    });
    if (st.hasFeature('block-vgpr-csr') && regs.some((reg) => frame.isVGPR(reg)))
      throw new NotModelled('VGPRs that are saved in blocks (block-vgpr-csr)');
    for (const reg of regs) {
      const rc = tables.getMinimalPhysRegClass(reg);
      const slot = frame.createObject(tables.regClassSpillSize(rc), tables.regClassSpillAlign(rc), 'spill-slot');
      frame.change(slot, { calleeSavedRegister: reg });
      slotOf.push(slot);
    }
    if (slotOf.length > 0) slots = { first: slotOf[0], last: slotOf[slotOf.length - 1] };
  }
  if (frame.isNaked) return slots;
  frame.frame.isCalleeSavedInfoValid = true;
  if (regs === null || regs.length === 0) return slots;
  for (const b of saveBlocks) {
    const at = frame.editor.list.first(b);
    regs.forEach((reg, k) => {
      const i = insertSpill(frame, at, reg, OpFlag.Kill, slotOf[k], tables.getMinimalPhysRegClass(reg), true);
      frame.locate(i, frame.locationAt(at));
    });
  }
  addLiveIns(frame, regs);
  for (const b of restoreBlocks) {
    const at = frame.firstTerminator(b);
    for (let k = regs.length - 1; k >= 0; k--) {
      const i = insertSpill(frame, at, regs[k], 0, slotOf[k], tables.getMinimalPhysRegClass(regs[k]), false);
      frame.locate(i, frame.locationAt(at));
    }
  }
  void fn;
  return slots;
}

/**
 * Registers that are saved live into blocks up to the saves.
 * @llvm PrologEpilogInserter.cpp updateLiveness
 */
function addLiveIns(frame: Frame, regs: readonly PhysReg[]): void {
  const { fn } = frame;
  const { savePoint, restorePoint } = fn.header.frameInfo;
  if (savePoint.length > 0 || restorePoint.length > 0) throw new NotModelled('saves that shrink-wrap has placed');
  for (const reg of regs)
    if (!frame.isReserved(reg) && !fn.blocks[0].liveIns.some((l) => l.reg === reg)) frame.addLiveIn(0, reg);
}

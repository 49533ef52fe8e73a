/** Which registers are saved, and where (SIFrameLowering, LLVM 22; docs/llvm/frame-lowering.md, 2). */
import { insertSpill } from '../../analysis/frame/spillCode.js';
import { findUnusedRegister, isPhysRegModified, isPhysRegUsed } from '../../analysis/frame/usedRegisters.js';
import { savedAtEnd } from '../../analysis/frame/calleeSaves.js';
import { hasBasePointer, startsNobody } from '../../analysis/frame/framePointers.js';
import { LiveRegUnits } from '../../analysis/liveRegUnits.js';
import { immOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type BlockId } from '../../model/machineFunction.js';
import type { PhysReg, RegClassId } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { NotModelled } from '../machinePass.js';
import { def, use, type Frame, type ScalarSave } from './frame.js';
import type { Lane } from './frameMoves.js';
import { slotAccess } from './spillMemory.js';
import { firstTerminator } from '../instrOrder.js';

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
  if (info.isWholeWaveFunction) keepAllVGPRs(frame);
  for (const reg of info.wwmReservedRegs) {
    const rc = frame.facts.baseClassOf(reg);
    spillWholeWave(frame, reg, frame.tables.regClassSpillSize(rc), frame.tables.regClassSpillAlign(rc));
  }
  const { vectors } = savedAtEnd(fn, (reg) => changed.has(reg), moved);
  determineScalarSaves(frame, vectors.length > 0, needsExecCopy);
  return vectors.filter((reg) => !frame.wwmSpills.has(reg));
}

/** A function of whole waves writes lanes that its caller had switched off: all VGPRs that it changes are whole-wave registers. */
function keepAllVGPRs(frame: Frame): void {
  const { info, st } = frame;
  const n = st.hasFeature('1024-addressable-vgprs') ? 1024 : 256;
  for (const reg of frame.tables.numberedRegs('vgpr').subarray(0, n)) {
    if (!isPhysRegModified(frame, reg)) continue;
    if (!info.wwmReservedRegs.includes(reg)) info.wwmReservedRegs = [...info.wwmReservedRegs, reg];
    frame.addLiveIn(0, reg);
  }
  frame.sortLiveIns(0);
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
  // A caller that is never returned to needs no pointers.
  const { savesSGPRsWithCFI: asksReturn } = frame.st.release.rules;
  if (asksReturn && fn.header.irFunction.enumAttributes.has('noreturn')) return;
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

/** A register, or several in a block, with the slot that it is saved in. */
interface Save {
  readonly reg: PhysReg;
  readonly slot: number;
}

/**
 * Slots for registers that are saved.
 * @llvm PrologEpilogInserter.cpp assignCalleeSavedSpillSlots
 */
function assignSlots(frame: Frame, regs: readonly PhysReg[]): Save[] {
  const { tables, st } = frame;
  const saves = st.hasFeature('block-vgpr-csr')
    ? savesInBlocks(frame, regs)
    : regs.map((reg) => {
        const rc = tables.getMinimalPhysRegClass(reg);
        const [size, alignment] = [tables.regClassSpillSize(rc), tables.regClassSpillAlign(rc)];
        return { reg, slot: frame.createObject(size, alignment, 'spill-slot') };
      });
  for (const { reg, slot } of saves) frame.change(slot, { calleeSavedRegister: reg });
  return saves;
}

/** VGPRs of a block */
const BLOCK = 32;

/**
 * One instruction saves VGPRs of a block of 32, from the first that is saved on.
 * @llvm SIFrameLowering.cpp assignSlotsUsingVGPRBlocks
 */
function savesInBlocks(frame: Frame, regs: readonly PhysReg[]): Save[] {
  const { tables, info } = frame;
  const rc = tables.regClassByName('vreg_1024');
  const sub0 = tables.subRegIndexByName('sub0');
  const [first] = tables.numberedRegs('vgpr');
  const saves: Save[] = [];
  const isOfBlock = (reg: PhysReg): boolean => frame.isVGPR(reg) && !info.wwmReservedRegs.includes(reg);
  let left = [...regs];
  while (left.length > 0) {
    const [reg, ...others] = left;
    if (!isOfBlock(reg)) throw new NotModelled('callee-saved registers that are no VGPRs, with block-vgpr-csr');
    let mask = 1;
    left = others.filter((other) => {
      if (!isOfBlock(other) || other >= reg + BLOCK) return true;
      mask |= 1 << (other - reg);
      return false;
    });
    let block = tables.getMatchingSuperReg(reg, sub0, rc);
    if (block <= 0) {
      const start = reg - ((reg - first) % BLOCK);
      block = tables.getMatchingSuperReg(start, sub0, rc);
      mask <<= reg - start;
    }
    frame.blockMasks.set(block, mask);
    const size = tables.regClassSpillSize(rc) - Math.clz32(mask) * 4;
    saves.push({ reg: block, slot: frame.createObject(size, tables.regClassSpillAlign(rc), 'spill-slot') });
  }
  return saves;
}

/** @llvm SIFrameLowering.cpp SIFrameLowering::spillCalleeSavedRegisters */
function insertSaves(frame: Frame, b: BlockId, saves: readonly Save[]): void {
  const { tables, info } = frame;
  const at = frame.editor.list.first(b);
  const suffix = frame.st.release.rules.savesSGPRsWithCFI ? '_CFI' : '';
  for (const { reg, slot } of saves) {
    const mask = frame.blockMasks.get(reg);
    if (mask === undefined) {
      const rc = tables.getMinimalPhysRegClass(reg);
      const i = insertSpill(frame, at, reg, OpFlag.Kill, slot, rc, true, { suffix });
      frame.locate(i, frame.locationAt(at));
      continue;
    }
    const place = [immOperand(0), immOperand(mask >>> 0)];
    const i = frame.emit(at, at, `SI_BLOCK_SPILL_V1024${suffix}_SAVE`, [
      use(reg),
      slotOperand(slot),
      use(info.stackPtrOffsetReg),
      ...place,
    ]);
    frame.fn.memOperands[i] = [slotAccess(frame, slot, true, frame.sizeOf(slot))];
    info.hasSpilledVGPRs = true;
    frame.addLiveIn(b, reg);
  }
  if (frame.blockMasks.size > 0) frame.sortLiveIns(b);
}

const slotOperand = (slot: number): NewOperand => ({ kind: OperandKind.FrameIndex, val: slot });

/** @llvm SIFrameLowering.cpp SIFrameLowering::restoreCalleeSavedRegisters */
function insertReloads(frame: Frame, b: BlockId, saves: readonly Save[]): void {
  const { tables, info } = frame;
  const at = firstTerminator(frame.editor, b);
  for (const { reg, slot } of [...saves].reverse()) {
    const mask = frame.blockMasks.get(reg);
    if (mask === undefined) {
      const i = insertSpill(frame, at, reg, 0, slot, tables.getMinimalPhysRegClass(reg), false);
      frame.locate(i, frame.locationAt(at));
      continue;
    }
    const place = [slotOperand(slot), use(info.stackPtrOffsetReg), immOperand(0), immOperand(mask >>> 0)];
    const i = frame.emit(at, at, 'SI_BLOCK_SPILL_V1024_RESTORE', [def(reg), ...place], frame.keptInBlock(reg));
    frame.fn.memOperands[i] = [slotAccess(frame, slot, false, frame.sizeOf(slot))];
    frame.addLiveIn(b, reg);
  }
  if (frame.blockMasks.size > 0) frame.sortLiveIns(b);
}

/**
 * Saves and reloads of registers; the first and the last of their slots, null = there are none.
 * @llvm PrologEpilogInserter.cpp PEIImpl::spillCalleeSavedRegs
 */
export function saveRegisters(
  frame: Frame,
  saveBlocks: readonly BlockId[],
  restoreBlocks: readonly BlockId[],
): { readonly first: number; readonly last: number } | null {
  const regs = determineSaves(frame);
  let saves: readonly Save[] = [];
  if (regs !== null) {
    frame.stack.forEach((o, slot) => {
      if (o.calleeSavedRegister !== null) frame.change(slot, { calleeSavedRegister: null });
    });
    saves = assignSlots(frame, regs);
    frame.saved = saves.map((s) => s.reg);
  }
  if (!frame.isNaked) frame.frame.isCalleeSavedInfoValid = true;
  const last = saves.at(-1);
  if (last === undefined) return null;
  const slots = { first: saves[0].slot, last: last.slot };
  if (frame.isNaked) return slots;
  for (const b of saveBlocks) insertSaves(frame, b, saves);
  addLiveIns(frame, frame.saved);
  for (const b of restoreBlocks) insertReloads(frame, b, saves);
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
  const { sortsSavedLiveIns } = frame.st.release.rules;
  for (const reg of regs)
    if ((sortsSavedLiveIns || !frame.isReserved(reg)) && !fn.blocks[0].liveIns.some((l) => l.reg === reg))
      frame.addLiveIn(0, reg);
  if (sortsSavedLiveIns) frame.sortLiveIns(0);
}

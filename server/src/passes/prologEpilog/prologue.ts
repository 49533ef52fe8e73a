/** Prologues and epilogues of functions that others call (SIFrameLowering, LLVM 22; docs/llvm/frame-lowering.md, 8). */
import { isStackRealigned, needsStackPointer } from '../../analysis/frame/framePointers.js';
import { immOperand, operandOf } from '../../model/edit/functionEditor.js';
import { NO_LOCATION } from '../../model/edit/instrBuilder.js';
import { InstrFlag, OpFlag, type BlockId, type InstrId } from '../../model/machineFunction.js';
import type { PhysReg } from '../../target/api.js';
import { NotModelled } from '../machinePass.js';
import { emitEntryPrologue } from './entryPrologue.js';
import { def, use, type Frame, type ScalarSave } from './frame.js';
import { FrameCode } from './scalarSaves.js';
import { firstTerminator } from '../instrOrder.js';

/** @llvm SIFrameLowering.cpp SIFrameLowering::emitPrologue */
export function emitPrologue(frame: Frame, b: BlockId): void {
  if (frame.isEntry) {
    emitEntryPrologue(frame, b);
    return;
  }
  const { fn, info } = frame;
  const { stackPtrOffsetReg: sp, frameOffsetReg: fp } = info;
  const code = new FrameCode(frame, b, frame.editor.list.first(b), true);
  frame.moves.begin(code.at);
  const isRealigned = isStackRealigned(fn.header);
  const { hasFP, hasBP } = frame;
  const maxAlign = Math.max(1, frame.frame.maxAlignment);
  let size = Number(frame.frame.stackSize);
  let copyOfFP: PhysReg = 0;
  if (frame.isChain && needsStackPointer(fn.header)) code.emit('S_MOV_B32', def(sp), immOperand(size * frame.scale));
  if (!isRealigned && !hasFP) saveAll(code, sp, 0);
  else {
    code.initLive();
    const save = saveOf(frame, fp);
    if (save?.kind === 'copy') {
      code.save(fp, save, fp);
      code.live.addReg(save.to);
    } else if (save !== undefined) {
      copyOfFP = code.findScratch('sreg_32_xm0_xexec');
      code.live.addReg(copyOfFP);
      code.emit('COPY', def(copyOfFP), use(fp));
    }
  }
  if (isRealigned) {
    size += maxAlign;
    if (!code.isLiveKnown) code.initLive();
    code.mark(code.emit('S_ADD_I32', def(fp), use(sp), immOperand((maxAlign - 1) * frame.scale)));
    const and = code.emit('S_AND_B32', def(fp), use(fp, OpFlag.Kill), immOperand((-maxAlign * frame.scale) >>> 0));
    frame.dropSCC(code.mark(and));
    frame.isRealigned = true;
  } else if (hasFP) code.mark(code.emit('COPY', def(fp), use(sp)));
  const pointsToFrame = isRealigned || hasFP;
  if (pointsToFrame) {
    saveAll(code, fp, copyOfFP);
    if (copyOfFP > 0) code.live.removeReg(copyOfFP);
  }
  if (hasBP) code.mark(code.emit('COPY', def(frame.basePointer), use(sp)));
  if (pointsToFrame) frame.moves.defineFrame(code.at, code.like, fp, InstrFlag.FrameSetup);
  if (pointsToFrame && size !== 0)
    frame.dropSCC(code.mark(code.emit('S_ADD_I32', def(sp), use(sp), immOperand(size * frame.scale))));
  if (info.isWholeWaveFunction) frame.editor.erase(wholeWaveSetup(frame));
}

const saveOf = (frame: Frame, reg: PhysReg): ScalarSave | undefined =>
  frame.scalarSaves.find(([saved]) => saved === reg)?.[1];

/** Whole-wave registers by whether callers rely on them. */
function wholeWaveSpills(frame: Frame): {
  readonly kept: (readonly [PhysReg, number])[];
  readonly others: (readonly [PhysReg, number])[];
} {
  const all = [...frame.wwmSpills];
  return {
    kept: all.filter(([reg]) => frame.calleeSaved.includes(reg)),
    others: all.filter(([reg]) => !frame.calleeSaved.includes(reg)),
  };
}

/**
 * The instruction that has the caller's EXEC in a function of whole waves.
 * @llvm SIInstrInfo.cpp SIInstrInfo::getWholeWaveFunctionSetup
 */
function wholeWaveSetup(frame: Frame): InstrId {
  const { fn, editor, tables } = frame;
  const setup = tables.opcodeByName('SI_WHOLE_WAVE_FUNC_SETUP');
  for (let i = editor.list.first(0); i >= 0; i = editor.list.after(i)) if (fn.opcode[i] === setup) return i;
  throw new NotModelled('a function of whole waves that does not set EXEC up: llc-22 crashes here');
}

/**
 * EXEC goes to a register that is free, and has all lanes then, or those that it had not.
 * @llvm SIFrameLowering.cpp buildScratchExecCopy
 */
function copyExec(code: FrameCode, isInverted: boolean): PhysReg {
  const { frame } = code;
  code.initLive();
  const setup = frame.info.isWholeWaveFunction ? wholeWaveSetup(frame) : -1;
  const copy =
    setup >= 0
      ? frame.fn.opVal[frame.fn.opBegin[setup]]
      : code.findScratch(frame.st.wavefrontSize === 32 ? 'sreg_32' : 'sreg_64');
  code.live.addReg(copy);
  const name = `S_${isInverted ? 'XOR' : 'OR'}_SAVEEXEC_${frame.waveBits}`;
  frame.dropSCC(code.emit(name, def(copy), immOperand(-1)));
  return copy;
}

const setExec = (code: FrameCode, value: ReturnType<typeof immOperand>): void => {
  const { frame } = code;
  code.emit(`S_MOV_${frame.waveBits}`, def(frame.exec), value);
};

function saveWholeWave(code: FrameCode, reg: PhysReg, slot: number, base: PhysReg): void {
  code.store(reg, slot, base);
  code.frame.moves.inMemory(code.at, code.like, reg, slot);
}

/**
 * Registers that need more than the saves of callee-saved ones.
 * @llvm SIFrameLowering.cpp SIFrameLowering::emitCSRSpillStores
 */
function saveAll(code: FrameCode, base: PhysReg, copyOfFP: PhysReg): void {
  const { frame, live } = code;
  const { fn, info } = frame;
  const { kept, others } = wholeWaveSpills(frame);
  let copy: PhysReg = 0;
  if (others.length > 0) copy = copyExec(code, true);
  for (const [reg] of others)
    if (!frame.isReserved(reg)) {
      frame.addFunctionLiveIn(reg);
      frame.addLiveIn(code.block, reg);
    }
  for (const [reg, slot] of others) saveWholeWave(code, reg, slot, base);
  if (kept.length > 0) {
    if (copy > 0) setExec(code, immOperand(-1));
    else copy = copyExec(code, false);
  }
  for (const [reg, slot] of kept) saveWholeWave(code, reg, slot, base);
  if (info.isWholeWaveFunction) {
    if (copy === 0) copyExec(code, true);
    else if (kept.length === 0) setExec(code, immOperand(-1));
  } else if (copy > 0) {
    setExec(code, use(copy, OpFlag.Kill));
    live.addReg(copy);
  }
  for (const [reg, save] of frame.scalarSaves) {
    const own = reg === info.frameOffsetReg ? copyOfFP : reg;
    if (own > 0) code.save(own, save, base, reg);
  }
  const copies = frame.scalarSaves.flatMap(([, save]) => (save.kind === 'copy' ? [save.to] : []));
  if (copies.length === 0) return;
  for (let b = 0; b < fn.blocks.length; b++) {
    for (const reg of copies) frame.addLiveIn(b, reg);
    frame.sortLiveIns(b);
  }
  if (code.isLiveKnown) for (const reg of copies) live.addReg(reg);
}

/** @llvm SIFrameLowering.cpp SIFrameLowering::emitCSRSpillRestores */
function restoreAll(code: FrameCode, base: PhysReg, copyOfFP: PhysReg): void {
  const { frame } = code;
  const { info } = frame;
  for (const [reg, save] of frame.scalarSaves) {
    const own = reg === info.frameOffsetReg ? copyOfFP : reg;
    if (own > 0) code.restore(own, save, base);
  }
  const { kept, others } = wholeWaveSpills(frame);
  if (info.isWholeWaveFunction) {
    restoreWholeWaves(code, base, kept, others);
    return;
  }
  let copy: PhysReg = 0;
  if (others.length > 0) copy = copyExec(code, true);
  for (const [reg, slot] of others) code.load(reg, slot, base);
  if (kept.length > 0) {
    if (copy > 0) setExec(code, immOperand(-1));
    else copy = copyExec(code, false);
  }
  for (const [reg, slot] of kept) code.load(reg, slot, base);
  if (copy > 0) setExec(code, use(copy, OpFlag.Kill));
}

const WHOLE_WAVE_RETURNS: Readonly<Record<string, string>> = {
  SI_WHOLE_WAVE_FUNC_RETURN: 'SI_RETURN',
  SI_TCRETURN_GFX_WholeWave: 'SI_TCRETURN_GFX',
};

type SavedWave = readonly [PhysReg, number];

/** All lanes are on; the return has the caller's EXEC, and gives it up. */
function restoreWholeWaves(code: FrameCode, base: PhysReg, kept: SavedWave[], others: SavedWave[]): void {
  const { frame, block } = code;
  const { fn, tables, editor } = frame;
  for (const [reg, slot] of kept) code.load(reg, slot, base);
  const last = editor.list.before(~block);
  const name = WHOLE_WAVE_RETURNS[tables.opcodeName(fn.opcode[last])];
  if (name === undefined)
    throw new NotModelled('a function of whole waves that returns otherwise: llc-22 crashes here');
  const exec = fn.opVal[fn.opBegin[last]];
  if (others.length > 0) {
    code.emit(`S_XOR_${frame.waveBits}`, def(frame.exec), use(exec), immOperand(-1));
    for (const [reg, slot] of others) code.load(reg, slot, base);
  }
  setExec(code, use(exec));
  const operands = Array.from({ length: fn.numOperands(last) - 1 }, (_, k) => operandOf(fn, fn.opBegin[last] + 1 + k));
  const made = editor.replace(last, tables.opcodeByName(name), operands);
  if (code.at === last) code.at = made;
}

/** @llvm SIFrameLowering.cpp SIFrameLowering::emitEpilogue */
export function emitEpilogue(frame: Frame, b: BlockId): void {
  const { info } = frame;
  if (frame.isEntry) return;
  const { list } = frame.editor;
  let last = list.before(~b);
  while (last >= 0 && frame.isDebugInstr(last)) last = list.before(last);
  const code = new FrameCode(frame, b, firstTerminator(frame.editor, b), false, last >= 0 ? last : NO_LOCATION);
  const { stackPtrOffsetReg: sp, frameOffsetReg: fp } = info;
  const size = Number(frame.frame.stackSize) + (frame.isRealigned ? Math.max(1, frame.frame.maxAlignment) : 0);
  const save = saveOf(frame, fp);
  if (size !== 0) {
    if (frame.hasBP) code.mark(code.emit('COPY', def(sp), use(frame.basePointer)));
    else if (frame.hasFP) code.mark(code.emit('COPY', def(sp), use(fp)));
  }
  const defineFrame = (): void => {
    if (frame.hasFP) frame.moves.defineFrame(code.at, code.like, sp, InstrFlag.FrameDestroy);
  };
  if (save === undefined) {
    defineFrame();
    restoreAll(code, sp, 0);
    return;
  }
  code.initLive();
  let copyOfFP: PhysReg = 0;
  if (save.kind === 'copy') code.live.addReg(save.to);
  else {
    copyOfFP = code.findScratch('sreg_32_xm0_xexec');
    code.live.addReg(copyOfFP);
  }
  restoreAll(code, fp, copyOfFP);
  defineFrame();
  const back = code.emit('COPY', def(fp), use(save.kind === 'copy' ? save.to : copyOfFP));
  if (save.kind === 'copy') code.mark(back);
}

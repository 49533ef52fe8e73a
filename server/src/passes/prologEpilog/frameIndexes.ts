/** Operands that name a slot become addresses (SIRegisterInfo::eliminateFrameIndex, LLVM 22; docs/llvm/frame-lowering.md, 4). */
import { immOperand, operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { OpFlag, type InstrId } from '../../model/machineFunction.js';
import type { PhysReg } from '../../target/api.js';
import { isFLATScratch, isMUBUF, OperandType } from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { NotModelled } from '../machinePass.js';
import { eliminateInScalarAdd, eliminateInVectorAdd } from './addresses.js';
import { def, use, type Frame } from './frame.js';
import { moveScalar } from './scalarSpills.js';
import type { Scavenger } from './scavenger.js';
import { buildSpill } from './spillMemory.js';

export const SCALAR_SPILL = new OpcodePattern(/^SI_SPILL_S\d+(?:_CFI)?_(?:SAVE|RESTORE)$/);
const VECTOR_SPILL = new OpcodePattern(/^SI_SPILL_(?:V|A|AV|WWM_V|WWM_AV)\d+(?:_CFI)?_(?:SAVE|RESTORE)$/);
const BLOCK_SPILL = new OpcodePattern(/^SI_BLOCK_SPILL_/);
const VECTOR_ADD = new OpcodePattern(/^V_ADD_(?:CO_)?U32_e(?:32|64)$/);

/**
 * The instruction afterwards, which may have another id; -1 = it is gone.
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::eliminateFrameIndex
 */
export function eliminateFrameIndex(frame: Frame, i: InstrId, opIdx: number, scavenger: Scavenger): InstrId {
  const { fn, tables } = frame;
  const opcode = fn.opcode[i];
  const slot = fn.opVal[fn.opBegin[i] + opIdx];
  const name = tables.opcodeName(opcode);
  if (SCALAR_SPILL.has(tables, opcode)) {
    if (name.includes('_CFI_')) throw new NotModelled('frame information of a scalar register that is saved to memory');
    moveScalar(frame, i, slot, name.endsWith('SAVE'), scavenger);
    return -1;
  }
  if (VECTOR_SPILL.has(tables, opcode) || BLOCK_SPILL.has(tables, opcode)) {
    moveVector(frame, i, slot, name, scavenger);
    return -1;
  }
  if (VECTOR_ADD.has(tables, opcode)) {
    const done = eliminateInVectorAdd(frame, i, opIdx, scavenger);
    if (done !== 'as others') return done;
  } else if (name === 'S_ADD_I32' || name === 'S_ADD_U32') return eliminateInScalarAdd(frame, i, opIdx, scavenger);
  return new SlotOperand(frame, i, opIdx, scavenger).eliminate();
}

function moveVector(frame: Frame, i: InstrId, slot: number, name: string, scavenger: Scavenger): void {
  const { fn, tables, info } = frame;
  const isSave = name.endsWith('SAVE');
  const isBlock = name.startsWith('SI_BLOCK_');
  if (isBlock) {
    const mask = operandOf(fn, fn.opBegin[i] + tables.getNamedOperandIdx(fn.opcode[i], 'mask'));
    frame.emit(i, i, 'S_MOV_B32', [def(frame.named('m0')), mask]);
  }
  const data = operandOf(fn, fn.opBegin[i]);
  const flags = data.flags ?? 0;
  if (isSave && (flags & OpFlag.Undef) !== 0) {
    frame.editor.erase(i);
    return;
  }
  const isWholeWave = name.includes('_WWM_');
  const copy = info.sgprForEXECCopy;
  const mov = `S_MOV_${frame.waveBits}`;
  if (isWholeWave) {
    if (scavenger.isUsed(frame.named('scc'))) {
      frame.emit(i, i, mov, [def(copy), use(frame.exec, OpFlag.Kill)]);
      frame.emit(i, i, mov, [def(frame.exec), immOperand(-1)]);
    } else frame.dropSCC(frame.emit(i, i, `S_OR_SAVEEXEC_${frame.waveBits}`, [def(copy), immOperand(-1)]));
  }
  const memory = fn.memOperands[i]?.[0];
  if (memory === undefined) throw new NotModelled('a save without a memory operand: llc-22 crashes here');
  buildSpill(frame, {
    at: i,
    like: i,
    isSave,
    kind: isBlock ? 'block' : name.startsWith('SI_SPILL_V16_') ? 'short' : undefined,
    slot,
    reg: data.val,
    isKill: (flags & OpFlag.Kill) !== 0,
    frameReg: frame.frameRegister(slot),
    offset: fn.imm(fn.opBegin[i] + tables.getNamedOperandIdx(fn.opcode[i], 'offset')),
    memory,
    free: scavenger,
    isNoted: name.includes('_CFI_'),
  });
  if (isWholeWave) frame.emit(i, i, mov, [def(frame.exec), use(copy, OpFlag.Kill)]);
  frame.editor.erase(i);
}

/** A slot named by an instruction that is no save and no addition. */
class SlotOperand {
  private readonly slot: number;
  private readonly offset: number;
  private readonly base: PhysReg;

  constructor(
    private readonly frame: Frame,
    private i: InstrId,
    private readonly opIdx: number,
    private readonly scavenger: Scavenger,
  ) {
    const { fn } = frame;
    this.slot = fn.opVal[fn.opBegin[i] + opIdx];
    this.offset = frame.offsetOf(this.slot);
    this.base = frame.frameRegister(this.slot);
  }

  eliminate(): InstrId {
    const { frame } = this;
    const { fn, tables } = frame;
    if (frame.usesFlatScratch) return this.eliminateFlat();
    const isBuffer = isMUBUF(tables, fn.opcode[this.i]);
    if (!isBuffer && !frame.isBottomOfStack) return this.eliminateScaled();
    if (isBuffer && this.foldIntoBuffer()) return -1;
    this.set(immOperand(this.offset));
    if (!frame.isLegalThere(this.i, this.opIdx)) {
      const tmp = this.find('vgpr_32');
      this.emit('V_MOV_B32_e32', [def(tmp), immOperand(this.offset)]);
      this.set(use(tmp, OpFlag.Kill));
    }
    return this.i;
  }

  private emit(name: string, operands: readonly NewOperand[], more: readonly NewOperand[] = []): InstrId {
    return this.frame.emit(this.i, this.i, name, operands, more);
  }

  private set(operand: NewOperand): void {
    const { frame } = this;
    frame.editor.setOperand(frame.fn.opBegin[this.i] + this.opIdx, operand);
  }

  private find(regClass: string, maySpill = true, to = this.i): PhysReg {
    return this.scavenger.find(this.frame.classNamed(regClass), to, maySpill);
  }

  private named(operand: Parameters<Frame['tables']['getNamedOperandIdx']>[1]): number {
    const { fn, tables } = this.frame;
    const k = tables.getNamedOperandIdx(fn.opcode[this.i], operand);
    return k < 0 ? -1 : fn.opBegin[this.i] + k;
  }

  private isSCCLive(): boolean {
    const { frame } = this;
    return this.scavenger.isUsed(frame.named('scc')) && !this.defines(frame.named('scc'));
  }

  private defines(reg: PhysReg, isDead?: true): boolean {
    const { fn, editor } = this.frame;
    for (let o = fn.firstReg(this.i); o >= 0; o = fn.nextReg(this.i, o))
      if (fn.opVal[o] === reg && editor.isDef(o) && (isDead === undefined || (fn.opFlags[o] & OpFlag.Dead) !== 0))
        return true;
    return false;
  }

  // -- buffer instructions -------------------------------------------------------------------------------------------

  /** Whether the offset fits: then no address is needed in a VGPR. The offset in a scalar register is set in any case. */
  private foldIntoBuffer(): boolean {
    const { frame, base, slot } = this;
    const { fn, editor } = frame;
    const { i } = this;
    if (base !== 0) editor.setOperand(this.named('soffset'), use(base));
    const offset = fn.imm(this.named('offset')) + this.offset;
    if (!frame.fitsBuffer(offset)) return false;
    const name = frame.tables.opcodeName(fn.opcode[i]);
    const opcode = name.endsWith('_OFFEN') ? frame.tables.opcodeByName(name.replace(/_OFFEN$/, '_OFFSET')) : -1;
    if (opcode < 0 || !FOLDED.test(name)) return false;
    const data = operandOf(fn, this.named('vdata'));
    const lane = frame.otherFile.get(slot)?.lanes[0] ?? 0;
    if (lane > 0) throw new NotModelled('an access to a slot that a register of the other file holds');
    const dataIn = this.named('vdata_in');
    const made = frame.builder.build(i, i, opcode, [
      data,
      operandOf(fn, this.named('srsrc')),
      operandOf(fn, this.named('soffset')),
      immOperand(offset),
      immOperand(0),
      immOperand(0),
      ...(dataIn < 0 ? [] : [operandOf(fn, dataIn)]),
    ]);
    fn.memOperands[made] = fn.memOperands[i];
    editor.erase(i);
    return true;
  }

  // -- scratch instructions ------------------------------------------------------------------------------------------

  private eliminateFlat(): InstrId {
    const { frame, base } = this;
    let { offset } = this;
    if (isFLATScratch(frame.tables, frame.fn.opcode[this.i])) {
      const folded = this.foldIntoScratch();
      if (folded === 'done') return this.i;
      offset = folded;
    }
    if (base === 0) {
      this.set(immOperand(offset));
      if (frame.isLegalThere(this.i, this.opIdx)) return this.i;
    }
    this.set(use(frame.named('m0')));
    const takesSGPR = frame.isLegalThere(this.i, this.opIdx);
    if (offset === 0 && base !== 0 && takesSGPR) {
      this.set(use(base));
      return this.i;
    }
    const tmp = this.find(takesSGPR ? 'sreg_32_xm0' : 'vgpr_32', !takesSGPR);
    this.set(use(tmp, OpFlag.Kill));
    if ((base === 0 || offset === 0) && tmp !== 0) {
      this.emit(takesSGPR ? 'S_MOV_B32' : 'V_MOV_B32_e32', [def(tmp), base !== 0 ? use(base) : immOperand(offset)]);
      return this.i;
    }
    return this.addToBase(tmp, takesSGPR, offset);
  }

  /** The offset that is left to add; the operand that names the slot may be gone. */
  private foldIntoScratch(): number | 'done' {
    const { frame, base } = this;
    const { fn, tables, editor } = frame;
    if (base !== 0) this.set(use(base));
    const offsetOp = this.named('offset');
    const sum = this.offset + fn.imm(offsetOp);
    let left = this.offset;
    if (frame.fitsScratch(sum)) {
      editor.setOperand(offsetOp, immOperand(sum));
      if (base !== 0) return 'done';
      left = 0;
    }
    if (left !== 0) return left;
    const opcode = fn.opcode[this.i];
    const name = tables.opcodeName(opcode);
    const hasVAddr = tables.getNamedOperandIdx(opcode, 'vaddr') >= 0;
    let other = '';
    if (hasVAddr) other = name.replace('_SVS', '');
    else if (frame.hasScratchWithoutAddress) other = name.replace('_SADDR', '_ST');
    if (other === '' || other === name) return left;
    const saddr = tables.getNamedOperandIdx(opcode, 'saddr');
    const operands = Array.from({ length: fn.numOperands(this.i) }, (_, k) => operandOf(fn, fn.opBegin[this.i] + k));
    operands.splice(saddr, 1);
    const made = editor.replace(this.i, tables.opcodeByName(other), operands);
    fn.tieByOpcode(made);
    this.i = made;
    return 'done';
  }

  private addToBase(tmp: PhysReg, takesSGPR: boolean, offset: number): InstrId {
    const { frame, base } = this;
    const { list } = frame.editor;
    const scc = frame.named('scc');
    const savesSCC = this.isSCCLive();
    let sum = takesSGPR ? tmp : this.find('sreg_32_xm0', false);
    if ((sum === 0 && base === 0) || (tmp === 0 && !takesSGPR))
      throw new NotModelled('no register is free for the address of a slot: llc-22 ends here');
    if (sum === 0) {
      sum = base;
      this.set(use(base));
    }
    const add = (at: number, by: number, keeps: boolean): void => {
      if (!keeps) {
        frame.emit(at, this.i, 'S_ADD_I32', [def(sum), use(base), immOperand(by)]);
        return;
      }
      frame.emit(at, this.i, 'S_ADDC_U32', [def(sum), use(base), immOperand(by)]);
      frame.emit(at, this.i, 'S_BITCMP1_B32', [use(sum), immOperand(0)]);
      frame.emit(at, this.i, 'S_BITSET0_B32', [def(sum), immOperand(0), use(sum)]);
    };
    add(this.i, offset, savesSCC);
    if (!takesSGPR) this.emit('V_MOV_B32_e32', [def(tmp), use(sum, OpFlag.Kill)]);
    if (sum === base) add(list.after(this.i), -offset, savesSCC && !this.defines(scc, true));
    return this.i;
  }

  // -- an address of lanes out of one of waves ---------------------------------------------------------------------------

  private eliminateScaled(): InstrId {
    const { frame, offset } = this;
    const { fn, tables } = frame;
    const { i } = this;
    const name = tables.opcodeName(fn.opcode[i]);
    const isScalar = frame.facts.isSGPRClass(frame.facts.operandClass(i, this.opIdx));
    const keepsSCC = this.isSCCLive();
    const isCopy = name === 'V_MOV_B32_e32' || name === 'V_MOV_B32_e64' || name === 'S_MOV_B32';
    let result = isCopy ? fn.opVal[fn.opBegin[i]] : this.find(isScalar && !keepsSCC ? 'sreg_32' : 'vgpr_32');
    if (offset === 0) result = this.scaleBase(result, isScalar, keepsSCC, isCopy);
    else {
      const added = isScalar ? false : this.scaleAndAdd(result);
      if (!added) result = this.scaleAndAddScalar(result, isScalar, keepsSCC, isCopy);
    }
    if (isCopy) {
      frame.editor.erase(i);
      return -1;
    }
    this.set(use(result, OpFlag.Kill));
    return i;
  }

  private get log2(): NewOperand {
    return immOperand(this.frame.st.wavefrontSize === 32 ? 5 : 6);
  }

  private scaleBase(result: PhysReg, isScalar: boolean, keepsSCC: boolean, isCopy: boolean): PhysReg {
    const { frame, base } = this;
    if (isScalar && !keepsSCC) {
      frame.dropSCC(this.emit('S_LSHR_B32', [def(result), use(base), this.log2]));
      return result;
    }
    const to = isScalar ? this.find('vgpr_32') : result;
    const shift = this.emit('V_LSHRREV_B32_e64', [def(to), this.log2, use(base)]);
    return isScalar ? this.readFirst(to, result, isCopy, shift) : result;
  }

  /** A value that is the same in all lanes, in a scalar register. */
  private readFirst(from: PhysReg, result: PhysReg, isCopy: boolean, before: InstrId): PhysReg {
    const to = isCopy ? result : this.find('sreg_32_xm0', true, before);
    this.emit('V_READFIRSTLANE_B32', [def(to), use(from)]);
    return to;
  }

  /** Whether the offset could be added: the carry of old processors needs a place. */
  private scaleAndAdd(result: PhysReg): boolean {
    const { frame, base, offset } = this;
    const scale = (): InstrId => this.emit('V_LSHRREV_B32_e64', [def(result), this.log2, use(base)]);
    if (frame.st.hasFeature('add-no-carry-insts')) {
      scale();
      this.emit('V_ADD_U32_e32', [def(result), immOperand(offset), use(result, OpFlag.Kill)]);
      return true;
    }
    const carry = this.freeCarry();
    if (carry === 0) return false;
    scale();
    this.addWithCarry(result, carry, offset, frame.st.wavefrontSize === 32 ? carry : frame.part(carry, 'sub0'));
    return true;
  }

  private addWithCarry(result: PhysReg, carry: PhysReg, offset: number, constant: PhysReg): void {
    const { frame } = this;
    let source = immOperand(offset);
    if (!frame.facts.isInlineValue(offset, OperandType.InlineInt32)) {
      this.emit('S_MOV_B32', [def(constant), source]);
      source = use(constant, OpFlag.Kill);
    }
    this.emit('V_ADD_CO_U32_e64', [
      def(result),
      def(carry, OpFlag.Dead),
      source,
      use(result, OpFlag.Kill),
      immOperand(0),
    ]);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::getAddNoCarry */
  private freeCarry(): PhysReg {
    const { frame } = this;
    const isShort = frame.st.wavefrontSize === 32;
    const vcc = frame.named('vcc');
    if (!this.scavenger.isUsed(vcc)) return isShort ? frame.named('vcc_lo') : vcc;
    return this.find(isShort ? 'sreg_32' : 'sreg_64', false);
  }

  private scaleAndAddScalar(result: PhysReg, isScalar: boolean, keepsSCC: boolean, isCopy: boolean): PhysReg {
    const { frame, base, offset } = this;
    const tmp = isCopy && isScalar ? result : this.find('sreg_32_xm0', false);
    const scaled = tmp !== 0 ? tmp : base;
    let sum = scaled;
    if (!keepsSCC) {
      this.emit('S_LSHR_B32', [def(sum), use(base), this.log2]);
      this.emit('S_ADD_I32', [def(sum), use(sum, OpFlag.Kill), immOperand(offset)]);
    } else {
      sum = this.find('vgpr_32');
      const add = this.scaleAndAddVector(sum, result);
      result = this.readFirst(sum, result, isCopy, add);
    }
    if (!isScalar) this.emit('COPY', [def(result), use(sum, OpFlag.Kill)]);
    else result = sum;
    if (tmp === 0) {
      this.emit('S_ADD_I32', [def(scaled), use(scaled, OpFlag.Kill), immOperand(-offset)]);
      this.emit('S_LSHL_B32', [def(scaled), use(base), this.log2]);
    }
    void frame;
    return result;
  }

  private scaleAndAddVector(sum: PhysReg, constant: PhysReg): InstrId {
    const { frame, base, offset } = this;
    const { list } = frame.editor;
    const scale = (): InstrId => this.emit('V_LSHRREV_B32_e64', [def(sum), this.log2, use(base)]);
    if (frame.st.hasFeature('add-no-carry-insts')) {
      scale();
      this.emit('V_ADD_U32_e32', [def(sum), immOperand(offset), use(sum, OpFlag.Kill)]);
      return list.before(this.i);
    }
    const carry = this.freeCarry();
    if (carry !== 0) {
      scale();
      this.emit('S_MOV_B32', [def(constant), immOperand(offset)]);
      this.emit('V_ADD_CO_U32_e64', [
        def(sum),
        def(carry, OpFlag.Dead),
        use(constant, OpFlag.Kill),
        use(sum, OpFlag.Kill),
        immOperand(0),
      ]);
      return list.before(this.i);
    }
    const isInline = frame.facts.isInlineValue(offset, OperandType.InlineInt32);
    if (!isInline) this.emit('V_MOV_B32_e32', [def(sum), immOperand(offset)]);
    this.emit('V_MAD_U32_U24_e64', [
      def(sum),
      isInline ? immOperand(offset) : use(sum, OpFlag.Kill),
      immOperand(frame.st.wavefrontSize),
      regOperand(base),
      immOperand(0),
    ]);
    const add = list.before(this.i);
    this.emit('V_LSHRREV_B32_e64', [def(sum), this.log2, use(sum)]);
    return add;
  }
}

/** Buffer instructions that have a form without an address in a VGPR here. */
const FOLDED =
  /^BUFFER_(?:STORE_(?:DWORD(?:X[234])?|(?:BYTE|SHORT)(?:_D16_HI)?)|LOAD_(?:DWORD(?:X[234])?|[US]BYTE(?:_D16(?:_HI)?)?|[US]SHORT|SHORT_D16(?:_HI)?))_OFFEN$/;

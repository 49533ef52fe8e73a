/** Additions to the address of a slot (SIRegisterInfo::eliminateFrameIndex, LLVM 22; docs/llvm/frame-lowering.md, 4). */
import { immOperand, operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type InstrId } from '../../model/machineFunction.js';
import type { PhysReg } from '../../target/api.js';
import { isVOP3 } from '../../target/opcodes.js';
import { def, use, type Frame } from './frame.js';
import type { Scavenger } from './scavenger.js';

/** Integers that any source takes without a literal. */
const isInlineInteger = (n: number): boolean => n >= -16 && n <= 64;

/** The instruction afterwards, -1 = it is gone. `as others`: a literal would not fit, so that the address alone is computed before. */
export function eliminateInVectorAdd(
  frame: Frame,
  i: InstrId,
  opIdx: number,
  scavenger: Scavenger,
): InstrId | 'as others' {
  return new VectorAdd(frame, i, opIdx, scavenger).eliminate();
}

class VectorAdd {
  private readonly name: string;
  private readonly nDefs: number;
  /** operands that are added: the slot and the other one */
  private slotIdx: number;
  private otherIdx: number;
  private readonly result: PhysReg;
  private scratch: PhysReg = 0;

  constructor(
    private readonly frame: Frame,
    private readonly i: InstrId,
    opIdx: number,
    private readonly scavenger: Scavenger,
  ) {
    const { fn, tables } = frame;
    this.name = tables.opcodeName(fn.opcode[i]);
    this.nDefs = tables.opcodeNumDefs(fn.opcode[i]);
    this.slotIdx = opIdx;
    this.otherIdx = opIdx === this.nDefs ? opIdx + 1 : this.nDefs;
    this.result = fn.opVal[fn.opBegin[i]];
  }

  private get first(): number {
    return this.frame.fn.opBegin[this.i];
  }

  private set(k: number, operand: NewOperand): void {
    this.frame.editor.setOperand(this.first + k, operand);
  }

  private emit(name: string, operands: readonly NewOperand[]): InstrId {
    return this.frame.emit(this.i, this.i, name, operands);
  }

  /** An immediate at operand `k`, null = it is none. */
  private constant(k: number): number | null {
    const { fn } = this.frame;
    return fn.opKind[this.first + k] === OperandKind.Immediate ? fn.imm(this.first + k) : null;
  }

  private takeScratch(): PhysReg {
    this.scratch ||= this.scavenger.find(this.frame.classNamed('vgpr_32'), this.i);
    return this.scratch;
  }

  /** Nothing reads the carry, if there is one, and nothing is clamped. */
  private isPlain(): boolean {
    const { fn } = this.frame;
    const isLong = this.name.endsWith('e64');
    const hasClamp = isLong && fn.imm(this.first + this.nDefs + 2) !== 0;
    if (!this.name.includes('_CO_')) return !hasClamp;
    const carry = isLong ? 1 : 3;
    return (fn.opFlags[this.first + carry] & OpFlag.Dead) !== 0 && !hasClamp;
  }

  eliminate(): InstrId | 'as others' {
    const { frame, i, slotIdx, otherIdx } = this;
    const { fn, tables } = frame;
    const slot = fn.opVal[this.first + slotIdx];
    const base = frame.frameRegister(slot);
    let offset = frame.offsetOf(slot);
    const constant = this.constant(otherIdx);
    if (constant !== null) {
      const sum = constant + offset;
      const needsLiteral = !isInlineInteger(sum) && isVOP3(tables, fn.opcode[i]);
      if (needsLiteral && !frame.st.hasFeature('vop3-literal')) return 'as others';
      this.set(otherIdx, immOperand(sum));
      offset = 0;
    }
    let address = base;
    if (base !== 0 && !frame.usesFlatScratch) {
      address = this.takeScratch();
      const log2 = frame.st.wavefrontSize === 32 ? 5 : 6;
      this.emit('V_LSHRREV_B32_e64', [def(address, OpFlag.Renamable), immOperand(log2), use(base)]);
    }
    const isPlain = this.isPlain();
    if (this.constant(otherIdx) !== 0 && address !== 0) this.addToAddress(address, base, offset);
    else if (offset !== 0) this.set(slotIdx, immOperand(offset));
    else if (isPlain && address === 0) return this.becomeMove();
    else if (isPlain) {
      // What is added is 0: LLVM takes the slot for it, too.
      return this.becomeMove();
    } else this.set(slotIdx, immOperand(0));
    return this.makeLegal(isPlain);
  }

  /** The sum with what the frame is addressed by goes into the result, and only the offset is left to add. */
  private addToAddress(address: PhysReg, base: PhysReg, offset: number): void {
    const { frame, i, nDefs, name } = this;
    const { fn, tables } = frame;
    let from = address;
    if (frame.usesFlatScratch && !this.otherFitsLast()) {
      const scratch = this.takeScratch();
      this.emit('V_MOV_B32_e32', [def(scratch), use(from, from !== base ? OpFlag.Kill : 0)]);
      from = scratch;
    }
    const other = operandOf(fn, this.first + this.otherIdx);
    const summand = regOperand(from, from !== base ? OpFlag.Kill : 0);
    const sources = frame.isVGPR(from) ? [other, summand] : [summand, other];
    const operands = [
      def(this.result, OpFlag.Renamable),
      ...(nDefs === 2 ? [operandOf(fn, this.first + 1)] : []),
      ...sources,
      ...(name.endsWith('e64') ? [immOperand(0)] : []),
    ];
    const sum = frame.builder.build(i, i, tables.opcodeByName(name), operands);
    if (name === 'V_ADD_CO_U32_e32') fn.opFlags[fn.opBegin[sum] + 3] |= OpFlag.Dead;
    this.set(this.otherIdx, use(this.result, OpFlag.Kill));
    this.set(this.slotIdx, immOperand(offset));
  }

  /** Whether the other operand could be the last source. */
  private otherFitsLast(): boolean {
    const { frame, i } = this;
    return frame.legality.isOperandLegal(i, this.nDefs + 1, operandOf(frame.fn, this.first + this.otherIdx));
  }

  /** What is left is a move of the other operand. */
  private becomeMove(): InstrId {
    const { frame, i, otherIdx } = this;
    const { fn, editor, tables } = frame;
    const other = operandOf(fn, this.first + otherIdx);
    if (other.kind === OperandKind.Register && other.val === this.result) {
      editor.erase(i);
      return -1;
    }
    const exec = operandOf(fn, fn.opBegin[i + 1] - 1);
    return editor.replace(i, tables.opcodeByName('V_MOV_B32_e32'), [operandOf(fn, this.first), other, exec]);
  }

  private makeLegal(isPlain: boolean): InstrId {
    const { frame, i, nDefs } = this;
    const { fn, editor } = frame;
    if (!frame.isLegalThere(i, nDefs + 1)) this.commute();
    for (const k of [this.slotIdx, this.otherIdx]) {
      if (frame.isLegalThere(i, k)) continue;
      const scratch = this.takeScratch();
      this.emit('V_MOV_B32_e32', [def(scratch), operandOf(fn, this.first + k)]);
      this.set(k, use(scratch, OpFlag.Kill));
      break;
    }
    if (this.constant(this.slotIdx) !== 0 || !isPlain) return i;
    const other = operandOf(fn, this.first + this.otherIdx);
    if (other.kind === OperandKind.Register && other.val !== this.result) this.emit('COPY', [def(this.result), other]);
    editor.erase(i);
    return -1;
  }

  /** The sources change places where both may stand at the other's. */
  private commute(): void {
    const { frame, i, nDefs } = this;
    const { fn } = frame;
    const [a, b] = [nDefs, nDefs + 1].map((k) => operandOf(fn, this.first + k));
    if (a.kind !== OperandKind.Register && b.kind !== OperandKind.Register) return;
    this.set(nDefs, b);
    this.set(nDefs + 1, a);
    if (a.kind === OperandKind.Register && frame.isLegalThere(i, nDefs + 1)) {
      [this.slotIdx, this.otherIdx] = [this.otherIdx, this.slotIdx];
      return;
    }
    this.set(nDefs, a);
    this.set(nDefs + 1, b);
  }
}

/** The instruction afterwards. */
export function eliminateInScalarAdd(frame: Frame, i: InstrId, opIdx: number, scavenger: Scavenger): InstrId {
  const { fn, tables, editor } = frame;
  const first = fn.opBegin[i];
  const otherIdx = opIdx === 1 ? 2 : 1;
  const slot = fn.opVal[first + opIdx];
  const base = frame.frameRegister(slot);
  const result = fn.opVal[first];
  const isDead = (fn.opFlags[first + 3] & OpFlag.Dead) !== 0;
  const set = (k: number, operand: NewOperand): void => {
    editor.setOperand(fn.opBegin[i] + k, operand);
  };
  const find = (maySpill: boolean): PhysReg => scavenger.find(frame.classNamed('sreg_32_xm0'), i, maySpill);
  const other = operandOf(fn, first + otherIdx);
  const isReg = other.kind === OperandKind.Register;
  let tmp: PhysReg = isReg && other.val !== result ? result : 0;
  let address = base;
  if (base !== 0 && !frame.usesFlatScratch) {
    tmp ||= find(true);
    const log2 = frame.st.wavefrontSize === 32 ? 5 : 6;
    frame.dropSCC(frame.emit(i, i, 'S_LSHR_B32', [def(tmp, OpFlag.Renamable), use(base), immOperand(log2)]));
    address = tmp;
  }
  let offset = frame.offsetOf(slot);
  if (other.kind === OperandKind.Immediate) {
    set(otherIdx, immOperand(fn.imm(first + otherIdx) + offset));
    offset = 0;
    set(opIdx, address !== 0 ? use(address) : immOperand(0));
  } else if (address !== 0) {
    let to = result;
    if (tmp === 0 && address === base) to = find(false);
    const add = frame.emit(i, i, 'S_ADD_I32', [def(to, OpFlag.Renamable), use(address, OpFlag.Kill), other]);
    if (isDead) frame.dropSCC(add);
    set(otherIdx, use(to, OpFlag.Kill | OpFlag.Renamable));
    set(opIdx, immOperand(offset));
  } else set(opIdx, immOperand(offset));
  const isZero = (k: number): boolean =>
    fn.opKind[fn.opBegin[i] + k] === OperandKind.Immediate && fn.imm(fn.opBegin[i] + k) === 0;
  if (!isDead || (!isZero(otherIdx) && !isZero(opIdx))) return i;
  const left = operandOf(fn, fn.opBegin[i] + (isZero(otherIdx) ? opIdx : otherIdx));
  const name = left.kind === OperandKind.Register ? 'COPY' : 'S_MOV_B32';
  const implicit = Array.from({ length: fn.numOperands(i) - 4 }, (_, k) => operandOf(fn, fn.opBegin[i] + 4 + k));
  return editor.replace(i, tables.opcodeByName(name), [operandOf(fn, fn.opBegin[i]), left, ...implicit]);
}

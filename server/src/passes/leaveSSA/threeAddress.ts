/** Instructions that accumulate, with a result of their own (SIInstrInfo::convertToThreeAddress, LLVM 22; docs/llvm/leaving-ssa.md, 3). */
import { operandOf, type FunctionEditor, type NewOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import { BundleFlag, OpFlag, OperandKind, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import type { Opcode, OpName } from '../../target/api.js';
import { NotModelled } from '../machinePass.js';
import { OperandLegality } from '../operandLegality.js';
import { RegisterFacts } from '../registerFacts.js';

/** `V_FMAC_F32_e32`: its parts */
const ACCUMULATES = /^V_(F?)MAC_(LEGACY_)?F(16|32|64)(_t16|_fake16)?_e(32|64)$/;
const MOVES =
  /^(?:V_MOV_B(?:16_t16_e(?:32|64)|32_e(?:32|64)|64_PSEUDO|64_e32|64_e64)|S_MOV_B(?:32|64|64_IMM_PSEUDO)|COPY|WWM_COPY|V_ACCVGPR_(?:WRITE|READ)_B32_e64|V_ACCVGPR_MOV_B32|AV_MOV_B32_IMM_PSEUDO|AV_MOV_B64_IMM_PSEUDO)$/;

const NO_OPERAND: NewOperand = { kind: OperandKind.Immediate, val: 0 };

/** What an instruction became, and the move whose constant it took, -1 = none. */
export interface ThreeAddress {
  readonly made: InstrId;
  readonly move: InstrId;
}

export class ThreeAddressForms {
  private readonly legality: OperandLegality;
  private readonly facts: RegisterFacts;
  private readonly builder: InstrBuilder;

  constructor(private readonly editor: FunctionEditor) {
    this.facts = new RegisterFacts(editor.fn);
    this.legality = new OperandLegality(editor.fn, this.facts);
    this.builder = new InstrBuilder(editor);
  }

  private has(opcode: Opcode): boolean {
    return opcode >= 0 && this.editor.fn.subtarget.mcOpcode(opcode) >= 0;
  }

  private opcode(name: string): Opcode {
    return this.editor.fn.tables.opcodeByName(name);
  }

  private named(i: InstrId, name: OpName): OperandId {
    const { fn } = this.editor;
    const k = fn.tables.getNamedOperandIdx(fn.opcode[i], name);
    return k < 0 ? -1 : fn.opBegin[i] + k;
  }

  /**
   * The instruction in front of `i` that does the same with another result, null if there is none.
   * @llvm SIInstrInfo.cpp SIInstrInfo::convertToThreeAddressImpl
   */
  build(i: InstrId): ThreeAddress | null {
    const { fn } = this.editor;
    const name = fn.tables.opcodeName(fn.opcode[i]);
    if (fn.bundle[i] !== BundleFlag.BundledPred && fn.bundle[i] !== 0)
      throw new NotModelled('a bundle that is converted to three addresses');
    const matrix = this.matrixForm(name);
    if (matrix >= 0) return { made: this.copyOf(i, matrix), move: -1 };
    const parts = ACCUMULATES.exec(name);
    if (parts === null) return null;
    const [, fused = '', legacy = '', bits = '', kind = '', encoding = ''] = parts;
    const src0 = this.named(i, 'src0');
    const isShort = encoding === '32';
    const isReg = fn.opKind[src0] === OperandKind.Register;
    if (isShort && !isReg && fn.opKind[src0] !== OperandKind.Immediate) return null;
    const isLiteral =
      isShort &&
      !isReg &&
      !this.legality.isInline(operandOf(fn, src0), this.legality.typeOf(fn.opcode[i], src0 - fn.opBegin[i]));
    if (isShort && legacy === '' && (bits !== '64' || this.has(this.opcode('V_FMAAK_F64')))) {
      const folded = this.withConstant(i, fused, bits, isLiteral);
      if (folded !== null) return folded;
    }
    if (isLiteral && !fn.subtarget.hasFeature('vop3-literal')) return null;
    const base = fused === '' ? 'MAD' : 'FMA';
    const half = bits === '16' && fused !== '' ? `_gfx9${this.halfKind(kind)}` : '';
    const opcode = this.opcode(`V_${base}_${legacy}F${bits}${half}_e64`);
    if (!this.has(opcode)) return null;
    return { made: this.buildLong(i, opcode), move: -1 };
  }

  /** Products of matrices: with a result that may not be a source. */
  private matrixForm(name: string): Opcode {
    if (name.startsWith('V_MFMA_') && name.includes('_mac_')) return this.opcode(name.replace('_mac_', '_'));
    if (/^V_S?WMMAC?_.*_twoaddr/.test(name)) return this.opcode(name.replace('_twoaddr', '_threeaddr'));
    return -1;
  }

  /** Which halves a 16-bit instruction names. */
  private halfKind(kind: string): string {
    const { subtarget } = this.editor.fn;
    if (kind !== '') return kind;
    if (!subtarget.hasFeature('true16')) return '';
    return subtarget.hasFeature('real-true16') ? '_t16' : '_fake16';
  }

  private copyOf(i: InstrId, opcode: Opcode): InstrId {
    const { fn } = this.editor;
    const operands: NewOperand[] = [];
    for (let k = 0; k < fn.tables.opcodeNumOperands(opcode); k++) operands.push(operandOf(fn, fn.opBegin[i] + k));
    return this.finish(i, opcode, operands);
  }

  private finish(i: InstrId, opcode: Opcode, operands: readonly NewOperand[]): InstrId {
    const { fn } = this.editor;
    const made = this.builder.build(i, i, opcode, operands);
    fn.instrFlags[made] = fn.instrFlags[i];
    return made;
  }

  private buildLong(i: InstrId, opcode: Opcode): InstrId {
    const { fn } = this.editor;
    const { tables } = fn;
    const operands: NewOperand[] = [];
    for (let k = 0; k < tables.opcodeNumOperands(opcode); k++) {
      const o = this.named(i, tables.operandName(opcode, k));
      operands.push(o >= 0 ? operandOf(fn, o) : NO_OPERAND);
    }
    return this.finish(i, opcode, operands);
  }

  /** With a constant in place of one of the sources. */
  private withConstant(i: InstrId, fused: string, bits: string, isLiteral: boolean): ThreeAddress | null {
    const { fn } = this.editor;
    const [src0, src1, src2, dst] = (['src0', 'src1', 'src2', 'vdst'] as const).map((name) => this.named(i, name));
    const isScalar = fn.opKind[src0] === OperandKind.Register && this.facts.isSGPR(fn.opVal[src0]);
    if (this.facts.constantBusLimit(fn.opcode[i]) <= 1 && isScalar) return null;
    const kind = bits === '16' && fused !== '' ? this.halfKind('') : '';
    const added = this.opcode(`V_${fused === '' ? 'MADAK' : 'FMAAK'}_F${bits}${kind}`);
    const multiplied = this.opcode(`V_${fused === '' ? 'MADMK' : 'FMAMK'}_F${bits}${kind}`);
    const make = (opcode: Opcode, move: InstrId, ...operands: NewOperand[]): ThreeAddress => ({
      made: this.finish(i, opcode, [operandOf(fn, dst), ...operands]),
      move,
    });
    const [a, b, c] = [src0, src1, src2].map((o) => operandOf(fn, o));
    if (!isLiteral) {
      const move2 = this.moveOf(c);
      if (move2 >= 0 && this.has(added)) return make(added, move2, a, b, this.constantOf(move2));
      const move1 = this.moveOf(b);
      if (move1 >= 0 && this.has(multiplied)) return make(multiplied, move1, a, this.constantOf(move1), c);
    }
    const move0 = isLiteral ? -1 : this.moveOf(a);
    if (!isLiteral && move0 < 0) return null;
    const place = this.has(multiplied) ? fn.tables.getNamedOperandIdx(multiplied, 'src0') : -1;
    if (place < 0 || !this.legality.isOperandLegal(i, place, b)) return null;
    return make(multiplied, move0, b, isLiteral ? a : this.constantOf(move0), c);
  }

  private constantOf(move: InstrId): NewOperand {
    const { fn } = this.editor;
    return operandOf(fn, fn.opBegin[move] + 1);
  }

  /**
   * The move of a constant that is the only definition of a register, -1 = it is something else.
   * @llvm SIInstrInfo.cpp getFoldableImm
   */
  private moveOf({ kind, val }: NewOperand): InstrId {
    const { editor } = this;
    const { fn } = editor;
    if (kind !== OperandKind.Register || !isVirtualReg(val as Reg) || !editor.hasOneDef(val)) return -1;
    const def = editor.defOf(val);
    if (!MOVES.test(fn.tables.opcodeName(fn.opcode[def]))) return -1;
    return fn.opKind[fn.opBegin[def] + 1] === OperandKind.Immediate ? def : -1;
  }

  /** A move whose constant was taken: nothing is left of it where it had one reader. Returns the IMPLICIT_DEF, -1 = it stays. */
  giveUp(move: InstrId, reader: InstrId): InstrId {
    const { editor } = this;
    const { fn } = editor;
    const reg = fn.opVal[fn.opBegin[move]];
    const readers = [...editor.operandsOf(reg)].filter((o) => !editor.isDef(o) && !editor.isDebug(o));
    if (readers.length !== 1 || editor.instrOf(readers[0]) !== reader) return -1;
    const gone = new Set<number>();
    for (let k = 1; k < fn.numOperands(move); k++) gone.add(k);
    const made = editor.withoutOperands(move, gone);
    fn.opcode[made] = this.opcode('IMPLICIT_DEF');
    fn.opFlags[fn.opBegin[made]] |= OpFlag.Dead;
    return made;
  }
}

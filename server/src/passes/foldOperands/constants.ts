/** si-fold-operands: instructions whose sources are constants become moves (docs/llvm/folding.md, 4). */
import { operandOf } from '../../model/edit/functionEditor.js';
import { OperandKind, OpFlag, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { sameOperand } from '../../model/sameOperand.js';
import { isVirtualReg } from '../../model/register.js';
import { Generation, hasOpcodeFlag, McFlag, type Opcode } from '../../target/index.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import type { InstrForms } from '../instrForms.js';
import { immOf, partOfConstant, valueOf, type Value64 } from './foldableDef.js';

type Evaluate = (a: number, b: number) => number;

const shiftLeft: Evaluate = (a, b) => a << (b & 31);
const shiftRight: Evaluate = (a, b) => a >>> (b & 31);
const shiftSigned: Evaluate = (a, b) => a >> (b & 31);
const swapped =
  (f: Evaluate): Evaluate =>
  (a, b) =>
    f(b, a);

/** By name without encoding. Shifts look at the low five bits of their amount. */
const RESULTS: Readonly<Record<string, Evaluate>> = {
  V_AND_B32: (a, b) => a & b,
  S_AND_B32: (a, b) => a & b,
  V_OR_B32: (a, b) => a | b,
  S_OR_B32: (a, b) => a | b,
  V_XOR_B32: (a, b) => a ^ b,
  S_XOR_B32: (a, b) => a ^ b,
  S_XNOR_B32: (a, b) => ~(a ^ b),
  S_NAND_B32: (a, b) => ~(a & b),
  S_NOR_B32: (a, b) => ~(a | b),
  S_ANDN2_B32: (a, b) => a & ~b,
  S_ORN2_B32: (a, b) => a | ~b,
  V_LSHL_B32: shiftLeft,
  S_LSHL_B32: shiftLeft,
  V_LSHLREV_B32: swapped(shiftLeft),
  V_LSHR_B32: shiftRight,
  S_LSHR_B32: shiftRight,
  V_LSHRREV_B32: swapped(shiftRight),
  V_ASHR_I32: shiftSigned,
  S_ASHR_I32: shiftSigned,
  V_ASHRREV_I32: swapped(shiftSigned),
};

const SELECT = new OpcodePattern(/^V_CNDMASK_B(?:32_e32|32_e64|64_PSEUDO)$/);
const VECTOR_AND = new OpcodePattern(/^V_AND_B32_e(?:32|64)$/);
/** GCNSubtarget::zeroesHigh16BitsOfDest: up to GFX9, and on GFX8 alone */
const ZEROES_HIGH_HALF = new OpcodePattern(
  /^V_(?:CVT_F16_[FUI](?:32|16)|(?:RCP|RSQ|SQRT|LOG|EXP|SIN|COS|FLOOR|CEIL|TRUNC|RNDNE|FRACT|FREXP_MANT|LDEXP|ADD|SUB|SUBREV|MUL|MAX|MIN)_F16|FREXP_EXP_I16_F16|(?:LSHLREV|LSHRREV)_B16|ASHRREV_I16|(?:ADD|SUB|SUBREV|MUL_LO|MAX|MIN)_U16|(?:MAX|MIN)_I16)_e(?:32|64)$|^V_(?:MAD_F16|MAD_U16|MAD_I16|FMA_F16|DIV_FIXUP_F16)_e64$/,
);
const ZEROES_HIGH_HALF_ON_GFX8 = new OpcodePattern(/^V_(?:F?MA(?:DA|DM|A|M)K_F16|F?MAC_F16_e(?:32|64))$/);

export class ConstantFolding {
  constructor(private readonly forms: InstrForms) {}

  /**
   * A constant, or one that a register has by a move; null otherwise.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::getImmOrMaterializedImm
   */
  private constantAt(o: OperandId): Value64 | null {
    const { fn, tables, editor } = this.forms;
    if (fn.opKind[o] === OperandKind.Immediate) return valueOf(operandOf(fn, o));
    if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o])) return null;
    const def = editor.defOf(fn.opVal[o]);
    if (def < 0 || !hasOpcodeFlag(tables, fn.opcode[def], McFlag.MoveImm)) return null;
    const source = fn.opBegin[def] + 1;
    if (fn.opKind[source] !== OperandKind.Immediate) return null;
    return partOfConstant(tables, valueOf(operandOf(fn, source)), fn.opSub[o]);
  }

  /**
   * The instruction with another opcode, without operands that the opcode has not.
   * @llvm SIFoldOperands.cpp mutateCopyOp
   */
  private mutate(i: InstrId, opcode: Opcode): InstrId {
    const { forms } = this;
    const { fn, tables } = forms;
    fn.opcode[i] = opcode;
    const n =
      tables.opcodeNumOperands(opcode) + tables.implicitUses(opcode).length + tables.implicitDefs(opcode).length;
    return fn.numOperands(i) > n ? forms.reshape(i, [...Array(n).keys()]) : i;
  }

  private move(isScalar: boolean): Opcode {
    return this.forms.opcode(isScalar ? 'S_MOV_B32' : 'V_MOV_B32_e32');
  }

  private setConstant(i: InstrId, k: number, lo: number): void {
    this.forms.editor.setOperand(this.forms.fn.opBegin[i] + k, immOf({ lo, hi: lo >> 31 }));
  }

  /**
   * An instruction whose result is a constant, or one of its sources, becomes a move or copy.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryConstantFoldOp
   */
  fold(user: InstrId): boolean {
    const { forms } = this;
    const { fn, tables } = forms;
    const i = user;
    if (!this.areImplicitDefsDead(i)) return false;
    const opcode = fn.opcode[i];
    let first = tables.getNamedOperandIdx(opcode, 'src0');
    if (first < 0) return false;
    let a = this.constantAt(fn.opBegin[i] + first);
    const name = tables.opcodeName(opcode);
    if (a !== null && /^(?:V_NOT_B32_e(?:32|64)|S_NOT_B32)$/.test(name)) {
      forms.editor.setOperand(fn.opBegin[i] + 1, immOf({ lo: ~a.lo, hi: ~a.hi }));
      this.mutate(i, this.move(name === 'S_NOT_B32'));
      return true;
    }
    let second = tables.getNamedOperandIdx(opcode, 'src1');
    if (second < 0) return false;
    let b = this.constantAt(fn.opBegin[i] + second);
    if (a === null && b === null) return false;
    const [, base = ''] = /^(.*?)(?:_e32|_e64)?$/.exec(name) ?? [];
    if (a !== null && b !== null) {
      if (!Object.hasOwn(RESULTS, base)) return false;
      const isScalar = forms.facts.isSGPR(fn.opVal[fn.opBegin[i]]);
      this.setConstant(i, first, RESULTS[base](a.lo, b.lo) | 0);
      this.mutate(forms.drop(i, second), this.move(isScalar));
      return true;
    }
    if (!hasOpcodeFlag(tables, opcode, McFlag.Commutable)) return false;
    if (b === null) {
      [first, second] = [second, first];
      [a, b] = [b, a];
    }
    return this.foldOne(i, base, first, second, b!.lo);
  }

  /** With one constant, at `constant`; the other source is at `other`. */
  private foldOne(i: InstrId, base: string, other: number, constant: number, value: number): boolean {
    const { forms } = this;
    const copy = forms.opcode('COPY');
    const isScalar = base.startsWith('S_');
    const become = (dropped: number, opcode: Opcode): true => {
      this.mutate(forms.drop(i, dropped), opcode);
      return true;
    };
    switch (base) {
      case 'V_OR_B32':
      case 'S_OR_B32':
        if (value === 0) return become(constant, copy);
        return value === -1 && become(other, this.move(isScalar));
      case 'V_AND_B32':
      case 'S_AND_B32':
        if (value === 0) return become(other, this.move(isScalar));
        return value === -1 && become(constant, copy);
      case 'V_XOR_B32':
      case 'S_XOR_B32':
        return value === 0 && become(constant, copy);
      default:
        return false;
    }
  }

  /** @llvm MachineInstr.cpp MachineInstr::allImplicitDefsAreDead */
  private areImplicitDefsDead(i: InstrId): boolean {
    const { fn } = this.forms;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const flags = fn.opFlags[o];
      if ((flags & OpFlag.Implicit) !== 0 && (flags & (OpFlag.Def | OpFlag.Dead)) === OpFlag.Def) return false;
    }
    return true;
  }

  /**
   * A choice between two equal values becomes a copy or a move. Returns the instruction's id.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryFoldCndMask
   */
  foldSelect(i: InstrId): InstrId {
    const { forms } = this;
    const { fn, tables } = forms;
    const opcode = fn.opcode[i];
    if (!SELECT.has(tables, opcode)) return i;
    const [src0, src1] = [forms.named(i, 'src0'), forms.named(i, 'src1')];
    if (!sameOperand(fn, operandOf(fn, src0), operandOf(fn, src1))) {
      const [a, b] = [this.constantAt(src0), this.constantAt(src1)];
      if (a === null || b === null || a.lo !== b.lo || a.hi !== b.hi) return i;
    }
    if (forms.isSet(i, 'src0_modifiers') || forms.isSet(i, 'src1_modifiers')) return i;
    const isReg = fn.opKind[src0] === OperandKind.Register;
    const dropped = ['src2', 'src1', 'src1_modifiers', 'src0_modifiers'].map((name) =>
      tables.getNamedOperandIdx(opcode, name),
    );
    return this.mutate(forms.drop(i, ...dropped), isReg ? forms.opcode('COPY') : this.move(false));
  }

  /**
   * A mask of the low half of what has no other bits goes.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryFoldZeroHighBits
   */
  foldHighHalf(i: InstrId): boolean {
    const { fn, tables, editor } = this.forms;
    if (!VECTOR_AND.has(tables, fn.opcode[i])) return false;
    const begin = fn.opBegin[i];
    const mask = this.constantAt(begin + 1);
    if (mask === null || mask.lo !== 0xffff || mask.hi !== 0) return false;
    if (fn.opKind[begin + 2] !== OperandKind.Register) return false;
    const source = fn.opVal[begin + 2];
    const def = editor.defOf(source);
    if (def < 0 || !this.zeroesHighHalf(fn.opcode[def])) return false;
    const isKill = (fn.opFlags[begin + 2] & OpFlag.Kill) !== 0;
    editor.replaceReg(fn.opVal[begin], source);
    if (!isKill) editor.clearKillFlags(source);
    editor.erase(i);
    return true;
  }

  /** @llvm GCNSubtarget.cpp GCNSubtarget::zeroesHigh16BitsOfDest */
  private zeroesHighHalf(opcode: Opcode): boolean {
    const { tables, fn } = this.forms;
    const { generation } = fn.subtarget;
    if (ZEROES_HIGH_HALF.has(tables, opcode)) return generation <= Generation.GFX9;
    return ZEROES_HIGH_HALF_ON_GFX8.has(tables, opcode) && generation === Generation.VOLCANIC_ISLANDS;
  }
}

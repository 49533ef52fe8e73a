/** peephole-opt: constants of moves go into the instructions that read them (SIInstrInfo::foldImmediate, LLVM 22; docs/llvm/improving-ssa.md, 2). */
import { operandOf, regOperand } from '../../model/edit/functionEditor.js';
import {
  OperandKind,
  OpFlag,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { hasOpcodeFlag, McFlag, OperandType, type Opcode, type PhysReg, type RegClassId } from '../../target/index.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { opcodesOf, ValuMover } from '../fixSgprCopies/moveToVALU.js';
import { immOf, partOfConstant, valueOf, type Value64 } from '../foldOperands/foldableDef.js';
import type { InstrForms } from '../instrForms.js';
import { takesLiteral } from '../operandLegality.js';

const MOVES = new OpcodePattern(
  /^(?:V_MOV_B32_e32|S_MOV_B32|S_MOVK_I32|S_MOV_B64|V_MOV_B64_e32|V_ACCVGPR_WRITE_B32_e64|AV_MOV_B(?:32|64)_IMM_PSEUDO|S_MOV_B64_IMM_PSEUDO|V_MOV_B64_PSEUDO)$/,
);
const REVERSES = new OpcodePattern(/^(?:S_BREV_B32|V_BFREV_B32_e(?:32|64))$/);
const NEGATES = new OpcodePattern(/^(?:S_NOT_B32|V_NOT_B32_e(?:32|64))$/);

/** What a copy of a constant may become, in the order in which they are tried. */
const COPY_FORMS = ['S_MOV_B32', 'V_MOV_B32_e32', 'S_MOV_B64', 'V_MOV_B64_PSEUDO', 'V_ACCVGPR_WRITE_B32_e64'];

/** Products with a sum that have a form with a constant: fused or not, bits, kind of halves. */
const PRODUCT = /^V_(FM|M)A[DC]?_F(16|32|64)(?:_t16|_fake16)?_e64$/;
const ACCUMULATES = /^V_F?MAC_/;
const MODIFIERS = ['src0_modifiers', 'src1_modifiers', 'src2_modifiers', 'clamp', 'omod', 'op_sel'] as const;

function reversed(bits: number): number {
  let r = 0;
  for (let k = 0; k < 32; k++) r |= ((bits >>> k) & 1) << (31 - k);
  return r;
}

const word = (lo: number): Value64 => ({ lo, hi: lo >> 31 });

export class ConstantMoves {
  private readonly fn: MachineFunction;
  private mover: ValuMover | null = null;

  constructor(
    private readonly forms: InstrForms,
    /** told of an instruction whose opcode changes, and of one that is erased */
    private readonly leaves: (i: InstrId) => void,
  ) {
    this.fn = forms.fn;
  }

  /**
   * The constant that an instruction puts into a register, null = none that is known.
   * @llvm SIInstrInfo.cpp SIInstrInfo::getConstValDefinedInReg
   */
  constantOf(i: InstrId): Value64 | null {
    const { fn } = this;
    const { tables } = fn;
    const opcode = fn.opcode[i];
    const isMove = MOVES.has(tables, opcode);
    const reverses = REVERSES.has(tables, opcode);
    if (!isMove && !reverses && !NEGATES.has(tables, opcode)) return null;
    const o = fn.opBegin[i] + 1;
    if (fn.opKind[o] !== OperandKind.Immediate) return null;
    if (isMove) return valueOf(operandOf(fn, o));
    return word(reverses ? reversed(fn.opVal[o]) : ~fn.opVal[o]);
  }

  /**
   * Puts the constant that `move` gives to `reg` into `user`. Returns the id under which that goes on, -1 where it stays as it is.
   * @llvm SIInstrInfo.cpp SIInstrInfo::foldImmediate
   */
  fold(user: InstrId, move: InstrId, reg: Reg): InstrId {
    const { fn, forms } = this;
    const value = this.constantOf(move);
    if (value === null) return -1;
    const isOnlyUse = forms.editor.onlyUse(reg) >= 0;
    if (fn.opcode[user] === forms.opcode('COPY')) return this.intoCopy(user, reg, value, isOnlyUse);
    if (!isOnlyUse || forms.hasAnyModifier(user)) return -1;
    const [, fused, bits] = PRODUCT.exec(forms.nameOf(user)) ?? [];
    if (fused === undefined || bits === undefined) return -1;
    const src0 = forms.named(user, 'src0');
    const type = forms.legality.typeOf(fn.opcode[user], src0 - fn.opBegin[user]);
    if (forms.facts.isInlineHalves(value.lo, value.hi, type)) return -1;
    const form = (added: boolean): Opcode => this.withConstant(fused === 'FM', bits, added);
    const [src1, src2] = [forms.named(user, 'src1'), forms.named(user, 'src2')];
    const reads = (o: OperandId): boolean => fn.opKind[o] === OperandKind.Register && fn.opVal[o] === reg;
    let made = -1;
    if (reads(src0) || reads(src1)) made = this.asFactor(user, reg, value, form(false));
    else if (reads(src2)) made = this.asSum(user, value, form(true));
    if (made >= 0 && forms.editor.isUnread(reg)) {
      this.leaves(move);
      forms.editor.erase(move);
    }
    return made;
  }

  // -- copies ----------------------------------------------------------------------------------------------------------

  /** A copy becomes a move. */
  private intoCopy(copy: InstrId, reg: Reg, value: Value64, isOnlyUse: boolean): InstrId {
    const { fn, forms } = this;
    const { tables, facts, editor } = forms;
    const [dst, src] = [fn.opBegin[copy], fn.opBegin[copy] + 1];
    const sub = fn.opSub[src];
    if (!isOnlyUse) {
      const bits = tables.regClassBits[fn.vregs.regClass[virtRegIndex(reg)]];
      if (sub !== 0 && bits === 64) return -1;
      if (bits === 32 && !facts.isInlineHalves(value.lo, value.hi, OperandType.RegImmInt32)) return -1;
    }
    const result = fn.opVal[dst];
    const rc = isVirtualReg(result) ? facts.classOf(result) : facts.baseClassOf(result);
    const isHalf = sub !== 0 && tables.subRegSize[sub] === 16;
    const lo16 = tables.subRegIndexByName('lo16');
    if (isHalf && (tables.hasVGPRs(rc) || (isVirtualReg(result) && sub !== lo16))) return -1;
    const part = partOfConstant(tables, value, sub);
    if (part === null) return -1;
    let whole: Reg = isPhysicalReg(result) ? result : 0;
    let chosen = -1;
    for (const name of COPY_FORMS) {
      const opcode = forms.opcode(name);
      let wanted = fn.subtarget.opInfoRegClass(opcode, 0);
      if (isHalf) {
        wanted = tables.getMatchingSuperRegClass(wanted, rc, lo16);
        if (wanted < 0) continue;
        if (isPhysicalReg(result)) {
          whole = this.around(result, lo16, wanted);
          if (whole === 0) continue;
        }
      }
      if (isPhysicalReg(result)) {
        if (!tables.classContains(wanted, whole)) break;
      } else if (!editor.constrainClass(result, wanted)) continue;
      const type = forms.legality.typeOf(opcode, 1);
      if (!takesLiteral(type) && !facts.isInlineHalves(part.lo, part.hi, type)) break;
      chosen = opcode;
      break;
    }
    if (chosen < 0) return -1;
    this.leaves(copy);
    if (isHalf) {
      fn.opSub[dst] = 0;
      if (isPhysicalReg(result)) editor.setReg(dst, whole);
    }
    fn.opcode[copy] = chosen;
    editor.setOperand(src, immOf(part));
    return forms.addImplicit(copy);
  }

  /** The register of a class whose part `sub` is `reg`, 0 = none. */
  private around(reg: PhysReg, sub: number, rc: RegClassId): PhysReg {
    const { tables } = this.fn;
    return tables.superRegs(reg).find((r) => tables.classContains(rc, r) && tables.getSubReg(r, sub) === reg) ?? 0;
  }

  // -- products --------------------------------------------------------------------------------------------------------

  /**
   * The form with a constant that is added, or multiplied.
   * @llvm SIInstrInfo.cpp getNewFMAAKInst
   * @llvm SIInstrInfo.cpp getNewFMAMKInst
   */
  private withConstant(isFused: boolean, bits: string, added: boolean): Opcode {
    const { subtarget } = this.fn;
    let half = '';
    if (bits === '16' && isFused && subtarget.hasFeature('true16'))
      half = subtarget.hasFeature('real-true16') ? '_t16' : '_fake16';
    const opcode = this.forms.opcode(`V_${isFused ? 'FMA' : 'MAD'}${added ? 'A' : 'M'}K_F${bits}${half}`);
    return opcode >= 0 && subtarget.mcOpcode(opcode) >= 0 ? opcode : -1;
  }

  /** What alone defines the register of an operand, which may be a physical one. */
  private onlyDef(o: OperandId): InstrId {
    const { editor } = this.forms;
    const reg = this.fn.opVal[o];
    return editor.hasOneDef(reg) ? editor.instrOf(editor.firstOperand(reg)) : -1;
  }

  private isMove(i: InstrId): boolean {
    return i >= 0 && hasOpcodeFlag(this.fn.tables, this.fn.opcode[i], McFlag.MoveImm);
  }

  private isInlineMove(i: InstrId): boolean {
    return this.isMove(i) && this.forms.facts.isInlineAt(this.fn.opBegin[i] + 1, this.fn.opcode[i], 1);
  }

  /** All uses, those of debug instructions, too. */
  private hasOneUse(reg: Reg): boolean {
    const { editor } = this.forms;
    return [...editor.operandsOf(reg)].filter((o) => !editor.isDef(o)).length === 1;
  }

  private asFactor(user: InstrId, reg: Reg, value: Value64, opcode: Opcode): InstrId {
    const { fn, forms } = this;
    const { facts, editor } = forms;
    const [src0, src1, src2] = (['src0', 'src1', 'src2'] as const).map((name) => forms.named(user, name));
    const isReg = (o: OperandId): boolean => fn.opKind[o] === OperandKind.Register;
    const constant = isReg(src1) && fn.opVal[src1] === reg ? src1 : src0;
    const other = constant === src1 ? src0 : src1;
    if (!isReg(other)) return -1;
    if (facts.isSGPR(fn.opVal[other]) && facts.constantBusLimit(fn.opcode[user]) < 2) return -1;
    if (!isReg(src2) || facts.isSGPR(fn.opVal[src2])) return -1;
    const addend = this.onlyDef(src2);
    if (this.isMove(addend) && !this.isInlineMove(addend)) return -1;
    const part = opcode < 0 ? null : partOfConstant(fn.tables, value, fn.opSub[constant]);
    if (part === null) return -1;
    editor.setReg(src0, fn.opVal[other]);
    fn.opSub[src0] = fn.opSub[other];
    fn.opFlags[src0] = (fn.opFlags[src0] & ~OpFlag.Kill) | (fn.opFlags[other] & OpFlag.Kill);
    this.untie(user);
    editor.setOperand(src1, immOf(part));
    return this.shorten(user, opcode, [1, 3]);
  }

  private asSum(user: InstrId, value: Value64, opcode: Opcode): InstrId {
    const { fn, forms } = this;
    const { facts, editor } = forms;
    const named = (['src0', 'src1', 'src2'] as const).map((name) => forms.named(user, name));
    const [src0, src1, src2] = named;
    if (facts.constantBusLimit(fn.opcode[user]) < 2) {
      const isReg = (o: OperandId): boolean => fn.opKind[o] === OperandKind.Register;
      let isInlined = false;
      if (isReg(src0)) {
        const def = this.onlyDef(src0);
        if (this.isInlineMove(def) && this.hasOneUse(fn.opVal[src0])) {
          editor.setOperand(src0, operandOf(fn, fn.opBegin[def] + 1));
          isInlined = true;
        } else if (facts.isSGPR(fn.opVal[src0])) return -1;
      }
      if (isReg(src1) && !isInlined) {
        const def = this.onlyDef(src1);
        if (this.isInlineMove(def) && this.hasOneUse(fn.opVal[src1]) && forms.commute(user))
          editor.setOperand(src0, operandOf(fn, fn.opBegin[def] + 1));
        else if (facts.isSGPR(fn.opVal[src1])) return -1;
      }
    }
    const part = opcode < 0 ? null : partOfConstant(fn.tables, value, fn.opSub[src2]);
    if (part === null) return -1;
    this.untie(user);
    editor.setOperand(src2, immOf(part));
    const made = this.shorten(user, opcode, [1, 2]);
    this.mover ??= new ValuMover(editor, facts, opcodesOf(fn.tables));
    this.mover.legalizer.legalize(made);
    return made;
  }

  private untie(user: InstrId): void {
    const { fn, forms } = this;
    if (ACCUMULATES.test(forms.nameOf(user))) forms.untie(user, fn.tables.getNamedOperandIdx(fn.opcode[user], 'src2'));
  }

  /** Another opcode, without modifiers; halves that are registers of their own go through narrower classes, the sources at `narrow` and the result. */
  private shorten(user: InstrId, opcode: Opcode, narrow: readonly number[]): InstrId {
    const { fn, forms } = this;
    const { tables, builder, editor } = forms;
    this.leaves(user);
    const dropped = MODIFIERS.map((name) => tables.getNamedOperandIdx(fn.opcode[user], name)).filter((k) => k >= 0);
    const made = forms.drop(user, ...dropped);
    fn.opcode[made] = opcode;
    if (!/_(?:t16|fake16)$/.test(tables.opcodeName(opcode))) return made;
    const rc = fn.subtarget.opInfoRegClass(opcode, 0);
    const copy = forms.opcode('COPY');
    const result = builder.newVReg(rc);
    const begin = fn.opBegin[made];
    builder.build(editor.list.after(made), made, copy, [
      regOperand(fn.opVal[begin], OpFlag.Def),
      regOperand(result, OpFlag.Kill),
    ]);
    editor.setReg(fn.opBegin[made], result);
    for (const k of narrow) {
      const o = fn.opBegin[made] + k;
      if (fn.opKind[o] !== OperandKind.Register) continue;
      const reg = fn.opVal[o];
      const own = isVirtualReg(reg) ? forms.facts.classOf(reg) : forms.facts.baseClassOf(reg);
      if (tables.getCommonSubClass(own, rc) !== rc) continue;
      const source = builder.newVReg(rc);
      builder.build(made, made, copy, [regOperand(source, OpFlag.Def), regOperand(reg)]);
      editor.setReg(fn.opBegin[made] + k, source);
    }
    return made;
  }
}

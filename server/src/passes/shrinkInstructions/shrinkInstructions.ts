/** `si-shrink-instructions`: forms of 32 bits where the operands allow it (SIShrinkInstructions, LLVM 22; docs/llvm/folding.md, 8). */
import { operandOf, regOperand, type FunctionEditor, type NewOperand } from '../../model/edit/functionEditor.js';
import {
  InstrFlag,
  OperandKind,
  OpFlag,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import {
  Generation,
  hasOpcodeFlag,
  isMIMG,
  isVOP3,
  isVOPC,
  McFlag,
  type Opcode,
  type PhysReg,
  type TargetTables,
} from '../../target/index.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { InstrForms, TRUE16 } from '../instrForms.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import type { NoteRule, Remarks } from '../remarks.js';
import { SwapMatcher } from './swaps.js';

/** @llvm SIShrinkInstructions.cpp SIShrinkInstructionsLegacy */
export const shrinkInstructionsPass: MachinePass = {
  name: 'si-shrink-instructions',
  pipelineName: 'si-shrink-instructions',
  className: 'SIShrinkInstructionsPass',
  title: 'SI Shrink Instructions',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (!state.fn.isOptNone) new Shrinking(state.editor(), state.remarks).run();
  },
};

const LOGIC = new OpcodePattern(/^S_(?:AND|OR|XOR)_B32$/);
const WITH_CONSTANT = new OpcodePattern(/^S_(?:ADD|MUL)_I32$/);
const COMPARES = new OpcodePattern(/^S_CMP_/);
const MULTIPLY_ADDS = new OpcodePattern(
  /^V_(?:MAD_F32|FMA_F32|MAD_F16|FMA_F16|FMA_F16_gfx9(?:_t16|_fake16)?|FMA_F64)_e64$/,
);
const SPREAD_ADDRESS = /^(IMAGE_\w+_V\d+)_V(\d+)_nsa_(gfx10|gfx11)$/;
/** From so many words on an address takes 16. */
const LONG_ADDRESS = 13;
const N_VGPRS = 256;
/** registers of an address that is spread in part, on processors with such addresses */
const PARTLY_SPREAD = 5;

/** A multiply-add with a constant: what it is with the constant as its sum, and as its factor. */
function constantForm(name: string, kind: 'AK' | 'MK'): string {
  const [, base, type, encoding = ''] = /^V_(MAD|FMA)_(F\d\d)(?:_gfx9)?(_t16|_fake16)?_e64$/.exec(name) ?? [];
  return `V_${base === 'MAD' ? 'MAD' : 'FMA'}${kind}_${type}${encoding}`;
}

/** Values of 16 bits that are the same with their sign. */
const isSigned16 = (lo: number): boolean => lo === (lo << 16) >> 16;

function reversed(bits: number): number {
  let to = 0;
  for (let k = 0; k < 32; k++) if ((bits >>> k) & 1) to |= 1 << (31 - k);
  return to;
}

class Shrinking {
  private readonly fn: MachineFunction;
  private readonly tables: TargetTables;
  private readonly forms: InstrForms;
  private readonly swaps: SwapMatcher;
  private readonly isAllocated: boolean;
  private readonly vcc: PhysReg;
  private readonly isWave32: boolean;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly remarks: Remarks | null,
  ) {
    this.fn = editor.fn;
    this.tables = editor.fn.tables;
    this.forms = new InstrForms(editor);
    this.swaps = new SwapMatcher(this.forms);
    this.isAllocated = this.fn.header.noVRegs;
    this.isWave32 = this.fn.subtarget.wavefrontSize === 32;
    this.vcc = this.tables.regByName(this.isWave32 ? 'vcc_lo' : 'vcc');
  }

  /** @llvm SIShrinkInstructions.cpp SIShrinkInstructions::run */
  run(): void {
    const { fn, editor } = this;
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i: number = editor.list.first(b); i >= 0;) {
        const next = editor.list.after(i);
        const after = this.visit(i);
        i = after ?? next;
      }
  }

  /** Shrinks one instruction; returns where to go on, null = after it. */
  private visit(i: InstrId): number | null {
    const { fn, tables, forms } = this;
    const name = forms.nameOf(i);
    if (name === 'V_MOV_B32_e32' && this.isAllocated && this.shrinkMove(i, false)) return null;
    if (fn.subtarget.generation >= Generation.GFX9 && /^(?:V_MOV_B32_e32|V_MOV_B16_t16_e32|COPY)$/.test(name)) {
      const next = this.swaps.match(i);
      if (next !== null) return next;
    }
    let at = i;
    if (LOGIC.has(tables, fn.opcode[at])) {
      at = this.shrinkLogic(at);
    }
    if (this.isSumWithConstant(at) && this.shrinkSum(at)) return null;
    if (hasOpcodeFlag(tables, fn.opcode[at], McFlag.Compare) && COMPARES.has(tables, fn.opcode[at])) {
      this.shrinkCompare(at);
      return null;
    }
    if (name === 'S_MOV_B32') {
      if (!isVirtualReg(fn.opVal[fn.opBegin[at]])) this.shrinkMove(at, true);
      return null;
    }
    if (this.isAllocated && isMIMG(tables, fn.opcode[at]) && fn.subtarget.generation >= Generation.GFX10) {
      this.gatherAddress(at);
      return null;
    }
    if (!isVOP3(tables, fn.opcode[at])) return null;
    if (MULTIPLY_ADDS.has(tables, fn.opcode[at]) && (name !== 'V_FMA_F64_e64' || this.hasWideConstants))
      this.shrinkMultiplyAdd(at);
    else this.shrinkVector(at);
    return null;
  }

  private get hasWideConstants(): boolean {
    return this.fn.subtarget.hasFeature('gfx1250-insts');
  }

  private isSumWithConstant(i: InstrId): boolean {
    const { fn, tables } = this;
    if (WITH_CONSTANT.has(tables, fn.opcode[i])) return true;
    const isDisjoint = (fn.instrFlags[i] & InstrFlag.Disjoint) !== 0 && this.forms.nameOf(i) === 'S_OR_B32';
    return isDisjoint && fn.subtarget.release.rules.addsDisjointBits;
  }

  // -- constants ---------------------------------------------------------------------------------------------------------

  private isImm(o: OperandId): boolean {
    return this.fn.opKind[o] === OperandKind.Immediate;
  }

  private isReg(o: OperandId): boolean {
    return this.fn.opKind[o] === OperandKind.Register;
  }

  private isInline(i: InstrId, o: OperandId): boolean {
    const { fn, forms } = this;
    return forms.legality.isInline(operandOf(fn, o), forms.legality.typeOf(fn.opcode[i], o - fn.opBegin[i]));
  }

  /** A literal that a number of 16 bits stands for, with its sign. */
  private isSignedK(i: InstrId, o: OperandId): boolean {
    return isSigned16(this.fn.opVal[o]) && !this.isInline(i, o);
  }

  private isUnsignedK(i: InstrId, o: OperandId): boolean {
    const { opVal, opExt } = this.fn;
    return opExt[o] === 0 && opVal[o] >>> 16 === 0 && !this.isInline(i, o);
  }

  private setImm(o: OperandId, lo: number, hi = lo >> 31): void {
    this.fn.opVal[o] = lo;
    this.fn.opExt[o] = hi;
  }

  private hint(reg: Reg, preferred: Reg): void {
    if (isVirtualReg(reg)) this.fn.vregs.hint[virtRegIndex(reg)] = preferred;
  }

  // -- scalar instructions -------------------------------------------------------------------------------------------------

  /** A move of a literal becomes one of another constant whose bits are negated or reversed, or S_MOVK. */
  private shrinkMove(i: InstrId, isScalar: boolean): boolean {
    const { fn, forms } = this;
    const o = fn.opBegin[i] + 1;
    if (!this.isImm(o)) return false;
    if (isScalar && this.isSignedK(i, o)) {
      fn.opcode[i] = forms.opcode('S_MOVK_I32');
      this.setImm(o, fn.opVal[o]);
      return true;
    }
    if (this.isInline(i, o)) return false;
    const become = (name: string, value: number): true => {
      fn.opcode[i] = forms.opcode(name);
      this.setImm(o, value);
      return true;
    };
    const bits = fn.opVal[o];
    if (!isScalar && this.forms.facts.isInlineWord(~bits)) return become('V_NOT_B32_e32', ~bits);
    return (
      this.forms.facts.isInlineWord(reversed(bits)) &&
      become(isScalar ? 'S_BREV_B32' : 'V_BFREV_B32_e32', reversed(bits))
    );
  }

  /**
   * AND, OR and XOR with a literal: one bit set or cleared, or with the constant's complement. Before allocation the result is to have the source's register. Returns the instruction's id.
   * @llvm SIShrinkInstructions.cpp SIShrinkInstructions::shrinkScalarLogicOp
   */
  private shrinkLogic(i: InstrId): InstrId {
    const { fn, forms, editor } = this;
    const begin = fn.opBegin[i];
    const name = forms.nameOf(i);
    if (!this.isImm(begin + 2) || this.forms.facts.isInlineWord(fn.opVal[begin + 2])) return i;
    const bits = fn.opVal[begin + 2];
    const isDead = (fn.opFlags[begin + 3] & OpFlag.Dead) !== 0;
    const isOneBit = (v: number): boolean => v !== 0 && (v & (v - 1)) === 0;
    const place = (v: number): number => 31 - Math.clz32(v);
    let made = '';
    let value = 0;
    if (name === 'S_AND_B32' && isOneBit(~bits) && isDead) [made, value] = ['S_BITSET0_B32', place(~bits)];
    else if (name === 'S_OR_B32' && isOneBit(bits) && isDead) [made, value] = ['S_BITSET1_B32', place(bits)];
    else if (this.forms.facts.isInlineWord(~bits))
      [made, value] = [{ S_AND_B32: 'S_ANDN2_B32', S_OR_B32: 'S_ORN2_B32' }[name] ?? 'S_XNOR_B32', ~bits];
    if (value === 0) return i;
    const [dst, src] = [fn.opVal[begin], fn.opVal[begin + 1]];
    if (isVirtualReg(dst) && this.isReg(begin + 1)) {
      this.hint(dst, src);
      this.hint(src, dst);
      return i;
    }
    if (!this.isReg(begin + 1) || src !== dst) return i;
    fn.opcode[i] = forms.opcode(made);
    if (!made.startsWith('S_BITSET')) {
      // LLVM keeps the complement as an unsigned number.
      this.setImm(begin + 2, value, 0);
      return i;
    }
    const flags = fn.opFlags[begin + 1] & (OpFlag.Undef | OpFlag.Kill);
    editor.setOperand(begin + 1, { kind: OperandKind.Immediate, val: value });
    editor.setOperand(begin + 2, regOperand(dst, flags));
    const kept = [...Array(fn.numOperands(i)).keys()].filter((k) => k !== 3);
    const at = forms.reshape(i, kept);
    fn.tieOperands(at, 0, 2);
    return at;
  }

  /** S_ADD_I32 and S_MUL_I32 with a constant of 16 bits. True: the instruction has been seen to. */
  private shrinkSum(i: InstrId): boolean {
    const { fn, forms } = this;
    const begin = fn.opBegin[i];
    if (!this.isReg(begin + 1) && this.isReg(begin + 2)) {
      // LLVM then takes the two sources for each other, and looks no further.
      forms.commute(i);
      return false;
    }
    const [dst, src] = [fn.opVal[begin], fn.opVal[begin + 1]];
    if (!this.isReg(begin + 1)) return false;
    if (isVirtualReg(dst)) {
      this.hint(dst, src);
      this.hint(src, dst);
      return true;
    }
    if (src !== dst || !this.isImm(begin + 2) || !this.isSignedK(i, begin + 2)) return false;
    fn.opcode[i] = forms.opcode(forms.nameOf(i) === 'S_MUL_I32' ? 'S_MULK_I32' : 'S_ADDK_I32');
    this.setImm(begin + 2, fn.opVal[begin + 2]);
    fn.tieOperands(i, 0, 1);
    return false;
  }

  /** @llvm SIShrinkInstructions.cpp SIShrinkInstructions::shrinkScalarCompare */
  private shrinkCompare(i: InstrId): void {
    const { fn, tables, forms } = this;
    if (fn.subtarget.generation >= Generation.GFX12) return;
    const begin = fn.opBegin[i];
    if (!this.isReg(begin)) forms.commute(i);
    if (!this.isReg(begin) || !this.isImm(begin + 1)) return;
    const made = tables.mapOpcode('SOPK', fn.opcode[i]);
    if (made < 0) return;
    const name = tables.opcodeName(made);
    const o = begin + 1;
    if (name === 'S_CMPK_EQ_U32' || name === 'S_CMPK_LG_U32') {
      if (this.isSignedK(i, o)) {
        fn.opcode[i] = forms.opcode(name.replace('U32', 'I32'));
        this.setImm(o, fn.opVal[o]);
      } else if (!isSigned16(fn.opVal[o]) && this.isUnsignedK(i, o)) fn.opcode[i] = made;
      return;
    }
    const isUnsigned = name.endsWith('_U32');
    if (!(isUnsigned ? this.isUnsignedK(i, o) : this.isSignedK(i, o))) return;
    if (!isUnsigned) this.setImm(o, fn.opVal[o]);
    fn.opcode[i] = made;
  }

  // -- images ----------------------------------------------------------------------------------------------------------

  /**
   * An address whose registers stand in a row is one operand.
   * @llvm SIShrinkInstructions.cpp SIShrinkInstructions::shrinkMIMG
   */
  private gatherAddress(i: InstrId): void {
    const { fn, tables, forms } = this;
    const { facts } = forms;
    const [, base, words = '', encoding] = SPREAD_ADDRESS.exec(forms.nameOf(i)) ?? [];
    if (base === undefined) return;
    const nWords = Number(words);
    const nTaken = nWords >= LONG_ADDRESS ? 16 : nWords;
    const first = tables.getNamedOperandIdx(fn.opcode[i], 'vaddr0');
    let n = 1;
    while (forms.has(fn.opcode[i], `vaddr${n}`)) n++;
    const most = fn.subtarget.hasFeature('partial-nsa-encoding') ? PARTLY_SPREAD : LONG_ADDRESS;
    if (nTaken > most) n = Math.min(n, most);
    let flags = OpFlag.Undef | (nTaken === nWords ? OpFlag.Kill : 0);
    let next = -1;
    let begin = 0;
    for (let k = first; k < first + n; k++) {
      const o = fn.opBegin[i] + k;
      const reg = fn.opVal[o];
      const index = facts.hardwareIndex(reg) & (N_VGPRS - 1);
      if (next >= 0 && index !== next) return;
      if (next < 0) begin = index;
      next = index + tables.regClassBits[tables.getMinimalPhysRegClass(reg)] / 32;
      flags &= fn.opFlags[o];
    }
    if (begin + nTaken > N_VGPRS) return;
    const made = forms.opcode(`${base}_V${nTaken}_${encoding}`);
    const rc = tables.regClassByName(`vreg_${nTaken * 32}`);
    const o = fn.opBegin[i] + first;
    forms.editor.setReg(o, tables.classRegs(rc)[begin]);
    fn.opFlags[o] = (fn.opFlags[o] & ~(OpFlag.Undef | OpFlag.Kill | OpFlag.Renamable)) | flags;
    fn.opcode[i] = made;
    const dropped = Array.from({ length: n - 1 }, (_, k) => first + 1 + k);
    forms.drop(i, ...dropped);
  }

  // -- vector instructions ---------------------------------------------------------------------------------------------------

  /** @llvm SIShrinkInstructions.cpp SIShrinkInstructions::shrinkMadFma */
  private shrinkMultiplyAdd(i: InstrId): void {
    const { fn, forms } = this;
    if (!fn.subtarget.hasFeature('vop3-literal') || !this.isAllocated || forms.hasAnyModifier(i)) return;
    const [a, b, c] = ['src0', 'src1', 'src2'].map((name) => forms.named(i, name));
    const isVGPR = (o: OperandId): boolean => this.isReg(o) && forms.facts.isVGPR(fn.opVal[o]);
    const isLiteral = (o: OperandId): boolean => this.isImm(o) && !this.isInline(i, o);
    let kind: 'AK' | 'MK';
    let swaps: boolean;
    if (isLiteral(c)) {
      if (!isVGPR(b) && !isVGPR(a)) return;
      kind = 'AK';
      swaps = !isVGPR(b);
    } else if (isVGPR(c)) {
      if (!isLiteral(b) && !isLiteral(a)) return;
      kind = 'MK';
      swaps = !isLiteral(b);
    } else return;
    const made = forms.opcode(constantForm(forms.nameOf(i), kind));
    if (made < 0 || (TRUE16.has(this.tables, made) && !this.areLowRegs(i))) return;
    const order = swaps ? [b, a, c] : [a, b, c];
    if (swaps) {
      const dst = regOperand(fn.opVal[fn.opBegin[i]], OpFlag.Def);
      const at = forms.builder.build(i, i, made, [dst, ...order.map((o) => operandOf(fn, o))]);
      fn.instrFlags[at] = fn.instrFlags[i];
      this.editor.erase(i);
      return;
    }
    const n = this.tables.opcodeNumOperands(fn.opcode[i]);
    const rest = [...Array(fn.numOperands(i)).keys()].slice(n);
    fn.opcode[i] = made;
    forms.reshape(i, [0, ...order.map((o) => o - fn.opBegin[i]), ...rest]);
  }

  /**
   * Whether the registers are among those that the short forms of 16-bit instructions name.
   * @llvm SIShrinkInstructions.cpp SIShrinkInstructions::shouldShrinkTrue16
   */
  private areLowRegs(i: InstrId): boolean {
    const { fn, tables } = this;
    const isIn = (name: string, reg: Reg): boolean => tables.classContains(tables.regClassByName(name), reg);
    for (let k = 0; k < tables.opcodeNumOperands(fn.opcode[i]); k++) {
      const o = fn.opBegin[i] + k;
      if (!this.isReg(o) || fn.opVal[o] <= 0) continue;
      for (const name of ['vgpr_32', 'vgpr_16'])
        if (isIn(name, fn.opVal[o]) && !isIn(`${name}_lo128`, fn.opVal[o])) return false;
    }
    return true;
  }

  /**
   * A carry that nobody reads is not written, from gfx1030 on.
   * @llvm SIShrinkInstructions.cpp SIShrinkInstructions::tryReplaceDeadSDST
   */
  private dropCarry(i: InstrId): void {
    const { fn, tables, forms, editor } = this;
    if (!fn.subtarget.hasFeature('gfx10-3-insts')) return;
    const o = forms.named(i, 'sdst');
    if (o < 0 || !isVirtualReg(fn.opVal[o]) || !editor.isUnread(fn.opVal[o])) return;
    editor.setReg(o, tables.regByName(this.isWave32 ? 'sgpr_null' : 'sgpr_null64'));
  }

  private shrinkVector(i: InstrId): void {
    const { fn, tables, forms } = this;
    this.dropCarry(i);
    if (!forms.hasShortForm(fn.opcode[i])) return;
    if (!forms.canShrink(i)) {
      const isCommutable = hasOpcodeFlag(tables, fn.opcode[i], McFlag.Commutable);
      if (!isCommutable || !forms.commute(i) || !forms.canShrink(i)) {
        this.dropCarry(i);
        this.note(i, 'shrinkOperands');
        return;
      }
    }
    const short = tables.mapOpcode('VOPe32', fn.opcode[i]);
    if (!this.hasMasksInVCC(i, short)) {
      this.note(i, 'shrinkMask');
      return;
    }
    const { subtarget: st } = fn;
    const isTrue16 = TRUE16.has(tables, fn.opcode[i]);
    if (st.hasFeature('vop3-literal') && (!st.hasFeature('64-bit-literals') || isTrue16) && !this.isAllocated) {
      this.note(i, 'shrinkLiteral');
      return;
    }
    if (st.hasFeature('true16') && isTrue16 && !this.areLowRegs(i)) {
      this.note(i, 'shrinkHighRegs');
      return;
    }
    this.shrink(i, short);
  }

  private note(at: InstrId, rule: NoteRule, other: InstrId = -1): void {
    this.remarks?.add({ kind: 'note', at, rule, other });
  }

  /** Whether masks that the short form has in VCC are there; those in virtual registers are to be put there. */
  private hasMasksInVCC(i: InstrId, short: Opcode): boolean {
    const { fn, tables, forms } = this;
    const isVCC = (o: OperandId): boolean => {
      if (!this.isReg(o)) return false;
      if (isVirtualReg(fn.opVal[o])) {
        this.hint(fn.opVal[o], this.vcc);
        return false;
      }
      return fn.opVal[o] === this.vcc;
    };
    const begin = fn.opBegin[i];
    // V_CMPX writes EXEC, and its first operand may be a source.
    const isDef = this.isReg(begin) && (fn.opFlags[begin] & OpFlag.Def) !== 0;
    const hasMask = isDef || (this.isReg(begin) && !fn.subtarget.release.rules.shrinksExecCompares);
    if (isVOPC(tables, short) && hasMask) {
      if (isVirtualReg(fn.opVal[begin]) || fn.opVal[begin] !== this.vcc) {
        isVCC(begin);
        return false;
      }
    }
    const src2 = forms.named(i, 'src2');
    if (tables.opcodeName(short) === 'V_CNDMASK_B32_e32' && !isVCC(src2)) return false;
    const sdst = forms.named(i, 'sdst');
    if (sdst < 0) return true;
    // Both get their hints.
    const [isResult, isSource] = [isVCC(sdst), src2 < 0 || isVCC(src2)];
    return isResult && isSource;
  }

  private shrink(i: InstrId, short: Opcode): void {
    const { fn, tables, forms, editor } = this;
    const opcode = fn.opcode[i];
    const sdst = forms.named(i, 'sdst');
    const isDead = sdst >= 0 && (fn.opFlags[sdst] & OpFlag.Dead) !== 0;
    let made = forms.buildShort(i, short);
    const described =
      tables.opcodeNumOperands(opcode) + tables.implicitDefs(opcode).length + tables.implicitUses(opcode).length;
    const extra: NewOperand[] = [];
    for (let k = described; k < fn.numOperands(i); k++) {
      const op = operandOf(fn, fn.opBegin[i] + k);
      const isImplicit = op.kind === OperandKind.Register && ((op.flags ?? 0) & OpFlag.Implicit) !== 0;
      if (isImplicit || op.kind === OperandKind.RegisterMask) extra.push(op);
    }
    if (extra.length > 0) made = forms.reshape(made, [...Array(fn.numOperands(made)).keys(), ...extra]);
    if (isDead)
      for (let o = fn.firstReg(made); o >= 0; o = fn.nextReg(made, o))
        if (fn.opVal[o] === this.vcc && (fn.opFlags[o] & OpFlag.Def) !== 0) fn.opFlags[o] |= OpFlag.Dead;
    editor.erase(i);
    this.note(made, 'shrunk', i);
    this.foldConstant(made, true);
  }

  /**
   * The first source, or the second one after a change of places, takes the constant of a move.
   * @llvm SIShrinkInstructions.cpp SIShrinkInstructions::foldImmediates
   */
  private foldConstant(i: InstrId, mayCommute: boolean): boolean {
    const { fn, tables, forms, editor } = this;
    const o = forms.named(i, 'src0');
    if (this.isReg(o) && isVirtualReg(fn.opVal[o])) {
      const reg = fn.opVal[o];
      const def = editor.hasOneDef(reg) ? editor.defOf(reg) : -1;
      if (def >= 0 && hasOpcodeFlag(tables, fn.opcode[def], McFlag.MoveImm)) {
        const value = operandOf(fn, fn.opBegin[def] + 1);
        const isConstant =
          value.kind === OperandKind.Immediate ||
          value.kind === OperandKind.FrameIndex ||
          value.kind === OperandKind.GlobalAddress;
        if (isConstant && forms.legality.isOperandLegal(i, o - fn.opBegin[i], value)) {
          editor.setOperand(o, { ...value, flags: 0 });
          if (editor.isUnread(reg)) editor.erase(def);
          return true;
        }
      }
    }
    if (!mayCommute || !hasOpcodeFlag(tables, fn.opcode[i], McFlag.Commutable) || !forms.commute(i)) return false;
    if (this.foldConstant(i, false)) return true;
    forms.commute(i);
    return false;
  }
}

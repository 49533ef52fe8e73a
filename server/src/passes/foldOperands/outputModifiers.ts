/** si-fold-operands: instructions that clamp or scale a result become modifiers of those that make it (docs/llvm/folding.md, 6). */
import { operandOf, regOperand } from '../../model/edit/functionEditor.js';
import { InstrFlag, OperandKind, OpFlag, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import { hasOpcodeFlag, McFlag } from '../../target/index.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import type { InstrForms } from '../instrForms.js';
import { Unmodelled } from '../registerFacts.js';
import { CIRCLE } from './sequences.js';

const CLAMPS = new OpcodePattern(
  /^(?:V_MAX_(?:F32|F16|F16_t16|F16_fake16|F64|NUM_F64|BF16_PSEUDO)_e64|V_PK_MAX_F16|V_PK_MAX_NUM_BF16)$/,
);
const PACKED_CLAMPS = new OpcodePattern(/^V_PK_MAX_(?:F16|NUM_BF16)$/);
/** SISrcMods::OP_SEL_1: the high half of a packed source is its high half */
const OP_SEL_1 = 8;

const MULTIPLIES = new OpcodePattern(/^V_MUL_(?:F64|F64_pseudo|F32|F16|F16_t16|F16_fake16)_e64$/);
const ADDS = new OpcodePattern(/^V_ADD_(?:F64|F64_pseudo|F32|F16|F16_t16|F16_fake16)_e64$/);

/** SIOutMods */
const enum Scale {
  None = 0,
  Twice = 1,
  FourTimes = 2,
  Half = 3,
}

/** 2, 4 and 0.5: the high words or halves of floating-point numbers whose other bits are 0 */
const F64_SCALES = new Map([
  [0x40000000, Scale.Twice],
  [0x40100000, Scale.FourTimes],
  [0x3fe00000, Scale.Half],
]);
const F32_SCALES = new Map([
  [0x40000000, Scale.Twice],
  [0x40800000, Scale.FourTimes],
  [0x3f000000, Scale.Half],
]);
const F16_SCALES = new Map([
  [0x4000, Scale.Twice],
  [0x4400, Scale.FourTimes],
  [0x3800, Scale.Half],
]);

export class OutputModifiers {
  constructor(private readonly forms: InstrForms) {}

  /** Scales where that may be, else clamps. */
  fold(i: InstrId): void {
    const { fn } = this.forms;
    const { mode, noSignedZerosFPMath } = fn.header.machineFunctionInfo;
    const ignoresSign = noSignedZerosFPMath || (fn.instrFlags[i] & InstrFlag.NoSignedZeros) !== 0;
    if (!mode.ieee && ignoresSign && this.foldScale(i)) return;
    this.foldClamp(i);
  }

  /** @llvm MachineInstr.h MachineInstr::mayRaiseFPException */
  private mayRaise(i: InstrId): boolean {
    const { fn, tables } = this.forms;
    return (
      hasOpcodeFlag(tables, fn.opcode[i], McFlag.MayRaiseFPException) && (fn.instrFlags[i] & InstrFlag.NoFPExcept) === 0
    );
  }

  /** @llvm SIFoldOperands.cpp SIFoldOperandsImpl::isClamp */
  private clamped(i: InstrId): OperandId {
    const { forms } = this;
    const { fn, tables } = forms;
    if (!CLAMPS.has(tables, fn.opcode[i]) || this.mayRaise(i) || !forms.isSet(i, 'clamp')) return -1;
    const [src0, src1] = [forms.named(i, 'src0'), forms.named(i, 'src1')];
    if (!this.areSameReg(src0, src1) || fn.opSub[src0] !== 0 || forms.isSet(i, 'omod')) return -1;
    const unset = PACKED_CLAMPS.has(tables, fn.opcode[i]) ? OP_SEL_1 : 0;
    const isPlain = (name: string): boolean => fn.opVal[forms.named(i, name)] === unset;
    return isPlain('src0_modifiers') || isPlain('src1_modifiers') ? src0 : -1;
  }

  private areSameReg(a: OperandId, b: OperandId): boolean {
    const { fn } = this.forms;
    const isReg = fn.opKind[a] === OperandKind.Register && fn.opKind[b] === OperandKind.Register;
    return isReg && fn.opVal[a] === fn.opVal[b] && fn.opSub[a] === fn.opSub[b];
  }

  /** @llvm TargetRegisterInfo.cpp TargetRegisterInfo::lookThruCopyLike */
  private sourceOfCopies(reg: Reg): Reg {
    const { fn, editor } = this.forms;
    const copy = this.forms.opcode('COPY');
    const toSubReg = this.forms.opcode('SUBREG_TO_REG');
    let source = reg;
    let left = fn.vregs.n;
    for (let def = editor.defOf(source); def >= 0; def = editor.defOf(source)) {
      if (left-- < 0) throw new Unmodelled(CIRCLE);
      const opcode = fn.opcode[def];
      if (opcode !== copy && opcode !== toSubReg) break;
      source = fn.opVal[fn.opBegin[def] + (opcode === copy ? 1 : 2)];
    }
    return source;
  }

  /** @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryFoldClamp */
  private foldClamp(i: InstrId): void {
    const { forms } = this;
    const { fn, editor, facts, builder } = forms;
    const source = this.clamped(i);
    if (source < 0 || !isVirtualReg(fn.opVal[source]) || !editor.hasOneUser(fn.opVal[source])) return;
    const origin = this.sourceOfCopies(fn.opVal[source]);
    const def = editor.defOf(isVirtualReg(origin) ? origin : fn.opVal[source]);
    if (def < 0 || forms.clampOf(def) !== forms.clampOf(i) || this.mayRaise(def)) return;
    const clamp = forms.named(def, 'clamp');
    if (clamp < 0) return;
    fn.opVal[clamp] = 1;
    fn.opExt[clamp] = 0;
    const made = fn.opVal[fn.opBegin[def]];
    const result = fn.opVal[fn.opBegin[i]];
    if (facts.isSGPR(made))
      builder.build(i, i, forms.opcode('COPY'), [regOperand(result, OpFlag.Def), regOperand(made)]);
    else editor.replaceReg(result, made);
    editor.erase(i);
    this.keepAccumulator(def);
  }

  /** @llvm SIFoldOperands.cpp getOModValue */
  private scaleOf(i: InstrId, constant: OperandId): Scale {
    const { fn } = this.forms;
    const name = this.forms.nameOf(i);
    const { val, ext = 0 } = operandOf(fn, constant);
    if (name.startsWith('V_MUL_F64')) return (val === 0 ? F64_SCALES.get(ext) : undefined) ?? Scale.None;
    if (name.startsWith('V_MUL_F32')) return F32_SCALES.get(val) ?? Scale.None;
    return F16_SCALES.get(val & 0xffff) ?? Scale.None;
  }

  /**
   * The source that an instruction multiplies by 2, 4 or 0.5, -1 = it does no such thing.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::isOMod
   */
  private scaled(i: InstrId): { readonly source: OperandId; readonly scale: Scale } | null {
    const { forms } = this;
    const { fn, tables } = forms;
    const { mode } = fn.header.machineFunctionInfo;
    const isProduct = MULTIPLIES.has(tables, fn.opcode[i]);
    if (!isProduct && !ADDS.has(tables, fn.opcode[i])) return null;
    const isF32 = forms.nameOf(i).includes('_F32');
    if (isF32 ? mode.fp32OutputDenormals : mode.fp64fp16OutputDenormals) return null;
    const hasModifiers = ['src0_modifiers', 'src1_modifiers', 'omod', 'clamp'].some((name) => forms.isSet(i, name));
    const [src0, src1] = [forms.named(i, 'src0'), forms.named(i, 'src1')];
    if (!isProduct) return this.areSameReg(src0, src1) && !hasModifiers ? { source: src0, scale: Scale.Twice } : null;
    if (this.mayRaise(i)) return null;
    const isImm = (o: OperandId): boolean => fn.opKind[o] === OperandKind.Immediate;
    if (!isImm(src0) && !isImm(src1)) return null;
    const [constant, source] = isImm(src0) ? [src0, src1] : [src1, src0];
    const scale = this.scaleOf(i, constant);
    return scale === Scale.None || hasModifiers ? null : { source, scale };
  }

  /** @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryFoldOMod */
  private foldScale(i: InstrId): boolean {
    const { forms } = this;
    const { fn, editor } = forms;
    const found = this.scaled(i);
    if (found === null) return false;
    const { source, scale } = found;
    if (fn.opKind[source] !== OperandKind.Register || fn.opSub[source] !== 0) return false;
    const reg = fn.opVal[source];
    if (!editor.hasOneUser(reg)) return false;
    const def = editor.defOf(reg);
    if (def < 0) return false;
    const omod = forms.named(def, 'omod');
    if (omod < 0 || forms.isSet(def, 'omod') || this.mayRaise(def) || forms.isSet(def, 'clamp')) return false;
    fn.opVal[omod] = scale;
    const made = fn.opVal[fn.opBegin[def]];
    editor.replaceReg(fn.opVal[fn.opBegin[i]], made);
    editor.clearKillFlags(made);
    editor.erase(i);
    this.keepAccumulator(def);
    return true;
  }

  /** With modifiers of its result a multiply-accumulate instruction has 64 bits, and may as well have a result of its own. */
  private keepAccumulator(def: InstrId): void {
    if (this.forms.buildThreeAddress(def) >= 0) this.forms.editor.erase(def);
  }
}

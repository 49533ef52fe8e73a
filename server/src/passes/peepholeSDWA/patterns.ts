/** si-peephole-sdwa: instructions that choose a byte or a half of a value (docs/llvm/folding.md, 9). */
import { operandOf } from '../../model/edit/functionEditor.js';
import { OperandKind, OpFlag, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import { isSDWA } from '../../target/index.js';
import type { InstrForms } from '../instrForms.js';

/** AMDGPU::SDWA::SdwaSel */
export const enum Sel {
  Byte0,
  Byte1,
  Byte2,
  Byte3,
  Word0,
  Word1,
  Dword,
}

/** AMDGPU::SDWA::DstUnused */
export const enum Unused {
  Pad = 0,
  Preserve = 2,
}

/** What an instruction does that another one can do with SDWA: choose part of a source, or write part of its result. */
export interface Selection {
  readonly kind: 'source' | 'result' | 'preserve';
  /** the instruction that goes */
  readonly parent: InstrId;
  /** its operand that the other one takes over */
  readonly target: OperandId;
  /** the operand that stands for it now */
  readonly replaced: OperandId;
  readonly sel: Sel;
  readonly isSigned: boolean;
  /** what is to stay in the other bits of the result, -1 = nothing */
  readonly preserved: OperandId;
}

/** Which parts of a register another selection may fill beside one. */
const BESIDE: Readonly<Record<number, readonly Sel[]>> = {
  [Sel.Word0]: [Sel.Byte2, Sel.Byte3, Sel.Word1],
  [Sel.Word1]: [Sel.Byte0, Sel.Byte1, Sel.Word0],
  [Sel.Byte0]: [Sel.Byte1, Sel.Byte2, Sel.Byte3, Sel.Word1],
  [Sel.Byte1]: [Sel.Byte0, Sel.Byte2, Sel.Byte3, Sel.Word1],
  [Sel.Byte2]: [Sel.Byte0, Sel.Byte1, Sel.Byte3, Sel.Word0],
  [Sel.Byte3]: [Sel.Byte0, Sel.Byte1, Sel.Byte2, Sel.Word0],
};

/** Offset and width of V_BFE by the part that they choose. */
const FIELDS: Readonly<Record<string, Sel>> = {
  '0,8': Sel.Byte0,
  '0,16': Sel.Word0,
  '0,32': Sel.Dword,
  '8,8': Sel.Byte1,
  '16,8': Sel.Byte2,
  '16,16': Sel.Word1,
  '24,8': Sel.Byte3,
};

/**
 * The part `sel` of part `inner`; null: no selection has it.
 * @llvm SIPeepholeSDWA.cpp combineSdwaSel
 */
export function combined(sel: Sel, inner: Sel): Sel | null {
  if (sel === Sel.Dword) return inner;
  if (sel === inner || inner === Sel.Dword) return sel;
  if (sel === Sel.Word1 || sel === Sel.Byte2 || sel === Sel.Byte3) return null;
  if (inner === Sel.Word0) return sel;
  if (inner !== Sel.Word1) return null;
  return sel === Sel.Byte0 ? Sel.Byte2 : sel === Sel.Byte1 ? Sel.Byte3 : Sel.Word1;
}

export class SelectionPatterns {
  constructor(private readonly forms: InstrForms) {}

  isSameReg(a: OperandId, b: OperandId): boolean {
    const { fn } = this.forms;
    const areRegs = fn.opKind[a] === OperandKind.Register && fn.opKind[b] === OperandKind.Register;
    return areRegs && fn.opVal[a] === fn.opVal[b] && fn.opSub[a] === fn.opSub[b];
  }

  /**
   * The only definition of a register, -1 = none, or several.
   * @llvm MachineRegisterInfo.h MachineRegisterInfo::getOneDef
   */
  onlyDef(reg: Reg): OperandId {
    const { editor } = this.forms;
    return editor.hasOneDef(reg) ? editor.firstOperand(reg) : -1;
  }

  /**
   * A small constant, as it stands or by a move; -1 = none.
   * @llvm SIPeepholeSDWA.cpp SIPeepholeSDWA::foldToImm
   */
  private constantAt(o: OperandId): number {
    const { forms } = this;
    const { fn, editor } = forms;
    const value = (at: OperandId): number => {
      if (fn.opKind[at] !== OperandKind.Immediate || fn.opExt[at] !== 0) return -1;
      return fn.opVal[at];
    };
    if (fn.opKind[o] !== OperandKind.Register) return value(o);
    for (const def of editor.operandsOf(fn.opVal[o])) {
      if (!editor.isDef(def)) break;
      if (!this.isSameReg(o, def)) continue;
      const instr = editor.instrOf(def);
      return forms.isFoldableCopy(instr) ? value(fn.opBegin[instr] + 1) : -1;
    }
    return -1;
  }

  /**
   * What an instruction chooses, null = nothing.
   * @llvm SIPeepholeSDWA.cpp SIPeepholeSDWA::matchSDWAOperand
   */
  match(i: InstrId): Selection | null {
    const { forms } = this;
    const name = forms.nameOf(i);
    const named = (operand: string): OperandId => forms.named(i, operand);
    const [, shift, bits] = /^V_(LSHRREV_B|ASHRREV_I|LSHLREV_B)(16|32)(?:_opsel)?_e(?:32|64)$/.exec(name) ?? [];
    if (shift !== undefined && name !== `V_${shift}32_opsel_e64`) {
      const amount = this.constantAt(named('src0'));
      let sel: Sel;
      if (bits === '16') {
        if (amount !== 8) return null;
        sel = Sel.Byte1;
      } else {
        if (amount !== 16 && amount !== 24) return null;
        sel = amount === 16 ? Sel.Word1 : Sel.Byte3;
      }
      const [value, result] = [named('src1'), named('vdst')];
      if (shift === 'LSHLREV_B') return this.selection('result', i, result, value, sel, false);
      return this.selection('source', i, value, result, sel, shift === 'ASHRREV_I');
    }
    if (name === 'V_BFE_I32_e64' || name === 'V_BFE_U32_e64') {
      const field = `${this.constantAt(named('src1'))},${this.constantAt(named('src2'))}`;
      if (!Object.hasOwn(FIELDS, field)) return null;
      return this.selection('source', i, named('src0'), named('vdst'), FIELDS[field], name === 'V_BFE_I32_e64');
    }
    if (/^V_AND_B32_e(?:32|64)$/.test(name)) {
      let mask = this.constantAt(named('src0'));
      let value = named('src1');
      if (!this.isConstant(named('src0'))) {
        mask = this.constantAt(named('src1'));
        value = named('src0');
      }
      if (mask !== 0xffff && mask !== 0xff) return null;
      return this.selection('source', i, value, named('vdst'), mask === 0xffff ? Sel.Word0 : Sel.Byte0, false);
    }
    return /^V_OR_B32_e(?:32|64)$/.test(name) ? this.matchOr(i) : null;
  }

  /** Whether a constant of any size is there. */
  private isConstant(o: OperandId): boolean {
    const { fn, editor } = this.forms;
    if (fn.opKind[o] === OperandKind.Immediate) return true;
    if (fn.opKind[o] !== OperandKind.Register) return false;
    for (const def of editor.operandsOf(fn.opVal[o])) {
      if (!editor.isDef(def)) break;
      if (!this.isSameReg(o, def)) continue;
      const instr = editor.instrOf(def);
      return this.forms.isFoldableCopy(instr) && fn.opKind[fn.opBegin[instr] + 1] === OperandKind.Immediate;
    }
    return false;
  }

  private selection(
    kind: 'source' | 'result',
    parent: InstrId,
    target: OperandId,
    replaced: OperandId,
    sel: Sel,
    isSigned: boolean,
  ): Selection | null {
    const { fn } = this.forms;
    const isVirtual = (o: OperandId): boolean => {
      const { kind: operandKind, val } = operandOf(fn, o);
      return operandKind === OperandKind.Register && isVirtualReg(val);
    };
    if (!isVirtual(target) || !isVirtual(replaced)) return null;
    return { kind, parent, target, replaced, sel, isSigned, preserved: -1 };
  }

  /** Two instructions that write different parts: the later one keeps what the other wrote. */
  private matchOr(i: InstrId): Selection | null {
    const { forms } = this;
    const { fn, tables, editor } = forms;
    const [src0, src1] = [forms.named(i, 'src0'), forms.named(i, 'src1')];
    const isSDWADef = (o: OperandId): boolean => o >= 0 && isSDWA(tables, fn.opcode[editor.instrOf(o)]);
    const defsOf = (a: OperandId, b: OperandId): readonly [OperandId, OperandId] | null => {
      if (fn.opKind[a] !== OperandKind.Register || fn.opKind[b] !== OperandKind.Register) return null;
      const [first, second] = [this.onlyDef(fn.opVal[a]), this.onlyDef(fn.opVal[b])];
      return isSDWADef(first) && second >= 0 ? [first, second] : null;
    };
    const found = defsOf(src0, src1) ?? defsOf(src1, src0);
    if (found === null || !isSDWADef(found[1])) return null;
    const imm = (o: OperandId, name: string): number => {
      const at = forms.named(editor.instrOf(o), name);
      return at < 0 ? -1 : fn.opVal[at];
    };
    const [sel, other] = [imm(found[0], 'dst_sel'), imm(found[1], 'dst_sel')];
    if (BESIDE[sel]?.includes(other) !== true || imm(found[1], 'dst_unused') !== Unused.Pad) return null;
    const target = forms.named(i, 'vdst');
    if ((fn.opFlags[target] & OpFlag.Def) === 0) return null;
    return { kind: 'preserve', parent: i, target, replaced: found[0], sel, isSigned: false, preserved: found[1] };
  }
}

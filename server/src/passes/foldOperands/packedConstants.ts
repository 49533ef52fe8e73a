/** si-fold-operands: constants in packed instructions, whose halves op_sel chooses (docs/llvm/folding.md, 5). */
import { type InstrId } from '../../model/machineFunction.js';
import {
  isDOT,
  isMAI,
  isPacked,
  isSWMMAC,
  isVOP3,
  isVOP3P,
  isWMMA,
  OperandType,
  type OpName,
} from '../../target/index.js';
import type { InstrForms } from '../instrForms.js';
import { immOf, type Value64 } from './foldableDef.js';

/** SISrcMods: a half is taken from the high half of the source */
const OP_SEL_0 = 4;
const OP_SEL_1 = 8;

const PACKED_TYPES: ReadonlySet<OperandType> = new Set([
  OperandType.RegImmV2FP16,
  OperandType.RegImmV2BF16,
  OperandType.RegImmV2Int16,
  OperandType.RegImmNoInlineV2FP16,
  OperandType.InlineV2FP16,
  OperandType.InlineV2BF16,
  OperandType.InlineV2Int16,
]);

const OPPOSITE: Readonly<Record<string, string>> = { V_PK_ADD_U16: 'V_PK_SUB_U16', V_PK_SUB_U16: 'V_PK_ADD_U16' };

export class PackedConstants {
  constructor(private readonly forms: InstrForms) {}

  /** @llvm SIFoldOperands.cpp SIFoldOperandsImpl::canUseImmWithOpSel */
  canUse(i: InstrId, k: number, { lo }: Value64): boolean {
    const { fn, tables, legality } = this.forms;
    const opcode = fn.opcode[i];
    const { subtarget: st } = fn;
    if (!isPacked(tables, opcode) || isMAI(tables, opcode) || isWMMA(tables, opcode) || isSWMMAC(tables, opcode))
      return false;
    if (isDOT(tables, opcode) && (st.hasFeature('gfx940-insts') || st.hasFeature('gfx11-insts'))) return false;
    if (!PACKED_TYPES.has(legality.typeOf(opcode, k))) return false;
    return !isVOP3(tables, opcode) || isVOP3P(tables, opcode) || (lo & 0xffff) === lo >>> 16;
  }

  /**
   * Puts a constant at operand `k`, as it is or with other halves chosen, where that needs no literal.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryFoldImmWithOpSel
   */
  tryFold(i: InstrId, k: number, value: Value64): boolean {
    const { forms } = this;
    const { fn, tables } = forms;
    const opcode = fn.opcode[i];
    const type = forms.legality.typeOf(opcode, k);
    const isInline = (lo: number): boolean => forms.facts.isInlineHalves(lo, lo >> 31, type);
    const put = (chosen: Value64): true => {
      forms.editor.setOperand(fn.opBegin[i] + k, immOf(chosen));
      return true;
    };
    if (isInline(value.lo)) return put(value);
    const source = tables.operandName(opcode, k);
    const modifiers = forms.named(i, `${source}_modifiers` satisfies OpName);
    const old = fn.opVal[modifiers];
    const low = (old & OP_SEL_0) !== 0 ? value.lo >>> 16 : value.lo & 0xffff;
    const high = (old & OP_SEL_1) !== 0 ? value.lo >>> 16 : value.lo & 0xffff;
    const rest = old & ~(OP_SEL_0 | OP_SEL_1);
    const choose = (unsigned: number, selected: number): true => {
      fn.opVal[modifiers] = rest | selected;
      return put({ lo: unsigned | 0, hi: 0 });
    };
    const tryHalves = (lo: number, hi: number): boolean => {
      const whole = (hi << 16) | lo;
      if (isInline(whole)) return choose(whole, OP_SEL_1);
      if (lo !== hi) {
        const swapped = (lo << 16) | hi;
        return isInline(swapped) && choose(swapped, OP_SEL_0);
      }
      if (isInline(lo)) return choose(lo, 0);
      const signed = (lo << 16) >> 16;
      if (signed < 0 && isInline(signed)) {
        fn.opVal[modifiers] = rest;
        return put({ lo: signed, hi: -1 });
      }
      return type === OperandType.RegImmV2Int16 && isInline(lo << 16) && choose(lo << 16, OP_SEL_0 | OP_SEL_1);
    };
    if (tryHalves(low, high)) return true;
    const name = tables.opcodeName(opcode);
    if (source !== 'src1' || !Object.hasOwn(OPPOSITE, name) || forms.isSet(i, 'clamp')) return false;
    if (!tryHalves(-low & 0xffff, -high & 0xffff)) return false;
    fn.opcode[i] = forms.opcode(OPPOSITE[name]);
    return true;
  }
}

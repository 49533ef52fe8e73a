/** si-fold-operands: what a REG_SEQUENCE is put together of (docs/llvm/folding.md, 3). */
import { operandOf } from '../../model/edit/functionEditor.js';
import { OperandKind, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { OperandType, type RegClassId } from '../../target/index.js';
import type { InstrForms } from '../instrForms.js';
import { isSourceType } from '../operandLegality.js';
import { Unmodelled } from '../registerFacts.js';
import { immOf, valueOf, type Value64 } from './foldableDef.js';

const SPLAT_OF_WORDS: ReadonlySet<OperandType> = new Set([
  OperandType.InlineACInt32,
  OperandType.InlineACFP32,
  OperandType.InlineInt32,
  OperandType.InlineFP32,
]);
const SPLAT_OF_PAIRS: ReadonlySet<OperandType> = new Set([
  OperandType.InlineACFP64,
  OperandType.InlineFP64,
  OperandType.InlineInt64,
]);

/** Without SSA form copies may go round; llc does not come back from that. */
export const CIRCLE = 'copies that go round in a circle, which llc never leaves';

interface Parts {
  /** class that the parts have in common */
  readonly rc: RegClassId;
  /** each part's value, seen through copies where that is simple, and where it goes */
  readonly list: readonly { readonly o: OperandId; readonly sub: number }[];
}

/** One constant in all parts of a sequence. */
export interface Splat {
  readonly value: Value64;
  /** class of the parts that have it */
  readonly rc: RegClassId;
}

export class Sequences {
  constructor(private readonly forms: InstrForms) {}

  /** Which operand of a foldable copy is copied (SIInstrInfo::getFoldableCopySrcIdx). */
  copiedAt(i: InstrId): number {
    return this.forms.nameOf(i) === 'V_MOV_B16_t16_e64' ? 2 : 1;
  }

  /**
   * The operand at the end of the copies that make a register, -1 = none.
   * @llvm SIFoldOperands.cpp lookUpCopyChain
   */
  sourceOfCopies(reg: Reg): OperandId {
    const { fn, editor } = this.forms;
    let found = -1;
    let left = fn.vregs.n;
    for (let def = editor.defOf(reg); def >= 0 && this.forms.isFoldableCopy(def); def = editor.defOf(fn.opVal[found])) {
      if (left-- < 0) throw new Unmodelled(CIRCLE);
      const source = fn.opBegin[def] + this.copiedAt(def);
      if (fn.opKind[source] === OperandKind.Immediate) return source;
      if (fn.opKind[source] !== OperandKind.Register || !isVirtualReg(fn.opVal[source])) break;
      found = source;
      if (fn.opSub[source] !== 0) break;
    }
    return found;
  }

  /**
   * The parts of a sequence; null: they have no class in common.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::getRegSeqInit
   */
  partsOf(sequence: InstrId): Parts | null {
    const { forms } = this;
    const { fn, tables } = forms;
    const list: { o: OperandId; sub: number }[] = [];
    let rc = -1;
    for (let o = fn.opBegin[sequence] + 1; o < fn.opBegin[sequence + 1]; o += 2) {
      if (!isVirtualReg(fn.opVal[o])) return null;
      const own = forms.partClass(operandOf(fn, o));
      if (rc < 0) rc = own;
      else if (tables.getCommonSubClass(rc, own) < 0) return null;
      const source = fn.opSub[o] !== 0 ? -1 : this.sourceOfCopies(fn.opVal[o]);
      list.push({ o: source < 0 ? o : source, sub: fn.opVal[o + 1] });
    }
    return rc < 0 ? null : { rc, list };
  }

  /**
   * The constant that all words of a sequence have, or all its pairs of words; null: there is none.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::isRegSeqSplat
   */
  splatOf(sequence: InstrId): Splat | null {
    const { fn, tables } = this.forms;
    const parts = this.partsOf(sequence);
    if (parts === null) return null;
    const { list, rc } = parts;
    const values: Value64[] = [];
    for (const { o } of list) {
      if (fn.opKind[o] !== OperandKind.Immediate) return null;
      values.push(valueOf(operandOf(fn, o)));
    }
    const [first] = values;
    const isSame = (a: Value64, b: Value64): boolean => a.lo === b.lo && a.hi === b.hi;
    const other = values.findIndex((v) => !isSame(v, first));
    if (other < 0) return { value: first, rc };
    if (other !== 1 || (values.length & 1) !== 0) return null;
    const channel = (sub: number): number => tables.subRegOffset[sub] / 32;
    const pair = (k: number): Value64 => ({ lo: values[k].lo, hi: values[k + 1].lo });
    for (let k = 0; k < values.length; k += 2) {
      if (channel(list[k].sub) + 1 !== channel(list[k + 1].sub)) return null;
      if (!isSame(pair(k), pair(0))) return null;
    }
    const whole = fn.vregs.regClass[virtRegIndex(fn.opVal[fn.opBegin[sequence]])];
    return { value: pair(0), rc: tables.getSubRegisterClass(whole, tables.subRegIndexByName('sub0_sub1')) };
  }

  /**
   * Whether operand `k` may have the splat's constant in place of the sequence.
   * @llvm SIFoldOperands.cpp SIFoldOperandsImpl::tryFoldRegSeqSplat
   */
  takesSplat(i: InstrId, k: number, { value, rc }: Splat): boolean {
    const { fn, tables, legality } = this.forms;
    const opcode = fn.opcode[i];
    if (k >= tables.opcodeNumOperands(opcode)) return false;
    const type = legality.typeOf(opcode, k);
    if (!isSourceType(type)) return false;
    const wanted = fn.subtarget.opInfoRegClass(opcode, k);
    if (wanted < 0) return false;
    const isAnyWidth = value.lo === value.hi && (value.lo === 0 || value.lo === -1);
    if (!isAnyWidth) {
      const part = SPLAT_OF_WORDS.has(type) ? 'sub0' : SPLAT_OF_PAIRS.has(type) ? 'sub0_sub1' : '';
      if (part === '') return false;
      const element = tables.getSubRegisterClass(wanted, tables.subRegIndexByName(part));
      if (element < 0 || tables.getCommonSubClass(element, rc) < 0) return false;
    }
    return legality.isOperandLegal(i, k, immOf(value));
  }
}

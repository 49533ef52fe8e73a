/** peephole-opt: comparisons whose result an instruction before them leaves in SCC (SIInstrInfo::optimizeCompareInstr, LLVM 22; docs/llvm/improving-ssa.md, 2). */
import { immOperand, operandOf } from '../../model/edit/functionEditor.js';
import {
  OpFlag,
  OperandKind,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import type { PhysReg } from '../../target/index.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import type { InstrForms } from '../instrForms.js';
import { isDebugInstr } from '../instrOrder.js';
import { InstrQueries } from '../instrQueries.js';

/** relation, kind and size of a comparison */
const COMPARES = /^S_CMPK?_(EQ|LG|GT|GE|LT|LE)_(U|I)(32|64)$/;

/** They leave in SCC whether their result is another value than 0. */
const SETS_SCC_BY_RESULT = new OpcodePattern(
  /^S_(?:ABS_I32|ABSDIFF_I32|(?:AND|OR|XOR|ANDN2|ORN2|NAND|NOR|XNOR|NOT|LSHL|LSHR|WQM|QUADMASK)_B(?:32|64)|ASHR_I(?:32|64)|BFE_[IU](?:32|64)|BCNT[01]_I32_B(?:32|64))$/,
);
const SELECTS = new OpcodePattern(/^S_CSELECT_B(?:32|64)$/);
/** What can do the opposite. */
const INVERTIBLE = new OpcodePattern(/^S_(?:CSELECT_B(?:32|64)|CBRANCH_SCC[01])$/);
/** So many instructions behind a comparison may read its result. */
const READERS_WITHIN = 12;

/** What a comparison is with a mask of one bit: SCC of the AND, if the other side is this times the bit. */
interface MaskRule {
  readonly times: 0 | 1;
  /** the comparison with the other of the two values that the AND may have is the opposite */
  readonly isReversible: boolean;
}

const MASK_RULES: Readonly<Record<string, MaskRule>> = {
  EQ: { times: 1, isReversible: true },
  GE: { times: 1, isReversible: false },
  LG: { times: 0, isReversible: true },
  GT: { times: 0, isReversible: false },
};

export class ScalarCompares {
  private readonly fn: MachineFunction;
  private readonly scc: PhysReg;
  private readonly queries: InstrQueries;

  constructor(
    private readonly forms: InstrForms,
    private readonly erase: (i: InstrId) => void,
  ) {
    this.fn = forms.fn;
    this.scc = forms.tables.regByName('scc');
    this.queries = new InstrQueries(forms.fn);
  }

  /**
   * Takes the comparison out where it is redundant.
   * @llvm SIInstrInfo.cpp SIInstrInfo::optimizeCompareInstr
   */
  optimize(i: InstrId): boolean {
    const { fn, forms } = this;
    const [, relation = '', sign, bits] = COMPARES.exec(forms.nameOf(i)) ?? [];
    if (relation === '') return false;
    const [a, b] = [fn.opBegin[i], fn.opBegin[i] + 1];
    if (fn.opKind[a] !== OperandKind.Register || fn.opSub[a] !== 0 || !isVirtualReg(fn.opVal[a])) return false;
    const isReg = fn.opKind[b] === OperandKind.Register;
    if (isReg && (fn.opSub[b] !== 0 || !isVirtualReg(fn.opVal[b]))) return false;
    const value = this.constantAt(b);
    if (value === null) return false;
    const def = this.onlyDef(fn.opVal[a]);
    if (def < 0) return false;
    const is64 = bits === '64';
    const rule = Object.hasOwn(MASK_RULES, relation) ? MASK_RULES[relation] : null;
    const isOrdered = relation !== 'EQ' && relation !== 'LG';
    if (rule !== null && this.byMask(i, def, value, is64 ? 64 : 32, rule, isOrdered && sign === 'I')) return true;
    const { invertsComparisons } = fn.subtarget.release.rules;
    const isOpposite = relation === 'EQ';
    if (value !== 0n || (relation !== 'LG' && !(isOpposite && !is64 && invertsComparisons))) return false;
    return this.byResult(i, def, isOpposite);
  }

  private onlyDef(reg: Reg): InstrId {
    return isVirtualReg(reg) && this.forms.editor.hasOneDef(reg) ? this.forms.editor.defOf(reg) : -1;
  }

  /**
   * A constant, or one that a move puts into a register.
   * @llvm SIInstrInfo.cpp getFoldableImm
   */
  private constantAt(o: OperandId): bigint | null {
    const { fn, forms } = this;
    if (fn.opKind[o] === OperandKind.Immediate) return fn.immBigInt(o);
    if (fn.opKind[o] !== OperandKind.Register) return null;
    const def = this.onlyDef(fn.opVal[o]);
    if (def < 0 || !forms.isFoldableCopy(def)) return null;
    const source = fn.opBegin[def] + 1;
    return fn.opKind[source] === OperandKind.Immediate ? fn.immBigInt(source) : null;
  }

  /** A comparison with 0 of what leaves the same in SCC, or the opposite. */
  private byResult(i: InstrId, def: InstrId, isOpposite: boolean): boolean {
    const { fn, forms } = this;
    const isSelect = this.isSelectOfZero(def);
    if (!isSelect && !SETS_SCC_BY_RESULT.has(forms.tables, fn.opcode[def])) return false;
    if (!this.useSCC(def, i, isOpposite)) return false;
    this.dropHalves(def);
    return true;
  }

  /**
   * A choice between 0 and another constant.
   * @llvm SIInstrInfo.cpp foldableSelect
   */
  private isSelectOfZero(i: InstrId): boolean {
    const { fn } = this;
    if (!SELECTS.has(fn.tables, fn.opcode[i])) return false;
    const [a, b] = [fn.opBegin[i] + 1, fn.opBegin[i] + 2];
    const isImm = (o: OperandId): boolean => fn.opKind[o] === OperandKind.Immediate;
    return isImm(a) && isImm(b) && fn.immBigInt(a) !== 0n && fn.immBigInt(b) === 0n;
  }

  /** An S_OR of the two halves of such a choice, which nobody reads but by SCC. */
  private dropHalves(or: InstrId): void {
    const { fn, forms } = this;
    const { tables, editor } = forms;
    if (forms.nameOf(or) !== 'S_OR_B32' || !editor.isUnread(fn.opVal[fn.opBegin[or]])) return;
    const halves = [1, 2].map((k) => {
      const o = fn.opBegin[or] + k;
      const def = fn.opKind[o] === OperandKind.Register ? this.onlyDef(fn.opVal[o]) : -1;
      return def >= 0 && fn.opcode[def] === tables.opcodeByName('COPY') ? fn.opBegin[def] + 1 : -1;
    });
    if (halves[0] < 0 || halves[1] < 0 || fn.opVal[halves[0]] !== fn.opVal[halves[1]]) return;
    const [lo, hi] = halves.map((o) => fn.opSub[o]);
    if (lo !== tables.subRegIndexByName('sub0') || hi !== tables.subRegIndexByName('sub1')) return;
    const select = this.onlyDef(fn.opVal[halves[0]]);
    if (select >= 0 && this.isSelectOfZero(select)) this.useSCC(select, or);
  }

  /** A comparison of an AND with a mask of one bit; an AND that nobody else reads becomes S_BITCMP. */
  private byMask(i: InstrId, def: InstrId, value: bigint, bits: number, rule: MaskRule, isSigned: boolean): boolean {
    const { fn, forms } = this;
    const { editor } = forms;
    if (!/^S_AND_B(?:32|64)$/.test(forms.nameOf(def))) return false;
    const begin = fn.opBegin[def];
    let source = -1;
    let mask = 0n;
    for (const [k, other] of [
      [1, 2],
      [2, 1],
    ]) {
      mask = BigInt.asUintN(bits, this.constantAt(begin + k) ?? 0n);
      if (mask === 0n || (mask & (mask - 1n)) !== 0n) continue;
      source = begin + other;
      break;
    }
    if (source < 0) return false;
    const bit = mask.toString(2).length - 1;
    if (isSigned && bit === bits - 1) return false;
    const expected = BigInt.asIntN(64, BigInt(rule.times) << BigInt(bit));
    const isReversed = value !== expected;
    if (isReversed && (!rule.isReversible || value !== (expected ^ BigInt.asIntN(64, mask)))) return false;
    const result = fn.opVal[begin];
    if (isReversed && editor.onlyUse(result) < 0) return false;
    if (!this.useSCC(def, i)) return false;
    if (!editor.isUnread(result)) return true;
    const opcode = forms.opcode(`S_BITCMP${isReversed ? 0 : 1}_B${bits}`);
    forms.builder.build(def, def, opcode, [operandOf(fn, source), immOperand(bit)]);
    this.erase(def);
    return true;
  }

  /**
   * Takes out what defines SCC as `from` has left it, or its opposite, where nothing writes it in between.
   * @llvm SIInstrInfo.cpp SIInstrInfo::optimizeSCC
   */
  private useSCC(from: InstrId, redundant: InstrId, isOpposite = false): boolean {
    const { fn, forms, scc } = this;
    if (fn.instrBlock[from] !== fn.instrBlock[redundant]) return false;
    let kills = -1;
    for (let i = forms.editor.list.after(from); i !== redundant; i = forms.editor.list.after(i)) {
      if (i < 0 || this.queries.modifies(i, scc)) return false;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        if (fn.opVal[o] === scc && (fn.opFlags[o] & (OpFlag.Def | OpFlag.Kill)) === OpFlag.Kill) kills = o;
    }
    if (isOpposite && !this.invertReaders(redundant)) return false;
    for (let o = fn.firstReg(from); o >= 0; o = fn.nextReg(from, o))
      if (fn.opVal[o] === scc && (fn.opFlags[o] & OpFlag.Def) !== 0) {
        fn.opFlags[o] &= ~OpFlag.Dead;
        break;
      }
    if (kills >= 0) fn.opFlags[kills] &= ~OpFlag.Kill;
    this.erase(redundant);
    return true;
  }

  /**
   * What reads the SCC that `def` defines does what it does for the opposite: branches and choices alone, and not too far away.
   * @llvm SIInstrInfo.cpp SIInstrInfo::invertSCCUse
   */
  private invertReaders(def: InstrId): boolean {
    const { fn, forms, queries, scc } = this;
    const { list } = forms.editor;
    const readers: InstrId[] = [];
    let i = list.after(def);
    for (let left = READERS_WITHIN; i >= 0; i = list.after(i)) {
      if (isDebugInstr(fn, i)) continue;
      if (left-- === 0) return false;
      if (queries.reads(i, scc)) {
        if (!INVERTIBLE.has(fn.tables, fn.opcode[i])) return false;
        readers.push(i);
      }
      if (queries.modifies(i, scc)) break;
    }
    const { successors } = fn.blocks[fn.instrBlock[def]];
    if (i < 0 && successors.some((b) => fn.blocks[b].liveIns.some(({ reg }) => reg === scc))) return false;
    for (const reader of readers) this.invert(reader);
    return true;
  }

  private invert(i: InstrId): void {
    const { fn, forms } = this;
    const name = forms.nameOf(i);
    if (!SELECTS.has(fn.tables, fn.opcode[i])) {
      fn.opcode[i] = forms.opcode(name === 'S_CBRANCH_SCC1' ? 'S_CBRANCH_SCC0' : 'S_CBRANCH_SCC1');
      return;
    }
    const [a, b] = [fn.opBegin[i] + 1, fn.opBegin[i] + 2];
    const [x, y] = [operandOf(fn, a), operandOf(fn, b)];
    forms.editor.setOperand(a, y);
    forms.editor.setOperand(b, x);
  }
}

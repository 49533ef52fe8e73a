/**
 * Packed 32-bit floats behind a matrix product become two instructions each, as long as the product takes: these are issued beside it, packed ones are not
 * (SIPreEmitPeephole, LLVM 22; docs/llvm/late-passes.md, 6).
 */
import {
  immOperand,
  operandOf,
  regOperand,
  type FunctionEditor,
  type NewOperand,
} from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import { BundleFlag, OpFlag, OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { McFlag, type OpName, type PhysReg } from '../../target/api.js';
import { isDOT, isMFMA, isTRANS, isVALU } from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { changesMode } from '../emptyExec.js';
import { allInstrs } from '../instrOrder.js';
import { InstrQueries } from '../instrQueries.js';
import { NotModelled } from '../machinePass.js';
import type { LatencyModel } from '../scheduler/dag/latency.js';

/** What a packed instruction is twice. */
const HALVES: Readonly<Record<string, string>> = {
  V_PK_ADD_F32: 'V_ADD_F32_e64',
  V_PK_MUL_F32: 'V_MUL_F32_e64',
  V_PK_FMA_F32: 'V_FMA_F32_e64',
};

/** Of the VALU, besides transcendental and dot products and those of matrices, what no matrix product is issued beside (SIInstrInfo::isNeverCoissue). */
const NEVER_BESIDE = new OpcodePattern(
  /^V_(?:CVT_PK_[BF][FP]8_F32_e64|M?QSAD_PK_U16_U8_e64|MQSAD_U32_U8_e64|PK_(?:(?:ADD|FMA|MAX|MIN|MUL)_F16|(?:ADD|FMA|MUL)_F32|(?:ADD|MAD|MAX|MIN|SUB)_[IU]16|ASHRREV_I16|FMAC_F16_e(?:32|64)|LSH[LR]REV_B16|MOV_B32|MUL_LO_U16))$/,
);

const SOURCES = ['src0', 'src1', 'src2'] as const;
/** Source modifiers: which half the low and the high result take, and which of the two is negated */
const NEG = 1;
const NEG_HI = 2;
const OP_SEL_0 = 4;
const OP_SEL_1 = 8;
/** Cycles of the two instructions that a packed one becomes */
const CYCLES_OF_HALVES = 2;

export function unpackBehindProducts(editor: FunctionEditor, latencies: LatencyModel): void {
  const { fn } = editor;
  for (let b = 0; b < fn.blocks.length; b++) {
    const chosen = new Set<InstrId>();
    const all = allInstrs(editor, b);
    const unpacking = new Unpacking(editor, latencies);
    for (const [k, i] of all.entries())
      if (isMFMA(fn.tables, fn.opcode[i])) unpacking.choose(i, all.slice(k + 1), chosen);
    for (const i of chosen) unpacking.unpack(i);
  }
}

class Unpacking {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly builder: InstrBuilder;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly latencies: LatencyModel,
  ) {
    this.fn = editor.fn;
    this.queries = new InstrQueries(editor.fn);
    this.builder = new InstrBuilder(editor);
  }

  private cyclesOf(i: InstrId): number {
    return this.latencies.classDesc(i)?.writeProcRes[0]?.releaseAtCycle ?? 0;
  }

  /**
   * Packed instructions that are issued while a matrix product takes its cycles.
   * @llvm SIPreEmitPeephole.cpp SIPreEmitPeephole::collectUnpackingCandidates
   */
  choose(product: InstrId, behind: readonly InstrId[], chosen: Set<InstrId>): void {
    const { fn, queries } = this;
    const end = this.cyclesOf(product) - 1;
    const result = fn.opVal[fn.opBegin[product]];
    const exec = fn.tables.regByName('exec');
    let cycles = 0;
    for (const i of behind) {
      const isPacked = queries.name(i) in HALVES;
      if (queries.isMeta(i)) continue;
      if (queries.has(i, McFlag.Terminator) || (!isPacked && this.isNeverBeside(i))) return;
      if (changesMode(fn, i) && queries.modifies(i, exec)) return;
      const own = this.cyclesOf(i);
      cycles += own;
      if (cycles >= end) return;
      if (queries.regOperands(i).some((o) => queries.overlaps(fn.opVal[o], result))) return;
      if (!isPacked) continue;
      if (this.readsOwnResult(i)) return;
      cycles += CYCLES_OF_HALVES - own;
      if (cycles < end) chosen.add(i);
    }
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::isNeverCoissue */
  private isNeverBeside(i: InstrId): boolean {
    const { tables, opcode } = this.fn;
    const opc = opcode[i];
    if (!isVALU(tables, opc)) return false;
    return isTRANS(tables, opc) || isDOT(tables, opc) || isMFMA(tables, opc) || NEVER_BESIDE.has(tables, opc);
  }

  private half(reg: PhysReg, isHigh: boolean): PhysReg {
    const { tables } = this.fn;
    return tables.getSubReg(reg, tables.subRegIndexByName(isHigh ? 'sub1' : 'sub0'));
  }

  /**
   * Whether the second instruction would read what the first one has written.
   * @llvm SIPreEmitPeephole.cpp SIPreEmitPeephole::canUnpackingClobberRegister
   */
  private readsOwnResult(i: InstrId): boolean {
    const { fn, queries } = this;
    const result = this.half(fn.opVal[fn.opBegin[i]], false);
    return SOURCES.some((name) => {
      const reg = queries.namedReg(i, name);
      if (reg === 0) return false;
      const takesHigh = (queries.imm(i, modifiersOf(name)) & OP_SEL_1) !== 0;
      return queries.overlaps(result, this.half(reg, takesHigh));
    });
  }

  /** @llvm SIPreEmitPeephole.cpp SIPreEmitPeephole::performF32Unpacking */
  unpack(i: InstrId): void {
    const { fn, editor, queries, builder } = this;
    if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0) throw new NotModelled('packed instructions in a bundle');
    const opcode = fn.tables.opcodeByName(HALVES[queries.name(i)]);
    for (const isHigh of [false, true]) {
      const operands = [regOperand(this.half(fn.opVal[fn.opBegin[i]], isHigh), OpFlag.Def)];
      for (const name of SOURCES) if (queries.named(i, name) >= 0) operands.push(...this.sourceOf(i, name, isHigh));
      operands.push(immOperand(queries.imm(i, 'clamp')), immOperand(0));
      const made = builder.build(i, i, opcode, operands);
      fn.instrFlags[made] = fn.instrFlags[i];
    }
    editor.erase(i);
  }

  /**
   * The half of a source with its modifiers. A register of which both results take the same half ends at the second one.
   * @llvm SIPreEmitPeephole.cpp SIPreEmitPeephole::addOperandAndMods
   */
  private sourceOf(i: InstrId, name: (typeof SOURCES)[number], isHigh: boolean): NewOperand[] {
    const { fn, queries } = this;
    const modifiers = queries.imm(i, modifiersOf(name));
    const negated = immOperand((modifiers & (isHigh ? NEG_HI : NEG)) === 0 ? 0 : NEG);
    const source = operandOf(fn, queries.named(i, name));
    if (source.kind !== OperandKind.Register) return [negated, source];
    const takesHigh = (modifiers & (isHigh ? OP_SEL_1 : OP_SEL_0)) !== 0;
    const takeTheSame = ((modifiers & OP_SEL_0) !== 0) === ((modifiers & OP_SEL_1) !== 0);
    const kill = takeTheSame && !isHigh ? 0 : (source.flags ?? 0) & OpFlag.Kill;
    return [negated, regOperand(this.half(source.val, takesHigh), kill)];
  }
}

const modifiersOf = (name: (typeof SOURCES)[number]): OpName => `${name}_modifiers`;

/**
 * What a Data edge between two operands is about (LLVM 24; docs/llvm/schedule-dag.md, 7.3): a packed instruction may read one half of a
 * register alone, of physical registers the smaller one counts, and where the two have nothing in common no value flows.
 */
import type { InstrId, MachineFunction, OperandId } from '../../../model/machineFunction.js';
import type { Reg } from '../../../model/register.js';
import type { Opcode, SubRegIdx, TargetTables } from '../../../target/api.js';
import { isSWMMAC, isVOP3P, isWMMA } from '../../../target/opcodes.js';
import { opcodeSet } from '../../../target/opcodeSets.js';

/** Bits of `srcN_modifiers`: the half that is taken first, and second. */
const OP_SEL = 1 << 2;
const OP_SEL_HI = 1 << 3;

const MODIFIERS: ReadonlyMap<string, string> = new Map([
  ['src0', 'src0_modifiers'],
  ['src1', 'src1_modifiers'],
  ['src2', 'src2_modifiers'],
]);

export class RealDependence {
  private readonly tables: TargetTables;
  private readonly mixes: ReadonlySet<Opcode>;
  private readonly halves: Readonly<Record<'sub0' | 'sub1' | 'lo16' | 'hi16', SubRegIdx>>;

  constructor(private readonly fn: MachineFunction) {
    const { tables } = fn;
    this.tables = tables;
    this.mixes = opcodeSet(tables, 'mixesHalves');
    const index = (name: string): SubRegIdx => tables.subRegIndexByName(name);
    this.halves = { sub0: index('sub0'), sub1: index('sub1'), lo16: index('lo16'), hi16: index('hi16') };
  }

  /**
   * The register that flows, or 0 where none does.
   * @llvm GCNSubtarget.cpp GCNSubtarget::getRealSchedDependency
   */
  between(def: InstrId, defIdx: number, use: InstrId, useIdx: number): Reg {
    const { fn, tables } = this;
    const defOp = fn.opBegin[def] + defIdx;
    const defReg = fn.opVal[defOp];
    const defSub = fn.opSub[defOp];
    if (defReg < 0 && defSub === 0) return defReg;
    const half = this.halfRead(use, fn.opBegin[use] + useIdx, useIdx);
    const useReg = fn.opVal[fn.opBegin[use] + useIdx];
    if (useReg < 0) {
      if (half === 0) return defReg;
      // LLVM counts the half from the beginning of the register, though the operand may be a part of it.
      const { subRegLaneLo, subRegLaneHi } = tables;
      const meets =
        (subRegLaneLo[defSub] & subRegLaneLo[half]) !== 0 || (subRegLaneHi[defSub] & subRegLaneHi[half]) !== 0;
      return meets ? defReg : 0;
    }
    const read = half === 0 ? useReg : tables.getSubReg(useReg, half);
    if (read === defReg) return defReg;
    if (!tables.regsOverlap(defReg, read)) return 0;
    return tables.isSubRegister(defReg, read) ? read : defReg;
  }

  /** The sub-register that the operand reads of its register, 0 = all of it. */
  private halfRead(use: InstrId, o: OperandId, index: number): SubRegIdx {
    const { fn, tables, halves } = this;
    const opc = fn.opcode[use];
    if (!isVOP3P(tables, opc) || isWMMA(tables, opc) || isSWMMAC(tables, opc)) return 0;
    const name = MODIFIERS.get(tables.operandName(opc, index));
    const at = name === undefined ? -1 : tables.getNamedOperandIdx(opc, name);
    if (at < 0) return 0;
    const modifiers = fn.opVal[fn.opBegin[use] + at];
    const isHigh = (modifiers & OP_SEL) !== 0;
    const takesSecond = (modifiers & OP_SEL_HI) !== 0;
    // Of a mix the second bit says that it reads a half at all, of others which half comes second.
    if (this.mixes.has(opc) ? !takesSecond : isHigh !== takesSecond) return 0;
    const dword = isHigh ? halves.sub1 : halves.sub0;
    if (this.hasPart(o, dword)) return dword;
    const word = isHigh ? halves.hi16 : halves.lo16;
    return this.hasPart(o, word) ? word : 0;
  }

  private hasPart(o: OperandId, part: SubRegIdx): boolean {
    const { fn, tables } = this;
    const reg = fn.opVal[o];
    if (reg >= 0) return tables.getSubReg(reg, part) !== 0;
    const whole = fn.vregs.regClass[~reg];
    const rc = fn.opSub[o] === 0 ? whole : tables.getSubRegisterClass(whole, fn.opSub[o]);
    return rc >= 0 && tables.getSubClassWithSubReg(rc, part) === rc;
  }
}

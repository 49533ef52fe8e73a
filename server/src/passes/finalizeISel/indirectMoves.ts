/** Elements of vectors that an index in a register selects: SI_INDIRECT_SRC and SI_INDIRECT_DST (docs/llvm/selected-code.md, 2). */
import { immOperand, operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OpFlag, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { NO_REG, type Reg } from '../../model/register.js';
import type { SubRegIdx } from '../../target/api.js';
import type { LaneMaskOps } from '../laneMaskOps.js';
import { emitLaneLoop } from './laneLoop.js';
import type { PseudoBuilder } from './pseudoBuilder.js';

/** Elements that the tables have pseudo instructions for. */
const ELEMENTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 32];

/**
 * Replaces them. The register is named by an offset in M0, or in the mode of S_SET_GPR_IDX_ON; a divergent index takes a loop over its values.
 * @llvm SIISelLowering.cpp emitIndirectSrc
 * @llvm SIISelLowering.cpp emitIndirectDst
 */
export class IndirectMoves {
  private readonly usesIndexMode: boolean;

  /** `prefersIndexMode`: that mode where the processor has both. */
  constructor(
    private readonly builder: PseudoBuilder,
    private readonly ops: LaneMaskOps,
    prefersIndexMode: boolean,
  ) {
    const { subtarget } = builder.fn;
    this.usesIndexMode =
      !subtarget.hasFeature('movrel') || (prefersIndexMode && subtarget.hasFeature('vgpr-index-mode'));
  }

  /** Operands: result, vector, index, offset, and what is written. */
  expand(i: InstrId, isWrite: boolean): void {
    const { builder, ops } = this;
    const { fn, editor, facts, tables } = builder;
    const at = (k: number): OperandId => fn.opBegin[i] + k;
    const to = fn.opVal[at(0)];
    const vector = fn.opVal[at(1)];
    const index = fn.opVal[at(2)];
    const [sub, offset] = this.place(vector, fn.imm(at(3)));
    if (index === NO_REG) {
      builder.emit(i, 'INSERT_SUBREG', to, operandOf(fn, at(1)), operandOf(fn, at(4)), immOperand(sub));
      return;
    }
    if (tables.isSGPRClass(facts.classOf(index))) {
      const operand = operandOf(fn, at(2));
      this.move(i, i, isWrite, vector, sub, this.indexFrom(i, i, operand, offset, 'sreg_32_xm0'));
      return;
    }
    const rc = facts.classOf(isWrite ? vector : to);
    const phi = builder.newVReg(rc);
    let first = vector;
    if (isWrite) editor.clearKillFlags(fn.opVal[at(4)]);
    else {
      first = builder.newVReg(rc);
      builder.emit(i, 'IMPLICIT_DEF', first);
    }
    emitLaneLoop(builder, ops, i, at(2), { first, next: to, phi }, (end, value) => {
      const from = this.indexFrom(i, end, regOperand(value, OpFlag.Kill), offset, 'sgpr_32');
      this.move(i, end, isWrite, isWrite ? phi : vector, sub, from);
    });
  }

  /**
   * The subregister that an index of 0 names, and what is left to be added to the index; all of it where it is no element.
   * @llvm SIISelLowering.cpp computeIndirectRegAndOffset
   */
  private place(vector: Reg, offset: number): readonly [SubRegIdx, number] {
    const { tables } = this.builder;
    const isElement = offset >= 0 && offset < this.elementsOf(vector);
    return isElement ? [tables.subRegIndexByName(`sub${offset}`), 0] : [tables.subRegIndexByName('sub0'), offset];
  }

  private elementsOf(vector: Reg): number {
    const { facts, tables } = this.builder;
    return tables.regClassBits[facts.classOf(vector)] / 32;
  }

  /** The index with the offset: in M0 (null), or the operand that has it. `rc`: the class of a sum. */
  private indexFrom(i: InstrId, at: ListPos, index: NewOperand, offset: number, rc: string): NewOperand | null {
    const { builder, usesIndexMode } = this;
    const { tables } = builder;
    if (usesIndexMode && offset === 0) return regOperand(index.val);
    const to = usesIndexMode ? builder.newVReg(tables.regClassByName(rc)) : tables.regByName('m0');
    if (offset === 0) builder.emitAt(at, i, 'COPY', to, index);
    else builder.emitAt(at, i, 'S_ADD_I32', to, index, immOperand(offset));
    return usesIndexMode ? regOperand(to) : null;
  }

  private move(i: InstrId, at: ListPos, isWrite: boolean, vector: Reg, sub: SubRegIdx, index: NewOperand | null): void {
    const { builder } = this;
    const { fn } = builder;
    const to = fn.opVal[fn.opBegin[i]];
    const n = ELEMENTS.find((k) => k >= this.elementsOf(vector));
    const more = [...(index === null ? [] : [index]), immOperand(sub)];
    if (isWrite) {
      const name = `V_INDIRECT_REG_WRITE_${index === null ? 'MOVREL' : 'GPR_IDX'}_B32_V${n}`;
      builder.emitAt(at, i, name, to, regOperand(vector), operandOf(fn, fn.opBegin[i] + 4), ...more);
    } else if (index === null)
      builder.emitAt(at, i, 'V_MOVRELS_B32_e32', to, regOperand(vector, 0, sub), regOperand(vector, OpFlag.Implicit));
    else builder.emitAt(at, i, `V_INDIRECT_REG_READ_GPR_IDX_B32_V${n}`, to, regOperand(vector), ...more);
  }
}

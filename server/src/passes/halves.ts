/** Halves of 64-bit sources, for operations in two steps. */
import { immOperand, regOperand, type NewOperand } from '../model/edit/functionEditor.js';
import type { InstrBuilder } from '../model/edit/instrBuilder.js';
import { OpFlag, OperandKind, type InstrId, type OperandId } from '../model/machineFunction.js';
import type { RegClassId } from '../target/api.js';

/**
 * Half 0 or 1 of a source of `i`, copied in front of it into a register of the class `rc`; a part of a register goes through one of the class `whole` first.
 * @llvm SIInstrInfo.cpp SIInstrInfo::buildExtractSubRegOrImm
 */
export function extractHalf(
  builder: InstrBuilder,
  i: InstrId,
  o: OperandId,
  k: 0 | 1,
  whole: RegClassId,
  rc: RegClassId,
): NewOperand {
  const { fn } = builder;
  const { tables } = fn;
  if (fn.opKind[o] === OperandKind.Immediate) return immOperand(k === 0 ? fn.opVal[o] : fn.opExt[o]);
  const copy = tables.opcodeByName('COPY');
  const half = builder.newVReg(rc);
  let from = fn.opVal[o];
  if (fn.opSub[o] !== 0) {
    const part = regOperand(from, 0, fn.opSub[o]);
    from = builder.newVReg(whole);
    builder.build(i, i, copy, [regOperand(from, OpFlag.Def), part]);
  }
  const sub = tables.subRegIndexByName(k === 0 ? 'sub0' : 'sub1');
  builder.build(i, i, copy, [regOperand(half, OpFlag.Def), regOperand(from, 0, sub)]);
  return regOperand(half);
}

/** WAVE_REDUCE_*: one value of all lanes, 32-bit integers (docs/llvm/selected-code.md, 2). */
import { immOperand, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type BlockId, type InstrId } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import type { LaneMaskOps } from '../laneMaskOps.js';
import { splitForLoop } from './laneLoop.js';
import type { PseudoBuilder } from './pseudoBuilder.js';

interface Reduction {
  /** combines two values */
  readonly opcode: string;
  /** what changes no value */
  readonly identity: number;
  /** of the same value in all lanes: the value, or something of how many there are */
  readonly ofEqual: 'value' | 'sum' | 'parity' | 'negative sum';
}

const REDUCTIONS: Readonly<Record<string, Reduction>> = {
  UMIN_PSEUDO_U32: { opcode: 'S_MIN_U32', identity: 0xffff_ffff, ofEqual: 'value' },
  MIN_PSEUDO_I32: { opcode: 'S_MIN_I32', identity: 0x7fff_ffff, ofEqual: 'value' },
  UMAX_PSEUDO_U32: { opcode: 'S_MAX_U32', identity: 0, ofEqual: 'value' },
  MAX_PSEUDO_I32: { opcode: 'S_MAX_I32', identity: 0x8000_0000, ofEqual: 'value' },
  ADD_PSEUDO_I32: { opcode: 'S_ADD_I32', identity: 0, ofEqual: 'sum' },
  SUB_PSEUDO_I32: { opcode: 'S_SUB_I32', identity: 0, ofEqual: 'negative sum' },
  AND_PSEUDO_B32: { opcode: 'S_AND_B32', identity: 0xffff_ffff, ofEqual: 'value' },
  OR_PSEUDO_B32: { opcode: 'S_OR_B32', identity: 0, ofEqual: 'value' },
  XOR_PSEUDO_B32: { opcode: 'S_XOR_B32', identity: 0, ofEqual: 'parity' },
};

/** How the pseudo instruction reduces; undefined: it is none of those that are modelled. */
export const reductionOf = (name: string): Reduction | undefined => REDUCTIONS[name.replace('WAVE_REDUCE_', '')];

/**
 * Emits it in place of `i`, which stays. A uniform value is computed with the number of lanes, a divergent one in a loop over them.
 * @llvm SIISelLowering.cpp lowerWaveReduce
 */
export function emitWaveReduction(b: PseudoBuilder, ops: LaneMaskOps, i: InstrId, reduction: Reduction): void {
  const { fn } = b;
  const from = fn.opVal[fn.opBegin[i] + 1];
  if (b.tables.isSGPRClass(b.facts.classOf(from))) reduceUniform(b, ops, i, from, reduction);
  else reduceLanes(b, ops, i, from, reduction);
}

function reduceUniform(b: PseudoBuilder, ops: LaneMaskOps, i: InstrId, from: Reg, { ofEqual }: Reduction): void {
  const { fn, tables } = b;
  const to = fn.opVal[fn.opBegin[i]];
  if (ofEqual === 'value') {
    b.emit(i, 'S_MOV_B32', to, regOperand(from));
    return;
  }
  const sreg = tables.regClassByName('sreg_32');
  const lanes = b.newVReg(ops.waveMaskClass);
  const count = b.newVReg(sreg);
  b.build(i, i, ops.mov, [regOperand(lanes, OpFlag.Def), regOperand(ops.exec)]);
  b.emit(i, `S_BCNT1_I32_B${fn.subtarget.wavefrontSize}`, count, regOperand(lanes));
  const scc = tables.regByName('scc');
  if (ofEqual === 'parity') {
    const parity = b.newVReg(sreg);
    const deadSCC = regOperand(scc, OpFlag.Implicit | OpFlag.Def | OpFlag.Dead);
    b.emit(i, 'S_AND_B32', parity, regOperand(count), immOperand(1), deadSCC);
    b.emit(i, 'S_MUL_I32', to, regOperand(from), regOperand(parity));
  } else if (ofEqual === 'negative sum') {
    const negative = b.newVReg(b.facts.classOf(to));
    b.emit(i, 'S_SUB_I32', negative, immOperand(0), regOperand(from));
    b.emit(i, 'S_MUL_I32', to, regOperand(negative), regOperand(count));
  } else b.emit(i, 'S_MUL_I32', to, regOperand(from), regOperand(count));
}

function reduceLanes(b: PseudoBuilder, ops: LaneMaskOps, i: InstrId, from: Reg, { opcode, identity }: Reduction): void {
  const { fn, editor, tables } = b;
  const bits = fn.subtarget.wavefrontSize;
  const to = fn.opVal[fn.opBegin[i]];
  const rc = b.facts.classOf(to);
  const { entry, loop } = splitForLoop(editor, i);
  const block = (val: BlockId): NewOperand => ({ kind: OperandKind.MBB, val });
  const lanes = b.newVReg(ops.waveMaskClass);
  const first = b.newVReg(rc);
  b.build(i, i, ops.mov, [regOperand(lanes, OpFlag.Def), regOperand(ops.exec)]);
  b.emit(i, 'S_MOV_B32', first, immOperand(identity));
  b.build(i, i, tables.opcodeByName('S_BRANCH'), [block(loop)]);

  const sum = b.newVReg(rc);
  const left = b.newVReg(ops.waveMaskClass);
  const others = b.newVReg(ops.waveMaskClass);
  const lane = b.newVReg(tables.regClassByName('sreg_32'));
  const value = b.newVReg(rc);
  const emit = (name: string, reg: Reg, ...operands: NewOperand[]): InstrId =>
    b.emitAt(~loop, i, name, reg, ...operands);
  emit('PHI', sum, regOperand(first), block(entry), regOperand(to), block(loop));
  emit('PHI', left, regOperand(lanes), block(entry), regOperand(others), block(loop));
  emit(`S_FF1_I32_B${bits}`, lane, regOperand(left));
  emit('V_READLANE_B32', value, regOperand(from), regOperand(lane));
  emit(opcode, to, regOperand(sum), regOperand(value));
  emit(`S_BITSET0_B${bits}`, others, regOperand(lane), regOperand(left));
  b.build(~loop, i, tables.opcodeByName(`S_CMP_LG_U${bits}`), [regOperand(others), immOperand(0)]);
  b.build(~loop, i, tables.opcodeByName('S_CBRANCH_SCC1'), [block(loop)]);
}

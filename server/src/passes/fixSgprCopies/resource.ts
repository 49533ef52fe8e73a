/**
 * Buffer instructions of gfx6 and gfx7 whose resource is in vector registers: its address is added to the vector address, and what is left of the resource
 * is the same for all lanes (SIInstrInfo::legalizeOperands and extractRsrcPtr, LLVM 22; docs/llvm/sgpr-copies.md, section 6).
 */
import { operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { OperandKind, OpFlag, type InstrId, type OperandId } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import { dataFormat } from '../resourceFormat.js';
import type { Builder } from './builder.js';

const imm = (val: number): NewOperand => ({ kind: OperandKind.Immediate, val, ext: 0 });

/**
 * The address part of the resource, which then is one without.
 * @llvm SIInstrInfo.cpp extractRsrcPtr
 */
function extractAddress(b: Builder, i: InstrId, rsrc: OperandId): readonly [address: Reg, resource: Reg] {
  const { fn, tables } = b;
  const rc = (name: string): number => tables.regClassByName(name);
  const sub = (name: string): number => tables.subRegIndexByName(name);
  const emit = (name: string, operands: NewOperand[]): InstrId => b.build(i, i, tables.opcodeByName(name), operands);
  const address = b.newVReg(rc('vreg_64'));
  emit('COPY', [regOperand(address, OpFlag.Def), regOperand(fn.opVal[rsrc], 0, sub('sub0_sub1'))]);
  const zero = b.newVReg(rc('sreg_64'));
  const low = b.newVReg(rc('sgpr_32'));
  const high = b.newVReg(rc('sgpr_32'));
  const resource = b.newVReg(rc('sgpr_128'));
  emit('S_MOV_B64', [regOperand(zero, OpFlag.Def), imm(0)]);
  emit('S_MOV_B32', [regOperand(low, OpFlag.Def), imm(0)]);
  emit('S_MOV_B32', [regOperand(high, OpFlag.Def), imm(dataFormat(fn.subtarget))]);
  emit('REG_SEQUENCE', [
    regOperand(resource, OpFlag.Def),
    regOperand(zero),
    imm(sub('sub0_sub1')),
    regOperand(low),
    imm(sub('sub2')),
    regOperand(high),
    imm(sub('sub3')),
  ]);
  return [address, resource];
}

/** `hasAddress`: the instruction has a vector address of 64 bits already; else it gets one. */
export function zeroResource(b: Builder, i: InstrId, rsrc: OperandId, hasAddress: boolean): void {
  const { fn, tables, editor } = b;
  const rc = (name: string): number => tables.regClassByName(name);
  const low = tables.subRegIndexByName('sub0');
  const high = tables.subRegIndexByName('sub1');
  const emit = (name: string, operands: NewOperand[]): InstrId => b.build(i, i, tables.opcodeByName(name), operands);
  if (hasAddress) {
    const sumLow = b.newVReg(rc('vgpr_32'));
    const sumHigh = b.newVReg(rc('vgpr_32'));
    const sum = b.newVReg(rc('vreg_64'));
    const mask = rc(fn.subtarget.wavefrontSize === 64 ? 'sreg_64_xexec' : 'sreg_32_xm0_xexec');
    const carry = b.newVReg(mask);
    const carryOut = b.newVReg(mask);
    const [address, resource] = extractAddress(b, i, rsrc);
    const vaddr = fn.opBegin[i] + tables.getNamedOperandIdx(fn.opcode[i], 'vaddr');
    emit('V_ADD_CO_U32_e64', [
      regOperand(sumLow, OpFlag.Def),
      regOperand(carry, OpFlag.Def),
      regOperand(address, 0, low),
      regOperand(fn.opVal[vaddr], 0, low),
      imm(0),
    ]);
    emit('V_ADDC_U32_e64', [
      regOperand(sumHigh, OpFlag.Def),
      regOperand(carryOut, OpFlag.Def | OpFlag.Dead),
      regOperand(address, 0, high),
      regOperand(fn.opVal[vaddr], 0, high),
      regOperand(carry, OpFlag.Kill),
      imm(0),
    ]);
    emit('REG_SEQUENCE', [regOperand(sum, OpFlag.Def), regOperand(sumLow), imm(low), regOperand(sumHigh), imm(high)]);
    editor.setReg(vaddr, sum);
    editor.setReg(rsrc, resource);
    return;
  }
  const [address, resource] = extractAddress(b, i, rsrc);
  const vaddr = b.newVReg(rc('vreg_64'));
  const made = tables.mapOpcode('MUBUFAddr64', fn.opcode[i]);
  const operands: NewOperand[] = [];
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
    if (o === rsrc) operands.push(regOperand(vaddr), regOperand(resource));
    else operands.push(operandOf(fn, o));
  const at = b.replace(i, made, operands);
  b.build(at, at, tables.opcodeByName('REG_SEQUENCE'), [
    regOperand(vaddr, OpFlag.Def),
    regOperand(address, 0, low),
    imm(low),
    regOperand(address, 0, high),
    imm(high),
  ]);
}

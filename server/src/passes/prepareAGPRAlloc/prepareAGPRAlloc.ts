/**
 * `amdgpu-prepare-agpr-alloc`: constants that either kind of vector register takes become pseudo instructions which leave the choice to allocation
 * (AMDGPUPrepareAGPRAlloc, LLVM 22; docs/llvm/small-passes.md, 9).
 */
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import { OperandKind, type MachineFunction } from '../../model/machineFunction.js';
import { OperandType } from '../../target/opcodes.js';
import type { MachinePass } from '../machinePass.js';
import { RegisterFacts } from '../registerFacts.js';

/** @llvm AMDGPUPrepareAGPRAlloc.cpp AMDGPUPrepareAGPRAllocLegacy */
export const prepareAGPRAllocPass: MachinePass = {
  name: 'amdgpu-prepare-agpr-alloc',
  pipelineName: 'amdgpu-prepare-agpr-alloc',
  className: 'AMDGPUPrepareAGPRAllocPass',
  title: 'AMDGPU Prepare AGPR Alloc',
  requires: [],
  preserves: 'all',
  run(state) {
    if (!state.fn.isOptNone) leaveChoice(state.editor().fn);
  },
};

/** @llvm AMDGPUPrepareAGPRAlloc.cpp AMDGPUPrepareAGPRAllocImpl::run */
function leaveChoice(fn: MachineFunction): void {
  const { tables } = fn;
  if (new ReservedRegs(fn).isReserved(tables.regByName('agpr0'))) return;
  const facts = new RegisterFacts(fn);
  const [move, write, movePair, either, eitherPair] = [
    'V_MOV_B32_e32',
    'V_ACCVGPR_WRITE_B32_e64',
    'V_MOV_B64_PSEUDO',
    'AV_MOV_B32_IMM_PSEUDO',
    'AV_MOV_B64_IMM_PSEUDO',
  ].map((name) => tables.opcodeByName(name));
  const isInline = (value: number): boolean => facts.isInlineValue(value, OperandType.InlineInt32);
  for (let i = 0; i < fn.nInstrs; i++) {
    const opcode = fn.opcode[i];
    if (opcode !== move && opcode !== write && opcode !== movePair) continue;
    const source = fn.opBegin[i] + 1;
    if (fn.opKind[source] !== OperandKind.Immediate) continue;
    if (opcode === movePair) {
      if (isInline(fn.opVal[source]) && isInline(fn.opExt[source])) fn.opcode[i] = eitherPair;
    } else if (opcode === write || facts.isInlineAt(source, opcode, 1)) fn.opcode[i] = either;
  }
}

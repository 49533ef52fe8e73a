/** The class of registers that an instruction asks of an operand (MachineInstr::getRegClassConstraint, LLVM 22). */
import { OperandKind, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import type { RegClassId } from '../target/api.js';
import { opcodeSet } from '../target/opcodeSets.js';

/**
 * The class that an instruction asks of operand `k`, -1 = any.
 * @llvm MachineInstr.cpp MachineInstr::getRegClassConstraint
 */
export function operandClass(fn: MachineFunction, i: InstrId, k: number): RegClassId {
  if (opcodeSet(fn.tables, 'inlineAsm').has(fn.opcode[i])) return inlineAsmClass(fn, i, k);
  return fn.subtarget.opInfoRegClass(fn.opcode[i], k);
}

/** Operand groups of inline assembly: a flag word with the class in its upper half, then that many registers. */
function inlineAsmClass(fn: MachineFunction, i: InstrId, k: number): RegClassId {
  const first = fn.opBegin[i];
  const n = fn.numOperands(i);
  for (let p = 2; p < n;) {
    if (fn.opKind[first + p] !== OperandKind.Immediate) return -1;
    const flag = fn.imm(first + p);
    const count = Math.floor(flag / 8) & 0x1fff;
    if (k > p && k <= p + count) {
      const isTied = Math.floor(flag / 2 ** 31) % 2 === 1;
      if (isTied) {
        // the class of the operand that it is tied to
        const tied = fn.opTied[first + k];
        return tied >= 0 ? inlineAsmClass(fn, i, tied) : -1;
      }
      const id = Math.floor(flag / 65536) & 0x7fff;
      return id === 0 ? -1 : id - 1;
    }
    p += count + 1;
  }
  return -1;
}

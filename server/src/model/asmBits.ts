/** What inline assembly says of itself in an operand (InlineAsm::Extra_*). */
import { OperandKind, type InstrId, type MachineFunction } from './machineFunction.js';

/** Opcodes of all targets keep LLVM's numbers (llvm/Support/TargetOpcodes.def). */
const INLINEASM = 1;
const INLINEASM_BR = 2;

export const isInlineAsm = (opcode: number): boolean => opcode === INLINEASM || opcode === INLINEASM_BR;

/** Bits of an inline asm's second operand (InlineAsm::Extra_*). */
export const enum AsmBit {
  SideEffects = 1,
  MayLoad = 8,
  MayStore = 16,
  Convergent = 32,
}

/** AsmBits of an inline asm, 0 for every other instruction. */
export function asmBits(fn: MachineFunction, i: InstrId): number {
  if (!isInlineAsm(fn.opcode[i])) return 0;
  const o = fn.opBegin[i] + 1;
  return o < fn.opBegin[i + 1] && fn.opKind[o] === OperandKind.Immediate ? fn.imm(o) : 0;
}

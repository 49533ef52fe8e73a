/** Whether an instruction reads or writes memory (MachineInstr::mayLoad, mayStore). */
import { BundleFlag, OperandKind, type InstrId, type MachineFunction } from '../../../model/machineFunction.js';
import { McFlag } from '../../../target/api.js';

/** Opcodes of all targets keep LLVM's numbers (llvm/Support/TargetOpcodes.def). */
const INLINEASM = 1;
const INLINEASM_BR = 2;

/** Bits of an inline asm's second operand (InlineAsm::Extra_*). */
export const enum AsmBit {
  SideEffects = 1,
  MayLoad = 8,
  MayStore = 16,
}

/** AsmBits of an inline asm, 0 for every other instruction. */
export function asmBits(fn: MachineFunction, i: InstrId): number {
  if (fn.opcode[i] !== INLINEASM && fn.opcode[i] !== INLINEASM_BR) return 0;
  const o = fn.opBegin[i] + 1;
  return o < fn.opBegin[i + 1] && fn.opKind[o] === OperandKind.Immediate ? fn.imm(o) : 0;
}

/** Descriptor flag below 32 of an instruction; of a bundle: of any member. */
export function hasFlag(fn: MachineFunction, i: InstrId, flag: McFlag): boolean {
  for (let m = i; ; m++) {
    if (((fn.tables.opcodeFlagsLo(fn.opcode[m]) >>> flag) & 1) !== 0) return true;
    if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) return false;
  }
}

export function mayLoad(fn: MachineFunction, i: InstrId): boolean {
  return hasFlag(fn, i, McFlag.MayLoad) || (asmBits(fn, i) & AsmBit.MayLoad) !== 0;
}

export function mayStore(fn: MachineFunction, i: InstrId): boolean {
  return hasFlag(fn, i, McFlag.MayStore) || (asmBits(fn, i) & AsmBit.MayStore) !== 0;
}

/** What a call leaves as it is, as its register mask says: every question about an operand of `OperandKind.RegisterMask` goes through here. */
import type { PhysReg } from '../target/api.js';
import { OperandKind, type MachineFunction, type OperandId } from './machineFunction.js';

/** Masks that list their registers, by the operand's payload. */
const listed = new WeakMap<object, Uint32Array>();

/**
 * The registers that a mask preserves, a bit each.
 * @llvm MachineOperand.h MachineOperand::getRegMask
 */
export function preservedRegs(fn: MachineFunction, o: OperandId): Uint32Array {
  const payload = fn.payload(o, OperandKind.RegisterMask);
  if (payload.mask >= 0) return fn.tables.regMaskBits(payload.mask);
  let bits = listed.get(payload);
  if (bits === undefined) {
    bits = new Uint32Array((fn.tables.nRegs + 31) >>> 5);
    for (const reg of payload.regs) bits[reg >>> 5] |= 1 << (reg & 31);
    listed.set(payload, bits);
  }
  return bits;
}

/** Whether such bits have a register. */
export const isPreserved = (bits: Uint32Array, reg: PhysReg): boolean => ((bits[reg >>> 5] >>> (reg & 31)) & 1) !== 0;

/** @llvm MachineOperand.h MachineOperand::clobbersPhysReg */
export const maskClobbers = (fn: MachineFunction, o: OperandId, reg: PhysReg): boolean =>
  !isPreserved(preservedRegs(fn, o), reg);

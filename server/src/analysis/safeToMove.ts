/** Whether an instruction does nothing but define registers (MachineInstr::isSafeToMove, wouldBeTriviallyDead; LLVM 22). */
import { BundleFlag, OpFlag, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { MemFlag } from '../model/memOperand.js';
import { McFlag } from '../target/api.js';
import { hasOpcodeFlag } from '../target/opcodes.js';
import { opcodeSet } from '../target/opcodeSets.js';
import { OpcodeTrait, opcodeTraits } from './opcodeTraits.js';

/** `nofpexcept` among an instruction's flags */
const NO_FP_EXCEPT = 1 << 12;

const NEVER = [McFlag.MayStore, McFlag.Call, McFlag.Terminator, McFlag.UnmodeledSideEffects];

/** @llvm MachineInstr.cpp MachineInstr::mayRaiseFPException */
export const mayRaiseFPException = (fn: MachineFunction, i: InstrId): boolean =>
  hasOpcodeFlag(fn.tables, fn.opcode[i], McFlag.MayRaiseFPException) && (fn.instrFlags[i] & NO_FP_EXCEPT) === 0;

/**
 * Whether vector arithmetic has other results where other lanes are on: scalar results have a bit or the value of some lane, convergent instructions see
 * other lanes.
 * @llvm SIInstrInfo.cpp SIInstrInfo::resultDependsOnExec
 */
export function resultDependsOnExec(fn: MachineFunction, i: InstrId): boolean {
  const { tables, opVal, opFlags } = fn;
  if (hasOpcodeFlag(tables, fn.opcode[i], McFlag.Convergent)) return true;
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    if ((opFlags[o] & OpFlag.Def) === 0 || (opFlags[o] & OpFlag.Implicit) !== 0) continue;
    const reg = opVal[o];
    const rc = reg < 0 ? fn.vregs.regClass[~reg] : tables.getMinimalPhysRegClass(reg);
    if (rc >= 0 && tables.isSGPRClass(rc)) return true;
  }
  return false;
}

/**
 * MachineInstr::isSafeToMove with no store in between; of a bundle each member has to be.
 * @llvm MachineInstr.cpp MachineInstr::isSafeToMove
 */
export function isSafeToMove(fn: MachineFunction, i: InstrId): boolean {
  for (let m = i; ; m++) {
    if (!isMemberSafe(fn, m)) return false;
    if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) return true;
  }
}

function isMemberSafe(fn: MachineFunction, i: InstrId): boolean {
  const { tables } = fn;
  const opc = fn.opcode[i];
  if ((opcodeTraits(tables)[opc] & (OpcodeTrait.Debug | OpcodeTrait.PseudoProbe | OpcodeTrait.Phi)) !== 0) return false;
  for (const flag of NEVER) if (hasOpcodeFlag(tables, opc, flag)) return false;
  if (opcodeSet(tables, 'position').has(opc) || opcodeSet(tables, 'fakeUse').has(opc)) return false;
  if (mayRaiseFPException(fn, i)) return false;
  if (!hasOpcodeFlag(tables, opc, McFlag.MayLoad)) return true;
  const mem = fn.memOperands[i] ?? [];
  return (
    mem.length > 0 &&
    mem.every((m) => (m.flags & MemFlag.Volatile) === 0 && (m.ordering === '' || m.ordering === 'unordered'))
  );
}

/**
 * Whether an instruction may go when nobody reads what it defines.
 * @llvm MachineInstr.cpp MachineInstr::wouldBeTriviallyDead
 */
export const wouldBeTriviallyDead = (fn: MachineFunction, i: InstrId): boolean =>
  opcodeSet(fn.tables, 'phi').has(fn.opcode[i]) || isSafeToMove(fn, i);

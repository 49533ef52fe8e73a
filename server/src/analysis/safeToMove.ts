/** Whether an instruction does nothing but define registers (MachineInstr::isSafeToMove, wouldBeTriviallyDead; LLVM 22). */
import { BundleFlag, InstrFlag, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { asmBits, AsmBit } from '../model/asmBits.js';
import { MemFlag, type MemPointer } from '../model/memOperand.js';
import { McFlag } from '../target/api.js';
import { hasOpcodeFlag } from '../target/opcodes.js';
import { opcodeSet, type OpcodeSetName } from '../target/opcodeSets.js';
import { OpcodeTrait, opcodeTraits } from './opcodeTraits.js';

/** Inline assembly among them, whatever it says of itself. */
const STAYING: readonly OpcodeSetName[] = ['position', 'fakeUse', 'inlineAsm'];
const NEVER = [McFlag.MayStore, McFlag.Call, McFlag.Terminator, McFlag.UnmodeledSideEffects];

/** @llvm MachineInstr.cpp MachineInstr::mayRaiseFPException */
export const mayRaiseFPException = (fn: MachineFunction, i: InstrId): boolean =>
  hasOpcodeFlag(fn.tables, fn.opcode[i], McFlag.MayRaiseFPException) && (fn.instrFlags[i] & InstrFlag.NoFPExcept) === 0;

/**
 * Inline assembly says it of itself, the others by their opcodes.
 * @llvm MachineInstr.h MachineInstr::isConvergent
 */
export function isConvergent(fn: MachineFunction, i: InstrId): boolean {
  if ((asmBits(fn, i) & AsmBit.Convergent) !== 0) return true;
  return hasOpcodeFlag(fn.tables, fn.opcode[i], McFlag.Convergent) && (fn.instrFlags[i] & InstrFlag.NoConvergent) === 0;
}

/**
 * No load may be moved over it.
 * @llvm MachineInstr.cpp MachineInstr::isLoadFoldBarrier
 */
export function barsLoads(fn: MachineFunction, i: InstrId): boolean {
  const { tables } = fn;
  const opc = fn.opcode[i];
  const has = (flag: McFlag): boolean => hasOpcodeFlag(tables, opc, flag);
  if (has(McFlag.MayStore) || has(McFlag.Call)) return true;
  if ((opcodeTraits(tables)[opc] & OpcodeTrait.PseudoProbe) !== 0) return false;
  return has(McFlag.UnmodeledSideEffects) || (asmBits(fn, i) & (AsmBit.SideEffects | AsmBit.MayStore)) !== 0;
}

/** Memory that never changes while the function runs. */
function isConstantMemory({ header }: MachineFunction, pointer: MemPointer): boolean {
  if (pointer.kind === 'frameIndex') return pointer.index < 0 && header.fixedStack[~pointer.index].isImmutable;
  return pointer.kind === 'got' || pointer.kind === 'constantPool' || pointer.kind === 'jumpTable';
}

/**
 * Of what touches memory: whether it must stay where it is among others that do.
 * @llvm MachineInstr.cpp MachineInstr::hasOrderedMemoryRef
 */
export function isOrderedAccess(fn: MachineFunction, i: InstrId): boolean {
  const mem = fn.memOperands[i] ?? [];
  return (
    mem.length === 0 ||
    mem.some((m) => (m.flags & MemFlag.Volatile) !== 0 || (m.ordering !== '' && m.ordering !== 'unordered'))
  );
}

/**
 * A load of what nothing changes, from where it may be read at any time. Whether it loads, and does not store, is the caller's to ask.
 * @llvm MachineInstr.cpp MachineInstr::isDereferenceableInvariantLoad
 */
export function isInvariantLoad(fn: MachineFunction, i: InstrId): boolean {
  const both = MemFlag.Invariant | MemFlag.Dereferenceable;
  const mem = fn.memOperands[i] ?? [];
  return (
    mem.length > 0 &&
    mem.every((m) => {
      if ((m.flags & (MemFlag.Volatile | MemFlag.Store)) !== 0 || m.ordering !== '') return false;
      return (m.flags & both) === both || isConstantMemory(fn, m.pointer);
    })
  );
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
  for (const name of STAYING) if (opcodeSet(tables, name).has(opc)) return false;
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

/** Whether an instruction reads or writes memory (MachineInstr::mayLoad, mayStore). */
import { AsmBit, asmBits, isInlineAsm } from '../../../model/asmBits.js';
import { BundleFlag, type InstrId, type MachineFunction } from '../../../model/machineFunction.js';
import { McFlag, type TargetTables } from '../../../target/api.js';

/** Descriptor flag below 32 of an instruction; of a bundle: of any member. */
export function hasFlag(fn: MachineFunction, i: InstrId, flag: McFlag): boolean {
  for (let m = i; ; m++) {
    if (((fn.tables.opcodeFlagsLo(fn.opcode[m]) >>> flag) & 1) !== 0) return true;
    if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) return false;
  }
}

const MEMORY_FLAGS =
  (1 << McFlag.MayLoad) |
  (1 << McFlag.MayStore) |
  (1 << McFlag.Call) |
  (1 << McFlag.UnmodeledSideEffects) |
  (1 << McFlag.MayRaiseFPException);

const byOpcode = new WeakMap<TargetTables, Uint8Array>();

const enum Plainness {
  Unknown = 0,
  Plain = 1,
  Other = 2,
}

/** By opcode, a Plainness, as far as it was asked for; one array serves all functions. */
export function plainOpcodes(tables: TargetTables): Uint8Array {
  let plain = byOpcode.get(tables);
  if (plain === undefined) byOpcode.set(tables, (plain = new Uint8Array(tables.nOpcodes)));
  return plain;
}

/** Neither touches memory nor calls, traps or does anything else besides its operands. `plain`: see above. */
export function isPlain(fn: MachineFunction, plain: Uint8Array, i: InstrId): boolean {
  const opc = fn.opcode[i];
  if (plain[opc] === Plainness.Unknown) {
    const hasFlags = (fn.tables.opcodeFlagsLo(opc) & MEMORY_FLAGS) !== 0;
    plain[opc] = isInlineAsm(opc) || hasFlags ? Plainness.Other : Plainness.Plain;
  }
  return plain[opc] === Plainness.Plain && (fn.bundle[i] & BundleFlag.BundledSucc) === 0;
}

export function mayLoad(fn: MachineFunction, i: InstrId): boolean {
  return hasFlag(fn, i, McFlag.MayLoad) || (asmBits(fn, i) & AsmBit.MayLoad) !== 0;
}

export function mayStore(fn: MachineFunction, i: InstrId): boolean {
  return hasFlag(fn, i, McFlag.MayStore) || (asmBits(fn, i) & AsmBit.MayStore) !== 0;
}

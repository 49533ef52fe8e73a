/**
 * What the analyses ask about target-independent opcodes (MachineInstr::isDebugInstr, isPHI and the like), one byte per
 * opcode so that the hot loops test a bit instead of comparing with a list.
 */
import type { TargetTables } from '../target/api.js';
import { opcodeSet, type OpcodeSetName } from '../target/opcodeSets.js';

export const enum OpcodeTrait {
  /** DBG_VALUE, DBG_VALUE_LIST, DBG_INSTR_REF, DBG_PHI, DBG_LABEL */
  Debug = 1,
  /** PSEUDO_PROBE: has no slot index either (isDebugOrPseudoInstr) */
  PseudoProbe = 2,
  /** PHI, G_PHI */
  Phi = 4,
  /** Debug | PseudoProbe as one test */
  NoSlotIndex = 3,
}

const perTables = new WeakMap<TargetTables, Uint8Array>();

/** Uint8Array(nOpcodes) of OpcodeTrait bits. Filled once per table object; do not write to it. */
export function opcodeTraits(tables: TargetTables): Uint8Array {
  let traits = perTables.get(tables);
  if (traits === undefined) {
    traits = new Uint8Array(tables.nOpcodes);
    const mark = (set: OpcodeSetName, trait: number): void => {
      for (const opc of opcodeSet(tables, set)) traits![opc] |= trait;
    };
    mark('debugInstr', OpcodeTrait.Debug);
    mark('pseudoProbe', OpcodeTrait.PseudoProbe);
    mark('phi', OpcodeTrait.Phi);
    perTables.set(tables, traits);
  }
  return traits;
}

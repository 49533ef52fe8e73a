/** What stays at the start of a block before instructions that a pass puts there. */
import { InstrFlag, OpFlag, OperandKind, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { maskClobbers } from '../model/regMask.js';
import { McFlag } from '../target/api.js';
import { hasOpcodeFlag } from '../target/opcodes.js';
import { OpcodePattern, opcodeSet } from '../target/opcodeSets.js';
import { OpcodeTrait, opcodeTraits } from './opcodeTraits.js';

/** Saves and reloads of scalar registers, and of whole-wave ones. */
const STAYS_AT_START = new OpcodePattern(
  /^SI_SPILL_S\d+_(?:SAVE|RESTORE)$|^SI_SPILL_S32_TO_VGPR$|^SI_RESTORE_S32_FROM_VGPR$|^SI_SPILL_WWM_/,
);

/** Whether an instruction at the start of a block stays before what is put there for register `v`, -1: for any. */
export function isSkippedAtStart(fn: MachineFunction, i: InstrId, v: number): boolean {
  if ((opcodeTraits(fn.tables)[fn.opcode[i]] & (OpcodeTrait.NoSlotIndex | OpcodeTrait.Phi)) !== 0) return true;
  return opcodeSet(fn.tables, 'position').has(fn.opcode[i]) || isBasicBlockPrologue(fn, i, v);
}

/**
 * Whether an instruction after the PHIs of a block stays before the copies of their results.
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::SkipPHIsAndLabels
 */
export const isBehindPhis = (fn: MachineFunction, i: InstrId): boolean =>
  opcodeSet(fn.tables, 'position').has(fn.opcode[i]) || isBasicBlockPrologue(fn, i, -1);

/**
 * `v`: a virtual register that is to be loaded there, -1: any.
 * @llvm SIInstrInfo.cpp SIInstrInfo::isBasicBlockPrologue
 */
export function isBasicBlockPrologue(fn: MachineFunction, i: InstrId, v: number): boolean {
  const { tables } = fn;
  if (v >= 0 && tables.isSGPRClass(fn.vregs.regClass[v])) return false;
  const opc = fn.opcode[i];
  if (STAYS_AT_START.has(tables, opc)) return true;
  const isSplit = (fn.instrFlags[i] & InstrFlag.LRSplit) !== 0;
  if (isSplit || opc === tables.opcodeByName('IMPLICIT_DEF')) {
    const reg = fn.opVal[fn.opBegin[i]];
    const rc = reg < 0 ? fn.vregs.regClass[~reg] : tables.getMinimalPhysRegClass(reg);
    if (rc >= 0 && tables.isSGPRClass(rc)) return isSplit;
    const { wwmReservedRegs } = fn.header.machineFunctionInfo;
    if (reg < 0 ? fn.vregs.flags[~reg]?.includes('WWM_REG') === true : wwmReservedRegs.includes(reg)) return true;
  }
  if (hasOpcodeFlag(tables, opc, McFlag.Terminator) || opc === tables.opcodeByName('COPY')) return false;
  return writesExec(fn, i);
}

/** A call counts whose mask does not preserve EXEC, as MachineInstr::modifiesRegister has it: it stays in front, like what restores EXEC. */
function writesExec(fn: MachineFunction, i: InstrId): boolean {
  const { tables } = fn;
  const exec = tables.regByName('exec');
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
    if (fn.opKind[o] === OperandKind.RegisterMask) {
      if (maskClobbers(fn, o, exec)) return true;
    } else if (
      fn.opKind[o] === OperandKind.Register &&
      fn.opVal[o] > 0 &&
      (fn.opFlags[o] & OpFlag.Def) !== 0 &&
      tables.regsOverlap(fn.opVal[o], exec)
    )
      return true;
  }
  return false;
}

/** Whether a register holds the same value in all lanes, as far as copies and moves tell. */
import { OperandKind, OpFlag, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../model/register.js';
import { isEntryFunctionCC } from '../model/functionLimits.js';
import { RegKind, type TargetTables } from '../target/index.js';

/** Copies and moves are followed this far. */
const MAX_STEPS = 8;
/** VALU moves that give each lane what they read. */
const MOVES = new Set(['COPY', 'V_MOV_B32_e32', 'V_MOV_B32_e64', 'V_MOV_B64_PSEUDO', 'V_MOV_B64_e32', 'REG_SEQUENCE']);

/** `uniform`, `divergent`, or nothing where more than copies and moves would have to be understood. O(steps * instructions) */
export function uniformityText(fn: MachineFunction, v: number): string {
  switch (laneOf(fn, ~v, MAX_STEPS)) {
    case true:
      return 'uniform';
    case false:
      return 'divergent';
    default:
      return '';
  }
}

/** True: one value for all lanes; false: one per lane; null: not known. */
function laneOf(fn: MachineFunction, reg: Reg, steps: number): boolean | null {
  const { tables, vregs } = fn;
  if (!isVirtualReg(reg)) return physicalLane(fn, reg);
  const rc = vregs.regClass[~reg]!;
  if (rc < 0) return null;
  if (tables.regClassKind[rc] === RegKind.SGPR) return true;
  if (steps === 0) return null;
  const def = onlyDef(fn, reg);
  if (def < 0) return null;
  const name = tables.opcodeName(fn.opcode[def]!);
  if (/^V_MBCNT_/.test(name)) return false;
  return MOVES.has(name) ? sourcesLane(fn, def, steps) : null;
}

/** What all sources of a move have in common; constants are the same for all lanes. */
function sourcesLane(fn: MachineFunction, i: InstrId, steps: number): boolean | null {
  let result: boolean | null = true;
  for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
    if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o]! & (OpFlag.Def | OpFlag.Implicit)) !== 0) continue;
    const lane = laneOf(fn, fn.opVal[o]!, steps - 1);
    if (lane === false) return false;
    if (lane === null) result = null;
  }
  return result;
}

/** SGPRs are uniform; a kernel or shader gets the number of the work-item in `$vgpr0`. */
function physicalLane(fn: MachineFunction, reg: Reg): boolean | null {
  const { tables } = fn;
  const rc = reg === 0 ? -1 : tables.getMinimalPhysRegClass(reg);
  if (rc < 0) return null;
  if (tables.regClassKind[rc] === RegKind.SGPR) return true;
  const isEntry = fn.header.machineFunctionInfo.isEntryFunction || isEntryFunctionCC(fn.header.irFunction.callingConv);
  return isEntry && isWorkItem(tables, reg) ? false : null;
}

const isWorkItem = (tables: TargetTables, reg: Reg): boolean => tables.regName(reg) === 'vgpr0';

/** The instruction that writes a register, -1 if there are none or several. */
function onlyDef(fn: MachineFunction, reg: Reg): InstrId {
  let found = -1;
  for (let i = 0; i < fn.nInstrs; i++)
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
      if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] !== reg || (fn.opFlags[o]! & OpFlag.Def) === 0) continue;
      if (0 <= found && found !== i) return -1;
      found = i;
    }
  return found;
}

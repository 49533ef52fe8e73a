/** The class that the operands with a virtual register ask for. */
import { OperandKind, OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg, type Reg } from '../../model/register.js';
import type { RegClassId, Subtarget } from '../../target/index.js';

/** Name of the class that the operands with a virtual register ask for; null if they say nothing. O(operands) */
export function classOfName(fn: MachineFunction, name: string, isNamed: boolean): string | null {
  const v = vregIndex(fn, name, isNamed);
  const rc = v < 0 ? -1 : classFor(fn, virtReg(v));
  return rc < 0 ? null : fn.tables.regClassMirName(rc);
}

export function vregIndex({ vregs }: MachineFunction, name: string, isNamed: boolean): number {
  for (let v = 0; v < vregs.n; v++)
    if (isNamed ? vregs.name[v] === name : vregs.name[v] === null && vregs.sourceNumber[v] === Number(name)) return v;
  return -1;
}

/**
 * What the operands with that register have in common, copies followed one step. Where a copy disagrees with the other instructions, these
 * count: a copy goes between any classes. -1 if they say nothing. O(operands)
 */
export function classFor(fn: MachineFunction, reg: Reg, withCopies = true): RegClassId {
  const { tables, subtarget } = fn;
  let asked: RegClassId = -1;
  let copied: RegClassId = -1;
  const copy = tables.opcodeByName('COPY');
  const narrow = (known: RegClassId, next: RegClassId): RegClassId => {
    if (known < 0 || next < 0) return Math.max(known, next);
    const common: RegClassId = tables.getCommonSubClass(known, next);
    return common < 0 ? known : common;
  };
  for (let i = 0; i < fn.nInstrs; i++) {
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== reg || fn.opSub[o] !== 0) continue;
      if ((fn.opFlags[o]! & OpFlag.Implicit) !== 0) continue;
      if (fn.opcode[i] === copy) {
        if (withCopies) copied = narrow(copied, copiedClass(fn, i, o));
      } else asked = narrow(asked, descriptorClass(subtarget, fn.opcode[i]!, o - fn.opBegin[i]!));
    }
  }
  const result = narrow(asked, copied);
  return result < 0 ? -1 : allocatable(fn, result);
}

function descriptorClass(subtarget: Subtarget, opcode: number, opIdx: number): RegClassId {
  if (subtarget.tables.opcodeNumOperands(opcode) <= opIdx) return -1;
  return subtarget.opInfoRegClass(opcode, opIdx);
}

/** Class of the other side of a copy. */
function copiedClass(fn: MachineFunction, i: InstrId, o: number): RegClassId {
  const other = fn.opBegin[i]! + (o === fn.opBegin[i] ? 1 : 0);
  if (fn.opBegin[i + 1]! <= other || fn.opKind[other] !== OperandKind.Register) return -1;
  const reg = fn.opVal[other]!;
  if (reg === 0) return -1;
  const { tables } = fn;
  if (!isVirtualReg(reg)) return plainClass(fn, tables.getMinimalPhysRegClass(reg));
  const rc = fn.vregs.regClass[~reg]!;
  if (rc < 0 || fn.opSub[other] === 0) return rc;
  return tables.getSubRegisterClass(rc, fn.opSub[other]!);
}

/** Operands that also take constants have classes of several banks; a register has one. */
export function allocatable(fn: MachineFunction, rc: RegClassId): RegClassId {
  const { tables } = fn;
  const isMixed = tables.hasVGPRs(rc) && tables.hasSGPRs(rc);
  if (tables.isAllocatableClass(rc) && !isMixed) return rc;
  const found = plainClass(fn, rc);
  return found < 0 || !(tables.hasSubClassEq(rc, found) || tables.hasSubClassEq(found, rc)) ? -1 : found;
}

/** Name of the vector class that code mostly uses: `letter` is v for VGPRs, a for AGPRs. */
export function vectorName({ tables, subtarget }: MachineFunction, rc: RegClassId, letter: 'v' | 'a'): string {
  const bits = tables.regClassBits[rc]!;
  const align = subtarget.needsAlignedVGPRs && 32 < bits ? '_align2' : '';
  return bits === 32 ? `${letter}gpr_32` : `${letter}reg_${bits}${align}`;
}

/** The class of that width and bank that code mostly uses. */
function plainClass(fn: MachineFunction, rc: RegClassId): RegClassId {
  const { tables } = fn;
  const bits = tables.regClassBits[rc]!;
  const names = tables.hasVGPRs(rc)
    ? [vectorName(fn, rc, 'v')]
    : tables.hasAGPRs(rc)
      ? [vectorName(fn, rc, 'a')]
      : [`sreg_${bits}`, `sgpr_${bits}`];
  for (const name of names) {
    const found = tables.regClassByName(name);
    if (0 <= found && tables.isAllocatableClass(found)) return found;
  }
  return -1;
}

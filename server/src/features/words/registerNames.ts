/** Virtual registers in words: their names, and what they are of. */
import { printLLT, type LLT } from '../../model/llt.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { VRegId } from '../../model/register.js';
import type { RegClassId } from '../../target/index.js';

/** `%12`, `%name` */
export function nameOf({ vregs }: MachineFunction, vreg: VRegId): string {
  return `%${vregs.name[vreg] ?? String(vregs.sourceNumber[vreg]! >>> 0)}`;
}

const MAX_NAMES = 4;

/** `%1, %2`, `%1, %2, %3, %4 and 3 more` */
export function namesText(fn: MachineFunction, vregs: readonly number[]): string {
  const names = vregs.map((v) => nameOf(fn, v));
  if (names.length <= MAX_NAMES) return names.join(', ');
  return `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`;
}

/** `vgpr_32`, `_(s32)`, `sgpr(s32)`; empty where nothing is known. */
export function typeText(
  fn: MachineFunction | null,
  { regClass, bank, type }: { readonly regClass: RegClassId; readonly bank: number; readonly type: LLT | null },
): string {
  if (fn === null) return '';
  if (regClass >= 0) return fn.tables.regClassMirName(regClass);
  const lead = bank < 0 ? '_' : fn.tables.regBankName(bank).toLowerCase();
  return type === null ? (bank < 0 ? '' : lead) : `${lead}(${printLLT(type)})`;
}

/** What a physical register is to the allocator in a function: caller-saved, callee-saved or reserved, and by which rule (docs/llvm/allocation.md, 2 to 4). */
import { calleeSaved } from './frame/calleeSaves.js';
import type { MachineFunction } from '../model/machineFunction.js';
import type { PhysReg, RegUnit } from '../target/api.js';
import type { ReservedRegs } from './reservedRegs.js';

export type RegisterRole =
  /** `why` names the rule, e.g. `stackPtrOffsetReg` or `above the budget of 64 VGPRs` */
  | { readonly kind: 'reserved'; readonly why: string }
  | { readonly kind: 'callee-saved' }
  | { readonly kind: 'caller-saved' }
  /** no class that is allocated from has it */
  | { readonly kind: 'none' };

/** Fields of machineFunctionInfo that reserve a register. */
const FIELDS = [
  'scratchRSrcReg',
  'stackPtrOffsetReg',
  'frameOffsetReg',
  'longBranchReservedReg',
  'sgprForEXECCopy',
  'vgprForAGPRCopy',
] as const;

export function registerRole(fn: MachineFunction, reserved: ReservedRegs, reg: PhysReg): RegisterRole {
  const { tables } = fn;
  if (reserved.isReserved(reg)) return { kind: 'reserved', why: reservedWhy(fn, reserved, reg) };
  if (!tables.isInAllocatableClass(reg)) return { kind: 'none' };
  return { kind: calleeSaved(fn).some((r) => tables.regsOverlap(r, reg)) ? 'callee-saved' : 'caller-saved' };
}

function reservedWhy(fn: MachineFunction, { limits }: ReservedRegs, reg: PhysReg): string {
  const { tables, header } = fn;
  const info = header.machineFunctionInfo;
  for (const field of FIELDS) if (info[field] > 0 && tables.regsOverlap(info[field], reg)) return field;
  if (info.wwmReservedRegs.some((r) => tables.regsOverlap(r, reg)))
    return 'wwmReservedRegs: whole-wave values are in it';
  const [vgprs, agprs] = limits.maxNumVectorRegs;
  const files = [
    ['sgpr', limits.maxNumSGPRs, 'SGPRs'],
    ['vgpr', vgprs, 'VGPRs'],
    ['agpr', agprs, 'AGPRs'],
  ] as const;
  for (const [file, most, word] of files) {
    const isIn = Array.from(tables.numberedRegs(file)).some((r, n) => n >= most && tables.regsOverlap(r, reg));
    if (isIn) return `above the budget of ${most} ${word} (${budgetWhy(fn, file)})`;
  }
  const isSGPR34 = tables.regsOverlap(tables.regByName('sgpr34'), reg);
  if (isSGPR34) return 'base pointer of a realigned stack';
  const isVector = unitsOf(fn, reg).some((u) =>
    tables.regUnitRoots(u).some((r) => tables.regName(r).startsWith('vgpr')),
  );
  return isVector ? 'kept for copies between AGPRs (gfx908)' : 'special register, never allocated';
}

function budgetWhy({ header }: MachineFunction, file: 'sgpr' | 'vgpr' | 'agpr'): string {
  const { attributes } = header.irFunction;
  const own = file === 'sgpr' ? 'amdgpu-num-sgpr' : file === 'vgpr' ? 'amdgpu-num-vgpr' : 'amdgpu-agpr-alloc';
  for (const name of [own, 'amdgpu-waves-per-eu', 'amdgpu-flat-work-group-size'])
    if (attributes.has(name)) return `"${name}"="${attributes.get(name) ?? ''}"`;
  return 'default work-group size';
}

function unitsOf({ tables }: MachineFunction, reg: PhysReg): RegUnit[] {
  const found: RegUnit[] = [];
  for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) found.push(tables.unitList[k]);
  return found;
}

/**
 * What kind of registers a function works with, which tells whether its pressure says anything: only virtual registers with a class
 * have one. Before register bank selection is done, and after register allocation, every number would be zero.
 */
import type { MachineFunction } from '../model/machineFunction.js';
import { printLLT, sizeInBits } from '../model/llt.js';
import { allocatedUse, type AllocatedUse } from './allocatedUse.js';
import type { FunctionLimits } from './functionLimits.js';
import type { Pressure } from './gcnPressure.js';
import type { LiveIntervals } from './liveIntervals.js';
import type { SlotIndex } from './slotIndexes.js';
import { chosenBank } from './uniformity/chosenBank.js';
import { LaneValues } from './uniformity/laneValues.js';

/** Most 32-bit registers of a bank of generic registers that live at once. */
export interface BankEstimate {
  /** as MIR spells it; of registers without bank the one that GlobalISel would choose, empty where that is not known */
  readonly bank: string;
  /** some of them have no bank yet */
  readonly isChosen: boolean;
  readonly registers: number;
  /** virtual registers that live where the bank has most, by type as MIR spells it (empty where a register has none), most of them first */
  readonly types: readonly (readonly [type: string, count: number])[];
}

export type UsedRegisters =
  /** the pressure counts; `generic`: virtual registers without class, which it leaves out */
  | { readonly kind: 'virtual'; readonly generic: number }
  | { readonly kind: 'generic'; readonly banks: readonly BankEstimate[] }
  | { readonly kind: 'allocated'; readonly use: AllocatedUse; readonly limits: FunctionLimits }
  /** instructions without registers */
  | { readonly kind: 'none' }
  /** no instructions */
  | { readonly kind: 'empty' };

/** A function whose registers are looked at (a part of PressureSummary). */
interface UsingFunction {
  readonly fn: MachineFunction;
  readonly lis: LiveIntervals;
  readonly max: Pressure;
  readonly limits: FunctionLimits;
}

/** O(operands + live ranges) */
export function usedRegisters(using: UsingFunction): UsedRegisters {
  const { fn, max, limits } = using;
  const generic = genericVRegs(using);
  if (max.some((n) => n > 0)) return { kind: 'virtual', generic: generic.length };
  if (generic.length > 0) return { kind: 'generic', banks: estimates(using, generic) };
  if (fn.nInstrs === 0) return { kind: 'empty' };
  const use = allocatedUse(fn, limits);
  return use.vgpr + use.sgpr + use.agpr > 0 ? { kind: 'allocated', use, limits } : { kind: 'none' };
}

/** Virtual registers without class that are mentioned by instructions. */
function genericVRegs({ fn, lis }: UsingFunction): number[] {
  const { vregs } = fn;
  const found: number[] = [];
  for (let v = 0; v < vregs.n; v++) if (vregs.regClass[v]! < 0 && lis.mainRange[v]! >= 0) found.push(v);
  return found;
}

/** One walk along the ends of the live ranges of each bank. */
function estimates({ fn, lis }: UsingFunction, generic: readonly number[]): BankEstimate[] {
  const { vregs, tables, subtarget } = fn;
  const events = new Map<string, [slot: SlotIndex, change: number, vreg: number][]>();
  const chosen = new Set<string>();
  const lanes = generic.some((v) => vregs.bank[v]! < 0) ? new LaneValues(fn) : null;
  for (const v of generic) {
    const given = vregs.bank[v]!;
    const bank = given >= 0 ? tables.regBankName(given).toLowerCase() : ((lanes && chosenBank(lanes, v)) ?? '');
    if (given < 0) chosen.add(bank);
    const type = vregs.type[v];
    // A register of the bank VCC is a bit per lane.
    const bits = bank === 'vcc' ? subtarget.wavefrontSize : type ? sizeInBits(type) : 32;
    const registers = Math.max(1, Math.ceil(bits / 32));
    const own = events.get(bank) ?? [];
    events.set(bank, own);
    const range = lis.mainRange[v]!;
    for (let s = lis.segBegin[range]!; s < lis.segBegin[range]! + lis.segCount[range]!; s++)
      own.push([lis.segStart[s]!, registers, v], [lis.segEnd[s]!, -registers, v]);
  }
  return [...events].map(([bank, own]) => {
    // A range that ends at a slot makes room for one that begins there.
    own.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    let live = 0;
    let most = 0;
    let peak = -1;
    for (const [k, [, change]] of own.entries()) {
      live += change;
      if (live <= most) continue;
      most = live;
      peak = k;
    }
    const types = typesOf(fn, own.slice(0, peak + 1));
    return { bank, registers: most, isChosen: chosen.has(bank), types };
  });
}

/** Of the registers that live after the last of `events`. */
function typesOf(
  { vregs }: MachineFunction,
  events: readonly (readonly [number, number, number])[],
): [string, number][] {
  const counts = new Map<string, number>();
  for (const [, change, v] of events) {
    const type = vregs.type[v];
    const name = type ? printLLT(type) : '';
    counts.set(name, (counts.get(name) ?? 0) + Math.sign(change));
  }
  return [...counts].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
}

/**
 * What the use of each physical register costs: LLVM's `CostPerUse`, a table that a target chooses for each function (getRegisterCostTableIndex;
 * docs/llvm/allocation.md, 3.1). AMDGPU has one table, all zeros, for every function, processor and calling convention. The others are for what-ifs: a
 * register that costs something is given up for a cheaper one that is free, or whose owner is lighter.
 */
import { calleeSaved } from '../../analysis/frame/calleeSaves.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { PhysReg, TargetTables } from '../../target/api.js';

/** By physical register, 0 to 255; null: llc's own, zeros. */
export type RegisterCosts = Uint8Array | null;

/** In the order of reports. `stripes`: registers cost the number of their stripe, where callee-saved and other ones take turns from below. */
export const COST_TABLES = ['llc', 'uniform', 'index', 'stripes', 'callee-saved'] as const;
export type CostTableName = (typeof COST_TABLES)[number];

export const isCostTable = (name: string): name is CostTableName => (COST_TABLES as readonly string[]).includes(name);

/** The dearest cost that still limits the search for a cheaper register: LLVM takes 255 for no limit. */
const MAX_LIMIT = 254;
const MAX_COST = 255;

const FILES = ['vgpr', 'agpr', 'sgpr'] as const;

/** One of the tables for a function: costs depend on what it has to save. */
export function costTable(name: CostTableName, fn: MachineFunction): RegisterCosts {
  if (name === 'llc') return null;
  const { tables } = fn;
  if (name === 'uniform') return new Uint8Array(tables.nRegs).fill(1);
  const byUnit = new Uint8Array(tables.nRegUnits);
  const saved = calleeSavedUnits(fn);
  for (const file of FILES) {
    let stripe = 0;
    let wasSaved = false;
    tables.numberedRegs(file).forEach((reg, n) => {
      const isSaved = saved[tables.unitList[tables.unitBegin[reg]]] !== 0;
      if (isSaved !== wasSaved) stripe++;
      wasSaved = isSaved;
      const cost = name === 'index' ? n : name === 'stripes' ? stripe : Number(isSaved);
      setUnits(tables, byUnit, reg, Math.min(cost, MAX_LIMIT));
    });
  }
  return costsOfUnits(tables, byUnit);
}

/**
 * A list as `v0-39:0 v40-47:1, s30:4, vcc:9 *:2`, separated by blanks, commas or lines; `#` begins a comment. What is not named costs 0, or what `*` says.
 * A tuple costs what its dearest register does. A text = what is wrong.
 */
export function ownCosts(text: string, tables: TargetTables): Uint8Array | string {
  const byUnit = new Uint8Array(tables.nRegUnits);
  const named: [regs: readonly PhysReg[], cost: number][] = [];
  const items = text.replace(/#.*$/gm, '').split(/[\s,]+/);
  let hasItem = false;
  for (const item of items) {
    if (item === '') continue;
    hasItem = true;
    const [, names = '', digits = ''] = /^(.+):(\d+)$/.exec(item) ?? [];
    if (names === '') return `'${item}' is no cost: v40-47:1 is one`;
    const cost = Number(digits);
    if (cost > MAX_COST) return `'${item}': costs are 0 to ${MAX_COST}`;
    if (names === '*') {
      byUnit.fill(cost);
      continue;
    }
    const regs = namedRegs(names.replace(/^\$/, '').toLowerCase(), tables);
    if (regs.length === 0) return `'${item}' names no register`;
    named.push([regs, cost]);
  }
  // Wherever `*` stands, it says what the others leave.
  for (const [regs, cost] of named) for (const reg of regs) setUnits(tables, byUnit, reg, cost);
  return hasItem ? costsOfUnits(tables, byUnit) : 'no costs';
}

/** `v40-47`, `vgpr3`, `s30`, `a0-15`, and other registers by name. */
function namedRegs(name: string, tables: TargetTables): readonly PhysReg[] {
  const [, letter, from = '', to = from] = /^([vas])(?:gpr)?(\d+)(?:-(\d+))?$/.exec(name) ?? [];
  if (letter === undefined) {
    const reg = tables.regByName(name);
    return reg > 0 ? [reg] : [];
  }
  const all = tables.numberedRegs(letter === 'v' ? 'vgpr' : letter === 'a' ? 'agpr' : 'sgpr');
  return Number(to) < all.length ? Array.from(all.slice(Number(from), Number(to) + 1)) : [];
}

function setUnits(
  { unitBegin, unitEnd, unitList }: TargetTables,
  byUnit: Uint8Array,
  reg: PhysReg,
  cost: number,
): void {
  for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) byUnit[unitList[k]] = cost;
}

function costsOfUnits({ nRegs, unitBegin, unitEnd, unitList }: TargetTables, byUnit: Uint8Array): Uint8Array {
  const costs = new Uint8Array(nRegs);
  for (let reg = 1; reg < nRegs; reg++)
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) costs[reg] = Math.max(costs[reg], byUnit[unitList[k]]);
  return costs;
}

/** 1 for units of callee-saved registers. */
function calleeSavedUnits(fn: MachineFunction): Uint8Array {
  const units = new Uint8Array(fn.tables.nRegUnits);
  for (const reg of calleeSaved(fn)) setUnits(fn.tables, units, reg, 1);
  return units;
}

/** What RegisterClassInfo::compute notes of an order. */
export interface OrderCosts {
  /** 255 of an empty order */
  readonly minCost: number;
  /** the last place whose cost differs from the one before it, 0 = none does */
  readonly lastCostChange: number;
}

export function orderCosts(order: Uint16Array, costs: Uint8Array): OrderCosts {
  let minCost = MAX_COST;
  let lastCostChange = 0;
  let last = MAX_COST;
  order.forEach((reg, n) => {
    const cost = costs[reg];
    minCost = Math.min(minCost, cost);
    if (cost !== last) lastCostChange = n;
    last = cost;
  });
  return { minCost, lastCostChange };
}

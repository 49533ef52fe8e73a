/** What-if: the registers of a function allocated with other costs of registers, beside llc's (passes/regalloc/registerCosts.ts). */
import type { IRModule } from '../ir/module.js';
import type { MachineFunction } from '../model/machineFunction.js';
import {
  COST_TABLES,
  costTable,
  isCostTable,
  ownCosts,
  type CostTableName,
  type RegisterCosts,
} from '../passes/regalloc/registerCosts.js';
import type { AllocatedFunction } from '../passes/regalloc/trace/collector.js';
import { allocateAsItStands, SCHEDULER_OFF, type AllocationSetting, type SchedulerBefore } from './allocation.js';

/** A table by name, or the user's own list. */
export interface AskedCosts {
  readonly name: string;
  /** null: the table of that name */
  readonly list: string | null;
}

export interface CostRow {
  readonly costs: string;
  /** or why there is none */
  readonly allocated: AllocatedFunction | string;
}

/** llc's and all others. */
export const ALL_COSTS: readonly AskedCosts[] = COST_TABLES.map((name) => ({ name, list: null }));

/**
 * `index`, `uniform,stripes`, `all`, a list (`v40-47:1,s30:4`), or the name of a file with a list, which `read` reads. llc's own table comes first in
 * any case. A text = what is wrong. Throws what `read` throws.
 */
export function readAskedCosts(text: string, read: (path: string) => string): readonly AskedCosts[] | string {
  if (text === 'all') return ALL_COSTS;
  const names = text.split(',');
  if (names.every(isCostTable)) {
    const others = [...new Set(names)].filter((name) => name !== 'llc');
    return ['llc', ...others].map((name) => ({ name, list: null }));
  }
  if (text.trim() === '') return 'no costs';
  const isList = /:\d+(?![/\\])/.test(text);
  const own = { name: isList ? 'own' : text, list: isList ? text : read(text) };
  return [...ALL_COSTS.slice(0, 1), own];
}

/** A row for each. Throws what `checkpoint` throws. */
export function compareCosts(
  { fn, ir }: { readonly fn: MachineFunction; readonly ir: IRModule | null },
  asked: readonly AskedCosts[],
  setting: AllocationSetting,
  schedule: SchedulerBefore | typeof SCHEDULER_OFF | null,
  checkpoint: () => void,
): CostRow[] {
  return asked.map(({ name, list }) => {
    const costs = list === null ? costTable(name as CostTableName, fn) : ownCosts(list, fn.tables);
    if (typeof costs === 'string') return { costs: name, allocated: costs };
    const own = withCosts(setting, costs);
    return {
      costs: name,
      allocated: allocateAsItStands(fn, ir, own, { withDecisions: false, checkpoint }, schedule),
    };
  });
}

const withCosts = (setting: AllocationSetting, costs: RegisterCosts): AllocationSetting =>
  typeof setting.options === 'string' ? setting : { ...setting, options: { ...setting.options, costs } };

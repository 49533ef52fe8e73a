/** What the allocator makes of a function with other costs of registers, as a table beside llc's. */
import { ownCosts } from '../../passes/regalloc/registerCosts.js';
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import { moduleFactsOf } from '../../passes/scheduler/moduleFacts.js';
import {
  ALL_COSTS,
  compareCosts,
  readAskedCosts,
  type AskedCosts,
  type CostRow,
} from '../../program/costComparison.js';
import { Cancelled, type ProgressToken } from '../../util/cancellation.js';
import { oneLine } from '../../text/visible.js';
import { ELSEWHERE, type Elsewhere, type Snapshot } from '../snapshot/snapshot.js';
import {
  allocatedViewAt,
  allocationTarget,
  expectedOccupancy,
  notAllocated,
  type AllocationParams,
} from './allocation.js';
import { allocatedText, spilledRegisters } from './allocationWords.js';

export interface CompareCostsParams extends AllocationParams {
  /** as `--costs` of `amdgpu-mir explain --allocation`, without files; all tables where it is not given, and beside an own list */
  readonly costs?: string | undefined;
}

/** Numbers of one table of costs, as reports have them. */
export interface CostNumbers {
  readonly vgpr: number;
  readonly agpr: number;
  readonly sgpr: number;
  readonly spilled: number;
  readonly saves: number;
  readonly reloads: number;
  readonly calleeSavedVGPRs: number;
  readonly calleeSavedSGPRs: number;
  readonly occupancy: number;
}

export function costNumbers(allocated: AllocatedFunction): CostNumbers {
  const { use, counts } = allocated;
  return {
    vgpr: use.framedVGPR,
    agpr: use.agpr,
    sgpr: use.framedSGPR,
    spilled: spilledRegisters(allocated),
    saves: counts.saves,
    reloads: counts.reloads,
    calleeSavedVGPRs: use.savedVGPRs.length,
    calleeSavedSGPRs: use.savedSGPRs.length,
    occupancy: use.occupancy,
  };
}

/** `callee-saved`: registers that prologepilog saves, VGPRs and AGPRs + SGPRs. */
const HEADS = ['costs', 'VGPR', 'AGPR', 'SGPR', 'spilled', 'saves', 'reloads', 'callee-saved', 'occupancy'];

/** A line per table of costs, each ended; three where they would be wider than `columns`. */
export function costsText(rows: readonly CostRow[], columns = Infinity): string {
  const cells = rows.map(({ costs, allocated }): readonly string[] => {
    if (typeof allocated === 'string') return [costs, `not allocated: ${oneLine(allocated)}`];
    if (allocated.errors.length > 0) return [costs, `not allocated: ${oneLine(allocated.errors[0]!)}`];
    const n = costNumbers(allocated);
    const saved = `${n.calleeSavedVGPRs} + ${n.calleeSavedSGPRs}`;
    return [costs, ...[n.vgpr, n.agpr, n.sgpr, n.spilled, n.saves, n.reloads].map(String), saved, String(n.occupancy)];
  });
  const isFull = (row: readonly string[]): boolean => row.length === HEADS.length;
  const hasAGPRs = cells.some((row) => isFull(row) && row[2] !== '0');
  const shown = HEADS.map((_, n) => n).filter((n) => n !== 2 || hasAGPRs);
  const table = [HEADS, ...cells];
  const widths = HEADS.map((_, n) => Math.max(...table.filter(isFull).map((row) => row[n]!.length)));
  widths[0] = Math.max(...table.map((row) => row[0]!.length));
  const lines = table.map((row) => {
    const name = row[0]!.padEnd(widths[0]!);
    if (!isFull(row)) return `${name}  ${row[1] ?? ''}\n`;
    const numbers = shown.slice(1).map((n) => row[n]!.padStart(widths[n]!));
    return `${[name, ...numbers].join('  ')}\n`;
  });
  return lines.some((line) => line.length - 1 > columns) ? narrowText(cells, hasAGPRs) : lines.join('');
}

/** The same numbers below the name of their table. */
function narrowText(cells: readonly (readonly string[])[], hasAGPRs: boolean): string {
  return cells
    .map(([costs = '', ...row]) => {
      const [vgpr, agpr, sgpr, spilled, saves, reloads, saved, occupancy] = row;
      if (occupancy === undefined) return `${costs}: ${vgpr ?? ''}\n`;
      const files = [`VGPR ${vgpr}`, ...(hasAGPRs ? [`AGPR ${agpr}`] : []), `SGPR ${sgpr}`, `callee-saved ${saved}`];
      return `${costs}: occupancy ${occupancy}\n  ${files.join(', ')}\n  spilled ${spilled}, saves ${saves}, reloads ${reloads}\n`;
    })
    .join('');
}

function askedTables(costs: string | undefined): readonly AskedCosts[] | string {
  if (costs === undefined) return ALL_COSTS;
  const asked = readAskedCosts(costs, () => costs);
  if (typeof asked === 'string') return asked;
  const own = asked.filter(({ list }) => list !== null).map((one) => ({ ...one, name: 'own' }));
  return own.length > 0 ? [...ALL_COSTS, ...own] : asked;
}

/** `amdgpuMir/compareCosts` */
export function provideCostComparison(
  snapshot: Snapshot,
  { position, costs }: CompareCostsParams,
  token: ProgressToken,
): string | Elsewhere | null {
  const view = allocatedViewAt(snapshot, position);
  const asked = askedTables(costs);
  if (typeof asked === 'string') return `register costs: ${oneLine(asked)}\n`;
  if (view === null) return `${notAllocated(snapshot, null)}\n`;
  for (const { list } of asked) {
    const wrong = list === null || view.fn === null ? null : ownCosts(list, view.fn.tables);
    if (typeof wrong === 'string') return `register costs: ${oneLine(wrong)}\n`;
  }
  // What llc does is what the lens says, from the same run.
  const own = view.allocate(token);
  if (own.kind === 'cancelled') return null;
  if (own.kind === 'large') return ELSEWHERE;
  const { fn, module: ir } = view;
  if (own.kind === 'none' || fn === null)
    return `${notAllocated(snapshot, view, own.kind === 'none' ? own.why : '')}\n`;
  const { allocationSetting: setting } = view;
  const { scheduleSetting } = snapshot;
  const { options } = scheduleSetting;
  const schedule =
    setting.isBeforeScheduler && typeof options !== 'string'
      ? { options, facts: moduleFactsOf(snapshot.text.text, ir) }
      : null;
  const limited = snapshot.limited(token);
  const checkpoint = (): void => {
    if (limited.isCancelled()) throw new Cancelled();
  };
  try {
    const others = compareCosts({ fn, ir }, asked.slice(1), setting, schedule, checkpoint);
    const head = `@${oneLine(view.name)}  ${allocationTarget(snapshot, view)}`;
    const summary = allocatedText(own.allocated, expectedOccupancy(view));
    const rows = [{ costs: 'llc', allocated: own.allocated }, ...others];
    return `${head}\n${summary}\n\nregisters with other costs\n${indented(costsText(rows))}`;
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    return limited.isLate === true ? ELSEWHERE : null;
  }
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

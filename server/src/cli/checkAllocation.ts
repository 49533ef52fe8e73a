/** `amdgpu-mir check --allocate`: what llc's register allocator would make of each function. */
import type { IRModule } from '../ir/module.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { allocateAsItStands, type AllocationSetting, type SchedulerBefore } from '../program/allocation.js';
import type { AllocatedFunction } from '../passes/regalloc/trace/collector.js';
import type { Palette } from './palette.js';
import type { CheckAllocation } from './checkTypes.js';

const NOTHING = { withDecisions: false, checkpoint: () => undefined };

/** `known`: what became of the same on the way to what llc ends with; `scheduler`: for files whose RUN line begins at the scheduler, null when the function cannot be scheduled. Text = why there is no allocation. */
export function checkAllocation(
  fn: MachineFunction,
  ir: IRModule | null,
  setting: AllocationSetting,
  scheduler: SchedulerBefore | null,
  known: AllocatedFunction | null,
): CheckAllocation | string {
  if (setting.isBeforeScheduler && scheduler === null) return 'it has no schedule';
  const allocated = known ?? allocateAsItStands(fn, ir, setting, NOTHING, setting.isBeforeScheduler ? scheduler : null);
  if (typeof allocated === 'string') return allocated;
  if (allocated.errors.length > 0) return allocated.errors[0]!;
  const { use, counts, parts } = allocated;
  return {
    vgpr: use.framedVGPR,
    agpr: use.agpr,
    sgpr: use.framedSGPR,
    totalVGPR: use.totalVGPR,
    totalSGPR: use.totalSGPR,
    vgprHoles: use.vgprHoles,
    occupancy: use.occupancy,
    spilled: new Set(parts.filter((p) => p.reg === 0).map((p) => p.vreg)).size,
    saves: counts.saves,
    reloads: counts.reloads,
    rematerialized: counts.rematerialized,
    copies: counts.copies,
    copiesBefore: counts.copiesBefore,
    scratchBytes: use.scratchBytes,
    calleeSaved: [...use.savedVGPRs, ...use.savedSGPRs].map((reg) => fn.tables.regName(reg)),
  };
}

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** The lines of the report below the pressure of a function. */
export function printAllocation(a: CheckAllocation, palette: Palette): string {
  const holes = a.vgprHoles > 0 ? ` (${a.vgpr - a.vgprHoles} used, ${count(a.vgprHoles, 'hole')})` : '';
  const files = [`VGPR ${a.vgpr}${holes}`, ...(a.agpr > 0 ? [`AGPR ${a.agpr}`] : []), `SGPR ${a.sgpr}`];
  const moves = `${count(a.saves, 'save')}, ${count(a.reloads, 'reload')}`;
  const spills = a.spilled === 0 ? palette.green('no spills') : palette.red(`${a.spilled} spilled (${moves})`);
  const more = [
    ...(a.rematerialized > 0 ? [`${a.rematerialized} rematerialized`] : []),
    ...(a.calleeSaved.length > 0 ? [`${a.calleeSaved.length} callee-saved`] : []),
    `copies ${a.copiesBefore} -> ${a.copies}`,
  ];
  return `    allocated: ${files.join(', ')}, ${spills}: occupancy ${a.occupancy}; ${more.join(', ')}\n`;
}

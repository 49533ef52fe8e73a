/** `amdgpu-mir check --allocate`: what llc's register allocator would make of each function, and whether that is worse than in an earlier report. */
import type { IRModule } from '../ir/module.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { allocateAsItStands, type AllocationSetting, type SchedulerBefore } from '../program/allocation.js';
import type { Palette } from './palette.js';
import type { CheckAllocation, CheckDiagnostic, CheckFile, CheckFunction, CheckTarget } from './checkTypes.js';

const NOTHING = { withDecisions: false, checkpoint: () => undefined };

/** `scheduler`: for files whose RUN line begins at the scheduler, null when the function cannot be scheduled. Text = why there is no allocation. */
export function checkAllocation(
  fn: MachineFunction,
  ir: IRModule | null,
  setting: AllocationSetting,
  scheduler: SchedulerBefore | null,
): CheckAllocation | string {
  if (setting.isBeforeScheduler && scheduler === null) return 'it has no schedule';
  const allocated = allocateAsItStands(fn, ir, setting, NOTHING, setting.isBeforeScheduler ? scheduler : null);
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
  const files = [`VGPR ${a.vgpr}`, ...(a.agpr > 0 ? [`AGPR ${a.agpr}`] : []), `SGPR ${a.sgpr}`];
  const moves = `${count(a.saves, 'save')}, ${count(a.reloads, 'reload')}`;
  const spills = a.spilled === 0 ? palette.green('no spills') : palette.red(`${a.spilled} spilled (${moves})`);
  const holes = a.vgprHoles > 0 ? ` (${a.vgpr - a.vgprHoles} used, ${count(a.vgprHoles, 'hole')})` : '';
  const more = [
    ...(a.rematerialized > 0 ? [`${a.rematerialized} rematerialized`] : []),
    ...(a.calleeSaved.length > 0 ? [`${a.calleeSaved.length} callee-saved`] : []),
    `copies ${a.copiesBefore} -> ${a.copies}`,
  ];
  return `    allocated: ${files.join(', ')}${holes}, ${spills}: occupancy ${a.occupancy}; ${more.join(', ')}\n`;
}

/** What an earlier `check --allocate --json` said, by file, target and function. */
export type Baseline = ReadonlyMap<string, CheckAllocation>;

const keyOf = (
  file: string,
  { cpu, wavefrontSize, name }: Pick<CheckFunction, 'cpu' | 'wavefrontSize' | 'name'>,
): string => JSON.stringify([file, cpu, wavefrontSize, name]);

/** A message when the text is no such report. */
export function readBaseline(text: string): Baseline | string {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    return 'it is no JSON';
  }
  const { files } = (report ?? {}) as { readonly files?: unknown };
  if (!Array.isArray(files)) return 'it is no report of check --json';
  const baseline = new Map<string, CheckAllocation>();
  for (const file of files as readonly Partial<CheckFile>[])
    for (const target of [file, ...(file.otherTargets ?? [])] as readonly Partial<CheckTarget>[])
      for (const fn of target.functions ?? [])
        if (fn.allocation) baseline.set(keyOf(file.file ?? '', fn), fn.allocation);
  return baseline.size > 0 ? baseline : 'it has no function that was allocated (check --allocate --json makes it)';
}

const WORSE = [
  ['occupancy', 'occupancy', -1],
  ['spilled', 'registers spilled', 1],
  ['saves', 'saves', 1],
  ['reloads', 'reloads', 1],
  ['scratchBytes', 'bytes of scratch', 1],
] as const;

/** What is worse than in the baseline, as errors: waves, spills, scratch. Functions that it does not have are passed over. */
export function worseThan(baseline: Baseline, { file, functions, otherTargets }: CheckFile): CheckDiagnostic[] {
  const found: CheckDiagnostic[] = [];
  for (const fn of [functions, ...otherTargets.map((t) => t.functions)].flat()) {
    const before = baseline.get(keyOf(file, fn));
    if (before === undefined) continue;
    const worse =
      fn.allocation === null
        ? ['not allocated any more']
        : WORSE.flatMap(([key, words, sign]) =>
            (fn.allocation![key] - before[key]) * sign > 0 ? [`${words} ${before[key]} -> ${fn.allocation![key]}`] : [],
          );
    if (worse.length === 0) continue;
    const message = `${fn.name} is worse than in the baseline: ${worse.join(', ')}`;
    const place = { line: fn.line, column: 1, endLine: fn.line, endColumn: 1 };
    found.push({ severity: 'error', code: 'allocation-worse', message, ...place });
  }
  return found;
}

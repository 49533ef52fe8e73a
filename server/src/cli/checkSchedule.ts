/** `amdgpu-mir check --schedule`: what the machine scheduler would do to each function of a file. */
import { vectorRegisters } from '../passes/scheduler/trace/pressureTrace.js';
import type { IRModule } from '../ir/module.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { moduleFactsOf } from '../passes/scheduler/moduleFacts.js';
import { modelNote } from '../passes/scheduler/schedulerModel.js';
import { SchedulerProcessState } from '../passes/scheduler/scheduleFunction.js';
import type { ModuleFacts, ScheduleOptions } from '../passes/scheduler/scheduleFunction.js';
import { traceSchedule, type TracedSchedule } from '../passes/scheduler/trace/collector.js';
import type { PressureTrace, RegionTrace } from '../passes/scheduler/trace/scheduleTrace.js';
import type { Palette } from './palette.js';
import type { CheckRegion, CheckSchedule } from './checkTypes.js';

const NO_PICKS = { picksOf: null };

/** Schedules the functions of one file, in their order. */
export class FileScheduler {
  private readonly state = new SchedulerProcessState();
  private readonly facts: ModuleFacts;

  constructor(
    source: string,
    ir: IRModule | null,
    private readonly options: ScheduleOptions,
  ) {
    this.facts = moduleFactsOf(source, ir);
  }

  /** The function must be accepted by the verifier. */
  trace(fn: MachineFunction): TracedSchedule {
    return traceSchedule(fn, this.options, this.state, this.facts, NO_PICKS);
  }

  /** `lineOf`: 1-based line of an instruction, 0 for -1. `region`: only this one; null = all. */
  report({ trace }: TracedSchedule, lineOf: (instr: number) => number, region: number | null): CheckSchedule {
    return {
      scheduler: trace.scheduler,
      model: trace.model,
      occupancyBefore: trace.occupancyBefore,
      occupancyAfter: trace.occupancyAfter,
      rematerialized: trace.rematUndone ? 0 : trace.rematerialized.length,
      regions: trace.regions.filter((r) => region === null || r.region === region).map((r) => checkRegion(r, lineOf)),
    };
  }
}

const vgprs = (p: PressureTrace | null): number => (p === null ? 0 : vectorRegisters(p));

function checkRegion(r: RegionTrace, lineOf: (instr: number) => number): CheckRegion {
  return {
    region: r.region,
    block: r.block,
    firstLine: lineOf(r.first),
    lastLine: lineOf(r.last),
    instructions: r.nInstrs,
    occupancyBefore: r.occupancyBefore,
    occupancyAfter: r.occupancyAfter,
    vgprBefore: vgprs(r.pressureBefore),
    vgprAfter: vgprs(r.pressureAfter),
    sgprBefore: r.pressureBefore?.sgpr ?? 0,
    sgprAfter: r.pressureAfter?.sgpr ?? 0,
    agprBefore: r.pressureBefore?.agpr ?? 0,
    agprAfter: r.pressureAfter?.agpr ?? 0,
    lengthBefore: r.lengthBefore,
    lengthAfter: r.lengthAfter,
    settledBy: r.settledBy,
    reverts: r.reverts,
  };
}

const change = (before: number, after: number): string => (before === after ? `${after}` : `${before} -> ${after}`);
const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** The lines of the report below the pressure of a function. */
export function printSchedule(s: CheckSchedule, palette: Palette): string {
  const reverts = s.regions.reduce((n, r) => n + r.reverts.length, 0);
  const occupancy = `occupancy ${change(s.occupancyBefore, s.occupancyAfter)}`;
  const paint = s.occupancyAfter < s.occupancyBefore ? palette.yellow : palette.green;
  const parts = [count(s.regions.length, 'region'), reverts === 0 ? 'none reverted' : count(reverts, 'revert')];
  if (s.rematerialized !== 0) parts.push(`${s.rematerialized} rematerialized`);
  let out = `    scheduled by ${s.scheduler}${modelNote(s.model)}: ${paint(occupancy)}, ${parts.join(', ')}\n`;
  for (const r of s.regions) out += `      ${printRegion(r, palette)}\n`;
  return out;
}

function printRegion(r: CheckRegion, palette: Palette): string {
  const lines = r.firstLine === r.lastLine ? `line ${r.firstLine}` : `lines ${r.firstLine}-${r.lastLine}`;
  const parts = [`max pressure VGPR ${change(r.vgprBefore, r.vgprAfter)}`, `SGPR ${change(r.sgprBefore, r.sgprAfter)}`];
  if (r.agprBefore !== 0 || r.agprAfter !== 0) parts.push(`AGPR ${change(r.agprBefore, r.agprAfter)}`);
  parts.push(`occupancy ${change(r.occupancyBefore, r.occupancyAfter)}`);
  if (r.lengthBefore !== 0) parts.push(`length ${change(r.lengthBefore, r.lengthAfter)} cycles (model)`);
  parts.push(r.settledBy === null ? 'order unchanged' : `settled by ${r.settledBy}`);
  const reverts = r.reverts.map((v) => palette.yellow(`; ${v.stage} reverted: ${v.rule}`)).join('');
  return `region ${r.region} ${palette.dim(`(bb.${r.block}, ${lines})`)}: ${parts.join(', ')}${reverts}`;
}

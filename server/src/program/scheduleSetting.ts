/** How the active RUN line of a file would schedule. */
import { schedulerSetting } from '../passes/scheduler/llcOptions.js';
import type { ScheduleOptions } from '../passes/scheduler/scheduleFunction.js';
import { DEFAULT_MODEL, type SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import type { FileTarget } from './targetOfFile.js';

/**
 * Functions with more instructions take longer than an editor waits for a hover: only a patient worker schedules them. Regions
 * with more have no picks in their trace, whose text nobody would read.
 */
export const MANY_INSTRS = 2000;

/** An exact search for instruction groups takes any time even on few instructions; after this long the patient worker takes over. */
export const QUICK_MS = 1000;

export interface ScheduleSetting {
  /** or why nothing is scheduled */
  readonly options: ScheduleOptions | string;
  /** equal for equal options */
  readonly key: string;
}

/** Of a file without a RUN line: llc's defaults. `model` is the user's choice; no RUN line names one. */
export function scheduleSettingOf(
  { commands, commandIdx }: FileTarget,
  model: SchedulerModel = DEFAULT_MODEL,
): ScheduleSetting {
  const setting = schedulerSetting(commands[commandIdx]?.args ?? []);
  const options = typeof setting === 'string' ? setting : { ...setting, model };
  return { options, key: JSON.stringify(options) };
}

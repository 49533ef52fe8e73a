/** How the active RUN line of a file would schedule. */
import { schedulerSetting } from '../scheduling/llcOptions.js';
import type { ScheduleOptions } from '../scheduling/scheduleFunction.js';
import type { FileTarget } from './targetOfFile.js';

/**
 * Functions with more instructions take longer than an editor waits for a hover: only a patient worker schedules them. Regions
 * with more have no picks in their trace, whose text nobody would read.
 */
export const MANY_INSTRS = 2000;

export interface ScheduleSetting {
  /** or why nothing is scheduled */
  readonly options: ScheduleOptions | string;
  /** equal for equal options */
  readonly key: string;
}

/** Of a file without a RUN line: llc's defaults. */
export function scheduleSettingOf({ commands, commandIdx }: FileTarget): ScheduleSetting {
  const options = schedulerSetting(commands[commandIdx]?.args ?? []);
  return { options, key: JSON.stringify(options) };
}

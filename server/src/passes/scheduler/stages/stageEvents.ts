/** What can be said of the stages and what they did: names, reasons, and what became of a region. */
import type { Pressure } from '../../../analysis/gcnPressure.js';
import type { InstrId } from '../../../model/machineFunction.js';
import type { ScheduleGraph } from '../dag/graph.js';
import type { PressureLimits } from '../strategy/gcnSchedStrategy.js';

export const enum StageKind {
  OccInitial = 0,
  UnclusteredHighRP,
  ClusteredLowOcc,
  PreRARemat,
  ILPInitial,
  MemoryClauseInitial,
  RewriteMFMAForm,
}

/** LLVM's names of the stages, as the oracle prints them. */
export const STAGE_NAMES = [
  'OccInitialSchedule',
  'UnclusteredHighRPReschedule',
  'ClusteredLowOccupancyReschedule',
  'PreRARematerialize',
  'ILPInitialSchedule',
  'MemoryClauseInitialSchedule',
  'RewriteMFMAForm',
] as const;

/** Why a region went back to its old order. */
export type RevertReason =
  'occupancy dropped' | 'dynamic VGPR blocks' | 'may cause spilling' | 'not profitable' | 'target occupancy missed';

/** Why a stage did not run, or why it left a region alone. */
export type SkipReason =
  | 'disabled by option'
  | 'no region with high or excess pressure'
  | 'occupancy did not drop'
  | 'nothing to rematerialize'
  | 'single region'
  | 'single instruction'
  | 'no excess pressure and no occupancy to gain'
  | 'no high pressure'
  | 'not touched by rematerialization'
  | 'target occupancy missed'
  | 'no instruction left'
  | 'no unified register file'
  | 'more than one wave is asked for'
  | 'no region above the addressable VGPRs'
  | 'no matrix instruction with an AGPR form'
  | 'copies cost more than spills';

/** Numbers of the profit test (gcn-strategy.md 6.3). */
export interface ScheduleProfit {
  /** stall cycles in percent before and after */
  readonly oldMetric: number;
  readonly newMetric: number;
  readonly bias: number;
  readonly wavesBefore: number;
  readonly wavesAfter: number;
  /** in percent; the schedule is kept from 100 on */
  readonly profit: number;
}

export interface RegionEvent {
  readonly stage: StageKind;
  readonly region: number;
  readonly before: Pressure;
  readonly after: Pressure;
  readonly limits: PressureLimits;
  readonly targetOccupancy: number;
  readonly minOccupancyAfter: number;
  readonly reverted: RevertReason | null;
  /** the question whether to revert was asked: the pressure is not plainly inside the critical limits */
  readonly checked: boolean;
  /** a candidate above a limit was examined */
  readonly hasHighPressure: boolean;
  /** marks of the region after the stage */
  readonly highRP: boolean;
  readonly excessRP: boolean;
  readonly profit: ScheduleProfit | null;
  /** borrowed */
  readonly graph: ScheduleGraph;
  /** nodes as they were scheduled, before a revert; borrowed */
  readonly scheduled: Int32Array;
  /** instruction of each node: the order before */
  readonly nodes: Int32Array;
  /** instructions when the stage is done with the region */
  readonly order: readonly InstrId[];
}

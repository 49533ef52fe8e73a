/**
 * The decision trace of a schedule as plain data: what ran, what was kept or reverted and by which rule, and why each
 * instruction was picked where it stands. It is collected only when asked for (collector.ts) and survives JSON.
 *
 * Instructions are InstrIds of the scheduled function; those of the original function keep their ids there. Pressures are
 * counts of 32-bit registers, latencies and lengths are cycles. Names are LLVM's.
 */

import type { RematReport } from '../remat/report.js';
import type { SchedulerModel } from '../schedulerModel.js';
import type { MfmaRewriteReport } from '../stages/mfmaRewriteReport.js';
import type { PressureTrace } from './pressureTrace.js';
import type { BlockId, InstrId } from '../../../model/machineFunction.js';

export type { PressureTrace };

export interface ScheduleTrace {
  readonly function: string;
  /** whose rematerialization stage ran */
  readonly model: SchedulerModel;
  /** name of the scheduler as `-misched` knows it: `gcn-max-occupancy` */
  readonly scheduler: string;
  readonly chosenBy: SchedulerOrigin;
  /** why the pass left the function alone; null when it ran */
  readonly notScheduled: string | null;
  /** waves per EU of machineFunctionInfo */
  readonly occupancyBefore: number;
  readonly occupancyAfter: number;
  /** in the scheduler's order: block by block, the bottom-most region of a block first */
  readonly regions: readonly RegionTrace[];
  readonly stages: readonly StageTrace[];
  readonly rematerialized: readonly RematTrace[];
  /** the rematerializations were undone, as they did not reach the occupancy that they were for */
  readonly rematUndone: boolean;
  /** how the rematerialization stage came to that; null if it did not look at the function */
  readonly remat: RematReport | null;
  /** what the stage that rewrites matrix instructions decided by; null if it did not get that far */
  readonly mfmaRewrite: MfmaRewriteReport | null;
}

export type SchedulerOrigin =
  'option -misched' | 'attribute "amdgpu-sched-strategy"' | 'option -amdgpu-sched-strategy' | 'default';

export interface RegionTrace {
  readonly region: number;
  readonly block: BlockId;
  /** first and last instruction in the order before scheduling, debug instructions not counted */
  readonly first: number;
  readonly last: number;
  /** boundary instruction; -1 = end of the block */
  readonly boundary: number;
  readonly nInstrs: number;
  readonly pressureBefore: PressureTrace | null;
  readonly pressureAfter: PressureTrace | null;
  readonly occupancyBefore: number;
  readonly occupancyAfter: number;
  /** estimated cycles of the order before and after; 0 if no stage scheduled the region */
  readonly lengthBefore: number;
  readonly lengthAfter: number;
  readonly criticalPath: number;
  /** name of the last stage whose order was kept; null if the order is the original one */
  readonly settledBy: string | null;
  readonly reverts: readonly { readonly stage: string; readonly rule: string }[];
  readonly oldOrder: readonly number[];
  readonly newOrder: readonly number[];
}

export interface StageTrace {
  /** LLVM's name: `OccInitialSchedule` */
  readonly stage: string;
  readonly ran: boolean;
  /** the rule by which it did not run */
  readonly why: string | null;
  readonly minOccupancyBefore: number;
  readonly minOccupancyAfter: number;
  /** machineFunctionInfo occupancy */
  readonly occupancyBefore: number;
  readonly occupancyAfter: number;
  readonly runs: readonly RegionRunTrace[];
}

/** One region in one stage. */
export interface RegionRunTrace {
  readonly region: number;
  /** the rule by which the stage left the region alone; the other members are null or empty then */
  readonly skipped: string | null;
  readonly details: RegionRunDetails | null;
}

export interface RegionRunDetails {
  readonly targetOccupancy: number;
  readonly limits: {
    readonly sgprExcess: number;
    readonly vgprExcess: number;
    readonly sgprCritical: number;
    readonly vgprCritical: number;
  } | null;
  readonly before: PressureTrace;
  readonly after: PressureTrace;
  readonly occupancyBefore: number;
  readonly occupancyAfter: number;
  readonly minOccupancyAfter: number;
  /** a candidate at or above a limit was examined */
  readonly highPressureSeen: boolean;
  /** marks of the region when the stage was done with it */
  readonly highRP: boolean;
  readonly excessRP: boolean;
  /** false: plainly below the critical limits, so that nobody asked whether to revert */
  readonly checked: boolean;
  /** the rule by which the old order came back */
  readonly reverted: string | null;
  readonly profit: {
    readonly oldMetric: number;
    readonly newMetric: number;
    readonly bias: number;
    readonly wavesBefore: number;
    readonly wavesAfter: number;
    readonly profit: number;
  } | null;
  readonly criticalPath: number;
  readonly cyclicCriticalPath: number;
  readonly acyclicLatencyLimited: boolean;
  /** estimated cycles: register edges with full instruction latencies, one instruction a cycle */
  readonly lengthBefore: number;
  readonly lengthAfter: number;
  readonly stallsBefore: number;
  readonly stallsAfter: number;
  readonly oldOrder: readonly number[];
  /** as scheduled, before a revert, without debug instructions */
  readonly newOrder: readonly number[];
  /** in the order made; empty when picks were not asked for */
  readonly picks: readonly PickTrace[];
}

export interface PickTrace {
  readonly instr: InstrId;
  /** number of its SUnit: its place in the order before */
  readonly node: number;
  readonly side: 'top' | 'bottom';
  /** LLVM's name of the reason */
  readonly reason: string;
  /** current cycle of the zone */
  readonly cycle: number;
  /** cycle at which the node is ready on that side */
  readonly readyCycle: number;
  /** of the zone before the pick, and with the pick */
  readonly sgpr: number;
  readonly vgpr: number;
  readonly sgprAfter: number;
  readonly vgprAfter: number;
  /** candidates of each zone; null when it had a single choice or was not asked */
  readonly top: ZoneChoice | null;
  readonly bottom: ZoneChoice | null;
  /** how the better zone was chosen; null when only one had a candidate */
  readonly between: Contest | null;
}

export interface ZoneChoice {
  /** nodes in Available and in Pending */
  readonly available: number;
  readonly pending: number;
  /** instruction that the zone put forward */
  readonly best: number;
  readonly reason: string;
  /** the closest of those that `best` was compared with */
  readonly runnerUp: Contest | null;
  /** the candidate is that of an earlier pick */
  readonly cached: boolean;
}

/** A comparison of two instructions. */
export interface Contest {
  readonly winner: number;
  readonly loser: number;
  /** LLVM's name of the reason that decided; `NoCand` = a tie */
  readonly rule: string;
  /** the numbers that the rule compared; for pressure rules units above the limit of `winnerSet`, `loserSet` */
  readonly winnerValue: number;
  readonly loserValue: number;
  readonly winnerSet: string | null;
  readonly loserSet: string | null;
  /** what the numbers are where the rule's name does not tell: of Stall, the latencies of loads instead of cycles */
  readonly quantity?: 'latency';
}

export interface RematTrace {
  /** definition, gone from its region unless undone */
  readonly def: number;
  readonly use: number;
  /** the copy before the use */
  readonly clone: number;
}

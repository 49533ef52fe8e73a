/** What `amdgpuMir/sweepRow` answers; the page of the sweep view reads it, too. */
export type { Outcome } from '../../program/outcome.js';
export type { SweepRow, SweepSetting } from '../../program/sweep.js';

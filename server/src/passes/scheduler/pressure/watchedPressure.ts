/**
 * The usual pressure of a region where the limit of a pressure set is 0 (`amdgpu-num-vgpr=0`, or just what is reserved): LLVM then computes it anew
 * when the node placed next changes the set (ScheduleDAGMILive::updateScheduledPressure, RegisterClassInfo::getRegPressureSetLimit, LLVM 22), and
 * complains anew of attributes that it cannot read.
 */
import type { MachineFunction } from '../../../model/machineFunction.js';
import { AGPR_32_SET, SREG_32_SET, VGPR_32_SET } from '../strategy/candidate.js';
import { AgprRegionPressure } from './agprPressure.js';
import type { UnitRangeCache } from './genericTracker.js';
import type { RegionLiveness } from './regionLiveness.js';

export class WatchedRegionPressure extends AgprRegionPressure {
  /** `onChange`: told each set that the node changes, in their order. */
  constructor(
    fn: MachineFunction,
    live: RegionLiveness,
    units: UnitRangeCache,
    private readonly onChange: (set: number) => void,
  ) {
    super(fn, live, units);
  }

  override recede(n: number): void {
    this.tell(n);
    super.recede(n);
  }

  override advance(n: number): void {
    this.tell(n);
    super.advance(n);
  }

  private tell(n: number): void {
    if (this.diffS[n] !== 0) this.onChange(SREG_32_SET);
    if (this.diffA[n] !== 0) this.onChange(AGPR_32_SET);
    if (this.diffV[n] !== 0) this.onChange(VGPR_32_SET);
  }
}

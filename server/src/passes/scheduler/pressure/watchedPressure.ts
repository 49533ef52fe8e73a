/**
 * The usual pressure of a region where the limit of a pressure set is 0 (`amdgpu-num-vgpr=0`, or just what is reserved): LLVM then computes it anew
 * when the node placed next changes the set (ScheduleDAGMILive::updateScheduledPressure, RegisterClassInfo::getRegPressureSetLimit, LLVM 22), and
 * complains anew of attributes that it cannot read.
 */
import type { MachineFunction } from '../../../model/machineFunction.js';
import { AGPR_32_SET, SREG_32_SET, VGPR_32_SET } from '../strategy/candidate.js';
import { GenericRegionPressure, type UnitRangeCache } from './genericTracker.js';
import type { RegionLiveness } from './regionLiveness.js';
import { withRoom } from '../../../util/columns.js';

export class WatchedRegionPressure extends GenericRegionPressure {
  private aWeight = new Int32Array(64);
  private diffA = new Int32Array(64);

  /** `onChange`: told each set that the node changes, in their order. */
  constructor(
    fn: MachineFunction,
    live: RegionLiveness,
    units: UnitRangeCache,
    private readonly onChange: (set: number) => void,
  ) {
    super(fn, live, units);
  }

  protected override weigh(): void {
    super.weigh();
    const { live, fn } = this;
    const { tables } = fn;
    this.aWeight = withRoom(this.aWeight, live.nRegs);
    for (let k = 0; k < live.nRegs; k++) {
      const v = live.regVReg.data[k];
      const unit = live.regUnit.data[k];
      if (v < 0) {
        this.aWeight[k] = tables.regUnitPressureSets(unit).includes(AGPR_32_SET) ? tables.regUnitWeight(unit) : 0;
        continue;
      }
      const rc = fn.vregs.regClass[v];
      this.aWeight[k] =
        rc >= 0 && tables.regClassPressureSets(rc).includes(AGPR_32_SET) ? tables.regClassWeight[rc] : 0;
    }
  }

  protected override makeDiffs(nodes: ArrayLike<number>): void {
    super.makeDiffs(nodes);
    const { live } = this;
    this.diffA = withRoom(this.diffA, live.nNodes);
    for (let n = 0; n < live.nNodes; n++) {
      this.diffA[n] = 0;
      for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++)
        this.diffA[n] += this.rowDiff(r) * this.aWeight[live.rowReg.data[r]];
    }
  }

  protected override updateDiffs(k: number, by: 1 | -1): void {
    super.updateDiffs(k, by);
    const a = by * this.aWeight[k];
    if (a === 0) return;
    for (let e = this.firstUser[k]; e >= 0; e = this.nextUser.data[e]) this.diffA[this.userNode.data[e]] += a;
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

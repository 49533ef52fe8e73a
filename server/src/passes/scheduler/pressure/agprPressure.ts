/** The cached diffs of a region's pressure (PressureDiff) for AGPR_32, too, which GCN's strategies do not ask for. */
import { AGPR_32_SET } from '../strategy/candidate.js';
import { GenericRegionPressure } from './genericTracker.js';
import { withRoom } from '../../../util/columns.js';

export abstract class AgprRegionPressure extends GenericRegionPressure {
  /** weight in AGPR_32 by register */
  protected aWeight = new Int32Array(64);
  protected diffA = new Int32Array(64);
  /** by register class, -1 = not yet looked up */
  private readonly classAWeight = new Int16Array(this.fn.tables.nRegClasses).fill(-1);

  protected override weigh(): void {
    super.weigh();
    const { live, fn, classAWeight } = this;
    const { tables } = fn;
    this.aWeight = withRoom(this.aWeight, live.nRegs);
    for (let k = 0; k < live.nRegs; k++) {
      const v = live.regVReg.data[k];
      if (v < 0) {
        const unit = live.regUnit.data[k];
        this.aWeight[k] = tables.regUnitPressureSets(unit).includes(AGPR_32_SET) ? tables.regUnitWeight(unit) : 0;
        continue;
      }
      const rc = fn.vregs.regClass[v];
      if (rc >= 0 && classAWeight[rc] < 0)
        classAWeight[rc] = tables.regClassPressureSets(rc).includes(AGPR_32_SET) ? tables.regClassWeight[rc] : 0;
      this.aWeight[k] = rc < 0 ? 0 : classAWeight[rc];
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
}

/** Ranges of register units while the scheduler moves instructions. */
import type { IntervalEditor } from '../../analysis/edit/intervalEditor.js';
import type { LiveRange } from '../../analysis/edit/liveRange.js';
import type { InstrId } from '../../model/machineFunction.js';
import type { RegUnit } from '../../target/api.js';
import type { SchedContext } from '../scheduler/context.js';
import { UnitRanges } from './unitRanges.js';

/** The ranges of register units that the scheduler has asked for: computed when it did, at the latest before the next move that touches them. */
export class FollowedUnits {
  private readonly ranges: UnitRanges;

  constructor(
    intervals: IntervalEditor,
    private readonly context: SchedContext,
  ) {
    const { slots, editor } = intervals;
    const { fn } = editor;
    const { reserved } = context;
    this.ranges = new UnitRanges({ fn, tables: fn.tables, slots, editor, lis: intervals, reserved });
    this.ranges.adopt([]);
  }

  asked(unit: RegUnit): LiveRange | null {
    return this.ranges.known(unit) ?? (this.context.unitRanges.has(unit) ? this.ranges.adopted(unit) : null);
  }

  /** An instruction is about to move: what was asked for before it is computed from the order before. */
  settle(i: InstrId): void {
    const { unitRanges, freshUnits, fn } = this.context;
    const { unitBegin, unitEnd, unitList } = fn.tables;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (reg <= 0) continue;
      for (let k = unitBegin[reg]; k < unitEnd[reg]; k++)
        if (unitRanges.has(unitList[k]) && !freshUnits.has(unitList[k])) this.asked(unitList[k]);
    }
  }
}

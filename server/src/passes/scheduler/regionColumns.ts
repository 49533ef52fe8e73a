/** What the regions of a function are scheduled in: columns that are made once and used for one function after another. */
import type { MachineFunction } from '../../model/machineFunction.js';
import { OperandLists } from './dag/build.js';
import { ScheduleGraph } from './dag/graph.js';
import { GenericRegionPressure, type UnitRangeCache } from './pressure/genericTracker.js';
import { RegionLiveness } from './pressure/regionLiveness.js';

export class RegionColumns {
  readonly graph = new ScheduleGraph();
  readonly operands = new OperandLists();
  readonly live: RegionLiveness;
  readonly pressure: GenericRegionPressure;

  constructor(
    private readonly fn: MachineFunction,
    units: UnitRangeCache,
  ) {
    this.live = new RegionLiveness(fn);
    this.pressure = new GenericRegionPressure(fn, this.live, units);
  }

  /** Goes on with another function; false where that is of another target. */
  serve(fn: MachineFunction, units: UnitRangeCache): boolean {
    if (fn.tables !== this.fn.tables) return false;
    this.live.serve(fn);
    this.pressure.serve(fn, units);
    return true;
  }
}

/**
 * The columns that nobody uses at present. Most functions of a file with thousands are so small that their columns, some hundred arrays with
 * 130 kB, took longer to make than to fill.
 */
export class SpareColumns {
  private spare: RegionColumns | null = null;

  take(fn: MachineFunction, units: UnitRangeCache): RegionColumns {
    const { spare } = this;
    this.spare = null;
    return spare?.serve(fn, units) === true ? spare : new RegionColumns(fn, units);
  }

  /** Only from a function that has been scheduled to its end, and whose graph nobody keeps. */
  giveBack(columns: RegionColumns): void {
    this.spare = columns;
  }
}

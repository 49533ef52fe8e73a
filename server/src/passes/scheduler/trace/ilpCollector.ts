/** Records the picks of a region that LLVM's ILP schedulers make, with the node that each was preferred to. */
import { NONE, type ScheduleGraph } from '../dag/graph.js';
import type { IlpPick } from '../generic/ilpStrategy.js';
import type { IlpWatch } from '../regionScheduler.js';
import type { RegionPressure } from '../strategy/gcnSchedStrategy.js';
import type { PickTrace } from './scheduleTrace.js';

export class IlpCollector implements IlpWatch {
  readonly picks: PickTrace[] = [];
  private instr: Int32Array = new Int32Array(0);
  private pressure: RegionPressure | null = null;

  begin(graph: ScheduleGraph, pressure: RegionPressure): void {
    this.instr = graph.instr.slice(0, graph.nSUnits);
    this.pressure = pressure;
  }

  onPick(pick: IlpPick): void {
    const { instr, pressure } = this;
    if (pressure === null) return;
    pressure.queryCurrent(false);
    const { sgpr, vgpr } = pressure;
    pressure.queryAfter(pick.node, false);
    const winner = instr[pick.node];
    const { rule } = pick;
    const numbers = { winnerValue: pick.value, loserValue: pick.runnerUpValue, winnerSet: null, loserSet: null };
    const runnerUp = pick.runnerUp === NONE ? null : { winner, loser: instr[pick.runnerUp], rule, ...numbers };
    const reason = runnerUp === null ? 'Only1' : rule;
    this.picks.push({
      instr: winner,
      node: pick.node,
      side: 'bottom',
      reason,
      cycle: this.picks.length,
      readyCycle: 0,
      sgpr,
      vgpr,
      sgprAfter: pressure.sgpr,
      vgprAfter: pressure.vgpr,
      top: null,
      bottom:
        runnerUp === null
          ? null
          : { available: pick.available, pending: 0, best: winner, reason, runnerUp, cached: false },
      between: null,
    });
  }
}

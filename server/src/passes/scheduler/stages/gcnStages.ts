/** The stages that schedule and do nothing else, of LLVM 22.1.8 (docs/llvm/gcn-strategy.md, 8). */
import type { Pressure } from '../../../analysis/gcnPressure.js';
import type { Mutation } from '../dag/mutations/mutation.js';
import { GCNSchedStage, type RevertQuery } from './gcnSchedStage.js';
import type { GCNSchedRegion } from './gcnScheduleDAGMILive.js';
import { scheduleMetric } from './scheduleMetrics.js';
import { StageKind, type RevertReason, type SkipReason } from './stageEvents.js';

const BIAS_IN_HIGH_RP = 7;
const REVERT_PROFIT_PERCENT = 100;

/** @llvm GCNSchedStrategy.cpp OccInitialScheduleStage */
export class OccInitialScheduleStage extends GCNSchedStage {
  readonly kind: StageKind = StageKind.OccInitial;
  protected override readonly isInitial: boolean = true;

  /** @llvm GCNSchedStrategy.cpp OccInitialScheduleStage::shouldRevertScheduling */
  protected override shouldRevertScheduling(e: RevertQuery): RevertReason | null {
    return samePressure(e.after, e.before) ? null : (this.losesOccupancy(e) ?? this.mayCauseSpilling(e));
  }
}

/** @llvm GCNSchedStrategy.cpp ILPInitialScheduleStage */
export class ILPInitialScheduleStage extends GCNSchedStage {
  readonly kind = StageKind.ILPInitial;
  protected override readonly isInitial = true;

  /** @llvm GCNSchedStrategy.cpp ILPInitialScheduleStage::shouldRevertScheduling */
  protected override shouldRevertScheduling(e: RevertQuery): RevertReason | null {
    return this.mayCauseSpilling(e);
  }
}

/** @llvm GCNSchedStrategy.cpp MemoryClauseInitialScheduleStage */
export class MemoryClauseInitialScheduleStage extends GCNSchedStage {
  readonly kind = StageKind.MemoryClauseInitial;

  /** @llvm GCNSchedStrategy.cpp MemoryClauseInitialScheduleStage::shouldRevertScheduling */
  protected override shouldRevertScheduling(e: RevertQuery): RevertReason | null {
    return this.mayCauseSpilling(e);
  }
}

/**
 * Regions with too much pressure once more, without clusters, for one more wave.
 * @llvm GCNSchedStrategy.cpp UnclusteredHighRPStage
 */
export class UnclusteredHighRPStage extends GCNSchedStage {
  readonly kind = StageKind.UnclusteredHighRP;
  protected override readonly bias = BIAS_IN_HIGH_RP;
  private initialOccupancy = 0;
  private raisedOccupancy = 0;
  private hasScheduled = false;
  private groups: readonly Mutation[] = [];

  /** @llvm GCNSchedStrategy.cpp UnclusteredHighRPStage::initGCNSchedStage */
  protected override initGCNSchedStage(): SkipReason | null {
    const { options, regions, minOccupancy, maxWaves } = this.dag;
    if (options.disableUnclusteredHighRP) return 'disabled by option';
    if (!regions.some((r) => r.highRP || r.excessRP)) return 'no region with high or excess pressure';
    this.groups = this.instrGroups();
    this.initialOccupancy = minOccupancy;
    this.raisedOccupancy = maxWaves > minOccupancy ? minOccupancy + 1 : minOccupancy;
    return null;
  }

  /** @llvm GCNSchedStrategy.cpp UnclusteredHighRPStage::initGCNRegion */
  protected override initGCNRegion(region: GCNSchedRegion): SkipReason | null {
    const { dag, initialOccupancy, raisedOccupancy } = this;
    const target = this.hasScheduled ? dag.minOccupancy : raisedOccupancy;
    const mayGain = target > initialOccupancy && dag.occupancyOf(region.pressure) === initialOccupancy;
    if (!region.excessRP && !mayGain) return 'no excess pressure and no occupancy to gain';
    const skipped = this.tooSmall(region);
    if (skipped !== null) return skipped;
    if (!this.hasScheduled && dag.maxWaves > dag.minOccupancy) dag.raiseMinOccupancy(raisedOccupancy);
    this.hasScheduled = true;
    return null;
  }

  protected override mutationsFor(): readonly Mutation[] {
    return this.groups;
  }

  /** @llvm GCNSchedStrategy.cpp UnclusteredHighRPStage::shouldRevertScheduling */
  protected override shouldRevertScheduling(e: RevertQuery): RevertReason | null {
    const { dag } = this;
    // LLVM asks for spilling only where there are no more waves than before; with more of them the pressure is less, which may not
    const reason = this.mayCauseSpilling(e) ?? this.losesOccupancy(e);
    if (reason !== null || e.region.excessRP) return reason;
    const { graph, order } = e.result;
    const identity = new Int32Array(graph.nSUnits);
    for (let n = 0; n < identity.length; n++) identity[n] = n;
    // the metric goes by the model also where the graph does not (`-schedmodel=0`)
    const { latency } = dag.ctx;
    const latencies = latency.isEnabled
      ? graph.latencyCycles
      : Int32Array.from(identity, (n) => latency.modelLatency(graph.instr[n]));
    const oldMetric = scheduleMetric(graph, identity, latencies);
    const newMetric = scheduleMetric(graph, order, latencies);
    const wavesBefore = Math.min(e.target, dag.occupancyOf(e.before));
    const gain = Math.floor((e.wavesAfter * 100) / wavesBefore);
    const bias = dag.options.metricBias;
    // unsigned 32-bit arithmetic, from left to right
    const weighted = Math.imul(gain, Math.imul(oldMetric + bias, 100)) >>> 0;
    const profit = Math.floor(Math.floor(weighted / newMetric) / 100);
    this.profit = { oldMetric, newMetric, bias, wavesBefore, wavesAfter: e.wavesAfter, profit };
    return profit < REVERT_PROFIT_PERCENT ? 'not profitable' : null;
  }
}

/**
 * After the occupancy has dropped: clusters again where pressure was high. Reverts by the rule of the first stage.
 * @llvm GCNSchedStrategy.cpp ClusteredLowOccStage
 */
export class ClusteredLowOccStage extends OccInitialScheduleStage {
  override readonly kind = StageKind.ClusteredLowOcc;
  protected override readonly isInitial = false;

  /** @llvm GCNSchedStrategy.cpp ClusteredLowOccStage::initGCNSchedStage */
  protected override initGCNSchedStage(): SkipReason | null {
    const { options, startingOccupancy, minOccupancy } = this.dag;
    if (options.disableClusteredLowOccupancy) return 'disabled by option';
    return startingOccupancy <= minOccupancy ? 'occupancy did not drop' : null;
  }

  /** @llvm GCNSchedStrategy.cpp ClusteredLowOccStage::initGCNRegion */
  protected override initGCNRegion(region: GCNSchedRegion): SkipReason | null {
    return region.highRP ? null : 'no high pressure';
  }
}

function samePressure(a: Pressure, b: Pressure): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

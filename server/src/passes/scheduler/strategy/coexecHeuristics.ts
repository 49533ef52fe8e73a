/**
 * What LLVM 24's strategy `coexec` goes by: hardware units, which instructions still want each of them, and which of those come first.
 *
 * Follows HardwareUnitInfo and CandidateHeuristics (AMDGPUCoExecSchedStrategy.cpp, LLVM 24) as docs/llvm/gcn-strategy.md, 12 describes them.
 */
import type { Opcode, TargetTables } from '../../../target/api.js';
import { opcodeSet } from '../../../target/opcodeSets.js';
import {
  isDS,
  isFLAT,
  isImage,
  isLDSDMA,
  isMFMA,
  isMTBUF,
  isMUBUF,
  isSALU,
  isSWMMAC,
  isTRANS,
  isVALU,
  isWMMA,
} from '../../../target/opcodes.js';
import { SUnitFlag, type ScheduleGraph, type SUnitId } from '../dag/graph.js';
import { CandReason, type SchedCandidate } from './candidate.js';
import type { NodeResources } from './schedBoundary.js';

/** AMDGPU::InstructionFlavor */
export const enum Flavor {
  WMMA = 0,
  SingleCycleVALU,
  TRANS,
  MultiCycleVALU,
  VMEM,
  DS,
  SALU,
  DMA,
  Fence,
  Other,
}
const N_FLAVORS = 10;

/** @llvm AMDGPUCoExecSchedStrategy.cpp AMDGPU::classifyFlavor */
export function classifyFlavor(t: TargetTables, opc: Opcode): Flavor {
  if (opcodeSet(t, 'coexecFence').has(opc)) return Flavor.Fence;
  if (isLDSDMA(t, opc)) return Flavor.DMA;
  if (isWMMA(t, opc) || isSWMMAC(t, opc) || isMFMA(t, opc)) return Flavor.WMMA;
  if (isTRANS(t, opc)) return Flavor.TRANS;
  if (isVALU(t, opc)) return Flavor.SingleCycleVALU;
  if (isDS(t, opc)) return Flavor.DS;
  if (isMUBUF(t, opc) || isMTBUF(t, opc) || isImage(t, opc) || isFLAT(t, opc)) return Flavor.VMEM;
  return isSALU(t, opc) ? Flavor.SALU : Flavor.Other;
}

interface HardwareUnit {
  readonly flavor: Flavor;
  /** while it works for several cycles others may work beside it */
  readonly producesWindow: boolean;
  /** nodes that are not scheduled, in the order of the region */
  readonly all: Set<SUnitId>;
  /** those of the least depth */
  readonly first: Set<SUnitId>;
  totalCycles: number;
}

const producesWindow = (f: Flavor): boolean => f === Flavor.WMMA || f === Flavor.MultiCycleVALU || f === Flavor.TRANS;

/** @llvm AMDGPUCoExecSchedStrategy.cpp CandidateHeuristics */
export class CoexecHeuristics {
  /** the most wanted first, as of the last comparison */
  private readonly units: HardwareUnit[] = [];
  private readonly byFlavor: readonly HardwareUnit[];
  /** by node */
  private readonly flavors: Uint8Array;

  constructor(
    private readonly graph: ScheduleGraph,
    private readonly resources: NodeResources,
    flavorOf: (n: SUnitId) => Flavor,
  ) {
    this.flavors = Uint8Array.from({ length: graph.nSUnits }, (_, n) => flavorOf(n));
    for (let flavor = 0; flavor < N_FLAVORS; flavor++)
      this.units.push({
        flavor,
        producesWindow: producesWindow(flavor),
        all: new Set(),
        first: new Set(),
        totalCycles: 0,
      });
    this.byFlavor = this.units.slice();
    for (let n = 0; n < graph.nSUnits; n++) {
      const unit = this.byFlavor[this.flavors[n]];
      unit.all.add(n);
      unit.totalCycles += this.cyclesOf(n);
      this.rank(unit, n);
    }
  }

  private cyclesOf(n: SUnitId): number {
    return this.resources.writes[n].reduce((most, w) => Math.max(most, w.releaseAtCycle), 0);
  }

  private rank({ first }: HardwareUnit, n: SUnitId): void {
    const { graph } = this;
    for (const p of first) {
      if (graph.depth(n) > graph.depth(p)) return;
      if (graph.depth(n) < graph.depth(p)) first.clear();
      break;
    }
    first.add(n);
  }

  /** A node is about to be placed. */
  markScheduled(n: SUnitId): void {
    const unit = this.byFlavor[this.flavors[n]];
    if (unit.totalCycles === 0) return;
    unit.all.delete(n);
    unit.first.delete(n);
    unit.totalCycles -= this.cyclesOf(n);
    if (unit.first.size === 0) for (const p of unit.all) this.rank(unit, p);
  }

  sortUnits(): void {
    this.units.sort(
      (a, b) =>
        Number(b.producesWindow) - Number(a.producesWindow) ||
        b.totalCycles - a.totalCycles ||
        a.all.size - b.all.size ||
        a.flavor - b.flavor,
    );
  }

  /**
   * Prefers who uses the most wanted unit. Whether that decided.
   * @llvm AMDGPUCoExecSchedStrategy.cpp CandidateHeuristics::tryCriticalResource
   */
  tryCriticalResource(t: SchedCandidate, c: SchedCandidate): boolean {
    for (const { all, first, flavor } of this.units) {
      const candUses = all.has(c.node);
      const tryUses = all.has(t.node);
      if (!candUses && !tryUses) continue;
      if (candUses !== tryUses) return candUses ? keep(c) : take(t);
      if (flavor === Flavor.DS && this.tryCriticalResourceDependency(t, c)) return true;
      for (const p of first) {
        if (p === c.node) return keep(c);
        if (p === t.node) return take(t);
      }
    }
    return false;
  }

  /**
   * Prefers whom the next node of the most wanted unit waits for. Whether that decided.
   * @llvm AMDGPUCoExecSchedStrategy.cpp CandidateHeuristics::tryCriticalResourceDependency
   */
  tryCriticalResourceDependency(t: SchedCandidate, c: SchedCandidate): boolean {
    const { graph } = this;
    const candIsDS = this.flavors[c.node] === Flavor.DS;
    const anyIsDS = candIsDS || this.flavors[t.node] === Flavor.DS;
    for (const unit of this.units) {
      const isWMMA = unit.flavor === Flavor.WMMA;
      if (this.nextTarget(unit, anyIsDS && isWMMA) < 0) continue;
      const target = this.nextTarget(unit, candIsDS && isWMMA);
      const enables = (n: SUnitId): boolean => target >= 0 && target !== n && graph.isReachable(target, n);
      const candEnables = enables(c.node);
      const tryEnables = enables(t.node);
      if (!candEnables && !tryEnables) continue;
      if (candEnables !== tryEnables) return candEnables ? keep(c) : take(t);
      return graph.height(c.node) < graph.height(t.node) ? take(t) : keep(c);
    }
    return false;
  }

  /** The node that the unit is to get next and that is not ready; -1 = none. `looksDeep`: also beyond those of the least depth. */
  private nextTarget({ first, all }: HardwareUnit, looksDeep: boolean): SUnitId | -1 {
    const { graph } = this;
    const isReady = (n: SUnitId): boolean => graph.numPredsLeft[n] === 0;
    for (const n of first) if (!isReady(n)) return n;
    if (!looksDeep) return -1;
    let target = -1;
    for (const n of all) {
      if ((graph.flags[n] & SUnitFlag.IsScheduled) !== 0 || isReady(n)) continue;
      if (target < 0 || graph.depth(n) < graph.depth(target)) target = n;
    }
    return target;
  }
}

function keep(c: SchedCandidate): boolean {
  if (c.reason > CandReason.RegCritical) c.reason = CandReason.RegCritical;
  return true;
}

function take(t: SchedCandidate): boolean {
  t.reason = CandReason.RegCritical;
  return true;
}

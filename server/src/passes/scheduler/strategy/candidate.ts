/**
 * Scheduling candidates and the comparison primitives of the list scheduler.
 *
 * Follows GenericSchedulerBase (SchedCandidate, tryLess, tryGreater, tryPressure, tryLatency, biasPhysReg) as docs/llvm/generic-scheduler.md,
 * 6 describes it. Reasons rank the rules; the picks themselves only ask whether a reason was given.
 */
import type { WriteProcRes } from '../../../target/api.js';
import { NONE, type ScheduleGraph, type SUnitId } from '../dag/graph.js';

/** GenericSchedulerBase::CandReason, strongest first. */
export const enum CandReason {
  NoCand = 0,
  Only1,
  PhysReg,
  RegExcess,
  RegCritical,
  Stall,
  Cluster,
  Weak,
  RegMax,
  ResourceReduce,
  ResourceDemand,
  BotHeightReduce,
  BotPathReduce,
  TopDepthReduce,
  TopPathReduce,
  NodeOrder,
  FirstValid,
}

/** LLVM's names, as its debug output and the oracle print them. */
export const CAND_REASON_NAMES = [
  'NoCand',
  'Only1',
  'PhysReg',
  'RegExcess',
  'RegCritical',
  'Stall',
  'Cluster',
  'Weak',
  'RegMax',
  'ResourceReduce',
  'ResourceDemand',
  'BotHeightReduce',
  'BotPathReduce',
  'TopDepthReduce',
  'TopPathReduce',
  'NodeOrder',
  'FirstValid',
] as const;

/**
 * What a zone wants from its next candidate. Resource 0 = none.
 * @llvm MachineScheduler.h GenericSchedulerBase::CandPolicy
 */
export class CandPolicy {
  reduceLatency = false;
  reduceResIdx = 0;
  demandResIdx = 0;

  reset(): void {
    this.reduceLatency = false;
    this.reduceResIdx = 0;
    this.demandResIdx = 0;
  }

  set(p: CandPolicy): void {
    this.reduceLatency = p.reduceLatency;
    this.reduceResIdx = p.reduceResIdx;
    this.demandResIdx = p.demandResIdx;
  }

  equals(p: CandPolicy): boolean {
    return (
      this.reduceLatency === p.reduceLatency &&
      this.reduceResIdx === p.reduceResIdx &&
      this.demandResIdx === p.demandResIdx
    );
  }
}

/** Pressure sets by number; a change with 0 units is "no change" only when the set is NO_SET. */
export const NO_SET = -1;
export const SREG_32_SET = 0;
export const AGPR_32_SET = 1;
export const VGPR_32_SET = 2;

/** @llvm MachineScheduler.h GenericSchedulerBase::SchedCandidate */
export class SchedCandidate {
  readonly policy = new CandPolicy();
  node: SUnitId = NONE;
  reason: CandReason = CandReason.NoCand;
  atTop = false;
  // RegPressureDelta: set number or NO_SET, and units
  excessSet = NO_SET;
  excessUnits = 0;
  criticalSet = NO_SET;
  criticalUnits = 0;
  /** only the generic scheduler's */
  currentMaxSet = NO_SET;
  currentMaxUnits = 0;
  // SchedResourceDelta
  critResources = 0;
  demandedResources = 0;

  get isValid(): boolean {
    return this.node !== NONE;
  }

  /** Fresh candidate; the policy is reset when none is given. */
  reset(policy: CandPolicy | null): void {
    if (policy === null) this.policy.reset();
    else this.policy.set(policy);
    this.renew();
  }

  /** As `reset`, but the policy stays. */
  renew(): void {
    this.node = NONE;
    this.reason = CandReason.NoCand;
    this.atTop = false;
    this.excessSet = this.criticalSet = this.currentMaxSet = NO_SET;
    this.excessUnits = this.criticalUnits = this.currentMaxUnits = 0;
    this.critResources = this.demandedResources = 0;
  }

  /** Takes all of `best` but its policy. */
  setBest(best: SchedCandidate): void {
    this.node = best.node;
    this.reason = best.reason;
    this.atTop = best.atTop;
    this.excessSet = best.excessSet;
    this.excessUnits = best.excessUnits;
    this.criticalSet = best.criticalSet;
    this.criticalUnits = best.criticalUnits;
    this.currentMaxSet = best.currentMaxSet;
    this.currentMaxUnits = best.currentMaxUnits;
    this.critResources = best.critResources;
    this.demandedResources = best.demandedResources;
  }

  /** A copy with the policy. */
  assign(c: SchedCandidate): void {
    this.setBest(c);
    this.policy.set(c.policy);
  }
}

/**
 * Smaller wins. Returns whether the rule decided; a lost comparison weakens the other's reason only.
 * @llvm MachineScheduler.cpp tryLess
 */
export function tryLess(
  tryVal: number,
  candVal: number,
  tryCand: SchedCandidate,
  cand: SchedCandidate,
  reason: CandReason,
): boolean {
  if (tryVal < candVal) {
    tryCand.reason = reason;
    return true;
  }
  if (tryVal > candVal) {
    if (cand.reason > reason) cand.reason = reason;
    return true;
  }
  return false;
}

/**
 * Greater wins; otherwise as tryLess.
 * @llvm MachineScheduler.cpp tryGreater
 */
export function tryGreater(
  tryVal: number,
  candVal: number,
  tryCand: SchedCandidate,
  cand: SchedCandidate,
  reason: CandReason,
): boolean {
  return tryLess(-tryVal, -candVal, tryCand, cand, reason);
}

/** Rank of a missing pressure change: after every real set. */
const NO_SET_RANK = 0x7fffffff;

/**
 * Compares two pressure changes (set and units).
 * @llvm MachineScheduler.cpp tryPressure
 */
export function tryPressure(
  trySet: number,
  tryUnits: number,
  candSet: number,
  candUnits: number,
  tryCand: SchedCandidate,
  cand: SchedCandidate,
  reason: CandReason,
): boolean {
  if (tryGreater(tryUnits < 0 ? 1 : 0, candUnits < 0 ? 1 : 0, tryCand, cand, reason)) return true;
  // pressure changes at the two ends of the region say nothing about each other
  if (cand.atTop !== tryCand.atTop) return false;
  if (trySet === candSet) return tryLess(tryUnits, candUnits, tryCand, cand, reason);
  let tryRank = trySet === NO_SET ? NO_SET_RANK : trySet;
  let candRank = candSet === NO_SET ? NO_SET_RANK : candSet;
  if (tryUnits < 0) {
    const swapped = tryRank;
    tryRank = candRank;
    candRank = swapped;
  }
  return tryGreater(tryRank, candRank, tryCand, cand, reason);
}

/**
 * What is not ready yet before what it would have to wait for, else the longer way to the end of the region.
 * @llvm MachineScheduler.cpp tryLatency
 */
export function tryLatency(
  g: ScheduleGraph,
  t: SchedCandidate,
  c: SchedCandidate,
  zone: { readonly isTop: boolean; readonly scheduledLatencyCycles: number },
): boolean {
  const td = g.depth(t.node);
  const cd = g.depth(c.node);
  const th = g.height(t.node);
  const ch = g.height(c.node);
  if (zone.isTop) {
    if (Math.max(td, cd) > zone.scheduledLatencyCycles && tryLess(td, cd, t, c, CandReason.TopDepthReduce)) return true;
    return tryGreater(th, ch, t, c, CandReason.TopPathReduce);
  }
  if (Math.max(th, ch) > zone.scheduledLatencyCycles && tryLess(th, ch, t, c, CandReason.BotHeightReduce)) return true;
  return tryGreater(td, cd, t, c, CandReason.BotPathReduce);
}

/** @llvm MachineScheduler.cpp GenericSchedulerBase::SchedCandidate::initResourceDelta */
export function initResourceDelta(cand: SchedCandidate, writes: readonly WriteProcRes[]): void {
  const { reduceResIdx, demandResIdx } = cand.policy;
  if (reduceResIdx === 0 && demandResIdx === 0) return;
  for (const w of writes) {
    if (w.resource === reduceResIdx) cand.critResources += w.releaseAtCycle;
    if (w.resource === demandResIdx) cand.demandedResources += w.releaseAtCycle;
  }
}

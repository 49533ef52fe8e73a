/**
 * Pressure as LLVM's generic list scheduler compares it (`-misched=converge`): how far a candidate goes beyond a limit, beyond the greatest
 * pressure so far of a set that is critical in the region, and beyond the greatest pressure of the region.
 *
 * Follows RegPressureTracker (getUpwardPressureDelta, getMaxUpwardPressureDelta, getMaxDownwardPressureDelta, bumpDeadDefs, discoverLiveOut,
 * initLiveThru), ScheduleDAGMILive::initRegPressure and updateScheduledPressure, and RegisterClassInfo::computePSetLimit, LLVM 22.
 * What GenericRegionPressure keeps of a zone is extended by AGPR_32 and by the running maxima.
 */
import type { MachineFunction } from '../../../model/machineFunction.js';
import { AGPR_32_SET, NO_SET, SREG_32_SET, VGPR_32_SET, type SchedCandidate } from '../strategy/candidate.js';
import { AgprRegionPressure } from './agprPressure.js';
import type { UnitRangeCache, ZoneSets } from './genericTracker.js';
import type { RegionEnds, RegionLiveness } from './regionLiveness.js';
import { N_PRESSURE_SETS } from './setLimits.js';
import { withRoom } from '../../../util/columns.js';

/** PressureChange keeps its units in 16 bits. */
const MAX_UNITS = 0x7fff;

/** Units by pressure set. */
type SetUnits = Int32Array;

/** One zone: present pressure of AGPR_32 (the other sets are in ZoneSets) and maxima so far. */
class ZoneMax {
  agpr = 0;
  readonly max: SetUnits = new Int32Array(N_PRESSURE_SETS);
}

/** @llvm RegisterPressure.cpp RegPressureTracker */
export class MaxRegionPressure extends AgprRegionPressure {
  private readonly topMax = new ZoneMax();
  private readonly botMax = new ZoneMax();
  /** limits of the sets, what lives through the region on top; unsigned as LLVM's */
  private readonly limits = new Uint32Array(N_PRESSURE_SETS);
  /** greatest pressure of the region in its first order */
  private readonly regionMax: SetUnits = new Int32Array(N_PRESSURE_SETS);
  /** sets above their limit in the first order, with the greatest pressure that scheduling has made so far; -1 = not critical */
  private readonly critical: SetUnits = new Int32Array(N_PRESSURE_SETS);
  private readonly present: SetUnits = new Int32Array(N_PRESSURE_SETS);
  private readonly next: SetUnits = new Int32Array(N_PRESSURE_SETS);
  private readonly nextMax: SetUnits = new Int32Array(N_PRESSURE_SETS);
  private curLo = new Int32Array(64);
  private curHi = new Int32Array(64);
  private isUntied = new Uint8Array(64);

  /** `setLimits`: RegisterClassInfo::getRegPressureSetLimit by set. `isExact`: candidates at the bottom are not judged by their cached diff. */
  constructor(
    fn: MachineFunction,
    live: RegionLiveness,
    units: UnitRangeCache,
    private readonly setLimits: Uint32Array,
    private readonly isExact: boolean,
  ) {
    super(fn, live, units);
  }

  override reset(ends: RegionEnds, nodes: ArrayLike<number>): void {
    const { nRegs } = this.live;
    this.curLo = withRoom(this.curLo, nRegs);
    this.curHi = withRoom(this.curHi, nRegs);
    this.isUntied = withRoom(this.isUntied, nRegs);
    this.topMax.agpr = this.botMax.agpr = 0;
    this.topMax.max.fill(0);
    this.botMax.max.fill(0);
    super.reset(ends, nodes);
  }

  protected override countIn(z: ZoneSets, k: number): void {
    super.countIn(z, k);
    const m = z === this.top ? this.topMax : this.botMax;
    m.agpr += this.aWeight[k];
    raise(m.max, z.sgpr, m.agpr, z.vgpr);
  }

  protected override countOut(z: ZoneSets, k: number): void {
    super.countOut(z, k);
    (z === this.top ? this.topMax : this.botMax).agpr -= this.aWeight[k];
  }

  protected override initZones(): void {
    this.measureRegion();
    super.initZones();
    for (let set = 0; set < N_PRESSURE_SETS; set++) {
      this.critical[set] = this.regionMax[set] > this.setLimits[set] ? 0 : -1;
      this.limits[set] = this.setLimits[set];
    }
    const { live, limits } = this;
    for (let k = 0; k < live.nRegs; k++) {
      if ((this.outLo[k] | this.outHi[k]) === 0 || live.regVReg.data[k] < 0 || this.isUntied[k] !== 0) continue;
      this.addWeight(limits, k, 1);
    }
  }

  private addWeight(to: SetUnits | Uint32Array, k: number, by: number): void {
    to[SREG_32_SET] += by * this.sWeight[k];
    to[AGPR_32_SET] += by * this.aWeight[k];
    to[VGPR_32_SET] += by * this.vWeight[k];
  }

  /**
   * The walk that LLVM makes while it builds the graph: from the end up, nothing live at first. What turns out to live out of the region
   * raises the maximum as if it had been live all along. Finds the registers that a def of the region makes anew, too ("untied").
   */
  private measureRegion(): void {
    const { live, curLo, curHi, outLo, outHi, regionMax, present } = this;
    regionMax.fill(0);
    present.fill(0);
    curLo.fill(0, 0, live.nRegs);
    curHi.fill(0, 0, live.nRegs);
    outLo.fill(0, 0, live.nRegs);
    outHi.fill(0, 0, live.nRegs);
    this.isUntied.fill(0, 0, live.nRegs);
    for (let n = live.nNodes; n >= 0; n--) this.measureNode(n, n === live.nNodes);
  }

  private measureNode(n: number, isBoundary: boolean): void {
    const { live, curLo, curHi, outLo, outHi, regionMax, present } = this;
    const begin = live.rowBegin[n];
    const end = live.rowBegin[n + 1];
    const discover = (k: number, lo: number, hi: number): void => {
      if ((lo | hi) === 0) return;
      if ((outLo[k] | outHi[k]) === 0) this.addWeight(regionMax, k, 1);
      outLo[k] |= lo;
      outHi[k] |= hi;
    };
    this.bumpDeadDefs(n, curLo, curHi, present, regionMax);
    for (let r = begin; r < end; r++) {
      const k = live.rowReg.data[r];
      const dLo = isBoundary ? this.boundaryDefLo(r) : this.defLo(r);
      const dHi = isBoundary ? this.boundaryDefHi(r) : this.defHi(r);
      let wasLive = (curLo[k] | curHi[k]) !== 0;
      const newLo = dLo & ~curLo[k];
      const newHi = dHi & ~curHi[k];
      if ((newLo | newHi) !== 0) {
        discover(k, newLo, newHi);
        this.addWeight(present, k, 1);
        wasLive = true;
      }
      curLo[k] &= ~dLo;
      curHi[k] &= ~dHi;
      if (wasLive && (curLo[k] | curHi[k]) === 0) this.addWeight(present, k, -1);
    }
    for (let r = begin; r < end; r++) {
      if (live.rowReads.data[r] === 0) continue;
      const k = live.rowReg.data[r];
      const uLo = isBoundary ? this.boundaryUseLo(r) : this.useLoAtBuild(r);
      const uHi = isBoundary ? this.boundaryUseHi(r) : live.rowBeforeHi.data[r];
      if ((curLo[k] | curHi[k]) === 0 && (uLo | uHi) !== 0) {
        if (!this.isUncachedUnit(k)) {
          const aLo = isBoundary ? this.boundaryAfterLo(r) : live.rowAfterLo.data[r];
          const aHi = isBoundary ? this.boundaryAfterHi(r) : live.rowAfterHi.data[r];
          discover(k, uLo & aLo & ~live.rowAllDefLo.data[r], uHi & aHi & ~live.rowAllDefHi.data[r]);
        }
        this.addWeight(present, k, 1);
        raise(regionMax, present[SREG_32_SET], present[AGPR_32_SET], present[VGPR_32_SET]);
      }
      curLo[k] |= uLo;
      curHi[k] |= uHi;
    }
    for (let r = begin; r < end; r++) {
      const k = live.rowReg.data[r];
      const dLo = isBoundary ? this.boundaryDefLo(r) : this.defLo(r);
      const dHi = isBoundary ? this.boundaryDefHi(r) : this.defHi(r);
      if ((dLo | dHi) !== 0 && ((curLo[k] & dLo) | (curHi[k] & dHi)) === 0) this.isUntied[k] = 1;
    }
  }

  /**
   * All dead defs of a node count at once, for the maximum only.
   * @llvm RegisterPressure.cpp RegPressureTracker::bumpDeadDefs
   */
  private bumpDeadDefs(n: number, lo: Int32Array, hi: Int32Array, present: SetUnits, max: SetUnits): void {
    const { live, next } = this;
    let any = false;
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const deadLo = live.rowAllDefLo.data[r] & ~(live.rowDefLo.data[r] | live.rowUncountedDef.data[r]);
      const deadHi = live.rowAllDefHi.data[r] & ~live.rowDefHi.data[r];
      const k = live.rowReg.data[r];
      if ((deadLo | deadHi) === 0 || (lo[k] | hi[k]) !== 0) continue;
      if (!any) next.set(present);
      any = true;
      this.addWeight(next, k, 1);
    }
    if (any) raise(max, next[SREG_32_SET], next[AGPR_32_SET], next[VGPR_32_SET]);
  }

  private readZone(z: ZoneSets, to: SetUnits): void {
    to[SREG_32_SET] = z.sgpr;
    to[AGPR_32_SET] = (z === this.top ? this.topMax : this.botMax).agpr;
    to[VGPR_32_SET] = z.vgpr;
  }

  protected override recedeRows(n: number, isBoundary: boolean): void {
    const { bot, present } = this;
    this.readZone(bot, present);
    this.bumpDeadDefs(n, bot.lo, bot.hi, present, this.botMax.max);
    super.recedeRows(n, isBoundary);
  }

  /** @llvm RegisterPressure.cpp RegPressureTracker::recede */
  override recede(n: number): void {
    const changed = this.changedSets(n);
    super.recede(n);
    this.updateCritical(changed, this.botMax.max);
  }

  /** @llvm RegisterPressure.cpp RegPressureTracker::advance */
  override advance(n: number): void {
    const changed = this.changedSets(n);
    super.advance(n);
    const { top, present } = this;
    this.readZone(top, present);
    this.bumpDeadDefs(n, top.lo, top.hi, present, this.topMax.max);
    this.updateCritical(changed, this.topMax.max);
  }

  /** Bit set of the pressure sets in which the cached diff of a node is not 0. */
  private changedSets(n: number): number {
    const bit = (set: number, units: number): number => (units === 0 ? 0 : 1 << set);
    return bit(SREG_32_SET, this.diffS[n]) | bit(AGPR_32_SET, this.diffA[n]) | bit(VGPR_32_SET, this.diffV[n]);
  }

  /** @llvm MachineScheduler.cpp ScheduleDAGMILive::updateScheduledPressure */
  private updateCritical(changed: number, max: SetUnits): void {
    const { critical } = this;
    for (let set = 0; set < N_PRESSURE_SETS; set++) {
      if ((changed & (1 << set)) === 0 || critical[set] < 0) continue;
      if (max[set] > critical[set] && max[set] <= MAX_UNITS) critical[set] = max[set];
    }
  }

  /** Fills in what the candidate's node would change at its side. */
  judge(cand: SchedCandidate): void {
    const { node, atTop } = cand;
    if (atTop) {
      this.tryDownward(node);
      this.compareMaxima(cand, this.topMax.max);
    } else if (this.isExact) {
      this.tryUpward(node);
      this.compareMaxima(cand, this.botMax.max);
    } else this.judgeByDiff(cand);
  }

  /** @llvm RegisterPressure.cpp RegPressureTracker::getUpwardPressureDelta */
  private judgeByDiff(cand: SchedCandidate): void {
    const { present, limits, critical, regionMax } = this;
    const { max } = this.botMax;
    const n = cand.node;
    this.readZone(this.bot, present);
    for (let set = 0; set < N_PRESSURE_SETS; set++) {
      const units = set === SREG_32_SET ? this.diffS[n] : set === AGPR_32_SET ? this.diffA[n] : this.diffV[n];
      if (units === 0) continue;
      const before = present[set];
      const after = before + units;
      if (cand.excessSet === NO_SET) {
        let excess = 0;
        if (after > limits[set]) excess = before > limits[set] ? units : after - limits[set];
        else if (before > limits[set]) excess = limits[set] - before;
        if (excess !== 0) {
          cand.excessSet = set;
          cand.excessUnits = excess;
        }
      }
      if (after <= max[set]) continue;
      if (cand.criticalSet === NO_SET && critical[set] >= 0) {
        const above = after - critical[set];
        if (above > 0 && above <= MAX_UNITS) {
          cand.criticalSet = set;
          cand.criticalUnits = above;
        }
      }
      if (cand.currentMaxSet === NO_SET && after > regionMax[set]) {
        cand.currentMaxSet = set;
        cand.currentMaxUnits = after - max[set];
      }
    }
  }

  /**
   * Present, next and greatest pressure with node n next at the top.
   * @llvm RegisterPressure.cpp RegPressureTracker::getMaxDownwardPressureDelta
   */
  private tryDownward(n: number): void {
    const { live, top, zones, present, next, nextMax } = this;
    this.readZone(top, present);
    next.set(present);
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const k = live.rowReg.data[r];
      const lo = top.lo[k];
      const hi = top.hi[k];
      if (live.rowReads.data[r] === 0 || this.isUncachedUnit(k)) continue;
      const lastLo = zones.lanesEndingAt(n, r);
      if ((lastLo | zones.hi) !== 0 && ((lo & ~lastLo) | (hi & ~zones.hi)) === 0) this.addWeight(next, k, -1);
    }
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const k = live.rowReg.data[r];
      if ((top.lo[k] | top.hi[k]) === 0 && (this.defLo(r) | this.defHi(r)) !== 0) this.addWeight(next, k, 1);
    }
    nextMax.set(this.topMax.max);
    raise(nextMax, next[SREG_32_SET], next[AGPR_32_SET], next[VGPR_32_SET]);
    this.candScratch.set(next);
    this.bumpDeadDefs(n, top.lo, top.hi, this.candScratch, nextMax);
    next.set(this.candScratch);
  }

  private readonly candScratch: SetUnits = new Int32Array(N_PRESSURE_SETS);

  /**
   * The same at the bottom, exactly.
   * @llvm RegisterPressure.cpp RegPressureTracker::getMaxUpwardPressureDelta
   */
  private tryUpward(n: number): void {
    const { live, bot, zones, present, next, nextMax } = this;
    this.readZone(bot, present);
    next.set(present);
    nextMax.set(this.botMax.max);
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const k = live.rowReg.data[r];
      const dLo = this.defLo(r);
      const dHi = this.defHi(r);
      if ((dLo | dHi) === 0) continue;
      let uLo = 0;
      let uHi = 0;
      if (live.rowReads.data[r] !== 0) {
        uLo = this.isUncachedUnit(k) ? 1 : zones.lanesBefore(n, r);
        uHi = this.isUncachedUnit(k) ? 0 : zones.hi;
      }
      const restLo = bot.lo[k] & ((bot.lo[k] & ~dLo) | uLo);
      const restHi = bot.hi[k] & ((bot.hi[k] & ~dHi) | uHi);
      if ((restLo | restHi) === 0) this.addWeight(next, k, -1);
    }
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const k = live.rowReg.data[r];
      if (live.rowReads.data[r] === 0 || (bot.lo[k] | bot.hi[k]) !== 0) continue;
      const isLive = this.isUncachedUnit(k) || (zones.lanesBefore(n, r) | zones.hi) !== 0;
      if (isLive) this.addWeight(next, k, 1);
    }
    raise(nextMax, next[SREG_32_SET], next[AGPR_32_SET], next[VGPR_32_SET]);
  }

  /**
   * From `present` to `next`, and from the zone's maxima to `nextMax`.
   * @llvm RegisterPressure.cpp computeMaxPressureDelta
   */
  private compareMaxima(cand: SchedCandidate, max: SetUnits): void {
    const { present, next, nextMax, limits, critical, regionMax } = this;
    for (let set = 0; set < N_PRESSURE_SETS && cand.excessSet === NO_SET; set++) {
      let units = next[set] - present[set];
      if (units === 0) continue;
      if (limits[set] > present[set]) units = limits[set] > next[set] ? 0 : next[set] - limits[set];
      else if (limits[set] > next[set]) units = limits[set] - present[set];
      if (units === 0) continue;
      cand.excessSet = set;
      cand.excessUnits = units;
    }
    for (let set = 0; set < N_PRESSURE_SETS; set++) {
      if (nextMax[set] === max[set]) continue;
      if (cand.criticalSet === NO_SET && critical[set] >= 0 && nextMax[set] > critical[set]) {
        cand.criticalSet = set;
        cand.criticalUnits = nextMax[set] - critical[set];
      }
      if (cand.currentMaxSet === NO_SET && nextMax[set] > regionMax[set]) {
        cand.currentMaxSet = set;
        cand.currentMaxUnits = nextMax[set] - max[set];
      }
    }
  }
}

function raise(max: SetUnits, sgpr: number, agpr: number, vgpr: number): void {
  if (sgpr > max[SREG_32_SET]) max[SREG_32_SET] = sgpr;
  if (agpr > max[AGPR_32_SET]) max[AGPR_32_SET] = agpr;
  if (vgpr > max[VGPR_32_SET]) max[VGPR_32_SET] = vgpr;
}

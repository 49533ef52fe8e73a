/**
 * The generic pressure-set trackers of a region, as far as GCN's strategies read them: the current SReg_32 and VGPR_32 pressure
 * at the top and at the bottom, exact queries, and cached pressure diffs.
 *
 * Follows RegPressureTracker (recede, advance, getUpwardPressure, getDownwardPressure), PressureDiff and
 * ScheduleDAGMILive::initRegPressure / updatePressureDiffs in lane mode as spec register-pressure.md 5 and generic-scheduler.md 10
 * describe them. A register counts with its whole weight while any lane is live. Running maxima are not kept: nobody asks.
 */
import { OpFlag, OperandKind, type MachineFunction } from '../../model/machineFunction.js';
import { SREG_32_SET, VGPR_32_SET } from '../strategy/candidate.js';
import type { RegionPressure } from '../strategy/gcnStrategy.js';
import type { RegionEnds, RegionLiveness } from './regionLiveness.js';
import { ZoneLiveness } from './zonePressure.js';

/** a register unit is one lane */
const UNIT_LANE = 1;

/** Register units whose live range LLVM has computed: only those ever end (the others count as live everywhere). */
export interface UnitRangeCache {
  has(unit: number): boolean;
}

class ZoneSets {
  sgpr = 0;
  vgpr = 0;
  readonly lo: Int32Array;
  readonly hi: Int32Array;

  constructor(nRegs: number) {
    this.lo = new Int32Array(nRegs);
    this.hi = new Int32Array(nRegs);
  }
}

export class GenericRegionPressure implements RegionPressure {
  sgpr = 0;
  vgpr = 0;
  private readonly zones: ZoneLiveness;
  private readonly top: ZoneSets;
  private readonly bot: ZoneSets;
  private readonly sWeight: Int32Array;
  private readonly vWeight: Int32Array;
  private readonly diffS: Int32Array;
  private readonly diffV: Int32Array;
  private readonly usesDiff: Uint8Array;
  /** nodes whose diff changes with register k: use list in row order */
  private readonly usersOf: number[][] = [];
  private readonly scheduled: Uint8Array;

  constructor(
    private readonly fn: MachineFunction,
    private readonly live: RegionLiveness,
    private readonly ends: RegionEnds,
    private readonly units: UnitRangeCache,
    private readonly nodes: ArrayLike<number>,
  ) {
    this.zones = new ZoneLiveness(live);
    this.top = new ZoneSets(live.nRegs);
    this.bot = new ZoneSets(live.nRegs);
    this.sWeight = new Int32Array(live.nRegs);
    this.vWeight = new Int32Array(live.nRegs);
    this.diffS = new Int32Array(live.nNodes);
    this.diffV = new Int32Array(live.nNodes);
    this.usesDiff = new Uint8Array(live.nNodes);
    this.scheduled = new Uint8Array(live.nNodes);
    this.weigh();
    this.makeDiffs();
    this.initZones();
  }

  private weigh(): void {
    const { live, fn } = this;
    const { tables } = fn;
    for (let k = 0; k < live.nRegs; k++) {
      this.usersOf.push([]);
      const v = live.regVReg.data[k];
      let sets: readonly number[];
      let weight: number;
      if (v >= 0) {
        const rc = fn.vregs.regClass[v];
        if (rc < 0) continue;
        sets = tables.regClassPressureSets(rc);
        weight = tables.regClassWeight[rc];
      } else {
        const unit = live.regUnit.data[k];
        sets = tables.regUnitPressureSets(unit);
        weight = tables.regUnitWeight(unit);
      }
      if (sets.includes(SREG_32_SET)) this.sWeight[k] = weight;
      if (sets.includes(VGPR_32_SET)) this.vWeight[k] = weight;
    }
  }

  private isUncachedUnit(k: number): boolean {
    const unit = this.live.regUnit.data[k];
    return unit >= 0 && !this.units.has(unit);
  }

  /** Lanes of the defs of row r that live after it; units without range count as live. */
  private defLo(r: number): number {
    const { live } = this;
    return this.isUncachedUnit(live.rowReg.data[r])
      ? live.rowDefLo.data[r]
      : live.rowDefLo.data[r] & live.rowAfterLo.data[r];
  }

  private defHi(r: number): number {
    const { live } = this;
    return live.rowDefHi.data[r] & live.rowAfterHi.data[r];
  }

  private makeDiffs(): void {
    const { live, fn } = this;
    for (let n = 0; n < live.nNodes; n++) {
      for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
        const k = live.rowReg.data[r];
        const hasDef = (this.defLo(r) | this.defHi(r)) !== 0;
        const reads = live.rowReads.data[r] !== 0;
        const hasUse = reads && (this.isUncachedUnit(k) || (live.rowBeforeLo.data[r] | live.rowBeforeHi.data[r]) !== 0);
        const by = (hasUse ? 1 : 0) - (hasDef ? 1 : 0);
        this.diffS[n] += by * this.sWeight[k];
        this.diffV[n] += by * this.vWeight[k];
        if (live.regVReg.data[k] >= 0 && reads && (live.rowDefLo.data[r] | live.rowDefHi.data[r]) === 0)
          this.usersOf[k].push(n);
      }
      this.usesDiff[n] = hasOnlyPlainOperands(fn, this.nodes[n]) ? 1 : 0;
    }
  }

  private countIn(z: ZoneSets, k: number): void {
    z.sgpr += this.sWeight[k];
    z.vgpr += this.vWeight[k];
  }

  private countOut(z: ZoneSets, k: number): void {
    z.sgpr -= this.sWeight[k];
    z.vgpr -= this.vWeight[k];
  }

  /** Walks the region once from its end, which finds live-ins and live-outs, then starts both zones. */
  private initZones(): void {
    const { live, top, bot } = this;
    const outLo = new Int32Array(live.nRegs);
    const outHi = new Int32Array(live.nRegs);
    const curLo = new Int32Array(live.nRegs);
    const curHi = new Int32Array(live.nRegs);
    const end = live.nNodes;
    const walk = (n: number): void => {
      for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
        const k = live.rowReg.data[r];
        const dLo = n === end ? this.boundaryDefLo(r) : this.defLo(r);
        const dHi = n === end ? this.boundaryDefHi(r) : this.defHi(r);
        if ((dLo | dHi) === 0) continue;
        outLo[k] |= dLo & ~curLo[k];
        outHi[k] |= dHi & ~curHi[k];
        curLo[k] &= ~dLo;
        curHi[k] &= ~dHi;
      }
      for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
        if (live.rowReads.data[r] === 0) continue;
        const k = live.rowReg.data[r];
        const uLo = n === end ? this.boundaryUseLo(r) : this.useLoAtBuild(r);
        const uHi = n === end ? this.boundaryUseHi(r) : live.rowBeforeHi.data[r];
        if ((curLo[k] | curHi[k]) === 0 && !this.isUncachedUnit(k)) {
          const aLo = n === end ? this.boundaryAfterLo(r) : live.rowAfterLo.data[r];
          const aHi = n === end ? this.boundaryAfterHi(r) : live.rowAfterHi.data[r];
          outLo[k] |= uLo & aLo & ~live.rowAllDefLo.data[r];
          outHi[k] |= uHi & aHi & ~live.rowAllDefHi.data[r];
        }
        curLo[k] |= uLo;
        curHi[k] |= uHi;
      }
    };
    walk(end);
    for (let n = end - 1; n >= 0; n--) walk(n);
    for (let k = 0; k < live.nRegs; k++) {
      top.lo[k] = curLo[k];
      top.hi[k] = curHi[k];
      if ((curLo[k] | curHi[k]) !== 0) this.countIn(top, k);
      bot.lo[k] = outLo[k];
      bot.hi[k] = outHi[k];
      if ((outLo[k] | outHi[k]) !== 0) {
        this.countIn(bot, k);
        this.updateDiffs(k, -1);
      }
    }
    this.recedeRows(end, true);
  }

  private useLoAtBuild(r: number): number {
    const { live } = this;
    return this.isUncachedUnit(live.rowReg.data[r]) ? UNIT_LANE : live.rowBeforeLo.data[r];
  }

  // -- the boundary instruction: its liveness comes from outside the region ---------------------------------------------------

  private boundaryDefLo(r: number): number {
    const { live, ends } = this;
    const k = live.rowReg.data[r];
    const v = live.regVReg.data[k];
    return v < 0 ? live.rowDefLo.data[r] : live.rowDefLo.data[r] & ends.liveAfterBoundary(v);
  }

  private boundaryDefHi(r: number): number {
    const { live, ends } = this;
    const v = live.regVReg.data[live.rowReg.data[r]];
    if (v < 0) return 0;
    ends.liveAfterBoundary(v);
    return live.rowDefHi.data[r] & ends.lanesHi;
  }

  private boundaryUseLo(r: number): number {
    const { live, ends } = this;
    const k = live.rowReg.data[r];
    const v = live.regVReg.data[k];
    if (v >= 0) return ends.liveAtEnd(v);
    return this.isUncachedUnit(k) || ends.unitLiveAtEnd(live.regUnit.data[k]) ? UNIT_LANE : 0;
  }

  private boundaryUseHi(r: number): number {
    const { live, ends } = this;
    const v = live.regVReg.data[live.rowReg.data[r]];
    if (v < 0) return 0;
    ends.liveAtEnd(v);
    return ends.lanesHi;
  }

  private boundaryAfterLo(r: number): number {
    const { live, ends } = this;
    const v = live.regVReg.data[live.rowReg.data[r]];
    return v < 0 ? 0 : ends.liveAfterBoundary(v);
  }

  private boundaryAfterHi(r: number): number {
    const { live, ends } = this;
    const v = live.regVReg.data[live.rowReg.data[r]];
    if (v < 0) return 0;
    ends.liveAfterBoundary(v);
    return ends.lanesHi;
  }

  // -- moving the zones ------------------------------------------------------------------------------------------------------

  /** A register became live (-1) or dead (+1) at the bottom: other users no longer, or again, change the pressure. */
  private updateDiffs(k: number, by: 1 | -1): void {
    const s = by * this.sWeight[k];
    const v = by * this.vWeight[k];
    if (s === 0 && v === 0) return;
    for (const n of this.usersOf[k]) {
      if (this.scheduled[n] !== 0) continue;
      this.diffS[n] += s;
      this.diffV[n] += v;
    }
  }

  private recedeRows(n: number, isBoundary: boolean): void {
    const { live, bot, zones } = this;
    const born: number[] = [];
    const died: number[] = [];
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const dLo = isBoundary ? this.boundaryDefLo(r) : this.defLo(r);
      const dHi = isBoundary ? this.boundaryDefHi(r) : this.defHi(r);
      if ((dLo | dHi) === 0) continue;
      const k = live.rowReg.data[r];
      let wasLive = (bot.lo[k] | bot.hi[k]) !== 0;
      const outLo = dLo & ~bot.lo[k];
      const outHi = dHi & ~bot.hi[k];
      bot.lo[k] &= ~dLo;
      bot.hi[k] &= ~dHi;
      if ((outLo | outHi) !== 0) {
        // a live-out found late counts as if it had been live all along
        this.countIn(bot, k);
        wasLive = true;
      }
      if ((bot.lo[k] | bot.hi[k]) === 0) {
        died.push(k);
        if (wasLive) this.countOut(bot, k);
      }
    }
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      if (live.rowReads.data[r] === 0) continue;
      const k = live.rowReg.data[r];
      let uLo: number;
      let uHi: number;
      if (isBoundary) {
        uLo = this.boundaryUseLo(r);
        uHi = this.boundaryUseHi(r);
      } else if (this.isUncachedUnit(k)) {
        uLo = UNIT_LANE;
        uHi = 0;
      } else {
        uLo = zones.lanesAtBottom(k);
        uHi = zones.hi;
      }
      const wasLive = (bot.lo[k] | bot.hi[k]) !== 0;
      bot.lo[k] |= uLo;
      bot.hi[k] |= uHi;
      if (wasLive || (uLo | uHi) === 0) continue;
      this.countIn(bot, k);
      const redefined = died.indexOf(k);
      if (redefined >= 0) died.splice(redefined, 1);
      else born.push(k);
    }
    for (const k of died) if (live.regVReg.data[k] >= 0) this.updateDiffs(k, 1);
    for (const k of born) if (live.regVReg.data[k] >= 0) this.updateDiffs(k, -1);
  }

  /** Node n was placed at the bottom. */
  recede(n: number): void {
    this.scheduled[n] = 1;
    this.zones.recede(n);
    this.recedeRows(n, false);
  }

  /** Node n was placed at the top. */
  advance(n: number): void {
    const { live, top, zones } = this;
    this.scheduled[n] = 1;
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      if (live.rowReads.data[r] === 0) continue;
      const k = live.rowReg.data[r];
      const uncached = this.isUncachedUnit(k);
      const uLo = uncached ? UNIT_LANE : zones.lanesAtTop(k);
      const uHi = uncached ? 0 : zones.hi;
      const wasLo = top.lo[k];
      const wasHi = top.hi[k];
      if (((uLo & ~wasLo) | (uHi & ~wasHi)) !== 0) {
        if ((wasLo | wasHi) === 0) this.countIn(top, k);
        top.lo[k] |= uLo;
        top.hi[k] |= uHi;
      }
      if (uncached) continue;
      const lastLo = zones.lastUsedLanes(r);
      const lastHi = zones.hi;
      if ((lastLo | lastHi) === 0) continue;
      top.lo[k] &= ~lastLo;
      top.hi[k] &= ~lastHi;
      if ((wasLo | wasHi) !== 0 && ((wasLo & ~lastLo) | (wasHi & ~lastHi)) === 0) this.countOut(top, k);
    }
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const dLo = this.defLo(r);
      const dHi = this.defHi(r);
      if ((dLo | dHi) === 0) continue;
      const k = live.rowReg.data[r];
      if ((top.lo[k] | top.hi[k]) === 0) this.countIn(top, k);
      top.lo[k] |= dLo;
      top.hi[k] |= dHi;
    }
    zones.advance(n);
  }

  // -- queries ---------------------------------------------------------------------------------------------------------------

  queryCurrent(isTop: boolean): void {
    const z = isTop ? this.top : this.bot;
    this.sgpr = z.sgpr;
    this.vgpr = z.vgpr;
  }

  canUseDiff(n: number): boolean {
    return this.usesDiff[n] !== 0;
  }

  queryDiffBelow(n: number): void {
    this.sgpr = this.bot.sgpr + this.diffS[n];
    this.vgpr = this.bot.vgpr + this.diffV[n];
  }

  queryAfter(n: number, isTop: boolean): void {
    if (isTop) this.queryDownward(n);
    else this.queryUpward(n);
  }

  private queryDownward(n: number): void {
    const { live, top, zones } = this;
    let s = top.sgpr;
    let v = top.vgpr;
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const k = live.rowReg.data[r];
      const lo = top.lo[k];
      const hi = top.hi[k];
      if (live.rowReads.data[r] !== 0 && (lo | hi) !== 0 && !this.isUncachedUnit(k)) {
        const lastLo = zones.lastUsedLanes(r);
        if ((lastLo | zones.hi) !== 0 && ((lo & ~lastLo) | (hi & ~zones.hi)) === 0) {
          s -= this.sWeight[k];
          v -= this.vWeight[k];
        }
      }
      if ((lo | hi) === 0 && (this.defLo(r) | this.defHi(r)) !== 0) {
        s += this.sWeight[k];
        v += this.vWeight[k];
      }
    }
    this.sgpr = s;
    this.vgpr = v;
  }

  private queryUpward(n: number): void {
    const { live, bot, zones } = this;
    let s = bot.sgpr;
    let v = bot.vgpr;
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const k = live.rowReg.data[r];
      const afterLo = bot.lo[k];
      const afterHi = bot.hi[k];
      const reads = live.rowReads.data[r] !== 0;
      let uLo = 0;
      let uHi = 0;
      if (reads) {
        if (this.isUncachedUnit(k)) uLo = UNIT_LANE;
        else {
          uLo = zones.lanesBefore(n, r);
          uHi = zones.hi;
        }
      }
      const dLo = this.defLo(r);
      const dHi = this.defHi(r);
      const isLive = (afterLo | afterHi) !== 0;
      if ((dLo | dHi) !== 0 && isLive) {
        const restLo = afterLo & ((afterLo & ~dLo) | uLo);
        const restHi = afterHi & ((afterHi & ~dHi) | uHi);
        if ((restLo | restHi) === 0) {
          s -= this.sWeight[k];
          v -= this.vWeight[k];
        }
      }
      if (reads && !isLive && (uLo | uHi) !== 0) {
        s += this.sWeight[k];
        v += this.vWeight[k];
      }
    }
    this.sgpr = s;
    this.vgpr = v;
  }
}

/** No explicit physical register, no explicit sub-register def: then the cached diff is exact enough for GCN. */
function hasOnlyPlainOperands(fn: MachineFunction, i: number): boolean {
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
    const f = fn.opFlags[o];
    if (fn.opKind[o] !== OperandKind.Register || (f & OpFlag.Implicit) !== 0) continue;
    if (fn.opVal[o] > 0 || ((f & OpFlag.Def) !== 0 && fn.opSub[o] !== 0)) return false;
  }
  return true;
}

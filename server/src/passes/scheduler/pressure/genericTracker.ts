/**
 * The generic pressure-set trackers of a region, as far as GCN's strategies read them: the current SReg_32 and VGPR_32 pressure
 * at the top and at the bottom, exact queries, and cached pressure diffs.
 *
 * Follows RegPressureTracker (recede, advance, getUpwardPressure, getDownwardPressure), PressureDiff and
 * ScheduleDAGMILive::initRegPressure / updatePressureDiffs in lane mode as docs/llvm/register-pressure.md, 5 and docs/llvm/generic-scheduler.md, 10
 * describe them. A register counts with its whole weight while any lane is live. Running maxima are kept by a sub-class only: GCN's
 * strategies do not ask.
 */
import { OpFlag, OperandKind, type MachineFunction, type InstrId } from '../../../model/machineFunction.js';
import { SREG_32_SET, VGPR_32_SET } from '../strategy/candidate.js';
import type { RegionPressure } from '../strategy/gcnSchedStrategy.js';
import { IntVec, Own, type RegionEnds, type RegionLiveness } from './regionLiveness.js';
import { ZoneLiveness } from './zonePressure.js';
import type { RegUnit } from '../../../target/api.js';
import { withRoom } from '../../../util/columns.js';

/** before the first region */
const NO_ENDS: RegionEnds = {
  lanesHi: 0,
  liveAtBegin: () => 0,
  liveAtEnd: () => 0,
  liveAfterBoundary: () => 0,
  unitLiveAtBegin: () => false,
  unitLiveAtEnd: () => false,
  isAllocatableReg: () => false,
};

/** a register unit is one lane */
const UNIT_LANE = 1;

/** Register units whose live range LLVM has computed: only those ever end (the others count as live everywhere). */
export interface UnitRangeCache {
  has(unit: RegUnit): boolean;
}

export class ZoneSets {
  sgpr = 0;
  vgpr = 0;
  lo = new Int32Array(64);
  hi = new Int32Array(64);

  reset(nRegs: number): void {
    this.sgpr = this.vgpr = 0;
    this.lo = withRoom(this.lo, nRegs);
    this.hi = withRoom(this.hi, nRegs);
  }
}

/** @llvm RegisterPressure.cpp RegPressureTracker */
export class GenericRegionPressure implements RegionPressure {
  sgpr = 0;
  vgpr = 0;
  protected readonly zones: ZoneLiveness;
  protected readonly top = new ZoneSets();
  protected readonly bot = new ZoneSets();
  protected sWeight = new Int32Array(64);
  protected vWeight = new Int32Array(64);
  protected diffS = new Int32Array(64);
  protected diffV = new Int32Array(64);
  private usesDiff = new Uint8Array(64);
  /** nodes whose diff changes with register k: userNode of the entries from firstUser[k] on, by nextUser */
  protected firstUser = new Int32Array(64);
  protected readonly nextUser = new IntVec();
  protected readonly userNode = new IntVec();
  protected outLo = new Int32Array(64);
  protected outHi = new Int32Array(64);
  /** weight in SReg_32 and VGPR_32 by register class and by register unit, -1 = not yet looked up */
  private readonly classSWeight: Int16Array;
  private readonly classVWeight: Int16Array;
  private readonly unitSWeight: Int16Array;
  private readonly unitVWeight: Int16Array;
  private readonly born: number[] = [];
  private readonly died: number[] = [];
  private ends: RegionEnds = NO_ENDS;

  /** One object serves all regions of a function: `reset` starts the region that `live` holds then. */
  constructor(
    protected fn: MachineFunction,
    protected readonly live: RegionLiveness,
    private units: UnitRangeCache,
  ) {
    this.zones = new ZoneLiveness(live);
    this.classSWeight = new Int16Array(fn.tables.nRegClasses).fill(-1);
    this.classVWeight = new Int16Array(fn.tables.nRegClasses).fill(-1);
    this.unitSWeight = new Int16Array(fn.tables.nRegUnits).fill(-1);
    this.unitVWeight = new Int16Array(fn.tables.nRegUnits).fill(-1);
  }

  /** Goes on with another function of the same target, as `live` does. */
  serve(fn: MachineFunction, units: UnitRangeCache): void {
    this.fn = fn;
    this.units = units;
  }

  /** `nodes`: instructions in the order in which `live` numbers them; borrowed for this call. */
  reset(ends: RegionEnds, nodes: ArrayLike<number>): void {
    const { nRegs, nNodes } = this.live;
    this.ends = ends;
    this.sWeight = withRoom(this.sWeight, nRegs);
    this.vWeight = withRoom(this.vWeight, nRegs);
    this.firstUser = withRoom(this.firstUser, nRegs);
    this.outLo = withRoom(this.outLo, nRegs);
    this.outHi = withRoom(this.outHi, nRegs);
    this.diffS = withRoom(this.diffS, nNodes);
    this.diffV = withRoom(this.diffV, nNodes);
    this.usesDiff = withRoom(this.usesDiff, nNodes);
    this.zones.reset();
    this.top.reset(nRegs);
    this.bot.reset(nRegs);
    this.firstUser.fill(-1, 0, nRegs);
    this.nextUser.n = this.userNode.n = 0;
    this.weigh();
    this.makeDiffs(nodes);
    this.initZones();
  }

  protected weigh(): void {
    const { live, fn } = this;
    const { tables } = fn;
    for (let k = 0; k < live.nRegs; k++) {
      const v = live.regVReg.data[k];
      if (v >= 0) {
        const rc = fn.vregs.regClass[v];
        if (rc >= 0 && this.classSWeight[rc] < 0) {
          const sets = tables.regClassPressureSets(rc);
          this.classSWeight[rc] = sets.includes(SREG_32_SET) ? tables.regClassWeight[rc] : 0;
          this.classVWeight[rc] = sets.includes(VGPR_32_SET) ? tables.regClassWeight[rc] : 0;
        }
        this.sWeight[k] = rc < 0 ? 0 : this.classSWeight[rc];
        this.vWeight[k] = rc < 0 ? 0 : this.classVWeight[rc];
      } else {
        const unit = live.regUnit.data[k];
        if (this.unitSWeight[unit] < 0) {
          const sets = tables.regUnitPressureSets(unit);
          this.unitSWeight[unit] = sets.includes(SREG_32_SET) ? tables.regUnitWeight(unit) : 0;
          this.unitVWeight[unit] = sets.includes(VGPR_32_SET) ? tables.regUnitWeight(unit) : 0;
        }
        this.sWeight[k] = this.unitSWeight[unit];
        this.vWeight[k] = this.unitVWeight[unit];
      }
    }
  }

  protected isUncachedUnit(k: number): boolean {
    const unit = this.live.regUnit.data[k];
    return unit >= 0 && !this.units.has(unit);
  }

  /** Lanes of the defs of row r that live after it; units without range count as live. */
  protected defLo(r: number): number {
    const { live } = this;
    return this.isUncachedUnit(live.rowReg.data[r])
      ? live.rowDefLo.data[r]
      : live.rowDefLo.data[r] & live.rowAfterLo.data[r];
  }

  protected defHi(r: number): number {
    const { live } = this;
    return live.rowDefHi.data[r] & live.rowAfterHi.data[r];
  }

  /** @llvm RegisterPressure.cpp PressureDiffs::addInstruction */
  protected makeDiffs(nodes: ArrayLike<number>): void {
    const { live, fn } = this;
    for (let n = 0; n < live.nNodes; n++) {
      this.diffS[n] = this.diffV[n] = 0;
      for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
        const k = live.rowReg.data[r];
        const by = this.rowDiff(r);
        this.diffS[n] += by * this.sWeight[k];
        this.diffV[n] += by * this.vWeight[k];
        // Of a bundle, LLVM looks at the header alone here.
        const isUser = (live.rowOwn.data[r] & (Own.Reads | Own.Defines)) === Own.Reads;
        if (live.regVReg.data[k] >= 0 && isUser) this.addUser(k, n);
      }
      this.usesDiff[n] = hasOnlyPlainOperands(fn, nodes[n]) ? 1 : 0;
    }
  }

  /** 1: row r makes its register live upward, -1: dead, 0: neither */
  protected rowDiff(r: number): number {
    const { live } = this;
    const hasDef = (this.defLo(r) | this.defHi(r)) !== 0;
    const hasUse = live.rowReads.data[r] !== 0;
    return (hasUse ? 1 : 0) - (hasDef ? 1 : 0);
  }

  private addUser(k: number, n: number): void {
    const entry = this.userNode.push(n);
    this.nextUser.push(this.firstUser[k]);
    this.firstUser[k] = entry;
  }

  protected countIn(z: ZoneSets, k: number): void {
    z.sgpr += this.sWeight[k];
    z.vgpr += this.vWeight[k];
  }

  protected countOut(z: ZoneSets, k: number): void {
    z.sgpr -= this.sWeight[k];
    z.vgpr -= this.vWeight[k];
  }

  /**
   * Walks the region once from its end, which finds live-ins and live-outs, then starts both zones.
   * @llvm MachineScheduler.cpp ScheduleDAGMILive::initRegPressure
   */
  protected initZones(): void {
    const { live, top, bot, outLo, outHi } = this;
    const curLo = top.lo;
    const curHi = top.hi;
    outLo.fill(0, 0, live.nRegs);
    outHi.fill(0, 0, live.nRegs);
    curLo.fill(0, 0, live.nRegs);
    curHi.fill(0, 0, live.nRegs);
    const end = live.nNodes;
    for (let n = end; n >= 0; n--) this.walkUp(n, n === end, curLo, curHi);
    for (let k = 0; k < live.nRegs; k++) {
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

  /** One step of that walk: `curLo`, `curHi` are the lanes live below node n, then above it. */
  private walkUp(n: number, isBoundary: boolean, curLo: Int32Array, curHi: Int32Array): void {
    const { live, outLo, outHi } = this;
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const k = live.rowReg.data[r];
      const dLo = isBoundary ? this.boundaryDefLo(r) : this.defLo(r);
      const dHi = isBoundary ? this.boundaryDefHi(r) : this.defHi(r);
      outLo[k] |= dLo & ~curLo[k];
      outHi[k] |= dHi & ~curHi[k];
      curLo[k] &= ~dLo;
      curHi[k] &= ~dHi;
    }
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      if (live.rowReads.data[r] === 0) continue;
      const k = live.rowReg.data[r];
      const uLo = isBoundary ? this.boundaryUseLo(r) : this.useLoAtBuild(r);
      const uHi = isBoundary ? this.boundaryUseHi(r) : live.rowBeforeHi.data[r];
      if ((curLo[k] | curHi[k]) === 0 && !this.isUncachedUnit(k)) {
        const aLo = isBoundary ? this.boundaryAfterLo(r) : live.rowAfterLo.data[r];
        const aHi = isBoundary ? this.boundaryAfterHi(r) : live.rowAfterHi.data[r];
        outLo[k] |= uLo & aLo & ~live.rowAllDefLo.data[r];
        outHi[k] |= uHi & aHi & ~live.rowAllDefHi.data[r];
      }
      curLo[k] |= uLo;
      curHi[k] |= uHi;
    }
  }

  protected useLoAtBuild(r: number): number {
    const { live } = this;
    return this.isUncachedUnit(live.rowReg.data[r]) ? UNIT_LANE : live.rowBeforeLo.data[r];
  }

  // -- the boundary instruction: its liveness comes from outside the region ---------------------------------------------------

  protected boundaryDefLo(r: number): number {
    const { live, ends } = this;
    const k = live.rowReg.data[r];
    const v = live.regVReg.data[k];
    return v < 0 ? live.rowDefLo.data[r] : live.rowDefLo.data[r] & ends.liveAfterBoundary(v);
  }

  protected boundaryDefHi(r: number): number {
    const { live, ends } = this;
    const v = live.regVReg.data[live.rowReg.data[r]];
    if (v < 0) return 0;
    ends.liveAfterBoundary(v);
    return live.rowDefHi.data[r] & ends.lanesHi;
  }

  protected boundaryUseLo(r: number): number {
    const { live, ends } = this;
    const k = live.rowReg.data[r];
    const v = live.regVReg.data[k];
    if (v >= 0) return ends.liveAtEnd(v);
    return this.isUncachedUnit(k) || ends.unitLiveAtEnd(live.regUnit.data[k]) ? UNIT_LANE : 0;
  }

  protected boundaryUseHi(r: number): number {
    const { live, ends } = this;
    const v = live.regVReg.data[live.rowReg.data[r]];
    if (v < 0) return 0;
    ends.liveAtEnd(v);
    return ends.lanesHi;
  }

  protected boundaryAfterLo(r: number): number {
    const { live, ends } = this;
    const v = live.regVReg.data[live.rowReg.data[r]];
    return v < 0 ? 0 : ends.liveAfterBoundary(v);
  }

  protected boundaryAfterHi(r: number): number {
    const { live, ends } = this;
    const v = live.regVReg.data[live.rowReg.data[r]];
    if (v < 0) return 0;
    ends.liveAfterBoundary(v);
    return ends.lanesHi;
  }

  // -- moving the zones ------------------------------------------------------------------------------------------------------

  /**
   * A register became live (-1) or dead (+1) at the bottom: other users no longer, or again, change the pressure. Nobody asks for that of nodes that have been placed.
   * @llvm MachineScheduler.cpp ScheduleDAGMILive::updatePressureDiffs
   */
  protected updateDiffs(k: number, by: 1 | -1): void {
    const s = by * this.sWeight[k];
    const v = by * this.vWeight[k];
    if (s === 0 && v === 0) return;
    for (let e = this.firstUser[k]; e >= 0; e = this.nextUser.data[e]) {
      const n = this.userNode.data[e];
      this.diffS[n] += s;
      this.diffV[n] += v;
    }
  }

  protected recedeRows(n: number, isBoundary: boolean): void {
    const { live, bot, zones, born, died } = this;
    let nBorn = 0;
    let nDied = 0;
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
        died[nDied++] = k;
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
      let redefined = 0;
      while (redefined < nDied && died[redefined] !== k) redefined++;
      if (redefined < nDied) died[redefined] = died[--nDied];
      else born[nBorn++] = k;
    }
    for (let j = 0; j < nDied; j++) if (live.regVReg.data[died[j]] >= 0) this.updateDiffs(died[j], 1);
    for (let j = 0; j < nBorn; j++) if (live.regVReg.data[born[j]] >= 0) this.updateDiffs(born[j], -1);
  }

  /**
   * Node n was placed at the bottom.
   * @llvm RegisterPressure.cpp RegPressureTracker::recede
   */
  recede(n: number): void {
    this.zones.recede(n);
    this.recedeRows(n, false);
  }

  /**
   * Node n was placed at the top.
   * @llvm RegisterPressure.cpp RegPressureTracker::advance
   */
  advance(n: number): void {
    const { live, top, zones } = this;
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      if (live.rowReads.data[r] === 0) continue;
      const k = live.rowReg.data[r];
      // what it reads lives already
      if (this.isUncachedUnit(k)) continue;
      const wasLo = top.lo[k];
      const wasHi = top.hi[k];
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

  /** @llvm GCNSchedStrategy.cpp canUsePressureDiffs */
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

  /** @llvm RegisterPressure.cpp RegPressureTracker::getDownwardPressure */
  private queryDownward(n: number): void {
    const { live, top, zones } = this;
    let s = top.sgpr;
    let v = top.vgpr;
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const k = live.rowReg.data[r];
      const lo = top.lo[k];
      const hi = top.hi[k];
      if (live.rowReads.data[r] !== 0 && !this.isUncachedUnit(k)) {
        const lastLo = zones.lanesEndingAt(n, r);
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

  /** @llvm RegisterPressure.cpp RegPressureTracker::getUpwardPressure */
  protected queryUpward(n: number): void {
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

/**
 * No explicit physical register, no explicit sub-register def: then the cached diff is exact enough for GCN.
 * @llvm GCNSchedStrategy.cpp canUsePressureDiffs
 */
function hasOnlyPlainOperands(fn: MachineFunction, i: InstrId): boolean {
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
    const f = fn.opFlags[o];
    if (fn.opKind[o] !== OperandKind.Register || (f & OpFlag.Implicit) !== 0) continue;
    if (fn.opVal[o] > 0 || ((f & OpFlag.Def) !== 0 && fn.opSub[o] !== 0)) return false;
  }
  return true;
}

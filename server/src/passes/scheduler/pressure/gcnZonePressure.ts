/**
 * GCN's own trackers at both ends of a region, in place of the generic ones (`-amdgpu-use-amdgpu-trackers`).
 *
 * Follows GCNDownwardRPTracker::advance and bumpDownwardPressure with an external position, and GCNUpwardRPTracker::recede
 * (LLVM 22.1.8). The speculative downward query looks for other uses from the start of the block, not from the top of the zone: a
 * register that anything above in the block reads does not count as ending. In LLVM 24 this is so until the first node is placed at the top.
 */
import { incPressure, newPressure, type Pressure, type VRegPressureFacts } from '../../../analysis/gcnPressure.js';
import { OpFlag, OperandKind, type InstrId, type MachineFunction } from '../../../model/machineFunction.js';
import { RegKind } from '../../../target/api.js';
import type { RegionPressure } from '../strategy/gcnSchedStrategy.js';
import type { RegionLiveness } from './regionLiveness.js';
import { ZoneLiveness } from './zonePressure.js';
import type { VRegId } from '../../../model/register.js';

class Zone {
  readonly lo: Int32Array;
  readonly hi: Int32Array;
  readonly pressure: Pressure;

  constructor(nRegs: number, pressure: Pressure) {
    this.lo = new Int32Array(nRegs);
    this.hi = new Int32Array(nRegs);
    this.pressure = pressure.slice();
  }
}

export interface GCNZoneStart {
  /** pressure of all registers that live into the region, mentioned or not */
  readonly liveInPressure: Pressure;
  readonly liveOutPressure: Pressure;
  /** lanes of a virtual register at the region's begin and end; high half in `lanesHi` */
  liveAtBegin(vreg: VRegId): number;
  liveAtEnd(vreg: VRegId): number;
  readonly lanesHi: number;
  /** instructions of the block above the region */
  readonly above: readonly InstrId[];
}

export class GCNRegionPressure implements RegionPressure {
  sgpr = 0;
  vgpr = 0;
  private readonly zones: ZoneLiveness;
  private readonly top: Zone;
  private readonly bot: Zone;
  /** lanes read above the top frontier in this block, as far as they matter */
  private readonly readLo: Int32Array;
  private readonly readHi: Int32Array;
  private readonly looksBelowTop: boolean;
  private isAtBegin = true;
  private readonly scratch = newPressure();

  constructor(
    private readonly fn: MachineFunction,
    private readonly live: RegionLiveness,
    private readonly facts: VRegPressureFacts,
    start: GCNZoneStart,
  ) {
    this.zones = new ZoneLiveness(live);
    this.zones.reset();
    this.looksBelowTop = fn.subtarget.release.rules.trackersLookBelowTop;
    this.top = new Zone(live.nRegs, start.liveInPressure);
    this.bot = new Zone(live.nRegs, start.liveOutPressure);
    this.readLo = new Int32Array(live.nRegs);
    this.readHi = new Int32Array(live.nRegs);
    for (let k = 0; k < live.nRegs; k++) {
      const v = live.regVReg.data[k];
      if (v < 0) continue;
      this.top.lo[k] = start.liveAtBegin(v);
      this.top.hi[k] = start.lanesHi;
      this.bot.lo[k] = start.liveAtEnd(v);
      this.bot.hi[k] = start.lanesHi;
    }
    for (const i of start.above) this.noteReads(i);
  }

  private noteReads(i: InstrId): void {
    const { fn, live, facts } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] >= 0) continue;
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Undef)) !== 0) continue;
      const v = ~fn.opVal[o];
      const k = live.indexOfVReg(v);
      if (k < 0) continue;
      const sub = fn.opSub[o];
      this.readLo[k] |= sub === 0 ? facts.fullLo[v] : fn.tables.subRegLaneLo[sub];
      this.readHi[k] |= sub === 0 ? facts.fullHi[v] : fn.tables.subRegLaneHi[sub];
    }
  }

  private change(p: Pressure, z: Zone, k: number, lo: number, hi: number): void {
    incPressure(p, this.facts, this.live.regVReg.data[k], z.lo[k] >>> 0, z.hi[k] >>> 0, lo >>> 0, hi >>> 0);
  }

  private set(z: Zone, k: number, lo: number, hi: number): void {
    this.change(z.pressure, z, k, lo, hi);
    z.lo[k] = lo;
    z.hi[k] = hi;
  }

  /** @llvm GCNRegPressure.cpp GCNDownwardRPTracker::advance */
  advance(n: number): void {
    const { live, top, zones } = this;
    const first = live.rowBegin[n];
    const end = live.rowBegin[n + 1];
    for (let r = first; r < end; r++) {
      const k = live.rowReg.data[r];
      if (live.regVReg.data[k] < 0) continue;
      this.set(top, k, top.lo[k] | live.rowOwnDefLo.data[r], top.hi[k] | live.rowOwnDefHi.data[r]);
      if (this.looksBelowTop) continue;
      this.readLo[k] |= live.rowUseLo.data[r];
      this.readHi[k] |= live.rowUseHi.data[r];
    }
    if (this.looksBelowTop && this.isAtBegin) {
      this.readLo.fill(0);
      this.readHi.fill(0);
    }
    this.isAtBegin = false;
    zones.advance(n);
    for (let r = first; r < end; r++) {
      const k = live.rowReg.data[r];
      if (live.regVReg.data[k] < 0 || live.rowOwn.data[r] === 0) continue;
      const lo = zones.lanesAtTop(k);
      this.set(top, k, top.lo[k] & lo, top.hi[k] & zones.hi);
    }
  }

  /** @llvm GCNRegPressure.cpp GCNUpwardRPTracker::recede */
  recede(n: number): void {
    this.recedeInto(n, this.bot.pressure, true);
    this.zones.recede(n);
  }

  /** Moves `p` over node n; with `commit` the lanes too. */
  private recedeInto(n: number, p: Pressure, commit: boolean): void {
    const { live, bot } = this;
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const k = live.rowReg.data[r];
      const v = live.regVReg.data[k];
      if (v < 0 || live.rowOwn.data[r] === 0) continue;
      const midLo = bot.lo[k] & ~live.rowOwnDefLo.data[r];
      const midHi = bot.hi[k] & ~live.rowOwnDefHi.data[r];
      const lo = midLo | live.rowUseLo.data[r];
      const hi = midHi | live.rowUseHi.data[r];
      incPressure(p, this.facts, v, bot.lo[k] >>> 0, bot.hi[k] >>> 0, midLo >>> 0, midHi >>> 0);
      incPressure(p, this.facts, v, midLo >>> 0, midHi >>> 0, lo >>> 0, hi >>> 0);
      if (!commit) continue;
      bot.lo[k] = lo;
      bot.hi[k] = hi;
    }
  }

  private answer(p: Pressure): void {
    this.sgpr = p[RegKind.SGPR];
    this.vgpr = p[RegKind.VGPR] + p[RegKind.AVGPR];
  }

  queryCurrent(isTop: boolean): void {
    this.answer(isTop ? this.top.pressure : this.bot.pressure);
  }

  canUseDiff(): boolean {
    return false;
  }

  queryDiffBelow(n: number): void {
    this.queryAfter(n, false);
  }

  /** @llvm GCNRegPressure.cpp GCNDownwardRPTracker::bumpDownwardPressure */
  queryAfter(n: number, isTop: boolean): void {
    const p = this.scratch;
    if (!isTop) {
      p.set(this.bot.pressure);
      this.recedeInto(n, p, false);
      this.answer(p);
      return;
    }
    const { live, top, zones } = this;
    p.set(top.pressure);
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const k = live.rowReg.data[r];
      if (live.regVReg.data[k] < 0) continue;
      if (live.rowReads.data[r] !== 0) {
        const lo = zones.lastUsedLanes(r) & ~this.readLo[k];
        const hi = zones.hi & ~this.readHi[k];
        this.change(p, top, k, top.lo[k] & ~lo, top.hi[k] & ~hi);
      }
      const dLo = live.rowDefLo.data[r] & live.rowAfterLo.data[r];
      const dHi = live.rowDefHi.data[r] & live.rowAfterHi.data[r];
      this.change(p, top, k, top.lo[k] | dLo, top.hi[k] | dHi);
    }
    this.answer(p);
  }
}

/**
 * What both kinds of zone trackers share: which values are still to be read as the two zones grow towards each other.
 *
 * A node is unscheduled, at the top, or at the bottom. A value dies at the top with its last reader that is not at the top,
 * unless it lives out of the region. Lanes: low half returned or first, high half second.
 */
import { READS_FOR_DEBUG, type RegionLiveness } from './regionLiveness.js';
import { withRoom } from '../../../util/columns.js';

const enum Place {
  Unscheduled = 0,
  Top = 1,
  Bottom = 2,
}

export class ZoneLiveness {
  /** readers not at the top */
  private readersLeft = new Int32Array(64);
  /** by part: value at the top frontier, -1 = none */
  private topValue = new Int32Array(64);
  /** by part: last value that is not defined at the bottom, -1 = none */
  private lastNotAtBottom = new Int32Array(64);
  /** true liveness at the bottom frontier, by register */
  private botLo = new Int32Array(64);
  private botHi = new Int32Array(64);
  private place = new Uint8Array(64);
  /** second half of the latest answer */
  hi = 0;

  constructor(readonly live: RegionLiveness) {}

  /** Starts with the region that `live` holds; nothing is scheduled. */
  reset(): void {
    const { live } = this;
    const { nRegs, nParts, nNodes } = live;
    const nValues = live.valueReaders.n;
    this.readersLeft = withRoom(this.readersLeft, nValues);
    this.topValue = withRoom(this.topValue, nParts);
    this.lastNotAtBottom = withRoom(this.lastNotAtBottom, nParts);
    this.botLo = withRoom(this.botLo, nRegs);
    this.botHi = withRoom(this.botHi, nRegs);
    this.place = withRoom(this.place, nNodes);
    copyPrefix(this.readersLeft, live.valueReaders.data, nValues);
    copyPrefix(this.topValue, live.partBeginValue.data, nParts);
    copyPrefix(this.lastNotAtBottom, live.partLastValue.data, nParts);
    this.place.fill(Place.Unscheduled, 0, nNodes);
    live.liveOuts(this.botLo, this.botHi);
  }

  private isNeeded(value: number): boolean {
    return value >= 0 && (this.readersLeft[value] > 0 || this.live.valueLiveOut.data[value] !== 0);
  }

  /** Lanes of register k live at the top frontier. */
  lanesAtTop(k: number): number {
    const { live, topValue } = this;
    let lo = 0;
    let hi = 0;
    for (let p = live.partBegin.data[k]; p < live.partBegin.data[k + 1]; p++) {
      if (!this.isNeeded(topValue[p])) continue;
      lo |= live.partLo.data[p];
      hi |= live.partHi.data[p];
    }
    this.hi = hi;
    return lo;
  }

  /**
   * Lanes of row r (of an unscheduled node) that end with it if it is scheduled next at the top.
   * @llvm RegisterPressure.cpp RegPressureTracker::getLastUsedLanes
   */
  lastUsedLanes(r: number): number {
    const { live } = this;
    let lo = 0;
    let hi = 0;
    for (let e = live.readBegin.data[r]; e < live.readBegin.data[r + 1]; e++) {
      const v = live.readValue.data[e];
      if (this.readersLeft[v] !== 1 || live.valueLiveOut.data[v] !== 0) continue;
      const p = live.readPart.data[e];
      lo |= live.partLo.data[p];
      hi |= live.partHi.data[p];
    }
    this.hi = hi;
    return lo;
  }

  /**
   * Whether the unit of row r ends with its unscheduled node n where n stands now. LLVM looks for reads between the top and n only among those of
   * virtual registers: of units the present order alone decides.
   */
  private unitEndsAt(n: number, r: number): boolean {
    const { live } = this;
    const first = live.readBegin.data[r];
    if (first === live.readBegin.data[r + 1]) return false;
    const v = live.readValue.data[first];
    if (live.valueLiveOut.data[v] !== 0) return false;
    for (let e = live.valueLastRead.data[v]; e >= 0; e = live.prevRead.data[e])
      if (this.position(live.readNode.data[e]) > n) return false;
    return true;
  }

  /** Lanes of row r that end with its unscheduled node n where n stands now, if the top came to it next: what LLVM expects of placing n there. */
  lanesEndingAt(n: number, r: number): number {
    if (this.live.regVReg.data[this.live.rowReg.data[r]] >= 0) return this.lastUsedLanes(r);
    this.hi = 0;
    return this.unitEndsAt(n, r) ? 1 : 0;
  }

  /** The top frontier moves over node n. Call after lastUsedLanes was asked for its rows. */
  advance(n: number): void {
    const { live } = this;
    this.place[n] = Place.Top;
    for (let e = live.readBegin.data[live.rowBegin[n]]; e < live.readBegin.data[live.rowBegin[n + 1]]; e++)
      this.readersLeft[live.readValue.data[e]]--;
    for (let e = live.defBegin.data[live.rowBegin[n]]; e < live.defBegin.data[live.rowBegin[n + 1]]; e++)
      this.topValue[live.defPart.data[e]] = live.defValue.data[e];
  }

  /** The bottom frontier moves over node n. */
  recede(n: number): void {
    const { live, botLo, botHi } = this;
    this.place[n] = Place.Bottom;
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const k = live.rowReg.data[r];
      botLo[k] = (botLo[k] & ~live.rowAllDefLo.data[r]) | live.rowUseLo.data[r];
      botHi[k] = (botHi[k] & ~live.rowAllDefHi.data[r]) | live.rowUseHi.data[r];
    }
    const end = live.defBegin.data[live.rowBegin[n + 1]];
    for (let e = live.defBegin.data[live.rowBegin[n]]; e < end; e++)
      this.lastNotAtBottom[live.defPart.data[e]] = live.prevValue.data[live.defValue.data[e]];
  }

  /** Lanes of register k live at the bottom frontier. */
  lanesAtBottom(k: number): number {
    this.hi = this.botHi[k];
    return this.botLo[k];
  }

  private position(n: number): number {
    switch (this.place[n]) {
      case Place.Top:
        return -1;
      case Place.Bottom:
        return this.live.nNodes;
      default:
        return n;
    }
  }

  /** Lanes of the register of row r that live just before its unscheduled node n, in the order as it is now. */
  lanesBefore(n: number, r: number): number {
    const { live } = this;
    const k = live.rowReg.data[r];
    const first = live.partBegin.data[k];
    const end = live.partBegin.data[k + 1];
    let lo = live.rowUseLo.data[r];
    let hi = live.rowUseHi.data[r];
    if (live.rowReads.data[r] === READS_FOR_DEBUG) {
      for (let p = first; p < end; p++) {
        if (!this.livesBefore(p, n)) continue;
        lo |= live.partLo.data[p];
        hi |= live.partHi.data[p];
      }
    }
    this.hi = hi;
    return lo;
  }

  private livesBefore(part: number, n: number): boolean {
    const { live } = this;
    // values of a part keep their order, so those defined at the bottom are the last ones
    let reaching = this.lastNotAtBottom[part];
    while (reaching >= 0 && live.valueDef.data[reaching] >= 0 && this.position(live.valueDef.data[reaching]) >= n)
      reaching = live.prevValue.data[reaching];
    if (reaching < 0) return false;
    if (live.valueLiveOut.data[reaching] !== 0) return true;
    for (let e = live.valueLastRead.data[reaching]; e >= 0; e = live.prevRead.data[e])
      if (this.position(live.readNode.data[e]) >= n) return true;
    return false;
  }
}

function copyPrefix(to: Int32Array, from: Int32Array, n: number): void {
  for (let k = 0; k < n; k++) to[k] = from[k];
}

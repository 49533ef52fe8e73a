/**
 * The greatest GCN pressure in a region for an order of its nodes, as GCNDownwardRPTracker counts it from the region's live-ins
 * (spec gcn-strategy.md 5.1), on values numbered once per region instead of live intervals.
 */
import {
  incPressure,
  maxPressure,
  newPressure,
  type Pressure,
  type VRegPressureFacts,
} from '../../analysis/gcnPressure.js';
import type { RegionLiveness } from './regionLiveness.js';

/** Live registers at a point: virtual register to lanes. */
export type LiveRegMap = Map<number, { readonly lo: number; readonly hi: number }>;

export function pressureOfLiveRegs(live: LiveRegMap, facts: VRegPressureFacts): Pressure {
  const p = newPressure();
  for (const [v, m] of live) incPressure(p, facts, v, 0, 0, m.lo, m.hi);
  return p;
}

/** `order` holds node numbers. O(mentions of registers). */
export function regionMaxPressure(
  live: RegionLiveness,
  order: ArrayLike<number>,
  liveIns: LiveRegMap,
  facts: VRegPressureFacts,
): Pressure {
  const cur = pressureOfLiveRegs(liveIns, facts);
  const max = cur.slice();
  const n = live.nRegs;
  const lo = new Uint32Array(n);
  const hi = new Uint32Array(n);
  for (let k = 0; k < n; k++) {
    const v = live.regVReg.data[k];
    if (v < 0) continue;
    const m = liveIns.get(v);
    if (m === undefined) continue;
    lo[k] = m.lo;
    hi[k] = m.hi;
  }
  const readersLeft = live.valueReaders.data.slice(0, live.valueReaders.n);
  const value = live.partBeginValue.slice();
  for (let at = 0; at < order.length; at++) {
    const node = order[at];
    const first = live.rowBegin[node];
    const end = live.rowBegin[node + 1];
    for (let e = live.readBegin.data[first]; e < live.readBegin.data[end]; e++) readersLeft[live.readValue.data[e]]--;
    for (let e = live.defBegin.data[first]; e < live.defBegin.data[end]; e++)
      value[live.defPart.data[e]] = live.defValue.data[e];
    for (let r = first; r < end; r++) {
      const k = live.rowReg.data[r];
      const v = live.regVReg.data[k];
      if (v < 0) continue;
      const newLo = (lo[k] | live.rowOwnDefLo.data[r]) >>> 0;
      const newHi = (hi[k] | live.rowOwnDefHi.data[r]) >>> 0;
      if (newLo === lo[k] && newHi === hi[k]) continue;
      incPressure(cur, facts, v, lo[k], hi[k], newLo, newHi);
      lo[k] = newLo;
      hi[k] = newHi;
    }
    maxPressure(max, cur);
    // what ends here leaves before the next instruction
    for (let r = first; r < end; r++) {
      const k = live.rowReg.data[r];
      const v = live.regVReg.data[k];
      if (v < 0 || (lo[k] | hi[k]) === 0) continue;
      if (live.rowOwn.data[r] === 0) continue;
      let newLo = lo[k];
      let newHi = hi[k];
      for (let p = live.partBegin.data[k]; p < live.partBegin.data[k + 1]; p++) {
        const val = value[p];
        if (val >= 0 && (readersLeft[val] > 0 || live.valueLiveOut.data[val] !== 0)) continue;
        newLo &= ~live.partLo.data[p];
        newHi &= ~live.partHi.data[p];
      }
      newLo >>>= 0;
      newHi >>>= 0;
      if (newLo === lo[k] && newHi === hi[k]) continue;
      incPressure(cur, facts, v, lo[k], hi[k], newLo, newHi);
      lo[k] = newLo;
      hi[k] = newHi;
    }
  }
  return max;
}

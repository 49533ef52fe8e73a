/**
 * The greatest GCN pressure in a region for an order of its nodes, as GCNDownwardRPTracker counts it from the region's live-ins
 * (docs/llvm/gcn-strategy.md, 5.1), on values numbered once per region instead of live intervals.
 */
import {
  incPressure,
  maxPressure,
  STRAY_LANES,
  type Pressure,
  type VRegPressureFacts,
} from '../../../analysis/gcnPressure.js';
import type { LiveIntervals } from '../../../analysis/liveIntervals.js';
import type { RegionLiveIns } from './regionLiveIns.js';
import type { RegionLiveness } from './regionLiveness.js';

/** `liveIns`: all registers that live into the region, not only those that it mentions. `order` holds the numbers of all nodes, null = the order in which `live` has them. O(mentions of registers). */
export function regionMaxPressure(
  live: RegionLiveness,
  order: ArrayLike<number> | null,
  liveIns: RegionLiveIns,
  facts: VRegPressureFacts,
  lis: LiveIntervals,
): Pressure {
  const cur = liveIns.pressure.slice();
  const max = cur.slice();
  const n = live.nRegs;
  const lo = live.liveLo;
  const hi = live.liveHi;
  for (let k = 0; k < n; k++) {
    lo[k] = live.regBeginLo.data[k];
    hi[k] = live.regBeginHi.data[k];
  }
  if (liveIns.stale !== null) {
    for (let k = 0; k < n; k++) {
      const lanes = liveIns.stale.get(live.regVReg.data[k]);
      if (lanes === undefined) continue;
      lo[k] = lanes.lo;
      hi[k] = lanes.hi;
    }
  }
  const readersLeft = live.valueScratch;
  for (let v = 0; v < live.valueReaders.n; v++) readersLeft[v] = live.valueReaders.data[v];
  const value = live.partScratch;
  for (let p = 0; p < live.nParts; p++) value[p] = live.partBeginValue.data[p];
  for (let at = 0; at < live.nNodes; at++) {
    const node = order === null ? at : order[at];
    const first = live.rowBegin[node];
    const end = live.rowBegin[node + 1];
    for (let e = live.readBegin.data[first]; e < live.readBegin.data[end]; e++) readersLeft[live.readValue.data[e]]--;
    for (let e = live.defBegin.data[first]; e < live.defBegin.data[end]; e++)
      value[live.defPart.data[e]] = live.defValue.data[e];
    for (let r = first; r < end; r++) {
      const k = live.rowReg.data[r];
      const v = live.regVReg.data[k];
      if (v < 0) continue;
      const newLo = lo[k] | live.rowOwnDefLo.data[r];
      const newHi = hi[k] | live.rowOwnDefHi.data[r];
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
      if (v < 0 || live.rowOwn.data[r] === 0) continue;
      const isStray = (lo[k] | hi[k]) === 0;
      const oldLo = isStray ? STRAY_LANES : lo[k];
      let newLo = oldLo;
      let newHi = hi[k];
      const firstPart = live.partBegin.data[k];
      const endPart = live.partBegin.data[k + 1];
      for (let p = firstPart; p < endPart; p++) {
        const val = value[p];
        if (val >= 0 && (readersLeft[val] > 0 || live.valueLiveOut.data[val] !== 0)) continue;
        // Lanes that nothing in the function defines have no sub-range that could take them out.
        if (isStray && !hasSubRange(lis, v, live.partLo.data[p], live.partHi.data[p])) continue;
        // Without sub-ranges all lanes go, those that no part has among them.
        if (live.partLo.data[p] >>> 0 === facts.fullLo[v]) newLo = 0;
        newLo &= ~live.partLo.data[p];
        newHi &= ~live.partHi.data[p];
      }
      if (newLo === oldLo && newHi === hi[k]) continue;
      incPressure(cur, facts, v, oldLo, hi[k], newLo, newHi);
      if (isStray) continue;
      lo[k] = newLo;
      hi[k] = newHi;
    }
  }
  return max;
}

/** Whether lanes of a register have a live range of their own; without sub-ranges they share that of the register. */
function hasSubRange(lis: LiveIntervals, v: number, lo: number, hi: number): boolean {
  let r = lis.subRange[v];
  if (r < 0) return true;
  for (; r >= 0; r = lis.nextSubRange[r]) if (((lis.laneLo[r] & lo) | (lis.laneHi[r] & hi)) !== 0) return true;
  return false;
}

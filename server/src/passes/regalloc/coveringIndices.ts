import type { RegClassId, SubRegIdx, TargetTables } from '../../target/api.js';

const popCount = (x: number): number => {
  let n = 0;
  for (let bits = x; bits !== 0; bits &= bits - 1) n++;
  return n;
};

/**
 * Sub-register indices of a class that name just these lanes together, largest first (TargetRegisterInfo::getCoveringSubRegIndexes;
 * docs/llvm/allocation-splitting.md, 4.2). Empty when there are none.
 * @llvm TargetRegisterInfo.cpp TargetRegisterInfo::getCoveringSubRegIndexes
 */
export function coveringIndices(t: TargetTables, rc: RegClassId, laneLo: number, laneHi: number): SubRegIdx[] {
  const possible: SubRegIdx[] = [];
  let best = 0;
  let bestSize = 0;
  for (let idx = 1; idx < t.nSubRegIndices; idx++) {
    if (t.getSubClassWithSubReg(rc, idx) !== rc) continue;
    const lo = t.subRegLaneLo[idx] | 0;
    const hi = t.subRegLaneHi[idx] | 0;
    if (lo === (laneLo | 0) && hi === (laneHi | 0)) return [idx];
    if ((lo & ~laneLo) !== 0 || (hi & ~laneHi) !== 0) continue;
    possible.push(idx);
    const size = popCount(lo) + popCount(hi);
    if (size > bestSize) {
      bestSize = size;
      best = idx;
    }
  }
  if (best === 0) return [];
  const found = [best];
  let restLo = laneLo & ~t.subRegLaneLo[best];
  let restHi = laneHi & ~t.subRegLaneHi[best];
  while ((restLo | restHi) !== 0) {
    let next = 0;
    let nextCover = -Infinity;
    for (const idx of possible) {
      const lo = t.subRegLaneLo[idx] | 0;
      const hi = t.subRegLaneHi[idx] | 0;
      if (lo === (restLo | 0) && hi === (restHi | 0)) {
        next = idx;
        break;
      }
      if ((lo & ~restLo) !== 0 || (hi & ~restHi) !== 0) continue;
      const cover = popCount(lo) + popCount(hi);
      if (cover <= nextCover) continue;
      nextCover = cover;
      next = idx;
    }
    if (next === 0) return [];
    found.push(next);
    restLo &= ~t.subRegLaneLo[next];
    restHi &= ~t.subRegLaneHi[next];
  }
  return found;
}

/** What the rematerialization stages of all models share: registers defined and read, regions by live-in. */
import { BundleFlag, OpFlag, OperandKind, type InstrId } from '../../../model/machineFunction.js';
import type { SchedContext } from '../context.js';
import type { SchedRegion } from '../regions.js';
import type { RegionLiveIns } from '../pressure/regionLiveIns.js';
import type { VRegId } from '../../../model/register.js';

/** The virtual register that the first operand of an instruction defines; -1 = there is none, or it is a debug instruction. */
export function definedVReg({ fn, roles }: SchedContext, i: InstrId): number {
  if (roles.isDebug(i) || fn.numOperands(i) === 0) return -1;
  const first = fn.opBegin[i];
  const isDef = fn.opKind[first] === OperandKind.Register && (fn.opFlags[first] & OpFlag.Def) !== 0;
  return isDef && fn.opVal[first] < 0 ? ~fn.opVal[first] : -1;
}

type RegionWithLiveIns = SchedRegion & { readonly liveIns: RegionLiveIns };

/** A region at whose begin or end a register with one definition lives. */
export interface LiveRegion {
  readonly region: number;
  /** lanes that live in; 0 = none */
  readonly inLo: number;
  readonly inHi: number;
  /** live in and live out, and not used there */
  readonly isThrough: boolean;
}

/** Where a register lives that is defined once, in `defRegion`. O(those regions). */
export function liveRegionsOf(
  { lis }: SchedContext,
  regions: readonly RegionWithLiveIns[],
  liveInto: LiveIntoRegions,
  vreg: VRegId,
  defRegion: number,
  isUsed: (region: number) => boolean,
): LiveRegion[] {
  const isLiveOut = (r: number): boolean => (lis.liveLanes(vreg, regions[r].endSlot) | lis.lanesHi) !== 0;
  const live: LiveRegion[] = [];
  for (let e = liveInto.begin[vreg]; e < liveInto.begin[vreg + 1]; e++) {
    const region = liveInto.region[e];
    const at = liveInto.place[e];
    live.push({
      region,
      inLo: regions[region].liveIns.lo[at],
      inHi: regions[region].liveIns.hi[at],
      isThrough: !isUsed(region) && isLiveOut(region),
    });
  }
  // with one definition it lives out of no other region without living in, and does not live into this one
  if (isLiveOut(defRegion)) live.push({ region: defRegion, inLo: 0, inHi: 0, isThrough: false });
  return live;
}

/** Virtual registers that an instruction reads. */
export function readsOf({ fn }: SchedContext, i: InstrId): number[] {
  const out: number[] = [];
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    if (fn.opVal[o] >= 0 || (fn.opFlags[o] & OpFlag.Def) !== 0) continue;
    out.push(~fn.opVal[o]);
  }
  return out;
}

/** The instruction stands in a bundle, after its header: nothing goes before it. */
export const isBundled = ({ fn }: SchedContext, i: InstrId): boolean => (fn.bundle[i] & BundleFlag.BundledPred) !== 0;

/** The first virtual register that an instruction reads and that is of the kind asked for; -1 = none. */
export function firstReadOf({ fn }: SchedContext, i: InstrId, isOne: (vreg: VRegId) => boolean): number {
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    if (fn.opVal[o] >= 0 || (fn.opFlags[o] & OpFlag.Def) !== 0) continue;
    if (isOne(~fn.opVal[o])) return ~fn.opVal[o];
  }
  return -1;
}

/** Regions by what lives into them: those of register v are region[begin[v]] .. region[begin[v + 1]], ascending. */
export interface LiveIntoRegions {
  readonly begin: Int32Array;
  readonly region: Int32Array;
  /** index of the register in the columns of the region's live-ins */
  readonly place: Int32Array;
}

export function regionsByLiveIn(regions: readonly RegionWithLiveIns[], nVRegs: number): LiveIntoRegions {
  const begin = new Int32Array(nVRegs + 1);
  for (const { liveIns: set } of regions) for (let k = 0; k < set.size; k++) begin[set.regs[k] + 1]++;
  for (let v = 0; v < nVRegs; v++) begin[v + 1] += begin[v];
  const at = begin.slice();
  const region = new Int32Array(begin[nVRegs]);
  const place = new Int32Array(begin[nVRegs]);
  regions.forEach(({ liveIns: set }, r) => {
    for (let k = 0; k < set.size; k++) {
      const e = at[set.regs[k]]++;
      region[e] = r;
      place[e] = k;
    }
  });
  return { begin, region, place };
}

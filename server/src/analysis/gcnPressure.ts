/**
 * Register pressure as the GCN scheduler counts it: eight counters per program point.
 * Follows GCNRegPressure (LLVM 22; docs/llvm/register-pressure.md, 1 and 4).
 *
 * A pressure is an Int32Array(8): 32-bit registers of the four kinds, then tuple weight of the four kinds, in the
 * order of RegKind. Functions here take and change such arrays; they never allocate.
 */
import { RegKind, type Subtarget, type TargetTables } from '../target/api.js';
import type { MachineFunction, VRegTable } from '../model/machineFunction.js';
import type { VRegId } from '../model/register.js';

/** Int32Array(8), see the file comment. */
export type Pressure = Int32Array;

/** Counters of a pressure: SGPR, VGPR, AGPR, AVGPR registers, then their tuple weights. */
export const N_PRESSURE = 8;
const TUPLE = 4;

export const newPressure = (): Pressure => new Int32Array(N_PRESSURE);

/** What the pressure code needs to know of each virtual register, as columns by index. */
export class VRegPressureFacts {
  /** RegKind; NO_KIND for a register without class */
  kind: Uint8Array;
  /** pressure weight of the class */
  weight: Uint8Array;
  /** 1 if the class is exactly 32 bits wide (never counted as a tuple) */
  is32: Uint8Array;
  /** full lane mask */
  fullLo: Uint32Array;
  fullHi: Uint32Array;

  private readonly vregs: VRegTable;
  private readonly tables: TargetTables;

  constructor({ vregs, tables }: MachineFunction) {
    this.vregs = vregs;
    this.tables = tables;
    const { n } = vregs;
    this.kind = new Uint8Array(n);
    this.weight = new Uint8Array(n);
    this.is32 = new Uint8Array(n);
    this.fullLo = new Uint32Array(n);
    this.fullHi = new Uint32Array(n);
    for (let v = 0; v < n; v++) this.fill(v);
  }

  /** Makes room for the registers that were added to the function since, and learns them. `from` is the first of them. */
  grow(from: number): void {
    const { n } = this.vregs;
    if (n > this.kind.length) {
      const size = Math.max(n, this.kind.length * 2);
      this.kind = grown(this.kind, new Uint8Array(size));
      this.weight = grown(this.weight, new Uint8Array(size));
      this.is32 = grown(this.is32, new Uint8Array(size));
      this.fullLo = grown(this.fullLo, new Uint32Array(size));
      this.fullHi = grown(this.fullHi, new Uint32Array(size));
    }
    for (let v = from; v < n; v++) this.fill(v);
  }

  private fill(v: VRegId): void {
    const rc = this.vregs.regClass[v];
    if (rc < 0) {
      this.kind[v] = NO_KIND;
      return;
    }
    const { regClassKind, regClassWeight, regClassBits, regClassLaneLo, regClassLaneHi } = this.tables;
    this.kind[v] = regClassKind[rc];
    this.weight[v] = regClassWeight[rc];
    this.is32[v] = regClassBits[rc] === 32 ? 1 : 0;
    this.fullLo[v] = regClassLaneLo[rc];
    this.fullHi[v] = regClassLaneHi[rc];
  }
}

function grown<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Kind of a virtual register without register class (generic, or unknown): it has no pressure. */
export const NO_KIND = 255;

/** Number of 32-bit registers that a lane mask touches; a register has two lanes (high and low half). */
export function coveredRegs(lo: number, hi: number): number {
  let a = (lo | (lo >>> 1)) & 0x55555555;
  let b = (hi | (hi >>> 1)) & 0x55555555;
  // Both words hold at most one bit per pair, so their pair sums fit before they are folded further.
  a = (a & 0x33333333) + ((a >>> 2) & 0x33333333);
  b = (b & 0x33333333) + ((b >>> 2) & 0x33333333);
  a += b;
  a = (a & 0x0f0f0f0f) + ((a >>> 4) & 0x0f0f0f0f);
  return (a * 0x01010101) >>> 24;
}

/**
 * What GCNDownwardRPTracker takes for the lanes of a register that an instruction reads though it is not live: the word after its hash table. That is
 * glibc's size of the next block, never 0; here a table of 64 entries and the flag of a used neighbour. A register of 32 bits is counted off by
 * 1 whatever stands there; how many a tuple loses depends on the heap of llc.
 */
export const STRAY_LANES = 0x411;

/**
 * Changes `p` for the live lanes of register v going from `old` to `now`.
 * @llvm GCNRegPressure.cpp GCNRegPressure::inc
 */
export function incPressure(
  p: Pressure,
  facts: VRegPressureFacts,
  v: VRegId,
  oldLo: number,
  oldHi: number,
  nowLo: number,
  nowHi: number,
): void {
  const before = coveredRegs(oldLo, oldHi);
  const after = coveredRegs(nowLo, nowHi);
  if (before === after) return;
  const kind = facts.kind[v];
  if (kind === NO_KIND) return;
  // Masks as unsigned 64-bit numbers decide the direction; lanes only grow or only shrink, so the counts agree with it.
  const hi = nowHi >>> 0;
  const oldH = oldHi >>> 0;
  const shrinks = hi !== oldH ? hi < oldH : nowLo >>> 0 < oldLo >>> 0;
  const sign = shrinks ? -1 : 1;
  if (facts.is32[v] !== 0) {
    p[kind] += sign;
    return;
  }
  if (shrinks ? (nowLo | nowHi) === 0 : (oldLo | oldHi) === 0) p[TUPLE + kind] += sign * facts.weight[v];
  p[kind] += sign * Math.abs(after - before);
}

export function addPressure(to: Pressure, p: Pressure): void {
  for (let k = 0; k < N_PRESSURE; k++) to[k] += p[k];
}

/**
 * to = element-wise maximum, of unsigned numbers as in LLVM: less than nothing is the most.
 * @llvm GCNRegPressure.h max
 */
export function maxPressure(to: Pressure, p: Pressure): void {
  for (let k = 0; k < N_PRESSURE; k++) if (p[k] >>> 0 > to[k] >>> 0) to[k] = p[k];
}

/** @llvm GCNRegPressure.h GCNRegPressure::getSGPRNum */
export const numSGPRs = (p: Pressure): number => p[RegKind.SGPR] >>> 0;
/**
 * VGPRs and registers that may be either (they count as VGPRs)
 * @llvm GCNRegPressure.h GCNRegPressure::getArchVGPRNum
 */
export const numArchVGPRs = (p: Pressure): number => (p[RegKind.VGPR] + p[RegKind.AVGPR]) >>> 0;
/** @llvm GCNRegPressure.h GCNRegPressure::getAGPRNum */
export const numAGPRs = (p: Pressure): number => p[RegKind.AGPR] >>> 0;

/**
 * Vector registers needed: of a unified file the sum with AGPRs aligned to 4, else the larger of both files.
 * @llvm GCNRegPressure.h GCNRegPressure::getVGPRNum
 */
export function numVGPRs(p: Pressure, unified: boolean): number {
  const arch = numArchVGPRs(p);
  const acc = numAGPRs(p);
  if (!unified) return arch > acc ? arch : acc;
  return acc === 0 ? arch : (((arch + 3) & ~3) + acc) >>> 0;
}

/** @llvm GCNRegPressure.h GCNRegPressure::getSGPRTuplesWeight */
const sgprTuplesWeight = (p: Pressure): number => p[TUPLE + RegKind.SGPR];

/** @llvm GCNRegPressure.h GCNRegPressure::getVGPRTuplesWeight */
function vgprTuplesWeight(p: Pressure): number {
  const arch = p[TUPLE + RegKind.VGPR] + p[TUPLE + RegKind.AVGPR];
  const acc = p[TUPLE + RegKind.AGPR];
  return arch > acc ? arch : acc;
}

/**
 * Waves per EU that the registers of `p` allow; not limited by work-group size or LDS.
 * @llvm GCNRegPressure.h GCNRegPressure::getOccupancy
 */
export function pressureOccupancy(p: Pressure, st: Subtarget, dynamicVGPRBlockSize: number): number {
  return Math.min(
    st.occupancyWithNumSGPRs(numSGPRs(p)),
    st.occupancyWithNumVGPRs(numVGPRs(p, st.hasGFX90AInsts), dynamicVGPRBlockSize),
  );
}

/** Limits that `lessPressure` measures excess against. */
export interface PressureLimits {
  readonly subtarget: Subtarget;
  readonly dynamicVGPRBlockSize: number;
  /** GCNSubtarget::getMaxNumSGPRs and getMaxNumVGPRs of the function */
  readonly maxNumSGPRs: number;
  readonly maxNumVGPRs: number;
}

/**
 * Whether `a` is the better pressure: more waves, else less excess over the function's limits, else lighter tuples of the
 * kind that limits, else fewer registers of it. `maxOccupancy` caps the waves that count.
 * @llvm GCNRegPressure.cpp GCNRegPressure::less
 */
export function lessPressure(a: Pressure, b: Pressure, limits: PressureLimits, maxOccupancy: number): boolean {
  const st = limits.subtarget;
  const dyn = limits.dynamicVGPRBlockSize;
  const unified = st.hasGFX90AInsts;
  const sOccA = Math.min(maxOccupancy, st.occupancyWithNumSGPRs(numSGPRs(a)));
  const sOccB = Math.min(maxOccupancy, st.occupancyWithNumSGPRs(numSGPRs(b)));
  const vRegsA = numVGPRs(a, unified);
  const vRegsB = numVGPRs(b, unified);
  const vOccA = Math.min(maxOccupancy, st.occupancyWithNumVGPRs(vRegsA, dyn));
  const vOccB = Math.min(maxOccupancy, st.occupancyWithNumVGPRs(vRegsB, dyn));
  const occA = Math.min(sOccA, vOccA);
  const occB = Math.min(sOccB, vOccB);
  if (occA !== occB) return occA > occB;

  const maxV = limits.maxNumVGPRs;
  const arch = st.addressableNumArchVGPRs;
  const sExcessA = Math.max(numSGPRs(a) - limits.maxNumSGPRs, 0);
  const sExcessB = Math.max(numSGPRs(b) - limits.maxNumSGPRs, 0);
  // VGPRs that would hold the spilled SGPRs, one lane each.
  const spillA = Math.ceil(sExcessA / st.wavefrontSize);
  const spillB = Math.ceil(sExcessB / st.wavefrontSize);
  const splitA = numVGPRs(a, false);
  const splitB = numVGPRs(b, false);
  const accLimit = unified ? arch : maxV;
  const vExcessA =
    Math.max(vRegsA + spillA - maxV, 0) + Math.max(splitA + spillA - arch, 0) + Math.max(numAGPRs(a) - accLimit, 0);
  const vExcessB =
    Math.max(vRegsB + spillB - maxV, 0) + Math.max(splitB + spillB - arch, 0) + Math.max(numAGPRs(b) - accLimit, 0);
  if (sExcessA !== 0 || sExcessB !== 0 || vExcessA !== 0 || vExcessB !== 0) {
    if (vExcessA !== vExcessB) return vExcessB > vExcessA;
    if (sExcessA !== sExcessB) {
      const pureA = Math.max(vRegsA - maxV, 0) + Math.max(splitA - arch, 0);
      const pureB = Math.max(vRegsB - maxV, 0) + Math.max(splitB - arch, 0);
      // Equal only thanks to the spill registers: then the side that spills SGPRs is preferred.
      return pureA !== pureB ? sExcessB < sExcessA : sExcessB > sExcessA;
    }
  }

  // Where the two sides disagree about what limits, VGPRs decide.
  const sgprImportant = sOccA < vOccA && sOccB < vOccB;
  const sWeight = sgprTuplesWeight(b) - sgprTuplesWeight(a);
  const vWeight = vgprTuplesWeight(b) - vgprTuplesWeight(a);
  if (sgprImportant) {
    if (sWeight !== 0) return sWeight > 0;
    if (vWeight !== 0) return vWeight > 0;
    return numSGPRs(a) < numSGPRs(b);
  }
  if (vWeight !== 0) return vWeight > 0;
  if (sWeight !== 0) return sWeight > 0;
  return vRegsA < vRegsB;
}

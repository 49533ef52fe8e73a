/**
 * Register pressure of one function as the command line, hovers, inlay hints and lenses show it: numbers per instruction,
 * the peak of each bank, the occupancy, what limits it and how far the next step is.
 *
 * A summary is made from a function without changing it and is immutable, so it can be kept for as long as the function
 * lives; parts that not every reader needs are computed when first asked for. Registers are 32-bit registers; AV
 * registers (which may become VGPR or AGPR) count as VGPRs, as in LLVM.
 */
import type { PressureColumns } from './pressureColumns.js';
import { RegKind } from '../target/api.js';
import { BundleFlag, type BlockId, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { computeFunctionLimits, type FunctionLimits } from './functionLimits.js';
import {
  N_PRESSURE,
  VRegPressureFacts,
  incPressure,
  maxPressure,
  newPressure,
  numSGPRs,
  numVGPRs,
  type Pressure,
} from './gcnPressure.js';
import { excessRegisters, type RegisterExcess } from './excessRegisters.js';
import { GCNDownwardRPTracker, GCNUpwardRPTracker } from './gcnTrackers.js';
import { computeLiveIntervals, type LiveIntervals } from './liveIntervals.js';
import { BlockLiveness, type BlockSets } from './liveSets.js';
import { RegisterMentions } from './registerMentions.js';
import { usedRegisters, type UsedRegisters } from './usedRegisters.js';

/** Banks of a report: AV registers belong to the VGPR bank. */
export const enum Bank {
  SGPR = 0,
  VGPR = 1,
  AGPR = 2,
}

export interface Peak {
  readonly value: number;
  /** first instruction in layout order at which the value is reached; -1 = no instruction has any */
  readonly instr: InstrId;
}

/** Why the occupancy is what it is. */
export const enum OccupancyLimiter {
  /** the processor allows no more */
  Hardware = 0,
  SGPRs = 1,
  VGPRs = 2,
  /** work-group size and group slots */
  WorkGroupSize = 3,
  LDS = 4,
  /** the `occupancy` key of machineFunctionInfo */
  FunctionInfo = 5,
}

/** Distance to another occupancy for one register file. */
export interface OccupancyStep {
  /** waves per EU beyond the step */
  readonly occupancy: number;
  /** registers to free (step up) or to add without losing a wave (step down); a unified file counts VGPRs and AGPRs together */
  readonly registers: number;
}

export interface OccupancyReport {
  /** waves per EU with this pressure */
  readonly occupancy: number;
  readonly bySGPRs: number;
  readonly byVGPRs: number;
  /** from LDS, work-group size and function info; no register count lifts the function above it */
  readonly ceiling: number;
  /** everything that would have to change for one wave more; the first is the one to name */
  readonly limiters: readonly OccupancyLimiter[];
  /** registers to free for the next wave; null = this file does not limit, or no wave more is possible */
  readonly sgprStepUp: OccupancyStep | null;
  readonly vgprStepUp: OccupancyStep | null;
  /** registers that may be added at the current occupancy; null = this file cannot lower it */
  readonly sgprStepDown: OccupancyStep | null;
  readonly vgprStepDown: OccupancyStep | null;
}

const N_KINDS = 4;

export class PressureSummary {
  readonly limits: FunctionLimits;
  readonly lis: LiveIntervals;
  readonly facts: VRegPressureFacts;
  /** live registers at the borders of each block */
  readonly borders: BlockLiveness;
  /** upward numbers: what `amdgpu-print-rp` prints by default */
  readonly up: PressureColumns;
  /** element-wise maximum over the function, block borders included */
  readonly max: Pressure;
  /** the part of each block in `max`, N_PRESSURE numbers per block */
  private readonly blockMax: Int32Array;
  private downColumns: PressureColumns | null = null;
  private mentionsCache: RegisterMentions | null = null;
  private peakCache: readonly Peak[] | null = null;
  private occupancyCache: OccupancyReport | null = null;
  private useCache: UsedRegisters | null = null;
  private excessCache: readonly RegisterExcess[] | null = null;

  /**
   * `earlier`: the summary of a version whose block b is the same where `unchanged[b]` is 1 (unchangedBlocks.ts); saves time. `unchanged`
   * null: the version differs from `fn` in places in the text only, and all numbers are its own.
   */
  constructor(
    readonly fn: MachineFunction,
    earlier: { readonly before: PressureSummary; readonly unchanged: Uint8Array | null } | null = null,
  ) {
    const before = earlier?.before ?? null;
    const unchanged = earlier?.unchanged ?? null;
    const isSame = before !== null && unchanged === null;
    this.limits = isSame ? before.limits : computeFunctionLimits(fn);
    this.lis = isSame ? before.lis : computeLiveIntervals(fn);
    // The classes of the registers are the same, too.
    this.facts = before?.facts ?? new VRegPressureFacts(fn);
    this.borders = isSame ? before.borders : new BlockLiveness(this.lis);
    this.max = isSame ? before.max : newPressure();
    this.blockMax = isSame ? before.blockMax : new Int32Array(fn.blocks.length * N_PRESSURE);
    if (isSame) {
      this.up = before.up;
      this.downColumns = before.downColumns;
      this.peakCache = before.peakCache;
      this.occupancyCache = before.occupancyCache;
    } else {
      const isComparable = before !== null && this.hasSameSubRanges(before);
      this.up = this.walkUp(isComparable ? before : null, unchanged);
    }
  }

  /** Whether lanes are tracked decides how much of a register a use keeps alive. */
  private hasSameSubRanges({ lis }: PressureSummary): boolean {
    const a = lis.subRange;
    const b = this.lis.subRange;
    for (let v = 0; v < this.lis.nVRegs; v++) if (a[v] < 0 !== b[v] < 0) return false;
    return lis.nVRegs === this.lis.nVRegs;
  }

  /** A block with the same code and the same registers live at its borders has the same numbers as in `before`. */
  private walkUp(before: PressureSummary | null, unchanged: Uint8Array | null): PressureColumns {
    const { fn, blockMax } = this;
    const tracker = new GCNUpwardRPTracker(this.lis, this.facts);
    // Where every instruction stands in its place, columns without a new number are those of `before`.
    const inPlace = before !== null && hasSameLayout(before.fn, fn) ? before.up : null;
    const columns = new ColumnWriter(fn, inPlace);
    const { order, bundle } = fn;
    for (let b = 0; b < fn.blocks.length; b++) {
      const max = blockMax.subarray(b * N_PRESSURE, (b + 1) * N_PRESSURE);
      if (before !== null && unchanged?.[b] === 1 && this.hasSameBorders(before, b)) {
        if (inPlace === null) columns.copyBlock(before, b);
        max.set(before.blockMax.subarray(b * N_PRESSURE, (b + 1) * N_PRESSURE));
        maxPressure(this.max, max);
        continue;
      }
      tracker.resetToSet(this.borders.liveOut, b);
      maxPressure(max, tracker.cur);
      for (let p = fn.blockEnd[b] - 1; p >= fn.blockBegin[b]; p--) {
        const i = order[p];
        if ((bundle[i] & BundleFlag.BundledPred) !== 0) continue;
        columns.store(columns.after, i, tracker.cur);
        tracker.clearMax();
        tracker.recede(i);
        columns.store(columns.before, i, tracker.cur);
        columns.store(columns.at, i, tracker.max);
        maxPressure(max, tracker.max);
      }
      maxPressure(this.max, max);
      columns.spreadToMembers(b);
    }
    return columns.done();
  }

  private hasSameBorders(before: PressureSummary, b: BlockId): boolean {
    return (
      sameSet(before.borders.liveOut, this.borders.liveOut, b) && sameSet(before.borders.liveIn, this.borders.liveIn, b)
    );
  }

  /** Downward numbers (`-amdgpu-print-rp-downward`): "at" holds all uses and defs together. Computed once. */
  get down(): PressureColumns {
    if (this.downColumns !== null) return this.downColumns;
    const { fn } = this;
    const tracker = new GCNDownwardRPTracker(this.lis, this.facts, false);
    const columns = new ColumnWriter(fn, null);
    const { order, bundle } = fn;
    for (let b = 0; b < fn.blocks.length; b++) {
      tracker.resetToSet(this.borders.liveIn, b);
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = order[p];
        if ((bundle[i] & BundleFlag.BundledPred) !== 0) continue;
        columns.store(columns.before, i, tracker.cur);
        tracker.advanceToNext(i);
        columns.store(columns.at, i, tracker.cur);
        tracker.advanceBeforeNext(i, tracker.slotAfter(b, p));
        columns.store(columns.after, i, tracker.cur);
      }
      columns.spreadToMembers(b);
    }
    return (this.downColumns = columns.done());
  }

  /** Where registers are mentioned. Computed once. */
  get mentions(): RegisterMentions {
    return (this.mentionsCache ??= new RegisterMentions(this.fn));
  }

  /** Registers of a bank in one of the column sets, at instruction i. */
  static count(columns: readonly Int32Array[], bank: Bank, i: InstrId): number {
    if (bank === Bank.SGPR) return columns[RegKind.SGPR][i];
    if (bank === Bank.AGPR) return columns[RegKind.AGPR][i];
    return columns[RegKind.VGPR][i] + columns[RegKind.AVGPR][i];
  }

  /** Highest pressure of each bank and where it is reached (upward "at"), indexed by Bank. */
  get peaks(): readonly Peak[] {
    if (this.peakCache !== null) return this.peakCache;
    const { fn } = this;
    const [sgpr, vgpr, agpr, av] = this.up.at;
    const best = [0, 0, 0];
    const where = [-1, -1, -1];
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = fn.order[p];
        const v = vgpr[i] + av[i];
        if (sgpr[i] > best[Bank.SGPR]) {
          best[Bank.SGPR] = sgpr[i];
          where[Bank.SGPR] = i;
        }
        if (v > best[Bank.VGPR]) {
          best[Bank.VGPR] = v;
          where[Bank.VGPR] = i;
        }
        if (agpr[i] > best[Bank.AGPR]) {
          best[Bank.AGPR] = agpr[i];
          where[Bank.AGPR] = i;
        }
      }
    }
    return (this.peakCache = best.map((value, k) => ({ value, instr: where[k] })));
  }

  /** Occupancy with the highest pressure of the function. */
  get occupancy(): OccupancyReport {
    return (this.occupancyCache ??= reportOccupancy(this.max, this.limits));
  }

  /** What kind of registers the function works with. Where they are not `virtual`, the numbers of the pressure mean nothing. */
  get usedRegisters(): UsedRegisters {
    return (this.useCache ??= usedRegisters(this));
  }

  /** What has to be spilled. */
  get excess(): readonly RegisterExcess[] {
    return (this.excessCache ??= excessRegisters(this));
  }

  /** Occupancy that the registers live at instruction i would allow. */
  occupancyAt(i: InstrId): OccupancyReport {
    const p = newPressure();
    for (let k = 0; k < N_KINDS; k++) p[k] = this.up.at[k][i];
    return reportOccupancy(p, this.limits);
  }

  /** Pressure of the registers that live into or out of a block. */
  borderPressure(b: BlockId, side: 'in' | 'out'): Pressure {
    const sets = side === 'in' ? this.borders.liveIn : this.borders.liveOut;
    const p = newPressure();
    for (let k = sets.begin[b]; k < sets.begin[b + 1]; k++) {
      incPressure(p, this.facts, sets.vreg[k], 0, 0, sets.lo[k], sets.hi[k]);
    }
    return p;
  }
}

function sameSet(x: BlockSets, y: BlockSets, b: BlockId): boolean {
  const i = x.begin[b];
  const j = y.begin[b];
  const n = y.begin[b + 1] - j;
  if (x.begin[b + 1] - i !== n) return false;
  for (let k = 0; k < n; k++)
    if (x.vreg[i + k] !== y.vreg[j + k] || x.lo[i + k] !== y.lo[j + k] || x.hi[i + k] !== y.hi[j + k]) return false;
  return true;
}

function hasSameLayout(a: MachineFunction, b: MachineFunction): boolean {
  if (a.nInstrs !== b.nInstrs) return false;
  for (let k = 0; k < a.blocks.length; k++)
    if (a.blockBegin[k] !== b.blockBegin[k] || a.blockEnd[k] !== b.blockEnd[k]) return false;
  return true;
}

/** Columns that are being filled. They begin as zeros or as those of an earlier version, which stay as they are. */
class ColumnWriter {
  readonly before: Int32Array[];
  readonly at: Int32Array[];
  readonly after: Int32Array[];
  private readonly isShared: boolean;
  private readonly shared: ReadonlySet<Int32Array>;

  constructor(
    private readonly fn: MachineFunction,
    earlier: PressureColumns | null,
  ) {
    const column = (): Int32Array => new Int32Array(fn.nInstrs);
    const columns = (): Int32Array[] => [column(), column(), column(), column()];
    this.before = earlier ? earlier.before.slice() : columns();
    this.at = earlier ? earlier.at.slice() : columns();
    this.after = earlier ? earlier.after.slice() : columns();
    this.isShared = earlier !== null;
    this.shared = new Set(earlier ? [...this.before, ...this.at, ...this.after] : []);
  }

  store(columns: Int32Array[], i: InstrId, p: Pressure): void {
    if (this.isShared) {
      this.storeChanged(columns, i, p);
      return;
    }
    columns[0][i] = p[0];
    columns[1][i] = p[1];
    columns[2][i] = p[2];
    columns[3][i] = p[3];
  }

  private storeChanged(columns: Int32Array[], i: InstrId, p: Pressure): void {
    for (let k = 0; k < N_KINDS; k++) if (columns[k][i] !== p[k]) this.own(columns, k)[i] = p[k];
  }

  private own(columns: Int32Array[], k: number): Int32Array {
    if (this.shared.has(columns[k])) columns[k] = columns[k].slice();
    return columns[k];
  }

  /** The columns alone. */
  done(): PressureColumns {
    const { before, at, after } = this;
    return { before, at, after };
  }

  /** The numbers of a block that is the same in `from`. */
  copyBlock({ fn, up }: PressureSummary, b: BlockId): void {
    const begin = fn.blockBegin[b];
    const end = fn.blockEnd[b];
    const to = this.fn.blockBegin[b];
    for (let k = 0; k < N_KINDS; k++) {
      this.before[k].set(up.before[k].subarray(begin, end), to);
      this.at[k].set(up.at[k].subarray(begin, end), to);
      this.after[k].set(up.after[k].subarray(begin, end), to);
    }
  }

  /** Members of a bundle show their header's numbers. */
  spreadToMembers(b: BlockId): void {
    const { order, bundle } = this.fn;
    for (let p = this.fn.blockBegin[b] + 1; p < this.fn.blockEnd[b]; p++) {
      const i = order[p];
      if ((bundle[i] & BundleFlag.BundledPred) === 0) continue;
      const header = order[p - 1];
      for (const columns of [this.before, this.at, this.after])
        for (let k = 0; k < N_KINDS; k++)
          if (columns[k][i] !== columns[k][header]) this.own(columns, k)[i] = columns[k][header];
    }
  }
}

/** Occupancy, limiters and steps for a pressure. */
export function reportOccupancy(p: Pressure, limits: FunctionLimits): OccupancyReport {
  const st = limits.subtarget;
  const sgprs = numSGPRs(p);
  const vgprs = numVGPRs(p, st.hasGFX90AInsts);
  const bySGPRs = st.occupancyWithNumSGPRs(sgprs);
  const byVGPRs = st.occupancyWithNumVGPRs(vgprs, limits.dynamicVGPRBlockSize);
  const ceiling = limits.occupancyCeiling;
  const occupancy = Math.min(ceiling, bySGPRs, byVGPRs);

  const limiters: OccupancyLimiter[] = [];
  if (occupancy < st.maxWavesPerEU) {
    if (byVGPRs === occupancy) limiters.push(OccupancyLimiter.VGPRs);
    if (bySGPRs === occupancy) limiters.push(OccupancyLimiter.SGPRs);
    if (ceiling === occupancy) limiters.push(ceilingLimiter(limits));
  } else {
    limiters.push(OccupancyLimiter.Hardware);
  }
  const canGainWave = occupancy < Math.min(ceiling, st.maxWavesPerEU);
  return {
    occupancy,
    bySGPRs,
    byVGPRs,
    ceiling,
    limiters,
    sgprStepUp: canGainWave && bySGPRs === occupancy ? sgprStepUp(sgprs, limits) : null,
    vgprStepUp: canGainWave && byVGPRs === occupancy ? vgprStepUp(vgprs, limits) : null,
    sgprStepDown: sgprStepDown(sgprs, occupancy, limits),
    vgprStepDown: vgprStepDown(vgprs, occupancy, limits),
  };
}

/** What holds the ceiling down: the stored occupancy if it differs from the computed one, else LDS or the group size. */
function ceilingLimiter(limits: FunctionLimits): OccupancyLimiter {
  if (limits.occupancyCeiling !== limits.occupancyRange[1]) return OccupancyLimiter.FunctionInfo;
  const [min, max] = limits.flatWorkGroupSizes;
  const withoutLds = limits.subtarget.occupancyWithWorkGroupSizes(0, min, max)[1];
  return withoutLds > limits.occupancyCeiling ? OccupancyLimiter.LDS : OccupancyLimiter.WorkGroupSize;
}

/** Largest SGPR count that still allows `waves`, -1 if none does. */
export function mostSGPRsFor(waves: number, limits: FunctionLimits): number {
  const st = limits.subtarget;
  for (let n = st.addressableNumSGPRs; n >= 0; n--) if (st.occupancyWithNumSGPRs(n) >= waves) return n;
  return -1;
}

function sgprStepUp(sgprs: number, limits: FunctionLimits): OccupancyStep | null {
  const st = limits.subtarget;
  const most = mostSGPRsFor(st.occupancyWithNumSGPRs(sgprs) + 1, limits);
  if (most < 0) return null;
  return { occupancy: st.occupancyWithNumSGPRs(most), registers: sgprs - most };
}

function vgprStepUp(vgprs: number, limits: FunctionLimits): OccupancyStep | null {
  const st = limits.subtarget;
  const dyn = limits.dynamicVGPRBlockSize;
  const most = st.maxNumVGPRs(st.occupancyWithNumVGPRs(vgprs, dyn) + 1, dyn);
  if (most <= 0 || most >= vgprs) return null;
  return { occupancy: st.occupancyWithNumVGPRs(most, dyn), registers: vgprs - most };
}

function sgprStepDown(sgprs: number, occupancy: number, limits: FunctionLimits): OccupancyStep | null {
  const st = limits.subtarget;
  const most = mostSGPRsFor(occupancy, limits);
  if (most < sgprs || most >= st.addressableNumSGPRs) return null;
  return { occupancy: st.occupancyWithNumSGPRs(most + 1), registers: most - sgprs };
}

function vgprStepDown(vgprs: number, occupancy: number, limits: FunctionLimits): OccupancyStep | null {
  const st = limits.subtarget;
  const dyn = limits.dynamicVGPRBlockSize;
  const most = st.maxNumVGPRs(occupancy, dyn);
  if (most < vgprs || most >= st.addressableNumVGPRs(dyn)) return null;
  return { occupancy: st.occupancyWithNumVGPRs(most + 1, dyn), registers: most - vgprs };
}

/**
 * Register pressure of one function as the command line, hovers, inlay hints and lenses show it: numbers per instruction,
 * the peak of each bank, the occupancy, what limits it and how far the next step is.
 *
 * A summary is made from a function without changing it and is immutable, so it can be kept for as long as the function
 * lives; parts that not every reader needs are computed when first asked for. Registers are 32-bit registers; AV
 * registers (which may become VGPR or AGPR) count as VGPRs, as in LLVM.
 */
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
import { GcnDownwardTracker, GcnUpwardTracker } from './gcnTrackers.js';
import { computeLiveIntervals, type LiveIntervals } from './liveIntervals.js';
import { BlockLiveness, type BlockSets } from './liveSets.js';
import { RegisterMentions } from './registerMentions.js';

/** Live registers at every instruction: for each RegKind an Int32Array(nInstrs) by InstrId. Bundle members have their header's numbers. */
export interface PressureColumns {
  /** just before the instruction */
  readonly before: readonly Int32Array[];
  /** at the instruction: its uses and defs, early clobbers and dead defs included */
  readonly at: readonly Int32Array[];
  /** just after the instruction */
  readonly after: readonly Int32Array[];
}

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
  readonly max: Pressure = newPressure();
  /** the part of each block in `max`, N_PRESSURE numbers per block */
  private readonly blockMax: Int32Array;
  private downColumns: PressureColumns | null = null;
  private mentionsCache: RegisterMentions | null = null;
  private peakCache: readonly Peak[] | null = null;
  private occupancyCache: OccupancyReport | null = null;

  /** `earlier`: the summary of a version whose block b is the same where `unchanged[b]` is 1 (unchangedBlocks.ts); saves time. */
  constructor(
    readonly fn: MachineFunction,
    earlier: { readonly before: PressureSummary; readonly unchanged: Uint8Array } | null = null,
  ) {
    this.limits = computeFunctionLimits(fn);
    this.lis = computeLiveIntervals(fn);
    this.facts = new VRegPressureFacts(fn);
    this.borders = new BlockLiveness(this.lis);
    this.blockMax = new Int32Array(fn.blocks.length * N_PRESSURE);
    const known = earlier !== null && this.hasSameSubRanges(earlier.before) ? earlier : null;
    this.up = this.walkUp(known?.before ?? null, known?.unchanged ?? null);
  }

  /** The same numbers for a version of the function that differs in its places in the text only. */
  withFunction(fn: MachineFunction): PressureSummary {
    return Object.assign(Object.create(PressureSummary.prototype) as PressureSummary, this, { fn });
  }

  /** Whether lanes are tracked decides how much of a register a use keeps alive. */
  private hasSameSubRanges({ lis }: PressureSummary): boolean {
    const a = lis.subRange;
    const b = this.lis.subRange;
    for (let v = 0; v < this.lis.nVRegs; v++) if (a[v] < 0 !== b[v] < 0) return false;
    return lis.nVRegs === this.lis.nVRegs;
  }

  private newColumns(): PressureColumns {
    const n = this.fn.nInstrs;
    const columns = (): Int32Array[] => {
      const res: Int32Array[] = [];
      for (let k = 0; k < N_KINDS; k++) res.push(new Int32Array(n));
      return res;
    };
    return { before: columns(), at: columns(), after: columns() };
  }

  /** A block with the same code and the same registers live at its borders has the same numbers as in `before`. */
  private walkUp(before: PressureSummary | null, unchanged: Uint8Array | null): PressureColumns {
    const { fn, blockMax } = this;
    const tracker = new GcnUpwardTracker(this.lis, this.facts);
    const columns = this.newColumns();
    const { order, bundle } = fn;
    for (let b = 0; b < fn.blocks.length; b++) {
      const max = blockMax.subarray(b * N_PRESSURE, (b + 1) * N_PRESSURE);
      if (before !== null && unchanged?.[b] === 1 && this.hasSameBorders(before, b)) {
        this.copyBlock(before, b, columns);
        maxPressure(this.max, max);
        continue;
      }
      tracker.resetToSet(this.borders.liveOut, b);
      maxPressure(max, tracker.cur);
      for (let p = fn.blockEnd[b] - 1; p >= fn.blockBegin[b]; p--) {
        const i = order[p];
        if ((bundle[i] & BundleFlag.BundledPred) !== 0) continue;
        store(columns.after, i, tracker.cur);
        tracker.clearMax();
        tracker.recede(i);
        store(columns.before, i, tracker.cur);
        store(columns.at, i, tracker.max);
        maxPressure(max, tracker.max);
      }
      maxPressure(this.max, max);
      spreadToMembers(fn, b, columns);
    }
    return columns;
  }

  private hasSameBorders(before: PressureSummary, b: BlockId): boolean {
    return (
      sameSet(before.borders.liveOut, this.borders.liveOut, b) && sameSet(before.borders.liveIn, this.borders.liveIn, b)
    );
  }

  private copyBlock(before: PressureSummary, b: BlockId, columns: PressureColumns): void {
    const from = before.fn.blockBegin[b];
    const end = before.fn.blockEnd[b];
    const to = this.fn.blockBegin[b];
    for (let k = 0; k < N_KINDS; k++) {
      columns.before[k].set(before.up.before[k].subarray(from, end), to);
      columns.at[k].set(before.up.at[k].subarray(from, end), to);
      columns.after[k].set(before.up.after[k].subarray(from, end), to);
    }
    this.blockMax.set(before.blockMax.subarray(b * N_PRESSURE, (b + 1) * N_PRESSURE), b * N_PRESSURE);
  }

  /** Downward numbers (`-amdgpu-print-rp-downward`): "at" holds all uses and defs together. Computed once. */
  get down(): PressureColumns {
    if (this.downColumns !== null) return this.downColumns;
    const { fn } = this;
    const tracker = new GcnDownwardTracker(this.lis, this.facts);
    const columns = this.newColumns();
    const { order, bundle } = fn;
    for (let b = 0; b < fn.blocks.length; b++) {
      tracker.resetToSet(this.borders.liveIn, b);
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = order[p];
        if ((bundle[i] & BundleFlag.BundledPred) !== 0) continue;
        store(columns.before, i, tracker.cur);
        tracker.advanceToNext(i);
        store(columns.at, i, tracker.cur);
        tracker.advanceBeforeNext(i, tracker.slotAfter(b, p));
        store(columns.after, i, tracker.cur);
      }
      spreadToMembers(fn, b, columns);
    }
    return (this.downColumns = columns);
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

function store(columns: readonly Int32Array[], i: InstrId, p: Pressure): void {
  columns[0][i] = p[0];
  columns[1][i] = p[1];
  columns[2][i] = p[2];
  columns[3][i] = p[3];
}

/** Members of a bundle show their header's numbers. */
function spreadToMembers(fn: MachineFunction, b: BlockId, columns: PressureColumns): void {
  const { order, bundle } = fn;
  for (let p = fn.blockBegin[b] + 1; p < fn.blockEnd[b]; p++) {
    const i = order[p];
    if ((bundle[i] & BundleFlag.BundledPred) === 0) continue;
    const header = order[p - 1];
    for (let k = 0; k < N_KINDS; k++) {
      columns.before[k][i] = columns.before[k][header];
      columns.at[k][i] = columns.at[k][header];
      columns.after[k][i] = columns.after[k][header];
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
  if (most < 0 || most >= sgprs) return null;
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

/**
 * Counters of memory accesses that are under way, what counts them up, and the instructions that wait for them (AMDGPU::Waitcnt and AMDGPUBaseInfo, LLVM 22;
 * docs/llvm/waits.md, 1 and 3).
 */
import { Generation, type Subtarget } from '../../target/api.js';

/** Names are those of gfx12; before, Load is vmcnt, Ds lgkmcnt, Store vscnt. */
export const enum Counter {
  Load,
  Ds,
  Exp,
  Store,
  Sample,
  Bvh,
  Km,
  X,
}
export const N_COUNTERS = 8;

export const enum WaitEvent {
  VMEM,
  VMEMRead,
  Sampler,
  BVH,
  VMEMWrite,
  ScratchWrite,
  VMEMGroup,
  LDS,
  GDS,
  Message,
  SMEM,
  SMEMGroup,
  ExportLock,
  GDSLock,
  ExportPosition,
  ExportParameter,
  StoreLock,
  LDSDirect,
}

const mask = (...events: readonly WaitEvent[]): number => events.reduce((bits, e) => bits | (1 << e), 0);

const EXPORTS = mask(
  WaitEvent.ExportLock,
  WaitEvent.GDSLock,
  WaitEvent.StoreLock,
  WaitEvent.ExportParameter,
  WaitEvent.ExportPosition,
  WaitEvent.LDSDirect,
);
const WRITES = mask(WaitEvent.VMEMWrite, WaitEvent.ScratchWrite);
/** By counter. */
const EVENTS_BEFORE_GFX12 = [
  mask(WaitEvent.VMEM, WaitEvent.VMEMRead, WaitEvent.Sampler, WaitEvent.BVH),
  mask(WaitEvent.SMEM, WaitEvent.LDS, WaitEvent.GDS, WaitEvent.Message),
  EXPORTS,
  WRITES,
  0,
  0,
  0,
  0,
];
const EVENTS_GFX12 = [
  mask(WaitEvent.VMEM, WaitEvent.VMEMRead),
  mask(WaitEvent.LDS, WaitEvent.GDS),
  EXPORTS,
  WRITES,
  mask(WaitEvent.Sampler),
  mask(WaitEvent.BVH),
  mask(WaitEvent.SMEM, WaitEvent.Message),
  mask(WaitEvent.VMEMGroup, WaitEvent.SMEMGroup),
];

/** A wait: what may be left of each counter, NO_WAIT = it is not waited for. */
export type Wait = number[];
export const NO_WAIT = 0xffffffff;
export const noWait = (): Wait => new Array<number>(N_COUNTERS).fill(NO_WAIT);

export function addWait(wait: Wait, counter: Counter, left: number): void {
  wait[counter] = Math.min(wait[counter], left);
}

export const combine = (wait: Wait, other: Wait): void => other.forEach((left, c) => addWait(wait, c, left));

interface Field {
  readonly counter: Counter;
  /** [shift, bits] of its parts, the low one first */
  readonly parts: readonly (readonly [shift: number, bits: number])[];
}

/** S_WAITCNT's immediate. */
function fieldsOf(generation: Generation): readonly Field[] {
  if (generation >= Generation.GFX11)
    return [
      { counter: Counter.Exp, parts: [[0, 3]] },
      { counter: Counter.Ds, parts: [[4, 6]] },
      { counter: Counter.Load, parts: [[10, 6]] },
    ];
  const low: readonly [number, number] = [0, 4];
  return [
    { counter: Counter.Load, parts: generation >= Generation.GFX9 ? [low, [14, 2]] : [low] },
    { counter: Counter.Exp, parts: [[4, 3]] },
    { counter: Counter.Ds, parts: [[8, generation >= Generation.GFX10 ? 6 : 4]] },
  ];
}

export class Counters {
  /** one counter each for loads, samples, scalar loads, ... (gfx12) */
  readonly isExtended: boolean;
  readonly hasStoreCounter: boolean;
  /** what scalar loads count */
  readonly ofScalarLoads: Counter;
  /** bits of WaitEvent, by counter */
  readonly events: readonly number[];
  /** the most that a counter holds */
  readonly limits: readonly number[];
  /** counters that the processor has */
  readonly n: number;
  private readonly fields: readonly Field[];

  constructor(st: Subtarget) {
    const { generation } = st;
    this.isExtended = generation >= Generation.GFX12;
    this.hasStoreCounter = generation >= Generation.GFX10;
    this.ofScalarLoads = this.isExtended ? Counter.Km : Counter.Ds;
    this.events = this.isExtended ? EVENTS_GFX12 : EVENTS_BEFORE_GFX12;
    this.n = this.isExtended ? N_COUNTERS : Counter.Sample;
    this.fields = fieldsOf(generation);
    this.limits = this.isExtended
      ? [63, 63, 7, 63, 63, 7, 31, st.hasFeature('wait-xcnt') ? 63 : 0]
      : [Counter.Load, Counter.Ds, Counter.Exp]
          .map((counter) => {
            const bits = this.fields.find((f) => f.counter === counter)!.parts.reduce((sum, [, n]) => sum + n, 0);
            return (1 << bits) - 1;
          })
          .concat(this.hasStoreCounter ? 63 : 0, 0, 0, 0, 0);
  }

  /** @llvm SIInsertWaitcnts.cpp eventCounter */
  ofEvent(event: WaitEvent): Counter {
    return this.events.findIndex((bits) => (bits & (1 << event)) !== 0);
  }

  /** All counters at zero, but that of stores, and what orders addresses. */
  allZero(withStores: boolean): Wait {
    const wait = noWait();
    for (const c of [Counter.Load, Counter.Exp, Counter.Ds]) wait[c] = 0;
    if (withStores && this.hasStoreCounter) wait[Counter.Store] = 0;
    if (this.isExtended) for (const c of [Counter.Sample, Counter.Bvh, Counter.Km]) wait[c] = 0;
    return wait;
  }

  /**
   * The immediate of S_WAITCNT.
   * @llvm AMDGPUBaseInfo.cpp AMDGPU::encodeWaitcnt
   */
  encode(wait: Wait): number {
    let immediate = 0;
    for (const { counter, parts } of this.fields) {
      let value = Math.min(wait[counter], this.limits[counter]);
      for (const [shift, bits] of parts) {
        immediate |= (value & ((1 << bits) - 1)) << shift;
        value >>= bits;
      }
    }
    return immediate;
  }

  /**
   * A counter at its limit is one that is not waited for to LLVM only when it writes.
   * @llvm AMDGPUBaseInfo.cpp AMDGPU::decodeWaitcnt
   */
  decode(immediate: number): Wait {
    const wait = noWait();
    for (const { counter, parts } of this.fields) {
      let value = 0;
      let at = 0;
      for (const [shift, bits] of parts) {
        value |= ((immediate >> shift) & ((1 << bits) - 1)) << at;
        at += bits;
      }
      wait[counter] = value;
    }
    return wait;
  }
}

/** Of S_WAIT_LOADCNT_DSCNT and S_WAIT_STORECNT_DSCNT: 6 bits of each. */
export const encodePair = (other: number, ds: number): number => (Math.min(other, 63) << 8) | Math.min(ds, 63);
export const decodePair = (immediate: number): readonly [other: number, ds: number] => [
  (immediate >> 8) & 63,
  immediate & 63,
];

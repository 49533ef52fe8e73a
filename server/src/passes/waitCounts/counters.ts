/**
 * Counters of memory accesses that are under way, what counts them up, and the instructions that wait for them (AMDGPU::Waitcnt and AMDGPUBaseInfo, LLVM 22;
 * docs/llvm/waits.md, 1 and 3).
 */
import { WAIT_PAIR, encodeField, mostOf, valueOf, waitcntFields, type WaitField } from '../../model/waitFields.js';
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

const NAMES_BEFORE_GFX12 = ['vmcnt', 'lgkmcnt', 'expcnt', 'vscnt'];
const NAMES_GFX12 = ['loadcnt', 'dscnt', 'expcnt', 'storecnt', 'samplecnt', 'bvhcnt', 'kmcnt', 'xcnt'];

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
  /** LLVM's, by counter */
  readonly names: readonly string[];
  /** of S_WAITCNT's immediate */
  private readonly fields: readonly (readonly [Counter, WaitField])[];

  constructor(st: Subtarget) {
    const { generation } = st;
    this.isExtended = generation >= Generation.GFX12;
    this.hasStoreCounter = generation >= Generation.GFX10;
    this.ofScalarLoads = this.isExtended ? Counter.Km : Counter.Ds;
    this.events = this.isExtended ? EVENTS_GFX12 : EVENTS_BEFORE_GFX12;
    this.n = this.isExtended ? N_COUNTERS : Counter.Sample;
    this.names = this.isExtended ? NAMES_GFX12 : NAMES_BEFORE_GFX12;
    const { vmcnt, expcnt, lgkmcnt } = waitcntFields(generation);
    this.fields = [
      [Counter.Load, vmcnt],
      [Counter.Ds, lgkmcnt],
      [Counter.Exp, expcnt],
    ];
    this.limits = this.isExtended
      ? [63, 63, 7, 63, 63, 7, 31, st.hasFeature('wait-xcnt') ? 63 : 0]
      : [mostOf(vmcnt), mostOf(lgkmcnt), mostOf(expcnt), this.hasStoreCounter ? 63 : 0, 0, 0, 0, 0];
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
    return this.fields.reduce(
      (immediate, [counter, field]) => immediate | encodeField(field, Math.min(wait[counter], this.limits[counter])),
      0,
    );
  }

  /**
   * A counter at its limit is one that is not waited for to LLVM only when it writes.
   * @llvm AMDGPUBaseInfo.cpp AMDGPU::decodeWaitcnt
   */
  decode(immediate: number): Wait {
    const wait = noWait();
    for (const [counter, field] of this.fields) wait[counter] = valueOf(field, immediate);
    return wait;
  }
}

/** Of S_WAIT_LOADCNT_DSCNT and S_WAIT_STORECNT_DSCNT. */
export const encodePair = (other: number, ds: number): number =>
  encodeField(WAIT_PAIR.other, Math.min(other, mostOf(WAIT_PAIR.other))) |
  encodeField(WAIT_PAIR.ds, Math.min(ds, mostOf(WAIT_PAIR.ds)));
export const decodePair = (immediate: number): readonly [other: number, ds: number] => [
  valueOf(WAIT_PAIR.other, immediate),
  valueOf(WAIT_PAIR.ds, immediate),
];

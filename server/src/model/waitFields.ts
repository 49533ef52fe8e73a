/** Where counters lie in the immediates of S_WAITCNT, S_WAITCNT_DEPCTR and the waits of gfx12 for two counters (AMDGPUBaseInfo, AMDGPU::DepCtr). */
import { Generation } from '../target/api.js';

/** [shift, bits] of the parts of a counter, the lowest part of its value first. */
export type WaitField = readonly (readonly [shift: number, bits: number])[];

/** The most that a field holds: nothing is waited for. */
export const mostOf = (field: WaitField): number => (1 << field.reduce((sum, [, bits]) => sum + bits, 0)) - 1;

export function valueOf(field: WaitField, immediate: number): number {
  let value = 0;
  let at = 0;
  for (const [shift, bits] of field) {
    value |= ((immediate >>> shift) & ((1 << bits) - 1)) << at;
    at += bits;
  }
  return value;
}

/** The bits of a value in the immediate. */
export function encodeField(field: WaitField, value: number): number {
  let immediate = 0;
  let at = 0;
  for (const [shift, bits] of field) {
    immediate |= ((value >>> at) & ((1 << bits) - 1)) << shift;
    at += bits;
  }
  return immediate;
}

export const maskOf = (field: WaitField): number => encodeField(field, mostOf(field));

export type WaitcntField = 'vmcnt' | 'expcnt' | 'lgkmcnt';
export type WaitcntFields = Readonly<Record<WaitcntField, WaitField>>;

const VMCNT_LOW = [0, 4] as const;
const WAITCNT_GFX6: WaitcntFields = { vmcnt: [VMCNT_LOW], expcnt: [[4, 3]], lgkmcnt: [[8, 4]] };
const WAITCNT_GFX9: WaitcntFields = { ...WAITCNT_GFX6, vmcnt: [VMCNT_LOW, [14, 2]] };
const WAITCNT_GFX10: WaitcntFields = { ...WAITCNT_GFX9, lgkmcnt: [[8, 6]] };
const WAITCNT_GFX11: WaitcntFields = { vmcnt: [[10, 6]], expcnt: [[0, 3]], lgkmcnt: [[4, 6]] };

/** Of S_WAITCNT. */
export function waitcntFields(generation: Generation): WaitcntFields {
  if (generation >= Generation.GFX11) return WAITCNT_GFX11;
  if (generation >= Generation.GFX10) return WAITCNT_GFX10;
  return generation >= Generation.GFX9 ? WAITCNT_GFX9 : WAITCNT_GFX6;
}

/** Of S_WAIT_LOADCNT_DSCNT and S_WAIT_STORECNT_DSCNT: `other` is of loads or of stores. */
export const WAIT_PAIR = { other: [[8, 6]], ds: [[0, 6]] } as const satisfies Record<string, WaitField>;

/** Of S_WAITCNT_DEPCTR, in LLVM's order of printing. Which processors have holdCnt is up to the user of the fields: LLVM's parts do not agree. */
export const DEPCTR = {
  vaVdst: [[12, 4]],
  vaSdst: [[9, 3]],
  vaSsrc: [[8, 1]],
  holdCnt: [[7, 1]],
  vmVsrc: [[2, 3]],
  vaVcc: [[1, 1]],
  saSdst: [[0, 1]],
} as const satisfies Record<string, WaitField>;
export type DepCtrField = keyof typeof DEPCTR;

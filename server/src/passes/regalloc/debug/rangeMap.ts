/**
 * Where a variable has which value: stretches of slots in ascending order that do not overlap. Neighbours with one value are one stretch, except
 * where their borders were moved.
 */
import type { SlotList, SlotRef } from '../../../analysis/edit/slotList.js';

/** Where a variable is. */
export interface DebugValue {
  /** numbers of locations, each once; `UNDEF_LOC` */
  readonly locs: readonly number[];
  readonly isIndirect: boolean;
  readonly isList: boolean;
  readonly expression: string;
}

/** No location. */
export const UNDEF_LOC = -1;

/** [start, stop) */
export interface Stretch {
  start: SlotRef;
  stop: SlotRef;
  value: DebugValue;
}

export const isUndef = (value: DebugValue): boolean => value.locs.includes(UNDEF_LOC);

export function isSameValue(a: DebugValue, b: DebugValue): boolean {
  return (
    a === b ||
    (a.isIndirect === b.isIndirect &&
      a.isList === b.isList &&
      a.expression === b.expression &&
      a.locs.length === b.locs.length &&
      a.locs.every((loc, k) => loc === b.locs[k]))
  );
}

export class RangeMap {
  list: Stretch[] = [];

  constructor(private readonly slots: SlotList) {}

  /** The first stretch, from number `from` on, that ends after `slot`; `list.length` if none does. */
  find(slot: SlotRef, from = 0): number {
    let k = from;
    while (k < this.list.length && this.slots.isAtOrBefore(this.list[k].stop, slot)) k++;
    return k;
  }

  /** Puts a stretch before number `k`, which is where it belongs; neighbours of its value that it touches take it in. Its number. */
  insert(k: number, start: SlotRef, stop: SlotRef, value: DebugValue): number {
    this.list.splice(k, 0, { start, stop, value });
    return this.join(k);
  }

  /** Joins a stretch with its neighbours. Its number. */
  join(k: number): number {
    if (k + 1 < this.list.length) this.joinPair(k);
    return k > 0 && this.joinPair(k - 1) ? k - 1 : k;
  }

  joinAll(): void {
    for (let k = 0; k + 1 < this.list.length;) if (!this.joinPair(k)) k++;
  }

  private joinPair(k: number): boolean {
    const [a, b] = [this.list[k], this.list[k + 1]];
    if (this.slots.number(a.stop) !== this.slots.number(b.start) || !isSameValue(a.value, b.value)) return false;
    a.stop = b.stop;
    this.list.splice(k + 1, 1);
    return true;
  }
}

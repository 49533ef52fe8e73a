/** Stretches of slots, each with a number: disjoint, in order; two that touch and have the same number are one. */
import type { SlotList, SlotRef } from '../../analysis/edit/slotList.js';

/** Instead of `splice`, which makes an array of what it takes out. */
function insert(list: number[], at: number, value: number): void {
  list.push(value);
  for (let k = list.length - 1; k > at; k--) list[k] = list[k - 1];
  list[at] = value;
}

function drop(list: number[], at: number): void {
  for (let k = at + 1; k < list.length; k++) list[k - 1] = list[k];
  list.pop();
}

export class SlotIntervals {
  readonly start: SlotRef[] = [];
  readonly end: SlotRef[] = [];
  readonly value: number[] = [];

  constructor(private readonly slots: SlotList) {}

  private find(at: SlotRef): number {
    let lo = 0;
    let hi = this.end.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (this.slots.isAtOrBefore(this.end[mid], at)) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  /** The number at a slot, 0 where there is none. */
  lookup(at: SlotRef): number {
    const s = this.find(at);
    return s < this.end.length && this.slots.isAtOrBefore(this.start[s], at) ? this.value[s] : 0;
  }

  /** The number from `at` on, and where it ends. */
  stretch(at: SlotRef, limit: SlotRef): [number, SlotRef] {
    const s = this.find(at);
    if (s === this.end.length) return [0, limit];
    return this.slots.isAtOrBefore(this.start[s], at) ? [this.value[s], this.end[s]] : [0, this.start[s]];
  }

  insert(from: SlotRef, to: SlotRef, value: number): void {
    const { slots } = this;
    if (!slots.isBefore(from, to)) return;
    const s = this.find(from);
    const joinsBefore = s > 0 && this.value[s - 1] === value && slots.number(this.end[s - 1]) === slots.number(from);
    const joinsBehind =
      s < this.end.length && this.value[s] === value && slots.number(this.start[s]) === slots.number(to);
    if (joinsBefore && joinsBehind) {
      this.end[s - 1] = this.end[s];
      drop(this.start, s);
      drop(this.end, s);
      drop(this.value, s);
    } else if (joinsBefore) this.end[s - 1] = to;
    else if (joinsBehind) this.start[s] = from;
    else {
      insert(this.start, s, from);
      insert(this.end, s, to);
      insert(this.value, s, value);
    }
  }

  /** The stretch that holds the slot before `at` and ends there; -1 = none. */
  endingAt(at: SlotRef): number {
    const s = this.find(this.slots.before(at));
    if (s === this.end.length || !this.slots.isAtOrBefore(this.start[s], this.slots.before(at))) return -1;
    return this.slots.number(this.end[s]) === this.slots.number(at) ? s : -1;
  }

  setEnd(s: number, to: SlotRef): void {
    this.end[s] = to;
  }
}

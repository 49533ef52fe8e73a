/**
 * What is under way at a place: for each counter a bracket of scores, one for each access, and the score of the last access to each register
 * (WaitcntBrackets, LLVM 22; docs/llvm/waits.md, 3).
 */
import type { InstrId } from '../../model/machineFunction.js';
import type { VmemType } from '../../target/countedOpcodes.js';
import { Counter, NO_WAIT, WaitEvent, addWait, type Counters, type Wait } from './counters.js';

/** VGPRs in halves, AGPRs after them, then slots for LDS that vector memory instructions write */
const AGPR_OFFSET = 512;
const LDS_SLOT = 2048;
const N_LDS_SLOTS = 9;
const FIRST_SGPR = LDS_SLOT + N_LDS_SLOTS;
/** flat_scr after all that has a number: $sgpr102 with the same number is another register */
export const FLAT_SCRATCH = 128;
const N_SGPRS = FLAT_SCRATCH + 2;
const N_SLOTS = FIRST_SGPR + N_SGPRS;

/** Slots [begin, end); empty = the register is not tracked. */
export type Slots = readonly [begin: number, end: number];
export const NO_SLOTS: Slots = [-1, -1];
export const ldsSlot = (n: number): Slots => [LDS_SLOT + n, LDS_SLOT + n + 1];
export const vectorSlots = (half: number, halves: number, isAGPR: boolean): Slots => {
  const begin = half + (isAGPR ? AGPR_OFFSET : 0);
  return [begin, begin + halves];
};
export const scalarSlots = (index: number, words: number): Slots =>
  index < N_SGPRS ? [FIRST_SGPR + index, FIRST_SGPR + index + words] : NO_SLOTS;
export const isScalarSlot = (slot: number): boolean => slot >= FIRST_SGPR;
export const MAX_LDS_STORES = N_LDS_SLOTS - 1;

interface LatestAccess {
  /** -1 = nobody knows */
  readonly by: InstrId;
  /** accesses of the counter after it */
  readonly after: number;
  /** they may come back in another order */
  readonly isUnordered: boolean;
}

/** @llvm SIInsertWaitcnts.cpp WaitcntBrackets */
export class WaitBrackets {
  private readonly lower: number[];
  private readonly upper: number[];
  private pending = 0;
  private readonly lastFlat: number[];
  private lastGDS = 0;
  /** by counter and slot */
  private readonly scores: (Int32Array | null)[];
  /** who made the scores; null where nobody asks for reasons */
  private readonly makers: (Int32Array | null)[] | null;
  /** VmemType bits of what may still write a register */
  private readonly types: Uint8Array;
  /** accesses that write to LDS, by what LLVM knows of aliases: one for each slot after the first */
  readonly ldsStores: number[];

  constructor(
    private readonly counters: Counters,
    from: WaitBrackets | null = null,
    keepsMakers = false,
  ) {
    const { n } = counters;
    this.lower = from?.lower.slice() ?? new Array<number>(n).fill(0);
    this.upper = from?.upper.slice() ?? new Array<number>(n).fill(0);
    this.lastFlat = from?.lastFlat.slice() ?? new Array<number>(n).fill(0);
    this.scores = from?.scores.map((s) => s?.slice() ?? null) ?? new Array<null>(n).fill(null);
    this.makers = keepsMakers ? (from?.makers?.map((m) => m?.slice() ?? null) ?? new Array<null>(n).fill(null)) : null;
    this.types = from?.types.slice() ?? new Uint8Array(LDS_SLOT);
    this.ldsStores = from?.ldsStores.slice() ?? [];
    if (from !== null) {
      this.pending = from.pending;
      this.lastGDS = from.lastGDS;
    }
  }

  range(c: Counter): number {
    return c < this.counters.n ? this.upper[c] - this.lower[c] : 0;
  }

  private score(c: Counter, slot: number): number {
    return this.scores[c]?.[slot] ?? 0;
  }

  isPending(slot: number, c: Counter): boolean {
    return c < this.counters.n && this.score(c, slot) > this.lower[c];
  }

  /** Whether some register waits for the counter, which others may have counted up, too. */
  isAwaited(c: Counter): boolean {
    return this.scores[c]?.some((score) => score > this.lower[c]) ?? false;
  }

  get hasPending(): boolean {
    return this.pending !== 0;
  }

  has(event: WaitEvent): boolean {
    return (this.pending & (1 << event)) !== 0;
  }

  hasOf(c: Counter): boolean {
    return c < this.counters.n && (this.pending & this.counters.events[c]) !== 0;
  }

  private setUpper(c: Counter, value: number): void {
    this.upper[c] = value;
    const limit = this.counters.limits[c];
    if (c === Counter.Exp && this.range(c) > limit) this.lower[c] = value - limit;
  }

  /**
   * Stores of whoever called, or was called, may be under way.
   * @llvm SIInsertWaitcnts.cpp WaitcntBrackets::setStateOnFunctionEntryOrReturn
   */
  enterFunction(): void {
    this.setUpper(Counter.Store, this.upper[Counter.Store] + this.counters.limits[Counter.Store]);
    this.pending |= this.counters.events[Counter.Store];
  }

  /** One more access; its score. */
  count(event: WaitEvent): number {
    const c = this.counters.ofEvent(event);
    this.pending |= 1 << event;
    this.setUpper(c, this.upper[c] + 1);
    const other = event === WaitEvent.SMEMGroup ? WaitEvent.VMEMGroup : WaitEvent.SMEMGroup;
    if (c === Counter.X && this.has(other)) {
      // The hardware waits by itself where scalar and vector accesses take turns.
      this.lower[c] = this.upper[c] - 1;
      this.pending &= ~(1 << other);
    }
    return this.upper[c];
  }

  /** `by`: the access whose score it is. */
  setScore(c: Counter, [begin, end]: Slots, score: number, by: InstrId): void {
    if (begin < 0) return;
    const scores = (this.scores[c] ??= new Int32Array(N_SLOTS));
    for (let slot = begin; slot < end; slot++) scores[slot] = score;
    if (this.makers !== null) (this.makers[c] ??= new Int32Array(N_SLOTS).fill(-1)).fill(by, begin, end);
  }

  /** The access to one of the slots that is under way and was counted last, for reasons; null = none. */
  latest(c: Counter, [begin, end]: Slots, flatIsInOrder: boolean): LatestAccess | null {
    let [found, best] = [-1, this.lower[c]];
    for (let slot = Math.max(begin, 0); slot < end; slot++) {
      const score = this.score(c, slot);
      if (score > this.upper[c] || score <= best) continue;
      [found, best] = [slot, score];
    }
    if (found < 0) return null;
    const by = this.makers?.[c]?.[found] ?? -1;
    return { by, after: this.upper[c] - best, isUnordered: this.comesBackInAnyOrder(c, flatIsInOrder) };
  }

  private comesBackInAnyOrder(c: Counter, flatIsInOrder: boolean): boolean {
    const isFlat = (c === Counter.Load || c === Counter.Ds) && this.hasPendingFlat && !flatIsInOrder;
    return isFlat || this.isOutOfOrder(c);
  }

  addTypes([begin, end]: Slots, types: number): void {
    for (let slot = Math.max(begin, 0); slot < end; slot++) this.types[slot] |= types;
  }

  clearTypes([begin, end]: Slots): void {
    if (begin >= 0) this.types.fill(0, begin, end);
  }

  hasOtherTypes([begin, end]: Slots, type: VmemType): boolean {
    for (let slot = Math.max(begin, 0); slot < end; slot++) if ((this.types[slot] & ~type) !== 0) return true;
    return false;
  }

  noteFlat(): void {
    this.lastFlat[Counter.Load] = this.upper[Counter.Load];
    this.lastFlat[Counter.Ds] = this.upper[Counter.Ds];
  }

  private get hasPendingFlat(): boolean {
    return [Counter.Load, Counter.Ds].some(
      (c) => this.lastFlat[c] > this.lower[c] && this.lastFlat[c] <= this.upper[c],
    );
  }

  noteGDS(): void {
    this.lastGDS = this.upper[Counter.Ds];
  }

  /** What may be left while a GDS access is awaited; NO_WAIT without one. */
  get waitForGDS(): number {
    const c = Counter.Ds;
    if (this.lastGDS <= this.lower[c] || this.lastGDS > this.upper[c]) return NO_WAIT;
    return Math.min(this.upper[c] - this.lastGDS, this.counters.limits[c] - 1);
  }

  /** @llvm SIInsertWaitcnts.cpp WaitcntBrackets::counterOutOfOrder */
  private isOutOfOrder(c: Counter): boolean {
    if (c === this.counters.ofScalarLoads && this.has(WaitEvent.SMEM)) return true;
    if (c === Counter.X && this.has(WaitEvent.SMEMGroup)) return true;
    const events = this.pending & this.counters.events[c];
    return (events & (events - 1)) !== 0;
  }

  /**
   * Adds to `wait` what is missing until the slots are done. `flatIsInOrder`: flat accesses come back in order.
   * @llvm SIInsertWaitcnts.cpp WaitcntBrackets::determineWait
   */
  need(c: Counter, [begin, end]: Slots, wait: Wait, flatIsInOrder: boolean): void {
    if (c >= this.counters.n) return;
    const [lower, upper] = [this.lower[c], this.upper[c]];
    for (let slot = Math.max(begin, 0); slot < end; slot++) {
      const score = this.score(c, slot);
      if (score > upper || score <= lower) continue;
      const left = this.comesBackInAnyOrder(c, flatIsInOrder)
        ? 0
        : Math.min(upper - score, this.counters.limits[c] - 1);
      addWait(wait, c, left);
    }
  }

  /**
   * Drops what is no wait.
   * @llvm SIInsertWaitcnts.cpp WaitcntBrackets::simplifyWaitcnt
   */
  simplify(wait: Wait): void {
    if (this.dropsX(wait)) wait[Counter.X] = NO_WAIT;
    wait.forEach((left, c) => {
      if (left >= this.range(c)) wait[c] = NO_WAIT;
    });
  }

  /** A wait for data is one for the translation of its address. */
  private dropsX(wait: Wait): boolean {
    const [load, x] = [wait[Counter.Load], wait[Counter.X]];
    return (
      (wait[Counter.Km] === 0 && this.has(WaitEvent.SMEMGroup)) ||
      (load !== NO_WAIT && this.has(WaitEvent.VMEMGroup) && !this.hasOf(Counter.Store) && x >= load)
    );
  }

  /** @llvm SIInsertWaitcnts.cpp WaitcntBrackets::applyWaitcnt */
  apply(wait: Wait): void {
    for (let c = 0; c < wait.length; c++) this.applyTo(c, wait[c]);
  }

  applyTo(c: Counter, left: number): void {
    if (c >= this.counters.n) return;
    const upper = this.upper[c];
    if (left >= upper) return;
    if (left === 0) {
      this.lower[c] = upper;
      this.pending &= ~this.counters.events[c];
    } else if (this.isOutOfOrder(c)) return;
    else this.lower[c] = Math.max(this.lower[c], upper - left);
    // Data comes back after its address was translated.
    if (c === Counter.Km && left === 0) this.translate(WaitEvent.SMEMGroup, 0);
    if (c === Counter.Load && !this.hasOf(Counter.Store)) this.translate(WaitEvent.VMEMGroup, left);
  }

  private translate(event: WaitEvent, left: number): void {
    if (!this.has(event)) return;
    const events = this.pending & this.counters.events[Counter.X];
    if ((events & (events - 1)) === 0) this.applyTo(Counter.X, left);
    else if (left === 0) this.pending &= ~(1 << event);
  }

  /**
   * Takes in what is under way on another way to the same place; true when that asks for more waiting.
   * @llvm SIInsertWaitcnts.cpp WaitcntBrackets::merge
   */
  merge(other: WaitBrackets): boolean {
    let isMore = false;
    for (let c = 0; c < this.counters.n; c++) {
      const mine = this.pending & this.counters.events[c];
      const others = other.pending & this.counters.events[c];
      if ((others & ~mine) !== 0) isMore = true;
      this.pending |= others;
      const [lower, otherLower] = [this.lower[c], other.lower[c]];
      const upper = lower + Math.max(this.range(c), other.range(c));
      const [shift, otherShift] = [upper - this.upper[c], upper - other.upper[c]];
      this.upper[c] = upper;
      const merged = (score: number, otherScore: number): number => {
        const here = score <= lower ? 0 : score + shift;
        const there = otherScore <= otherLower ? 0 : otherScore + otherShift;
        if (there > here) isMore = true;
        return Math.max(here, there);
      };
      this.lastFlat[c] = merged(this.lastFlat[c], other.lastFlat[c]);
      if (c === Counter.Ds) this.lastGDS = merged(this.lastGDS, other.lastGDS);
      if (this.scores[c] === null && other.scores[c] === null) continue;
      const scores = (this.scores[c] ??= new Int32Array(N_SLOTS));
      const theirs = other.scores[c];
      const makers = this.makers === null ? null : (this.makers[c] ??= new Int32Array(N_SLOTS).fill(-1));
      for (let slot = 0; slot < N_SLOTS; slot++) {
        const own = scores[slot] <= lower ? 0 : scores[slot] + shift;
        scores[slot] = merged(scores[slot], theirs?.[slot] ?? 0);
        if (makers !== null && scores[slot] > own) makers[slot] = other.makers?.[c]?.[slot] ?? -1;
      }
    }
    for (let slot = 0; slot < LDS_SLOT; slot++) {
      const types = this.types[slot] | other.types[slot];
      if (types !== this.types[slot]) isMore = true;
      this.types[slot] = types;
    }
    return isMore;
  }
}

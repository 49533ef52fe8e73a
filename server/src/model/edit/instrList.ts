/**
 * The instructions of a function as one doubly linked list per block, so that the scheduler moves one in O(1).
 *
 * A position is an instruction id, or `~block` for the end of a block. Bundle members are not in the list: they follow their
 * header, whose id they succeed. `writeBack` turns the lists into the layout of the function again.
 */
import { BundleFlag, type BlockId, type InstrId, type MachineFunction } from '../machineFunction.js';

/** Instruction id, or `~block`. */
export type ListPos = number;

/** Told of what happens to a list, after it has happened. */
export interface ListObserver {
  /** `reinsert` is about to take it out */
  leaving?(i: InstrId): void;
  inserted(i: InstrId): void;
  removed(i: InstrId): void;
  /** within its block, perhaps to where it stood */
  moved(i: InstrId): void;
}

export class InstrList {
  observer: ListObserver | null = null;
  private next: Int32Array;
  private prev: Int32Array;
  private nBlocks: number;
  /** blocks that there is room for; instructions come after them */
  private room: number;
  /** another one after each change of an order */
  version = 0;
  /** headers and members of bundles that were torn apart: each stands in the list for itself */
  private readonly loose = new Set<InstrId>();

  /** `moreBlocks`: how many will be added; more take longer. */
  constructor(
    private readonly fn: MachineFunction,
    moreBlocks = 0,
  ) {
    this.nBlocks = fn.blocks.length;
    this.room = this.nBlocks + moreBlocks;
    const n = this.room + fn.nInstrs;
    this.next = new Int32Array(n);
    this.prev = new Int32Array(n);
    for (let b = 0; b < this.nBlocks; b++) {
      let last: ListPos = ~b;
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = fn.order[p];
        if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0) continue;
        this.link(last, i);
        last = i;
      }
      this.link(last, ~b);
    }
  }

  private at(p: ListPos): number {
    return p < 0 ? ~p : this.room + p;
  }

  /** An empty block, whose number is the next. The function has it already. */
  addBlock(): BlockId {
    if (this.nBlocks === this.room) this.makeRoom();
    const b = this.nBlocks++;
    this.link(~b, ~b);
    return b;
  }

  private makeRoom(): void {
    const more = 4 + (this.room >> 1);
    const moved = (a: Int32Array): Int32Array => {
      const wider = new Int32Array(a.length + more);
      wider.set(a.subarray(0, this.room));
      wider.set(a.subarray(this.room), this.room + more);
      return wider;
    };
    this.next = moved(this.next);
    this.prev = moved(this.prev);
    this.room += more;
  }

  /** The blocks have other ids, `idOf` those of now, -1 of a block that is gone, which is empty. O(instructions) */
  renumberBlocks(idOf: Int32Array): void {
    const renamed = (a: Int32Array): Int32Array => {
      const to = a.map((p) => (p < 0 ? ~idOf[~p] : p));
      const heads = to.slice(0, this.nBlocks);
      for (let b = 0; b < this.nBlocks; b++) if (idOf[b] >= 0) to[idOf[b]] = heads[b];
      return to;
    };
    this.next = renamed(this.next);
    this.prev = renamed(this.prev);
    for (let b = idOf.length - 1; b >= 0; b--) if (idOf[b] < 0) this.nBlocks--;
    this.version++;
  }

  private link(a: ListPos, b: ListPos): void {
    this.next[this.at(a)] = b;
    this.prev[this.at(b)] = a;
  }

  /** Position after `p`; after the end of a block comes its first instruction. */
  after(p: ListPos): ListPos {
    return this.next[this.at(p)];
  }

  /** Position before `p`; before the first instruction of a block comes its end. */
  before(p: ListPos): ListPos {
    return this.prev[this.at(p)];
  }

  first(b: BlockId): ListPos {
    return this.after(~b);
  }

  remove(i: InstrId): void {
    this.takeOut(i);
    this.observer?.removed(i);
  }

  /** Inserts an instruction that is in no list. The block of the instruction is the caller's to set, before if there is an observer. */
  insertBefore(p: ListPos, i: InstrId): void {
    this.putBefore(p, i);
    this.observer?.inserted(i);
  }

  /** Moves `i` before `p`; returns false if it was there already. */
  moveBefore(p: ListPos, i: InstrId): boolean {
    if (i === p || this.after(i) === p) return false;
    this.takeOut(i);
    this.putBefore(p, i);
    this.observer?.moved(i);
    return true;
  }

  /** Moves `i` before `p` where debug instructions alone stand between them or `i` is one: the observer does not hear of it. */
  slipBefore(p: ListPos, i: InstrId): void {
    this.takeOut(i);
    this.putBefore(p, i);
  }

  private takeOut(i: InstrId): void {
    this.version++;
    this.link(this.before(i), this.after(i));
  }

  private putBefore(p: ListPos, i: InstrId): void {
    this.version++;
    if (this.at(i) >= this.next.length) {
      const n = Math.max(this.at(i) + 1, this.next.length * 2);
      const next = new Int32Array(n);
      next.set(this.next);
      this.next = next;
      const prev = new Int32Array(n);
      prev.set(this.prev);
      this.prev = prev;
    }
    this.link(this.before(p), i);
    this.link(i, p);
  }

  /** LLVM moves `i` to where it stands: only the observer hears of it. */
  moveInPlace(i: InstrId): void {
    this.observer?.moved(i);
  }

  /** The members of the bundle at `i` become instructions of the list, after their header, which may then move without them. */
  tearBundle(i: InstrId): void {
    if (this.loose.has(i)) return;
    this.loose.add(i);
    const behind = this.after(i);
    for (let m = i; (this.fn.bundle[m] & BundleFlag.BundledSucc) !== 0;) {
      this.insertBefore(behind, ++m);
      this.loose.add(m);
    }
  }

  /** Where LLVM's iterator over bundles goes from `i`: past members that were torn off, as long as they stand after their header. */
  afterBundle(i: InstrId): ListPos {
    let p: ListPos = i;
    while (p >= 0 && this.loose.has(p) && (this.fn.bundle[p] & BundleFlag.BundledSucc) !== 0) p = this.after(p);
    return p < 0 ? p : this.after(p);
  }

  /** What LLVM's iterator over the operands of a bundle goes to after `i`, a header or member: torn members belong to what they stand after; -1 = none. */
  nextInBundle(i: InstrId): InstrId {
    const { bundle } = this.fn;
    if (!this.loose.has(i)) {
      if ((bundle[i] & BundleFlag.BundledSucc) !== 0) return i + 1;
      if (this.loose.size === 0) return -1;
    }
    const p = this.after(this.loose.has(i) ? i : this.ownHeader(i));
    return p >= 0 && (bundle[p] & BundleFlag.BundledPred) !== 0 ? p : -1;
  }

  /** The instruction whose slot `i` has: the header of its bundle, or what stands before torn members. */
  headerOf(i: InstrId): InstrId {
    let header = this.ownHeader(i);
    while (header >= 0 && (this.fn.bundle[header] & BundleFlag.BundledPred) !== 0)
      header = this.loose.has(header) ? this.before(header) : this.ownHeader(header);
    return header < 0 ? i : header;
  }

  private ownHeader(i: InstrId): InstrId {
    let header = i;
    while ((this.fn.bundle[header] & BundleFlag.BundledPred) !== 0 && !this.loose.has(header)) header--;
    return header;
  }

  /** Sets the layout of the function from the lists. */
  writeBack(): void {
    const { fn } = this;
    if (fn.order.length < fn.nInstrs) fn.order = new Int32Array(fn.nInstrs);
    if (fn.blockBegin.length < this.nBlocks) {
      fn.blockBegin = new Int32Array(this.nBlocks);
      fn.blockEnd = new Int32Array(this.nBlocks);
    }
    let p = 0;
    for (let b = 0; b < this.nBlocks; b++) {
      fn.blockBegin[b] = p;
      for (let i = this.first(b); i >= 0; i = this.after(i)) {
        fn.instrBlock[i] = b;
        fn.order[p++] = i;
        if (this.loose.has(i)) continue;
        for (let m = i; (fn.bundle[m] & BundleFlag.BundledSucc) !== 0;) {
          fn.order[p++] = ++m;
          fn.instrBlock[m] = b;
        }
      }
      fn.blockEnd[b] = p;
    }
  }
}

/**
 * Slot indexes that take new instructions: a list of entries with a number each, as SlotIndexes of LLVM 22 keeps it.
 *
 * A slot names an entry, not its number: `entry * 4 + Slot`. Numbers change when there is no room between two entries; slots that
 * others hold stay right. Order is asked of the list (`isBefore`, `number`), never of the slots themselves. The entry of an erased
 * instruction stays, without instruction: later numbers depend on it.
 */
import type { Id } from '../../util/id.js';
import type { BlockId, InstrId } from '../../model/machineFunction.js';
import type { InstrList } from '../../model/edit/instrList.js';
import { INSTR_DIST, Slot, type SlotIndexes } from '../slotIndexes.js';

/** `entry * 4 + Slot` */
export type SlotRef = Id<'slotRef'>;

export const NO_SLOT: SlotRef = -1;

/** Half the distance of two fresh entries: what renumbering leaves between two. */
const DENSE_DIST = INSTR_DIST / 2;

const NONE = -1;

function grown(a: Int32Array): Int32Array {
  const b = new Int32Array(a.length * 2);
  b.set(a);
  return b;
}

/** @llvm SlotIndexes.cpp SlotIndexes */
export class SlotList {
  private nEntries: number;
  /** by entry */
  private num: Int32Array;
  private next: Int32Array;
  private prev: Int32Array;
  private instrAt: Int32Array;
  private blockAt: Int32Array;
  /** entry by instruction; -1 = none (debug instructions, erased ones) */
  private entryOf: Int32Array;
  /** entries at which each block starts, and at which the next one of the layout does */
  private readonly startEntry: number[] = [];
  private readonly endEntry: number[] = [];
  private readonly lastEntry: number;
  private readonly packsWhenDense: boolean;

  /** Entry e is number 16 e of `indexes`. O(size) */
  constructor(
    indexes: SlotIndexes,
    private readonly list: InstrList,
  ) {
    const { fn } = indexes;
    const nBlocks = fn.blocks.length;
    const n = (this.nEntries = indexes.blockStart[nBlocks] / INSTR_DIST + 1);
    const room = n + (n >> 2) + 16;
    this.num = new Int32Array(room);
    this.next = new Int32Array(room);
    this.prev = new Int32Array(room);
    this.instrAt = new Int32Array(room);
    this.blockAt = new Int32Array(room);
    for (let e = 0; e < n; e++) {
      this.num[e] = e * INSTR_DIST;
      this.next[e] = e + 1 < n ? e + 1 : NONE;
      this.prev[e] = e - 1;
      this.instrAt[e] = indexes.instrAt[e];
      this.blockAt[e] = indexes.blockAt[e];
    }
    this.lastEntry = n - 1;
    this.packsWhenDense = fn.subtarget.release.rules.packsDenseSlots;
    this.instrAt[n - 1] = NONE;
    this.blockAt[n - 1] = nBlocks;
    this.entryOf = new Int32Array(Math.max(16, fn.nInstrs)).fill(NONE);
    for (let i = 0; i < fn.nInstrs; i++)
      if (indexes.instrIndex[i] >= 0) this.entryOf[i] = indexes.instrIndex[i] / INSTR_DIST;
    for (let b = 0; b < nBlocks; b++) {
      this.startEntry.push(indexes.blockStart[b] / INSTR_DIST);
      this.endEntry.push(indexes.blockStart[b + 1] / INSTR_DIST);
    }
  }

  // -- slots -----------------------------------------------------------------------------------------------------

  /** LLVM's number of a slot; distances and texts are made of these. */
  number(s: SlotRef): number {
    return this.num[s >> 2] + (s & 3);
  }

  isBefore(a: SlotRef, b: SlotRef): boolean {
    return this.num[a >> 2] + (a & 3) < this.num[b >> 2] + (b & 3);
  }

  isAtOrBefore(a: SlotRef, b: SlotRef): boolean {
    return this.num[a >> 2] + (a & 3) <= this.num[b >> 2] + (b & 3);
  }

  static isSameInstr(a: SlotRef, b: SlotRef): boolean {
    return a >> 2 === b >> 2;
  }

  static base(s: SlotRef): SlotRef {
    return s & ~3;
  }

  static at(s: SlotRef, slot: Slot): SlotRef {
    return (s & ~3) | slot;
  }

  /** The slot before `s`, which may be the dead slot of the entry before. */
  before(s: SlotRef): SlotRef {
    return (s & 3) !== 0 ? s - 1 : (this.prev[s >> 2] << 2) | Slot.Dead;
  }

  /** The slot after `s`. */
  after(s: SlotRef): SlotRef {
    return (s & 3) !== Slot.Dead ? s + 1 : this.next[s >> 2] << 2;
  }

  /** The same slot of the entry that follows; that of an erased instruction counts. */
  nextIndex(s: SlotRef): SlotRef {
    return (this.next[s >> 2] << 2) | (s & 3);
  }

  /** The same slot of the entry before it; that of an erased instruction counts. */
  previousIndex(s: SlotRef): SlotRef {
    return (this.prev[s >> 2] << 2) | (s & 3);
  }

  // -- places ----------------------------------------------------------------------------------------------------

  /** Base slot of an instruction; NO_SLOT if it has none. Members of a bundle answer for their header. */
  ofInstr(i: InstrId): SlotRef {
    const e = this.entry(i);
    return e < 0 ? NO_SLOT : e << 2;
  }

  /** The instruction of a slot, -1 at the start of a block and where one was erased. */
  instrOf(s: SlotRef): InstrId {
    return this.instrAt[s >> 2];
  }

  blockOf(s: SlotRef): BlockId {
    return this.blockAt[s >> 2];
  }

  startOf(b: BlockId): SlotRef {
    return this.startEntry[b] << 2;
  }

  /** Where the next block starts: after everything in b. */
  endOf(b: BlockId): SlotRef {
    return this.endEntry[b] << 2;
  }

  /** The last slot inside block b. */
  lastSlotOf(b: BlockId): SlotRef {
    return this.before(this.endOf(b));
  }

  // -- changes ---------------------------------------------------------------------------------------------------

  /**
   * Gives a new instruction, which stands in the list, an entry: after that of the instruction before it or, `late`, before that of
   * the instruction after it. The two differ where entries of erased instructions lie between.
   * @llvm SlotIndexes.h SlotIndexes::insertMachineInstrInMaps
   */
  insert(i: InstrId, block: BlockId, late = false): SlotRef {
    let before: number;
    let behind: number;
    if (late) {
      let p = this.list.after(i);
      while (p >= 0 && this.entry(p) < 0) p = this.list.after(p);
      behind = p >= 0 ? this.entry(p) : this.endEntry[block];
      before = this.prev[behind];
    } else {
      let p = this.list.before(i);
      while (p >= 0 && this.entry(p) < 0) p = this.list.before(p);
      before = p >= 0 ? this.entry(p) : this.startEntry[block];
      behind = this.next[before];
    }
    const e = this.newEntry();
    const distance = ((this.num[behind] - this.num[before]) >> 1) & ~3;
    this.num[e] = this.num[before] + distance;
    this.instrAt[e] = i;
    this.blockAt[e] = block;
    this.next[before] = e;
    this.prev[e] = before;
    this.next[e] = behind;
    this.prev[behind] = e;
    this.setEntry(i, e);
    if (distance === 0) this.renumberFrom(e);
    return e << 2;
  }

  /** An instruction has no slot any more. */
  forget(i: InstrId): void {
    this.setEntry(i, NONE);
  }

  /**
   * Forgets an instruction; its entry stays.
   * @llvm SlotIndexes.cpp SlotIndexes::removeMachineInstrFromMaps
   */
  remove(i: InstrId): void {
    const e = this.entry(i);
    if (e < 0) return;
    this.instrAt[e] = NONE;
    this.entryOf[i] = NONE;
  }

  /**
   * Gives the entry of `i` to another instruction.
   * @llvm SlotIndexes.h SlotIndexes::replaceMachineInstrInMaps
   */
  replace(i: InstrId, by: InstrId): SlotRef {
    const e = this.entry(i);
    if (e < 0) return NO_SLOT;
    this.entryOf[i] = NONE;
    this.instrAt[e] = by;
    this.setEntry(by, e);
    return e << 2;
  }

  /**
   * Gives a block that was split off `before` its start: before its first instruction. O(block)
   * @llvm SlotIndexes.h SlotIndexes::insertMBBInMaps
   */
  insertBlock(b: BlockId, before: BlockId): void {
    let p = this.list.first(b);
    while (p >= 0 && this.entry(p) < 0) p = this.list.after(p);
    const end = this.endEntry[before];
    const behind = p >= 0 ? this.entry(p) : end;
    const e = this.newEntry();
    this.instrAt[e] = NONE;
    const last = this.prev[behind];
    this.next[last] = e;
    this.prev[e] = last;
    this.next[e] = behind;
    this.prev[behind] = e;
    this.startEntry[b] = e;
    this.endEntry[b] = end;
    this.endEntry[before] = e;
    for (let at = e; at !== end; at = this.next[at]) this.blockAt[at] = b;
    this.renumberFrom(e);
  }

  /** The blocks have other ids, `idOf` those of now. O(entries) */
  renumberBlocks(idOf: Int32Array): void {
    const starts = [...this.startEntry];
    const ends = [...this.endEntry];
    for (let b = 0; b < idOf.length; b++) {
      this.startEntry[idOf[b]] = starts[b];
      this.endEntry[idOf[b]] = ends[b];
    }
    for (let e = 0; e < this.nEntries; e++) this.blockAt[e] = this.next[e] < 0 ? idOf.length : idOf[this.blockAt[e]];
  }

  /**
   * Numbers all entries anew, those of erased instructions, too: 0, 16, 32. O(entries)
   * @llvm SlotIndexes.cpp SlotIndexes::packIndexes
   */
  pack(): void {
    let number = 0;
    for (let e = 0; e >= 0; e = this.next[e], number += INSTR_DIST) this.num[e] = number;
  }

  /**
   * The base slot of the next entry that has an instruction; that of the end of the function if none has.
   * @llvm SlotIndexes.h SlotIndexes::getNextNonNullIndex
   */
  nextInstr(s: SlotRef): SlotRef {
    let e = this.next[s >> 2];
    while (this.instrAt[e] < 0 && this.next[e] >= 0) e = this.next[e];
    return e << 2;
  }

  /**
   * Numbers from entry `e` on, until they fit with what follows. LLVM 24 numbers all of them anew where that was
   * more than a fifth of the function.
   * @llvm SlotIndexes.cpp SlotIndexes::renumberIndexes
   */
  private renumberFrom(e: number): void {
    const first = this.num[this.prev[e]];
    let number = first;
    for (let at = e; ;) {
      number += DENSE_DIST;
      this.num[at] = number;
      at = this.next[at];
      if (at < 0 || this.num[at] > number) break;
    }
    if (this.packsWhenDense && number - first > Math.floor(this.num[this.lastEntry] / 5)) this.pack();
  }

  private entry(i: InstrId): number {
    return this.entryOf[i] ?? NONE;
  }

  private newEntry(): number {
    const e = this.nEntries++;
    if (e === this.num.length) {
      this.num = grown(this.num);
      this.next = grown(this.next);
      this.prev = grown(this.prev);
      this.instrAt = grown(this.instrAt);
      this.blockAt = grown(this.blockAt);
    }
    return e;
  }

  private setEntry(i: InstrId, e: number): void {
    if (i >= this.entryOf.length) {
      const longer = new Int32Array(Math.max(i + 1, this.entryOf.length * 2)).fill(NONE, this.entryOf.length);
      longer.set(this.entryOf);
      this.entryOf = longer;
    }
    this.entryOf[i] = e;
  }

  /**
   * LLVM's text of a slot, e.g. `16r`.
   * @llvm SlotIndexes.cpp SlotIndex::print
   */
  print(s: SlotRef): string {
    return `${this.num[s >> 2]}${'Berd'[s & 3]}`;
  }
}

/** When stack objects are in use, by the markers of their lifetimes (StackColoring.cpp, LLVM 22; docs/llvm/frame-lowering.md, 11). */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OperandKind, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { BitSet } from '../../util/bitset.js';
import { depthFirst } from '../depthFirst.js';
import { isDebugInstr } from '../instrOrder.js';

export interface LifetimeOptions {
  /** an object is in use from the first instruction that names it on, not from its marker */
  readonly startsOnFirstUse: boolean;
  /** an object that is named outside of its lifetime is left alone */
  readonly protectsEscaped: boolean;
}

/** Places in the layout, counted over blocks and instructions: an object is in use in `[from, to)`. */
export interface SlotRange {
  readonly from: number;
  readonly to: number;
}

/** What begins or ends at an instruction. */
interface Events {
  readonly isStart: boolean;
  readonly slots: readonly number[];
}

/** @llvm StackColoring.cpp StackColoring */
export class SlotLifetimes {
  readonly markers: InstrId[] = [];
  /** by slot: in order, apart from each other */
  readonly ranges: SlotRange[][];
  /** by slot: where it is certain to begin, in order */
  readonly starts: number[][];
  private readonly fn: MachineFunction;
  /** with a marker */
  private readonly marked: Uint8Array;
  /** those whose lifetime is as the markers say */
  private readonly asMarked: Uint8Array;
  private readonly startOpcode: number;
  private readonly endOpcode: number;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly nSlots: number,
    private readonly options: LifetimeOptions,
  ) {
    const { fn } = editor;
    this.fn = fn;
    this.startOpcode = fn.tables.opcodeByName('LIFETIME_START');
    this.endOpcode = fn.tables.opcodeByName('LIFETIME_END');
    this.marked = new Uint8Array(nSlots);
    this.asMarked = new Uint8Array(nSlots);
    this.ranges = Array.from({ length: nSlots }, () => []);
    this.starts = Array.from({ length: nSlots }, () => []);
    this.collectMarkers();
  }

  isMarker(i: InstrId): boolean {
    const opcode = this.fn.opcode[i];
    return opcode === this.startOpcode || opcode === this.endOpcode;
  }

  /** Slots that an instruction names, fixed ones aside, each as often as it does. */
  private slotsOf(i: InstrId): number[] {
    const { fn } = this;
    const slots: number[] = [];
    for (let o = fn.opBegin[i], end = o + fn.numOperands(i); o < end; o++)
      if (fn.opKind[o] === OperandKind.FrameIndex && fn.opVal[o] >= 0) slots.push(fn.opVal[o]);
    return slots;
  }

  /** @llvm StackColoring.cpp StackColoring::collectMarkers */
  private collectMarkers(): void {
    const { fn, editor, nSlots, marked, asMarked } = this;
    const { list } = editor;
    const [nStarts, nEnds] = [new Int32Array(nSlots), new Int32Array(nSlots)];
    const openAtEnd = new Map<BlockId, BitSet>();
    for (const b of depthFirst(fn)) {
      const open = new BitSet(nSlots);
      for (const p of fn.blocks[b].predecessors) {
        const before = openAtEnd.get(p);
        if (before !== undefined) open.unionWith(before);
      }
      for (let i = list.first(b); i >= 0; i = list.after(i)) {
        if (isDebugInstr(fn, i)) continue;
        if (!this.isMarker(i)) {
          for (const slot of this.slotsOf(i)) if (!open.has(slot)) asMarked[slot] = 1;
          continue;
        }
        const [slot = -1] = this.slotsOf(i);
        if (slot < 0) continue;
        marked[slot] = 1;
        const isStart = fn.opcode[i] === this.startOpcode;
        if (isStart) open.add(slot);
        else open.delete(slot);
        (isStart ? nStarts : nEnds)[slot]++;
        this.markers.push(i);
      }
      openAtEnd.set(b, open);
    }
    for (let s = 0; s < nSlots; s++) if (nStarts[s] > 1 || nEnds[s] > 1) asMarked[s] = 1;
  }

  private get ignoresStarts(): boolean {
    return this.options.startsOnFirstUse && !this.options.protectsEscaped;
  }

  private startsOnUse(slot: number): boolean {
    return this.ignoresStarts && this.asMarked[slot] === 0;
  }

  /** @llvm StackColoring.cpp StackColoring::isLifetimeStartOrEnd */
  private eventsAt(i: InstrId): Events | null {
    const { fn, marked } = this;
    const slots = this.slotsOf(i);
    if (slots.length === 0) return null;
    if (this.isMarker(i)) {
      const isStart = fn.opcode[i] === this.startOpcode;
      return isStart && this.startsOnUse(slots[0]) ? null : { isStart, slots: slots.slice(0, 1) };
    }
    if (isDebugInstr(fn, i)) return null;
    const used = slots.filter((s) => marked[s] === 1 && this.startsOnUse(s));
    return used.length > 0 ? { isStart: true, slots: used } : null;
  }

  /** Finds out when the slots are in use. */
  compute(): void {
    const liveIns = this.liveIntoBlocks();
    const { editor, nSlots } = this;
    const { list } = editor;
    let at = 0;
    for (const b of editor.blockOrder()) {
      const from = new Float64Array(nSlots).fill(-1);
      const isInUse = new Uint8Array(nSlots);
      const liveIn = liveIns.get(b);
      if (liveIn !== undefined) for (let s = liveIn.next(0); s >= 0; s = liveIn.next(s + 1)) from[s] = at;
      for (let i = list.first(b); i >= 0; i = list.after(i)) {
        at++;
        const events = this.eventsAt(i);
        if (events === null) continue;
        for (const slot of events.slots)
          if (!events.isStart) {
            if (from[slot] < 0) continue;
            this.addRange(slot, from[slot], at);
            from[slot] = -1;
            isInUse[slot] = 0;
          } else {
            if (isInUse[slot] === 0) this.starts[slot].push(at);
            isInUse[slot] = 1;
            if (from[slot] < 0) from[slot] = at;
          }
      }
      at++;
      for (let slot = 0; slot < nSlots; slot++) if (from[slot] >= 0) this.addRange(slot, from[slot], at);
    }
    if (this.options.protectsEscaped) this.dropEscaped();
  }

  private addRange(slot: number, from: number, to: number): void {
    const ranges = this.ranges[slot];
    const last = ranges.at(-1);
    if (last?.to === from) ranges[ranges.length - 1] = { from: last.from, to };
    else if (from < to) ranges.push({ from, to });
  }

  /**
   * Which slots are in use where blocks begin.
   * @llvm StackColoring.cpp StackColoring::calculateLocalLiveness
   */
  private liveIntoBlocks(): Map<BlockId, BitSet> {
    const { fn, editor, nSlots } = this;
    const { list } = editor;
    const order = depthFirst(fn);
    const [begun, ended, liveIn, liveOut] = [0, 1, 2, 3].map(
      () => new Map<BlockId, BitSet>(order.map((b) => [b, new BitSet(nSlots)])),
    );
    for (const b of order)
      for (let i = list.first(b); i >= 0; i = list.after(i)) {
        const events = this.eventsAt(i);
        if (events === null) continue;
        const [to, of] = events.isStart ? [begun, ended] : [ended, begun];
        for (const slot of events.slots) {
          of.get(b)!.delete(slot);
          to.get(b)!.add(slot);
        }
      }
    for (let hasChanged = true; hasChanged;) {
      hasChanged = false;
      for (const b of order) {
        const into = liveIn.get(b)!;
        for (const p of fn.blocks[b].predecessors) {
          const before = liveOut.get(p);
          if (before !== undefined) into.unionWith(before);
        }
        const out = liveOut.get(b)!;
        const ends = ended.get(b)!;
        const reaches = (slot: number): boolean => !ends.has(slot) || begun.get(b)!.has(slot);
        for (const set of [into, begun.get(b)!])
          for (let slot = set.next(0); slot >= 0; slot = set.next(slot + 1))
            if (reaches(slot) && !out.has(slot)) {
              out.add(slot);
              hasChanged = true;
            }
      }
    }
    return liveIn;
  }

  /** @llvm StackColoring.cpp StackColoring::removeInvalidSlotRanges */
  private dropEscaped(): void {
    const { fn, editor, ranges } = this;
    const { list } = editor;
    let at = 0;
    for (const b of editor.blockOrder()) {
      for (let i = list.first(b); i >= 0; i = list.after(i)) {
        at++;
        if (this.isMarker(i) || isDebugInstr(fn, i)) continue;
        for (const slot of this.slotsOf(i)) if (!ranges[slot].some(({ to }) => at < to)) ranges[slot] = [];
      }
      at++;
    }
  }
}

/** Whether a slot is in use at one of the places, which are in order. */
export function isLiveAt(ranges: readonly SlotRange[], places: readonly number[]): boolean {
  let r = 0;
  for (const place of places) {
    while (r < ranges.length && ranges[r].to <= place) r++;
    if (r === ranges.length) return false;
    if (ranges[r].from <= place) return true;
  }
  return false;
}

/** The ranges of both, in order. */
export function joinRanges(a: readonly SlotRange[], b: readonly SlotRange[]): SlotRange[] {
  const joined: SlotRange[] = [];
  for (const { from, to } of [...a, ...b].sort((x, y) => x.from - y.from || x.to - y.to)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to)
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else joined.push({ from, to });
  }
  return joined;
}

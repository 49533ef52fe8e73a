/** Live ranges and slots that are edited, against plain models: a value for each slot, and a list of numbered entries. */
import assert from 'node:assert/strict';
import {
  LiveRange,
  NO_VALUE,
  UNDEFINED_VALUE,
  valueDefined,
  type LiveQuery,
} from '../../../server/src/analysis/edit/liveRange.js';
import { IntervalEditor } from '../../../server/src/analysis/edit/intervalEditor.js';
import { NO_SLOT, SlotList } from '../../../server/src/analysis/edit/slotList.js';
import { Slot, SlotIndexes } from '../../../server/src/analysis/slotIndexes.js';
import { FunctionEditor } from '../../../server/src/model/edit/functionEditor.js';
import { OperandKind, type MachineFunction } from '../../../server/src/model/machineFunction.js';
import { lowerMir, mirFunction } from '../../support/mir.js';
import { randomSource } from '../../support/random.js';

const BLOCKS = 3;
const PER_BLOCK = 5;

function nops(debug = ''): MachineFunction {
  const body = Array.from(
    { length: BLOCKS },
    (_, b) => `\n  bb.${b}:\n${`    S_NOP 0\n${debug}`.repeat(b === 1 ? 0 : PER_BLOCK)}`,
  );
  return (lowerMir(mirFunction('f', body.join('')))[0] as MachineFunction).clone();
}

/** What a range is: a value or NO_VALUE for each slot, and where each value is defined. */
class Model {
  cells: number[];
  defs: number[] = [];

  constructor(readonly nSlots: number) {
    this.cells = new Array<number>(nSlots).fill(NO_VALUE);
  }

  runs(): { start: number; end: number; value: number }[] {
    const found: { start: number; end: number; value: number }[] = [];
    this.cells.forEach((value, at) => {
      const last = found.at(-1);
      if (value === NO_VALUE) return;
      if (last !== undefined && last.end === at && last.value === value) last.end = at + 1;
      else found.push({ start: at, end: at + 1, value });
    });
    return found;
  }

  isFree(from: number, to: number, value = NO_VALUE): boolean {
    return this.cells.slice(from, to).every((x) => x === NO_VALUE || x === value);
  }

  fill(from: number, to: number, value: number): void {
    this.cells.fill(value, from, to);
  }

  dropUnused(v: number): void {
    this.defs[v] = NO_SLOT;
    while (this.defs.at(-1) === NO_SLOT) this.defs.pop();
  }

  query(base: number): LiveQuery {
    const runs = this.runs();
    const first = runs.findIndex((r) => r.end > base);
    const run = runs[first];
    const isLiveIn = run !== undefined && run.start <= base;
    const isKill = isLiveIn && run.end < base + 4;
    const behind = isKill ? runs[first + 1] : run;
    const isOut = behind !== undefined && behind.start <= base + 3;
    return {
      valueIn: isLiveIn && this.defs[run.value] !== base ? run.value : NO_VALUE,
      valueOutOrDead: isOut ? behind.value : NO_VALUE,
      isKill,
      end: isOut ? behind.end : isLiveIn ? run.end : NO_SLOT,
    };
  }
}

/** A slot of a fresh list is the number of its cell, so that both sides have the same words for places. */
class Pair {
  readonly range: LiveRange;
  readonly model: Model;

  constructor(
    readonly slots: SlotList,
    readonly nEntries: number,
    private readonly below: (n: number) => number,
  ) {
    this.range = new LiveRange(slots);
    this.model = new Model(nEntries * 4);
  }

  private aSlot(): number {
    return this.below((this.nEntries - 1) * 4);
  }

  private aValue(): number {
    const used = this.model.defs.flatMap((def, v) => (def === NO_SLOT ? [] : [v]));
    return used.length === 0 ? NO_VALUE : used[this.below(used.length)]!;
  }

  step(): void {
    const { below, range, model, slots } = this;
    const at = this.aSlot();
    const to = Math.min(at + 1 + below(14), model.nSlots - 4);
    const v = this.aValue();
    switch (below(10)) {
      case 0:
        assert.equal(range.newValue(at), model.defs.push(at) - 1);
        return;
      case 1:
      case 2:
        if (v === NO_VALUE || to <= at || !model.isFree(at, to, v)) return;
        range.addSegment(at, to, v);
        model.fill(at, to, v);
        return;
      case 3:
        this.defineDead((at & ~3) | [Slot.Block, Slot.EarlyClobber, Slot.Register][below(3)]!);
        return;
      case 4: {
        const blockStart = slots.startOf(slots.blockOf(slots.before(Math.max(at, 1))));
        if (at > blockStart) this.extend(blockStart, at, below(3) === 0 ? [this.aSlot(), this.aSlot()] : []);
        return;
      }
      case 5: {
        const run = model.runs()[below(Math.max(model.runs().length, 1))];
        if (run === undefined) return;
        const from = run.start + (below(2) === 0 ? 0 : below(run.end - run.start));
        const until = below(2) === 0 ? run.end : from + 1 + below(run.end - from);
        const drops = below(2) === 0;
        range.removeSegment(from, until, drops);
        model.fill(from, until, NO_VALUE);
        // Only where the segment goes as a whole its value may go, too.
        const isWhole = from === run.start && until === run.end;
        if (drops && isWhole && !model.cells.includes(run.value)) model.dropUnused(run.value);
        return;
      }
      case 6:
        if (v === NO_VALUE || below(3) > 0) return;
        range.removeValue(v);
        model.cells = model.cells.map((x) => (x === v ? NO_VALUE : x));
        model.dropUnused(v);
        return;
      case 7:
        this.merge(v, this.aValue());
        return;
      case 8:
        this.renumber();
        return;
      default: {
        const copy = new LiveRange(slots);
        copy.assign(range);
        // The copy goes its own way.
        copy.newValue(at);
        copy.clear();
        assert.ok(copy.isEmpty && copy.nValues === 0);
      }
    }
  }

  private defineDead(def: number): void {
    const { range, model } = this;
    const dead = (def & ~3) | Slot.Dead;
    const run = model.runs().find((r) => r.end > def);
    if (run !== undefined && run.start >> 2 === def >> 2) {
      assert.equal(range.addDeadDef(def), run.value);
      if (def >= run.start) return;
      model.fill(def, run.start, run.value);
      model.defs[run.value] = def;
      return;
    }
    if (!model.isFree(def, dead)) return;
    const value = model.defs.push(def) - 1;
    if (this.below(2) === 0) assert.equal(range.addDeadDef(def), value);
    else {
      assert.equal(range.newValue(def), value);
      range.addDeadDefOf(value);
    }
    model.fill(def, dead, value);
  }

  private extend(blockStart: number, use: number, undefs: readonly number[]): void {
    const { model } = this;
    let last = use - 1;
    while (last >= blockStart && model.cells[last] === NO_VALUE) last--;
    const gap = last < blockStart ? blockStart : last + 1;
    const isUndefined = undefs.some((x) => x >= gap && x < use - 1);
    const found = last < blockStart ? NO_VALUE : model.cells[last]!;
    const wanted = last === use - 1 ? found : isUndefined ? UNDEFINED_VALUE : found;
    assert.equal(this.range.extendInBlock(blockStart, use, undefs), wanted);
    if (wanted >= 0) model.fill(last, use, found);
  }

  private merge(a: number, b: number): void {
    const { model } = this;
    if (a === b || a === NO_VALUE || b === NO_VALUE) return;
    const kept = Math.min(a, b);
    assert.equal(this.range.mergeValues(a, b), kept);
    model.defs[kept] = model.defs[b]!;
    model.cells = model.cells.map((x) => (x === a || x === b ? kept : x));
    model.dropUnused(Math.max(a, b));
  }

  private renumber(): void {
    const { model } = this;
    const inOrder = [...new Set(model.runs().map((r) => r.value))];
    this.range.renumberValues();
    model.cells = model.cells.map((x) => (x === NO_VALUE ? x : inOrder.indexOf(x)));
    model.defs = inOrder.map((v) => model.defs[v]!);
  }

  /** A range without empty, touching or valueless segments is what the model says at each place. */
  check(): void {
    const { range, model, slots } = this;
    const runs = model.runs();
    const isWhole = runs.every((r) => model.defs[r.value] !== undefined && model.defs[r.value] !== NO_SLOT);
    if (isWhole) assert.equal(range.fault(), null);
    assert.deepEqual(
      range.start.map((start, s) => ({ start, end: range.end[s]!, value: range.value[s]! })),
      runs,
    );
    assert.deepEqual([...range.valueDef], model.defs);
    assert.equal(range.size, runs.length);
    assert.equal(range.isEmpty, runs.length === 0);
    assert.equal(range.nValues, model.defs.length);
    for (let at = 0; at < model.nSlots - 4; at++) {
      const s = runs.findIndex((r) => r.start <= at && at < r.end);
      assert.equal(range.segmentAt(at), s);
      assert.equal(range.isLiveAt(at), s >= 0);
      assert.equal(range.valueAt(at), model.cells[at]);
      if (at > 0) assert.equal(range.valueBefore(at), model.cells[at - 1]);
      if (at % 4 > 0) continue;
      const q = model.query(at);
      assert.deepEqual(range.query(at + (at % 3)), q);
      assert.equal(valueDefined(q), q.valueOutOrDead === q.valueIn ? NO_VALUE : q.valueOutOrDead);
    }
    model.defs.forEach((def, v) => {
      assert.equal(range.isUnused(v), def === NO_SLOT);
      if (def !== NO_SLOT) assert.equal(range.isPhi(v), def % 4 === Slot.Block);
    });
    const segments = runs.map((r) => `[${slots.print(r.start)},${slots.print(r.end)}:${r.value})`).join('');
    const values = model.defs.map(
      (def, v) => `${v}@${def === NO_SLOT ? 'x' : slots.print(def)}${def !== NO_SLOT && def % 4 === 0 ? '-phi' : ''}`,
    );
    const text = `${runs.length === 0 ? 'EMPTY' : segments} ${values.join(' ')}`;
    assert.equal(range.print(), runs.length === 0 && model.defs.length === 0 ? 'EMPTY' : text);
  }
}

describe('a live range that is edited', () => {
  it('is a value for each slot, whatever is added, extended, taken out, merged and renumbered', () => {
    const fn = nops();
    const slots = new SlotList(new SlotIndexes(fn), new FunctionEditor(fn).list);
    const nEntries = fn.nInstrs + BLOCKS + 1;
    for (let seed = 1; seed <= 60; seed++) {
      const below = randomSource(seed);
      const pairs = [new Pair(slots, nEntries, below), new Pair(slots, nEntries, below)] as const;
      for (let step = 0; step < 40; step++) {
        for (const pair of pairs) {
          pair.step();
          pair.check();
        }
        const [a, b] = pairs.map((p) => p.model.cells) as [number[], number[]];
        const both = a.some((x, at) => x !== NO_VALUE && b[at] !== NO_VALUE);
        assert.equal(pairs[0].range.overlaps(pairs[1].range), both);
        assert.equal(pairs[1].range.overlaps(pairs[0].range), both);
        const covered = b.every((x, at) => x === NO_VALUE || a[at] !== NO_VALUE);
        assert.equal(pairs[0].range.covers(pairs[1].range), covered);
      }
    }
  });

  it('says what is wrong with it', () => {
    const fn = nops();
    const slots = new SlotList(new SlotIndexes(fn), new FunctionEditor(fn).list);
    const made = (...segments: readonly (readonly [number, number, number])[]): LiveRange => {
      const range = new LiveRange(slots);
      range.newValue(6);
      range.newValue(10);
      for (const [start, end, v] of segments) range.push(start, end, v);
      return range;
    };
    assert.equal(made([6, 10, 0], [10, 14, 1]).fault(), null);
    assert.equal(made([6, 10, 0], [14, 14, 1]).fault(), 'segment 1 is empty');
    assert.equal(made([6, 10, 0], [10, 14, 2]).fault(), 'segment 1 has no value');
    assert.equal(made([6, 11, 0], [10, 14, 1]).fault(), 'segment 1 overlaps the one before');
    assert.equal(made([6, 10, 0], [10, 14, 0]).fault(), 'segment 1 goes on');
    const gone = made([6, 10, 0]);
    gone.valueDef[0] = NO_SLOT;
    assert.equal(gone.fault(), 'segment 0 has no value');
    assert.throws(() => made([6, 10, 0]).removeSegment(6, 11), /what is removed is live/);
    assert.throws(() => made([6, 10, 0], [12, 14, 1]).addSegment(8, 13, 0), /do not overlap/);
  });
});

interface Entry {
  number: number;
  instr: number;
  block: number;
}

/** Numbers as LLVM gives them: half way between two neighbours, and from there on anew, 8 apart, where there is no room. */
class EntryModel {
  entries: Entry[] = [];

  insert(place: number, instr: number, block: number): void {
    const [before, behind] = [this.entries[place - 1]!.number, this.entries[place]!.number];
    const distance = Math.floor((behind - before) / 8) * 4;
    this.entries.splice(place, 0, { number: before + distance, instr, block });
    if (distance > 0) return;
    let number = before;
    for (let k = place; k === place || this.entries[k]!.number <= number;) {
      number += 8;
      this.entries[k]!.number = number;
      if (++k === this.entries.length) return;
      if (this.entries[k]!.number > number) return;
    }
  }

  placeOf(instr: number): number {
    return this.entries.findIndex((e) => e.instr === instr);
  }
}

describe('slots of a function that is edited', () => {
  it('are numbered as LLVM numbers them, and stay what they are when others come and go', () => {
    const opcode = nops().tables.opcodeByName('S_NOP');
    for (let seed = 1; seed <= 12; seed++) {
      const below = randomSource(seed);
      const fn = nops('    DBG_VALUE $noreg, 0\n');
      const lis = new IntervalEditor(new FunctionEditor(fn), new SlotIndexes(fn));
      const { slots, editor } = lis;
      const { list } = editor;
      const model = new EntryModel();
      const layout = Array.from({ length: BLOCKS }, (_, b) => {
        const instrs: number[] = [];
        for (let i = list.first(b); i >= 0; i = list.after(i)) instrs.push(i);
        return instrs;
      });
      layout.forEach((instrs, block) => {
        for (const instr of [-1, ...instrs.filter((i) => slots.ofInstr(i) !== NO_SLOT)])
          model.entries.push({ number: model.entries.length * 16, instr, block });
      });
      model.entries.push({ number: model.entries.length * 16, instr: -1, block: BLOCKS });
      const starts = Array.from({ length: BLOCKS }, (_, b) => model.entries.find((e) => e.block === b)!);
      const startOf = (b: number): number => model.entries.indexOf(starts[b] ?? model.entries.at(-1)!);
      for (let step = 0; step < 50; step++) {
        const b = below(BLOCKS);
        const own = layout[b]!;
        const k = below(own.length + 1);
        const at = own[k];
        const what = below(8);
        if (what < 5) {
          const late = below(2) === 0;
          const made = lis.insert(at ?? ~b, opcode, [{ kind: OperandKind.Immediate, val: 0 }], late);
          // Debug instructions have no entry.
          const before = own
            .slice(0, k)
            .filter((i) => model.placeOf(i) >= 0)
            .at(-1);
          const behind = own.slice(k).find((i) => model.placeOf(i) >= 0);
          const placeEarly = (before === undefined ? startOf(b) : model.placeOf(before)) + 1;
          const placeLate = behind === undefined ? startOf(b + 1) : model.placeOf(behind);
          model.insert(late ? placeLate : placeEarly, made, b);
          own.splice(k, 0, made);
        } else if (at === undefined || model.placeOf(at) < 0) {
          continue;
        } else if (what === 5) {
          model.entries[model.placeOf(at)]!.instr = -1;
          own.splice(k, 1);
          lis.erase(at);
          assert.equal(slots.ofInstr(at), NO_SLOT);
        } else if (what === 6) {
          const made = lis.replace(at, opcode, []);
          model.entries[model.placeOf(at)]!.instr = made;
          own[k] = made;
        } else if (below(6) === 0) {
          slots.pack();
          model.entries.forEach((e, place) => (e.number = place * 16));
        }
        checkSlots(slots, model, starts);
      }
    }
  });

  function checkSlots(slots: SlotList, model: EntryModel, starts: readonly Entry[]): void {
    const { entries } = model;
    const refs: number[] = [];
    for (let s = slots.startOf(0); refs.length < entries.length; s = slots.nextIndex(s)) refs.push(s);
    entries.forEach((entry, k) => {
      const s = refs[k]!;
      assert.equal(slots.number(s), entry.number);
      assert.equal(slots.instrOf(s), entry.instr);
      assert.equal(slots.blockOf(s), entry.block);
      assert.equal(slots.print(SlotList.at(s, Slot.Register)), `${entry.number}r`);
      if (entry.instr >= 0) assert.equal(slots.ofInstr(entry.instr), s);
      if (k === 0) return;
      const previous = refs[k - 1]!;
      assert.equal(slots.previousIndex(s + 2), previous + 2);
      assert.equal(slots.before(s), previous + 3);
      assert.equal(slots.after(previous + 3), s);
      assert.equal(slots.after(previous + 1), previous + 2);
      assert.equal(slots.before(s + 1), s);
      assert.ok(slots.isBefore(previous + 3, s) && !slots.isBefore(s, previous + 3) && !slots.isBefore(s, s));
      assert.ok(slots.isAtOrBefore(previous, s) && slots.isAtOrBefore(s, s) && !slots.isAtOrBefore(s, previous + 3));
      const next = entries.findIndex((e, place) => place >= k && e.instr >= 0);
      assert.equal(slots.nextInstr(previous), refs[next < 0 ? entries.length - 1 : next]);
    });
    starts.forEach((entry, b) => {
      const end = refs[entries.indexOf(starts[b + 1] ?? entries.at(-1)!)]!;
      assert.equal(slots.startOf(b), refs[entries.indexOf(entry)]);
      assert.equal(slots.endOf(b), end);
      assert.equal(slots.lastSlotOf(b), slots.before(end));
    });
  }
});

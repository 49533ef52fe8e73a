/**
 * What the verifier says of live intervals in which one thing is wrong: each damage to a segment, to a value or to a flag gets the messages of LLVM's
 * own verifier, in its order.
 */
import assert from 'node:assert/strict';
import { IntervalEditor } from '../../../../server/src/analysis/edit/intervalEditor.js';
import type { LiveRange } from '../../../../server/src/analysis/edit/liveRange.js';
import { SlotList } from '../../../../server/src/analysis/edit/slotList.js';
import { ReservedRegs } from '../../../../server/src/analysis/reservedRegs.js';
import { SlotIndexes } from '../../../../server/src/analysis/slotIndexes.js';
import { verifyFunction } from '../../../../server/src/analysis/verifier/index.js';
import { FunctionEditor } from '../../../../server/src/model/edit/functionEditor.js';
import { OpFlag, OperandKind } from '../../../../server/src/model/machineFunction.js';
import { UnitRanges } from '../../../../server/src/passes/regalloc/unitRanges.js';
import { CPU, editedFunction, keptAnswers } from '../../../support/intervalEdits.js';
import { lowerMir } from '../../../support/mir.js';
import { randomSource } from '../../../support/random.js';

const FUNCTIONS = 48;
const PARTS = 6;
const DAMAGES = 40;

/** A function with its intervals, to be damaged. */
class Damaged {
  readonly fn;
  readonly e: IntervalEditor;
  private readonly units: UnitRanges;
  /** the entries of the list of indexes: starts of blocks, instructions, the end */
  private readonly indexes: number[] = [];

  constructor(text: string) {
    this.fn = lowerMir(text, { cpu: CPU })[0]!.clone();
    const editor = new FunctionEditor(this.fn);
    this.e = new IntervalEditor(editor, new SlotIndexes(this.fn));
    this.e.computeAll();
    const { fn, e } = this;
    const { slots } = e;
    const reserved = new ReservedRegs(fn);
    this.units = new UnitRanges({ fn, tables: fn.tables, slots, editor, lis: e, reserved });
    this.units.computeLiveIns();
    const { unitBegin, unitEnd, unitList } = fn.tables;
    for (const name of ['sgpr4', 'sgpr5', 'vgpr1']) {
      const reg = fn.tables.regByName(name);
      for (const unit of unitList.subarray(unitBegin[reg], unitEnd[reg])) this.units.of(unit);
    }
    const n = fn.nInstrs + fn.blocks.length + 1;
    for (let s = slots.startOf(0); this.indexes.length < n; s = slots.nextIndex(s)) this.indexes.push(s);
  }

  range(v: number, part: number): LiveRange {
    const interval = this.e.interval(v);
    return part === 0 ? interval : interval.subRanges[part - 1]!;
  }

  /** Null where segments would overlap or be none. */
  random(below: (n: number) => number): string | null {
    const { fn, e } = this;
    if (below(8) === 0) {
      const b = below(fn.blocks.length);
      const p = below(fn.blockEnd[b]! - fn.blockBegin[b]!);
      const i = fn.order[fn.blockBegin[b]! + p]!;
      const o = fn.opBegin[i]! + below(fn.opBegin[i + 1]! - fn.opBegin[i]!);
      if (fn.opKind[o] !== OperandKind.Register) return null;
      const isDef = (fn.opFlags[o]! & OpFlag.Def) !== 0;
      if ((fn.opFlags[o]! & (OpFlag.Dead | OpFlag.Undef)) !== 0) return null;
      return `${isDef ? 'D' : 'K'} ${b} ${p} ${o - fn.opBegin[i]!}`;
    }
    const v = below(fn.vregs.n);
    const part = below(1 + e.interval(v).subRanges.length);
    const range = this.range(v, part);
    const segment = below(range.size);
    if (below(6) === 0) return `R ${v} ${part} ${segment}`;
    const { slots } = e;
    const kind = 'SEV'[below(3)]!;
    const [start, end] = [range.start[segment]!, range.end[segment]!];
    const near = this.indexes.indexOf(SlotList.base(kind === 'E' ? end : start));
    const index =
      below(2) === 0 ? below(this.indexes.length) : Math.max(0, Math.min(this.indexes.length - 1, near - 1 + below(3)));
    const slot = below(4);
    const to = SlotList.at(this.indexes[index]!, slot);
    const [before, behind] = [range.end[segment - 1], range.start[segment + 1]];
    if (kind === 'S' && !(slots.isBefore(to, end) && (before === undefined || slots.isAtOrBefore(before, to))))
      return null;
    if (kind === 'E' && !(slots.isBefore(start, to) && (behind === undefined || slots.isAtOrBefore(to, behind))))
      return null;
    // The last index is no place for a definition, nor are joins defined inside of a block.
    if (kind !== 'E' && index === this.indexes.length - 1) return null;
    if (kind === 'V' && slot === 0 && slots.instrOf(to) >= 0) return null;
    return `${kind} ${v} ${part} ${segment} ${index} ${slot}`;
  }

  messages(damage: string): string[] {
    const { fn, e } = this;
    const [kind, ...numbers] = damage.split(' ');
    const [a, b, c, index, slot] = numbers.map(Number) as [number, number, number, number, number];
    const verify = (): string[] =>
      verifyFunction(fn, { known: { intervals: e, unitRange: (unit) => this.units.known(unit) } }).map(
        (r) => r.message,
      );
    if (kind === 'K' || kind === 'D') {
      const o = fn.opBegin[fn.order[fn.blockBegin[a]! + b]!]! + c;
      const was = fn.opFlags[o]!;
      fn.opFlags[o]! |= kind === 'K' ? OpFlag.Kill : OpFlag.Dead;
      const found = verify();
      fn.opFlags[o] = was;
      return found;
    }
    const range = this.range(a, b);
    const was = { start: range.start, end: range.end, value: range.value, valueDef: range.valueDef };
    Object.assign(range, {
      start: [...was.start],
      end: [...was.end],
      value: [...was.value],
      valueDef: [...was.valueDef],
    });
    const to = kind === 'R' ? 0 : SlotList.at(this.indexes[index]!, slot);
    if (kind === 'S') range.start[c] = to;
    else if (kind === 'E') range.end[c] = to;
    else if (kind === 'V') range.valueDef[range.value[c]!] = to;
    else range.removeAt(c, 1);
    const found = verify();
    Object.assign(range, was);
    return found;
  }
}

describe('the verifier with live intervals', () => {
  const functions = Array.from({ length: FUNCTIONS }, (_, k) => {
    const { text } = editedFunction(5000 + k);
    const below = randomSource(k);
    const damaged = new Damaged(text);
    const edits: string[] = [];
    for (let n = 0; n < DAMAGES; n++) {
      const damage = damaged.random(below);
      if (damage !== null) edits.push(damage);
    }
    return { text, edits, damaged };
  });
  const answers = keptAnswers('damagedIntervals.br', functions);

  for (let part = 0; part < PARTS; part++)
    it(`complains as LLVM's does, ${part + 1} of ${PARTS}`, () => {
      assert.equal(answers.length, FUNCTIONS);
      functions.forEach(({ text, edits, damaged }, k) => {
        if (k % PARTS !== part) return;
        const wanted = answers[k]!.split(/^edit .*\n/m).slice(1);
        assert.equal(wanted.length, edits.length);
        edits.forEach((damage, n) => {
          const found = damaged.messages(damage).map((m) => `${m}\n`);
          assert.equal(found.join(''), wanted[n], `${damage}\n${text}`);
        });
      });
    });
});

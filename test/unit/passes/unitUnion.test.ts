/** Who lives in a register unit: the columns of one unit against a plain list, and halves of registers that share theirs until they differ. */
import assert from 'node:assert/strict';
import { LoopInfo } from '../../../server/src/analysis/loops.js';
import { IntervalEditor } from '../../../server/src/analysis/edit/intervalEditor.js';
import { LiveRange } from '../../../server/src/analysis/edit/liveRange.js';
import type { SlotList, SlotRef } from '../../../server/src/analysis/edit/slotList.js';
import { Slot, SlotIndexes } from '../../../server/src/analysis/slotIndexes.js';
import { FunctionEditor } from '../../../server/src/model/edit/functionEditor.js';
import type { MachineFunction } from '../../../server/src/model/machineFunction.js';
import { BlockFrequencies } from '../../../server/src/passes/regalloc/blockFrequencies.js';
import { Interference, LiveRegMatrix, UnitUnion } from '../../../server/src/passes/regalloc/matrix.js';
import { AllocState, DEFAULT_OPTIONS, KeptRegisters } from '../../../server/src/passes/regalloc/state.js';
import { lowerMir } from '../../support/mir.js';
import { randomSource } from '../../support/random.js';

const N_SLOTS = 120;

function lowered(cpu: string, lines: readonly string[]): MachineFunction {
  const body = lines.map((line) => `    ${line}\n`).join('');
  const text = `---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n${body}    S_ENDPGM 0\n...\n`;
  return (lowerMir(text, { cpu })[0] as MachineFunction).clone();
}

interface Owned {
  readonly owner: number;
  /** segments as numbers of instructions, [from, to) */
  readonly parts: readonly (readonly [number, number])[];
}

const meets = (a: Owned, b: Owned): boolean =>
  a.parts.some(([from, to]) => b.parts.some(([start, end]) => from < end && start < to));

describe('register units', () => {
  it('hold what a plain list of segments holds', () => {
    const fn = lowered(
      'gfx90a',
      Array.from({ length: N_SLOTS }, () => 'S_NOP 0'),
    );
    const { slots } = new IntervalEditor(new FunctionEditor(fn), new SlotIndexes(fn));
    const at = Array.from({ length: N_SLOTS }, (_, i): SlotRef => slots.ofInstr(i) | Slot.Register);
    const random = randomSource(7);
    const made = (owner: number): Owned => {
      const parts: [number, number][] = [];
      for (let from = random(N_SLOTS); from + 1 < N_SLOTS && parts.length < 12; from += 1 + random(9)) {
        const to = Math.min(N_SLOTS - 1, from + 1 + random(6));
        parts.push([from, to]);
        from = to + 1;
      }
      return { owner, parts };
    };
    const rangeOf = ({ parts }: Owned, list: SlotList): LiveRange => {
      const range = new LiveRange(list);
      for (const [from, to] of parts) range.addSegment(at[from], at[to], range.newValue(at[from]));
      return range;
    };
    const union = new UnitUnion(slots, 0);
    let there: Owned[] = [];
    const seenBy: number[] = [];
    let nMet = 0;
    for (let step = 1; step <= 3000; step++) {
      const next = made(step);
      const range = rangeOf(next, slots);
      // in the order of the first segments that are in the way
      const segments = there
        .flatMap(({ owner, parts }) => parts.map((part) => ({ owner, parts: [part] })))
        .sort((a, b) => a.parts[0]![0] - b.parts[0]![0]);
      const inTheWay = [...new Set(segments.filter((s) => meets(s, next)).map((s) => s.owner))];
      if (inTheWay.length > 0) nMet++;
      assert.deepEqual(union.collect(range, Infinity, seenBy, step), inTheWay);
      const some = union.anyOwner(range);
      assert.ok(inTheWay.length === 0 ? some === -1 : inTheWay.includes(some), `${some} of ${inTheWay.join(' ')}`);
      assert.equal(union.meets(range), inTheWay.length > 0);
      if (next.parts.length > 0 && inTheWay.length === 0) {
        union.add(range, step);
        there.push(next);
      } else if (there.length > 0 && random(3) === 0) {
        const gone = there[random(there.length)]!;
        union.remove(rangeOf(gone, slots), gone.owner);
        there = there.filter((o) => o !== gone);
      }
      const all = there
        .flatMap(({ owner, parts }) => parts.map(([from, to]) => [at[from]!, at[to]!, owner]))
        .sort((a, b) => slots.number(a[0]!) - slots.number(b[0]!));
      const columns = Array.from({ length: union.size }, (_, k) => [union.start[k], union.end[k], union.owner[k]]);
      assert.deepEqual(columns, all);
    }
    assert.ok(500 < nMet && nMet < 2900, `${nMet}`);
  });

  it('of both halves are one until a half is given away alone', () => {
    const fn = lowered('gfx1100', [
      '%0:vgpr_32 = IMPLICIT_DEF',
      '%1:vgpr_16 = IMPLICIT_DEF',
      '%2:vgpr_16 = IMPLICIT_DEF',
      '%3:vgpr_32 = IMPLICIT_DEF',
      'S_NOP 0, implicit %0, implicit %1, implicit %2, implicit %3',
    ]);
    const lis = new IntervalEditor(new FunctionEditor(fn), new SlotIndexes(fn));
    const state = new AllocState(fn, lis, new BlockFrequencies(fn.blocks, new LoopInfo(fn.blocks, lis.dominators)), {
      options: DEFAULT_OPTIONS,
      kept: new KeptRegisters(),
      sourcePlaces: null,
      verify: null,
      error: assert.fail,
      watchFor: null,
    });
    state.analyse();
    state.freezeReserved();
    state.map.init(fn.vregs.n);
    const matrix = new LiveRegMatrix(state);
    const reg = (name: string): number => state.tables.regByName(name);
    const isFree = (v: number, name: string): boolean => {
      matrix.invalidate();
      return matrix.check(v, reg(name)) === Interference.Free;
    };
    const halves = ['vgpr5_lo16', 'vgpr5_hi16'].map((name) => state.tables.unitList[state.tables.unitBegin[reg(name)]]);
    const isOne = (): boolean => matrix.knownUnion(halves[0]) === matrix.knownUnion(halves[1]);
    matrix.assign(0, reg('vgpr5'));
    assert.ok(isOne() && matrix.knownUnion(halves[0]) !== null);
    assert.ok(!isFree(1, 'vgpr5_lo16') && !isFree(1, 'vgpr5_hi16') && !isFree(3, 'vgpr5'));
    matrix.unassign(0);
    assert.ok(isOne() && isFree(3, 'vgpr5'));
    matrix.assign(1, reg('vgpr5_hi16'));
    assert.ok(!isOne());
    assert.ok(isFree(2, 'vgpr5_lo16') && !isFree(2, 'vgpr5_hi16') && !isFree(3, 'vgpr5') && isFree(3, 'vgpr4'));
    matrix.assign(2, reg('vgpr5_lo16'));
    matrix.unassign(1);
    assert.ok(!isFree(3, 'vgpr5') && isFree(1, 'vgpr5_hi16') && !isFree(1, 'vgpr5_lo16'));
    matrix.unassign(2);
    matrix.assign(3, reg('vgpr5'));
    assert.ok(!isFree(1, 'vgpr5_lo16') && !isFree(1, 'vgpr5_hi16'));
    matrix.unassign(3);
    assert.ok(isFree(0, 'vgpr5') && !matrix.isUsed(reg('vgpr5')));
  });
});

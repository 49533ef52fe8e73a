/**
 * What holds for every allocation, whatever llc would say: registers that live at once share no register, and each instruction reads the values that
 * it read before, through all copies, saves and restores.
 */
import assert from 'node:assert/strict';
import type { LiveRange } from '../../server/src/analysis/edit/liveRange.js';
import type { AllocationWatch } from '../../server/src/passes/regalloc/watch.js';
import { regAllocOptions } from '../../server/src/passes/regalloc/regAllocOptions.js';
import { allocationPasses, runAllocation } from '../../server/src/passes/regalloc/runAllocation.js';
import type { AllocState } from '../../server/src/passes/regalloc/state.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import { parseLlcOptions } from '../../server/src/program/llcOptions.js';
import { loadProgram } from '../../server/src/program/mirProgram.js';
import { randomPath, readingsAlong } from '../support/allocationInterpreter.js';
import { NO_WATCH } from '../support/allocationWatch.js';
import { randomAllocation, type AllocationCase } from '../support/randomAllocation.js';
import { runsOr, seedOr } from '../support/switches.js';

const FIRST = seedOr(1);
const COUNT = runsOr(120);
const CALLING = Math.ceil(COUNT / 3);
const PATHS = 4;
const MAX_BLOCKS = 40;

const CODE = 'the code';

describe('values of allocated functions', () => {
  it(`share no register and arrive where they are read, in ${COUNT} random functions from seed ${FIRST}`, function () {
    this.timeout(0);
    holds(COUNT, randomAllocation);
  });

  it(`do so across calls, in ${CALLING} random functions from seed ${FIRST}`, function () {
    this.timeout(0);
    holds(CALLING, (seed) => randomAllocation(seed, 1, 6));
  });
});

function holds(count: number, caseOf: (seed: number) => AllocationCase): void {
  let nSpilled = 0;
  let nRead = 0;
  for (let seed = FIRST; seed < FIRST + count; seed++) {
    const { args, text } = caseOf(seed);
    let mark = 0;
    const marked = text.replace(/S_NOP 0/g, () => `S_NOP ${++mark}`);
    const options = parseLlcOptions([...args, 'f.mir']);
    const fn = [...loadProgram(marked, 'f.mir', options).functions][0].fn;
    assert(fn !== null);
    const watched = (state: AllocState): AllocationWatch => ({ ...NO_WATCH, runEnds: () => shareNothing(state, seed) });
    const setting = { options: regAllocOptions(options.values), watchFor: watched };
    const result = runAllocation(fn, allocationPasses(), setting, { ir: null });
    if (result.errors.length > 0) continue;
    if (result.fn.header.stack.some((o) => o.type === 'spill-slot')) nSpilled++;
    for (let p = 0; p < PATHS; p++) nRead += readsTheSame(fn, result.fn, seed, p);
  }
  assert.ok(nRead > count * 20, `only ${nRead} values are read`);
  if (count >= 25) assert.ok(nSpilled > count / 8, `only ${nSpilled} functions spill`);
}

/** No two ranges of what is assigned, nor one and what the code has there itself, overlap in a unit. */
function shareNothing(state: AllocState, seed: number): void {
  const { tables, lis, slots, fn } = state;
  const byUnit = new Map<number, { owner: string; range: LiveRange }[]>();
  for (let v = 0; v < fn.vregs.n; v++) {
    const reg = state.map.physOf(v);
    if (reg === 0) continue;
    const interval = lis.interval(v);
    for (let k = tables.unitBegin[reg], lane = tables.unitLaneBegin(reg); k < tables.unitEnd[reg]; k++, lane++) {
      const [lo, hi] = [tables.unitLaneLo[lane], tables.unitLaneHi[lane]];
      const parts = interval.subRanges.filter((s) => (s.laneLo & lo) !== 0 || (s.laneHi & hi) !== 0);
      const list = byUnit.get(tables.unitList[k]) ?? [];
      byUnit.set(tables.unitList[k], list);
      for (const range of interval.subRanges.length === 0 ? [interval] : parts) list.push({ owner: `%${v}`, range });
    }
  }
  for (const [unit, list] of byUnit) {
    list.push({ owner: CODE, range: state.units.of(unit) });
    const segments = list.flatMap(({ owner, range }) =>
      range.start.map((at, s) => ({ owner, at, start: slots.number(at), end: slots.number(range.end[s]) })),
    );
    segments.sort((a, b) => a.start - b.start);
    for (let k = 1; k < segments.length; k++) {
      const [a, b] = [segments[k - 1], segments[k]];
      if (a.end <= b.start || a.owner === b.owner) continue;
      // The code may copy a register to or from the one that it has.
      const i = slots.instrOf(b.at);
      const isCopy = i >= 0 && fn.opcode[i] === state.opcodes.copy;
      assert.ok(
        isCopy && (a.owner === CODE || b.owner === CODE),
        `seed ${seed}: ${a.owner} and ${b.owner} share unit ${unit}`,
      );
    }
  }
}

/** How many values both read. */
function readsTheSame(before: MachineFunction, after: MachineFunction, seed: number, p: number): number {
  const path = randomPath(before, seed * PATHS + p, MAX_BLOCKS);
  const allocated = new Map(readingsAlong(after, path).map((r) => [r.place, r.value]));
  let n = 0;
  for (const { place, value } of readingsAlong(before, path)) {
    // What was never written may be anything.
    if (value === undefined) continue;
    n++;
    assert.equal(
      allocated.get(place),
      value,
      `seed ${seed}, blocks ${path.join(' ')}: S_NOP ${place} reads another value`,
    );
  }
  return n;
}

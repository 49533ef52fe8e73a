/** Lines that the user wants before others: which are instructions, and which are dropped. */
import assert from 'node:assert/strict';
import { pinsOf } from '../../../../server/src/features/schedule/pins.js';
import { regionAt } from '../../../../server/src/features/schedule/schedule.js';
import type { RegionTrace } from '../../../../server/src/passes/scheduler/trace/scheduleTrace.js';
import { openText } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name: f
body: |
  bb.0:
    S_NOP 0
    S_NOP 1
    ; nothing
    S_NOP 2
    S_ENDPGM 3`;

const { snapshot } = openText(TEXT);
const view = snapshot.functions[0]!;

describe('lines before others', () => {
  const pins = (...lines: readonly (readonly [number, number])[]): string[] =>
    pinsOf(
      snapshot,
      view,
      lines.map(([before, after]) => ({ before, after })),
    ).map((p) => `${p.before} before ${p.after}`);

  it('are instructions', () => {
    assert.deepEqual(pins(), []);
    assert.deepEqual(pinsOf(snapshot, view), []);
    assert.deepEqual(pins([5, 6]), ['0 before 1']);
    assert.deepEqual(pins([6, 5]), ['1 before 0']);
    assert.deepEqual(pins([8, 9], [5, 8]), ['2 before 3', '0 before 2']);
    assert.deepEqual(pins([9, 5]), ['3 before 0']);
  });

  it('others are dropped', () => {
    for (const none of [0, 2, 4, 7, 10, 99]) {
      assert.deepEqual(pins([5, none]), [], `${none}`);
      assert.deepEqual(pins([none, 5]), [], `${none}`);
      assert.deepEqual(pins([none, 6], [6, 8]), ['1 before 2'], `${none}`);
    }
    assert.deepEqual(pins([5, 5]), []);
  });
});

describe('the region of a line', () => {
  const region = (region: number, first: number, last: number): RegionTrace => ({ region, first, last }) as RegionTrace;
  const at = (line: number, ...regions: readonly RegionTrace[]): number | null =>
    regionAt(snapshot, view, regions, { line, character: 0 })?.region ?? null;

  it('is the one between whose first and last instruction it stands', () => {
    const regions = [region(7, 0, 1), region(8, 2, 3)];
    assert.deepEqual(
      [4, 5, 6, 7, 8, 9].map((line) => at(line, ...regions)),
      [null, 7, 7, null, 8, 8],
    );
    assert.equal(at(7, region(1, 1, 2)), 1);
    assert.equal(at(5, region(1, -1, -1), region(2, 0, 0)), 2);
    assert.equal(at(6, region(2, 0, 0)), null);
    assert.equal(at(5), null);
  });
});

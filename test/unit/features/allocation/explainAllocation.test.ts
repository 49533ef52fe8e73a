/** Words about allocated registers: lines and places in reports, runs of registers that are left out. */
import assert from 'node:assert/strict';
import { allocatedText, spilledRegisters } from '../../../../server/src/features/allocation/allocationWords.js';
import { allocationLabels, placesOfRegisters } from '../../../../server/src/features/allocation/explainAllocation.js';
import type { ExpectedOccupancy } from '../../../../server/src/features/words/allocatedUseText.js';
import type { MachineFunction } from '../../../../server/src/model/machineFunction.js';
import type { AllocatedFunction } from '../../../../server/src/passes/regalloc/trace/collector.js';
import { openText } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name: f
body: |
  bb.0:
    S_NOP 0, implicit-def %0:vgpr_32
    S_NOP 1, implicit-def %a:vgpr_32
    S_NOP 2, implicit %0, implicit %a
    S_ENDPGM 0
...
`;
const { snapshot } = openText(TEXT);
const fn = snapshot.functions[0]!.fn!;
const lineOf = (start: number): number => snapshot.text.lineAt(start) + 1;
const labels = allocationLabels(fn, lineOf);

const part = (vreg: number, place: string, ...spans: readonly (readonly [number, number])[]): object => ({
  ...{ vreg, part: vreg, run: 'vgpr' },
  ...(place.startsWith('%') ? { reg: 0, slot: Number(place.slice(1)) } : { reg: fn.tables.regByName(place), slot: -1 }),
  spans: spans.map(([from, to]) => ({ from, to })),
});
const allocated = (parts: readonly object[], more: object = {}): AllocatedFunction =>
  ({
    ...{ fn, parts, errors: [], counts: { saves: 0, reloads: 0, rematerialized: 0 } },
    ...more,
  }) as unknown as AllocatedFunction;

describe('lines and places in reports about allocation', () => {
  it('lines of instructions of the source; others have none', () => {
    assert.deepEqual(
      [-1, 0, 1, 3, 4, 99].map((i) => labels.line(i)),
      [0, 6, 7, 9, 0, 0],
    );
    const none = allocationLabels({ ...fn, source: null, nInstrs: 4 } as unknown as MachineFunction, lineOf);
    assert.equal(none.line(0), 0);
    assert.deepEqual([labels.vreg(0), labels.vreg(1)], ['%0', '%a']);
  });

  it('each register of the source once, in their order, with its parts after each other', () => {
    const parts = [
      part(1, 'vgpr2', [1, 2]),
      part(-1, '%7', [0, 1]),
      part(0, 'vgpr1', [0, 1]),
      part(2, 'vgpr5', [0, 1]),
      part(0, '%3', [1, 2]),
    ];
    const rows = placesOfRegisters(allocated(parts), fn, labels, null);
    assert.equal(rows.length, 2);
    assert.match(rows[0]!, /^%0: \$vgpr1.*; then %stack\.3.*$/);
    assert.match(rows[1]!, /^%a: \$vgpr2[^;]*$/);
    assert.deepEqual(placesOfRegisters(allocated(parts), fn, labels, 1), rows.slice(1));
    assert.deepEqual(placesOfRegisters(allocated(parts), fn, labels, 0), rows.slice(0, 1));
    assert.deepEqual(placesOfRegisters(allocated(parts), fn, labels, 2), []);
    assert.deepEqual(placesOfRegisters(allocated([]), fn, labels, null), []);
  });
});

describe('an allocation in a line', () => {
  const use = { occupancy: 8, vgpr: 2, agpr: 0, framedVGPR: 2, totalVGPR: 2, framedSGPR: 4 };
  const said = (parts: readonly object[], counts: object, expected: ExpectedOccupancy | null = null): string =>
    allocatedText(allocated(parts, { counts: { saves: 0, reloads: 0, rematerialized: 0, ...counts }, use }), expected);
  const files = 'allocated: VGPR 2 (2 of 32), SGPR 4';

  it('of spills, and what was computed again', () => {
    const [reg, slot, other] = [part(0, 'vgpr1'), part(0, '%1'), part(1, '%2')];
    assert.equal(said([reg], {}), `${files}, no spills: occupancy 8`);
    assert.equal(said([reg], { rematerialized: 2 }), `${files}, no spills, 2 rematerialized: occupancy 8`);
    assert.equal(said([reg], { saves: 1 }), `${files}, no spills: occupancy 8`);
    assert.equal(said([slot], { saves: 1, reloads: 1 }), `${files}, 1 spilled (1 save, 1 reload): occupancy 8`);
    assert.equal(
      said([slot, other], { saves: 2, reloads: 3 }),
      `${files}, 2 spilled (2 saves, 3 reloads): occupancy 8`,
    );
    assert.equal(
      said([slot, other], { saves: 0, reloads: 0, rematerialized: 1 }),
      `${files}, 2 spilled (0 saves, 0 reloads, 1 rematerialized): occupancy 8`,
    );
  });

  it('of waves that were expected otherwise', () => {
    assert.equal(said([], {}, { waves: 8, by: 'scheduler' }), `${files}, no spills: occupancy 8`);
    assert.equal(
      said([], {}, { waves: 9, by: 'scheduler' }),
      `${files}, no spills: occupancy 8, the scheduler expected 9`,
    );
    assert.equal(
      said([], {}, { waves: 7, by: 'pressure' }),
      `${files}, no spills: occupancy 8, its pressure would allow 7`,
    );
  });

  it('errors say why there is none', () => {
    assert.equal(allocatedText(allocated([], { errors: ['ran out', 'more'] }), null), 'not allocated: ran out');
  });

  it('counts each register that is in memory once', () => {
    assert.equal(spilledRegisters(allocated([])), 0);
    assert.equal(spilledRegisters(allocated([part(0, 'vgpr1'), part(0, '%1'), part(0, '%2'), part(1, '%0')])), 2);
    assert.equal(spilledRegisters(allocated([part(0, 'vgpr1')])), 0);
  });
});

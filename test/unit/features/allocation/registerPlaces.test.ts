/** Where registers are allocated and what is inserted, from what the allocator said: cut lists, lines, places. */
import assert from 'node:assert/strict';
import { AllocatedEffects } from '../../../../server/src/features/allocation/allocatedEffect.js';
import { allocatedPlaceLine, insertedTexts } from '../../../../server/src/features/allocation/registerPlaces.js';
import type { FunctionView, Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import type { InsertedInstr, LifePart } from '../../../../server/src/passes/regalloc/trace/allocationTrace.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name: f
body: |
  bb.0:
${[...Array(20).keys()].map((k) => `    S_NOP ${k & 7}, implicit-def %${k}:vgpr_32`).join('\n')}
    S_ENDPGM 0
...
`;
/** Line of the first instruction, counted from 1. */
const FIRST = 6;

const opened = (commandLinks = false): readonly [Snapshot, FunctionView] => {
  const { snapshot } = openText(TEXT, { commandLinks });
  return [snapshot, snapshot.functions[0]!];
};
const [snapshot, view] = opened();
const { tables } = view.fn!;

/** The function with what is known of its allocation. */
const withKnown = (known: unknown, of = view): FunctionView =>
  Object.create(of, { knownAllocation: { value: known } }) as FunctionView;

const allocated = (parts: readonly object[], inserted: readonly object[] = [], more: object = {}): object => ({
  ...{ fn: view.fn, errors: [], parts, inserted, nInstrs: 21, counts: { saves: 0, reloads: 0 } },
  ...more,
});

const part = (vreg: number, place: string, ...spans: readonly (readonly [number, number])[]): Partial<LifePart> => ({
  ...{ vreg, part: 0, reg: 0, slot: -1 },
  ...(place.startsWith('%') ? { slot: Number(place.slice(1)) } : { reg: tables.regByName(place) }),
  spans: spans.map(([from, to]) => ({ from, to })) as never,
});

const plain = (line: ReturnType<typeof allocatedPlaceLine>): string =>
  line === null ? '' : line.source.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', "'");

const place = (v: number, parts: readonly object[], inserted: readonly object[] = []): string =>
  plain(allocatedPlaceLine(snapshot, withKnown(allocated(parts, inserted)), v));

const made = (kind: InsertedInstr['kind'], vreg: number, after: number, before: number): Partial<InsertedInstr> => ({
  ...{ kind, vreg, after, before },
});

describe('where a register is allocated', () => {
  const CASES: readonly (readonly [parts: readonly object[], wanted: string])[] = [
    [[], ''],
    [[part(1, 'vgpr3', [0, 4])], ''],
    [[part(0, 'vgpr3', [0, 4])], "allocated: '$vgpr3'"],
    [[part(0, 'vgpr3')], "allocated: '$vgpr3'"],
    [[part(0, '%2', [0, 4])], "allocated: '%stack.2'"],
    [[part(0, '%0', [0, 4])], "allocated: '%stack.0'"],
    [
      [part(0, 'vgpr3', [0, 4]), part(0, '%2', [4, 9])],
      `allocated: '$vgpr3' at ${FIRST} to ${FIRST + 4}, '%stack.2' at ${FIRST + 4} to ${FIRST + 9}`,
    ],
    [[part(0, 'vgpr3', [2, 2]), part(0, 'vgpr4')], `allocated: '$vgpr3' at ${FIRST + 2}, '$vgpr4'`],
    [
      [part(0, 'vgpr3', [8, 9]), part(1, 'vgpr5', [0, 1]), part(0, 'vgpr3', [2, 4], [5, 5])],
      `allocated: '$vgpr3' at ${FIRST + 2} to ${FIRST + 4}, ${FIRST + 5}, ${FIRST + 8} to ${FIRST + 9}`,
    ],
    [
      [part(0, 'vgpr3', [0, 0], [2, 2], [4, 4], [6, 6]), part(0, 'vgpr4', [7, 7])],
      `allocated: '$vgpr3' at ${FIRST}, ${FIRST + 2}, ${FIRST + 4}, 1 more, '$vgpr4' at ${FIRST + 7}`,
    ],
    [
      [part(0, 'vgpr3', [0, 0], [2, 2], [4, 4], [6, 6], [8, 8]), part(0, 'vgpr4', [7, 7])],
      `allocated: '$vgpr3' at ${FIRST}, ${FIRST + 2}, ${FIRST + 4}, 2 more, '$vgpr4' at ${FIRST + 7}`,
    ],
    [
      [1, 2, 3, 4].map((n) => part(0, `vgpr${n}`, [n, n])),
      `allocated: ${[1, 2, 3, 4].map((n) => `'$vgpr${n}' at ${FIRST + n}`).join(', ')}`,
    ],
    [
      [1, 2, 3, 4, 5].map((n) => part(0, `vgpr${n}`, [n, n])),
      `allocated: ${[1, 2, 3, 4].map((n) => `'$vgpr${n}' at ${FIRST + n}`).join(', ')}, 1 more`,
    ],
    [
      [1, 2, 3, 4, 5, 6].map((n) => part(0, `%${n}`, [n, n])),
      `allocated: ${[1, 2, 3, 4].map((n) => `'%stack.${n}' at ${FIRST + n}`).join(', ')}, 2 more`,
    ],
  ];
  for (const [parts, wanted] of CASES) it(wanted || 'nothing', () => assert.equal(place(0, parts), wanted));

  it('where it is saved and reloaded, each line once', () => {
    const parts = [part(0, 'vgpr3')];
    const at = (...inserted: readonly object[]): string => place(0, parts, inserted).replace("allocated: '$vgpr3'", '');
    assert.equal(at(made('save', 0, 3, 4)), ` · saved at ${FIRST + 3}`);
    assert.equal(at(made('save', 0, 0, 1)), ` · saved at ${FIRST}`);
    assert.equal(at(made('save', 0, -1, 4)), ` · saved at ${FIRST + 4}`);
    assert.equal(at(made('reload', 0, 3, 4)), ` · reloaded at ${FIRST + 4}`);
    assert.equal(at(made('reload', 0, 3, 0)), ` · reloaded at ${FIRST}`);
    assert.equal(at(made('reload', 0, 3, -1)), ` · reloaded at ${FIRST + 3}`);
    assert.equal(at(made('reload', 0, -1, -1)), '');
    assert.equal(at(made('copy', 0, 3, 4), made('rematerialized', 0, 3, 4), made('save', 1, 3, 4)), '');
    assert.equal(
      at(made('reload', 0, 7, 8), made('save', 0, 3, 4), made('reload', 0, 1, 8), made('reload', 0, 8, 9)),
      ` · saved at ${FIRST + 3} · reloaded at ${FIRST + 8}, ${FIRST + 9}`,
    );
    const many = (n: number): object[] => [...Array(n).keys()].map((k) => made('reload', 0, k, k + 1));
    assert.equal(at(...many(4)), ` · reloaded at ${[1, 2, 3, 4].map((k) => FIRST + k).join(', ')}`);
    assert.equal(at(...many(5)), ` · reloaded at ${[1, 2, 3, 4].map((k) => FIRST + k).join(', ')}, 1 more`);
    assert.equal(at(...many(9)), ` · reloaded at ${[1, 2, 3, 4].map((k) => FIRST + k).join(', ')}, 5 more`);
  });

  it('nothing where the allocation is not known, or went wrong', () => {
    const parts = [part(0, 'vgpr3')];
    for (const known of [null, 'it cannot be', allocated(parts, [], { errors: ['ran out'] })]) {
      assert.equal(allocatedPlaceLine(snapshot, withKnown(known), 0), null);
      assert.deepEqual([...insertedTexts(withKnown(known))], []);
    }
  });

  it('with a link to the explanation, for clients that have such links', () => {
    const [linked, own] = opened(true);
    const line = allocatedPlaceLine(linked, withKnown(allocated([part(0, 'vgpr3')]), own), 0)!;
    assert.match(line.source, /^allocated: `\$vgpr3` · \[explain\]\(command:amdgpu-mir\.[^?]+\?/);
    assert.deepEqual(JSON.parse(decodeURIComponent(decodeURIComponent(/\?([^)]*)\)/.exec(line.source)![1]!))), [
      linked.uri,
      1,
    ]);
  });
});

describe('what the allocator inserts', () => {
  const texts = (...inserted: readonly object[]): [number, string][] => [
    ...insertedTexts(withKnown(allocated([], inserted))),
  ];

  it('at the instruction for whose sake it is there', () => {
    assert.deepEqual(texts(), []);
    assert.deepEqual(texts(made('save', 5, 3, 4)), [[3, 'save %5']]);
    assert.deepEqual(texts(made('save', 5, 0, 4)), [[0, 'save %5']]);
    assert.deepEqual(texts(made('save', 5, -1, 4)), [[4, 'save %5']]);
    assert.deepEqual(texts(made('reload', 5, 3, 4)), [[4, 'reload %5']]);
    assert.deepEqual(texts(made('reload', 5, 3, 0)), [[0, 'reload %5']]);
    assert.deepEqual(texts(made('reload', 5, 3, -1)), [[3, 'reload %5']]);
    assert.deepEqual(texts(made('copy', 0, 3, 4)), [[4, 'copy %0']]);
    assert.deepEqual(texts(made('rematerialized', 19, 3, 4)), [[4, 'compute again %19']]);
    assert.deepEqual(texts(made('reload', 5, -1, -1)), []);
  });

  it('of registers of the source, and lanes of others', () => {
    for (const v of [-1, 20, 99]) assert.deepEqual(texts(made('save', v, 3, 4)), [[3, 'save lanes']], `${v}`);
  });

  it('together, kind by kind, each register once', () => {
    assert.deepEqual(
      texts(
        made('reload', 7, 3, 4),
        made('save', 5, 4, 6),
        made('reload', 9, 2, 4),
        made('reload', 7, 1, 4),
        made('copy', 1, 8, 9),
      ),
      [
        [4, 'reload %7, %9; save %5'],
        [9, 'copy %1'],
      ],
    );
  });
});

describe('what an edit does to allocated registers', () => {
  const use = (occupancy: number): object => ({ use: { occupancy, totalVGPR: 9, totalSGPR: 9 } });
  /** `spilled` of the source's registers in slots. */
  const result = (spilled: number, occupancy: number, more: object = {}): object =>
    allocated(
      [...Array(spilled).keys()].map((v) => part(v, `%${v}`, [0, 1])),
      [],
      { ...use(occupancy), ...more },
    );
  const after = (state: unknown): FunctionView =>
    Object.create(view, { allocate: { value: () => state } }) as FunctionView;
  const said = (before: unknown, then: unknown, token = NEVER_CANCELLED): string =>
    new AllocatedEffects(snapshot, withKnown(before), token).of([], after(then)).text;
  const ready = (spilled: number, occupancy: number, more: object = {}): object => ({
    kind: 'ready',
    allocated: result(spilled, occupancy, more),
  });

  it('in words', () => {
    for (const [before, then, wanted] of [
      [result(0, 8), ready(0, 8), 'no gain (no spills, occupancy stays 8)'],
      [result(2, 8), ready(2, 9), '2 spilled as before, occupancy 8 to 9'],
      [result(2, 9), ready(0, 8), 'no gain (2 spilled to none, occupancy 9 to 8)'],
      [result(0, 8), ready(1, 8), 'no gain (none spilled to 1, occupancy stays 8)'],
      [result(3, 8), ready(1, 8), '3 spilled to 1, occupancy stays 8'],
    ] as const)
      assert.equal(said(before, then), `; allocated: ${wanted}`);
  });

  it('with what decides where waves and spills are as before', () => {
    const counts = (saves: number, reloads: number): object => ({ counts: { saves, reloads } });
    const files = (totalVGPR: number, totalSGPR: number): object => ({ use: { occupancy: 8, totalVGPR, totalSGPR } });
    for (const [was, is, wanted] of [
      [counts(2, 3), counts(2, 2), '1 spilled as before, occupancy stays 8'],
      [counts(2, 3), counts(3, 2), 'no gain (1 spilled as before, occupancy stays 8)'],
      [counts(2, 2), counts(3, 2), 'no gain (1 spilled as before, occupancy stays 8)'],
      [files(9, 9), files(8, 10), 'VGPR 9 to 8, 1 spilled as before, occupancy stays 8'],
      [files(9, 9), files(9, 8), 'SGPR 9 to 8, 1 spilled as before, occupancy stays 8'],
      [files(9, 9), files(10, 8), 'no gain (1 spilled as before, occupancy stays 8)'],
      [files(9, 9), files(9, 10), 'no gain (1 spilled as before, occupancy stays 8)'],
    ] as const)
      assert.equal(said(result(1, 8, was), ready(1, 8, is)), `; allocated: ${wanted}`);
    const full = (totalVGPR: number): object => ({ use: { occupancy: 10, totalVGPR, totalSGPR: 9 } });
    assert.equal(
      said(result(0, 10, full(9)), ready(0, 10, full(8))),
      '; allocated: no gain (no spills, occupancy stays 10)',
      'no wave more is to be had',
    );
  });

  it('nothing where that is not known, too large, or cancelled', () => {
    const then = ready(0, 8);
    for (const before of [null, 'why', result(0, 8, { errors: ['x'] }), result(0, 8, { nInstrs: 1001 })])
      assert.equal(said(before, then), '');
    assert.notEqual(said(result(0, 8, { nInstrs: 1000 }), then), '');
    assert.equal(said(result(0, 8), ready(0, 8, { errors: ['x'] })), '');
    assert.equal(said(result(0, 8), { kind: 'none', why: '' }), '');
    assert.equal(said(result(0, 8), { kind: 'large' }), '');
    assert.equal(said(result(0, 8), then, { isCancelled: () => true }), '');
  });

  it('of a thousand instructions in all', () => {
    const effects = new AllocatedEffects(snapshot, withKnown(result(0, 8, { nInstrs: 400 })), NEVER_CANCELLED);
    const seen = [0, 1, 2].map(() => [effects.isOpen, effects.of([], after(ready(0, 8))).text !== '']);
    assert.deepEqual(seen, [
      [true, true],
      [true, true],
      [false, false],
    ]);
  });
});

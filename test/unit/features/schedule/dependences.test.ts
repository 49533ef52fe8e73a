/** All edges of instructions in the scheduling graph, as data and in hovers. */
import assert from 'node:assert/strict';
import type { Range } from 'vscode-languageserver-types';
import {
  dependenceLine,
  provideDependences,
  type DependenceInfo,
  type DependencesResult,
} from '../../../../server/src/features/schedule/dependences.js';
import { schedulePlace } from '../../../../server/src/features/schedule/schedulePlace.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=machine-scheduler -o - %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2

    %0:vreg_64_align2 = COPY $vgpr0_vgpr1
    %1:vgpr_32 = COPY $vgpr2
    ; the load
    %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec
    %4:vgpr_32 = V_XOR_B32_e32 7, %1, implicit $exec
    %5:vgpr_32 = V_NOT_B32_e32 %4, implicit $exec
    %6:vgpr_32 = V_MUL_LO_U32_e64 %5, killed %4, implicit $exec
    GLOBAL_STORE_DWORD %0, %6, 0, 0, implicit $exec :: (store (s32), addrspace 1)
    $vcc = V_CMP_EQ_U32_e64 %6, %1, implicit $exec
    S_BARRIER
    $vcc = V_CMP_NE_U32_e64 %6, %5, implicit $exec
    %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0, implicit %3, implicit %6, implicit %7
...
---
name: broken
body: |
  bb.0:
    S_ENDPGM 0, implicit %0
...
`;

const show = (range: Range | null): string =>
  range === null ? '' : `${range.start.line + 1}:${range.start.character}-${range.end.character}`;
const edge = ({ range, kind, register, latency, weak }: DependenceInfo): string =>
  `${range === null ? 'end' : show(range)} ${kind} ${register} ${latency}${weak ? ' weak' : ''}`;

/** Line, function, why not, whether an instruction stands there, region, latency, range, what it waits for, what waits for it. */
const EDGES: readonly (readonly unknown[])[] = [
  [9, 'f', '', true, 0, 1, '9:4-41', [], ['17:4-81 Data %0 1', '12:4-88 Data %0 1']],
  [10, 'f', '', true, 0, 1, '10:4-28', [], ['18:4-50 Data %1 1', '14:4-52 Data %1 1', '13:4-53 Data %1 1']],
  [
    12,
    'f',
    '',
    true,
    0,
    80,
    '12:4-88',
    ['9:4-41 Data %0 1'],
    ['13:4-53 Data %2 80', '19:4-13 Barrier  0', '17:4-81 MayAliasMem  0'],
  ],
  [13, 'f', '', true, 0, 1, '13:4-53', ['12:4-88 Data %2 80', '10:4-28 Data %1 1'], ['22:4-53 Data %3 1']],
  [
    16,
    'f',
    '',
    true,
    0,
    1,
    '16:4-63',
    ['15:4-49 Data %5 1', '14:4-52 Data %4 1'],
    ['22:4-53 Data %6 1', '20:4-50 Data %6 1', '18:4-50 Data %6 1', '17:4-81 Data %6 1'],
  ],
  [
    17,
    'f',
    '',
    true,
    0,
    80,
    '17:4-81',
    ['16:4-63 Data %6 1', '12:4-88 MayAliasMem  0', '9:4-41 Data %0 1'],
    ['19:4-13 Barrier  0'],
  ],
  [18, 'f', '', true, 0, 1, '18:4-50', ['16:4-63 Data %6 1', '10:4-28 Data %1 1'], ['20:4-50 Output $vcc 1']],
  [19, 'f', '', true, 0, 500, '19:4-13', ['17:4-81 Barrier  0', '12:4-88 Barrier  0'], []],
  [20, 'f', '', true, 0, 1, '20:4-50', ['18:4-50 Output $vcc 1', '16:4-63 Data %6 1', '15:4-49 Data %5 1'], []],
  [21, 'f', '', true, 0, 1, '21:4-48', [], ['22:4-53 Data %7 1']],
  [22, 'f', 'in no scheduling region: it bounds them, or is not scheduled', true, -1, 0, '', [], []],
  [
    28,
    'broken',
    "not scheduled: Cannot determine class/bank of virtual register 0 in function 'broken'",
    true,
    -1,
    0,
    '',
    [],
    [],
  ],
  [8, 'f', 'no instruction here', false, -1, 0, '', [], []],
];

/** Line, what a hover says of its edges, of its place. */
const LINES: readonly (readonly [number, string, string])[] = [
  [
    9,
    'waited for by [line 17] (Data `%0` 1), [line 12] (Data `%0` 1)',
    'region 0, 1st of 12, stays there when scheduled: PhysReg, NodeOrder 0 against 1 of the next best (top, cycle 0, OccInitialSchedule)',
  ],
  [
    10,
    'waited for by [line 18] (Data `%1` 1), [line 14] (Data `%1` 1), [line 13] (Data `%1` 1)',
    'region 0, 2nd of 12, stays there when scheduled: PhysReg, PhysReg 1 against 0 of the next best (top, cycle 1, OccInitialSchedule)',
  ],
  [
    12,
    'waits for [line 9] (Data `%0` 1) · waited for by [line 13] (Data `%2` 80), [line 19] (Barrier 0), [line 17] (MayAliasMem 0)',
    'region 0, 3rd of 12, stays there when scheduled: Only1 (bottom, cycle 9, OccInitialSchedule)',
  ],
  [
    13,
    'waits for [line 12] (Data `%2` 80), [line 10] (Data `%1` 1) · waited for by [line 22] (Data `%3` 1)',
    'region 0, 4th of 12, scheduled 10th: BotPathReduce, BotPathReduce 81 against 4 of the next best (bottom, cycle 2, OccInitialSchedule)',
  ],
  [
    16,
    'waits for [line 15] (Data `%5` 1), [line 14] (Data `%4` 1) · waited for by [line 22] (Data `%6` 1), [line 20] (Data `%6` 1), [line 18] (Data `%6` 1) and 1 more',
    'region 0, 7th of 12, scheduled 6th: Stall, Stall 0 against 76 of the next best (bottom, cycle 6, OccInitialSchedule)',
  ],
  [
    17,
    'waits for [line 16] (Data `%6` 1), [line 9] (Data `%0` 1), [line 12] (MayAliasMem 0) · waited for by [line 19] (Barrier 0)',
    'region 0, 8th of 12, scheduled 7th: Only1 (bottom, cycle 5, OccInitialSchedule)',
  ],
  [
    18,
    'waits for [line 16] (Data `%6` 1), [line 10] (Data `%1` 1) · waited for by [line 20] (Output `$vcc` 1)',
    'region 0, 9th of 12, scheduled 8th: FirstValid, NodeOrder 8 against 7 of the next best (bottom, cycle 4, OccInitialSchedule)',
  ],
  [
    19,
    'waits for [line 17] (Barrier 0), [line 12] (Barrier 0)',
    'region 0, 10th of 12, scheduled 9th: NodeOrder, NodeOrder 9 against 8 of the next best (bottom, cycle 3, OccInitialSchedule)',
  ],
  [
    20,
    'waits for [line 18] (Output `$vcc` 1), [line 16] (Data `%6` 1), [line 15] (Data `%5` 1)',
    'region 0, 11th of 12, scheduled 12th: Stall, NodeOrder 10 against 9 of the next best (bottom, cycle 0, OccInitialSchedule)',
  ],
  [22, '', ''],
];

describe('edges of each instruction', () => {
  const { snapshot } = openText(TEXT);

  for (const wanted of EDGES)
    it(`line ${wanted[0] as number}`, () => {
      const line = wanted[0] as number;
      const params = { textDocument: { uri: '' }, position: { line: line - 1, character: 4 } };
      const r = provideDependences(openText(TEXT).snapshot, params, NEVER_CANCELLED) as DependencesResult;
      assert.equal(r.target, 'gfx90a wave64, LLVM 22.1.8');
      const edges = [r.predecessors.map(edge), r.successors.map(edge)];
      assert.deepEqual(
        [line, r.function, r.why, r.isInstruction, r.region, r.latency, show(r.range), ...edges],
        wanted,
      );
    });

  for (const [line, words, place] of LINES)
    it(`line ${line} in a hover`, () => {
      const view = snapshot.functions[0]!;
      const source = view.fn!.source!;
      const i = view.fn!.order.findIndex(
        (k) => snapshot.text.lineAt(view.start + source.instrRange(k).start) === line - 1,
      );
      const said = dependenceLine(snapshot, view, i)?.source.replaceAll(/\]\([^)]*\)/g, ']') ?? '';
      assert.deepEqual([line, said, schedulePlace(view, i)?.source ?? ''], [line, words, place]);
    });
});

/** Changes of EXEC and the regions that they begin, told in the lines of the text. */
import assert from 'node:assert/strict';
import { ExecChange, changesExec, execChanges } from '../../../../server/src/analysis/uniformity/execChanges.js';
import { execRegions } from '../../../../server/src/analysis/uniformity/execRegions.js';
import { LaneValues } from '../../../../server/src/analysis/uniformity/laneValues.js';
import { lowerMir, mirFunction } from '../../../support/mir.js';

const SCC = 'implicit-def dead $scc';
const SAVES = `implicit-def $exec, ${SCC}, implicit $exec`;
const lanesOf = (body: string, cpu = 'gfx900'): LaneValues =>
  new LaneValues(lowerMir(mirFunction('f', body), { cpu })[0]!);

/** %0 is made by taking lanes away, %1 otherwise, %2 by two instructions. */
const BEFORE = [
  `%0:sreg_64 = S_AND_B64 $sgpr2_sgpr3, $vcc, ${SCC}`,
  '%1:sreg_64 = COPY $sgpr4_sgpr5',
  '%2:sreg_64 = COPY %0',
  `%2:sreg_64 = S_AND_B64 %0, %1, ${SCC}`,
  `%3:sreg_64 = S_ANDN2_B64 %1, %0, ${SCC}`,
  `%4:sreg_64 = S_OR_B64 %0, %3, ${SCC}`,
];
const N = ExecChange.Narrowed;
const R = ExecChange.Restored;
const B = ExecChange.WholeWaveBegins;
const E = ExecChange.WholeWaveEnds;

const CHANGES: readonly (readonly [string, ExecChange | null])[] = [
  ['$exec = S_MOV_B64 -1', B],
  ['$exec_lo = S_MOV_B32 -1', B],
  ['$exec_hi = S_MOV_B32 -1', B],
  ['$sgpr6_sgpr7 = S_MOV_B64 -1', null],
  [`%5:sreg_64 = S_OR_SAVEEXEC_B64 -1, ${SAVES}`, B],
  [`%5:sreg_64 = S_OR_SAVEEXEC_B64 %0, ${SAVES}`, R],
  [`%5:sreg_64 = S_AND_SAVEEXEC_B64 %0, ${SAVES}`, N],
  [`%5:sreg_64 = S_AND_SAVEEXEC_B64 -1, ${SAVES}`, N],
  [`%5:sreg_64 = S_XOR_SAVEEXEC_B64 -1, ${SAVES}`, N],
  ['$exec = S_MOV_B64 %0', N],
  ['$exec = S_MOV_B64_term %0', N],
  ['$exec = COPY %0', N],
  ['$exec = COPY %3', N],
  ['$exec = COPY %1', R],
  ['$exec = S_MOV_B64 %1', R],
  ['$exec = S_MOV_B64_term %1', R],
  ['$exec = S_MOV_B64 %2', R],
  ['$exec = S_MOV_B64 %4', R],
  ['$exec = S_MOV_B64 $sgpr2_sgpr3', R],
  ['$exec_lo = COPY $sgpr2', R],
  // Constants are no registers: -1 and -4 would be %0 and %3.
  ['$exec = S_MOV_B64 -4', R],
  [`$exec = S_OR_B64 $exec, %0, ${SCC}`, R],
  [`$exec = S_OR_B64 %0, $exec, ${SCC}`, R],
  [`$exec = S_OR_B64_term $exec, %1, ${SCC}`, R],
  [`$exec = S_AND_B64 $exec, %1, ${SCC}`, N],
  [`$exec = S_ANDN2_B64_term $exec, %1, ${SCC}`, N],
  [`$exec = S_XOR_B64 $exec, %1, ${SCC}`, N],
  [`$exec = S_NOT_B64 $exec, ${SCC}`, N],
  ['V_CMPX_EQ_U32_nosdst_e64 $vgpr0, $vgpr1, implicit-def $exec, implicit $exec', N],
  ['S_NOP 0, implicit $exec', null],
  ['S_NOP 0, implicit-def $vcc, implicit $exec', null],
  ['S_NOP 0, implicit-def $exec_hi', N],
  ['S_NOP 0, implicit-def %5:sreg_64', null],
  [`%5:sreg_64 = SI_IF %0, %bb.1, ${SAVES}`, N],
  [`%5:sreg_64 = SI_ELSE %0, %bb.1, ${SAVES}`, N],
  [`SI_LOOP %0, %bb.1, ${SAVES}`, N],
  [`SI_WATERFALL_LOOP %bb.1, ${SAVES}`, N],
  [`SI_END_CF %0, ${SAVES}`, R],
  [`%5:sreg_64 = SI_IF_BREAK %0, %1, ${SCC}`, null],
  [`%5:sreg_64 = ENTER_STRICT_WWM -1, ${SAVES}`, B],
  [`%5:sreg_64 = ENTER_STRICT_WQM -1, ${SAVES}`, B],
  ['$exec = EXIT_STRICT_WWM %0', E],
  ['$exec = EXIT_STRICT_WQM %0', E],
];

describe('changes of EXEC', () => {
  it('narrow it, bring lanes back, begin and end a whole wave', () => {
    for (const [line, wanted] of CHANGES) {
      const body = `  bb.0:\n    ${[...BEFORE, line].join('\n    ')}\n\n  bb.1:\n    S_ENDPGM 0\n`;
      const lanes = lanesOf(body, line.startsWith('V_CMPX') ? 'gfx1030' : 'gfx900');
      const i = lanes.fn.order[lanes.fn.blockEnd[0]! - 1]!;
      assert.deepEqual(execChanges(lanes, 0), wanted === null ? [] : [[i, wanted]], line);
      assert.deepEqual(execChanges(lanes, 1), []);
      assert.equal(changesExec(lanes.fn, i), wanted !== null, line);
    }
  });
});

const CHANGE_NAMES: Readonly<Record<number, string>> = { [N]: 'narrowed', [B]: 'whole' };

/** `LINE narrowed: FROM-TO FROM-TO, ends LINE`, lines by their place in the layout, 0 on. */
function told(body: string): string[] {
  const lanes = lanesOf(body);
  const place = (i: number): number => lanes.fn.order.indexOf(i);
  return execRegions(lanes).map(({ begin, change, ends, spans }) => {
    const between = spans.map(([from, to]) => ` ${from}-${to}`).join('');
    return `${place(begin)} ${CHANGE_NAMES[change]}:${between}, ends${ends.map((e) => ` ${place(e)}`).join('')}`;
  });
}

const REGIONS: Readonly<Record<string, readonly [body: string, ...wanted: string[]]>> = {
  'a condition, until the mask comes back': [
    `  bb.0:
    %0:sreg_64 = COPY $vcc
    %1:sreg_64 = SI_IF %0, %bb.2, ${SAVES}
    S_NOP 0

  bb.1:
    S_NOP 1
    S_NOP 2

  bb.2:
    S_NOP 3
    SI_END_CF %1, ${SAVES}
    S_ENDPGM 0`,
    '1 narrowed: 2-3 3-5 5-6, ends 6',
  ],
  'the other side of a condition ends the first and begins the second': [
    `  bb.0:
    %0:sreg_64 = COPY $vcc
    %1:sreg_64 = SI_IF %0, %bb.2, ${SAVES}

  bb.1:
    S_NOP 0

  bb.2:
    %2:sreg_64 = SI_ELSE %1, %bb.4, ${SAVES}

  bb.3:
    S_NOP 1

  bb.4:
    SI_END_CF %2, ${SAVES}
    S_ENDPGM 0`,
    '1 narrowed: 2-3, ends 3',
    '3 narrowed: 4-5, ends 5',
  ],
  'another mask does not end it, nor does one that is written': [
    `  bb.0:
    %0:sreg_64 = COPY $vcc
    %1:sreg_64 = SI_IF %0, %bb.1, ${SAVES}

  bb.1:
    SI_END_CF %0, ${SAVES}
    %2:sreg_64 = SI_IF_BREAK %1, %0, ${SCC}
    $exec = S_OR_B64 $exec, %0, implicit-def %1, ${SCC}
    SI_END_CF %1, ${SAVES}
    S_ENDPGM 0`,
    '1 narrowed: 2-5, ends 5',
  ],
  'a loop, whose mask is its operand': [
    `  bb.0:
    %0:sreg_64 = COPY $vcc

  bb.1:
    S_NOP 0
    SI_LOOP %0, %bb.1, ${SAVES}

  bb.2:
    S_NOP 1
    SI_END_CF %0, ${SAVES}
    S_ENDPGM 0`,
    '2 narrowed: 1-2 3-4, ends 4',
  ],
  'several ends, each once, and ways without one': [
    `  bb.0:
    successors: %bb.1, %bb.2, %bb.3
    %0:sreg_64 = COPY $vcc
    %1:sreg_64 = S_AND_SAVEEXEC_B64 %0, ${SAVES}

  bb.1:
    successors: %bb.2
    S_NOP 0

  bb.2:
    successors: %bb.4
    $exec = S_OR_B64 $exec, %1, ${SCC}

  bb.3:
    successors: %bb.4, %bb.3
    S_NOP 1

  bb.4:
    $exec = S_MOV_B64 %1
    S_ENDPGM 0`,
    '1 narrowed: 2-3 4-5, ends 3 5',
  ],
  'a whole wave, in physical registers': [
    `  bb.0:
    S_NOP 0
    $sgpr4_sgpr5 = ENTER_STRICT_WWM -1, ${SAVES}
    S_NOP 1
    $exec = EXIT_STRICT_WWM $sgpr6_sgpr7
    $exec = EXIT_STRICT_WWM $sgpr4_sgpr5
    S_ENDPGM 0`,
    '1 whole: 2-4, ends 4',
  ],
  'SCC and EXEC are no masks': [
    `  bb.0:
    $sgpr4_sgpr5 = S_AND_SAVEEXEC_B64 $vcc, ${SAVES}
    $exec = S_OR_B64 $exec, $sgpr6_sgpr7, ${SCC}, implicit $scc
    $exec = S_OR_B64 $exec, $noreg, ${SCC}
    S_NOP 1
    $exec = S_OR_B64 $sgpr4_sgpr5, $exec, ${SCC}
    S_ENDPGM 0`,
    '0 narrowed: 1-4, ends 4',
  ],
  'control flow that was lowered: what is made of the same copy of EXEC': [
    `  bb.0:
    %0:sreg_64 = COPY $vcc
    %1:sreg_64 = COPY $exec
    %2:sreg_64 = S_AND_B64 %1, %0, ${SCC}
    %3:sreg_64 = S_XOR_B64 %2, %1, ${SCC}
    %4:sreg_64 = COPY $sgpr2_sgpr3
    $exec = S_MOV_B64_term %2

  bb.1:
    S_NOP 0
    $exec = S_OR_B64 $exec, %4, ${SCC}
    $exec = S_OR_B64 $exec, %3, ${SCC}
    S_ENDPGM 0`,
    '5 narrowed: 6-8, ends 8',
  ],
  'the copy itself brings all lanes back': [
    `  bb.0:
    %0:sreg_64 = COPY $vcc
    %1:sreg_64 = COPY $exec
    %2:sreg_64 = S_AND_B64 %1, %0, ${SCC}
    $exec = S_MOV_B64_term %2

  bb.1:
    S_NOP 0
    $exec = S_MOV_B64 %1
    S_ENDPGM 0`,
    '3 narrowed: 4-5, ends 5',
  ],
  'a narrowing of a physical mask waits for it alone': [
    `  bb.0:
    %0:sreg_64 = COPY $exec
    $exec = S_AND_B64 $exec, $vcc, ${SCC}
    S_NOP 0
    $exec = S_MOV_B64 %0
    $exec = S_MOV_B64 $vcc
    S_ENDPGM 0`,
    '1 narrowed: 2-4, ends 4',
  ],
  'one that begins again ends there, not as an end': [
    `  bb.0:
    %0:sreg_64 = COPY $vcc

  bb.1:
    S_NOP 0
    $exec = S_ANDN2_B64_term $exec, %0, ${SCC}
    S_NOP 1
    S_BRANCH %bb.1`,
    '2 narrowed: 1-2 3-5, ends',
  ],
};

describe('regions with fewer lanes or with all', () => {
  for (const [title, [body, ...wanted]] of Object.entries(REGIONS))
    it(title, () => assert.deepEqual(told(body), wanted));

  it('are the first 400', () => {
    const line = `    $exec = S_AND_B64 $exec, $vcc, ${SCC}\n`;
    assert.equal(told(`  bb.0:\n${line.repeat(399)}`).length, 399);
    const many = told(`  bb.0:\n${line.repeat(402)}    S_ENDPGM 0`);
    assert.equal(many.length, 400);
    assert.equal(many[399], '399 narrowed: 400-403, ends');
  });
});

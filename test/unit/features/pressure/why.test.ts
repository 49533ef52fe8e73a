/** Whole reports on the registers that make a pressure, and the same as data. The numbers are those of amdgpu-print-rp. */
import assert from 'node:assert/strict';
import { provideWhy } from '../../../../server/src/features/pressure/why.js';
import type { WhyRegister, WhyResult } from '../../../../server/src/features/pressure/whyResult.js';
import type { Range } from 'vscode-languageserver-types';
import { openText } from '../../../support/cursor.js';
import { FUNCTIONS_OF_ALL_KINDS } from '../../../support/exampleTexts.js';
import { describeParts, expect } from '../../../support/expect.js';

/** `== line`, and the report there. */
const REPORTS = expect`
== 10
VGPR 1 at line 10 (bb.0:0 of @f)
gfx90a wave64, LLVM 22.1.8

  %far:vgpr_32 = COPY $vgpr0

vector registers: 1 of 64 for 8 waves
occupancy here 8, function 8

VGPR 1
  used later, after this region: 1 in 1 register
    %far   1  defined here; read at line 33 (bb.2:0); lives 20; not rematerializable

== 14
VGPR 3, SGPR 1, AGPR 4 at line 14 (bb.0:4 of @f)
gfx90a wave64, LLVM 22.1.8

  %ag:areg_128_align2 = IMPLICIT_DEF

vector registers: 8 of 64 for 8 waves
occupancy here 8, function 8

VGPR 3
  used later, after this region: 3 in 3 registers
    %far   1  from line 10; read at line 33 (bb.2:0); lives 20; not rematerializable
    %k     1  from line 11; read at line 27 (bb.1:8); lives 19; rematerializable in bb.1 (line 27), bb.2 (line 37)
    %l     1  from line 12; read at line 37 (bb.2:3); lives 18; rematerializable in bb.2 (line 37)

SGPR 1
  used later, after this region: 1 in 1 register
    %s   1  from line 13; read at line 29 (bb.1:10); lives 15; not rematerializable

AGPR 4
  used later, after this region: 4 in 1 register
    %ag   4  defined here; read at line 37 (bb.2:3); lives 16; rematerializable in bb.2 (line 37)

== 18
no instruction here

== 19
VGPR 5, SGPR 1, AGPR 4 at line 19 (bb.1:0 of @f)
gfx90a wave64, LLVM 22.1.8

  %pair:vreg_64_align2 = IMPLICIT_DEF

vector registers: 12 of 64 for 8 waves
occupancy here 8, function 8

VGPR 5
  used later, after this region: 2 in 1 register
    %pair   2  defined here; read at line 24, 5 on; lives 9; rematerializable in 2 places in bb.1 (line 24)
  only passing through this region: 3 in 3 registers
    %far   1  from line 10; read at line 33 (bb.2:0); lives 20; not rematerializable
    %k     1  from line 11; read at line 27, 8 on; lives 19; rematerializable in bb.1 (line 27), bb.2 (line 37)
    %l     1  from line 12; read at line 37 (bb.2:3); lives 18; rematerializable in bb.2 (line 37)

SGPR 1
  only passing through this region: 1 in 1 register
    %s   1  from line 13; read at line 29, 10 on; lives 15; not rematerializable

AGPR 4
  only passing through this region: 4 in 1 register
    %ag   4  from line 14; read at line 37 (bb.2:3); lives 16; rematerializable in bb.2 (line 37)

== 21
VGPR 6, SGPR 1, AGPR 4 at line 21 (bb.1:2 of @f)
gfx90a wave64, LLVM 22.1.8

  undef %wide.sub0:vreg_128_align2 = V_MOV_B32_e32 1, implicit $exec

vector registers: 12 of 64 for 8 waves
occupancy here 8, function 8

VGPR 6
  used soon, in this region: 3 in 2 registers
    %pair   2  from line 19; read at line 24, 3 on; lives 9; rematerializable in 2 places in bb.1 (line 24)
    %wide   1  defined here and 1 other; read at line 23, 2 on; lives 2; not rematerializable: it has several definitions
  only passing through this region: 3 in 3 registers
    %far   1  from line 10; read at line 33 (bb.2:0); lives 20; not rematerializable
    %k     1  from line 11; read at line 27, 6 on; lives 19; rematerializable in bb.1 (line 27), bb.2 (line 37)
    %l     1  from line 12; read at line 37 (bb.2:3); lives 18; rematerializable in bb.2 (line 37)

SGPR 1
  only passing through this region: 1 in 1 register
    %s   1  from line 13; read at line 29, 8 on; lives 15; not rematerializable

AGPR 4
  only passing through this region: 4 in 1 register
    %ag   4  from line 14; read at line 37 (bb.2:3); lives 16; rematerializable in bb.2 (line 37)

== 22
VGPR 7, SGPR 1, AGPR 4 at line 22 (bb.1:3 of @f)
gfx90a wave64, LLVM 22.1.8

  %wide.sub2:vreg_128_align2 = V_MOV_B32_e32 2, implicit $exec

vector registers: 12 of 64 for 8 waves
occupancy here 8, function 8

VGPR 7
  used soon, in this region: 4 in 2 registers
    %pair   2  from line 19; read at line 24, 2 on; lives 9; rematerializable in 2 places in bb.1 (line 24)
    %wide   2  defined here and 1 other; read at line 23, 1 on; lives 2; not rematerializable: it has several definitions
  only passing through this region: 3 in 3 registers
    %far   1  from line 10; read at line 33 (bb.2:0); lives 20; not rematerializable
    %k     1  from line 11; read at line 27, 5 on; lives 19; rematerializable in bb.1 (line 27), bb.2 (line 37)
    %l     1  from line 12; read at line 37 (bb.2:3); lives 18; rematerializable in bb.2 (line 37)

SGPR 1
  only passing through this region: 1 in 1 register
    %s   1  from line 13; read at line 29, 7 on; lives 15; not rematerializable

AGPR 4
  only passing through this region: 4 in 1 register
    %ag   4  from line 14; read at line 37 (bb.2:3); lives 16; rematerializable in bb.2 (line 37)

== 24
VGPR 6, SGPR 1, AGPR 4 at line 24 (bb.1:5 of @f)
gfx90a wave64, LLVM 22.1.8

  %sum:vgpr_32 = V_ADD_U32_e32 %sum, %pair.sub0, implicit $exec

vector registers: 12 of 64 for 8 waves
occupancy here 8, function 8

VGPR 6
  used soon, in this region: 3 in 2 registers
    %pair   2  from line 19; read here; lives 9; rematerializable in 2 places in bb.1 (line 24)
    %sum    1  defined here and 1 other; read here; lives 4; not rematerializable: it has several definitions
  only passing through this region: 3 in 3 registers
    %far   1  from line 10; read at line 33 (bb.2:0); lives 20; not rematerializable
    %k     1  from line 11; read at line 27, 3 on; lives 19; rematerializable in bb.1 (line 27), bb.2 (line 37)
    %l     1  from line 12; read at line 37 (bb.2:3); lives 18; rematerializable in bb.2 (line 37)

SGPR 1
  only passing through this region: 1 in 1 register
    %s   1  from line 13; read at line 29, 5 on; lives 15; not rematerializable

AGPR 4
  only passing through this region: 4 in 1 register
    %ag   4  from line 14; read at line 37 (bb.2:3); lives 16; rematerializable in bb.2 (line 37)

== 25
VGPR 6, SGPR 1, AGPR 4 at line 25 (bb.1:6 of @f)
gfx90a wave64, LLVM 22.1.8

  dead %none:vgpr_32 = V_MOV_B32_e32 %sum, implicit $exec

vector registers: 12 of 64 for 8 waves
occupancy here 8, function 8

VGPR 6
  used soon, in this region: 1 in 1 register
    %sum   1  from line 24 and 1 other; read here; lives 4; not rematerializable: it has several definitions
  used later, after this region: 2 in 2 registers
    %pair   1  from line 19; read at line 28, 3 on; lives 9; rematerializable in 2 places in bb.1 (line 24)
    %none   1  defined here; never read; lives 0; not rematerializable: it is never used
  only passing through this region: 3 in 3 registers
    %far   1  from line 10; read at line 33 (bb.2:0); lives 20; not rematerializable
    %k     1  from line 11; read at line 27, 2 on; lives 19; rematerializable in bb.1 (line 27), bb.2 (line 37)
    %l     1  from line 12; read at line 37 (bb.2:3); lives 18; rematerializable in bb.2 (line 37)

SGPR 1
  only passing through this region: 1 in 1 register
    %s   1  from line 13; read at line 29, 4 on; lives 15; not rematerializable

AGPR 4
  only passing through this region: 4 in 1 register
    %ag   4  from line 14; read at line 37 (bb.2:3); lives 16; rematerializable in bb.2 (line 37)

== 26
VGPR 5, SGPR 1, AGPR 4 at line 26 (bb.1:7 of @f)
gfx90a wave64, LLVM 22.1.8

  S_SETPRIO 2

vector registers: 12 of 64 for 8 waves
occupancy here 8, function 8

VGPR 5
  used later, after this region: 2 in 2 registers
    %pair   1  from line 19; read at line 28, 2 on; lives 9; rematerializable in 2 places in bb.1 (line 24)
    %sum    1  from line 24 and 1 other; read at line 27, 1 on; lives 4; not rematerializable: it has several definitions
  only passing through this region: 3 in 3 registers
    %far   1  from line 10; read at line 33 (bb.2:0); lives 20; not rematerializable
    %k     1  from line 11; read at line 27, 1 on; lives 19; rematerializable in bb.1 (line 27), bb.2 (line 37)
    %l     1  from line 12; read at line 37 (bb.2:3); lives 18; rematerializable in bb.2 (line 37)

SGPR 1
  only passing through this region: 1 in 1 register
    %s   1  from line 13; read at line 29, 3 on; lives 15; not rematerializable

AGPR 4
  only passing through this region: 4 in 1 register
    %ag   4  from line 14; read at line 37 (bb.2:3); lives 16; rematerializable in bb.2 (line 37)

== 28
VGPR 5, SGPR 1, AGPR 4 at line 28 (bb.1:9 of @f)
gfx90a wave64, LLVM 22.1.8

  %other:vgpr_32 = V_ADD_U32_e32 %end, %pair.sub1, implicit $exec

vector registers: 12 of 64 for 8 waves
occupancy here 8, function 8

VGPR 5
  used soon, in this region: 2 in 2 registers
    %pair   1  from line 19; read here; lives 9; rematerializable in 2 places in bb.1 (line 24)
    %end    1  from line 27; read here; lives 1; not rematerializable: it is used only in the region of its definition
  used later, after this region: 1 in 1 register
    %k   1  from line 11; read at line 37 (bb.2:3); lives 19; rematerializable in bb.1 (line 27), bb.2 (line 37)
  only passing through this region: 2 in 2 registers
    %far   1  from line 10; read at line 33 (bb.2:0); lives 20; not rematerializable
    %l     1  from line 12; read at line 37 (bb.2:3); lives 18; rematerializable in bb.2 (line 37)

SGPR 1
  used soon, in this region: 1 in 1 register
    %s   1  from line 13; read at line 29, 1 on; lives 15; not rematerializable

AGPR 4
  only passing through this region: 4 in 1 register
    %ag   4  from line 14; read at line 37 (bb.2:3); lives 16; rematerializable in bb.2 (line 37)

== 29
VGPR 4, SGPR 1, AGPR 4 at line 29 (bb.1:10 of @f)
gfx90a wave64, LLVM 22.1.8

  S_CMP_EQ_U32 %s, 0, implicit-def $scc

vector registers: 8 of 64 for 8 waves
occupancy here 8, function 8

VGPR 4
  used later, after this region: 2 in 2 registers
    %k       1  from line 11; read at line 37 (bb.2:3); lives 19; rematerializable in bb.1 (line 27), bb.2 (line 37)
    %other   1  from line 28; read at line 37 (bb.2:3); lives 5; not rematerializable: operand %end is not available at bb.2:3 (line 37)
  only passing through this region: 2 in 2 registers
    %far   1  from line 10; read at line 33 (bb.2:0); lives 20; not rematerializable
    %l     1  from line 12; read at line 37 (bb.2:3); lives 18; rematerializable in bb.2 (line 37)

SGPR 1
  used soon, in this region: 1 in 1 register
    %s   1  from line 13; read here; lives 15; not rematerializable

AGPR 4
  only passing through this region: 4 in 1 register
    %ag   4  from line 14; read at line 37 (bb.2:3); lives 16; rematerializable in bb.2 (line 37)

== 30
VGPR 4, SGPR 1, AGPR 4 at line 30 (bb.1:11 of @f)
gfx90a wave64, LLVM 22.1.8

  S_CBRANCH_SCC1 %bb.1, implicit $scc

vector registers: 8 of 64 for 8 waves
occupancy here 8, function 8

VGPR 4
  used later, after this region: 2 in 2 registers
    %k       1  from line 11; read at line 37 (bb.2:3); lives 19; rematerializable in bb.1 (line 27), bb.2 (line 37)
    %other   1  from line 28; read at line 37 (bb.2:3); lives 5; not rematerializable: operand %end is not available at bb.2:3 (line 37)
  only passing through this region: 2 in 2 registers
    %far   1  from line 10; read at line 33 (bb.2:0); lives 20; not rematerializable
    %l     1  from line 12; read at line 37 (bb.2:3); lives 18; rematerializable in bb.2 (line 37)

SGPR 1
  used later, after this region: 1 in 1 register
    %s   1  from line 13; read at line 29 (bb.1:10); lives 15; not rematerializable

AGPR 4
  only passing through this region: 4 in 1 register
    %ag   4  from line 14; read at line 37 (bb.2:3); lives 16; rematerializable in bb.2 (line 37)

== 32
no instruction here

== 33
VGPR 5, AGPR 4 at line 33 (bb.2:0 of @f)
gfx90a wave64, LLVM 22.1.8

  BUNDLE implicit-def %b:vgpr_32, implicit %far, implicit $exec {

vector registers: 12 of 64 for 8 waves
occupancy here 8, function 8

VGPR 5
  used soon, in this region: 5 in 5 registers
    %far     1  from line 10; read here; lives 20; not rematerializable
    %k       1  from line 11; read at line 37, 3 on; lives 19; rematerializable in bb.1 (line 27), bb.2 (line 37)
    %l       1  from line 12; read at line 37, 3 on; lives 18; rematerializable in bb.2 (line 37)
    %other   1  from line 28; read at line 37, 3 on; lives 5; not rematerializable: operand %end is not available at bb.2:3 (line 37)
    %b       1  defined here and 1 other; read at line 37, 3 on; lives 1; not rematerializable: it has several definitions

AGPR 4
  used soon, in this region: 4 in 1 register
    %ag   4  from line 14; read at line 37, 3 on; lives 16; rematerializable in bb.2 (line 37)

== 36
no instruction here

== 43
no instruction here

== 1
no instruction here

== 2
no instruction here

== 52
nothing at line 52 (bb.0:0 of @allocated)
gfx90a wave64, LLVM 22.1.8

  $vgpr0 = V_MOV_B32_e32 0, implicit $exec

allocated: VGPR 1 (1 of 64): occupancy 8: no pressure to explain

== 60
nothing at line 60 (bb.0:0 of @generic)
gfx90a wave64, LLVM 22.1.8

  %0:_(s32) = G_CONSTANT i32 0

generic registers: banks sgpr 3 x 32 bit (estimate, banks by divergence): no pressure to explain
  sgpr 3 x 32 bit: 1 s32, 1 s64

== 68
no pressure: llc rejects @broken: Cannot determine class/bank of virtual register 0 in function 'broken'

== 71
no instruction here
`;

const whyOf = (line: number): WhyResult => {
  const { snapshot } = openText(FUNCTIONS_OF_ALL_KINDS);
  return provideWhy(snapshot, { textDocument: { uri: '' }, position: { line: line - 1, character: 8 } }) as WhyResult;
};

describeParts('reports on why the pressure is so', REPORTS, (head) => {
  const { report } = whyOf(Number(head.slice(3)));
  assert.match(report, /[^\n]\n$/);
  return `${head}\n${report.slice(0, -1)}`;
});

describe('why the pressure is so', () => {
  const show = (range: Range | null): string =>
    range === null ? '' : `${range.start.line + 1}:${range.start.character}-${range.end.character}`;
  const fields = (r: WhyRegister): string =>
    [
      ...[r.register, r.weight, r.class, show(r.definition), r.nDefinitions, r.isDefinedHere, show(r.nextUse)],
      ...[r.distance, r.nextUsePlace, r.lives, r.isRematerializable],
    ].join(' ');
  const DATA: readonly (readonly unknown[])[] = [
    [
      21,
      'f',
      'gfx90a wave64, LLVM 22.1.8',
      'bb.1:2',
      '21:4-70',
      [
        [
          'VGPR',
          6,
          [
            [
              'soon',
              3,
              [
                '%pair 2 vreg_64_align2 19:4-39 1 false 24:4-65 3 bb.1:5 9 true',
                '%wide 1 vreg_128_align2 21:4-70 2 true 23:4-71 2 bb.1:4 2 false',
              ],
            ],
            [
              'through',
              3,
              [
                '%far 1 vgpr_32 10:4-30 1 false 33:4-67 -1 bb.2:0 20 false',
                '%k 1 vgpr_32 11:4-48 1 false 27:4-57 6 bb.1:8 19 true',
                '%l 1 vgpr_32 12:4-48 1 false 37:4-99 -1 bb.2:3 18 true',
              ],
            ],
          ],
        ],
        ['SGPR', 1, [['through', 1, ['%s 1 sreg_32 13:4-28 1 false 29:4-41 8 bb.1:10 15 false']]]],
        ['AGPR', 4, [['through', 4, ['%ag 4 areg_128_align2 14:4-38 1 false 37:4-99 -1 bb.2:3 16 true']]]],
      ],
    ],
    [
      29,
      'f',
      'gfx90a wave64, LLVM 22.1.8',
      'bb.1:10',
      '29:4-41',
      [
        [
          'VGPR',
          4,
          [
            [
              'later',
              2,
              [
                '%k 1 vgpr_32 11:4-48 1 false 37:4-99 -1 bb.2:3 19 true',
                '%other 1 vgpr_32 28:4-67 1 false 37:4-99 -1 bb.2:3 5 false',
              ],
            ],
            [
              'through',
              2,
              [
                '%far 1 vgpr_32 10:4-30 1 false 33:4-67 -1 bb.2:0 20 false',
                '%l 1 vgpr_32 12:4-48 1 false 37:4-99 -1 bb.2:3 18 true',
              ],
            ],
          ],
        ],
        ['SGPR', 1, [['soon', 1, ['%s 1 sreg_32 13:4-28 1 false 29:4-41 0 bb.1:10 15 false']]]],
        ['AGPR', 4, [['through', 4, ['%ag 4 areg_128_align2 14:4-38 1 false 37:4-99 -1 bb.2:3 16 true']]]],
      ],
    ],
  ];
  for (const wanted of DATA)
    it(`line ${wanted[0] as number} as data`, () => {
      const r = whyOf(wanted[0] as number);
      const banks = r.banks.map((b) => [
        b.bank,
        b.pressure,
        b.groups.map((g) => [g.kind, g.weight, g.registers.map(fields)]),
      ]);
      assert.deepEqual([wanted[0], r.function, r.target, r.place, show(r.range), banks], wanted);
    });

  it('nothing as data where there is nothing to explain', () => {
    for (const [line, name] of [
      [1, 'f'],
      [2, 'f'],
      [68, 'broken'],
      [71, 'bodyless'],
    ] as const) {
      const { report: _, ...rest } = whyOf(line);
      assert.deepEqual(rest, {
        function: name,
        target: 'gfx90a wave64, LLVM 22.1.8',
        range: null,
        place: '',
        banks: [],
      });
    }
  });
});

/** Rematerializations as text: every line of the edited function, and what the choice does. */
import assert from 'node:assert/strict';
import { hoistEdit, rematEdit, type RematEdit } from '../../../../server/src/features/remat/rematEdit.js';
import { provideWhatIf, type WhatIf } from '../../../../server/src/features/remat/whatIf.js';
import type { FunctionView, Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { applied } from '../../../support/editing.js';
import { atCursor, openText } from '../../../support/cursor.js';
import { expect, type Expectation } from '../../../support/expect.js';
import { beforeOf, checkEdit, shown } from '../../../support/shown.js';
import { nameOf } from '../../../../server/src/features/words/registerNames.js';

const HEAD = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s
---
name: f
tracksRegLiveness: true
`;

/** A function: its blocks, or more of its header, `body: |` and its blocks. */
const textOf = (lines: string): string =>
  `${HEAD}${lines.includes('body: |') ? '' : 'body: |\n'}${lines.trimEnd()}\n...\n`;

/** What `textOf` made a function of; line ends are all of one kind. */
function linesOf(text: string, given: string): string {
  const isCRLF = text.includes('\r');
  if (isCRLF) assert.ok(!/[^\r]\n/.test(text), 'a line ends without a carriage return');
  const [start = '', end = ''] = textOf(given).split(given);
  const lines = text.replaceAll('\r\n', '\n');
  assert.ok(lines.startsWith(start) && lines.endsWith(end), 'the rest stays');
  return lines.slice(start.length, lines.length - end.length);
}

interface Case {
  readonly name: string;
  /** that are rematerialized at all their places */
  readonly registers: readonly string[];
  /** the blocks, or the header below `tracksRegLiveness` and they */
  readonly edit: Expectation;
  readonly answer: Expectation;
}

const CASES: readonly Case[] = [
  {
    name: 'one use',
    registers: ['%1'],
    edit: expect`
          bb.0:
            liveins: $vgpr0

            %0:vgpr_32 = COPY $vgpr0
            ; CHECK: x
      -     %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec ; one
      +     ; one
            S_NOP 0, implicit %0

          bb.1:
            %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
            ; the sum
      +     %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
            S_NOP 0, implicit %2, implicit %1
            S_ENDPGM 0
    `,
    answer: expect`
      {
        function: 'f', effect: 'VGPR -1 in 1 region, occupancy stays 10', occupancyBefore: 10, occupancyAfter: 10,
        registers: [
          {
            register: '%1', place: 'line 11, before bb.1', alone: 'VGPR -1 in 1 region, occupancy stays 10',
            why: 'reads no virtual register', conflict: '',
          },
        ],
        leftOut: [],
      }
    `,
  },
  {
    name: 'two regions, a list of registers, kills',
    registers: ['%1'],
    edit: expect`
        registers:
          - { id: 0, class: vgpr_32 }
          - { id:  1, class: vgpr_32, preferred-register: '' }
      +   - { id:  4, class: vgpr_32, preferred-register: '' }
        body: |
          bb.0:
            liveins: $vgpr0

            %0 = COPY $vgpr0
      -     %1 = V_MOV_B32_e32 1, implicit $exec
      -     DBG_VALUE %1, $noreg
      +     DBG_VALUE $noreg, $noreg
            S_NOP 0, implicit %0

          bb.1:
      +     %1 = V_MOV_B32_e32 1, implicit $exec
            S_NOP 0, implicit %1, implicit %1
      -     %2:vgpr_32 = V_ADD_U32_e32 %1, %1, implicit $exec
      +     %2:vgpr_32 = V_ADD_U32_e32 %1, killed %1, implicit $exec
            DBG_VALUE %1, $noreg

          bb.2:
      -     DBG_VALUE %1, $noreg
      -     %3:vgpr_32 = V_ADD_U32_e32 killed %1, %2, implicit $exec
      +     DBG_VALUE $noreg, $noreg
      +     %4 = V_MOV_B32_e32 1, implicit $exec
      +     %3:vgpr_32 = V_ADD_U32_e32 killed %4, %2, implicit $exec
            S_NOP 0, implicit %3
      -     DBG_VALUE %1, $noreg
      +     DBG_VALUE %4, $noreg
            S_ENDPGM 0
    `,
    answer: expect`
      {
        function: 'f', effect: 'VGPR -1 in 2 regions, occupancy stays 10', occupancyBefore: 10, occupancyAfter: 10,
        registers: [
          {
            register: '%1', place: 'line 13, before bb.1, bb.2', alone: 'VGPR -1 in 2 regions, occupancy stays 10',
            why: 'reads no virtual register', conflict: '',
          },
          {
            register: '%2', place: 'line 19, before bb.2', alone: 'VGPR -1 in 1 region, occupancy stays 10',
            why: '%1 is live there with the same value', conflict: '%1 is rematerialized',
          },
        ],
        leftOut: [],
      }
    `,
  },
  {
    name: 'names',
    registers: ['%one', '%one_1'],
    edit: expect`
          bb.0:
      -     %one:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      -     %one_1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
            S_NOP 0

          bb.1:
      +     %one:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      +     %one_1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
            S_NOP 0, implicit %one, implicit %one_1

          bb.2:
      -     S_NOP 0, implicit %one, implicit %one_1
      +     %one_2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      +     %one_1_1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
      +     S_NOP 0, implicit %one_2, implicit %one_1_1
            S_ENDPGM 0
    `,
    answer: expect`
      {
        function: 'f', effect: 'VGPR -2 in 1 region, occupancy stays 10', occupancyBefore: 10, occupancyAfter: 10,
        registers: [
          {
            register: '%one', place: 'line 7, before bb.1, bb.2', alone: 'VGPR -1 in 1 region, occupancy stays 10',
            why: 'reads no virtual register', conflict: '',
          },
          {
            register: '%one_1', place: 'line 8, before bb.1, bb.2', alone: 'VGPR -1 in 1 region, occupancy stays 10',
            why: 'reads no virtual register', conflict: '',
          },
        ],
        leftOut: [],
      }
    `,
  },
  {
    name: 'operands',
    registers: ['%v', '%w'],
    edit: expect`
          bb.0:
            liveins: $sgpr0

            %s:sreg_32 = COPY $sgpr0
            %k:sreg_32 = S_MOV_B32 5
      -     %v:vgpr_32 = V_MOV_B32_e32 %s, implicit $exec
            %w:vgpr_32 = V_MOV_B32_e32 killed %k, implicit $exec, debug-instr-number 3
            S_NOP 0

          bb.1:
      +     %v:vgpr_32 = V_MOV_B32_e32 %s, implicit $exec
            S_NOP 0, implicit %v, implicit %s, implicit %w
            S_ENDPGM 0
    `,
    answer: expect`
      {
        function: 'f', effect: 'VGPR -1 in 1 region, occupancy stays 10', occupancyBefore: 10, occupancyAfter: 10,
        registers: [
          {
            register: '%v', place: 'line 11, before bb.1', alone: 'VGPR -1 in 1 region, occupancy stays 10',
            why: '%s is live there with the same value', conflict: '',
          },
        ],
        leftOut: [],
      }
    `,
  },
];

const ask = (text: string, registers: readonly string[], withEdits = true): [WhatIf, string] => {
  const { snapshot, position } = atCursor(text.replace('name: f', 'name: $0f'));
  const found = provideWhatIf(snapshot, { textDocument: { uri: '' }, position, registers, withEdits })!;
  return [found, found.edits === null ? '' : applied(snapshot, found.edits)];
};

describe('rematerialized text', () => {
  for (const { name, registers, edit, answer } of CASES)
    for (const eol of ['\n', '\r\n'])
      it(`${name}${eol === '\n' ? '' : ', with carriage returns'}`, () =>
        checkEdit(edit, (given) => {
          const [{ edits: _, ...found }, made] = ask(textOf(given).replaceAll('\n', eol), registers);
          answer.equals(shown(found));
          return linesOf(made, given);
        }));

  it('no edit unless it is asked for, none for no register', () => {
    const { edit, registers } = CASES[0]!;
    const text = textOf(beforeOf(edit.text));
    assert.equal(ask(text, registers, false)[0].edits, null);
    const [none] = ask(text, []);
    assert.deepEqual(
      [none.edits, none.effect, none.leftOut],
      [null, 'no region changes its live peak, occupancy stays 10', []],
    );
    assert.deepEqual(ask(text, ['%0', '%77'])[0].leftOut, []);
  });

  it('a register that reads another one is left out beside it', () => {
    const text = textOf(beforeOf(CASES[1]!.edit.text));
    const [found] = ask(text, ['%1', '%2']);
    assert.deepEqual(found.leftOut, ['%2']);
    assert.deepEqual(
      found.registers.map((r) => [r.register, r.conflict]),
      [
        ['%1', ''],
        ['%2', '%1 is rematerialized'],
      ],
    );
    assert.deepEqual(
      ask(text, ['%2'])[0].registers.map((r) => r.conflict),
      ['%2 is rematerialized', ''],
    );
  });
});

/** The text after edits whose offsets ascend. */
function after(text: string, { edits }: RematEdit): string {
  let result = '';
  let at = 0;
  for (const edit of edits) {
    assert.ok(at <= edit.start && edit.start <= edit.end, 'ascending, no overlap');
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

const opened = (text: string): readonly [Snapshot, FunctionView] => {
  const { snapshot } = openText(text);
  return [snapshot, snapshot.functions[0]!];
};

/** The edit that computes registers again at all their legal places, or at those of the given numbers. */
function again(text: string, names: readonly string[], places: readonly number[] | null = null): RematEdit | null {
  const [snapshot, view] = opened(text);
  const choices = names.map((name) => {
    const candidate = view.remat!.candidates.candidates.find((c) => nameOf(view.fn!, c.vreg) === name)!;
    return { candidate, groups: places === null ? candidate.groups : places.map((k) => candidate.groups[k]!) };
  });
  return rematEdit(snapshot, view, choices);
}

interface Copies {
  readonly title: string;
  readonly names: readonly string[];
  readonly places?: readonly number[];
  readonly edit: Expectation;
  /** before which instruction, in which region */
  readonly copies?: readonly (readonly [before: number, region: number])[];
  readonly removed?: readonly number[];
}

/** Of which there is no edit. */
type Refused = Pick<Copies, 'title' | 'names' | 'places'> & { readonly body: string };

const COPIES: readonly Copies[] = [
  {
    title: 'blanks stay; the copy stands as far in as what it is before; a comment stays where it was',
    names: ['%1'],
    copies: [[2, 1]],
    removed: [0],
    edit: expect`
          bb.0:
      -       %1:vgpr_32   =  V_MOV_B32_e32  1,   implicit $exec   ; one ; two
      +       ; one ; two
            S_NOP 0

          bb.1:
      +         %1:vgpr_32   =  V_MOV_B32_e32  1,   implicit $exec
                S_NOP 0, implicit %1
            S_ENDPGM 0
    `,
  },
  {
    title: 'a copy has the class that another line gave the register',
    names: ['%1'],
    copies: [
      [2, 1],
      [3, 2],
    ],
    removed: [0],
    edit: expect`
          bb.0:
      -     %1 = V_MOV_B32_e32 1, implicit $exec
            S_NOP 0

          bb.1:
      +     %1 = V_MOV_B32_e32 1, implicit $exec
            S_NOP 0, implicit %1:vgpr_32

          bb.2:
      -     S_NOP 0, implicit %1
      +     %2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      +     S_NOP 0, implicit %2
            S_ENDPGM 0
    `,
  },
  {
    title: 'a part of a register, its class after the part',
    names: ['%4'],
    edit: expect`
          bb.0:
      -     undef %4.sub1 = V_MOV_B32_e32 1, implicit $exec
            S_NOP 0

          bb.1:
      +     undef %4.sub1 = V_MOV_B32_e32 1, implicit $exec
            S_NOP 0, implicit %4.sub1:vreg_64

          bb.2:
      -     S_NOP 0, implicit %4.sub1
      +     undef %5.sub1:vreg_64 = V_MOV_B32_e32 1, implicit $exec
      +     S_NOP 0, implicit %5.sub1
            S_ENDPGM 0
    `,
  },
  {
    title:
      'entries for those that have one alone on its line, after the last; several copies in the order of their definitions',
    names: ['%9', '%2', '%1'],
    copies: [
      [4, 1],
      [4, 1],
      [4, 1],
      [5, 2],
      [5, 2],
      [5, 2],
    ],
    removed: [0, 1, 2],
    edit: expect`
        registers:
          - { id: 9, class: vgpr_32 }
          - { id: 1, class: vgpr_32 } # one
          -   { class: vgpr_32, id:   2 }
          - { id: 3, class: vgpr_32 }
      +   -   { class: vgpr_32, id:   11 }
      +   - { id: 12, class: vgpr_32 }
        body: |
          bb.0:
      -     %1 = V_MOV_B32_e32 1, implicit $exec
      -     %2 = V_MOV_B32_e32 2, implicit $exec
      -     %9 = V_MOV_B32_e32 3, implicit $exec
            S_NOP 0

          bb.1:
      +     %1 = V_MOV_B32_e32 1, implicit $exec
      +     %2 = V_MOV_B32_e32 2, implicit $exec
      +     %9 = V_MOV_B32_e32 3, implicit $exec
            S_NOP 0, implicit %1, implicit %2, implicit %9

          bb.2:
      -     S_NOP 0, implicit %1, implicit %2, implicit %9
      +     %10:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      +     %11 = V_MOV_B32_e32 2, implicit $exec
      +     %12 = V_MOV_B32_e32 3, implicit $exec
      +     S_NOP 0, implicit %10, implicit %11, implicit %12
            S_ENDPGM 0
    `,
  },
  {
    title: 'at one of two places: the definition stays, the copy is another register',
    names: ['%1'],
    places: [1],
    copies: [[3, 2]],
    removed: [],
    edit: expect`
          bb.0:
            %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec, debug-instr-number 3
            S_NOP 0

          bb.1:
            S_NOP 0, implicit %1

          bb.2:
      -     S_NOP 0, implicit %1
      +     %2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      +     S_NOP 0, implicit %2
            S_ENDPGM 0
    `,
  },
  {
    title: 'kills: the last read of each region has one, where it is an operand of its own and of the whole register',
    names: ['%1'],
    removed: [1],
    edit: expect`
          bb.0:
            %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      -     %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
            S_NOP 0

          bb.1:
      +     %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
            %2:vgpr_32 = V_ADD_U32_e32 %1, %1, implicit $exec
      -     %3:vgpr_32 = V_ADD_U32_e32 %1, %0, implicit $exec, implicit %1
      +     %3:vgpr_32 = V_ADD_U32_e32 killed %1, %0, implicit $exec, implicit %1

          bb.2:
      -     S_NOP 0, implicit %1
      +     %5:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      +     S_NOP 0, implicit %5

          bb.3:
      -     %4:vgpr_32 = V_FMAC_F32_e32 %0, %0, %1, implicit $mode, implicit $exec
      +     %6:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      +     %4:vgpr_32 = V_FMAC_F32_e32 %0, %0, %6, implicit $mode, implicit $exec

          bb.4:
      -     S_NOP 0, implicit killed %1
      +     %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      +     S_NOP 0, implicit killed %7
            S_ENDPGM 0
    `,
  },
  {
    title: 'no kills where there was none; a part of the register is never marked',
    names: ['%5', '%6'],
    edit: expect`
          bb.0:
      -     %5:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      -     undef %6.sub0:vreg_64 = V_MOV_B32_e32 1, implicit $exec
            S_NOP 0

          bb.1:
      +     %5:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      +     undef %6.sub0:vreg_64 = V_MOV_B32_e32 1, implicit $exec
            %7:vgpr_32 = V_ADD_U32_e32 %6.sub0, %5, implicit $exec

          bb.2:
      -     %8:vgpr_32 = V_ADD_U32_e32 killed %6.sub0, %5, implicit $exec
      +     %9:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      +     undef %10.sub0:vreg_64 = V_MOV_B32_e32 1, implicit $exec
      +     %8:vgpr_32 = V_ADD_U32_e32 killed %10.sub0, %9, implicit $exec
            S_ENDPGM 0
    `,
  },
  {
    title: 'debug values name the nearest copy before them in their block, or no register',
    names: ['%1'],
    copies: [
      [4, 2],
      [8, 1],
    ],
    edit: expect`
          bb.0:
      -     %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec, debug-instr-number 3
            S_NOP 0
      -     DBG_VALUE %1, $noreg
      +     DBG_VALUE $noreg, $noreg

          bb.1:
      -     DBG_VALUE %1, $noreg
      +     DBG_VALUE $noreg, $noreg
      +     %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec, debug-instr-number 3
            S_NOP 1, implicit %1
            DBG_VALUE %1, %1
            SCHED_BARRIER 0
            DBG_VALUE %1, $noreg
      -     S_NOP 2, implicit %1
      -     DBG_VALUE %1, $noreg
      +     %2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      +     S_NOP 2, implicit %2
      +     DBG_VALUE %2, $noreg

          bb.2:
      -     DBG_VALUE %1, $noreg
      +     DBG_VALUE $noreg, $noreg
            S_ENDPGM 0
    `,
  },
  {
    title: 'debug values keep a definition that stays, but after a copy',
    names: ['%k'],
    removed: [],
    edit: expect`
          bb.0:
            %k:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
            S_NOP 0, implicit %k
            DBG_VALUE %k, $noreg

          bb.1:
            DBG_VALUE %k, $noreg
      -     S_NOP 1, implicit %k
      -     DBG_VALUE %k, $noreg
      +     %k_1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      +     S_NOP 1, implicit %k_1
      +     DBG_VALUE %k_1, $noreg
            S_ENDPGM 0
    `,
  },
  {
    title: 'a user that is spelled otherwise may stay as it is',
    names: ['%1'],
    edit: expect`
          bb.0:
      -     %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
            S_NOP 0

          bb.1:
      +     %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
            S_ENDPGM 0, implicit %01
    `,
  },
];

const REFUSED: readonly Refused[] = [
  {
    title: 'no edit of a definition that is spelled otherwise',
    names: ['%1'],
    body: `  bb.0:
    %01:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_NOP 0

  bb.1:
    S_ENDPGM 0, implicit %1
`,
  },
  {
    title: 'no edit of a user that is spelled otherwise and would be renamed',
    names: ['%1'],
    places: [1],
    body: `  bb.0:
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_NOP 0

  bb.1:
    S_NOP 0, implicit %1

  bb.2:
    S_ENDPGM 0, implicit %01
`,
  },
  {
    title: 'no edit of a debug value that is spelled otherwise and would be renamed',
    names: ['%1'],
    body: `  bb.0:
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    DBG_VALUE %01, $noreg

  bb.1:
    S_ENDPGM 0, implicit %1
`,
  },
  {
    title: 'no edit for two of which one reads the other',
    names: ['%1', '%2'],
    body: `  bb.0:
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %2:vgpr_32 = V_NOT_B32_e32 %1, implicit $exec
    S_NOP 0

  bb.1:
    S_ENDPGM 0, implicit %1, implicit %2
`,
  },
];

/** What is told beside the text. */
function checkPlaces(edit: RematEdit, { copies, removed }: Copies): void {
  if (copies)
    assert.deepEqual(
      edit.copies,
      copies.map(([before, region]) => ({ before, region })),
    );
  if (removed) assert.deepEqual(edit.removed, removed);
}

describe('edits of rematerializations', () => {
  for (const known of COPIES)
    it(known.title, () => {
      for (const order of [known.names, [...known.names].reverse()])
        checkEdit(known.edit, (given) => {
          const edit = again(textOf(given), order, known.places)!;
          checkPlaces(edit, known);
          return linesOf(after(textOf(given), edit), given);
        });
    });

  for (const { title, names, places, body } of REFUSED)
    it(title, () => {
      for (const order of [names, [...names].reverse()]) assert.equal(again(textOf(body), order, places), null);
    });

  it('none for no register, and none for a function that is not understood', () => {
    const text = textOf(beforeOf(COPIES[0]!.edit.text));
    assert.equal(again(text, []), null);
    const [snapshot, view] = opened(text);
    const [candidate] = view.remat!.candidates.candidates;
    const choices = [{ candidate: candidate!, groups: candidate!.groups }];
    assert.notEqual(rematEdit(snapshot, view, choices), null);
    assert.equal(rematEdit(snapshot, { fn: null } as FunctionView, choices), null);
    const hoist = { defs: [0], vregs: [0], block: 0, before: -1, beside: 0 };
    assert.equal(hoistEdit(snapshot, { fn: null } as FunctionView, hoist), null);
  });
});

const BACK: readonly Copies[] = [
  {
    title: 'several become one before the branch: no kills, debug values follow',
    names: ['%7', '%8', '%9'],
    copies: [[1, 0]],
    removed: [2, 6, 8],
    edit: expect`
          bb.0:
            %0:vgpr_32 = V_MOV_B32_e32 5, implicit $exec
      +       %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
              S_CBRANCH_SCC1 %bb.2, implicit undef $scc

          bb.1:
      -     %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec ; seven
      +     ; seven
            DBG_VALUE %7, $noreg
      -     S_NOP 0, implicit killed %7
      +     S_NOP 0, implicit %7
            SCHED_BARRIER 0
      -     %8:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      -     S_NOP 1, implicit killed %8
      +     S_NOP 1, implicit %7

          bb.2:
      -       %9:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      -       DBG_VALUE %9, $noreg
      -     %4:vgpr_32 = V_ADD_U32_e32 killed %9, %0, implicit $exec
      +       DBG_VALUE %7, $noreg
      +     %4:vgpr_32 = V_ADD_U32_e32 %7, %0, implicit $exec
            S_ENDPGM 0, implicit %4
    `,
  },
  {
    title: 'one goes after the last line of its block, with its number; what it killed lives on',
    names: ['%2'],
    copies: [[2, 0]],
    removed: [2],
    edit: expect`
          bb.0:
            %0:vgpr_32 = V_MOV_B32_e32 5, implicit $exec
              S_NOP 0 ; last
      +       %2:vgpr_32 = V_NOT_B32_e32 %0, implicit $exec, debug-instr-number 4
            ; after

          bb.1:
      -     %2:vgpr_32 = V_NOT_B32_e32 killed %0, implicit $exec, debug-instr-number 4
      -     S_NOP 1, implicit killed %2
      +     S_NOP 1, implicit %2
            S_ENDPGM 0
    `,
  },
  {
    title: 'the first of them stays where it is when it dominates the others',
    names: ['%one', '%two'],
    copies: [],
    removed: [3],
    edit: expect`
          bb.0:
            S_NOP 0
            %one:vgpr_32 = V_MOV_B32_e32 1, implicit $exec ; stays
      -     S_NOP 0, implicit killed %one
      +     S_NOP 0, implicit %one

          bb.1:
      -     %two:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
      -     S_ENDPGM 0, implicit killed %two
      +     S_ENDPGM 0, implicit %one
    `,
  },
];

const NOT_BACK: readonly Refused[] = [
  {
    title: 'not of a definition that is spelled otherwise',
    names: ['%2'],
    body: `  bb.0:
    S_NOP 0

  bb.1:
    %02:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0, implicit %2
`,
  },
  {
    title: 'not of a user that is spelled otherwise',
    names: ['%2'],
    body: `  bb.0:
    S_NOP 0

  bb.1:
    %2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0, implicit %02
`,
  },
];

/** The edit of the way back that each name asks for. */
const hoists = (text: string, names: readonly string[]): (RematEdit | null)[] => {
  const [snapshot, view] = opened(text);
  return names.map((name) => {
    const vreg = [...Array(view.fn!.vregs.n).keys()].find((v) => nameOf(view.fn!, v) === name)!;
    return hoistEdit(snapshot, view, view.remat!.hoistOf(vreg)!);
  });
};

describe('edits of the way back', () => {
  for (const eol of ['\n', '\r\n']) {
    const how = eol === '\n' ? '' : ', with carriage returns';
    for (const known of BACK)
      it(known.title + how, () => {
        for (let k = 0; k < known.names.length; k++)
          checkEdit(known.edit, (given) => {
            const text = textOf(given).replaceAll('\n', eol);
            const edit = hoists(text, known.names)[k]!;
            checkPlaces(edit, known);
            return linesOf(after(text, edit), given);
          });
      });

    for (const { title, names, body } of NOT_BACK)
      it(title + how, () =>
        assert.deepEqual(
          hoists(textOf(body).replaceAll('\n', eol), names),
          names.map(() => null),
        ),
      );
  }
});

/** Rematerializations as text: every line of the edited function, and what the choice does. */
import assert from 'node:assert/strict';
import { provideWhatIf, type WhatIf } from '../../../../server/src/features/remat/whatIf.js';
import { applied } from '../../../support/editing.js';
import { atBar } from '../../../support/cursor.js';

interface Case {
  readonly name: string;
  readonly text: string;
  /** that are rematerialized at all their places */
  readonly registers: readonly string[];
  readonly answer: Omit<WhatIf, 'edits'>;
  readonly after: string;
}

const CASES: readonly Case[] = [
  {
    name: 'one use',
    text: `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    ; CHECK: x
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec ; one
    S_NOP 0, implicit %0

  bb.1:
    %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    ; the sum
    S_NOP 0, implicit %2, implicit %1
    S_ENDPGM 0
...
`,
    registers: ['%1'],
    answer: {
      function: 'f',
      effect: 'VGPR -1 in 1 region, occupancy stays 10',
      occupancyBefore: 10,
      occupancyAfter: 10,
      registers: [
        {
          register: '%1',
          place: 'line 11, before bb.1',
          alone: 'VGPR -1 in 1 region, occupancy stays 10',
          why: 'reads no virtual register',
          conflict: '',
        },
      ],
      leftOut: [],
    },
    after: `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    ; CHECK: x
    ; one
    S_NOP 0, implicit %0

  bb.1:
    %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    ; the sum
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_NOP 0, implicit %2, implicit %1
    S_ENDPGM 0
...
`,
  },
  {
    name: 'two regions, a list of registers, kills',
    text: `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s
---
name: f
tracksRegLiveness: true
registers:
  - { id: 0, class: vgpr_32 }
  - { id:  1, class: vgpr_32, preferred-register: '' }
body: |
  bb.0:
    liveins: $vgpr0

    %0 = COPY $vgpr0
    %1 = V_MOV_B32_e32 1, implicit $exec
    DBG_VALUE %1, $noreg
    S_NOP 0, implicit %0

  bb.1:
    S_NOP 0, implicit %1, implicit %1
    %2:vgpr_32 = V_ADD_U32_e32 %1, %1, implicit $exec
    DBG_VALUE %1, $noreg

  bb.2:
    DBG_VALUE %1, $noreg
    %3:vgpr_32 = V_ADD_U32_e32 killed %1, %2, implicit $exec
    S_NOP 0, implicit %3
    DBG_VALUE %1, $noreg
    S_ENDPGM 0
...
`,
    registers: ['%1'],
    answer: {
      function: 'f',
      effect: 'VGPR -1 in 2 regions, occupancy stays 10',
      occupancyBefore: 10,
      occupancyAfter: 10,
      registers: [
        {
          register: '%1',
          place: 'line 13, before bb.1, bb.2',
          alone: 'VGPR -1 in 2 regions, occupancy stays 10',
          why: 'reads no virtual register',
          conflict: '',
        },
        {
          register: '%2',
          place: 'line 19, before bb.2',
          alone: 'VGPR -1 in 1 region, occupancy stays 10',
          why: '%1 is live there with the same value',
          conflict: '%1 is rematerialized',
        },
      ],
      leftOut: [],
    },
    after: `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s
---
name: f
tracksRegLiveness: true
registers:
  - { id: 0, class: vgpr_32 }
  - { id:  1, class: vgpr_32, preferred-register: '' }
  - { id:  4, class: vgpr_32, preferred-register: '' }
body: |
  bb.0:
    liveins: $vgpr0

    %0 = COPY $vgpr0
    DBG_VALUE $noreg, $noreg
    S_NOP 0, implicit %0

  bb.1:
    %1 = V_MOV_B32_e32 1, implicit $exec
    S_NOP 0, implicit %1, implicit %1
    %2:vgpr_32 = V_ADD_U32_e32 %1, killed %1, implicit $exec
    DBG_VALUE %1, $noreg

  bb.2:
    DBG_VALUE $noreg, $noreg
    %4 = V_MOV_B32_e32 1, implicit $exec
    %3:vgpr_32 = V_ADD_U32_e32 killed %4, %2, implicit $exec
    S_NOP 0, implicit %3
    DBG_VALUE %4, $noreg
    S_ENDPGM 0
...
`,
  },
  {
    name: 'names',
    text: `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %one:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %one_1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    S_NOP 0

  bb.1:
    S_NOP 0, implicit %one, implicit %one_1

  bb.2:
    S_NOP 0, implicit %one, implicit %one_1
    S_ENDPGM 0
...
`,
    registers: ['%one', '%one_1'],
    answer: {
      function: 'f',
      effect: 'VGPR -2 in 1 region, occupancy stays 10',
      occupancyBefore: 10,
      occupancyAfter: 10,
      registers: [
        {
          register: '%one',
          place: 'line 7, before bb.1, bb.2',
          alone: 'VGPR -1 in 1 region, occupancy stays 10',
          why: 'reads no virtual register',
          conflict: '',
        },
        {
          register: '%one_1',
          place: 'line 8, before bb.1, bb.2',
          alone: 'VGPR -1 in 1 region, occupancy stays 10',
          why: 'reads no virtual register',
          conflict: '',
        },
      ],
      leftOut: [],
    },
    after: `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    S_NOP 0

  bb.1:
    %one:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %one_1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    S_NOP 0, implicit %one, implicit %one_1

  bb.2:
    %one_2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %one_1_1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    S_NOP 0, implicit %one_2, implicit %one_1_1
    S_ENDPGM 0
...
`,
  },
  {
    name: 'operands',
    text: `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $sgpr0

    %s:sreg_32 = COPY $sgpr0
    %k:sreg_32 = S_MOV_B32 5
    %v:vgpr_32 = V_MOV_B32_e32 %s, implicit $exec
    %w:vgpr_32 = V_MOV_B32_e32 killed %k, implicit $exec, debug-instr-number 3
    S_NOP 0

  bb.1:
    S_NOP 0, implicit %v, implicit %s, implicit %w
    S_ENDPGM 0
...
`,
    registers: ['%v', '%w'],
    answer: {
      function: 'f',
      effect: 'VGPR -1 in 1 region, occupancy stays 10',
      occupancyBefore: 10,
      occupancyAfter: 10,
      registers: [
        {
          register: '%v',
          place: 'line 11, before bb.1',
          alone: 'VGPR -1 in 1 region, occupancy stays 10',
          why: '%s is live there with the same value',
          conflict: '',
        },
      ],
      leftOut: [],
    },
    after: `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $sgpr0

    %s:sreg_32 = COPY $sgpr0
    %k:sreg_32 = S_MOV_B32 5
    %w:vgpr_32 = V_MOV_B32_e32 killed %k, implicit $exec, debug-instr-number 3
    S_NOP 0

  bb.1:
    %v:vgpr_32 = V_MOV_B32_e32 %s, implicit $exec
    S_NOP 0, implicit %v, implicit %s, implicit %w
    S_ENDPGM 0
...
`,
  },
];

const ask = (text: string, registers: readonly string[], withEdits = true): [WhatIf, string] => {
  const { snapshot, position } = atBar(text.replace('name: f', 'name: ¦f'));
  const found = provideWhatIf(snapshot, { textDocument: { uri: '' }, position, registers, withEdits })!;
  return [found, found.edits === null ? '' : applied(snapshot, found.edits)];
};

describe('rematerialized text', () => {
  for (const { name, text, registers, answer, after } of CASES) {
    it(name, () => {
      const [{ edits: _, ...found }, made] = ask(text, registers);
      assert.deepEqual(found, answer);
      assert.equal(made, after);
    });

    it(`${name}, with carriage returns`, () =>
      assert.equal(ask(text.replaceAll('\n', '\r\n'), registers)[1], after.replaceAll('\n', '\r\n')));
  }

  it('no edit unless it is asked for, none for no register', () => {
    const { text, registers } = CASES[0]!;
    assert.equal(ask(text, registers, false)[0].edits, null);
    const [none] = ask(text, []);
    assert.deepEqual(
      [none.edits, none.effect, none.leftOut],
      [null, 'no region changes its peak, occupancy stays 10', []],
    );
    assert.deepEqual(ask(text, ['%0', '%77'])[0].leftOut, []);
  });

  it('a register that reads another one is left out beside it', () => {
    const { text } = CASES[1]!;
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

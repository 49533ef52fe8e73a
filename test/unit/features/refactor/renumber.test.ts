/** Names of registers after what defines them, and compact numbers. */
import assert from 'node:assert/strict';
import {
  nameAllRegisters,
  nameRegister,
  renumberBlocks,
  renumberRegisters,
} from '../../../../server/src/features/refactor/renumber.js';
import { addRegistersList, dropUnusedEntries } from '../../../../server/src/features/refactor/registersList.js';
import type { TextEdit } from '../../../../server/src/text/sourceText.js';
import { atCursor } from '../../../support/cursor.js';

const RUN = '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s\n';
const fn = (body: string, header = ''): string => `${RUN}---\nname: f\n${header}body: |\n${body}...\n`;

function placeOf(marked: string) {
  const { snapshot, position, text } = atCursor(marked);
  const offset = snapshot.text.offsetAt(position);
  return { place: { snapshot, view: snapshot.functionAt(offset)!, offset }, text };
}

const applied = (text: string, edits: readonly TextEdit[]): string =>
  [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((now, e) => now.slice(0, e.start) + e.text + now.slice(e.end), text);

describe('a name for a register', () => {
  const NAMES: readonly (readonly [instr: string, name: string])[] = [
    ['V_MOV_B32_e32 0, implicit $exec', 'mov'],
    ['V_LSHL_ADD_U32_e64 0, 0, 0, implicit $exec', 'lshl_add'],
    ['V_ADD_CO_U32_e64 0, 0, 0, implicit $exec', 'add'],
    ['V_MUL_LO_U32_e64 0, 0, implicit $exec', 'mul_lo'],
    ['S_MOV_B64 0', 'mov'],
    ['S_LOAD_DWORDX4_IMM undef %9:sreg_64, 0, 0', 'load'],
    ['GLOBAL_LOAD_DWORD undef %9:vreg_64, 0, 0, implicit $exec', 'load'],
    ['GLOBAL_LOAD_UBYTE undef %9:vreg_64, 0, 0, implicit $exec', 'load'],
    ['GLOBAL_LOAD_USHORT undef %9:vreg_64, 0, 0, implicit $exec', 'load'],
    ['BUFFER_LOAD_DWORD_OFFEN undef %9:vgpr_32, undef %8:sgpr_128, 0, 0, 0, 0, implicit $exec', 'load'],
    ['DS_READ_B32_gfx9 undef %9:vgpr_32, 0, 0, implicit $exec', 'read'],
    ['COPY undef $vgpr0', 'copy'],
    ['IMPLICIT_DEF', 'implicit_def'],
    ['V_MOV_B64_PSEUDO 0, implicit $exec', 'mov'],
    ['V_MAX_F32_e64 0, 0, 0, 0, 0, 0, implicit $mode, implicit $exec', 'max'],
    ['V_CVT_F32_I32_e32 0, implicit $mode, implicit $exec', 'cvt'],
  ];
  for (const [instr, name] of NAMES)
    it(`${name} of ${instr.split(' ')[0]!}`, () => {
      const { place, text } = placeOf(
        fn(`  bb.0:\n    $0%7:vgpr_32 = ${instr}\n    S_NOP 0, implicit %7, implicit %7\n`),
      );
      const { title, edits } = nameRegister(place)!;
      assert.equal(title, `Name %7 %${name}`);
      assert.equal(applied(text, edits), text.replaceAll('%7', `%${name}`));
    });

  it('is one that is free', () => {
    const { place } = placeOf(
      fn('  bb.0:\n    %mov:sreg_32 = S_MOV_B32 0\n    %mov_1:sreg_32 = S_MOV_B32 0\n    $0%7:sreg_32 = S_MOV_B32 0\n'),
    );
    assert.equal(nameRegister(place)!.title, 'Name %7 %mov_2');
  });

  it('is not offered where the register has one, nothing defines it, or the list declares it', () => {
    for (const marked of [
      fn('  bb.0:\n    $0%a:sreg_32 = S_MOV_B32 0\n'),
      fn('  bb.0:\n    $0%1a:sreg_32 = S_MOV_B32 0\n'),
      fn('  bb.0:\n    S_NOP 0, implicit $0%7:sreg_32\n'),
      fn('  bb.0:\n    $0$sgpr0 = S_MOV_B32 0\n'),
      fn('  bb.0:\n    $0%7 = S_MOV_B32 0\n', 'registers:\n  - { id: 7, class: sreg_32 }\n'),
      fn('  bb.0:\n    S_NOP 0$0\n'),
    ])
      assert.equal(nameRegister(placeOf(marked).place), null, marked);
  });

  it('for all of them at once', () => {
    const { place, text } = placeOf(
      fn(
        '  bb.0:\n    $0%7:sreg_32 = S_MOV_B32 0\n    %12:sreg_32 = S_MOV_B32 %7\n    %add:sreg_32 = S_MOV_B32 1\n' +
          '    %3:sreg_32 = S_ADD_I32 %7, %12, implicit-def $scc\n    S_NOP 0, implicit undef %5:sreg_32, implicit %3\n',
      ),
    );
    assert.equal(
      applied(text, nameAllRegisters(place)),
      fn(
        '  bb.0:\n    %mov:sreg_32 = S_MOV_B32 0\n    %mov_1:sreg_32 = S_MOV_B32 %mov\n    %add:sreg_32 = S_MOV_B32 1\n' +
          '    %add_1:sreg_32 = S_ADD_I32 %mov, %mov_1, implicit-def $scc\n    S_NOP 0, implicit undef %5:sreg_32, implicit %add_1\n',
      ),
    );
  });
});

describe('compact numbers', () => {
  it('of registers go by their first place, in the list, too', () => {
    const before = (a: number, b: number, c: number): string =>
      fn(
        `  bb.0:\n    %${a} = S_MOV_B32 0\n    %x:sreg_32 = S_MOV_B32 %${a}\n    %${b} = S_MOV_B32 %${a}\n    %${c}:sreg_64 = IMPLICIT_DEF\n    S_NOP 0, implicit %${c}.sub0, implicit %${b}\n`,
        `registers:\n  - { id: ${a}, class: sreg_32 }\n  - { id: ${b}, class: sreg_32 }\n`,
      );
    const { place, text } = placeOf(`$0${before(100, 7, 9)}`);
    const made = renumberRegisters(place)!;
    assert.equal(made.title, 'Renumber registers');
    assert.equal(applied(text, made.edits), before(0, 1, 2));
    assert.equal(renumberRegisters(placeOf(`$0${before(0, 1, 2)}`).place), null);
  });

  it('of blocks go by their labels', () => {
    const before = (a: number, b: number, c: number): string =>
      fn(
        `  bb.${a}:\n    successors: %bb.${c}, %bb.${b}\n    S_CBRANCH_SCC1 %bb.${c}, implicit undef $scc\n\n  bb.${b}:\n    S_NOP 0\n\n  bb.${c}:\n    S_ENDPGM 0\n`,
      );
    const { place, text } = placeOf(`$0${before(5, 20, 3)}`);
    const made = renumberBlocks(place)!;
    assert.equal(made.title, 'Renumber blocks');
    assert.equal(applied(text, made.edits), before(0, 1, 2));
    assert.equal(renumberBlocks(placeOf(`$0${before(0, 1, 2)}`).place), null);
    const open = before(5, 20, 3).replaceAll('%bb.3', '%bb.4');
    assert.equal(renumberBlocks(placeOf(`$0${open}`).place), null, 'a block that is nowhere');
  });
});

describe('the list of registers', () => {
  const list = (...ids: readonly number[]): string =>
    `registers:\n${ids.map((id) => `  - { id: ${id}, class: sreg_32 }\n`).join('')}`;
  const body = '  bb.0:\n    %2 = S_MOV_B32 0\n    S_NOP 0, implicit %2\n';

  it('loses what nobody mentions', () => {
    for (const [ids, title] of [
      [[2, 5], 'Remove an unused register from registers:'],
      [[0, 2, 5], 'Remove 2 unused registers from registers:'],
    ] as const) {
      const { place, text } = placeOf(`$0${fn(body, list(...ids))}`);
      const made = dropUnusedEntries(place)!;
      assert.equal(made.title, title);
      assert.equal(applied(text, made.edits), fn(body, list(2)));
    }
    assert.equal(dropUnusedEntries(placeOf(`$0${fn(body, list(2))}`).place), null);
  });

  it('is written in the order of numbers that llc gives', () => {
    const { place, text } = placeOf(
      `$0${fn('  bb.0:\n    %7:sreg_32 = S_MOV_B32 0\n    %x:sreg_32 = S_MOV_B32 0\n    %3:vreg_64 = IMPLICIT_DEF\n')}`,
    );
    const made = addRegistersList(place)!;
    assert.equal(made.title, 'Write the classes into registers:');
    assert.equal(
      applied(text, made.edits),
      text.replace('name: f\n', 'name: f\nregisters:\n  - { id: 7, class: sreg_32 }\n  - { id: 3, class: vreg_64 }\n'),
    );
    for (const none of ['    %x:sreg_32 = S_MOV_B32 0\n', '    %3:_(s32) = G_IMPLICIT_DEF\n', '    S_NOP 0\n'])
      assert.equal(addRegistersList(placeOf(`$0${fn(`  bb.0:\n${none}`)}`).place), null, none);
  });
});

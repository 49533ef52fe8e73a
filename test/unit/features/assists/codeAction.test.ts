/** The list of the light bulb as a whole: one action for several diagnostics, kinds that are asked for, and the fixes of all. */
import assert from 'node:assert/strict';
import { CodeActionTriggerKind, type CodeAction, type Diagnostic } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../../server/src/features/assists/codeAction.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText, URI } from '../../../support/cursor.js';
import { applied } from '../../../support/editing.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -verify-machineinstrs %s -o -
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr0
    %2:vgpr_32 = COPY $vgpr1
    S_ENDPGM 0
...
`;

function actions(only?: string[]) {
  const { host, snapshot } = openText(TEXT);
  const diagnostics = host.diagnostics(URI, NEVER_CANCELLED)!;
  const start = { line: 6, character: 0 };
  const end = { line: 8, character: 99 };
  const context = { diagnostics, ...(only === undefined ? {} : { only }) };
  return { diagnostics, list: provideCodeActions(snapshot, { range: { start, end }, context }, NEVER_CANCELLED) };
}

describe('the list of the light bulb', () => {
  it('has one repair of several diagnostics, with each of them', () => {
    const { diagnostics, list } = actions(['quickfix']);
    const of = (line: number): unknown[] => diagnostics.filter((d) => d.range.start.line === line);
    const repairs = list.map((a) => [a.title, a.diagnostics] as const);
    assert.deepEqual(repairs, [
      ['Add $vgpr0 to the live-ins of bb.0', [...of(6), ...of(7)]],
      ['Mark $vgpr0 as undef here', of(6)],
      ['Mark $vgpr0 as undef here', of(7)],
      ['Add $vgpr1 to the live-ins of bb.0', of(8)],
      ['Mark $vgpr1 as undef here', of(8)],
    ]);
  });

  it('is of the kinds that are asked for', () => {
    assert.ok(actions(['quickfix']).list.every((a) => a.kind!.startsWith('quickfix')));
    assert.ok(actions(['refactor']).list.every((a) => a.kind!.startsWith('refactor')));
    assert.ok(actions(['source']).list.every((a) => a.kind!.startsWith('source')));
    assert.deepEqual(actions(['refac']).list, []);
    assert.ok(actions(['quickfix']).list.length > 0);
    assert.ok(actions(['refactor']).list.length > 0);
  });
});

/** Reads of VGPRs that nothing has written, one a line from line 7 on. */
const undefinedReads = (n: number): string =>
  `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n${[
    ...Array(n).keys(),
  ]
    .map((k) => `    S_NOP ${k}, implicit $vgpr${k}\n`)
    .join('')}    S_ENDPGM 0\n...\n`;

interface Asked {
  readonly from?: number;
  readonly to?: number;
  readonly only?: readonly string[];
  readonly trigger?: CodeActionTriggerKind;
  readonly character?: number;
  readonly diagnostics?: readonly Diagnostic[];
}

function listOf(
  text: string,
  { from = 0, to = from, character = 4, only, trigger, diagnostics = [] }: Asked,
): CodeAction[] {
  const { snapshot } = openText(text);
  const range = { start: { line: from, character }, end: { line: to, character } };
  const context = {
    diagnostics: [...diagnostics],
    ...(only === undefined ? {} : { only: [...only] }),
    ...(trigger === undefined ? {} : { triggerKind: trigger }),
  };
  return provideCodeActions(snapshot, { range, context }, NEVER_CANCELLED);
}

const titlesOf = (list: readonly CodeAction[]): string[] => list.map((a) => a.title);

describe('repairs in the light bulb', () => {
  it('as many as are tried, twelve for a question', () => {
    const found = (n: number): string[] =>
      titlesOf(listOf(undefinedReads(n), { from: 5, to: 6 + n, only: ['quickfix'] })).filter((t) =>
        t.startsWith('Add'),
      );
    const wanted = (n: number): string[] => [...Array(n).keys()].map((k) => `Add $vgpr${k} to the live-ins of bb.0`);
    assert.deepEqual(found(5), wanted(5));
    assert.deepEqual(found(6), wanted(6));
    assert.deepEqual(found(7), wanted(6));
    assert.deepEqual(found(8), wanted(6));
  });

  it('of what is wrong on the lines of the range, wherever the cursor stands in them', () => {
    const text = undefinedReads(3);
    const titles = (asked: Asked): string[] =>
      titlesOf(listOf(text, { ...asked, only: ['quickfix'] }))
        .filter((t) => t.startsWith('Add'))
        .map((t) => t.split(' ')[1]!);
    assert.deepEqual(titles({ from: 5 }), []);
    assert.deepEqual(titles({ from: 6, character: 0 }), []);
    assert.deepEqual(titles({ from: 6, character: '    S_NOP 0, implicit '.length }), ['$vgpr0']);
    assert.deepEqual(titles({ from: 6, character: '    S_NOP 0, implicit $vgpr0'.length }), ['$vgpr0']);
    assert.deepEqual(titles({ from: 6, to: 7, character: 0 }), ['$vgpr0']);
    assert.deepEqual(titles({ from: 6, to: 8, character: 99 }), ['$vgpr0', '$vgpr1', '$vgpr2']);
    assert.deepEqual(titles({ from: 9 }), []);
  });

  it("the best is preferred; the client's own copies of a finding go with each", () => {
    const text = undefinedReads(2);
    const at = (line: number, character: number): Diagnostic['range'] => ({
      start: { line, character },
      end: { line, character: character + 6 },
    });
    const { host } = openText(text);
    const own = host.diagnostics(URI, NEVER_CANCELLED)!.filter((d) => d.range.start.line === 6);
    assert.equal(own.length, 1);
    const others: Diagnostic[] = [
      { ...own[0]!, code: 'other' },
      { ...own[0]!, range: at(7, own[0]!.range.start.character) },
      { ...own[0]!, range: at(6, own[0]!.range.start.character + 1) },
    ];
    const { character } = own[0]!.range.start;
    const list = listOf(text, { from: 6, character, only: ['quickfix'], diagnostics: [...others, ...own] });
    assert.deepEqual(
      list.map((a) => [a.title, a.kind, a.isPreferred ?? false, a.diagnostics]),
      [
        ['Add $vgpr0 to the live-ins of bb.0', 'quickfix', true, own],
        ['Mark $vgpr0 as undef here', 'quickfix', false, own],
      ],
    );
    const without = listOf(text, { from: 6, character, only: ['quickfix'], diagnostics: others });
    assert.deepEqual(
      without.map((a) => 'diagnostics' in a),
      [false, false],
    );
  });

  it('three spellings of a word at most', () => {
    const text = undefinedReads(0).replace('S_ENDPGM 0', 'S_ADD_U3 0\n    S_ENDPGM 0');
    const list = listOf(text, { from: 6, character: 8, only: ['quickfix'] });
    assert.ok(list.length <= 3);
    assert.ok(list.every((a) => /^Change to '/.test(a.title)));
  });

  it('liveness that is not tracked, on the name', () => {
    const text = undefinedReads(1).replace('tracksRegLiveness: true\n', '');
    const title = 'Add tracksRegLiveness: true';
    const offered = (line: number, character: number): boolean =>
      titlesOf(listOf(text, { from: line, character, only: ['quickfix'] })).includes(title);
    // it would find what is wrong
    assert.equal(offered(2, 7), false);
    const good = text.replace('implicit $vgpr0', 'implicit undef $vgpr0');
    const there = (line: number, character: number): boolean =>
      titlesOf(listOf(good, { from: line, character, only: ['quickfix'] })).includes(title);
    assert.deepEqual(
      [there(2, 5), there(2, 6), there(2, 7), there(1, 0), there(3, 0)],
      [false, true, true, false, false],
    );
  });

  it('smaller tests only when they are asked for', () => {
    const text = undefinedReads(0);
    const isSmaller = (trigger?: CodeActionTriggerKind): boolean =>
      titlesOf(
        listOf(text.replace('name: f', 'name: f\nalignment: 1'), {
          from: 2,
          character: 7,
          ...(trigger ? { trigger } : {}),
        }),
      ).some((t) => t.startsWith('Simplify: '));
    assert.equal(isSmaller(CodeActionTriggerKind.Invoked), true);
    assert.equal(isSmaller(), true);
    assert.equal(isSmaller(CodeActionTriggerKind.Automatic), false);
  });

  it('nothing is wrong with a file of another target; names can be rewritten', () => {
    const text = undefinedReads(1).replace('amdgcn -mcpu=gfx900', 'x86_64--');
    assert.deepEqual(titlesOf(listOf(text, { from: 2, character: 7 })), ['Duplicate function as f_2']);
    assert.deepEqual(listOf(text, { from: 2, character: 7, only: ['quickfix'] }), []);
    assert.deepEqual(listOf(text, { from: 6, character: 24 }), []);
  });
});

describe('words that are spelled wrong', () => {
  const textOf = (key: string, line: string): string =>
    `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\n${key}body: |\n  bb.0:\n    %0:sreg_32 = IMPLICIT_DEF\n    %1:vreg_128 = IMPLICIT_DEF\n    ${line}\n    S_ENDPGM 0\n...\n`;
  const ADD = (opcode: string): string => `%9:sreg_32 = ${opcode} %0, %0, implicit-def dead $scc`;

  /** A line (or key) with the words that are offered, and what becomes of it when all is repaired; empty where only a reader knows. */
  const CASES: readonly (readonly [key: string, line: string, offered: readonly string[], repaired: string])[] = [
    ['', ADD('S_ADD_X32'), ['S_ADD_I32', 'S_ADD_U32', 'S_ADD_F32'], ''],
    ['', ADD('S_ADD_I33'), ['S_ADD_I32'], ADD('S_ADD_I32')],
    ['', 'S_NOP 0, implicit undef $vgpr1x', ['vgpr1'], 'S_NOP 0, implicit undef $vgpr1'],
    ['', 'S_NOP 0, implicit undef $vgrp1', ['vgpr1'], 'S_NOP 0, implicit undef $vgpr1'],
    ['', 'S_NOP 0, implicit %1.subb', ['sub0', 'sub1', 'sub2'], ''],
    ['', 'S_NOP 0, implicit %1.sub1_sub3', ['sub1_sub2', 'sub2_sub3'], ''],
    ['', '%9:sgpr_3 = IMPLICIT_DEF', ['sgpr_32'], ''],
    ['', '%9:vgrp_32 = IMPLICIT_DEF', ['vgpr_32'], '%9:vgpr_32 = IMPLICIT_DEF'],
    ['', '%9:vreg_65 = IMPLICIT_DEF', ['vreg_64'], ''],
    ['aligment: 4', 'S_NOP 0', ['alignment'], 'alignment: 4'],
    ['isEntry: 4', 'S_NOP 0', [], ''],
    ['registers:\n  - { id: 3, class: vreg_65 }', 'S_NOP 0, implicit undef %3', ['vreg_64'], ''],
  ];
  for (const [key, line, offered, repaired] of CASES)
    it(`${key || line}: ${offered.join(', ') || 'nothing'}`, () => {
      const own = key === '' ? '' : `${key}\n`;
      const text = textOf(own, line);
      const { snapshot } = openText(text);
      const [first] = snapshot.functions[0]!.diagnostics;
      const range = snapshot.rangeOf(first!.start, first!.end);
      const ask = (only: string, at: typeof range): CodeAction[] =>
        provideCodeActions(snapshot, { range: at, context: { diagnostics: [], only: [only] } }, NEVER_CANCELLED);
      assert.deepEqual(
        titlesOf(ask('quickfix', range)),
        // It alone reads the mode.
        offered.map((word) => `Change to '${word}'${word === 'S_ADD_F32' ? ', add implicit $mode' : ''}`),
      );
      const all = ask('source.fixAll', snapshot.rangeOf(0, 0));
      assert.deepEqual(
        all.map((a) => [a.title, applied(snapshot, a.edit!.changes![URI]!)]),
        repaired === ''
          ? []
          : [['Repair 1 problem', key === '' ? textOf('', repaired) : textOf(`${repaired}\n`, line)]],
      );
    });

  it('several are repaired at once, those that only a reader knows are left', () => {
    const [one, two, three] = [ADD('S_ADD_I33'), 'S_NOP 0, implicit %1.subb', 'S_NOP 0, implicit undef $vgrp1'];
    const text = textOf('', [one, three, two].join('\n    '));
    const { snapshot } = openText(text);
    const [all] = provideCodeActions(
      snapshot,
      { range: snapshot.rangeOf(0, 0), context: { diagnostics: [], only: ['source.fixAll'] } },
      NEVER_CANCELLED,
    );
    const wanted = text.replace('S_ADD_I33', 'S_ADD_I32').replace('vgrp1', 'vgpr1');
    assert.equal(all!.title, 'Repair 2 problems');
    assert.equal(all!.kind, 'source.fixAll.amdgpu-mir');
    assert.equal(applied(snapshot, all!.edit!.changes![URI]!), wanted);
  });
});

/** Which lists completion makes at which place, what an item writes over, and how it is told to the client; the order is tested elsewhere. */
import assert from 'node:assert/strict';
import {
  CompletionItemKind,
  InsertTextFormat,
  type CompletionItem,
  type CompletionList,
  type InsertReplaceEdit,
  type TextEdit,
} from 'vscode-languageserver-types';
import { provideCompletion } from '../../../../server/src/features/completion/completion.js';
import type { Settings } from '../../../../server/src/program/settings.js';
import type { CancellationToken } from '../../../../server/src/util/cancellation.js';
import { atBar, URI } from '../../../support/cursor.js';

/** Cancelled as soon as there is a list: nothing of it is tried. */
function atOnce(): CancellationToken {
  let asked = 0;
  return { isCancelled: () => asked++ > 0 };
}

interface Answer extends CompletionList {
  readonly text: string;
  readonly offsetOf: (position: { line: number; character: number }) => number;
}

function answer(marked: string, settings: Partial<Settings> = {}): Answer {
  const { snapshot, position, text } = atBar(marked, { snippets: true, ...settings });
  const list = provideCompletion(snapshot, { textDocument: { uri: URI }, position }, atOnce());
  return { ...list, text, offsetOf: (p) => snapshot.text.offsetAt(p) };
}

const WORDS: Partial<Record<CompletionItemKind, string>> = {
  [CompletionItemKind.Variable]: 'register',
  [CompletionItemKind.Constant]: 'physical',
  [CompletionItemKind.Function]: 'opcode',
  [CompletionItemKind.Keyword]: 'word',
  [CompletionItemKind.Snippet]: 'snippet',
  [CompletionItemKind.Value]: 'value',
  [CompletionItemKind.Reference]: 'symbol',
  [CompletionItemKind.Field]: 'part',
  [CompletionItemKind.EnumMember]: 'predicate',
  [CompletionItemKind.Module]: 'block',
  [CompletionItemKind.Struct]: 'object',
  [CompletionItemKind.Class]: 'class',
  [CompletionItemKind.Enum]: 'bank',
  [CompletionItemKind.TypeParameter]: 'type',
  [CompletionItemKind.Property]: 'key',
  [CompletionItemKind.File]: 'file',
};

/** Kinds of what is proposed, and what of the text it is in place of. */
function kindsAt(marked: string, settings?: Partial<Settings>): string {
  const { items, text, offsetOf } = answer(marked, settings);
  if (items.length === 0) return '';
  const kinds = [...new Set(items.map((c) => WORDS[c.kind!] ?? `kind ${c.kind!}`))].sort();
  const { start, end } = (items[0]!.textEdit as TextEdit).range;
  return `${kinds.join(' ')} '${text.slice(offsetOf(start), offsetOf(end))}'`;
}

const RUN = '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s\n';
const IR = `--- |
  @g = external global i32
  define void @f(ptr %p) {
  entry:
    ret void
  }
...
`;
const body = (line: string): string => `${RUN}${IR}---
name: f
tracksRegLiveness: true
stack:
  - { id: 0, size: 4 }
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = IMPLICIT_DEF
    %n:vreg_64 = IMPLICIT_DEF
    %g:_(s64) = G_IMPLICIT_DEF
${line}
    S_NOP 0, implicit %0

  bb.1:
    S_ENDPGM 0
...
`;

describe('what is proposed at a place of a body', () => {
  const PLACES: readonly (readonly [line: string, kinds: string])[] = [
    ['    ¦', "opcode ''"],
    ['    S¦', "opcode 'S'"],
    ['    %¦', "register '%'"],
    ['    $¦', "physical '$'"],
    ['    nofpexcept ¦', "opcode ''"],
    ['    nofpexcept V¦', "opcode 'V'"],
    ['    %5:vgpr_32 = ¦', "opcode ''"],
    ['    %5:vgpr_32 = $¦', ''],
    ['    %5:vgpr_32, ¦', "physical register ''"],
    ['    %5:vgpr_32 ¦', "physical register ''"],
    ['    successors: ¦', "block ''"],
    ['    successors: %bb.1, %b¦', "block '%b'"],
    ['    successors: %bb.1(¦', ''],
    ['    liveins: ¦', "physical ''"],
    ['    liveins: $v¦', "physical '$v'"],
    ['  bb.5 (¦', "word ''"],
    ['  bb.5 (al¦', "word 'al'"],
    ['  bb.5: ¦', ''],
    ['    ; ¦', "word ''"],
    ['    %5:¦', "class ''"],
    ['    %5:vg¦', "bank class 'vg'"],
    ['    %n:¦', "class ''"],
    ['    S_NOP 0, implicit %0:¦', "class ''"],
    ['    ¦%5:vgpr_32 = COPY %0', "register ''"],
    ['    %5:_(¦', "type ''"],
    ['    %5:_(s¦', "type 's'"],
    ['    %5:_(<2 x ¦', "type ''"],
    ['    %5:_(<2 ¦', ''],
    ['    %5:_(<¦', ''],
    ['    %5:sgpr(¦', "type ''"],
    ['    %5:_(s32) = G_ADD %g(¦', "type ''"],
    ['    %5:_(s32) = G_ADD %7(¦', "type ''"],
    ['    (¦', "physical register ''"],
    ['    :¦', "physical register ''"],
    ['    %5:_(s1) = G_ICMP ¦', "predicate ''"],
    ['    %5:_(s1) = G_ICMP intpred(¦', "predicate ''"],
    ['    %5:_(s1) = G_ICMP intpred(e¦', "predicate 'e'"],
    ['    %5:_(s1) = G_FCMP floatpred(¦', "predicate ''"],
    ['    %5:_(s1) = G_INTRINSIC intrinsic(¦', "opcode ''"],
    ['    %5:_(s1) = G_INTRINSIC intrinsic(@llvm.a¦', "opcode '@llvm.a'"],
    ['    %5:_(s1) = G_SHUFFLE_VECTOR %g, %g, shufflemask(¦', ''],
    ['    %5:_(s1) = G_SHUFFLE_VECTOR %g, %g, shufflemask(0, ¦', ''],
    ['    %5:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(¦', "word ''"],
    ['    %5:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) ¦', "symbol ''"],
    ['    %5:sreg_64 = SI_PC_ADD_REL_OFFSET @¦', "symbol '@'"],
    ['    %5:sreg_64 = SI_PC_ADD_REL_OFFSET @g + ¦', ''],
    ['    %5:vgpr_32 = COPY %n.¦', "part ''"],
    ['    %5:vgpr_32 = COPY %n.s¦', "part 's'"],
    ['    %5:vgpr_32 = COPY %1.sub0¦', "part 'sub0'"],
    ['    %5:vgpr_32 = COPY %99.¦', "part ''"],
    ['    %5:vgpr_32 = COPY %bb.¦', "block '%bb.'"],
    ['    %5:vgpr_32 = COPY %stack.¦', "object '%stack.'"],
    ['    %5:vgpr_32 = COPY %st¦', "object '%st'"],
    ['    %5:vgpr_32 = COPY %subreg.¦', "part '%subreg.'"],
    ['    %5:vreg_64 = REG_SEQUENCE %0, ¦', "part ''"],
    ['    %5:vreg_64 = REG_SEQUENCE %0, %subreg.¦', "part '%subreg.'"],
    ['    %5:vreg_64 = REG_SEQUENCE %0, %subreg.s¦', "part '%subreg.s'"],
    ['    S_BRANCH ¦', "block ''"],
    ['    S_BRANCH %bb¦', "block '%bb'"],
    ['    S_BRANCH %¦', "block '%'"],
    ['    %bb¦', ''],
    ['    %bb.¦', ''],
    ['    %st¦', ''],
    ['    %5:vgpr_32 = V_ADD_U32_e32 ¦', "object physical register value ''"],
    ['    %5:vgpr_32 = V_ADD_U32_e32 %¦', "object register '%'"],
    ['    %5:vgpr_32 = V_ADD_U32_e32 $¦', "physical '$'"],
    ['    %5:vgpr_32 = V_ADD_U32_e32 %0 ¦', ''],
    ['    %5:vgpr_32 = V_ADD_U32_e32 %0 d¦', "word 'd'"],
    ['    %5:vgpr_32 = V_ADD_U32_e32 killed ¦', "object physical register value ''"],
    ['    %5:vgpr_32 = V_ADD_U32_e32 %0, %0 i¦', "word 'i'"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0 ¦', "snippet ''"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0 d¦', "snippet word 'd'"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0, implicit $exec :¦', "physical register ''"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0, implicit $exec ¦', "snippet ''"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0, implicit $exec :: ¦', "snippet ''"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0, implicit $exec :: (¦', "word ''"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0 ¦ :: (load (s32))', ''],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0 d¦ :: (load (s32))', "word 'd'"],
    ['    S_NOP 0, debug-location ¦', ''],
    ['    S_NOP 0, debug-location !0 ¦', ''],
    ['    S_NOP 0 d¦', "word 'd'"],
    ['    S_NOP 0 d¦, debug-location !0', "word 'd'"],
    ['    S_NOP 0 ¦', ''],
    ['    S_NOP %bb.0 d¦', "word 'd'"],
    ['    S_NOP $vgpr0 d¦', "word 'd'"],
    ['    S_NOP %0.sub0 d¦', "word 'd'"],
    ['    S_NOP @g d¦', "word 'd'"],
    ['    S_NOP target-flags(x) d¦', ''],
    ['    S_NOP %g(s32) d¦', "word 'd'"],
  ];
  for (const [line, kinds] of PLACES) it(`${line.trim()}: ${kinds}`, () => assert.equal(kindsAt(body(line)), kinds));

  it('at the start of a line registers after all others', () => {
    const whole = answer(body('    ¦')).items.length;
    assert.equal(whole, 100);
    const { items } = answer(body('    %¦'));
    assert.deepEqual(items.map((c) => c.label).slice(0, 2), ['%2', '%3'].slice(0, items.length));
  });
});

describe('what is proposed elsewhere', () => {
  const f = (name: string, lines = '    S_ENDPGM 0\n'): string => `---\nname: ${name}\nbody: |\n  bb.0:\n${lines}...\n`;
  const PLACES: readonly (readonly [text: string, kinds: string, settings?: Partial<Settings>])[] = [
    // Outside of all: snippets for those who take them.
    ['¦', "snippet ''"],
    [`${RUN}¦`, "snippet ''"],
    [`${RUN}${f('f')}¦`, "snippet ''"],
    [`${RUN}${f('f')}\nte¦\n`, "snippet 'te'"],
    // RUN and CHECK lines.
    ['# RUN: ¦', "opcode word ''"],
    ['# RUN: l¦', "opcode 'l'"],
    ['# RUN: llc %s | FileCheck %s\n# C¦', "word 'C'"],
    ['# C¦', ''],
    ['# x y¦', ''],
    // The header.
    [`${RUN}---\nname: f\n¦\nbody: |\n  bb.0:\n...\n`, "key ''"],
    [`${RUN}---\nname: f\ntracks¦\nbody: |\n  bb.0:\n...\n`, "key 'tracks'"],
    [`${RUN}---\nname: f\ntracksRegLiveness: ¦\nbody: |\n  bb.0:\n...\n`, "value ''"],
    // The body: its end belongs to it where the line is indented.
    [`${RUN}${f('f', '    S_NOP 0\n    ¦\n')}`, "opcode ''"],
    [`${RUN}---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n    ¦`, "opcode ''"],
    [`${RUN}---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n\n    ¦`, "opcode ''"],
    // The IR.
    [`${RUN}--- |\n  define void @f() {\n    ¦\n    ret void\n  }\n...\n`, "word ''"],
    [`${RUN}--- |\n  define void @f() {\n    r¦\n    ret void\n  }\n...\n`, "word 'r'"],
    [`${RUN}--- |\n  define void @f() {\n    ; x y¦\n    ret void\n  }\n...\n`, ''],
    [
      `${RUN}--- |\n  @g = global i32 0\n  define void @f() {\n    store i32 0, ptr @¦\n    ret void\n  }\n...\n`,
      "opcode '@'",
    ],
    // Another target.
    ['# RUN: llc -mtriple=x86_64-- -run-pass=none %s\n¦', ''],
    ['# RUN: llc -mtriple=x86_64-- -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n    ¦\n...\n', ''],
    [
      '# RUN: llc -mtriple=x86_64-- -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n    successors: ¦\n...\n',
      "block ''",
    ],
    [
      '# RUN: llc -mtriple=x86_64-- -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n    %0:gr32 = MOV32ri 7\n    %1:gr32 = COPY ¦\n...\n',
      "block register symbol ''",
    ],
    ['# RUN: llc -mtriple=x86_64-- -run-pass=none %s\n---\nname: f\n¦\nbody: |\n  bb.0:\n...\n', "key ''"],
  ];
  for (const [text, kinds, settings] of PLACES)
    it(`${JSON.stringify(text.replace(RUN, ''))}: ${kinds}`, () => assert.equal(kindsAt(text, settings), kinds));
});

describe('an item', () => {
  const LINES = body('    %5:vgpr_32 = V_MOV_¦B32 0');
  const first = (marked: string, label: string, settings?: Partial<Settings>): CompletionItem =>
    answer(marked, settings).items.find((c) => c.label === label)!;

  it('is in place of what is typed, and of the rest of the word for those who want it', () => {
    const { textEdit } = first(LINES, 'V_MOV_B32_e32');
    assert.ok(textEdit !== undefined && 'range' in textEdit);
    const line = LINES.slice(0, LINES.indexOf('¦')).split('\n').length - 1;
    const at = (character: number): object => ({ line, character });
    assert.deepEqual(textEdit.range, { start: at(17), end: at(23) });
    const both = first(LINES, 'V_MOV_B32_e32', { replacesWords: true }).textEdit as InsertReplaceEdit;
    assert.deepEqual(both, {
      newText: 'V_MOV_B32_e32',
      insert: { start: at(17), end: at(23) },
      replace: { start: at(17), end: at(26) },
    });
    // No rest of a word.
    for (const end of ['¦ 0', '¦', '¦.x', '¦, 0']) {
      const edit = first(body(`    %5:vgpr_32 = V_MOV_${end}`), 'V_MOV_B32_e32', { replacesWords: true }).textEdit!;
      assert.ok('range' in edit, end);
    }
    for (const [rest, n] of [
      ['x y', 1],
      ['x-y', 3],
      ['$x', 2],
      ['x.y', 1],
    ] as const) {
      const edit = first(body(`    %5:vgpr_32 = V_MOV_¦${rest}`), 'V_MOV_B32_e32', { replacesWords: true })
        .textEdit as InsertReplaceEdit;
      assert.equal(edit.replace.end.character - edit.insert.end.character, n, rest);
    }
  });

  it('says how it is sorted, filtered and told of', () => {
    const { items } = answer(LINES);
    items.forEach((c, k) => {
      assert.equal(c.sortText, String(k).padStart(4, '0'));
      assert.equal(c.filterText, c.label);
    });
    const { kind, labelDetails, data, insertTextFormat, command } = first(LINES, 'V_MOV_B32_e32');
    assert.deepEqual(
      { kind, labelDetails, insertTextFormat, command },
      {
        kind: CompletionItemKind.Function,
        labelDetails: { detail: ' vgpr_32 = src0' },
        // Its operands are there already.
        insertTextFormat: undefined,
        command: undefined,
      },
    );
    const from = LINES.indexOf('V_MOV_');
    assert.deepEqual(data, { textDocument: { uri: URI }, about: { what: 'opcode', name: 'V_MOV_B32_e32' }, at: from });
    assert.deepEqual(first(body('    S_NOP 0\n    S_NO¦'), 'S_NOP').labelDetails, {
      detail: ' simm16',
      description: 'used 2 x here',
    });
    assert.equal(first(body('    S_NOP 0, implicit %¦'), '%g').labelDetails?.description, '_(s64)');
  });

  it('has stops for those who take them', () => {
    const marked = body('    S_NO¦');
    const withStops = first(marked, 'S_NOP');
    assert.equal((withStops.textEdit as TextEdit).newText, 'S_NOP ${1:0}$0');
    assert.equal(withStops.insertTextFormat, InsertTextFormat.Snippet);
    const plain = first(marked, 'S_NOP', { snippets: false });
    assert.equal((plain.textEdit as TextEdit).newText, 'S_NOP');
    assert.equal(plain.insertTextFormat, undefined);
    const defined = first(body('    V_NOT_B32_e3¦'), 'V_NOT_B32_e32', { snippets: false });
    assert.equal((defined.textEdit as TextEdit).newText, '%2:vgpr_32 = V_NOT_B32_e32');
  });

  it('asks for more where a client of ours can be asked', () => {
    const command = { title: '', command: 'editor.action.triggerSuggest' };
    const fill = { title: '', command: 'amdgpu-mir.fillOperands', arguments: [['%2:vgpr_32', 'src0']] };
    assert.deepEqual(first(body('    V_NOT_B32_e3¦'), 'V_NOT_B32_e32', { commandLinks: true }).command, fill);
    const plain = { commandLinks: true, snippets: false };
    assert.deepEqual(first(body('    V_NOT_B32_e3¦'), 'V_NOT_B32_e32', plain).command, command);
    assert.equal(first(body('    S_NO¦'), 'S_NOP').command, undefined);
    assert.equal(first(body('    S_BARRIE¦'), 'S_BARRIER', { commandLinks: true }).command, undefined);
    assert.deepEqual(first(body('    nofp¦'), 'nofpexcept', { commandLinks: true }).command, command);
  });

  /** Blanks that go where a label is accepted, as `from-to` of the line. */
  const LABELS: readonly (readonly [text: string, blanks: string])[] = [
    ['  bb.0:\n    S_NOP 0\n    bb.¦\n', '2-4'],
    ['  bb.0:\n    S_NOP 0\n   bb.¦\n', '2-3'],
    ['  bb.0:\n    S_NOP 0\n  bb.¦\n', ''],
    ['    bb.0:\n      S_NOP 0\n      bb.¦\n', '4-6'],
    ['    bb.0:\n      S_NOP 0\n    bb.¦\n', ''],
    // Without another label llc's column.
    ['    S_NOP 0\n    bb.¦\n', '2-4'],
  ];
  for (const [lines, blanks] of LABELS)
    it(`of a label goes to its column: ${JSON.stringify(lines)}`, () => {
      const { items } = answer(`${RUN}---\nname: f\nbody: |\n${lines}...\n`);
      const label = items.find((c) => /^bb\.\d:$/.test(c.label))!;
      const [gap] = label.additionalTextEdits ?? [];
      assert.equal(gap === undefined ? '' : `${gap.range.start.character}-${gap.range.end.character}`, blanks);
      assert.equal(gap?.newText ?? '', '');
    });
  it('that is no label stays', () => assert.equal(first(body('      S_NO¦'), 'S_NOP').additionalTextEdits, undefined));

  it('of a list that was cut or not tried to its end is one of more', () => {
    const { snapshot, position } = atBar(body('    S_NO¦'));
    const list = (): CompletionList => provideCompletion(snapshot, { textDocument: { uri: URI }, position });
    assert.equal(list().isIncomplete, false);
    assert.equal(answer(body('    V¦')).isIncomplete, true);
    assert.equal(answer(body('    S_NO¦')).isIncomplete, false);
    const never = provideCompletion(snapshot, { textDocument: { uri: URI }, position }, { isCancelled: () => true });
    assert.deepEqual(never, { isIncomplete: false, items: [] });
  });

  it('of an opcode says which targets of the file have not got it', () => {
    const two = body('    V_ADD_U32_e3¦').replace(
      RUN,
      `${RUN}# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx803 -run-pass=none %s\n# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s\n`,
    );
    assert.equal(first(two, 'V_ADD_U32_e32').labelDetails?.description, 'not on gfx803');
  });
});

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
import { atCursor, URI } from '../../../support/cursor.js';

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
  const { snapshot, position, text } = atCursor(marked, { snippets: true, ...settings });
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
    ['    $0', "opcode ''"],
    ['    S$0', "opcode 'S'"],
    ['    %$0', "register '%'"],
    ['    $$0', "physical '$'"],
    ['    nofpexcept $0', "opcode ''"],
    ['    nofpexcept V$0', "opcode 'V'"],
    ['    %5:vgpr_32 = $0', "opcode ''"],
    ['    %5:vgpr_32 = $$0', ''],
    ['    %5:vgpr_32, $0', "physical register ''"],
    ['    %5:vgpr_32 $0', "physical register ''"],
    ['    successors: $0', "block ''"],
    ['    successors: %bb.1, %b$0', "block '%b'"],
    ['    successors: %bb.1($0', ''],
    ['    liveins: $0', "physical ''"],
    ['    liveins: $v$0', "physical '$v'"],
    ['  bb.5 ($0', "word ''"],
    ['  bb.5 (al$0', "word 'al'"],
    ['  bb.5: $0', ''],
    ['    ; $0', "word ''"],
    ['    %5:$0', "class ''"],
    ['    %5:vg$0', "bank class 'vg'"],
    ['    %n:$0', "class ''"],
    ['    S_NOP 0, implicit %0:$0', "class ''"],
    ['    $0%5:vgpr_32 = COPY %0', "register ''"],
    ['    %5:_($0', "type ''"],
    ['    %5:_(s$0', "type 's'"],
    ['    %5:_(<2 x $0', "type ''"],
    ['    %5:_(<2 $0', ''],
    ['    %5:_(<$0', ''],
    ['    %5:sgpr($0', "type ''"],
    ['    %5:_(s32) = G_ADD %g($0', "type ''"],
    ['    %5:_(s32) = G_ADD %7($0', "type ''"],
    ['    ($0', "physical register ''"],
    ['    :$0', "physical register ''"],
    ['    %5:_(s1) = G_ICMP $0', "predicate ''"],
    ['    %5:_(s1) = G_ICMP intpred($0', "predicate ''"],
    ['    %5:_(s1) = G_ICMP intpred(e$0', "predicate 'e'"],
    ['    %5:_(s1) = G_FCMP floatpred($0', "predicate ''"],
    ['    %5:_(s1) = G_INTRINSIC intrinsic($0', "opcode ''"],
    ['    %5:_(s1) = G_INTRINSIC intrinsic(@llvm.a$0', "opcode '@llvm.a'"],
    ['    %5:_(s1) = G_SHUFFLE_VECTOR %g, %g, shufflemask($0', ''],
    ['    %5:_(s1) = G_SHUFFLE_VECTOR %g, %g, shufflemask(0, $0', ''],
    ['    %5:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags($0', "word ''"],
    ['    %5:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) $0', "symbol ''"],
    ['    %5:sreg_64 = SI_PC_ADD_REL_OFFSET @$0', "symbol '@'"],
    ['    %5:sreg_64 = SI_PC_ADD_REL_OFFSET @g + $0', ''],
    ['    %5:vgpr_32 = COPY %n.$0', "part ''"],
    ['    %5:vgpr_32 = COPY %n.s$0', "part 's'"],
    ['    %5:vgpr_32 = COPY %1.sub0$0', "part 'sub0'"],
    ['    %5:vgpr_32 = COPY %99.$0', "part ''"],
    ['    %5:vgpr_32 = COPY %bb.$0', "block '%bb.'"],
    ['    %5:vgpr_32 = COPY %stack.$0', "object '%stack.'"],
    ['    %5:vgpr_32 = COPY %st$0', "object '%st'"],
    ['    %5:vgpr_32 = COPY %subreg.$0', "part '%subreg.'"],
    ['    %5:vreg_64 = REG_SEQUENCE %0, $0', "part ''"],
    ['    %5:vreg_64 = REG_SEQUENCE %0, %subreg.$0', "part '%subreg.'"],
    ['    %5:vreg_64 = REG_SEQUENCE %0, %subreg.s$0', "part '%subreg.s'"],
    ['    S_BRANCH $0', "block ''"],
    ['    S_BRANCH %bb$0', "block '%bb'"],
    ['    S_BRANCH %$0', "block '%'"],
    ['    %bb$0', ''],
    ['    %bb.$0', ''],
    ['    %st$0', ''],
    ['    %5:vgpr_32 = V_ADD_U32_e32 $0', "object physical register value ''"],
    ['    %5:vgpr_32 = V_ADD_U32_e32 %$0', "object register '%'"],
    ['    %5:vgpr_32 = V_ADD_U32_e32 $$0', "physical '$'"],
    ['    %5:vgpr_32 = V_ADD_U32_e32 %0 $0', ''],
    ['    %5:vgpr_32 = V_ADD_U32_e32 %0 d$0', "word 'd'"],
    ['    %5:vgpr_32 = V_ADD_U32_e32 killed $0', "object physical register value ''"],
    ['    %5:vgpr_32 = V_ADD_U32_e32 %0, %0 i$0', "word 'i'"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0 $0', "snippet ''"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0 d$0', "snippet word 'd'"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0, implicit $exec :$0', "physical register ''"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0, implicit $exec $0', "snippet ''"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0, implicit $exec :: $0', "snippet ''"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0, implicit $exec :: ($0', "word ''"],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0, 0 $0 :: (load (s32))', ''],
    ['    %5:vgpr_32 = GLOBAL_LOAD_DWORD %n, 0 d$0 :: (load (s32))', "word 'd'"],
    ['    S_NOP 0, debug-location $0', ''],
    ['    S_NOP 0, debug-location !0 $0', ''],
    ['    S_NOP 0 d$0', "word 'd'"],
    ['    S_NOP 0 d$0, debug-location !0', "word 'd'"],
    ['    S_NOP 0 $0', ''],
    ['    S_NOP %bb.0 d$0', "word 'd'"],
    ['    S_NOP $vgpr0 d$0', "word 'd'"],
    ['    S_NOP %0.sub0 d$0', "word 'd'"],
    ['    S_NOP @g d$0', "word 'd'"],
    ['    S_NOP target-flags(x) d$0', ''],
    ['    S_NOP %g(s32) d$0', "word 'd'"],
  ];
  for (const [line, kinds] of PLACES) it(`${line.trim()}: ${kinds}`, () => assert.equal(kindsAt(body(line)), kinds));

  it('at the start of a line registers after all others', () => {
    const whole = answer(body('    $0')).items.length;
    assert.equal(whole, 100);
    const { items } = answer(body('    %$0'));
    assert.deepEqual(items.map((c) => c.label).slice(0, 2), ['%2', '%3'].slice(0, items.length));
  });
});

describe('what is proposed elsewhere', () => {
  const f = (name: string, lines = '    S_ENDPGM 0\n'): string => `---\nname: ${name}\nbody: |\n  bb.0:\n${lines}...\n`;
  const PLACES: readonly (readonly [text: string, kinds: string, settings?: Partial<Settings>])[] = [
    // Outside of all: snippets for those who take them.
    ['$0', "snippet ''"],
    [`${RUN}$0`, "snippet ''"],
    [`${RUN}${f('f')}$0`, "snippet ''"],
    [`${RUN}${f('f')}\nte$0\n`, "snippet 'te'"],
    // RUN and CHECK lines.
    ['# RUN: $0', "opcode word ''"],
    ['# RUN: l$0', "opcode 'l'"],
    ['# RUN: llc %s | FileCheck %s\n# C$0', "word 'C'"],
    ['# C$0', ''],
    ['# x y$0', ''],
    // The header.
    [`${RUN}---\nname: f\n$0\nbody: |\n  bb.0:\n...\n`, "key ''"],
    [`${RUN}---\nname: f\ntracks$0\nbody: |\n  bb.0:\n...\n`, "key 'tracks'"],
    [`${RUN}---\nname: f\ntracksRegLiveness: $0\nbody: |\n  bb.0:\n...\n`, "value ''"],
    // The body: its end belongs to it where the line is indented.
    [`${RUN}${f('f', '    S_NOP 0\n    $0\n')}`, "opcode ''"],
    [`${RUN}---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n    $0`, "opcode ''"],
    [`${RUN}---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n\n    $0`, "opcode ''"],
    // The IR.
    [`${RUN}--- |\n  define void @f() {\n    $0\n    ret void\n  }\n...\n`, "word ''"],
    [`${RUN}--- |\n  define void @f() {\n    r$0\n    ret void\n  }\n...\n`, "word 'r'"],
    [`${RUN}--- |\n  define void @f() {\n    ; x y$0\n    ret void\n  }\n...\n`, ''],
    [
      `${RUN}--- |\n  @g = global i32 0\n  define void @f() {\n    store i32 0, ptr @$0\n    ret void\n  }\n...\n`,
      "opcode '@'",
    ],
    // Another target.
    ['# RUN: llc -mtriple=x86_64-- -run-pass=none %s\n$0', ''],
    ['# RUN: llc -mtriple=x86_64-- -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n    $0\n...\n', ''],
    [
      '# RUN: llc -mtriple=x86_64-- -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n    successors: $0\n...\n',
      "block ''",
    ],
    [
      '# RUN: llc -mtriple=x86_64-- -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n    %0:gr32 = MOV32ri 7\n    %1:gr32 = COPY $0\n...\n',
      "block register symbol ''",
    ],
    ['# RUN: llc -mtriple=x86_64-- -run-pass=none %s\n---\nname: f\n$0\nbody: |\n  bb.0:\n...\n', "key ''"],
  ];
  for (const [text, kinds, settings] of PLACES)
    it(`${JSON.stringify(text.replace(RUN, ''))}: ${kinds}`, () => assert.equal(kindsAt(text, settings), kinds));
});

describe('an item', () => {
  const LINES = body('    %5:vgpr_32 = V_MOV_$0B32 0');
  const first = (marked: string, label: string, settings?: Partial<Settings>): CompletionItem =>
    answer(marked, settings).items.find((c) => c.label === label)!;

  it('is in place of what is typed, and of the rest of the word for those who want it', () => {
    const { textEdit } = first(LINES, 'V_MOV_B32_e32');
    assert.ok(textEdit !== undefined && 'range' in textEdit);
    const line = LINES.slice(0, LINES.indexOf('$0')).split('\n').length - 1;
    const at = (character: number): object => ({ line, character });
    assert.deepEqual(textEdit.range, { start: at(17), end: at(23) });
    const both = first(LINES, 'V_MOV_B32_e32', { replacesWords: true }).textEdit as InsertReplaceEdit;
    assert.deepEqual(both, {
      newText: 'V_MOV_B32_e32',
      insert: { start: at(17), end: at(23) },
      replace: { start: at(17), end: at(26) },
    });
    // No rest of a word.
    for (const end of ['$0 0', '$0', '$0.x', '$0, 0']) {
      const edit = first(body(`    %5:vgpr_32 = V_MOV_${end}`), 'V_MOV_B32_e32', { replacesWords: true }).textEdit!;
      assert.ok('range' in edit, end);
    }
    for (const [rest, n] of [
      ['x y', 1],
      ['x-y', 3],
      ['$x', 2],
      ['x.y', 1],
    ] as const) {
      const edit = first(body(`    %5:vgpr_32 = V_MOV_$0${rest}`), 'V_MOV_B32_e32', { replacesWords: true })
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
    assert.deepEqual(first(body('    S_NOP 0\n    S_NO$0'), 'S_NOP').labelDetails, {
      detail: ' simm16',
      description: 'used 2 x here',
    });
    assert.equal(first(body('    S_NOP 0, implicit %$0'), '%g').labelDetails?.description, '_(s64)');
  });

  it('has stops for those who take them', () => {
    const marked = body('    S_NO$0');
    const withStops = first(marked, 'S_NOP');
    assert.equal((withStops.textEdit as TextEdit).newText, 'S_NOP ${1:0}$0');
    assert.equal(withStops.insertTextFormat, InsertTextFormat.Snippet);
    const plain = first(marked, 'S_NOP', { snippets: false });
    assert.equal((plain.textEdit as TextEdit).newText, 'S_NOP');
    assert.equal(plain.insertTextFormat, undefined);
    const defined = first(body('    V_NOT_B32_e3$0'), 'V_NOT_B32_e32', { snippets: false });
    assert.equal((defined.textEdit as TextEdit).newText, '%2:vgpr_32 = V_NOT_B32_e32');
  });

  it('asks for more where a client of ours can be asked', () => {
    const command = { title: '', command: 'editor.action.triggerSuggest' };
    const fill = { title: '', command: 'amdgpu-mir.fillOperands', arguments: [['%2:vgpr_32', 'src0']] };
    assert.deepEqual(first(body('    V_NOT_B32_e3$0'), 'V_NOT_B32_e32', { commandLinks: true }).command, fill);
    const plain = { commandLinks: true, snippets: false };
    assert.deepEqual(first(body('    V_NOT_B32_e3$0'), 'V_NOT_B32_e32', plain).command, command);
    assert.equal(first(body('    S_NO$0'), 'S_NOP').command, undefined);
    assert.equal(first(body('    S_BARRIE$0'), 'S_BARRIER', { commandLinks: true }).command, undefined);
    assert.deepEqual(first(body('    nofp$0'), 'nofpexcept', { commandLinks: true }).command, command);
  });

  /** Blanks that go where a label is accepted, as `from-to` of the line. */
  const LABELS: readonly (readonly [text: string, blanks: string])[] = [
    ['  bb.0:\n    S_NOP 0\n    bb.$0\n', '2-4'],
    ['  bb.0:\n    S_NOP 0\n   bb.$0\n', '2-3'],
    ['  bb.0:\n    S_NOP 0\n  bb.$0\n', ''],
    ['    bb.0:\n      S_NOP 0\n      bb.$0\n', '4-6'],
    ['    bb.0:\n      S_NOP 0\n    bb.$0\n', ''],
    // Without another label llc's column.
    ['    S_NOP 0\n    bb.$0\n', '2-4'],
  ];
  for (const [lines, blanks] of LABELS)
    it(`of a label goes to its column: ${JSON.stringify(lines)}`, () => {
      const { items } = answer(`${RUN}---\nname: f\nbody: |\n${lines}...\n`);
      const label = items.find((c) => /^bb\.\d:$/.test(c.label))!;
      const [gap] = label.additionalTextEdits ?? [];
      assert.equal(gap === undefined ? '' : `${gap.range.start.character}-${gap.range.end.character}`, blanks);
      assert.equal(gap?.newText ?? '', '');
    });
  it('that is no label stays', () => assert.equal(first(body('      S_NO$0'), 'S_NOP').additionalTextEdits, undefined));

  it('of a list that was cut or not tried to its end is one of more', () => {
    const { snapshot, position } = atCursor(body('    S_NO$0'));
    const list = (): CompletionList => provideCompletion(snapshot, { textDocument: { uri: URI }, position });
    assert.equal(list().isIncomplete, false);
    assert.equal(answer(body('    V$0')).isIncomplete, true);
    assert.equal(answer(body('    S_NO$0')).isIncomplete, false);
    const never = provideCompletion(snapshot, { textDocument: { uri: URI }, position }, { isCancelled: () => true });
    assert.deepEqual(never, { isIncomplete: false, items: [] });
  });

  it('of an opcode says which targets of the file have not got it', () => {
    const two = body('    V_ADD_U32_e3$0').replace(
      RUN,
      `${RUN}# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx803 -run-pass=none %s\n# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s\n`,
    );
    assert.equal(first(two, 'V_ADD_U32_e32').labelDetails?.description, 'not on gfx803');
  });
});

/**
 * Every request at every few places of one text in several dresses. What it answers is the same with carriage returns, with tabs, without a
 * line break at the end of the file, and with a function after it that is broken; in half a line, in the IR and in a file of another target it
 * answers what needs no more.
 */
import assert from 'node:assert/strict';
import type { CompletionList, Position, Range } from 'vscode-languageserver-types';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { FEATURES } from '../../../server/src/lsp/common/featureTable.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { atCursor, URI } from '../../support/cursor.js';

const IR = `--- |
  @g = addrspace(1) global i32 0
  define amdgpu_kernel void @f(ptr addrspace(1) %p) {
  entry:
    %x = load i32, ptr addrspace(1) %p
    br label %out
  out:
    ret void
  }
  define void @h() {
    ret void
  }
...
`;
const F = `---
# CHECK-LABEL: name: f
name:            f
tracksRegLiveness: true
stack:
  - { id: 0, size: 4, alignment: 4 }
machineFunctionInfo:
  isEntryFunction: true
body:             |
  bb.0.entry:
    successors: %bb.1(0x80000000)
    liveins: $vgpr0, $sgpr4_sgpr5

    ; CHECK: [[X:%[0-9]+]]:vgpr_32 = COPY $vgpr0
    ; CHECK-NEXT: [[X]]
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = COPY $sgpr4_sgpr5
    %2:vgpr_32 = V_ADD_F32_e64 0, %0, 0, %0, 0, 0, implicit $mode, implicit $exec
    %4:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR %1, %2, 0, 0, implicit $exec :: (load (s32) from %ir.p, addrspace 1)
    S_BRANCH %bb.1

  bb.1.out:
    $vgpr3 = COPY %4
    S_ENDPGM 0, implicit $vgpr3, implicit %2
...
`;
const H = `---
name:            h
body:             |
  bb.0:
    SI_RETURN
...
`;
const FIRST_BODY_LINE = 20;
const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s | FileCheck %s\n';
const TEXT = RUN + IR + F + H;

/** About the place of the cursor. */
const HERE = [
  'textDocument/hover',
  'textDocument/completion',
  'textDocument/signatureHelp',
  'textDocument/linkedEditingRange',
  'textDocument/definition',
  'textDocument/declaration',
  'textDocument/references',
  'textDocument/documentHighlight',
  'textDocument/prepareRename',
  'textDocument/rename',
  'textDocument/codeAction',
  'textDocument/prepareCallHierarchy',
  'textDocument/prepareTypeHierarchy',
] as const;
/** About the layout, or all of the text. */
const WHOLE = [
  'textDocument/formatting',
  'textDocument/onTypeFormatting',
  'textDocument/foldingRange',
  'textDocument/documentSymbol',
  'textDocument/documentLink',
  'textDocument/semanticTokens/full',
  'textDocument/inlayHint',
  'textDocument/codeLens',
] as const;
type Asked = (typeof HERE)[number] | (typeof WHOLE)[number];

function answer(snapshot: Snapshot, method: Asked, position: Position): unknown {
  const params = {
    textDocument: { uri: URI },
    position,
    range: { start: position, end: position },
    context: { diagnostics: [], includeDeclaration: true, triggerKind: 1 },
    options: { tabSize: 2, insertSpaces: true },
    ch: '\n',
    newName: '77',
  };
  const provide = FEATURES[method] as (snapshot: Snapshot, params: unknown, token: unknown) => unknown;
  return provide(snapshot, params, NEVER_CANCELLED);
}

const opened = (text: string): Snapshot => atCursor(`${text}$0`, { snippets: true }).snapshot;

/** The answer with its places changed, and without what counts characters of the whole text. */
const comparable = (value: unknown, place: (at: Position) => Position = (at) => at): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (key, v: unknown) => {
      if (key === 'at' || key === 'resultId') return undefined;
      if (typeof v === 'string') return v.replaceAll('\r\n', '\n').replaceAll('  \t', '    ');
      if (typeof v === 'object' && v !== null && 'character' in v) return place(v as Position);
      return v;
    }),
  );

/** Places of the text: every `step`th of each line. */
function* places(text: string, step: number): Iterable<Position> {
  const lines = text.split('\n');
  for (const [line, l] of lines.entries())
    for (let character = line % step; character <= l.length; character += step) yield { line, character };
}

const titles = (actions: unknown): string[] => (actions as { title: string }[]).map((a) => a.title);

function* rangesIn(value: unknown): Iterable<Range> {
  if (typeof value !== 'object' || value === null) return;
  if ('start' in value && 'end' in value) yield value as Range;
  else for (const v of Object.values(value)) yield* rangesIn(v);
}

describe('in bad input', () => {
  const plain = opened(TEXT);

  it('carriage returns change nothing', () => {
    const other = opened(TEXT.replaceAll('\n', '\r\n'));
    for (const at of places(TEXT, 37))
      for (const method of HERE)
        assert.deepEqual(
          comparable(answer(other, method, at)),
          comparable(answer(plain, method, at)),
          `${method} ${at.line}:${at.character}`,
        );
    for (const method of WHOLE)
      assert.deepEqual(
        comparable(answer(other, method, { line: 3, character: 0 })),
        comparable(answer(plain, method, { line: 3, character: 0 })),
        method,
      );
  });

  it('tabs before instructions only move columns', () => {
    const isIndented = (line: number): boolean =>
      /^ {4}[^ ]/.test(TEXT.split('\n')[line] ?? '') && line > FIRST_BODY_LINE;
    const tabbed = TEXT.split('\n').map((l, k) => (isIndented(k) ? `  \t${l.slice(4)}` : l));
    const other = opened(tabbed.join('\n'));
    const there = ({ line, character }: Position): Position => ({
      line,
      character: isIndented(line) ? Math.max(0, character - 1) : character,
    });
    for (const at of places(TEXT, 37)) {
      if (isIndented(at.line) && at.character < 4) continue;
      for (const method of HERE)
        assert.deepEqual(
          comparable(answer(other, method, there(at))),
          comparable(answer(plain, method, at), there),
          `${method} ${at.line}:${at.character}`,
        );
    }
  });

  it('nor do errors in another function, or a missing end', () => {
    const broken = opened(RUN + IR + F + H.replace('SI_RETURN', 'SI_RETURN\n    %0:nothing = X )))\n    %1 = '));
    const endless = opened(TEXT.trimEnd());
    for (const at of places(RUN + IR + F, 47))
      for (const method of HERE) {
        const wanted = comparable(answer(plain, method, at));
        const what = `${method} ${at.line}:${at.character}`;
        for (const other of [broken, endless]) {
          const there = comparable(answer(other, method, at));
          // Some take away what stands after the function, which is something else there.
          if (method === 'textDocument/codeAction') assert.deepEqual(titles(there), titles(wanted), what);
          else assert.deepEqual(there, wanted, what);
        }
      }
  });

  it('a line that is half typed takes part, and its neighbours are as they were', () => {
    const line = TEXT.split('\n').findIndex((l) => l.includes('V_ADD_F32_e64'));
    const full = TEXT.split('\n')[line]!;
    for (let length = 5; length < full.length; length += 3) {
      const half = TEXT.replace(full, full.slice(0, length));
      const snapshot = opened(half);
      const last = { line, character: length };
      const list = answer(snapshot, 'textDocument/completion', last) as CompletionList;
      if (/[\w%]$|[ ,=:.]$/.test(full.slice(0, length)) && !/:vgpr_32$|\d$/.test(full.slice(0, length)))
        assert.ok(list.items.length > 0, `nothing after '${full.slice(0, length)}'`);
      const above = { line: line - 2, character: 5 };
      for (const method of ['textDocument/references', 'textDocument/rename', 'textDocument/definition'] as const)
        assert.notEqual(
          JSON.stringify(answer(snapshot, method, above) ?? null),
          'null',
          `${method}: ${full.slice(0, length)}`,
        );
      for (const method of [...HERE, ...WHOLE])
        for (const { start, end } of rangesIn(answer(snapshot, method, last))) {
          assert.ok(start.line < end.line || (start.line === end.line && start.character <= end.character), method);
          assert.ok(end.line <= snapshot.text.lineCount, method);
        }
    }
  });

  it('the IR has names, completion, renames and folds', () => {
    const at = (word: string, behind = 1): Position => plain.text.positionAt(TEXT.indexOf(word) + behind);
    assert.equal((answer(plain, 'textDocument/references', at('%x = ')) as unknown[]).length, 1);
    assert.equal((answer(plain, 'textDocument/references', at('%p)')) as unknown[]).length, 3);
    const { items } = answer(plain, 'textDocument/completion', at('%out', 4)) as CompletionList;
    assert.deepEqual(
      items.map((i) => i.label),
      ['%out'],
    );
    assert.ok(answer(plain, 'textDocument/rename', at('%out')) !== null);
    assert.ok((answer(plain, 'textDocument/foldingRange', at('%x')) as unknown[]).length > 3);
  });

  it('a file of another target keeps what needs no target', () => {
    const foreign = `# RUN: llc -mtriple=aarch64 -run-pass=none -o - %s | FileCheck %s
---
name:            add
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.1
   liveins: $w0
    ; CHECK: [[X:%[0-9]+]]:gpr32
    ; CHECK-NEXT: [[X]]
    %0:gpr32 = COPY $w0
    %1:gpr32 = ADDWrr  %0, %0
    B %bb.1

  bb.1:
    RET undef $lr, implicit %1
...
`;
    const snapshot = opened(foreign);
    const at = (word: string, behind = 1): Position => snapshot.text.positionAt(foreign.indexOf(word) + behind);
    const renamed = (word: string, behind = 1): number =>
      [...rangesIn(answer(snapshot, 'textDocument/rename', at(word, behind)))].length;
    assert.equal(renamed('%0:gpr32'), 3, 'registers');
    assert.equal(renamed('bb.1:', 3), 3, 'blocks');
    assert.equal(
      (answer(snapshot, 'textDocument/linkedEditingRange', at('%0:gpr32')) as { ranges: [] }).ranges.length,
      3,
    );
    assert.equal((answer(snapshot, 'textDocument/references', at('%1:gpr32')) as []).length, 2);
    const edits = answer(snapshot, 'textDocument/formatting', at('B %')) as { range: Range; newText: string }[];
    assert.deepEqual(
      edits.map((e) => [e.range.start.line, e.newText]),
      [
        [7, '    '],
        [11, ' '],
      ],
    );
    assert.ok((answer(snapshot, 'textDocument/foldingRange', at('B %')) as []).length > 1);
    assert.deepEqual(answer(snapshot, 'textDocument/codeAction', at('ADDWrr')), []);
  });
});

/** What grows from a word, and the outline, places of definitions and folds of bodies of many lines. */
import assert from 'node:assert/strict';
import type { SelectionRange } from 'vscode-languageserver-types';
import { provideDeclaration, provideDefinition } from '../../../../server/src/features/navigation/definition.js';
import { provideDocumentSymbols } from '../../../../server/src/features/navigation/documentSymbols.js';
import { provideFoldingRanges } from '../../../../server/src/features/navigation/foldingRange.js';
import { provideSelectionRanges } from '../../../../server/src/features/navigation/selectionRange.js';
import type { Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { atCursor, openText, URI } from '../../../support/cursor.js';

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n';

/** Each step as `first line to last line`, or its text where that is one line. */
function steps(marked: string): string[] {
  const { snapshot, position } = atCursor(marked);
  const result: string[] = [];
  for (
    let r: SelectionRange | undefined = provideSelectionRanges(snapshot, { positions: [position] })[0];
    r;
    r = r.parent
  ) {
    const { start, end } = r.range;
    const text = snapshot.text.slice(snapshot.text.offsetAt(start), snapshot.text.offsetAt(end));
    result.push(text.includes('\n') ? `${start.line}-${end.line}` : text);
  }
  return result;
}

const SMALL = `${RUN}--- |
  @g = global i32 0
  define void @f() {
    ret void
  }
...
---
name: f
stack:
  - { id: 0, size: 4 }
body: |
  ; before
  bb.0:
    successors: %bb.1
    %Az0_9:vgpr_32 = COPY killed $vgpr0_vgpr1

  bb.1:
    S_ENDPGM 0, implicit %Az0_9
...
---
name: g
...
`;
const at = (before: string, behind: string): string => SMALL.replace(before + behind, `${before}$0${behind}`);

describe('selections that grow', () => {
  const CASES: readonly (readonly [marked: string, steps: readonly string[]])[] = [
    [
      at('%Az', '0_9:'),
      [
        'Az0_9',
        '%Az0_9',
        '%Az0_9:vgpr_32',
        '%Az0_9:vgpr_32 = COPY killed $vgpr0_vgpr1',
        '13-17',
        '12-19',
        '7-20',
        '0-23',
      ],
    ],
    [
      at('kil', 'led'),
      ['killed', 'killed $vgpr0_vgpr1', '%Az0_9:vgpr_32 = COPY killed $vgpr0_vgpr1', '13-17', '12-19', '7-20', '0-23'],
    ],
    [at('CO', 'PY'), ['COPY', '%Az0_9:vgpr_32 = COPY killed $vgpr0_vgpr1', '13-17', '12-19', '7-20', '0-23']],
    [at('bb', '.0:'), ['bb', 'bb.0', 'bb.0:', '13-17', '12-19', '7-20', '0-23']],
    [at('bb', '.1:'), ['bb', 'bb.1', 'bb.1:', '17-19', '12-19', '7-20', '0-23']],
    [at('; bef', 'ore'), ['before', '; before', '12-19', '7-20', '0-23']],
    [at('ret v', 'oid'), ['void', 'ret void', '0-7', '0-23']],
    [at('  @', 'g = g'), ['g', '@g', '@g = global i32 0', '0-7', '0-23']],
    [at('name: ', 'g'), ['g', 'name: g', '20-23', '0-23']],
  ];
  for (const [marked, wanted] of CASES)
    it(
      marked.split('\n').find((l) => l.includes('$0'))!,
      () => assert.deepEqual(steps(marked), wanted),
    );

  it('of several places at once', () => {
    const { snapshot } = openText(SMALL);
    const positions = [0, 50, 100].map((k) => snapshot.text.positionAt(k));
    const one = (k: number): SelectionRange => provideSelectionRanges(snapshot, { positions: [positions[k]!] })[0]!;
    assert.deepEqual(provideSelectionRanges(snapshot, { positions }), [one(0), one(1), one(2)]);
    assert.deepEqual(provideSelectionRanges(snapshot, { positions: [] }), []);
  });

  it('of nothing', () => {
    const { snapshot, position } = atCursor('$0');
    assert.deepEqual(provideSelectionRanges(snapshot, { positions: [position] }), [
      { range: { start: position, end: position } },
    ]);
  });
});

describe('bodies of many lines', () => {
  const BLOCKS = 120;
  const LINES = 5;
  const block = (b: number): string =>
    `  bb.${b}:\n    successors: %bb.${b + 1}\n\n    %${b}:sreg_32 = S_MOV_B32 ${b}\n    $sgpr${b % 90} = COPY %${b}\n`;
  const TEXT = `${RUN}---\nname: f\nbody: |\n${Array.from({ length: BLOCKS }, (_, b) => block(b)).join('')}  bb.${BLOCKS}:\n    S_ENDPGM 0, implicit %7, implicit $sgpr9\n...\n`;
  const FIRST = 4;
  const { snapshot } = openText(TEXT);
  /** line of the label of a block */
  const lineOf = (b: number): number => FIRST + b * LINES;
  const at = (
    line: number,
    character: number,
  ): { textDocument: { uri: string }; position: { line: number; character: number } } => ({
    textDocument: { uri: URI },
    position: { line, character },
  });

  it('have several chunks', () => assert.ok(snapshot.functions[0]!.body!.chunks.length > 2));

  it('an outline of all blocks', () => {
    const [outline] = provideDocumentSymbols(snapshot);
    assert.equal(outline!.name, 'f');
    assert.equal(outline!.detail, `${2 * BLOCKS + 1} instructions`);
    assert.deepEqual(
      outline!.children!.map(
        (c) =>
          `${c.name} ${c.range.start.line}-${c.range.end.line} ${c.selectionRange.start.character}-${c.selectionRange.end.character}`,
      ),
      Array.from(
        { length: BLOCKS + 1 },
        (_, b) => `bb.${b} ${lineOf(b)}-${b === BLOCKS ? lineOf(b) + 2 : lineOf(b + 1)} 2-${String(b).length + 6}`,
      ),
    );
  });

  it('selections of each block', () => {
    for (const b of [0, 1, 30, 77, BLOCKS - 1]) {
      const ranges: string[] = [];
      const [first] = provideSelectionRanges(snapshot, { positions: [{ line: lineOf(b) + 3, character: 5 }] });
      for (let r: SelectionRange | undefined = first; r; r = r.parent)
        ranges.push(`${r.range.start.line}-${r.range.end.line}`);
      assert.ok(ranges.includes(`${lineOf(b)}-${lineOf(b + 1)}`), String(b));
    }
  });

  it('folds of each block', () => {
    const folds = provideFoldingRanges(snapshot, null, NEVER_CANCELLED)!.map((r) => `${r.startLine}-${r.endLine}`);
    assert.deepEqual(
      folds.slice(-BLOCKS - 1),
      Array.from({ length: BLOCKS + 1 }, (_, b) => `${lineOf(b)}-${b === BLOCKS ? lineOf(b) + 1 : lineOf(b + 1) - 1}`),
    );
  });

  it('definitions of registers and blocks', () => {
    const found = (of: typeof provideDefinition, line: number, character: number, s: Snapshot = snapshot): string =>
      of(s, at(line, character))
        .map((l) => `${l.range.start.line}:${l.range.start.character}`)
        .join(' ');
    for (const b of [3, 60, 100]) {
      // What is read, what follows, and what the copy writes.
      assert.equal(found(provideDefinition, lineOf(b) + 4, 4 + 6 + String(b % 90).length + 9), `${lineOf(b) + 3}:4`);
      assert.equal(found(provideDefinition, lineOf(b) + 1, 17), `${lineOf(b + 1)}:2`);
      assert.equal(found(provideDeclaration, lineOf(b) + 1, 17), `${lineOf(b + 1)}:2`);
      assert.equal(found(provideDefinition, lineOf(b) + 4, 5), `${lineOf(b) + 4}:4`);
    }
    const last = lineOf(BLOCKS) + 1;
    assert.equal(found(provideDefinition, last, 27), `${lineOf(7) + 3}:4`);
    assert.equal(found(provideDeclaration, last, 27), `${lineOf(7) + 3}:4`);
    assert.equal(found(provideDefinition, last, 42), `${lineOf(9) + 4}:4 ${lineOf(99) + 4}:4`);
    assert.equal(found(provideDefinition, last, 3), '');
    assert.equal(found(provideDeclaration, last, 3), '');
  });
});

describe('the outline', () => {
  const OUTLINES: readonly (readonly [text: string, outline: readonly string[]])[] = [
    ['', []],
    ['---\nname: f\n...\n', ['f, no body']],
    ['---\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n', ['(no name), 1 instruction: bb.0']],
    ['---\nname: f\nbody: |\n...\n', ['f, 0 instructions']],
    ['---\nname: f\nbody: |\n    S_NOP 0\n    S_ENDPGM 0\n...\n', ['f, 2 instructions']],
    [
      '---\nname: "a b"\nbody: |\n  bb.0.entry (align 4):\n    S_NOP 0\n  bb.1 (%ir-block.x):\n  bb.2.a-b.c:\n    S_ENDPGM 0\n...\n---\nname: g\n...\n',
      ['a b, 2 instructions: bb.0.entry bb.1 bb.2.a-b.c', 'g, no body'],
    ],
  ];
  for (const [text, wanted] of OUTLINES)
    it(JSON.stringify(text), () =>
      assert.deepEqual(
        provideDocumentSymbols(atCursor(`$0${RUN}${text}`).snapshot).map(
          ({ name, detail, children = [] }) =>
            `${name}, ${detail}${children.length > 0 ? ': ' : ''}${children.map((c) => c.name).join(' ')}`,
        ),
        wanted,
      ),
    );
});

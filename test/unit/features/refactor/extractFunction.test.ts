/** Which functions can go to a file of their own, and what both files are then. */
import assert from 'node:assert/strict';
import type { TextDocumentEdit } from 'vscode-languageserver-types';
import { extractFunction } from '../../../../server/src/features/simplify/extractFunction.js';
import { AnalysisHost } from '../../../../server/src/host/analysisHost.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/program/settings.js';
import { splitCursor } from '../../../support/cursor.js';

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s -o -\n';
const IR = '--- |\n  define void @f() { ret void }\n  define void @g() { ret void }\n...\n';
const mir = (name: string, instr = 'S_NOP 0'): string =>
  `---\nname: ${name}\nbody: |\n  bb.0:\n    ${instr}\n    S_ENDPGM 0\n...\n`;

/** What is offered with the cursor where `$0` stands: title, new file, its text, and this file after it. */
function offered(marked: string, uri = 'file:///tests/all.mir', createsFiles = true): readonly string[] {
  const { text, offset } = splitCursor(marked);
  const host = new AnalysisHost(false, Infinity);
  host.configure({ ...DEFAULT_SETTINGS, createsFiles });
  host.open(uri, 7, text);
  const snapshot = host.snapshot(uri)!;
  const start = snapshot.text.positionAt(offset);
  return extractFunction(snapshot, { start, end: start }).flatMap(({ title, kind, edit }) => {
    const [create, there, here] = edit!.documentChanges as [{ uri: string }, TextDocumentEdit, TextDocumentEdit];
    assert.equal(kind, 'refactor.extract.function');
    assert.deepEqual(there.textDocument, { uri: create.uri, version: null });
    assert.deepEqual(here.textDocument, { uri, version: 7 });
    const places = here.edits.map((e) => ({
      from: snapshot.text.offsetAt(e.range.start),
      to: snapshot.text.offsetAt(e.range.end),
      text: (e as { newText: string }).newText,
    }));
    let rest = text;
    for (const e of places.sort((a, b) => b.from - a.from)) rest = rest.slice(0, e.from) + e.text + rest.slice(e.to);
    const [insert] = there.edits as { range: unknown; newText: string }[];
    assert.deepEqual(insert!.range, { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } });
    return [title, create.uri, insert!.newText, rest];
  });
}

describe('a function in a file of its own', () => {
  it('takes the RUN lines and its IR along, which leaves this file', () => {
    assert.deepEqual(offered(`${RUN}${IR}${mir('f').replace('name: f', 'name: $0f')}${mir('g')}`), [
      'Extract function to f.mir',
      'file:///tests/f.mir',
      `${RUN}--- |\n  define void @f() { ret void }\n...\n${mir('f')}`,
      `${RUN}--- |\n  define void @g() { ret void }\n...\n${mir('g')}`,
    ]);
  });

  it('is the last one as well as the first', () => {
    assert.deepEqual(offered(`${RUN}${mir('f')}${mir('g.x-1', 'S_NOP 1').replace('name:', 'na$0me:')}`), [
      'Extract function to g.x-1.mir',
      'file:///tests/g.x-1.mir',
      `${RUN}${mir('g.x-1', 'S_NOP 1')}`,
      `${RUN}${mir('f')}`,
    ]);
  });

  it('takes definitions of one line and of several', () => {
    const ir =
      '--- |\n  define void @f() { ; {first}\n    ret void\n  } ; f\n  define void @h() { ret void } ; h\n  define void @g() {\n    ret void\n  }\n...\n';
    const [, , there, rest] = offered(`${RUN}${ir}${mir('f')}${mir('h').replace('name:', 'name$0:')}${mir('g')}`);
    assert.equal(there, `${RUN}--- |\n  define void @h() { ret void } ; h\n...\n${mir('h')}`);
    assert.equal(rest, `${RUN}${ir.replace('  define void @h() { ret void } ; h\n', '')}${mir('f')}${mir('g')}`);
  });

  const two = `${RUN}${mir('f').replace('name: f', 'name: $0f')}${mir('g')}`;
  const NONE: readonly (readonly [string, () => readonly string[]])[] = [
    ['where the client makes no files', () => offered(two, 'file:///tests/all.mir', false)],
    ['from a text that lies in no folder', () => offered(two, 'untitled:all')],
    ['to the file that it is in', () => offered(two, 'file:///tests/f.mir')],
    ['of the only function', () => offered(`${RUN}${mir('f').replace('name: f', 'name: $0f')}`)],
    ['away from the line of the name', () => offered(`${RUN}${mir('f').replace('S_NOP', 'S$0_NOP')}${mir('g')}`)],
    ['between functions', () => offered(`${RUN}$0${mir('f')}${mir('g')}`)],
    [
      'of one whose name is no name of a file',
      () => offered(`${RUN}${mir('"f g"').replace('name: ', 'name: $0')}${mir('g')}`),
    ],
  ];
  for (const [where, ask] of NONE) it(`is not offered ${where}`, () => assert.deepEqual(ask(), []));
});

/** Symbols of files that are not open: words that look like symbols, and the order of what a query finds. */
import assert from 'node:assert/strict';
import { findSymbols, scanSymbols } from '../../../../server/src/features/navigation/workspaceSymbols.js';

const show = (text: string): string[] => {
  const lines = text.split('\n');
  return scanSymbols(text).map((s) => `${s.kind} ${s.name} ${s.line + 1} ${lines[s.line]!.slice(s.start, s.end)}`);
};

const LINES: readonly (readonly [text: string, symbols: readonly string[]])[] = [
  ['name: f\n', ['function f 1 f']],
  ['name:            name\n', ['function name 1 name']],
  ["name: 'f'\n", ['function f 1 f']],
  ['name: "f"\n', ['function f 1 f']],
  ['name:\tf # x\n', ['function f 1 f']],
  ['name: f', ['function f 1 f']],
  ['\n\nname: f\n', ['function f 3 f']],
  [' name: f\n', []],
  ['name:f\n', []],
  ['names: f\n', []],
  ['name: \'f"\n', []],
  ['  define void @f() {\n', ['ir-function f 1 f']],
  ['\tdefine void @f() {\n', ['ir-function f 1 f']],
  ['  define void @f(ptr @g) {\n', ['ir-function f 1 f']],
  ['define void @f() {\n', []],
  ['  defined void @f() {\n', []],
  ['  define void f() {\n', []],
  ['  @g = global i32 0\n', ['global g 1 g']],
  ['  @g.1$a-b = constant i32 0\n', ['global g.1$a-b 1 g.1$a-b']],
  ['  @g = internal alias void (), ptr @f\n', ['global g 1 g']],
  ['  @g = ifunc void (), ptr @f\n', ['global g 1 g']],
  ['  @g = globals i32 0\n', []],
  ['@g = global i32 0\n', []],
  ['  @"a b" = global i32 0\n', ['global a b 1 "a b"']],
  ['  call void @g(), global\n', []],
  ['    $vgpr0 = COPY $vgpr1\n', []],
];

describe('lines with symbols', () => {
  for (const [text, symbols] of LINES) it(JSON.stringify(text), () => assert.deepEqual(show(text), symbols));
});

describe('what a query finds', () => {
  const files = [
    ['file:///w/one.mir', scanSymbols('name: abc\n---\nname: ab\n  define void @abc() {\n  define void @xab() {\n')],
    ['file:///w/sub/two.mir', scanSymbols('name: ab\n---\nname: a-b\n  @ab = global i32 0\n')],
  ] as const;
  const found = (query: string): string[] =>
    findSymbols(files, query).map((s) => `${s.name} ${s.kind} ${s.containerName}`);

  it('comes by nearness, then by name, then by file', () => {
    assert.deepEqual(found('ab'), [
      'ab 12 one.mir',
      'ab 12 two.mir',
      'ab 13 two.mir',
      'abc 12 one.mir',
      'xab 6 one.mir',
      'a-b 12 two.mir',
    ]);
    assert.deepEqual(found('AB'), found('ab'));
    assert.deepEqual(found('b'), [
      'a-b 12 two.mir',
      'ab 12 one.mir',
      'ab 12 two.mir',
      'ab 13 two.mir',
      'abc 12 one.mir',
      'xab 6 one.mir',
    ]);
    assert.deepEqual(found('ba'), []);
    assert.deepEqual(found('bb'), []);
    assert.deepEqual(found('xb'), ['xab 6 one.mir']);
  });

  it('is cut where there is too much', () => {
    const text = Array.from({ length: 600 }, (_, k) => `name: f${k}\n`).join('');
    assert.equal(findSymbols([['file:///w/a.mir', scanSymbols(text)]], 'f').length, 512);
  });
});

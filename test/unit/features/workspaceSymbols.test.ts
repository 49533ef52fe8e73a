/** Symbols of files that are not open: what a scan finds, and how a query is answered. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findSymbols, scanSymbols } from '../../../server/src/features/navigation/workspaceSymbols.js';
import { openText } from '../../support/cursor.js';

const root = join(__dirname, '..', '..', '..');

const IR = `--- |
  @lds = internal addrspace(3) global [64 x i32] poison
  @"odd name" = external constant i32
  @f.alias = alias void (), ptr @f
  define amdgpu_kernel void @f(ptr addrspace(1) %p) #0 {
    ret void
  }
  declare void @elsewhere()
  define void @"quoted fn"() { ret void }
...
---
name:            f
body: |
  bb.0:
    S_ENDPGM 0 ; name: not_one
...
---
name: 'g.h'
...
`;

describe('symbols of a file', () => {
  it('are its functions and what its IR defines, with their places', () => {
    const lines = IR.split('\n');
    assert.deepEqual(
      scanSymbols(IR).map((s) => `${s.kind} ${s.name} = ${lines[s.line]!.slice(s.start, s.end)}`),
      [
        'global lds = lds',
        'global odd name = "odd name"',
        'global f.alias = f.alias',
        'ir-function f = f',
        'ir-function quoted fn = "quoted fn"',
        'function f = f',
        'function g.h = g.h',
      ],
    );
  });

  it('are the functions that the parser finds', () => {
    for (const folder of ['examples', 'test/fixtures/features'])
      for (const file of readdirSync(join(root, folder)).filter((f) => f.endsWith('.mir'))) {
        const text = readFileSync(join(root, folder, file), 'utf8');
        const parsed = openText(text).snapshot.functions.flatMap((f) => (f.name === '' ? [] : [f.name]));
        const scanned = scanSymbols(text).flatMap((s) => (s.kind === 'function' ? [s.name] : []));
        assert.deepEqual(scanned, parsed, file);
      }
  });

  it('of anything else are none', () => {
    for (const text of ['', '\n', 'name:', 'name: # nothing', '  @', '  define', '\0\0', ' @x = '])
      assert.deepEqual(scanSymbols(text), []);
    assert.equal(scanSymbols('name: f\r\nbody: |\r\n').length, 1);
  });
});

describe('a query for symbols', () => {
  const files = [['file:///w/a.mir', scanSymbols(IR)]] as const;
  const names = (query: string): string[] => findSymbols(files, query).map((s) => s.name);

  it('finds the letters in order, the nearest first', () => {
    assert.deepEqual(names('f'), ['f', 'f.alias', 'quoted fn']);
    assert.deepEqual(names('QF'), ['quoted fn']);
    assert.deepEqual(names('zzz'), []);
    assert.equal(names('').length, 6);
  });

  it('lists a function once, where its machine code is', () => {
    const [f] = findSymbols(files, 'f');
    assert.equal(f!.containerName, 'a.mir');
    assert.equal((f!.location as { range: { start: { line: number } } }).range.start.line, 11);
  });
});

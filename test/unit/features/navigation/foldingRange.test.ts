/** What can be folded: lines of each range, with its kind. */
import assert from 'node:assert/strict';
import { provideFoldingRanges } from '../../../../server/src/features/navigation/foldingRange.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { atCursor, openText } from '../../../support/cursor.js';

/** `from-to kind`, lines counted from 1. */
function folded(text: string): string[] {
  const { snapshot } = openText(text);
  return provideFoldingRanges(snapshot, null, NEVER_CANCELLED)!.map(
    ({ startLine, endLine, kind }) => `${startLine + 1}-${endLine + 1}${kind === undefined ? '' : ` ${kind}`}`,
  );
}

const CASES: readonly (readonly [what: string, lines: readonly string[], ranges: readonly string[]])[] = [
  ['nothing', [''], []],
  ['only comments', ['# a', '# b', '# c'], ['1-3 comment']],
  ['only the beginning of a document', ['# a', '---'], []],
  [
    'a function of one block',
    ['---', 'name: f', 'body: |', '  bb.0:', '    S_NOP 0', '...'],
    ['2-5 region', '3-5', '4-5'],
  ],
  ['without a closing line', ['---', 'name: f', 'body: |', '  bb.0:', '    S_NOP 0'], ['2-5 region', '3-5', '4-5']],
  [
    'empty lines at the end of blocks and of the document',
    ['---', 'name: f', 'body: |', '  bb.0:', '    S_NOP 0', '', '  bb.1:', '    S_NOP 0', '', '', '...', ''],
    ['2-8 region', '3-8', '4-5', '7-8'],
  ],
  [
    'a block of one line',
    ['---', 'name: f', 'body: |', '  bb.0:', '', '  bb.1:', '    S_NOP 0', '...'],
    ['2-7 region', '3-7', '6-7'],
  ],
  [
    'keys with values of several lines, and the header',
    [
      '---',
      'name: f',
      'tracksRegLiveness: true',
      'registers:',
      '  - { id: 0, class: vgpr_32 }',
      '  - { id: 1, class: vgpr_32 }',
      'frameInfo:',
      '  hasCalls: true',
      'body: |',
      '  bb.0:',
      '    S_NOP 0',
      '...',
    ],
    ['2-11 region', '4-6', '7-8', '9-11', '3-8 imports', '10-11'],
  ],
  [
    'a header of one key',
    ['---', 'name: f', 'alignment: 4', 'body: |', '  bb.0:', '    S_NOP 0', '...'],
    ['2-6 region', '4-6', '5-6'],
  ],
  ['without a name', ['---', 'alignment: 4', 'body: |', '  bb.0:', '    S_NOP 0', '...'], ['1-5 region', '3-5', '4-5']],
  [
    'the IR and its functions',
    [
      '--- |',
      '  @g = global i32 0',
      '  declare void @h()',
      '  define void @f() {',
      '    ret void',
      '  }',
      '  define void @k() { ret void }',
      '  define void @l() {',
      '    ret void',
      '  }',
      '...',
    ],
    ['1-10 region', '4-6', '8-10'],
  ],
  [
    'two documents',
    [
      '---',
      'name: f',
      'body: |',
      '  bb.0:',
      '    S_NOP 0',
      '...',
      '---',
      'name: g',
      'body: |',
      '  bb.0:',
      '    S_NOP 0',
      '...',
    ],
    ['2-5 region', '8-11 region', '3-5', '4-5', '9-11', '10-11'],
  ],
  [
    'comments in front, CHECK lines apart',
    [
      '# RUN: llc',
      '# RUN: opt',
      '# a',
      '',
      '# one',
      '# CHECK: x',
      '# CHECK-NEXT: y',
      '# GCN: z',
      '# TODO: a',
      '# NOTE: b',
      '#',
      '---',
    ],
    ['1-3 comment', '6-8 comment', '9-11 comment'],
  ],
  [
    'comments in a body',
    [
      '---',
      'name: f',
      'body: |',
      '  bb.0:',
      '    ; one',
      '    ; two',
      '    S_NOP 0',
      '     ; CHECK: a',
      '    ; CHECK: b',
      '    S_NOP 0',
      '...',
    ],
    ['2-10 region', '3-10', '4-10', '5-6 comment', '8-9 comment'],
  ],
  ['lower case is no directive', ['# check: x', '# check: y', '# CHECK: x'], ['1-2 comment']],
  [
    'comments before a document are not folded with it',
    ['# a', '---', 'name: f', 'body: |', '  bb.0:', '    S_NOP 0', '...'],
    ['3-6 region', '4-6', '5-6'],
  ],
];

describe('folding', () => {
  for (const [what, lines, ranges] of CASES) {
    it(what, () => assert.deepEqual(folded(lines.join('\n')), ranges));
    it(`${what}, with a line break at the end`, () => assert.deepEqual(folded(`${lines.join('\n')}\n`), ranges));
    it(`${what}, with carriage returns`, () => assert.deepEqual(folded(lines.join('\r\n')), ranges));
  }

  it('stops when nobody waits', () => {
    const { snapshot } = atCursor('$0---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n...\n');
    assert.equal(provideFoldingRanges(snapshot, null, { isCancelled: () => true }), null);
  });
});

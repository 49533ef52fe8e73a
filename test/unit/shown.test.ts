/** Values and edits as texts: what is otherwise looks otherwise, and what is long is wrapped. */
import assert from 'node:assert/strict';
import { expect } from '../support/expect.js';
import { beforeOf, checkEdit, diffOf, shown } from '../support/shown.js';

describe('a value as a text', () => {
  it('stands on one line where it fits, else is wrapped', () => {
    const long = 'a text of some length that stands in the way of others';
    expect`{ a: 1, b: [ 'x', null, undefined, 2n, -0, true ], 'c-d': {}, e: [] }`.equals(
      shown({ a: 1, b: ['x', null, undefined, 2n, -0, true], 'c-d': {}, e: [] }),
    );
    expect`
      {
        a: 1, b: 'a text of some length that stands in the way of others',
        c: 'a text of some length that stands in the way of others',
        d: {
          e: [
            'a text of some length that stands in the way of others', 'f',
            'a text of some length that stands in the way of others',
          ],
        },
        g: 2,
        h:
        | one
        |
        |   two
        |
        i: 3,
      }
    `.equals(shown({ a: 1, b: long, c: long, d: { e: [long, 'f', long] }, g: 2, h: 'one\n\n  two\n', i: 3 }));
  });

  it('tells apart what is different', () => {
    const words = [1, '1', 1n, 'a', "a'", 'a"', '"a"', 'a\\', 'a\t', null, undefined, 'null', true, '', 0, -0];
    const lists = [[], {}, [[]], [1], ['1'], ['a, b'], ['a', 'b'], { a: 1 }, { a: undefined }];
    const values: unknown[] = [...words, ...lists, 'a\n', 'a\nb', '| a\n| b'];
    assert.equal(new Set(values.map(shown)).size, values.length);
  });

  it('is of plain values only', () => {
    for (const value of [new Map(), new Set(), () => 1, Symbol('a'), new Uint8Array(1)])
      assert.throws(() => shown([value]), /cannot be shown/);
  });
});

describe('an edit as a text', () => {
  it('is both texts in one', () => {
    const [before, after] = ['a\nb\n\n  c\nd\n', 'b\nx\n\n  c\n\nd\n'];
    expect`
      - a
        b
      + x

          c
      +
        d

    `.equals(diffOf(before, after));
    for (const [a, b] of [
      [before, after],
      [after, before],
      ['', 'x'],
      ['x', ''],
      ['-\n+\n ', '+\n\n-'],
    ] as const) {
      assert.equal(beforeOf(diffOf(a, b)), a);
      const swapped = diffOf(a, b).replaceAll(/^[-+]/gm, (c) => (c === '-' ? '+' : '-'));
      assert.equal(beforeOf(swapped), b);
    }
  });

  it('is checked from its first text', () => {
    const upper = (text: string): string => text.replace('b', 'B');
    checkEdit(
      expect`
          a
        - b
        + B
      `,
      upper,
    );
    checkEdit({ text: '  b', equals: (actual) => assert.equal(actual, '- b\n+ B') }, upper);
  });
});

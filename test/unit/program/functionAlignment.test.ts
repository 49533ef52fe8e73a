/** Instructions of two versions of a function that are the same. */
import assert from 'node:assert/strict';
import { alignFunctions } from '../../../server/src/program/functionAlignment.js';
import { lowerMir, mirFunction } from '../../support/mir.js';

/** The pairs of instructions, by their places in the text. */
function pairs(a: readonly string[], b: readonly string[]): { all: string[]; registers: string[]; counts: number[] } {
  const sides = [a, b].map((lines) => {
    const text = mirFunction('f', `  bb.0:\n${lines.map((line) => `    ${line}\n`).join('')}    S_ENDPGM 0\n`);
    const [fn] = lowerMir(text);
    const textOf = (i: number): string => {
      const { start, end } = fn.source!.instrRange(i);
      return text.slice(start, end);
    };
    return { fn, textOf };
  });
  const [x, y] = sides;
  const found = alignFunctions(x, y);
  const nameOf = (side: typeof x, v: number): string => `%${side.fn.vregs.name[v] ?? side.fn.vregs.sourceNumber[v]}`;
  return {
    all: [...found.instrs].flatMap((j, i) => (j < 0 ? [] : [`${i}=${j}`])),
    registers: [...found.vregs].flatMap((w, v) => (w < 0 ? [] : [`${nameOf(x, v)}=${nameOf(y, w)}`])),
    counts: [found.onlyFirst, found.onlySecond, found.changed],
  };
}

const def = (name: string, value: number): string => `%${name}:sreg_32 = S_MOV_B32 ${value}`;

describe('functionAlignment', () => {
  it('pairs what both have around what one adds, and flags do not count', () => {
    const { all, registers, counts } = pairs(
      [def('a', 1), def('b', 2), '%c:sreg_32 = COPY killed %b'],
      [def('x', 7), def('a', 1), def('b', 2), 'S_NOP 0', '%c:sreg_32 = COPY %b'],
    );
    assert.deepEqual(all, ['0=1', '1=2', '2=4', '3=5']);
    assert.deepEqual(registers, ['%a=%a', '%b=%b', '%c=%c']);
    assert.deepEqual(counts.slice(0, 2), [0, 2]);
  });

  it('goes by names as long as they are mostly the same, and by instructions where they are others', () => {
    const many = [...Array(20).keys()].map((k) => def(`r${k}`, 1));
    const without = many.filter((_, k) => k !== 5);
    assert.ok(pairs(many, without).all.includes('6=5') && !pairs(many, without).all.some((p) => p.startsWith('5=')));
    const renamed = many.map((line) => line.replace('%r', '%q'));
    assert.deepEqual(pairs(many, renamed).counts, [0, 0, 0]);
    assert.ok(pairs(many, renamed).registers.includes('%r7=%q7'));
  });

  it('pairs what is unique where there are too many edits, in time that does not grow with their square', () => {
    const list = (from: number): string[] => [...Array(6000).keys()].map((k) => def('r', from + k));
    const [a, b] = [
      [...list(0), def('m', -1), ...list(10_000)],
      [...list(20_000), def('m', -1), ...list(30_000)],
    ];
    const begun = Date.now();
    assert.deepEqual(pairs(a, b).all, ['6000=6000', '12001=12001']);
    assert.ok(Date.now() - begun < 10_000);
  });
});

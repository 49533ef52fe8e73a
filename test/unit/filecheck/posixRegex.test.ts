/**
 * Regular expressions against LLVM's: random patterns and texts with the answers of llvm::Regex of LLVM 22.1.8, a line each:
 * [flags (n = newline, i = ignore case), pattern, text, answer]. An answer is `M` and offset,length of the match and each group (`-` = took no
 * part), `N`, or `E` and the error. Left out: groups that are repeated no times, whose remains LLVM's engine still looks at.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PosixRegex, RegexError } from '../../../server/src/filecheck/posixRegex.js';

type Row = readonly [flags: string, pattern: string, text: string, answer: string];

const rows = readFileSync(join(__dirname, '..', '..', 'fixtures', 'filecheck', 'regex.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

function answer(flags: string, pattern: string, text: string): string {
  try {
    const options = { newline: flags.includes('n'), ignoreCase: flags.includes('i') };
    const match = new PosixRegex(pattern, options).match(text);
    if (match === null) return 'N';
    const groups: string[] = [];
    for (let g = 0; g < match.length; g += 2) {
      const [from = -1, to = -1] = [match[g], match[g + 1]];
      groups.push(from < 0 || to < 0 ? '-' : `${from},${to - from}`);
    }
    return `M ${groups.join(' ')}`;
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    return `E ${error.message}`;
  }
}

describe('POSIX regular expressions', () => {
  it(`answer as LLVM's on ${rows.length} random pairs`, () => {
    assert.ok(rows.length > 300);
    const different = rows.filter(([flags, pattern, text, want]) => answer(flags, pattern, text) !== want);
    assert.deepEqual(different, []);
  });

  it('see nothing outside of their part of the text', () => {
    const regex = new PosixRegex('^b+$', { newline: true });
    assert.deepEqual([...(regex.match('abbb', 2, 3) ?? [])], [2, 3]);
    assert.equal(regex.match('abbb'), null);
  });

  it('answer where backtracking has no end', () => {
    assert.equal(new PosixRegex('(a*)*(a*)*(a|b)*x').match('a'.repeat(2000)), null);
    assert.equal(new PosixRegex('((a*)*)\\1x').match('a'.repeat(200)), null);
  });

  it('take no step where a text that each match must have is missing', () => {
    let steps = 0;
    const meter = { spend: (n: number) => void (steps += n) };
    const regex = new PosixRegex('(x|y)*z17$', { newline: true, meter });
    assert.equal(regex.match('xyz1\n'.repeat(1000)), null);
    assert.equal(steps, 0);
    assert.deepEqual([...(regex.match('z1 xyz17\nxz17') ?? [])].slice(0, 2), [3, 8]);
    assert.ok(steps > 0);
  });
});

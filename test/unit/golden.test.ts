/** Kept answers: each says who gave it, in `test/golden/README.md`, and those of llc-22 in the file, too. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ANSWER_FOLDERS, ANSWERS, answerFiles, GOLDEN, makerOf } from '../support/answers.js';
import { MODELLED_LLC } from '../support/llc.js';

/** Patterns of the first column, with the tests of the last. */
const ROWS = readFileSync(join(GOLDEN, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => [...cell.matchAll(/`([^`]*)`/g)].map((m) => m[1]!)))
  .map((cells) => ({ files: cells[1]!, tests: cells.at(-2)! }));

const patternOf = (glob: string): RegExp => new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);

describe('kept answers', () => {
  const files = readdirSync(GOLDEN, { recursive: true, encoding: 'utf8' })
    .filter((path) => path !== 'README.md' && statSync(join(GOLDEN, path)).isFile())
    .sort();

  it('are each in one row of the list, and no row is of none', () => {
    const globs = ROWS.flatMap((row) => row.files);
    for (const path of files)
      assert.equal(globs.filter((glob) => patternOf(glob).test(path)).length, 1, `${path} has no row, or two`);
    for (const glob of globs)
      assert.ok(
        files.some((path) => patternOf(glob).test(path)),
        `nothing is called ${glob}`,
      );
  });

  it('are read by the tests that the list names', () => {
    for (const test of ROWS.flatMap((row) => row.tests))
      assert.ok(existsSync(join(GOLDEN, '..', `${test}.test.ts`)), test);
  });

  for (const file of ANSWER_FOLDERS.flatMap((folder) => answerFiles(`../${folder}`))) {
    const path = relative(GOLDEN, join(ANSWERS, file));
    it(`${path} says who made it`, () =>
      assert.equal(makerOf(file), `llc-22 ${MODELLED_LLC}: npm run answers -- ${path}`));
  }
});

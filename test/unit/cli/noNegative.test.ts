/** No report counts less than none: registers, waves, holes, bytes, lines. */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import { COUNT, negatives } from '../../support/counts.js';

const ROOT = resolve(__dirname, '..', '..', '..');
/** Larger files take longer than they tell. */
const MOST_BYTES = 8_000;

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith('.mir') && statSync(file).size < MOST_BYTES)
    .sort();

/** Some of each folder: those are many that say the same. */
const some = (files: readonly string[], most: number): string[] =>
  files.filter((_, k) => Math.floor((k * most) / files.length) !== Math.floor(((k - 1) * most) / files.length));

describe('numbers of reports', () => {
  const files = [
    ...filesIn(join(ROOT, 'examples')),
    ...some(filesIn(join(ROOT, 'test', 'fixtures', 'regalloc')), 4),
    ...some(filesIn(join(ROOT, 'test', 'fixtures', 'answers')), 1),
    ...some(filesIn(join(ROOT, 'test', 'fixtures')), 8),
  ];

  it('are none below nought in check', async () => {
    let functions = 0;
    for (const file of new Set(files)) {
      const io = new BufferedIO();
      await runCheck(['--json', '--allocate', '--schedule', file], io);
      const report = JSON.parse(io.out()) as { functions: number };
      functions += report.functions;
      assert.deepEqual(negatives(report), [], file);
      const text = new BufferedIO();
      await runCheck(['--color=never', '--allocate', '--schedule', file], text);
      assert.doesNotMatch(text.out(), COUNT, file);
    }
    assert.ok(functions > 5, String(functions));
  });

  it('nor in explain', () => {
    for (const file of some([...new Set(files)], 5))
      for (const what of [[], ['--allocation']]) {
        const io = new BufferedIO();
        runExplain([...what, file], io);
        assert.doesNotMatch(io.out(), COUNT, `${what.join(' ')} ${file}`);
      }
  });
});

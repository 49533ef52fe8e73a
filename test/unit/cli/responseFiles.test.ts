import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLlcToStrings } from '../../../server/src/cli/llc.js';
import { LLC, needsLlc } from '../../support/llc.js';
import { randomSource } from '../../support/random.js';

const PIECES = ['a', '"', "'", '\\', ' ', '\n', '-', 'k', ' -', '\t', '"" ', '\\"', '\\\n', '\r\n'];

describe('response files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'response-files-'));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return `@${join(folder, name)}`;
  };
  after(() => rmSync(folder, { recursive: true }));

  /** An unknown option at the end keeps llc from compiling. */
  const compare = (args: readonly string[], what: string): void => {
    const all = ['-no-such', ...args, '-no-such-end'];
    const llc = spawnSync(LLC, all, { input: '', encoding: 'utf8', timeout: 60_000 });
    assert.equal(runLlcToStrings(all).err, llc.stderr.replaceAll('llc-22', 'llc'), what);
  };

  it('are split as llc splits them', function () {
    needsLlc(this);
    this.timeout(0);
    const random = randomSource(7);
    for (let i = 0; i < 60; i++) {
      let text = '';
      for (let n = random(14) + 1; n > 0; n--) text += PIECES[random(PIECES.length)];
      compare([write('random', text)], JSON.stringify(text));
    }
  });

  it('may name others; what is no file stays a word', function () {
    needsLlc(this);
    const inner = write('inner', '-x foo -bar');
    compare([write('outer', `-foo '${inner}' a.mir`)], 'nested');
    compare([`@${join(folder, 'absent')}`], 'absent');
  });

  it('are refused when they name themselves', () => {
    const run = runLlcToStrings([write('self', `-foo @${join(folder, 'self')}`)]);
    assert.equal(run.exit, 1);
    assert.match(run.err, /^recursive expansion of: '.*self'\n$/);
  });
});

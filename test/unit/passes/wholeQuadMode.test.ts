/** si-wqm: whole functions as llc-22 printed them after it (`.out` beside each fixture). */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { needsLlc, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';
import { withoutAddresses } from '../../support/verify.js';

const folder = join(__dirname, '..', '..', 'fixtures', 'wqm');

/** llc's arguments of a fixture's RUN line. */
const argsOf = (text: string): string[] => (/^# RUN: llc (.*)$/m.exec(text)?.[1] ?? '').split(' ');
/** The name of the module is that of the file. */
const body = (text: string): string => withoutAddresses(text).replace(/^ {2}(?:; ModuleID|source_filename).*$/gm, '');

describe('si-wqm', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.mir'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    const expected = readFileSync(join(folder, file.replace(/mir$/, 'out')), 'utf8');

    it(`switches modes as llc does: ${file}`, () => {
      const run = runLlcOnText([...argsOf(text), '-o', '-'], text);
      assert.equal(run.stderr, '');
      assert.equal(body(run.stdout), body(expected));
    });

    it(`has what llc-22 says today: ${file}`, function () {
      needsLlc(this);
      assert.equal(body(runLlc(['-x', 'mir', ...argsOf(text), '-o', '-'], text).stdout), body(expected));
    });
  }

  it('says what it does not model', () => {
    const lines = [
      ...['---', 'name: f', 'tracksRegLiveness: true', 'body: |', '  bb.0:', '    liveins: $sgpr0'],
      ...['    SI_INIT_EXEC_FROM_INPUT $sgpr0, 8, implicit-def $exec', '    S_ENDPGM 0', '...', ''],
    ];
    const run = runLlcOnText(['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=si-wqm', '-o', '-'], lines.join('\n'));
    assert.equal(run.status, 1);
    assert.match(run.stderr, /does not model SI_INIT_EXEC_FROM_INPUT of what is no copy/);
    assert.equal(run.stdout, '');
  });
});

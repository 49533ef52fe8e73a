/** Register allocation: the text of whole functions after it, as llc-22 printed it (`.out` beside each fixture). */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { needsLlc, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';
import { withoutAddresses } from '../../support/verify.js';

const folder = join(__dirname, '..', '..', 'fixtures', 'regalloc');

/** llc's arguments of a fixture's RUN line. */
const argsOf = (text: string): string[] => (/^# RUN: llc (.*)$/m.exec(text)?.[1] ?? '').split(' ');
/** The name of the module is that of the file. */
const body = (text: string): string => withoutAddresses(text).replace(/^ {2}(?:; ModuleID|source_filename).*$/gm, '');

describe('register allocation', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.mir'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    const expected = readFileSync(join(folder, file.replace(/mir$/, 'out')), 'utf8');

    it(`gives the registers, copies and spills of llc: ${file}`, () => {
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
    const text = readFileSync(join(folder, 'local.mir'), 'utf8');
    const run = runLlcOnText(
      ['-mtriple=amdgcn', '-start-before=livevars', '-stop-after=virtregrewriter,2', '-o', '-'],
      text,
    );
    assert.equal(run.status, 1);
    assert.match(run.stderr, /does not model the pipeline at '-start-before=livevars'/);
    assert.equal(run.stdout, '');
  });
});

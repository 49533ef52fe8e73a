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

  it('fails as llc does where registers run out', function () {
    needsLlc(this);
    const wide = Array.from({ length: 8 }, (_, k) => `    %${k}:vreg_1024 = IMPLICIT_DEF`).join('\n');
    const uses = (text: string, between: string): string =>
      Array.from({ length: 8 }, (_, k) => `${between}${text}%${k}`).join('');
    const machineFunctionInfo = "{ isEntryFunction: true, scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3' }";
    for (const last of [
      `INLINEASM &"", 1${uses('9, ', ', ')}, 9, %8`,
      `S_NOP 0${uses('implicit ', ', ')}, implicit %8`,
    ]) {
      const lines = [
        ...['---', 'name: f', 'tracksRegLiveness: true', `machineFunctionInfo: ${machineFunctionInfo}`],
        ...['body: |', '  bb.0:', wide, '    %8:vgpr_32 = IMPLICIT_DEF', `    ${last}`, '    S_ENDPGM 0', '...', ''],
      ];
      const text = lines.join('\n');
      const args = ['-mtriple=amdgcn', '-mcpu=gfx900', '-start-before=greedy,0', '-stop-after=virtregrewriter,2'];
      const llc = runLlc(['-x', 'mir', ...args, '-o', '-'], text);
      assert.equal(llc.status, 1);
      assert.match(llc.stderr, /registers/);
      const { status, stdout, stderr } = runLlcOnText([...args, '-o', '-'], text);
      assert.deepEqual({ status, stdout, stderr }, { status: 1, stdout: llc.stdout, stderr: llc.stderr });
    }
  });

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

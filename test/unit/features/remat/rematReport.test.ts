/** The view "Rematerialization report": its head, and what it says where there is no report. */
import assert from 'node:assert/strict';
import { provideRematReport } from '../../../../server/src/features/remat/rematReport.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { atBar, URI } from '../../../support/cursor.js';

const run = (options: string): string => `# RUN: llc -mtriple=amdgcn-amd-amdhsa ${options} %s -o -\n`;
const body = (instrs: string): string =>
  `---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    ${instrs}\n    S_ENDPGM 0\n...\n`;

function report(marked: string): string[] {
  const { snapshot, position } = atBar(marked);
  return provideRematReport(snapshot, { textDocument: { uri: URI }, position }, NEVER_CANCELLED)!.split('\n');
}

describe('the rematerialization report of a function', () => {
  it('says occupancy, target, what helps, and what the stage did', () => {
    const lines = report(`${run('-mcpu=gfx908 -run-pass=machine-scheduler')}${body('S_NO¦P 0')}`);
    assert.equal(lines[0], 'f: occupancy 10 of 10');
    assert.match(lines[1]!, /gfx908.*, LLVM \d/);
    assert.equal(lines[2], '');
    assert.ok(lines.length > 4);
    assert.equal(lines.at(-1), '');
  });

  it('says that a scheduler has no such stage', () => {
    const lines = report(`${run('-mcpu=gfx908 -run-pass=machine-scheduler -misched=converge')}${body('S_NO¦P 0')}`);
    assert.ok(lines.includes('the scheduler has no rematerialization stage here'), lines.join('\n'));
  });

  it('is the first one where the cursor is in none', () => {
    assert.equal(
      report(`¦${run('-mcpu=gfx908 -run-pass=machine-scheduler')}${body('S_NOP 0')}`)[0],
      'f: occupancy 10 of 10',
    );
  });

  it('says why a function is not analysed', () => {
    assert.deepEqual(report(`${run('-mcpu=gfx908')}${body('S_NOT¦ 0')}`), [
      "not analysed: unknown machine instruction name 'S_NOT'",
      '',
    ]);
    assert.deepEqual(report(`${run('-mcpu=gfx908')}¦--- |\n  define void @g() { ret void }\n...\n`), [
      'no function here',
      '',
    ]);
  });
});

/** The view "Rematerialization report": its head, and what it says where there is no report. */
import assert from 'node:assert/strict';
import { lineOfInstr, provideRematReport } from '../../../../server/src/features/remat/rematReport.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { atCursor, openText, URI } from '../../../support/cursor.js';
import { pressedFunction } from '../../../support/pressedFunction.js';

const run = (options: string): string => `# RUN: llc -mtriple=amdgcn-amd-amdhsa ${options} %s -o -\n`;
const body = (instrs: string): string =>
  `---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    ${instrs}\n    S_ENDPGM 0\n...\n`;

function report(marked: string): string[] {
  const { snapshot, position } = atCursor(marked);
  return provideRematReport(snapshot, { textDocument: { uri: URI }, position }, NEVER_CANCELLED)!.split('\n');
}

describe('the rematerialization report of a function', () => {
  it('says why a function is not scheduled', () => {
    const lines = report(`${run('-mcpu=gfx908 -run-pass=machine-scheduler -misched=sy')}${body('S_NO$0P 0')}`);
    assert.equal(lines[0], 'f: occupancy 10 of 10');
    assert.deepEqual(lines.slice(2), [
      '',
      '  nothing to rematerialize that helps',
      '',
      "not scheduled: llc: for the --misched option: Cannot find option named 'sy'!",
      '',
    ]);
  });

  it('sends readers of a large function elsewhere', () => {
    const lines = report(`$0${pressedFunction(25, 1, 3000)}`);
    assert.deepEqual(lines, [
      'f: occupancy 9 of 10 (VGPR), next wave: -1 VGPR',
      'gfx908 wave64, LLVM 22.1.8',
      '',
      '  occupancy 10 with 1 register, the smallest set: VGPR -1 in 2 regions, occupancy 9 to 10',
      '      %24',
      '  %24, line 33: VGPR -1 in 2 regions, occupancy 9 to 10',
      '      before line 3061 (bb.1); reads no virtual register',
      '',
      'the scheduler\'s stage: see "Explain Schedule", the function is large',
      '',
    ]);
  });

  it('is null when it was cancelled, and says what the stage moved', () => {
    const { snapshot, position } = atCursor(`$0${pressedFunction(25, 1)}`);
    const params = { textDocument: { uri: URI }, position };
    assert.equal(provideRematReport(snapshot, params, { isCancelled: () => true }), null);
    const lines = provideRematReport(snapshot, params, NEVER_CANCELLED)!.split('\n');
    assert.deepEqual(lines.slice(0, 9), [
      'f: occupancy 9 of 10 (VGPR), next wave: -1 VGPR',
      'gfx908 wave64, LLVM 22.1.8',
      '',
      '  scheduled as it stands: occupancy 10',
      '  as the scheduler of LLVM 22.1.8 would: VGPR -1 in 2 regions, occupancy 9 to 10',
      '      %24',
      '  occupancy 10 with 1 register, the smallest set: VGPR -1 in 2 regions, occupancy 9 to 10',
      '      %24',
      '  %24, line 33: VGPR -1 in 2 regions, occupancy 9 to 10',
    ]);
    assert.ok(
      lines.includes('  moved %24 (line 33) before S_NOP 0, implicit %24 (line 61)'),
      lines.slice(9).join('\n'),
    );
  });

  it('counts lines from 1; what the scheduler made has none', () => {
    const { snapshot } = openText(pressedFunction(2, 1));
    const view = snapshot.functions[0]!;
    assert.deepEqual(
      [-1, 0, 1, 2, 5, 6, 99].map((i) => lineOfInstr(snapshot, view, i)),
      [0, 9, 10, 11, 16, 0, 0],
    );
  });
});

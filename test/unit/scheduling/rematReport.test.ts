/** The report of the rematerialization stage: that it tells what the stage did, in every model. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RematReport } from '../../../server/src/scheduling/remat/report.js';
import { printRematReport } from '../../../server/src/scheduling/remat/reportText.js';
import { traceText } from '../../support/schedule.js';

const GOLDEN = join(__dirname, '..', '..', 'golden', 'schedule');

/** `values` of vgpr_32 live into bb.1 of gfx908, where 24 are the most for 10 waves; `movable` of them can be rematerialized. */
function program(values: number, movable: number, order: 'first' | 'last'): string {
  const kept = values - movable;
  const def = (k: number): string =>
    k < kept
      ? `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec, implicit-def $m0`
      : `    %${k}:vgpr_32 = nofpexcept V_CVT_I32_F64_e32 ${k}, implicit $exec, implicit $mode`;
  const use = (k: number): string => `    S_NOP 0, implicit %${k}`;
  const all = Array.from({ length: values }, (_, k) => k);
  const uses = order === 'last' ? all : [...all.slice(kept), ...all.slice(0, kept)];
  return [
    '# RUN: llc -mtriple=amdgcn -mcpu=gfx908 -run-pass=machine-scheduler %s',
    '---',
    'name: f',
    'tracksRegLiveness: true',
    'machineFunctionInfo:',
    '  isEntryFunction: true',
    'body: |',
    '  bb.0:',
    ...all.map(def),
    '    S_BRANCH %bb.1',
    '  bb.1:',
    ...uses.map(use),
    '    S_ENDPGM 0',
    '...',
    '',
  ].join('\n');
}

function reportOf(text: string): RematReport {
  const [{ trace }] = traceText(text);
  assert.ok(trace.remat !== null);
  // plain data
  assert.deepEqual(JSON.parse(JSON.stringify(trace.remat)), trace.remat);
  return trace.remat;
}

describe('report of the rematerialization stage', () => {
  it('names what was moved', () => {
    for (const { trace } of traceText(readFileSync(join(GOLDEN, 'remat.mir'), 'utf8'))) {
      assert.deepEqual(
        trace.remat?.chosen.map((c) => ({ def: trace.remat?.candidates[c.candidate].def, use: c.copies[0].use })),
        trace.rematerialized.map(({ def, use }) => ({ def, use })),
      );
    }
  });

  it('tells target, excess, and which candidates were chosen or not needed', () => {
    const r = reportOf(program(25, 2, 'last'));
    assert.deepEqual(r.objective, { kind: 'occupancy', occupancy: 10 });
    assert.equal(r.budget.vgpr, 24);
    assert.deepEqual(
      r.regions.filter((x) => x.isTarget).map((x) => [x.region, x.excessBefore.vgpr, x.excessAfter.vgpr]),
      [
        [0, 1, 0],
        [1, 1, 0],
      ],
    );
    assert.deepEqual(
      r.rounds.map((x) => x.verdicts.map((v) => v.verdict)),
      [['chosen', 'not needed']],
    );
    assert.equal(r.result, 'kept');
    assert.deepEqual([r.occupancyBefore, r.achievedOccupancy, r.occupancyAfter], [9, 10, 10]);
  });

  it('tells a rollback and an impossible target', () => {
    assert.equal(reportOf(program(25, 1, 'first')).result, 'rolled back');
    const r = reportOf(program(25, 0, 'last'));
    assert.equal(r.result, 'no useful candidate');
    assert.deepEqual([...new Set(r.rejected.map((x) => x.why))], ['extra implicit operands']);
    assert.equal(reportOf(program(33, 1, 'last')).objective.occupancy, 8);
    assert.equal(reportOf(program(34, 1, 'last')).result, 'target out of reach');
    assert.equal(reportOf(program(20, 1, 'last')).result, 'targets already met');
  });

  it('is text with the answer first', () => {
    const report = reportOf(program(25, 2, 'last'));
    const lines = printRematReport(report, { text: (i) => `#${i}`, line: () => 0 }).split('\n');
    assert.equal(
      lines[0],
      'rematerialization (LLVM 22.1.8): for occupancy 10 in 2 regions: 1 register rematerialized, kept, occupancy 9 -> 10',
    );
    assert.ok(lines.includes('    chosen: %23, 1 VGPR, region 0 to region 1'));
  });
});

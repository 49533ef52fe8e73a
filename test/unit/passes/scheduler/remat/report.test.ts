/** The report of the rematerialization stage: that it tells what the stage did, in every model. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineFunction } from '../../../../../server/src/model/machineFunction.js';
import type { RematReport } from '../../../../../server/src/passes/scheduler/remat/report.js';
import type { SchedulerModel } from '../../../../../server/src/passes/scheduler/schedulerModel.js';
import { printRematReport } from '../../../../../server/src/passes/scheduler/remat/reportText.js';
import { entryFunctionFile } from '../../../../support/mir.js';
import { needsLlc } from '../../../../support/llc.js';
import { scheduleWithLlc, scheduleWithOurs, traceText } from '../../../../support/schedule.js';

const GOLDEN = join(__dirname, '..', '..', '..', '..', 'golden', 'schedule');

/** `values` of vgpr_32 live into bb.1 of gfx908, where 24 are the most for 10 waves; `movable` of them can be rematerialized. */
function program(values: number, movable: number, order: 'first' | 'last', attributes = ''): string {
  const kept = values - movable;
  const def = (k: number): string =>
    k < kept
      ? `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec, implicit-def $m0`
      : `    %${k}:vgpr_32 = nofpexcept V_CVT_I32_F64_e32 ${k}, implicit $exec, implicit $mode`;
  const use = (k: number): string => `    S_NOP 0, implicit %${k}`;
  const all = Array.from({ length: values }, (_, k) => k);
  const uses = order === 'last' ? all : [...all.slice(kept), ...all.slice(0, kept)];
  const body = [...all.map(def), '    S_BRANCH %bb.1', '  bb.1:', ...uses.map(use), '    S_ENDPGM 0'];
  return entryFunctionFile('-mtriple=amdgcn -mcpu=gfx908', body, attributes);
}

function reportOf(text: string, model: SchedulerModel = 'llvm-22'): RematReport {
  const [{ trace }] = traceText(text, { model });
  assert.equal(trace.remat?.model, model);
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

  it('names the operand that is moved itself', () => {
    // %25 is made from %24, whose only user it is
    const text = program(25, 1, 'last')
      .replace('  bb.1:', '  bb.1:\n    %25:vgpr_32 = V_ADD_U32_e32 1, %24, implicit $exec')
      .replace('    S_NOP 0, implicit %24\n', '')
      .replace('    S_ENDPGM 0', '    S_BRANCH %bb.2\n  bb.2:\n    S_NOP 0, implicit %25\n    S_ENDPGM 0');
    for (const model of ['llvm-22', 'llvm-main-2026-01', 'llvm-main-2026-07'] as const) {
      const r = reportOf(text, model);
      assert.ok(r.candidates.some((c) => c.name === '%24'));
      const { why, operandName } = r.rejected.find((x) => x.name === '%25')!;
      assert.deepEqual([why, operandName], ['operand is rematerialized itself', '%24'], model);
    }
  });

  it('has no target above the most waves that the function may have', function () {
    const nine = program(25, 2, 'last', '"amdgpu-waves-per-eu"="9,9"');
    assert.equal(reportOf(nine).result, 'targets already met');
    needsLlc(this);
    const args = ['-mtriple=amdgcn', '-mcpu=gfx908'];
    for (const text of [nine, program(25, 2, 'last', '"amdgpu-waves-per-eu"="9,10"')])
      assert.equal(scheduleWithOurs(text, args).stdout, scheduleWithLlc(text, args).stdout);
  });

  it('a lane of an operand that was never written need not be available', function () {
    const values = Array.from({ length: 23 }, (_, k) => k);
    const text = entryFunctionFile('-mtriple=amdgcn -mcpu=gfx908', [
      ...values.map((k) => `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec, implicit-def $m0`),
      '    undef %23.sub0:vreg_64 = V_MOV_B32_e32 1, implicit $exec, implicit-def $m0',
      '    %24:vgpr_32 = nofpexcept V_CVT_I32_F64_e32 %23, implicit $exec, implicit $mode',
      '    S_BRANCH %bb.1',
      '  bb.1:',
      ...values.map((k) => `    S_NOP 0, implicit %${k}`),
      '    S_NOP 0, implicit %24',
      '    S_NOP 0, implicit %23.sub0',
      '    S_ENDPGM 0',
    ]);
    const { result, candidates, chosen } = reportOf(text);
    assert.deepEqual([result, chosen.map((c) => candidates[c.candidate].name)], ['kept', ['%24']]);
    needsLlc(this);
    const args = ['-mtriple=amdgcn', '-mcpu=gfx908'];
    assert.equal(scheduleWithOurs(text, args).stdout, scheduleWithLlc(text, args).stdout);
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

  it('scores: colder uses first, then what helps hot regions that the register only passes', () => {
    // two values are used in the loop of bb.1, the third after it
    const r = reportOf(loop(), 'llvm-main-2026-01');
    const [first] = r.rounds;
    assert.deepEqual(
      first.verdicts.map((v) => [v.candidate, v.verdict]),
      [
        [2, 'chosen'],
        [1, 'not needed'],
        [0, 'not needed'],
      ],
    );
    const [cold, hot] = first.verdicts.map((v) => v.score);
    assert.ok(cold !== null && hot !== null && cold.freqDiff > hot.freqDiff && cold.maxFreq >= hot.maxFreq);
    assert.equal(r.result, 'kept');
    assert.deepEqual([r.occupancyBefore, r.occupancyAfter], [9, 10]);
  });

  it('a copy has a register of its own on main, and the definition is gone', () => {
    const text = program(25, 1, 'last');
    const old = traceText(text)[0];
    const main = traceText(text, { model: 'llvm-main-2026-01' })[0];
    const [copy] = main.trace.remat?.chosen[0]?.copies ?? [];
    assert.equal(copy.name, '%25');
    assert.equal(main.fn.vregs.n, old.fn.vregs.n + 1);
    assert.equal(main.fn.opVal[main.fn.opBegin[copy.clone]], ~copy.vreg);
    const def = main.trace.rematerialized[0].def;
    const layout = main.fn.order.subarray(0, main.fn.blockEnd[main.fn.blocks.length - 1]);
    assert.ok(!layout.includes(def) && layout.includes(copy.clone));
  });

  for (const own of [false, true]) {
    it(`one copy for each region on main of July${own ? '; the definition stays for a user of its own' : ''}`, () => {
      const uses = ['    S_NOP 0, implicit %24', '    S_NOP 1, implicit %24'].join('\n');
      const text = program(25, 1, 'last')
        .replace(
          '    S_BRANCH %bb.1\n  bb.1:',
          `${own ? '    S_NOP 2, implicit %24\n' : ''}    S_BRANCH %bb.2\n  bb.2:`,
        )
        .replace('    S_ENDPGM 0', `${uses}\n    S_BRANCH %bb.3\n  bb.3:\n    S_NOP 3, implicit %24\n    S_ENDPGM 0`)
        .replaceAll('bb.2', 'bb.1')
        .replaceAll('bb.3', 'bb.2');
      assert.equal(reportOf(text, 'llvm-main-2026-01').rejected.find((r) => r.name === '%24')?.why, 'several users');
      const [{ trace, fn }] = traceText(text, { model: 'llvm-main-2026-07' });
      const [choice] = trace.remat?.chosen ?? [];
      assert.deepEqual(
        choice.copies.map((c) => c.region),
        [1, 2],
      );
      const layout = fn.order.subarray(0, fn.blockEnd[fn.blocks.length - 1]);
      const { def } = trace.remat?.candidates[choice.candidate] ?? { def: -1 };
      assert.equal(layout.includes(def), own);
      for (const { clone, vreg } of choice.copies) {
        assert.ok(layout.includes(clone));
        const users = [...layout].filter((i) => i !== clone && mentions(fn, i, vreg));
        assert.equal(users.length, clone === choice.copies[0].clone ? 3 : 1);
      }
      assert.equal(trace.occupancyAfter, 10);
    });
  }

  it('a rollback on main takes back the registers too', () => {
    const text = program(25, 1, 'first');
    const [{ trace, fn }] = traceText(text, { model: 'llvm-main-2026-01' });
    assert.equal(trace.remat?.result, 'rolled back');
    assert.equal(trace.rematUndone, true);
    assert.equal(fn.vregs.n, 25);
  });
});

function mentions(fn: MachineFunction, i: number, vreg: number): boolean {
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) if (fn.opVal[o] === ~vreg) return true;
  return false;
}

/** 25 values: 22 that cannot move, then two that are used in a loop and one that is used after it. */
function loop(): string {
  const all = Array.from({ length: 25 }, (_, k) => k);
  const def = (k: number): string =>
    k < 22
      ? `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec, implicit-def $m0`
      : `    %${k}:vgpr_32 = nofpexcept V_CVT_I32_F64_e32 ${k}, implicit $exec, implicit $mode`;
  return entryFunctionFile('-mtriple=amdgcn -mcpu=gfx908', [
    '    liveins: $sgpr0',
    '    %25:sgpr_32 = COPY $sgpr0',
    ...all.map(def),
    '    S_BRANCH %bb.1',
    '  bb.1:',
    '    successors: %bb.1(0x7c000000), %bb.2(0x04000000)',
    '    S_NOP 0, implicit %22',
    '    S_NOP 0, implicit %23',
    '    S_CMP_LG_U32 %25, 0, implicit-def $scc',
    '    S_CBRANCH_SCC1 %bb.1, implicit $scc',
    '  bb.2:',
    ...all.filter((k) => k < 22).map((k) => `    S_NOP 0, implicit %${k}`),
    '    S_NOP 0, implicit %24',
    '    S_ENDPGM 0',
  ]);
}

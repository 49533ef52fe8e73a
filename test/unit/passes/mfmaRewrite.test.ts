/** The stage of LLVM main that gives matrix instructions AGPR destinations, behind its option. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyFunction } from '../../../server/src/analysis/verifier/index.js';
import type { TracedSchedule } from '../../../server/src/passes/scheduler/trace/collector.js';
import { printScheduleTrace } from '../../../server/src/passes/scheduler/trace/traceText.js';
import { InstrPrinter } from '../../../server/src/model/printer/index.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { entryFunctionFile } from '../../support/mir.js';
import { lowerWithRunLine, scheduleWithOurs, traceText } from '../../support/schedule.js';
import { needsShared } from '../../support/skip.js';

const OPTION = '-amdgpu-disable-rewrite-mfma-form-sched-stage=0';
const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx950'];
const UPSTREAM = join(__dirname, '..', '..', '..', '..', 'shared', 'corpus', 'upstream', 'sched_mfma_rewrite_cost.mir');

interface Shape {
  /** accumulators of 16 registers, each updated in a loop */
  readonly accumulators: number;
  /** other VGPRs live over the loop */
  readonly others: number;
  /** users of each result behind the loop */
  readonly users?: number;
}

function program({ accumulators, others, users = 1 }: Shape): string {
  const acc = Array.from({ length: accumulators }, (_, k) => `%${100 + k}`);
  const other = Array.from({ length: others }, (_, k) => `%${300 + k}`);
  return entryFunctionFile(
    ARGS.join(' '),
    [
      '    liveins: $sgpr0',
      '    %0:sgpr_32 = COPY $sgpr0',
      '    %1:av_64_align2 = IMPLICIT_DEF',
      '    %2:av_64_align2 = IMPLICIT_DEF',
      ...other.map((r, k) => `    ${r}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec, implicit-def $m0`),
      ...acc.map((r) => `    ${r}:vreg_512_align2 = IMPLICIT_DEF`),
      '  bb.1:',
      '    successors: %bb.1(0x7c000000), %bb.2(0x04000000)',
      ...acc.map(
        (r) =>
          `    ${r}:vreg_512_align2 = V_MFMA_F32_32X32X8F16_mac_vgprcd_e64 %1, %2, ${r}, 0, 0, 0, implicit $mode, implicit $exec`,
      ),
      '    S_CMP_LG_U32 %0, 0, implicit-def $scc',
      '    S_CBRANCH_SCC1 %bb.1, implicit $scc',
      '  bb.2:',
      ...acc.flatMap((r) => Array.from({ length: users }, (_, k) => `    S_NOP ${k}, implicit ${r}`)),
      ...other.map((r) => `    S_NOP 0, implicit ${r}`),
      '    S_ENDPGM 0',
    ],
    '"amdgpu-waves-per-eu"="1,1" "amdgpu-flat-work-group-size"="64,64"',
  );
}

const schedule = (shape: Shape): TracedSchedule =>
  traceText(program(shape), { model: 'llvm-main', rewriteMfmaForm: true })[0];

function opcodesOf({ fn }: TracedSchedule): string[] {
  const end = fn.blockEnd[fn.blocks.length - 1];
  return Array.from(fn.order.subarray(0, end), (i) => fn.tables.opcodeName(fn.opcode[i]));
}

describe('the stage that rewrites matrix instructions', () => {
  it('is off by default, and an option of LLVM main alone', () => {
    const text = program({ accumulators: 14, others: 60 });
    const plain = scheduleWithOurs(text, [...ARGS, '--model=llvm-main']);
    assert.equal(plain.status, 0);
    assert.ok(plain.stdout.includes('_vgprcd_'));
    const old = scheduleWithOurs(text, [...ARGS, OPTION]);
    assert.equal(old.status, 1);
    assert.match(old.stderr, /Unknown command line argument '-amdgpu-disable-rewrite-mfma-form-sched-stage'/);
    const main = scheduleWithOurs(text, [...ARGS, '--model=llvm-main', OPTION]);
    assert.equal(main.status, 0);
    assert.ok(!main.stdout.includes('_vgprcd_'));
  });

  it('rewrites where VGPRs spill: AGPR form, copies before the loop and in front of the users', () => {
    const traced = schedule({ accumulators: 14, others: 60, users: 2 });
    const { trace, fn } = traced;
    assert.equal(trace.mfmaRewrite?.rewritten, true);
    assert.equal(trace.mfmaRewrite.candidates.length, 14);
    const loop = trace.mfmaRewrite.regions.find((r) => r.region === trace.regions.find((x) => x.block === 1)?.region);
    // 14 * 16 accumulators, 60 others and the operands against 256 VGPRs
    assert.ok(loop !== undefined && loop.spillsBefore > 0 && loop.spillsAfter === 0);
    const names = opcodesOf(traced);
    assert.equal(names.filter((n) => n === 'V_MFMA_F32_32X32X8F16_mac_e64').length, 14);
    assert.equal(names.filter((n) => n.includes('_vgprcd')).length, 0);
    // one behind each definition, one for the users of each in bb.2; one for $sgpr0
    assert.equal(names.filter((n) => n === 'COPY').length, 14 + 14 + 1);
    assert.deepEqual(
      verifyFunction(fn, {}).map((r) => r.message),
      [],
    );
    const printer = new InstrPrinter(fn);
    const mfma = printer.printInstr(trace.mfmaRewrite.candidates[0]);
    assert.match(mfma, /^%\d+:areg_512_align2 = V_MFMA_F32_32X32X8F16_mac_e64 %\d+, %\d+, %\d+, 0, 0, 0/);
    // pressures are those of the rewritten function
    const after = trace.regions.find((r) => r.block === 1)?.pressureAfter;
    assert.equal(after?.agpr, 14 * 16);
  });

  it('says what it decided by, and why it did not run', () => {
    const labels = { text: () => '', line: () => 0 };
    const text = printScheduleTrace(schedule({ accumulators: 14, others: 60 }).trace, { region: null, labels });
    assert.match(
      text,
      /\nmatrix instructions: 14 in VGPR form, rewritten to AGPRs; spills -\d+(\.\d+)?, 28 copies \d+/,
    );
    assert.match(text, /\nstage RewriteMFMAForm: minimum occupancy/);
    const low = printScheduleTrace(schedule({ accumulators: 4, others: 10 }).trace, { region: null, labels });
    assert.match(low, /\nstage RewriteMFMAForm: did not run \(no region above the addressable VGPRs\)/);
  });

  it('makes functions that llc accepts', function () {
    needsLlc(this);
    for (const shape of [
      { accumulators: 14, others: 60 },
      { accumulators: 15, others: 40, users: 3 },
      { accumulators: 20, others: 0 },
    ]) {
      const { stdout } = scheduleWithOurs(program(shape), [...ARGS, '--model=llvm-main', OPTION]);
      const printed = runLlc([...ARGS, '-run-pass=none', '-x=mir', '-o', '-'], stdout);
      assert.equal(printed.stderr, '', JSON.stringify(shape));
      // and the pressure that the scheduler tracks is that of the result
      const { trace, fn } = schedule(shape);
      const [again] = lowerWithRunLine(`# RUN: llc ${ARGS.join(' ')} -run-pass=none %s\n${stdout}`).fns;
      assert.equal(again.nInstrs, opcodesOf({ trace, fn }).length);
    }
  });

  it("leaves LLVM's test of the costs in VGPR form, as its CHECK lines say", function () {
    needsShared(this, UPSTREAM);
    const text = readFileSync(UPSTREAM, 'utf8');
    const { stdout, status } = scheduleWithOurs(text, [...ARGS, '--model=llvm-main', OPTION]);
    assert.equal(status, 0);
    const count = (t: string): number => t.split('\n').filter((l) => /^ {4}\S.*_vgprcd_/.test(l)).length;
    assert.equal(count(stdout), count(text));
    for (const { trace } of traceText(text, { model: 'llvm-main', rewriteMfmaForm: true }))
      if (trace.mfmaRewrite !== null) assert.equal(trace.mfmaRewrite.rewritten, false, trace.function);
  });
});

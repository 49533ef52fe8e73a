/** The stage of LLVM main that gives matrix instructions AGPR destinations, after its option. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyFunction } from '../../../../../server/src/analysis/verifier/index.js';
import type { TracedSchedule } from '../../../../../server/src/passes/scheduler/trace/collector.js';
import { printScheduleTrace } from '../../../../../server/src/passes/scheduler/trace/traceText.js';
import { InstrPrinter } from '../../../../../server/src/model/printer/index.js';
import { needsLlc, runLlc } from '../../../../support/llc.js';
import { entryFunctionFile } from '../../../../support/mir.js';
import { lowerWithRunLine, scheduleWithOurs, traceText } from '../../../../support/schedule.js';
import { needsShared } from '../../../../support/skip.js';

const OPTION = '-amdgpu-disable-rewrite-mfma-form-sched-stage=0';
const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx950'];
const UPSTREAM = join(
  __dirname,
  '..',
  '..',
  '..',
  '..',
  '..',
  '..',
  'shared',
  'corpus',
  'upstream',
  'sched_mfma_rewrite_cost.mir',
);

interface Shape {
  /** accumulators of 16 registers, each updated in a loop */
  readonly accumulators: number;
  /** other VGPRs live over the loop */
  readonly others: number;
  /** users of each result after the loop */
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
  traceText(program(shape), { model: 'llvm-main-2026-01', rewriteMfmaForm: true })[0];

function opcodesOf({ fn }: TracedSchedule): string[] {
  const end = fn.blockEnd[fn.blocks.length - 1];
  return Array.from(fn.order.subarray(0, end), (i) => fn.tables.opcodeName(fn.opcode[i]));
}

describe('the stage that rewrites matrix instructions', () => {
  it('is off by default, and an option of LLVM main alone', () => {
    const text = program({ accumulators: 14, others: 60 });
    const plain = scheduleWithOurs(text, [...ARGS, '--model=llvm-main-2026-01']);
    assert.equal(plain.status, 0);
    assert.ok(plain.stdout.includes('_vgprcd_'));
    const old = scheduleWithOurs(text, [...ARGS, OPTION]);
    assert.equal(old.status, 1);
    assert.match(old.stderr, /Unknown command line argument '-amdgpu-disable-rewrite-mfma-form-sched-stage'/);
    const main = scheduleWithOurs(text, [...ARGS, '--model=llvm-main-2026-01', OPTION]);
    assert.equal(main.status, 0);
    assert.ok(!main.stdout.includes('_vgprcd_'));
  });

  it('rewrites where VGPRs spill: AGPR form, copies before the loop and before the users', () => {
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
    // one after each definition, one for the users of each in bb.2; one for $sgpr0
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

  describe('counts', () => {
    const DST = 'vreg_512_align2';
    const fma = (to: string, from: string): string =>
      `    ${to}:${DST} = V_MFMA_F32_32X32X8F16_mac_vgprcd_e64 %1, %2, ${from}, 0, 0, 0, implicit $mode, implicit $exec`;
    const live = Array.from({ length: 18 }, (_, k) => `%${200 + k}`);
    /** 18 registers of 512 bits, which are too many for the addressable VGPRs, live over what is between. */
    const around = (...between: string[]): string[] => [
      '    liveins: $sgpr0, $vgpr0_vgpr1_vgpr2_vgpr3_vgpr4_vgpr5_vgpr6_vgpr7_vgpr8_vgpr9_vgpr10_vgpr11_vgpr12_vgpr13_vgpr14_vgpr15',
      '    %0:sgpr_32 = COPY $sgpr0',
      '    %1:av_64_align2 = IMPLICIT_DEF',
      '    %2:av_64_align2 = IMPLICIT_DEF',
      ...live.map((r) => `    ${r}:${DST} = IMPLICIT_DEF`),
      // a region of its own, so that they stay where they are
      '    SCHED_BARRIER 0',
      '    S_NOP 7',
      ...between,
      '    SCHED_BARRIER 0',
      ...live.map((r) => `    S_NOP 0, implicit ${r}`),
      '    S_ENDPGM 0',
    ];
    const traceOf = (body: readonly string[], waves = '1,1', cpu = 'gfx950'): TracedSchedule['trace'] => {
      const text = entryFunctionFile(
        `-mtriple=amdgcn-amd-amdhsa -mcpu=${cpu}`,
        body,
        `"amdgpu-waves-per-eu"="${waves}" "amdgpu-flat-work-group-size"="64,64"`,
      );
      return traceText(text, { model: 'llvm-main-2026-01', rewriteMfmaForm: true })[0]!.trace;
    };
    const whyNot = (trace: TracedSchedule['trace']): string | null | undefined =>
      trace.stages.find((s) => s.stage === 'RewriteMFMAForm')?.why;

    it('nothing where it has nothing to do', () => {
      const none = traceOf(around());
      assert.equal(whyNot(none), 'no matrix instruction with an AGPR form');
      assert.equal(none.mfmaRewrite, null);
      const waves = traceOf(around(fma('%200', '%200')), '2,2');
      assert.equal(whyNot(waves), 'more than one wave is asked for');
      assert.equal(waves.mfmaRewrite, null);
      assert.equal(whyNot(traceOf(around(), '1,1', 'gfx908')), 'no unified register file');
      // a physical result stays where it is
      const tuple = `$${Array.from({ length: 16 }, (_, k) => `vgpr${k}`).join('_')}`;
      const physical = traceOf(
        around(
          `    ${tuple} = V_MFMA_F32_32X32X8F16_mac_vgprcd_e64 %1, %2, ${tuple}, 0, 0, 0, implicit $mode, implicit $exec`,
          `    early-clobber ${tuple} = V_MFMA_F32_32X32X8F16_vgprcd_e64 %1, %2, 0, 0, 0, 0, implicit $mode, implicit $exec`,
          `    early-clobber ${tuple} = V_MFMA_F32_32X32X8F16_vgprcd_e64 %1, %2, %200, 0, 0, 0, implicit $mode, implicit $exec`,
          `    S_NOP 0, implicit ${tuple}`,
        ),
      );
      assert.equal(whyNot(physical), 'no matrix instruction with an AGPR form');
    });

    it('copies: one after each other definition, one before the users of a block, none between matrix instructions', () => {
      const copies = (...between: string[]): number | undefined => traceOf(around(...between)).mfmaRewrite?.copies;
      // %200 is defined by IMPLICIT_DEF and read by S_NOP
      assert.equal(copies(fma('%200', '%200')), 2);
      assert.equal(copies(fma('%200', '%200'), fma('%200', '%200')), 2);
      assert.equal(copies(fma('%200', '%200'), fma('%201', '%201')), 4);
      assert.equal(copies(fma('%200', '%200'), '    S_NOP 1, implicit %200', '    S_NOP 2, implicit %200'), 2);
      // a result that nothing but another matrix instruction reads; %201 is defined anew
      assert.equal(
        copies(
          `    early-clobber %300:${DST} = V_MFMA_F32_32X32X8F16_vgprcd_e64 %1, %2, 0, 0, 0, 0, implicit $mode, implicit $exec`,
          fma('%300', '%300'),
        ),
        0,
      );
      assert.equal(
        copies(
          `    early-clobber %300:${DST} = V_MFMA_F32_32X32X8F16_vgprcd_e64 %1, %2, %200, 0, 0, 0, implicit $mode, implicit $exec`,
          '    S_NOP 1, implicit %300',
        ),
        2,
      );
    });

    it('copies by the frequency of their blocks, and other definitions that reach a user', () => {
      const loop = (...body: string[]): string[] => [
        '  bb.1:',
        '    successors: %bb.1(0x7c000000), %bb.2(0x04000000)',
        ...body,
        '    S_CBRANCH_SCC1 %bb.1, implicit undef $scc',
        '  bb.2:',
      ];
      const cost = (...between: string[]): readonly [copies: number | undefined, cost: number | undefined] => {
        const r = traceOf(around(...between)).mfmaRewrite;
        return [r?.copies, r?.copyCost];
      };
      // a tuple of 16: 33; the loop runs 32 times
      assert.deepEqual(cost(...loop(fma('%200', '%200'))), [2, 66]);
      assert.deepEqual(cost(...loop(fma('%200', '%200'), '    S_NOP 1, implicit %200')), [3, 33 * (1 + 32 + 1)]);
      // on one of two ways %200 is defined by something else: the user after both needs a copy of that, too
      const diamond = (...left: string[]): string[] => [
        '  bb.1:',
        '    successors: %bb.2(0x40000000), %bb.3(0x40000000)',
        '    S_CBRANCH_SCC1 %bb.3, implicit undef $scc',
        '  bb.2:',
        '    successors: %bb.4',
        fma('%200', '%200'),
        '    S_BRANCH %bb.4',
        '  bb.3:',
        '    successors: %bb.4',
        ...left,
        '  bb.4:',
      ];
      assert.deepEqual(cost(...diamond()), [2, 66]);
      assert.deepEqual(cost(...diamond(`    %200:${DST} = IMPLICIT_DEF`)), [3, 33 + 16.5 + 33]);
      assert.deepEqual(cost(...diamond(fma('%200', '%200'))), [2, 66]);
      // rarer than the entry counts nothing for copies before users
      assert.deepEqual(cost(...diamond('    S_NOP 1, implicit %200')), [2, 66]);
      assert.deepEqual(cost(...diamond(fma('%200', '%200'), '    S_NOP 1, implicit %200')), [3, 66]);
    });
  });

  it('numbers the copies before users by their blocks', () => {
    // the first matrix instruction is read in bb.3, the second in bb.2
    const text = program({ accumulators: 14, others: 60 })
      .replace(/^ {2}bb\.2:\n/m, '  bb.2:\n    S_NOP 5, implicit %101\n    S_BRANCH %bb.3\n  bb.3:\n')
      .replace(/^ {4}S_NOP 0, implicit %101\n/m, '');
    const [{ fn, trace }] = traceText(text, { model: 'llvm-main-2026-01', rewriteMfmaForm: true });
    assert.equal(trace.mfmaRewrite?.rewritten, true);
    const copies: number[] = [];
    for (const i of fn.order.subarray(0, fn.blockEnd[fn.blocks.length - 1]))
      if (fn.tables.opcodeName(fn.opcode[i]!) === 'COPY' && fn.instrBlock[i]! >= 2)
        copies.push(~fn.opVal[fn.opBegin[i]!]!);
    const inBlock2 = [...fn.order.subarray(fn.blockBegin[2], fn.blockEnd[2])]
      .filter((i) => fn.tables.opcodeName(fn.opcode[i]!) === 'COPY')
      .map((i) => ~fn.opVal[fn.opBegin[i]!]!);
    assert.equal(copies.length, 14);
    assert.deepEqual(inBlock2, [Math.min(...copies)]);
  });

  it('copies another definition that reaches a user of a result', () => {
    // %100 comes to its user from the loop, or from bb.3
    const text = program({ accumulators: 14, others: 60 }).replace(
      /^ {2}bb\.2:\n/m,
      [
        '  bb.2:',
        '    S_CBRANCH_SCC1 %bb.4, implicit undef $scc',
        '  bb.3:',
        '    %100:vreg_512_align2 = IMPLICIT_DEF',
        '  bb.4:',
        '',
      ].join('\n'),
    );
    const [{ fn, trace }] = traceText(text, { model: 'llvm-main-2026-01', rewriteMfmaForm: true });
    assert.equal(trace.mfmaRewrite?.rewritten, true);
    const printer = new InstrPrinter(fn);
    const [def, copy, ...others] = [...fn.order.subarray(fn.blockBegin[3], fn.blockEnd[3])].map((i) =>
      printer.printInstr(i),
    );
    assert.deepEqual(others, []);
    const made = /^(%\d+):vreg_512_align2 = IMPLICIT_DEF$/.exec(def)?.[1];
    assert.match(copy, new RegExp(`^%\\d+:areg_512_align2 = COPY ${made}$`));
    const [matrix] = trace.mfmaRewrite.candidates;
    assert.equal(copy.split(':')[0], printer.printInstr(matrix).split(':')[0]);
    assert.deepEqual(
      verifyFunction(fn, {}).map((r) => r.message),
      [],
    );
  });

  it('makes functions that llc accepts', function () {
    needsLlc(this);
    for (const shape of [
      { accumulators: 14, others: 60 },
      { accumulators: 15, others: 40, users: 3 },
      { accumulators: 20, others: 0 },
    ]) {
      const { stdout } = scheduleWithOurs(program(shape), [...ARGS, '--model=llvm-main-2026-01', OPTION]);
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
    const { stdout, status } = scheduleWithOurs(text, [...ARGS, '--model=llvm-main-2026-01', OPTION]);
    assert.equal(status, 0);
    const count = (t: string): number => t.split('\n').filter((l) => /^ {4}\S.*_vgprcd_/.test(l)).length;
    assert.equal(count(stdout), count(text));
    for (const { trace } of traceText(text, { model: 'llvm-main-2026-01', rewriteMfmaForm: true }))
      if (trace.mfmaRewrite !== null) assert.equal(trace.mfmaRewrite.rewritten, false, trace.function);
  });
});

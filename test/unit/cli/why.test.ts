/** `amdgpu-mir why`: the ladder, who holds registers, and each lever's outcome beside the assembly of llc-22. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runWhy } from '../../../server/src/cli/why.js';
import { textLevers } from '../../../server/src/features/levers/textLevers.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { DEFAULT_SETTINGS } from '../../../server/src/program/settings.js';
import type { WhyReport } from '../../../server/src/program/why.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { NODE_COMMAND } from '../../support/builtCommand.js';
import { assemblyNumbers } from '../../support/assemblyNumbers.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { highPressure } from '../../support/randomSchedule.js';

const example = (name: string): string =>
  readFileSync(join(__dirname, '..', '..', '..', 'examples', `${name}.mir`), 'utf8');

async function why(text: string, ...args: readonly string[]): Promise<{ exit: number; out: string; err: string }> {
  const io = new BufferedIO(() => text);
  const exit = await runWhy([...args, '-'], io);
  return { exit, out: io.out(), err: io.err() };
}

async function reportOf(text: string, ...args: readonly string[]): Promise<WhyReport> {
  const { files } = JSON.parse((await why(text, '--json', '--model=llvm-22', ...args)).out);
  return files[0].functions[0];
}

describe('amdgpu-mir why', () => {
  it('has a ladder: what binds, and what the next rung needs', async () => {
    const report = await reportOf(example('gemm_tile'));
    const { outcome } = report.present;
    assert.deepEqual([report.waves, report.nextRung], [outcome.waves, outcome.waves! + 1]);
    const vgpr = report.limits.find(({ name }) => name === 'VGPR')!;
    // 512 registers in granules of 8
    assert.deepEqual(vgpr, {
      name: 'VGPR',
      now: outcome.totalVgpr,
      allows: report.waves,
      next: Math.floor(512 / report.nextRung! / 8) * 8,
      binds: true,
    });
    assert.ok(report.limits.every((l) => l.allows >= report.waves && l.binds === (l.name === 'VGPR')));
    for (const held of report.held) {
      assert.equal(
        held.groups.reduce((n, group) => n + group.weight, 0),
        held.pressure,
      );
    }
    const accumulators = report.held.find(({ bank }) => bank === 'AGPR')!.groups[0];
    assert.deepEqual([accumulators.kind, accumulators.weight], ['accumulators', 64]);
  });

  it('says of LDS how much of it the next rung leaves', async () => {
    const lds = example('saxpy')
      .replace(/ldsSize: +\d+\n/, '')
      .replace(/^machineFunctionInfo:\n/m, '$&  ldsSize: 20480\n');
    assert.match(lds, /ldsSize: 20480/);
    const { limits, nextRung } = await reportOf(lds, '--mcpu=gfx900');
    const own = limits.find(({ name }) => name === 'LDS')!;
    assert.ok(own.binds && own.next !== null && own.next < 20480);
    const less = await reportOf(lds.replace('20480', String(own.next)), '--mcpu=gfx900');
    const more = await reportOf(lds.replace('20480', String(own.next + 1)), '--mcpu=gfx900');
    assert.deepEqual([less.waves >= nextRung!, more.waves < nextRung!], [true, true]);
  });

  for (const [name, text, target] of [
    ['many registers', highPressure(5), []],
    ['a function that spills', example('spill'), ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900']],
  ] as const)
    it(`promises of ${name} what llc-22 ends with`, async function () {
      needsLlc(this);
      const args = target.length > 0 ? target : /llc (-mtriple=\S+ -mcpu=\S+)/.exec(text)![1].split(' ');
      const report = await reportOf(text);
      const host = new AnalysisHost(true);
      host.configure({ ...DEFAULT_SETTINGS, model: 'llvm-22' });
      host.open('file:///a.mir', 1, text);
      const snapshot = host.snapshot('file:///a.mir')!;
      const texts = textLevers(snapshot, snapshot.functions[0], NEVER_CANCELLED);
      const kinds = new Set<string>();
      for (const lever of report.levers) {
        if (lever.kind === 'setting' && Object.keys(lever.setting.attributes).length > 0) continue;
        const { kind } = lever;
        const { row, ...own } = lever;
        const edited = texts.find(({ change }) => JSON.stringify(change) === JSON.stringify(own));
        const input = kind === 'setting' ? text : edited!.text;
        const words = lever.kind === 'setting' ? lever.setting.options : [];
        const { stdout } = runLlc(
          [...args, ...words, '-x', 'mir', '-start-before=machine-scheduler', '-o', '-'],
          input,
        );
        assert.deepEqual(row.outcome, assemblyNumbers(stdout).get(report.function), JSON.stringify(lever));
        kinds.add(lever.kind);
      }
      assert.ok(kinds.has('rematerialize'), 'nothing is promised: the comparison says little');
      const all = report.levers.length + report.withoutEffect.length + report.worse.length + report.failed.length;
      assert.equal(all, report.nTried);
    });

  it('says it in words, what binds and the best lever first', async () => {
    const { exit, out } = await why(example('spill'), '--model=llvm-22');
    assert.equal(exit, 0);
    assert.match(out, /^spill, gfx900: 10 waves of 10\n {2}limits +now +allows\n {2}VGPR +24 +10\n/);
    assert.match(out, /\n {2}processor +10 +< binds\n/);
    assert.match(
      out,
      /\nheld at the peak of the schedule \(line \d+, bb\.\d+:\d+\): \d+ VGPRs live, llc ends with 24\n/,
    );
    assert.match(
      out,
      /\n {2}\(as it stands\) +10 waves +VGPR 24 +1 spill, 1 reload\n {2}rematerialize %half +10 waves +VGPR 24 +no spills/,
    );
    assert.match(out, /\n {2}nothing else of \d+ tried \(\d+ without effect, \d+ worse\)\n/);
  });

  it('says why a function has no outcome, and refuses what it is not given', async () => {
    const broken = await why('---\nname: f\nbody: |\n  bb.0:\n    NO_SUCH_OPCODE\n...\n');
    assert.deepEqual([broken.exit, broken.err], [1, '']);
    assert.match(broken.out, /^f, .*: no outcome: unknown machine instruction name 'NO_SUCH_OPCODE'/);
    for (const [args, message] of [
      [['--function=nobody'], /there is no function 'nobody'/],
      [['--model=llvm-19'], /--model must be one of/],
      [['--jason'], /unknown option '--jason'; did you mean '--json'/],
      [['more.mir'], /expected one file/],
      [['--jobs=0'], /--jobs needs a number/],
    ] as const) {
      const { exit, out, err } = await why(example('spill'), ...args);
      assert.deepEqual([exit, out], [2, '']);
      assert.match(err, message);
    }
  });

  it('says the same in threads', function () {
    this.timeout(60_000);
    // Long enough for them: comments are free.
    const text = `${`# ${'.'.repeat(98)}\n`.repeat(2_000)}${example('spill')}`;
    const [program, ...words] = NODE_COMMAND.command;
    const [alone, together] = [1, 2].map((n) =>
      execFileSync(program, [...words, 'why', `--jobs=${n}`, '--json', '-'], { input: text, encoding: 'utf8' }),
    );
    assert.equal(together, alone);
    assert.ok(JSON.parse(alone!).files[0].functions[0].levers.length > 1);
  });
});

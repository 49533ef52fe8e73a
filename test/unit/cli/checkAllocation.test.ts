/** `amdgpu-mir check --allocate`: the report, JSON, the baseline. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { ScheduledIntervals } from '../../../server/src/passes/regalloc/scheduledIntervals.js';
import { FileScheduler } from '../../../server/src/cli/checkSchedule.js';

const LOCAL = join(__dirname, '..', '..', 'fixtures', 'regalloc', 'local.mir');

async function check(...args: string[]): Promise<{ exit: number; out: string; err: string }> {
  const io = new BufferedIO();
  const exit = await runCheck(args, io);
  return { exit, out: io.out(), err: io.err() };
}

describe('amdgpu-mir check --allocate', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-test-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it('adds a line with registers, spills and occupancy', async () => {
    const { exit, out } = await check('--allocate', LOCAL);
    assert.equal(exit, 0);
    assert.match(
      out,
      /\n {4}allocated: VGPR 3, SGPR 4, 4 spilled \(4 saves, 6 reloads\): occupancy 10; copies 0 -> \d+\n/,
    );
    assert.doesNotMatch((await check(LOCAL)).out, /allocated/);
  });

  it('goes on to what llc ends with, from where the file stands', async () => {
    const tile = join(__dirname, '..', '..', '..', 'examples', 'gemm_tile.mir');
    const { exit, out } = await check('--target=gfx90a', tile);
    assert.equal(exit, 0);
    // Occupancy, NumVgprs, NumAgprs, TotalNumSgprs and the spill counts of llc-22 -start-before=machine-scheduler
    assert.match(out, /gemm_tile {2}gfx90a wave64 {3}as written 3 -> scheduled 5 -> as llc ends 5 of 8 waves\n/);
    // With 80 registers gfx90a, whose waves take eighths of 512 in eights, has 6.
    assert.match(
      out,
      /\n {4}as llc ends: VGPR 24, AGPR 64, SGPR 14, no spills; limited by VGPR; 6 waves need VGPR 80 with AGPRs, 8 fewer \(guess: the file is from before scheduling\)\n/,
    );
    assert.equal((await check('--outcome', '--target=gfx90a', tile)).out, out);
    assert.doesNotMatch((await check('--as-written', tile)).out, /as llc ends/);
    const { files } = JSON.parse((await check('--as-written', '--json', tile)).out) as {
      files: readonly { functions: readonly { outcome: unknown; stage: unknown }[] }[];
    };
    assert.deepEqual([files[0].functions[0].outcome, files[0].functions[0].stage], [null, null]);
  });

  it('goes from the stage that is chosen, and says where the way is not known', async () => {
    const tile = join(__dirname, '..', '..', '..', 'examples', 'gemm_tile.mir');
    const { out } = await check('--stage=scheduled', '--target=gfx90a', tile);
    // llc-22 -start-before=greedy,0
    assert.match(out, /gfx90a wave64 {3}scheduled 3 -> as llc ends 3 of 8 waves\n {4}as llc ends: VGPR 68, AGPR 64/);
    assert.match(
      (await check('--stage=selected', '--target=gfx90a', tile)).out,
      /as written 3 of 8 waves\n {4}as llc ends: not known: amdgpu-mir does not model early-machinelicm after SSA form\n/,
    );
    assert.match(
      (await check('--stage=final', '--target=gfx90a', tile)).out,
      /as llc ends: not known: it has virtual registers, which are gone where it is final\n/,
    );
    const wrong = await check('--stage=selcted', tile);
    assert.deepEqual([wrong.exit, wrong.out], [2, '']);
    // A function that does not verify has its error and no outcome; the others keep theirs.
    const good = readFileSync(tile, 'utf8').replace(/^# RUN.*\n/gm, '');
    const bad = '---\nname: bad\nbody: |\n  bb.0:\n    S_NOP 0, implicit %7:sgpr_32\n    S_ENDPGM 0\n...\n';
    const both = await check('--target=gfx90a', file('two.mir', good + bad));
    assert.equal(both.exit, 1);
    assert.match(both.out, /gemm_tile .*as llc ends 5 of 8 waves/);
    assert.match(both.out, /bad .*not analysed: it has errors\n/);
  });

  it('goes the same way as a sweep where the RUN line switches the scheduler off', async () => {
    const tile = readFileSync(join(__dirname, '..', '..', '..', 'examples', 'gemm_tile.mir'), 'utf8');
    const run = '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -enable-misched=0 -o - %s\n';
    const { out } = await check(file('off.mir', run + tile.replace(/^# RUN.*\n/gm, '')));
    // Occupancy, NumVgprs, NumAgprs and TotalNumSgprs of llc-22 -enable-misched=0 -start-before=machine-scheduler
    assert.match(out, / as written 3 -> as llc ends 3 of 8 waves\n/);
    assert.match(out, /\n {4}as llc ends: VGPR 68, AGPR 64, SGPR 14, no spills; limited by VGPR;/);
  });

  it('schedules once where the RUN line begins at the scheduler', async () => {
    const run =
      '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -start-before=machine-scheduler -stop-after=virtregrewriter,2 %s\n';
    const path = file('before.mir', run + readFileSync(LOCAL, 'utf8').replace(/^# RUN.*\n/gm, ''));
    const trace = mock.method(FileScheduler.prototype, 'trace');
    try {
      assert.match((await check('--allocate', path)).out, /\n {4}allocated: VGPR/);
      assert.equal(trace.mock.callCount(), 0);
      assert.match((await check('--allocate', '--schedule', path)).out, /\n {4}allocated: VGPR/);
      assert.ok(trace.mock.callCount() > 0);
    } finally {
      trace.mock.restore();
    }
  });

  it('allocates once where what llc ends with goes the same way', async () => {
    const run =
      '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -start-before=machine-scheduler -stop-after=virtregrewriter,2 %s\n';
    const path = file('once.mir', run + readFileSync(LOCAL, 'utf8').replace(/^# RUN.*\n/gm, ''));
    const finished = mock.method(ScheduledIntervals.prototype, 'finish');
    try {
      const { out } = await check('--allocate', '--target=gfx900', path);
      assert.equal(finished.mock.callCount(), out.match(/^ {4}allocated:/gm)!.length);
      finished.mock.resetCalls();
      const asWritten = await check('--allocate', '--as-written', '--target=gfx900', path);
      assert.deepEqual(asWritten.out.match(/^ {4}allocated:.*$/gm), out.match(/^ {4}allocated:.*$/gm));
    } finally {
      finished.mock.restore();
    }
  });

  it('looks for the scopes of a file once, not for each function', async () => {
    const run =
      '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -start-before=machine-scheduler -stop-after=virtregrewriter,2 %s\n';
    const one = (name: string): string => `---
name: ${name}
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    S_ENDPGM 0, implicit %0
...
`;
    const path = file('scopes.mir', run + ['f', 'g', 'h'].map(one).join(''));
    const { matchAll } = String.prototype;
    let looked = 0;
    const counted = mock.method(String.prototype, 'matchAll', function (this: string, pattern: RegExp) {
      if (pattern.source.includes('syncscope')) looked++;
      return matchAll.call(this, pattern);
    });
    try {
      assert.equal((await check('--allocate', path)).out.match(/allocated:/g)?.length, 3);
      assert.equal(looked, 1);
      const host = new AnalysisHost(false, Infinity, Infinity);
      host.open('a', 1, readFileSync(path, 'utf8'));
      host.diagnostics('a', NEVER_CANCELLED);
      for (let k = 0; k < 3; k++) assert.equal(host.allocateNext('a', NEVER_CANCELLED, Infinity), 'lens');
      assert.equal(looked, 2);
    } finally {
      counted.mock.restore();
    }
  });

  it('says of a function that llc could not allocate why', async () => {
    const phi = `---
name: phi
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF

  bb.1:
    successors: %bb.1, %bb.2

    %1:vgpr_32 = PHI %0, %bb.0, %2, %bb.1
    %2:vgpr_32 = COPY %1
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    S_ENDPGM 0
...
`;
    const { exit, out } = await check('--allocate', file('phi.mir', phi));
    assert.equal(exit, 0);
    assert.match(out, /warning: .*phi is not allocated: it has PHIs/);
  });

  it('counts holes once the frame is there, below the VGPRs of the function', async () => {
    // The register for the lanes that keep $sgpr30_sgpr31 is chosen far up, and prologepilog moves it down.
    const calls = `---
name: f
tracksRegLiveness: true
frameInfo:
  adjustsStack: true
  hasCalls: true
machineFunctionInfo:
  scratchRSrcReg: '$private_rsrc_reg'
  frameOffsetReg: '$sgpr33'
  stackPtrOffsetReg: '$sgpr32'
body: |
  bb.0:
    liveins: $vgpr31, $sgpr4_sgpr5, $sgpr12

    %0:vgpr_32 = COPY $vgpr31
    %2:sgpr_32 = COPY $sgpr12
    %1:sgpr_64 = COPY $sgpr4_sgpr5
    ADJCALLSTACKUP 0, 0, implicit-def dead $scc, implicit-def $sgpr32, implicit $sgpr32
    dead $sgpr30_sgpr31 = SI_CALL %1, 0, csr_amdgpu_gfx90ainsts
    ADJCALLSTACKDOWN 0, 0, implicit-def dead $scc, implicit-def $sgpr32, implicit $sgpr32
    SI_RETURN implicit %2, implicit %0
...
`;
    const path = file('calls.mir', calls);
    for (const cpu of ['gfx900', 'gfx90a', 'gfx942', 'gfx1030', 'gfx1100']) {
      const { out } = await check('--allocate', `--mcpu=${cpu}`, path);
      const [, vgpr, used, holes] = /allocated: VGPR (\d+) \((\d+) used, (\d+) holes\), SGPR/.exec(out) ?? [];
      assert.equal(Number(used) + Number(holes), Number(vgpr), `${cpu}: ${out}`);
      // $vgpr40 and $vgpr41 are the first that a call preserves: one for %0, one for lanes.
      assert.ok(Number(vgpr) === 42 && Number(used) >= 2, `${cpu}: ${out}`);
    }
  });

  it('is an error where something is worse than in the baseline', async () => {
    const text = readFileSync(LOCAL, 'utf8');
    const path = file('local.mir', text);
    const baseline = file('baseline.json', (await check('--allocate', '--json', path)).out);
    assert.equal((await check('--allocate', `--baseline=${baseline}`, path)).exit, 0, 'the same is not worse');
    writeFileSync(
      path,
      text.replace('    S_ENDPGM', '    S_NOP 0, implicit %1, implicit %2\n    S_NOP 0, implicit %0\n    S_ENDPGM'),
    );
    const worse = await check('--allocate', `--baseline=${baseline}`, path);
    assert.equal(worse.exit, 1);
    assert.match(worse.out, /error: .*local is worse than in the baseline: .*saves 4 -> \d/);
    writeFileSync(path, text.replace('-stress-regalloc=3', '-stress-regalloc=9'));
    assert.equal((await check('--allocate', `--baseline=${baseline}`, path)).exit, 0, 'better is not worse');
  });

  it('compares what llc ends with, and forgives as much as it is told to', async () => {
    const tile = readFileSync(join(__dirname, '..', '..', '..', 'examples', 'gemm_tile.mir'), 'utf8');
    const path = file('tile.mir', tile);
    const target = '--target=gfx90a';
    const baseline = `--baseline=${file('ends.json', (await check('--json', target, path)).out)}`;
    assert.equal((await check(baseline, target, path)).exit, 0);
    // Without the scheduler llc-22 ends with 3 waves, 68 VGPRs and 64 AGPRs.
    writeFileSync(path, tile.replace('-run-pass=amdgpu-print-rp', '-run-pass=amdgpu-print-rp -enable-misched=0'));
    const worse = await check(baseline, target, path);
    assert.equal(worse.exit, 1);
    assert.match(worse.out, /error: gemm_tile is worse than in the baseline: waves 5 -> 3 \[outcome-worse\]\n/);
    assert.equal((await check(baseline, '--tolerance=waves=2', target, path)).exit, 0);
    const named = await check(baseline, '--tolerance=waves=2,vgpr=43,agpr=0', target, path);
    assert.match(named.out, /gemm_tile is worse than in the baseline: VGPRs 24 -> 68 \[outcome-worse\]\n/);
    for (const args of [['--tolerance=wave=2'], ['--tolerance=waves'], ['--as-written']])
      assert.equal((await check(baseline, ...args, path)).exit, 2, args.join());
    assert.equal((await check('--tolerance=waves=2', path)).exit, 2);
  });

  it('refuses a baseline that is none', async () => {
    assert.equal((await check('--baseline=x.json', LOCAL)).exit, 2);
    for (const text of ['{', '{}', '{"files":[]}']) {
      const { exit, err } = await check('--allocate', `--baseline=${file('bad.json', text)}`, LOCAL);
      assert.equal(exit, 2);
      assert.match(
        err,
        /bad\.json: (?:not valid JSON|not a report of check --json|it has no function that was allocated)/,
      );
    }
    assert.equal((await check('--allocate', `--baseline=${join(folder, 'none.json')}`, LOCAL)).exit, 2);
  });
});

/** `amdgpu-mir explain` and `check --schedule`. What they say is compared with the oracle elsewhere (decisions.test.ts). */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import { highPressure } from '../../support/randomSchedule.js';

const GOLDEN = join(__dirname, '..', '..', 'golden', 'schedule');
const BASIC = join(GOLDEN, 'basic.mir');

function explain(...args: string[]): { exit: number; out: string; err: string } {
  const io = new BufferedIO();
  const exit = runExplain(args, io);
  return { exit, out: io.out(), err: io.err() };
}

describe('amdgpu-mir explain', () => {
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

  it('answers first, with the target of the RUN line', () => {
    const { exit, out } = explain(BASIC, '--function', 'basic');
    assert.equal(exit, 0);
    const lines = out.split('\n');
    assert.equal(lines[0], '@basic  gfx90a wave64, LLVM 24.0.0git');
    assert.match(
      lines[1],
      /^occupancy 8 after scheduling; 1 region, 0 reverts; scheduler gcn-max-occupancy \(default\)$/,
    );
    assert.match(out, /stage ClusteredLowOccupancyReschedule: did not run \(occupancy did not drop\)/);
    assert.match(out, /1 {2}bottom cycle 0 {2}Only1 .* GLOBAL_STORE_DWORD .* \(line 20\)/);
  });

  it('takes target and scheduler from options like llc', () => {
    const { out } = explain(BASIC, '-mcpu=gfx1030', '-amdgpu-sched-strategy=max-ilp');
    assert.match(out, /@basic {2}gfx1030 wave32/);
    assert.match(out, /scheduler gcn-max-ilp \(option -amdgpu-sched-strategy\)/);
    assert.match(
      explain(BASIC, '-misched=gcn-iterative-minreg').out,
      /scheduler gcn-iterative-minreg \(option -misched\)/,
    );
    assert.match(
      explain(join(GOLDEN, 'strategies.mir'), '--function=ilp').out,
      /\(attribute "amdgpu-sched-strategy"\)/,
    );
  });

  it('takes scheduler options from the RUN line too, where no option says otherwise', () => {
    const run = (options: string): string =>
      file(
        'options.mir',
        `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a ${options} %s | FileCheck %s
---
name: f
body: |
  bb.0:
    %0:sreg_32 = IMPLICIT_DEF
    %1:sreg_32 = S_ADD_I32 %0, 1, implicit-def dead $scc
    S_ENDPGM 0, implicit %1
...
`,
      );
    assert.match(explain(run('-misched=gcn-max-ilp')).out, /scheduler gcn-max-ilp \(option -misched\)/);
    assert.match(
      explain(run('-amdgpu-sched-strategy max-memory-clause -o -')).out,
      /scheduler gcn-max-memory-clause \(option -amdgpu-sched-strategy\)/,
    );
    assert.match(explain(run('-misched=gcn-max-ilp'), '-misched=gcn-max-occupancy').out, /scheduler gcn-max-occupancy/);
    const wrong = explain(run('-misched=fastest'));
    assert.equal(wrong.exit, 2);
    assert.match(wrong.err, /for the --misched option: Cannot find option named 'fastest'!/);
    assert.match(explain(run('-enable-misched=0')).err, /switched off \(-enable-misched=0\)/);
  });

  it('prints reverts with their rule and numbers, and rematerialization', () => {
    const { out } = explain(join(GOLDEN, 'reverts.mir'));
    assert.match(out, /UnclusteredHighRPReschedule reverted: not profitable/);
    assert.match(out, /profit \d+ % \(kept from 100 on\): waves .*, metric .* with bias 10/);
    const remat = explain(join(GOLDEN, 'remat.mir')).out;
    assert.match(remat, /^rematerialized:\n {2}%\d+:\w+ = .* before /m);
  });

  it('takes a model, says which, and knows no other', async () => {
    const path = join(GOLDEN, 'remat.mir');
    const [head] = explain(path, '--model=llvm-main-2026-01').out.split('\n');
    assert.equal(head, '@remat  gfx900 wave64, LLVM 22.1.8, rematerialization of LLVM main of early 2026');
    assert.equal(explain(path, '--model', 'llvm-24').out, explain(path).out);
    assert.equal(explain(path, '--model=llvm-23').exit, 2);
    const io = new BufferedIO();
    assert.equal(await runCheck([path, '--schedule', '--model=llvm-main-2026-01', '--color=never'], io), 0);
    assert.match(io.out(), /scheduled by gcn-max-occupancy, rematerialization of LLVM main of early 2026: /);
    const bad = new BufferedIO();
    assert.equal(await runCheck([path, '--model=llvm-23'], bad), 2);
    assert.match(
      bad.err(),
      /--model must be one of auto, llvm-22, llvm-24, rocm-10, llvm-main, llvm-main-2026-01, llvm-main-2026-07/,
    );
  });

  it('shows one region, and is data with --json', () => {
    const { out } = explain(join(GOLDEN, 'regions.mir'), '--region', '1', '--json');
    const { functions } = JSON.parse(out) as {
      functions: {
        regions: { region: number; oldOrder: number[]; newOrder: number[] }[];
        stages: { stage: string; runs: { region: number }[] }[];
        instrs: { instr: number; line: number; text: string }[];
      }[];
    };
    const [f] = functions;
    assert.deepEqual(
      f.regions.map((r) => r.region),
      [1],
    );
    for (const s of f.stages) for (const r of s.runs) assert.equal(r.region, 1);
    const named = new Set(f.instrs.map((i) => i.instr));
    for (const i of f.regions[0].oldOrder) assert.ok(named.has(i));
  });

  it('says what is wrong with the request, with exit code 2', () => {
    assert.deepEqual(explain(BASIC, '--function=nope'), {
      exit: 2,
      out: '',
      err: 'amdgpu-mir explain: no function @nope; there is basic\n',
    });
    assert.match(explain(BASIC, '--region=7').err, /@basic has regions 0 to 0/);
    assert.match(explain(BASIC, '--region=x').err, /--region must be the number/);
    assert.match(explain('--json').err, /no file/);
    assert.match(explain(BASIC, '-misched=nope').err, /Cannot find option named 'nope'/);
    assert.match(explain(BASIC, '--frobnicate').err, /frobnicate/);
    for (const args of [[BASIC, '--region=7'], ['--json'], [BASIC, '-misched=nope'], [BASIC, '--function']])
      assert.equal(explain(...args).exit, 2, args.join(' '));
  });

  it('says why a function has no schedule, with exit code 1, and what cannot be read, with 2', () => {
    const broken = file('broken.mir', '---\nname: f\nbody: |\n  bb.0:\n    S_FROB 0\n...\n');
    const r = explain(broken);
    assert.equal(r.exit, 1);
    assert.match(r.err, /S_FROB|unknown machine instruction/);
    assert.match(r.err, /@f has no schedule: it has errors/);
    const bad = file(
      'bad.mir',
      '---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    S_ENDPGM 0, implicit %0:vgpr_32\n...\n',
    );
    assert.equal(explain(bad).exit, 1);
    assert.equal(explain(join(folder, 'nowhere.mir')).exit, 2);
  });

  it('check --schedule adds occupancy, regions, stages and reverts', async () => {
    const path = file('pressure.mir', highPressure(1));
    const io = new BufferedIO();
    assert.equal(await runCheck([path, '--schedule', '--color=never'], io), 0);
    assert.match(io.out(), /scheduled by gcn-max-occupancy: occupancy \d+( -> \d+)?, 2 regions, 1 revert/);
    assert.match(
      io.out(),
      /region 0 \(bb\.0, lines \d+-\d+\): max pressure VGPR .* cycles \(model\), settled by \w+chedule/,
    );
    const json = new BufferedIO();
    await runCheck([path, '--schedule', '--json'], json);
    const { files } = JSON.parse(json.out()) as { files: { functions: { schedule: { regions: object[] } }[] }[] };
    assert.equal(files[0].functions[0].schedule.regions.length, 2);
    const plain = new BufferedIO();
    await runCheck([path, '--color=never'], plain);
    assert.doesNotMatch(plain.out(), /scheduled by/);
  });
});

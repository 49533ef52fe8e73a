/** `amdgpu-mir sweep`: rows, formats, what is refused, and each number beside the assembly of llc-22. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runSweep } from '../../../server/src/cli/sweep.js';
import { assemblyNumbers } from '../../support/assemblyNumbers.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { needsShared, SHARED } from '../../support/skip.js';

const TILE = readFileSync(join(__dirname, '..', '..', '..', 'examples', 'gemm_tile.mir'), 'utf8');
const ROWS = readFileSync(join(__dirname, '..', '..', '..', 'examples', 'seven_rows.mir'), 'utf8');

interface Row {
  readonly target: string;
  readonly llvm: string;
  readonly function: string;
  readonly modelLength: number;
  readonly options: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly outcome: Readonly<Record<string, number | null>> | null;
  readonly failed: string;
  readonly spills: Readonly<Record<string, number>>;
  readonly bankCopies: { readonly total: number; readonly inLoops: number };
  readonly instructions: number;
  readonly final?: Readonly<Record<string, unknown>> | null;
}

/** llc-22's, as the corpus has them. */
interface Answers {
  readonly options: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly functions: Readonly<Record<string, { readonly outcome: Row['outcome'] }>>;
}

async function sweep(
  text: string,
  ...args: readonly string[]
): Promise<{ exit: number; out: string; err: string; rows: readonly Row[] }> {
  const io = new BufferedIO(() => text);
  const exit = await runSweep([...args, '-'], io);
  const rows = args.includes('--json') && exit !== 2 ? (JSON.parse(io.out()) as { rows: readonly Row[] }).rows : [];
  return { exit, out: io.out(), err: io.err(), rows };
}

describe('amdgpu-mir sweep', () => {
  it('counts the final code under each setting with --final, as llc-22 writes it', async function () {
    needsLlc(this);
    const { exit, rows } = await sweep(
      ROWS,
      '--json',
      '--final',
      '--model=llvm-22',
      '--mcpu=gfx906',
      '--vary=-amdgpu-sched-strategy=max-ilp,max-memory-clause',
      '--vary=-enable-misched=0',
    );
    assert.equal(exit, 0);
    assert.equal(rows.length, 4);
    for (const { options, final } of rows) {
      const target = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx906', ...options];
      const asm = runLlc([...target, '-x', 'mir', '-start-before=machine-scheduler', '-o', '-'], ROWS);
      assert.equal(asm.status, 0, asm.stderr);
      const lines = (pattern: RegExp): number => asm.stdout.match(pattern)?.length ?? 0;
      assert.deepEqual(
        { codeBytes: final?.['codeBytes'], waits: final?.['waits'], noOps: final?.['noOps'] },
        {
          codeBytes: Number(/; codeLenInByte = (\d+)/.exec(asm.stdout)![1]),
          waits: lines(/^\ts_waitcnt (?!depctr)/gm),
          noOps: lines(/^\t[sv]_nop/gm),
        },
        options.join(' '),
      );
    }
  });

  it('has columns of the final code only where it is asked for', async () => {
    const settings = ['--target=gfx90a', '--vary=-enable-misched=0'];
    assert.match(
      (await sweep(ROWS, '--final', ...settings)).out,
      /scratch {2}code bytes {2}waits {2}no-ops {2}delays {2}clauses\n/,
    );
    assert.match((await sweep(ROWS, '--final', '--csv', ...settings)).out, /,clauses,failed,no final code\n/);
    const plain = await sweep(ROWS, '--json', ...settings);
    assert.doesNotMatch(plain.out, /"final"|"noFinal"/);
  });

  it('has a row for each setting, one at a time, the file as it is first', async () => {
    const { exit, rows } = await sweep(
      ROWS,
      '--json',
      '--vary=-amdgpu-sched-strategy=max-ilp,iterative-ilp',
      '--vary=enable-misched=0',
      '--vary=attr:amdgpu-waves-per-eu=4,4|8,8',
    );
    assert.equal(exit, 0);
    assert.deepEqual(
      rows.map((row) => [...row.options, ...Object.entries(row.attributes).flat()].join(' ')),
      [
        '',
        '-amdgpu-sched-strategy=max-ilp',
        '-amdgpu-sched-strategy=iterative-ilp',
        '-enable-misched=0',
        'amdgpu-waves-per-eu 4,4',
        'amdgpu-waves-per-eu 8,8',
      ],
    );
  });

  for (const [name, text, cpu] of [
    ['gemm_tile', TILE, 'gfx90a'],
    ['seven_rows', ROWS, 'gfx906'],
  ] as const)
    it(`says of ${name} what the assembly of llc-22 says`, async function () {
      needsLlc(this);
      const options = [
        '-amdgpu-sched-strategy=max-ilp',
        '-amdgpu-sched-strategy=iterative-ilp',
        '-amdgpu-sched-strategy=iterative-minreg',
        '-enable-misched=0',
      ];
      const { rows } = await sweep(
        text,
        '--json',
        '--model=llvm-22',
        `--mcpu=${cpu}`,
        ...options.map((o) => `--vary=${o}`),
      );
      const waves = new Set<number | null>();
      for (const [k, words] of [[], ...options.map((o) => [o])].entries()) {
        const target = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-x', 'mir'];
        const asm = runLlc([...target, ...words, '-start-before=machine-scheduler', '-o', '-'], text);
        assert.deepEqual(rows[k].outcome, assemblyNumbers(asm.stdout).get(name), words.join());
        waves.add(rows[k].outcome!.waves);
      }
      assert.ok(waves.size > 1, 'the settings make no difference: the comparison says little');
    });

  it('counts spills and copies as they stand after the last rewriter, and what it renews of the file for an attribute', async function () {
    needsLlc(this);
    // As instruction selection records it for 8 waves.
    const eight = TILE.replace(/^(\s*attributes #0 = \{.*)\}/m, '$1"amdgpu-waves-per-eu"="8,8" }');
    const target = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-x', 'mir', '-start-before=machine-scheduler'];
    const { stdout } = runLlc([...target, '-stop-after=virtregrewriter,2', '-o', '-'], eight);
    const body = stdout.slice(stdout.indexOf('body:'));
    const count = (pattern: RegExp): number => body.match(pattern)?.length ?? 0;
    const { rows } = await sweep(
      TILE,
      '--json',
      '--model=llvm-22',
      '--mcpu=gfx90a',
      '--vary=attr:amdgpu-waves-per-eu=8,8',
    );
    const [, row] = rows;
    const { vgprSaves, vgprRestores, sgprSaves, sgprRestores, inLoops } = row.spills;
    assert.deepEqual(
      [vgprSaves, vgprRestores, sgprSaves, sgprRestores],
      [
        count(/\bSI_SPILL_(?:V|AV|A)\d+_SAVE\b/g),
        count(/\bSI_SPILL_(?:V|AV|A)\d+_RESTORE\b/g),
        count(/\bSI_SPILL_S(?:\d+_SAVE|32_TO_VGPR)\b/g),
        count(/\bSI_(?:SPILL_S\d+_RESTORE|RESTORE_S32_FROM_VGPR)\b/g),
      ],
    );
    assert.ok(vgprSaves > 0 && inLoops > 0 && inLoops <= vgprSaves + vgprRestores + sgprSaves + sgprRestores);
    assert.equal(row.instructions, count(/^ {4}(?!successors:|liveins:)\S/gm));
  });

  it('prints a table, the failing setting among the rest, and the same as CSV', async () => {
    const args = [
      '--vary=-amdgpu-sched-strategy=max-ilp',
      '--vary=-vgpr-regalloc=basic',
      '--vary=-regalloc=basic',
      '--function=seven_rows',
    ];
    const { exit, out } = await sweep(ROWS, ...args);
    assert.equal(exit, 0);
    assert.match(
      out,
      /^- {2}seven_rows {2}gfx906, LLVM \S+ +waves {2}VGPR {2}AGPR {2}SGPR {2}spills\+reloads \(loop\)/,
    );
    assert.match(out, /\n {4}\(as in the file\) +10 +\d+ +- +\d+ +0 /);
    assert.match(out, /\n {4}-vgpr-regalloc=basic: amdgpu-mir does not model/);
    assert.match(out, /\n {4}-regalloc=basic: LLVM ERROR: -regalloc not supported with amdgcn/);
    const csv = (await sweep(ROWS, '--csv', ...args)).out.split('\n');
    assert.match(csv[0], /^function,setting,waves,VGPR,/);
    assert.match(csv[1], /^seven_rows,\(as in the file\),10,\d+,-,/);
  });

  it('takes the usual settings of the target without --vary', async () => {
    const { rows } = await sweep(TILE, '--json', '--mcpu=gfx942');
    assert.ok(rows.length > 12);
    assert.ok(rows.some((row) => row.options.includes('-amdgpu-mfma-vgpr-form')));
    assert.ok(!(await sweep(ROWS, '--json')).rows.some((row) => row.options.includes('-amdgpu-mfma-vgpr-form')));
  });

  it('refuses unknown options in the words of llc, with nothing printed', async () => {
    for (const [args, message] of [
      [['--vary=-amdgpu-sched-strategi=max-ilp'], /Unknown command line argument '-amdgpu-sched-strategi=max-ilp'/],
      [['--vary=-amdgpu-schedule-metric-bias=x'], /'x' value invalid for uint argument/],
      [['--vary=attr:amdgpu-waves-per-eu=many'], /can't parse first integer attribute amdgpu-waves-per-eu/],
      [['--vary=attr:amdgpu-wave-per-eu=4,4'], /llc asks for no attribute .*did you mean 'amdgpu-waves-per-eu'/],
      [['--product'], /--product needs --vary/],
      [['--jobs=0'], /--jobs needs a number/],
      [['--function=nobody'], /there is no function 'nobody'/],
      [['--model=llvm-19'], /--model must be one of/],
    ] as const) {
      const { exit, out, err } = await sweep(ROWS, ...args);
      assert.equal(exit, 2, args.join());
      assert.equal(out, '');
      assert.match(err, message);
    }
    const bare = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
    assert.match((await sweep(bare, '--vary=attr:amdgpu-waves-per-eu=4,4')).err, /no embedded module/);
  });

  it('combines all values with --product, and sweeps several processors or RUN lines', async () => {
    const vary = ['--vary=-amdgpu-sched-strategy=max-ilp,iterative-ilp', '--vary=attr:amdgpu-waves-per-eu=4,4'];
    const settings = ({ rows }: { rows: readonly Row[] }): string[] =>
      rows.map((row) => [...row.options, ...Object.values(row.attributes)].join(' '));
    assert.deepEqual(settings(await sweep(ROWS, '--json', '--product', ...vary)), [
      '',
      '4,4',
      '-amdgpu-sched-strategy=max-ilp',
      '-amdgpu-sched-strategy=max-ilp 4,4',
      '-amdgpu-sched-strategy=iterative-ilp',
      '-amdgpu-sched-strategy=iterative-ilp 4,4',
    ]);
    const runs = `# RUN: llc -mtriple=amdgcn -mcpu=gfx906 -o - %s\n# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -enable-misched=0 -o - %s\n${ROWS.replace(/^# RUN:.*\n/gm, '')}`;
    for (const [args, wanted] of [
      [['--target=gfx906,gfx900'], ['gfx906', 'gfx900']],
      [['--each-run'], ['gfx906, RUN line 1', 'gfx900, RUN line 2']],
    ] as const) {
      const { rows } = await sweep(runs, '--json', '--vary=-enable-misched=0', ...args);
      assert.deepEqual(
        rows.map(({ target }) => target),
        wanted.flatMap((label) => [label, label]),
      );
      const [, , first, other] = rows;
      assert.equal(
        first.outcome !== null && JSON.stringify(first.outcome) === JSON.stringify(other.outcome),
        args[0] === '--each-run',
      );
    }
  });

  it('names the LLVM of each RUN line, where one is for an older one than the other', async () => {
    // An option that LLVM 24 does not have any more, and a processor that 22 does not have yet.
    const runs = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1100 -amdgpu-sgpr-hazard-wait=1 -o - %s
# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1310 -o - %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    S_ENDPGM 0, implicit %0
...
`;
    const { rows } = await sweep(runs, '--json', '--each-run', '--vary=-enable-misched=0');
    assert.deepEqual(
      rows.map(({ target, llvm }) => [target, llvm]),
      [
        ['gfx1100, RUN line 1', '22.1.8'],
        ['gfx1100, RUN line 1', '22.1.8'],
        ['gfx1310, RUN line 2', '24.0.0git'],
        ['gfx1310, RUN line 2', '24.0.0git'],
      ],
    );
    const { out } = await sweep(runs, '--each-run', '--vary=-enable-misched=0');
    assert.match(out, /^- {2}f {2}gfx1100, RUN line 1, LLVM 22\.1\.8 /m);
    assert.match(out, /^- {2}f {2}gfx1310, RUN line 2, LLVM 24\.0\.0git /m);
    const csv = await sweep(runs, '--csv', '--each-run', '--vary=-enable-misched=0');
    assert.match(csv.out, /^"gfx1310, RUN line 2",24\.0\.0git,f,/m);
  });

  it('leaves what is computed when it is interrupted, and says that it is partial', async () => {
    const io = new BufferedIO(() => ROWS);
    const interrupt = (stop: () => void): (() => void) => {
      setImmediate(() => setImmediate(stop));
      return () => undefined;
    };
    const exit = await runSweep(['--json', '-'], io, undefined, interrupt);
    const { partial, settingsLeft, rows } = JSON.parse(io.out());
    assert.equal(exit, 130);
    assert.equal(partial, true);
    assert.ok(rows.length > 0 && settingsLeft > 0);
    assert.match(io.err(), /interrupted: \d+ of \d+ settings were not computed/);
  });

  it('counts the spills and the scratch that are left once slots are shared', async function () {
    const folder = join(SHARED, 'corpus', 'sweep');
    needsShared(this, folder);
    const { cases } = JSON.parse(brotliDecompressSync(readFileSync(join(folder, 'cases-00.json.br'))).toString());
    // Saves of what a slot holds already, and a whole-wave register that moves.
    for (const [name, setting] of [
      ['k_gemm_mfma_NM3_NN2_WPE44.gfx908.sched.mir', '-amdgpu-sched-strategy=iterative-ilp'],
      ['ir_ww_gfx1201.sched.mir', 'attr:amdgpu-flat-work-group-size=128,256'],
    ]) {
      const found = cases.find((one: { name: string }) => one.name === name);
      const { input, rows: answers } = found as { input: string; rows: readonly Answers[] };
      const triple = name.startsWith('ir_') ? 'amdgcn-amd-amdpal' : 'amdgcn-amd-amdhsa';
      const cpu = /gfx\d+/.exec(name)![0];
      const { rows } = await sweep(
        input,
        '--json',
        '--model=llvm-22',
        `--mtriple=${triple}`,
        `--mcpu=${cpu}`,
        `--vary=${setting}`,
      );
      const given = rows.filter((row) => row.options.length + Object.keys(row.attributes).length > 0);
      const key = JSON.stringify([given[0].options, given[0].attributes]);
      const answer = answers.find(({ options, attributes }) => JSON.stringify([options, attributes]) === key)!;
      for (const row of given) assert.deepEqual(row.outcome, answer.functions[row.function].outcome, name);
    }
  });

  it("takes the options of the file's release, and no others", async () => {
    const option = '--vary=-amdgpu-disable-rewrite-mfma-form-sched-stage';
    assert.equal((await sweep(TILE, '--mcpu=gfx90a', '--model=llvm-24', option)).exit, 0);
    const older = await sweep(TILE, '--mcpu=gfx90a', '--model=llvm-22', option);
    assert.equal(older.exit, 2);
    assert.match(older.err, /Unknown command line argument/);
  });

  it('computes nothing for R600', async () => {
    const { exit, err } = await sweep('---\nname: f\nbody: |\n  bb.0:\n...\n', '--mtriple=r600', '--mcpu=cayman');
    assert.equal(exit, 2);
    assert.match(err, /a file for R600/);
  });

  it('leaves the file as it is from setting to setting', async () => {
    const options = ['--vary=-enable-misched=0,1', '--vary=-amdgpu-sched-strategy=iterative-ilp,max-occupancy'];
    const { rows } = await sweep(TILE, '--json', '--mcpu=gfx90a', ...options);
    const numbers = rows.map(({ outcome, spills, bankCopies, instructions }) =>
      JSON.stringify([outcome, spills, bankCopies, instructions]),
    );
    assert.equal(rows[0].failed, null);
    assert.notEqual(numbers[1], numbers[0], 'without the scheduler');
    assert.equal(numbers[2], numbers[0], 'with it again');
  });

  it('says of a function with an error which, and goes on with the others', async () => {
    const broken = `${ROWS.replace('...', '  define void @broken() { ret void }\n...')}\n---\nname: broken\nbody: |\n  bb.0:\n    NO_SUCH_OPCODE\n...\n`;
    const { exit, out } = await sweep(broken, '--vary=-amdgpu-sched-strategy=max-ilp');
    assert.equal(exit, 1);
    assert.match(out, /\n {4}\(as in the file\) +10 /);
    assert.match(out, /unknown machine instruction name 'NO_SUCH_OPCODE'/);
  });
});

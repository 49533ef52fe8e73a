/** `amdgpu-mir sweep`: rows, formats, what is refused, and each number beside the assembly of llc-22. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runSweep } from '../../../server/src/cli/sweep.js';
import { assemblyNumbers } from '../../support/assemblyNumbers.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const TILE = readFileSync(join(__dirname, '..', '..', '..', 'examples', 'gemm_tile.mir'), 'utf8');
const ROWS = readFileSync(join(__dirname, '..', '..', '..', 'examples', 'seven_rows.mir'), 'utf8');

interface Row {
  readonly function: string;
  readonly options: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly outcome: Readonly<Record<string, number | null>> | null;
  readonly failed: string;
  readonly spills: Readonly<Record<string, number>>;
  readonly bankCopies: { readonly total: number; readonly inLoops: number };
  readonly instructions: number;
}

function sweep(
  text: string,
  ...args: readonly string[]
): { exit: number; out: string; err: string; rows: readonly Row[] } {
  const io = new BufferedIO(() => text);
  const exit = runSweep([...args, '-'], io);
  const rows = args.includes('--json') && exit !== 2 ? (JSON.parse(io.out()) as { rows: readonly Row[] }).rows : [];
  return { exit, out: io.out(), err: io.err(), rows };
}

describe('amdgpu-mir sweep', () => {
  it('has a row for each setting, one at a time, the file as it is first', () => {
    const { exit, rows } = sweep(
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
    it(`says of ${name} what the assembly of llc-22 says`, function () {
      needsLlc(this);
      const options = [
        '-amdgpu-sched-strategy=max-ilp',
        '-amdgpu-sched-strategy=iterative-ilp',
        '-amdgpu-sched-strategy=iterative-minreg',
        '-enable-misched=0',
      ];
      const { rows } = sweep(text, '--json', '--model=llvm-22', `--mcpu=${cpu}`, ...options.map((o) => `--vary=${o}`));
      const waves = new Set<number | null>();
      for (const [k, words] of [[], ...options.map((o) => [o])].entries()) {
        const target = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-x', 'mir'];
        const asm = runLlc([...target, ...words, '-start-before=machine-scheduler', '-o', '-'], text);
        assert.deepEqual(rows[k].outcome, assemblyNumbers(asm.stdout).get(name), words.join());
        waves.add(rows[k].outcome!.waves);
      }
      assert.ok(waves.size > 1, 'the settings make no difference: the comparison says little');
    });

  it('counts spills and copies as they stand after the last rewriter, and what it renews of the file for an attribute', function () {
    needsLlc(this);
    // As instruction selection records it for 8 waves.
    const eight = TILE.replace(/^(\s*attributes #0 = \{.*)\}/m, '$1"amdgpu-waves-per-eu"="8,8" }');
    const target = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-x', 'mir', '-start-before=machine-scheduler'];
    const { stdout } = runLlc([...target, '-stop-after=virtregrewriter,2', '-o', '-'], eight);
    const body = stdout.slice(stdout.indexOf('body:'));
    const count = (pattern: RegExp): number => body.match(pattern)?.length ?? 0;
    const [, row] = sweep(
      TILE,
      '--json',
      '--model=llvm-22',
      '--mcpu=gfx90a',
      '--vary=attr:amdgpu-waves-per-eu=8,8',
    ).rows;
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

  it('prints a table, the failing setting among the rest, and the same as CSV', () => {
    const args = [
      '--vary=-amdgpu-sched-strategy=max-ilp',
      '--vary=-vgpr-regalloc=basic',
      '--vary=-regalloc=basic',
      '--function=seven_rows',
    ];
    const { exit, out } = sweep(ROWS, ...args);
    assert.equal(exit, 0);
    assert.match(out, /^- {2}seven_rows {2}gfx906, LLVM \S+ +waves {2}VGPR {2}AGPR {2}SGPR {2}spills \(loop\)/);
    assert.match(out, /\n {4}\(as in the file\) +10 +\d+ +- +\d+ +0 /);
    assert.match(out, /\n {4}-vgpr-regalloc=basic: amdgpu-mir does not model/);
    assert.match(out, /\n {4}-regalloc=basic: LLVM ERROR: -regalloc not supported with amdgcn/);
    const csv = sweep(ROWS, '--csv', ...args).out.split('\n');
    assert.match(csv[0], /^function,setting,waves,VGPR,/);
    assert.match(csv[1], /^seven_rows,\(as in the file\),10,\d+,-,/);
  });

  it('takes the usual settings of the target without --vary', () => {
    const { rows } = sweep(TILE, '--json', '--mcpu=gfx942');
    assert.ok(rows.length > 12);
    assert.ok(rows.some((row) => row.options.includes('-amdgpu-mfma-vgpr-form')));
    assert.ok(!sweep(ROWS, '--json').rows.some((row) => row.options.includes('-amdgpu-mfma-vgpr-form')));
  });

  it('refuses unknown options in the words of llc, with nothing printed', () => {
    for (const [args, message] of [
      [['--vary=-amdgpu-sched-strategi=max-ilp'], /Unknown command line argument '-amdgpu-sched-strategi=max-ilp'/],
      [['--vary=-amdgpu-schedule-metric-bias=x'], /'x' value invalid for uint argument/],
      [['--function=nobody'], /there is no function 'nobody'/],
      [['--model=llvm-19'], /--model is one of/],
    ] as const) {
      const { exit, out, err } = sweep(ROWS, ...args);
      assert.equal(exit, 2, args.join());
      assert.equal(out, '');
      assert.match(err, message);
    }
    const bare = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
    assert.match(sweep(bare, '--vary=attr:amdgpu-waves-per-eu=4,4').err, /no embedded module/);
  });

  it("takes the options of the file's release, and no others", () => {
    const option = '--vary=-amdgpu-disable-rewrite-mfma-form-sched-stage';
    assert.equal(sweep(TILE, '--mcpu=gfx90a', '--model=llvm-24', option).exit, 0);
    const older = sweep(TILE, '--mcpu=gfx90a', '--model=llvm-22', option);
    assert.equal(older.exit, 2);
    assert.match(older.err, /Unknown command line argument/);
  });

  it('computes nothing for R600', () => {
    const { exit, err } = sweep('---\nname: f\nbody: |\n  bb.0:\n...\n', '--mtriple=r600', '--mcpu=cayman');
    assert.equal(exit, 2);
    assert.match(err, /a file for R600/);
  });

  it('leaves the file as it is from setting to setting', () => {
    const options = ['--vary=-enable-misched=0,1', '--vary=-amdgpu-sched-strategy=iterative-ilp,max-occupancy'];
    const { rows } = sweep(TILE, '--json', '--mcpu=gfx90a', ...options);
    const numbers = rows.map(({ outcome, spills, bankCopies, instructions }) =>
      JSON.stringify([outcome, spills, bankCopies, instructions]),
    );
    assert.equal(rows[0].failed, '');
    assert.notEqual(numbers[1], numbers[0], 'without the scheduler');
    assert.equal(numbers[2], numbers[0], 'with it again');
  });

  it('says of a function with an error which, and goes on with the others', () => {
    const broken = `${ROWS.replace('...', '  define void @broken() { ret void }\n...')}\n---\nname: broken\nbody: |\n  bb.0:\n    NO_SUCH_OPCODE\n...\n`;
    const { exit, out } = sweep(broken, '--vary=-amdgpu-sched-strategy=max-ilp');
    assert.equal(exit, 1);
    assert.match(out, /\n {4}\(as in the file\) +10 /);
    assert.match(out, /unknown machine instruction name 'NO_SUCH_OPCODE'/);
  });
});

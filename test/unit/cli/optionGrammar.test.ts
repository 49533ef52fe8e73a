/** The options that commands share: they mean the same everywhere, in each spelling, and the exit codes are those of linters. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { optionsByName, parseCommandOptions } from '../../../server/src/cli/commandOptions.js';
import { runCompare } from '../../../server/src/cli/compare.js';
import { runFmt } from '../../../server/src/cli/fmt.js';
import { runReduce } from '../../../server/src/cli/reduce.js';
import { runReport } from '../../../server/src/cli/bugReport.js';
import { runSimplify } from '../../../server/src/cli/simplify.js';
import { commandOf, commands } from '../../../server/src/cli/commands.js';
import { runCompletions } from '../../../server/src/cli/completions.js';
import { runDiff } from '../../../server/src/cli/diff.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import { runLog } from '../../../server/src/cli/log.js';
import { flag, list, row, value } from '../../../server/src/cli/options.js';
import { runSwap } from '../../../server/src/cli/swap.js';
import { runSweep } from '../../../server/src/cli/sweep.js';
import { runTests } from '../../../server/src/cli/test.js';
import { runUpdateChecks } from '../../../server/src/cli/updateChecks.js';
import { runWhy } from '../../../server/src/cli/why.js';
const ROOT = resolve(__dirname, '..', '..', '..');

type Run = (args: readonly string[], io: BufferedIO) => number | Promise<number>;
const RUNS: Readonly<Record<string, Run>> = {
  check: runCheck,
  explain: runExplain,
  sweep: (args, io) => runSweep(['--vary=-amdgpu-schedule-metric-bias=50', ...args], io),
  why: runWhy,
  diff: runDiff,
  log: runLog,
  test: runTests,
  'update-checks': runUpdateChecks,
  swap: runSwap,
  completions: runCompletions,
  fmt: runFmt,
  reduce: runReduce,
  simplify: runSimplify,
  report: runReport,
  compare: runCompare,
};

/** Which of the shared options each command takes; the others make no sense there, and are refused. */
const TAKEN = `
                target model function region color format jobs json o config
  check         target model function region color format jobs json o config
  explain       target model function region color format -    json o config
  test          -      model -        -      color format jobs json o config
  update-checks -      model function -      -     -      -    -    - config
  fmt           -      -     -        -      -     -      -    -    o -
  sweep         target model function -      color format jobs json o config
  why           target model function -      color format jobs json o config
  diff          target model function -      color format -    json o config
  log           target model function -      color format -    json o config
  reduce        target model function -      -     -      jobs -    o config
  simplify      target model function -      -     -      -    -    o config
  report        target model function -      -     -      -    -    o config
  swap          -      -     -        -      -     -      -    -    o -
  compare       target model function -      color format -    json o config
  completions   -      -     -        -      -     -      -    -    o -
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/));

const SHARED_OPTIONS = [
  ...[
    'target',
    'mtriple',
    'mcpu',
    'mattr',
    'model',
    'function',
    'region',
    'color',
    'format',
    'json',
    'csv',
    'o',
    'jobs',
  ],
  ...['config', 'no-config', 'llc', 'clang', 'filecheck', 'check'],
];

describe('the options of commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-grammar-'));
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): string => {
    writeFileSync(path(name), text);
    return path(name);
  };
  const kernel = write('kernel.mir', readFileSync(join(ROOT, 'examples', 'saxpy.mir'), 'utf8'));
  const broken = write('broken.mir', '---\nname: f\nbody: |\n  bb.0:\n    S_FROB 0\n...\n');
  const log = write(
    'a.log',
    '# *** IR Dump After greedy ***:\n# Machine code for function f: NoPHIs\nbb.0:\n  S_ENDPGM 0\n\n# End machine code for function f.\n',
  );
  const passing = write(
    'pass.mir',
    '# RUN: llc -mtriple=amdgcn -run-pass=none -o - %s | FileCheck %s\n# CHECK: name: f\n---\nname: f\n...\n',
  );
  const failing = write(
    'fail.mir',
    '# RUN: llc -mtriple=amdgcn -run-pass=none -o - %s | FileCheck %s\n# CHECK: nobody\n---\nname: f\n...\n',
  );
  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = async (name: string, ...args: string[]): Promise<{ exit: number; out: string; err: string }> => {
    const io = new BufferedIO();
    const exit = await RUNS[name]!(args, io);
    return { exit, out: io.out(), err: io.err() };
  };

  it('are read with one dash or two, with = or as the next word, and by each of their names', () => {
    const command = {
      name: 'check',
      options: [row([flag('all', 'a'), value(['o', 'output'], 'OUT'), list('mattr', 'F')], '')],
    };
    for (const words of ['-o=x', '-o x', '-ox', '--output=x', '--output x', '-output=x']) {
      const parsed = parseCommandOptions([...words.split(' '), 'in', '--', '-all'], command);
      assert.ok(typeof parsed !== 'string');
      assert.deepEqual([parsed.values.get('o'), parsed.inputs], [['x'], ['in', '-all']]);
    }
    const parsed = parseCommandOptions(['-a', '-mattr=+x', '--mattr', '-y', '-o', '1', '-o', '2'], command);
    assert.ok(typeof parsed !== 'string');
    assert.deepEqual(
      [[...parsed.flags], parsed.values.get('mattr'), parsed.values.get('o')],
      [['all'], ['+x', '-y'], ['2']],
    );
    assert.equal(parseCommandOptions(['--outptu=x'], command), "unknown option '--outptu'; did you mean '--output'?");
    assert.equal(parseCommandOptions(['--all=1'], command), "option '--all' takes no value");
    assert.equal(parseCommandOptions(['--output'], command), "option '--output' needs a value");
  });

  it('are the same in every command that has them', () => {
    const kinds = new Map<string, string>();
    for (const { name, options } of commands())
      for (const spec of options.flatMap((own) => own.options)) {
        const [first] = spec.names;
        if (spec.isLlvm || name === 'filecheck' || !SHARED_OPTIONS.includes(first)) continue;
        const known = kinds.get(first) ?? `${spec.kind} ${spec.names.join()}`;
        assert.equal(`${spec.kind} ${spec.names.join()}`, known, `${name} --${first}`);
        kinds.set(first, known);
      }
  });

  it('are taken by each command for which they make sense, and refused by the others in one form', async () => {
    const [options, ...rows] = TAKEN as [string[], ...string[][]];
    const readHere = commands().filter(({ isReadElsewhere }) => isReadElsewhere !== true);
    assert.deepEqual(
      rows.map(([name]) => name),
      readHere.map(({ name }) => name),
    );
    for (const [name, ...cells] of rows as [string, ...string[]][]) {
      const own = optionsByName(commandOf(name)!);
      assert.deepEqual(
        options.map((option) => (own.has(option) ? option : '-')),
        cells,
        name,
      );
      for (const option of options.filter((one) => !own.has(one))) {
        const word = option === 'o' ? '-o' : `--${option}`;
        const { exit, out, err } = await run(name, word, 'x');
        assert.deepEqual([exit, out], [2, ''], `${name} ${word}`);
        assert.match(
          err,
          new RegExp(
            `^amdgpu-mir ${name}: unknown option '${word}'; it belongs to '[^']+'(?:(?:, '[^']+')* and '[^']+')?\n$`,
          ),
        );
      }
    }
  });

  it('say what the target is in each spelling of llc, and in one word', async () => {
    for (const name of ['check', 'explain', 'sweep', 'why']) {
      const answers = await Promise.all(
        [
          ['--target=gfx1100:+wavefrontsize64'],
          ['-mcpu=gfx1100', '-mattr=+wavefrontsize64'],
          ['--mcpu', 'gfx1100', '--mattr', '+wavefrontsize64'],
        ].map((words) => run(name, ...words, kernel)),
      );
      const texts = answers.map(({ exit, out, err }) => `${exit === 2 ? err : out}`);
      assert.match(texts[0]!, /gfx1100/, name);
      assert.deepEqual(texts, [texts[0], texts[0], texts[0]], name);
    }
  });

  const REPORTS: readonly (readonly [string, readonly string[]])[] = [
    ['check', [kernel]],
    ['explain', [kernel]],
    ['sweep', [kernel]],
    ['why', [kernel]],
    ['diff', [kernel, write('copy.mir', readFileSync(kernel, 'utf8'))]],
    ['log', [log]],
  ];
  for (const [name, args] of REPORTS)
    it(`--json, --format, --color, -o and --function of ${name}`, async () => {
      const json = await run(name, '--json', ...args);
      assert.doesNotThrow(() => JSON.parse(json.out) as unknown, name);
      assert.equal((await run(name, '--format=json', ...args)).out, json.out);
      const text = await run(name, '--color=never', ...args);
      assert.equal((await run(name, '--color', 'never', '--format=text', ...args)).out, text.out);
      const file = path(`${name}.out`);
      assert.deepEqual(await run(name, '--json', '-o', file, ...args), { ...json, out: '' });
      assert.equal(readFileSync(file, 'utf8'), json.out);
      assert.equal((await run(name, `--output=${file}`, ...args)).out, '');
      assert.equal(readFileSync(file, 'utf8'), text.out);
      for (const wrong of ['--format=x', '--color=x', '--model=x', '--target=x', '-mpcu=gfx942'])
        if (name !== 'explain' || wrong !== '-mpcu=gfx942')
          assert.equal((await run(name, wrong, ...args)).exit, 2, `${name} ${wrong}`);
      const nobody = await run(name, '--function=nobody', ...args);
      assert.equal(nobody.exit, 2, nobody.err);
      assert.match(nobody.err, /nobody/);
      const lost = await run(name, '-o', path('none/x'), ...args);
      assert.equal(lost.exit, 2);
      assert.match(lost.err, /No such file or directory\n$/);
    });

  it('check --function and --region tell of these alone', async () => {
    const two = write(
      'two.mir',
      `${readFileSync(kernel, 'utf8')}\n${readFileSync(broken, 'utf8').replace('name: f', 'name: g')}`,
    );
    const names = async (...args: string[]): Promise<{ exit: number; names: string[] }> => {
      const { exit, out } = await run('check', '--json', ...args, two);
      const [file] = (JSON.parse(out) as { files: { functions: { name: string }[] }[] }).files;
      return { exit, names: file!.functions.map((fn) => fn.name) };
    };
    const [first] = (await names()).names;
    assert.deepEqual(await names(), { exit: 1, names: [first, 'g'] });
    assert.deepEqual(await names('--function', first!), { exit: 0, names: [first] });
    assert.deepEqual(await names('--function=g'), { exit: 1, names: ['g'] });
    const { out } = await run('check', '--json', '--schedule', '--region=0', kernel);
    const [file] = (JSON.parse(out) as { files: { functions: { schedule: { regions: { region: number }[] } }[] }[] })
      .files;
    assert.deepEqual(
      file!.functions[0]!.schedule.regions.map((r) => r.region),
      [0],
    );
    assert.match((await run('check', '--region=0', kernel)).err, /--region needs --schedule/);
  });

  describe('and exit codes', () => {
    const missing = path('nowhere.mir');
    const stale = write(
      'stale.mir',
      '# NOTE: Assertions have been autogenerated by utils/update_mir_test_checks.py UTC_ARGS: --version 6\n# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s | FileCheck %s\n---\nname: f\nbody: |\n  bb.0:\n    ; CHECK: old\n    S_ENDPGM 0\n...\n',
    );
    const cases: Readonly<Record<string, readonly (readonly [number, readonly string[]])[]>> = {
      check: [
        [0, [kernel]],
        [1, [broken]],
        [2, [missing]],
        [2, [missing, broken]],
        [2, ['--frob', kernel]],
        [2, []],
      ],
      explain: [
        [0, [kernel]],
        [1, [broken]],
        [2, [missing]],
        [2, ['--region=99', kernel]],
      ],
      sweep: [
        [0, [kernel]],
        [1, [broken]],
        [2, [missing]],
        [2, []],
      ],
      why: [
        [0, [kernel]],
        [1, [broken]],
        [2, [missing]],
        [2, []],
      ],
      diff: [
        [0, [kernel, path('copy.mir')]],
        [1, [kernel, passing]],
        [2, [kernel, missing]],
        [2, []],
      ],
      log: [
        [0, [log]],
        [2, [kernel]],
        [2, [missing]],
        [2, []],
      ],
      test: [
        [0, [passing]],
        [1, [failing]],
        [2, [missing]],
        [2, []],
      ],
      'update-checks': [
        [1, ['--check', stale]],
        [0, [stale]],
        [0, ['--check', stale]],
        [2, [missing]],
        [2, []],
      ],
      swap: [
        [1, [broken]],
        [2, [missing]],
        [2, []],
      ],
      completions: [
        [0, ['bash']],
        [2, ['tcsh']],
        [2, []],
      ],
    };
    for (const [name, runs] of Object.entries(cases))
      it(`of ${name} are 0 without findings, 1 with some, 2 where there is no answer`, async () => {
        const documented = commandOf(name)!.exits.map(([code]) => code);
        for (const [exit, args] of runs) {
          const r = await run(name, ...args);
          assert.equal(r.exit, exit, `${args.join(' ')}\n${r.out}${r.err}`);
          assert.ok(documented.includes(exit), `${name} ${exit}`);
        }
      });
  });
});

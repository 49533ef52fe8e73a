/**
 * Commands as processes under bad conditions, by Node and as one executable: output that cannot be written, inputs that are no files,
 * arguments that mean nothing. Where llc-22 is installed, its exit code and message are the measure.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { commands } from '../../../server/src/cli/commands.js';
import { shownRow } from '../../../server/src/cli/options.js';
import { helpOf } from '../../../server/src/cli/help.js';
import { manPage } from '../../../server/src/cli/manPage.js';
import { passNames } from '../../../server/src/passes/passes.js';
import { LONG_PASS_NAMES } from '../../../server/src/passes/longPassNames.js';
import { longPasses } from '../../../server/src/passes/longPasses.js';
import { BUILT_COMMANDS } from '../../support/builtCommand.js';
import { needsLlc } from '../../support/llc.js';
import { skip } from '../../support/skip.js';

const EXAMPLE = resolve(__dirname, '..', '..', '..', 'examples', 'saxpy.mir');
const LLC = ['-mtriple=amdgcn', '-mcpu=gfx90a', '-run-pass=none'];
/** A trace of JavaScript, or source of a bundle. */
const TRACE = /\n\s+at .*:\d+|node:internal|Node\.js v\d|\bBun v\d|function\s*\(/;

interface Run {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

interface Streams {
  readonly input?: string;
  /** files in place of the standard streams */
  readonly stdin?: string;
  readonly stdout?: string;
  readonly stderr?: string;
}

function start(
  command: readonly string[],
  args: readonly string[],
  { input, stdin, stdout, stderr }: Streams = {},
): Run {
  const opened: number[] = [];
  const stream = (path: string | undefined, flags: string): number | 'pipe' => {
    if (path === undefined) return 'pipe';
    opened.push(openSync(path, flags));
    return opened.at(-1)!;
  };
  const [file, ...first] = command as [string, ...string[]];
  const r = spawnSync(file, [...first, ...args], {
    encoding: 'utf8',
    timeout: 60_000,
    ...(input === undefined ? {} : { input }),
    stdio: [stream(stdin, 'r'), stream(stdout, 'w'), stream(stderr, 'w')],
  });
  opened.forEach(closeSync);
  const run = { status: r.status, out: r.stdout ?? '', err: r.stderr ?? '' };
  assert.doesNotMatch(run.out.length > 5000 ? '' : run.out, TRACE, args.join(' '));
  assert.doesNotMatch(run.err, TRACE, args.join(' '));
  return run;
}

for (const { name, command, skipUnlessBuilt } of BUILT_COMMANDS) {
  describe(`commands under bad conditions, ${name}`, function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-commands-'));
    const path = (file: string): string => join(folder, file);
    const run = (args: readonly string[], streams?: Streams): Run => start(command, args, streams);

    before(skipUnlessBuilt);
    before(() => {
      writeFileSync(path('bad.mir'), 'x\n');
      mkdirSync(path('empty'));
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    const lost: readonly (readonly [string, readonly string[], Streams])[] = [
      ['standard output is full', ['-o', '-', EXAMPLE], { stdout: '/dev/full' }],
      ['the output file is full', ['-o', '/dev/full', EXAMPLE], {}],
      ['its folder does not exist', ['-o', path('none/x'), EXAMPLE], {}],
      ['the output is a folder', ['-o', folder, EXAMPLE], {}],
      ['standard error is full', ['-run-pass=amdgpu-print-rp', '-o', '/dev/null', EXAMPLE], { stderr: '/dev/full' }],
      ['the input is a folder', ['-o', '-', folder], {}],
      ['standard input is a folder', ['-o', '-', '-x', 'mir', '-'], { stdin: folder }],
    ];
    for (const [what, args, streams] of lost)
      it(`llc: ${what}`, function () {
        needsLlc(this);
        const expected = start(['llc-22'], [...LLC, ...args], streams);
        const own = run(['llc', ...LLC, ...args], streams);
        assert.equal(own.status, 1);
        assert.equal(own.status, expected.status);
        assert.equal(own.err, expected.err.replaceAll('llc-22', 'llc'));
      });

    const closed: readonly (readonly [string, string, readonly string[]])[] = [
      ['standard output is closed', '>&-', ['-o', '-', EXAMPLE]],
      ['standard output is closed and not needed', '>&-', ['-o', '/dev/null', EXAMPLE]],
      ['standard input is closed', '<&-', ['-o', '-', '-x', 'mir', '-']],
    ];
    for (const [what, redirection, args] of closed)
      it(`llc: ${what}`, function () {
        needsLlc(this);
        const behind = (c: readonly string[]): Run =>
          start(['sh', '-c', `"$@" ${redirection}; exit $?`, 'sh'], [...c, ...LLC, ...args]);
        const expected = behind(['llc-22']);
        const own = behind([...command, 'llc']);
        assert.equal(own.status, expected.status);
        assert.equal(own.err, expected.err.replaceAll('llc-22', 'llc'));
      });

    // Both have /dev/null for reading and writing, which is also what Node and Bun put where a stream was closed.
    it('input and output of no interest, as Python and Node start programs, are there', () => {
      const device = openSync('/dev/null', 'r+');
      for (const args of [['check', EXAMPLE], ['llc', ...LLC, '-o', '-', '-x', 'mir', '-'], ['batch']]) {
        const r = spawnSync(command[0], [...command.slice(1), ...args], { stdio: [device, device, 'pipe'] });
        assert.deepEqual([r.status, r.stderr.toString()], [0, ''], args.join(' '));
      }
      closeSync(device);
    });

    it('llc: a run that fails leaves no output after', () => {
      writeFileSync(path('old.s'), 'old');
      assert.equal(run(['llc', ...LLC, '-o', path('old.s'), path('bad.mir')]).status, 1);
      assert.ok(!existsSync(path('old.s')));
    });

    it('every other command: exit 2, as where there is no answer, and a line where standard output is full', () => {
      const all = [['check', EXAMPLE], ['check', '--json', EXAMPLE], ['explain', EXAMPLE], ['help'], ['--version']];
      for (const args of [...all, ...commands().map((c) => [c.name, '--help'])]) {
        const r = run(args, { stdout: '/dev/full' });
        assert.equal(r.status, args[0] === 'filecheck' || args[0] === 'llc' ? 1 : 2, args.join(' '));
        assert.match(r.err, /No space left on device\n$/, args.join(' '));
      }
      const batch = run(['batch'], { input: '{"args": []}\n', stdout: '/dev/full' });
      assert.deepEqual(
        [batch.status, batch.err],
        [2, 'amdgpu-mir: cannot write the output: No space left on device\n'],
      );
    });

    it('a reader that is gone is exit 2, without a word', () => {
      const shell = `"$@" | true; exit \${PIPESTATUS[0]}`;
      const r = start(['bash', '-c', shell, 'bash', ...command], ['check', '--json', EXAMPLE]);
      assert.deepEqual([r.status, r.err], [2, '']);
    });

    it('check: reads regular files of a folder only, and says what it leaves out', function () {
      execFileSync('mkfifo', [path('empty/pipe.mir')]);
      symlinkSync('/dev/zero', path('empty/device.mir'));
      symlinkSync('loop2.mir', path('empty/loop1.mir'));
      symlinkSync('loop1.mir', path('empty/loop2.mir'));
      symlinkSync(folder, path('empty/folder.mir'));
      symlinkSync(EXAMPLE, path('empty/good.mir'));
      writeFileSync(path('empty/large.mir'), ' '.repeat(60_000));
      const r = run(['check', '--json', '--max-size=50000', path('empty')]);
      assert.equal(r.status, 0);
      const { files } = JSON.parse(r.out) as { files: { file: string; skipped: string; functions: unknown[] }[] };
      assert.deepEqual(
        files.map((f) => [f.file.slice(path('empty/').length), f.skipped, f.functions.length]),
        [
          ['device.mir', 'not a regular file but a device', 0],
          ['folder.mir', 'not a regular file but a link to a folder', 0],
          ['good.mir', null, 1],
          ['large.mir', '60000 bytes are more than --max-size=50000', 0],
          ['loop1.mir', 'Too many levels of symbolic links', 0],
          ['loop2.mir', 'Too many levels of symbolic links', 0],
          ['pipe.mir', 'not a regular file but a pipe', 0],
        ],
      );
    });

    it('check: a device that is named is read up to the limit', () => {
      const r = run(['check', '--json', '--max-size=1M', '/dev/zero']);
      assert.equal(r.status, 2);
      const { files } = JSON.parse(r.out) as { files: { diagnostics: { code: string; message: string }[] }[] };
      assert.deepEqual(
        files[0]!.diagnostics.map((d) => [d.code, d.message]),
        [['unreadable', 'File too large (more than 1048576 bytes)']],
      );
    });

    it('check: says that there was nothing, and in JSON what cannot be read', () => {
      mkdirSync(path('nothing'));
      const none = run(['check', path('nothing')]);
      assert.equal(none.status, 2);
      assert.equal(none.err, `amdgpu-mir check: no .mir files in '${path('nothing')}'\n`);
      const missing = run(['check', '--json', path('missing.mir'), EXAMPLE]);
      assert.equal(missing.status, 2);
      const { files } = JSON.parse(missing.out) as { files: { file: string; diagnostics: { message: string }[] }[] };
      assert.deepEqual(
        files.map((f) => [f.file, f.diagnostics.map((d) => d.message)]),
        [
          [path('missing.mir'), ['No such file or directory']],
          [EXAMPLE, []],
        ],
      );
    });

    it('batch: jobs after one that reads - are run, too', () => {
      const job = (args: readonly string[], more = {}): string =>
        `${JSON.stringify({ args: [...LLC, ...args], ...more })}\n`;
      const out = path('batch.out');
      const input =
        job(['-o', '-', '-'], { stderr: path('batch.err') }) +
        job(['-o', '-', '-'], { stdin: '---\nname: f\n...\n', stdout: out }) +
        job(['-o', '/dev/null', EXAMPLE]) +
        job(['-o', '/dev/null', EXAMPLE], { stdout: path('none/x') }) +
        '[1]\n{"args": [1]}\nnonsense\n';
      const r = run(['batch'], { input });
      assert.equal(r.status, 0);
      const answers = r.out.trimEnd().split('\n');
      assert.deepEqual(
        answers.map((line) => (JSON.parse(line) as { exit: number }).exit),
        [1, 0, 0, 1, 70, 70, 70],
      );
      assert.match(execFileSync('cat', [out], { encoding: 'utf8' }), /^name: +f$/m);
      assert.match(execFileSync('cat', [path('batch.err')], { encoding: 'utf8' }), /standard input holds the jobs/);
    });

    it('batch: a folder as standard input is exit 2 and a line', () => {
      const r = run(['batch'], { stdin: folder });
      assert.deepEqual([r.status, r.err], [2, 'amdgpu-mir batch: cannot read the jobs: Is a directory\n']);
    });

    it('usage errors are exit 2 and name what is near', () => {
      const cases: readonly (readonly [readonly string[], RegExp])[] = [
        [[], /^amdgpu-mir .*usage: /s],
        [['chekc'], /unknown command 'chekc'; did you mean 'check'\?\n$/],
        [['--hepl'], /did you mean '--help'\?\n$/],
        [['help', 'exlpain'], /did you mean 'explain'\?\n$/],
        [['check'], /no files/],
        [['check', '--jsno', 'x'], /unknown option '--jsno'; did you mean '--json'\?\n$/],
        [['check', '-tarket=gfx90a', 'x'], /did you mean '-target'\?\n$/],
        [['check', '--json=1', 'x'], /takes no value\n$/],
        [['check', 'x', '--jobs'], /needs a value\n$/],
        [['check', '--jobs=', 'x'], /--jobs/],
        [['check', '--jobs=1e99', 'x'], /--jobs/],
        [['check', '--max-size=9Z', 'x'], /--max-size/],
        [['check', '--target=gfx9000', 'x'], /no processor 'gfx9000'; did you mean 'gfx90/],
        [['check', '--target=gfx90a:+xnak', 'x'], /no feature 'xnak'; did you mean 'xnack'\?\n$/],
        [['check', '--target=', 'x'], /no processor ''/],
        [['check', '--model=x', 'x'], /--model must be one of/],
        [['explain'], /no file/],
        [['explain', '--region=-1', 'x'], /--region/],
        [['batch', 'x'], /unknown argument 'x'/],
        [['lsp'], /--stdio/],
        [['lsp', '--sdtio'], /did you mean '--stdio'\?\n$/],
        [['lsp', '--socket=0'], /port/],
        [['lsp', '--node-ipc'], /--stdio/],
        [['lsp', '--stdio', '--socket=1'], /one transport/],
      ];
      for (const [args, expected] of cases) {
        const r = run(args);
        assert.equal(r.status, 2, `${args.join(' ')}: ${r.err}`);
        assert.equal(r.out, '');
        assert.match(r.err, expected);
      }
    });

    it('help of every command has usage, examples and exit codes, however it is asked for', () => {
      for (const { name: about } of commands()) {
        const { status, out } = run(['help', about]);
        assert.equal(status, 0);
        for (const part of ['usage: amdgpu-mir ', '\nexamples:\n', '\nexit codes:\n'])
          assert.ok(out.includes(part), about);
        assert.ok(
          out.split('\n').every((line) => line.length <= 120),
          about,
        );
        if (about !== 'llc') assert.equal(run([about, '--help']).out, out);
        if (about !== 'llc') assert.equal(run([about, '-h']).out, out);
        assert.ok(run(['help']).out.includes(`\n  ${about} `));
      }
    });

    it('lsp: a server that cannot be reached, or no client, is exit 1 and no trace', () => {
      for (const [args, streams] of [
        [['--socket=1'], {}],
        [['--pipe=/nonexistent'], {}],
        [['--stdio'], { input: '' }],
        [['--stdio'], { input: 'garbage\r\n\r\n' }],
        [['--stdio'], { stdin: folder }],
      ] as const) {
        const r = run(['lsp', ...args], streams);
        assert.equal(r.status, 1, `${args.join(' ')}: ${r.err}`);
        assert.ok(r.err.split('\n').length < 5, r.err);
      }
    });
  });
}

describe('the help of llc', () => {
  it('names every pass that runs here, and no other', () => {
    const about = helpOf('llc', passNames()).replace(/\s+/g, ' ');
    const named = /Passes: ([^.]*)\./.exec(about)![1]!.split(', ');
    assert.deepEqual([...named].sort(), passNames().sort());
    assert.ok(manPage().replaceAll('\\-', '-').includes(named.join(', ')));
  });

  it('is of a program that knows the passes that it has not loaded', () => {
    assert.deepEqual(
      longPasses().map(({ name, pipelineName }) => ({ name, pipelineName })),
      LONG_PASS_NAMES,
    );
  });
});

describe('the man page', () => {
  it('has every command, option and example of the help', () => {
    const page = manPage().replaceAll('\\-', '-').replaceAll('\\e', '\\');
    for (const { name, options, examples } of commands()) {
      assert.ok(page.includes(`.SH AMDGPU-MIR ${name.toUpperCase()}\n`));
      for (const text of [...options.map(shownRow), ...examples.map(([line]) => line)])
        assert.ok(page.includes(text), text);
    }
  });

  it('is understood by man', function () {
    const groff = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z'], { input: manPage(), encoding: 'utf8' });
    if (groff.error) skip(this, 'groff is not installed');
    assert.equal(groff.stderr, '');
  });
});

/**
 * The built command as a process: started as a program, by `node` and as one executable, with and without worker threads, with and without
 * compiled code.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { EXECUTABLE, NODE_COMMAND } from '../../support/builtCommand.js';

const ROOT = resolve(__dirname, '..', '..', '..');
const EXAMPLES = join(ROOT, 'examples');
const BUILT = join(ROOT, 'dist', 'server', 'amdgpu-mir.js');
const LLC = ['llc', '-mtriple=amdgcn', '-mcpu=gfx90a', '-o', '-', join(EXAMPLES, 'saxpy.mir')];

function run(command: readonly string[], args: readonly string[]): string {
  const [file, ...first] = command as [string, ...string[]];
  const r = spawnSync(file, [...first, ...args], { encoding: 'utf8' });
  assert.equal(r.status, 0, `${command.join(' ')} ${args.join(' ')}: ${r.signal ?? ''} ${r.stderr}`);
  return r.stdout;
}

describe('the built command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-process-'));
  const files = join(folder, 'files');
  const bare = join(folder, 'dist', 'server');

  before(NODE_COMMAND.skipUnlessBuilt);
  before(() => {
    // More files than one thread reads.
    for (let n = 0; n < 3; n++)
      for (const f of readdirSync(EXAMPLES))
        if (f.endsWith('.mir')) cpSync(join(EXAMPLES, f), join(files, `${n}_${f}`));
    cpSync(join(ROOT, 'dist', 'server'), bare, { recursive: true });
    for (const f of readdirSync(bare)) if (/\.(?:cache|bin)$/.test(f)) rmSync(join(bare, f));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const commands: readonly (readonly [string, readonly string[]])[] = [
    ['as a program', [BUILT]],
    ['by node', [process.execPath, BUILT]],
    ['without compiled code', [process.execPath, join(bare, 'amdgpu-mir.js')]],
  ];
  const jobs: readonly (readonly [string, readonly string[]])[] = [
    ['prints a file', [...LLC, '-run-pass=none']],
    ['schedules a file', [...LLC, '-run-pass=machine-scheduler']],
    ['knows a pass by its name in pipelines', [...LLC, '-passes=virt-reg-rewriter', '-o', '-']],
    ['checks a file', ['check', join(EXAMPLES, 'saxpy.mir')]],
    ['checks many files', ['check', '--json', files]],
    ['explains a file', ['explain', join(EXAMPLES, 'saxpy.mir')]],
    ['tells its version', ['version']],
  ];
  for (const [what, args] of jobs) {
    it(`${what}, however it is started`, () => {
      const results = commands.map(([, command]) => run(command, args));
      assert.ok(results[0].length > 0);
      results.forEach((r, n) => assert.equal(r, results[0], commands[n][0]));
    });
    it(`${what} as one executable that stands alone`, function () {
      EXECUTABLE.skipUnlessBuilt.call(this);
      const alone = join(folder, basename(EXECUTABLE.command[0]));
      if (!existsSync(alone)) cpSync(EXECUTABLE.command[0], alone);
      assert.equal(run([alone], args), run([BUILT], args));
    });
  }

  it('runs what a response file names', () => {
    for (const [n, words] of [
      ['-run-pass=machine-scheduler'],
      ['-start-before=greedy', '-stop-after=virtregrewriter'],
      ['-run-pass=amdgpu-print-rp', '-verify-machineinstrs'],
    ].entries()) {
      const file = join(folder, `${n}.rsp`);
      writeFileSync(file, words.join('\n'));
      const written = run([BUILT], [...LLC, ...words]);
      for (const [what, command] of commands) assert.equal(run(command, [...LLC, `@${file}`]), written, what);
    }
  });

  it('answers for a long file as one executable, which starts again for it', function () {
    EXECUTABLE.skipUnlessBuilt.call(this);
    const long = join(folder, 'long.mir');
    const comments = `; ${'-'.repeat(98)}\n`.repeat(3500);
    writeFileSync(long, `${comments}${readFileSync(join(EXAMPLES, 'saxpy.mir'), 'utf8')}`);
    for (const args of [
      ['llc', '-mtriple=amdgcn', '-mcpu=gfx90a', '-run-pass=machine-scheduler', '-o', '-', long],
      ['llc', '-mtriple=amdgcn', '-run-pass=machine-scheduler', '-no-such-option', long],
      ['llc', '-mtriple=amdgcn', '-mcpu=gfx90a', '-run-pass=none', '-o', '-', long],
      ['check', '-mcpu=gfx90a', long],
      ['check', '--schedule', '-mcpu=gfx90a', long],
      ['explain', '-mcpu=gfx90a', long],
    ]) {
      const [one, other] = [[BUILT], EXECUTABLE.command].map(([program, ...first]) => {
        const { status, stdout, stderr } = spawnSync(program as string, [...first, ...args], { encoding: 'utf8' });
        return { status, stdout, stderr };
      });
      assert.deepEqual(other, one, args.join(' '));
      assert.ok(one?.stdout !== '' || one.stderr !== '');
    }
  });

  it('says the same of bad input as one executable, with the same exit code', function () {
    EXECUTABLE.skipUnlessBuilt.call(this);
    const missing = join(folder, 'missing.mir');
    for (const args of [
      ['llc', '-no-such-option', missing],
      ['llc', '-run-pass=none', missing],
      ['llc', '-run-pass=no-such-pass', join(EXAMPLES, 'saxpy.mir')],
      ['check', missing],
      ['explain', '--function=none', join(EXAMPLES, 'saxpy.mir')],
      ['no-such-command'],
      [],
    ]) {
      const [one, other] = [[BUILT], EXECUTABLE.command].map(([program, ...first]) => {
        const { status, stdout, stderr } = spawnSync(program as string, [...first, ...args], { encoding: 'utf8' });
        return { status, stdout, stderr };
      });
      assert.notEqual(one?.status, 0);
      assert.deepEqual(other, one, args.join(' '));
    }
  });
});

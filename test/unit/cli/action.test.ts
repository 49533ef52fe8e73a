/** action.yml and the hooks for pre-commit: what they run, in a repository with a base branch and a change. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { NODE_COMMAND } from '../../support/builtCommand.js';

const ROOT = resolve(__dirname, '..', '..', '..');

describe('the action for GitHub', function () {
  this.timeout(0);
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-action-'));
  const file = join(folder, 'seven_rows.mir');
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder, encoding: 'utf8' });
  const run = (environment: Readonly<Record<string, string>>) =>
    spawnSync('bash', [join(ROOT, 'packaging', 'github', 'check.sh')], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, AMDGPU_MIR: NODE_COMMAND.command.join(' '), FILES: 'seven_rows.mir', ...environment },
    });
  let base: string;

  before(NODE_COMMAND.skipUnlessBuilt);
  before(() => {
    cpSync(join(ROOT, 'examples', 'seven_rows.mir'), file);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'base');
    base = git('rev-parse', 'HEAD').trim();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('passes where nothing is wrong or worse, and leaves no work tree behind', () => {
    const { status, stdout, stderr } = run({ BASELINE: base });
    assert.equal(status, 0, stdout + stderr);
    assert.doesNotMatch(stdout, /^::error/m);
    assert.equal(git('worktree', 'list').trim().split('\n').length, 1);
  });

  it('marks what LLVM rejects at its line', () => {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('V_ADD_F32_e32', 'V_ADD_F32_e33'));
    const line = text.slice(0, text.indexOf('V_ADD_F32_e32')).split('\n').length;
    try {
      const { status, stdout } = run({});
      assert.equal(status, 1);
      assert.match(stdout, new RegExp(`^::error file=seven_rows\\.mir,line=${line},.*V_ADD_F32_e33`, 'm'));
    } finally {
      writeFileSync(file, text);
    }
  });

  it('fails where a function ends worse than in the base', () => {
    const text = readFileSync(file, 'utf8');
    // Work-groups that need half of the LDS each: fewer waves.
    writeFileSync(file, text.replace(/^machineFunctionInfo:\n/m, '$&  ldsSize: 32768\n'));
    try {
      assert.notEqual(readFileSync(file, 'utf8'), text);
      assert.equal(run({}).status, 0);
      const { status, stdout, stderr } = run({ BASELINE: base });
      assert.equal(status, 1, stdout + stderr);
      assert.match(stdout, /^::error file=seven_rows\.mir,line=\d+,.*outcome-worse::.*waves/m);
    } finally {
      writeFileSync(file, text);
    }
  });

  it('writes tables to the summary of the job', () => {
    const summary = join(folder, 'summary.md');
    assert.equal(run({ BASELINE: base, GITHUB_STEP_SUMMARY: summary }).status, 0);
    assert.match(readFileSync(summary, 'utf8'), /^\| file \|[^]*\| seven\\_rows \|/);
  });

  it('says so where the base is not in the repository', () => {
    const { status, stdout } = run({ BASELINE: '1'.repeat(40) });
    assert.match(stdout, /::warning::no comparison/);
    assert.equal(status, 0);
  });
});

describe('the hooks for pre-commit', () => {
  it('run commands that exist, on MIR files', function () {
    NODE_COMMAND.skipUnlessBuilt.call(this);
    const hooks = readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8').split(/^- /m).slice(1);
    assert.equal(hooks.length, 2);
    for (const hook of hooks) {
      const [, entry = ''] = /^ *entry: amdgpu-mir (.*)$/m.exec(hook) ?? [];
      const [, pattern = ''] = /^ *files: (.*)$/m.exec(hook) ?? [];
      assert.ok(new RegExp(pattern).test('a/b.mir') && !new RegExp(pattern).test('a/b.ll'), pattern);
      const [program, ...first] = NODE_COMMAND.command;
      const words = [...first, ...entry.split(' '), join(ROOT, 'examples', 'saxpy.mir')];
      const { status, stderr, stdout } = spawnSync(program, words, { encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    }
  });
});

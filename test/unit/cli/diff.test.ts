/** `amdgpu-mir diff`: two files, revisions, settings and releases beside each other; numbers beside those of llc-22. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import type { CheckFile } from '../../../server/src/cli/checkTypes.js';
import { runDiff } from '../../../server/src/cli/diff.js';
import { InputError } from '../../../server/src/program/commandIO.js';
import type { OutcomeDiff } from '../../../server/src/program/outcomeDiff.js';
import { assemblyNumbers } from '../../support/assemblyNumbers.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { highPressure } from '../../support/randomSchedule.js';

const example = (name: string): string =>
  readFileSync(join(__dirname, '..', '..', '..', 'examples', `${name}.mir`), 'utf8');
const TILE = example('gemm_tile');
const ROWS = example('seven_rows');

interface Run {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

function diff(files: Readonly<Record<string, string>>, ...args: readonly string[]): Run {
  const io = new BufferedIO();
  io.read = (path) => {
    const text = files[path];
    if (text === undefined) throw new InputError('No such file or directory');
    return text;
  };
  const exit = runDiff(args, io);
  return { exit, out: io.out(), err: io.err() };
}

function diffOf(files: Readonly<Record<string, string>>, ...args: readonly string[]): OutcomeDiff {
  return JSON.parse(diff(files, '--json', '--model=llvm-22', ...args).out) as OutcomeDiff;
}

/** The lines of a block as llc prints them. */
const blockLines = (text: string, block: string): string[] =>
  new RegExp(`^  ${block}[^]*?(?=^  bb\\.|^\\.\\.\\.)`, 'm')
    .exec(text)![0]
    .split('\n')
    .slice(1)
    .map((line) => line.trim());

/** Quadratic, on a few lines. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  const row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    let corner = 0;
    for (const [k, y] of b.entries()) {
      const above = row[k + 1];
      row[k + 1] = x === y ? corner + 1 : Math.max(above, row[k]);
      corner = above;
    }
  }
  return row.at(-1)!;
}

describe('amdgpu-mir diff', () => {
  it('is 0 and says so where nothing differs, whatever the comments are', () => {
    const same = diff({ a: ROWS, b: ROWS.replace(/^body:/m, '# a comment\nbody:') }, 'a', 'b');
    assert.deepEqual([same.exit, same.out.trimEnd().split('\n').at(-1)], [0, 'the function is the same']);
  });

  it('pairs what the scheduler makes, too: a file is the same as itself', () => {
    const before = [...Array(12).keys()].map((seed) => highPressure(seed + 1));
    let moved = 0;
    for (const text of before) {
      assert.equal(diff({ a: text, b: `${text}# a comment\n` }, '--model=llvm-22', 'a', 'b').exit, 0);
      const { out } = diff({ a: text }, '--model=llvm-22', '--with=-enable-misched=0', 'a');
      moved += /moved|added|only/.test(out) ? 1 : 0;
    }
    assert.ok(moved > 6, `${moved}: the scheduler does nothing that had to be paired`);
  });

  it('has the outcome of either side as the assembly of llc-22 has it', function () {
    needsLlc(this);
    const option = '-amdgpu-sched-strategy=max-ilp';
    const [fn] = diffOf({ a: TILE }, '--mcpu=gfx90a', `--with=${option}`, 'a').functions;
    const target = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-x', 'mir', '-start-before=machine-scheduler'];
    for (const [end, words] of [
      [fn.before, []],
      [fn.after, [option]],
    ] as const) {
      const { stdout } = runLlc([...target, ...words, '-o', '-'], TILE);
      assert.deepEqual(end.row.outcome, assemblyNumbers(stdout).get('gemm_tile'), words.join());
    }
    assert.notDeepEqual(fn.before.row.outcome, fn.after.row.outcome);
  });

  it('counts the instructions that stand in another order in the two schedules of llc-22, and says how long values live', function () {
    needsLlc(this);
    const option = '-amdgpu-sched-strategy=max-ilp';
    const [fn] = diffOf({ a: TILE }, '--mcpu=gfx90a', `--with=${option}`, 'a').functions;
    const target = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-x', 'mir', '-run-pass=machine-scheduler'];
    const [a, b] = [[], [option]].map((words) => runLlc([...target, ...words, '-o', '-'], TILE).stdout);
    // Flags move with the order, and are none of it.
    const lines = (text: string, block: string): string[] =>
      blockLines(text, block).map((line) => line.replace(/\b(?:killed|dead) /g, ''));
    const loop = fn.regions.find(({ after }) => after?.block === 'bb.1')!;
    const [before, after] = [lines(a, 'bb.1'), lines(b, 'bb.1')];
    assert.equal(loop.moved, before.length - commonLength(before, after));
    assert.ok(loop.moved > 0);
    const first = (text: string): number[] => {
      const own = lines(text, 'bb.0');
      const at = own.flatMap((line, k) => (line.includes('%kernarg') ? [k] : []));
      return [at.at(-1)! - at[0]];
    };
    const kernarg = fn.longer.find(({ register }) => register === '%kernarg')!;
    assert.deepEqual([kernarg.before, kernarg.after], [first(a), first(b)].flat());
    assert.ok(kernarg.after > kernarg.before);
    assert.deepEqual(fn.text, { added: 0, removed: 0, changed: 0 });
  });

  it('has the peaks and lengths of regions as the report on the schedule has them', async () => {
    const option = '-amdgpu-sched-strategy=max-ilp';
    const [fn] = diffOf({ a: TILE }, '--mcpu=gfx90a', `--with=${option}`, 'a').functions;
    const io = new BufferedIO(() => TILE.replace(/^# RUN.*\n/gm, ''));
    await runCheck(['--json', '--schedule', '--model=llvm-22', '--mcpu=gfx90a', '-'], io);
    const [{ functions }] = (JSON.parse(io.out()) as { files: readonly CheckFile[] }).files;
    const { regions } = functions[0].schedule!;
    for (const { before } of fn.regions) {
      const { vgprAfter, agprAfter, lengthAfter } = regions[before!.region];
      assert.deepEqual([before!.vgpr, before!.agpr, before!.length], [vgprAfter, agprAfter, lengthAfter]);
    }
    assert.ok(fn.regions.length > 1);
    const most = Math.max(...regions.map(({ vgprAfter }) => vgprAfter));
    assert.equal(fn.before.live.scheduled!.vgpr, most);
    assert.equal(fn.before.live.written!.vgpr, functions[0].pressure!.vgpr.value);
    assert.ok(fn.after.live.scheduled!.vgpr < most);
  });

  it('names the values that one side spills, with the saves and reloads that llc-22 has', function () {
    needsLlc(this);
    const eight = TILE.replace(/^(\s*attributes #0 = \{.*)\}/m, '$1"amdgpu-waves-per-eu"="8,8" }');
    assert.notEqual(eight, TILE);
    const target = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-x', 'mir', '-start-before=machine-scheduler'];
    const { stdout } = runLlc([...target, '-stop-after=virtregrewriter,2', '-o', '-'], eight);
    const [fn] = diffOf({ a: TILE, b: eight }, '--mcpu=gfx90a', 'a', 'b').functions;
    const sum = (key: 'saves' | 'reloads'): number => fn.spills.reduce((n, { after }) => n + after![key], 0);
    const count = (pattern: RegExp): number => stdout.match(pattern)?.length ?? 0;
    assert.ok(fn.spills.length > 0 && fn.spills.every(({ before }) => before === null));
    assert.deepEqual([sum('saves'), sum('reloads')], [count(/ SI_SPILL_\w+_SAVE /g), count(/ SI_SPILL_\w+_RESTORE /g)]);
    const text = eight.split('\n');
    for (const { after } of fn.spills)
      assert.ok(text[after!.line - 1].trim().startsWith(`undef ${after!.register}.sub0:`), after!.register);
  });

  it('matches functions with other names of registers by their instructions', () => {
    const [head, body] = ROWS.split(/^(?=body:)/m);
    const other = head + body.replace(/%(?!bb)(\w+)/g, '%other_$1');
    assert.notEqual(other, ROWS);
    const run = diff({ a: ROWS, b: other }, '--json', 'a', 'b');
    const [fn] = (JSON.parse(run.out) as OutcomeDiff).functions;
    assert.deepEqual(fn.text, { added: 0, removed: 0, changed: 0 });
    assert.equal(run.exit, 0);
  });

  it('says what an edit of the text has added and removed', () => {
    const [line] = /^.*= nofpexcept V_MUL_F32_e32.*\n/m.exec(ROWS)!;
    const twice = ROWS.replace(line, `${line}    S_NOP 0\n`);
    const { functions } = diffOf({ a: ROWS, b: twice }, 'a', 'b');
    assert.deepEqual(functions[0].text, { added: 1, removed: 0, changed: 0 });
    assert.deepEqual(diffOf({ a: twice, b: ROWS }, 'a', 'b').functions[0].text, { added: 0, removed: 1, changed: 0 });
  });

  it('names functions of one side alone, and compares the others', () => {
    const function2 = ROWS.replace(/^name: .*/m, 'name: second').slice(ROWS.indexOf('--- |'));
    const body = function2.slice(function2.indexOf('\n---\n') + 1);
    const both = `${ROWS.trimEnd()}\n${body.replace(/%ir\.\w+/g, 'undef')}`.replace(
      /^(define [^]*?@)(\w+)(\([^]*?\n *\})/m,
      '$1$2$3\n  $1second$3',
    );
    const { functions, onlyBefore, onlyAfter } = diffOf({ a: ROWS, b: both }, 'a', 'b');
    assert.deepEqual([functions.map((fn) => [fn.function, fn.isSame]), onlyBefore], [[['seven_rows', true]], []]);
    assert.deepEqual(onlyAfter, ['second']);
    const text = diff({ a: ROWS, b: both }, 'a', 'b');
    assert.match(text.out, /^only in b: second$/m);
    assert.equal(text.exit, 1);
  });

  it('compares two LLVMs and two processors of one file', () => {
    const models = diff({ a: TILE }, '--model=llvm-22,llvm-24', 'a');
    assert.match(models.out, /gfx90a, LLVM 22\.1\.8 -> gfx90a, LLVM 24/);
    const targets = diff({ a: TILE }, '--target=gfx90a,gfx942', 'a');
    assert.match(targets.out.split('\n')[0], /gfx90a.* -> gfx942/);
    assert.equal(targets.exit, 1);
  });

  it('makes a table and folded places of it for a pull request; what a file says is no markup', () => {
    const evil = TILE.replaceAll('gemm_tile', 'a_b').replace(/^name: .*/m, 'name: a_b');
    const { out } = diff({ a: evil }, '--format=markdown', '--with=-amdgpu-sched-strategy=max-ilp', 'a');
    assert.match(out, /^\| function \| waves \|.*\|$/m);
    assert.match(out, /^\| a\\_b \| .*\*\*24 → 20\*\*/m);
    assert.match(out, /<summary>a\\_b<\/summary>/);
  });

  it('tells of a function without an outcome why it has none, and that this is different', () => {
    const broken = ROWS.replace(/V_MUL_F32_e32/, 'V_NONSENSE');
    const { exit, out } = diff({ a: ROWS, b: broken }, 'a', 'b');
    assert.match(out, /after: no outcome: unknown machine instruction name 'V_NONSENSE'/);
    assert.equal(exit, 1);
  });

  for (const [what, args, message] of [
    ['one file alone', ['a'], /nothing to compare with/],
    ['a file that is not there', ['a', 'c'], /c: No such file or directory/],
    ['an option that llc does not know', ['--with=-amdgpu-nonsense', 'a'], /Unknown command line argument/],
    ['an attribute without meaning here', ['--with=attr:amdgpu-waves-per-wu=1', 'a'], /did you mean/],
    ['a value that llc cannot read', ['--with=attr:amdgpu-waves-per-eu=x', 'a'], /can't parse/],
    ['a function that neither has', ['--function=f', 'a', 'b'], /no function 'f'/],
    ['three files', ['a', 'b', 'a'], /one or two files/],
    ['standard input twice', ['-', '-'], /only one of the two|nothing to compare/],
    ['three models', ['--model=llvm-22,llvm-24,auto', 'a'], /or two with a comma/],
    ['a revision that is an option', ['git:--help:a', 'a'], /'--help' is no revision of git/],
  ] as const)
    it(`refuses ${what}`, () => {
      const { exit, out, err } = diff({ a: ROWS, b: ROWS }, ...args);
      assert.match(err, message);
      assert.deepEqual([exit, out], [2, '']);
    });

  describe('with git', () => {
    let folder = '';
    const before = process.cwd();
    const git = (...args: readonly string[]): void =>
      void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, stdio: 'pipe' });

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-diff-'));
      mkdirSync(join(folder, 'sub'));
    });

    afterEach(() => {
      process.chdir(before);
      rmSync(folder, { recursive: true, force: true });
    });

    it('reads revisions, of the folder and of the repository', () => {
      const file = join(folder, 'sub', 'k.mir');
      writeFileSync(file, ROWS);
      git('init', '-q');
      git('add', '.');
      git('commit', '-q', '-m', 'one');
      const edited = ROWS.replace(/V_MUL_F32_e32/, 'V_ADD_F32_e32');
      process.chdir(join(folder, 'sub'));
      for (const name of ['git:HEAD', 'git:HEAD:k.mir', 'git:HEAD:sub/k.mir', `git:HEAD:${file}`]) {
        const { exit, out, err } = diff({ 'k.mir': edited }, name, 'k.mir');
        assert.equal(err, '');
        assert.match(out, /1 added, 1 removed/, name);
        assert.equal(exit, 1);
      }
      const none = diff({ 'k.mir': edited }, 'git:HEAD:other.mir', 'k.mir');
      assert.match(none.err, /git:HEAD:other\.mir: path '(?:sub\/)?other\.mir' does not exist in 'HEAD'/);
      assert.match(
        diff({ 'k.mir': edited }, 'git:HEAD:.', 'k.mir').err,
        /git:HEAD:\.: it is not a file in that revision/,
      );
      assert.match(diff({ 'k.mir': edited }, 'git:v9', 'k.mir').err, /git:v9:k\.mir: .*v9/);
    });

    it('says where there is no repository', () => {
      process.chdir(folder);
      const { exit, err } = diff({ 'k.mir': ROWS }, 'git:HEAD', 'k.mir');
      assert.match(err, /git:HEAD:k\.mir: not a git repository/);
      assert.equal(exit, 2);
    });
  });
});

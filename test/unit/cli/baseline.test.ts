/** `amdgpu-mir check --allocate --baseline`: which functions are compared, however the reports spell their files. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import type { CheckBaseline } from '../../../server/src/cli/checkTypes.js';

interface Report {
  readonly files: readonly { readonly diagnostics: readonly { readonly code: string; readonly message: string }[] }[];
  readonly baseline?: CheckBaseline;
  readonly problem: string;
}

const defs = (n: number, from = 0): string[] =>
  Array.from({ length: n }, (_, k) => `    %${from + k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec`);

/** A kernel that holds `n` VGPRs at once. */
const holding = (name: string, n: number): string =>
  [
    '---',
    `name: ${name}`,
    'tracksRegLiveness: true',
    'machineFunctionInfo:',
    '  isEntryFunction: true',
    'body: |',
    '  bb.0:',
    ...defs(n),
    `    S_ENDPGM 0, ${defs(n)
      .map((_, k) => `implicit %${k}`)
      .join(', ')}`,
    '...',
    '',
  ].join('\n');

const FEW = 20;
/** Costs waves on each processor asked for here. */
const MANY = 60;

describe('amdgpu-mir check --baseline', () => {
  const home = process.cwd();
  let folder: string;
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'amdgpu-mir-baseline-')));
    mkdirSync(join(folder, 'sub'));
    mkdirSync(join(folder, 'other'));
  });
  beforeEach(() => process.chdir(folder));
  afterEach(() => process.chdir(home));
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function check(text: string | null, ...args: string[]): Promise<{ exit: number; out: string; err: string }> {
    const io = new BufferedIO(text === null ? null : () => text);
    const exit = await runCheck(['--allocate', '--mcpu=gfx900', ...args], io);
    return { exit, out: io.out(), err: io.err() };
  }
  async function makeBaseline(text: string | null, ...args: string[]): Promise<string> {
    const { out } = await check(text, '--json', ...args);
    const path = join(folder, 'baseline.json');
    writeFileSync(path, out);
    return `--baseline=${path}`;
  }
  const reportOf = ({ out }: { out: string }): Report => JSON.parse(out) as Report;
  const codesOf = (r: Report): string[] => r.files.flatMap((f) => f.diagnostics.map((d) => d.code));

  it('compares a file with itself, however the two reports spell it', async () => {
    const path = join(folder, 'sub', 'a.mir');
    symlinkSync(path, join(folder, 'link.mir'));
    const spellings = ['sub/a.mir', './sub/a.mir', 'sub//a.mir', 'other/../sub/a.mir', path, 'link.mir', '-', 'sub'];
    for (const before of spellings) {
      writeFileSync(path, holding('f', FEW));
      const baseline = await makeBaseline(holding('f', FEW), before);
      for (const after of ['sub/a.mir', path, '-']) {
        writeFileSync(path, holding('f', MANY));
        const worse = await check(holding('f', MANY), '--json', baseline, after);
        assert.equal(worse.exit, 1, `${before} and ${after}`);
        assert.deepEqual(codesOf(reportOf(worse)), ['allocation-worse'], `${before} and ${after}`);
        assert.match(worse.out, /f is worse than in the baseline: occupancy \d+ -> \d/);
        assert.deepEqual(reportOf(worse).baseline, { compared: 1, fresh: [], gone: [] });
        writeFileSync(path, holding('f', FEW));
        const same = await check(holding('f', FEW), '--json', baseline, after);
        assert.equal(same.exit, 0, `${before} and ${after}`);
        assert.equal(reportOf(same).baseline?.compared, 1, `${before} and ${after}`);
      }
    }
  });

  it('finds a file of which the baseline was made in another folder', async () => {
    writeFileSync('sub/a.mir', holding('f', FEW));
    process.chdir(join(folder, 'sub'));
    const baseline = await makeBaseline(null, 'a.mir');
    process.chdir(folder);
    assert.equal(reportOf(await check(null, '--json', baseline, 'sub/a.mir')).baseline?.compared, 1);
    // Two files that may be meant: neither is.
    writeFileSync('other/a.mir', holding('f', FEW));
    const both = await check(null, '--json', baseline, 'sub/a.mir', 'other/a.mir');
    assert.equal(reportOf(both).baseline?.compared, 0);
    assert.equal(both.exit, 2);
  });

  it('keeps files of one name in two folders apart', async () => {
    writeFileSync('sub/a.mir', holding('f', FEW));
    writeFileSync('other/a.mir', holding('f', MANY));
    const baseline = await makeBaseline(null, 'sub/a.mir', 'other/a.mir');
    const { exit, out } = await check(null, '--json', baseline, join(folder, 'other', 'a.mir'), './sub/a.mir');
    assert.equal(exit, 0);
    assert.equal(reportOf({ out }).baseline?.compared, 2);
    const one = await makeBaseline(null, 'sub/a.mir');
    assert.equal((await check(null, one, 'other/a.mir')).exit, 2, 'another file is none to compare with');
  });

  it('says what only one of the two has', async () => {
    writeFileSync('a.mir', holding('f', FEW) + holding('g', FEW));
    const baseline = await makeBaseline(null, 'a.mir');
    writeFileSync('a.mir', holding('f', FEW) + holding('h', FEW));
    const { exit, out } = await check(null, '--color=never', baseline, 'a.mir');
    assert.equal(exit, 0);
    assert.match(out, /a\.mir:\d+:1: information: h is not in the baseline \[not-in-baseline\]\n/);
    assert.match(
      out,
      /\n1 result \(one per function and target\) compared with the baseline; not in it: h \(a\.mir\); only in it: g \(a\.mir\)\n$/,
    );
    const report = reportOf(await check(null, '--json', baseline, 'a.mir'));
    assert.deepEqual(report.baseline, { compared: 1, fresh: ['h (a.mir)'], gone: ['g (a.mir)'] });
  });

  it('is an error where nothing can be compared', async () => {
    writeFileSync('old.mir', holding('f', FEW));
    writeFileSync('new.mir', holding('f', MANY));
    const baseline = await makeBaseline(null, 'old.mir');
    for (const args of [['new.mir'], ['old.mir', '--target=gfx1100']]) {
      const { exit, err } = await check(null, baseline, ...args);
      assert.equal(exit, 2, args.join(' '));
      assert.match(
        err,
        /^amdgpu-mir check: nothing to compare with the baseline: f \(.*\.mir\); the baseline has f \(/,
      );
    }
    const report = reportOf(await check(null, '--json', baseline, 'new.mir'));
    assert.match(report.problem, /^nothing to compare/);
  });

  it('takes standard input for the only function of its name', async () => {
    writeFileSync('a.mir', holding('f', FEW));
    writeFileSync('b.mir', holding('f', FEW) + holding('g', FEW));
    const baseline = await makeBaseline(null, 'a.mir', 'b.mir');
    const g = await check(holding('g', MANY), '--json', baseline, '-');
    assert.deepEqual(codesOf(reportOf(g)), ['allocation-worse']);
    const f = await check(holding('f', MANY), '--json', baseline, '-');
    assert.equal(f.exit, 2, 'two functions may be meant');
    assert.equal(reportOf(f).baseline?.compared, 0);
  });

  it('calls a function worse that is not allocated any more', async () => {
    writeFileSync('a.mir', holding('f', FEW));
    const baseline = await makeBaseline(null, 'a.mir');
    writeFileSync('a.mir', holding('f', FEW).replace('%0:vgpr_32', '%0:no_such_class'));
    const { exit, out } = await check(null, baseline, 'a.mir');
    assert.equal(exit, 1);
    assert.match(out, /f is worse than in the baseline: not allocated any more/);
  });
});

/** The built command as a process: started as a program and by `node`, with and without worker threads, with and without compiled code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

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

describe('the built command', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-process-'));
  const files = join(folder, 'files');
  const bare = join(folder, 'dist', 'server');

  before(function () {
    if (!existsSync(BUILT)) {
      console.log('skipped: dist/server/amdgpu-mir.js is not built (npm run build)');
      this.skip();
    }
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
  }
});

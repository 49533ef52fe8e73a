/** Commands that write files in their places: `fmt`, `check --fix`; and `check --watch`, which reads them again. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { runFmt } from '../../../server/src/cli/fmt.js';
import type { Interrupt } from '../../../server/src/cli/interrupt.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const UNFORMATTED = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s
---
name: f
tracksRegLiveness: true
body: |
 bb.0:
  liveins: $vgpr0

      %0:vgpr_32 =   COPY   $vgpr0 ; a comment
  S_ENDPGM 0, implicit   %0
...
`;
const FORMATTED = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0 ; a comment
    S_ENDPGM 0, implicit %0
...
`;
/** A misspelt opcode, and an error for which nobody knows a repair. */
const BROKEN = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e33 0, implicit $exec
    S_FROBNICATE %0
    S_ENDPGM 0
...
`;

describe('files that commands write', () => {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-rewriting-'));
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): string => {
    writeFileSync(path(name), text);
    return path(name);
  };
  const textOf = (name: string): string => readFileSync(path(name), 'utf8');
  after(() => rmSync(folder, { recursive: true, force: true }));

  const fmt = async (args: readonly string[], stdin = ''): Promise<{ exit: number; out: string; err: string }> => {
    const io = new BufferedIO(() => stdin);
    return { exit: await runFmt(args, io), out: io.out(), err: io.err() };
  };

  it('fmt writes the layout of llc, --check names what has another', async () => {
    const file = write('a.mir', UNFORMATTED);
    assert.deepEqual(await fmt(['--check', file]), { exit: 1, out: `${file}: not formatted\n`, err: '' });
    assert.equal(textOf('a.mir'), UNFORMATTED);
    assert.deepEqual(await fmt([file]), { exit: 0, out: '', err: '' });
    assert.equal(textOf('a.mir'), FORMATTED);
    const { mtimeMs } = statSync(file);
    assert.deepEqual(await fmt([file]), { exit: 0, out: '', err: '' });
    assert.equal(statSync(file).mtimeMs, mtimeMs, 'a file that is formatted is not written');
    assert.deepEqual(await fmt(['--check', file]), { exit: 0, out: '', err: '' });
  });

  it('fmt formats standard input, folders, and nothing that it does not know', async () => {
    assert.deepEqual(await fmt(['-'], UNFORMATTED), { exit: 0, out: FORMATTED, err: '' });
    assert.equal((await fmt(['--check', '-'], UNFORMATTED)).exit, 1);
    mkdirSync(path('sub'));
    const foreign = UNFORMATTED.replace('amdgcn -mcpu=gfx900', 'aarch64');
    write('sub/foreign.mir', foreign);
    write('sub/b.mir', UNFORMATTED);
    write('sub/broken.mir', `---\nname: [\n...\n${UNFORMATTED}`);
    write('sub/notes.txt', UNFORMATTED);
    assert.deepEqual(await fmt([path('sub')]), { exit: 0, out: '', err: '' });
    assert.equal(textOf('sub/b.mir'), FORMATTED);
    assert.equal(textOf('sub/foreign.mir'), foreign);
    assert.equal(textOf('sub/notes.txt'), UNFORMATTED);
    const named = await fmt([path('sub/foreign.mir'), path('nowhere.mir')]);
    assert.equal(named.exit, 2);
    assert.match(named.err, /foreign\.mir: not an AMDGPU file/);
    assert.match(named.err, /nowhere\.mir: No such file or directory\n$/);
    assert.equal((await fmt([])).exit, 2);
  });

  it('fmt changes nothing that llc reads', function () {
    needsLlc(this);
    const args = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-x', 'mir', '-o', '-'];
    const { stdout } = runLlc(args, UNFORMATTED);
    assert.match(stdout, /COPY \$vgpr0/);
    assert.equal(runLlc(args, FORMATTED).stdout, stdout);
  });

  const check = async (...args: string[]): Promise<{ exit: number; out: string; err: string }> => {
    const io = new BufferedIO();
    return { exit: await runCheck(args, io), out: io.out(), err: io.err() };
  };

  it('check --fix writes repairs of which there is one, and checks what is left', async () => {
    const file = write('broken.mir', BROKEN);
    const first = await check('--fix', file);
    assert.equal(first.exit, 1);
    assert.equal(textOf('broken.mir'), BROKEN.replace('_e33', '_e32'));
    assert.match(first.out, /broken\.mir:8:5: error: unknown machine instruction name 'S_FROBNICATE'/);
    assert.doesNotMatch(first.out, /_e33/);
    assert.match(first.out, /\nfixed 1 error in .*broken\.mir\n$/);
    const again = await check('--fix', file);
    assert.match(again.out, /\nnothing to repair of which only one repair makes sense\n$/);
    write('broken.mir', BROKEN);
    const json = JSON.parse((await check('--fix', '--json', file)).out) as { fixed: object; errors: number };
    assert.deepEqual([json.fixed, json.errors], [[{ file, repairs: 1 }], 1]);
  });

  it('check --fix leaves what others have linked, and files without a repair, as they are', async () => {
    const file = write('good.mir', FORMATTED);
    const { mtimeMs } = statSync(file);
    assert.equal((await check('--fix', file)).exit, 0);
    assert.equal(statSync(file).mtimeMs, mtimeMs);
    assert.equal((await check('--fix', path('nowhere.mir'))).exit, 2);
  });

  it('check --watch reports again when a file has changed, and ends when it is interrupted', async function () {
    this.timeout(60_000);
    const file = write('watched.mir', BROKEN);
    const io = new BufferedIO();
    let stop = (): void => undefined;
    const interrupt: Interrupt = (own) => {
      stop = own;
      return () => undefined;
    };
    const until = async (pattern: RegExp): Promise<void> => {
      for (let k = 0; k < 300 && !pattern.test(io.out()); k++) await new Promise((resolve) => setTimeout(resolve, 100));
      assert.match(io.out(), pattern);
    };
    const ended = runCheck(['--watch', '--color=never', file], io, undefined, interrupt);
    await until(/1 function, 2 errors\nwatching 1 file; Ctrl\+C ends it\n/);
    writeFileSync(file, FORMATTED);
    await until(/watched\.mir has changed\n[^]*1 function, no errors\nwatching 1 file/);
    stop();
    assert.equal(await ended, 0);
    assert.equal((await check('--watch', '-')).exit, 2);
    assert.equal((await check('--watch', '-o', path('x'), file)).exit, 2);
  });
});

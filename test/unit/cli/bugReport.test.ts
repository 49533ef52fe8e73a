/** `amdgpu-mir report`: what the text for a report of a bug holds, and what it does not. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runReport } from '../../../server/src/cli/bugReport.js';

const EXAMPLE = resolve(__dirname, '..', '..', '..', 'examples', 'saxpy.mir');

async function report(...args: readonly string[]): Promise<{ exit: number; out: string; err: string }> {
  const io = new BufferedIO();
  const exit = await runReport(args, io);
  return { exit, out: io.out(), err: io.err() };
}

describe('amdgpu-mir report', () => {
  it('contains versions, options, what check says, and the file as it is', async () => {
    const { exit, out, err } = await report('--target=gfx942', '--model=llvm-22', EXAMPLE);
    assert.equal(exit, 0);
    const parts = out.split(/^==== (.*)\n/m).slice(1);
    assert.deepEqual(
      parts.filter((_, i) => i % 2 === 0),
      ['versions', 'options', 'what check says', 'the file'],
    );
    assert.match(parts[1]!, /^amdgpu-mir \S+, models .*\n\w+ \w+, (?:Node|Bun) [\d.]+\n$/);
    assert.equal(parts[3], 'amdgpu-mir check --target=gfx942 --model=llvm-22 FILE\n');
    assert.match(parts[5]!, /saxpy {2}gfx942 wave64 [^]*exit code 0\n$/);
    assert.equal(parts[7], readFileSync(EXAMPLE, 'utf8'));
    assert.match(err, /contains versions \(2 lines\), options \(1 line\), .*sent anywhere/);
  });

  it('tells nothing of the machine: no folders, no name', async () => {
    const { out } = await report(EXAMPLE);
    const text = readFileSync(EXAMPLE, 'utf8');
    const said = out.slice(0, out.indexOf(text));
    assert.doesNotMatch(said, /\/\w+\/\w+/);
    assert.ok(!said.includes(hostname()));
  });

  it('holds what is wrong with a file that LLVM rejects', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-report-'));
    try {
      const file = join(folder, 'k.mir');
      writeFileSync(file, readFileSync(EXAMPLE, 'utf8').replace('V_OR_B32_e32', 'V_OR_B32_e33'));
      const { exit, out } = await report(file);
      assert.equal(exit, 0);
      assert.match(out, /unknown machine instruction name 'V_OR_B32_e33'[^]*exit code 1\n/);
      const target = join(folder, 'report.txt');
      assert.deepEqual([(await report('-o', target, file)).exit, readFileSync(target, 'utf8')], [0, out]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('refuses two files, one that is not there, and options that check refuses', async () => {
    for (const [args, why] of [
      [[EXAMPLE, EXAMPLE], /expected one file/],
      [['not-there.mir'], /not-there\.mir: /],
      [['--target=gfx1', EXAMPLE], /gfx1/],
    ] as const) {
      const { exit, out, err } = await report(...args);
      assert.deepEqual([exit, out], [2, '']);
      assert.match(err, why);
    }
  });
});

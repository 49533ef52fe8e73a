import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJob } from '../../../server/src/cli/batch.js';
import { runLlcToStrings } from '../../../server/src/cli/llc.js';
import { golden, normalise, runRealLlc } from '../../support/golden.js';
import { needsLlc } from '../../support/llc.js';

// Goldens: exit code and stderr of `llc-22 -mtriple=amdgcn -mcpu=gfx1100 -run-pass=none -o /dev/null FILE`.
const root = join(__dirname, '../../..');
const fixtures = join(root, 'test/fixtures/cli');

/** stderr without what differs by machine: the folder of the input, the program's own name, addresses. */
const comparable = (exit: number, err: string): string =>
  `exit ${exit}\n${normalise(err).replaceAll(`${fixtures}/`, '').replaceAll('llc-22', 'llc')}`;

describe('files that llc rejects', () => {
  for (const file of readdirSync(fixtures)) {
    const args = ['-mtriple=amdgcn', '-mcpu=gfx1100', '-run-pass=none', '-o', '/dev/null', join(fixtures, file)];
    const real = (): string => {
      const r = runRealLlc(args);
      return comparable(r.exit, r.err);
    };
    const expected = golden(join(root, 'test/golden/cli', file.replace(/\.mir$/, '.txt')), real);

    it(file, () => {
      const { exit, out, err } = runLlcToStrings(args);
      assert.equal(comparable(exit, err), expected);
      assert.equal(out, '');
    });

    it(`${file}: what llc-22 says`, function () {
      needsLlc(this);
      assert.equal(real(), expected);
    });
  }
});

describe('a run without a usable file', () => {
  it('names the file that is missing', () => {
    const r = runLlcToStrings(['-run-pass=none', '/nowhere/x.mir']);
    assert.deepEqual(r, {
      exit: 1,
      out: '',
      err: 'llc: error: llc: /nowhere/x.mir: error: Could not open input file: No such file or directory\n',
    });
  });

  it('does not ignore an option or a pass', () => {
    assert.match(
      runLlcToStrings(['-frobnicate', '-run-pass=none', 'x.mir']).err,
      /Unknown command line argument '-frobnicate'/,
    );
    assert.match(
      runLlcToStrings(['-run-pass=regbankselect', join(root, 'examples', 'saxpy.mir')]).err,
      /does not model the pass 'regbankselect'/,
    );
    assert.match(
      runLlcToStrings(['-passes=none', join(root, 'examples', 'saxpy.mir')]).err,
      /unknown pass name 'none'/,
    );
    assert.match(runLlcToStrings(['x.mir']).err, /generates no code/);
  });
});

describe('targets that are not AMDGPU', () => {
  const file = join(fixtures, 'unknown_key.mir');
  // The messages are llc-22's for a triple and an architecture that it does not know.
  it('by triple', () =>
    assert.deepEqual(runLlcToStrings(['-mtriple=foo', '-run-pass=none', file]), {
      exit: 1,
      out: '',
      err: "llc: error: unable to get target for 'foo', see --version and --triple.\n",
    }));
  it('by architecture', () =>
    assert.equal(runLlcToStrings(['-march=foo', '-run-pass=none', file]).err, "llc: error: invalid target 'foo'.\n"));
});

describe('batch', () => {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-batch-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string): string => join(folder, name);

  it('writes what llc writes and answers its exit code', () => {
    writeFileSync(path('a.mir'), '---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n    S_ENDPGM 0\n...\n');
    const job = {
      args: ['-mtriple=amdgcn', '-run-pass=amdgpu-print-rp', '-o', '-', path('a.mir')],
      stdout: path('out'),
      stderr: path('err'),
    };
    const answer = runJob(JSON.stringify(job));
    assert.equal(answer.exit, 0);
    assert.ok(answer.ms > 0);
    assert.match(readFileSync(path('out'), 'utf8'), /^name: {12}f$/m);
    assert.match(readFileSync(path('err'), 'utf8'), /^name: f$/m);
  });

  const bad: [string, string][] = [
    ['not JSON', '{'],
    ['not an object', '[]'],
    ['null', 'null'],
    ['no args', '{"stdout": "x"}'],
    ['args of another type', '{"args": [1]}'],
    ['a path of another type', '{"args": [], "stdout": 3}'],
    ['output that cannot be written', '{"args": ["-run-pass=none", "x"], "stdout": "/nowhere/x"}'],
  ];
  for (const [name, line] of bad) {
    it(`answers a job that is wrong: ${name}`, () => {
      const answer = runJob(line);
      assert.notEqual(answer.exit, 0);
      assert.ok(answer.error);
    });
  }
});

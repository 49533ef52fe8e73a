/** `amdgpu-mir compare`: functions of an llc of the user's against the model's; llc-22 where it is installed, else scripts that stand for one. */
import { strict as assert } from 'node:assert';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCompare } from '../../../server/src/cli/compare.js';
import { runLlc } from '../../../server/src/cli/llc.js';
import { LLC, needsLlc } from '../../support/llc.js';
import { skip } from '../../support/skip.js';

const fn = (name: string): string => `---
name: ${name}
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_NOP 0, implicit %0, implicit %1
    S_ENDPGM 0
...
`;
const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx942 -run-pass=none -o - %s\n${fn('f')}${fn('g')}`;

describe('compare', () => {
  let folder: string;
  let file: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-compare-'));
    file = join(folder, 'a.mir');
    writeFileSync(file, TEXT);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const compare = (...args: string[]): { exit: number; out: string; err: string } => {
    const io = new BufferedIO();
    const exit = runCompare([...args, file], io);
    return { exit, out: io.out(), err: io.err() };
  };
  /** A program that says it is that llc and prints what is told, whatever it reads. */
  const script = (version: string, printed: string): string => {
    const path = join(folder, 'llc');
    writeFileSync(join(folder, 'printed'), printed);
    writeFileSync(
      path,
      `#!/bin/sh\nif [ "$1" = --version ]; then echo "  LLVM version ${version}"; exit 0; fi\ncat > /dev/null\ncat '${join(folder, 'printed')}'\n`,
    );
    chmodSync(path, 0o755);
    return path;
  };
  const printed = (): string => {
    const io = new BufferedIO(() => TEXT);
    assert.equal(runLlc(['-mtriple=amdgcn', '-mcpu=gfx942', '-run-pass=machine-scheduler', '-o', '-', '-'], io), 0);
    return io.out();
  };

  it('finds nothing where llc-22 and the model agree', function () {
    needsLlc(this);
    const { exit, out } = compare(`--llc=${LLC}`);
    assert.match(out, /^2 of 2 functions equal to \S+ \(LLVM 22\.1\.8\)\n$/);
    assert.equal(exit, 0);
  });

  it('shows the first line that differs of each function, and counts', function () {
    if (process.platform === 'win32') return skip(this, 'a program here is a script of a shell');
    const text = printed();
    const at = text.indexOf('name:            g');
    const other = text.slice(0, at) + text.slice(at).replace('V_MOV_B32_e32 1', 'V_MOV_B32_e32 2');
    const { exit, out } = compare(`--llc=${script('22.1.8', other)}`);
    assert.match(
      out,
      /^g: 1 line differs: line \d+ of the function\n {2}amdgpu-mir {2}%1:vgpr_32 = V_MOV_B32_e32 1, .*\n {2}llc {9}%1:vgpr_32 = V_MOV_B32_e32 2, .*\n1 of 2 functions equal/,
    );
    assert.equal(exit, 1);
    assert.equal(compare(`--llc=${script('22.1.8', other)}`, '--function=f').exit, 0);
    assert.equal(compare(`--llc=${script('22.1.8', other)}`, '--function=h').exit, 2);
    return undefined;
  });

  it('measures the agreement over folders, in which files of other targets are left out', function () {
    needsLlc(this);
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    writeFileSync(join(inner, 'a.mir'), TEXT);
    writeFileSync(join(inner, 'broken.mir'), TEXT.replace('V_MOV_B32_e32', 'V_FROB'));
    writeFileSync(join(inner, 'other.mir'), TEXT.replace('amdgcn', 'aarch64').replace('gfx942', 'generic'));
    const ask = (...args: string[]): { exit: number; out: string } => {
      const io = new BufferedIO();
      return { exit: runCompare([`--llc=${LLC}`, ...args], io), out: io.out() };
    };
    const { exit, out } = ask(inner);
    assert.match(out, /^2 of 2 functions equal to \S+ \(LLVM 22\.1\.8\)\n2 files, 1 with the same error in both\n$/);
    assert.equal(exit, 0);
    const json = JSON.parse(ask('--json', inner, file).out) as Record<string, unknown>;
    const { functions, equal, refusedAlike, failed, comparedWith } = json;
    assert.deepEqual([functions, equal, refusedAlike, failed, comparedWith], [4, 4, 1, 0, '22.1.8']);
    rmSync(inner, { recursive: true });
  });

  it('takes the model of the version', function () {
    if (process.platform === 'win32') return skip(this, 'a program here is a script of a shell');
    const text = printed();
    // LLVM 24 prints a key that 22 has not, and lacks one of its.
    assert.match(compare(`--llc=${script('24.0.0git', text)}`).out, /amdgpu-mir {2}framePointerPolicy/);
    assert.equal(compare('--model=llvm-22', `--llc=${script('24.0.0git', text)}`).exit, 0);
    return undefined;
  });

  it('says what is wrong', () => {
    assert.match(compare().err, /--llc=PATH names/);
    assert.match(compare(`--llc=${join(folder, 'none')}`).err, /No such file/);
    assert.match(compare('--llc=x', '--model=llvm-1').err, /--model must be one of auto/);
  });
});

/** Sources as inputs of check, why and sweep: with llc-22 and clang-22 where they are installed, and with scripts that stand for a clang. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../../server/src/cli/check.js';
import { runSweep } from '../../../server/src/cli/sweep.js';
import { runWhy } from '../../../server/src/cli/why.js';
import { LLC, needsLlc, runLlc } from '../../support/llc.js';
import { skip } from '../../support/skip.js';
import { placeOr } from '../../support/switches.js';

const MIR = `--- |
  target triple = "amdgcn-amd-amdhsa"
  define amdgpu_kernel void @f() #0 { ret void }
  attributes #0 = { "target-cpu"="gfx942" }
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    S_NOP 0, implicit %0
    S_ENDPGM 0
...
`;
const KERNEL = join(__dirname, '..', '..', 'fixtures', 'logs', 'kernel.ll');

describe('sources of the user', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-source-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, text = '// nothing'): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  /** A program that writes its words to `words`, complaints if there are any, and MIR. */
  const clang = (complaint = '', name = 'clang'): string => {
    const mir = file('made.mir', MIR);
    const fail = complaint === '' ? '' : `echo '${complaint}' >&2; exit 3\n`;
    const path = file(
      name,
      `#!/bin/sh\nif [ "$1" = --version ]; then echo "clang version 22.1.8"; exit 0; fi\nprintf '%s\\n' "$@" > '${join(folder, 'words')}'\n${fail}cat '${mir}'\n`,
    );
    chmodSync(path, 0o755);
    return path;
  };
  const words = (): string[] => readFileSync(join(folder, 'words'), 'utf8').trim().split('\n');
  const check = async (...args: readonly string[]): Promise<{ exit: number; out: string; err: string }> => {
    const io = new BufferedIO();
    const exit = await runCheck(args, io);
    return { exit, out: io.out(), err: io.err() };
  };
  const posix = (context: Mocha.Context): boolean => {
    if (process.platform !== 'win32') return true;
    skip(context, 'a program here is a script of a shell');
    return false;
  };

  it('are what llc-22 makes of LLVM IR, up to the scheduler, and the stage is known', async function () {
    needsLlc(this);
    const { exit, out } = await check(`--llc=${LLC}`, '--mcpu=gfx942', KERNEL);
    assert.equal(exit, 0, out);
    assert.match(out, /^ {2}MIR by \S+ \(LLVM 22\.1\.8\), before machine-scheduler\n/m);
    assert.doesNotMatch(out, /guess/);
    const made = runLlc(['-mcpu=gfx942', '-stop-before=machine-scheduler', '-o', '-'], readFileSync(KERNEL, 'utf8'));
    const mir = file('made.mir', made.stdout);
    const numbers = (text: string): object[] =>
      (
        JSON.parse(text).files[0].functions as {
          name: string;
          outcome: object;
          pressure: { vgpr: { value: number } };
        }[]
      ).map(({ name, outcome, pressure }) => ({ name, outcome, peak: pressure.vgpr.value }));
    const direct = await check('--json', '--mcpu=gfx942', mir);
    const through = await check('--json', `--llc=${LLC}`, '--mcpu=gfx942', KERNEL);
    assert.deepEqual(numbers(through.out), numbers(direct.out));
    const { files } = JSON.parse(through.out);
    assert.equal(files[0].functions[0].stage.by, 'IR dump before machine-scheduler');
  });

  it('go through why and sweep, which name the tool', async function () {
    needsLlc(this);
    const io = new BufferedIO();
    assert.equal(await runWhy([`--llc=${LLC}`, '--mcpu=gfx942', '--function=half', '--json', KERNEL], io), 0, io.err());
    assert.match(io.err(), /kernel\.ll: MIR by .*, before machine-scheduler\n/);
    const sweepIO = new BufferedIO();
    const args = [`--llc=${LLC}`, '--mcpu=gfx942', '--vary=-amdgpu-use-amdgpu-trackers', '--jobs=1', '--csv', KERNEL];
    assert.equal(await runSweep(args, sweepIO), 0, sweepIO.err());
    assert.match(sweepIO.err(), /kernel\.ll: MIR by /);
  });

  it('are compiled by clang for the processor named', async function () {
    if (!posix(this)) return;
    const source = file('k.cl');
    const { exit, out } = await check(`--clang=${clang()}`, '--mcpu=gfx942', '--tool-arg=-DN=4', source);
    assert.equal(exit, 0, out);
    assert.match(out, /MIR by \S+clang \(LLVM 22\.1\.8\), before machine-scheduler/);
    const cl =
      '-x cl -cl-std=CL2.0 -Xclang -finclude-default-header -target amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -O3';
    const end = '-S -mllvm -stop-before=machine-scheduler';
    assert.equal(words().join(' '), `${cl} ${end} -DN=4 -o - ${source}`);
    const hip = file('k.hip');
    await check(`--clang=${clang()}`, '--target=gfx90a', '--stop-before=greedy', hip);
    assert.equal(
      words().join(' '),
      `-x hip --offload-arch=gfx90a --cuda-device-only -O3 -S -mllvm -stop-before=greedy -o - ${hip}`,
    );
    await check(`--clang=${clang()}`, '--target=gfx90a:xnack-', hip);
    assert.equal(words()[2], '--offload-arch=gfx90a:xnack-');
    await check(`--clang=${clang()}`, '--target=gfx1100:+wavefrontsize64', hip);
    assert.equal(
      words().slice(2, 7).join(' '),
      '--offload-arch=gfx1100 -Xclang -target-feature -Xclang +wavefrontsize64',
    );
    await check(`--clang=${clang()}`, '--mcpu=gfx942', file('k.bc', 'BC'));
    assert.equal(words().slice(0, 5).join(' '), '-target amdgcn-amd-amdhsa -mcpu=gfx942 -x ir');
  });

  it('are compiled as a build compiles them', async function () {
    if (!posix(this)) return;
    const source = file('k.hip');
    const compiler = clang('', 'clang++-22');
    const command = `${compiler} -DA="x y" -Iinc -x hip --offload-arch=gfx90a --offload-arch=gfx942 -O2 -MD -MF k.d -fplugin=p.so -Xclang -load -Xclang q.so -c k.hip -o k.o`;
    const database = file('compile_commands.json', JSON.stringify([{ directory: folder, file: 'k.hip', command }]));
    assert.equal((await check(source)).exit, 0);
    const stop = '-S -mllvm -stop-before=machine-scheduler -o -';
    const kept = '-DA=x y -Iinc -x hip --offload-arch=gfx90a -O2 --cuda-device-only';
    assert.equal(words().join(' '), `${kept} -working-directory ${folder} ${stop} ${source}`);
    await check('--mcpu=gfx1100', source);
    assert.match(words().join(' '), / -O2 --offload-arch=gfx1100 --cuda-device-only /);
    // The user's goes before the build's.
    await check(`--clang=${clang('own', 'own-clang')}`, source);
    assert.ok(words().includes('-DA=x y'));
    const other = await check(`--compile-commands=${database}`, file('other.hip'));
    assert.match(other.out, /compile_commands\.json has no command for \S+other\.hip/);
    writeFileSync(database, '{');
    assert.match((await check(source)).out, /error: .*compile_commands\.json: /);
  });

  it('are HIP and OpenCL that clang-22 takes', async function () {
    const CLANG = placeOr('CLANG', 'clang-22');
    if (spawnSync(CLANG, ['--version']).status !== 0) return skip(this, `${CLANG} is not installed`);
    const hip = `__attribute__((global)) void add(float *a, const float *b, int n) { int i = __builtin_amdgcn_workitem_id_x(); if (i < n) a[i] += b[i]; }`;
    const cl = `__kernel void add(__global float *a, int n) { int i = get_local_id(0); if (i < n) a[i] += 1.0f; }`;
    const words = [`--clang=${CLANG}`, '--mcpu=gfx942'];
    const ofHip = await check(...words, '--tool-arg=-nogpulib', '--tool-arg=-nogpuinc', file('k.hip', hip));
    assert.match(ofHip.out, /_Z3addPfPKfi {2}gfx942 wave64 .*as llc ends 8 of 8 waves/);
    const ofCl = await check(...words, file('k.cl', cl));
    assert.match(ofCl.out, / add .*gfx942 wave64 /);
    return undefined;
  });

  it('say what is missing, and what a tool complains of', async function () {
    if (!posix(this)) return;
    const source = file('k.cl');
    assert.match((await check(source)).out, /clang has to know the processor: --mcpu=gfx942/);
    const failed = await check(`--clang=${clang('k.cl:1:1: error: no')}`, '--mcpu=gfx942', source);
    assert.equal(failed.exit, 2);
    assert.match(failed.out, /clang \(LLVM 22\.1\.8\) ends with 3: k\.cl:1:1: error: no/);
    const several = await check(`--clang=${clang()}`, '--target=gfx942,gfx90a', source);
    assert.match(several.out, /compiled for one processor, and several are named/);
    const nowhere = await check('--clang=/nowhere/clang', '--mcpu=gfx942', source);
    assert.match(nowhere.out, /\/nowhere\/clang: No such file or directory/);
    const path = process.env['PATH'];
    process.env['PATH'] = folder;
    try {
      rmSync(join(folder, 'clang'), { force: true });
      const none = await check('--mcpu=gfx942', source);
      assert.match(
        none.out,
        /k\.cl needs clang, which was not found \(looked for amdclang, clang, clang-20 to -24 on PATH, and in \/opt\/rocm\/llvm\/bin\)\. Name it with --clang=PATH/,
      );
    } finally {
      process.env['PATH'] = path;
    }
  });

  it('are told apart from texts of which nothing makes MIR', async () => {
    for (const [name, text, why] of [
      ['k.s', '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\n\t.globl f\nf:\n\ts_endpgm\n', 'this is assembly'],
      ['k.mir', '\t.text\nf:\n\ts_endpgm\n', 'this is assembly'],
      ['k.o', '\x7fELF\x02\x01\x01', 'this is an object file'],
      ['ir.mir', 'define void @f() { ret void }\n', 'this is LLVM IR; llc -stop-before=machine-scheduler'],
      ['tile.mlir', 'module {\n  tt.func @f() {\n', 'this is MLIR; Triton writes MIR where TRITON_DUMP_MIR'],
    ] as const) {
      const { out, exit } = await check(file(name, text));
      assert.ok(out.includes(why), `${name}: ${out}`);
      assert.equal(exit, 2);
    }
    const commented = await check(file('commented.mir', `# define void @f() { ret void }\n${MIR}`));
    assert.match(commented.out, /1 function, no errors/);
  });
});

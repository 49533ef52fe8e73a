/** `amdgpu-mir reduce` and `simplify`: conditions, what is left, what llc-22 says of it, and what ends before anything runs. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runReduce } from '../../../server/src/cli/reduce.js';
import { readCondition } from '../../../server/src/cli/reduceCondition.js';
import { runSimplify } from '../../../server/src/cli/simplify.js';
import { expect } from '../../support/expect.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { skip } from '../../support/skip.js';

const TILE = readFileSync(join(__dirname, '..', '..', '..', 'examples', 'gemm_tile.mir'), 'utf8');

async function reduce(text: string, ...args: readonly string[]): Promise<{ exit: number; out: string; err: string }> {
  const io = new BufferedIO(() => text);
  const exit = await runReduce([...args, '-'], io);
  return { exit, out: io.out(), err: io.err() };
}

const TARGET = ['--mtriple=amdgcn-amd-amdhsa', '--mcpu=gfx900'];

/** Two functions, a loop, stack objects, IR; one instruction has the wrong class. */
const BROKEN = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none -verify-machineinstrs %s
# A note.
--- |
  define amdgpu_kernel void @other() { ret void }
  define amdgpu_kernel void @wrong(ptr addrspace(1) %p) #0 {
    %q = getelementptr i32, ptr addrspace(1) %p, i32 4
    store i32 0, ptr addrspace(1) %q
    ret void
  }
  attributes #0 = { "amdgpu-flat-work-group-size"="1,256" nounwind }
...
---
name: other
body: |
  bb.0:
    S_ENDPGM 0
...
---
name: wrong
tracksRegLiveness: true
stack:
  - { id: 0, type: default, offset: 0, size: 4, alignment: 4 }
machineFunctionInfo:
  isEntryFunction: true
  scratchRSrcReg: '$sgpr96_sgpr97_sgpr98_sgpr99'
body: |
  bb.0:
    successors: %bb.1
    liveins: $sgpr4_sgpr5, $vgpr0

    %0:sgpr_64 = COPY $sgpr4_sgpr5
    %1:vgpr_32 = COPY $vgpr0
    %2:sreg_32 = S_MOV_B32 5

  bb.1:
    successors: %bb.1, %bb.2

    %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec
    %4:sreg_32 = V_ADD_U32_e32 %2, %3, implicit $exec
    S_CMP_LG_U32 %2, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit killed $scc

  bb.2:
    GLOBAL_STORE_DWORD_SADDR %1, %3, %0, 0, 0, implicit $exec :: (store (s32) into %ir.q, addrspace 1)
    S_ENDPGM 0
...
`;

describe('amdgpu-mir reduce', () => {
  it('leaves what a message of the verifier is about', async function () {
    const message = 'Illegal virtual register for instruction';
    const { exit, out } = await reduce(BROKEN, `--keep=message ${message}`, '--quiet');
    assert.equal(exit, 0);
    expect`
      # RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none -verify-machineinstrs %s
      --- |
        define amdgpu_kernel void @wrong() {
          unreachable
        }
      ...
      ---
      name: wrong
      tracksRegLiveness: true
      body: |
        bb.0:
          %0:sreg_32 = V_ADD_U32_e32 undef %1:sreg_32, undef %2:vgpr_32, implicit $exec
      ...

    `.equals(out);
    needsLlc(this);
    const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none', '-verify-machineinstrs', '-x', 'mir'];
    assert.match(runLlc(args, out).stderr, new RegExp(message));
  });

  it('leaves a function that llc reads, whatever the number', async function () {
    const { exit, out, err } = await reduce(TILE, '--keep=pressure(vgpr)>12');
    assert.equal(exit, 0, err);
    const size = out.split('\n').length;
    assert.ok(size < 45 && size < TILE.split('\n').length / 2, `${size} lines`);
    assert.equal((await reduce(out, '--keep=pressure(vgpr)>12', '--quiet')).exit, 0);
    assert.equal((await reduce(out, '--keep=pressure(vgpr)>1000', '--quiet')).exit, 2);
    needsLlc(this);
    const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx942', '-run-pass=none', '-verify-machineinstrs', '-x', 'mir'];
    assert.equal(runLlc(args, out).status, 0, out);
  });

  it('leaves a function that spills so that llc verifies it after each pass', async function () {
    const loads = [...Array(14).keys()];
    const text = `--- |
  define amdgpu_kernel void @many() #0 { ret void }
  attributes #0 = { "amdgpu-num-vgpr"="10" }
...
---
name: many
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
  scratchRSrcReg: '$sgpr96_sgpr97_sgpr98_sgpr99'
  stackPtrOffsetReg: '$sgpr32'
body: |
  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
${loads.map((k) => `    %${k + 1}:vgpr_32 = DS_READ_B32_gfx9 %0, ${k * 4}, 0, implicit $exec\n`).join('')}
${loads.map((k) => `    DS_WRITE_B32_gfx9 %0, %${k + 1}, ${k * 4}, 0, implicit $exec\n`).join('')}
    S_ENDPGM 0
...
`;
    const args = ['--keep=spills>0', '--mtriple=amdgcn-amd-amdhsa', '--mcpu=gfx900', '--model=llvm-22', '--quiet'];
    const { exit, out, err } = await reduce(text, ...args);
    assert.equal(exit, 0, err);
    assert.match(out, /stackPtrOffsetReg/);
    needsLlc(this);
    const cut = ['-start-before=machine-scheduler', '-stop-after=virtregrewriter,2', '-verify-machineinstrs'];
    const llc = runLlc(['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', ...cut, '-x', 'mir', '-o', '-'], out);
    assert.equal(llc.status, 0, out);
    assert.match(llc.stdout, /SI_SPILL/);
  });

  it('asks a command, whose exit code 0 is what is wanted', async () => {
    const { exit, out } = await reduce(BROKEN, '--keep=run grep -q V_ADD_U32_e32', '--keep-run-lines=none', '--quiet');
    assert.equal(exit, 0);
    assert.match(out, /V_ADD_U32_e32/);
    assert.doesNotMatch(out, /RUN|A note|S_CBRANCH|other/);
  });

  it('keeps the kind of a difference, and the processor that attributes name', async function () {
    if (process.platform === 'win32') return skip(this, 'a program here is a script of a shell');
    const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-reduce-test-'));
    const llc = join(folder, 'llc');
    // Another text where there is S_MOV_B32 and a processor, else it fails.
    const script = `#!/bin/sh
case "$1" in --version) echo 'LLVM version 22.1.8'; exit 0;; esac
text=$(cat)
case "$text" in *S_MOV_B32*) ;; *) exit 3;; esac
case "$text$*" in *gfx900*) ;; *) exit 3;; esac
printf '%s\\n' "$text" | sed 's/S_MOV_B32 5/S_MOV_B32 6/'
`;
    writeFileSync(llc, script, { mode: 0o755 });
    try {
      const text = BROKEN.split('\n')
        .filter((line) => !/^# RUN|%4:sreg_32/.test(line))
        .join('\n')
        .replace('nounwind }', 'nounwind "target-cpu"="gfx900" }');
      const args = ['--keep=differs from --llc', `--llc=${llc}`, '--arg=-run-pass=none', '--quiet'];
      const { exit, out, err } = await reduce(text, ...args);
      assert.equal(exit, 0, err);
      assert.match(out, /S_MOV_B32/);
      assert.match(out, /"target-cpu"="gfx900"/);
      assert.ok(out.split('\n').length < 20, out);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('keeps what tells the release of the file, unless one is named', async () => {
    const text = TILE.replace(/^[#;] RUN.*\n/gm, '').replace(
      /^\.\.\.$/m,
      '  !llvm.ident = !{!90}\n  !90 = !{!"Debian clang version 22.1.8"}\n...',
    );
    const processor = ['--mtriple=amdgcn-amd-amdhsa', '--mcpu=gfx942', '--quiet'];
    const kept = await reduce(text, '--keep=pressure(vgpr)>12', ...processor);
    assert.equal(kept.exit, 0, kept.err);
    assert.match(kept.out, /clang version 22/);
    const named = await reduce(text, '--keep=pressure(vgpr)>12', '--model=llvm-22', ...processor);
    assert.equal(named.exit, 0, named.err);
    assert.doesNotMatch(named.out, /clang version/);
  });

  it('compares two models', async () => {
    const same = await reduce(BROKEN, '--keep=llvm-22 differs from llvm-24');
    assert.equal(same.exit, 2);
    expect`
      amdgpu-mir reduce: the condition does not hold for -: both fail alike

    `.equals(same.err);
    // Releases write other keys above the body; these are no difference.
    const plain = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
    const { exit, err } = await reduce(plain, '--keep=llvm-22 differs from llvm-24', '--mcpu=gfx900');
    assert.equal(exit, 2);
    assert.match(err, /both answer alike/);
  });

  it('ends before anything runs where the condition does not hold, or says nothing', async () => {
    const errors = [];
    for (const keep of [
      ...['waves<1', 'message no such thing', 'fails', 'wavs<1', 'pressure(lds)>3', 'differs from --llc'],
      ...['llvm-3 differs from llvm-22', 'some words'],
    ]) {
      const { exit, out, err } = await reduce(TILE, `--keep=${keep}`);
      assert.deepEqual([exit, out], [2, ''], keep);
      errors.push(err);
    }
    expect`
      amdgpu-mir reduce: the condition does not hold for -: gemm_tile: waves is 5
      amdgpu-mir reduce: the condition does not hold for -: llc says: ---
      amdgpu-mir reduce: the condition does not hold for -: llc does not fail
      amdgpu-mir reduce: no number is called 'wavs'; known are waves, vgpr, agpr, sgpr, scratch, lds, spills, vgprSpills, sgprSpills, instructions, pressure(vgpr|sgpr|agpr)
      amdgpu-mir reduce: no number is called 'pressure(lds)'; known are waves, vgpr, agpr, sgpr, scratch, lds, spills, vgprSpills, sgprSpills, instructions, pressure(vgpr|sgpr|agpr)
      amdgpu-mir reduce: --llc=PATH names the llc that the model is compared with
      amdgpu-mir reduce: 'llvm-3' is no model of LLVM
      amdgpu-mir reduce: 'some words' is no condition: 'spills>0' (or waves, vgpr, agpr, sgpr, vgprSpills, sgprSpills, scratch, lds, instructions, pressure(vgpr|sgpr|agpr), with < <= > >= = !=), 'message TEXT', 'fails', 'differs from --llc', 'MODEL differs from MODEL', 'run COMMAND'

    `.equals(errors.join(''));
    assert.equal((await reduce(TILE)).exit, 2);
    assert.equal((await reduce(TILE, '--keep=waves<99', '--keep-run-lines=some')).exit, 2);
    assert.equal((await reduce(TILE, '--keep=waves<99', '--jobs=0')).exit, 2);
  });

  it('writes what it has when it is interrupted', async () => {
    const io = new BufferedIO(() => BROKEN);
    const args = ['--keep=message Illegal virtual register', '-'];
    const exit = await runReduce(args, io, undefined, (stop) => {
      setTimeout(stop, 0);
      return () => undefined;
    });
    assert.equal(exit, 130);
    assert.match(io.out(), /%4:sreg_32 = V_ADD_U32_e32/);
    assert.match(io.err(), /interrupted: the smallest file so far was written/);
  });

  it('reads conditions', () => {
    assert.deepEqual(readCondition(' spills > 0 '), { kind: 'number', what: 'spills', relation: '>', value: 0 });
    assert.deepEqual(readCondition('pressure(sgpr)>=96'), {
      ...{ kind: 'number', what: 'pressure(sgpr)', relation: '>=', value: 96 },
    });
    assert.deepEqual(readCondition('message "a  b"'), { kind: 'message', text: 'a  b' });
    assert.deepEqual(readCondition('run ./x.sh %s -v'), { kind: 'run', command: './x.sh %s -v' });
    assert.deepEqual(readCondition('differs'), { kind: 'differs', sides: ['auto', null] });
    assert.deepEqual(readCondition('llvm-22 differs from llvm-24'), { kind: 'differs', sides: ['llvm-22', 'llvm-24'] });
  });

  it('says nothing of a function that it cannot read, and reduces its lines', async () => {
    const text = BROKEN.replace('%3:vgpr_32 = V_ADD', '%3:vgpr_32 = V_NOT_AN_OPCODE');
    const { exit, out } = await reduce(text, '--keep=message unknown machine instruction', '--quiet');
    assert.equal(exit, 0);
    expect`
      # RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none -verify-machineinstrs %s
      --- |
        define amdgpu_kernel void @wrong() {
          unreachable
        }
      ...
      ---
      name: wrong
      tracksRegLiveness: true
      body: |
        bb.0:
        bb.1:
          %0:vgpr_32 = V_NOT_AN_OPCODE_U32_e32 %1, %2, implicit $exec
        bb.2:
      ...

    `.equals(out);
  });
});

describe('amdgpu-mir simplify', () => {
  it('leaves out what the RUN lines do not see', () => {
    const text = BROKEN.replace('%4:sreg_32 =', '%4:vgpr_32 =');
    const io = new BufferedIO(() => text);
    assert.equal(runSimplify(['-'], io), 0);
    expect`
      amdgpu-mir simplify: no successors that llc finds

    `.equals(io.err());
    assert.doesNotMatch(io.out(), /successors/);
    assert.match(io.out(), /getelementptr/);
    assert.equal(runSimplify([], new BufferedIO(() => '')), 2);
    assert.equal(runSimplify([...TARGET, '--what', '-'], new BufferedIO(() => '')), 2);
  });
});

describe('amdgpu-mir simplify --bisect-pass', () => {
  const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=dead-mi-elimination,machine-cse,register-coalescer -o - %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY %0
    S_NOP 0, implicit %1
    S_ENDPGM 0
...
`;
  const bisect = (text: string, ...args: readonly string[]): { exit: number; out: string; err: string } => {
    const io = new BufferedIO(() => text);
    const exit = runSimplify(['--bisect-pass', ...args, '-'], io);
    return { exit, out: io.out(), err: io.err() };
  };

  it('names the pass after which the condition holds, and writes what stands before it', () => {
    const { exit, out, err } = bisect(TEXT, '--keep=run sh -c \'! grep -q "COPY %0" %s\'');
    assert.equal(exit, 0, err);
    assert.equal(err, 'amdgpu-mir simplify: register-coalescer: the condition holds after it, and not before\n');
    assert.match(out, /^# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=register-coalescer -o - %s\n/);
    assert.match(out, /COPY %0\n/);
  });

  it('goes through the pipeline between cuts, with the counts of passes', () => {
    const cut = TEXT.replace(/-run-pass=\S+/, '-start-before=register-coalescer -stop-after=virtregrewriter,2');
    const { exit, out, err } = bisect(cut, "--keep=run sh -c '! grep -q vgpr_32 %s'");
    assert.equal(exit, 0, err);
    assert.match(err, / virtregrewriter,2: the condition holds after it/);
    assert.match(out, /^# RUN: .* -start-before=virtregrewriter,2 -stop-before=\S+ -o - %s\n/);
  });

  it('has no answer where the condition holds before or does not after', () => {
    const later = bisect(TEXT, '--keep=run false');
    assert.deepEqual([later.exit, later.out], [2, '']);
    assert.match(later.err, /the condition does not hold after register-coalescer: the command ends with 1\n$/);
    const sooner = bisect(TEXT, '--keep=run true');
    assert.match(sooner.err, /the condition holds before any pass has run/);
    assert.match(bisect(TEXT).err, /--bisect-pass asks when --keep=CONDITION becomes true/);
    assert.match(bisect(TEXT, '--keep=differs from --llc').err, /--llc=PATH names the llc/);
    const wrong = TEXT.replace(/-run-pass=\S+/, '-start-before=greedy,7 -stop-after=virtregrewriter,2');
    assert.match(bisect(wrong, '--keep=fails').err, /the pipeline has no pass at -start-before=greedy,7/);
  });
});

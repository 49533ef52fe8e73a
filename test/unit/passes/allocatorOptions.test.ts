/** Options of llc that change how registers are allocated, or with which passes: as llc-22. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../../support/llc.js';
import { randomAllocation } from '../../support/randomAllocation.js';
import { runLlcOnText } from '../../support/schedule.js';
import { withoutAddresses } from '../../support/verify.js';

/** Options with the seed of a function that another answer comes of. */
const CHANGING: readonly (readonly [option: string, seed: number])[] = [
  ['-greedy-regclass-priority-trumps-globalness', 1],
  ['-greedy-reverse-local-assignment', 1],
  ['-regalloc-enable-priority-advisor=dummy', 1],
  ['-split-spill-mode=default', 1],
  ['-split-spill-mode=size', 9],
  ['-amdgpu-prealloc-sgpr-spill-vgprs', 7],
];
/** Options that change nothing in these functions, or are told of alone. */
const OTHERS: readonly string[] = [
  '-split-spill-mode=speed',
  '-enable-split-loopiv-heuristic=false',
  '-ssc-dce-limit=0',
  '-ssc-dce-limit=3',
  '-amdgpu-dce-in-ra',
  '-regalloc-enable-advisor=release',
  '-regalloc-enable-advisor=development',
  '-regalloc-enable-priority-advisor=release',
  '-regalloc=greedy',
  '-regalloc=default',
];

const KERNEL = (body: readonly string[]): string =>
  [
    ...['---', 'name: f', 'tracksRegLiveness: true', 'machineFunctionInfo:', '  isEntryFunction: true'],
    ...["  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'", "  stackPtrOffsetReg: '$sgpr32'", 'body: |', '  bb.0:'],
    ...body.map((line) => `    ${line}`),
    ...['...', ''],
  ].join('\n');

function compare(args: readonly string[], text: string): string {
  const expected = runLlc(['-x', 'mir', ...args, '-o', '-'], text);
  const { status, stdout, stderr } = runLlcOnText([...args, '-o', '-'], text);
  // llc tells of its end by a signal besides what the verifier found.
  const told = withoutAddresses(expected.stderr.replace(/PLEASE submit[^]*/, ''));
  assert.deepEqual(
    { status, stdout, stderr: withoutAddresses(stderr) },
    { status: expected.status ?? 134, stdout: expected.stdout, stderr: told },
  );
  return expected.stdout;
}

describe('options of the register allocator, as llc-22', () => {
  for (const [option, seed] of CHANGING)
    it(option, function () {
      needsLlc(this);
      const { args, text } = randomAllocation(seed, 2);
      assert.notEqual(compare([...args, option], text), runLlc(['-x', 'mir', ...args, '-o', '-'], text).stdout);
    });

  for (const option of OTHERS)
    it(option, function () {
      needsLlc(this);
      const { args, text } = randomAllocation(1, 2);
      compare([...args, option], text);
    });

  it('-verify-regalloc, where the verifier finds fault before a run, after a spill or after a split', function () {
    needsLlc(this);
    const banners = new Set<string>();
    for (const seed of [100, 101, 118]) {
      const { args, text } = randomAllocation(seed);
      compare([...args, '-verify-regalloc'], text);
      const { stderr } = runLlcOnText([...args, '-verify-regalloc', '-o', '-'], text);
      banners.add(/^# (.*)/m.exec(stderr)?.[1] ?? 'sound');
    }
    assert.deepEqual([...banners].sort(), ['After spilling', 'Before greedy register allocator', 'sound']);
  });

  it('passes that are switched off, by name or with -O1', function () {
    needsLlc(this);
    const text = KERNEL([
      'undef %0.sub0:sreg_64 = S_MOV_B32 1',
      'S_NOP 0',
      '%0.sub1:sreg_64 = S_MOV_B32 2',
      '%1:sreg_64 = COPY $exec',
      '%2:vreg_64 = COPY %0',
      '%3:vgpr_32 = GLOBAL_LOAD_DWORD %2, 0, 0, implicit $exec :: (load (s32), addrspace 1)',
      '%4:vgpr_32 = GLOBAL_LOAD_DWORD %2, 4, 0, implicit $exec :: (load (s32), addrspace 1)',
      '$exec = S_AND_B64 %1, %0, implicit-def dead $scc',
      'S_NOP 0, implicit %3, implicit %4',
      '%5:sreg_32 = S_MOV_B32 5',
      'S_ENDPGM 0',
    ]);
    const target = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-mattr=+xnack', '-stop-after=virtregrewriter,2'];
    const args = [...target, '-start-before=machine-scheduler'];
    const short = compare([...args, '-amdgpu-max-memory-clause=1'], text);
    const usual = compare(args, text);
    for (const option of ['-amdgpu-enable-pre-ra-optimizations=0', '-amdgpu-opt-exec-mask-pre-ra=0', '-O1'])
      assert.notEqual(compare([...args, option], text), usual, option);
    compare([...args, '-O1', '-amdgpu-enable-pre-ra-optimizations'], text);
    compare([...args, '-amdgpu-reassign-regs=0'], text);
    assert.notEqual(short, usual);
  });

  it('leaves image addresses where they are with -amdgpu-reassign-regs=0', function () {
    needsLlc(this);
    const text = KERNEL([
      ...[0, 1, 2, 3].map((k) => `%${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec`),
      '%4:sgpr_256 = IMPLICIT_DEF',
      '%5:sgpr_128 = IMPLICIT_DEF',
      '%6:vgpr_32 = IMAGE_SAMPLE_V1_V3_nsa_gfx10 %2, %0, %1, %4, %5, 1, 2, 0, 0, 0, 0, 0, 0, 0, implicit $exec :: (dereferenceable load (s32), addrspace 8)',
      'S_NOP 0, implicit %6, implicit %3',
      'S_ENDPGM 0',
    ]);
    const args = [
      '-mtriple=amdgcn-amd-amdpal',
      '-mcpu=gfx1010',
      '-start-before=greedy,0',
      '-stop-after=virtregrewriter,2',
    ];
    assert.notEqual(compare(args, text), compare([...args, '-amdgpu-reassign-regs=0'], text));
  });

  it('says which allocators it does not have, and why', () => {
    const { args, text } = randomAllocation(1);
    for (const option of ['sgpr-regalloc=fast', 'vgpr-regalloc=basic', 'wwm-regalloc=fast']) {
      const { status, stderr } = runLlcOnText([...args, `-${option}`, '-o', '-'], text);
      assert.equal(status, 1);
      const why = 'the greedy register allocator is the only one here';
      assert.equal(stderr, `llc: error: amdgpu-mir does not model '-${option}' in register allocation: ${why}.\n`);
    }
    assert.match(
      runLlcOnText([...args, '-optimize-regalloc=false', '-o', '-'], text).stderr,
      /the fast register allocator\.\n$/,
    );
    // Passes by name are in no pipeline.
    assert.equal(runLlcOnText(['-run-pass=greedy', '-sgpr-regalloc=fast', '-o', '-'], text).status, 0);
  });
});

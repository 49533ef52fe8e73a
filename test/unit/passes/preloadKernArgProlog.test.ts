/** amdgpu-preload-kern-arg-prolog: kernels with any number of preloaded words from any register on are as llc-22's and LLVM 24's. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../../support/llc.js';
import { needsLlc24, runLlc24 } from '../../support/llc24.js';
import { runLlcOnText } from '../../support/schedule.js';

const kernel = (first: number, n: number): string => `---
name: f${first}_${n}
machineFunctionInfo:
  isEntryFunction: true
  argumentInfo:
    kernargSegmentPtr: { reg: '$sgpr2_sgpr3' }
    firstKernArgPreloadReg: { reg: '$sgpr${first}' }
  numKernargPreloadSGPRs: ${n}
body: |
  bb.0:
    successors: %bb.1, %bb.0
    S_CBRANCH_SCC1 %bb.0, implicit $scc
  bb.1:
    S_ENDPGM 0
...
`;
const PAIRS = [4, 5, 6, 7, 8, 11].flatMap((first) => Array.from({ length: 13 }, (_, n) => [first, n] as const));
const IR = PAIRS.map(([first, n]) => `  define amdgpu_kernel void @f${first}_${n}(i32 inreg %x) { ret void }`).join(
  '\n',
);
const TEXT = `--- |\n${IR}\n...\n${PAIRS.map(([first, n]) => kernel(first, n)).join('')}`;

const argsFor = (cpu: string): string[] => [
  '-mtriple=amdgcn-amd-amdhsa',
  `-mcpu=${cpu}`,
  '-run-pass=amdgpu-preload-kern-arg-prolog',
  '-verify-machineinstrs',
];
const bodies = (text: string): string[] =>
  text
    .split(/^---$/m)
    .flatMap(
      (part) => /^name: +(?:.|\n)*?^body:(?:.|\n)*/m.exec(part)?.[0].replace(/^(?!name|body| ).*\n/gm, '') ?? [],
    );

describe('arguments that a kernel loads itself', () => {
  for (const cpu of ['gfx90a', 'gfx942', 'gfx950', 'gfx1250', 'gfx900'])
    it(`on ${cpu}, as llc-22`, function () {
      needsLlc(this);
      this.timeout(30_000);
      const args = [...argsFor(cpu), '-x', 'mir', '-o', '-'];
      const llc = runLlc(args, TEXT);
      assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
      const [expected, got] = [bodies(llc.stdout), bodies(runLlcOnText(args, TEXT).stdout)];
      assert.equal(expected.length, PAIRS.length);
      for (const [k, body] of expected.entries()) assert.equal(got[k], body);
    });

  it('as LLVM 24', function () {
    needsLlc24(this);
    this.timeout(60_000);
    const args = argsFor('gfx942');
    const [run] = runLlc24([{ text: TEXT, args }]);
    assert.equal(run!.status, 0, run!.stderr.slice(0, 500));
    const ours = runLlcOnText(['--model=llvm-24', ...args, '-x', 'mir', '-o', '-'], TEXT);
    assert.deepEqual(bodies(ours.stdout), bodies(run!.stdout));
  });

  it('without the register of the arguments are refused', () => {
    const text = kernel(4, 2).replace(/^ +kernargSegmentPtr.*\n/m, '');
    const { stderr } = runLlcOnText([...argsFor('gfx942'), '-o', '-'], text);
    assert.match(stderr, /does not model preloaded arguments without kernargSegmentPtr/);
  });
});

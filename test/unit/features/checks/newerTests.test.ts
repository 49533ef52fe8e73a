/**
 * RUN lines that need what no LLVM here models: they are unsupported, with the reason, in the editor and in `amdgpu-mir test`; what has to fail, and
 * what a modelled LLVM would fail, keeps its verdict.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../../server/src/cli/bufferedIO.js';
import { runTests } from '../../../../server/src/cli/test.js';
import { runTest } from '../../../../server/src/features/checks/runTest.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';

const body = (line: string, more = ''): string =>
  `---\nname: f\n${more}body: |\n  bb.0:\n    ${line}\n    S_ENDPGM 0\n...\n# CHECK: name: f\n`;
const run = (options: string, rest = ' -o - %s | FileCheck %s'): string =>
  `# RUN: llc -mtriple=amdgcn ${options}${rest}\n`;
const NONE = '-mcpu=gfx942 -run-pass=none';

const CASES: readonly (readonly [verdict: string, why: RegExp, text: string])[] = [
  ['passed', /^$/, run(NONE) + body('S_NOP 0')],
  ['passed', /^$/, run(NONE) + body('S_WAITCNT .Vmcnt_0')],
  ['passed', /^$/, run('-mcpu=gfx1310 -run-pass=none') + body('S_NOP 0')],
  [
    'unsupported',
    /Unknown command line argument '-amdgpu-of-tomorrow'/,
    run(`${NONE} -amdgpu-of-tomorrow`) + body('S_NOP 0'),
  ],
  [
    'unsupported',
    /run-pass pass-of-tomorrow is not registered/,
    run('-mcpu=gfx942 -run-pass=pass-of-tomorrow') + body('S_NOP 0'),
  ],
  [
    'unsupported',
    /does not model a pass 'finalizebundle-test' of -passes/,
    run('-mcpu=gfx1200 -passes=finalizebundle-test') + body('S_NOP 0'),
  ],
  [
    'unsupported',
    /does not model a pass 'print<gisel-value-tracking>' of -passes/,
    run("-passes='print<gisel-value-tracking>'", ' -filetype=null %s 2>&1 | FileCheck %s') + body('S_NOP 0'),
  ],
  [
    'unsupported',
    /is read as one of LLVM 24 \(processor gfx1310 in line 1\), but opcode G_CTLZ_ZERO_UNDEF in line 6 is of LLVM 22.1.8 alone/,
    run('-mcpu=gfx1310 -run-pass=none') + body('%1:_(s32) = G_CTLZ_ZERO_UNDEF undef %0:_(s32)'),
  ],
  ['unsupported', /unknown machine instruction name 'S_TOMORROW'/, run(NONE) + body('S_TOMORROW 0')],
  ['unsupported', /unknown register name 'sgpr4_tomorrow'/, run(NONE) + body('S_NOP 0, implicit $sgpr4_tomorrow')],
  ['unsupported', /unknown key 'tomorrow'/, run(NONE) + body('S_NOP 0', 'tomorrow: true\n')],
  [
    'unsupported',
    /does not model the option '--amdgpu-stress-vgpr'/,
    run(`${NONE} -amdgpu-stress-vgpr=8`) + body('S_NOP 0'),
  ],
  [
    'unsupported',
    /does not model the scheduling strategy 'coexec'/,
    run('-mcpu=gfx1100 -run-pass=machine-scheduler -amdgpu-sched-strategy=coexec') + body('S_NOP 0'),
  ],
  ['passed', /^$/, run('-mcpu=gfx1250 -run-pass=machine-scheduler -amdgpu-sched-strategy=coexec') + body('S_NOP 0')],
  // Of a processor that it does not know llc only warns: what fails then need not fail where it is known.
  ['passed', /^$/, run('-mcpu=gfx9999 -run-pass=none') + body('S_NOP 0')],
  [
    'unsupported',
    /'gfx9999' is not a recognized processor/,
    run('-mcpu=gfx9999 -run-pass=none') + body('S_NOP 0') + '# CHECK: S_TOMORROW\n',
  ],
  // What has to fail, fails; what is wrong in every LLVM, too.
  [
    'passed',
    /^$/,
    '# RUN: not llc -mtriple=amdgcn -mcpu=gfx942 -run-pass=none -o /dev/null %s 2>&1 | FileCheck %s\n' +
      body('S_TOMORROW 0').replace('# CHECK: name: f', '# CHECK: unknown machine instruction'),
  ],
  ['failed', /not a virtual register|expected|undefined/, run(NONE) + body('S_NOP 0, implicit %bb.7')],
  ['failed', /expected string not found/, run(NONE) + body('S_NOP 0') + '# CHECK: S_TOMORROW\n'],
];

describe('RUN lines of a newer LLVM', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-newer-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [verdict, why, text] of CASES)
    it(`${verdict}: ${/llc (.*)/.exec(text)![1]!} ${/bb\.0:\n +(.*)/.exec(text)![1]!}`, async () => {
      const { runs } = runTest(text, new Map(), NEVER_CANCELLED);
      assert.deepEqual([runs[0]!.verdict, why.test(runs[0]!.detail)], [verdict, true], runs[0]!.detail);
      const path = join(folder, 'a.mir');
      writeFileSync(path, text);
      const io = new BufferedIO();
      const exit = await runTests(['-j1', path], io);
      const word = { passed: 'PASS', failed: 'FAIL', unsupported: 'UNSUPPORTED' }[verdict]!;
      assert.match(io.out(), new RegExp(`^${word}: `, 'm'));
      assert.equal(exit, verdict === 'failed' ? 1 : 0);
    });

  it('a model that is asked for is the one that runs', () => {
    const text = run(NONE) + body('S_WAITCNT .Vmcnt_0');
    assert.equal(runTest(text, new Map(), NEVER_CANCELLED, 'llvm-24').runs[0]!.verdict, 'passed');
    assert.notEqual(runTest(text, new Map(), NEVER_CANCELLED, 'llvm-22').runs[0]!.verdict, 'passed');
  });
});

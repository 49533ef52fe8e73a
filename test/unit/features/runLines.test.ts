/** RUN lines run in the editor: verdicts and words are those of llc-22 and FileCheck-22. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLinesOf, type RunLinesResult } from '../../../server/src/features/checks/runLines.js';
import { runTest } from '../../../server/src/features/checks/runTest.js';
import { byteText, textOfBytes } from '../../../server/src/text/sourceText.js';
import { Cancelled, Deadline, NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { LIMIT_MS, MODELLED_LLC } from '../../support/llc.js';
import { skip } from '../../support/skip.js';

const runLines = (text: string): RunLinesResult => runLinesOf(runTest(text, new Map(), NEVER_CANCELLED, 'llvm-22'));

const test = (
  checks: string,
  run = 'FileCheck %s',
): string => `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none -o - %s | ${run}
---
name:            add
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0
${checks}
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    S_ENDPGM 0, implicit %1
...
`;

const GOOD = test(`    ; CHECK-LABEL: name: add
    ; CHECK: [[A:%[0-9]+]]:vgpr_32 = COPY $vgpr0
    ; CHECK-NEXT: V_ADD_U32_e32 [[A]], [[A]], implicit $exec`);
const BAD = GOOD.replace('CHECK-NEXT: V_ADD_U32_e32 [[A]]', 'CHECK-NEXT: V_SUB_U32_e32 [[A]]');

describe('RUN lines in the editor', () => {
  it('pass', () => {
    assert.deepEqual(runLines(GOOD), {
      runs: [{ line: 0, verdict: 'passed', detail: '', findings: [] }],
      problem: '',
      isExpectedToFail: false,
    });
  });

  it('fail at the directive, in the words of FileCheck-22', function () {
    const [run] = runLines(BAD).runs;
    assert.equal(run?.verdict, 'failed');
    assert.deepEqual(
      run.findings.map((f) => f.line),
      [BAD.split('\n').findIndex((line) => line.includes('V_SUB'))],
    );
    if (!MODELLED_LLC) skip(this, 'llc-22 is not installed');
    const folder = mkdtempSync(join(tmpdir(), 'run-lines-'));
    try {
      const file = join(folder, 'test.mir');
      writeFileSync(file, BAD);
      const llc = ['-mtriple=amdgcn', '-mcpu=gfx90a', '-run-pass=none', '-o', '-', file];
      const { stdout } = spawnSync('llc-22', llc, { encoding: 'utf8', timeout: LIMIT_MS });
      const check = spawnSync('FileCheck-22', ['--dump-input=never', file], {
        input: stdout,
        encoding: 'utf8',
        timeout: LIMIT_MS,
      });
      assert.equal(check.status, 1);
      const told = [...check.stderr.matchAll(/^\S+:(\d+):\d+: (?:error|note): (.*)\n(.*)\n/gm)];
      const wanted = told.map(([, line, words, shown = ''], k) =>
        k === 0 ? words : `${words} (line ${line}): ${shown.trim()}`,
      );
      assert.equal(run.findings[0]?.message, wanted.join('\n'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('see what llc tells before its module, where both come through one pipe', function () {
    const checks = `    ; CHECK: Live-in:
    ; CHECK: name: add`;
    const text = test(checks).replace('none -o - %s', 'amdgpu-print-rp -o - %s 2>&1');
    assert.equal(runLines(text).runs[0]?.verdict, 'passed');
    if (!MODELLED_LLC) skip(this, 'llc-22 is not installed');
    const folder = mkdtempSync(join(tmpdir(), 'run-lines-'));
    try {
      const file = join(folder, 'test.mir');
      writeFileSync(file, text);
      const run = 'llc-22 -mtriple=amdgcn -mcpu=gfx90a -run-pass=amdgpu-print-rp -o - "$0" 2>&1 | FileCheck-22 "$0"';
      assert.equal(spawnSync('sh', ['-c', run, file], { timeout: LIMIT_MS }).status, 0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('show letters of any alphabet as they stand', () => {
    for (const text of ['plain', 'größer 漢字 😀', '\udc80'])
      assert.equal(textOfBytes(byteText(text)), text.replace('\udc80', '\ufffd'));
    assert.match(byteText('ö'), /^\xc3\xb6$/);
  });

  it('say what llc says of a test that it rejects', () => {
    const [run] = runLines(GOOD.replace('%0, %0, implicit', '%0, %7, implicit')).runs;
    assert.equal(run?.verdict, 'failed');
    assert.match(run.detail, /%7|virtual register/);
  });

  it('write files, pass them on, and may be wanted to fail', () => {
    const verdicts = (runs: string, body = GOOD): string[] =>
      runLines(runs + body.slice(body.indexOf('---'))).runs.map((r) => `${r.verdict}: ${r.detail.split('\n')[0]}`);
    const llc = 'llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none';
    assert.deepEqual(verdicts(`# RUN: ${llc} -o %t %s\n# RUN: FileCheck %s < %t\n`), ['passed: ', 'passed: ']);
    assert.deepEqual(verdicts(`# RUN: ${llc} -o %t.mir %s && FileCheck --input-file=%t.mir %s\n`), ['passed: ']);
    assert.deepEqual(verdicts(`# RUN: ${llc} -o - %s | ${llc} -x mir -o - - | FileCheck %s\n`), ['passed: ']);
    assert.deepEqual(verdicts(`# RUN: not ${llc} -o - %s\n`), ['failed: ends with exit code 1']);
    const broken = GOOD.replace('%0, %0, implicit', '%0, %7, implicit').replaceAll('CHECK', 'NONE');
    const says = '    ; SAYS: Cannot determine class/bank of virtual register 7\n';
    const wanted = broken.replace('    ; NONE-LABEL', `${says}    ; NONE-LABEL`);
    const run = `# RUN: not ${llc} -o /dev/null %s 2>&1 | FileCheck --check-prefix=SAYS %s\n`;
    assert.deepEqual(verdicts(run, wanted), ['passed: ']);
    assert.match(verdicts('# RUN: FileCheck %s < %t\n')[0]!, /^failed: FileCheck: No such file or directory/);
    assert.deepEqual(verdicts('# RUN: FileCheck %s --input-file=%t\n# RUN: echo x | FileCheck %t\n'), [
      "failed: Could not open input file '%t': No such file or directory",
      "failed: Could not open check file '%t': No such file or directory",
    ]);
  });

  it('say that they need more than the editor has', () => {
    const verdicts = (text: string): string[] => runLines(text).runs.map((r) => `${r.verdict}: ${r.detail}`);
    assert.deepEqual(verdicts('# RUN: opt %s | FileCheck %s\n'), ["unsupported: 'opt' is not known"]);
    const files = 'is not the test: other files are not read or written in the editor';
    for (const [run, file] of [
      ['llc -run-pass=none %s', '%s.s'],
      ['llc -run-pass=none -o - %S/Inputs/other.mir', '%S/Inputs/other.mir'],
    ])
      assert.deepEqual(
        verdicts(`# RUN: ${run} -mtriple=amdgcn\n${GOOD.slice(GOOD.indexOf('---'))}`),
        [`unsupported: '${file}' ${files}`],
        run,
      );
    assert.match(
      verdicts('# RUN: llc -mtriple=amdgcn -run-pass=machine-outliner -o - %s | FileCheck %s\n')[0]!,
      /^unsupported: amdgpu-mir /,
    );
    assert.deepEqual(verdicts(GOOD.replace('amdgcn', 'x86_64')), ["unsupported: there is no target 'x86_64' here"]);
    assert.equal(runLines('---\nname: f\n...\n').problem, "Test has no 'RUN:' line");
    const [, crash] = verdicts(GOOD.replace('# RUN: llc', '# RUN: true\n# RUN: not --crash llc'));
    assert.equal(crash, 'unsupported: llc is to crash here, which the engine does not do');
    assert.deepEqual(verdicts('# RUN: opt %s > %t\n# RUN: FileCheck %s < %t\n# CHECK: x\n'), [
      "unsupported: 'opt' is not known",
      'unsupported: it may read what a RUN line writes that is not run here',
    ]);
  });

  it('end when cancelled', () => {
    const endless = readFileSync(join(__dirname, '..', '..', 'fixtures', 'schedule', 'endless.mir'), 'utf8');
    const text = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=machine-scheduler -amdgpu-igrouplp-exact-solver -o - %s | FileCheck %s\n${endless}`;
    const late = new Deadline(NEVER_CANCELLED, 50);
    assert.throws(() => runTest(text, new Map(), late), Cancelled);
  });

  it('say of each directive where it matches, and with which variables', () => {
    const { runs } = runTest(
      BAD.replace('    %0:vgpr_32', '    ; CHECK-NOT: S_NOP\n    ; CHECK: S_ENDPGM\n    %0:vgpr_32'),
      new Map(),
      NEVER_CANCELLED,
    );
    const output = runs[0]!.output!.split('\n');
    assert.deepEqual(
      runs[0]!.checks.map(({ line, state, at, variables }) => [line, state, output[at]?.trim() ?? '', variables]),
      [
        [7, 'matched', 'name:            add', []],
        [8, 'matched', '%0:vgpr_32 = COPY $vgpr0', ['A = %0']],
        [9, 'failed', '', ['A = %0']],
        [10, 'not reached', '', []],
        [11, 'not reached', '', []],
      ],
    );
  });

  it('run llc again only for what it reads', () => {
    const keys = new Set<string>();
    const memory = { get: () => undefined, set: (key: string) => void keys.add(key) };
    for (const text of [GOOD, BAD, GOOD.replace('CHECK-LABEL: name: add', 'CHECK: {{.*}}')])
      runTest(text, memory, NEVER_CANCELLED);
    assert.equal(keys.size, 1);
    runTest(GOOD.replace('S_ENDPGM 0', 'S_ENDPGM 1'), memory, NEVER_CANCELLED);
    assert.equal(keys.size, 2);
  });

  it('never throw, whatever stands there', () => {
    for (const run of [
      'llc',
      'llc %s |',
      '| FileCheck',
      "llc 'x",
      'llc %s | FileCheck --frobnicate %s',
      'llc -help | FileCheck %s',
      'FileCheck %s',
    ])
      runLines(`# RUN: ${run}\n${GOOD}`);
    const examples = join(__dirname, '..', '..', '..', 'examples');
    for (const name of readdirSync(examples).filter((n) => n.endsWith('.mir')))
      for (const { verdict } of runLines(readFileSync(join(examples, name), 'utf8')).runs)
        assert.notEqual(verdict, 'failed', name);
  });
});

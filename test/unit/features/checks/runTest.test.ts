/** RUN lines without a disk: what each comes to, as lit, llc and FileCheck have it, and what is not run here. */
import assert from 'node:assert/strict';
import {
  fileCheckOutcome,
  LlcFailure,
  llcOutput,
  runTest,
  type LlcOutcome,
} from '../../../../server/src/features/checks/runTest.js';
import type { TestVerdict } from '../../../../server/src/features/snapshot/verdict.js';
import { Cancelled, NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';

const LLC = 'llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none';
const BODY = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
const testOf = (runs: readonly string[], checks: readonly string[]): string =>
  runs.map((r) => `# RUN: ${r}\n`).join('') + checks.map((c) => `# ${c}\n`).join('') + BODY;

const NOWHERE = { get: () => undefined, set: () => undefined };
const verdictOf = (runs: readonly string[], ...checks: readonly string[]): TestVerdict =>
  runTest(testOf(runs, checks), NOWHERE, NEVER_CANCELLED);

/** `passed`, or the verdict with the first line of its reason. */
const said = ({ runs }: TestVerdict): string[] =>
  runs.map(({ verdict, detail }) => (detail === '' ? verdict : `${verdict}: ${detail.split('\n')[0]!}`));

const OTHER = (name: string): string =>
  `unsupported: '${name}' is not the test: other files are not read or written in the editor`;
const NONE = 'No such file or directory';

const CASES: readonly (readonly [runs: readonly string[], checks: readonly string[], said: readonly string[]])[] = [
  [[`${LLC} -o - %s | FileCheck %s`], ['CHECK: S_ENDPGM'], ['passed']],
  [[`${LLC} -o - - < %s | FileCheck %s`], ['CHECK: S_ENDPGM'], ['passed']],
  [[`${LLC} -o - %s | FileCheck %s`], ['CHECK: S_NOP'], ['failed: CHECK: expected string not found in input']],
  [
    [`${LLC} -o - %s | FileCheck %s`, `${LLC} -o - %s | FileCheck %s -check-prefix=TWO`],
    ['CHECK: name: f', 'TWO: name: g'],
    ['passed', 'failed: TWO: expected string not found in input'],
  ],
  // Files of the test.
  [[`${LLC} -o %t %s`, 'FileCheck %s < %t'], ['CHECK: S_ENDPGM'], ['passed', 'passed']],
  [[`${LLC} -o %t %s`, 'FileCheck %s --input-file=%t'], ['CHECK: S_ENDPGM'], ['passed', 'passed']],
  [[`${LLC} -o - %s > %t`, 'FileCheck %s < %t'], ['CHECK: S_ENDPGM'], ['passed', 'passed']],
  [
    [`${LLC} -o - %s > %t`, `${LLC} -o - %s >> %t`, 'FileCheck %s < %t'],
    ['CHECK-COUNT-2: S_ENDPGM'],
    ['passed', 'passed', 'passed'],
  ],
  [
    [`${LLC} -o - %s > %t`, `${LLC} -o - %s > %t`, 'FileCheck %s < %t'],
    ['CHECK-COUNT-2: S_ENDPGM'],
    ['passed', 'passed', 'failed: CHECK-COUNT: expected string not found in input (2 out of 2)'],
  ],
  [[`${LLC} -o - %s >> %t`, 'FileCheck %s < %t'], ['CHECK: S_ENDPGM'], ['passed', 'passed']],
  [
    [`${LLC} -o - %s > /dev/null`, 'FileCheck %s < /dev/null'],
    ['CHECK: a'],
    ['passed', "failed: FileCheck error: '<stdin>' is empty."],
  ],
  [['FileCheck %s < %t'], ['CHECK: a'], [`failed: FileCheck: ${NONE}`]],
  [['FileCheck %s --input-file=%t'], ['CHECK: a'], [`failed: Could not open input file '%t': ${NONE}`]],
  [[`${LLC} -o - %s | FileCheck %t`], [], [`failed: Could not open check file '%t': ${NONE}`]],
  [[`${LLC} -o - %t.mir`], [], [`failed: ${NONE}`]],
  [['mkdir -p %t.dir', `${LLC} -o - %s`, 'rm -rf %t.dir'], [], ['passed', 'passed', 'passed']],
  [
    [
      `${LLC} -o %t.dir/a %s`,
      `${LLC} -o %t.dirs %s`,
      'rm -rf %t.dir',
      'FileCheck %s < %t.dirs',
      'FileCheck %s < %t.dir/a',
    ],
    ['CHECK: S_ENDPGM'],
    ['passed', 'passed', 'passed', 'passed', `failed: FileCheck: ${NONE}`],
  ],
  [[`${LLC} -o %t %s`, 'rm %t', 'FileCheck %s < %t'], ['CHECK: a'], ['passed', 'passed', `failed: FileCheck: ${NONE}`]],
  // Files of others, and what a line before may have written.
  [[`${LLC} -o - other.mir`], [], [OTHER('other.mir')]],
  [[`${LLC} -o other.mir %s`], [], [OTHER('other.mir')]],
  [['rm other'], [], [OTHER('other')]],
  [['mkdir other'], [], [OTHER('other')]],
  [
    ['opt %s -o %t', 'FileCheck %s < %t'],
    ['CHECK: a'],
    ["unsupported: 'opt' is not known", 'unsupported: it may read what a RUN line writes that is not run here'],
  ],
  // Commands that say something else than yes or no.
  [['llc --version'], [], ['unsupported: llc is asked for information only']],
  [['FileCheck --version'], [], ['unsupported: FileCheck is asked for information only']],
  [[`${LLC} -o - %s | FileCheck`], [], ['failed: FileCheck: <check-file> not specified']],
  [
    [`${LLC} -o - %s | FileCheck %s -bogus`],
    ['CHECK: a'],
    ["failed: FileCheck: Unknown command line argument '-bogus'.  Try: 'FileCheck --help'"],
  ],
  [
    [`${LLC} -o - %s | FileCheck %s -check-prefix=A`],
    ['CHECK: a'],
    ["failed: error: no check strings found with prefix 'A:'"],
  ],
  [
    [`${LLC} -bogus -o - %s`],
    [],
    ["unsupported: no LLVM that is modelled here takes it: Unknown command line argument '-bogus'"],
  ],
  [[`not ${LLC} -bogus -o - %s`], [], ['passed']],
  [[`not ${LLC} -o - %s`], [], ['failed: ends with exit code 1']],
  [[`not --crash ${LLC} -o - %s`], [], ['unsupported: llc is to crash here, which the engine does not do']],
  [
    ['llc -run-pass=none -o - %s'],
    [],
    ['unsupported: there is no -mtriple here, and llc would take the target of its machine'],
  ],
  // Inputs with nothing in them.
  [['FileCheck %s < /dev/null'], ['CHECK-NOT: a'], ["failed: FileCheck error: '<stdin>' is empty."]],
  [['FileCheck %s --allow-empty < /dev/null'], ['CHECK-NOT: a'], ['passed']],
  [['env FILECHECK_OPTS=--allow-empty FileCheck %s < /dev/null'], ['CHECK-NOT: a'], ['passed']],
  [
    [`env "FILECHECK_OPTS=-DX='a'" FileCheck %s < /dev/null`],
    ['CHECK-NOT: a'],
    ["unsupported: FILECHECK_OPTS of '-DX='a'' is not read in the editor"],
  ],
];

describe('RUN lines', () => {
  for (const [runs, checks, wanted] of CASES)
    it(runs.join('; '), () => assert.deepEqual(said(verdictOf(runs, ...checks)), wanted));

  it('say what was checked, and keep what was printed', () => {
    const { runs } = verdictOf(
      [`${LLC} -o - %s | FileCheck %s`, `${LLC} -o %t %s`, 'rm %t'],
      'CHECK: name: f',
      'CHECK: S_ENDPGM',
    );
    assert.deepEqual(
      runs.map((r) => [r.line, r.checks.map((c) => `${c.line} ${c.state}`), r.findings.length]),
      [
        [0, ['3 matched', '4 matched'], 0],
        [1, [], 0],
        [2, [], 0],
      ],
    );
    assert.match(runs[0]!.output!, /S_ENDPGM 0\n/);
    assert.equal(runs[1]!.output, '');
    assert.equal(runs[2]!.output, null);
  });

  it('that are missing, not for us, or meant to fail', () => {
    assert.equal(verdictOf([]).problem, "Test has no 'RUN:' line");
    assert.equal(
      verdictOf([`${LLC} -o - %s`], 'REQUIRES: nothing-like-it').problem,
      'Missing required feature(s): nothing-like-it',
    );
    assert.deepEqual(verdictOf([`${LLC} -o - %s`], 'REQUIRES: nothing-like-it').runs, []);
    const failing = verdictOf([`${LLC} -o - %s | FileCheck %s`], 'XFAIL: *', 'CHECK: nothing');
    assert.ok(failing.isExpectedToFail);
    assert.equal(failing.runs[0]!.verdict, 'failed');
    assert.ok(!verdictOf([`${LLC} -o - %s`]).isExpectedToFail);
  });

  it('that are known are not run again; comments make no difference where llc says nothing', () => {
    const known = new Map<string, LlcOutcome>();
    let nSet = 0;
    const memory = {
      get: (key: string) => known.get(key),
      set: (key: string, outcome: LlcOutcome) => {
        nSet++;
        known.set(key, outcome);
      },
    };
    const run = (text: string): string[] => said(runTest(text, memory, NEVER_CANCELLED));
    const text = testOf([`${LLC} -o - %s | FileCheck %s`], ['CHECK: S_ENDPGM']);
    assert.deepEqual(run(text), ['passed']);
    assert.deepEqual(run(text), ['passed']);
    assert.deepEqual(run(text.replace('CHECK: S_ENDPGM', 'CHECK: S_ENDPGM 0')), ['passed']);
    assert.equal(nSet, 1);
    assert.deepEqual(run(text.replace('S_ENDPGM 0\n', 'S_NOP 0\n')), [
      'failed: CHECK: expected string not found in input',
    ]);
    assert.equal(nSet, 2);
    const wrong = text.replace('    S_ENDPGM 0\n', '    S_ENDPGMS 0\n');
    run(wrong);
    run(wrong);
    assert.equal(nSet, 3);
    run(wrong.replace('# CHECK', '# CHECK-NEXT'));
    assert.equal(nSet, 4, 'a message may show a comment');
  });

  it('say which limit an expression meets', () => {
    const nested = '((((a{200}){200}){200}){200})';
    assert.match(verdictOf([`${LLC} -o - %s`], `REQUIRES: {{${nested}}}`).problem, /more than \d+ steps/);
    const greps = [`echo a | grep -E '${nested}'`, `echo ${'a'.repeat(3000)} | grep -E '(a|aa)*\\1b'`];
    for (const words of said(verdictOf(greps))) assert.match(words, /^(?:unsupported: .*(?:steps|too long)|failed: )/);
  });

  it('end when nobody waits', () => {
    const text = testOf([`${LLC} -o - %s`], []);
    assert.throws(() => runTest(text, NOWHERE, { isCancelled: () => true }), Cancelled);
  });

  it('end in the midst of a search, and between searches', () => {
    const echo = `echo ${'a'.repeat(2000)} | FileCheck %s`;
    for (const checks of [
      ['CHECK: {{((a?){200}b?){50}[!?]}}'],
      Array.from({ length: 100 }, (_, k) => `CHECK-NOT: b${k}`),
    ]) {
      let asked = 0;
      const reports = new Set<string>();
      const token = { isCancelled: () => ++asked === 30, report: (message: string) => reports.add(message) };
      assert.throws(() => runTest(testOf([echo], checks), NOWHERE, token), Cancelled, checks[0]);
      assert.equal(asked, 30);
      assert.deepEqual([...reports], ['FileCheck']);
    }
  });
});

describe('the output of llc', () => {
  const args = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-o', '-'];

  it('is what it prints, or the reason why not', () => {
    assert.match(llcOutput(args, BODY, NEVER_CANCELLED), /S_ENDPGM 0\n/);
    assert.throws(
      () => llcOutput([...args, '-bogus'], BODY, NEVER_CANCELLED),
      /^Error: llc: Unknown command line argument '-bogus'/,
    );
    assert.throws(() => llcOutput(['--version'], BODY, NEVER_CANCELLED), /^Error: llc is asked for information only$/);
    assert.throws(() => llcOutput(['--version'], BODY, NEVER_CANCELLED), LlcFailure);
    assert.throws(
      () => llcOutput([...args.slice(0, 3), '-o', 'x'], BODY, NEVER_CANCELLED),
      /^Error: 'x' is not the test/,
    );
  });
});

describe('FileCheck of another file', () => {
  it('says nothing of the lines of this one', () => {
    const outcome = fileCheckOutcome(
      ['other', '-input-file=in'],
      '',
      (path) => (path === 'in' ? 'a\n' : '# CHECK: a\n'),
      '%s',
    );
    assert.deepEqual([outcome.outcome.exit, outcome.checks, outcome.findings, outcome.input], [0, [], [], 'a\n']);
    const own = fileCheckOutcome(['%s'], 'a\n', () => '# CHECK: a\n', '%s');
    assert.deepEqual([own.outcome.exit, own.checks.length, own.findings, own.input], [0, 1, [], 'a\n']);
  });
});

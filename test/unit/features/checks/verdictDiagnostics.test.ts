/** Which word of a RUN line a verdict stands at, and which findings stand beside each other. */
import assert from 'node:assert/strict';
import { DiagnosticSeverity } from 'vscode-languageserver-types';
import { verdictDiagnostics } from '../../../../server/src/features/checks/verdictDiagnostics.js';
import type { RunVerdict, TestVerdict } from '../../../../server/src/features/snapshot/verdict.js';
import { AnalysisHost } from '../../../../server/src/host/analysisHost.js';
import { URI } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -o - %s | FileCheck -check-prefix=ONE %s
# RUN: llc -mtriple=amdgcn -o - %s extra \\
# RUN:   | FileCheck -check-prefix=ONE --input-file=data %s
# RUN: not opt -o - %s
---
name: f
body: |
  bb.0:
    ; ONE: x
    S_ENDPGM 0
...
`;

const run = (line: number, detail: string, more: Partial<RunVerdict> = {}): RunVerdict => ({
  line,
  verdict: 'failed',
  detail,
  findings: [],
  checks: [],
  output: null,
  ...more,
});

/** `line:column code severity 'text': message`, counted from 1. */
function shown(runs: readonly RunVerdict[], more: Partial<TestVerdict> = {}): string[] {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, TEXT);
  host.setVerdict(URI, 1, { runs, problem: '', isExpectedToFail: false, outdated: [], ...more });
  const snapshot = host.snapshot(URI)!;
  return verdictDiagnostics(snapshot).map(({ range, code, severity, message }) => {
    const text = TEXT.slice(snapshot.text.offsetAt(range.start), snapshot.text.offsetAt(range.end));
    const degree =
      severity === DiagnosticSeverity.Error ? '' : severity === DiagnosticSeverity.Hint ? ' hint' : ' information';
    return `${range.start.line + 1}:${range.start.character + 1} ${String(code)}${degree} '${text}': ${String(message)}`;
  });
}

describe('places of verdicts', () => {
  const CASES: readonly (readonly [what: string, runs: readonly RunVerdict[], shown: readonly string[]])[] = [
    [
      'the word that is named, in the line that failed',
      [run(0, "error: no check strings found with prefix 'ONE:'")],
      ["1:38 run-failed 'FileCheck': error: no check strings found with prefix 'ONE:'"],
    ],
    ['the value of an option', [run(0, "'ONE' is wrong")], ["1:48 run-failed '-check-prefix=ONE': 'ONE' is wrong"]],
    [
      'the same word in a line that goes on',
      [run(1, "'ONE' is wrong")],
      ["3:22 run-failed '-check-prefix=ONE': 'ONE' is wrong"],
    ],
    [
      'an option of the next line of a command',
      [run(1, "Could not open input file 'data': No such file or directory")],
      ["3:40 run-failed '--input-file=data': Could not open input file 'data': No such file or directory"],
    ],
    [
      'an argument too many',
      [run(1, 'llc: Too many positional arguments specified!')],
      ["2:36 run-failed 'extra': llc: Too many positional arguments specified!"],
    ],
    [
      'the program that says it',
      [run(1, 'FileCheck: something')],
      ["3:12 run-failed 'FileCheck': FileCheck: something"],
    ],
    [
      'the whole line where nobody is named',
      [run(0, 'ends with exit code 1')],
      ["1:1 run-failed '# RUN: llc -mtriple=amdgcn -o - %s | FileCheck -check-prefix=ONE %s': ends with exit code 1"],
    ],
    [
      'what is not run here, at the word only',
      [run(3, "'opt' is not known", { verdict: 'unsupported' }), run(0, 'for a reason', { verdict: 'unsupported' })],
      ["4:12 run-not-here hint 'opt': 'opt' is not known"],
    ],
    ['what passes', [run(0, '', { verdict: 'passed' })], []],
    [
      'a finding, and what the line says beside it',
      [run(0, "'ONE' is wrong", { findings: [{ line: 8, message: 'ONE: not found' }] })],
      ["9:5 check-failed '; ONE: x': ONE: not found", "1:48 run-failed '-check-prefix=ONE': 'ONE' is wrong"],
    ],
    [
      'a finding that is all that the line says',
      [run(0, 'ONE: not found', { findings: [{ line: 8, message: 'ONE: not found' }] })],
      ["9:5 check-failed '; ONE: x': ONE: not found"],
    ],
    [
      'of several lines, with the line',
      [
        run(0, 'ONE: not found\nsecond', { findings: [{ line: 8, message: 'ONE: not found\nsecond' }] }),
        run(1, '', { verdict: 'passed' }),
      ],
      ["9:5 check-failed '; ONE: x': ONE: not found\nsecond\n(RUN line 1)"],
    ],
    ['a finding in a line that is not there', [run(0, 'x', { findings: [{ line: 99, message: 'x' }] })], []],
  ];
  for (const [what, runs, wanted] of CASES) it(what, () => assert.deepEqual(shown(runs), wanted));

  it('problems of the whole test stand at the first RUN line', () => {
    assert.deepEqual(shown([], { problem: 'unbalanced' }), [
      "1:1 run-failed '# RUN: llc -mtriple=amdgcn -o - %s | FileCheck -check-prefix=ONE %s': unbalanced",
    ]);
    for (const problem of ['', 'Missing required feature(s): x', 'Unsupported configuration'])
      assert.deepEqual(shown([], { problem }), []);
    assert.deepEqual(shown([run(0, 'x')], { isExpectedToFail: true }), []);
  });

  it('lines that the script would write otherwise, unless one of them fails', () => {
    const outdated = [{ start: 8, end: 9 }];
    const told =
      'autogenerated lines that were edited, or whose output has changed: update_mir_test_checks.py writes others';
    assert.deepEqual(shown([], { outdated }), [`9:5 checks-outdated information '; ONE: x': ${told}`]);
    assert.deepEqual(shown([], { outdated: [{ start: 8, end: 8 }] }), [
      `9:5 checks-outdated information '; ONE: x': ${told}`,
    ]);
    assert.deepEqual(shown([], { outdated: [{ start: 8, end: 10 }] }), [
      `9:5 checks-outdated information '; ONE: x\n    S_ENDPGM 0': ${told}`,
    ]);
    const failed = [run(0, 'ONE: y', { findings: [{ line: 8, message: 'ONE: y' }] })];
    assert.deepEqual(shown(failed, { outdated }), ["9:5 check-failed '; ONE: x': ONE: y"]);
    assert.equal(shown(failed, { outdated: [{ start: 9, end: 10 }] }).length, 2);
    assert.deepEqual(shown([], { outdated: [{ start: 8, end: 99 }] }), []);
  });
});

/** What is shown of verdicts on RUN lines, each kind made by hand: lenses with their commands, findings with their places and degrees, hovers. */
import assert from 'node:assert/strict';
import { DiagnosticSeverity, type Hover } from 'vscode-languageserver-types';
import { verdictDiagnostics } from '../../../server/src/features/checks/verdictDiagnostics.js';
import { verdictLenses } from '../../../server/src/features/checks/verdictLens.js';
import type { RunVerdict, TestVerdict } from '../../../server/src/features/snapshot/verdict.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import {
  CHECK_RUN_LINES_COMMAND,
  COMPARE_RUN_COMMAND,
  RUN_OUTPUT_COMMAND,
  UPDATE_CHECKS_COMMAND,
} from '../../../server/src/features/words/viewCommands.js';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { DEFAULT_SETTINGS, type Settings } from '../../../server/src/program/settings.js';
import { URI } from '../../support/cursor.js';

const LLC = 'llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s';
const TEXT = `# RUN: ${LLC} | FileCheck %s
# RUN: ${LLC} | FileCheck --check-prefix=TWO %s
---
name: f
body: |
  bb.0:
    ; CHECK-LABEL: name: f
    ; CHECK: [[A:%[0-9]+]]
    ; TWO: S_ENDPGM
    S_ENDPGM 0
...
`;
const line = (part: string): number => TEXT.slice(0, TEXT.indexOf(part)).split('\n').length - 1;
const LABEL = line('CHECK-LABEL');
const VALUE = line('CHECK: [[A');
const TWO = line('TWO: S');

const run = (more: Partial<RunVerdict>): RunVerdict => ({
  line: 0,
  verdict: 'passed',
  detail: '',
  findings: [],
  checks: [],
  output: null,
  ...more,
});
const test = (runs: readonly RunVerdict[], more: Partial<TestVerdict> = {}): TestVerdict => ({
  runs,
  problem: '',
  isExpectedToFail: false,
  outdated: [],
  ...more,
});
const check = (at: number, state: 'matched' | 'failed' | 'not reached', of = -1, variables: string[] = []) => ({
  line: at,
  state,
  at: of,
  variables,
});

interface Shown {
  readonly snapshot: Snapshot;
  readonly lenses: string[];
  readonly findings: string[];
}

/** `edit`: the text changes before this line afterwards. */
function show(verdict: TestVerdict, text = TEXT, settings: Partial<Settings> = {}, isEdited = false): Shown {
  const host = new AnalysisHost(false, Infinity);
  host.configure({ ...DEFAULT_SETTINGS, ...settings });
  host.open(URI, 1, text);
  host.setVerdict(URI, 1, verdict);
  const start = { line: 2, character: 0 };
  if (isEdited) host.change(URI, 2, [{ range: { start, end: start }, text: '# a new line\n' }]);
  const snapshot = host.snapshot(URI)!;
  const slice = (r: { start: { line: number; character: number }; end: { line: number; character: number } }): string =>
    snapshot.text.slice(snapshot.text.offsetAt(r.start), snapshot.text.offsetAt(r.end));
  return {
    snapshot,
    lenses: verdictLenses(snapshot).map(({ range, command }) => {
      assert.deepEqual(range.start, range.end);
      const args = (command!.arguments as unknown[] | undefined) ?? [];
      return `${range.start.line}: ${command!.title} [${[command!.command, ...args].filter((x) => x !== '').join(' ')}]`;
    }),
    findings: verdictDiagnostics(snapshot).map(
      (d) =>
        `${Object.keys(DiagnosticSeverity).find((k) => DiagnosticSeverity[k as 'Error'] === d.severity)!} ${String(d.code)} ${String(d.source)} '${slice(d.range)}': ${String(d.message)}`,
    ),
  };
}

const RUN = `[${CHECK_RUN_LINES_COMMAND} ${URI}]`;

describe('verdicts on RUN lines', () => {
  it('that pass: how many lines match, the output where there is one', () => {
    const passed = (checks: RunVerdict['checks'], more: Partial<RunVerdict> = {}): string[] =>
      show(test([run({ checks, ...more })])).lenses;
    assert.deepEqual(passed([]), ['0: ✓ passed []', `0: run ${RUN}`]);
    assert.deepEqual(passed([check(LABEL, 'matched', 3)]), ['0: ✓ 1 CHECK line matches []', `0: run ${RUN}`]);
    assert.deepEqual(passed([check(LABEL, 'matched', 3), check(VALUE, 'matched', 4)], { output: 'x\n' }), [
      '0: ✓ 2 CHECK lines match []',
      `0: run ${RUN}`,
      `0: output [${RUN_OUTPUT_COMMAND} ${URI} 0]`,
    ]);
    const shown = show(test([run({}), run({ line: 1 })]), TEXT, { llcPath: 'llc' });
    assert.deepEqual(shown.lenses, [
      '0: ✓ passed []',
      `0: run ${RUN}`,
      `0: compare with llc [${COMPARE_RUN_COMMAND} ${URI} 0]`,
      '1: ✓ passed []',
      `1: run ${RUN}`,
      `1: compare with llc [${COMPARE_RUN_COMMAND} ${URI} 1]`,
    ]);
    assert.deepEqual(shown.findings, []);
  });

  it('that fail at CHECK lines: there, in FileCheck’s words, with the RUN line where there are several', () => {
    const failed = run({
      verdict: 'failed',
      detail: 'CHECK: expected string not found in input\nscanning from here (line 3): x',
      findings: [
        { line: VALUE, message: 'CHECK: expected string not found in input\nscanning from here (line 3): x' },
        { line: VALUE, message: 'another' },
      ],
      checks: [check(LABEL, 'matched', 2), check(VALUE, 'failed')],
    });
    const one = show(test([failed]));
    assert.deepEqual(one.lenses, ['0: ✗ 1 of 2 CHECK lines fails []', `0: run ${RUN}`]);
    assert.deepEqual(one.findings, [
      "Error check-failed FileCheck '; CHECK: [[A:%[0-9]+]]': CHECK: expected string not found in input\nscanning from here (line 3): x",
      "Error check-failed FileCheck '; CHECK: [[A:%[0-9]+]]': another",
    ]);
    const second = run({
      ...failed,
      line: 1,
      findings: [
        { line: TWO, message: 'TWO' },
        { line: LABEL, message: 'no' },
      ],
      detail: 'TWO',
    });
    const two = show(test([run({}), second]));
    assert.deepEqual(two.lenses.slice(2), ['1: ✗ 2 of 2 CHECK lines fail []', `1: run ${RUN}`]);
    assert.deepEqual(two.findings, [
      "Error check-failed FileCheck '; TWO: S_ENDPGM': TWO\n(RUN line 2)",
      "Error check-failed FileCheck '; CHECK-LABEL: name: f': no\n(RUN line 2)",
    ]);
    // After an edit it is news of yesterday, and lines have moved.
    const stale = show(test([run({}), second]), TEXT, {}, true);
    assert.deepEqual(stale.lenses, [
      '0: ~ passed []',
      `0: run ${RUN}`,
      '1: ~ 2 of 2 CHECK lines fail []',
      `1: run ${RUN}`,
    ]);
    assert.deepEqual(stale.findings, [
      "Information check-failed FileCheck '; TWO: S_ENDPGM': TWO\n(RUN line 2)",
      "Information check-failed FileCheck '; CHECK-LABEL: name: f': no\n(RUN line 2)",
    ]);
  });

  it('that fail otherwise: at the word that says why, else at the RUN line', () => {
    const failing = (detail: string, more: Partial<TestVerdict> = {}, text = TEXT): Shown =>
      show(test([run({ verdict: 'failed', detail })], more), text);
    const bad = failing('*** Bad machine code: x ***\n- function: f');
    assert.deepEqual(bad.lenses, ['0: ✗ *** Bad machine code: x *** []', `0: run ${RUN}`]);
    assert.deepEqual(bad.findings, [
      `Error run-failed FileCheck '# RUN: ${LLC} | FileCheck %s': *** Bad machine code: x ***\n- function: f`,
    ]);
    assert.deepEqual(failing('# Machine code\n*** Bad machine code: y ***').findings, [
      `Error run-failed FileCheck '# RUN: ${LLC} | FileCheck %s': *** Bad machine code: y ***`,
    ]);
    assert.deepEqual(failing("llc: for 'gfx900' nothing").findings, [
      "Error run-failed FileCheck '-mcpu=gfx900': llc: for 'gfx900' nothing",
    ]);
    assert.deepEqual(failing('llc: something').findings, ["Error run-failed FileCheck 'llc': llc: something"]);
    assert.deepEqual(failing('error: no check strings found with prefix').findings, [
      "Error run-failed FileCheck 'FileCheck': error: no check strings found with prefix",
    ]);
    const extra = TEXT.replace('-o - %s', '-o - %s other.mir');
    assert.deepEqual(failing('llc: Too many positional arguments specified!', {}, extra).findings, [
      "Error run-failed FileCheck 'other.mir': llc: Too many positional arguments specified!",
    ]);
    const long = `x${'y'.repeat(100)}`;
    assert.equal(failing(long).lenses[0], `0: ✗ ${long.slice(0, 80)}… []`);
    assert.equal(failing(long.slice(0, 80)).lenses[0], `0: ✗ ${long.slice(0, 80)} []`);
    assert.deepEqual(
      failing('a\nb\nc\nd\ne').findings.map((f) => f.split(': ').pop()),
      ['a\nb\nc\nd'],
    );
    // What is wrong with the text stands there already.
    assert.deepEqual(failing('llc: something', {}, TEXT.replace('S_ENDPGM 0', 'S_NOTHING 0')).findings, []);
    // A failure that is wanted is none.
    const wanted = failing('llc: something', { isExpectedToFail: true });
    assert.deepEqual([wanted.lenses[0], wanted.findings], ['0: ✗ llc: something (as XFAIL says) []', []]);
    assert.equal(show(test([run({})], { isExpectedToFail: true })).lenses[0], '0: ✓ passed unexpectedly (XFAIL) []');
  });

  it('that are none: why, as a hint at the word; not a word on other targets', () => {
    const none = (detail: string, settings: Partial<Settings> = {}): Shown =>
      show(test([run({ verdict: 'unsupported', detail })]), TEXT, settings);
    const known = none("there is no program 'FileCheck' here");
    assert.deepEqual(known.lenses, ["0: – not run here: there is no program 'FileCheck' here []", `0: run ${RUN}`]);
    assert.deepEqual(known.findings, ["Hint run-not-here FileCheck 'FileCheck': there is no program 'FileCheck' here"]);
    assert.deepEqual(none('it takes too long').findings, []);
    const other = none("there is no target 'x86' here");
    assert.deepEqual([other.lenses, other.findings], [['0: – not AMDGPU, not run []'], []]);
    assert.equal(none("there is no target 'x86' here", { llcPath: 'llc' }).lenses.length, 3);
    const foreign = TEXT.replaceAll('-mtriple=amdgcn', '-mtriple=x86_64');
    assert.deepEqual(show(test([run({ verdict: 'unsupported', detail: 'x' })]), foreign).lenses, []);
    assert.equal(
      show(test([run({ verdict: 'unsupported', detail: 'x' })]), foreign, { llcPath: 'llc' }).lenses.length,
      3,
    );
  });

  it('of a test that does not run at all, at its first RUN line', () => {
    const of = (problem: string, isEdited = false): string[] =>
      show(test([], { problem }), TEXT, {}, isEdited).findings;
    assert.deepEqual(of('no such thing'), [`Error run-failed FileCheck '# RUN: ${LLC} | FileCheck %s': no such thing`]);
    assert.deepEqual(of('no such thing', true), []);
    assert.deepEqual(of('Missing required feature(s): asserts'), []);
    assert.deepEqual(of('Unsupported configuration'), []);
    assert.deepEqual(of(''), []);
  });

  it('with lines that the script would write otherwise: told where no line fails', () => {
    const script = `# NOTE: Assertions have been autogenerated by utils/update_mir_test_checks.py\n${TEXT}`;
    const outdated = [{ start: LABEL + 1, end: VALUE + 2 }];
    const edited = show(test([run({ line: 1 })], { outdated }), script);
    assert.deepEqual(edited.lenses, [
      '1: ✓ passed []',
      `1: run ${RUN}`,
      `1: update CHECK lines [${UPDATE_CHECKS_COMMAND} ${URI}]`,
    ]);
    assert.deepEqual(edited.findings, [
      "Information checks-outdated FileCheck '; CHECK-LABEL: name: f\n    ; CHECK: [[A:%[0-9]+]]': autogenerated lines that were edited, or whose output has changed: update_mir_test_checks.py writes others",
    ]);
    assert.deepEqual(show(test([run({ line: 1 })], { outdated }), script, {}, true).findings, []);
    const failing = run({ line: 1, verdict: 'failed', detail: 'd', findings: [{ line: VALUE + 1, message: 'd' }] });
    assert.deepEqual(
      show(test([failing], { outdated }), script).findings.map((f) => f.split(' ')[1]),
      ['check-failed'],
    );
    assert.equal(show(test([failing]), script).lenses.length, 3, 'a failing line is reason enough');
    assert.equal(show(test([failing]), TEXT).lenses.length, 0 + 2, 'the script has not made them');
  });

  it('on a CHECK line: where it matches, for each RUN line that looks at it', () => {
    const output = 'name: f\n  body\n  %5 = X\n';
    const hover = (verdict: TestVerdict, at: number, settings: Partial<Settings> = {}, isEdited = false): string[] => {
      const { snapshot } = show(verdict, TEXT, settings, isEdited);
      const position = { line: at, character: 8 };
      const found: Hover | null = provideHover(snapshot, { position });
      return ((found?.contents as { value: string } | undefined)?.value ?? '')
        .split('\n')
        .map((l) => l.trim())
        .slice(2);
    };
    const of = (checks: RunVerdict['checks'], more: Partial<RunVerdict> = {}): TestVerdict =>
      test([run({ checks, output, ...more })]);
    assert.deepEqual(hover(of([check(VALUE, 'matched', 2, ['A = %5'])]), VALUE), [
      '✓ matches line 3 of the output, `A = %5`: `%5 = X`',
    ]);
    assert.deepEqual(hover(of([check(VALUE, 'matched', 2)], { output: null }), VALUE), [
      '✓ matches line 3 of the output',
    ]);
    assert.deepEqual(hover(of([check(VALUE, 'matched')]), VALUE), ['✓ nowhere in its part of the output']);
    assert.deepEqual(hover(of([check(VALUE, 'failed')], { verdict: 'failed' }), VALUE), ['✗ fails']);
    assert.deepEqual(
      hover(of([check(VALUE, 'not reached', -1, ['A = 1', 'B = 2', 'C = 3', 'D = 4', 'E = 5'])]), VALUE),
      ['– not reached, `A = 1`, `B = 2`, `C = 3`, `D = 4`'],
    );
    assert.deepEqual(hover(of([check(VALUE, 'matched', 0)]), VALUE + 1, {}, true), [
      '\\~ before the last edit: ✓ matches line 1 of the output: `name: f`',
    ]);
    const both = test([0, 1, 0, 1].map((l) => run({ line: l, checks: [check(VALUE, 'matched', l)], output })));
    assert.deepEqual(hover(both, VALUE), [
      '✓ matches line 1 of the output: `name: f` (RUN line 1)',
      '✓ matches line 2 of the output: `body` (RUN line 2)',
      '✓ matches line 1 of the output: `name: f` (RUN line 1)',
    ]);
    assert.match(
      hover(of([check(VALUE, 'matched', 2)]), VALUE, { commandLinks: true })[0]!,
      /^✓ matches \[line 3 of the output\]\(command:amdgpu-mir\.showRunOutput\?.*%2C0%2C2.*\)/,
    );
  });
});

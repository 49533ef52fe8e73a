/** What RUN lines have come to, in a text that was edited since: lines, lenses, and what is left out. */
import assert from 'node:assert/strict';
import { DocumentVerdict, type LineEdit } from '../../../../server/src/features/snapshot/documentVerdict.js';
import {
  headline,
  isOfOtherTarget,
  verdictTitle,
  worstState,
  type RunVerdict,
  type TestVerdict,
} from '../../../../server/src/features/snapshot/verdict.js';
import { verdictDiagnostics } from '../../../../server/src/features/checks/verdictDiagnostics.js';
import { verdictLenses } from '../../../../server/src/features/checks/verdictLens.js';
import type { Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { openText } from '../../../support/cursor.js';

const run = (line: number, more: Partial<RunVerdict> = {}): RunVerdict => ({
  ...{ line, verdict: 'passed', detail: '', findings: [], checks: [], output: null },
  ...more,
});
const test = (runs: readonly RunVerdict[], more: Partial<TestVerdict> = {}): TestVerdict => ({
  ...{ runs, problem: '', isExpectedToFail: false, outdated: [] },
  ...more,
});
const check = (line: number): RunVerdict['checks'][number] => ({ line, state: 'matched', at: -1, variables: [] });
const edit = (start: number, end: number, nLines: number): LineEdit => ({ start, end, nLines });

const verdictAfter = (of: TestVerdict, ...edits: readonly LineEdit[]): DocumentVerdict =>
  edits.reduce((v, e) => v.edited(e)!, DocumentVerdict.of(of));

describe('lines of a verdict in a text that was edited', () => {
  const CASES: readonly (readonly [what: string, edits: readonly LineEdit[], now: readonly number[]])[] = [
    ['none', [], [0, 1, 2, 3, 4, 5, 6]],
    ['within a line', [edit(2, 2, 1)], [0, 1, 2, 3, 4, 5, 6]],
    ['a line more', [edit(2, 2, 2)], [0, 1, 2, 4, 5, 6, 7]],
    ['three more', [edit(0, 0, 4)], [0, 4, 5, 6, 7, 8, 9]],
    ['two lines made one', [edit(2, 3, 1)], [0, 1, 2, -1, 3, 4, 5]],
    ['three lines made one', [edit(2, 4, 1)], [0, 1, 2, -1, -1, 3, 4]],
    ['three lines made three', [edit(2, 4, 3)], [0, 1, 2, -1, -1, 5, 6]],
    ['the last one', [edit(6, 6, 2)], [0, 1, 2, 3, 4, 5, 6]],
    ['one after the other', [edit(2, 2, 2), edit(4, 4, 3)], [0, 1, 2, 4, 7, 8, 9]],
    ['one that takes what the other has moved', [edit(0, 0, 2), edit(3, 4, 1)], [0, 2, 3, -1, 4, 5, 6]],
  ];
  for (const [what, edits, now] of CASES)
    it(what, () => {
      const verdict = verdictAfter(test([run(3), run(5)]), ...edits);
      assert.deepEqual(
        [0, 1, 2, 3, 4, 5, 6].map((line) => verdict.nowAt(line)),
        now,
      );
      assert.equal(verdict.isStale, edits.length > 0);
      for (let line = 0; line < 12; line++) {
        const wanted = [3, 5].find((l) => now[l] === line);
        assert.equal(verdict.runAt(line)?.line, wanted, `${line}`);
      }
    });

  it('two hundred edits, and it is forgotten', () => {
    let verdict: DocumentVerdict | null = DocumentVerdict.of(test([]));
    for (let k = 0; k < 200; k++) verdict = verdict!.edited(edit(0, 0, 1));
    assert.ok(verdict);
    assert.equal(verdict.edited(edit(0, 0, 1)), null);
  });

  it('what RUN lines say of each directive', () => {
    const [first, second] = [run(0, { checks: [check(2), check(4)] }), run(1, { checks: [check(4)] })];
    const lines = (verdict: DocumentVerdict): number[][] =>
      [0, 1, 2, 3, 4, 5].map((line) => verdict.checksAt(line).map((c) => c.run.line * 10 + c.check.line));
    const none: number[] = [];
    assert.deepEqual(lines(verdictAfter(test([first, second]))), [none, none, [2], none, [4, 14], none]);
    assert.deepEqual(lines(verdictAfter(test([first, second]), edit(2, 2, 2))), [none, none, [2], none, none, [4, 14]]);
    assert.deepEqual(lines(verdictAfter(test([first, second]), edit(1, 2, 1))), [
      none,
      none,
      none,
      [4, 14],
      none,
      none,
    ]);
    assert.deepEqual(lines(verdictAfter(test([run(0, { checks: [check(0)] })]))), [[0], none, none, none, none, none]);
  });
});

describe('a verdict in a few words', () => {
  const finding = (line: number): RunVerdict['findings'][number] => ({ line, message: 'm' });
  const checks = (n: number): RunVerdict['checks'] => Array.from({ length: n }, (_, k) => check(k));
  const failed = (more: Partial<RunVerdict>): RunVerdict => run(0, { verdict: 'failed', ...more });
  const CASES: readonly (readonly [RunVerdict, string])[] = [
    [run(0), 'passed'],
    [run(0, { checks: checks(1) }), '1 CHECK line matches'],
    [run(0, { checks: checks(2) }), '2 CHECK lines match'],
    [run(0, { verdict: 'unsupported', checks: checks(2) }), 'not run here'],
    [failed({ checks: checks(3), findings: [finding(1)] }), '1 of 3 CHECK lines fails'],
    [failed({ checks: checks(3), findings: [finding(1), finding(1)] }), '1 of 3 CHECK lines fails'],
    [failed({ checks: checks(3), findings: [finding(1), finding(2)] }), '2 of 3 CHECK lines fail'],
    [failed({ detail: ' first \nsecond' }), 'first'],
    [failed({ detail: 'x'.repeat(80) }), 'x'.repeat(80)],
    [failed({ detail: 'x'.repeat(81) }), `${'x'.repeat(80)}…`],
    [failed({ detail: `# Machine code\n*** Bad machine code: it is ***\nmore` }), '*** Bad machine code: it is ***'],
  ];
  for (const [given, title] of CASES) it(title, () => assert.equal(verdictTitle(given), title));

  it('what is wrong goes in front', () => {
    assert.equal(headline('a\n*** Bad machine code: b'), '*** Bad machine code: b');
    assert.equal(headline('a *** Bad machine code: b'), 'a *** Bad machine code: b');
    assert.equal(headline('a'), 'a');
    assert.equal(worstState(['matched', 'failed', 'not reached']), 'failed');
    assert.equal(worstState(['not reached', 'matched']), 'matched');
    assert.equal(worstState(['not reached']), 'not reached');
    assert.equal(worstState([]), 'not reached');
    const other = 'there is no target x86';
    assert.equal(isOfOtherTarget(run(0, { verdict: 'unsupported', detail: other })), true);
    assert.equal(isOfOtherTarget(run(0, { verdict: 'failed', detail: other })), false);
    assert.equal(isOfOtherTarget(run(0, { verdict: 'unsupported', detail: `so ${other}` })), false);
  });
});

const TEXT = `# RUN: llc -mtriple=amdgcn -o - %s | FileCheck %s
  # RUN: llc -mtriple=amdgcn -o - %s
---
name: f
body: |
  bb.0:
    ; CHECK: x
    S_ENDPGM 0
...
`;

function having(verdict: DocumentVerdict | null, more: object = {}, text = TEXT): Snapshot {
  const { snapshot } = openText(text);
  const extra = Object.fromEntries(Object.entries(more).map(([key, value]) => [key, { value: value as unknown }]));
  return Object.create(snapshot, { verdict: { value: verdict }, ...extra }) as Snapshot;
}

describe('lines above RUN lines', () => {
  const NOTE = '# NOTE: Assertions have been autogenerated by utils/update_mir_test_checks.py\n';
  const lenses = (of: TestVerdict, edits: readonly LineEdit[] = [], more: object = {}, text = TEXT): string[] => {
    const shown = new Map<number, string[]>();
    for (const { range, command } of verdictLenses(having(verdictAfter(of, ...edits), more, text))) {
      assert.deepEqual([range.start.character, range.end], [0, range.start]);
      const { line } = range.start;
      shown.set(line, [...(shown.get(line) ?? []), command!.title]);
      if (command!.title === 'output' || command!.title === 'compare with llc')
        assert.deepEqual(command!.arguments, ['file:///test.mir', line]);
    }
    return [...shown].map(([line, titles]) => `${line}: ${titles.join(' | ')}`);
  };
  const failed = run(0, { verdict: 'failed', detail: 'it is', output: 'out' });
  const not = run(1, { verdict: 'unsupported', detail: 'no\nway' });
  const other = run(1, { verdict: 'unsupported', detail: 'there is no target x' });
  const llc = { settings: { llcPath: '/llc' } };

  it('say what it came to, and what can be done', () => {
    assert.deepEqual(verdictLenses(having(null)), []);
    assert.deepEqual(lenses(test([run(0), run(1)])), ['0: ✓ passed | run', '1: ✓ passed | run']);
    assert.deepEqual(lenses(test([failed, not])), ['0: ✗ it is | run | output', '1: – not run here: no␊way | run']);
    assert.deepEqual(lenses(test([failed, not]), [edit(5, 5, 1)]), [
      '0: ~ it is | run | output',
      '1: ~ not run here: no␊way | run',
    ]);
    assert.deepEqual(lenses(test([run(0, { output: '' })])), ['0: ✓ passed | run']);
    assert.deepEqual(lenses(test([failed, not]), [], llc), [
      '0: ✗ it is | run | output | compare with llc',
      '1: – not run here: no␊way | run | compare with llc',
    ]);
  });

  it('stand where the lines are now', () => {
    assert.deepEqual(lenses(test([run(0), run(1)]), [edit(0, 0, 2)]), ['0: ~ passed | run', '2: ~ passed | run']);
    assert.deepEqual(lenses(test([run(0), run(1)]), [edit(0, 1, 1)]), ['0: ~ passed | run']);
    const { lineCount } = having(null).text;
    assert.deepEqual(lenses(test([run(0), run(lineCount - 1), run(lineCount), run(99)])), [
      '0: ✓ passed | run',
      `${lineCount - 1}: ✓ passed | run`,
    ]);
  });

  it('leave out what is of other targets', () => {
    assert.deepEqual(lenses(test([other])), ['1: – not AMDGPU, not run']);
    assert.deepEqual(lenses(test([other]), [], llc), [
      '1: – not run here: there is no target x | run | compare with llc',
    ]);
    assert.deepEqual(lenses(test([other, not, run(0)]), [], { target: { foreign: 'x86' } }), ['0: ✓ passed | run']);
  });

  it('what XFAIL says', () => {
    const expected = { isExpectedToFail: true };
    assert.deepEqual(lenses(test([run(0), run(1)], expected)), [
      '0: ✓ passed unexpectedly (XFAIL) | run',
      '1: ✓ passed unexpectedly (XFAIL) | run',
    ]);
    assert.deepEqual(lenses(test([failed, run(1)], expected)), [
      '0: ✗ it is (as XFAIL says) | run | output',
      '1: ✓ passed | run',
    ]);
    assert.deepEqual(lenses(test([not], expected)), ['1: – not run here: no␊way | run']);
  });

  it('update what the script has made', () => {
    const made = NOTE + TEXT;
    const update = '1: ✓ passed | run | update CHECK lines';
    assert.deepEqual(lenses(test([run(1)], { outdated: [{ start: 6, end: 7 }] }), [], {}, made), [update]);
    assert.deepEqual(lenses(test([run(1)]), [], {}, made), ['1: ✓ passed | run']);
    assert.deepEqual(lenses(test([run(1)], { outdated: [{ start: 6, end: 7 }] })), ['1: ✓ passed | run']);
    const found = run(1, { verdict: 'failed', checks: [check(7)], findings: [{ line: 7, message: 'm' }] });
    assert.deepEqual(lenses(test([found]), [], {}, made), ['1: ✗ 1 of 1 CHECK lines fails | run | update CHECK lines']);
  });
});

describe('findings of RUN lines', () => {
  const shown = (of: TestVerdict, edits: readonly LineEdit[] = [], explained: readonly number[] = []): string[] => {
    const snapshot = having(verdictAfter(of, ...edits));
    const at = explained.map((start) => ({ start, end: start }));
    return verdictDiagnostics(snapshot, at).map(
      ({ range, severity, code, message, source }) =>
        `${range.start.line}:${range.start.character} ${source!} ${String(code)} ${severity!}: ${String(message)}`,
    );
  };
  const failing = (line: number, ...findings: readonly (readonly [number, string])[]): RunVerdict =>
    run(line, {
      verdict: 'failed',
      detail: 'why',
      findings: findings.map(([at, message]) => ({ line: at, message })),
    });

  it('stand at the directive, where it is now', () => {
    assert.deepEqual(shown(test([failing(0, [6, 'why'])])), ['6:4 FileCheck check-failed 1: why']);
    assert.deepEqual(shown(test([failing(0, [6, 'why'])]), [edit(7, 7, 1)]), ['6:4 FileCheck check-failed 3: why']);
    assert.deepEqual(shown(test([failing(0, [6, 'why'])]), [edit(5, 6, 1)]), []);
    assert.deepEqual(
      shown(test([failing(0, [9, 'why'])])),
      ['9:0 FileCheck check-failed 1: why'],
      'the empty last one',
    );
    assert.deepEqual(shown(test([failing(0, [10, 'why'])])), []);
    assert.deepEqual(shown(test([failing(0, [6, 'why'])], { isExpectedToFail: true })), []);
  });

  it('of which of several RUN lines, and why one fails besides', () => {
    assert.deepEqual(shown(test([failing(0, [6, 'why']), failing(1, [6, 'other'])])), [
      '6:4 FileCheck check-failed 1: why\n(RUN line 1)',
      '6:4 FileCheck check-failed 1: other\n(RUN line 2)',
      '1:2 FileCheck run-failed 1: why',
    ]);
    assert.deepEqual(shown(test([failing(1)])), ['1:2 FileCheck run-failed 1: why']);
    assert.deepEqual(shown(test([failing(1)]), [edit(0, 1, 1)]), []);
    assert.deepEqual(shown(test([failing(9), failing(10), failing(99)])), ['9:0 FileCheck run-failed 1: why']);
  });

  it('not where a finding says so already', () => {
    const second = TEXT.indexOf('# RUN', 1);
    assert.deepEqual(shown(test([failing(1)]), [], [second]), []);
    assert.deepEqual(shown(test([failing(1)]), [], [TEXT.indexOf('---') - 1]), []);
    for (const start of [0, TEXT.indexOf('\n'), TEXT.indexOf('---'), TEXT.length])
      assert.deepEqual(shown(test([failing(1)]), [], [start]), ['1:2 FileCheck run-failed 1: why'], `${start}`);
  });

  it('two hundred at most', () => {
    const many = (n: number): string[] =>
      shown(test([failing(0, ...Array.from({ length: n }, () => [6, 'why'] as const))]));
    assert.equal(many(200).length, 200);
    assert.equal(many(201).length, 200);
    const runs = Array.from({ length: 201 }, () => failing(1));
    assert.equal(shown(test(runs)).length, 200);
    const words = Array.from({ length: 201 }, () => run(0, { verdict: 'failed', detail: "'-o' is wrong" }));
    assert.equal(shown(test(words)).length, 200);
  });

  it('why none was run', () => {
    const problem = (text: string): string[] => shown(test([], { problem: text }));
    assert.deepEqual(problem('it is so\nand so'), ['0:0 FileCheck run-failed 1: it is so␊and so']);
    assert.deepEqual(problem('Missing required feature(s): x'), []);
    assert.deepEqual(problem('Unsupported configuration: x'), []);
    assert.deepEqual(shown(test([], { problem: 'p' }), [edit(7, 7, 1)]), []);
  });

  it('of lines that the script would write otherwise', () => {
    const outdated = (...blocks: readonly (readonly [number, number])[]): Partial<TestVerdict> => ({
      outdated: blocks.map(([start, end]) => ({ start, end })),
    });
    const line = (at: string): string =>
      `${at} FileCheck checks-outdated 3: autogenerated lines that were edited, or whose output has changed: update_mir_test_checks.py writes others`;
    assert.deepEqual(shown(test([run(0)], outdated([6, 7]))), [line('6:4')]);
    assert.deepEqual(shown(test([run(0)], outdated([6, 6], [7, 8]))), [line('6:4'), line('7:4')]);
    assert.deepEqual(shown(test([run(0)], outdated([8, 10], [8, 11], [10, 10]))), [line('8:0')]);
    assert.deepEqual(shown(test([run(0)], outdated([6, 7])), [edit(7, 7, 1)]), []);
    const told = '6:4 FileCheck check-failed 1: why';
    assert.deepEqual(shown(test([failing(0, [6, 'why'])], outdated([6, 7], [7, 8]))), [told, line('7:4')]);
    assert.deepEqual(shown(test([failing(0, [6, 'why'])], outdated([5, 7]))), [told]);
    assert.deepEqual(shown(test([failing(0, [6, 'why'])], outdated([5, 6]))), [told, line('5:2')]);
  });
});

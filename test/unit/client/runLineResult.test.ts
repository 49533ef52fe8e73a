/** The test explorer's results of RUN lines: with XFAIL they are those of the whole test, as in lit. */
import assert from 'node:assert/strict';
import { placeOfError, runLineResult, UNEXPECTED_PASS } from '../../../client/src/runLineResult';
import type { RunLinesResult } from '../../../server/src/lsp/common/customRequests.js';

type Verdict = RunLinesResult['runs'][number]['verdict'];

const results = (isExpectedToFail: boolean, ...verdicts: Verdict[]): string[] => {
  const runs = verdicts.map((verdict, line) => ({ line, verdict, detail: '', findings: [] }));
  return runs.map(({ line }) => runLineResult({ runs, problem: '', isExpectedToFail }, line).result);
};

describe('results of RUN lines', () => {
  it('are the verdicts without XFAIL', () => {
    assert.deepEqual(results(false, 'passed', 'failed', 'unsupported'), ['passed', 'failed', 'skipped']);
  });

  it('a line that fails is what XFAIL wants', () => {
    assert.deepEqual(results(true, 'passed', 'failed', 'unsupported'), ['passed', 'passed', 'skipped']);
  });

  it('a test that passes in spite of XFAIL fails, and says so', () => {
    assert.deepEqual(results(true, 'passed', 'passed'), ['failed', 'failed']);
    const answer: RunLinesResult = {
      runs: [{ line: 0, verdict: 'passed', detail: '', findings: [] }],
      problem: '',
      isExpectedToFail: true,
    };
    assert.deepEqual(runLineResult(answer, 0), { result: 'failed', why: UNEXPECTED_PASS });
  });

  it('nothing is known where a line is not run here', () => {
    assert.deepEqual(results(true, 'passed', 'unsupported'), ['skipped', 'skipped']);
    assert.deepEqual(runLineResult({ runs: [], problem: 'REQUIRES: asserts', isExpectedToFail: true }, 0), {
      result: 'skipped',
      why: 'REQUIRES: asserts',
    });
  });

  it('an error of llc has its place in the test', () => {
    assert.deepEqual(placeOfError('error: %s:13:41: expected a machine operand\n  V_NOP x\n        ^'), {
      line: 12,
      column: 40,
      message: 'expected a machine operand\n  V_NOP x\n        ^',
    });
    assert.equal(placeOfError('llc: error: %s:13:41: x'), null);
    assert.equal(placeOfError('error: other.mir:1:2: x'), null);
  });
});

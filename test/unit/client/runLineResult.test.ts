/** The test explorer's results of RUN lines: with XFAIL they are those of the whole test, as in lit. */
import assert from 'node:assert/strict';
import { runLineResult, UNEXPECTED_PASS } from '../../../client/src/runLineResult';
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
});

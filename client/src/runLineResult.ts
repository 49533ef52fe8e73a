/** What the test explorer says of a RUN line. Knows nothing of VS Code. */
import type { RunLinesResult } from '../../server/src/lsp/common/customRequests.js';

export type Result = 'passed' | 'failed' | 'skipped';

export const UNEXPECTED_PASS = 'unexpectedly passed: XFAIL says that this test fails';

/**
 * The result of the RUN line at `line` (0-based) and, unless it passed, why; `why` is empty where the findings of the line tell. A test that XFAIL names passes when one
 * of its lines fails, and fails with all of them when none does, as in lit.
 */
export function runLineResult(answer: RunLinesResult, line: number): { readonly result: Result; readonly why: string } {
  const { runs, problem, isExpectedToFail } = answer;
  const found = runs.find((run) => run.line === line);
  if (problem !== '' || !found) return { result: 'skipped', why: problem };
  if (found.verdict === 'unsupported') return { result: 'skipped', why: found.detail };
  if (!isExpectedToFail) return { result: found.verdict, why: '' };
  if (runs.some((run) => run.verdict === 'failed')) return { result: 'passed', why: '' };
  return runs.every((run) => run.verdict === 'passed')
    ? { result: 'failed', why: UNEXPECTED_PASS }
    : { result: 'skipped', why: 'XFAIL says that this test fails, which a RUN line that is not run here may do' };
}

/** What llc says of a place in the test itself, with that place (0-based); null where it names none. */
export function placeOfError(
  detail: string,
): { readonly line: number; readonly column: number; readonly message: string } | null {
  const [prefix, line, column] = /^error: %s:(\d+):(\d+): /.exec(detail) ?? [];
  if (prefix === undefined) return null;
  return { line: Number(line) - 1, column: Number(column) - 1, message: detail.slice(prefix.length) };
}

/** `amdgpuMir/runLines` and `amdgpuMir/runOutput`: what is known of a test's RUN lines. The server has them run before it asks. */
import type { Snapshot } from '../snapshot/snapshot.js';
import type { RunVerdict, TestVerdict } from '../snapshot/verdict.js';

export type RunLineResult = Pick<RunVerdict, 'line' | 'verdict' | 'detail' | 'findings'>;

export interface RunLinesResult {
  readonly runs: readonly RunLineResult[];
  /** why none was run; empty when they were */
  readonly problem: string;
  readonly isExpectedToFail: boolean;
}

/** What a client shows of a verdict. */
export const runLinesOf = ({ runs, problem, isExpectedToFail }: TestVerdict): RunLinesResult => ({
  runs: runs.map(({ line, verdict, detail, findings }) => ({ line, verdict, detail, findings })),
  problem,
  isExpectedToFail,
});

/** Null when nothing is known of the present text. */
export function provideRunLines({ verdict }: Snapshot): RunLinesResult | null {
  return verdict && !verdict.isStale ? runLinesOf(verdict.test) : null;
}

/** What FileCheck read of the RUN line at a position, or llc wrote; null when there is none, or it is too long. */
export function provideRunOutput(
  { verdict }: Snapshot,
  { position }: { readonly position: { readonly line: number } },
): string | null {
  return verdict?.runAt(position.line)?.output ?? null;
}

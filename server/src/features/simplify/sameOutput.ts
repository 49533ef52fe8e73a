/**
 * Whether the RUN lines of a test still write what they wrote. Where llc reads the same functions, every pass does the same to them; else the RUN lines
 * are run here, before and after, and both the output (without the embedded IR, which a rule may be about) and FileCheck's verdict have to be equal. What
 * cannot be run here is not taken for equal.
 */
import { printFunctionDocument } from '../../model/printer/index.js';
import type { ProgressToken } from '../../util/cancellation.js';
import { errorsOf, onTargets } from '../fixes/finding.js';
import { runTest } from '../checks/runTest.js';
import type { TestVerdict } from '../snapshot/verdict.js';
import type { Snapshot } from '../snapshot/snapshot.js';

/** llc reads the same functions, on every target of the file, and finds no more wrong. */
export function readsTheSame(before: Snapshot, after: Snapshot): boolean {
  if (before.functions.length !== after.functions.length) return false;
  if (after.fileDiagnostics.length > before.fileDiagnostics.length) return false;
  const others = onTargets(after);
  return onTargets(before).every((target, t) => {
    const other = others[t];
    return target.snapshot.functions.every((view, k) => {
      const now = other?.snapshot.functions[k];
      if (!now?.fn || !view.fn) return now?.fn === view.fn;
      return (
        errorsOf(now).length <= errorsOf(view).length &&
        printFunctionDocument(now.fn) === printFunctionDocument(view.fn)
      );
    });
  });
}

/** What a test's RUN lines come to, for comparisons; made once per text. */
export class RunOutputs {
  private verdict: TestVerdict | null = null;

  constructor(private readonly text: string) {}

  /** Throws Cancelled. */
  of(token: ProgressToken): TestVerdict {
    return (this.verdict ??= runTest(this.text, new Map(), token));
  }

  /** There are RUN lines, and all of them can be run here. Throws Cancelled. */
  areKnown(token: ProgressToken): boolean {
    const { problem, runs } = this.of(token);
    return problem === '' && runs.length > 0 && runs.every((r) => r.verdict !== 'unsupported');
  }
}

const IR_DOCUMENT = /^--- \|[\s\S]*?^\.\.\.$/m;

/** Throws Cancelled. */
export function writesTheSame(before: RunOutputs, after: RunOutputs, token: ProgressToken): boolean {
  if (!before.areKnown(token)) return false;
  const was = before.of(token);
  const now = after.of(token);
  return (
    now.problem === '' &&
    now.runs.length === was.runs.length &&
    was.runs.every((run, k) => {
      const { verdict, output } = now.runs[k]!;
      if (output === null || run.output === null) return false;
      return verdict === run.verdict && output.replace(IR_DOCUMENT, '') === run.output.replace(IR_DOCUMENT, '');
    })
  );
}

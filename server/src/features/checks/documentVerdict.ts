/** The last verdict of a document, with its lines where edits have moved them. Immutable. */
import type { CheckLine, RunVerdict, TestVerdict } from './verdict.js';

/** Lines [start, end] of a text, which an edit has made `nLines` lines. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly nLines: number;
}

/** More edits than these since a verdict, and its places are forgotten. */
const MAX_EDITS = 200;

export class DocumentVerdict {
  private constructor(
    readonly test: TestVerdict,
    private readonly edits: readonly LineEdit[],
  ) {}

  /** Of the present text. */
  static of(test: TestVerdict): DocumentVerdict {
    return new DocumentVerdict(test, []);
  }

  /** The text has changed since: what is known may hold no longer. */
  get isStale(): boolean {
    return this.edits.length > 0;
  }

  edited(edit: LineEdit): DocumentVerdict | null {
    return this.edits.length < MAX_EDITS ? new DocumentVerdict(this.test, [...this.edits, edit]) : null;
  }

  /** Where a line of the verdict's text stands now; -1 = it was edited away. */
  nowAt(line: number): number {
    let now = line;
    for (const { start, end, nLines } of this.edits) {
      if (now <= start) continue;
      if (now <= end && start < end) return -1;
      now += nLines - (end - start + 1);
    }
    return now;
  }

  /** The RUN line that begins in a line of the present text. */
  runAt(line: number): RunVerdict | undefined {
    return this.test.runs.find((run) => this.nowAt(run.line) === line);
  }

  /** What each RUN line says of the directives in a line of the present text. */
  checksAt(line: number): { readonly run: RunVerdict; readonly check: CheckLine }[] {
    return this.test.runs.flatMap((run) =>
      run.checks.filter((c) => this.nowAt(c.line) === line).map((check) => ({ run, check })),
    );
  }
}

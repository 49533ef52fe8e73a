/** The last verdict of a document, with its lines where edits have moved them. Immutable. */
import type { CheckLine, RunVerdict, TestVerdict } from './verdict.js';

/** Lines [start, end] of a text, which an edit has made `nLines` lines. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly nLines: number;
}

/** What a RUN line says of a directive. */
interface CheckOfRun {
  readonly run: RunVerdict;
  readonly check: CheckLine;
}

/** More edits than these since a verdict, and its places are forgotten. */
const MAX_EDITS = 200;

export class DocumentVerdict {
  private byLine: Map<number, CheckOfRun[]> | null = null;

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
  checksAt(line: number): readonly CheckOfRun[] {
    return (this.byLine ??= this.checksByLine()).get(line) ?? [];
  }

  /** Callers ask line by line: O(checks * edits), once. */
  private checksByLine(): Map<number, CheckOfRun[]> {
    const found = new Map<number, CheckOfRun[]>();
    for (const run of this.test.runs)
      for (const check of run.checks) {
        const line = this.nowAt(check.line);
        if (line < 0) continue;
        const known = found.get(line);
        if (known) known.push({ run, check });
        else found.set(line, [{ run, check }]);
      }
    return found;
  }
}

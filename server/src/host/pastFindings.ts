/**
 * What took long to find out about versions of a document, for an edit that brings one of them back, as undo does: the editor then shows at once
 * what it showed before. Versions are known by their fingerprints, so that no text is kept.
 */
import type { TestVerdict } from '../features/snapshot/verdict.js';
import type { CopyVerdict } from '../passes/fixSgprCopies/fixSgprCopies.js';
import { fingerprint } from '../util/fingerprint.js';
import { RecentOfSize } from '../util/recent.js';

/** Characters of messages and outputs of all versions. */
const MAX_CHARACTERS = 1 << 20;
/** Verdicts on copies, and characters of keys, of all versions. */
const MAX_COPIES = 1 << 15;
/** What a verdict takes besides, and each of its lines. */
const [OVERHEAD, LINE_OVERHEAD] = [1 << 12, 32];

export class PastFindings {
  private readonly tests = new RecentOfSize<TestVerdict>(MAX_CHARACTERS, charactersOf);
  private readonly copies = new RecentOfSize<readonly CopyVerdict[]>(MAX_COPIES, (found) => found.length);

  /** What the RUN lines of a text came to. */
  keepTest(text: string, verdict: TestVerdict): void {
    this.tests.set(fingerprint(text), verdict);
  }

  testOf(text: string): TestVerdict | null {
    const begin = `${text.length}:`;
    // Most edits need no fingerprint.
    for (const key of this.tests.keys()) if (key.startsWith(begin)) return this.tests.get(fingerprint(text)) ?? null;
    return null;
  }

  /** `key`: fingerprints of all that the verdicts depend on. */
  keepCopies(key: string, found: readonly CopyVerdict[]): void {
    this.copies.set(key, found);
  }

  /** `key` is asked for only when there are some. */
  copiesOf(key: () => string): readonly CopyVerdict[] | null {
    return this.copies.size === 0 ? null : (this.copies.get(key()) ?? null);
  }
}

const charactersOf = ({ runs, problem }: TestVerdict): number =>
  runs.reduce(
    (sum, { detail, findings, checks, output }) =>
      sum +
      detail.length +
      (output?.length ?? 0) +
      findings.reduce((n, f) => n + LINE_OVERHEAD + f.message.length, 0) +
      checks.reduce((n, c) => n + LINE_OVERHEAD + c.variables.join().length, 0),
    OVERHEAD + problem.length,
  );

/**
 * Outcomes of llc, the most recent ones; an edit of a CHECK line needs no other, one of a function those of the others. What they are of
 * is known by its fingerprint, so that no text is kept.
 */
import type { LlcMemory, LlcOutcome } from '../features/checks/runTest.js';
import type { FunctionOutcome, KnownFunctions } from '../program/knownFunctions.js';
import { fingerprint } from '../util/fingerprint.js';
import { RecentOfSize } from '../util/recent.js';

const MAX_CHARACTERS = 1 << 24;
/** What an outcome takes besides its texts. */
const OVERHEAD = 256;

export class LlcOutcomes implements LlcMemory {
  private readonly runs = new RecentOfSize<LlcOutcome>(MAX_CHARACTERS, ({ stdout, stderr, written }) =>
    written.reduce((sum, [, text]) => sum + text.length, OVERHEAD + stdout.length + stderr.length),
  );
  private readonly ofFunctions = new RecentOfSize<FunctionOutcome>(
    MAX_CHARACTERS,
    ({ told, text }) => OVERHEAD + told.length + text.length,
  );
  /** a short name for what runs have in common */
  private readonly settings = new RecentOfSize<number>(MAX_CHARACTERS, () => 0);
  private nSettings = 0;

  get(key: string): LlcOutcome | undefined {
    return this.runs.get(fingerprint(key));
  }

  set(key: string, outcome: LlcOutcome): void {
    this.runs.set(fingerprint(key), outcome);
  }

  functions(around: string): KnownFunctions {
    const key = fingerprint(around);
    let setting = this.settings.get(key);
    if (setting === undefined) this.settings.set(key, (setting = this.nSettings++));
    const { ofFunctions } = this;
    return {
      get: (document) => ofFunctions.get(`${setting}:${fingerprint(document)}`),
      set: (document, outcome) => ofFunctions.set(`${setting}:${fingerprint(document)}`, outcome),
    };
  }
}

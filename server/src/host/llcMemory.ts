/** Outcomes of llc, the most recent ones; an edit of a CHECK line needs no other, one of a function those of the others. */
import type { LlcMemory, LlcOutcome } from '../features/checks/runTest.js';
import type { FunctionOutcome, KnownFunctions } from '../program/knownFunctions.js';

const MAX_CHARACTERS = 1 << 25;

export class LlcOutcomes implements LlcMemory {
  private readonly runs = new Recent<LlcOutcome>(({ stdout, stderr, written }) =>
    written.reduce((sum, [, text]) => sum + text.length, stdout.length + stderr.length),
  );
  private readonly ofFunctions = new Recent<FunctionOutcome>(({ told, text }) => told.length + text.length);
  /** a short name for what runs have in common */
  private readonly settings = new Recent<number>(() => 0);
  private nSettings = 0;

  get(key: string): LlcOutcome | undefined {
    return this.runs.get(key);
  }

  set(key: string, outcome: LlcOutcome): void {
    this.runs.set(key, outcome);
  }

  functions(key: string): KnownFunctions {
    let setting = this.settings.get(key);
    if (setting === undefined) this.settings.set(key, (setting = this.nSettings++));
    const { ofFunctions } = this;
    return {
      get: (document) => ofFunctions.get(`${setting}\0${document}`),
      set: (document, outcome) => ofFunctions.set(`${setting}\0${document}`, outcome),
    };
  }
}

/** A map that forgets what was not asked for the longest when its keys and values are too many characters. */
class Recent<T> {
  private readonly kept = new Map<string, T>();
  private characters = 0;

  constructor(private readonly lengthOf: (value: T) => number) {}

  get(key: string): T | undefined {
    const found = this.kept.get(key);
    if (found !== undefined) {
      this.kept.delete(key);
      this.kept.set(key, found);
    }
    return found;
  }

  set(key: string, value: T): void {
    const before = this.kept.get(key);
    if (before !== undefined) this.characters -= key.length + this.lengthOf(before);
    this.kept.delete(key);
    this.kept.set(key, value);
    this.characters += key.length + this.lengthOf(value);
    for (const [oldest, old] of this.kept) {
      if (this.characters <= MAX_CHARACTERS) break;
      this.kept.delete(oldest);
      this.characters -= oldest.length + this.lengthOf(old);
    }
  }
}

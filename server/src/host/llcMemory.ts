/** Outcomes of llc, the most recent ones; an edit of a CHECK line needs no other. */
import type { LlcMemory, LlcOutcome } from '../features/checks/runTest.js';

const MAX_CHARACTERS = 1 << 25;

export class LlcOutcomes implements LlcMemory {
  private readonly kept = new Map<string, LlcOutcome>();
  private characters = 0;

  get(key: string): LlcOutcome | undefined {
    const found = this.kept.get(key);
    if (found) {
      this.kept.delete(key);
      this.kept.set(key, found);
    }
    return found;
  }

  set(key: string, outcome: LlcOutcome): void {
    this.kept.set(key, outcome);
    this.characters += sizeOf(key, outcome);
    for (const [oldest, old] of this.kept) {
      if (this.characters <= MAX_CHARACTERS) break;
      this.kept.delete(oldest);
      this.characters -= sizeOf(oldest, old);
    }
  }
}

const sizeOf = (key: string, { stdout, stderr, written }: LlcOutcome): number =>
  written.reduce((sum, [, text]) => sum + text.length, key.length + stdout.length + stderr.length);

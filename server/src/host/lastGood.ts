/**
 * The last good numbers of functions that are broken just now, usually because a line is half typed. Showing them beside the
 * lines that did not change keeps the screen quiet (ux.md, principle 5); they are marked as what they are.
 */
import type { PressureSummary } from '../analysis/summary.js';
import type { StaleSummary } from '../features/snapshot.js';

/** Only what is being edited matters, and each entry keeps an old text alive. */
const MAX_KEPT = 8;

interface Good {
  readonly summary: PressureSummary;
  /** the whole text of that version, and where the function's document stood in it */
  readonly text: string;
  readonly start: number;
  readonly length: number;
}

export class LastGood {
  private readonly byName = new Map<string, Good>();

  /** Remembers the summary of a function, by its name. */
  keep(name: string, summary: PressureSummary, text: string, start: number, length: number): void {
    this.byName.delete(name);
    this.byName.set(name, { summary, text, start, length });
    if (this.byName.size <= MAX_KEPT) return;
    const [oldest] = this.byName.keys();
    this.byName.delete(oldest!);
  }

  /** The summary kept for `name`, with its places mapped to the document [start, start + length) of the present text. */
  find(name: string, text: string, start: number, length: number): StaleSummary | null {
    const good = this.byName.get(name);
    if (!good) return null;
    const shorter = Math.min(length, good.length);
    let head = 0;
    while (head < shorter && text.charCodeAt(start + head) === good.text.charCodeAt(good.start + head)) head++;
    let tail = 0;
    const end = start + length;
    const goodEnd = good.start + good.length;
    while (tail < shorter && text.charCodeAt(end - 1 - tail) === good.text.charCodeAt(goodEnd - 1 - tail)) tail++;
    const delta = length - good.length;
    return {
      summary: good.summary,
      // Head and tail may overlap, as when a line is doubled: what lies wholly in one of them is unchanged.
      toOld: (from, to) => (to <= head ? from : length - tail <= from ? from - delta : -1),
      toNew: (from, to) => (to <= head ? from : good.length - tail <= from ? from + delta : -1),
    };
  }
}

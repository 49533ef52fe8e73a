/**
 * The last good numbers of functions that are broken just now, usually because a line is half typed. Showing them beside the
 * lines that did not change keeps the screen quiet (ux.md, principle 5); they are marked as what they are.
 */
import type { PressureSummary } from '../analysis/summary.js';
import type { StaleSummary } from '../features/snapshot/snapshot.js';
import type { LoweredFunction } from '../model/lowering/lowerFile.js';
import type { MirDocument } from '../syntax/tree.js';
import { RecentMap } from '../util/recent.js';
import type { FunctionResults } from './functionResults.js';

/** Only what is being edited matters, and each entry keeps an old text alive. */
const MAX_KEPT = 8;

/** A function of a version of the document. */
export interface VersionFunction {
  readonly name: string;
  readonly lowered: LoweredFunction;
  /** of its document, in the text of that version */
  readonly start: number;
}

interface Good {
  /** computes them, unless they are known */
  readonly summarize: () => PressureSummary | null;
  /** the whole text of that version, and where the function's document stood in it */
  readonly text: string;
  readonly start: number;
  readonly length: number;
}

export class LastGood {
  private readonly byName = new RecentMap<Good>(MAX_KEPT);

  /**
   * Remembers, of the version with `functions` and `text`, those that an edit has changed (`documents`: what there is after it) and
   * llc accepts, by name. Only if that is known, as it is after the background diagnostics: an edit computes nothing, and no answer
   * depends on what was asked before. O(functions)
   */
  keepChanged(
    functions: readonly VersionFunction[],
    text: string,
    documents: readonly MirDocument[],
    results: FunctionResults,
  ): void {
    const left = new Set(documents);
    for (const { name, lowered, start } of functions)
      if (!left.has(lowered.document) && results.isKnownGood(lowered))
        this.keep(name, () => results.summary(lowered), text, start, lowered.document.length);
  }

  /** Remembers a function by its name; its document stood at [start, start + length) of `text`. */
  keep(name: string, summarize: Good['summarize'], text: string, start: number, length: number): void {
    this.byName.set(name, { summarize, text, start, length });
  }

  /** Forgets functions that are good again; `isAll`: the others, too. */
  forget(names: Iterable<string>, isAll: boolean): void {
    if (isAll) this.byName.keepOnly(() => false);
    else for (const name of names) this.byName.delete(name);
  }

  /** Forgets functions whose name the file has no more, but the last one: it may be back with the next character. */
  keepOnly(isName: (name: string) => boolean): void {
    this.byName.keepOnly(isName, 1);
  }

  /** The summary kept for `name`, with its places mapped to the document [start, start + length) of the present text. */
  find(name: string, text: string, start: number, length: number): StaleSummary | null {
    const good = this.byName.get(name);
    const summary = good?.summarize();
    if (!good || !summary) return null;
    const shorter = Math.min(length, good.length);
    let head = 0;
    while (head < shorter && text.charCodeAt(start + head) === good.text.charCodeAt(good.start + head)) head++;
    let tail = 0;
    const end = start + length;
    const goodEnd = good.start + good.length;
    while (tail < shorter && text.charCodeAt(end - 1 - tail) === good.text.charCodeAt(goodEnd - 1 - tail)) tail++;
    const delta = length - good.length;
    return {
      summary,
      // Head and tail may overlap, as when a line is doubled: what lies wholly in one of them is unchanged.
      toOld: (from, to) => (to <= head ? from : length - tail <= from ? from - delta : -1),
      toNew: (from, to) => (to <= head ? from : good.length - tail <= from ? from + delta : -1),
    };
  }
}

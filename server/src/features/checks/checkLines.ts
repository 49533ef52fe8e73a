/** CHECK lines of a document: which directive stands where, and of whose output it speaks. */
import { checkLinesIn, type CheckLine as WrittenCheckLine } from '../../program/testFile/checkLines.js';
import { checkPrefixes } from '../../program/testFile/checkPrefixes.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { TextRange } from '../../text/diagnostic.js';

export interface CheckLine extends WrittenCheckLine {
  /** function that the output is of, as far as labels and the place tell; '' = not known */
  readonly fn: string;
}

/** Lines with a prefix that a RUN line names, in text order. O(text) */
export function checkLinesOf(snapshot: Snapshot): CheckLine[] {
  const { text } = snapshot.text;
  const prefixes = new Set(checkPrefixes(snapshot.test));
  const names = new Set(snapshot.functions.map((f) => f.name));
  let labelled = '';
  const lines: CheckLine[] = [];
  for (const line of checkLinesIn(text)) {
    const { prefix, suffix, start, contentStart, end } = line;
    if (!prefixes.has(prefix)) continue;
    if (suffix === '-LABEL') {
      const content = text.slice(contentStart, end);
      const word = content.match(/[\w.$-]+/g)?.find((w) => names.has(w));
      if (word !== undefined) labelled = word;
    }
    const view = snapshot.functionAt(start);
    const inBody = view?.body && view.start + view.body.start <= start ? view.name : '';
    lines.push({ ...line, fn: inBody || labelled || (view?.name ?? '') });
  }
  return lines;
}

/** Places of a pattern in the content of lines. */
export function inContent(snapshot: Snapshot, lines: readonly CheckLine[], pattern: RegExp): TextRange[] {
  const places: TextRange[] = [];
  for (const { contentStart, end } of lines)
    for (const { index, 0: found } of snapshot.text.slice(contentStart, end).matchAll(pattern))
      places.push({ start: contentStart + index, end: contentStart + index + found.length });
  return places;
}

/** A name as part of a pattern. */
export const escaped = (name: string): string => name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

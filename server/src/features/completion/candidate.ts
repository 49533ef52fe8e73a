/** What completion proposes before it is put into the protocol's words: a text, how well it fits, and what is known of it. */
import type { CompletionItemKind } from 'vscode-languageserver-types';

export interface Candidate {
  /** what is shown, and what the typed word is compared with */
  readonly label: string;
  readonly kind: CompletionItemKind;
  /** larger is better; only the order counts */
  readonly score: number;
  /** what is written; the label when absent */
  readonly insert?: string;
  /** the same with stops, for clients that take snippets */
  readonly snippet?: string;
  /** after the label */
  readonly detail?: string;
  /** at the right end */
  readonly description?: string;
  /** what documentation is asked for later */
  readonly about?: About;
  /** begins with the label of a block: the line goes to the column of labels */
  readonly isLabel?: boolean;
  /** a line cannot be judged by it: more has to follow */
  readonly isHalf?: boolean;
  /** the client should ask again when this was accepted */
  readonly goesOn?: boolean;
}

/** A thing that `completionItem/resolve` finds the documentation of. */
export interface About {
  readonly what: 'opcode' | 'register' | 'class' | 'key' | 'processor';
  readonly name: string;
}

/** More than these are not sent; the client asks again with the next letter. */
const MAX_ITEMS = 100;

/**
 * How well a typed word matches a label, 0 = not at all: a beginning, a part, or its letters in order beginning with the first. Case counts only where
 * all of it matches.
 * `name` is the label in lower case, for those who have it.
 */
export function matchOf(typed: string, label: string, name = label.toLowerCase()): number {
  if (typed === '') return 1;
  if (typed.length > label.length) return 0;
  if (label.startsWith(typed)) return typed.length === label.length ? 6 : 4;
  const word = typed.toLowerCase();
  if (name.startsWith(word)) return typed.length === label.length ? 5 : 4;
  const at = name.indexOf(word);
  if (at > 0) return /[_.\-]/.test(name[at - 1]!) ? 3 : 2;
  let from = 0;
  for (const c of word) {
    const found = name.indexOf(c, from);
    if (found < 0 || (from === 0 && found !== 0)) return 0;
    from = found + 1;
  }
  return 1;
}

/** The candidates that the typed word matches, best first, each label once. */
export function ranked(candidates: readonly Candidate[], typed: string): { best: Candidate[]; isCut: boolean } {
  const matching: { candidate: Candidate; match: number }[] = [];
  for (const candidate of candidates) {
    const match = matchOf(typed, candidate.label);
    if (match > 0) matching.push({ candidate, match });
  }
  matching.sort(
    (a, b) =>
      b.match - a.match || b.candidate.score - a.candidate.score || (a.candidate.label < b.candidate.label ? -1 : 1),
  );
  const best: Candidate[] = [];
  const seen = new Set<string>();
  for (const { candidate } of matching) {
    if (best.length === MAX_ITEMS) return { best, isCut: true };
    if (seen.has(candidate.label)) continue;
    seen.add(candidate.label);
    best.push(candidate);
  }
  return { best, isCut: false };
}

/** A snippet's text: what would be a stop in it is escaped. */
export const snippetText = (text: string): string => text.replace(/[\\$}]/g, '\\$&');

/** The other place that a parser's error is about: what was defined first, where the other class stands. */
import type { Diagnostic } from '../../text/diagnostic.js';
import { lossPlaces, UNDEFINED_READ } from './clobberFindings.js';
import { Role } from '../symbols/symbolIndex.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

export type RelatedPlace = NonNullable<Diagnostic['related']>[number];

/** Longest name of a sub-register index that is looked over. */
const MAX_SUBREG = 40;

/** Absolute offsets. Those that the diagnostic has already come first. O(log occurrences), or O(occurrences of one name) */
export function relatedPlaces(snapshot: Snapshot, view: FunctionView, diagnostic: Diagnostic): readonly RelatedPlace[] {
  const { code, related = [] } = diagnostic;
  if (code === 'redefinition') return [...related, ...earlier(view, diagnostic, 'first defined here', isDeclaration)];
  if (code === 'class-conflict' || code === 'type-conflict')
    return [
      ...related,
      ...earlier(view, diagnostic, 'class given here', (v, k) => isDeclaration(v, k) || hasClass(snapshot, v, k)),
    ];
  if (code === UNDEFINED_READ) return [...related, ...lossPlaces(view, diagnostic.start)];
  return related;
}

const isDeclaration = ({ symbols }: FunctionView, k: number): boolean => (symbols.role[k]! & Role.Declaration) !== 0;

/** Is the name followed by `:class`, a sub-register between them allowed? */
function hasClass({ text }: Snapshot, { symbols, start }: FunctionView, k: number): boolean {
  const at = start + symbols.end[k]!;
  return /^(?:\.\w+)?[:(]/.test(text.slice(at, at + MAX_SUBREG));
}

/** The first occurrence of the name under the diagnostic that stands before it and passes the test. */
function earlier(
  view: FunctionView,
  diagnostic: Diagnostic,
  message: string,
  test: (view: FunctionView, k: number) => boolean,
): RelatedPlace[] {
  const { symbols, start } = view;
  // Those of operands begin at a flag or the sigil, before the name.
  const here = symbols.lastFrom(diagnostic.end - start - 1);
  if (here < 0) return [];
  const end = diagnostic.start - start;
  for (const k of symbols.occurrences(symbols.entity[here]!)) {
    if (k === here || end <= symbols.start[k]!) break;
    if (test(view, k)) return [{ start: start + symbols.start[k]!, end: start + symbols.end[k]!, message }];
  }
  return [];
}

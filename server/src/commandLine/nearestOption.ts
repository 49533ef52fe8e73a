/** The option that llvm::cl proposes for a misspelt one. */
import { ValueExpected, type OptionSpec } from './optionSpec.js';

/** Insertions, deletions and replacements from `a` to `b`; anything above `limit` where more are needed. O(a * b). */
function editDistance(a: string, b: string, limit: number): number {
  const row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0]!;
    let best = (row[0] = i);
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!;
      const replaced = diagonal + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      row[j] = Math.min(replaced, above + 1, row[j - 1]! + 1);
      diagonal = above;
      best = Math.min(best, row[j]!);
    }
    if (best > limit) return limit + 1;
  }
  return row[b.length]!;
}

/**
 * The name, with the value of `word` where the option takes one, that is nearest to `word` (without dashes); the first of `options` where
 * several are. null for an empty word.
 */
export function nearestOption(word: string, options: readonly OptionSpec[]): string | null {
  if (word === '') return null;
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const value = equals < 0 ? '' : word.slice(equals + 1);
  let nearest: string | null = null;
  let best = Infinity;
  for (const option of options) {
    if (option.isSecret) continue;
    const takesValue = option.expects !== ValueExpected.Disallowed;
    const wanted = takesValue ? name : word;
    if (Math.abs(option.name.length - wanted.length) >= best) continue;
    const distance = editDistance(option.name, wanted, best);
    if (distance >= best) continue;
    best = distance;
    nearest = value === '' || !takesValue ? option.name : `${option.name}=${value}`;
  }
  return nearest;
}

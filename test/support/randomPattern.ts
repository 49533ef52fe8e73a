/** Random regular expressions as CHECK lines have them, and lines that they may match: of few letters, so that much matches in many ways. */
import type { Random } from './damageInputs.js';

const LETTERS = ['a', 'b', 'c', 'A', '1', '2', ' ', '%', '.', '-'];
const CLASSES = [
  '[ab]',
  '[^a]',
  '[a-c]',
  '[[:alpha:]]',
  '[[:digit:]]',
  '[^[:space:]]',
  '[]a]',
  '[a-]',
  '[0-9]',
  '[^]a]',
  '[%$]',
  '[.*]',
  '[[:upper:][:digit:]]',
  '[^a-b1]',
];
const ESCAPES = ['\\.', '\\*', '\\(', '\\[', '\\\\', '\\$', '\\^', '\\|', '\\a', '\\+'];
const INTERVALS = ['{2}', '{0,1}', '{1,}', '{0}', '{2,3}', '{0,}'];

class RegexMaker {
  private groups = 0;

  constructor(private readonly random: Random) {}

  /** A regular expression, valid as a rule. */
  regex(depth: number): string {
    const branches = 1 + (this.chance(3) ? 1 + this.random.below(2) : 0);
    return Array.from({ length: branches }, () => this.branch(depth)).join('|');
  }

  private chance(n: number): boolean {
    return this.random.below(n) === 0;
  }

  private branch(depth: number): string {
    const n = 1 + this.random.below(3);
    return Array.from({ length: n }, () => this.piece(depth)).join('');
  }

  private piece(depth: number): string {
    const atom = this.atom(depth);
    const kind = this.random.below(10);
    if (kind < 5) return atom;
    if (kind < 9) return atom + this.random.pick(['*', '+', '?', '*']);
    // A reference to a group that `{0}` takes away is, for LLVM, one to whatever its program has in that place.
    return atom + this.random.pick(atom.endsWith(')') ? INTERVALS.filter((i) => i !== '{0}') : INTERVALS);
  }

  private atom(depth: number): string {
    const kind = this.random.below(16);
    if (depth > 0 && kind < 5) {
      const inner = this.regex(depth - 1);
      this.groups++;
      return `(${inner})`;
    }
    if (kind < 8) return this.random.pick(CLASSES);
    if (kind < 10) return '.';
    if (kind === 10) return this.random.pick(ESCAPES);
    if (kind === 11 && this.groups > 0 && this.chance(2)) return `\\${1 + this.random.below(Math.min(9, this.groups))}`;
    if (kind === 12 && this.chance(3)) return this.random.pick(['^', '$']);
    return this.random.pick(['a', 'b', 'c', 'ab', 'ba', '1', ' ', '%', '-']);
  }
}

/** What stands after `CHECK:`, and the line for it. */
export function randomPattern(random: Random): { readonly pattern: string; readonly line: string } {
  const maker = new RegexMaker(random);
  const word = (n: number): string => Array.from({ length: random.below(n) }, () => random.pick(LETTERS)).join('');
  const block = (): string => `{{${maker.regex(random.below(4))}}}`;
  const line = `<${word(14)}>${word(6)}`;
  const kind = random.below(8);
  if (kind < 3) return { pattern: `<${block()}>`, line };
  if (kind === 3) return { pattern: block(), line };
  if (kind === 4) return { pattern: `<${block()}${random.pick(LETTERS).trim()}${block()}`, line };
  if (kind === 5) return { pattern: `{{^}}<${block()}`, line };
  if (kind === 6) return { pattern: `${block()}{{$}}`, line };
  return { pattern: `<[[V:${maker.regex(2)}]]${block()}[[V]]`, line };
}

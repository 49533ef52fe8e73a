/** Lines that may be directives of FileCheck for those who do not run it: a comment that begins with a word and a colon. What FileCheck makes of them: filecheck/checkFile.ts. */

export interface CheckLine {
  readonly prefix: string;
  /** `-NEXT` and the like, or empty */
  readonly suffix: string;
  readonly isLiteral: boolean;
  /** of the line, of the prefix, of what stands after the colon, of the line's end */
  readonly lineStart: number;
  readonly start: number;
  readonly contentStart: number;
  readonly end: number;
}

const SUFFIX = String.raw`-(?:NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-\d+)`;
const LINE = new RegExp(String.raw`^([ \t]*(?:[;#]+|//)[ \t]*)([A-Za-z][\w-]*?)(${SUFFIX})?(\{LITERAL\})?:(.*)$`, 'gm');

const ENDS_IN_SUFFIX = new RegExp(`${SUFFIX}$`);

/** The word of a directive without what FileCheck adds to a prefix. */
export const withoutSuffix = (word: string): string => word.replace(ENDS_IN_SUFFIX, '');

export const endsInSuffix = (word: string): boolean => ENDS_IN_SUFFIX.test(word);

/** In text order. O(text) */
export function* checkLinesIn(text: string): Generator<CheckLine> {
  for (const match of text.matchAll(LINE)) {
    const [whole, lead = '', prefix = '', suffix = '', literal, content = ''] = match;
    const end = match.index + whole.length;
    const isLiteral = literal !== undefined;
    const [lineStart, start, contentStart] = [match.index, match.index + lead.length, end - content.length];
    yield { prefix, suffix, isLiteral, lineStart, start, contentStart, end };
  }
}

/** Places are those in the line. */
export const checkLineIn = (line: string): CheckLine | null => checkLinesIn(line).next().value ?? null;

/** What comments of LLVM's tests begin with besides: directives of lit, and remarks. */
const NO_PREFIXES: ReadonlySet<string> = new Set([
  'RUN',
  'COM',
  'NOTE',
  'TODO',
  'FIXME',
  'XFAIL',
  'REQUIRES',
  'UNSUPPORTED',
]);

export const isNoPrefix = (word: string): boolean => NO_PREFIXES.has(word);

/** How often comments begin with a word in capitals that may be a prefix. O(text) */
export function wordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { prefix } of checkLinesIn(text))
    if (prefix !== 'RUN' && /^[A-Z]/.test(prefix)) counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  return counts;
}

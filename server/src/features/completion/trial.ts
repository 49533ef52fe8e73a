/**
 * The first items of a list, each written into the text and looked at by parser and verifier: what llc would reject goes after what it takes. This
 * finds what no ranking knows: the second scalar register of an instruction that may read one, a register that is not defined on all paths, a definition
 * that leaves its readers without one.
 */
import { verifierCode } from '../../analysis/verifier/index.js';
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import { oneLine } from '../../text/visible.js';
import type { CancellationToken } from '../../util/cancellation.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import type { Candidate } from './candidate.js';

/** Items that are tried until so many are good. */
const WANTED = 10;
const MAX_TRIED = 40;
/** Instructions that are read again for all trials together: small functions have all of them, one of 10,000 none. */
const MAX_WORK = 4000;

/**
 * `items` with those that were tried and found wrong after all others, and the reason beside them. Wrong is what brings an error of its own: what
 * stays as wrong as it was, such as the register that another item would define, is nobody's fault.
 */
export function tried(
  snapshot: Snapshot,
  view: FunctionView,
  range: Place,
  items: readonly Candidate[],
  token: CancellationToken,
): Candidate[] {
  // In a bracket that nothing closes yet no item makes a line.
  if (isInBracket(snapshot, range)) return [...items];
  const most = Math.min(MAX_TRIED, Math.floor(MAX_WORK / Math.max(1, view.fn?.nInstrs ?? MAX_WORK)));
  /** null: nothing can be said of it */
  const found: (Found | null)[] = [];
  let nTried = 0;
  let without: ErrorsWithout | null = null;
  const withoutLine = (): ErrorsWithout => (without ??= errorsWithoutLine(snapshot, view, range));
  let costs = costsOf(found, withoutLine);
  let nGood = 0;
  for (const item of items) {
    if (most < 3 || nTried === most || nGood === WANTED || token.isCancelled()) break;
    if (item.isHalf) {
      found.push(null);
      continue;
    }
    nTried++;
    found.push(errorsWith(snapshot, view, range, item));
    costs = costsOf(found, withoutLine);
    nGood = found.filter((f) => f !== null && costs.of(f) === costs.least).length;
  }
  const isWorse = (f: Found): boolean => costs.of(f) > costs.least;
  const judged = found.filter((f) => f !== null);
  const good = judged.filter((f) => !isWorse(f));
  const unavoidable = new Set((good.find((f) => f.isVerified) ?? good[0])?.all.map((e) => e.key));
  const known = new Set(unavoidable);
  if (judged.some(isWorse)) for (const { key } of withoutLine().all) known.add(key);
  const best: Candidate[] = [];
  const others: Candidate[] = [];
  const bad: Candidate[] = [];
  // Some fit and so many better ones do not: the rest of the opcodes waits for a letter.
  const isEnough = nTried === MAX_TRIED && costs.least === 0 && nGood < WANTED && range.from === range.to;
  items.forEach((item, k) => {
    const own = found[k];
    if (own === undefined) {
      if (!isEnough || item.about?.what !== 'opcode') others.push(item);
      return;
    }
    if (own === null) {
      best.push(item);
      return;
    }
    const fault = isWorse(own) ? own.all.find((e) => !known.has(e.key)) : own.here[0];
    // What another item would repair stays as it was.
    const left = isWorse(own) && fault === undefined ? own.all.find((e) => !unavoidable.has(e.key)) : undefined;
    const reason = fault ? `${REJECTED}${firstLine(fault)}` : left ? `${LEAVES}${firstLine(left)}` : '';
    const marked = reason === '' ? item : { ...item, detail: ` ${reason}` };
    (isWorse(own) ? (fault === undefined ? others : bad) : best).push(marked);
  });
  return [...best, ...others, ...bad];
}

/**
 * Errors of each, those of the verifier beyond the fewest that it has of any, and of the function without the line: where it was not asked, since the
 * line is not whole or does not parse, it is not known to say less than elsewhere.
 */
function costsOf(
  found: readonly (Found | null)[],
  withoutLine: () => ErrorsWithout,
): { readonly of: (f: Found) => number; readonly least: number } {
  const judged = found.filter((f) => f !== null);
  const verified = judged.filter((f) => f.isVerified);
  let fewest = Math.min(...verified.map((f) => f.all.length));
  if (0 < fewest && verified.length > 0 && withoutLine().isVerified)
    fewest = Math.min(fewest, withoutLine().all.length);
  const of = ({ all, isVerified }: Found): number => all.length - (isVerified ? fewest : 0);
  return { of, least: Math.min(...judged.map(of)) };
}

/** The line has more opening brackets than closing ones, the cursor's word left out. */
function isInBracket({ text }: Snapshot, { from, to }: Place): boolean {
  const line = text.lineAt(from);
  const rest = text.slice(text.lineStart(line), from) + text.slice(to, text.lineEnd(line));
  const count = (bracket: RegExp): number => rest.replace(/"[^"]*"|;.*/g, '').match(bracket)?.length ?? 0;
  return count(/\(/g) > count(/\)/g);
}

const firstLine = ({ message }: FoundError): string => oneLine(message.split('\n')[0] ?? '');

/** How the detail of an item begins that llc would reject here. */
export const REJECTED = 'not here: ';

/** How it begins where the item leaves an error that others repair. */
export const LEAVES = 'leaves: ';

/** What is said of every line that is not written to its end. */
const UNFINISHED: ReadonlySet<string> = new Set([
  'missing-implicit',
  verifierCode('Too few operands'),
  verifierCode('Invalid number of operands for REG_SEQUENCE'),
  verifierCode('Missing operands in last group'),
  verifierCode('Generic instruction accessing memory must have one mem operand'),
]);

/** Errors of the function with the item in it, those left out that say what is still to be written: at stops, and the class of a new register. */
function errorsWith(snapshot: Snapshot, view: FunctionView, { from, to }: Place, item: Candidate): Found {
  const useSnippet = snapshot.settings.snippets && item.snippet !== undefined;
  const { text, stops } = useSnippet
    ? expanded(item.snippet!)
    : { text: item.insert ?? item.label, stops: [] as readonly Stop[] };
  const after = snapshot.after([{ start: from, end: to, text }]);
  // The verifier's words on a whole instruction are not those on what a stop holds.
  const isAtStop = ({ start, end, origin }: Diagnostic): boolean =>
    stops.some((s) =>
      origin === DiagnosticOrigin.Verifier
        ? from + s.start <= start && end <= from + s.end
        : start <= from + s.end && from + s.start <= end,
    );
  const errors = errorsOf(after, snapshot.functions.indexOf(view));
  // What the verifier makes of half a line is not the item's fault; an opcode before operands has to do with them.
  const { text: source } = snapshot;
  const isOpcode = item.about?.what === 'opcode';
  const hasOperands = isOpcode && /[%$@\d]/.test(source.slice(to, source.lineEnd(source.lineAt(to))).split('::')[0]!);
  const isUnfinished = !hasOperands && errors.some((d) => UNFINISHED.has(d.code));
  const own = errors
    .filter(
      (d) => !(isUnfinished && (d.origin === DiagnosticOrigin.Verifier || UNFINISHED.has(d.code))) && !isAtStop(d),
    )
    .filter((d) => d.code !== 'no-class' || d.facts?.register !== item.label.slice(1));
  // What operands are to be is the opcode's choice.
  const end = isOpcode ? after.text.lineEnd(after.text.lineAt(from)) : from + text.length;
  const errorOf = (d: Diagnostic): FoundError => keyed(after, d);
  return {
    all: own.map(errorOf),
    isVerified: !isUnfinished && errors.every((d) => d.origin === DiagnosticOrigin.Verifier),
    here: own
      .filter((d) => d.origin === DiagnosticOrigin.Verifier && !UNFINISHED.has(d.code))
      .filter((d) => d.start <= end && from <= d.end)
      .map(errorOf),
  };
}

/** What is wrong with the function anyway. */
function errorsWithoutLine(snapshot: Snapshot, view: FunctionView, { from }: Place): ErrorsWithout {
  const line = snapshot.text.lineAt(from);
  const edit = { start: snapshot.text.lineStart(line), end: snapshot.text.lineEnd(line), text: '' };
  const after = snapshot.after([edit]);
  const errors = errorsOf(after, snapshot.functions.indexOf(view));
  return {
    all: errors.map((d) => keyed(after, d)),
    isVerified: errors.every((d) => d.origin === DiagnosticOrigin.Verifier),
  };
}

const errorsOf = ({ functions }: Snapshot, k: number): Diagnostic[] =>
  (functions[k]?.diagnostics ?? []).filter((d) => d.severity === Severity.Error);

/** The same error in another text has the same message at the same words. */
const keyed = ({ text }: Snapshot, { message, start, end }: Diagnostic): FoundError => ({
  message,
  key: `${message}\n${text.slice(start, end)}`,
});

interface FoundError {
  readonly message: string;
  readonly key: string;
}

interface ErrorsWithout {
  readonly all: readonly FoundError[];
  /** nothing kept the verifier from looking at it */
  readonly isVerified: boolean;
}

/** Errors of the function, and what the verifier says where the item stands. */
interface Found extends ErrorsWithout {
  readonly here: readonly FoundError[];
}

interface Place {
  readonly from: number;
  readonly to: number;
}

interface Stop {
  readonly start: number;
  readonly end: number;
}

/** The text of a snippet as it stands when nothing has been typed into it, and where its stops are. */
export function expanded(snippet: string): { readonly text: string; readonly stops: readonly Stop[] } {
  let text = '';
  const stops: Stop[] = [];
  for (const [piece, escaped, , placeholder, choices] of snippet.matchAll(
    /\\(.)|\$(\d+)|\$\{\d+(?::((?:\\.|[^}\\])*)|\|([^|]*)\|)?\}|[^\\$]/gs,
  )) {
    if (!piece.startsWith('$')) {
      text += escaped ?? piece;
      continue;
    }
    const own = (placeholder ?? choices?.split(',')[0] ?? '').replace(/\\(.)/g, '$1');
    stops.push({ start: text.length, end: text.length + own.length });
    text += own;
  }
  return { text, stops };
}

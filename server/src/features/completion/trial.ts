/**
 * The first items of a list, each written into the text and looked at by parser and verifier: what llc would reject goes behind what it takes. This
 * finds what no ranking knows: the second scalar register of an instruction that may read one, a register that is not defined on all paths, a definition
 * that leaves its readers without one.
 */
import { verifierCode } from '../../analysis/verifier/index.js';
import { DiagnosticOrigin, Severity, type TextRange } from '../../text/diagnostic.js';
import { oneLine } from '../../text/visible.js';
import type { CancellationToken } from '../../util/cancellation.js';
import type { FunctionView, Snapshot } from '../snapshot.js';
import type { Candidate } from './candidate.js';

/** Items that are tried until so many are good. */
const WANTED = 10;
const MAX_TRIED = 12;
/** Instructions that are read again for all trials together: small functions have all of them, one of 10,000 none. */
const MAX_WORK = 2500;

/** `items` with those that were tried and found wrong behind all others, and the reason beside them. */
export function tried(
  snapshot: Snapshot,
  view: FunctionView,
  range: Place,
  items: readonly Candidate[],
  token: CancellationToken,
): Candidate[] {
  const most = Math.min(MAX_TRIED, Math.floor(MAX_WORK / Math.max(1, view.fn?.nInstrs ?? MAX_WORK)));
  const errors: Found[] = [];
  let best: readonly string[] | null = null;
  let nGood = 0;
  for (const item of items) {
    if (most < 2 || errors.length === most || nGood === WANTED || token.isCancelled()) break;
    const found = errorsWith(snapshot, view, range, item);
    errors.push(found);
    const { all } = found;
    if (best === null || all.length < best.length) nGood = 0;
    if (best === null || all.length <= best.length) nGood++;
    if (best === null || all.length < best.length) best = all;
  }
  const good: Candidate[] = [];
  const bad: Candidate[] = [];
  items.forEach((item, k) => {
    const found = errors[k];
    if (best === null || found === undefined) good.push(item);
    // Where none does better, the list still says what llc makes of each.
    else if (found.all.length === best.length)
      good.push(found.here.length === 0 ? item : { ...item, detail: ` ${reasonOf(found.here, [])}` });
    else bad.push({ ...item, detail: ` ${reasonOf(found.all, best)}` });
  });
  return [...good, ...bad];
}

/** What is wrong with an item and not with the best one. */
function reasonOf(found: readonly string[], best: readonly string[]): string {
  const own = found.find((message) => !best.includes(message)) ?? found[0]!;
  const [line = ''] = own.split('\n');
  return `${REJECTED}${oneLine(line)}`;
}

/** How the detail of an item begins that llc would reject here. */
export const REJECTED = 'not here: ';

/** What is said of every line that is not written to its end. */
const UNFINISHED: ReadonlySet<string> = new Set(['missing-implicit', verifierCode('Too few operands')]);

/** Errors of the function with the item in it, those left out that say what is still to be written: at stops, and the class of a new register. */
function errorsWith(snapshot: Snapshot, view: FunctionView, { from, to }: Place, item: Candidate): Found {
  const useSnippet = snapshot.settings.snippets && item.snippet !== undefined;
  const { text, stops } = useSnippet
    ? expanded(item.snippet!)
    : { text: item.insert ?? item.label, stops: [] as readonly Stop[] };
  const now = snapshot.after([{ start: from, end: to, text }]).functions[snapshot.functions.indexOf(view)];
  const isAtStop = ({ start, end }: TextRange): boolean =>
    stops.some((s) => start <= from + s.end && from + s.start <= end);
  const errors = (now?.diagnostics ?? []).filter((d) => d.severity === Severity.Error);
  // What the verifier makes of half a line is not the item's fault.
  const isUnfinished = errors.some((d) => UNFINISHED.has(d.code));
  const own = errors
    .filter(
      (d) => !(isUnfinished && (d.origin === DiagnosticOrigin.Verifier || UNFINISHED.has(d.code))) && !isAtStop(d),
    )
    .filter((d) => d.code !== 'no-class' || !d.message.includes(`virtual register ${item.label.slice(1)} in `));
  return {
    all: own.map((d) => d.message),
    here: own
      .filter((d) => d.origin === DiagnosticOrigin.Verifier && d.start <= from + text.length && from <= d.end)
      .map((d) => d.message),
  };
}

/** Messages of errors: of the function, and what the verifier says where the item stands. */
interface Found {
  readonly all: readonly string[];
  readonly here: readonly string[];
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

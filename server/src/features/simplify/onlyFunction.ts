/** A file with one of its functions only: the others go, with their IR and their CHECK lines. */
import type { TextRange } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import { checkLinesOf } from '../checks/checkLines.js';
import { irDefinition } from '../refactor/duplicateFunction.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** Edits that leave `view` alone of all functions; empty when it is alone. */
export const onlyFunction = (snapshot: Snapshot, view: FunctionView): TextEdit[] =>
  dropFunctions(
    snapshot,
    snapshot.functions.filter((f) => f !== view),
  );

/** Edits that take these functions out. */
export function dropFunctions(snapshot: Snapshot, others: readonly FunctionView[]): TextEdit[] {
  const { text } = snapshot;
  const gone: TextRange[] = others.map((f) => documentRange(snapshot, f));
  if (gone.length === 0) return [];
  const leaving = new Set(others);
  const own = snapshot.functions
    .filter((f) => !leaving.has(f))
    .map(({ start, end }) => text.slice(start, end))
    .join('');
  const names = others.map((f) => f.name).filter((name) => name !== '' && !own.includes(`@${name}`));
  for (const name of names) {
    const body = irDefinition(snapshot, name)?.body;
    if (body === undefined) continue;
    // What calls it stays with it.
    const mentions = mentionsOf(snapshot, name).filter((at) => at < body.start || body.end <= at);
    if (!mentions.every((at) => names.some((n) => n !== name && isWithin(irDefinition(snapshot, n)?.body, at))))
      continue;
    gone.push({ start: body.start, end: text.lineStart(text.lineAt(body.end) + 1) });
  }
  for (const line of checkLinesOf(snapshot))
    if (others.some((f) => f.name === line.fn)) {
      const at = text.lineAt(line.start);
      gone.push({ start: text.lineStart(at), end: text.lineStart(at + 1) });
    }
  return merged(gone).map(({ start, end }) => ({ start, end, text: '' }));
}

const isWithin = (range: TextRange | undefined, at: number): boolean =>
  range !== undefined && range.start <= at && at < range.end;

/** Places of `@name` in the IR. */
function mentionsOf({ irSymbols, text }: Snapshot, name: string): number[] {
  if (irSymbols === null) return [];
  const { symbols, start } = irSymbols;
  return symbols.occurrences.flatMap((o) =>
    o.name === name && text.slice(start + o.start, start + o.start + 1) === '@' ? [start + o.start] : [],
  );
}

/** From the `---` of a document to after its `...`. */
export function documentRange({ text }: Snapshot, { start, end, document }: FunctionView): TextRange {
  const own = text.slice(start, end);
  const marker = /^---[ \t]*(?:#.*)?$/m.exec(own);
  const from = start + (marker?.index ?? 0);
  const close = [...own.matchAll(/^\.\.\.[ \t]*(?:\r?\n|$)/gm)].at(-1);
  const to = close === undefined ? start + document.length : start + close.index + close[0].length;
  return { start: from, end: Math.max(from, to) };
}

/** Ascending, without overlaps. */
export function merged(ranges: readonly TextRange[]): TextRange[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

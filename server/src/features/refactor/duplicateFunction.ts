/** A copy of a machine function under another name, with that of its IR and with the CHECK lines in its document. */
import type { TextRange } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import { bodyEnd } from '../symbols/irSymbols.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import { eol } from '../fixes/fix.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { checkLinesOf, escaped, inContent } from '../checks/checkLines.js';
import type { Refactoring, RefactorPlace } from './refactoring.js';

export function duplicateFunction({ snapshot, view }: RefactorPlace): Refactoring | null {
  const { name, nameRange } = view;
  const { text } = snapshot.text;
  if (nameRange === null || !/^[A-Za-z_][\w.$-]*$/.test(name)) return null;
  const copy = freeName(snapshot, name);
  // The first document has the lines before its `---`, too.
  const marker = /^---[ \t]*$/m.exec(text.slice(view.start, nameRange.start));
  const from = marker ? view.start + marker.index : -1;
  if (from < 0) return null;
  const edits: TextEdit[] = [];
  const end = eol(snapshot);
  const ir = irDefinition(snapshot, name);
  if (ir !== null) {
    const { body, nameAt } = ir;
    const own = renamed(text, body, [nameAt], copy);
    edits.push({ start: body.end, end: body.end, text: `${end}${end}${own}` });
  }
  const lines = checkLinesOf(snapshot).filter((l) => from <= l.start && l.end <= view.end);
  const word = `${escaped(name)}(?![\\w.$-])`;
  const mentions = [
    ...inContent(
      snapshot,
      lines.filter((l) => l.suffix === '-LABEL'),
      new RegExp(`(?<![\\w.$-])${word}`, 'g'),
    ),
    ...inContent(
      snapshot,
      lines.filter((l) => l.suffix !== '-LABEL'),
      new RegExp(`(?<=\\bname:\\s*)${word}`, 'g'),
    ),
  ];
  const isQuoted = /^['"]/.test(text.slice(nameRange.start, nameRange.end));
  const own = isQuoted ? { start: nameRange.start + 1, end: nameRange.end - 1 } : nameRange;
  const gap = text.slice(from, view.end).endsWith('\n') ? '' : end;
  edits.push({
    start: view.end,
    end: view.end,
    text: gap + renamed(text, { start: from, end: view.end }, [...mentions, own], copy),
  });
  return { title: `Duplicate function as ${copy}`, edits, keeps: 'more' };
}

function freeName({ irSymbols, functions }: Snapshot, name: string): string {
  const isTaken = (n: string): boolean =>
    functions.some((f) => f.name === n) || (irSymbols?.symbols.of(EntityKind.Global, n, '').length ?? 0) > 0;
  let k = 2;
  while (isTaken(`${name}_${k}`)) k++;
  return `${name}_${k}`;
}

/** The definition in the IR, from its line to the closing brace, and where its name stands. */
export function irDefinition(
  { irSymbols, text }: Snapshot,
  name: string,
): { body: TextRange; nameAt: TextRange } | null {
  if (irSymbols === null) return null;
  const { symbols, start: base } = irSymbols;
  for (const i of symbols.of(EntityKind.Global, name, '')) {
    const { start, end, role } = symbols.occurrences[i]!;
    const lineStart = text.lineStart(text.lineAt(base + start));
    if ((role & Role.Declaration) === 0 || !/^\s*define\b/.test(text.slice(lineStart, base + start))) continue;
    const rest = text.slice(base + end, text.length);
    const inLine = bodyEnd(/^.*/.exec(rest)![0]);
    const close = inLine >= 0 ? inLine : rest.search(/^[ \t]*\}[ \t]*(?:;.*)?$/m);
    if (close < 0) return null;
    const quote = text.slice(base + start + 1, base + start + 2) === '"' ? 1 : 0;
    return {
      body: { start: lineStart, end: base + end + rest.indexOf('}', close) + 1 },
      nameAt: { start: base + start + 1 + quote, end: base + end - quote },
    };
  }
  return null;
}

/** Part of a text with other words at some places. */
function renamed(text: string, { start, end }: TextRange, places: readonly TextRange[], word: string): string {
  let result = text.slice(start, end);
  for (const place of [...places].sort((a, b) => b.start - a.start))
    result = result.slice(0, place.start - start) + word + result.slice(place.end - start);
  return result;
}

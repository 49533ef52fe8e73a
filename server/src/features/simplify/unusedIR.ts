/** The embedded IR without what nothing in the file speaks of, and with empty functions where the machine code needs no more of them. */
import type { TextRange } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import { irDefinition } from '../refactor/duplicateFunction.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { merged } from './onlyFunction.js';

interface Entry extends TextRange {
  readonly key: string;
  /** stays, whoever speaks of it */
  readonly isRoot: boolean;
}

/** Edits that take out functions, globals, metadata and attribute groups which nothing that stays mentions. O(text + names * log entries) */
export function unusedIR(snapshot: Snapshot): TextEdit[] {
  const { irSymbols, text } = snapshot;
  if (irSymbols === null) return [];
  const { symbols, start: base } = irSymbols;
  const names = new Set(snapshot.functions.map((f) => f.name));
  const keyOf = (kind: EntityKind, name: string): string => `${kind} ${name}`;
  const entries: Entry[] = [];
  for (const { kind, name, start, role, fn } of symbols.occurrences) {
    const isTopLevel = kind === EntityKind.Global || kind === EntityKind.Metadata || kind === EntityKind.AttributeGroup;
    if (!isTopLevel || (role & (Role.Declaration | Role.Def)) === 0) continue;
    const line = text.lineAt(base + start);
    const lead = text.slice(text.lineStart(line), base + start);
    const isFunction = /^\s*(?:define|declare)\b/.test(lead);
    if (!isFunction && (fn !== '' || !/^\s*(?:attributes )?$/.test(lead))) continue;
    const body = /^\s*define\b/.test(lead) ? irDefinition(snapshot, name)?.body : null;
    if (body === undefined) continue;
    const end = body === null ? text.lineStart(line + 1) : text.lineStart(text.lineAt(body.end) + 1);
    const isRoot = kind === EntityKind.Global && (names.has(name) || (name.startsWith('llvm.') && !isFunction));
    entries.push({ key: keyOf(kind, name), start: text.lineStart(line), end, isRoot });
  }
  // Names of a text outside of the entries, and of each entry.
  const entryAt = finder(entries);
  const mentions = new Map<Entry | null, Set<string>>();
  const mention = (from: Entry | null, key: string): void => {
    const set = mentions.get(from) ?? new Set();
    set.add(key);
    mentions.set(from, set);
  };
  for (const { kind, name, start } of symbols.occurrences) {
    const from = entryAt(base + start);
    if (from?.key !== keyOf(kind, name)) mention(from, keyOf(kind, name));
  }
  for (const view of snapshot.functions) {
    const own = text.slice(view.start, view.end);
    for (const [, name = ''] of own.matchAll(/@([-a-zA-Z$._0-9]+|"[^"\n]*")/g))
      mention(null, keyOf(EntityKind.Global, name.replace(/^"|"$/g, '')));
    for (const [, n = ''] of own.matchAll(/!([0-9]+)/g)) mention(null, keyOf(EntityKind.Metadata, n));
  }
  const byKey = new Map<string, Entry[]>();
  for (const entry of entries) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry]);
  const kept = new Set<Entry>();
  const queue: (Entry | null)[] = [null, ...entries.filter((e) => e.isRoot)];
  for (let from = queue.pop(); from !== undefined; from = queue.pop()) {
    if (from !== null) {
      if (kept.has(from)) continue;
      kept.add(from);
    }
    for (const key of mentions.get(from) ?? []) queue.push(...(byKey.get(key) ?? []));
  }
  const gone = entries.filter((e) => !kept.has(e));
  return merged(gone.map((e) => withBlankLine(snapshot, e))).map(({ start, end }) => ({ start, end, text: '' }));
}

/** Which of the entries, which do not overlap, an offset is in. */
function finder(entries: readonly Entry[]): (at: number) => Entry | null {
  const sorted = [...entries].sort((a, b) => a.start - b.start);
  return (at) => {
    let [lo, hi] = [0, sorted.length];
    while (lo < hi) {
      const middle = (lo + hi) >> 1;
      if (sorted[middle]!.start <= at) lo = middle + 1;
      else hi = middle;
    }
    const found = sorted[lo - 1];
    return found !== undefined && at < found.end ? found : null;
  };
}

/** With the empty line after it, where one stands before it, too. */
function withBlankLine({ text }: Snapshot, { start, end }: TextRange): TextRange {
  const isBlank = (line: number): boolean => text.slice(text.lineStart(line), text.lineEnd(line)).trim() === '';
  const first = text.lineAt(start);
  const next = text.lineAt(end);
  const goes = first > 0 && isBlank(first - 1) && next + 1 < text.lineCount && isBlank(next);
  return { start, end: goes ? text.lineStart(next + 1) : end };
}

/** Edits that leave of each function of the IR its head. */
export function emptyBodies(snapshot: Snapshot): TextEdit[] {
  const { text } = snapshot;
  return snapshot.functions.flatMap(({ name }) => {
    const body = name === '' ? undefined : irDefinition(snapshot, name)?.body;
    if (body === undefined) return [];
    const head = text.lineAt(body.start);
    const last = text.lineAt(body.end);
    if (last - head < 2 || !/\{\s*(?:;.*)?$/.test(text.slice(body.start, text.lineEnd(head)))) return [];
    const start = text.lineStart(head + 1);
    const end = text.lineStart(last);
    const lines = text
      .slice(start, end)
      .split('\n')
      .filter((l) => l.trim() !== '' && !l.trim().startsWith(';'));
    if (lines.length <= 1) return [];
    const indent = /^\s*/.exec(text.slice(text.lineStart(head), text.lineEnd(head)))![0];
    const eol = text.text.includes('\r\n') ? '\r\n' : '\n';
    return [{ start, end, text: `${indent}  unreachable${eol}` }];
  });
}

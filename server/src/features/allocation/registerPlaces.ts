/** Where the allocator puts a register of the source, and what it inserts at an instruction, for hovers and hints. */
import type { InstrId } from '../../model/machineFunction.js';
import type { InsertedInstr, InsertedKind, LifePart } from '../../passes/regalloc/trace/allocationTrace.js';
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import { code, commandLink, joined, lineLink, rich, type Markdown } from '../words/markdown.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { EXPLAIN_ALLOCATION_COMMAND } from '../words/viewCommands.js';
import { nameOf } from '../words/registerNames.js';

const MAX_PARTS = 4;
const MAX_SPANS = 3;
const MAX_LINES = 4;

/** What is known of the allocation of a function that is shown; null when nothing is. Computes nothing. */
function knownAllocation(view: FunctionView): AllocatedFunction | null {
  const known = view.knownAllocation;
  return known === null || typeof known === 'string' || known.errors.length > 0 ? null : known;
}

/** `` allocated: `$vgpr12` at 12 to 40, 58, `%stack.2` at 12 to 58 · saved at 12 · reloaded at 58 ``; null where nothing is known. */
export function allocatedPlaceLine(snapshot: Snapshot, view: FunctionView, v: number): Markdown | null {
  const allocated = knownAllocation(view);
  if (allocated === null) return null;
  const parts = allocated.parts.filter((p) => p.vreg === v);
  if (parts.length === 0) return null;
  const lineOf = (i: InstrId): number => lineOfInstr(snapshot, view, i);
  const line = (i: InstrId): Markdown => lineLink(lineOf(i) + 1, snapshot.uri, lineOf(i));
  const places = grouped(parts).map((part) => {
    const name = code(part.reg > 0 ? `$${allocated.fn.tables.regName(part.reg)}` : `%stack.${part.slot}`);
    if (parts.length === 1 || part.spans.length === 0) return name;
    const spans: Markdown[] = part.spans
      .slice(0, MAX_SPANS)
      .map(({ from, to }) => (lineOf(from) === lineOf(to) ? line(from) : rich`${line(from)} to ${line(to)}`));
    if (MAX_SPANS < part.spans.length) spans.push(rich`${part.spans.length - MAX_SPANS} more`);
    return rich`${name} at ${joined(spans, ', ')}`;
  });
  const shown: Markdown[] = places.slice(0, MAX_PARTS);
  if (MAX_PARTS < places.length) shown.push(rich`${places.length - MAX_PARTS} more`);
  const rows = [rich`allocated: ${joined(shown, ', ')}`];
  for (const kind of ['save', 'reload'] as const) {
    const at = allocated.inserted.filter((n) => n.vreg === v && n.kind === kind).map((n) => neighbour(n));
    const lines = [...new Set(at.filter((i) => i >= 0))].map(line);
    if (lines.length === 0) continue;
    const more = lines.length > MAX_LINES ? [rich`${lines.length - MAX_LINES} more`] : [];
    rows.push(
      rich`${kind === 'save' ? 'saved' : 'reloaded'} at ${joined([...lines.slice(0, MAX_LINES), ...more], ', ')}`,
    );
  }
  if (snapshot.settings.commandLinks) {
    const at = snapshot.text.positionAt(view.start).line + 1;
    rows.push(commandLink('explain', EXPLAIN_ALLOCATION_COMMAND, [snapshot.uri, at]));
  }
  return joined(rows, ' · ');
}

/** Parts in the same register or slot are one, in the order of their beginnings. */
function grouped(parts: readonly LifePart[]): LifePart[] {
  const byPlace = new Map<string, LifePart>();
  for (const part of parts) {
    const key = `${part.reg} ${part.slot}`;
    const known = byPlace.get(key);
    byPlace.set(key, known ? { ...known, spans: [...known.spans, ...part.spans] } : part);
  }
  return [...byPlace.values()].map((part) => ({ ...part, spans: [...part.spans].sort((x, y) => x.from - y.from) }));
}

const HINT_WORDS: Readonly<Record<InsertedKind, string>> = {
  save: 'save',
  reload: 'reload',
  copy: 'copy',
  rematerialized: 'compute again',
};

/** What the allocator inserts for the sake of each instruction of the source: `save %5`, `reload %7, %9`. Empty where it inserts nothing. */
export function insertedTexts(view: FunctionView): ReadonlyMap<InstrId, string> {
  const allocated = knownAllocation(view);
  const found = new Map<InstrId, Map<InsertedKind, Set<string>>>();
  const { fn } = view;
  if (allocated === null || fn === null) return new Map();
  for (const n of allocated.inserted) {
    const at = neighbour(n);
    if (at < 0) continue;
    const kinds = found.get(at) ?? new Map<InsertedKind, Set<string>>();
    found.set(at, kinds);
    const names = kinds.get(n.kind) ?? new Set<string>();
    kinds.set(n.kind, names.add(0 <= n.vreg && n.vreg < fn.vregs.n ? nameOf(fn, n.vreg) : 'lanes'));
  }
  const texts = new Map<InstrId, string>();
  for (const [i, kinds] of found)
    texts.set(i, [...kinds].map(([kind, names]) => `${HINT_WORDS[kind]} ${[...names].join(', ')}`).join('; '));
  return texts;
}

/** The instruction of the source for whose sake something is inserted: what it reloads for, and what it saves the result of. */
const neighbour = ({ kind, before, after }: InsertedInstr): InstrId =>
  kind === 'save' ? (after >= 0 ? after : before) : before >= 0 ? before : after;

const lineOfInstr = (snapshot: Snapshot, view: FunctionView, i: InstrId): number =>
  snapshot.text.lineAt(view.start + view.fn!.source!.instrRange(i).start);

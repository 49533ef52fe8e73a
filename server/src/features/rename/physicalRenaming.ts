/**
 * Another physical register for one value: from its definition to its last use, within a block. Refused where the value comes from or goes
 * to somewhere else, and where the new register is in use meanwhile.
 */
import type { TextRange } from '../../text/diagnostic.js';
import { instrFrom } from '../snapshot/locate.js';
import { aliasesIn, tablesOf, type SymbolHere } from '../snapshot/symbolAt.js';
import { Role } from '../symbols/symbolIndex.js';
import type { FunctionView } from '../snapshot/snapshot.js';
import { refuse, replaceAll, type Refusal, type Renaming } from './renaming.js';
import type { BlockId } from '../../model/machineFunction.js';

export function physicalRenaming(symbol: SymbolHere): Renaming | null {
  const { view, name } = symbol;
  const tables = tablesOf(view);
  if (!view?.body || tables.regByName(name) <= 0) return null;
  const role = view.symbols.role[symbol.occurrence] ?? 0;
  if ((role & Role.Header) !== 0) return null;
  return {
    range: { start: symbol.start + 1, end: symbol.end },
    name,
    views: [view],
    edits: (given) => {
      const newName = given.replace(/^\$/, '');
      if (newName === name) return [];
      const to = tables.regByName(newName);
      if (to <= 0) return refuse(`'${newName}' is no register of this target`);
      const range = valueRange(view, symbol);
      if ('refused' in range) return range;
      const busy = aliasBetween(view, newName, range.from, range.to);
      if (busy !== '') return refuse(`$${busy} is in use between the definition and the last use`);
      return replaceAll(
        range.places.map((i) => ({
          start: view.start + view.symbols.start[i]! + 1,
          end: view.start + view.symbols.end[i]!,
        })),
        newName,
      );
    },
  };
}

interface ValueRange {
  /** occurrences of the value, in text order */
  readonly places: readonly number[];
  /** offsets in the document from its definition to after its last use */
  readonly from: number;
  readonly to: number;
}

function valueRange(view: FunctionView, { name, occurrence }: SymbolHere): ValueRange | Refusal {
  const { symbols, fn } = view;
  const block = blockAround(view, symbols.start[occurrence]!);
  const own = symbols.entity[occurrence]!;
  const aliases = aliasesIn(view, name);
  const inBlock = (i: number): boolean => block.start <= symbols.start[i]! && symbols.start[i]! < block.end;
  const mentions = aliases
    .flatMap((e) => [...symbols.occurrences(e)])
    .filter(inBlock)
    .sort((a, b) => a - b);
  const isDef = (i: number): boolean => (symbols.role[i]! & Role.Def) !== 0;
  const line = (i: number): number => lineOf(view, symbols.start[i]!);
  // The definition that reaches the cursor: the last one on a line before it, or the cursor's own.
  const here = line(occurrence);
  const defs = mentions.filter((i) => isDef(i) && (line(i) < here || (i === occurrence && isDef(i))));
  const def = isDef(occurrence) ? occurrence : defs.at(-1);
  if (def === undefined || (symbols.role[def]! & Role.LiveIn) !== 0)
    return refuse(`$${name} is live into this block: the value comes from elsewhere`);
  const next = mentions.find((i) => line(i) > line(def) && isDef(i));
  const end = next === undefined ? block.end : symbols.start[next]!;
  const nextLine = next === undefined ? Infinity : line(next);
  const places = mentions.filter((i) => i === def || (line(i) > line(def) && line(i) <= nextLine && !isDef(i)));
  const other = places.find((i) => symbols.entity[i] !== own);
  if (other !== undefined)
    return refuse(`$${symbols.nameOf(symbols.entity[other]!)} overlaps it: parts of the value have names of their own`);
  if (places.some((i) => (symbols.role[i]! & Role.Implicit) !== 0))
    return refuse(`an instruction reads or writes $${name} implicitly`);
  const last = places.at(-1)!;
  if (next === undefined && fn && leaves(view, block.number, aliases))
    return refuse(`$${name} is live out of this block`);
  return { places, from: symbols.start[def]!, to: Math.max(symbols.end[last]!, Math.min(end, symbols.end[last]!)) };
}

interface BlockSpan extends TextRange {
  /** index in the function's blocks, -1 = not known */
  readonly number: number;
}

function blockAround({ fn, document }: FunctionView, at: number): BlockSpan {
  const source = fn?.source;
  for (let b = (fn?.blocks.length ?? 0) - 1; source && b >= 0; b--) {
    const { start, end } = source.blockRange(b);
    if (start <= at) return { start, end, number: b };
  }
  return { start: 0, end: document.length, number: -1 };
}

/** Some successor has an alias among its live-ins. */
function leaves(view: FunctionView, b: BlockId, aliases: readonly number[]): boolean {
  const { fn, symbols } = view;
  const tables = tablesOf(view);
  const regs = aliases.map((e) => tables.regByName(symbols.nameOf(e)));
  return (
    b >= 0 &&
    fn!.blocks[b]!.successors.some((s) =>
      fn!.blocks[s]!.liveIns.some((l) => regs.some((r) => r > 0 && tables.regsOverlap(r, l.reg))),
    )
  );
}

/** The same number for places of one instruction. */
const lineOf = ({ fn }: FunctionView, at: number): number => (fn === null ? at : instrFrom(fn, at));

/** Name of a register that overlaps `name` and is mentioned, or live across, between two offsets; empty when none is. */
function aliasBetween(view: FunctionView, name: string, from: number, to: number): string {
  const { symbols } = view;
  const block = blockAround(view, from);
  for (const e of aliasesIn(view, name)) {
    let next = true;
    for (const i of symbols.occurrences(e)) {
      const at = symbols.start[i]!;
      if (at < block.start || block.end <= at) continue;
      if (from <= at && at < to) return symbols.nameOf(e);
      // Read after it before it is written again: it lives through.
      if (to <= at && next) {
        if ((symbols.role[i]! & Role.Def) === 0) return symbols.nameOf(e);
        next = false;
      }
    }
    if (next && view.fn && leaves(view, block.number, [e])) return symbols.nameOf(e);
  }
  return '';
}

/** The entity under the cursor, wherever it stands (body, header, IR), and all its occurrences in the file. */
import type { Location, Position, Range } from 'vscode-languageserver-types';
import { LLVM22, type TargetTables } from '../../target/index.js';
import { EntityKind, Role, type SymbolIndex } from '../symbols/symbolIndex.js';
import type { FunctionView, Snapshot } from './snapshot.js';

export interface SymbolHere {
  readonly kind: EntityKind;
  /** without sigil and prefix */
  readonly name: string;
  /** the function that the name belongs to; '' for names of the whole file */
  readonly fn: string;
  /** the machine function in whose document the cursor stands, null in the IR */
  readonly view: FunctionView | null;
  /** occurrence under the cursor in `view.symbols`, -1 in the IR */
  readonly occurrence: number;
  /** absolute offsets of the name under the cursor */
  readonly start: number;
  readonly end: number;
}

export interface Occurrence {
  /** absolute offsets */
  readonly start: number;
  readonly end: number;
  /** Role bits */
  readonly role: number;
  /** null in the IR */
  readonly view: FunctionView | null;
}

/** Null where no name stands, which is found out without the index of the whole function. O(log n) */
export function symbolAt(snapshot: Snapshot, offset: number): SymbolHere | null {
  const view = snapshot.functionAt(offset);
  if (view) {
    if (!view.mayHaveName(offset - view.start)) return null;
    const { symbols } = view;
    const i = symbols.at(offset - view.start);
    if (i < 0) return null;
    const entity = symbols.entity[i]!;
    const kind = symbols.kinds[entity]!;
    return {
      kind,
      name: symbols.nameOf(entity),
      fn: isFileWide(kind) ? '' : view.name,
      view,
      occurrence: i,
      start: view.start + symbols.start[i]!,
      end: view.start + symbols.end[i]!,
    };
  }
  return irSymbolAt(snapshot, offset);
}

export const symbolAtPosition = (snapshot: Snapshot, position: Position): SymbolHere | null =>
  symbolAt(snapshot, snapshot.text.offsetAt(position));

function isFileWide(kind: EntityKind): boolean {
  return (
    kind === EntityKind.Global ||
    kind === EntityKind.Metadata ||
    kind === EntityKind.AttributeGroup ||
    kind === EntityKind.External
  );
}

function irSymbolAt(snapshot: Snapshot, offset: number): SymbolHere | null {
  const ir = snapshot.irSymbols;
  if (!ir) return null;
  const { occurrences } = ir.symbols;
  const at = offset - ir.start;
  let lo = -1;
  let hi = occurrences.length - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (occurrences[mid]!.start <= at) lo = mid;
    else hi = mid - 1;
  }
  const found = occurrences[lo];
  if (!found || found.end < at) return null;
  const { kind, name, fn } = found;
  return { kind, name, fn, view: null, occurrence: -1, start: ir.start + found.start, end: ir.start + found.end };
}

/**
 * All occurrences in the file, in text order; for a physical register those of every register that overlaps it as well.
 * O(occurrences), for names of the whole file plus O(functions).
 */
export function occurrencesOf(snapshot: Snapshot, symbol: SymbolHere): Occurrence[] {
  const result: Occurrence[] = [];
  const { kind, name, fn, view } = symbol;
  const ir = snapshot.irSymbols;
  if (ir && (isFileWide(kind) || kind === EntityKind.IRLocal))
    for (const i of ir.symbols.of(kind, name, fn)) {
      const { start, end, role } = ir.symbols.occurrences[i]!;
      result.push({ start: ir.start + start, end: ir.start + end, role, view: null });
    }
  const views =
    isFileWide(kind) || kind === EntityKind.IRLocal
      ? snapshot.functions.filter((v) => isFileWide(kind) || v.name === fn)
      : view
        ? [view]
        : [];
  for (const v of views) {
    if (kind === EntityKind.PhysReg) addAliases(v, name, result);
    else addEntity(v, v.symbols.find(kind, name), result);
  }
  // Lists of one entity are in order already; several of them, or IR after MIR, are not.
  if (result.some((o, k) => 0 < k && o.start < result[k - 1]!.start)) result.sort((a, b) => a.start - b.start);
  return result;
}

function addEntity(view: FunctionView, entity: number, result: Occurrence[]): void {
  if (entity < 0) return;
  const { symbols, start } = view;
  for (const i of symbols.occurrences(entity)) result.push(occurrence(view, symbols, start, i));
}

const occurrence = (view: FunctionView, symbols: SymbolIndex, base: number, i: number): Occurrence => ({
  start: base + symbols.start[i]!,
  end: base + symbols.end[i]!,
  role: symbols.role[i]!,
  view,
});

function addAliases(view: FunctionView, name: string, result: Occurrence[]): void {
  for (const entity of aliasesIn(view, name)) addEntity(view, entity, result);
}

/** The registers that a function's names are of; those of AMDGCN where it has none. */
export const tablesOf = (view: FunctionView | null): TargetTables => view?.subtarget?.tables ?? LLVM22.tables;

/** Entities of the physical registers that overlap the register called `name`, itself included. O(entities) */
export function aliasesIn(view: FunctionView, name: string): number[] {
  const { symbols } = view;
  const tables = tablesOf(view);
  const reg = tables.regByName(name);
  const result: number[] = [];
  for (let e = 0; e < symbols.nEntities; e++) {
    if (symbols.kinds[e] !== EntityKind.PhysReg) continue;
    const other = symbols.nameOf(e);
    if (other === name) result.push(e);
    else if (0 < reg) {
      const otherReg = tables.regByName(other);
      if (0 < otherReg && tables.regsOverlap(reg, otherReg)) result.push(e);
    }
  }
  return result;
}

export const rangeOf = (snapshot: Snapshot, { start, end }: { start: number; end: number }): Range =>
  snapshot.rangeOf(start, end);

export const locationOf = (snapshot: Snapshot, place: { start: number; end: number }): Location => ({
  uri: snapshot.uri,
  range: snapshot.rangeOf(place.start, place.end),
});

/** Whether an occurrence writes the entity. */
export const isWrite = (role: number): boolean => (role & (Role.Def | Role.Declaration)) !== 0;

/**
 * Go to definition and declaration.
 *
 * Definition: the instruction that writes a register (the nearest one above for a physical register, all of them for a virtual
 * one), the label of a block, the entry of a stack object or constant, the machine function or the IR of a global.
 * Declaration: the entry in `registers:`, the IR declaration; else the first definition.
 */
import type { Location, Position } from 'vscode-languageserver-types';
import { aliasesIn, locationOf, occurrencesOf, symbolAtPosition, type SymbolHere } from '../snapshot/symbolAt.js';
import { EntityKind, Role, type SymbolIndex } from '../symbols/symbolIndex.js';
import type { Snapshot } from '../snapshot/snapshot.js';

export function provideDefinition(snapshot: Snapshot, { position }: { position: Position }): Location[] {
  const symbol = symbolAtPosition(snapshot, position);
  if (!symbol) return [];
  if (symbol.kind === EntityKind.PhysReg) return physicalDefinition(snapshot, symbol);
  const all = occurrencesOf(snapshot, symbol);
  const defs = all.filter((o) => (o.role & Role.Def) !== 0);
  const found = defs.length > 0 ? defs : all.filter((o) => (o.role & Role.Declaration) !== 0);
  return found.map((o) => locationOf(snapshot, o));
}

export function provideDeclaration(snapshot: Snapshot, { position }: { position: Position }): Location[] {
  const symbol = symbolAtPosition(snapshot, position);
  if (!symbol) return [];
  if (symbol.kind === EntityKind.PhysReg) return physicalDefinition(snapshot, symbol);
  const all = occurrencesOf(snapshot, symbol);
  const declaration = all.find((o) => (o.role & Role.Declaration) !== 0) ?? all.find((o) => (o.role & Role.Def) !== 0);
  return declaration ? [locationOf(snapshot, declaration)] : [];
}

/**
 * The nearest write of an overlapping register above the cursor within its block, else the block's live-in, else every write in
 * the function.
 */
function physicalDefinition(snapshot: Snapshot, { view, name, occurrence }: SymbolHere): Location[] {
  if (!view) return [];
  const { symbols } = view;
  const aliases = new Set(aliasesIn(view, name));
  const at = (i: number): Location =>
    locationOf(snapshot, { start: view.start + symbols.start[i]!, end: view.start + symbols.end[i]! });
  const isDef = (i: number): boolean => aliases.has(symbols.entity[i]!) && (symbols.role[i]! & Role.Def) !== 0;
  if (isDef(occurrence)) return [at(occurrence)];
  if ((symbols.role[occurrence]! & Role.Header) === 0) {
    const lineStart = instructionStart(snapshot, view.start, symbols, occurrence);
    for (let i = occurrence; i >= 0 && !isLabel(symbols, i); i--)
      // A write in the same line comes after the reads of that line.
      if (symbols.start[i]! < lineStart && isDef(i)) return [at(i)];
  }
  const all: Location[] = [];
  for (let i = 0; i < symbols.n; i++) if (isDef(i)) all.push(at(i));
  return all;
}

const isLabel = (symbols: SymbolIndex, i: number): boolean =>
  symbols.kinds[symbols.entity[i]!] === EntityKind.Block && (symbols.role[i]! & Role.Declaration) !== 0;

function instructionStart(snapshot: Snapshot, base: number, symbols: SymbolIndex, i: number): number {
  return snapshot.text.lineStart(snapshot.text.lineAt(base + symbols.start[i]!)) - base;
}

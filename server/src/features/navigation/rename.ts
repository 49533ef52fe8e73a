/**
 * Rename of virtual registers (with their entry in `registers:`) and of block numbers, within one function. Other names belong to
 * something outside: physical registers to the target, IR values and functions to the IR.
 *
 * A rename that would change what llc makes of the function is refused with the reason.
 */
import type { Position, Range, TextEdit as LspTextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { Severity } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import { occurrencesOf, symbolAtPosition, type Occurrence, type SymbolHere } from './symbolAt.js';
import { EntityKind, Role } from './symbolIndex.js';
import type { FunctionView, Snapshot } from '../snapshot.js';

/** A request that makes no sense, in words for the user; the protocol turns it into an error. */
export interface Refusal {
  readonly refused: string;
}

export interface PreparedRename {
  readonly range: Range;
  readonly placeholder: string;
}

/** Null where nothing can be renamed. */
export function providePrepareRename(snapshot: Snapshot, { position }: { position: Position }): PreparedRename | null {
  const symbol = symbolAtPosition(snapshot, position);
  if (!symbol?.view || !isRenamable(symbol)) return null;
  const { start, end } = nameRange(snapshot, symbol.kind, symbol);
  return { range: snapshot.rangeOf(start, end), placeholder: symbol.name };
}

const isRenamable = ({ kind }: SymbolHere): boolean => kind === EntityKind.VReg || kind === EntityKind.Block;

export function provideRename(
  snapshot: Snapshot,
  { position, newName }: { position: Position; newName: string },
): WorkspaceEdit | Refusal | null {
  const symbol = symbolAtPosition(snapshot, position);
  if (!symbol?.view || !isRenamable(symbol)) return null;
  const name = newName.trim().replace(symbol.kind === EntityKind.Block ? /^%?bb\./ : /^%/, '');
  const all = occurrencesOf(snapshot, symbol);
  const refused = problemOf(symbol, symbol.view, name, all);
  if (refused !== '') return { refused };
  if (name === symbol.name) return { changes: {} };
  const edits: TextEdit[] = all.map((o) => ({ ...nameRange(snapshot, symbol.kind, o), text: name }));
  if (addsErrors(snapshot, symbol.view, edits)) return { refused: `llc would reject the function with '${newName}'` };
  return { changes: { [snapshot.uri]: edits.map((e) => toLspEdit(snapshot, e)) } };
}

const toLspEdit = (snapshot: Snapshot, { start, end, text }: TextEdit): LspTextEdit => ({
  range: snapshot.rangeOf(start, end),
  newText: text,
});

/** The part of an occurrence that is the name or number: without sigil, without `bb.` and the IR name behind the number. */
function nameRange(
  { text }: Snapshot,
  kind: EntityKind,
  { start, end }: { start: number; end: number },
): { start: number; end: number } {
  const word = text.slice(start, end);
  if (kind === EntityKind.Block) {
    const [, lead = '', number = ''] = /^(%?bb\.)(\d+)/.exec(word) ?? [];
    return { start: start + lead.length, end: start + lead.length + number.length };
  }
  return word.startsWith('%') ? { start: start + 1, end } : { start, end };
}

const MAX_NUMBER = 0xffffffff;

/** Why the name cannot be given, empty when it can. */
function problemOf(
  { kind, name }: SymbolHere,
  view: FunctionView,
  newName: string,
  all: readonly Occurrence[],
): string {
  const isNumber = /^\d+$/.test(newName);
  if (isNumber && (MAX_NUMBER <= Number(newName) || String(Number(newName)) !== newName))
    return `'${newName}' is no number that llc takes here`;
  if (kind === EntityKind.Block && !isNumber) return 'a block is called by its number, such as bb.3';
  if (!isNumber && !/^[A-Za-z_][\w-]*$/.test(newName))
    return `'${newName}' is no name of a virtual register: letters, digits, '_' and '-'`;
  if (!isNumber && all.some((o) => (o.role & Role.Declaration) !== 0))
    return `%${name} has an entry in registers:, where llc takes only numbers`;
  if (newName !== name && 0 <= view.symbols.find(kind, newName))
    return `${kind === EntityKind.Block ? 'bb.' : '%'}${newName} exists in this function already`;
  return '';
}

function addsErrors(snapshot: Snapshot, view: FunctionView, edits: readonly TextEdit[]): boolean {
  const errors = (v: FunctionView | undefined): number =>
    v?.diagnostics.filter((d) => d.severity === Severity.Error).length ?? 0;
  return errors(view) < errors(snapshot.after(edits).functions[snapshot.functions.indexOf(view)]);
}

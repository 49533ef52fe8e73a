/** Compact numbers for registers and blocks, a name for a register. */
import type { TextEdit } from '../../text/sourceText.js';
import { instrFrom } from '../snapshot/locate.js';
import { symbolAt } from '../snapshot/symbolAt.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import type { FunctionView } from '../snapshot/snapshot.js';
import type { Refactoring, RefactorPlace } from './refactoring.js';

/** Numbers from 0 in the order in which the text has the registers; null where they are that already. O(occurrences) */
export function renumberRegisters({ view }: RefactorPlace): Refactoring | null {
  const edits = renumbered(view, EntityKind.VReg, () => true);
  return edits.length === 0 ? null : { title: 'Renumber registers', edits, keeps: 'output' };
}

/** Numbers from 0 in the order of the labels. */
export function renumberBlocks({ view }: RefactorPlace): Refactoring | null {
  const edits = renumbered(view, EntityKind.Block, (role) => (role & Role.Declaration) !== 0);
  return edits.length === 0 ? null : { title: 'Renumber blocks', edits, keeps: 'output' };
}

function renumbered(
  { symbols, start: base, document }: FunctionView,
  kind: EntityKind,
  counts: (role: number) => boolean,
): TextEdit[] {
  const numbers = new Map<number, number>();
  const { n, entity, role, start, end, kinds } = symbols;
  const isWanted = (i: number): boolean => kinds[entity[i]!] === kind && !symbols.isNamed(entity[i]!);
  for (let i = 0; i < n; i++)
    if (isWanted(i) && counts(role[i]!) && !numbers.has(entity[i]!)) numbers.set(entity[i]!, numbers.size);
  const edits: TextEdit[] = [];
  for (let i = 0; i < n; i++) {
    if (!isWanted(i)) continue;
    const number = numbers.get(entity[i]!);
    // A block that is nowhere: its number may be anything's.
    if (number === undefined) return [];
    const old = symbols.nameOf(entity[i]!);
    if (String(number) === old) continue;
    // `%bb.5.loop`, `bb.5`, `%5`, or the bare number of an entry.
    const lead = end[i]! - start[i]! === old.length ? 0 : kind === EntityKind.VReg ? 1 : -1;
    const at = base + start[i]! + (lead >= 0 ? lead : blockLead(role[i]!));
    if (at + old.length > base + document.length) return [];
    edits.push({ start: at, end: at + old.length, text: String(number) });
  }
  return edits;
}

const blockLead = (role: number): number => ((role & Role.Declaration) !== 0 ? 'bb.'.length : '%bb.'.length);

/** A name for the numbered register under the cursor, after what defines it. */
export function nameRegister({ snapshot, view, offset }: RefactorPlace): Refactoring | null {
  const symbol = symbolAt(snapshot, offset);
  const { fn, symbols, start } = view;
  if (symbol?.kind !== EntityKind.VReg || symbol.view !== view || !/^\d+$/.test(symbol.name) || fn === null)
    return null;
  const places = symbols.occurrences(symbols.entity[symbol.occurrence]!);
  // Entries of registers: take only numbers.
  if ([...places].some((i) => (symbols.role[i]! & (Role.Declaration | Role.Header)) !== 0)) return null;
  const def = [...places].find((i) => (symbols.role[i]! & Role.Def) !== 0);
  if (def === undefined) return null;
  const i = instrFrom(fn, symbols.start[def]!);
  // A line that could not be read is no instruction.
  if (i < 0) return null;
  const name = freeName(view, nameOfOpcode(fn.tables.opcodeName(fn.opcode[i]!)));
  const edits = [...places].map((i) => ({
    start: start + symbols.start[i]! + 1,
    end: start + symbols.end[i]!,
    text: name,
  }));
  return { title: `Name %${symbol.name} %${name}`, edits, keeps: 'errors' };
}

/** Names for all numbered registers that no list declares, after what defines them. O(occurrences) */
export function nameAllRegisters({ view }: RefactorPlace): TextEdit[] {
  const { fn, symbols, start } = view;
  if (fn === null) return [];
  const taken = new Set<string>();
  for (let e = 0; e < symbols.nEntities; e++) if (symbols.kinds[e] === EntityKind.VReg) taken.add(symbols.nameOf(e));
  const edits: TextEdit[] = [];
  for (let e = 0; e < symbols.nEntities; e++) {
    if (symbols.kinds[e] !== EntityKind.VReg || symbols.isNamed(e)) continue;
    const places = [...symbols.occurrences(e)];
    const def = places.find((i) => (symbols.role[i]! & Role.Def) !== 0);
    const isListed = places.some((i) => (symbols.role[i]! & (Role.Declaration | Role.Header)) !== 0);
    if (def === undefined || isListed) continue;
    const i = instrFrom(fn, symbols.start[def]!);
    const word = i < 0 ? 'value' : nameOfOpcode(fn.tables.opcodeName(fn.opcode[i]!));
    let name = word;
    for (let k = 1; taken.has(name); k++) name = `${word}_${k}`;
    taken.add(name);
    for (const i of places)
      edits.push({ start: start + symbols.start[i]! + 1, end: start + symbols.end[i]!, text: name });
  }
  return edits.sort((a, b) => a.start - b.start);
}

/** `V_LSHL_ADD_U32_e64` is `lshl_add`, `GLOBAL_LOAD_DWORD` is `load`. */
function nameOfOpcode(opcode: string): string {
  const words = opcode.toLowerCase().split('_');
  const lead = /^(?:v|s|g|ds|global|flat|scratch|buffer|tbuffer|image|si|av)$/;
  if (words.length > 1 && lead.test(words[0]!)) words.shift();
  const end = words.findIndex(
    (w, k) =>
      k > 0 &&
      /^(?:[bufi]\d+|bf16|e32|e64|dword.*|imm|sgpr|saddr|offset|offen|idxen|bothen|pseudo|co|sdwa|dpp|term|[us]byte|[us]?short)$/.test(
        w,
      ),
  );
  const name = (end < 0 ? words : words.slice(0, end)).join('_');
  return /^[a-z]/.test(name) ? name : 'value';
}

function freeName({ symbols }: FunctionView, name: string): string {
  let free = name;
  for (let k = 1; symbols.find(EntityKind.VReg, free) >= 0; k++) free = `${name}_${k}`;
  return free;
}

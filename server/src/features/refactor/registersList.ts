/** Classes of virtual registers: in the list `registers:` of the header, or where the body first writes them. */
import { NO_NODE, SyntaxKind } from '../../syntax/tree.js';
import type { TextEdit } from '../../text/sourceText.js';
import { eol, insert } from '../fixes/fix.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import type { Refactoring, RefactorPlace } from './refactoring.js';
import { typeText } from '../words/registerNames.js';

/** Lines of the key `registers` with its value, and the value's lines; null without the key. */
function registersKey(
  { file, text }: Snapshot,
  view: FunctionView,
): { readonly whole: TextEdit; readonly isEmpty: boolean } | null {
  const { yaml } = view.document;
  if (yaml.size === 0 || yaml.kind(0) !== SyntaxKind.YamlMapping) return null;
  for (let p = yaml.firstChild(0); p !== NO_NODE; p = yaml.nextSibling(p, 0)) {
    const key = yaml.firstChild(p);
    if (key === NO_NODE || yaml.kind(key) !== SyntaxKind.YamlScalar) continue;
    if (file.interner.text(Math.max(0, yaml.value(key))) !== 'registers') continue;
    const value = yaml.nextSibling(key, p);
    const last = value === NO_NODE ? key : value;
    const isEmpty = value === NO_NODE || yaml.firstChild(value) === NO_NODE;
    const to = text.lineAt(view.start + Math.max(yaml.end(key), yaml.end(last)) - 1);
    const from = text.lineStart(text.lineAt(view.start + yaml.start(key)));
    return { whole: { start: from, end: text.lineStart(to + 1), text: '' }, isEmpty };
  }
  return null;
}

/** A list of the classes of all numbered registers, in the order in which llc numbers them, where there is none. */
export function addRegistersList({ snapshot, view }: RefactorPlace): Refactoring | null {
  const { fn, nameRange } = view;
  const key = registersKey(snapshot, view);
  if (!fn || nameRange === null || (key !== null && !key.isEmpty)) return null;
  const { vregs } = fn;
  const end = eol(snapshot);
  const lines: string[] = ['registers:'];
  for (let v = 0; v < vregs.n; v++) {
    if (vregs.sourceNumber[v]! < 0) continue;
    // Generic registers have their types in the body all the same.
    if (vregs.regClass[v]! < 0) return null;
    const className = typeText(fn, {
      regClass: vregs.regClass[v]!,
      bank: -1,
      type: null,
    });
    lines.push(`  - { id: ${vregs.sourceNumber[v]! >>> 0}, class: ${className} }`);
  }
  if (lines.length === 1) return null;
  const { text } = snapshot;
  const edit =
    key === null
      ? insert(text.lineEnd(text.lineAt(nameRange.end)), `${end}${lines.join(end)}`)
      : { ...key.whole, text: `${lines.join(end)}${end}` };
  return { title: 'Write the classes into registers:', edits: [edit], keeps: 'output' };
}

/** No list: each class stands where its register is first written, or first read where nothing writes it. */
export function dropRegistersList({ snapshot, view }: RefactorPlace): Refactoring | null {
  const { fn, symbols, start } = view;
  const key = registersKey(snapshot, view);
  if (!fn || key === null) return null;
  const edits: TextEdit[] = [key.whole];
  const { vregs } = fn;
  for (let v = 0; v < vregs.n; v++) {
    const own = typeText(fn, { regClass: vregs.regClass[v]!, bank: vregs.bank[v]!, type: vregs.type[v]! });
    const entity = symbols.find(EntityKind.VReg, vregs.name[v] ?? String(vregs.sourceNumber[v]! >>> 0));
    const places =
      entity < 0
        ? []
        : [...symbols.occurrences(entity)].filter((i) => (symbols.role[i]! & (Role.Header | Role.Declaration)) === 0);
    const at = places.find((i) => (symbols.role[i]! & Role.Def) !== 0) ?? places[0];
    if (at === undefined) continue;
    const to = start + symbols.end[at]!;
    const behind = /^(?:\.\w+)?/.exec(snapshot.text.slice(to, to + 64))![0];
    const rest = snapshot.text.slice(to + behind.length, to + behind.length + 1);
    if (rest === ':' || rest === '(' || own === '') continue;
    edits.push(insert(to + behind.length, `:${own}`));
  }
  edits.sort((a, b) => a.start - b.start);
  return { title: 'Write the classes at the definitions instead of registers:', edits, keeps: 'output' };
}

/** Entries of registers that the body does not mention. */
export function dropUnusedEntries({ snapshot, view }: RefactorPlace): Refactoring | null {
  const { fn, symbols } = view;
  const { text } = snapshot;
  if (!fn?.source) return null;
  const edits: TextEdit[] = [];
  for (let v = 0; v < fn.vregs.n; v++) {
    const range = fn.source.vregDeclRange(v);
    if (range === null) continue;
    const entity = symbols.find(EntityKind.VReg, String(fn.vregs.sourceNumber[v]! >>> 0));
    const isUsed =
      entity >= 0 &&
      [...symbols.occurrences(entity)].some((i) => (symbols.role[i]! & (Role.Header | Role.Declaration)) === 0);
    if (isUsed) continue;
    const line = text.lineAt(view.start + range.start);
    const lineText = text.slice(text.lineStart(line), text.lineEnd(line));
    // Only entries that have a line to themselves.
    if (!/^\s*- \{.*\}\s*(?:#.*)?$/.test(lineText)) return null;
    edits.push({ start: text.lineStart(line), end: text.lineStart(line + 1), text: '' });
  }
  if (edits.length === 0) return null;
  edits.sort((a, b) => a.start - b.start);
  const n = edits.length;
  return {
    title: `Remove ${n === 1 ? 'an unused register' : `${n} unused registers`} from registers:`,
    edits,
    keeps: 'errors',
  };
}

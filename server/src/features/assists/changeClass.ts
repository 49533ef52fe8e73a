/** Registers of a class that an instruction does not take: gives the register the class that is asked for, wherever it is spelled. */
import { NO_NODE, SyntaxKind } from '../../syntax/tree.js';
import type { TextEdit } from '../../text/sourceText.js';
import { nodesAt } from '../snapshot/locate.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { occurrenceIn, operandOf, type Assist } from '../fixes/fix.js';
import { allocatable } from './registerClass.js';

/** `Illegal virtual register for instruction`, with the line `Expected a VGPR_32 register, but got a SReg_32 register` */
export const changeRegisterClass: Assist = ({ snapshot, view, diagnostic }) => {
  const { fn, symbols } = view;
  const i = occurrenceIn(view, diagnostic);
  const wanted = /^Expected a (\w+) register/m.exec(diagnostic.message)?.[1];
  if (!fn || i < 0 || wanted === undefined) return [];
  const asked = fn.tables.regClassByName(wanted.toLowerCase());
  const rc = asked < 0 ? -1 : allocatable(fn, asked);
  if (rc < 0) return [];
  const name = fn.tables.regClassMirName(rc);
  const edits = classEdits(snapshot, view, symbols.entity[i]!, () => name);
  return edits.length > 0
    ? [{ title: `Change the class of %${symbols.nameOf(symbols.entity[i]!)} to ${name}`, edits }]
    : [];
};

/** `Subtarget requires even aligned vector registers`: all registers of the instruction that have an aligned class to go to. */
export const alignRegisterClasses: Assist = ({ snapshot, view, diagnostic }) => {
  const { symbols } = view;
  const { tables } = snapshot.subtarget;
  const edits: TextEdit[] = [];
  const names: string[] = [];
  const seen = new Set<number>();
  for (let i = occurrenceIn(view, diagnostic); 0 <= i && i < symbols.n; i++) {
    if (diagnostic.end < view.start + symbols.end[i]!) break;
    const entity = symbols.entity[i]!;
    if (symbols.kinds[entity] !== EntityKind.VReg || seen.has(entity)) continue;
    seen.add(entity);
    const aligned = (now: string): string => (tables.regClassByName(`${now}_align2`) < 0 ? now : `${now}_align2`);
    const own = classEdits(snapshot, view, entity, aligned);
    if (own.length > 0) names.push(`%${symbols.nameOf(entity)}`);
    edits.push(...own);
  }
  edits.sort((a, b) => a.start - b.start);
  return edits.length > 0 ? [{ title: `Align the class of ${names.join(', ')}`, edits }] : [];
};

/** `conflicting register classes, previously: VGPR_32`: the class that stood first, unless no register can have it. */
export const firstClass: Assist = ({ snapshot, diagnostic }) => {
  const { tables } = snapshot.subtarget;
  const first = /previously: (\w+)$/.exec(diagnostic.message)?.[1];
  const rc = first === undefined ? -1 : tables.regClassByName(first.toLowerCase());
  if (rc < 0 || !tables.isAllocatableClass(rc)) return [];
  const { start, end } = diagnostic;
  const text = tables.regClassMirName(rc);
  return [{ title: `Change to '${text}'`, edits: [{ start, end, text }] }];
};

/** Edits of the entries of `registers:` that name the register's class, to the class `name`. */
export function entryClassEdits(snapshot: Snapshot, view: FunctionView, entity: number, name: string): TextEdit[] {
  const { symbols } = view;
  return [...symbols.occurrences(entity)].flatMap((k) => {
    const place = (symbols.role[k]! & Role.Declaration) !== 0 ? entryClass(snapshot, view, k) : null;
    return place === null || snapshot.text.slice(place.start, place.end) === name ? [] : [{ ...place, text: name }];
  });
}

/** Edits of every place that spells the register's class, where `change` makes another one of it. */
function classEdits(
  snapshot: Snapshot,
  view: FunctionView,
  entity: number,
  change: (now: string) => string,
): TextEdit[] {
  const { symbols } = view;
  const edits: TextEdit[] = [];
  for (const k of symbols.occurrences(entity)) {
    const place = (symbols.role[k]! & Role.Declaration) !== 0 ? entryClass(snapshot, view, k) : operandClass(view, k);
    if (!place) continue;
    const now = snapshot.text.slice(place.start, place.end);
    const text = change(now);
    if (text !== now) edits.push({ ...place, text });
  }
  return edits;
}

function operandClass(view: FunctionView, k: number): { start: number; end: number } | null {
  const operand = operandOf(view, k);
  if (!operand) return null;
  const { tree, node, start } = operand;
  const n = tree.childOfKind(node, SyntaxKind.ClassOrBank);
  if (n === NO_NODE) return null;
  const base = start - tree.start(node);
  return { start: base + tree.start(n), end: base + tree.end(n) };
}

/** The value of `class:` in the entry of `registers:` whose `id:` is occurrence k. */
function entryClass(snapshot: Snapshot, view: FunctionView, k: number): { start: number; end: number } | null {
  const nodes = nodesAt(view, view.start + view.symbols.start[k]! + 1);
  const entry = nodes.filter((n) => n.kind === SyntaxKind.YamlMapping).pop();
  if (!entry) return null;
  const { tree, node, start } = entry;
  const base = start - tree.start(node);
  for (let p = tree.firstChild(node); p !== NO_NODE; p = tree.nextSibling(p, node)) {
    const key = tree.firstChild(p);
    const value = key === NO_NODE ? NO_NODE : tree.nextSibling(key, p);
    if (value === NO_NODE || snapshot.text.slice(base + tree.start(key), base + tree.end(key)) !== 'class') continue;
    return { start: base + tree.start(value), end: base + tree.end(value) };
  }
  return null;
}

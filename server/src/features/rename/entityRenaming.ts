/** Names of functions and what is in them: registers, blocks, stack objects, constants, functions and globals, IR values. */
import { NO_NODE, SyntaxKind } from '../../syntax/tree.js';
import type { TextRange } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import { occurrencesOf, symbolAt, type Occurrence, type SymbolHere } from '../snapshot/symbolAt.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { checkLinesOf, escaped, inContent } from '../checks/checkLines.js';
import { physicalRenaming } from './physicalRenaming.js';
import { refuse, replaceAll, type Refusal, type Renaming } from './renaming.js';

/** Kinds that have numbers, with what stands before the number. */
const NUMBERED: Partial<Record<EntityKind, { readonly lead: string; readonly what: string }>> = {
  [EntityKind.Block]: { lead: 'bb.', what: 'a block' },
  [EntityKind.Stack]: { lead: '%stack.', what: 'a stack object' },
  [EntityKind.FixedStack]: { lead: '%fixed-stack.', what: 'a fixed stack object' },
  [EntityKind.Constant]: { lead: '%const.', what: 'a constant' },
  [EntityKind.JumpTable]: { lead: '%jump-table.', what: 'a jump table' },
};

/** Null where nothing can be renamed. */
export function entityRenaming(snapshot: Snapshot, offset: number): Renaming | null {
  const symbol = symbolAt(snapshot, offset);
  if (symbol === null) return null;
  const inSuffix = suffixRenaming(snapshot, symbol, offset);
  if (inSuffix) return inSuffix;
  switch (symbol.kind) {
    case EntityKind.VReg:
      return vregRenaming(snapshot, symbol);
    case EntityKind.Global:
      return globalRenaming(snapshot, symbol);
    case EntityKind.IRLocal:
      return irRenaming(snapshot, symbol);
    case EntityKind.PhysReg:
      return physicalRenaming(symbol);
    default:
      return symbol.kind in NUMBERED ? numberRenaming(snapshot, symbol) : null;
  }
}

// -- numbers -------------------------------------------------------------------------------------------------------

const MAX_NUMBER = 0xffffffff;

const numberProblem = (name: string): string =>
  MAX_NUMBER <= Number(name) || String(Number(name)) !== name ? `'${name}' is no number that llc takes here` : '';

/** The number of an occurrence: without sigil and prefix, without the name after it. */
function numberRange({ text }: Snapshot, { start, end }: TextRange): TextRange {
  const [, lead = '', number = ''] = /^(%?[a-z-]*\.?)(\d+)/.exec(text.slice(start, end)) ?? [];
  return { start: start + lead.length, end: start + lead.length + number.length };
}

function numberRenaming(snapshot: Snapshot, symbol: SymbolHere): Renaming | null {
  const { kind, name, view } = symbol;
  if (!view) return null;
  const { lead, what } = NUMBERED[kind]!;
  return {
    range: numberRange(snapshot, symbol),
    name,
    views: [view],
    edits: (given) => {
      const newName = given.replace(/^%?(?:bb|stack|fixed-stack|const|jump-table)\./, '');
      if (!/^\d+$/.test(newName)) return refuse(`${what} is called by its number, such as ${lead}3`);
      const problem = numberProblem(newName);
      if (problem !== '') return refuse(problem);
      if (newName === name) return [];
      if (0 <= view.symbols.find(kind, newName)) return refuse(`${lead}${newName} exists in this function already`);
      const places = occurrencesOf(snapshot, symbol).map((o) => numberRange(snapshot, o));
      // llc counts the others anew; those of constants it prints as they are.
      if (kind === EntityKind.Constant) {
        const lines = checkLinesOf(snapshot).filter((l) => l.fn === view.name);
        places.push(...inContent(snapshot, lines, new RegExp(`(?<=%const\\.)${name}(?!\\d)`, 'g')));
      }
      return replaceAll(places, newName);
    },
  };
}

// -- virtual registers ---------------------------------------------------------------------------------------------

function vregRenaming(snapshot: Snapshot, symbol: SymbolHere): Renaming | null {
  const { name, view } = symbol;
  if (!view) return null;
  const rangeOf = ({ start, end }: TextRange): TextRange =>
    snapshot.text.slice(start, start + 1) === '%' ? { start: start + 1, end } : { start, end };
  return {
    range: rangeOf(symbol),
    name,
    views: [view],
    edits: (given) => {
      const newName = given.replace(/^%/, '');
      const all = occurrencesOf(snapshot, symbol);
      const problem = vregProblem(name, newName, view, all);
      if (problem !== '') return refuse(problem);
      if (newName === name) return [];
      const places = all.map(rangeOf);
      // llc prints names as they are, numbers as it counts.
      if (!/^\d/.test(name) && !/^\d/.test(newName)) {
        const lines = checkLinesOf(snapshot).filter((l) => l.fn === view.name);
        places.push(...inContent(snapshot, lines, new RegExp(`(?<=%)${escaped(name)}(?![\\w-])`, 'g')));
      }
      return replaceAll(places, newName);
    },
  };
}

function vregProblem(name: string, newName: string, view: FunctionView, all: readonly Occurrence[]): string {
  const isNumber = /^\d+$/.test(newName);
  if (isNumber && numberProblem(newName) !== '') return numberProblem(newName);
  if (!isNumber && !/^[A-Za-z_][\w-]*$/.test(newName))
    return `'${newName}' is no name of a virtual register: letters, digits, '_' and '-'`;
  if (!isNumber && all.some((o) => (o.role & Role.Declaration) !== 0))
    return `%${name} has an entry in registers:, where llc takes only numbers`;
  if (newName !== name && 0 <= view.symbols.find(EntityKind.VReg, newName))
    return `%${newName} exists in this function already`;
  return '';
}

// -- functions and globals -------------------------------------------------------------------------------------------

/** A name in IR that needs no quotes, and in YAML none either. */
const PLAIN = /^[A-Za-z_][\w.$-]*$/;

/** Without sigil and quotes. */
function nameRange({ text }: Snapshot, { start, end }: TextRange): TextRange {
  const word = text.slice(start, end);
  const lead = /^(?:%ir-block\.|%ir\.|[%@&])?"?/.exec(word)![0].length;
  return { start: start + lead, end: word.length > lead && word.endsWith('"') ? end - 1 : end };
}

function globalRenaming(snapshot: Snapshot, symbol: SymbolHere): Renaming | null {
  const { name } = symbol;
  if (name.startsWith('llvm.') || /^\d+$/.test(name) || !PLAIN.test(name)) return null;
  const all = occurrencesOf(snapshot, symbol);
  const views = [...new Set(all.flatMap((o) => (o.view ? [o.view] : [])))];
  return {
    range: nameRange(snapshot, symbol),
    name,
    views,
    edits: (given) => {
      const newName = given.replace(/^@/, '');
      if (newName === name) return [];
      if (!PLAIN.test(newName)) return refuse(`'${newName}' is no plain name: letters, digits, '_', '.', '$' and '-'`);
      if (newName.startsWith('llvm.')) return refuse('names that begin with llvm. are those of intrinsics');
      if (isGlobal(snapshot, newName)) return refuse(`@${newName} exists in this file already`);
      const word = `${escaped(name)}(?![\\w.$-])`;
      const lines = checkLinesOf(snapshot);
      const labels = lines.filter((l) => l.suffix === '-LABEL');
      const others = lines.filter((l) => l.suffix !== '-LABEL');
      return replaceAll(
        [
          ...all.map((o) => nameRange(snapshot, o)),
          ...inContent(snapshot, labels, new RegExp(`(?<![\\w.$-])${word}`, 'g')),
          ...inContent(snapshot, others, new RegExp(`(?<=@|\\bname:\\s*)${word}`, 'g')),
          ...subprogramNames(snapshot, name),
        ],
        newName,
      );
    },
  };
}

function isGlobal(snapshot: Snapshot, name: string): boolean {
  const { irSymbols, functions } = snapshot;
  return (irSymbols?.symbols.of(EntityKind.Global, name, '').length ?? 0) > 0 || functions.some((f) => f.name === name);
}

/** What debug information calls the function. */
function subprogramNames({ text, irSymbols, functions }: Snapshot, name: string): TextRange[] {
  if (irSymbols === null) return [];
  const end = functions[0]?.start ?? text.length;
  const places: TextRange[] = [];
  for (const line of text.slice(irSymbols.start, end).matchAll(/^.*\bDISubprogram\(.*$/gm))
    for (const match of line[0].matchAll(new RegExp(`(?<=\\b(?:name|linkageName): ")${escaped(name)}(?=")`, 'g'))) {
      const start = irSymbols.start + line.index + match.index;
      places.push({ start, end: start + name.length });
    }
  return places;
}

// -- IR values and blocks --------------------------------------------------------------------------------------------

/** On the name after a number, as in `bb.1.loop` and `%stack.0.x`: it is that of the IR. */
function suffixRenaming(snapshot: Snapshot, symbol: SymbolHere, offset: number): Renaming | null {
  const { kind, view, start, end } = symbol;
  if (!view || (kind !== EntityKind.Block && kind !== EntityKind.Stack)) return null;
  const name = suffixOf(snapshot.text.slice(start, end));
  if (name === '' || offset < end - name.length) return null;
  const ir = snapshot.irSymbols?.symbols.of(EntityKind.IRLocal, name, view.name) ?? [];
  if (ir.length === 0) return null;
  const local: SymbolHere = { ...symbol, kind: EntityKind.IRLocal, name, fn: view.name, start: end - name.length };
  return irRenaming(snapshot, local);
}

const suffixOf = (word: string): string => /^(?:%?bb|%stack)\.\d+\.(.+)$/.exec(word)?.[1] ?? '';

function irRenaming(snapshot: Snapshot, symbol: SymbolHere): Renaming | null {
  const { name, fn } = symbol;
  if (!PLAIN.test(name)) return null;
  const views = snapshot.functions.filter((f) => f.name === fn);
  return {
    range: nameRange(snapshot, symbol),
    name,
    views,
    edits: (given) => {
      const newName = given.replace(/^%(?:ir\.|ir-block\.)?/, '');
      if (newName === name) return [];
      const problem = irProblem(snapshot, fn, newName);
      if (problem) return problem;
      const places = occurrencesOf(snapshot, { ...symbol, kind: EntityKind.IRLocal }).map((o) =>
        nameRange(snapshot, o),
      );
      for (const view of views) places.push(...suffixes(snapshot, view, name), ...stackNames(snapshot, view, name));
      const lines = checkLinesOf(snapshot).filter((l) => l.fn === fn);
      places.push(...inContent(snapshot, lines, printedName(name)));
      return unique(replaceAll(places, newName));
    },
  };
}

/** A name of the IR as llc prints it, and as patterns have it: after a sigil, or after the number of a block or stack object. */
const printedName = (name: string): RegExp =>
  new RegExp(
    `(?<=%(?:ir\\.|ir-block\\.|bb\\.\\d+\\.|stack\\.\\d+\\.)?|(?<![\\w.])bb\\.\\d+\\.|(?:\\}\\}|\\]\\])\\.)${escaped(name)}(?![\\w$-]|\\.[\\w$-])`,
    'g',
  );

function irProblem(snapshot: Snapshot, fn: string, newName: string): Refusal | null {
  if (!PLAIN.test(newName)) return refuse(`'${newName}' is no plain name: letters, digits, '_', '.', '$' and '-'`);
  const taken = snapshot.irSymbols?.symbols.of(EntityKind.IRLocal, newName, fn) ?? [];
  return taken.length > 0 ? refuse(`%${newName} exists in the IR of ${fn} already`) : null;
}

/** `.name` after the numbers of blocks and stack objects. */
function suffixes({ text }: Snapshot, { symbols, start: base }: FunctionView, name: string): TextRange[] {
  const places: TextRange[] = [];
  for (let i = 0; i < symbols.n; i++) {
    const kind = symbols.kinds[symbols.entity[i]!];
    if (kind !== EntityKind.Block && kind !== EntityKind.Stack) continue;
    const [start, end] = [base + symbols.start[i]!, base + symbols.end[i]!];
    if (end - start > name.length && suffixOf(text.slice(start, end)) === name)
      places.push({ start: end - name.length, end });
  }
  return places;
}

/** `name:` of stack objects. */
function stackNames({ text }: Snapshot, { document, start: base }: FunctionView, name: string): TextRange[] {
  const tree = document.yaml;
  const places: TextRange[] = [];
  const word = (n: number): string => text.slice(base + tree.start(n), base + tree.end(n));
  const visit = (n: number, isStack: boolean): void => {
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) {
      if (tree.kind(c) !== SyntaxKind.YamlPair) {
        visit(c, isStack);
        continue;
      }
      const key = tree.firstChild(c);
      const value = key === NO_NODE ? NO_NODE : tree.nextSibling(key, c);
      if (value === NO_NODE) continue;
      if (n === 0 && word(key) === 'stack') visit(value, true);
      else if (isStack && word(key) === 'name' && word(value) === name)
        places.push({ start: base + tree.start(value), end: base + tree.end(value) });
    }
  };
  if (tree.size > 0) visit(0, false);
  return places;
}

function unique(edits: readonly TextEdit[]): TextEdit[] {
  const seen = new Set<number>();
  return edits.filter((e) => !seen.has(e.start) && seen.add(e.start));
}

/** What of a file besides its bodies may go: functions, keys and entries of headers, the embedded IR with its attributes and instructions, comments. */
import { NO_NODE, SyntaxKind, type Node } from '../../syntax/tree.js';
import type { TextRange } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import { dropFunctions } from '../simplify/onlyFunction.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { apart, partsOfEdits, type Parts, type Reduction } from './parts.js';

const gap = ({ start, end }: TextRange): TextEdit => ({ start, end, text: '' });

const functions = (snapshot: Snapshot): Parts | null => {
  const { functions: views } = snapshot;
  if (views.length < 2) return null;
  return {
    count: views.length,
    without: (gone) =>
      apart(
        dropFunctions(
          snapshot,
          views.filter((_, k) => gone[k]),
        ),
      ),
  };
};

/** Without them another file is meant, or llc would check less of it. */
const KEPT_KEYS = new Set(['name', 'body', 'tracksRegLiveness']);

/** Keys of the header, items of its lists, and keys of those. */
function headerEntries(snapshot: Snapshot, view: FunctionView): Parts | null {
  const { text } = snapshot;
  const { document, start: base } = view;
  const { yaml } = document;
  if (yaml.size === 0 || yaml.kind(0) !== SyntaxKind.YamlMapping) return null;
  const entries: TextRange[] = [];
  const at = (n: Node): TextRange => ({ start: base + yaml.start(n), end: base + yaml.end(n) });
  const wholeLines = ({ start, end }: TextRange): TextRange => ({
    start: text.lineStart(text.lineAt(start)),
    end: text.lineStart(text.lineAt(Math.max(start, end - 1)) + 1),
  });
  const isInLine = (n: Node): boolean => /^[{[]/.test(text.slice(at(n).start, at(n).start + 1));
  const visit = (parent: Node, isTop: boolean): void => {
    const isFlow = isInLine(parent);
    let before = NO_NODE;
    for (let c = yaml.firstChild(parent); c !== NO_NODE; c = yaml.nextSibling(c, parent)) {
      const isPair = yaml.kind(c) === SyntaxKind.YamlPair;
      const key = isPair ? yaml.firstChild(c) : NO_NODE;
      const value = isPair ? yaml.nextSibling(key, c) : c;
      const name = key === NO_NODE ? '' : text.slice(at(key).start, at(key).end);
      if (isTop && KEPT_KEYS.has(name)) continue;
      const end = value === NO_NODE ? at(c).end : Math.max(at(c).end, at(value).end);
      if (!isFlow) entries.push(wholeLines({ start: at(c).start, end }));
      else {
        const next = yaml.nextSibling(c, parent);
        if (next !== NO_NODE) entries.push({ start: at(c).start, end: at(next).start });
        else if (before !== NO_NODE) entries.push({ start: at(before).end, end: at(c).end });
        else entries.push(at(c));
      }
      before = c;
      const kind = value === NO_NODE ? SyntaxKind.None : yaml.kind(value);
      if (kind === SyntaxKind.YamlMapping || kind === SyntaxKind.YamlSequence) visit(value, false);
    }
  };
  visit(0, true);
  return partsOfEdits(entries.map((range) => [gap(range)]));
}

/** Where the embedded module stands. */
function moduleRange({ file, irSymbols }: Snapshot): TextRange | null {
  if (irSymbols === null) return null;
  const d = file.docStarts.findIndex((at) => at === irSymbols.start);
  const document = file.documents[d];
  return document === undefined
    ? null
    : { start: irSymbols.start + document.irStart, end: irSymbols.start + document.irEnd };
}

interface Line extends TextRange {
  readonly text: string;
  /** number of the definition whose body it is in, -1 = none */
  readonly body: number;
}

/** Lines of the embedded module, with their line breaks. */
function moduleLines(snapshot: Snapshot): Line[] {
  const range = moduleRange(snapshot);
  if (range === null) return [];
  const { text } = snapshot;
  const lines: Line[] = [];
  let body = -1;
  let n = 0;
  for (let l = text.lineAt(range.start); l < text.lineCount && text.lineStart(l) < range.end; l++) {
    const [start, end] = [text.lineStart(l), Math.min(range.end, text.lineStart(l + 1))];
    const own = text.slice(start, end);
    if (body >= 0 && /^\s*\}/.test(own)) body = -1;
    lines.push({ start, end, text: own, body });
    if (/^\s*define\b.*\{\s*(?:;.*)?$/.test(own.trimEnd())) body = n++;
  }
  return lines;
}

/** Globals, declarations, metadata, attribute groups, the target: lines outside of definitions. */
const moduleEntries = (snapshot: Snapshot): Parts | null =>
  partsOfEdits(
    moduleLines(snapshot)
      .filter(({ text, body }) => body < 0 && text.trim() !== '' && !/^\s*(?:define\b|\})/.test(text))
      .map((line) => [gap(line)]),
  );

const LOCAL = String.raw`%(?:[-\w$.]+|"[^"\n]*")`;
const MADE = new RegExp(`^\\s*(${LOCAL}) = `);

/** Instructions of definitions; what reads their values reads `poison`, and memory operands of the machine code say nothing of them. */
function irInstructions(snapshot: Snapshot): Parts | null {
  const lines = moduleLines(snapshot).filter(({ body }) => body >= 0);
  const units = lines.filter(
    ({ text }) => /^\s*(?:%|store\b|call\b|tail call\b|fence\b)/.test(text) && !/[[(]\s*$/.test(text.trimEnd()),
  );
  if (units.length === 0) return null;
  return {
    count: units.length,
    without: (gone) => {
      const names = new Map<number, Set<string>>();
      const left = new Set<Line>();
      units.forEach((line, k) => {
        if (!gone[k]) return;
        left.add(line);
        const made = MADE.exec(line.text)?.[1];
        if (made === undefined) return;
        names.set(line.body, (names.get(line.body) ?? new Set()).add(made));
      });
      const edits: TextEdit[] = [];
      for (const line of lines) {
        if (left.has(line)) {
          edits.push(gap(line));
          continue;
        }
        const own = names.get(line.body);
        if (own === undefined) continue;
        for (const { index, 0: name } of line.text.matchAll(new RegExp(LOCAL, 'g')))
          if (own.has(name) && !/\blabel\s+$/.test(line.text.slice(0, index)))
            edits.push({ start: line.start + index, end: line.start + index + name.length, text: 'poison' });
      }
      return apart([...edits, ...memoryValues(snapshot, new Set([...names.values()].flatMap((own) => [...own])))]);
    },
  };
}

/** `from %ir.x` of names that are gone. */
function memoryValues({ text, functions: views }: Snapshot, names: ReadonlySet<string>): TextEdit[] {
  const edits: TextEdit[] = [];
  const said = / (?:from|into|on) %ir\.((?:[-\w$.]+|"[^"\n]*"))(?: [+-] \d+)?/g;
  for (const { start, end } of views)
    for (const { index, 0: found, 1: name } of text.slice(start, end).matchAll(said))
      if (names.has(`%${name}`)) edits.push(gap({ start: start + index, end: start + index + found.length }));
  return edits;
}

/** A quoted attribute with its value, or a word with an argument. */
const ATTRIBUTE = /"[^"\n]*"(?:="[^"\n]*")?|\b[a-z][a-z_]+(?:\([^()\n]*\))?/g;

function attributes(snapshot: Snapshot): Parts | null {
  const edits: TextEdit[][] = [];
  for (const { start, text } of moduleLines(snapshot)) {
    const group = /^\s*attributes #\d+ = \{/.exec(text)?.[0];
    const definition = /^\s*(?:define|declare)\b[^@]*@(?:[-\w$.]+|"[^"\n]*")\(.*\)/.exec(text)?.[0];
    const lead = group ?? definition;
    if (lead === undefined) continue;
    const tail = text.slice(lead.length);
    const to = /[{}]?\s*(?:;.*)?$/.exec(tail)!.index;
    for (const { index, 0: word } of tail.slice(0, to).matchAll(ATTRIBUTE)) {
      const at = start + lead.length + index;
      const end = at + word.length;
      edits.push([gap({ start: at, end: /^ /.test(tail.slice(index + word.length)) ? end + 1 : end })]);
    }
    if (definition === undefined) continue;
    for (const { index, 0: word } of tail.slice(0, to).matchAll(/ #\d+| ![\w.]+ !\d+/g))
      edits.push([gap({ start: start + lead.length + index, end: start + lead.length + index + word.length })]);
    edits.push(...parameters(definition, start));
  }
  return partsOfEdits(edits);
}

/** Parameters of a definition or declaration, each with one of its commas, and their attributes. */
function parameters(head: string, base: number): TextEdit[][] {
  const open = /@(?:[-\w$.]+|"[^"\n]*")\(/.exec(head)!;
  const from = open.index + open[0].length;
  const edits: TextEdit[][] = [];
  let depth = 0;
  let at = from;
  let before = from;
  for (let k = from; k < head.length; k++) {
    const c = head[k]!;
    if (c === '(' || c === '<' || c === '[' || c === '{') depth++;
    const isEnd = depth === 0 && (c === ',' || c === ')');
    if (depth > 0 && (c === ')' || c === '>' || c === ']' || c === '}')) depth--;
    if (!isEnd) continue;
    if (k > at) {
      const isLast = c === ')';
      edits.push([gap({ start: base + (isLast ? before : at), end: base + (isLast ? k : k + 1) })]);
      const own = head.slice(at, k);
      for (const { index, 0: word } of own.matchAll(
        / (?:no\w+|readonly|writeonly|readnone|returned|inreg|zeroext|signext|align \d+|(?:captures|dereferenceable)\([^()]*\))(?= )/g,
      ))
        edits.push([gap({ start: base + at + index, end: base + at + index + word.length })]);
    }
    before = k;
    at = k + 1;
    if (c === ')') break;
  }
  return edits;
}

/** Comments of the file and of bodies, CHECK lines among them. `kept`: lines of the command that says what the file is for. */
export const comments = (kept: (snapshot: Snapshot) => ReadonlySet<number>): Reduction => ({
  name: 'comments',
  isOfFile: true,
  parts: (snapshot) => {
    const { text } = snapshot;
    const stays = kept(snapshot);
    const edits: TextEdit[][] = [];
    for (let l = 0; l < text.lineCount; l++) {
      const [start, end] = [text.lineStart(l), text.lineEnd(l)];
      if (stays.has(l)) continue;
      if (/^\s*(?:[;#]|$)/.test(text.slice(start, end)) && start < text.lineStart(l + 1))
        edits.push([gap({ start, end: text.lineStart(l + 1) })]);
    }
    for (const { body, start: base } of snapshot.functions)
      body?.chunks.forEach(({ tree }, c) => {
        const from = base + body.start + body.chunkStarts[c]!;
        for (let n = 0; n < tree.size; n = tree.next(n))
          if (tree.kind(n) === SyntaxKind.Comment) {
            const start = from + tree.start(n);
            const blank = /[ \t]*$/.exec(text.slice(text.lineStart(text.lineAt(start)), start))![0].length;
            edits.push([gap({ start: start - blank, end: from + tree.end(n) })]);
          }
      });
    return partsOfEdits(edits);
  },
});

/** Lines of a body or header that cannot be read, one by one. */
export const lines: Reduction = {
  name: 'lines',
  parts: ({ text }, { start, end, fn, body }) => {
    if (fn !== null || body === null) return null;
    const edits: TextEdit[][] = [];
    for (let l = text.lineAt(start); l < text.lineCount && text.lineStart(l) < end; l++)
      if (!/^(?:---|\.\.\.|name:|body:)/.test(text.slice(text.lineStart(l), text.lineEnd(l))))
        edits.push([gap({ start: text.lineStart(l), end: text.lineStart(l + 1) })]);
    return partsOfEdits(edits);
  },
};

export const FUNCTIONS: Reduction = { name: 'functions', isOfFile: true, parts: functions };

export const HEADERS: readonly Reduction[] = [
  { name: 'header entries', parts: headerEntries },
  { name: 'IR instructions', isOfFile: true, parts: irInstructions },
  { name: 'IR attributes', isOfFile: true, parts: attributes },
  { name: 'entries of the module', isOfFile: true, parts: moduleEntries },
];

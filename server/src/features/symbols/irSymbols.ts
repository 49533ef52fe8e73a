/**
 * Names in the embedded IR with their places: functions and other globals, the values and blocks of each function, metadata
 * nodes, attribute groups. A scan for names, not a parse: it holds for broken IR as well.
 */
import { EntityKind, Role } from './symbolIndex.js';

export interface IROccurrence {
  /** relative to the IR document */
  readonly start: number;
  readonly end: number;
  readonly kind: EntityKind;
  /** decoded, without sigil */
  readonly name: string;
  /** the function that an IRLocal belongs to, else '' */
  readonly fn: string;
  /** Role bits */
  readonly role: number;
}

export interface IRSymbols {
  /** in text order */
  readonly occurrences: readonly IROccurrence[];
  /** indices of the occurrences of one entity, in text order */
  of(kind: EntityKind, name: string, fn: string): readonly number[];
}

const TOKEN = /;[^\n]*|[%@]"[^"\n]*"|[%@][-a-zA-Z$._0-9]+|"[^"\n]*"(?::)?|![0-9]+|#[0-9]+|[-a-zA-Z$._0-9]+:?|[{}\n]/g;

const INTRODUCES = Role.Declaration | Role.Def;

const LF = 0x0a;
const EXCLAMATION = 0x21;
const HASH = 0x23;
const PERCENT = 0x25;
const SEMICOLON = 0x3b;
const AT = 0x40;
const CLOSING_BRACE = 0x7d;

const keyOf = (kind: EntityKind, name: string, fn: string): string => `${kind}\n${fn}\n${name}`;

/** Names of the IR text [start, end) of a document that begins at 0 of `text`. O(text) */
export function scanIRSymbols(text: string, start: number, end: number): IRSymbols {
  const occurrences: IROccurrence[] = [];
  const byKey = new Map<string, number[]>();
  const add = (kind: EntityKind, from: number, to: number, name: string, fn: string, role: number): void => {
    const key = keyOf(kind, name, fn);
    const list = byKey.get(key);
    if (list) list.push(occurrences.length);
    else byKey.set(key, [occurrences.length]);
    occurrences.push({ start: from, end: to, kind, name, fn, role });
  };

  /** name of the function whose header or body is being read, '' outside */
  let fn = '';
  /** `define` or `declare` was read, its name not yet */
  let awaitsName = false;
  /** names before it are a function's parameters, and definitions */
  let headerEnd = -1;
  /** offset at which the function ends for certain; for definitions the `}` at a line start does */
  let fnEnd = Infinity;
  let isLineStart = true;
  TOKEN.lastIndex = start;
  for (let match = TOKEN.exec(text); match !== null && match.index < end; match = TOKEN.exec(text)) {
    const [token] = match;
    const from = match.index;
    const to = from + token.length;
    const isFirst = isLineStart;
    isLineStart = token === '\n';
    if (fnEnd <= from) {
      fn = '';
      fnEnd = Infinity;
    }
    const isDefinition = (): boolean => isFirst && /^[ \t]*=/.test(text.slice(to, to + 8));
    switch (token.charCodeAt(0)) {
      case SEMICOLON:
      case LF:
        break;
      case CLOSING_BRACE:
        if (isFirst && headerEnd <= from) fn = '';
        break;
      case AT: {
        const name = decode(token, 1);
        add(EntityKind.Global, from, to, name, '', awaitsName || isDefinition() ? INTRODUCES : Role.Use);
        if (awaitsName) fn = name;
        awaitsName = false;
        break;
      }
      case PERCENT:
        if (fn === '') break;
        add(
          EntityKind.IRLocal,
          from,
          to,
          decode(token, 1),
          fn,
          from < headerEnd || isDefinition() ? INTRODUCES : Role.Use,
        );
        break;
      case EXCLAMATION:
        add(EntityKind.Metadata, from, to, token.slice(1), '', isFirst ? INTRODUCES : Role.Use);
        break;
      case HASH: {
        const isGroup = /\battributes[ \t]+$/.test(text.slice(Math.max(start, from - 24), from));
        add(EntityKind.AttributeGroup, from, to, token.slice(1), '', isGroup ? INTRODUCES : Role.Use);
        break;
      }
      default:
        if (isFirst && token.endsWith(':') && fn !== '' && headerEnd <= from)
          add(EntityKind.IRLocal, from, to - 1, decode(token.slice(0, -1), 0), fn, INTRODUCES);
        else if (isFirst && (token === 'define' || token === 'declare')) {
          awaitsName = true;
          fn = '';
          const line = lineEndAfter(text, from, end);
          headerEnd = token === 'define' ? bodyStart(text, from, line, end) : line;
          fnEnd = token === 'define' ? Infinity : line;
        }
    }
  }
  const none: readonly number[] = [];
  return { occurrences, of: (kind, name, of) => byKey.get(keyOf(kind, name, of)) ?? none };
}

function lineEndAfter(text: string, from: number, end: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 || end < at ? end : at;
}

/** Where the brace stands in the rest of a definition's first line that ends all of it; -1 where the body goes on. */
export function bodyEnd(line: string): number {
  const code = /^(?:[^";]|"[^"]*")*/.exec(line)![0].trimEnd();
  return code.endsWith('}') ? code.length - 1 : -1;
}

/** Where the body of the function definition at `from` begins: the brace at the end of a line, or that of a one-line function. */
function bodyStart(text: string, from: number, lineEnd: number, end: number): number {
  const line = text.slice(from, lineEnd);
  if (bodyEnd(line) >= 0) return from + Math.max(0, line.indexOf('{', line.lastIndexOf(')') + 1));
  const brace = /\{[ \t]*(?:;[^\n]*)?(?:\n|$)/g;
  brace.lastIndex = from;
  const match = brace.exec(text);
  return match === null || end < match.index ? lineEnd : match.index;
}

/** A name without its sigil and quotes, `\xx` decoded. */
function decode(token: string, from: number): string {
  const name = token.charCodeAt(from) === 0x22 ? token.slice(from + 1, -1) : token.slice(from);
  if (!name.includes('\\')) return name;
  return name.replace(/\\([0-9a-fA-F]{2})|\\\\/g, (whole, hex: string | undefined) =>
    hex === undefined ? '\\' : whole.length === 3 ? String.fromCharCode(parseInt(hex, 16)) : whole,
  );
}

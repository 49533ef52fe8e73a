/**
 * Symbols of whole files for "go to symbol in workspace": machine functions and what the embedded IR defines. Read with a scan over the
 * lines instead of a parse, so that thousands of files can be listed in the background.
 */
import { SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver-types';
import { oneLine } from '../../text/visible.js';

/** Something with a name, at a place in its file. */
export interface FileSymbol {
  readonly name: string;
  /** `function` of machine code; the others of the IR */
  readonly kind: 'function' | 'ir-function' | 'global';
  /** 0-based; characters of the name in its line */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Editors cannot show more, and ask again with a longer query. */
const MAX_RESULTS = 512;

const NAME_KEY = /^name:[ \t]+(['"]?)([^\s'"#]+)\1/;
const IR_FUNCTION = /^[ \t]+define\b[^@\n]*@("[^"]*"|[\w.$-]+)/;
const IR_GLOBAL = /^[ \t]+@("[^"]*"|[\w.$-]+)[ \t]*=[^\n]*\b(?:global|constant|alias|ifunc)\b/;

/** In the order of the text. O(text); other texts than MIR give nothing or nonsense names, never an error. */
export function scanSymbols(text: string): FileSymbol[] {
  const symbols: FileSymbol[] = [];
  let line = 0;
  for (let at = 0; at < text.length; line++) {
    const eol = text.indexOf('\n', at);
    const end = eol < 0 ? text.length : eol;
    const symbol = symbolOf(text, at, end, line);
    if (symbol) symbols.push(symbol);
    at = end + 1;
  }
  return symbols;
}

/** Most lines are instructions and go by after a look at some characters. */
function symbolOf(text: string, at: number, end: number, line: number): FileSymbol | null {
  if (text.startsWith('name:', at)) return match(NAME_KEY, 2, 'function', text.slice(at, end), line);
  let p = at;
  while (p < end && (text.charCodeAt(p) === 32 || text.charCodeAt(p) === 9)) p++;
  if (p === at) return null;
  if (text.startsWith('define', p)) return match(IR_FUNCTION, 1, 'ir-function', text.slice(at, end), line);
  return text.charCodeAt(p) === 64 ? match(IR_GLOBAL, 1, 'global', text.slice(at, end), line) : null;
}

function match(
  pattern: RegExp,
  group: number,
  kind: FileSymbol['kind'],
  content: string,
  line: number,
): FileSymbol | null {
  const found = pattern.exec(content);
  const spelled = found?.[group];
  if (!found || spelled === undefined) return null;
  const start = found.index + found[0].lastIndexOf(spelled);
  return { name: oneLine(spelled.replaceAll('"', '')), kind, line, start, end: start + spelled.length };
}

const KINDS: Readonly<Record<FileSymbol['kind'], SymbolKind>> = {
  function: SymbolKind.Function,
  'ir-function': SymbolKind.Method,
  global: SymbolKind.Variable,
};

/** Symbols whose name holds the letters of the query in order, the nearest first. The same function in MIR and IR is listed once. */
export function findSymbols(
  files: Iterable<readonly [string, readonly FileSymbol[]]>,
  query: string,
): WorkspaceSymbol[] {
  const wanted = query.toLowerCase();
  const found: { rank: number; symbol: WorkspaceSymbol }[] = [];
  for (const [uri, symbols] of files) {
    const machine = new Set(symbols.flatMap((s) => (s.kind === 'function' ? [s.name] : [])));
    for (const s of symbols) {
      const rank = rankOf(s.name.toLowerCase(), wanted);
      if (rank < 0 || (s.kind === 'ir-function' && machine.has(s.name))) continue;
      const range = { start: { line: s.line, character: s.start }, end: { line: s.line, character: s.end } };
      const containerName = uri.slice(uri.lastIndexOf('/') + 1);
      found.push({ rank, symbol: { name: s.name, kind: KINDS[s.kind], location: { uri, range }, containerName } });
    }
  }
  found.sort((a, b) => a.rank - b.rank || (a.symbol.name < b.symbol.name ? -1 : a.symbol.name > b.symbol.name ? 1 : 0));
  return found.slice(0, MAX_RESULTS).map((f) => f.symbol);
}

/** 0: the name itself, 1: its beginning, 2: a part, 3: its letters in order, -1: none of that. */
function rankOf(name: string, wanted: string): number {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  let at = 0;
  for (const c of wanted) {
    at = name.indexOf(c, at) + 1;
    if (at === 0) return -1;
  }
  return 3;
}

/** The directives of a test that lit (LLVM 22) reads, wherever in a line they stand, and the lines that one of them is continued in. */
import { LitSyntaxError } from './limits.js';
import { TracedText } from './tracedText.js';

const KEYWORD = /(RUN:|XFAIL:|REQUIRES:|UNSUPPORTED:|ALLOW_RETRIES:|END\.|DEFINE:|REDEFINE:)([^]*)$/;
/** What says which commands run; REDEFINE is found by its end. */
export const OF_SCRIPT = ['RUN:', 'DEFINE:'] as const;
/** What says whether they do. */
export const OF_CONDITIONS = ['XFAIL:', 'REQUIRES:', 'UNSUPPORTED:', 'ALLOW_RETRIES:'] as const;
const END = 'END.';

export interface DirectiveRow {
  readonly keyword: string;
  /** from 0 */
  readonly line: number;
  /** of the keyword, in the file */
  readonly at: number;
  /** after the keyword */
  readonly rest: TracedText;
}

/** Lines with one of the directives, up to the end of the test. Costs a search of the text for each of `keywords`; lines without are not looked at. */
export function* directiveRows(text: string, keywords: readonly string[]): Generator<DirectiveRow> {
  const next = [...keywords, END].map((keyword) => ({ keyword, at: text.indexOf(keyword) }));
  let line = 0;
  let lineStart = 0;
  for (;;) {
    let at = Infinity;
    for (const found of next) {
      if (found.at >= 0 && found.at < lineStart) found.at = text.indexOf(found.keyword, lineStart);
      if (found.at >= 0 && found.at < at) at = found.at;
    }
    // Nothing but ends: those of what is not asked for.
    if (next.every((found) => found.at < 0 || found.keyword === END)) return;
    for (let eol = text.indexOf('\n', lineStart); eol >= 0 && eol < at; eol = text.indexOf('\n', lineStart)) {
      line++;
      lineStart = eol + 1;
    }
    const eol = text.indexOf('\n', at);
    let end = eol < 0 ? text.length : eol;
    while (end > at && text[end - 1] === '\r') end--;
    const row = text.slice(lineStart, end);
    const [, keyword = '', rest = ''] = KEYWORD.exec(row) ?? [];
    if (keyword === END && rest.trim() === '') return;
    if (keyword !== '' && keyword !== END) {
      const from = end - rest.length;
      yield { keyword, line, at: from - keyword.length, rest: TracedText.of(rest, from) };
    }
    if (eol < 0) return;
    line++;
    lineStart = eol + 1;
  }
}

/** RUN, DEFINE or REDEFINE with its continued lines. */
export interface Directive {
  readonly keyword: string;
  /** its lines and where their keywords stand; they need not follow each other */
  readonly rows: { readonly line: number; readonly at: number }[];
  /** of its lines; the last is not blank where there are more */
  readonly parts: TracedText[];
}

export const textOf = ({ keyword, parts }: Directive): TracedText =>
  TracedText.join(parts, keyword === 'RUN:' ? '' : ' ');

/** It ends in a backslash. */
export const isOpen = ({ parts }: Directive): boolean => parts.at(-1)!.text.trimEnd().endsWith('\\');

/** Adds a line of RUN, DEFINE or REDEFINE. Throws LitSyntaxError for a definition that is none. */
export function addRow(script: Directive[], { keyword, line, at, rest }: DirectiveRow): void {
  const text = withLineNumber(rest, line + 1);
  const isRun = keyword === 'RUN:';
  let last = script.at(-1);
  if (last?.keyword !== keyword || !isOpen(last)) {
    last = { keyword, rows: [{ line, at }], parts: [text] };
    script.push(last);
  } else {
    if (!isRun && text.text.trim() === '') throw new LitSyntaxError("Substitution's continuation is empty");
    goOn(last.parts, text, isRun);
    last.rows.push({ line, at });
  }
  if (!isRun && !isOpen(last)) definitionIn(last);
}

/** Takes the backslash away and adds the line after it. */
function goOn(parts: TracedText[], text: TracedText, isRun: boolean): void {
  const open = parts.pop()!.trimEnd();
  const before = open.slice(0, open.text.length - 1);
  if (before.text.trim() !== '' || parts.length === 0) parts.push(isRun ? before : before.trimEnd());
  else if (isRun && before.text !== '')
    parts[parts.length - 1] = TracedText.join([parts.at(-1)!.trimEnd(), TracedText.made(' ')]);
  if (!isRun) parts.push(text.trimStart());
  else if (text.text.trim() !== '') parts.push(text.trimEnd());
}

const withLineNumber = (text: TracedText, line: number): TracedText =>
  text.replaceEach(/%\(line(?: *([+-]) *(\d+))?\)/g, ([, sign, n = '0']) =>
    String(sign === '-' ? line - Number(n) : line + Number(n)),
  );

/** What a text in a RUN line stands for. */
export interface Definition {
  readonly name: string;
  readonly value: TracedText;
}

/** `%{name} = value`. Throws LitSyntaxError. */
export function definitionIn(directive: Directive): Definition {
  const text = textOf(directive);
  const at = text.text.indexOf('=');
  if (at < 0) throw new LitSyntaxError("Substitution's definition does not contain '='");
  const name = text.text.slice(0, at).trim();
  if (!/^%\{[_a-zA-Z][-_:0-9a-zA-Z]*\}$/.test(name))
    throw new LitSyntaxError(
      `Substitution name '${name}' is malformed as it must start with '%{', it must end with '}', and the rest must start with a letter or underscore and contain only alphanumeric characters, hyphens, underscores, and colons`,
    );
  return { name, value: text.slice(at + 1).trim() };
}

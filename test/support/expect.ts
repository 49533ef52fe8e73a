/**
 * Expected text where it is expected: expect`...`.equals(actual). With UPDATE=1 what differs is written into the source of the test, and is
 * then to be read in the diff like any other change.
 *
 *     expect`
 *       %0: vgpr_32, 1 VGPR (32 bits)
 *       live in 1 of 1 block
 *     `.equals(hover(...));
 *
 * Of a text of several lines the indentation goes, and with it the break at either end; in one of a single line all counts. `\` stands before a
 * backtick, a `$` or another `\`.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UPDATE } from './switches.js';

export interface Expectation {
  readonly text: string;
  equals(actual: string): void;
}

/** A template without values: what it says is what stands in the source. */
export function expect(strings: TemplateStringsArray, ...values: readonly never[]): Expectation {
  if (values.length > 0) throw new Error('an expectation has no values: UPDATE=1 could not write them');
  const text = textOf(strings.raw[0]!);
  const place = UPDATE ? callerOf(new Error()) : null;
  return {
    text,
    equals(actual) {
      if (place === null) assert.equal(actual, text);
      else keep(place, actual, text);
    },
  };
}

const unescaped = (raw: string): string => raw.replaceAll(/\\([\\`$])/g, '$1');

/** What the raw words of a template mean. */
export function textOf(raw: string): string {
  const said = unescaped(raw);
  if (!said.includes('\n')) return said;
  const [first, ...lines] = said.split('\n');
  if (first!.trim() !== '' || lines.at(-1)!.trim() !== '')
    throw new Error('an expectation of several lines begins and ends with a line break');
  const indent = indentOf(lines);
  return lines
    .slice(0, -1)
    .map((l) => l.slice(indent))
    .join('\n');
}

/** How far in the text stands, of which the last line is the blanks before the backtick. */
function indentOf(lines: readonly string[]): number {
  const indents = lines.slice(0, -1).flatMap((l) => (l.trim() === '' ? [] : [l.search(/\S/)]));
  return Math.min(lines.at(-1)!.length + 2, ...indents);
}

/** The words of a template that mean `text`, as far in as those before; where there were not several lines, on from `indent`. */
export function rawOf(text: string, indent: string, before = ''): string {
  const escaped = text.replaceAll(/[\\`]|\$(?=\{)/g, (c) => `\\${c}`);
  if (!escaped.includes('\n')) return escaped;
  const standing = (start: string, end: string): string =>
    ['', ...escaped.split('\n').map((l) => (l === '' ? '' : start + l)), end].join('\n');
  const lines = before.split('\n').slice(1);
  if (lines.length > 0) {
    const asBefore = standing(' '.repeat(indentOf(lines)), lines.at(-1)!);
    if (textOf(asBefore) === text) return asBefore;
  }
  return standing(`${indent}  `, indent);
}

/**
 * Tests of a table: parts of a text that each begin with `== head`, an empty line between two. `answer` says of a head the whole part, which may have
 * another head where that says what was found.
 */
export function describeParts(title: string, table: Expectation, answer: (head: string) => string): void {
  describe(title, () => {
    const anew: string[] = [];
    for (const part of table.text.split(/\n\n(?=== )/)) {
      const head = part.split('\n', 1)[0]!;
      it(head.slice('== '.length), () => {
        const found = answer(head);
        if (UPDATE) anew.push(found);
        else assert.equal(found, part);
      });
    }
    if (UPDATE) after(() => table.equals(anew.join('\n\n')));
  });
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Answer extends Omit<Place, 'file'> {
  readonly actual: string;
}

/** The frame below this module's. */
function callerOf({ stack = '' }: Error): Place {
  const frames = [...stack.matchAll(/^ +at (?:.* \()?(.+):(\d+):(\d+)\)?$/gm)];
  const [, path = '', line, column] = frames.find(([, file]) => !file!.endsWith('/expect.ts')) ?? [];
  const file = path.startsWith('file:') ? fileURLToPath(path) : path;
  return { file, line: Number(line), column: Number(column) };
}

const answers = new Map<string, Answer[]>();

/** Remembers what the text at a place is to be; a place that is asked twice has one answer. */
function keep({ file, line, column }: Place, actual: string, text: string): void {
  if (answers.size === 0) process.once('exit', writeAll);
  const known = answers.get(file) ?? [];
  answers.set(file, known);
  const before = known.find((a) => a.line === line && a.column === column);
  if (before === undefined) known.push({ line, column, actual });
  else assert.equal(actual, before.actual, `one expectation, two answers; it says ${text}`);
}

function writeAll(): void {
  for (const [file, known] of answers) {
    const source = readFileSync(file, 'utf8');
    const updated = withAnswers(source, known);
    if (updated !== source) writeFileSync(file, updated);
  }
}

/** A source with the templates at some places saying what they are to say. */
export function withAnswers(source: string, known: readonly Answer[]): string {
  const starts = [0];
  for (let k = source.indexOf('\n'); k >= 0; k = source.indexOf('\n', k + 1)) starts.push(k + 1);
  const edits = known.map(({ line, column, actual }) => {
    const lineStart = starts[line - 1]!;
    const call = source.indexOf('expect`', lineStart + column - 1);
    const from = call + 'expect`'.length;
    const raw = /^(?:[^\\`]|\\[^])*/.exec(source.slice(from))![0];
    if (call < 0 || source.slice(lineStart, call).includes('\n')) throw new Error(`no expectation in line ${line}`);
    const indent = /^ */.exec(source.slice(lineStart))![0];
    return { from, to: from + raw.length, raw: textOf(raw) === actual ? raw : rawOf(actual, indent, raw) };
  });
  let updated = source;
  for (const { from, to, raw } of edits.sort((a, b) => b.from - a.from))
    updated = updated.slice(0, from) + raw + updated.slice(to);
  return updated;
}

/**
 * What a document answers to every request that needs nothing but a place, as a text that people can read: the files of `test/fixtures/answers` have it
 * word by word. When they were made llc-22 scheduled `kernel`, `blocks`, `names` and `waves` (and allocated `kernel`) as amdgpu-mir does and printed
 * the same pressure; the words around the numbers are ours. A change of an answer is to be read before it is kept.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeAction, Hover, Position, TextEdit } from 'vscode-languageserver-types';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { answerOf, FEATURES } from '../../server/src/lsp/common/featureTable.js';
import { SETTINGS_OF_22 } from './settings.js';
import { UPDATE } from './switches.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';

const URI = 'file:///answers.mir';

/** Not of a place, or said elsewhere: completion has its lists, tokens an independent scanner, what Triton reads is the whole text, runs of RUN lines and what llc ends with take long. */
const LEFT_OUT =
  /completion|signatureHelp|ormatting|semanticTokens|resolve|rename|ierarchy\/|[rR]unLines|[rR]unOutput|swapText|dumpGraph|hover|codeAction|applyLever|sweepRow|endedText|whyOccupancy/;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const place = (p: unknown): string => (isObject(p) ? `${Number(p.line) + 1}:${Number(p.character) + 1}` : '');

/** Ranges as `line:column-line:column`, counted from 1; lists of simple values in one line; texts with their lines below. */
function show(value: unknown, indent: string): string {
  if (typeof value === 'string')
    return value.includes('\n') ? `\n${value.trimEnd().replace(/^(?=.)/gm, `${indent}| `)}` : value;
  if (!isObject(value)) return String(value);
  if (isObject(value.start) && isObject(value.end) && 'line' in value.start)
    return `${place(value.start)}-${place(value.end)}`;
  if ('line' in value && 'character' in value) return place(value);
  const entries = Object.entries(value);
  if (Array.isArray(value) && value.every((v) => !isObject(v))) return `[${value.join(' ')}]`;
  return entries.map(([key, v]) => `\n${indent}${key}: ${show(v, `${indent}  `)}`.replace(/: \n/, ':\n')).join('');
}

export interface Answering {
  readonly ask: (method: string, position: Position, more?: object) => unknown;
  readonly lines: readonly string[];
}

export function answering(text: string): Answering {
  const host = new AnalysisHost(false, Infinity);
  host.configure(SETTINGS_OF_22);
  host.open(URI, 1, text);
  const snapshot = host.snapshot(URI)!;
  const lines = text.split('\n');
  const all = { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } };
  const textDocument = { uri: URI };
  return {
    lines,
    ask: (method, position, more = {}) =>
      answerOf(
        method,
        snapshot,
        { textDocument, position, positions: [position], range: all, scope: 'function', ...more },
        NEVER_CANCELLED,
      ),
  };
}

/** What all requests answer about the instruction that begins with `word`. */
function reports({ ask, lines }: Answering, word: string): string {
  const line = lines.findIndex((l) => l.includes(word));
  const position = { line, character: lines[line]!.indexOf(word) };
  const methods = Object.keys(FEATURES).filter((m) => !LEFT_OUT.test(m));
  return methods.map((m) => `== ${m} ${show(ask(m, position), '  ')}`.trimEnd() + '\n').join('');
}

/** Lines from one to another, which is none of them. */
type Lines = readonly [from: number, to: number];

const ALL: Lines = [0, Infinity];

/** Each word of each line. */
export const wordsOf = (
  lines: readonly string[],
  [from, to] = ALL,
): { readonly word: string; readonly position: Position }[] =>
  lines.slice(from, to).flatMap((l, k) =>
    [...l.matchAll(/[%$@]?[\w.-]+/g)].map((m) => ({
      word: m[0],
      position: { line: from + k, character: m.index + 1 },
    })),
  );

/** Hovers of all words, each with the words that have it. Links are left out. */
function hovers({ ask, lines }: Answering, which = ALL): string {
  const found = new Map<string, string[]>();
  for (const { word, position } of wordsOf(lines, which)) {
    const hover = ask('textDocument/hover', position) as Hover | null;
    const text = (hover?.contents as { value: string } | undefined)?.value.replaceAll(/\]\([^)]*\)/g, ']') ?? '';
    const at = `${position.line + 1} ${word}`;
    found.set(text, [...(found.get(text) ?? []), at]);
  }
  return [...found].map(([text, at]) => `== ${at.join(', ')}\n${text.replaceAll(/ +$/gm, '')}\n`).join('\n');
}

/** Code actions of all words, each with what it writes. */
function actions({ ask, lines }: Answering, which = ALL): string {
  const found = new Map<string, string[]>();
  for (const { word, position } of wordsOf(lines, which)) {
    const range = { start: position, end: position };
    const list = ask('textDocument/codeAction', position, { range, context: { diagnostics: [], triggerKind: 1 } });
    for (const { title, kind, edit, isPreferred, disabled } of list as CodeAction[]) {
      const edits: TextEdit[] = edit?.changes?.[URI] ?? [];
      const written = edits.map((e) => `  ${show(e.range, '')} ${JSON.stringify(e.newText)}\n`).join('');
      const head = `${title} (${kind ?? ''}${isPreferred === true ? ', preferred' : ''}${disabled ? `, ${disabled.reason}` : ''})`;
      const text = `${head}\n${written}`;
      found.set(text, [...(found.get(text) ?? []), `${position.line + 1} ${word}`]);
    }
  }
  return [...found].map(([text, at]) => `== ${[...new Set(at)].join(', ')}\n${text}`).join('\n');
}

/** What is asked about an instruction and answered at once. */
const OF_AN_INSTRUCTION = ['why', 'whyDivergent', 'schedulePick', 'dependences', 'explainAllocation'];

/** Answers about each line of a body, in words where there are some, each with the lines that have it. */
function instructions({ ask, lines }: Answering): string {
  const found = new Map<string, number[]>();
  for (const method of OF_AN_INSTRUCTION)
    lines.forEach((l, line) => {
      if (!/^ {2,}\S/.test(l)) return;
      const answer = ask(`amdgpuMir/${method}`, { line, character: l.search(/\S/) + 1 });
      const words = isObject(answer) ? (answer.report ?? answer.text ?? answer) : answer;
      const text = `${method} ${show(words, '  ')}`.trimEnd();
      found.set(text, [...(found.get(text) ?? []), line + 1]);
    });
  return [...found].map(([text, at]) => `== ${at.join(', ')} ${text}\n`).join('');
}

const FOLDER = join(__dirname, '..', 'fixtures', 'answers');

/** Documents, with the instruction whose reports are kept. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  kernel: 'V_FMA_F32',
  blocks: 'GLOBAL_LOAD',
  names: 'V_ADD_U32',
  lanes: 'V_SUB_U32',
  errors: 'S_NOP',
  waves: 'SI_LOOP',
};

const MAKE = {
  hovers: (open: Answering) => hovers(open),
  actions: (open: Answering) => actions(open),
  instructions: (open: Answering) => instructions(open),
  reports: (open: Answering, name: string) => reports(open, DOCUMENTS[name]!),
};

/** What has answers in a file, document by document. */
function eachWith(kind: string, found: (name: string, text: string, wanted: string) => void): void {
  for (const name of Object.keys(DOCUMENTS)) {
    const file = join(FOLDER, `${name}.${kind}.txt`);
    if (!existsSync(file)) continue;
    if (UPDATE)
      writeFileSync(
        file,
        MAKE[kind as keyof typeof MAKE](answering(readFileSync(join(FOLDER, `${name}.mir`), 'utf8')), name),
      );
    found(name, readFileSync(join(FOLDER, `${name}.mir`), 'utf8'), readFileSync(file, 'utf8'));
  }
}

const partsOf = (text: string): string[] => text.split(/^(?=== )/m).filter((part) => part !== '');

/** What is said, by the places that it is said of; of some lines. */
function byText(text: string, [from, to]: Lines): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of partsOf(text)) {
    const [, head = '', rest = ''] = /^== (.*)\n([^]*)$/.exec(part)!;
    const places = head.split(', ').filter((place) => from <= parseInt(place, 10) - 1 && parseInt(place, 10) - 1 < to);
    if (places.length > 0) found.set(rest.trim(), places.join(', '));
  }
  return found;
}

/** So many lines are asked together. */
const TOGETHER = 12;

/** Tests of what is said of each word. */
export function describeWords(kind: 'hovers' | 'actions'): void {
  const make = { hovers, actions }[kind];
  describe(`all ${kind}`, () =>
    eachWith(kind, (name, text, wanted) => {
      for (let from = 0; from < text.split('\n').length; from += TOGETHER)
        it(`${name}, from line ${from + 1} on`, () => {
          const which = [from, from + TOGETHER] as const;
          assert.deepEqual(byText(make(answering(text), which), ALL), byText(wanted, which));
        });
    }));
}

/** Tests of reports: of a document, or of each of its instructions. */
export function describeReports(kind: 'reports' | 'instructions'): void {
  describe(`all ${kind}`, () =>
    eachWith(kind, (name, text, wanted) =>
      it(name, () => {
        const open = answering(text);
        const made = kind === 'reports' ? reports(open, DOCUMENTS[name]!) : instructions(open);
        assert.deepEqual(partsOf(made), partsOf(wanted));
      }),
    ));
}

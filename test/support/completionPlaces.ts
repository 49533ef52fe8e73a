/**
 * Completion at the words of a text, one deleted and the next cut off with the rest of its line, as a text that people can read: what is proposed
 * first, and how many there are.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompletionItem, TextEdit } from 'vscode-languageserver-types';
import { provideCompletion } from '../../server/src/features/completion/completion.js';
import type { ItemData } from '../../server/src/features/completion/resolveItem.js';
import { SETTINGS_OF_22 } from './settings.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { URI } from './cursor.js';
import { UPDATE } from './switches.js';

const SETTINGS = { ...SETTINGS_OF_22, snippets: true, commandLinks: true };

/** So many of a list are shown. */
const SHOWN = 6;

function shown(item: CompletionItem): string {
  const { label, textEdit, labelDetails, command, additionalTextEdits = [] } = item;
  const written = (textEdit as TextEdit).newText.replaceAll('\n', '\\n').replace(/ +$/, (s) => '␣'.repeat(s.length));
  const { detail = '', description = '' } = labelDetails ?? {};
  const known = [detail.trim(), description].filter((s) => s !== '').join('; ');
  return [
    label,
    ...(written === label ? [] : [`-> ${written}`]),
    ...(known === '' ? [] : [`(${known})`]),
    ...(command === undefined ? [] : ['...']),
    ...(additionalTextEdits.length === 0 ? [] : ['<-']),
  ].join(' ');
}

/** What documentation is asked for is that of what is shown. */
function checkData({ label, data }: CompletionItem): void {
  if (data === undefined) return;
  const { about } = data as ItemData;
  const name = about.what === 'key' ? (about.name.split('.').at(-1) ?? '') : about.name;
  assert.ok(label.includes(name), `${label}: ${about.what} ${about.name}`);
  const looksLike = { opcode: /^[A-Z]/, register: /^[%$]/, class: /^[a-z_]/, key: /^[A-Za-z]/, processor: /^[a-z]/ };
  assert.match(about.name, looksLike[about.what]);
}

interface Place {
  readonly line: number;
  readonly column: number;
  /** the line with the place in it */
  readonly edited: string;
}

/**
 * Words of the text, deleted or cut off with all that follows on their line, the one and the other by turns; a word that stands after the same one as before
 * is left out. Lines of instructions, or all with `all`.
 */
function placesOf(lines: readonly string[], all: boolean): Place[] {
  const places: Place[] = [];
  const seen = new Set<string>();
  lines.forEach((own, line) => {
    if (!all && !/^ {4,}\S/.test(own)) return;
    let before = '';
    for (const { 0: word, index: column } of own.matchAll(/[%$@&!]?[\w-]+(?:\.[\w-]+)*/g)) {
      const pair = `${before} ${word}`;
      before = word;
      if (seen.has(pair)) continue;
      seen.add(pair);
      const rest = seen.size % 2 === 0 ? '' : own.slice(column + word.length);
      places.push({ line, column, edited: own.slice(0, column) + rest });
    }
  });
  return places;
}

/** So many places are asked together. */
const TOGETHER = 10;

/** Parts of the text with their places, each list below the places that have it. */
function completionPlaces(text: string, all: boolean): (() => string)[] {
  const lines = text.split('\n');
  const places = placesOf(lines, all);
  const host = new AnalysisHost(false, Infinity);
  host.configure(SETTINGS);
  const listAt = ({ line, column, edited }: Place): string => {
    host.open(URI, 1, [...lines.slice(0, line), edited, ...lines.slice(line + 1)].join('\n'));
    const snapshot = host.snapshot(URI)!;
    const { items } = provideCompletion(snapshot, {
      textDocument: { uri: URI },
      position: { line, character: column },
    });
    items.forEach(checkData);
    const list = [...items.slice(0, SHOWN).map(shown), ...(items.length > SHOWN ? [`... ${items.length}`] : [])];
    return list.map((s) => `  ${s}\n`).join('');
  };
  const part = (first: number) => (): string => {
    const found = new Map<string, string[]>();
    for (const place of places.slice(first, first + TOGETHER)) {
      const list = listAt(place);
      const { line, column, edited } = place;
      const at = `${line + 1}${edited.slice(0, column).replace(/^ +/, ' ')}$0${edited.slice(column).trimEnd()}`;
      found.set(list, [...(found.get(list) ?? []), at]);
    }
    return [...found].map(([list, at]) => `${at.map((p) => `== ${p}\n`).join('')}${list}`).join('\n');
  };
  return Array.from({ length: Math.ceil(places.length / TOGETHER) }, (_, k) => part(k * TOGETHER));
}

/** Between the parts in a file of them. */
const PART = '\n@@\n';

/** Tests of the lists at the words of a text of `test/fixtures/everywhere`. A change of a list is to be read before it is kept. */
export function describePlaces(name: string): void {
  const pathOf = (end: string): string => join(__dirname, '..', 'fixtures', 'everywhere', `${name}${end}`);
  const fileOf = (end: string): string => readFileSync(pathOf(end), 'utf8');
  describe(`completion at every word: ${name}`, () => {
    const parts = completionPlaces(fileOf('.mir'), name === 'headers');
    if (UPDATE) writeFileSync(pathOf('.lists.txt'), parts.map((part) => part()).join(PART));
    const wanted = fileOf('.lists.txt').split(PART);
    it('as many places as are kept', () => assert.equal(parts.length, wanted.length));
    parts.forEach((part, k) =>
      it(`part ${k}`, () => {
        const lists = (text: string): string[] => text.split('\n\n');
        assert.deepEqual(lists(part()), lists(wanted[k]!));
      }),
    );
  });
}

/** What the light bulb offers about the mistakes of a text, and what becomes of the text. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeAction, TextEdit } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../server/src/features/assists/codeAction.js';
import type { Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { openText, URI } from './cursor.js';

/** A text after edits of another, which are in no particular order. */
function edited({ text }: Snapshot, edits: readonly TextEdit[]): string {
  let result = text.text;
  const places = edits.map((e) => ({ from: text.offsetAt(e.range.start), to: text.offsetAt(e.range.end), ...e }));
  for (const { from, to, newText } of places.sort((a, b) => b.from - a.from))
    result = result.slice(0, from) + newText + result.slice(to);
  return result;
}

/** The lines of a text that another has not, in one: those at the same place where there are as many, else those that stand nowhere; and those that are gone. */
function changed(old: string, now: string): string {
  const [was, is] = [old.split('\n'), now.split('\n')];
  if (was.length === is.length)
    return is
      .filter((l, k) => l !== was[k])
      .map((l) => l.trim())
      .join(' / ');
  const left = [...was];
  const added = is.filter((l) => {
    const k = left.indexOf(l);
    if (k >= 0) left.splice(k, 1);
    return k < 0;
  });
  return [...added.map((l) => `+${l}`), ...left.map((l) => `-${l}`)].join(' / ');
}

/** Each offer about a diagnostic once, as `title: changed lines`; the preferred ones with a star in front. */
function offers(text: string): string[] {
  const { host, snapshot } = openText(text);
  const found: string[] = [];
  for (const d of host.diagnostics(URI, NEVER_CANCELLED)!) {
    const list: CodeAction[] = provideCodeActions(
      snapshot,
      { range: d.range, context: { diagnostics: [d] } },
      NEVER_CANCELLED,
    );
    for (const { title, edit, diagnostics, isPreferred } of list)
      if (diagnostics?.includes(d) === true)
        found.push(
          `${isPreferred === true ? '*' : ''}${title}: ${changed(text, edited(snapshot, edit!.changes![URI]!))}`,
        );
  }
  return [...new Set(found)];
}

/** Tests of `test/fixtures/offers/NAME.txt`: `=== processor what`, a function without its first lines, `>>>`, its offers. A new offer is to be read before it is kept. */
export function describeOffers(name: string): void {
  describe(`offers of the light bulb: ${name}`, () => {
    for (const { title, text, wanted } of casesOf(name)) it(title, () => assert.deepEqual(offers(text), wanted));
  });
}

interface OfferCase {
  readonly title: string;
  readonly text: string;
  readonly wanted: readonly string[];
}

/** Before each function stands another: places in its document are none of the text. */
const BEFORE = '---\nname: before\n...\n';

function casesOf(name: string): OfferCase[] {
  const file = readFileSync(join(__dirname, '..', 'fixtures', 'offers', `${name}.txt`), 'utf8');
  return file
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [, cpu = '', title = '', body = '', wanted = ''] = /^(\S+) (.*)\n([^]*?)^>>>\n([^]*)$/m.exec(part)!;
      const text = `# RUN: llc -mtriple=amdgcn -mcpu=${cpu} -run-pass=none %s\n${BEFORE}---\nname: f\n${body}`;
      return { title, text, wanted: wanted.split('\n').filter((l) => l !== '') };
    });
}

/**
 * Whole lists of completion with snippets, in their order: `test/fixtures/completion`, a file for each kind of place. Under `==` and a line with
 * the cursor `$0` in it stand the items, each as `label -> what is written | detail | description`; `... n` ends the beginning of a list of n.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TextEdit } from 'vscode-languageserver-types';
import { provideCompletion } from '../../server/src/features/completion/completion.js';
import { AROUND } from './completionTexts.js';
import { atCursor, URI } from './cursor.js';
import { UPDATE } from './switches.js';

/** The items of a place as the files have them. */
function shownAt(around: (line: string) => string, place: string): string[] {
  const { snapshot, position } = atCursor(around(place.replaceAll('\\n', '\n')), { snippets: true });
  return provideCompletion(snapshot, { textDocument: { uri: URI }, position }).items.map(
    ({ label, textEdit, labelDetails }) => {
      const written = (textEdit as TextEdit).newText
        .replaceAll('\n', '\\n')
        .replace(/ +$/, (blanks) => '␣'.repeat(blanks.length));
      const first = written === label ? label : `${label} -> ${written}`;
      const all = [first, (labelDetails?.detail ?? '').trim(), labelDetails?.description ?? ''].join(' | ');
      return all.replace(/(?: \| )+$/, '');
    },
  );
}

/** The file with the items of now; of a list of which the beginning is kept, as many as before. A change is to be read before it is kept. */
function madeAnew(file: string, around: (line: string) => string): string {
  const [head = '', ...parts] = file.split(/^== /m);
  const made = parts.map((part) => {
    const [place = '', ...lines] = part.trimEnd().split('\n');
    const shown = shownAt(around, place);
    const isBeginning = lines.at(-1)?.startsWith('... ') === true;
    const kept = isBeginning ? [...shown.slice(0, lines.length - 1), `... ${shown.length}`] : shown;
    return `== ${[place, ...kept].join('\n')}${/\n*$/.exec(part)![0]}`;
  });
  return head + made.join('');
}

/** Tests of the lists in the files with these names. */
export function describeLists(...names: readonly string[]): void {
  for (const name of names)
    describe(`lists of completion: ${name}`, () => {
      const path = join(__dirname, '..', 'fixtures', 'completion', `${name}.txt`);
      if (UPDATE) writeFileSync(path, madeAnew(readFileSync(path, 'utf8'), AROUND[name]!));
      const file = readFileSync(path, 'utf8');
      for (const part of file.split(/^== /m).slice(1)) {
        const [place = '', ...lines] = part.trimEnd().split('\n');
        it(place, () => {
          const shown = shownAt(AROUND[name]!, place);
          const isBeginning = lines.at(-1)?.startsWith('... ') === true;
          assert.deepEqual(isBeginning ? [...shown.slice(0, lines.length - 1), `... ${shown.length}`] : shown, lines);
        });
      }
    });
}

/**
 * The order of completion before anything is tried on the text, as many places in little time: `test/fixtures/completionOrders`, a file for each
 * source. Under `@` and a text of `completionTexts.ts` stand lines with the cursor `$0` in them, below each the labels in their order.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideCompletion } from '../../server/src/features/completion/completion.js';
import type { CancellationToken } from '../../server/src/util/cancellation.js';
import { AROUND } from './completionTexts.js';
import { atCursor, URI } from './cursor.js';
import { UPDATE } from './switches.js';

/** So many labels of a list are shown. */
const SHOWN = 60;

/** Cancelled as soon as there is a list: nothing of it is tried. */
function atOnce(): CancellationToken {
  let asked = 0;
  return { isCancelled: () => asked++ > 0 };
}

/** Labels at a place, ` / ` between them; how many there are, where not all are shown. */
function orderAt(around: (line: string) => string, place: string): string {
  const { snapshot, position } = atCursor(around(place.replaceAll('\\n', '\n')));
  const { items } = provideCompletion(snapshot, { textDocument: { uri: URI }, position }, atOnce());
  const labels = items.slice(0, SHOWN).map((c) => c.label);
  return [...labels, ...(items.length > SHOWN ? [`... ${items.length}`] : [])].join(' / ');
}

/** So many places are one test. */
const TOGETHER = 8;

const ordered = (around: string, place: string): string => `= ${orderAt(AROUND[around]!, place)}`.trimEnd();

/** The file with the orders of now. */
function madeAnew(file: string): string {
  let around = '';
  let place = '';
  return file
    .split('\n')
    .map((line) => {
      if (line.startsWith('@')) around = line.slice(1);
      else if (line.startsWith('=')) return ordered(around, place);
      else place = line;
      return line;
    })
    .join('\n');
}

/** Tests of the orders in a file. A change of an order (UPDATE=1 writes it) is to be read before it is kept. */
export function describeOrders(name: string): void {
  describe(`order of completion: ${name}`, () => {
    const path = join(__dirname, '..', 'fixtures', 'completionOrders', `${name}.txt`);
    if (UPDATE) writeFileSync(path, madeAnew(readFileSync(path, 'utf8')));
    const file = readFileSync(path, 'utf8');
    for (const part of file.split(/^@/m).slice(1)) {
      const [around = '', ...lines] = part.trimEnd().split('\n');
      for (let k = 0; k < lines.length; k += 2 * TOGETHER)
        it(`${around}, from place ${k / 2} on`, () => {
          for (let p = k; p < Math.min(lines.length, k + 2 * TOGETHER); p += 2)
            assert.equal(ordered(around, lines[p]!), lines[p + 1]!, lines[p]);
        });
    }
  });
}

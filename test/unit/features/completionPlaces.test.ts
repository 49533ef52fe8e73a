/**
 * Completion at the words of `test/fixtures/everywhere`, one deleted and the next cut off with the rest of its line: what is proposed first and how
 * many. A change of a list is to be read before it is kept.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { completionPlaces, PART } from '../../support/completionPlaces.js';

const FOLDER = join(__dirname, '..', '..', 'fixtures', 'everywhere');

describe('completion at every word', () => {
  for (const file of readdirSync(FOLDER).filter((f) => f.endsWith('.mir'))) {
    const name = file.replace('.mir', '');
    const parts = completionPlaces(readFileSync(join(FOLDER, file), 'utf8'), name === 'headers');
    const wanted = readFileSync(join(FOLDER, `${name}.lists.txt`), 'utf8').split(PART);
    it(`${name}: as many places as are kept`, () => assert.equal(parts.length, wanted.length));
    parts.forEach((part, k) =>
      it(`${name}: part ${k}`, () => {
        const lists = (text: string): string[] => text.split('\n\n');
        assert.deepEqual(lists(part()), lists(wanted[k]!));
      }),
    );
  }
});

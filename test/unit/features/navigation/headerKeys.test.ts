/** What is said of the keys of a header: a sentence of each, and each of its own. */
import assert from 'node:assert/strict';
import { HEADER_KEYS } from '../../../../server/src/features/words/headerKeys.js';

describe('keys of a header', () => {
  it('have a sentence each', () => {
    for (const [key, meaning] of Object.entries(HEADER_KEYS)) assert.match(meaning, /^\S.{5,}[.)]$/s, key);
  });

  it('stand below keys that have one', () => {
    for (const key of Object.keys(HEADER_KEYS)) {
      const above = key.split('.').slice(0, -1).join('.');
      assert.ok(above === '' || HEADER_KEYS[above] !== undefined, key);
    }
  });
});

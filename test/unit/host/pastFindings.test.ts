/** What is known of earlier versions of a document: found by the text, bounded however many there are. */
import assert from 'node:assert/strict';
import type { TestVerdict } from '../../../server/src/features/snapshot/verdict.js';
import { PastFindings } from '../../../server/src/host/pastFindings.js';
import { fingerprint } from '../../../server/src/util/fingerprint.js';

const verdict = (output: string): TestVerdict => ({
  runs: [{ line: 0, verdict: 'passed', detail: '', findings: [], checks: [], output }],
  problem: '',
  isExpectedToFail: false,
  outdated: [],
});

describe('findings of earlier versions', () => {
  it('are those of the same text, not of another of its length', () => {
    const past = new PastFindings();
    const [one, two] = [verdict('1'), verdict('2')];
    past.keepTest('abc', one);
    past.keepTest('abd', two);
    assert.deepEqual(
      [past.testOf('abc'), past.testOf('abd'), past.testOf('acc'), past.testOf('ab')],
      [one, two, null, null],
    );
  });

  it('go when there are too many, the oldest first', () => {
    const past = new PastFindings();
    for (let k = 0; k < 1000; k++) past.keepTest(`text ${k}`, verdict('x'.repeat(10_000)));
    const kept = Array.from({ length: 1000 }, (_, k) => k).filter((k) => past.testOf(`text ${k}`) !== null);
    assert.ok(10 < kept.length && kept.length < 100, `${kept.length}`);
    assert.equal(kept[0], 1000 - kept.length);
    const copy = { copy: 0, fate: 0, chain: 0 } as const;
    for (let k = 0; k < 100; k++) past.keepCopies(`${k}`, new Array(1000).fill(copy));
    const copies = Array.from({ length: 100 }, (_, k) => k).filter((k) => past.copiesOf(() => `${k}`) !== null);
    assert.equal(copies.length, 32);
    assert.equal(copies[0], 68);
  });

  it('have fingerprints that differ where the texts do', () => {
    const seen = new Set<string>();
    for (const text of ['', 'a', 'b', 'aa', 'ab', 'ba', '\0', '\0\0', 'á', '\u0161'])
      for (let k = 0; k < 100; k++) seen.add(fingerprint('-'.repeat(k) + text + '-'.repeat(100 - k)));
    // Of the empty text all hundred are the same.
    assert.equal(seen.size, 901);
    assert.equal(fingerprint('xyz', 1, 2), fingerprint('y'));
  });
});

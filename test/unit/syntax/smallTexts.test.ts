/** Thousands of small texts, right and damaged: exit code, output and messages are llc-22's (support/smallTexts). */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { answersOfLlc, ourAnswer, readSmallTexts, TEXTS } from '../../support/smallTexts/golden.js';

/** Every so many texts one is put to llc-22 again. */
const ASK_AGAIN = 150;
/** llc gives up without a word, at the start of the body, where it is asked for what it knows no spelling of: we say what is wrong, and where. */
const WITHOUT_WORDS = /^error: file\.mir:\d+:1: \n/;

describe('small texts are read as llc-22 reads them', function () {
  this.timeout(0);
  const names = Object.keys(TEXTS);

  for (const name of names)
    it(name, () => {
      const texts = readSmallTexts(name);
      assert.ok(texts.length > 100);
      for (const { text, exit, out, err } of texts) {
        const ours = ourAnswer(text);
        const isSilent = WITHOUT_WORDS.test(err) && ours.err.startsWith('error: file.mir:');
        assert.deepEqual(isSilent ? { ...ours, err } : ours, { exit, out, err }, text);
      }
    });

  it('as it still does', async function () {
    needsLlc(this);
    const asked = names.flatMap((name) => readSmallTexts(name)).filter((_, i) => i % ASK_AGAIN === 0);
    const answers = await answersOfLlc(asked.map((t) => t.text));
    asked.forEach(({ text, exit, out, err }, i) => assert.deepEqual(answers[i], { exit, out, err }, text));
  });
});

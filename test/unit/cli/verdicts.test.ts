/**
 * Small broken files, each a class of errors: exit code and all of stderr as llc-22's (support/verdictGolden.ts). That llc-22 still says so is asked
 * for every fourth of them; for all with `AMDGPU_MIR_ALL=1`.
 */
import assert from 'node:assert/strict';
import { ourVerdict } from '../../support/damageVerdict.js';
import { needsLlc } from '../../support/llc.js';
import { askLlc, readVerdicts, VERDICT_ARGS, VERDICT_NAME } from '../../support/verdictGolden.js';
import { ALL } from '../../support/switches.js';
import { withoutAddresses } from '../../support/verify.js';

const EVERY = 4;

describe('verdicts on broken files', function () {
  this.timeout(0);

  it('are those of llc-22', () => {
    const verdicts = readVerdicts();
    assert.ok(verdicts.length > 80);
    for (const { text, exit, err } of verdicts) {
      const ours = ourVerdict(VERDICT_NAME, Buffer.from(text, 'latin1'), VERDICT_ARGS);
      assert.deepEqual({ exit: ours.exit, err: withoutAddresses(ours.err) }, { exit, err }, text);
    }
  });

  it('are still those of llc-22', async function () {
    needsLlc(this);
    const verdicts = readVerdicts().filter((_, i) => ALL || i % EVERY === 0);
    const answers = await askLlc(verdicts.map((v) => v.text));
    verdicts.forEach(({ text, exit, err }, i) => {
      assert.deepEqual({ exit: answers[i]?.exit, err: answers[i]?.err }, { exit, err }, text);
    });
  });
});

/**
 * Damaged files, bytes and structure, against llc-22: same exit code, and the same first line of stderr on nearly all. `AMDGPU_MIR_SEED` and
 * `AMDGPU_MIR_RUNS` choose others and more; `node test/bench/fuzz.mjs verdicts` is the long version.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { damageFile } from '../support/damageSyntax.js';
import { allInputs, Random } from '../support/damageInputs.js';
import { compareVerdicts, llcVerdict, ourVerdict, verdictArgs } from '../support/damageVerdict.js';
import { needsLlc } from '../support/llc.js';
import { runsOr, seedOr } from '../support/switches.js';

const SEED = seedOr(1);
const FILES = runsOr(30);
const MAX_LENGTH = 8000;
const MIN_EQUAL_MESSAGES = 0.97;

describe('verdicts on damaged files', function () {
  this.timeout(0);

  it(`${FILES} files, seed ${SEED}: as llc-22`, async function () {
    needsLlc(this);
    const inputs = allInputs(join(__dirname, '..', '..'), MAX_LENGTH);
    const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-verdicts-'));
    let compared = 0;
    let sameMessage = 0;
    try {
      for (let n = 0; n < FILES; n++) {
        const random = new Random(SEED * 9_000_011 + n);
        const input = random.pick(inputs);
        const { bytes, kinds } = damageFile(input.text, random.pick(inputs).text, random);
        const args = verdictArgs(input.args);
        const name = 'damaged.mir';
        const llc = await llcVerdict(folder, name, bytes, args);
        if (llc.exit === null) continue;
        const ours = ourVerdict(name, bytes, args);
        const difference = compareVerdicts(llc, ours);
        const where = `seed ${SEED}, file ${n} (${input.name}), ${kinds.join(', ')}: llc says ${llc.err}, we say ${ours.err}`;
        assert.notEqual(difference, 'verdict', where);
        compared++;
        if (difference !== 'first message') sameMessage++;
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    assert.ok(sameMessage >= compared * MIN_EQUAL_MESSAGES, `${sameMessage} of ${compared} first messages`);
  });
});

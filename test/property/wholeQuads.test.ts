/** si-wqm on random functions, compared with llc-22 byte for byte: `AMDGPU_MIR_RUNS=200 npx mocha ... test/property/wholeQuads.test.ts` draws more. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../support/llc.js';
import { randomWholeQuads } from '../support/randomWholeQuads.js';
import { runLlcOnText } from '../support/schedule.js';
import { runsOr, seedOr } from '../support/switches.js';

const FIRST = seedOr(1);
const COUNT = runsOr(16);
/** functions of a module; one where llc-22 may crash */
const FUNCTIONS = 4;

/** The value that such an instruction reads is gone where it stands: llc-22 has it live from nowhere, with a segment that has no value. */
const READS_NOTHING = /early-clobber (%\d+) = STRICT_\w+ \1\b/;

const ALLOCATED = ['-start-before=machine-scheduler', '-stop-after=virtregrewriter,2'];

describe('whole quads in random functions', () => {
  it(`are llc-22's in ${COUNT} modules from seed ${FIRST}, by themselves`, function () {
    needsLlc(this);
    this.timeout(0);
    compare(['-run-pass=si-wqm'], FUNCTIONS);
  });

  it(`are llc-22's in ${COUNT} modules with bundles from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    compare(['-run-pass=si-wqm'], FUNCTIONS, true);
  });

  it(`are llc-22's in ${COUNT} modules from seed ${FIRST}, from the scheduler to the last rewriter`, function () {
    needsLlc(this);
    this.timeout(0);
    // The scheduler and the allocator of llc-22 do not survive all of them.
    const nCrashed = compare(ALLOCATED, 1);
    assert.ok(nCrashed <= COUNT / 2, `llc-22 crashes on ${nCrashed}`);
  });
});

/** Runs passes over modules of `count` random functions; on how many llc-22 crashes. */
function compare(passes: readonly string[], count: number, bundles = false): number {
  let nCompared = 0;
  let nSwitched = 0;
  let nCrashed = 0;
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    const { args: target, text } = randomWholeQuads(seed, count, true, bundles);
    if (passes === ALLOCATED && READS_NOTHING.test(text)) continue;
    nCompared++;
    const args = [...target, ...passes, '-o', '-'];
    const expected = runLlc(['-x', 'mir', ...args], text);
    if (expected.status === null) {
      nCrashed++;
      continue;
    }
    assert.equal(expected.status, 0, `seed ${seed}: ${expected.stderr}`);
    const run = runLlcOnText(args, text);
    assert.equal(run.stdout, expected.stdout, `seed ${seed}: llc ${args.join(' ')}\n${run.stderr}`);
    nSwitched += expected.stdout.match(/S_WQM_B|ENTER_STRICT|SAVEEXEC/g)?.length ?? 0;
  }
  assert.ok(nCompared > 0 && nSwitched > nCompared / 2, `only ${nSwitched} switches in ${nCompared} modules`);
  return nCrashed;
}

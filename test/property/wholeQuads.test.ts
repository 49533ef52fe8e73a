/** si-wqm on random functions, compared with llc-22 byte for byte: `AMDGPU_MIR_RUNS=200 npx mocha ... test/property/wholeQuads.test.ts` draws more. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../support/llc.js';
import { randomWholeQuads } from '../support/randomWholeQuads.js';
import { runLlcOnText } from '../support/schedule.js';
import { runsOr, seedOr } from '../support/switches.js';

const FIRST = seedOr(1);
const COUNT = runsOr(8);
/** functions of a module */
const FUNCTIONS = 4;

const WAYS: readonly (readonly string[])[] = [
  ['-run-pass=si-wqm'],
  ['-start-before=machine-scheduler', '-stop-after=virtregrewriter,2'],
];

describe('whole quads in random functions', () => {
  for (const way of WAYS) {
    it(`are llc-22's in ${COUNT} modules from seed ${FIRST}: ${way.join(' ')}`, function () {
      needsLlc(this);
      this.timeout(0);
      let nSwitched = 0;
      for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
        const { args: target, text } = randomWholeQuads(seed, FUNCTIONS);
        const args = [...target, ...way, '-o', '-'];
        const expected = runLlc(['-x', 'mir', ...args], text);
        assert.equal(expected.status, 0, `seed ${seed}: ${expected.stderr}`);
        const run = runLlcOnText(args, text);
        assert.equal(run.stdout, expected.stdout, `seed ${seed}: llc ${args.join(' ')}\n${run.stderr}`);
        nSwitched += expected.stdout.match(/S_WQM_B|ENTER_STRICT|SAVEEXEC/g)?.length ?? 0;
      }
      assert.ok(nSwitched > COUNT, `only ${nSwitched} switches`);
    });
  }
});

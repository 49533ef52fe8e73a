/** amdgpu-rewrite-agpr-copy-mfma among the passes of allocation, on random functions that llc-22 has selected and scheduled: as llc-22, byte for byte. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../support/llc.js';
import { randomAgprCopies } from '../support/randomAgprCopies.js';
import { runLlcOnText } from '../support/schedule.js';
import { runsOr, seedOr, SHOW } from '../support/switches.js';

const FIRST = seedOr(1);
const COUNT = runsOr(10);

describe('matrix instructions with copies of AGPRs', () => {
  it(`are allocated as by llc-22 in ${COUNT} functions from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    let nAllocated = 0;
    let nMoved = 0;
    let nDissolved = 0;
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const { args, ir } = randomAgprCopies(seed);
      const { stdout: mir } = runLlc(
        [...args, '-amdgpu-mfma-vgpr-form', '-stop-after=machine-scheduler', '-o', '-'],
        ir,
      );
      const passes = [...args, '-start-before=greedy,0', '-o', '-'];
      const whole = [...passes, '-stop-after=virtregrewriter,2'];
      const expected = runLlc(['-x', 'mir', ...whole], mir);
      const run = runLlcOnText(whole, mir);
      assert.equal(run.status, expected.status, `seed ${seed}: ${run.stderr}`);
      assert.equal(run.stderr, expected.stderr, `seed ${seed}`);
      assert.equal(run.stdout, expected.stdout, `seed ${seed}`);
      if (expected.status === 0) nAllocated++;
      if (!SHOW) continue;
      const stop = (where: string): string =>
        runLlc(['-x', 'mir', ...passes, `-${where}=amdgpu-rewrite-agpr-copy-mfma`], mir).stdout;
      const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;
      const [before, after] = [stop('stop-before'), stop('stop-after')];
      nMoved += count(before, /_vgprcd_e64/g) - count(after, /_vgprcd_e64/g);
      nDissolved += count(before, /SI_SPILL_/g) - count(after, /SI_SPILL_/g);
    }
    assert.ok(nAllocated * 2 > COUNT, `${nAllocated} allocated`);
    if (SHOW) console.log(`      ${nMoved} instructions moved, ${nDissolved} saves and reloads gone`);
  });
});

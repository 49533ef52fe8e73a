/** Banks that GlobalISel would choose for registers without one: random generic functions through llc-22's amdgpu-regbankselect. */
import assert from 'node:assert/strict';
import { chosenBank, classOnBank } from '../../../server/src/analysis/uniformity/chosenBank.js';
import { LaneValues } from '../../../server/src/analysis/uniformity/laneValues.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';
import { randomUniformityFunction } from '../../support/randomUniformity.js';
import { runsOr, SHOW } from '../../support/switches.js';

const COUNT = runsOr(6);

describe('banks that selection would choose', () => {
  it(`are those of amdgpu-regbankselect (${COUNT} random functions)`, function () {
    needsLlc(this);
    let compared = 0;
    for (let seed = 0; seed < COUNT; seed++) {
      const wave32 = seed % 2 === 1;
      const text = randomUniformityFunction('f', {
        seed: 7_000_000 + seed,
        blocks: 2 + (seed % 9),
        selected: false,
        wave32,
      });
      const cpu = wave32 ? 'gfx1100' : 'gfx900';
      const legal = text.replace('tracksRegLiveness: true', 'legalized: true\ntracksRegLiveness: true');
      const args = ['-x', 'mir', '-mtriple=amdgcn', `-mcpu=${cpu}`, '-run-pass=amdgpu-regbankselect', '-o', '-'];
      const { status, stdout, stderr } = runLlc(args, legal);
      assert.equal(status, 0, stderr);
      const theirs = new Map([...stdout.matchAll(/(%\w+):(sgpr|vgpr|vcc)\(/g)].map(([, name, bank]) => [name!, bank!]));
      const fn = lowerMir(text, { triple: 'amdgcn', cpu })[0]!;
      const lanes = new LaneValues(fn);
      for (let v = 0; v < fn.vregs.n; v++) {
        const bank = chosenBank(lanes, v);
        const wanted = theirs.get(`%${v}`); // llc numbers by first mention
        if (bank === null || wanted === undefined) continue;
        assert.equal(bank, wanted, `seed ${seed}: %${v}\n${stdout}`);
        assert.ok(classOnBank(fn, v, bank) >= 0);
        compared++;
      }
    }
    if (SHOW) console.log(`${compared} registers`);
    assert.ok(compared > COUNT * 5);
  });
});

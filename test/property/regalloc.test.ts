/** Register allocation of random functions, compared with llc-22 byte for byte: `ALLOCATIONS=1000 npx mocha ... test/property/regalloc.test.ts` draws more. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../support/llc.js';
import { randomAllocation } from '../support/randomAllocation.js';
import { runLlcOnText } from '../support/schedule.js';

const FIRST = Number(process.env['SEED'] ?? 1);
const COUNT = Number(process.env['ALLOCATIONS'] ?? 25);

const FROM_SCHEDULER = Math.ceil(COUNT / 3);

describe('register allocation of random functions', () => {
  it(`is llc-22's in ${COUNT} functions from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    const nSpilled = compare('greedy,0', COUNT);
    if (COUNT < 25) return;
    assert.ok(nSpilled > COUNT / 8, `only ${nSpilled} functions spill`);
  });

  it(`is llc-22's from the machine scheduler on in ${FROM_SCHEDULER} functions from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    compare('machine-scheduler', FROM_SCHEDULER);
  });
});

/** How many of the functions spill. */
function compare(start: string, count: number): number {
  let nSpilled = 0;
  for (let seed = FIRST; seed < FIRST + count; seed++) {
    const { args: fromGreedy, text } = randomAllocation(seed);
    const args = fromGreedy.map((a) => (a.startsWith('-start-before=') ? `-start-before=${start}` : a));
    const expected = runLlc(['-x', 'mir', ...args, '-o', '-'], text);
    assert.equal(expected.status, 0, `seed ${seed}: ${expected.stderr}`);
    const run = runLlcOnText([...args, '-o', '-'], text);
    assert.equal(run.stdout, expected.stdout, `seed ${seed}: llc ${args.join(' ')}`);
    if (expected.stdout.includes('spill-slot')) nSpilled++;
  }
  return nSpilled;
}

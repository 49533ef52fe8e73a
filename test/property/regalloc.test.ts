/** Register allocation of random functions, compared with llc-22 byte for byte: `AMDGPU_MIR_RUNS=1000 npx mocha ... test/property/regalloc.test.ts` draws more. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../support/llc.js';
import { randomAllocation, type AllocationCase } from '../support/randomAllocation.js';
import { randomDebugValues } from '../support/randomDebugValues.js';
import { RANDOM_ARGS, randomSchedule } from '../support/randomSchedule.js';
import { runLlcOnText } from '../support/schedule.js';
import { withoutAddresses } from '../support/verify.js';
import { runsOr, seedOr } from '../support/switches.js';

const FIRST = seedOr(1);
const COUNT = runsOr(15);

const FROM_SCHEDULER = Math.ceil(COUNT / 3);
const ALONE = Math.ceil(COUNT / 5);
const LARGE = Math.ceil(COUNT / 10);

/** Pipelines of -passes, each with a function of its own. */
const PIPELINES = [
  'greedy<vgpr>',
  'greedy<sgpr>,virt-reg-rewriter<no-clear-vregs>,greedy<vgpr>,virt-reg-rewriter',
  'greedy<sgpr>,greedy<vgpr>,virt-reg-rewriter',
  'greedy<wwm>,virt-reg-rewriter<no-clear-vregs>',
  'machine-function(greedy,virt-reg-rewriter<clear-vregs>)',
  'greedy<sgpr>,virt-reg-rewriter<no-clear-vregs>,stack-slot-coloring,si-lower-sgpr-spills,si-pre-allocate-wwm-regs,' +
    'greedy<wwm>,si-lower-wwm-copies,virt-reg-rewriter<no-clear-vregs>,amdgpu-reserve-wwm-regs,greedy<vgpr>,' +
    'amdgpu-nsa-reassign,virt-reg-rewriter',
  'machine-scheduler,greedy<sgpr>,virt-reg-rewriter<no-clear-vregs>',
  'amdgpu-pre-ra-optimizations,si-optimize-exec-masking-pre-ra,si-form-memory-clauses,amdgpu-pre-ra-long-branch-reg',
];

describe('register allocation of random functions', () => {
  it(`is llc-22's in ${COUNT} functions from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    const nSpilled = compare(COUNT, 'greedy,0');
    if (COUNT < 25) return;
    assert.ok(nSpilled > COUNT / 8, `only ${nSpilled} functions spill`);
  });

  it(`is llc-22's in ${LARGE} large functions from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    compare(LARGE, 'greedy,0', (seed) => randomAllocation(seed, 6));
  });

  it(`is llc-22's in ${FROM_SCHEDULER} functions with first definitions that read other lanes, from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    let compared = 0;
    for (let seed = FIRST; seed < FIRST + FROM_SCHEDULER; seed++) {
      const text = withoutSomeUndef(randomSchedule(seed, { size: 20, blocks: 1 }), seed);
      const start = ['greedy,0', 'machine-scheduler'][seed % 2];
      const args = [
        ...RANDOM_ARGS,
        `-start-before=${start}`,
        '-stop-after=virtregrewriter,2',
        '-stress-regalloc=12',
        '-o',
        '-',
      ];
      const expected = runLlc(['-x', 'mir', ...args], text);
      // llc-22 may look for the value that lives in such lanes, and end.
      if (expected.signal !== null && expected.signal !== undefined) continue;
      compared++;
      const run = runLlcOnText(args, text);
      assert.equal(run.stderr, expected.stderr, `seed ${seed}: llc ${args.join(' ')}`);
      assert.equal(run.stdout, expected.stdout, `seed ${seed}: llc ${args.join(' ')}`);
    }
    assert.ok(compared >= FROM_SCHEDULER / 4, `only ${compared} compared`);
  });

  it(`is llc-22's in ${LARGE} functions with calls from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    compare(LARGE, 'greedy,0', (seed) => randomAllocation(seed, 1, 6));
  });

  it(`is llc-22's from the machine scheduler on in ${FROM_SCHEDULER} functions from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    compare(FROM_SCHEDULER, 'machine-scheduler');
  });

  it(`is llc-22's with -run-pass, all registers at once, in ${ALONE} functions from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    compare(ALONE, null);
  });

  it("is llc-22's with -passes", function () {
    needsLlc(this);
    this.timeout(0);
    PIPELINES.forEach((pipeline, k) => {
      const { args: all, text } = randomAllocation(FIRST + k);
      const args = [...all.filter((a) => !/^-st(?:art|op)-/.test(a)), `-passes=${pipeline}`, '-o', '-'];
      const expected = runLlc(['-x', 'mir', ...args], text);
      const run = runLlcOnText(args, text);
      const what = `seed ${FIRST + k}: ${pipeline}`;
      // Both verify the live intervals after the last pass, and not all of llc's own hold: it aborts then.
      const [said = ''] = expected.stderr.split(/^PLEASE submit/m);
      assert.equal(withoutAddresses(run.stderr), withoutAddresses(said), what);
      assert.deepEqual([run.status, run.stdout], [expected.status ?? 134, expected.stdout], what);
    });
  });

  // A copy of a register to itself whose save is one too many; a part of a register that gets none.
  for (const seed of [1119, 777])
    it(`is llc-22's in function ${seed}`, function () {
      needsLlc(this);
      compare(1, 'greedy,0', randomAllocation, seed);
    });

  // Whole-wave copies in waves of 32.
  it("is llc-22's in function 20 with calls", function () {
    needsLlc(this);
    compare(1, 'greedy,0', (seed) => randomAllocation(seed, 1, 6), 20);
  });

  it(`is llc-22's with debug values in ${FROM_SCHEDULER} functions from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    compare(FROM_SCHEDULER, 'greedy,0', randomDebugValues);
  });

  // Registers run out where no instruction has a location: the place is the function's.
  it("is llc-22's in function 50053 with debug values", function () {
    needsLlc(this);
    compare(1, 'greedy,0', randomDebugValues, 50053);
  });

  it(`is llc-22's with debug values from the machine scheduler on in ${ALONE} functions from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    compare(ALONE, 'machine-scheduler', randomDebugValues);
  });
});

/** Allocates functions from a pass of the pipeline on, or null: by -run-pass. How many of them spill. */
/** Without `undef` at every second definition of lanes, which then reads what nothing defines. */
function withoutSomeUndef(text: string, seed: number): string {
  let k = seed;
  return text.replace(/undef (%\d+\.sub\w+:)/g, (whole, def: string) => (k++ % 2 === 0 ? def : whole));
}

function compare(
  count: number,
  start: string | null,
  caseOf: (seed: number) => AllocationCase = randomAllocation,
  first = FIRST,
): number {
  let nSpilled = 0;
  for (let seed = first; seed < first + count; seed++) {
    const { args: cuts, text } = caseOf(seed);
    const rest = cuts.filter((a) => !a.startsWith('-st') || a.startsWith('-stress'));
    const passes =
      start === null
        ? ['-run-pass=greedy', '-run-pass=virtregrewriter']
        : [`-start-before=${start}`, '-stop-after=virtregrewriter,2'];
    const args = [...rest, ...passes, '-o', '-'];
    const expected = runLlc(['-x', 'mir', ...args], text);
    const run = runLlcOnText(args, text);
    assert.deepEqual(
      [run.status, run.stderr],
      [expected.status, expected.stderr],
      `seed ${seed}: llc ${args.join(' ')}`,
    );
    assert.equal(run.stdout, expected.stdout, `seed ${seed}: llc ${args.join(' ')}`);
    if (expected.stdout.includes('spill-slot')) nSpilled++;
  }
  return nSpilled;
}

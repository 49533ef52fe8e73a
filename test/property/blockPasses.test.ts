/**
 * Passes that merge, move and split blocks on functions of random blocks: llc-22 and amdgpu-mir print the same. `AMDGPU_MIR_RUNS=500` makes that many functions,
 * `AMDGPU_MIR_SEED` takes others; `-g PASS` is one pass.
 */
import assert from 'node:assert/strict';
import { Random } from '../support/damageInputs.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { randomBlocks } from '../support/randomBlocks.js';
import { runLlcOnText } from '../support/schedule.js';
import { runsOr, seedOr } from '../support/switches.js';

const RUNS = runsOr(150);

const RUN_LINES: readonly string[] = [
  '-mcpu=gfx900 -run-pass=branch-folder',
  '-mcpu=gfx1100 -run-pass=branch-folder -tail-merge-size=2',
  '-mcpu=gfx900 -run-pass=branch-folder -enable-tail-merge=false',
  '-mcpu=gfx900 -run-pass=tailduplication',
  '-mcpu=gfx1100 -run-pass=tailduplication -tail-dup-size=6',
  '-mcpu=gfx900 -run-pass=block-placement',
  '-mcpu=gfx1030 -run-pass=block-placement -O3',
  '-mcpu=gfx1100 -run-pass=block-placement -tail-dup-placement=false',
  '-mcpu=gfx1030 -run-pass=block-placement -branch-fold-placement=false',
];

/** The functions of a file, by themselves. */
const functionsOf = (text: string): string[] => text.split(/^---$/m).filter((part) => /^\s*name:/.test(part));

for (const [k, line] of RUN_LINES.entries())
  describe(`${line} on random blocks, as llc-22`, () => {
    it(`${RUNS} functions`, function () {
      needsLlc(this);
      this.timeout(60_000 + RUNS * 500);
      const random = new Random(seedOr(1) * 104_729 + k);
      const args = ['-mtriple=amdgcn-amd-amdhsa', ...line.split(' '), '-simplify-mir', '-o', '-'];
      const all = Array.from({ length: RUNS }, (_, n) => randomBlocks(random, `f${n}`));
      // llc does not end on some functions that amdgpu-mir refuses.
      const texts = all.filter((text) => !runLlcOnText(args, text).stderr.includes('does not model'));
      assert.ok(texts.length > RUNS * 0.9, `${texts.length} are compared`);
      const expected = runLlc(['-x', 'mir', ...args], texts.join(''));
      assert.equal(expected.status, 0, expected.stderr);
      const ours = runLlcOnText(args, texts.join(''));
      assert.equal(ours.status, 0, ours.stderr);
      const [a, b] = [functionsOf(expected.stdout), functionsOf(ours.stdout)];
      for (const [n, text] of a.entries())
        if (b[n] !== text) assert.equal(`${texts[n]}\n${b[n]}`, `${texts[n]}\n${text}`);
    });
  });

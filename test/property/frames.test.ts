/**
 * prologepilog on random frames (test/support/randomFrames.ts): what llc-22 prints is printed, or the pass says what it does not model. `AMDGPU_MIR_RUNS=1000` takes that many of each kind, `AMDGPU_MIR_SEED` others,
 * `AMDGPU_MIR_ONLY=N` one.
 */
import assert from 'node:assert/strict';
import { needsLlc } from '../support/llc.js';
import { runLlcJob } from '../support/llcJobs.js';
import { randomFrame, rareFrame, type FrameCase } from '../support/randomFrames.js';
import { ONLY, runsOr, seedOr } from '../support/switches.js';

const RUNS = runsOr(60);
/** Of the frames so many may be refused or end llc. */
const MOST_LEFT_OUT = 0.25;

function argumentsOf({ target, args }: FrameCase): string[] {
  const { triple, cpu, features } = target;
  return [`-mtriple=${triple}`, `-mcpu=${cpu}`, `-mattr=${features}`, ...args, '-run-pass=prologepilog'];
}

describe('prologepilog on random frames, as llc-22', () => {
  const kinds: readonly (readonly [string, (seed: number) => FrameCase])[] = [
    ['frames', randomFrame],
    ['rare frames', rareFrame],
  ];
  for (const [kind, make] of kinds)
    it(`${RUNS} ${kind}`, function () {
      needsLlc(this);
      this.timeout(RUNS * 2000 + 60_000);
      const differences: string[] = [];
      let leftOut = 0;
      for (let n = 0; n < RUNS; n++) {
        if (ONLY !== undefined && String(n) !== ONLY) continue;
        const frame = make(seedOr(1) * 100_003 + n);
        const job = { name: `${n}`, text: frame.text, args: argumentsOf(frame) };
        const { differs, llc, ours } = runLlcJob(job);
        if (ours.stderr.includes('does not model') || (llc.status ?? 2) > 1) leftOut++;
        else if (differs !== null) differences.push(`${job.name} ${job.args.join(' ')}: ${differs}`);
      }
      assert.deepEqual(differences, []);
      assert.ok(leftOut <= RUNS * MOST_LEFT_OUT, `${leftOut} of ${RUNS} left out`);
    });
});

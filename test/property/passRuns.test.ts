/**
 * Each pass alone on what it gets in llc's pipeline: random OpenCL programs (test/support/randomOpenCl.ts), compiled by clang-22 and cut by llc-22 before the
 * pass, run through it by llc-22 and here. Each step goes to the next pass. `AMDGPU_MIR_RUNS=200` makes that many for each pass, `AMDGPU_MIR_SEED` takes other
 * programs, `AMDGPU_MIR_ONLY=N` one of them; `-g PASS` is one pass.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../support/damageInputs.js';
import { needsLlc } from '../support/llc.js';
import { runLlcJob } from '../support/llcJobs.js';
import { compileOpenCl, hasClang, mirOf, randomOpenCl, withAttributes } from '../support/randomOpenCl.js';
import { skip } from '../support/skip.js';
import { KEEP, ONLY, runsOr, seedOr } from '../support/switches.js';

const SEED = seedOr(1);
const RUNS = runsOr(4);

/** Name for -run-pass, with how often it has run before where that is not never, and the level of llc where it is of another pipeline than that of -O2. */
const PASSES = [
  'dead-mi-elimination',
  'processimpdefs',
  'unreachable-mbb-elimination',
  'machine-cp',
  'machine-cp,1',
  'si-fix-vgpr-copies',
  'prologepilog',
  'postrapseudos',
  'si-insert-waitcnts',
  'postmisched',
  'machine-latecleanup',
  'postra-machine-sink',
  'post-RA-hazard-rec',
  'amdgpu-wait-sgpr-hazards',
  'si-mode-register',
  'branch-folder',
  'branch-relaxation',
  'si-pre-emit-peephole',
  'amdgpu-lower-vgpr-encoding',
  'si-late-branch-lowering',
  'si-memory-legalizer',
  'gcn-create-vopd',
  'amdgpu-insert-delay-alu',
  'si-insert-hard-clauses',
  'si-optimize-exec-masking',
  'si-post-ra-bundler',
  'amdgpu-prepare-agpr-alloc',
  'early-tailduplication',
  'machinelicm',
  'tailduplication',
  'opt-phis',
  'detect-dead-lanes',
  'machine-cse',
  'machine-cse,1',
  'peephole-opt',
  'early-machinelicm',
  'early-machinelicm,1',
  'machine-sink',
  'removeredundantdebugvalues',
  'livedebugvalues',
  'livedebugvars',
  'livevars',
  'phi-node-elimination',
  'si-fold-operands',
  'si-fold-operands,1',
  'gcn-dpp-combine',
  'si-load-store-opt',
  'si-peephole-sdwa',
  'si-shrink-instructions',
  'si-shrink-instructions,1',
  'register-coalescer',
  'rename-independent-subregs',
  'twoaddressinstruction',
  'si-i1-copies',
  'rewrite-partial-reg-uses',
  'finalize-isel',
  'regallocbasic',
  'mir-namer',
  'mir-canonicalizer',
  'regallocfast -O0',
  'regallocfast,1 -O0',
  'regallocfast,2 -O0',
  'si-lower-control-flow',
  'si-opt-vgpr-liverange',
  'block-placement',
];

/** Where passes that are not in the pipeline get their functions. */
const STOPS: ReadonlyMap<string, string> = new Map([
  ['regallocbasic', 'greedy'],
  ['mir-namer', 'si-fold-operands'],
  ['mir-canonicalizer', 'machine-sink'],
]);

/** What a pass does not model and says so: such programs are not compared. */
const REFUSALS: Readonly<Record<string, RegExp>> = {
  'branch-folder': /does not model blocks that exceptions or inline assembly go to /,
  'block-placement': /does not model blocks that exceptions or inline assembly go to /,
  'finalize-isel':
    /does not model the expansion of (?:SI_INDIRECT_(?:SRC|DST)_V\d+|WAVE_REDUCE_\w+|DS_GWS_\w+|ENDPGM_TRAP|SIMULATED_TRAP) /,
};

describe('a pass alone, as llc-22', () => {
  for (const [k, pass] of PASSES.entries()) {
    it(`${pass} on ${RUNS} programs`, function () {
      needsLlc(this);
      if (!hasClang()) skip(this, 'clang-22 is not here');
      this.timeout(RUNS * 20_000);
      const [place = '', ...level] = pass.split(' ');
      const [name] = place.split(',');
      const differences: string[] = [];
      let compared = 0;
      for (let n = 0; n < RUNS; n++) {
        if (ONLY !== undefined && String(n) !== ONLY) continue;
        const random = new Random(SEED * 1_000_003 + k * 10_007 + n);
        const source = randomOpenCl(random);
        const { ir } = compileOpenCl(source);
        if (ir === null) continue;
        const stop = STOPS.get(place) ?? place;
        const text = mirOf(withAttributes(ir, random), source, [`-stop-before=${stop}`, ...level]);
        if (text === null) continue;
        const args = [`-mtriple=${source.triple}`, `-mcpu=${source.cpu}`, `-run-pass=${name}`];
        if (random.chance(20)) args.push('-verify-machineinstrs');
        const job = { name: `${SEED}:${n} ${pass} ${source.cpu}`, text, args };
        const { differs, ours } = runLlcJob(job);
        if (REFUSALS[name!]?.test(ours.stderr) === true) continue;
        compared++;
        if (differs === null) continue;
        differences.push(`${job.name}: ${differs}`);
        if (KEEP !== undefined) {
          mkdirSync(KEEP, { recursive: true });
          writeFileSync(join(KEEP, `${name}.${n}.mir`), text);
        }
      }
      assert.ok(compared > 0 || ONLY !== undefined, 'no program was compiled');
      assert.deepEqual(differences, [], `of ${compared}`);
    });
  }
});

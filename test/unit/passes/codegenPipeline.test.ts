/** llc's pipeline as data, and the parts that cuts leave of it, against the passes that llc-22 says it runs. */
import assert from 'node:assert/strict';
import { readCommandLine } from '../../../server/src/commandLine/commandLine.js';
import { codegenPipeline, inOrder } from '../../../server/src/passes/codegenPipeline.js';
import { stepsBetweenCuts } from '../../../server/src/passes/cuts.js';
import { PassError } from '../../../server/src/passes/machinePass.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { randomSource } from '../../support/random.js';

/** Nothing that a pass could do something to. */
const EMPTY = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';

/** Analyses and what is not of the pipeline. */
const OTHERS = new Set(
  `targetlibinfo runtime-library-info targetpassconfig machinemoduleinfo tti machine-branch-prob profile-summary-info assumption-cache-tracker
   reg-usage-info regalloc-evict regalloc-priority collector-metadata lazy-machine-block-freq slotindexes machinedomtree machine-loops machine-block-freq
   domtree basic-aa aa machinepostdomtree machine-cycles liveintervals livedebugvars livestacks virtregmap liveregmatrix edge-bundles
   spill-code-placement machine-opt-remark-emitter machine-trace-metrics stack-frame-layout amdgpu-resource-usage`.split(
    /\s+/,
  ),
);

/** Names of the passes that llc-22 runs; null: it refuses the options. */
function passesOfLlc(args: readonly string[]): string[] | null {
  const all = ['-mtriple=amdgcn', '-x', 'mir', ...args, '-debug-pass=Arguments', '-o', '/dev/null'];
  const { stderr } = runLlc(all, EMPTY);
  if (stderr.includes('Cannot stop compilation after pass that is not run')) return null;
  const [, names] = /^Pass Arguments: (.*)$/m.exec(stderr) ?? assert.fail(stderr.slice(0, 500));
  return names!
    .trim()
    .split(/\s+/)
    .map((name) => name.slice(1))
    .filter((name) => !OTHERS.has(name));
}

const valuesOf = (args: readonly string[]): Parameters<typeof codegenPipeline>[0] => readCommandLine(args).values;

const SETS = [
  '',
  '-O0',
  '-O1',
  '-O3',
  '-mcpu=gfx90a',
  '-mcpu=gfx1200',
  '-amdgpu-enable-pre-ra-optimizations=0 -amdgpu-opt-exec-mask-pre-ra=0',
  '-O1 -amdgpu-enable-pre-ra-optimizations -amdgpu-sdwa-peephole',
  '-amdgpu-sdwa-peephole=0 -amdgpu-dpp-combine=0 -amdgpu-reassign-regs=0',
  '-disable-machine-dce -amdgpu-dce-in-ra=0',
  '-disable-machine-dce',
  '-disable-machine-licm -disable-machine-sink -amdgpu-early-ifcvt',
  '-disable-machine-cse -disable-postra-machine-licm -disable-branch-fold',
  '-disable-ssc -disable-copyprop -disable-tail-duplicate -disable-block-placement',
  '-amdgpu-opt-vgpr-liverange=0 -amdgpu-enable-rewrite-partial-reg-uses=0 -disable-post-ra',
  '-amdgpu-enable-vopd=0 -amdgpu-enable-delay-alu=0 -disable-early-taildup',
];

describe('the pipeline of llc-22', function () {
  this.timeout(0);

  for (const set of SETS)
    it(`has the passes of the data: ${set}`, function () {
      needsLlc(this);
      const args = set.split(' ').filter((word) => word !== '');
      const expected = passesOfLlc(['-start-before=si-fix-sgpr-copies', ...args]);
      assert.deepEqual(
        inOrder(codegenPipeline(valuesOf(args))).map((step) => step.name),
        expected,
      );
    });
});

describe('cuts of the pipeline, as llc-22', function () {
  this.timeout(0);

  const steps = inOrder(codegenPipeline(new Map()));
  /** as options name them */
  const places = steps.map(({ name }, k) => `${name},${steps.slice(0, k).filter((s) => s.name === name).length}`);
  const check = (args: readonly string[]): void => {
    const theirs = passesOfLlc(args);
    try {
      const own = stepsBetweenCuts(valuesOf(args));
      assert.deepEqual(own?.map((step) => step.name) ?? null, theirs, args.join(' '));
    } catch (error) {
      if (!(error instanceof PassError)) throw error;
      assert.equal(theirs?.at(-1), steps.at(-1)!.name, `${args.join(' ')}: llc does not go on to the end`);
    }
  };

  it('at each pass', function () {
    needsLlc(this);
    // What LiveVariables requires comes twice when a run starts at it.
    const isAlone = (place: string): boolean => !/^(?:unreachable-mbb-elimination|livevars)/.test(place);
    for (const place of places.filter(isAlone)) check([`-start-before=${place}`, `-stop-after=${place}`]);
    for (const place of places.slice(places.indexOf('machine-scheduler,0')))
      check(['-start-after=machine-scheduler', `-stop-before=${place}`]);
  });

  it('at random passes', function () {
    needsLlc(this);
    const random = randomSource(37);
    const at = (): string => places[random(places.length)]!;
    for (let n = 0; n < 60; n++) {
      const start = at();
      const stop = at();
      const later = places.indexOf(start) < places.indexOf(stop);
      const [a, b] = later || random(4) === 0 ? [start, stop] : [stop, start];
      // See above.
      if (/^(?:unreachable-mbb-elimination|livevars|init-undef|processimpdefs)/.test(a)) continue;
      check([
        `-start-${random(2) === 0 ? 'before' : 'after'}=${a}`,
        `-stop-${random(2) === 0 ? 'before' : 'after'}=${b}`,
      ]);
    }
  });
});

/**
 * How many runs of each pass are equal to llc-22's on programs that nobody has seen: random OpenCL kernels (test/support/randomOpenCl.ts), at all levels and with
 * random features, cut by llc-22 before each pass, run through it by llc-22 and here. A program is compiled once and serves every pass.
 *
 *     node --import tsx test/bench/passRuns.ts [--programs N] [--seed N] [--only PROGRAM] [--passes NAME,...] [--keep FOLDER]
 *
 * prints a line for each pass: runs, equal, refused, different, and then the reasons of the refusals. `--keep`: a folder for inputs that differ.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../support/damageInputs.js';
import { runLlcJob } from '../support/llcJobs.js';
import { compileOpenCl, mirOf, randomOpenCl, withAttributes, type KernelSource } from '../support/randomOpenCl.js';

/** Places of the pipelines of -O2 and of -O0: a name with how often it has run before where that is not never. */
const PLACES = [
  'prologepilog', 'post-RA-hazard-rec', 'amdgpu-wait-sgpr-hazards', 'si-insert-waitcnts', 'postrapseudos', 'si-fold-operands', 'si-fold-operands,1',
  'register-coalescer', 'si-load-store-opt', 'twoaddressinstruction', 'phi-node-elimination', 'livevars', 'processimpdefs', 'rename-independent-subregs',
  'detect-dead-lanes', 'finalize-isel', 'si-shrink-instructions', 'si-shrink-instructions,1', 'si-peephole-sdwa', 'gcn-dpp-combine',
  'si-optimize-exec-masking', 'si-pre-emit-peephole', 'si-i1-copies', 'si-lower-control-flow', 'si-memory-legalizer', 'si-late-branch-lowering',
  'si-insert-hard-clauses', 'si-post-ra-bundler', 'si-mode-register', 'si-opt-vgpr-liverange', 'amdgpu-insert-delay-alu', 'amdgpu-lower-vgpr-encoding',
  'gcn-create-vopd',
]; // prettier-ignore
const PLACES_O0 = [
  'prologepilog', 'post-RA-hazard-rec', 'si-insert-waitcnts', 'postrapseudos', 'twoaddressinstruction', 'phi-node-elimination',
  'regallocfast', 'regallocfast,1', 'regallocfast,2', 'si-lower-control-flow', 'si-memory-legalizer', 'si-late-branch-lowering', 'si-mode-register',
  'si-i1-copies', 'finalize-isel', 'amdgpu-lower-vgpr-encoding',
]; // prettier-ignore
/** Passes of part 4. */
const GENERIC = [
  'machine-cp', 'machine-cp,1', 'machine-cse', 'machine-cse,1', 'machine-sink', 'peephole-opt', 'postmisched', 'dead-mi-elimination', 'branch-folder',
  'branch-relaxation', 'block-placement', 'early-machinelicm', 'early-machinelicm,1', 'machinelicm', 'early-tailduplication', 'tailduplication',
  'stack-coloring', 'machine-latecleanup', 'opt-phis', 'si-fix-vgpr-copies', 'postra-machine-sink', 'rewrite-partial-reg-uses', 'si-fix-sgpr-copies',
  'unreachable-mbb-elimination', 'amdgpu-prepare-agpr-alloc', 'localstackalloc', 'removeredundantdebugvalues', 'livedebugvalues',
]; // prettier-ignore

/** Features that change what passes do, for processors whose names match. */
const FEATURES: readonly (readonly [cpus: RegExp, features: readonly string[]])[] = [
  [/./, ['+unaligned-access-mode', '-unaligned-access-mode', '-promote-alloca', '+cumode', '-cumode', '+trap-handler']],
  [/gfx(?:801|9)/, ['+xnack', '-xnack']],
  [/gfx9(?:06|08|0a|4)/, ['+sramecc', '-sramecc']],
  [/gfx9(?:0a|4|5|-4)/, ['+tgsplit']],
  [/gfx[789]/, ['+flat-for-global', '-flat-for-global']],
  [/gfx9|gfx1/, ['-load-store-opt', '+enable-flat-scratch', '-unaligned-scratch-access']],
  [/gfx1[12]/, ['+real-true16', '-real-true16']],
];

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    passes: { type: 'string' },
    keep: { type: 'string' },
    generic: { type: 'boolean', default: false },
  },
});
const SEED = Number(values.seed);
const wanted = values.passes?.split(',');

interface Tally {
  runs: number;
  equal: number;
  refused: number;
  differ: number;
}
const tallies = new Map<string, Tally>();
const reasons = new Map<string, number>();
const crashes = new Map<string, number>();

/** A program's options changed: level 0 now and then, features that clang has no switch for. */
function widened(source: KernelSource, random: Random): { source: KernelSource; isO0: boolean; features: string } {
  const isO0 = random.chance(25);
  const args = isO0 ? ['-O0', ...source.args.slice(1)] : source.args;
  const features: string[] = [];
  if (random.chance(40)) {
    const lists = FEATURES.filter(([cpus]) => cpus.test(source.cpu)).map(([, list]) => list);
    for (let k = 1 + random.below(2); k > 0; k--) features.push(random.pick(random.pick(lists)));
  }
  return { source: { ...source, args }, isO0, features: features.join(',') };
}

function addTo(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1);
}

function program(n: number): void {
  const random = new Random(SEED * 1_000_003 + n * 7919);
  const { source, isO0, features } = widened(randomOpenCl(random), random);
  const { ir: bare } = compileOpenCl(source);
  if (bare === null) return;
  // Where functions have features of their own, llc's option adds to them.
  const ir = withAttributes(bare, random);
  const attributes = features === '' ? [] : [`-mattr=${features}`];
  const level = isO0 && random.chance(80) ? ['-O0'] : random.chance(10) ? ['-O1'] : random.chance(10) ? ['-O3'] : [];
  const places = level[0] === '-O0' ? PLACES_O0 : values.generic ? GENERIC : PLACES;
  for (const place of places) {
    const [name] = place.split(',') as [string];
    const isVerified = random.chance(10);
    if (wanted !== undefined && !wanted.includes(name) && !wanted.includes(place)) continue;
    const text = mirOf(ir, source, [...attributes, ...level, `-stop-before=${place}`]);
    if (text === null) continue;
    const args = [`-mtriple=${source.triple}`, `-mcpu=${source.cpu}`, ...attributes, `-run-pass=${name}`];
    if (level.length > 0 && random.chance(50)) args.push(...level);
    if (isVerified) args.push('-verify-machineinstrs');
    const { differs, ours, llc } = runLlcJob({ name: place, text, args });
    if (differs === 'crash') {
      addTo(crashes, `${name}: ${llc.stderr.slice(0, 100).split('\n')[0]!}`);
      continue;
    }
    const tally = tallies.get(name) ?? { runs: 0, equal: 0, refused: 0, differ: 0 };
    tallies.set(name, tally);
    tally.runs++;
    if (differs === null) {
      tally.equal++;
      continue;
    }
    const refusal = /does not model .*/.exec(ours.stderr);
    const file = `${name}.${SEED}-${n}.mir`;
    if (refusal !== null) {
      tally.refused++;
      addTo(reasons, `${name}: ${refusal[0].slice(0, 160)}`);
    } else {
      tally.differ++;
      console.log(`DIFFERS ${file} ${differs} ${args.join(' ')} ${ours.stderr.slice(0, 120).split('\n')[0]!}`);
    }
    if (values.keep !== undefined) {
      mkdirSync(values.keep, { recursive: true });
      writeFileSync(join(values.keep, `${refusal === null ? '' : 'refused-'}${file}`), `# ${args.join(' ')}\n${text}`);
    }
  }
}

for (let n = 0; n < Number(values.programs); n++)
  if (values.only === undefined || Number(values.only) === n) program(n);

console.log(`${'pass'.padEnd(30)} runs equal refused differ`);
for (const [name, { runs, equal, refused, differ }] of tallies)
  console.log(
    `${name.padEnd(30)} ${[runs, equal, refused, differ].map((x) => String(x).padStart(6)).join(' ')} ${((100 * equal) / runs).toFixed(1)}%`,
  );
for (const [title, map] of [
  ['refused', reasons],
  ['llc-22 died', crashes],
] as const)
  for (const [key, count] of [...map].sort((a, b) => b[1] - a[1])) console.log(`${title} ${count} ${key}`);

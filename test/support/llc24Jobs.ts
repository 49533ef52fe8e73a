/**
 * Random runs for LLVM 24: functions of the generators, what llc-22 and clang-22 make of random IR and OpenCL, kernels of Triton, with the text's or
 * another processor of 24, through one of the passes. What only 22 prints is left out of the texts first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Question } from './answers.js';
import { Random } from './damageInputs.js';
import type { LlcRun } from './llc.js';
import type { Llc24Job } from './llc24.js';
import { changed, fromIr, generated } from './questions.js';
import { randomAimed } from './randomAimed.js';
import { randomGeneric } from './randomGeneric.js';
import { moduleText } from './randomModule.js';
import { randomOpcodes } from './randomOpcodes.js';
import { compileOpenCl, mirOf, randomOpenCl, withAttributes } from './randomOpenCl.js';
import { randomRegions } from './randomRegions.js';
import { randomStage, withBundles } from './randomStages.js';
import { randomTiny } from './randomTiny.js';
import { randomUniformityFunction } from './randomUniformity.js';
import { SHARED } from './skip.js';
import { withoutAddresses } from './verify.js';

export interface RandomRun extends Llc24Job {
  /** what it was made of */
  readonly kind: string;
  readonly seed: number;
}

const TARGET_WORD = /^--?(?:mtriple|mcpu|mattr)=/;
const HSA = '-mtriple=amdgcn-amd-amdhsa';

/** Keys and words that 22 writes and 24 does not know. */
const of24 = (text: string): string => text.replaceAll(/^noSignedZerosFPMath: .*\n/gm, '');

interface TritonCase {
  readonly name: string;
  readonly args: string;
  readonly input: string;
}

let kernels: TritonCase[] | undefined;

/** Kernels that Triton compiled, as its LLVM printed them before the scheduler. */
function tritonKernels(): TritonCase[] {
  if (kernels === undefined) {
    const folder = join(SHARED, 'corpus24', 'sched');
    const cases = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
      readonly name: string;
      readonly args: string | string[];
      readonly kind: string;
      readonly shard: string;
    }[];
    kernels = [];
    const chosen = cases.filter((c) => c.kind === 'triton');
    for (const shard of new Set(chosen.map((c) => c.shard))) {
      const file = brotliDecompressSync(readFileSync(join(folder, shard))).toString();
      const texts = new Map(
        (JSON.parse(file) as { readonly cases: { readonly name: string; readonly input: string }[] }).cases.map((c) => [
          c.name,
          c.input,
        ]),
      );
      for (const { name, args, shard: own } of chosen) {
        const input = texts.get(name);
        if (own === shard && input !== undefined && input.length < 150_000)
          kernels.push({ name, args: [args].flat().join(' '), input });
      }
    }
  }
  return kernels;
}

function openCl(seed: number): Question | null {
  const random = new Random(seed);
  const source = randomOpenCl(random);
  const { ir } = compileOpenCl(source);
  if (ir === null) return null;
  const stop = random.pick([
    'machine-scheduler',
    'machine-scheduler',
    'greedy,0',
    'si-wqm',
    'si-fold-operands',
    'prologepilog',
  ]);
  const input = mirOf(withAttributes(ir, random), source, [`-stop-before=${stop}`]);
  return input === null ? null : { input, args: [`-mtriple=${source.triple}`, `-mcpu=${source.cpu}`] };
}

const KINDS: readonly (readonly [kind: string, share: number, make: (seed: number, random: Random) => Question | null])[] = [
  ['opencl', 14, openCl],
  ['ir', 12, fromIr],
  ['stage', 14, randomStage],
  ['triton', 8, (_, random) => {
    const { args, input } = random.pick(tritonKernels());
    return { input, args: args.split(' ') };
  }],
  ['generated', 14, (seed, random) => generated(random, seed)],
  ['aimed', 6, randomAimed],
  ['regions', 6, randomRegions],
  ['tiny', 5, randomTiny],
  ['opcodes', 8, randomOpcodes],
  ['generic', 5, randomGeneric],
  ['uniformity', 4, (seed, random) => ({
    input: randomUniformityFunction('f', { seed, blocks: 3 + random.below(10), selected: random.chance(50), wave32: false, isVaried: random.chance(50) }),
    args: [HSA, '-mcpu=gfx90a'],
  })],
  ['module', 4, (seed) => ({ input: moduleText(seed), args: [HSA, '-mcpu=gfx900'] })],
]; // prettier-ignore

const FAMILIES: readonly RegExp[] = [
  /^(?:gfx[67]|tahiti|pitcairn|verde|oland|hainan|bonaire|kaveri|hawaii|kabini|mullins)/,
  /^(?:gfx8|iceland|tonga|carrizo|fiji|stoney|polaris)/,
  /^gfx9(?:00|02|04|06|09|0c|-generic)$/,
  /^gfx9(?:08|0a|42|50|-4)/,
  /^gfx10/,
  /^gfx11(?!7|-7)/,
  /^gfx11(?:7|-7)/,
  /^gfx12(?!5|-5)/,
  /^gfx12(?:5|-5)/,
  /^gfx13/,
];

const NO_PASS = ['-run-pass=none'];
const SCHEDULE = ['-run-pass=machine-scheduler'];
const UNIFORMITY = ['-run-pass=print-machine-uniformity'];
const PASSES: readonly (readonly string[])[] = [
  NO_PASS,
  NO_PASS,
  [...NO_PASS, '-verify-machineinstrs'],
  [...NO_PASS, '-simplify-mir'],
  SCHEDULE,
  SCHEDULE,
  SCHEDULE,
  [...SCHEDULE, '-amdgpu-sched-strategy=max-ilp'],
  [...SCHEDULE, '-amdgpu-sched-strategy=max-memory-clause'],
  [...SCHEDULE, '-amdgpu-sched-strategy=iterative-ilp'],
  [...SCHEDULE, '-amdgpu-use-amdgpu-trackers'],
  [...SCHEDULE, '-misched-prera-direction=topdown'],
  ['-run-pass=amdgpu-print-rp'],
  ['-run-pass=amdgpu-print-rp', '-amdgpu-print-rp-downward'],
  UNIFORMITY,
];
const ALLOCATION: readonly (readonly string[])[] = [
  ['-start-before=machine-scheduler', '-stop-after=virtregrewriter,2'],
  ['-start-before=machine-scheduler', '-stop-after=virtregrewriter,2'],
  ['-start-before=greedy,0', '-stop-after=virtregrewriter,2'],
  ['-start-before=greedy,0', '-stop-after=virtregrewriter,2', '-stress-regalloc=6'],
];
const ALLOCATED = new Set(['opencl', 'ir', 'triton']);

/** Run n of a seed; null where the programs that should make its text fail. */
export function randomRun(processors: readonly string[], seed: number, n: number): RandomRun | null {
  const random = new Random(seed * 1_000_003 + n);
  const total = KINDS.reduce((sum, [, share]) => sum + share, 0);
  let at = random.below(total);
  const [kind, , make] = KINDS.find(([, share]) => (at -= share) < 0)!;
  const own = random.below(1 << 30);
  const made = make(own, random);
  if (made === null || made.input.length > 300_000) return null;
  const target = made.args.filter((a) => TARGET_WORD.test(a));
  const cpu = /-mcpu=(\S+)/.exec(target.join(' '))?.[1] ?? '';
  const family = FAMILIES.find((f) => f.test(cpu));
  const drawn = random.below(10);
  const others = drawn < 4 ? [] : drawn < 7 ? processors.filter((p) => family?.test(p)) : processors;
  const processor = others.length === 0 ? cpu : random.pick(others);
  let text = of24(made.input);
  if (random.chance(6)) text = withBundles(text, random);
  if (random.chance(12)) text = changed(text, text, random);
  const hasModule = /^--- \|/m.test(text);
  // The door reads a module without a layout by the usual one.
  const isPlain = hasModule && /^ *target datalayout = /m.test(text) && random.chance(15);
  const passes = isPlain
    ? NO_PASS
    : ALLOCATED.has(kind) && random.chance(40)
      ? random.pick(ALLOCATION)
      : random.pick(PASSES);
  // With a processor llc adds it to the attributes of the module, which the library's door does not: the module is compared without one.
  const words = target.filter((a) => !a.startsWith('-mcpu='));
  return {
    kind,
    seed: own,
    text,
    args: [...words, ...(isPlain || processor === '' ? [] : [`-mcpu=${processor}`]), ...passes],
  };
}

const functionsOf = (text: string): string => text.slice(Math.max(0, text.search(/^---$/m)));

/** What the two can be asked to have in common: status, functions (the whole text where no processor was named), first complaint or report. */
export function answerOf({ args }: Llc24Job, { status, stdout, stderr }: LlcRun): string {
  const hasProcessor = args.some((a) => a.startsWith('-mcpu='));
  const err = withoutAddresses(stderr)
    .replace(
      /^(?:LLVM ERROR: [Ff]ailed to parse (?:machine functions from MIR|MIR IR module)|(?:\S*llc\S*: )?error: llc: error: \n\n\^)$/m,
      '',
    )
    .replace(/^PLEASE submit a bug report[^]*/m, '')
    .replaceAll(/^\S*llc\S*: (?=error: )/gm, '')
    .trim();
  return `exit ${status === 0 ? 0 : 1}\n${err}\n${status !== 0 ? '' : hasProcessor ? functionsOf(stdout) : stdout}`;
}

/** An assertion or check that a release build does not make, a crash or the end of its time: what nothing can equal. */
export const isCrash = ({ status, stderr }: LlcRun): boolean =>
  /Assertion `|UNREACHABLE executed|Stack dump|out of memory|Use not jointly dominated by defs/.test(stderr) ||
  (status !== 0 && stderr === '');

/** The library's door does not verify the module, as llc does. */
export const isUnverified = ({ stderr }: LlcRun): boolean => stderr.includes('input module cannot be verified');

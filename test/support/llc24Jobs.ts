/**
 * Random runs for LLVM 24: functions of the generators, what llc-22 and clang-22 make of random IR and OpenCL, kernels of Triton, with the text's or
 * another processor of 24, through one of the passes. What only 22 prints is left out of the texts first.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileForSwap } from '../../server/src/program/tritonDump.js';
import type { Question } from './answers.js';
import { Random } from './damageInputs.js';
import { LIMIT_MS, type LlcRun } from './llc.js';
import { PYTHON24, type Llc24Job } from './llc24.js';
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
import { SCHEDULER_OPTIONS } from './schedulerOptions.js';
import { withoutAddresses } from './verify.js';

export interface RandomRun extends Llc24Job {
  /** what it was made of */
  readonly kind: string;
  readonly seed: number;
}

const TARGET_WORD = /^--?(?:mtriple|mcpu|mattr)=/;
const HSA = '-mtriple=amdgcn-amd-amdhsa';

/** Keys and words that 22 writes and 24 does not know. */
const of24 = (text: string): string => text.replaceAll(/^ *noSignedZerosFPMath: .*\n/gm, '');

/** Folder of the kernels of a seed, compiled when first asked for. */
const KERNELS = join('out', 'triton24');
const LARGEST = 600_000;
const KERNELS_AT_ONCE = 24;
const RUNS_OF_GROUP = 400;
const groups = new Map<number, readonly Question[]>();

/** Kernels that Triton compiles now (tritonKernels.py), as its LLVM prints them before the scheduler, in a form that it reads again. */
function tritonKernels(group: number): readonly Question[] {
  const known = groups.get(group);
  if (known !== undefined) return known;
  const folder = join(KERNELS, String(group));
  if (!existsSync(folder)) {
    const program = join('test', 'support', 'tritonKernels.py');
    const limit = KERNELS_AT_ONCE * 2 * LIMIT_MS;
    spawnSync(PYTHON24, [program, String(group), String(KERNELS_AT_ONCE), folder], { timeout: limit });
  }
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  const kernels = files.sort().flatMap((name) => {
    const { text, errors } = fileForSwap(readFileSync(join(folder, name), 'utf8'));
    const cpu = /(gfx\w+)\.txt$/.exec(name)![1];
    return errors.length > 0 ? [] : [{ input: text, args: [HSA, `-mcpu=${cpu}`] }];
  });
  groups.set(group, kernels);
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

type Make = (seed: number, random: Random, group: number) => Question | null;

const KINDS: readonly (readonly [kind: string, share: number, make: Make])[] = [
  ['opencl', 16, openCl],
  ['ir', 14, fromIr],
  ['stage', 12, randomStage],
  ['triton', 12, (_, random, group) => {
    const kernels = tritonKernels(group);
    return kernels.length === 0 ? null : random.pick(kernels);
  }],
  ['generated', 16, (seed, random) => generated(random, seed)],
  ['aimed', 4, randomAimed],
  ['regions', 8, randomRegions],
  ['tiny', 4, randomTiny],
  ['opcodes', 4, randomOpcodes],
  ['generic', 2, randomGeneric],
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
const READING: readonly (readonly string[])[] = [
  NO_PASS,
  NO_PASS,
  [...NO_PASS, '-verify-machineinstrs'],
  [...NO_PASS, '-simplify-mir'],
];
const NUMBERS: readonly (readonly string[])[] = [
  ['-run-pass=amdgpu-print-rp'],
  ['-run-pass=amdgpu-print-rp', '-amdgpu-print-rp-downward'],
  ['-run-pass=print-machine-uniformity'],
  ['-run-pass=print-machine-uniformity'],
];
const STRATEGIES = ['max-ilp', 'max-memory-clause', 'iterative-ilp', 'iterative-minreg', 'iterative-maxocc'];
const STOP = '-stop-after=virtregrewriter,2';
const ALLOCATION: readonly (readonly string[])[] = [
  ['-start-before=machine-scheduler', STOP],
  ['-start-before=machine-scheduler', STOP],
  ['-start-before=greedy,0', STOP],
  ['-start-before=greedy,0', STOP, '-stress-regalloc=6'],
  ['-start-before=machine-scheduler', STOP, '-stress-regalloc=10'],
];
/** Texts of whole compilers, which are as the allocator wants them. */
const ALLOCATED = new Set(['opencl', 'ir', 'triton']);

/** 24 has no maps to reduce; the door says nothing about what it does not know. */
const isOf24 = (option: string): boolean => !option.startsWith('-dag-maps-reduction-size');

/** A third as it comes, a third with a strategy, a third with options. */
function schedulerOptions(random: Random): string[] {
  const drawn = random.below(3);
  if (drawn === 0) return [];
  const strategy = [`-amdgpu-sched-strategy=${random.pick(STRATEGIES)}`];
  if (drawn === 1) return strategy;
  const groups = SCHEDULER_OPTIONS.filter((group) => group.some(isOf24))
    .filter(() => random.chance(12))
    .map((group) => random.pick(group.filter(isOf24)));
  return [...(random.chance(20) ? strategy : []), ...groups];
}

function passesFor(kind: string, random: Random): readonly string[] {
  const drawn = random.below(100);
  if (ALLOCATED.has(kind) && drawn < 30) return random.pick(ALLOCATION);
  if (drawn < 75) return ['-run-pass=machine-scheduler', ...schedulerOptions(random)];
  return random.pick(drawn < 88 ? READING : NUMBERS);
}

/** Run n of a seed; null where the programs that should make its text fail. */
export function randomRun(processors: readonly string[], seed: number, n: number): RandomRun | null {
  const random = new Random(seed * 1_000_003 + n);
  const total = KINDS.reduce((sum, [, share]) => sum + share, 0);
  let at = random.below(total);
  const [kind, , make] = KINDS.find(([, share]) => (at -= share) < 0)!;
  const own = random.below(1 << 30);
  const made = make(own, random, seed * 100 + Math.floor(n / RUNS_OF_GROUP));
  if (made === null || made.input.length > LARGEST) return null;
  const target = made.args.filter((a) => TARGET_WORD.test(a));
  const cpu = /-mcpu=(\S+)/.exec(target.join(' '))?.[1] ?? '';
  const family = FAMILIES.find((f) => f.test(cpu));
  const drawn = random.below(10);
  const others = drawn < 5 ? [] : drawn < 8 ? processors.filter((p) => family?.test(p)) : processors;
  const processor = others.length === 0 ? cpu : random.pick(others);
  let text = of24(made.input);
  if (random.chance(4)) text = withBundles(text, random);
  if (random.chance(6)) text = changed(text, text, random);
  const hasModule = /^--- \|/m.test(text);
  // The door reads a module without a layout by the usual one.
  const isPlain = hasModule && /^ *target datalayout = /m.test(text) && random.chance(15);
  const passes = isPlain ? NO_PASS : passesFor(kind, random);
  // With a processor llc adds it to the attributes of the module, which the library's door does not: the module is compared without one.
  // Nor does it spell out a triple.
  const words = target.filter((a) => !a.startsWith('-mcpu=')).map((a) => (a === '-mtriple=amdgcn--' ? HSA : a));
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
  const hasProcessor = args.some((a) => /^-(?:mcpu|mattr)=/.test(a));
  const err = withoutAddresses(stderr)
    .replace(
      /^(?:LLVM ERROR: [Ff]ailed to parse (?:machine functions from MIR|MIR IR module)|(?:\S*llc\S*: )?error: llc: error: \n\n\^)$/m,
      '',
    )
    .replace(/^PLEASE submit a bug report[^]*/m, '')
    .replaceAll(/^\S*llc\S*: (?=error: )/gm, '')
    .trim();
  const out = withoutAddresses(stdout);
  return `exit ${status === 0 ? 0 : 1}\n${err}\n${status !== 0 ? '' : hasProcessor ? functionsOf(out) : out}`;
}

/** Assertions, what llc says before it ends by one, and checks that a release build does not make. */
const ASSERTED =
  /Assertion `|UNREACHABLE executed|Stack dump|out of memory|Use not jointly dominated by defs|MachineFunctionProperties check failed|Invalid global physical register/;
/** The verifier in the middle of a run, which an assertion asks. */
const VERIFIED = /defs don't dominate all uses/;

/** Ended by what a release build does not check, by a signal (128 and more) or by its time: what nothing can equal. */
export const isCrash = ({ args }: Llc24Job, { status, stderr }: LlcRun): boolean =>
  (status ?? 0) > 128 ||
  ASSERTED.test(stderr) ||
  (VERIFIED.test(stderr) && args.some((a) => a.startsWith('-start-'))) ||
  (status !== 0 && stderr === '');

/** The library's door does not verify the module, as llc does. */
export const isUnverified = ({ stderr }: LlcRun): boolean => stderr.includes('input module cannot be verified');

/** What we refuse and say so: no answer that could be wrong. */
export const isRefused = ({ stderr }: LlcRun): boolean => /amdgpu-mir does not model/.test(stderr);

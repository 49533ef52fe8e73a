/**
 * The program `amdgpu-mir` as one executable file that needs no Node: Bun's runtime with the bundles, their compiled code and their data
 * inside (server/tools/makeExecutable.mjs). JavaScriptCore starts in a quarter of the time that Node takes, so that a run on a typical file
 * is shorter than llc's.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleFor, type Bundle, type BundleFunction, type BundleName } from './bundles.js';
import type { BundleStart } from './cli/bundleStart.js';

/** The part of Bun's interface that is used here; `main` is the path of this module inside the executable. */
declare const Bun: { readonly main: string };

const folder = dirname(Bun.main);
const read = (name: string): Buffer => readFileSync(join(folder, 'data', name));

/**
 * Each entry stands in a `require` of its own, by which Bun finds what belongs into the executable: not the module of that name but the
 * bundle that is made of it.
 */
const bundles: Record<BundleName | 'lsp', () => BundleFunction> = {
  llc: () => require('./llc.js') as BundleFunction,
  check: () => require('./check.js') as BundleFunction,
  filecheck: () => require('./filecheck.js') as BundleFunction,
  cli: () => require('./main.js') as BundleFunction,
  lsp: () => require('./lsp.js') as BundleFunction,
};

function load(name: BundleName | 'lsp'): Bundle {
  const bundle = { exports: {} as Bundle, readText: (file: string) => read(file).toString('latin1') };
  bundles[name]()(bundle.exports, require, bundle, join(folder, `${name}.js`), folder);
  return bundle.exports;
}

/**
 * What JavaScriptCore is to do in a long run. It reads its options once, from the environment in which the process starts. Nearly all code of a run
 * is about to be done with when it is optimized: the last compiler never pays, the one before it where code is ten times as hot as
 * it asks by itself, and the first one, which is cheap, earlier than by itself. All are multiplied by the policy of compilerTiers.ts.
 */
const LONG_RUN_OPTIONS: Readonly<Record<string, string>> = {
  BUN_JSC_useFTLJIT: '0',
  BUN_JSC_thresholdForJITAfterWarmUp: '200',
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '10000',
  BUN_JSC_thresholdForOptimizeAfterLongWarmUp: '10000',
  BUN_JSC_thresholdForOptimizeSoon: '10000',
};
/** The environment of a process that was started again has it. */
const STARTED_AGAIN = 'AMDGPU_MIR_STARTED_AGAIN';

/** Bytes of input from which that saves more than starting again takes (8 ms): where functions are scheduled or allocated, and elsewhere. */
const LONG_PASSES_FROM = 80_000;
const OTHERS_FROM = 200_000;

/** Starts this program again, in the same process, with these options, for a run with a long input; else returns. */
function restartForLongRun(): void {
  const { env, execPath, execve } = process as NodeJS.Process & { readonly execve?: Execve };
  if (env[STARTED_AGAIN] !== undefined) {
    // No business of the programs that a run starts.
    for (const name of [STARTED_AGAIN, ...Object.keys(LONG_RUN_OPTIONS)]) delete env[name];
    return;
  }
  if (execve === undefined || !['llc', 'check', 'explain'].includes(args[0] ?? '')) return;
  if (Object.keys(LONG_RUN_OPTIONS).some((name) => env[name] !== undefined)) return;
  const from = runsLongPasses() ? LONG_PASSES_FROM : OTHERS_FROM;
  if (args.slice(1).reduce((bytes, arg) => bytes + bytesOf(arg), 0) < from) return;
  try {
    execve(execPath, [execPath, ...args], { ...env, ...LONG_RUN_OPTIONS, [STARTED_AGAIN]: '1' });
  } catch {
    // The program's file has been replaced or removed meanwhile: it runs with all compilers.
  }
}

/** Of `llc`, `check` or `explain`. */
const runsLongPasses = (): boolean =>
  args[0] === 'explain' || bundleFor(args) === 'cli' || args.some((arg) => /^--?(?:schedule|allocation)$/.test(arg));

/** Of Node 22.15 and Bun, for which our types of Node are too old; not on Windows. Returns by an exception only. */
type Execve = (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => never;

/** Of the file that an argument names, 0 where it names none. */
function bytesOf(arg: string): number {
  if (arg.startsWith('-')) return 0;
  try {
    const file = statSync(arg, { throwIfNoEntry: false });
    return file?.isFile() === true ? file.size : 0;
  } catch {
    return 0;
  }
}

const start: BundleStart = { program: Bun.main, read, loadServer: () => void load('lsp') };
const args = process.argv.slice(2);
restartForLongRun();
load(bundleFor(args)).main(args, start);

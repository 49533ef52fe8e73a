/**
 * The program `amdgpu-mir` as one executable file that needs no Node: Bun's runtime with the bundles, their compiled code and their data
 * inside (server/tools/makeExecutable.mjs). JavaScriptCore starts in a quarter of the time that Node takes, so that a run on a typical file
 * is shorter than llc's.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleFor, type Bundle, type BundleFunction, type BundleModule, type BundleName } from './bundles.js';
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
  long: () => require('./long.js') as BundleFunction,
  check: () => require('./check.js') as BundleFunction,
  filecheck: () => require('./filecheck.js') as BundleFunction,
  cli: () => require('./main.js') as BundleFunction,
  lsp: () => require('./lsp.js') as BundleFunction,
};

function load(name: BundleName | 'lsp', shared: unknown = null): Bundle {
  const bundle: BundleModule = {
    exports: {},
    readText: (file) => read(file).toString('latin1'),
    load: (other, own) => {
      restartForLongRun(LONG_PASSES_FROM);
      return load(other, own);
    },
    shared,
  };
  bundles[name]()(bundle.exports, require, bundle, join(folder, `${name}.js`), folder);
  return bundle.exports as Bundle;
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

/** Bytes of input from which that saves more than starting again takes (8 ms): where functions are scheduled or allocated, which llc says by loading long.js, and elsewhere. */
const LONG_PASSES_FROM = 80_000;
const OTHERS_FROM = 200_000;

/** No business of the programs that a run starts. */
function forgetStart({ env }: NodeJS.Process): boolean {
  if (env[STARTED_AGAIN] === undefined) return false;
  for (const name of [STARTED_AGAIN, ...Object.keys(LONG_RUN_OPTIONS)]) delete env[name];
  return true;
}

/** Starts this program again, in the same process, with these options, for a run with an input of so many bytes; else returns. Nothing has been read by then. */
function restartForLongRun(from: number): void {
  const { env, execPath, execve } = process as NodeJS.Process & { readonly execve?: Execve };
  if (isStartedAgain) return;
  if (execve === undefined || !['llc', 'check', 'explain'].includes(args[0] ?? '')) return;
  if (Object.keys(LONG_RUN_OPTIONS).some((name) => env[name] !== undefined)) return;
  if (args.slice(1).reduce((bytes, arg) => bytes + bytesOf(arg), 0) < from) return;
  try {
    execve(execPath, [execPath, ...args], { ...env, ...LONG_RUN_OPTIONS, [STARTED_AGAIN]: '1' });
  } catch {
    // The program's file has been replaced or removed meanwhile: it runs with all compilers.
  }
}

/** `check` and `explain` have all passes in their bundle: they run the long ones when they are asked to. */
const asksForLongPasses = (): boolean =>
  args[0] === 'explain' || (args[0] === 'check' && args.some((arg) => /^--?(?:schedule|allocation)$/.test(arg)));

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
const isStartedAgain = forgetStart(process);
restartForLongRun(asksForLongPasses() ? LONG_PASSES_FROM : OTHERS_FROM);
load(bundleFor(args[0])).main(args, start);

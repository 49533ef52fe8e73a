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

/** JavaScriptCore reads its options once, from the environment in which the process starts; this one is its last compiler. */
const LAST_COMPILER = 'BUN_JSC_useFTLJIT';

/**
 * Characters of the inputs that a scheduler without the last compiler is done with earlier, though starting again takes some 30 ms: 0.65 to
 * 0.74 of the processor time and 0.67 to 0.86 by the clock at 1 and 1.7 MB. By the clock on a machine at rest, where that compiler has a core
 * of its own, 228 kB and 4.5 MB take 1.09 (processor time 0.85 and 0.75).
 */
const RESTART_FROM = 300_000;
const RESTART_UP_TO = 2_500_000;

/** Starts this program again, in the same process, without the last compiler, for a long run of the scheduler; else returns. */
function restartForLongRun(): void {
  const { env, execPath, execve } = process as NodeJS.Process & { readonly execve?: Execve };
  if (env[LAST_COMPILER] !== undefined) {
    // No business of the programs that a run starts.
    delete env[LAST_COMPILER];
    return;
  }
  if (execve === undefined || args[0] !== 'llc' || !args.some(isScheduler) || !args.some(isLongInput)) return;
  try {
    execve(execPath, [execPath, ...args], { ...env, [LAST_COMPILER]: '0' });
  } catch {
    // The program's file has been replaced or removed meanwhile: it runs with all compilers.
  }
}

/** Of Node 22.15 and Bun, for which our types of Node are too old; not on Windows. Returns by an exception only. */
type Execve = (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => never;

const isScheduler = (arg: string): boolean => /^--?run-pass=machine-scheduler$/.test(arg);

function isLongInput(arg: string): boolean {
  if (arg.startsWith('-')) return false;
  try {
    const file = statSync(arg, { throwIfNoEntry: false });
    return file !== undefined && file.isFile() && file.size >= RESTART_FROM && file.size <= RESTART_UP_TO;
  } catch {
    return false;
  }
}

const start: BundleStart = { program: Bun.main, read, loadServer: () => void load('lsp') };
const args = process.argv.slice(2);
restartForLongRun();
load(bundleFor(args)).main(args, start);

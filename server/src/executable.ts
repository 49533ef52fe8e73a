/**
 * The program `amdgpu-mir` as one executable file that needs no Node: Bun's runtime with the bundles, their compiled code and their data
 * inside (server/tools/makeExecutable.mjs). JavaScriptCore starts in a quarter of the time that Node takes, so that a run on a typical file
 * is shorter than llc's.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleFor, type Bundle, type BundleFunction, type BundleModule, type BundleName } from './bundles.js';
import type { BundleStart } from './cli/bundleStart.js';
import { JAVASCRIPTCORE } from './cli/engines.js';

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
    load,
    shared,
  };
  bundles[name]()(bundle.exports, require, bundle, join(folder, `${name}.js`), folder);
  return bundle.exports as Bundle;
}

/** The environment of a process that was started again names here what it has besides. */
const STARTED_AGAIN = 'AMDGPU_MIR_STARTED_AGAIN';

/** No business of the programs that a run starts. */
function forgetStart({ env }: NodeJS.Process): boolean {
  const names = env[STARTED_AGAIN];
  if (names === undefined) return false;
  for (const name of [STARTED_AGAIN, ...names.split(',')]) delete env[name];
  return true;
}

/** Of Node 22.15 and Bun; not on Windows. Returns by an exception only. */
type Execve = (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => never;

/** Where Bun's runtime would tell its makers over the network that it has crashed; on Linux it does not by itself. */
const QUIET = process.platform === 'darwin' ? { BUN_ENABLE_CRASH_REPORTING: '0' } : {};

/** Starts this program again, in the same process, with what the runtime reads from its environment alone; returns where nothing is missing there. */
function restart(): void {
  const { env, execPath, execve } = process as Omit<NodeJS.Process, 'execve'> & { readonly execve?: Execve };
  const isSet = (names: object): boolean => Object.keys(names).some((name) => env[name] !== undefined);
  const environment = {
    ...(isSet(QUIET) ? {} : QUIET),
    ...(isLongRun() && !isSet(JAVASCRIPTCORE.again.environment) ? JAVASCRIPTCORE.again.environment : {}),
  };
  const names = Object.keys(environment);
  if (execve === undefined || names.length === 0) return;
  try {
    execve(execPath, [execPath, ...args], { ...env, ...environment, [STARTED_AGAIN]: names.join() });
  } catch {
    // The program's file has been replaced or removed meanwhile: it runs with all compilers.
  }
}

/** With the engine's options for it a long run takes less. */
function isLongRun(): boolean {
  const { commands, from } = JAVASCRIPTCORE.again;
  if (!commands.includes(args[0] ?? '')) return false;
  return args.slice(1).reduce((bytes, arg) => bytes + bytesOf(arg), 0) >= from;
}

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

const args = process.argv.slice(2);
if (!forgetStart(process)) restart();
const start: BundleStart = { program: Bun.main, read, loadServer: () => void load('lsp') };
load(bundleFor(args[0])).main(args, start);

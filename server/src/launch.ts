/**
 * The program `amdgpu-mir`: runs a bundle that lies beside it, with V8's compiled code of it. Start-up is most of the
 * time of a run on a typical file, and compiling is most of start-up. The build makes the compiled code for its own Node. Another Node, and a
 * package, which comes without, use Node's compile cache: the first run fills it, the next ones read it.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { Script } from 'node:vm';
import { isWorkerCommand } from './cli/workerCommands.js';
import { bundleFor, type Bundle, type BundleFunction, type BundleModule, type BundleName } from './bundles.js';
import type { BundleStart } from './cli/bundleStart.js';
import { V8_AT_START } from './cli/engines.js';

interface LoadedBundle {
  readonly exports: Bundle;
  /** Contents of its file of compiled code, for the build. */
  compiledCode(): Buffer | undefined;
}

/** Names the build; the bundler puts it in. */
declare const AMDGPU_MIR_BUILD: string;

/**
 * Bytes before the compiled code: its build and the machine and V8 that made it, padded. V8 itself takes a cache for any source of the same
 * length, and does not ask for which processor it is.
 */
const STAMP_BYTES = 80;
const stamp = (AMDGPU_MIR_BUILD + process.platform + process.arch + process.versions.v8).padEnd(STAMP_BYTES);

/**
 * Runs `load` under the flags: V8 takes compiled code only under those with which it was made. The main thread has them unless it was
 * started as `node amdgpu-mir.js`. A worker of a main thread that was started with them sets them again, since that may have changed some.
 */
function underFlags<T>(isWorker: boolean, load: () => T): T {
  const isStartedWith = V8_AT_START.every((flag) => process.execArgv.includes(flag));
  if (isStartedWith !== isWorker) return load();
  // Loaded only here: it costs as much as a typical file's analysis.
  const { setFlagsFromString } = require('node:v8') as typeof import('node:v8');
  for (const flag of V8_AT_START) setFlagsFromString(flag);
  const loaded = load();
  // V8 ends the process when a thread starts with another value of this than the first.
  if (!isStartedWith) setFlagsFromString('--rehash-snapshot');
  return loaded;
}

const ROOM = 4 << 20;
/** One buffer for all files, whose bytes are done with before the next is read: memory that is touched first costs as much as reading. */
let scratch = Buffer.allocUnsafeSlow(ROOM);

/** For `main` of a bundle. */
const start: BundleStart = {
  program: __filename,
  read: (name) => {
    const bytes = readStartFile(name);
    // They are the bundle's now. Room that is not used costs nothing.
    scratch = Buffer.allocUnsafeSlow(ROOM);
    return bytes;
  },
  loadServer: () => {
    useCompileCache();
    require(`${__dirname}/lsp.js`);
  },
};

/**
 * Bytes of a file that lies beside this one; good until the next call. Node compiles the functions of its library in every process: few
 * of them are used here.
 */
function readStartFile(name: string): Buffer {
  const path = `${__dirname}/${name}`;
  const file = openSync(path, 'r');
  const n = readSync(file, scratch, 0, scratch.length, 0);
  closeSync(file);
  return n === scratch.length ? readFileSync(path) : scratch.subarray(0, n);
}

function readCode(name: string): Buffer | undefined {
  try {
    const file = readStartFile(`${name}.cache`);
    return file.toString('latin1', 0, STAMP_BYTES) === stamp ? file.subarray(STAMP_BYTES) : undefined;
  } catch {
    return undefined;
  }
}

/** It lies in the folder for temporary files, or where NODE_COMPILE_CACHE says. */
function useCompileCache(): void {
  // Without an `import`, for which every run would compile the bundler's helpers. Node 20 has none.
  const { enableCompileCache } = require('node:module') as Partial<typeof import('node:module')>;
  enableCompileCache?.();
}

/** Else the build asks for its functions. */
const isProgram = require.main === module;
const loaded = new Map<BundleName, LoadedBundle>();

/** The function that the build has put around a bundle, and its script where its compiled code can be asked for. */
function functionOf(name: BundleName, filename: string): { runModule: BundleFunction; script?: Script } {
  // The bundle is ASCII (esbuild's default), so Latin-1 reads it right, and without a decoding pass.
  const source = readStartFile(`${name}.js`).toString('latin1');
  const cachedData = readCode(name);
  if (cachedData === undefined && isProgram) {
    useCompileCache();
    return { runModule: require(filename) as BundleFunction };
  }
  const script = new Script(source, cachedData === undefined ? { filename } : { filename, cachedData });
  return { runModule: script.runInThisContext() as BundleFunction, script };
}

function loadBundle(name: BundleName, shared: unknown = null): LoadedBundle {
  const filename = `${__dirname}/${name}.js`;
  const { runModule, script } = functionOf(name, filename);
  const bundle: BundleModule = {
    exports: {},
    readText: (file) => readStartFile(file).toString('latin1'),
    load: (other, own) => underFlags(false, () => loadBundle(other, own)).exports,
    shared,
  };
  runModule(bundle.exports, require, bundle, filename, __dirname);
  const result = {
    exports: bundle.exports as Bundle,
    compiledCode: () => script && Buffer.concat([Buffer.from(stamp, 'latin1'), script.createCachedData()]),
  };
  loaded.set(name, result);
  return result;
}

if (isProgram) {
  const args = process.argv.slice(2);
  underFlags(isWorkerCommand(args[0]), () => loadBundle(bundleFor(args[0]))).exports.main(args, start);
} else {
  // Not with `export`: every run would compile the bundler's helpers for that.
  module.exports = { loadBundle, loaded, start };
}

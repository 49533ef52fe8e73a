/**
 * The program `amdgpu-mir`: runs cli.js, which lies beside it, with V8's compiled code from cli.cache. Start-up is most of the
 * time of a run on a typical file, and compiling is most of start-up. The build makes the cache; where it does not fit the
 * running V8 (another Node, Electron), V8 says so and the code is compiled as usual.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

/** Parameters of a CommonJS module, in the order in which `runModule` passes them. */
type ModuleFunction = (
  exports: object,
  require: NodeJS.Require,
  module: object,
  filename: string,
  dirname: string,
) => void;

/** Names the build; the bundler puts it in. */
declare const AMDGPU_MIR_BUILD: string;

const filename = join(__dirname, 'cli.js');
/** Bytes in front of the compiled code: the name of its build, padded. V8 itself takes a cache for any source of the same length. */
const STAMP_BYTES = 40;
const stamp = Buffer.from(AMDGPU_MIR_BUILD.padEnd(STAMP_BYTES), 'latin1');

function readCache(): Buffer | undefined {
  try {
    const file = readFileSync(join(__dirname, 'cli.cache'));
    return file.subarray(0, STAMP_BYTES).equals(stamp) ? file.subarray(STAMP_BYTES) : undefined;
  } catch {
    return undefined;
  }
}

// The bundle is ASCII (esbuild's default), so Latin-1 reads it right, and without a decoding pass. The build has put the function
// around it that makes a module of it.
const source = readFileSync(filename, 'latin1');
const cachedData = readCache();
const script = new Script(source, cachedData === undefined ? { filename } : { filename, cachedData });
const runModule = script.runInThisContext() as ModuleFunction;
const cliModule = { exports: {} as typeof import('./main.js') };
runModule(cliModule.exports, require, cliModule, filename, __dirname);

/** For the build, which loads this file as a module and runs the command on examples before: contents for cli.cache. */
export const compiledCode = (): Buffer => Buffer.concat([stamp, script.createCachedData()]);
export const cli = cliModule.exports;
if (require.main === module) cli.main(process.argv.slice(2));

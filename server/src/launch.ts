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

const filename = join(__dirname, 'cli.js');

function readCache(): Buffer | undefined {
  try {
    return readFileSync(join(__dirname, 'cli.cache'));
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

// The build loads this file as a module, runs the command on examples, and then asks the script for its compiled code.
export { script };
export const cli = cliModule.exports;
if (require.main === module) cli.main(process.argv.slice(2));

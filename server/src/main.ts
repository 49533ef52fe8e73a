/**
 * The command `amdgpu-mir`: which sub-command, nothing more. Built as dist/server/cli.js and started by launch.ts.
 * Sub-commands that are not for speed load their code when they are asked for.
 */
import { runBatch } from './protocol/cli/batch.js';
import { HELP, VERSION_LINE } from './protocol/cli/help.js';
import type { CommandIO } from './protocol/cli/io.js';
import { processIO } from './protocol/cli/processIO.js';
import { runLlc } from './protocol/cli/llc.js';
import { CompilerTiers } from './protocol/cli/compilerTiers.js';
import { useStoredTables } from './protocol/cli/storedTables.js';

export { runLlcToStrings } from './protocol/cli/llc.js';
export { recordTables, useStoredTables } from './protocol/cli/storedTables.js';

/** Runs the sub-command of `args` (without node and script) and ends the process with its exit code. */
export function main(args: readonly string[]): void {
  const [command, ...rest] = args;
  switch (command) {
    case 'llc':
      useStoredTables(__dirname);
      try {
        process.exit(runLlc(rest, shortRunIO()));
      } catch (error) {
        fail(error);
      }
      break;
    case 'batch':
      useStoredTables(__dirname);
      runBatch();
      break;
    case 'check':
      // A bundle of its own, like the server.
      (require(`${__dirname}/check.js`) as typeof import('./check.js'))
        .runCheck(rest, processIO())
        .then((code) => process.exit(code), fail);
      break;
    case 'explain':
      process.exit((require(`${__dirname}/check.js`) as typeof import('./check.js')).runExplain(rest, processIO()));
      break;
    case 'lsp':
      // vscode-languageserver reads the transport from process.argv itself; the bundle lies beside this one.
      require(`${__dirname}/lsp.js`);
      break;
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      processIO().stdout(HELP);
      process.exit(command === undefined ? 1 : 0);
      break;
    case '--version':
    case 'version':
      processIO().stdout(VERSION_LINE);
      process.exit(0);
      break;
    default:
      processIO().stderr(`amdgpu-mir: unknown command '${command}'; see 'amdgpu-mir help'\n`);
      process.exit(1);
  }
}

function shortRunIO(): CommandIO {
  const io = processIO();
  const tiers = new CompilerTiers();
  return {
    ...io,
    read: (path) => {
      const text = io.read(path);
      tiers.input(text.length);
      return text;
    },
    checkpoint: () => tiers.checkpoint(),
  };
}

function fail(error: unknown): never {
  processIO().stderr(
    `amdgpu-mir: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(70);
}

/**
 * The command `amdgpu-mir`: which sub-command, nothing more. Built as dist/server/cli.js and started by launch.ts.
 * Sub-commands that are not for speed load their code when they are asked for.
 */
import { runBatch } from './protocol/cli/batch.js';
import { HELP, VERSION_LINE } from './protocol/cli/help.js';
import { allowCompilers } from './protocol/cli/compilerTiers.js';
import { runLlcProcess } from './protocol/cli/llcProcess.js';
import { processIO } from './protocol/cli/processIO.js';
import type { BundleStart } from './protocol/cli/bundleStart.js';
import { useStoredTables } from './protocol/cli/storedTables.js';

export { recordTables } from './protocol/cli/storedTables.js';

/** Runs the sub-command of `args` (without node and script) and ends the process with its exit code. */
export function main(args: readonly string[], start: BundleStart): void {
  const [command, ...rest] = args;
  switch (command) {
    case 'llc':
      return runLlcProcess(rest, start);
    case 'batch':
      allowCompilers();
      useStoredTables(start);
      runBatch();
      break;
    case 'lsp':
      allowCompilers();
      // vscode-languageserver reads the transport from process.argv itself.
      start.loadServer();
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
    case 'licenses':
      processIO().stdout(start.read('ThirdPartyNotices.txt').toString('utf8'));
      process.exit(0);
      break;
    default:
      processIO().stderr(`amdgpu-mir: unknown command '${command}'; see 'amdgpu-mir help'\n`);
      process.exit(1);
  }
}

/**
 * The command `amdgpu-mir`: which sub-command, nothing more. Built as dist/server/cli.js and started by launch.ts.
 * Sub-commands that are not for speed load their code when they are asked for.
 */
import { runBatch } from './cli/batch.js';
import { commands } from './cli/commands.js';
import { asksForHelp, didYouMean, helpOf, helpText, VERSION_LINE } from './cli/help.js';
import { passNames } from './passes/passes.js';
import { allowCompilers } from './cli/compilerTiers.js';
import type { CommandIO } from './program/commandIO.js';
import { runLlcProcess } from './cli/llcProcess.js';
import { endProcess, reportFailure } from './cli/processEnd.js';
import { processIO } from './cli/processIO.js';
import { runTestWorker } from './cli/runTest.js';
import { runSwap } from './cli/swap.js';
import { runCompletions } from './cli/completions.js';
import { runCompare } from './cli/compare.js';
import { runTests } from './cli/test.js';
import { runUpdateChecks } from './cli/updateChecks.js';
import { transportOf, TRANSPORT_OPTIONS } from './lsp/node/lspTransport.js';
import type { BundleStart } from './cli/bundleStart.js';
import { useStoredTables } from './cli/storedTables.js';
import { TEST_WORKER } from './cli/workerCommands.js';

export { recordTables } from './cli/storedTables.js';

const EXIT_OK = 0;
const EXIT_USAGE = 2;

/** Runs the sub-command of `args` (without node and script) and ends the process with its exit code. */
export function main(args: readonly string[], start: BundleStart): void {
  const [command, ...rest] = args;
  if (command === 'llc') return runLlcProcess(rest, start);
  if (command === 'lsp' && !asksForHelp(rest) && 'kind' in transportOf(rest)) {
    allowCompilers();
    return start.loadServer();
  }
  if (command === 'test' || command === TEST_WORKER) {
    allowCompilers();
    useStoredTables(start);
    if (command === TEST_WORKER) return runTestWorker();
    const io = processIO();
    void runTests(rest, io, start.program).then((exit) => endProcess(io, () => exit), reportFailure);
    return;
  }
  if (command === 'update-checks') {
    allowCompilers();
    useStoredTables(start);
    const io = processIO();
    void runUpdateChecks(rest, io).then((exit) => endProcess(io, () => exit), reportFailure);
    return;
  }
  return endProcess(processIO(), (io) => run(command, rest, start, io));
}

function run(command: string | undefined, args: readonly string[], start: BundleStart, io: CommandIO): number {
  const print = (text: string): number => {
    io.stdout(text);
    return EXIT_OK;
  };
  const refuse = (text: string): number => {
    io.stderr(text);
    return EXIT_USAGE;
  };
  const names = commands().map((c) => c.name);
  switch (command) {
    case 'batch':
      if (asksForHelp(args)) return print(helpOf('batch'));
      if (args.length > 0)
        return refuse(`amdgpu-mir batch: unknown argument '${args[0]}'; jobs come from standard input\n`);
      allowCompilers();
      useStoredTables(start);
      return runBatch(io);
    case 'swap':
      useStoredTables(start);
      return runSwap(args, io);
    case 'completions':
      useStoredTables(start);
      return runCompletions(args, io);
    case 'compare':
      allowCompilers();
      useStoredTables(start);
      return runCompare(args, io);
    case 'lsp':
      return asksForHelp(args) ? print(helpOf('lsp')) : refuse(`amdgpu-mir lsp: ${transportText(args)}\n`);
    case undefined:
      return refuse(helpText());
    case 'help':
    case '--help':
    case '-help':
    case '-h': {
      const [about] = args;
      if (about === undefined || names.includes(about)) return print(helpOf(about ?? '', passNames()));
      return refuse(`amdgpu-mir help: no command '${about}'${didYouMean(about, names)}\n`);
    }
    case '--version':
    case '-version':
    case 'version':
      return print(VERSION_LINE);
    case 'licenses':
      return print(start.read('ThirdPartyNotices.txt').toString('utf8'));
    default: {
      const near = didYouMean(command, [...names, 'help', 'licenses', 'version', '--help', '--version']);
      return refuse(`amdgpu-mir: unknown command '${command}'${near || "; see 'amdgpu-mir help'"}\n`);
    }
  }
}

function transportText(args: readonly string[]): string {
  const transport = transportOf(args);
  if ('kind' in transport) return '';
  const { problem, unknown } = transport;
  return problem + (unknown === '' ? "; see 'amdgpu-mir help lsp'" : didYouMean(unknown, TRANSPORT_OPTIONS));
}

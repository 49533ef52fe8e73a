/** `amdgpu-mir filecheck`, built as dist/server/filecheck.js: it needs nothing that the other commands have. */
import { allowCompilersForFewLoops } from './cli/compilerTiers.js';
import { runFileCheckCommand } from './cli/filecheck.js';
import { endProcess, LLVM_LOST_OUTPUT } from './cli/processEnd.js';
import { processIO } from './cli/processIO.js';
import type { CommandIO } from './program/commandIO.js';

/** `args`: `filecheck` and its arguments. Ends the process with FileCheck's exit code. */
export function main(args: readonly string[]): never {
  allowCompilersForFewLoops();
  const run = (io: CommandIO): number => runFileCheckCommand(args.slice(1), io, process.env['FILECHECK_OPTS']);
  return endProcess(processIO(), run, LLVM_LOST_OUTPUT);
}

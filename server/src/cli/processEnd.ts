/** How a process of the command line ends. */
import { StreamError, type CommandIO } from '../program/commandIO.js';
import { processIO } from './processIO.js';

const EXIT_OK = 0;
/** There is no answer: what our own commands end with where the output cannot be written. llc and FileCheck end with 1. */
const EXIT_LOST_OUTPUT = 2;
export const LLVM_LOST_OUTPUT = 1;
/** a bug of ours (sysexits: EX_SOFTWARE) */
export const EXIT_INTERNAL = 70;

/** Ends the process with the exit code of `run`; output that could not be written is a failure. */
export function endProcess(io: CommandIO, run: (io: CommandIO) => number, lost = EXIT_LOST_OUTPUT): never {
  let exit: number;
  try {
    exit = run(io);
  } catch (error) {
    reportFailure(error, lost);
  }
  process.exit(exit === EXIT_OK && io.isStderrLost ? lost : exit);
}

/** For what a command throws: output that cannot be written, else a bug of ours. Who leaves a pipe (`| head`) knows it. */
export function reportFailure(error: unknown, lost = EXIT_LOST_OUTPUT): never {
  if (!(error instanceof StreamError)) reportInternalError(error);
  if (!error.isReaderGone) processIO().stderr(`amdgpu-mir: cannot write the output: ${error.message}\n`);
  process.exit(lost);
}

/** For a bug of ours. */
function reportInternalError(error: unknown): never {
  const isTraced = process.env['AMDGPU_MIR_TRACE'] !== undefined;
  const text = error instanceof Error ? (isTraced && error.stack) || error.message : String(error);
  const hint = isTraced ? '' : ' (AMDGPU_MIR_TRACE=1 in the environment shows where)';
  processIO().stderr(`amdgpu-mir: internal error: ${text}${hint}\n`);
  process.exit(EXIT_INTERNAL);
}

/** `amdgpu-mir llc` as a process of its own. */
import { CompilerTiers } from './compilerTiers.js';
import { StreamError, type CommandIO } from './io.js';
import { EXIT_INTERNAL, runLlc } from './llc.js';
import { processIO } from './processIO.js';
import type { BundleStart } from './bundleStart.js';
import { useStoredTables } from './storedTables.js';

/** Runs llc with `args` and ends the process with its exit code. */
export function runLlcProcess(args: readonly string[], start: BundleStart): never {
  useStoredTables(start);
  return endProcess(shortRunIO(), (io) => runLlc(args, io));
}

const EXIT_OK = 0;
const EXIT_LOST_OUTPUT = 1;

/** Ends the process with the exit code of `run`; output that could not be written is a failure. */
export function endProcess(io: CommandIO, run: (io: CommandIO) => number): never {
  let exit: number;
  try {
    exit = run(io);
  } catch (error) {
    reportFailure(error);
  }
  process.exit(exit === EXIT_OK && io.isStderrLost ? EXIT_LOST_OUTPUT : exit);
}

/** For what a command throws: output that cannot be written, else a bug of ours. Who leaves a pipe (`| head`) knows it. */
export function reportFailure(error: unknown): never {
  if (!(error instanceof StreamError)) reportInternalError(error);
  if (!error.isReaderGone) processIO().stderr(`amdgpu-mir: cannot write the output: ${error.message}\n`);
  process.exit(EXIT_LOST_OUTPUT);
}

/** For a bug of ours. */
function reportInternalError(error: unknown): never {
  const isTraced = process.env['AMDGPU_MIR_TRACE'] !== undefined;
  const text = error instanceof Error ? (isTraced && error.stack) || error.message : String(error);
  const hint = isTraced ? '' : ' (AMDGPU_MIR_TRACE=1 in the environment shows where)';
  processIO().stderr(`amdgpu-mir: internal error: ${text}${hint}\n`);
  process.exit(EXIT_INTERNAL);
}

/** Files and standard streams of a process that may be short: it gets V8's compilers when it turns out to be long. */
export function shortRunIO(): CommandIO {
  const io = processIO();
  const tiers = new CompilerTiers();
  return {
    ...io,
    get isStderrLost() {
      return io.isStderrLost;
    },
    read: (path, maxBytes) => {
      const text = io.read(path, maxBytes);
      tiers.input(text.length);
      return text;
    },
    checkpoint: () => tiers.checkpoint(),
  };
}

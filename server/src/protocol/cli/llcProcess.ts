/** `amdgpu-mir llc` as a process of its own. */
import { CompilerTiers } from './compilerTiers.js';
import type { CommandIO } from './io.js';
import { EXIT_INTERNAL, runLlc } from './llc.js';
import { processIO } from './processIO.js';
import type { BundleStart } from './bundleStart.js';
import { useStoredTables } from './storedTables.js';

/** Runs llc with `args` and ends the process with its exit code. */
export function runLlcProcess(args: readonly string[], start: BundleStart): never {
  useStoredTables(start);
  try {
    process.exit(runLlc(args, shortRunIO()));
  } catch (error) {
    reportInternalError(error);
  }
}

/** For a bug of ours. */
export function reportInternalError(error: unknown): never {
  processIO().stderr(
    `amdgpu-mir: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(EXIT_INTERNAL);
}

/** Files and standard streams of a process that may be short: it gets V8's compilers when it turns out to be long. */
export function shortRunIO(): CommandIO {
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

/** `amdgpu-mir llc` as a process of its own. */
import { CompilerTiers } from './compilerTiers.js';
import type { CommandIO } from '../program/commandIO.js';
import { runLlc } from './llc.js';
import { endProcess, LLVM_LOST_OUTPUT } from './processEnd.js';
import { processIO } from './processIO.js';
import type { BundleStart } from './bundleStart.js';
import { useStoredTables } from './storedTables.js';

/** Runs llc with `args` and ends the process with its exit code. */
export function runLlcProcess(args: readonly string[], start: BundleStart): never {
  useStoredTables(start);
  return endProcess(shortRunIO(), (io) => runLlc(args, io), LLVM_LOST_OUTPUT);
}

/** Files and standard streams of a process that may be short: it gets the engine's compilers when it turns out to be long. */
export function shortRunIO(): CommandIO {
  const io = processIO();
  const tiers = new CompilerTiers();
  return {
    stdout: io.stdout,
    stderr: io.stderr,
    openFile: io.openFile,
    get columns() {
      return io.columns ?? Infinity;
    },
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

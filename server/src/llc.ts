/**
 * `amdgpu-mir llc` without the scheduler, built as dist/server/llc.js: what is not there need not be loaded, and a run over a
 * typical file is mostly loading.
 */
import { runLlcProcess } from './cli/llcProcess.js';
import type { BundleStart } from './cli/bundleStart.js';

/** `args`: `llc` and its arguments. Ends the process with llc's exit code. */
export const main = (args: readonly string[], start: BundleStart): never => runLlcProcess(args.slice(1), start);

/**
 * `amdgpu-mir llc`, built as dist/server/llc.js without the scheduler and the allocator, which it loads when it comes to one: a run over a
 * typical file is mostly loading.
 */
import { runLlcProcess } from './cli/llcProcess.js';
import type { BundleStart } from './cli/bundleStart.js';

/** `args`: `llc` and its arguments. Ends the process with llc's exit code. */
export const main = (args: readonly string[], start: BundleStart): never => runLlcProcess(args.slice(1), start);

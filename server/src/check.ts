/**
 * `amdgpu-mir check` and `explain`, and check's worker threads, built as dist/server/check.js. Apart from cli.js, so that starting `llc`
 * does not pay for it.
 */
import { runCheck } from './protocol/cli/check.js';
import { CHECK_WORKER } from './protocol/cli/checkTypes.js';
import { runCheckWorker } from './protocol/cli/checkWorkerLoop.js';
import { allowCompilers } from './protocol/cli/compilerTiers.js';
import { runExplain } from './protocol/cli/explain.js';
import { endProcess, reportFailure, shortRunIO } from './protocol/cli/llcProcess.js';
import type { BundleStart } from './protocol/cli/bundleStart.js';
import { useStoredTables } from './protocol/cli/storedTables.js';

export { BufferedIO } from './protocol/cli/bufferedIO.js';
export { runCheck };

/** `args`: the sub-command and its arguments. Ends the process with its exit code, unless this is a worker. */
export function main(args: readonly string[], start: BundleStart): void {
  const [command, ...rest] = args;
  useStoredTables(start);
  if (command === CHECK_WORKER) {
    allowCompilers();
    runCheckWorker();
    return;
  }
  const io = shortRunIO();
  if (command === 'explain') endProcess(io, () => runExplain(rest, io));
  runCheck(rest, io, start.program).then((exit) => endProcess(io, () => exit), reportFailure);
}

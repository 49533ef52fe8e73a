/**
 * `amdgpu-mir check`, `explain`, `sweep`, `diff`, `why`, `log`, `reduce`, `simplify` and `report`, and worker threads of some, built as dist/server/check.js. Apart from cli.js, so that starting `llc`
 * does not pay for it.
 */
import { runCheck } from './cli/check.js';
import { runCheckWorker } from './cli/checkWorkerLoop.js';
import { allowCompilers } from './cli/compilerTiers.js';
import { runDiff } from './cli/diff.js';
import { runExplain } from './cli/explain.js';
import { runFmt } from './cli/fmt.js';
import { runLog } from './cli/log.js';
import { runReport } from './cli/bugReport.js';
import { runReduce } from './cli/reduce.js';
import { runReduceWorker } from './cli/reduceJob.js';
import { runSimplify } from './cli/simplify.js';
import { runSweep } from './cli/sweep.js';
import { runWhy } from './cli/why.js';
import { shortRunIO } from './cli/llcProcess.js';
import { endProcess, reportFailure } from './cli/processEnd.js';
import { processIO } from './cli/processIO.js';
import type { BundleStart } from './cli/bundleStart.js';
import { useStoredTables } from './cli/storedTables.js';
import { runSweepWorker } from './cli/sweepJob.js';
import { CHECK_WORKER, REDUCE_WORKER, SWEEP_WORKER } from './cli/workerCommands.js';

export { BufferedIO } from './cli/bufferedIO.js';
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
  if (command === SWEEP_WORKER) {
    allowCompilers();
    runSweepWorker();
    return;
  }
  if (command === REDUCE_WORKER) {
    allowCompilers();
    runReduceWorker();
    return;
  }
  const io = shortRunIO();
  if (command === 'explain') endProcess(io, () => runExplain(rest, io));
  if (command === 'sweep') {
    allowCompilers();
    runSweep(rest, processIO(), start.program).then((exit) => endProcess(io, () => exit), reportFailure);
    return;
  }
  if (command === 'diff') {
    allowCompilers();
    endProcess(io, () => runDiff(rest, io));
  }
  if (command === 'fmt') {
    allowCompilers();
    runFmt(rest, processIO()).then((exit) => endProcess(io, () => exit), reportFailure);
    return;
  }
  if (command === 'log') {
    allowCompilers();
    endProcess(processIO(), (own) => runLog(rest, own));
  }
  if (command === 'reduce') {
    allowCompilers();
    runReduce(rest, processIO(), start.program).then((exit) => endProcess(io, () => exit), reportFailure);
    return;
  }
  if (command === 'simplify') {
    allowCompilers();
    endProcess(processIO(), (own) => runSimplify(rest, own));
  }
  if (command === 'report') {
    runReport(rest, io).then((exit) => endProcess(io, () => exit), reportFailure);
    return;
  }
  if (command === 'why') {
    allowCompilers();
    runWhy(rest, io, start.program).then((exit) => endProcess(io, () => exit), reportFailure);
    return;
  }
  runCheck(rest, io, start.program).then((exit) => endProcess(io, () => exit), reportFailure);
}

/**
 * `amdgpu-mir check` and `explain` (dist/server/check.js): the commands on the main thread, check's workers elsewhere. Apart from
 * cli.js, so that starting `llc` does not pay for it.
 */
import { isMainThread } from 'node:worker_threads';
import { runCheckWorker } from './protocol/cli/checkWorkerLoop.js';
import { useStoredTables } from './protocol/cli/storedTables.js';

export { runCheck } from './protocol/cli/check.js';
export { runExplain } from './protocol/cli/explain.js';

useStoredTables(__dirname);
if (!isMainThread) runCheckWorker();

/**
 * `amdgpu-mir check` (dist/server/check.js): the command itself on the main thread, one of its workers elsewhere. Apart from
 * cli.js, so that starting `llc` does not pay for it.
 */
import { isMainThread } from 'node:worker_threads';
import { runCheckWorker } from './protocol/cli/checkWorkerLoop.js';

export { runCheck } from './protocol/cli/check.js';

if (!isMainThread) runCheckWorker();

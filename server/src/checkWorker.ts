/** Entry point of a worker thread of `amdgpu-mir check` (dist/server/checkWorker.js). */
import { runCheckWorker } from './protocol/cli/checkWorkerLoop.js';

runCheckWorker();

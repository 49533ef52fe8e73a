/** Entry point of the analysis worker (dist/server/worker.js), a thread of Node or a worker of a browser. */
import { runAnalysisWorker } from './lsp/common/analysisWorker.js';
import type { FromWorker, ToWorker, WorkerPort } from './lsp/common/messages.js';
import { parentWebPort, type WorkerScope } from './lsp/web/webWorker.js';

/** One bundle for both: a browser has no `require`, and is asked for nothing of Node's. */
function parentPort(): WorkerPort<ToWorker, FromWorker> {
  if (typeof require !== 'function') return parentWebPort(globalThis as unknown as WorkerScope);
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { parentWorkerPort } = require('./lsp/node/nodeWorker.js') as typeof import('./lsp/node/nodeWorker.js');
  return parentWorkerPort();
}

runAnalysisWorker(parentPort());

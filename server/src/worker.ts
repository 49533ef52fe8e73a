/** Entry point of the analysis worker (dist/server/worker.js, a thread of Node, and dist/web/worker.js, which is that or a worker of a browser). */
import { runAnalysisWorker } from './lsp/common/analysisWorker.js';
import type { FromTest, ProgramAnswer, TestJob } from './lsp/node/testThread.js';
import { WarmUp } from './lsp/common/warmUp.js';
import { parentWebPort, type WorkerScope } from './lsp/web/webWorker.js';

const warmUp = (canGiveWay: boolean): WarmUp => new WarmUp(canGiveWay);

/** One bundle for both, and for threads in which RUN lines run: a browser has no `require`, and is asked for nothing of Node's. */
function start(): void {
  if (typeof require !== 'function') {
    runAnalysisWorker(parentWebPort(globalThis as unknown as WorkerScope), undefined, warmUp);
    return;
  }
  /* eslint-disable @typescript-eslint/no-require-imports */
  const node = require('./lsp/node/nodeWorker.js') as typeof import('./lsp/node/nodeWorker.js');
  const tests = node.testPort<FromTest, TestJob | ProgramAnswer>();
  if (tests === null) runAnalysisWorker(node.parentWorkerPort(), undefined, warmUp);
  else (require('./lsp/node/testThread.js') as typeof import('./lsp/node/testThread.js')).serveTests(tests);
}

start();

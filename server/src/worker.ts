/** Entry point of the analysis worker (dist/server/worker.js). */
import { runAnalysisWorker } from './lsp/common/analysisWorker.js';
import { parentWorkerPort } from './lsp/node/nodeWorker.js';

runAnalysisWorker(parentWorkerPort());

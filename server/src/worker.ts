/** Entry point of the analysis worker (dist/server/worker.js). */
import { runAnalysisWorker } from './protocol/analysisWorker.js';
import { parentWorkerPort } from './protocol/node/nodeWorker.js';

runAnalysisWorker(parentWorkerPort());

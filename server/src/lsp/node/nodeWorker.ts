/** Workers and ports of Node (`worker_threads`), for both ends of the channel. */
import { setFlagsFromString } from 'node:v8';
import { Worker, parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, ToWorker, WorkerHandle, WorkerPort } from '../common/messages.js';

/**
 * V8 forgets the shape of objects of which two collections in a row have found none, and throws away all machine code that knows it. Most
 * objects of an analysis live no longer than the analysis, so that now and then an edit would be answered by the interpreter. A V8 that
 * does not know the flag ignores it.
 */
const RETAIN_SHAPES = '--retain-maps-for-n-gc=1000000';

/** Starts the worker bundle at `path`. Memory is limited so that a huge file ends the worker, not the editor's machine; Bun ignores that. */
export function createNodeWorker(path: string): WorkerHandle {
  setFlagsFromString(RETAIN_SHAPES);
  const worker = new Worker(path, { name: 'amdgpu-mir analysis', resourceLimits: { maxOldGenerationSizeMb: 4096 } });
  let ended = false;
  return {
    post: (message: ToWorker) => worker.postMessage(message),
    onMessage: (handler) => void worker.on('message', handler),
    onEnd: (handler) => {
      const end = (reason: string): void => {
        if (ended) return;
        ended = true;
        handler(reason);
      };
      worker.on('error', (error) => end(error instanceof Error ? (error.stack ?? error.message) : String(error)));
      worker.on('exit', (code) => end(`exit code ${code}`));
    },
    terminate: () => {
      ended = true;
      void worker.terminate();
    },
  };
}

/** What a thread for tests of RUN lines has as its data (ownTools.ts). */
export const TEST_THREAD = 'tests';

/**
 * The port of the thread that this code runs in, if it is one for tests.
 * @public worker.ts asks for it where there is Node
 */
export function testPort<Out, In>(): {
  post(message: Out): void;
  onMessage(handler: (message: In) => void): void;
} | null {
  const port = parentPort;
  if (!port || workerData !== TEST_THREAD) return null;
  return { post: (message) => port.postMessage(message), onMessage: (handler) => void port.on('message', handler) };
}

/**
 * The port of the worker that this code runs in.
 * @public worker.ts asks for it where there is Node
 */
export function parentWorkerPort(): WorkerPort<ToWorker, FromWorker> {
  const port = parentPort;
  if (!port) throw new Error('not in a worker thread');
  return {
    post: (message) => port.postMessage(message),
    onMessage: (handler) => void port.on('message', handler),
  };
}

/**
 * The analysis worker in the same thread, as a WorkerHandle: messages are cloned and delivered in order on later turns of the
 * event loop, as between threads. `tamper` lets a test look at messages, swallow them (return false) or end the worker. `quickMs`: see `AnalysisHost`; without
 * it nothing depends on how fast the machine is.
 */
import { runAnalysisWorker } from '../../server/src/lsp/common/analysisWorker.js';
import type { FromWorker, ToWorker, WorkerHandle, WorkerPort } from '../../server/src/lsp/common/messages.js';

export interface Tamper {
  /** return false to lose the message, as a worker that hangs does */
  toWorker?(message: ToWorker, end: (reason: string) => void): boolean;
  fromWorker?(message: FromWorker): void;
}

export function createInThreadWorker(tamper: Tamper = {}, quickMs = Infinity): WorkerHandle {
  let toWorker: ((message: ToWorker) => void) | null = null;
  let fromWorker: ((message: FromWorker) => void) | null = null;
  let onEnd: ((reason: string) => void) | null = null;
  let alive = true;
  const end = (reason: string): void => {
    if (!alive) return;
    alive = false;
    worker.stop();
    setImmediate(() => onEnd?.(reason));
  };
  const clone = <T>(message: T): T => {
    // Shared memory is not cloned between threads either.
    const { shared, ...rest } = message as { shared?: unknown };
    return (shared === undefined ? structuredClone(message) : { ...structuredClone(rest), shared }) as T;
  };
  const port: WorkerPort<ToWorker, FromWorker> = {
    post: (message) => {
      const copy = clone(message);
      if (alive) tamper.fromWorker?.(copy);
      setImmediate(() => alive && fromWorker?.(copy));
    },
    onMessage: (handler) => {
      toWorker = handler;
    },
  };
  const worker = runAnalysisWorker(port, quickMs);
  return {
    post: (message) => {
      const copy = clone(message);
      setImmediate(() => {
        if (alive && (tamper.toWorker?.(copy, end) ?? true)) toWorker?.(copy);
      });
    },
    onMessage: (handler) => {
      fromWorker = handler;
    },
    onEnd: (handler) => {
      onEnd = handler;
    },
    terminate: () => {
      alive = false;
      worker.stop();
    },
  };
}

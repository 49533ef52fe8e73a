/** Web workers, for both ends of the channel. The types of the DOM stay out of the server: what is needed of them is here. */
import type { FromWorker, ToWorker, WorkerHandle, WorkerPort } from '../common/messages.js';

interface MessageEventLike {
  readonly data: unknown;
}

interface ErrorEventLike {
  readonly message?: string;
  preventDefault?(): void;
}

interface WebWorker {
  onmessage: ((event: MessageEventLike) => void) | null;
  onerror: ((event: ErrorEventLike) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}

/** What a worker sees of the browser. */
export interface WorkerScope {
  onmessage: ((event: MessageEventLike) => void) | null;
  readonly location: { readonly href: string };
  postMessage(message: unknown): void;
}

declare const Worker: new (url: string, options?: { readonly name?: string }) => WebWorker;
declare const Blob: new (parts: readonly string[], options: { readonly type: string }) => object;
declare const URL: { createObjectURL(blob: object): string };

/**
 * Starts the worker script at `url`. It may lie at another origin than this script, as it does in VS Code for the Web, where workers may
 * not come from: then a script of one line, which has our origin, loads it.
 */
export function createWebWorker(url: string): WorkerHandle {
  const loader = new Blob([`importScripts(${JSON.stringify(url)});`], { type: 'text/javascript' });
  const worker = new Worker(URL.createObjectURL(loader), { name: 'amdgpu-mir analysis' });
  let hasEnded = false;
  return {
    post: (message: ToWorker) => worker.postMessage(message),
    onMessage: (handler) => {
      worker.onmessage = ({ data }) => {
        if (!hasEnded) handler(data as FromWorker);
      };
    },
    onEnd: (handler) => {
      // The script did not load, or threw outside of a message's handler.
      worker.onerror = (event) => {
        // Else it goes up to the scripts that have made this one, also from a worker that was ended while it loaded, and ends the client.
        event.preventDefault?.();
        if (hasEnded) return;
        hasEnded = true;
        handler(event.message || `${url} does not load`);
      };
    },
    terminate: () => {
      hasEnded = true;
      worker.terminate();
    },
  };
}

/** The port of the worker that this code runs in. */
export function parentWebPort(scope: WorkerScope): WorkerPort<ToWorker, FromWorker> {
  return {
    post: (message) => scope.postMessage(message),
    onMessage: (handler) => {
      scope.onmessage = ({ data }) => handler(data as ToWorker);
    },
  };
}

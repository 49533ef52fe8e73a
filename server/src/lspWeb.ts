/**
 * Entry point of the language server in a web worker (dist/web/server.js). A client posts `{ amdgpuMirWorker: URL }`, the address of
 * dist/web/worker.js, as its first message and speaks LSP after it; without that message the script is expected beside this one, as it
 * ships.
 */
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { startServer } from './lsp/common/server.js';
import { createWebWorker, type WorkerScope } from './lsp/web/webWorker.js';

const scope = globalThis as unknown as WorkerScope;

interface FirstMessage {
  readonly amdgpuMirWorker?: string;
  /** address of docs/diagnostics.md, to which findings link */
  readonly documentation?: string;
}

scope.onmessage = (event) => {
  const first = (event.data ?? {}) as FirstMessage;
  const workerUrl = first.amdgpuMirWorker ?? scope.location.href.replace(/[^/]*$/, 'worker.js');
  const port = scope as unknown as ConstructorParameters<typeof BrowserMessageReader>[0];
  startServer(createConnection(new BrowserMessageReader(port), new BrowserMessageWriter(port)), {
    createWorker: () => createWebWorker(workerUrl),
    ...(first.documentation === undefined ? {} : { documentation: first.documentation }),
  });
  // The reader has put itself in this place; a client that speaks LSP at once has not to say it twice.
  if (first.amdgpuMirWorker === undefined) scope.onmessage?.(event);
};

/** Entry point of the language server under Node (dist/server/lsp.js): `--stdio`, `--node-ipc` or `--socket=PORT`. */
import { existsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  ProposedFeatures,
  SocketMessageReader,
  SocketMessageWriter,
  createConnection,
} from 'vscode-languageserver/node';
import { diskFiles } from './lsp/node/diskFiles.js';
import { connectTo, transportOf } from './lsp/node/lspTransport.js';
import { createNodeWorker } from './lsp/node/nodeWorker.js';
import { ownTools } from './lsp/node/ownTools.js';
import { startServer } from './lsp/common/server.js';

const STDERR = 2;

// No stack trace leaves the program: what cannot go on says why in a line.
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    const isTraced = process.env['AMDGPU_MIR_TRACE'] !== undefined;
    const text = error instanceof Error ? (isTraced && error.stack) || error.message : String(error);
    end(text);
  });

function end(why: string): never {
  try {
    writeSync(STDERR, `amdgpu-mir lsp: ${why}\n`);
  } catch {
    // Nobody reads it.
  }
  process.exit(1);
}

/** Not there in an executable that stands alone. */
const documentation = join(__dirname, '..', '..', 'docs', 'diagnostics.md');
/** After `amdgpu-mir lsp`, or all of them when the editor starts this file. */
const args = process.argv.slice(process.argv[2] === 'lsp' ? 3 : 2);
const transport = transportOf(args);
const socket =
  'kind' in transport ? connectTo(transport, (why) => end(why || 'the client has closed the connection')) : null;
// Standard streams and the parent's channel the library finds by itself, and it watches over their end.
const connection = socket
  ? createConnection(ProposedFeatures.all, new SocketMessageReader(socket), new SocketMessageWriter(socket))
  : createConnection(ProposedFeatures.all);
startServer(connection, {
  createWorker: () => createNodeWorker(join(__dirname, 'worker.js')),
  files: diskFiles,
  tools: ownTools({}, join(__dirname, 'worker.js')),
  ...(existsSync(documentation) ? { documentation: pathToFileURL(documentation).href } : {}),
});

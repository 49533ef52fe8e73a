/** Entry point of the language server under Node (dist/server/lsp.js): `--stdio`, `--node-ipc` or `--socket=PORT`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ProposedFeatures, createConnection } from 'vscode-languageserver/node';
import { diskFiles } from './protocol/node/diskFiles.js';
import { createNodeWorker } from './protocol/node/nodeWorker.js';
import { startServer } from './protocol/server.js';

/** Not there in an executable that stands alone. */
const documentation = join(__dirname, '..', '..', 'docs', 'diagnostics.md');
const connection = createConnection(ProposedFeatures.all);
startServer(connection, {
  createWorker: () => createNodeWorker(join(__dirname, 'worker.js')),
  files: diskFiles,
  ...(existsSync(documentation) ? { documentation: pathToFileURL(documentation).href } : {}),
});

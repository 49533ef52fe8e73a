/** The MIR files of the workspace for the server: through the editor, so that exclusions, remote and virtual workspaces are as the user has them. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { LIST_FILES_REQUEST, READ_FILE_REQUEST } from '../../server/src/lsp/common/customRequests.js';

const MAX_FILES = 50_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Call before the client starts. */
export function offerFiles(client: BaseLanguageClient): void {
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { ...(capabilities.experimental as object | undefined), amdgpuMirFiles: true };
    },
    initialize: () => undefined,
    getState: () => ({ kind: 'static' }),
    clear: () => undefined,
  });
  client.onRequest(LIST_FILES_REQUEST, async () => {
    const files = await vscode.workspace.findFiles('**/*.mir', undefined, MAX_FILES);
    return files.map((uri) => client.code2ProtocolConverter.asUri(uri));
  });
  client.onRequest(READ_FILE_REQUEST, ({ uri }: { uri: string }) => read(client.protocol2CodeConverter.asUri(uri)));
}

async function read(uri: vscode.Uri): Promise<string | null> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (MAX_FILE_BYTES < size) return null;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return null;
  }
}

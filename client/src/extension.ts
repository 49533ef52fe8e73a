/** Entry point of the extension where Node runs it: the server is a process of its own. */
import type * as vscode from 'vscode';
import { LanguageClient, TransportKind, type ServerOptions } from 'vscode-languageclient/node';
import { activateWith, type ExtensionApi } from './activate';

export { deactivate } from './activate';

export function activate(context: vscode.ExtensionContext): Promise<ExtensionApi> {
  const module = context.asAbsolutePath('dist/server/lsp.js');
  const server: ServerOptions = {
    run: { module, transport: TransportKind.ipc },
    debug: { module, transport: TransportKind.ipc, options: { execArgv: ['--nolazy', '--inspect=6009'] } },
  };
  return activateWith(context, (options) => new LanguageClient('amdgpu-mir', 'AMDGPU MIR', server, options));
}

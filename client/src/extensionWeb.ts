/** Entry point of the extension in a browser: the server is a web worker, and makes its analysis another. */
import * as vscode from 'vscode';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  LanguageClient,
  type Message,
  type MessageTransports,
} from 'vscode-languageclient/browser';
import { activateWith, type ExtensionApi } from './activate';

export { deactivate } from './activate';

/** The extension host of a browser is a worker itself, without the types of a page. */
declare const Worker: new (url: string) => ConstructorParameters<typeof BrowserMessageReader>[0] & {
  postMessage(message: unknown): void;
};

/** A copy as browsers make it loses what objects of the editor, positions for one, say of themselves as JSON. */
class PlainWriter extends BrowserMessageWriter {
  override write(message: Message): Promise<void> {
    return super.write(JSON.parse(JSON.stringify(message)) as Message);
  }
}

export function activate(context: vscode.ExtensionContext): Promise<ExtensionApi> {
  const address = (path: string): string => vscode.Uri.joinPath(context.extensionUri, path).toString(true);
  // The streams rather than the worker, which the library would know by its class: VS Code puts another one in its place.
  const start = (): Promise<MessageTransports> => {
    const server = new Worker(address('dist/web/server.js'));
    server.postMessage({
      amdgpuMirWorker: address('dist/web/worker.js'),
      documentation: address('docs/diagnostics.md'),
    });
    return Promise.resolve({ reader: new BrowserMessageReader(server), writer: new PlainWriter(server) });
  };
  return activateWith(context, (options) => new LanguageClient('amdgpu-mir', 'AMDGPU MIR', start, options));
}

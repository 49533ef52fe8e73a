/** Lines that the user wants before others, by source. */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';
import type { LinePin } from '../../server/src/lsp/common/customRequests.js';

export class Pins implements vscode.Disposable {
  private readonly bySource = new Map<string, LinePin[]>();
  private readonly edits: vscode.Disposable;

  constructor() {
    // Lines are no longer what they were.
    this.edits = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) this.bySource.delete(document.uri.toString());
    });
  }

  dispose(): void {
    this.edits.dispose();
  }

  of(uri: vscode.Uri): LinePin[] {
    return this.bySource.get(uri.toString()) ?? [];
  }

  set(uri: vscode.Uri, pins: LinePin[]): void {
    this.bySource.set(uri.toString(), pins);
  }

  /** What the light bulb applies is the schedule with the pins, as the diff shows it. */
  readonly sendRequest: NonNullable<Middleware['sendRequest']> = (type, param, token, next) => {
    const method = typeof type === 'string' ? type : type.method;
    if (method !== 'textDocument/codeAction') return next(type, param, token);
    const { textDocument } = param as { textDocument: { uri: string } };
    const pins = this.bySource.get(textDocument.uri);
    return next(type, pins === undefined ? param : { ...param!, pins }, token);
  };
}

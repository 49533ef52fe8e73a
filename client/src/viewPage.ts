/** What the pages beside the editor share: their frame with its content security policy, and the way back to a line. */
import * as vscode from 'vscode';

/** Nothing is loaded but the script of the extension; nothing is sent. */
export function pageOf(webview: vscode.Webview, html: string, style: string, script: vscode.Uri): string {
  const nonce = crypto.randomUUID().replaceAll('-', '');
  return html
    .replace('{csp}', `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`)
    .replaceAll('{nonce}', nonce)
    .replace('{style}', () => style)
    .replace('{script}', webview.asWebviewUri(script).toString());
}

/** Moves the cursor to a line of a document, in the editor that shows it. */
export async function showLine(document: vscode.TextDocument, line: number): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find((e) => e.document === document);
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
  const editor = await vscode.window.showTextDocument(document, { viewColumn });
  const at = Math.min(line, document.lineCount - 1);
  const position = new vscode.Position(at, document.lineAt(at).firstNonWhitespaceCharacterIndex);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

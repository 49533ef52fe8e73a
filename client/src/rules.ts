/** The page about diagnostics that ships with the extension: the code of a finding opens it at its rule. */
import * as vscode from 'vscode';

export const EXPLAIN_RULE = 'amdgpu-mir.explainRule';

/** The server links to the file; here the rendered page opens instead. */
export function withRuleCommand(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  const { code } = diagnostic;
  if (typeof code !== 'object' || !code.target.path.endsWith('/diagnostics.md')) return diagnostic;
  const args = encodeURIComponent(JSON.stringify([code.value]));
  diagnostic.code = { value: code.value, target: vscode.Uri.parse(`command:${EXPLAIN_RULE}?${args}`) };
  return diagnostic;
}

/** Opens the page at a rule, rendered, beside the file. */
export async function explainRule({ extensionUri }: vscode.ExtensionContext, code: string): Promise<void> {
  const page = vscode.Uri.joinPath(extensionUri, 'docs', 'diagnostics.md').with({ fragment: code });
  await vscode.commands.executeCommand('markdown.showPreviewToSide', page);
}

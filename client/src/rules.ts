/** What docs/diagnostics.md says of a finding, as a page of its own that opens when the code of the finding is clicked. */
import * as vscode from 'vscode';

const SCHEME = 'amdgpu-mir-rule';
/** Files of that name open rendered (`workbench.editorAssociations` in package.json). */
const SUFFIX = '.amdgpu-mir-rule.md';

/** The server links to a place of the file, which the editor would open as text at its beginning. */
export function withRulePage(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  const { code } = diagnostic;
  if (typeof code !== 'object' || !code.target.path.endsWith('/diagnostics.md')) return diagnostic;
  diagnostic.code = { value: code.value, target: vscode.Uri.from({ scheme: SCHEME, path: `/${code.value}${SUFFIX}` }) };
  return diagnostic;
}

export function registerRulePages({ extensionUri }: vscode.ExtensionContext): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: async ({ path }) => {
      const file = vscode.Uri.joinPath(extensionUri, 'docs', 'diagnostics.md');
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      return ruleText(text, path.slice(1, -SUFFIX.length));
    },
  });
}

/** The section of a code, with the code as its title. */
function ruleText(text: string, code: string): string {
  const at = text.indexOf(`\n#### ${code}\n`);
  if (at < 0) return `# ${code}\n\nNothing is written about this finding.\n`;
  const body = text.slice(text.indexOf('\n', at + 1));
  const end = body.search(/^##/m);
  return `# ${code}\n${end < 0 ? body : body.slice(0, end)}`;
}

/** "Check RUN Lines": runs the RUN lines of a test in the server and shows what did not match where it stands, until the text changes. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { RUN_LINES_REQUEST } from '../../server/src/lsp/common/customRequests.js';
import type { ResultOf } from '../../server/src/lsp/common/featureTable.js';
import { askWithProgress } from './longRequest';
import { asMessage } from './plainText';

type Results = NonNullable<ResultOf<typeof RUN_LINES_REQUEST>>;

export class RunLines implements vscode.Disposable {
  private readonly found = vscode.languages.createDiagnosticCollection('amdgpu-mir FileCheck');
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly client: BaseLanguageClient) {
    this.disposables = [
      this.found,
      vscode.commands.registerCommand('amdgpu-mir.checkRunLines', () => this.checkActive()),
      // What was found is about another text then.
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.found.delete(document.uri);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.found.delete(uri)),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  private async checkActive(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== 'mir') return;
    const { version, uri } = document;
    const textDocument = { uri: this.client.code2ProtocolConverter.asUri(uri) };
    const results = await askWithProgress(this.client, RUN_LINES_REQUEST, { textDocument });
    if (!results || document.version !== version) return;
    this.found.set(uri, diagnosticsOf(document, results));
    const text = asMessage(summaryOf(results));
    if (results.runs.every((r) => r.verdict === 'passed') && results.problem === '')
      vscode.window.setStatusBarMessage(`$(pass) ${text}`, 6000);
    else void vscode.window.showWarningMessage(text);
  }
}

function diagnosticsOf(document: vscode.TextDocument, { runs }: Results): vscode.Diagnostic[] {
  const lineRange = (line: number): vscode.Range => {
    const { range, firstNonWhitespaceCharacterIndex: from } = document.lineAt(Math.min(line, document.lineCount - 1));
    return range.with(range.start.with(undefined, from));
  };
  return runs.flatMap(({ line, verdict, detail, findings }) => {
    if (verdict === 'passed') return [];
    const { Error, Information } = vscode.DiagnosticSeverity;
    const own = (at: number, message: string): vscode.Diagnostic => {
      const diagnostic = new vscode.Diagnostic(lineRange(at), message, verdict === 'failed' ? Error : Information);
      diagnostic.source = 'FileCheck';
      return diagnostic;
    };
    return findings.length === 0
      ? [own(line, detail)]
      : findings.map((f) => own(f.line, `${f.message}\n(RUN line ${line + 1})`));
  });
}

function summaryOf({ runs, problem }: Results): string {
  if (problem !== '') return `RUN lines: ${problem}`;
  const count = (verdict: string): number => runs.filter((r) => r.verdict === verdict).length;
  const parts = ['passed', 'failed', 'unsupported'].flatMap((v) => (count(v) === 0 ? [] : [`${count(v)} ${v}`]));
  return `RUN lines: ${parts.join(', ')}`;
}

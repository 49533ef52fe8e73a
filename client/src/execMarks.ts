/** A line at the left edge of the text where instructions run with fewer lanes than the function began with, thicker inside another such region, or with the whole wave. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { EXEC_LINES_REQUEST, type ExecLines } from '../../server/src/lsp/common/customRequests.js';
import { ask } from './ask';
import { around, EditorMarks } from './editorMarks';
import type { TargetStatus } from './targetStatus';

/** Pause after an edit or a scroll. */
const DELAY_MS = 200;

const KINDS = ['narrowed', 'nested', 'whole'] as const;
type Kind = (typeof KINDS)[number];

export class ExecMarks extends EditorMarks {
  /** what is shown of the active editor: lines by kind; for tests */
  shown: Readonly<Record<Kind, readonly number[]>> = { narrowed: [], nested: [], whole: [] };
  private readonly types: Readonly<Record<Kind, vscode.TextEditorDecorationType>> = {
    narrowed: edge('execNarrowed', '2px', 'solid'),
    nested: edge('execNarrowed', '4px', 'double'),
    whole: edge('execWhole', '2px', 'solid'),
  };

  constructor(client: BaseLanguageClient, status: TargetStatus) {
    super(client, status, DELAY_MS);
    this.disposables.push(...Object.values(this.types));
  }

  protected async mark(editor: vscode.TextEditor, token: vscode.CancellationToken): Promise<void> {
    const { document } = editor;
    const { version } = document;
    const isWanted = vscode.workspace.getConfiguration('amdgpu-mir', document).get('gutter.exec', true);
    const textDocument = { uri: this.client.code2ProtocolConverter.asUri(document.uri) };
    const lines = isWanted
      ? await ask(this.client, EXEC_LINES_REQUEST, { textDocument, range: around(editor) }, token)
      : null;
    if (token.isCancellationRequested || document.version !== version) return;
    const shown = byKind(lines);
    for (const kind of KINDS)
      editor.setDecorations(
        this.types[kind],
        shown[kind].map((line) => new vscode.Range(line, 0, line, 0)),
      );
    if (editor === vscode.window.activeTextEditor) this.shown = shown;
  }
}

function byKind(lines: ExecLines | null): Record<Kind, number[]> {
  const found: Record<Kind, number[]> = { narrowed: [], nested: [], whole: [] };
  lines?.line.forEach((line, k) => {
    found[lines.whole[k] === 1 ? 'whole' : lines.narrowed[k]! > 1 ? 'nested' : 'narrowed'].push(line);
  });
  return found;
}

function edge(colour: string, width: string, style: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: new vscode.ThemeColor(`amdgpuMir.${colour}`),
    borderStyle: style,
    borderWidth: `0 0 0 ${width}`,
  });
}

/**
 * What the machine scheduler makes of a function: a diff against its order, the same as an edit, and the explanation. The texts are
 * virtual documents that follow the source as it is edited.
 */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  EXPLAIN_SCHEDULE_REQUEST,
  SCHEDULED_TEXT_REQUEST,
  type ScheduledText,
} from '../../server/src/protocol/customRequests.js';

const SCHEME = 'amdgpu-mir-schedule';
/** Pause after an edit before an open view is asked for anew. */
const REFRESH_DELAY_MS = 300;

interface Place {
  readonly uri: vscode.Uri;
  readonly position: vscode.Position;
}

export class ScheduleViews implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  /** places of the open views by the text of their URI */
  private readonly places = new Map<string, Place>();
  private readonly disposables: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly client: LanguageClient) {
    const register = vscode.commands.registerCommand;
    this.disposables = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      register('amdgpu-mir.showScheduled', (uri?: string, line?: number) => this.showScheduled(placeOf(uri, line))),
      register('amdgpu-mir.applySchedule', (uri?: string, line?: number) => this.applySchedule(placeOf(uri, line))),
      register('amdgpu-mir.explainSchedule', (uri?: string, line?: number) => this.explain(placeOf(uri, line))),
      vscode.workspace.onDidChangeTextDocument((e) => this.edited(e.document.uri)),
      vscode.workspace.onDidCloseTextDocument((d) => this.places.delete(d.uri.toString())),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const d of this.disposables) d.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const place = this.places.get(uri.toString());
    if (!place) return '';
    if (uri.path.endsWith('.txt')) {
      return this.client.sendRequest<string>(EXPLAIN_SCHEDULE_REQUEST, paramsOf(place));
    }
    const r = await this.request(place);
    return r.text ?? `# ${r.summary}\n`;
  }

  private request(place: Place): Promise<ScheduledText> {
    return this.client.sendRequest<ScheduledText>(SCHEDULED_TEXT_REQUEST, paramsOf(place));
  }

  private edited(source: vscode.Uri): void {
    if (![...this.places.values()].some((p) => p.uri.toString() === source.toString())) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const [view, place] of this.places) {
        if (place.uri.toString() === source.toString()) this.changed.fire(vscode.Uri.parse(view));
      }
    }, REFRESH_DELAY_MS);
  }

  private view(place: Place, name: string): vscode.Uri {
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${name}`,
      query: `${place.uri.toString()}#${place.position.line}`,
    });
    this.places.set(uri.toString(), place);
    return uri;
  }

  private async showScheduled(place: Place | undefined): Promise<void> {
    if (!place) return;
    const r = await withProgress('Scheduling', this.request(place));
    if (r.text === null) {
      void vscode.window.showWarningMessage(r.summary);
      return;
    }
    const right = this.view(place, `${r.function} scheduled.mir`);
    await vscode.commands.executeCommand(
      'vscode.diff',
      place.uri,
      right,
      `${r.function}: source order, scheduled (${r.target})`,
    );
  }

  private async applySchedule(place: Place | undefined): Promise<void> {
    if (!place) return;
    const document = await vscode.workspace.openTextDocument(place.uri);
    const { version } = document;
    const r = await withProgress('Scheduling', this.request(place));
    if (r.text === null || r.edits.length === 0) {
      void vscode.window.showInformationMessage(
        r.text === null ? r.summary : `${r.function} is in the scheduler's order already`,
      );
      return;
    }
    // an answer to an older text is not applied to a newer one
    if (document.version !== version) return;
    const edit = new vscode.WorkspaceEdit();
    for (const e of r.edits) {
      const { start, end } = e.range;
      edit.replace(place.uri, new vscode.Range(start.line, start.character, end.line, end.character), e.newText);
    }
    await vscode.workspace.applyEdit(edit);
  }

  private async explain(place: Place | undefined): Promise<void> {
    if (!place) return;
    const document = await vscode.workspace.openTextDocument(this.view(place, 'schedule explained.txt'));
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }
}

/** The place that a code lens names, or the cursor. */
function placeOf(uri?: string, line?: number): Place | undefined {
  if (uri !== undefined && line !== undefined)
    return { uri: vscode.Uri.parse(uri), position: new vscode.Position(line, 0) };
  const editor = vscode.window.activeTextEditor;
  return editor && { uri: editor.document.uri, position: editor.selection.active };
}

function paramsOf({ uri, position }: Place): object {
  return { textDocument: { uri: uri.toString() }, position: { line: position.line, character: position.character } };
}

function withProgress<T>(title: string, work: Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => work);
}

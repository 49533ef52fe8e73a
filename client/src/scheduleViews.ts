/** What the machine scheduler makes of a function: a diff against its order, the same as an edit, and the explanation. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  EXPLAIN_SCHEDULE_REQUEST,
  SCHEDULE_PICK_REQUEST,
  SCHEDULED_TEXT_REQUEST,
  type LinePin,
  type ScheduledText,
  type SchedulePick,
} from '../../server/src/lsp/common/customRequests.js';
import type { Place } from './commandArguments';
import { askWithProgress } from './longRequest';
import type { Pins } from './pins';
import { onPlace, showLongReport, showPassDiff, unlessGivenUp } from './passViews';
import { asMessage, asSegment } from './plainText';
import { NO_ANSWER, paramsOf, type VirtualViews } from './virtualViews';

/** How the right side of a diff is called. */
const SCHEDULED = ' scheduled.mir';

/** A line of the source, or of the scheduled text. */
interface PickPlace extends Place {
  readonly isScheduled: boolean;
}

export class ScheduleViews implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly views: VirtualViews,
    private readonly pins: Pins,
  ) {
    type Scope = 'function' | 'region';
    const apply = (scope: Scope) => (place: Place) => this.applySchedule(place, scope);
    this.disposables = [
      onPlace('showScheduled', (place) => this.showScheduled(place)),
      onPlace('compareReleases', (place) => this.compareReleases(place)),
      onPlace('applySchedule', apply('function')),
      onPlace('applyRegionSchedule', apply('region')),
      onPlace('explainSchedule', (place) => this.explain(place)),
      vscode.commands.registerCommand('amdgpu-mir.explainPick', () => this.onPick((at) => this.showPick(at, false))),
      vscode.commands.registerCommand('amdgpu-mir.pinInstruction', () => this.onPick((at) => this.pin(at))),
      vscode.commands.registerCommand('amdgpu-mir.unpinInstructions', () =>
        this.onPick((at) => {
          this.setPins(at.uri, []);
          return Promise.resolve();
        }),
      ),
      // A click on the right side opens the pick of that line.
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind, selections }) => {
        const { uri } = textEditor.document;
        if (kind !== vscode.TextEditorSelectionChangeKind.Mouse || !uri.path.endsWith(SCHEDULED)) return;
        if (selections.length === 1 && selections[0]!.isEmpty && views.placeOfView(uri))
          void this.onPick((at) => this.showPick(at, true), textEditor);
      }),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  private request(
    place: Place,
    scope: 'function' | 'region' = 'function',
    pins: LinePin[] = [],
  ): Promise<ScheduledText | null> {
    return askWithProgress(this.client, SCHEDULED_TEXT_REQUEST, { ...paramsOf(place), scope, pins });
  }

  private setPins(uri: vscode.Uri, pins: LinePin[]): void {
    this.pins.set(uri, pins);
    this.views.refresh(uri);
  }

  /** The line of an editor of a source or of its scheduled text. */
  private async onPick(
    act: (place: PickPlace) => Promise<void>,
    editor = vscode.window.activeTextEditor,
  ): Promise<void> {
    if (!editor) return;
    const { document, selection } = editor;
    const source = this.views.placeOfView(document.uri);
    const isScheduled = source !== undefined && document.uri.path.endsWith(SCHEDULED);
    if (!isScheduled && document.languageId !== 'mir') return;
    await unlessGivenUp(act({ uri: isScheduled ? source.uri : document.uri, position: selection.active, isScheduled }));
  }

  private askPick({ isScheduled, ...place }: PickPlace): Promise<SchedulePick | null> {
    const pins = this.pins.of(place.uri);
    return askWithProgress(this.client, SCHEDULE_PICK_REQUEST, { ...paramsOf(place), isScheduled, pins });
  }

  private showPick(place: PickPlace, preserveFocus: boolean): Promise<void> {
    const name = place.isScheduled ? 'pick in the schedule' : 'pick';
    return this.views.showReport(
      name,
      place,
      async (at) => (await this.askPick({ ...at, isScheduled: place.isScheduled }))?.text ?? NO_ANSWER,
      preserveFocus,
    );
  }

  /** Asks what the line is to stand before, or after, and schedules again. */
  private async pin(place: PickPlace): Promise<void> {
    const pick = await this.askPick(place);
    if (!pick) return;
    if (pick.line < 0 || pick.others.length === 0) {
      void vscode.window.showInformationMessage(asMessage(pick.text.trim().split('\n').at(-1) ?? ''));
      return;
    }
    const { line, others } = pick;
    const item = (
      word: string,
      other: SchedulePick['others'][number],
      pinned: LinePin,
    ): vscode.QuickPickItem & { pinned: LinePin } => ({
      label: `${word} line ${other.line + 1}`,
      description: other.text,
      ...(other.isRival ? { detail: vscode.l10n.t('competed with it') } : {}),
      pinned,
    });
    const chosen = await vscode.window.showQuickPick(
      others.flatMap((o) => [
        item('before', o, { before: line, after: o.line }),
        item('after', o, { before: o.line, after: line }),
      ]),
      { title: vscode.l10n.t('Pin line {0}', line + 1), matchOnDescription: true },
    );
    if (!chosen) return;
    this.setPins(place.uri, [...this.pins.of(place.uri), chosen.pinned]);
    // The line is another one now on the right side, not in the source.
    await this.showPick({ uri: place.uri, position: new vscode.Position(line, 0), isScheduled: false }, true);
  }

  private showScheduled(place: Place): Promise<void> {
    return showPassDiff(this.views, place, ['source order', 'scheduled'], (at) =>
      this.request(at, 'function', this.pins.of(at.uri)),
    );
  }

  /** The order of one release's scheduler beside the other's; both follow the source. */
  private async compareReleases(place: Place): Promise<void> {
    const scheduledBy = (model: 'llvm-22' | 'llvm-24', at: Place): Promise<ScheduledText | null> =>
      askWithProgress(this.client, SCHEDULED_TEXT_REQUEST, { ...paramsOf(at), model });
    const older = await scheduledBy('llvm-22', place);
    const newer = await scheduledBy('llvm-24', place);
    if (!older || !newer) return;
    const refused = [older, newer].find(({ text }) => text === null);
    if (refused !== undefined) {
      void vscode.window.showWarningMessage(asMessage(`${refused.target}: ${refused.summary}`));
      return;
    }
    if (older.text === newer.text) {
      void vscode.window.showInformationMessage(
        asMessage(vscode.l10n.t('{0} has the same schedule: {1}; {2}', older.function, older.target, newer.target)),
      );
      return;
    }
    const side = (model: 'llvm-22' | 'llvm-24', r: ScheduledText): vscode.Uri =>
      this.views.add(`${asSegment(r.function)} ${model}.mir`, place, async (at) => {
        const now = await scheduledBy(model, at);
        return now?.text ?? `# ${now?.summary ?? NO_ANSWER.trimEnd()}\n`;
      });
    const title = `${older.function}: scheduled (${older.target}), (${newer.target})`;
    await vscode.commands.executeCommand('vscode.diff', side('llvm-22', older), side('llvm-24', newer), title);
  }

  private async applySchedule(place: Place, scope: 'function' | 'region'): Promise<void> {
    const document = await vscode.workspace.openTextDocument(place.uri);
    const { version } = document;
    // What the right side of the diff shows.
    const r = await this.request(place, scope, this.pins.of(place.uri));
    if (!r) return;
    if (r.text === null || r.edits.length === 0 || r.rejected !== '') {
      const what = scope === 'region' ? 'this region' : r.function;
      const why =
        r.text === null
          ? r.summary
          : r.edits.length === 0
            ? `${what} is in the scheduler's order already`
            : `not applied: ${r.rejected}`;
      void vscode.window.showInformationMessage(asMessage(why));
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

  private explain(place: Place): Promise<void> {
    const request = (at: Place): Promise<string | null> =>
      askWithProgress(this.client, EXPLAIN_SCHEDULE_REQUEST, paramsOf(at));
    return showLongReport(this.views, place, 'schedule explained', request);
  }
}

/** The passes of a function: what one of them did and why, and the function after each of them, from pass to pass. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  AFTER_PASS_REQUEST,
  EXPLAIN_PASS_REQUEST,
  PASS_LIST_REQUEST,
  type AfterPass,
  type PassList,
} from '../../server/src/lsp/common/customRequests.js';
import { placeOf, type Place } from './commandArguments';
import { askWithProgress } from './longRequest';
import { showLongReport, unlessGivenUp } from './passViews';
import { asMessage, asSegment } from './plainText';
import { NO_ANSWER, paramsOf, VIEW_SCHEME, type VirtualViews } from './virtualViews';

/** A pass of a function's list. */
interface Step {
  readonly place: Place;
  readonly list: PassList;
  readonly index: number;
}

/** One side of a diff around a pass. */
interface Side extends Step {
  readonly isAfter: boolean;
  answer: AfterPass | null;
}

const MAX_SIDES = 64;

export class PassTrailViews implements vscode.HoverProvider, vscode.CodeLensProvider, vscode.Disposable {
  private readonly disposables: vscode.Disposable[];
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  /** by the text of their addresses, the last ones */
  private readonly sides = new Map<string, Side>();

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly views: VirtualViews,
  ) {
    type Run = (place: Place, pass: string | undefined) => Promise<void>;
    const command = (name: string, run: Run): vscode.Disposable =>
      vscode.commands.registerCommand(
        `amdgpu-mir.${name}`,
        async (uri?: unknown, line?: unknown, character?: unknown, pass?: unknown) => {
          const place = placeOf(uri, line, character);
          if (place) await unlessGivenUp(run(place, typeof pass === 'string' ? pass : undefined));
        },
      );
    const selector = { scheme: VIEW_SCHEME, pattern: '**/*.mir' };
    this.disposables = [
      this.changed,
      command('explainPass', (place, pass) => this.explain(place, pass)),
      command('showAfterPass', (place, pass) => this.show(place, pass)),
      vscode.commands.registerCommand('amdgpu-mir.nextPass', () => unlessGivenUp(this.move(1))),
      vscode.commands.registerCommand('amdgpu-mir.previousPass', () => unlessGivenUp(this.move(-1))),
      vscode.languages.registerHoverProvider(selector, this),
      vscode.languages.registerCodeLensProvider(selector, this),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  /** The passes of the function, and the one that is asked for, or chosen. */
  private async choose(place: Place, pass: string | undefined, title: string): Promise<Step | undefined> {
    const list = await askWithProgress(this.client, PASS_LIST_REQUEST, paramsOf(place));
    if (!list) return undefined;
    if (list.passes.length === 0) {
      void vscode.window.showWarningMessage(asMessage(list.problem));
      return undefined;
    }
    if (pass !== undefined) {
      const index = list.passes.findIndex(({ name }) => name === pass || name === `${pass},0`);
      return index < 0 ? undefined : { place, list, index };
    }
    const items = list.passes.map(({ name, isChanged }, index) => ({
      label: name,
      description: isChanged === null ? 'does not run' : isChanged ? '' : 'changes nothing',
      index,
    }));
    const placeHolder = list.problem === '' ? list.by : `${list.by}; ${list.problem}`;
    const chosen = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
    return chosen && { place, list, index: chosen.index };
  }

  private async explain(place: Place, pass: string | undefined): Promise<void> {
    const step = await this.choose(place, pass, 'Explain which pass?');
    const name = step?.list.passes[step.index]?.name ?? pass;
    if (name === undefined) return;
    await showLongReport(this.views, place, `${asSegment(name)} explained`, (at) =>
      askWithProgress(this.client, EXPLAIN_PASS_REQUEST, { ...paramsOf(at), pass: name }),
    );
  }

  private async show(place: Place, pass: string | undefined): Promise<void> {
    const step = await this.choose(place, pass, 'The function after which pass?');
    if (step) await this.open(step);
  }

  private ask({ place, list, index }: Step): Promise<AfterPass | null> {
    const pass = list.passes[index]?.name ?? '';
    return askWithProgress(this.client, AFTER_PASS_REQUEST, { ...paramsOf(place), pass });
  }

  private async open(step: Step): Promise<void> {
    const { list, index } = step;
    const answer = await this.ask(step);
    if (!answer) return;
    if (answer.texts === null) {
      void vscode.window.showWarningMessage(asMessage(answer.summary));
      return;
    }
    const name = list.passes[index]?.name ?? '';
    const isSame = answer.texts.before === answer.texts.after;
    const title = `${answer.function}: ${name}, ${index + 1} of ${list.passes.length}${isSame ? ', unchanged' : ''} (${answer.target})`;
    const options = { preview: true };
    const [before, after] = [this.side(step, false, answer), this.side(step, true, answer)];
    await vscode.commands.executeCommand('vscode.diff', before, after, title, options);
    this.changed.fire();
  }

  /** The address of one side, which follows the source. */
  private side(step: Step, isAfter: boolean, answer: AfterPass): vscode.Uri {
    const pass = step.list.passes[step.index]?.name ?? '';
    let first: AfterPass | null = answer;
    const side: Side = { ...step, isAfter, answer };
    const word = isAfter ? 'after' : 'before';
    const uri = this.views.add(
      `${asSegment(answer.function)} ${word} ${asSegment(pass)}.mir`,
      step.place,
      async (at) => {
        const now: AfterPass | null = first ?? (await this.ask({ ...step, place: at }));
        first = null;
        side.answer = now;
        this.changed.fire();
        const texts = now?.texts;
        return (isAfter ? texts?.after : texts?.before) ?? `# ${now?.summary ?? NO_ANSWER.trimEnd()}\n`;
      },
    );
    this.sides.delete(uri.toString());
    this.sides.set(uri.toString(), side);
    for (const old of [...this.sides.keys()].slice(0, -MAX_SIDES)) this.sides.delete(old);
    return uri;
  }

  private get active(): Side | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const uri =
      input instanceof vscode.TabInputTextDiff
        ? input.modified
        : (vscode.window.activeTextEditor?.document.uri ?? undefined);
    return uri && this.sides.get(uri.toString());
  }

  /** The next place, in a direction, of a pass that changes the function; the last of those that run where there is none. */
  private neighbour({ list, index }: Step, direction: 1 | -1): number {
    for (let k = index + direction; k >= 0 && k < list.passes.length; k += direction)
      if (list.passes[k]?.isChanged === true) return k;
    return -1;
  }

  private async move(direction: 1 | -1): Promise<void> {
    const side = this.active;
    if (!side) return;
    const index = this.neighbour(side, direction);
    if (index >= 0) await this.open({ ...side, index });
    else
      void vscode.window.showInformationMessage(
        direction > 0
          ? 'No pass after this one changes the function.'
          : 'No pass before this one changes the function.',
      );
  }

  provideHover(document: vscode.TextDocument, { line }: vscode.Position): vscode.Hover | undefined {
    const side = this.sides.get(document.uri.toString());
    if (!side?.answer) return undefined;
    const reasons = side.answer.reasons[side.isAfter ? 'after' : 'before'].filter((reason) => reason.line === line);
    if (reasons.length === 0) return undefined;
    // Names are the file's: they are text, not markup.
    return new vscode.Hover(
      reasons.flatMap(({ text }) => text.split('\n')).map((text) => new vscode.MarkdownString().appendText(text)),
      document.lineAt(line).range,
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const side = this.sides.get(document.uri.toString());
    if (!side?.answer || !side.isAfter) return [];
    const { list, index, place } = side;
    const range = new vscode.Range(0, 0, 0, 0);
    const name = (k: number): string => list.passes[k]?.name ?? '';
    const [before, after] = [this.neighbour(side, -1), this.neighbour(side, 1)];
    const lens = (title: string, command: string, args: unknown[] = []): vscode.CodeLens =>
      new vscode.CodeLens(range, { title, command: `amdgpu-mir.${command}`, arguments: args });
    const at = [place.uri.toString(), place.position.line, place.position.character];
    return [
      lens(`${name(index)}: ${side.answer.summary}`, 'explainPass', [...at, name(index)]),
      ...(before < 0 ? [] : [lens(`previous: ${name(before)}`, 'previousPass')]),
      ...(after < 0 ? [] : [lens(`next: ${name(after)}`, 'nextPass')]),
    ];
  }
}

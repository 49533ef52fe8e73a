/** "Compare with Git HEAD" and "Compare with...": what llc ends with of two versions of a file, and the texts as a diff. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { COMPARE_VERSIONS_REQUEST } from '../../server/src/lsp/common/customRequests.js';
import type { ParamsOf } from '../../server/src/lsp/common/requests.js';
import { documentOf, type Place } from './commandArguments';
import { askWithProgress } from './longRequest';
import { showLongReport, unlessGivenUp } from './passViews';
import { asMessage, asSegment } from './plainText';
import type { VirtualViews } from './virtualViews';

/** What is used of VS Code's own Git extension. */
interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  getRepository(uri: vscode.Uri): GitRepository | null;
  toGitUri(uri: vscode.Uri, revision: string): vscode.Uri;
}

interface GitRepository {
  show(revision: string, path: string): Promise<string>;
}

/** A revision, a file, or settings of the same file. */
type Other =
  | readonly [kind: 'git', revision: string]
  | readonly [kind: 'file', uri: string]
  | readonly [kind: 'settings', ...words: readonly string[]];

/** Of a file that somebody compares with. */
const MAX_BYTES = 64 << 20;
const GIT_STARTS_MS = 10_000;

class NothingToCompare extends Error {}

export class CompareVersions implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly views: VirtualViews,
  ) {
    const command = (name: string, run: (uri: unknown, other: unknown) => Promise<void>): vscode.Disposable =>
      vscode.commands.registerCommand(`amdgpu-mir.${name}`, (uri?: unknown, other?: unknown) =>
        unlessGivenUp(run(uri, other)),
      );
    this.disposables = [
      command('compareWithHead', (uri) => this.compare(uri, ['git', 'HEAD'])),
      command('compareWith', (uri, other) => this.compare(uri, otherOf(other))),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  private async compare(argument: unknown, given: Other | undefined): Promise<void> {
    const uri = typeof argument === 'string' ? documentOf(argument) : vscode.window.activeTextEditor?.document.uri;
    if (!uri) return;
    const other = given ?? (await askOther());
    if (!other) return;
    try {
      await this.show(uri, other);
    } catch (error) {
      if (!(error instanceof NothingToCompare)) throw error;
      void vscode.window.showWarningMessage(asMessage(error.message));
    }
  }

  private async show(uri: vscode.Uri, other: Other): Promise<void> {
    // What cannot be read is said before anything opens.
    await paramsFor(uri, other);
    const name = asSegment(uri.path.slice(uri.path.lastIndexOf('/') + 1));
    const place: Place = {
      uri,
      position: new vscode.Position(0, 0),
      reopen: ['compareWith', uri.toString(), other],
    };
    const left = await otherUri(uri, other);
    if (left) await vscode.commands.executeCommand('vscode.diff', left, uri, `${name}: ${titleOf(other)}, now`);
    const request = async (): Promise<string | null> => {
      try {
        return await askWithProgress(this.client, COMPARE_VERSIONS_REQUEST, await paramsFor(uri, other));
      } catch (error) {
        if (error instanceof NothingToCompare) return `${error.message}\n`;
        throw error;
      }
    };
    await showLongReport(this.views, place, `${name} and ${asSegment(titleOf(other))}`, request, true);
  }
}

function titleOf(other: Other): string {
  if (other[0] === 'git') return `git ${other[1]}`;
  if (other[0] === 'settings') return other.slice(1).join(' ');
  return other[1].slice(other[1].lastIndexOf('/') + 1);
}

/** What a view that is opened again was about; undefined for anything else. */
function otherOf(argument: unknown): Other | undefined {
  if (!Array.isArray(argument) || !argument.every((word) => typeof word === 'string')) return undefined;
  const [kind, first] = argument as string[];
  if (first === undefined) return undefined;
  if (kind === 'git' && !first.startsWith('-')) return ['git', first];
  if (kind === 'file' && documentOf(first)) return ['file', first];
  return kind === 'settings' ? ['settings', ...(argument.slice(1) as string[])] : undefined;
}

/** Undefined when the user changed their mind. */
async function askOther(): Promise<Other | undefined> {
  const choices = [
    { label: vscode.l10n.t('Git revision...'), what: 'git' },
    { label: vscode.l10n.t('File...'), what: 'file' },
    { label: vscode.l10n.t('Other options and attributes...'), what: 'settings' },
  ] as const;
  const chosen = await vscode.window.showQuickPick(choices, {
    placeHolder: vscode.l10n.t('Compare what llc ends with'),
  });
  if (chosen?.what === 'git') {
    const revision = await vscode.window.showInputBox({
      prompt: vscode.l10n.t('Revision, such as HEAD~1, main or a commit'),
    });
    const word = revision?.trim() ?? '';
    return word === '' || word.startsWith('-') ? undefined : ['git', word];
  }
  if (chosen?.what === 'settings') {
    const words = await vscode.window.showInputBox({
      prompt: vscode.l10n.t('Options of llc, and function attributes as attr:NAME=VALUE'),
      placeHolder: '-amdgpu-sched-strategy=max-ilp attr:amdgpu-waves-per-eu=8,8',
    });
    const list = (words ?? '').split(/\s+/).filter((word) => word !== '');
    return list.length === 0 ? undefined : ['settings', ...list];
  }
  if (chosen?.what !== 'file') return undefined;
  const [file] = (await vscode.window.showOpenDialog({ filters: { MIR: ['mir'], All: ['*'] } })) ?? [];
  return file && ['file', file.toString()];
}

/** Throws NothingToCompare. */
async function paramsFor(uri: vscode.Uri, other: Other): Promise<ParamsOf<typeof COMPARE_VERSIONS_REQUEST>> {
  const textDocument = { uri: uri.toString() };
  if (other[0] === 'settings') return { textDocument, settings: other.slice(1) };
  const text = other[0] === 'git' ? await textAt(uri, other[1]) : await textOfFile(vscode.Uri.parse(other[1], true));
  return { textDocument, other: { name: titleOf(other), text } };
}

/** What a diff has on its left; undefined: it is the same text. */
async function otherUri(uri: vscode.Uri, other: Other): Promise<vscode.Uri | undefined> {
  if (other[0] === 'settings') return undefined;
  return other[0] === 'git' ? (await gitApi()).toGitUri(uri, other[1]) : vscode.Uri.parse(other[1], true);
}

async function textOfFile(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
  if (open) return open.getText();
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_BYTES)
      throw new NothingToCompare(vscode.l10n.t('{0} is too large to compare', titleOf(['file', uri.toString()])));
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof NothingToCompare) throw error;
    throw new NothingToCompare(vscode.l10n.t('{0} cannot be read', titleOf(['file', uri.toString()])));
  }
}

async function textAt(uri: vscode.Uri, revision: string): Promise<string> {
  const repository = (await gitApi()).getRepository(uri);
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  if (!repository)
    throw new NothingToCompare(vscode.l10n.t('{0} is not in a Git repository that is open in VS Code', name));
  try {
    return await repository.show(revision, uri.fsPath);
  } catch (error) {
    // Git's own words are in what it wrote to its standard error.
    const { stderr } = error as { readonly stderr?: unknown };
    const told = (typeof stderr === 'string' ? stderr : '')
      .trim()
      .split('\n', 1)[0]!
      .replace(/^fatal: /, '');
    throw new NothingToCompare(`${name} cannot be read at ${revision}${told === '' ? '' : `: ${told}`}`);
  }
}

async function gitApi(): Promise<GitApi> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  if (!extension) throw new NothingToCompare("VS Code's Git extension is not here: Git cannot be asked");
  try {
    const api = (await extension.activate()).getAPI(1);
    if (api.state === 'initialized') return api;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GIT_STARTS_MS);
      const listener = api.onDidChangeState(() => {
        clearTimeout(timer);
        listener.dispose();
        resolve();
      });
    });
    return api;
  } catch {
    throw new NothingToCompare(vscode.l10n.t('Git is disabled in the settings (git.enabled), or not installed'));
  }
}

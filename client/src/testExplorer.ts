/** The test explorer: MIR files of the workspace with their RUN lines as tests, run by the server; on save, too, where that is asked for there. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { RUN_TEST_REQUEST, type RunLinesResult } from '../../server/src/lsp/common/customRequests.js';
import { textOf } from './documentText';
import { placeOfError, runLineResult, type Result } from './runLineResult';

const PATTERN = '**/*.mir';
/** A workspace with more is not listed as a whole. */
const MAX_FILES = 20_000;
const RUN_LINE = /(?:^|\W)RUN:\s*(.*)$/;
const MAX_LABEL = 120;

type RunLine = RunLinesResult['runs'][number];

export class TestExplorer implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('amdgpu-mir', 'MIR RUN lines');
  private readonly disposables: vscode.Disposable[];
  /** files by their ids */
  private readonly files = new Map<string, vscode.TestItem>();
  /** ids of files that were read and have no RUN line: listed again, they would look like tests that have not run */
  private readonly withoutTests = new Set<string>();
  /** of the last run of each test, by its id; for tests of this */
  readonly results = new Map<string, Result>();

  constructor(private readonly client: BaseLanguageClient) {
    const { controller } = this;
    controller.resolveHandler = (item) =>
      item ? (isFolder(item) ? undefined : this.readRunLines(item)) : this.listFiles();
    controller.refreshHandler = () => this.listFiles();
    const profile = controller.createRunProfile(
      'Run',
      vscode.TestRunProfileKind.Run,
      (request, token) => this.start(request, token),
      true,
    );
    profile.supportsContinuousRun = true;
    const watcher = vscode.workspace.createFileSystemWatcher(PATTERN);
    this.disposables = [
      controller,
      profile,
      watcher,
      watcher.onDidCreate((uri) => void this.readRunLines(this.itemOf(uri))),
      watcher.onDidChange((uri) => void this.readRunLines(this.itemOf(uri))),
      watcher.onDidDelete((uri) => {
        this.forget(uri.toString());
        this.withoutTests.delete(uri.toString());
      }),
      vscode.workspace.onDidOpenTextDocument((document) => void this.opened(document)),
    ];
    for (const document of vscode.workspace.textDocuments) void this.opened(document);
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  /** Runs everything that is listed. */
  async runAll(): Promise<void> {
    const source = new vscode.CancellationTokenSource();
    await this.run(new vscode.TestRunRequest(), source.token);
    source.dispose();
  }

  private async opened({ languageId, uri }: vscode.TextDocument): Promise<void> {
    if (languageId === 'mir' && vscode.workspace.getWorkspaceFolder(uri)) await this.readRunLines(this.itemOf(uri));
  }

  private itemOf(uri: vscode.Uri): vscode.TestItem {
    const id = uri.toString();
    const known = this.files.get(id);
    if (known) return known;
    const path = vscode.workspace.asRelativePath(uri).split('/');
    const item = this.controller.createTestItem(id, path.pop()!, uri);
    item.canResolveChildren = true;
    // Folders are before files, as in the explorer.
    item.sortText = `1 ${item.label}`;
    this.folderOf(uri, path).add(item);
    this.files.set(id, item);
    return item;
  }

  /** The items among which a file is that lies in the folders of `path`. */
  private folderOf(file: vscode.Uri, path: readonly string[]): vscode.TestItemCollection {
    let items = this.controller.items;
    path.forEach((name, k) => {
      const uri = vscode.Uri.joinPath(file, ...Array.from({ length: path.length - k }, () => '..'));
      const id = folderId(uri);
      let folder = items.get(id);
      if (!folder) {
        folder = this.controller.createTestItem(id, name, uri);
        folder.sortText = `0 ${name}`;
        items.add(folder);
      }
      items = folder.children;
    });
    return items;
  }

  /** The file goes, and folders that nothing is in any more. */
  private forget(id: string): void {
    let item = this.files.get(id);
    this.files.delete(id);
    while (item && (item.id === id || item.children.size === 0)) {
      const { parent } = item;
      (parent?.children ?? this.controller.items).delete(item.id);
      item = parent;
    }
  }

  private async listFiles(): Promise<void> {
    for (const uri of await vscode.workspace.findFiles(PATTERN, undefined, MAX_FILES))
      if (!this.withoutTests.has(uri.toString())) this.itemOf(uri);
  }

  /** A file without RUN lines is no test. */
  private async readRunLines(item: vscode.TestItem): Promise<void> {
    const text = await textOf(item.uri!);
    const lines = text === null ? [] : runLinesOf(text);
    if (lines.length > 0) this.withoutTests.delete(item.id);
    else {
      this.withoutTests.add(item.id);
      this.forget(item.id);
    }
    item.children.replace(
      lines.map(({ line, run }) => {
        const child = this.controller.createTestItem(`${item.id}#${line}`, run.slice(0, MAX_LABEL), item.uri);
        child.range = new vscode.Range(line, 0, line, 0);
        child.sortText = String(line).padStart(8, '0');
        return child;
      }),
    );
  }

  private async start(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (request.continuous !== true) return this.run(request, token);
    const listener = vscode.workspace.onDidSaveTextDocument(({ uri, languageId }) => {
      const item = languageId === 'mir' ? this.files.get(uri.toString()) : undefined;
      if (item && (request.include === undefined || request.include.some((i) => holds(i, item) || isOf(i, item))))
        void this.run(new vscode.TestRunRequest([item], request.exclude, request.profile), token);
    });
    token.onCancellationRequested(() => listener.dispose());
  }

  /** Never rejects: what goes wrong is the result of its test. */
  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    // Whoever wants all tests may not have looked at the list yet.
    if (request.include === undefined) await this.listFiles();
    const run = this.controller.createTestRun(request);
    const wanted = new Map<vscode.TestItem, Set<vscode.TestItem> | null>();
    for (const item of this.files.values())
      if (request.include === undefined || request.include.some((i) => holds(i, item) || i.id === item.id))
        wanted.set(item, null);
    for (const line of request.include ?? []) {
      const file = this.files.get(line.id.replace(/#\d+$/, ''));
      if (!file || line.id === file.id || wanted.get(file) === null) continue;
      wanted.set(file, new Set([...(wanted.get(file) ?? []), line]));
    }
    const excluded = new Set(request.exclude ?? []);
    for (const [item, lines] of wanted) {
      if (token.isCancellationRequested || run.token.isCancellationRequested) break;
      if (![...excluded].some((e) => holds(e, item) || e.id === item.id))
        await this.runFile(run, item, lines, excluded, token);
    }
    run.end();
  }

  private async runFile(
    run: vscode.TestRun,
    item: vscode.TestItem,
    lines: ReadonlySet<vscode.TestItem> | null,
    excluded: ReadonlySet<vscode.TestItem>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    await this.readRunLines(item);
    const tests: vscode.TestItem[] = [];
    const isWanted = (id: string): boolean => lines === null || [...lines].some((l) => l.id === id);
    item.children.forEach((child) => {
      if (isWanted(child.id) && ![...excluded].some((e) => e.id === child.id)) tests.push(child);
    });
    if (tests.length === 0) return;
    for (const test of tests) run.started(test);
    const began = Date.now();
    const finish = (test: vscode.TestItem, result: Result, messages: vscode.TestMessage[] = []): void => {
      this.results.set(test.id, result);
      if (result === 'failed') run.failed(test, messages, Date.now() - began);
      else if (result === 'passed') run.passed(test, Date.now() - began);
      else run.skipped(test);
    };
    try {
      const uri = item.uri!;
      const text = (await textOf(uri)) ?? '';
      const params = { uri: this.client.code2ProtocolConverter.asUri(uri), text };
      const answer = await this.client.sendRequest<RunLinesResult>(RUN_TEST_REQUEST, params, token);
      for (const test of tests) {
        const found = answer.runs.find((r) => test.id === `${item.id}#${r.line}`);
        const { result, why } = runLineResult(answer, found?.line ?? -1);
        if (result === 'skipped')
          run.appendOutput(`${test.label}\r\n  not run here: ${why.replaceAll('\n', '\r\n')}\r\n`, undefined, test);
        if (!found || result !== 'failed') finish(test, result);
        else {
          const messages = messagesOf(uri, text.split(/\r\n|\r|\n/), why === '' ? found : { ...found, detail: why });
          // A place that the terminal makes a link of. As the output's location VS Code would write it into the editor, under the message.
          for (const { location, message } of messages)
            if (location)
              run.appendOutput(
                `${placeText(location)}: error: ${textIn(message).replaceAll('\n', '\r\n')}\r\n`,
                undefined,
                test,
              );
          finish(test, result, messages);
        }
      }
    } catch (error) {
      if (token.isCancellationRequested) return;
      const message = new vscode.TestMessage(error instanceof Error ? error.message : String(error));
      for (const test of tests) run.errored(test, message);
    }
  }
}

/** Ends with a slash, so that it begins the ids of what is in it. */
const folderId = (uri: vscode.Uri): string => `${uri.toString().replace(/\/$/, '')}/`;

const isFolder = ({ id }: vscode.TestItem): boolean => id.endsWith('/');

const holds = (folder: vscode.TestItem, { id }: vscode.TestItem): boolean =>
  isFolder(folder) && id.startsWith(folder.id);

const placeText = ({ uri, range }: vscode.Location): string =>
  `${uri.scheme === 'untitled' ? uri.path : uri.fsPath}:${range.start.line + 1}:${range.start.character + 1}`;

const textIn = (message: string | vscode.MarkdownString): string =>
  typeof message === 'string' ? message : message.value;

/** By their ids: a RUN line that was chosen has been replaced, and has no parent any more, once its file was read again. */
const isOf = (test: vscode.TestItem, file: vscode.TestItem): boolean =>
  test.id === file.id || test.id.startsWith(`${file.id}#`);

/** RUN lines with the numbers of their first lines. */
function runLinesOf(text: string): { line: number; run: string }[] {
  const found: { line: number; run: string }[] = [];
  let isContinued = false;
  for (const [line, content] of text.split(/\r\n|\r|\n/).entries()) {
    const run = RUN_LINE.exec(content)?.[1]?.trim();
    if (run === undefined) continue;
    if (!isContinued) found.push({ line, run });
    isContinued = run.endsWith('\\');
  }
  return found;
}

/** A message at each CHECK line that fails, as a difference where FileCheck names the line that was meant. */
function messagesOf(
  uri: vscode.Uri,
  lines: readonly string[],
  { line, detail, findings }: RunLine,
): vscode.TestMessage[] {
  const at = (of: number, column = 0): vscode.Location => new vscode.Location(uri, new vscode.Position(of, column));
  if (findings.length === 0) {
    const place = placeOfError(detail);
    const message = new vscode.TestMessage(place?.message ?? detail);
    message.location = place ? at(place.line, place.column) : at(line);
    return [message];
  }
  return findings.map((finding) => {
    const meant = /^possible intended match here \(line \d+\): (.*)$/m.exec(finding.message)?.[1];
    const wanted = (lines[finding.line] ?? '').trim().replace(/^[;#/\s]*[\w-]+(?:\{LITERAL\})?:\s*/, '');
    const message =
      meant === undefined
        ? new vscode.TestMessage(finding.message)
        : vscode.TestMessage.diff(finding.message, `${wanted}\n`, `${meant}\n`);
    message.location = at(finding.line);
    return message;
  });
}

/** `workspace/symbol`: the index of the files, kept up to date with the folders and files of the workspace, and what is open besides. */
import {
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type Connection,
  type InitializeParams,
  type WorkspaceSymbol,
} from 'vscode-languageserver';
import { findSymbols, type FileSymbol } from '../../features/navigation/workspaceSymbols.js';
import type { AnalysisClient } from './analysisClient.js';
import type { Token } from './workerSession.js';
import { editorFiles, type FileAccess } from './fileAccess.js';
import { SCAN_METHOD } from './messages.js';
import { WorkspaceIndex, type IndexProgress } from './workspaceIndex.js';

/** The files wait until the document that the editor opened at the start is dealt with. */
const START_DELAY_MS = 500;

const SILENT: IndexProgress = { report: () => undefined, done: () => undefined };

export class WorkspaceSymbols {
  private index: WorkspaceIndex | null = null;
  private folders: readonly string[] = [];
  private client: InitializeParams['capabilities'] = {};
  private access: FileAccess | null = null;
  private isEnabled = false;
  private timer: ReturnType<typeof setTimeout> | null = null;

  /** @param disk where files are when the editor does not give them; null = nowhere */
  constructor(
    private readonly connection: Connection,
    private readonly analysis: AnalysisClient,
    private readonly disk: FileAccess | null,
  ) {
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri, type } of changes) {
        if (!uri.endsWith('.mir')) continue;
        if (type === FileChangeType.Deleted) this.index?.deleted(uri);
        else void this.index?.changed(uri);
      }
    });
  }

  initialize({ capabilities, workspaceFolders, rootUri }: InitializeParams): void {
    this.client = capabilities;
    this.folders = Array.isArray(workspaceFolders)
      ? workspaceFolders.flatMap((f) => addressOf((f as { uri?: unknown } | null)?.uri))
      : addressOf(rootUri);
    const { amdgpuMirFiles } = (capabilities.experimental ?? {}) as { amdgpuMirFiles?: unknown };
    this.access = amdgpuMirFiles === true ? editorFiles(this.connection) : this.disk;
  }

  initialized(): void {
    const { workspace } = this.client;
    if (workspace?.workspaceFolders)
      this.connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = new Set(removed.map((f) => f.uri));
        this.folders = [...this.folders.filter((f) => !gone.has(f)), ...added.map((f) => f.uri)];
        void this.index?.readFolders(this.folders);
      });
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration)
      void this.connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [{ globPattern: '**/*.mir' }],
      });
  }

  /** Follows the setting; may be called again at any time. */
  enable(isEnabled: boolean): void {
    if (isEnabled === this.isEnabled) return;
    this.isEnabled = isEnabled;
    this.dispose();
    const { access } = this;
    if (!isEnabled || !access) return;
    this.timer = setTimeout(() => {
      this.index = new WorkspaceIndex(
        access,
        (text) => this.scan('', { text }),
        () => this.beginProgress(),
      );
      this.index.readFolders(this.folders).catch((error: unknown) => {
        this.connection.console.warn(`the MIR files of the workspace could not be listed: ${String(error)}`);
      });
    }, START_DELAY_MS);
  }

  dispose(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.index?.dispose();
    this.index = null;
  }

  /** Open documents as they are in the editor, the other files as they were read. */
  async find(query: string, token: Token): Promise<WorkspaceSymbol[]> {
    const files = new Map(this.index?.symbols ?? []);
    for (const uri of this.analysis.openDocuments) {
      if (token.isCancellationRequested) return [];
      files.set(uri, (await this.scan(uri, null)) ?? []);
    }
    return findSymbols(files, query);
  }

  /** Symbols of an open document, or of a text. */
  private async scan(uri: string, params: { text: string } | null): Promise<readonly FileSymbol[] | null> {
    const answer = await this.analysis.request<readonly FileSymbol[]>(SCAN_METHOD, uri, params);
    return answer.kind === 'result' ? answer.result : null;
  }

  private async beginProgress(): Promise<IndexProgress> {
    if (!this.client.window?.workDoneProgress) return SILENT;
    try {
      const progress = await this.connection.window.createWorkDoneProgress();
      progress.begin('Indexing MIR files', 0);
      let percent = 0;
      return {
        report: (done, all) => {
          const now = Math.floor((100 * done) / all);
          if (now === percent) return;
          percent = now;
          progress.report(percent, `${done} of ${all}`);
        },
        done: () => progress.done(),
      };
    } catch {
      // An editor that offers progress and then refuses it does without.
      return SILENT;
    }
  }
}

/** Clients send what they like. */
const addressOf = (uri: unknown): string[] => (typeof uri === 'string' && uri !== '' ? [uri] : []);

/**
 * A small editor for protocol tests: it speaks LSP with a real server, over streams in memory or with a child process, keeps
 * the texts of its documents, and waits for what the server publishes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import {
  StreamMessageReader,
  StreamMessageWriter,
  createProtocolConnection,
  type CodeLens,
  type Diagnostic,
  type DocumentSymbol,
  type Hover,
  type InitializeResult,
  type InlayHint,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol/node';
import { createConnection } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { FileAccess } from '../../server/src/lsp/common/fileAccess.js';
import type { WorkerHandle } from '../../server/src/lsp/common/messages.js';
import type { ToolAccess } from '../../server/src/lsp/common/toolAccess.js';
import { startServer } from '../../server/src/lsp/common/server.js';
import { createInThreadWorker } from './inThreadWorker.js';
import { processReader } from './processReader.js';

/** Against tests that hang; no test depends on how long something takes. */
const WAIT_MS = 240_000;

export interface ClientOptions {
  createWorker?: () => WorkerHandle;
  hangMs?: number;
  /** the `amdgpu-mir` section, as the editor answers `workspace/configuration` */
  settings?: unknown;
  initializationOptions?: unknown;
  capabilities?: object;
  rootUri?: string | null;
  workspaceFolders?: readonly { uri: string; name: string }[];
  /** hears what the server registers */
  onRegister?: (params: unknown) => void;
  /** texts by address, for servers that ask the editor for its files */
  files?: Readonly<Record<string, string>>;
  /** files of the workspace, for servers that do not ask the editor for them */
  disk?: FileAccess;
  /** programs of the user */
  tools?: ToolAccess;
  /** address of the page about diagnostics */
  documentation?: string;
}

export class TestClient {
  readonly published: PublishDiagnosticsParams[] = [];
  readonly notifications: { method: string; params: unknown }[] = [];
  readonly refreshes: string[] = [];
  initializeResult!: InitializeResult;
  private readonly documents = new Map<string, TextDocument>();
  private readonly waiting = new Set<() => void>();

  private constructor(
    readonly connection: ProtocolConnection,
    private readonly options: ClientOptions,
    private readonly child: ChildProcess | null,
  ) {
    connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.published.push(params);
      this.wake();
    });
    const { onNotification } = connection as unknown as {
      onNotification(handler: (method: string, params: unknown) => void): unknown;
    };
    onNotification((method, params) => {
      this.notifications.push({ method, params: Array.isArray(params) ? (params as unknown[])[0] : params });
      this.wake();
    });
    connection.onRequest('workspace/configuration', () => [this.options.settings ?? null]);
    connection.onRequest('client/registerCapability', (params) => {
      this.options.onRegister?.(params);
      return null;
    });
    connection.onRequest('amdgpuMir/listFiles', () => Object.keys(this.options.files ?? {}));
    connection.onRequest('amdgpuMir/readFile', ({ uri }: { uri: string }) => this.options.files?.[uri] ?? null);
    for (const method of ['workspace/inlayHint/refresh', 'workspace/codeLens/refresh', 'workspace/diagnostic/refresh'])
      connection.onRequest(method, () => {
        this.refreshes.push(method);
        this.wake();
        return null;
      });
    connection.listen();
  }

  /** A server in this process. */
  static async inMemory(options: ClientOptions = {}): Promise<TestClient> {
    const up = new PassThrough();
    const down = new PassThrough();
    const server = createConnection(new StreamMessageReader(up), new StreamMessageWriter(down));
    startServer(server, {
      createWorker: options.createWorker ?? (() => createInThreadWorker()),
      ...(options.documentation === undefined ? {} : { documentation: options.documentation }),
      ...(options.hangMs === undefined ? {} : { hangMs: options.hangMs }),
      ...(options.disk === undefined ? {} : { files: options.disk }),
      ...(options.tools === undefined ? {} : { tools: options.tools }),
    });
    const connection = createProtocolConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
    return new TestClient(connection, options, null).initialize();
  }

  /** A server of its own process, over stdio. */
  static async spawn(command: readonly string[], options: ClientOptions = {}): Promise<TestClient> {
    const [program = '', ...args] = command;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const connection = createProtocolConnection(processReader(child.stdout), new StreamMessageWriter(child.stdin));
    return new TestClient(connection, options, child).initialize();
  }

  private async initialize(): Promise<TestClient> {
    this.initializeResult = await this.connection.sendRequest('initialize', {
      // The server watches the process named here; in this process that would keep it alive.
      processId: this.child ? process.pid : null,
      rootUri: this.options.rootUri ?? null,
      ...(this.options.workspaceFolders ? { workspaceFolders: this.options.workspaceFolders } : {}),
      capabilities: this.options.capabilities ?? {
        textDocument: {
          documentSymbol: { hierarchicalDocumentSymbolSupport: true },
          rename: { prepareSupport: true },
        },
        workspace: {
          configuration: this.options.settings !== undefined,
          inlayHint: { refreshSupport: true },
          codeLens: { refreshSupport: true },
        },
        experimental: { amdgpuMirStatus: true },
      },
      ...(this.options.initializationOptions ? { initializationOptions: this.options.initializationOptions } : {}),
    });
    await this.connection.sendNotification('initialized', {});
    return this;
  }

  open(uri: string, text: string, version = 1): void {
    this.documents.set(uri, TextDocument.create(uri, 'mir', version, text));
    void this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'mir', version, text },
    });
  }

  text(uri: string): string {
    return this.documents.get(uri)!.getText();
  }

  /** Replaces the characters [start, end) as an incremental change. */
  edit(uri: string, start: number, end: number, text: string): void {
    const document = this.documents.get(uri)!;
    const change = { range: { start: document.positionAt(start), end: document.positionAt(end) }, text };
    const version = document.version + 1;
    this.documents.set(uri, TextDocument.update(document, [change], version));
    void this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [change],
    });
  }

  /** Replaces the first occurrence of `from`. */
  replace(uri: string, from: string, to: string): void {
    const at = this.text(uri).indexOf(from);
    if (at < 0) throw new Error(`no ${from} in the document`);
    this.edit(uri, at, at + from.length, to);
  }

  close(uri: string): void {
    this.documents.delete(uri);
    void this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  /** Diagnostics of the present version of a document, waiting for them. */
  async diagnostics(uri: string): Promise<Diagnostic[]> {
    const { version } = this.documents.get(uri)!;
    const found = await this.until(`diagnostics of ${uri} version ${version}`, () =>
      this.published.find((p) => p.uri === uri && p.version === version),
    );
    return found.diagnostics;
  }

  /** Hover over the first occurrence of `at` in the text. */
  async hover(uri: string, at: string): Promise<string> {
    const document = this.documents.get(uri)!;
    const position = document.positionAt(document.getText().indexOf(at) + 1);
    const hover = await this.ask<Hover | null>('textDocument/hover', { textDocument: { uri }, position });
    return hover ? (hover.contents as { value: string }).value : '';
  }

  async lenses(uri: string): Promise<string[]> {
    const lenses = await this.ask<CodeLens[] | null>('textDocument/codeLens', { textDocument: { uri } });
    return (lenses ?? []).map((l) => `${l.range.start.line}: ${l.command?.title}`);
  }

  async hints(uri: string, firstLine = 0, lastLine = 1_000_000): Promise<string[]> {
    const range = { start: { line: firstLine, character: 0 }, end: { line: lastLine, character: 0 } };
    const hints = await this.ask<InlayHint[] | null>('textDocument/inlayHint', { textDocument: { uri }, range });
    return (hints ?? []).map((h) => `${h.position.line}: ${labelOf(h)}`);
  }

  async symbols(uri: string): Promise<DocumentSymbol[]> {
    return (await this.ask<DocumentSymbol[] | null>('textDocument/documentSymbol', { textDocument: { uri } })) ?? [];
  }

  /** Hears every `$/progress`. */
  onProgress(handler: (progress: { readonly token: string | number; readonly value: unknown }) => void): void {
    const { onUnhandledProgress } = this.connection as unknown as {
      onUnhandledProgress(listener: (progress: { token: string | number; value: unknown }) => void): unknown;
    };
    onUnhandledProgress((progress) => {
      handler(progress);
      this.wake();
    });
  }

  /** Until the server has read everything that was sent before: it answers a request that it does not know at once. */
  async read(): Promise<void> {
    await this.connection.sendRequest('amdgpuMir/unknown').catch(() => undefined);
  }

  ask<T>(method: string, params: object): Promise<T> {
    return this.connection.sendRequest<T>(method, params);
  }

  /** Waits until `probe` gives something; it is asked again whenever the server sends something. */
  async until<T>(what: string, probe: () => T | undefined): Promise<T> {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const value = probe();
      if (value !== undefined) return value;
      const left = end - Date.now();
      if (left <= 0) throw new Error(`not seen within ${WAIT_MS} ms: ${what}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Ends the session as an editor does; returns the exit code of a child process. */
  async shutdown(): Promise<number | null> {
    await this.connection.sendRequest('shutdown');
    const ended = this.child && new Promise<number | null>((resolve) => this.child!.once('exit', resolve));
    // In this process `exit` would end the test run.
    if (this.child) await this.connection.sendNotification('exit');
    const code = ended ? await ended : null;
    this.connection.dispose();
    return code;
  }

  private wake(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resume of waiting) resume();
  }
}

const labelOf = (hint: InlayHint): string =>
  typeof hint.label === 'string' ? hint.label : hint.label.map((part) => part.value).join('');

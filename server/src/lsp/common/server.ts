/**
 * The language server on one connection: capabilities, text synchronisation, and the way of each request to the analysis
 * worker and back. Handlers look up, ask and answer; whatever knows MIR lies below. Independent of the platform: the caller
 * gives the connection and says how a worker is made.
 */
import {
  DidChangeConfigurationNotification,
  ErrorCodes,
  LSPErrorCodes,
  MessageType,
  PositionEncodingKind,
  ResponseError,
  TextDocumentSyncKind,
  type CancellationToken,
  type CodeAction,
  type CompletionItem,
  type CompletionList,
  type Connection,
  type DidChangeTextDocumentParams,
  type DidCloseTextDocumentParams,
  type DidOpenTextDocumentParams,
  type ExecuteCommandParams,
  type InitializeError,
  type InitializeParams,
  type InitializeResult,
  type Position,
  type ServerCapabilities,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { FIX_ALL_KIND } from '../../features/assists/fixAll.js';
import { EXTRACT_KIND } from '../../features/simplify/extractFunction.js';
import { SIMPLIFY_ALL_KIND } from '../../features/simplify/simplify.js';
import { runLinesOf } from '../../features/checks/runLines.js';
import { SEMANTIC_TOKENS_LEGEND } from '../../features/tokens/semanticLegend.js';
import { DEFAULT_SETTINGS, readSettings, type Settings } from '../../program/settings.js';
import { AnalysisClient } from './analysisClient.js';
import { inDialectOf } from './clientDialect.js';
import { ActivityLog } from './activityLog.js';
import { DiagnosticsBoard } from './diagnosticsBoard.js';
import {
  APPLY_LEVER_REQUEST,
  COMPARE_RUN_REQUEST,
  DOCUMENT_NOTIFICATION,
  ENDED_TEXT_REQUEST,
  MIR_OF_SOURCE_REQUEST,
  MODELLED_LLVM,
  SELECT_TARGET_NOTIFICATION,
  RUN_LINES_REQUEST,
  RUN_TEST_REQUEST,
  STATUS_REQUEST,
  SWEEP_ROW_REQUEST,
  UPDATE_CHECKS_REQUEST,
  VERDICT_NOTIFICATION,
  WHY_OCCUPANCY_REQUEST,
  type MirOfSource,
  type SelectTargetParams,
  type ServerStatus,
} from './customRequests.js';
import { withDelayedProgress } from './delayedProgress.js';
import { STATUS_METHOD, type ContentChange, type StatusResult, type WorkerHandle } from './messages.js';
import {
  contentChangeProblem,
  didChangeProblem,
  didCloseProblem,
  didOpenProblem,
  selectTargetProblem,
  versionOr,
} from './notificationParams.js';
import {
  DOCUMENT_REQUESTS,
  ITEM_REQUESTS,
  RESOLVE_REQUESTS,
  requestProblem,
  type FeatureMethod,
  type Method,
  type ParamsOf,
  type ResolveMethod,
} from './requests.js';
import { VERSION } from '../../util/version.js';
import type { ToolAccess } from './toolAccess.js';
import { VerdictBoard, verdictStatus } from './verdictBoard.js';
import type { Answer } from './workerSession.js';
import { WorkspaceSymbols } from './workspaceSymbols.js';
import type { FileAccess } from './fileAccess.js';

export interface ServerOptions {
  createWorker(): WorkerHandle;
  /** address of docs/diagnostics.md, to which findings link; empty or absent = no links */
  documentation?: string;
  /** MIR files of the workspace, for editors that do not give them */
  files?: FileAccess;
  /** programs of the user; absent where none can be started */
  tools?: ToolAccess;
  /** A worker without an answer for that long is replaced; default 20 s. */
  hangMs?: number;
}

const SECTION = 'amdgpu-mir';
/** The protocol's largest number of a line or character. */
const MAX_INDEX = 0x7fffffff;
/** Patience with an editor that was asked for its settings. */
const SETTINGS_WAIT_MS = 2000;

const CAPABILITIES: ServerCapabilities = {
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  hoverProvider: true,
  completionProvider: { triggerCharacters: ['%', '$', '@', ':', '.', '=', '-', '!', '('], resolveProvider: true },
  inlayHintProvider: { resolveProvider: false },
  codeLensProvider: { resolveProvider: false },
  documentSymbolProvider: { label: 'AMDGPU MIR' },
  signatureHelpProvider: { triggerCharacters: [' ', ','], retriggerCharacters: [','] },
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n', moreTriggerCharacter: [':', '}'] },
  linkedEditingRangeProvider: true,
  definitionProvider: true,
  declarationProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  semanticTokensProvider: { legend: SEMANTIC_TOKENS_LEGEND, full: { delta: true }, range: true },
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  documentLinkProvider: { resolveProvider: false },
  codeActionProvider: {
    codeActionKinds: ['quickfix', 'refactor.rewrite', EXTRACT_KIND, FIX_ALL_KIND, SIMPLIFY_ALL_KIND],
    resolveProvider: true,
  },
  workspaceSymbolProvider: { resolveProvider: false },
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  renameProvider: { prepareProvider: true },
  callHierarchyProvider: true,
  typeHierarchyProvider: true,
};

/** Has an edit applied that it is given, for clients to which actions are nothing but commands. */
const APPLY_EDIT_COMMAND = 'amdgpu-mir.applyEdit';

const takesOnlyCommands = ({ textDocument, workspace }: InitializeParams['capabilities']): boolean =>
  textDocument?.codeAction?.codeActionLiteralSupport === undefined && workspace?.applyEdit === true;

/** Registers all handlers and starts listening. Returns when the connection is listening; it ends with the connection. */
export function startServer(connection: Connection, options: ServerOptions): void {
  new Server(connection, options);
  connection.listen();
}

class Server {
  /** its worker loads while the client still says hello */
  private readonly analysis: AnalysisClient;
  private client: InitializeParams['capabilities'] = {};
  private resolveReady: () => void = () => undefined;
  /** resolved when the settings are known; requests wait for it */
  private readonly ready = new Promise<void>((resolve) => {
    this.resolveReady = resolve;
  });

  /** for clients that ask for diagnostics; the others are told */
  private readonly board = new DiagnosticsBoard(() => this.refreshDiagnostics());

  /** Editors whose extension is ours have a log that people read. */
  private readonly activity = new ActivityLog((line) => {
    if (this.has('amdgpuMirCommands')) this.connection.console.info(line);
  });

  private readonly symbols: WorkspaceSymbols;
  private readonly verdicts: VerdictBoard;

  /** of an editor that was asked for its settings */
  private patience: ReturnType<typeof setTimeout> | null = null;
  private settings: Settings = DEFAULT_SETTINGS;
  private state: 'new' | 'running' | 'shut down' = 'new';

  constructor(
    private readonly connection: Connection,
    private readonly options: ServerOptions,
  ) {
    this.analysis = new AnalysisClient(
      options.createWorker,
      {
        diagnostics: (uri, version, diagnostics) => {
          this.activity.diagnosed(uri, diagnostics.length);
          if (this.isPulling) this.board.publish(uri, version, diagnostics);
          else void connection.sendDiagnostics({ uri, version, diagnostics: [...diagnostics] });
        },
        undiagnosed: (uri, message) => this.board.fail(uri, message),
        document: (status) => {
          this.activity.document(status);
          this.tell(DOCUMENT_NOTIFICATION, status);
        },
        log: (level, message) => connection.console[level](message),
        lenses: (hints) => (hints ? this.refresh() : this.refreshLenses()),
        restarted: () => {
          this.verdicts.tellAgain();
          this.refresh();
        },
      },
      options.hangMs,
    );
    this.symbols = new WorkspaceSymbols(connection, this.analysis, options.files ?? null);
    this.verdicts = new VerdictBoard(
      this.analysis,
      (uri, version, verdict) => {
        const status = verdictStatus(uri, version, verdict);
        this.activity.ran(status);
        this.tell(VERDICT_NOTIFICATION, status);
        this.refreshLenses();
      },
      options.tools ?? null,
    );
    connection.onInitialize((params) => this.initialize(params));
    connection.onInitialized(() => this.initialized());
    connection.onShutdown(() => this.refusal() ?? this.shutDown());
    connection.onDidChangeConfiguration((params: { readonly settings?: unknown } | null) =>
      this.configurationChanged(params?.settings),
    );
    connection.onDidOpenTextDocument((params) => this.opened(params));
    connection.onDidChangeTextDocument((params) => this.changed(params));
    connection.onDidCloseTextDocument((params) => this.closed(params));
    connection.onDidSaveTextDocument((params) => {
      if (!this.takes('textDocument/didSave', didCloseProblem(params))) return;
      // Which programs there are, the settings say.
      void this.ready.then(() => this.verdicts.saved(params.textDocument.uri));
    });

    for (const method of methodsOf(DOCUMENT_REQUESTS))
      this.on(method, (params, token) => this.answer(method, params, token));
    for (const method of methodsOf(RESOLVE_REQUESTS))
      this.on(method, (part, token) => this.resolve(method, part, token));
    for (const method of methodsOf(ITEM_REQUESTS))
      this.on(method, (params, token) =>
        this.answer(method, { ...params, textDocument: { uri: params.item.uri } }, token),
      );
    this.on('textDocument/codeAction', (params, token) => this.codeActions(params, token));
    this.on('workspace/executeCommand', (params) => this.applyEdit(params));
    this.on('textDocument/diagnostic', (params, token) => this.pull(params, token));
    this.on('workspace/symbol', async ({ query }, token) => {
      await this.ready;
      return this.symbols.find(query, token);
    });
    this.on(RUN_LINES_REQUEST, (params, token) => this.runLines(params, token));
    this.on(RUN_TEST_REQUEST, async ({ uri, text: of }, token) => {
      await this.ready;
      const answer = await this.verdicts.runText(uri, of, token, null);
      return answer.kind === 'result' ? runLinesOf(answer.result) : this.withoutResult(answer);
    });
    this.on(UPDATE_CHECKS_REQUEST, async ({ text: of }, token) => {
      await this.ready;
      const answer = await this.verdicts.updateChecks(of, token);
      return answer.kind === 'result' ? answer.result : this.withoutResult(answer);
    });
    this.on(MIR_OF_SOURCE_REQUEST, (params, token) => this.mirOfSource(params, token));
    this.on(COMPARE_RUN_REQUEST, (params, token) => this.compareRun(params, token));
    this.on(STATUS_REQUEST, () => this.status());
    // What no handler is for.
    connection.onRequest(
      (method) =>
        this.refusal() ?? new ResponseError(ErrorCodes.MethodNotFound, `the server does not know the method ${method}`),
    );
    connection.onNotification(SELECT_TARGET_NOTIFICATION, (params: unknown) => this.selectTarget(params));
  }

  /** The handler of a request, which meets only parameters that are well-formed, and only between `initialize` and `shutdown`. */
  private on<M extends Method>(method: M, handle: (params: ParamsOf<M>, token: CancellationToken) => unknown): void {
    this.connection.onRequest(method, (...args: unknown[]) => {
      // The library spreads a list of parameters, and leaves them out where there are none.
      const params = args.length === 2 ? args[0] : args.slice(0, -1);
      const problem = requestProblem(method, params);
      return (
        this.refusal() ??
        (problem === null
          ? handle(params as ParamsOf<M>, args.at(-1) as CancellationToken)
          : new ResponseError(ErrorCodes.InvalidParams, problem))
      );
    });
  }

  /** Why no request is answered now; null when requests are. */
  private refusal(): ResponseError<void> | null {
    if (this.state === 'new')
      return new ResponseError(ErrorCodes.ServerNotInitialized, 'the server is not initialized yet');
    if (this.state === 'shut down') return new ResponseError(ErrorCodes.InvalidRequest, 'the server is shut down');
    return null;
  }

  private initialize(params: InitializeParams): InitializeResult | ResponseError<InitializeError> {
    if (this.state !== 'new')
      return new ResponseError(ErrorCodes.InvalidRequest, 'the server is initialized already', { retry: false });
    this.state = 'running';
    this.client = params.capabilities;
    this.symbols.initialize(params);
    const { initializationOptions } = params;
    if (initializationOptions || !this.client.workspace?.configuration) {
      this.configure(initializationOptions);
      this.resolveReady();
    }
    const diagnosticProvider = { identifier: SECTION, interFileDependencies: false, workspaceDiagnostics: false };
    return {
      capabilities: {
        ...CAPABILITIES,
        // Every client takes this one, and some that name others first want to be told.
        ...(this.client.general?.positionEncodings ? { positionEncoding: PositionEncodingKind.UTF16 } : {}),
        ...(this.client.textDocument?.rename?.prepareSupport === true ? {} : { renameProvider: true }),
        ...(this.isPulling ? { diagnosticProvider } : {}),
        ...(takesOnlyCommands(this.client) ? { executeCommandProvider: { commands: [APPLY_EDIT_COMMAND] } } : {}),
      },
      serverInfo: { name: `amdgpu-mir (LLVM ${MODELLED_LLVM})`, version: VERSION },
    };
  }

  /** The client asks for diagnostics; else they are pushed. */
  private get isPulling(): boolean {
    return this.client.textDocument?.diagnostic !== undefined;
  }

  /** `section`: what the client says, of whatever shape; undefined = nothing. */
  private configure(section?: unknown): void {
    // Settings may arrive late.
    if (this.state === 'shut down') return;
    const { publishDiagnostics, diagnostic, completion } = this.client.textDocument ?? {};
    const takesLinks = publishDiagnostics?.codeDescriptionSupport ?? diagnostic?.codeDescriptionSupport ?? false;
    const settings = readSettings(section);
    this.settings = settings;
    this.symbols.enable(settings.workspaceSymbols);
    this.verdicts.enable(settings.verdicts);
    this.verdicts.use(
      { llc: settings.llcPath, fileCheck: settings.fileCheckPath },
      (message) => void this.connection.sendNotification('window/showMessage', { type: MessageType.Warning, message }),
    );
    this.analysis.configure({
      ...settings,
      documentation: takesLinks ? (this.options.documentation ?? '') : '',
      createsFiles:
        this.client.workspace?.workspaceEdit?.documentChanges === true &&
        this.client.workspace.workspaceEdit.resourceOperations?.includes('create') === true,
      snippets: completion?.completionItem?.snippetSupport === true,
      replacesWords: completion?.completionItem?.insertReplaceSupport === true,
      commandLinks: this.has('amdgpuMirCommands'),
    });
  }

  /** Whether the client has announced that it knows some of our own messages. */
  private has(capability: 'amdgpuMirCommands' | 'amdgpuMirStatus'): boolean {
    return (this.client.experimental as Readonly<Record<string, unknown>> | undefined)?.[capability] === true;
  }

  /** Editors warn of notifications that they do not know. */
  private tell(method: string, status: object): void {
    if (this.has('amdgpuMirStatus')) void this.connection.sendNotification(method, status);
  }

  private initialized(): void {
    if (this.state !== 'running') return;
    this.symbols.initialized();
    if (this.has('amdgpuMirCommands'))
      this.connection.console.info(`amdgpu-mir ${VERSION} started; it answers as LLVM ${MODELLED_LLVM}`);
    const { workspace } = this.client;
    if (workspace?.didChangeConfiguration?.dynamicRegistration)
      void this.connection.client.register(DidChangeConfigurationNotification.type, { section: SECTION });
    if (workspace?.configuration) this.configurationChanged(null);
    // A client that does not answer does not get to stop the work.
    if (this.state === 'running') this.patience = setTimeout(() => this.settled(), SETTINGS_WAIT_MS);
  }

  /** The settings are known, or it is time to go on without them. */
  private settled(): void {
    if (!this.analysis.isConfigured) this.configure();
    this.resolveReady();
  }

  /** Nothing is left that would keep a process alive, and nobody waits for an answer. */
  private shutDown(): void {
    this.state = 'shut down';
    if (this.patience !== null) clearTimeout(this.patience);
    this.symbols.dispose();
    this.analysis.dispose();
    this.board.fail(null, 'the server is shut down');
    this.resolveReady();
  }

  /** `pushed` is what the notification carried; a client that can be asked is asked instead. */
  private configurationChanged(pushed: unknown): void {
    const apply = (section: unknown): void => {
      const isFirst = !this.analysis.isConfigured;
      this.configure(section);
      this.resolveReady();
      if (!isFirst) this.refresh();
    };
    if (this.client.workspace?.configuration) {
      this.connection.workspace.getConfiguration(SECTION).then(apply, (error: unknown) => {
        this.connection.console.warn(`the settings could not be read: ${String(error)}`);
        this.settled();
      });
    } else if (typeof pushed === 'object' && pushed !== null) {
      apply((pushed as Record<string, unknown>)[SECTION] ?? pushed);
    }
  }

  /** Asks the editor to ask again. */
  private refresh(): void {
    const { workspace } = this.client;
    const ignore = (): void => undefined;
    if (workspace?.inlayHint?.refreshSupport) this.connection.languages.inlayHint.refresh().catch(ignore);
    this.refreshLenses();
  }

  private refreshLenses(): void {
    if (this.client.workspace?.codeLens?.refreshSupport)
      this.connection.sendRequest(CodeLensRefresh).catch(() => undefined);
  }

  private refreshDiagnostics(): void {
    if (this.client.workspace?.diagnostics?.refreshSupport)
      this.connection.languages.diagnostics.refresh().catch(() => undefined);
  }

  /** Is a notification to be acted upon? One that is malformed is named in the log. */
  private takes(method: string, problem: string | null): boolean {
    if (this.state !== 'running') return false;
    if (problem !== null) this.connection.console.warn(`${method} is ignored: ${problem}`);
    return problem === null;
  }

  private opened(params: DidOpenTextDocumentParams): void {
    if (!this.takes('textDocument/didOpen', didOpenProblem(params))) return;
    const { uri, version, text } = params.textDocument;
    this.analysis.open(uri, versionOr(version, 0), text);
    this.verdicts.touched(uri);
  }

  /** Of a malformed change what can be applied is applied, so that the document keeps up with the client as far as it can. */
  private changed(params: DidChangeTextDocumentParams): void {
    const method = 'textDocument/didChange';
    if (!this.takes(method, didCloseProblem(params))) return;
    const { uri, version } = params.textDocument;
    const known = this.analysis.versionOf(uri);
    if (known === undefined) return;
    const given: unknown = params.contentChanges;
    const problem = didChangeProblem(params);
    if (problem !== null) this.connection.console.warn(`${method}: ${problem}`);
    const changes = (Array.isArray(given) ? given : []).flatMap((change: unknown) => {
      const isGood = this.takes(method, contentChangeProblem(change));
      return isGood ? [cleanChange(change as ContentChange)] : [];
    });
    this.analysis.change(uri, versionOr(version, known + 1), changes);
    this.verdicts.touched(uri);
  }

  private closed(params: DidCloseTextDocumentParams): void {
    if (!this.takes('textDocument/didClose', didCloseProblem(params))) return;
    const { uri } = params.textDocument;
    this.activity.closed(uri);
    this.verdicts.closed(uri);
    this.analysis.close(uri);
    this.board.close(uri);
    if (this.isPulling) return;
    void this.connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  /** The wrapper of every request about a document: whatever happens below, the editor gets a result or a proper error. */
  private async answer(method: FeatureMethod, params: DocumentParams, token: CancellationToken): Promise<unknown> {
    const { uri } = params.textDocument;
    if (this.analysis.versionOf(uri) === undefined) return null;
    await this.ready;
    const began = Date.now();
    let answer = await this.analysis.request<unknown>(method, uri, params, token);
    const { workDoneToken } = params;
    if (answer.kind === 'result' && isElsewhere(answer.result))
      answer = await withDelayedProgress(
        this.connection,
        { title: workOf(method), workDoneToken, token },
        (either, report) => this.analysis.requestPatiently<unknown>(method, uri, params, either, report),
      );
    if (answer.kind === 'result') this.activity.answered(method, uri, Date.now() - began);
    // An editor that was typed in goes on with such a list, and asks again; VS Code would close it, and ask no more, at an error.
    if (method === 'textDocument/completion' && answer.kind === 'outdated' && answer.result)
      return inDialectOf(this.client, method, uri, { ...(answer.result as CompletionList), isIncomplete: true });
    if (answer.kind !== 'result') return this.withoutResult(answer);
    return isRefusal(answer.result)
      ? new ResponseError(LSPErrorCodes.RequestFailed, answer.result.refused)
      : inDialectOf(this.client, method, uri, answer.result);
  }

  private withoutResult(answer: Exclude<Answer<unknown>, { readonly kind: 'result' }>): ResponseError<void> {
    switch (answer.kind) {
      case 'cancelled':
        return new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
      case 'outdated':
        return new ResponseError(LSPErrorCodes.ContentModified, 'the document has changed');
      case 'failed':
        return new ResponseError(ErrorCodes.InternalError, answer.message);
    }
  }

  /** Has them run, and answers what came of it. */
  private async runLines(params: DocumentParams, token: CancellationToken): Promise<unknown> {
    const { uri } = params.textDocument;
    if (this.analysis.versionOf(uri) === undefined) return null;
    await this.ready;
    const { workDoneToken } = params;
    const work = { title: 'RUN lines', workDoneToken, token };
    const answer = await withDelayedProgress(this.connection, work, (either, report) =>
      this.verdicts.run(uri, either, report),
    );
    return answer.kind === 'result' ? this.answer(RUN_LINES_REQUEST, params, token) : this.withoutResult(answer);
  }

  /** Needs no document: the tool reads the file. */
  private async mirOfSource(
    params: ParamsOf<typeof MIR_OF_SOURCE_REQUEST> & { readonly workDoneToken?: string | number },
    token: CancellationToken,
  ): Promise<MirOfSource | ResponseError<void>> {
    await this.ready;
    const { uri, cpu, stopBefore = this.settings.stopBefore, workDoneToken } = params;
    const { clangPath: clang, sourceLlcPath, llcPath, toolArgs, target } = this.settings;
    const problem = 'programs of the user cannot be run where the server runs';
    if (this.options.tools === undefined) return { text: null, problem, told: '', needsProcessor: false };
    const tools = { clang, llc: sourceLlcPath || llcPath, args: toolArgs };
    const asked = {
      triple: '',
      cpu: cpu ?? target.cpu,
      features: cpu === undefined ? target.features : '',
      stopBefore,
    };
    const work = { title: 'Compiling', workDoneToken, token };
    const made = await withDelayedProgress(this.connection, work, (either) =>
      this.options.tools!.mirOfSource(uri, tools, asked, either),
    );
    return made ?? this.withoutResult({ kind: 'cancelled' });
  }

  private async compareRun(
    params: ParamsOf<typeof COMPARE_RUN_REQUEST> & DocumentParams,
    token: CancellationToken,
  ): Promise<unknown> {
    const { textDocument, position, schedules = false, workDoneToken } = params;
    await this.ready;
    const work = { title: 'RUN line', workDoneToken, token };
    const answer = await withDelayedProgress(this.connection, work, (either, report) =>
      this.verdicts.compare(textDocument.uri, schedules ? null : position.line, either, report),
    );
    return answer.kind === 'result' ? answer.result : this.withoutResult(answer);
  }

  private async pull(
    { textDocument, previousResultId }: ParamsOf<'textDocument/diagnostic'>,
    token: CancellationToken,
  ): Promise<unknown> {
    const { uri } = textDocument;
    const version = this.analysis.versionOf(uri);
    if (version === undefined) return { kind: 'full', resultId: '0', items: [] };
    if (!this.analysis.isRunning)
      return new ResponseError(ErrorCodes.InternalError, this.analysis.lastError ?? 'the analysis is not running');
    // A token that is cancelled already calls nobody.
    if (token.isCancellationRequested) return new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
    const answer = await this.board.pull(uri, version, previousResultId, (stop) => token.onCancellationRequested(stop));
    switch (answer.kind) {
      case 'report':
        return answer.report;
      case 'cancelled':
        return new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
      case 'failed':
        return new ResponseError(ErrorCodes.InternalError, answer.message);
    }
  }

  /** A client that cannot resolve actions gets them with their edits; one that knows only commands, as commands that have the edit applied. */
  private async codeActions(params: DocumentParams, token: CancellationToken): Promise<unknown> {
    const actions = await this.answer('textDocument/codeAction', params, token);
    const properties: unknown = this.client.textDocument?.codeAction?.resolveSupport?.properties;
    const lazy = Array.isArray(properties) && properties.includes('edit');
    if (lazy || !Array.isArray(actions)) return actions;
    const resolved = await Promise.all(
      (actions as CodeAction[]).map((action) => this.resolve('codeAction/resolve', action, token)),
    );
    const good = resolved.filter((action) => !(action instanceof ResponseError)) as CodeAction[];
    if (!takesOnlyCommands(this.client)) return good;
    return good
      .filter((action) => action.edit !== undefined && action.disabled === undefined)
      .map(({ title, edit }) => ({ title, command: APPLY_EDIT_COMMAND, arguments: [edit] }));
  }

  private async applyEdit({ command, arguments: [edit] = [] }: ExecuteCommandParams): Promise<unknown> {
    if (command !== APPLY_EDIT_COMMAND || typeof edit !== 'object' || edit === null)
      return new ResponseError(ErrorCodes.InvalidParams, `the server does not know the command ${command}`);
    await this.connection.workspace.applyEdit(edit as WorkspaceEdit);
    return null;
  }

  /** What is ours has its document in its data. */
  private async resolve(
    method: ResolveMethod,
    part: CodeAction | CompletionItem,
    token: CancellationToken,
  ): Promise<unknown> {
    const data = part.data as { readonly textDocument?: unknown } | null | undefined;
    const document = data?.textDocument as { readonly uri?: unknown } | null | undefined;
    if (typeof document?.uri !== 'string') return part;
    return this.answer(method, { ...part, textDocument: { uri: document.uri } }, token);
  }

  private async status(): Promise<ServerStatus> {
    await this.ready;
    const answer = await this.analysis.request<StatusResult>(STATUS_METHOD, '', null);
    const none: StatusResult = {
      version: VERSION,
      modelledLLVM: MODELLED_LLVM,
      documents: [],
      computedFunctions: 0,
    };
    return {
      ...(answer.kind === 'result' ? answer.result : none),
      queue: this.analysis.queueLength,
      restarts: this.analysis.restarts,
      lastError: this.analysis.lastError,
    };
  }

  private selectTarget(params: unknown): void {
    if (!this.takes(SELECT_TARGET_NOTIFICATION, selectTargetProblem(params))) return;
    const { uri, index, target } = params as SelectTargetParams;
    this.analysis.selectTarget(uri, target ?? index ?? null);
    this.refresh();
  }
}

const methodsOf = <T extends object>(requests: T): (keyof T)[] => Object.keys(requests) as (keyof T)[];

/** What a request that takes long is called while it does. */
function workOf(method: FeatureMethod): string {
  if (method === WHY_OCCUPANCY_REQUEST) return 'What would help';
  if (method === APPLY_LEVER_REQUEST || method === ENDED_TEXT_REQUEST) return 'Lever';
  return method === SWEEP_ROW_REQUEST ? 'Sweep' : 'Scheduling';
}

/** Of every request about a document. */
interface DocumentParams {
  readonly textDocument: { readonly uri: string };
  readonly workDoneToken?: string | number;
}

/** With whole numbers that both ends of the worker's channel understand alike. */
function cleanChange({ range, text }: ContentChange): ContentChange {
  if (!range) return { text };
  const whole = (n: number): number => (n > 0 ? Math.min(Math.floor(n), MAX_INDEX) : 0);
  const clean = ({ line, character }: Position): Position => ({ line: whole(line), character: whole(character) });
  return { range: { start: clean(range.start), end: clean(range.end) }, text };
}

/** A feature that says why it does not do what was asked for. */
const isRefusal = (result: unknown): result is { readonly refused: string } =>
  typeof result === 'object' && result !== null && 'refused' in result;

/** A feature that would keep others waiting. */
const isElsewhere = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'elsewhere' in result;

/** `workspace/codeLens/refresh` */
const CodeLensRefresh = 'workspace/codeLens/refresh';

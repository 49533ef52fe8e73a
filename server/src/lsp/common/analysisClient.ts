/**
 * The protocol thread's side of the analysis: it posts edits and requests to the worker, keeps the texts so that a worker
 * that crashed or hangs can be replaced, and never lets an answer through that belongs to an outdated version.
 */
import type { Diagnostic } from 'vscode-languageserver-types';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Settings } from '../../program/settings.js';
import type { TargetOptions } from '../../program/targetOfFile.js';
import type { DocumentStatus } from './customRequests.js';
import {
  CancellationSource,
  type ContentChange,
  type FromWorker,
  type ToWorker,
  type WorkerHandle,
} from './messages.js';

/** A worker that has not answered for this long is ended and replaced. */
const HANG_MS = 20_000;
/** The watchdog looks so often in that time. */
const TICKS_PER_HANG = 4;
/** After this many replacements in a row without a single answer the analysis stays off until a document is opened or changed. */
const MAX_RESTARTS = 4;
/** Edits kept one by one before they are folded into the text that a new worker would get. */
const MAX_PENDING_EDITS = 512;

export type Answer<T> =
  | { readonly kind: 'result'; readonly result: T }
  | { readonly kind: 'cancelled' }
  /** the document changed while the answer was computed */
  | { readonly kind: 'outdated' }
  | { readonly kind: 'failed'; readonly message: string };

/** The part of a protocol token that is needed here. */
export interface Token {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): { dispose(): void };
}

export interface AnalysisEvents {
  /** Only for the current version of an open document. */
  diagnostics(uri: string, version: number, diagnostics: readonly Diagnostic[]): void;
  /** There will be no diagnostics of a document (null: of any) until its text changes. */
  undiagnosed(uri: string | null, message: string): void;
  document(status: DocumentStatus): void;
  log(level: 'error' | 'warn' | 'info', message: string): void;
  /** The worker was replaced; what the editor shows should be asked for again. */
  restarted(): void;
}

interface OpenDocument {
  version: number;
  /** the text `edits` have not been applied to */
  base: TextDocument;
  edits: ContentChange[];
  target: TargetOptions | number | null;
}

interface PendingRequest {
  readonly method: string;
  readonly uri: string;
  readonly params: unknown;
  readonly version: number;
  readonly report: ((message: string) => void) | null;
  settle(answer: Answer<unknown>): void;
}

export class AnalysisClient {
  private worker: WorkerHandle | null = null;
  private cancellation = new CancellationSource();
  /** null until the first `configure` */
  private settings: Settings | null = null;
  private readonly documents = new Map<string, OpenDocument>();
  /** The worker has been told the settings and the texts; before that edits are only remembered. */
  private started = false;
  private readonly pending = new Map<number, PendingRequest>();
  private nextId = 1;
  /** messages posted to the present worker */
  private posted = 0;
  /** ticks of the watchdog since the worker was heard */
  private silentTicks = 0;
  private watchdog: ReturnType<typeof setInterval> | null = null;
  private restartsInARow = 0;
  private disposed = false;
  /** for requests that would keep the others waiting, with the documents that they were about */
  private patient: AnalysisClient | null = null;
  restarts = 0;
  lastError: string | null = null;

  /**
   * Makes the worker, which loads meanwhile; work begins with the first `configure`, so that nothing is computed for settings
   * that are not the user's. @param hangMs for tests
   * @param isPatient requests may take long; see requestPatiently
   */
  constructor(
    private readonly createWorker: () => WorkerHandle,
    private readonly events: AnalysisEvents,
    private readonly hangMs = HANG_MS,
    private readonly isPatient = false,
  ) {
    this.spawn();
  }

  get queueLength(): number {
    return this.pending.size;
  }

  /** False while the analysis is given up. */
  get isRunning(): boolean {
    return this.worker !== null;
  }

  get isConfigured(): boolean {
    return this.settings !== null;
  }

  get openDocuments(): readonly string[] {
    return [...this.documents.keys()];
  }

  versionOf(uri: string): number | undefined {
    return this.documents.get(uri)?.version;
  }

  configure(settings: Settings): void {
    const first = this.settings === null;
    this.settings = settings;
    if (first) this.start();
    else this.post({ kind: 'settings', settings });
    this.patient?.configure(settings);
  }

  /** Opening a document that is open already replaces its text. */
  open(uri: string, version: number, text: string): void {
    const target = this.documents.get(uri)?.target ?? null;
    this.documents.set(uri, { version, base: TextDocument.create(uri, 'mir', version, text), edits: [], target });
    this.revive();
    this.post({ kind: 'open', uri, version, text });
    if (this.patient?.documents.has(uri)) this.patient.open(uri, version, text);
  }

  /** Changes of a document that is not open are ignored. */
  change(uri: string, version: number, changes: readonly ContentChange[]): void {
    const document = this.documents.get(uri);
    if (!document) return;
    this.revive();
    this.post({ kind: 'change', uri, version, changes });
    document.version = version;
    for (const change of changes) document.edits.push(change);
    if (document.edits.length > MAX_PENDING_EDITS) fold(document);
    if (this.isPatient) this.abandon(uri);
    this.patient?.change(uri, version, changes);
  }

  close(uri: string): void {
    if (!this.documents.delete(uri)) return;
    this.post({ kind: 'close', uri });
    this.abandon(uri);
    this.patient?.close(uri);
    if (this.patient?.documents.size !== 0) return;
    this.patient.dispose();
    this.patient = null;
  }

  /** Ends the work on what was asked about a document before its present text. */
  private abandon(uri: string): void {
    const abandoned = [...this.pending].filter(([, request]) => request.uri === uri);
    for (const [, request] of abandoned) request.settle({ kind: 'outdated' });
    if (abandoned.length > 0) this.cancel(abandoned.map(([id]) => id));
  }

  private cancel(ids: readonly number[]): void {
    if (ids.every((id) => this.cancellation.cancel(id))) return;
    // Without shared memory nothing reaches a worker that works on and on.
    if (this.isPatient && this.started) this.beginAnew(ids);
    else for (const id of ids) this.post({ kind: 'cancel', id });
  }

  /** Ends the worker, and has another one answer what still waits. */
  private beginAnew(cancelled: readonly number[]): void {
    for (const id of cancelled) this.pending.get(id)?.settle({ kind: 'cancelled' });
    this.stopWatchdog();
    this.worker?.terminate();
    this.spawn();
    for (const [id, { method, uri, params }] of this.pending) this.post({ kind: 'request', id, method, uri, params });
  }

  selectTarget(uri: string, target: TargetOptions | number | null): void {
    const document = this.documents.get(uri);
    if (!document) return;
    document.target = target;
    this.post({ kind: 'target', uri, target });
    this.patient?.selectTarget(uri, target);
  }

  /** Never rejects. A request for a document that is not open is outdated. `uri` empty = not about a document. */
  request<T>(
    method: string,
    uri: string,
    params: unknown,
    token?: Token,
    report: ((message: string) => void) | null = null,
  ): Promise<Answer<T>> {
    const version = uri === '' ? 0 : this.documents.get(uri)?.version;
    if (version === undefined) return Promise.resolve({ kind: 'outdated' });
    if (token?.isCancellationRequested) return Promise.resolve({ kind: 'cancelled' });
    if (!this.worker)
      return Promise.resolve({ kind: 'failed', message: this.lastError ?? 'the analysis is not running' });
    const id = this.nextId++;
    return new Promise((resolve) => {
      const listener = token?.onCancellationRequested(() => {
        this.cancel([id]);
      });
      const settle = (answer: Answer<unknown>): void => {
        listener?.dispose();
        this.pending.delete(id);
        resolve(answer as Answer<T>);
      };
      this.pending.set(id, { method, uri, params, version, report, settle });
      this.post({ kind: 'request', id, method, uri, params });
    });
  }

  /**
   * The same, answered by a worker of its own that takes its time, so that nothing else waits. It is made when first needed and ends
   * when the documents that it was asked about are closed. An edit ends the work on its document.
   */
  requestPatiently<T>(
    method: string,
    uri: string,
    params: unknown,
    token: Token,
    report: (message: string) => void,
  ): Promise<Answer<T>> {
    const document = this.documents.get(uri);
    if (!document || !this.settings || this.disposed) return Promise.resolve({ kind: 'outdated' });
    if (!this.patient) {
      const ignore = (): void => undefined;
      const events = { ...this.events, diagnostics: ignore, undiagnosed: ignore, document: ignore, restarted: ignore };
      this.patient = new AnalysisClient(this.createWorker, events, this.hangMs, true);
      this.patient.configure(this.settings);
    }
    if (!this.patient.documents.has(uri)) {
      fold(document);
      this.patient.open(uri, document.version, document.base.getText());
      if (document.target !== null) this.patient.selectTarget(uri, document.target);
    }
    return this.patient.request(method, uri, params, token, report);
  }

  dispose(): void {
    this.disposed = true;
    this.patient?.dispose();
    this.stopWatchdog();
    this.worker?.terminate();
    this.worker = null;
    for (const request of this.pending.values()) request.settle({ kind: 'cancelled' });
  }

  private spawn(): void {
    // Ids of cancelled requests and the count of messages belong to one worker.
    this.cancellation = new CancellationSource();
    this.posted = 0;
    this.started = false;
    let worker: WorkerHandle;
    try {
      worker = this.createWorker();
    } catch (error) {
      this.fail(`the analysis worker does not start: ${String(error)}`);
      return;
    }
    this.worker = worker;
    worker.onMessage((message) => {
      if (this.worker === worker) this.receive(message);
    });
    worker.onEnd((reason) => {
      if (this.worker === worker) this.replace(`the analysis worker ended: ${reason}`);
    });
    this.start();
  }

  /** Tells a new worker everything that is known, as soon as the settings are. */
  private start(): void {
    if (!this.worker || !this.settings || this.started) return;
    this.started = true;
    const { settings, isPatient } = this;
    this.post({ kind: 'start', shared: this.cancellation.buffer, settings, isPatient });
    for (const [uri, document] of this.documents) {
      fold(document);
      this.post({ kind: 'open', uri, version: document.version, text: document.base.getText() });
      if (document.target !== null) this.post({ kind: 'target', uri, target: document.target });
    }
  }

  /** A worker that was given up comes back for new text. */
  private revive(): void {
    if (this.worker || this.disposed) return;
    this.restartsInARow = 0;
    this.spawn();
  }

  private replace(reason: string): void {
    this.fail(reason);
    if (this.disposed) return;
    this.restarts++;
    if (++this.restartsInARow > MAX_RESTARTS) {
      this.events.log('error', 'the analysis failed repeatedly and stays off until the text changes');
      this.events.undiagnosed(null, reason);
      return;
    }
    this.spawn();
    this.events.restarted();
  }

  /** Ends the worker and answers what waits for it. */
  private fail(reason: string): void {
    this.lastError = reason;
    this.events.log('error', reason);
    this.stopWatchdog();
    const worker = this.worker;
    this.worker = null;
    worker?.terminate();
    for (const request of [...this.pending.values()]) request.settle({ kind: 'failed', message: reason });
  }

  private post(message: ToWorker): void {
    if (!this.worker || !this.started) return;
    this.cancellation.posted();
    this.posted++;
    this.worker.post(message);
    if (this.watchdog) return;
    this.silentTicks = 0;
    // Ticks, not times: while the machine sleeps or the process is stopped the worker cannot answer, and the clock goes on.
    this.watchdog = setInterval(() => {
      if (++this.silentTicks <= TICKS_PER_HANG) return;
      this.replace(`the analysis worker did not answer for ${this.hangMs} ms`);
    }, this.hangMs / TICKS_PER_HANG);
    // Where timers keep a process alive, this one does not: what is asked for does.
    (this.watchdog as { unref?: () => void }).unref?.();
  }

  /** Gives the worker the whole text of a document again. */
  private synchronize(uri: string): void {
    const document = this.documents.get(uri);
    if (!document) return;
    fold(document);
    this.post({ kind: 'open', uri, version: document.version, text: document.base.getText() });
  }

  private stopWatchdog(): void {
    if (this.watchdog) clearInterval(this.watchdog);
    this.watchdog = null;
  }

  private receive(message: FromWorker): void {
    this.silentTicks = 0;
    switch (message.kind) {
      case 'alive':
        return;
      case 'idle':
        // More may have been posted since: then another `idle` follows.
        if (message.received === this.posted) this.stopWatchdog();
        return;
      case 'result': {
        const request = this.pending.get(message.id);
        if (!request) return;
        this.restartsInARow = 0;
        const current = request.uri === '' || this.documents.get(request.uri)?.version === request.version;
        request.settle(current ? { kind: 'result', result: message.result } : { kind: 'outdated' });
        return;
      }
      case 'progress':
        this.pending.get(message.id)?.report?.(message.message);
        return;
      case 'cancelled':
        this.pending.get(message.id)?.settle({ kind: 'cancelled' });
        return;
      case 'failed':
        this.lastError = message.message;
        this.events.log('error', `${message.message}\n${message.stack}`);
        this.pending.get(message.id)?.settle({ kind: 'failed', message: message.message });
        return;
      case 'diagnostics':
        this.restartsInARow = 0;
        if (this.documents.get(message.uri)?.version === message.version)
          this.events.diagnostics(message.uri, message.version, message.diagnostics);
        return;
      case 'unsynchronized':
        this.synchronize(message.uri);
        return;
      case 'undiagnosed':
        this.events.undiagnosed(message.uri, message.message);
        return;
      case 'document':
        if (this.documents.has(message.status.uri)) this.events.document(message.status);
        return;
      case 'log':
        if (message.level === 'error') this.lastError = message.message;
        this.events.log(message.level, message.message);
        return;
    }
  }
}

function fold(document: OpenDocument): void {
  if (document.edits.length === 0) return;
  document.base = TextDocument.update(document.base, [...document.edits], document.version);
  document.edits = [];
}

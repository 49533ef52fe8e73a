/**
 * One lane of the analysis: a worker, replaced when it crashes or hangs, with the requests that wait for it. Each worker is told the settings
 * and the documents of its lane, whose texts the mirror has; an answer that belongs to an outdated version is told from others.
 */
import type { Diagnostic } from 'vscode-languageserver-types';
import type { LateCopies, LateFinding } from '../../host/analysisHost.js';
import type { Settings } from '../../program/settings.js';
import type { DocumentStatus } from './customRequests.js';
import type { ChosenTarget, DocumentMirror } from './documentMirror.js';
import {
  CancellationSource,
  type ContentChange,
  type FromWorker,
  type ToWorker,
  type WorkerHandle,
} from './messages.js';

/** The watchdog looks so often in the time after which a silent worker is ended. */
const TICKS_PER_HANG = 4;
/** After this many replacements in a row without a single answer the analysis stays off until a document is opened or changed. */
const MAX_RESTARTS = 4;

export type Answer<T> =
  | { readonly kind: 'result'; readonly result: T }
  | { readonly kind: 'cancelled' }
  /** the document changed while the answer was computed; `result`: for the text as it was */
  | { readonly kind: 'outdated'; readonly result?: unknown }
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
  /** Lenses, and hints, have more to say. */
  lenses(hints: boolean): void;
  log(level: 'error' | 'warn' | 'info', message: string): void;
  /** The worker was replaced; what the editor shows should be asked for again. */
  restarted(): void;
}

/** What the two lanes settle between them. */
export interface SessionEvents extends AnalysisEvents {
  /** The diagnostics of the current version of a document lack what takes long. */
  lateCopies(uri: string, version: number, late: LateCopies): void;
}

export interface SessionOptions {
  createWorker(): WorkerHandle;
  /** a worker without an answer for that long is replaced */
  readonly hangMs: number;
  /** its requests may take long: an edit ends the work on its document, and there is no background work */
  readonly isPatient: boolean;
}

interface PendingRequest {
  readonly method: string;
  readonly uri: string;
  readonly params: unknown;
  readonly version: number;
  readonly report: ((message: string) => void) | null;
  settle(answer: Answer<unknown>): void;
}

export class WorkerSession {
  private worker: WorkerHandle | null = null;
  private cancellation = new CancellationSource();
  /** null until the first `configure` */
  private settings: Settings | null = null;
  /** documents of this lane */
  private readonly uris = new Set<string>();
  /** The worker has been told the settings and the texts; before that nothing is posted to it. */
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
  restarts = 0;
  lastError: string | null = null;

  /** Makes the worker, which loads meanwhile; work begins with the first `configure`. */
  constructor(
    private readonly mirror: DocumentMirror,
    private readonly events: SessionEvents,
    private readonly options: SessionOptions,
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

  get nDocuments(): number {
    return this.uris.size;
  }

  has(uri: string): boolean {
    return this.uris.has(uri);
  }

  configure(settings: Settings): void {
    const first = this.settings === null;
    this.settings = settings;
    if (first) this.start();
    else this.post({ kind: 'settings', settings });
  }

  /** The document, with its present text, is one of this lane. */
  open(uri: string): void {
    this.uris.add(uri);
    if (this.worker) this.tell(uri);
    else this.revive();
  }

  /** The mirror has the changes already, and so would a worker that is made now. */
  change(uri: string, version: number, changes: readonly ContentChange[]): void {
    if (this.worker) this.post({ kind: 'change', uri, version, changes });
    else this.revive();
    if (this.options.isPatient) this.abandon(uri);
  }

  close(uri: string): void {
    if (!this.uris.delete(uri)) return;
    this.post({ kind: 'close', uri });
    this.abandon(uri);
  }

  tellLate(uri: string, version: number, found: LateFinding): void {
    this.post({ kind: 'late', uri, version, found });
  }

  selectTarget(uri: string, target: ChosenTarget): void {
    this.post({ kind: 'target', uri, target });
  }

  /** Never rejects. `uri` empty = not about a document; else it has to be open. */
  request<T>(
    method: string,
    uri: string,
    params: unknown,
    token?: Token,
    report: ((message: string) => void) | null = null,
  ): Promise<Answer<T>> {
    const version = uri === '' ? 0 : this.mirror.get(uri)?.version;
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

  dispose(): void {
    this.disposed = true;
    this.stopWatchdog();
    this.worker?.terminate();
    this.worker = null;
    for (const request of [...this.pending.values()]) request.settle({ kind: 'cancelled' });
  }

  // -- requests that end early -----------------------------------------------------------------------------------

  /** Ends the work on what was asked about a document before its present text. */
  private abandon(uri: string): void {
    const abandoned = [...this.pending].filter(([, request]) => request.uri === uri);
    for (const [, request] of abandoned) request.settle({ kind: 'outdated' });
    if (abandoned.length > 0) this.cancel(abandoned.map(([id]) => id));
  }

  private cancel(ids: readonly number[]): void {
    if (ids.every((id) => this.cancellation.cancel(id))) return;
    // Without shared memory nothing reaches a worker that works on and on; the others have answered before a message would be read.
    if (this.options.isPatient && this.started) this.beginAnew(ids);
  }

  /** Ends the worker, and has another one answer what still waits. */
  private beginAnew(cancelled: readonly number[]): void {
    for (const id of cancelled) this.pending.get(id)?.settle({ kind: 'cancelled' });
    this.stopWatchdog();
    this.worker?.terminate();
    this.spawn();
    for (const [id, { method, uri, params }] of this.pending) this.post({ kind: 'request', id, method, uri, params });
  }

  // -- the worker ------------------------------------------------------------------------------------------------

  private spawn(): void {
    // Ids of cancelled requests and the count of messages belong to one worker.
    this.cancellation = new CancellationSource();
    this.posted = 0;
    this.started = false;
    let worker: WorkerHandle;
    try {
      worker = this.options.createWorker();
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
    const { isPatient } = this.options;
    this.post({ kind: 'start', shared: this.cancellation.buffer, settings: this.settings, isPatient });
    for (const uri of this.uris) this.tell(uri);
  }

  /** Gives the worker the whole text of a document and the target chosen for it. */
  private tell(uri: string): void {
    const document = this.started ? this.mirror.get(uri) : undefined;
    if (!document) return;
    this.post({ kind: 'open', uri, version: document.version, text: document.text() });
    if (document.target !== null) this.post({ kind: 'target', uri, target: document.target });
  }

  /** A worker that was given up comes back for new text, and is told all texts. */
  private revive(): void {
    if (this.disposed) return;
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
    const { hangMs } = this.options;
    // Ticks, not times: while the machine sleeps or the process is stopped the worker cannot answer, and the clock goes on.
    this.watchdog = setInterval(() => {
      if (++this.silentTicks <= TICKS_PER_HANG) return;
      this.replace(`the analysis worker did not answer for ${hangMs} ms`);
    }, hangMs / TICKS_PER_HANG);
    // Where timers keep a process alive, this one does not: what is asked for does.
    (this.watchdog as { unref?: () => void }).unref?.();
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
        const current = request.uri === '' || this.mirror.get(request.uri)?.version === request.version;
        request.settle({ kind: current ? 'result' : 'outdated', result: message.result });
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
        if (this.mirror.get(message.uri)?.version === message.version)
          this.events.diagnostics(message.uri, message.version, message.diagnostics);
        return;
      case 'unsynchronized':
        this.tell(message.uri);
        return;
      case 'undiagnosed':
        this.events.undiagnosed(message.uri, message.message);
        return;
      case 'lateCopies':
        if (this.mirror.get(message.uri)?.version === message.version)
          this.events.lateCopies(message.uri, message.version, message.late);
        return;
      case 'lenses':
        this.events.lenses(message.hints);
        return;
      case 'document':
        if (this.mirror.get(message.status.uri)) this.events.document(message.status);
        return;
      case 'log':
        if (message.level === 'error') this.lastError = message.message;
        this.events.log(message.level, message.message);
        return;
    }
  }
}

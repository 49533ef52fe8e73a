/**
 * The worker's side of the analysis: it applies edits, answers requests in order, and computes diagnostics in the background,
 * function by function, giving way whenever a message waits. Knows no platform: a port is all it needs, so it also runs in the
 * same thread (tests) or in a web worker.
 */
import { AnalysisHost, type LateCopies } from '../../host/analysisHost.js';
import {
  Cancelled,
  Deadline,
  NEVER_CANCELLED,
  type CancellationToken,
  type ProgressToken,
} from '../../util/cancellation.js';
import { modelledLlvmsText } from '../../target/releases.js';
import type { UpdatedChecks } from '../../features/checks/updateActions.js';
import type { TestVerdict } from '../../features/snapshot/verdict.js';
import { scanSymbols } from '../../features/navigation/workspaceSymbols.js';
import { BackgroundJobs, type JobKind } from './backgroundJobs.js';
import { logDiagnostics } from '../../features/machineLog/logFeatures.js';
import type { LogDocument } from '../../features/machineLog/logDocument.js';
import { MachineLogs } from '../../host/machineLogs.js';
import { DEFAULT_SETTINGS } from '../../program/settings.js';
import { answerOf, answerOfLog } from './featureTable.js';
import {
  CancellationView,
  JUDGE_COPIES_METHOD,
  RUN_TEST_METHOD,
  SCAN_METHOD,
  STATUS_METHOD,
  UPDATE_CHECKS_METHOD,
  type FromWorker,
  type RunTestParams,
  type StatusResult,
  type ToWorker,
  type UpdateChecksParams,
  type WorkerPort,
} from './messages.js';
import { documentStatus } from './documentStatus.js';
import { VERSION } from '../../util/version.js';
import { WARM_UP_DELAY_MS, type IdleWork } from './warmUp.js';

/** Pause after the last edit of a document before its diagnostics are computed: no squiggles while a word is typed. */
const DIAGNOSTICS_DELAY_MS = 40;

/** The same before registers are allocated, which takes longer. */
const ALLOCATION_DELAY_MS = 150;
/** A message that has been given way to is seldom the only one; work that gives way again and again waits twice as long each time. */
const [AGAIN_MS, AGAIN_MOST_MS] = [20, 2500];
/** Functions of so many instructions are allocated without a look at the messages that wait. */
const UNWATCHED_INSTRS = 200;

/** Whoever works so much that it has to give way so often is warm. */
const MOST_WARM_UPS = 5;

const PROGRESS_INTERVAL_MS = 200;

/**
 * Serves one protocol thread until its port closes. The result ends it where no thread ends with it. `quickMs`: see `AnalysisHost`. `warmUp`: works in idle
 * time after the start, so that the first answers come sooner.
 */
export function runAnalysisWorker(
  port: WorkerPort<ToWorker, FromWorker>,
  quickMs?: number,
  warmUp: ((canGiveWay: boolean) => IdleWork) | null = null,
): { stop(): void } {
  return new AnalysisWorker(port, quickMs, warmUp);
}

class AnalysisWorker {
  private host: AnalysisHost;
  private readonly logs = new MachineLogs(DEFAULT_SETTINGS);
  private readonly cancellation = new CancellationView();
  private readonly jobs: BackgroundJobs;
  /** null: not begun, or done */
  private warmUp: IdleWork | null = null;

  constructor(
    private readonly port: WorkerPort<ToWorker, FromWorker>,
    private readonly quickMs?: number,
    private readonly makeWarmUp: ((canGiveWay: boolean) => IdleWork) | null = null,
  ) {
    this.host = new AnalysisHost(false, quickMs);
    const { cancellation } = this;
    this.jobs = new BackgroundJobs([this.diagnosing, this.allocating, this.warmingUp], {
      token: { isCancelled: () => cancellation.hasWaitingMessages() },
      guard: (step) => this.guard(step, -1),
      beginStep: () => cancellation.beginStep(),
      endStep: (isAlive) => {
        if (isAlive) this.port.post({ kind: 'alive' });
        this.reportIdle();
      },
    });
    port.onMessage((message) => {
      this.cancellation.messageReceived();
      this.jobs.postpone(this.warmingUp, WARM_UP_DELAY_MS);
      this.guard(() => this.receive(message), message.kind === 'request' ? message.id : -1);
      this.reportIdle();
    });
  }

  stop(): void {
    this.jobs.stop();
  }

  /** The one place where a bug of ours in the worker is caught: it is reported, and the worker serves on. */
  private guard(step: () => void, requestId: number): void {
    try {
      step();
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      if (requestId >= 0) this.port.post({ kind: 'failed', id: requestId, message, stack: stack ?? '' });
      else this.port.post({ kind: 'log', level: 'error', message: `${message}\n${stack ?? ''}` });
    }
  }

  private receive(message: ToWorker): void {
    switch (message.kind) {
      case 'start':
        this.cancellation.attach(message.shared);
        this.host = new AnalysisHost(message.isPatient, this.quickMs);
        this.host.configure(message.settings);
        this.logs.configure(message.settings);
        if (!message.isPatient && message.settings.allocationLens && message.settings.codeLens) {
          this.warmUp = this.makeWarmUp?.(this.cancellation.seesWaiting) ?? null;
          if (this.warmUp !== null) this.jobs.later(this.warmingUp, '');
        }
        return;
      case 'settings':
        this.host.configure(message.settings);
        this.logs.configure(message.settings);
        for (const uri of this.host.uris()) this.touched(uri, 0);
        for (const log of this.logs.all) this.diagnoseLog(log);
        return;
      case 'open':
        this.open(message.uri, message.version, message.text);
        return;
      case 'change':
        if (this.logs.get(message.uri) !== undefined) {
          const { uri, version, changes } = message;
          this.open(uri, version, this.logs.textAfter(uri, version, changes));
          return;
        }
        try {
          this.host.change(message.uri, message.version, message.changes);
        } catch (error) {
          this.port.post({ kind: 'unsynchronized', uri: message.uri });
          throw error;
        }
        this.touched(message.uri, DIAGNOSTICS_DELAY_MS);
        return;
      case 'close':
        this.host.close(message.uri);
        this.logs.close(message.uri);
        this.jobs.outdated(message.uri);
        return;
      case 'target':
        this.host.selectTarget(message.uri, message.target);
        this.touched(message.uri, 0);
        return;
      case 'late':
        this.host.takeLate(message.uri, message.version, message.found);
        this.touched(message.uri, 0);
        return;
      case 'request':
        this.answer(message.id, message.method, message.uri, message.params);
        return;
    }
  }

  /** A log that an edit makes MIR is that from then on. */
  private open(uri: string, version: number, text: string): void {
    if (!this.logs.open(uri, version, text)) {
      this.host.open(uri, version, text);
      this.touched(uri, 0);
      return;
    }
    this.host.close(uri);
    this.jobs.outdated(uri);
    this.diagnoseLog(this.logs.get(uri)!);
  }

  private diagnoseLog(log: LogDocument): void {
    if (this.host.isPatient) return;
    this.port.post({ kind: 'diagnostics', uri: log.uri, version: log.version, diagnostics: logDiagnostics(log) });
  }

  private answer(id: number, method: string, uri: string, params: unknown): void {
    let reported = Date.now();
    const token: ProgressToken = {
      isCancelled: () => this.cancellation.isCancelled(id),
      report: (message) => {
        const now = Date.now();
        if (now - reported < PROGRESS_INTERVAL_MS) return;
        reported = now;
        this.port.post({ kind: 'progress', id, message });
      },
    };
    if (method === STATUS_METHOD) {
      this.port.post({ kind: 'result', id, version: 0, result: this.status() });
      return;
    }
    if (method === SCAN_METHOD) {
      const text = this.host.snapshot(uri)?.text.text ?? (params as { text?: string } | null)?.text ?? '';
      this.port.post({ kind: 'result', id, version: 0, result: scanSymbols(text) });
      return;
    }
    if (method === RUN_TEST_METHOD || method === UPDATE_CHECKS_METHOD) {
      const result =
        method === RUN_TEST_METHOD
          ? this.runTest(params as RunTestParams, token)
          : this.updateChecks(params as UpdateChecksParams, token);
      if (result === null) this.port.post({ kind: 'cancelled', id });
      else this.port.post({ kind: 'result', id, version: 0, result });
      return;
    }
    if (method === JUDGE_COPIES_METHOD) {
      const result = this.host.judgeCopies(uri, params as LateCopies, token);
      if (result === null) this.port.post({ kind: 'cancelled', id });
      else this.port.post({ kind: 'result', id, version: this.host.snapshot(uri)?.version ?? 0, result });
      return;
    }
    const log = this.logs.get(uri);
    if (log !== undefined) {
      // Here nobody else waits: the numbers of all dumps are computed first.
      if (this.host.isPatient) log.rows(token);
      const result = token.isCancelled() ? null : answerOfLog(method, log, params, token);
      if (token.isCancelled()) this.port.post({ kind: 'cancelled', id });
      else this.port.post({ kind: 'result', id, version: log.version, result });
      return;
    }
    const snapshot = this.host.snapshot(uri);
    const result = snapshot && !token.isCancelled() ? answerOf(method, snapshot, params, token) : null;
    if (token.isCancelled()) this.port.post({ kind: 'cancelled', id });
    else this.port.post({ kind: 'result', id, version: snapshot?.version ?? 0, result });
    this.jobs.answered();
  }

  /** Null when cancelled. */
  private runTest({ text, limitMs }: RunTestParams, token: ProgressToken): TestVerdict | null {
    if (token.isCancelled()) return null;
    const limited = limitMs === null ? null : new Deadline(token, limitMs);
    try {
      return this.host.runTest(text, limited ?? token);
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      if (limited?.isLate !== true || token.isCancelled()) return null;
      const problem = `more than ${limitMs! / 1000} s: the RUN lines run only when that is asked for`;
      return { runs: [], problem, isExpectedToFail: false, outdated: [] };
    }
  }

  /** Null when cancelled. */
  private updateChecks({ text }: UpdateChecksParams, token: ProgressToken): UpdatedChecks | null {
    try {
      return token.isCancelled() ? null : this.host.updateChecks(text, token);
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      return null;
    }
  }

  private status(): StatusResult {
    return {
      version: VERSION,
      modelledLLVM: modelledLlvmsText(),
      ...this.host.statistics(),
    };
  }

  // -- background ------------------------------------------------------------------------------------------------

  private touched(uri: string, delayMs: number): void {
    if (this.host.isPatient) return;
    this.jobs.later(this.diagnosing, uri, delayMs);
    this.jobs.later(this.allocating, uri);
  }

  /** Diagnostics of a document, function by function: what was computed before a message came is kept with its functions. */
  private readonly diagnosing: JobKind = {
    pauseMs: DIAGNOSTICS_DELAY_MS,
    isForIdleTime: false,
    // Where nobody can tell that a message waits, what takes longer than a step would be begun for ever.
    step: (uri, token) =>
      this.diagnose(uri, token, this.cancellation.seesWaiting ? token : NEVER_CANCELLED) ? 'done' : 'more',
    pauseAgain: () => 0,
    ended: (uri, how) => {
      if (how !== 'failed') return;
      this.port.post({ kind: 'undiagnosed', uri, message: 'the diagnostics could not be computed' });
    },
  };

  /** Registers of a document's functions, one function a step. */
  private readonly allocating: JobKind = {
    pauseMs: ALLOCATION_DELAY_MS,
    isForIdleTime: false,
    step: (uri, token) => {
      // Where nobody can tell that a message waits, only time could end the work, which would never be done then.
      const { seesWaiting } = this.cancellation;
      const within = seesWaiting ? token : NEVER_CANCELLED;
      const found = this.host.allocateNext(uri, within, seesWaiting ? Infinity : UNWATCHED_INSTRS);
      if (found === 'lens' || found === 'hints') this.port.post({ kind: 'lenses', hints: found === 'hints' });
      // Findings tell of spills.
      if (found === 'hints') this.jobs.later(this.diagnosing, uri);
      if (found === 'gave way') return found;
      return found === null ? 'done' : 'more';
    },
    pauseAgain: (times) => Math.min(AGAIN_MS * 2 ** (times - 1), AGAIN_MOST_MS),
  };

  /** After the start, functions of our own. */
  private readonly warmingUp: JobKind = {
    pauseMs: WARM_UP_DELAY_MS,
    isForIdleTime: true,
    step: (_, token) => {
      if (this.warmUp?.step(token) === false) return 'gave way';
      return this.warmUp?.isDone === false ? 'more' : 'done';
    },
    pauseAgain: (times) => (MOST_WARM_UPS < times ? null : WARM_UP_DELAY_MS * 2 ** times),
    // Its functions go with it.
    ended: () => (this.warmUp = null),
  };

  /** Returns false when it gave way; what was computed so far is cached with its functions. */
  private diagnose(uri: string, token: CancellationToken, within: CancellationToken): boolean {
    const snapshot = this.host.snapshot(uri);
    if (!snapshot) return true;
    const diagnostics = this.host.diagnostics(uri, token, within);
    if (!diagnostics) return false;
    this.port.post({ kind: 'diagnostics', uri, version: snapshot.version, diagnostics });
    this.port.post({ kind: 'document', status: documentStatus(snapshot) });
    const late = this.host.lateCopies(uri);
    if (late.functions.length > 0) this.port.post({ kind: 'lateCopies', uri, version: snapshot.version, late });
    return true;
  }

  private reportIdle(): void {
    if (!this.jobs.isBusy) this.port.post({ kind: 'idle', received: this.cancellation.received });
  }
}

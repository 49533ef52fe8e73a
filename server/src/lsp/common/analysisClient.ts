/**
 * The protocol thread's side of the analysis: the mirror of the open documents and two lanes of work on them. The quick one knows all of
 * them and answers what an editor waits for; the patient one is made when a request first needs it, and knows only the documents asked about.
 */
import type { UpdatedChecks } from '../../features/checks/updateActions.js';
import type { TestVerdict } from '../../features/snapshot/verdict.js';
import type { VerdictsByFunction } from '../../features/diagnostics/copyFindings.js';
import type { LateCopies, LateFinding } from '../../host/analysisHost.js';
import type { Settings } from '../../program/settings.js';
import { DocumentMirror, type ChosenTarget } from './documentMirror.js';
import { LateWork, type LateKind } from './lateWork.js';
import {
  JUDGE_COPIES_METHOD,
  RUN_TEST_METHOD,
  UPDATE_CHECKS_METHOD,
  type ContentChange,
  type RunTestParams,
  type UpdateChecksParams,
  type WorkerHandle,
} from './messages.js';
import { WorkerSession, type AnalysisEvents, type Answer, type SessionOptions, type Token } from './workerSession.js';

/** A worker that has not answered for this long is ended and replaced. */
const HANG_MS = 20_000;

export class AnalysisClient {
  private readonly mirror = new DocumentMirror();
  private readonly quick: WorkerSession;
  private patient: WorkerSession | null = null;
  private settings: Settings | null = null;
  private disposed = false;
  /** documents whose RUN lines have run */
  private readonly tested = new Set<string>();
  /** what the patient lane does when nobody waits for it */
  readonly late = new LateWork((uri) => this.versionOf(uri));

  /**
   * Makes the worker, which loads meanwhile; work begins with the first `configure`, so that nothing is computed for settings
   * that are not the user's. @param hangMs for tests
   */
  constructor(
    private readonly createWorker: () => WorkerHandle,
    private readonly events: AnalysisEvents,
    private readonly hangMs = HANG_MS,
  ) {
    const lateCopies = (uri: string, _: number, late: LateCopies): void => {
      const copies = this.copies(late);
      if (!this.late.isAt(copies, uri)) this.late.later(copies, uri);
    };
    this.quick = new WorkerSession(this.mirror, { ...events, lateCopies }, this.sessionOptions(false));
  }

  private sessionOptions(isPatient: boolean): SessionOptions {
    return { createWorker: this.createWorker, hangMs: this.hangMs, isPatient };
  }

  get queueLength(): number {
    return this.quick.queueLength;
  }

  /** False while the analysis is given up. */
  get isRunning(): boolean {
    return this.quick.isRunning;
  }

  get isConfigured(): boolean {
    return this.settings !== null;
  }

  get restarts(): number {
    return this.quick.restarts;
  }

  get lastError(): string | null {
    return this.quick.lastError;
  }

  get openDocuments(): readonly string[] {
    return this.mirror.uris;
  }

  versionOf(uri: string): number | undefined {
    return this.mirror.get(uri)?.version;
  }

  textOf(uri: string): string | undefined {
    return this.mirror.get(uri)?.text();
  }

  configure(settings: Settings): void {
    this.settings = settings;
    this.quick.configure(settings);
    this.patient?.configure(settings);
  }

  /** Opening a document that is open already replaces its text. */
  open(uri: string, version: number, text: string): void {
    this.mirror.open(uri, version, text);
    this.quick.open(uri);
    if (this.patient?.has(uri)) this.patient.open(uri);
    this.late.outdated(uri);
  }

  /** Changes of a document that is not open are ignored. */
  change(uri: string, version: number, changes: readonly ContentChange[]): void {
    if (!this.mirror.change(uri, version, changes)) return;
    this.quick.change(uri, version, changes);
    if (this.patient?.has(uri)) this.patient.change(uri, version, changes);
    // Last: without shared memory it begins a worker anew, which is told the text with the changes and must not get them once more.
    this.late.outdated(uri);
  }

  close(uri: string): void {
    if (!this.mirror.close(uri)) return;
    this.late.outdated(uri);
    this.quick.close(uri);
    this.patient?.close(uri);
    this.tested.delete(uri);
    if (this.patient?.nDocuments !== 0 || this.tested.size > 0) return;
    this.patient.dispose();
    this.patient = null;
  }

  selectTarget(uri: string, target: ChosenTarget): void {
    if (!this.mirror.selectTarget(uri, target)) return;
    this.quick.selectTarget(uri, target);
    if (this.patient?.has(uri)) this.patient.selectTarget(uri, target);
  }

  /** Never rejects. A request for a document that is not open is outdated. `uri` empty = not about a document. */
  request<T>(method: string, uri: string, params: unknown, token?: Token): Promise<Answer<T>> {
    return this.quick.request<T>(method, uri, params, token);
  }

  /**
   * The same in the patient lane, so that nothing else waits. It ends when the documents that it was asked about are closed. An edit ends
   * the work on its document.
   */
  requestPatiently<T>(
    method: string,
    uri: string,
    params: unknown,
    token: Token,
    report: (message: string) => void,
  ): Promise<Answer<T>> {
    if (!this.mirror.get(uri)) return Promise.resolve({ kind: 'outdated' });
    this.late.makeWay();
    const patient = this.patientLane();
    if (!patient) return Promise.resolve({ kind: 'outdated' });
    if (!patient.has(uri)) patient.open(uri);
    return patient.request<T>(method, uri, params, token, report);
  }

  /**
   * Runs the RUN lines of a text in the patient lane; `uri`: the document that it is, or would be. Without a limit of time
   * somebody waits for it. Never rejects.
   */
  async runTest(
    uri: string,
    params: RunTestParams,
    token: Token,
    report: ((message: string) => void) | null,
  ): Promise<Answer<TestVerdict>> {
    if (params.limitMs === null) this.late.makeWay();
    const patient = this.patientLane();
    if (!patient) return { kind: 'outdated' };
    if (this.mirror.get(uri)) this.tested.add(uri);
    return patient.request<TestVerdict>(RUN_TEST_METHOD, '', params, token, report);
  }

  /** CHECK lines of a text made anew, in the patient lane. Never rejects. */
  async updateChecks(text: string, token: Token): Promise<Answer<UpdatedChecks>> {
    this.late.makeWay();
    const patient = this.patientLane();
    const params: UpdateChecksParams = { text };
    return patient?.request<UpdatedChecks>(UPDATE_CHECKS_METHOD, '', params, token) ?? { kind: 'outdated' };
  }

  /** Verdicts on copies for which the quick lane has no time. */
  private copies(late: LateCopies): LateKind<VerdictsByFunction> {
    return {
      name: 'copies',
      pauseMs: 0,
      find: (uri, token) => {
        const patient = this.patientLane();
        if (!patient) return Promise.resolve({ kind: 'outdated' });
        if (!patient.has(uri)) patient.open(uri);
        return patient.request<VerdictsByFunction>(JUDGE_COPIES_METHOD, uri, late, token);
      },
      found: (uri, version, verdicts) => {
        this.tell(uri, version, { kind: 'copies', target: late.target, verdicts });
      },
    };
  }

  /** What has been found out late of a version, to the quick lane. */
  tell(uri: string, version: number, found: LateFinding): void {
    this.quick.tellLate(uri, version, found);
  }

  /** The lane, made when it is first needed; null before the settings are known and at the end. */
  private patientLane(): WorkerSession | null {
    if (!this.settings || this.disposed) return null;
    if (!this.patient) {
      const ignore = (): void => undefined;
      const events = {
        ...this.events,
        diagnostics: ignore,
        undiagnosed: ignore,
        document: ignore,
        lenses: ignore,
        lateCopies: ignore,
        restarted: ignore,
      };
      this.patient = new WorkerSession(this.mirror, events, this.sessionOptions(true));
      this.patient.configure(this.settings);
    }
    return this.patient;
  }

  dispose(): void {
    this.disposed = true;
    this.late.dispose();
    this.quick.dispose();
    this.patient?.dispose();
  }
}

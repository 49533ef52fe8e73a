/**
 * The protocol thread's side of the analysis: the mirror of the open documents and two lanes of work on them. The quick one knows all of
 * them and answers what an editor waits for; the patient one is made when a request first needs it, and knows only the documents asked about.
 */
import { CancellationTokenSource } from 'vscode-languageserver';
import type { UpdatedChecks } from '../../features/checks/updateActions.js';
import type { TestVerdict } from '../../features/snapshot/verdict.js';
import type { VerdictsByFunction } from '../../features/diagnostics/copyFindings.js';
import type { LateCopies } from '../../host/analysisHost.js';
import type { Settings } from '../../program/settings.js';
import { DocumentMirror, type ChosenTarget } from './documentMirror.js';
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
/** Pause after a request that background work of the patient lane made way for. */
const AGAIN_MS = 300;

export class AnalysisClient {
  private readonly mirror = new DocumentMirror();
  private readonly quick: WorkerSession;
  private patient: WorkerSession | null = null;
  private settings: Settings | null = null;
  private disposed = false;
  /** documents whose RUN lines have run */
  private readonly tested = new Set<string>();
  /** end runs that nobody has asked for */
  private readonly yielding = new Set<() => void>();
  /** documents whose copies the patient lane judges, with their versions */
  private readonly judging = new Map<string, number>();

  /**
   * Makes the worker, which loads meanwhile; work begins with the first `configure`, so that nothing is computed for settings
   * that are not the user's. @param hangMs for tests
   */
  constructor(
    private readonly createWorker: () => WorkerHandle,
    private readonly events: AnalysisEvents,
    private readonly hangMs = HANG_MS,
  ) {
    const lateCopies = (uri: string, version: number, late: LateCopies): void => {
      if (this.judging.get(uri) === version) return;
      this.judging.set(uri, version);
      void this.judgeCopies(uri, version, late).finally(() => {
        if (this.judging.get(uri) === version) this.judging.delete(uri);
      });
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
  }

  /** Changes of a document that is not open are ignored. */
  change(uri: string, version: number, changes: readonly ContentChange[]): void {
    if (!this.mirror.change(uri, version, changes)) return;
    this.quick.change(uri, version, changes);
    if (this.patient?.has(uri)) this.patient.change(uri, version, changes);
  }

  close(uri: string): void {
    if (!this.mirror.close(uri)) return;
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
    for (const giveWay of this.yielding) giveWay();
    const patient = this.patientLane();
    if (!patient) return Promise.resolve({ kind: 'outdated' });
    if (!patient.has(uri)) patient.open(uri);
    return patient.request<T>(method, uri, params, token, report);
  }

  /**
   * Runs the RUN lines of a text in the patient lane; `uri`: the document that it is, or would be. With a limit of time it is background work,
   * and is cancelled when somebody asks the lane for something. Never rejects.
   */
  async runTest(
    uri: string,
    params: RunTestParams,
    token: Token,
    report: ((message: string) => void) | null,
  ): Promise<Answer<TestVerdict>> {
    if (params.limitMs === null) for (const giveWay of this.yielding) giveWay();
    const patient = this.patientLane();
    if (!patient) return { kind: 'outdated' };
    if (this.mirror.get(uri)) this.tested.add(uri);
    const source = new CancellationTokenSource();
    const giveWay = (): void => source.cancel();
    const listener = token.onCancellationRequested(giveWay);
    if (params.limitMs !== null) this.yielding.add(giveWay);
    const answer = await patient.request<TestVerdict>(RUN_TEST_METHOD, '', params, source.token, report);
    this.yielding.delete(giveWay);
    listener.dispose();
    source.dispose();
    return answer;
  }

  /** CHECK lines of a text made anew, in the patient lane. Never rejects. */
  async updateChecks(text: string, token: Token): Promise<Answer<UpdatedChecks>> {
    for (const giveWay of this.yielding) giveWay();
    const patient = this.patientLane();
    const params: UpdateChecksParams = { text };
    return patient?.request<UpdatedChecks>(UPDATE_CHECKS_METHOD, '', params, token) ?? { kind: 'outdated' };
  }

  /** Background work as runTest: it makes way for requests and comes back; an edit of the document ends it. */
  private async judgeCopies(uri: string, version: number, late: LateCopies): Promise<void> {
    while (this.mirror.get(uri)?.version === version) {
      const patient = this.patientLane();
      if (!patient) return;
      if (!patient.has(uri)) patient.open(uri);
      const source = new CancellationTokenSource();
      const giveWay = (): void => source.cancel();
      this.yielding.add(giveWay);
      const answer = await patient.request<VerdictsByFunction>(JUDGE_COPIES_METHOD, uri, late, source.token);
      this.yielding.delete(giveWay);
      const madeWay = source.token.isCancellationRequested;
      source.dispose();
      if (answer.kind === 'result') this.quick.setCopies(uri, version, late.target, answer.result);
      if (!madeWay || answer.kind !== 'cancelled') return;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  setVerdict(uri: string, version: number, verdict: TestVerdict): void {
    this.quick.setVerdict(uri, version, verdict);
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
    this.quick.dispose();
    this.patient?.dispose();
  }
}

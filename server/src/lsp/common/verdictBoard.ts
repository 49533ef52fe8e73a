/**
 * Verdicts of tests while their authors type: after a pause the RUN lines of a document run in the patient lane, where an edit ends them and
 * requests go first. What they come to is told to the quick lane, whose diagnostics, lenses and hovers show it, and to the client.
 */
import { CancellationToken, CancellationTokenSource } from 'vscode-languageserver';
import { verdictTitle, worstState, type CheckState, type TestVerdict } from '../../features/checks/verdict.js';
import type { AnalysisClient } from './analysisClient.js';
import type { VerdictStatus } from './customRequests.js';
import type { ToolAccess, ToolPaths } from './toolAccess.js';
import type { Answer } from './workerSession.js';

/** Pause after an edit before RUN lines run. */
const PAUSE_MS = 300;
/** What takes longer runs only when it is asked for. */
const LIMIT_MS = 10_000;

const HAS_RUN_LINE = /\bRUN:.*\bllc\b/;

interface Known {
  readonly version: number;
  readonly verdict: TestVerdict;
}

export class VerdictBoard {
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly running = new Map<string, CancellationTokenSource>();
  private readonly known = new Map<string, Known>();
  private isEnabled = false;
  private paths: ToolPaths | null = null;

  /** `told`: a verdict of the present version. */
  constructor(
    private readonly analysis: AnalysisClient,
    private readonly told: (uri: string, version: number, verdict: TestVerdict) => void,
    private readonly tools: ToolAccess | null = null,
  ) {}

  /** The user's own programs from now on; null = none. `warn` gets what should be known of them. */
  use(paths: ToolPaths | null, warn: (message: string) => void): void {
    const isSame = this.paths?.llc === paths?.llc && this.paths?.fileCheck === paths?.fileCheck;
    this.paths = this.tools && paths?.llc ? paths : null;
    if (isSame || !this.paths) return;
    void this.tools!.doubt(this.paths.llc).then((doubt) => {
      if (doubt !== '') warn(doubt);
    });
  }

  /** With the user's own programs, if there are any, all RUN lines run now. */
  saved(uri: string): void {
    if (this.paths) void this.run(uri, CancellationToken.None, () => undefined);
  }

  /** Verdicts come by themselves, or only when they are asked for. */
  enable(isEnabled: boolean): void {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    for (const uri of this.analysis.openDocuments)
      if (isEnabled) this.touched(uri);
      else this.end(uri);
  }

  /** The document has a new text. */
  touched(uri: string): void {
    this.end(uri);
    if (!this.isEnabled) return;
    this.timers.set(
      uri,
      setTimeout(() => {
        this.timers.delete(uri);
        void this.runInBackground(uri);
      }, PAUSE_MS),
    );
  }

  closed(uri: string): void {
    this.end(uri);
    this.known.delete(uri);
  }

  /** A new worker knows nothing of them. */
  tellAgain(): void {
    for (const [uri, { version, verdict }] of this.known) this.analysis.setVerdict(uri, version, verdict);
  }

  dispose(): void {
    for (const uri of [...this.timers.keys(), ...this.running.keys()]) this.end(uri);
  }

  /** Runs them now, because somebody asks; an edit ends that, too. */
  async run(uri: string, token: CancellationToken, report: (message: string) => void): Promise<Answer<TestVerdict>> {
    this.end(uri);
    const version = this.analysis.versionOf(uri);
    const text = this.analysis.textOf(uri);
    if (version === undefined || text === undefined) return { kind: 'outdated' };
    const source = new CancellationTokenSource();
    const listener = token.onCancellationRequested(() => source.cancel());
    this.running.set(uri, source);
    const answer = await this.runText(uri, text, source.token, report);
    listener.dispose();
    return this.take(uri, version, source, answer);
  }

  /** A text that need not be open: with the user's own programs, if there are any. */
  async runText(
    uri: string,
    text: string,
    token: CancellationToken,
    report: ((message: string) => void) | null,
  ): Promise<Answer<TestVerdict>> {
    if (!this.tools || !this.paths) return this.analysis.runTest(uri, { text, limitMs: null }, token, report);
    const result = await this.tools.runTest(uri, text, this.paths, token);
    return result ? { kind: 'result', result } : { kind: 'cancelled' };
  }

  private async runInBackground(uri: string): Promise<void> {
    const version = this.analysis.versionOf(uri);
    const text = this.analysis.textOf(uri);
    if (version === undefined || text === undefined || !HAS_RUN_LINE.test(text)) return;
    const source = new CancellationTokenSource();
    this.running.set(uri, source);
    const answer = await this.analysis.runTest(uri, { text, limitMs: LIMIT_MS }, source.token, null);
    const isOurs = this.running.get(uri) === source;
    this.take(uri, version, source, answer);
    // A request went first; without edit it is still wanted.
    if (isOurs && answer.kind === 'cancelled' && !source.token.isCancellationRequested) this.touched(uri);
  }

  private take(
    uri: string,
    version: number,
    source: CancellationTokenSource,
    answer: Answer<TestVerdict>,
  ): Answer<TestVerdict> {
    const isOurs = this.running.get(uri) === source;
    if (isOurs) this.running.delete(uri);
    source.dispose();
    if (answer.kind !== 'result') return answer;
    if (!isOurs || this.analysis.versionOf(uri) !== version) return { kind: 'outdated' };
    this.known.set(uri, { version, verdict: answer.result });
    this.analysis.setVerdict(uri, version, answer.result);
    this.told(uri, version, answer.result);
    return answer;
  }

  /** Neither waits nor runs any more. */
  private end(uri: string): void {
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
    const source = this.running.get(uri);
    this.running.delete(uri);
    source?.cancel();
  }
}

/** What a client shows beside the lines. */
export function verdictStatus(uri: string, version: number, { runs, isExpectedToFail }: TestVerdict): VerdictStatus {
  const states = new Map<number, CheckState>();
  for (const { checks } of isExpectedToFail ? [] : runs)
    for (const { line, state } of checks) {
      const before = states.get(line);
      states.set(line, before === undefined ? state : worstState([before, state]));
    }
  const checks = [...states].map(([line, state]) => ({ line, state })).sort((a, b) => a.line - b.line);
  return {
    uri,
    version,
    runs: runs.map((run) => ({ line: run.line, verdict: run.verdict, title: verdictTitle(run) })),
    checks,
  };
}

/**
 * Work that comes late: about the present version of a document, in the patient lane or by programs of the user, while nobody waits for it. It is the same for all
 * that is found out so:
 *
 * - it begins after a pause, and once for each document;
 * - a new text, or that the document is closed, ends it (`outdated`);
 * - it makes way for what somebody asks for (`makeWay`), and begins anew after a pause;
 * - somebody may ask for it, too (`now`): then it makes way for nobody, and tells where it is;
 * - what comes of a version that is not the present one any more is dropped.
 */
import { CancellationTokenSource, type CancellationToken } from 'vscode-languageserver';
import type { Answer } from './workerSession.js';

interface Named {
  readonly name: string;
}

/** Something that is found out late. */
export interface LateKind<T> extends Named {
  /** before it begins */
  readonly pauseMs: number;
  find(uri: string, token: CancellationToken): Promise<Answer<T>>;
  /** Of the present version. */
  found(uri: string, version: number, result: T): void;
}

/** Pause after a request that work made way for. */
const AGAIN_MS = 300;

interface Job {
  /** null once it has begun */
  timer: ReturnType<typeof setTimeout> | null;
  readonly source: CancellationTokenSource;
  readonly isAsked: boolean;
  madeWay: boolean;
  /** -1 before it begins */
  version: number;
}

export class LateWork {
  private readonly jobs = new Map<string, Job>();

  constructor(private readonly versionOf: (uri: string) => number | undefined) {}

  /** Ends what it was at with the document, and begins after the pause. */
  later<T>(kind: LateKind<T>, uri: string, pauseMs = kind.pauseMs): void {
    const job = this.begin(kind, uri, false);
    const begin = (): void => {
      job.timer = null;
      void this.work(kind, uri, job, (token) => kind.find(uri, token)).then(({ isLast, answer }) => {
        if (isLast && job.madeWay && answer.kind === 'cancelled') this.later(kind, uri, AGAIN_MS);
      });
    };
    if (pauseMs === 0) begin();
    else job.timer = setTimeout(begin, pauseMs);
  }

  /** Because somebody asks, in a way of its own. */
  async now<T>(
    kind: LateKind<T>,
    uri: string,
    token: CancellationToken,
    find: (token: CancellationToken) => Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    const job = this.begin(kind, uri, true);
    const listener = token.onCancellationRequested(() => job.source.cancel());
    const { answer } = await this.work(kind, uri, job, find);
    listener.dispose();
    return answer;
  }

  /** Is it at work on the present version? */
  isAt(kind: Named, uri: string): boolean {
    const job = this.jobs.get(keyOf(kind, uri));
    return job !== undefined && (job.timer !== null || job.version === this.versionOf(uri));
  }

  /** Somebody waits: what nobody has asked for is cancelled where it is at work. */
  makeWay(): void {
    for (const job of this.jobs.values()) {
      if (job.timer !== null || job.isAsked) continue;
      job.madeWay = true;
      job.source.cancel();
    }
  }

  /** Neither waits nor works any more. */
  end(kind: Named, uri: string): void {
    this.endJob(keyOf(kind, uri));
  }

  /** The document has a new text, or is closed. */
  outdated(uri: string): void {
    for (const key of [...this.jobs.keys()]) if (key.endsWith(` ${uri}`)) this.endJob(key);
  }

  dispose(): void {
    for (const key of [...this.jobs.keys()]) this.endJob(key);
  }

  private begin(kind: Named, uri: string, isAsked: boolean): Job {
    this.end(kind, uri);
    const job = { timer: null, source: new CancellationTokenSource(), isAsked, madeWay: false, version: -1 };
    this.jobs.set(keyOf(kind, uri), job);
    return job;
  }

  /** `isLast`: nothing else has been begun, or ended it, meanwhile. */
  private async work<T>(
    kind: LateKind<T>,
    uri: string,
    job: Job,
    find: (token: CancellationToken) => Promise<Answer<T>>,
  ): Promise<{ readonly isLast: boolean; readonly answer: Answer<T> }> {
    const key = keyOf(kind, uri);
    const version = this.versionOf(uri);
    if (version === undefined) {
      this.endJob(key);
      return { isLast: false, answer: { kind: 'outdated' } };
    }
    job.version = version;
    const answer = await find(job.source.token);
    const isLast = this.jobs.get(key) === job;
    if (isLast) this.jobs.delete(key);
    job.source.dispose();
    if (answer.kind !== 'result') return { isLast, answer };
    if (!isLast || this.versionOf(uri) !== version) return { isLast, answer: { kind: 'outdated' } };
    kind.found(uri, version, answer.result);
    return { isLast, answer };
  }

  private endJob(key: string): void {
    const job = this.jobs.get(key);
    this.jobs.delete(key);
    if (job?.timer) clearTimeout(job.timer);
    job?.source.cancel();
  }
}

const keyOf = ({ name }: Named, uri: string): string => `${name} ${uri}`;

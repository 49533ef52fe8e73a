/** One candidate of a reduction, in the process itself or in a worker thread. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { engineLimit } from '../util/engineLimit.js';
import { whyNot, type Question } from './reduceCondition.js';
import { serveJobs } from './workerPool.js';

export interface ReduceJob {
  readonly text: string;
  /** null: that of the job before */
  readonly question: Question;
}

/** '' when the text is interesting, else why not: also when a limit of the engine ends it. */
export function judge({ text, question }: ReduceJob): string {
  const folder = question.folder === '' ? '' : join(question.folder, String(threadId));
  if (folder !== '') mkdirSync(folder, { recursive: true });
  try {
    return whyNot(text, { ...question, folder });
  } catch (error) {
    const limit = engineLimit(error);
    if (limit !== null) return limit;
    throw error;
  }
}

/** The worker's end. */
export const runReduceWorker = (): void => serveJobs(judge);

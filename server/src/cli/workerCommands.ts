/** First argument of the program in a worker thread, by what its jobs are. */
export const CHECK_WORKER = 'check-worker';
export const TEST_WORKER = 'test-worker';
export const SWEEP_WORKER = 'sweep-worker';
export const REDUCE_WORKER = 'reduce-worker';
export type WorkerCommand = typeof CHECK_WORKER | typeof TEST_WORKER | typeof SWEEP_WORKER | typeof REDUCE_WORKER;

export const isWorkerCommand = (command: string | undefined): boolean =>
  command === CHECK_WORKER || command === TEST_WORKER || command === SWEEP_WORKER || command === REDUCE_WORKER;

/** Work during which the signals that end a program wait. */
import { constants } from 'node:os';

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** of a process that a signal ends, as a shell sees it */
const EXIT_SIGNAL = 128;

/** Runs `work`, which does not wait for anything; a signal that came meanwhile ends the process after it. */
export async function heldSignals(work: () => void): Promise<void> {
  const handlers = ENDING.map((signal) => ({
    signal,
    end: () => process.exit(EXIT_SIGNAL + constants.signals[signal]),
  }));
  for (const { signal, end } of handlers) process.on(signal, end);
  try {
    work();
  } finally {
    // A signal is told between two turns of the loop.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (const { signal, end } of handlers) process.off(signal, end);
  }
}

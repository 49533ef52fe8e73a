/** Ctrl+C for commands that have something to write when it comes. */

/** Calls `stop` when the user interrupts the program; returns what ends that. */
export type Interrupt = (stop: () => void) => () => void;

export const onInterrupt: Interrupt = (stop) => {
  process.once('SIGINT', stop);
  return () => void process.off('SIGINT', stop);
};

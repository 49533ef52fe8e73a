/** Cancellation as a question that long work asks now and then; the answer is a value, never an exception (style E5). */
export interface CancellationToken {
  isCancelled(): boolean;
}

export const NEVER_CANCELLED: CancellationToken = { isCancelled: () => false };

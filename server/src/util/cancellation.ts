/** Cancellation as a question that long work asks now and then; the answer is a value, never an exception (style E5). */
export interface CancellationToken {
  isCancelled(): boolean;
}

/** Long work also says how far it is. */
export interface ProgressToken extends CancellationToken {
  /** e.g. `OccInitialSchedule, region 3 of 7`; may be called often */
  report?(message: string): void;
}

/**
 * Leaves work that has no other way out, as scheduling has in the midst of a region; caught where that work was begun, where it
 * becomes a value again.
 */
export class Cancelled extends Error {}

/** Cancelled also from a time on. */
export class Deadline implements ProgressToken {
  private readonly endMs: number;
  /** the time has passed, and somebody was told so */
  isLate = false;

  constructor(
    private readonly token: ProgressToken,
    ms: number,
  ) {
    this.endMs = Date.now() + ms;
  }

  isCancelled(): boolean {
    if (this.token.isCancelled()) return true;
    this.isLate ||= Date.now() > this.endMs;
    return this.isLate;
  }

  report(message: string): void {
    this.token.report?.(message);
  }
}

export const NEVER_CANCELLED: CancellationToken = { isCancelled: () => false };

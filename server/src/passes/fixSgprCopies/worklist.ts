/** Instructions that are still to be moved to the VALU, first in first out (SIInstrWorklist, LLVM 22). */
import type { InstrId } from '../../model/machineFunction.js';

/** @llvm SIInstrInfo.h SIInstrWorklist */
export class MoveWorklist {
  private readonly waiting = new Set<InstrId>();
  /** buffer and image instructions: they are looked at when all else has been moved, so that each gets one loop at most */
  private readonly deferred = new Set<InstrId>();

  constructor(private readonly isDeferred: (i: InstrId) => boolean) {}

  add(i: InstrId): void {
    this.waiting.add(i);
    if (this.isDeferred(i)) this.deferred.add(i);
  }

  /** The next one, taken out; -1 at the end. */
  next(): InstrId {
    for (const i of this.waiting) {
      this.waiting.delete(i);
      if (!this.deferred.has(i)) return i;
    }
    for (const i of this.deferred) {
      this.deferred.delete(i);
      return i;
    }
    return -1;
  }
}

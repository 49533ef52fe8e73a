/** What stands at a place of the text. */
import type { InstrId, MachineFunction } from '../model/machineFunction.js';

/**
 * The instruction whose text holds `offset` (relative to the function's document; its end counts too), or -1.
 * O(log instructions): ids follow the text until a scheduler moves them, which features never see.
 */
export function instrAt(fn: MachineFunction, offset: number): InstrId {
  const i = instrFrom(fn, offset);
  if (i < 0 || !fn.source) return -1;
  const { start, end } = fn.source.instrRange(i);
  return start <= offset && offset <= end ? i : -1;
}

/** The last instruction that begins at or before `offset`, or -1. */
export function instrFrom(fn: MachineFunction, offset: number): InstrId {
  const { source } = fn;
  if (!source || fn.nInstrs === 0) return -1;
  let lo = -1;
  let hi = fn.nInstrs - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (source.instrRange(mid).start <= offset) lo = mid;
    else hi = mid - 1;
  }
  return lo;
}

/** The way into a loop. */
import type { BlockId, MachineFunction } from '../model/machineFunction.js';

/**
 * The only block outside of a loop that goes to its header, -1 = there is none, or there are several.
 * @llvm GenericLoopInfoImpl.h LoopBase::getLoopPredecessor
 */
export function loopPredecessor(fn: MachineFunction, header: BlockId, isInside: (b: BlockId) => boolean): BlockId {
  const outside = fn.blocks[header].predecessors.filter((p) => !isInside(p));
  return outside.length > 0 && outside.every((p) => p === outside[0]) ? outside[0] : -1;
}

/**
 * The same where it goes nowhere else.
 * @llvm GenericLoopInfoImpl.h LoopBase::getLoopPreheader
 */
export function loopPreheader(fn: MachineFunction, header: BlockId, isInside: (b: BlockId) => boolean): BlockId {
  const b = loopPredecessor(fn, header, isInside);
  return b >= 0 && fn.blocks[b].successors.length === 1 ? b : -1;
}

/**
 * Live intervals after an edit. The range of a register follows from the places of its operands, the order of the slots and the edges
 * between the blocks. A register that no changed block mentions, before or after the edit, therefore keeps its range; only the slots of
 * whole blocks may have moved.
 */
import { OperandKind, type BlockId, type MachineFunction } from '../model/machineFunction.js';
import { LiveIntervals, computeLiveIntervals, recomputeIntervals } from './liveIntervals.js';
import { SlotIndexes } from './slotIndexes.js';

/** An earlier version of a function with its intervals, and what of it holds still. */
export interface EarlierIntervals {
  /** the version, or one that differs from it in places in the text only */
  readonly fn: MachineFunction;
  readonly lis: LiveIntervals;
  /** by block, 1 = unchanged, as `unchangedBlocks(fn, now)` says */
  readonly unchanged: Uint8Array;
}

/** The intervals that `computeLiveIntervals(fn)` would give, but for the numbering of the ranges. O(operands), most of it a scan. */
export function updateLiveIntervals(fn: MachineFunction, earlier: EarlierIntervals): LiveIntervals {
  const { fn: old, lis: before, unchanged } = earlier;
  if (before.isWorn || before.nVRegs !== fn.vregs.n || !hasSameEdges(old, fn, unchanged))
    return computeLiveIntervals(fn);
  const mentioned = new Uint8Array(fn.vregs.n);
  for (let b = 0; b < unchanged.length; b++) {
    if (unchanged[b] === 1) continue;
    markMentioned(old, b, mentioned);
    markMentioned(fn, b, mentioned);
  }
  const lis = LiveIntervals.movedFrom(before, fn, new SlotIndexes(fn, before.indexes));
  recomputeIntervals(lis, membersOf(mentioned));
  return lis;
}

function membersOf(marks: Uint8Array): Int32Array {
  const result = new Int32Array(marks.reduce((n, mark) => n + mark, 0));
  for (let v = 0, n = 0; v < marks.length; v++) if (marks[v] === 1) result[n++] = v;
  return result;
}

function hasSameEdges(old: MachineFunction, now: MachineFunction, unchanged: Uint8Array): boolean {
  const isSame = (a: readonly BlockId[], b: readonly BlockId[]): boolean =>
    a.length === b.length && a.every((x, k) => x === b[k]);
  for (let b = 0; b < unchanged.length; b++) {
    if (unchanged[b] === 1) continue;
    const x = old.blocks[b];
    const y = now.blocks[b];
    if (!isSame(x.successors, y.successors) || !isSame(x.predecessors, y.predecessors)) return false;
  }
  return true;
}

function markMentioned(
  { order, opBegin, opKind, opVal, blockBegin, blockEnd }: MachineFunction,
  b: BlockId,
  marks: Uint8Array,
): void {
  for (let p = blockBegin[b]; p < blockEnd[b]; p++) {
    const i = order[p];
    for (let o = opBegin[i]; o < opBegin[i + 1]; o++)
      if (opKind[o] === OperandKind.Register && opVal[o] < 0) marks[~opVal[o]] = 1;
  }
}

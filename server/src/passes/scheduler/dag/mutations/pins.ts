/** Edges that nobody but the user wants: an instruction before another, for "what if". LLVM has no such mutation. */
import type { InstrId } from '../../../../model/machineFunction.js';
import { DepKind } from '../graph.js';
import type { Mutation } from './mutation.js';

/** Instructions of one region. */
export interface Pin {
  readonly before: InstrId;
  readonly after: InstrId;
}

/** Pins of which an end is not in the region, or that dependences forbid, have no effect. O(region) for each graph */
export function pinOrder(pins: readonly Pin[]): Mutation {
  return ({ graph }) => {
    const nodeOf = new Map<InstrId, number>();
    for (let n = 0; n < graph.nSUnits; n++) nodeOf.set(graph.instr[n], n);
    for (const { before, after } of pins) {
      const pred = nodeOf.get(before);
      const succ = nodeOf.get(after);
      if (pred !== undefined && succ !== undefined && pred !== succ) graph.addEdge(succ, pred, DepKind.Artificial);
    }
  };
}

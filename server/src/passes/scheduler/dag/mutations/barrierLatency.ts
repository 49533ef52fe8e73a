/**
 * Latency that fences and split barriers hide.
 *
 * Follows BarrierLatency (AMDGPUBarrierLatency) as docs/llvm/schedule-dag.md, 9.7 describes it.
 */
import { opcodeSet } from '../../../../target/opcodeSets.js';
import { DepKind, NONE, type SUnitId } from '../graph.js';
import type { Mutation, MutationContext } from './mutation.js';

const FENCE_LATENCY_CYCLES = 2000;
/** sync scopes inside which a wave needs no fence */
const IGNORED_SCOPES = ['wavefront', 'wavefront-one-as', 'singlethread-one-as'];
const SINGLE_THREAD_ID = 0;
/** `singlethread` and the system scope have fixed ids, the others follow in the order in which LLVM meets their names */
const FIRST_NAMED_ID = 2;

/**
 * `syncScopes` are the scope names of the file in the order of their first mention; LLVM numbers them so, and adds the ignored ones
 * behind when the mutation is made.
 */
export function addBarrierLatency(syncScopes: readonly string[]): Mutation {
  const names = [...syncScopes, ...IGNORED_SCOPES.filter((s) => !syncScopes.includes(s))];
  const ignored = new Set([SINGLE_THREAD_ID, ...IGNORED_SCOPES.map((s) => FIRST_NAMED_ID + names.indexOf(s))]);
  return (ctx) => {
    const { graph, fn } = ctx;
    const fences = opcodeSet(fn.tables, 'atomicFence');
    const waits = opcodeSet(fn.tables, 'barrierWait');
    const starts = opcodeSet(fn.tables, 'barrierStart');
    for (let n = 0; n < graph.nSUnits; n++) {
      const i = graph.instr[n];
      const opcode = fn.opcode[i];
      if (fences.has(opcode)) {
        if (!ignored.has(fn.imm(fn.opBegin[i] + 1))) raisePureLoads(ctx, n);
      } else if (waits.has(opcode)) {
        for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
          if (starts.has(fn.opcode[graph.instr[graph.edgePred[e]]]))
            graph.setEdgeLatency(e, graph.edgeLatencyCycles[e] + ctx.barrierSignalWaitLatencyCycles);
        }
      }
    }
  };
}

function raisePureLoads(ctx: MutationContext, n: SUnitId): void {
  const { graph, memory } = ctx;
  for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
    if (graph.edgeKind[e] !== DepKind.Barrier) continue;
    const i = graph.instr[graph.edgePred[e]];
    if (memory.mayLoad(i) && !memory.mayStore(i))
      graph.setEdgeLatency(e, graph.edgeLatencyCycles[e] + FENCE_LATENCY_CYCLES);
  }
}

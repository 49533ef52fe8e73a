/**
 * Latency that fences and split barriers hide.
 *
 * Follows BarrierLatency (AMDGPUBarrierLatency) as spec schedule-dag.md 9.7 describes it.
 */
import { Generation } from '../../../target/api.js';
import { DepKind, NONE, type SUnitId } from '../graph.js';
import type { Mutation, MutationContext } from './mutation.js';

const FENCE_LATENCY_CYCLES = 2000;
/** sync scopes of ATOMIC_FENCE that order nothing in memory shared with others, by SyncScope id order of LLVM's context */
const IGNORED_SCOPES = new Set(['singlethread', 'wavefront', 'wavefront-one-as', 'singlethread-one-as']);

export const addBarrierLatency: (scopeName: (id: number) => string) => Mutation = (scopeName) => (ctx) => {
  const { graph, fn } = ctx;
  for (let n = 0; n < graph.nSUnits; n++) {
    const i = graph.instr[n];
    const name = fn.tables.opcodeName(fn.opcode[i]);
    if (name === 'ATOMIC_FENCE') {
      const scope = scopeName(fn.imm(fn.opBegin[i] + 1));
      const ignored =
        IGNORED_SCOPES.has(scope) || (fn.subtarget.generation < Generation.GFX10 && scope === 'workgroup');
      if (!ignored) raisePureLoads(ctx, n);
    } else if (name === 'S_BARRIER_WAIT') {
      for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
        const pred = fn.tables.opcodeName(fn.opcode[graph.instr[graph.edgePred[e]]]);
        if (pred.startsWith('S_BARRIER_SIGNAL'))
          graph.setEdgeLatency(e, graph.edgeLatencyCycles[e] + ctx.barrierSignalWaitLatencyCycles);
      }
    }
  }
};

function raisePureLoads(ctx: MutationContext, n: SUnitId): void {
  const { graph, memory } = ctx;
  for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
    if (graph.edgeKind[e] !== DepKind.Barrier) continue;
    const i = graph.instr[graph.edgePred[e]];
    if (memory.mayLoad(i) && !memory.mayStore(i))
      graph.setEdgeLatency(e, graph.edgeLatencyCycles[e] + FENCE_LATENCY_CYCLES);
  }
}

/**
 * Latency that fences, split barriers and waits for data moved to LDS hide.
 *
 * Follows BarrierLatency (AMDGPUBarrierLatency) as docs/llvm/schedule-dag.md, 9.7 describes it.
 */
import type { MachineFunction } from '../../../../model/machineFunction.js';
import { Generation } from '../../../../target/api.js';
import { opcodeSet } from '../../../../target/opcodeSets.js';
import { usesAsyncCnt, usesTensorCnt } from '../../../../target/opcodes.js';
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
 * when the mutation is made.
 * @llvm AMDGPUBarrierLatency.cpp BarrierLatency::apply
 */
export function addBarrierLatency(syncScopes: readonly string[], of: MachineFunction): Mutation {
  const scopes = [...IGNORED_SCOPES, ...(needsNoWorkgroupWait(of) ? ['workgroup'] : [])];
  const names = [...syncScopes, ...scopes.filter((s) => !syncScopes.includes(s))];
  const ignored = new Set([SINGLE_THREAD_ID, ...scopes.map((s) => FIRST_NAMED_ID + names.indexOf(s))]);
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
    if (fn.subtarget.release.rules.freesGroupFences) shortenWaits(ctx);
  };
}

/** A release fence of a work group waits for nothing: its waves share their caches. Not so when they may be on several CUs. */
function needsNoWorkgroupWait({ subtarget, header }: MachineFunction): boolean {
  if (!subtarget.release.rules.freesGroupFences || subtarget.generation >= Generation.GFX10) return false;
  return !(subtarget.hasFeature('gfx90a-insts') && header.irFunction.attributes.has('amdgpu-tg-split'));
}

/** A wait for all but the last n transfers to LDS waits for none of those n. */
function shortenWaits({ graph, fn }: MutationContext): void {
  const { tables } = fn;
  const waits = [
    { opcode: tables.opcodeByName('S_WAIT_TENSORCNT'), isTransfer: usesTensorCnt, reg: tables.regByName('tensorcnt') },
    { opcode: tables.opcodeByName('S_WAIT_ASYNCCNT'), isTransfer: usesAsyncCnt, reg: tables.regByName('asynccnt') },
  ];
  const transfers: SUnitId[][] = waits.map(() => []);
  for (let n = 0; n < graph.nSUnits; n++) {
    const i = graph.instr[n];
    waits.forEach(({ opcode, isTransfer, reg }, k) => {
      if (isTransfer(tables, fn.opcode[i])) transfers[k].push(n);
      if (fn.opcode[i] !== opcode) return;
      const count = fn.imm(fn.opBegin[i]);
      const last = new Set(count === 0 ? [] : transfers[k].slice(-count));
      for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e])
        if (graph.edgeKind[e] === DepKind.Data && graph.edgeReg[e] === reg && last.has(graph.edgePred[e]))
          graph.setEdgeLatency(e, 1);
    });
  }
}

function raisePureLoads(ctx: MutationContext, n: SUnitId): void {
  const { graph, memory, fn } = ctx;
  const { fencesWaitForLoads } = fn.subtarget.release.rules;
  for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
    if (graph.edgeKind[e] !== DepKind.Barrier) continue;
    const i = graph.instr[graph.edgePred[e]];
    if (!memory.mayLoad(i) || memory.mayStore(i)) continue;
    const cycles = fencesWaitForLoads ? ctx.latencyOf(i) : FENCE_LATENCY_CYCLES;
    graph.setEdgeLatency(e, graph.edgeLatencyCycles[e] + cycles);
  }
}

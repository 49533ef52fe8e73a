/**
 * Keeps a carry or condition producer directly before its consumer.
 *
 * Follows createMacroFusionDAGMutation with AMDGPU's pairs as docs/llvm/schedule-dag.md, 9.5 describes them.
 */
import { OpFlag, OperandKind, type MachineFunction, type InstrId } from '../../../../model/machineFunction.js';
import type { Reg } from '../../../../model/register.js';
import { opcodeSet } from '../../../../target/opcodeSets.js';
import { DepKind, isWeakDep, NONE, type SUnitId } from '../graph.js';
import type { Mutation, MutationContext } from './mutation.js';

/** @llvm MacroFusion.cpp MacroFusion::apply */
export const fuseMacros: Mutation = (ctx) => {
  const { graph } = ctx;
  const { opcode } = ctx.fn;
  const seconds = opcodeSet(ctx.fn.tables, 'fusedWithCarry');
  // ExitSU's instruction counts as a second one too, but terminators are never one of the opcodes
  for (let n = 0; n < graph.nSUnits; n++) if (seconds.has(opcode[graph.instr[n]])) fuseWithPredecessor(ctx, n);
};

/** @llvm MacroFusion.cpp MacroFusion::scheduleAdjacentImpl */
function fuseWithPredecessor(ctx: MutationContext, second: SUnitId): void {
  const { graph, fn } = ctx;
  const i = graph.instr[second];
  // each of them has one
  const o = fn.opBegin[i] + fn.tables.getNamedOperandIdx(fn.opcode[i], 'src2');
  if (fn.opKind[o] !== OperandKind.Register) return;
  for (let e = graph.firstPred[second]; e !== NONE; e = graph.nextPred[e]) {
    const kind = graph.edgeKind[e];
    if (isWeakDep(kind) || kind === DepKind.Anti || kind === DepKind.Output) continue;
    const first = graph.edgePred[e];
    if (clusterPred(ctx, first) !== NONE || !definesRegister(fn, graph.instr[first], fn.opVal[o])) continue;
    // One that is fused already leaves the others their chance.
    if (fuse(ctx, first, second)) return;
  }
}

/**
 * Nothing is fused with the node yet.
 * @llvm MacroFusion.cpp hasLessThanNumFused
 */
export const isUnfused = (ctx: MutationContext, n: SUnitId): boolean =>
  clusterPred(ctx, n) === NONE && clusterSucc(ctx, n) === NONE;

function clusterPred(ctx: MutationContext, n: SUnitId): SUnitId {
  const { graph } = ctx;
  for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e])
    if (graph.edgeKind[e] === DepKind.Cluster) return graph.edgePred[e];
  return NONE;
}

function clusterSucc(ctx: MutationContext, n: SUnitId): SUnitId {
  const { graph } = ctx;
  for (let e = graph.firstSucc[n]; e !== NONE; e = graph.nextSucc[e])
    if (graph.edgeKind[e] === DepKind.Cluster) return graph.edgeSucc[e];
  return NONE;
}

/** @llvm AMDGPUMacroFusion.cpp shouldScheduleAdjacent */
function definesRegister(fn: MachineFunction, i: InstrId, reg: Reg): boolean {
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
    if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o] & OpFlag.Def) === 0) continue;
    const r = fn.opVal[o];
    if (r === reg || (r > 0 && reg > 0 && fn.tables.isSubRegister(r, reg))) return true;
  }
  return false;
}

function hasEdge(ctx: MutationContext, pred: SUnitId, succ: SUnitId): boolean {
  const { graph } = ctx;
  for (let e = graph.firstPred[succ]; e !== NONE; e = graph.nextPred[e]) if (graph.edgePred[e] === pred) return true;
  return false;
}

/**
 * Puts two nodes behind each other. @returns false: one of them has a partner already, or the second has to come first
 * @llvm MacroFusion.cpp fuseInstructionPair
 */
export function fuse(ctx: MutationContext, first: SUnitId, second: SUnitId): boolean {
  const { graph } = ctx;
  if (clusterSucc(ctx, first) !== NONE || clusterPred(ctx, second) !== NONE) return false;
  if (!graph.addEdge(second, first, DepKind.Cluster)) return false;
  const cluster = ctx.nClusters++;
  graph.parentCluster[first] = cluster;
  graph.parentCluster[second] = cluster;
  for (let e = graph.firstSucc[first]; e !== NONE; e = graph.nextSucc[e])
    if (graph.edgeSucc[e] === second) graph.setEdgeLatency(e, 0);
  for (let e = graph.firstSucc[first]; e !== NONE; e = graph.nextSucc[e]) {
    const kind = graph.edgeKind[e];
    const succ = graph.edgeSucc[e];
    if (isWeakDep(kind) || kind === DepKind.Anti || kind === DepKind.Output) continue;
    if (succ === graph.exitSU || hasEdge(ctx, succ, second)) continue;
    graph.addEdge(succ, second, DepKind.Artificial);
  }
  for (let e = graph.firstPred[second]; e !== NONE; e = graph.nextPred[e]) {
    const kind = graph.edgeKind[e];
    const pred = graph.edgePred[e];
    if (isWeakDep(kind) || kind === DepKind.Anti || kind === DepKind.Output) continue;
    if (hasEdge(ctx, first, pred)) continue;
    graph.addEdge(first, pred, DepKind.Artificial);
  }
  return true;
}

/**
 * Chains the exports of a region, positions first.
 *
 * Follows ExportClustering (AMDGPUExportClustering) as docs/llvm/schedule-dag.md, 9.6 describes it.
 */
import { DepKind, isWeakDep, NONE, type EdgeId, type SUnitId } from '../graph.js';
import type { Mutation, MutationContext } from './mutation.js';

const EXP_BIT = 1 << 23;
/** export targets POS0 .. POS4: 17 to 20 (PRIM is 20) are none */
const FIRST_POSITION_TARGET = 12;
const LAST_POSITION_TARGET = 16;

/** @llvm AMDGPUExportClustering.cpp isExport */
function isExport(ctx: MutationContext, n: SUnitId): boolean {
  const i = ctx.graph.instr[n];
  return i >= 0 && (ctx.fn.tables.opcodeTSLo(ctx.fn.opcode[i]) & EXP_BIT) !== 0;
}

/** @llvm AMDGPUExportClustering.cpp isPositionExport */
function isPositionExport(ctx: MutationContext, n: SUnitId): boolean {
  const { fn, graph } = ctx;
  const i = graph.instr[n];
  // every export has one
  const target = fn.imm(fn.opBegin[i] + fn.tables.getNamedOperandIdx(fn.opcode[i], 'tgt'));
  return target >= FIRST_POSITION_TARGET && target <= LAST_POSITION_TARGET;
}

/**
 * Removes barrier edges that come from exports; a node that is no export keeps the barriers the export itself had.
 * @llvm AMDGPUExportClustering.cpp removeExportDependencies
 */
function removeExportDeps(ctx: MutationContext, n: SUnitId): void {
  const { graph } = ctx;
  const toAdd: SUnitId[] = [];
  const toRemove: EdgeId[] = [];
  const nIsExport = isExport(ctx, n);
  for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
    const pred = graph.edgePred[e];
    if (graph.edgeKind[e] !== DepKind.Barrier || !isExport(ctx, pred)) continue;
    toRemove.push(e);
    if (nIsExport) continue;
    for (let p = graph.firstPred[pred]; p !== NONE; p = graph.nextPred[p]) {
      const far = graph.edgePred[p];
      if (graph.edgeKind[p] === DepKind.Barrier && !isExport(ctx, far)) toAdd.push(far);
    }
  }
  for (const e of toRemove) graph.removeEdge(e);
  for (const pred of toAdd) graph.addEdge(n, pred, DepKind.Barrier);
}

/** @llvm AMDGPUExportClustering.cpp ExportClustering::apply */
export const clusterExports: Mutation = (ctx) => {
  const { graph } = ctx;
  const chain: SUnitId[] = [];
  let nPositions = 0;
  for (let n = 0; n < graph.nSUnits; n++) {
    if (!isExport(ctx, n)) continue;
    chain.push(n);
    if (isPositionExport(ctx, n)) nPositions++;
    removeExportDeps(ctx, n);
    const succs: SUnitId[] = [];
    for (let e = graph.firstSucc[n]; e !== NONE; e = graph.nextSucc[e]) succs.push(graph.edgeSucc[e]);
    for (const s of succs) removeExportDeps(ctx, s);
  }
  if (chain.length < 2) return;
  const sorted =
    nPositions > 0 && nPositions < chain.length
      ? [...chain.filter((n) => isPositionExport(ctx, n)), ...chain.filter((n) => !isPositionExport(ctx, n))]
      : chain;
  const head = sorted[0];
  for (let k = 0; k + 1 < sorted.length; k++) {
    const a = sorted[k];
    const b = sorted[k + 1];
    const preds: SUnitId[] = [];
    for (let e = graph.firstPred[b]; e !== NONE; e = graph.nextPred[e]) {
      const pred = graph.edgePred[e];
      if (!isExport(ctx, pred) && !isWeakDep(graph.edgeKind[e])) preds.push(pred);
    }
    for (const p of preds) graph.addEdge(head, p, DepKind.Artificial);
    graph.addEdge(b, a, DepKind.Barrier);
    graph.addEdge(b, a, DepKind.Cluster);
  }
};

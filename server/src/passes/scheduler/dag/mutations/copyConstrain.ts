/**
 * Weak edges that let the two registers of a copy share a place: other uses of the one that is local to the region go before the next
 * definition of the other, and earlier uses of that one before the local one's definition.
 *
 * Follows CopyConstrain (MachineScheduler.cpp, LLVM 22), which only the generic scheduler uses.
 */
import type { LiveIntervals } from '../../../../analysis/liveIntervals.js';
import { baseSlot, Slot } from '../../../../analysis/slotIndexes.js';
import { OpFlag, OperandKind } from '../../../../model/machineFunction.js';
import { DepKind, NONE, type SUnitId } from '../graph.js';
import type { Mutation, MutationContext } from './mutation.js';

/**
 * `lis`: of the order that the graph was built from, as far as this region is concerned.
 * @llvm MachineScheduler.cpp CopyConstrain::apply
 */
export function constrainCopies(lis: LiveIntervals): Mutation {
  return (ctx) => {
    const { graph, fn } = ctx;
    const copy = fn.tables.opcodeByName('COPY');
    const nodeAt = new Map<number, SUnitId>();
    for (let n = 0; n < graph.nSUnits; n++) nodeAt.set(lis.indexes.instrIndex[graph.instr[n]], n);
    for (let n = 0; n < graph.nSUnits; n++) if (fn.opcode[graph.instr[n]] === copy) constrainCopy(ctx, lis, nodeAt, n);
  };
}

/** @llvm MachineScheduler.cpp CopyConstrain::constrainLocalCopy */
function constrainCopy(
  ctx: MutationContext,
  lis: LiveIntervals,
  nodeAt: ReadonlyMap<number, SUnitId>,
  copy: SUnitId,
): void {
  const { graph, fn } = ctx;
  const dst = fn.opBegin[graph.instr[copy]];
  const src = dst + 1;
  if (fn.opKind[src] !== OperandKind.Register || fn.opVal[src] >= 0 || fn.opVal[dst] >= 0) return;
  if ((fn.opFlags[src] & (OpFlag.Undef | OpFlag.Internal)) !== 0 || (fn.opFlags[dst] & OpFlag.Dead) !== 0) return;
  const { instrIndex } = lis.indexes;
  const first = instrIndex[graph.instr[0]];
  const last = instrIndex[graph.instr[graph.nSUnits - 1]] + Slot.Dead;
  const isLocal = (reg: number): boolean => {
    const range = lis.mainRange[~reg];
    const begin = lis.segBegin[range];
    return lis.segStart[begin] > first && lis.segEnd[begin + lis.segCount[range] - 1] < last;
  };
  let local = fn.opVal[src];
  let global = fn.opVal[dst];
  if (!isLocal(local)) {
    [local, global] = [global, local];
    if (!isLocal(local)) return;
  }
  const localRange = lis.mainRange[~local];
  const localBegin = lis.segBegin[localRange];
  const localStart = lis.segStart[localBegin];
  const globalRange = lis.mainRange[~global];
  const globalBegin = lis.segBegin[globalRange];
  const globalEnd = globalBegin + lis.segCount[globalRange];
  // the segment of the global register that begins after the definition of the local one
  let at = globalBegin;
  while (at < globalEnd && lis.segEnd[at] <= localStart) at++;
  if (at < globalEnd && lis.segStart[at] <= localStart) at++;
  if (at === globalEnd) return;
  if (at !== globalBegin) {
    // no hole between two definitions of one instruction, nor when the local register is made where the global one was
    if (baseSlot(lis.segEnd[at - 1]) === baseSlot(lis.segStart[at])) return;
    if (baseSlot(lis.segStart[at - 1]) === baseSlot(localStart)) return;
  }
  const globalNode = nodeAt.get(baseSlot(lis.segStart[at]));
  if (globalNode === undefined) return;
  // Definitions inside of the region are nodes; within a block each value has one segment.
  const lastLocal = nodeAt.get(baseSlot(lis.segStart[localBegin + lis.segCount[localRange] - 1]))!;
  const firstLocal = nodeAt.get(baseSlot(localStart))!;
  const localUses: SUnitId[] = [];
  for (let e = graph.firstSucc[lastLocal]; e !== NONE; e = graph.nextSucc[e]) {
    const use = graph.edgeSucc[e];
    if (graph.edgeKind[e] !== DepKind.Data || graph.edgeReg[e] !== local || use === globalNode) continue;
    if (use === graph.exitSU || !graph.canAddEdge(globalNode, use)) return;
    localUses.push(use);
  }
  const globalUses: SUnitId[] = [];
  for (let e = graph.firstPred[globalNode]; e !== NONE; e = graph.nextPred[e]) {
    const use = graph.edgePred[e];
    if (graph.edgeKind[e] !== DepKind.Anti || graph.edgeReg[e] !== global || use === firstLocal) continue;
    if (!graph.canAddEdge(firstLocal, use)) return;
    globalUses.push(use);
  }
  for (const use of localUses) graph.addEdge(globalNode, use, DepKind.Weak);
  for (const use of globalUses) graph.addEdge(firstLocal, use, DepKind.Weak);
}

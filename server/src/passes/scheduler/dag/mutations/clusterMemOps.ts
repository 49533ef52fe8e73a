/**
 * Clusters neighbouring loads or stores.
 *
 * Follows BaseMemOpClusterMutation with SIInstrInfo::shouldClusterMemOps as docs/llvm/schedule-dag.md, 9.1 to 9.4 describes them.
 */
import { DenseMapOrder } from '../../../../util/denseMapOrder.js';
import { OperandKind, type InstrId, type OperandId } from '../../../../model/machineFunction.js';
import { DepKind, NONE, type SUnitId } from '../graph.js';
import { decomposeMemAccess, identicalOperands } from '../memAccess.js';
import type { Mutation, MutationContext } from './mutation.js';

const MAX_CLUSTER_DWORDS_WITHOUT_BASE = 8;

interface MemOp {
  readonly node: SUnitId;
  readonly instr: InstrId;
  readonly base: readonly OperandId[];
  readonly offset: number;
  readonly widthBytes: number;
}

/** @llvm MachineScheduler.cpp LoadClusterMutation */
export const clusterLoads: Mutation = (ctx) => cluster(ctx, true);
/** @llvm MachineScheduler.cpp StoreClusterMutation */
export const clusterStores: Mutation = (ctx) => cluster(ctx, false);

/** @llvm MachineScheduler.cpp BaseMemOpClusterMutation::collectMemOpRecords */
function collect(ctx: MutationContext, isLoad: boolean): MemOp[] {
  const { graph, fn, memory } = ctx;
  const records: MemOp[] = [];
  for (let n = 0; n < graph.nSUnits; n++) {
    const i = graph.instr[n];
    if (!(isLoad ? memory.mayLoad(i) : memory.mayStore(i))) continue;
    const access = decomposeMemAccess(fn, i);
    if (access === null) continue;
    records.push({ node: n, instr: i, ...access });
  }
  return records;
}

/** @llvm MachineScheduler.cpp BaseMemOpClusterMutation::apply */
function cluster(ctx: MutationContext, isLoad: boolean): void {
  const records = collect(ctx, isLoad);
  if (records.length < 2) return;
  const { forceFast, fastThreshold } = ctx.clusterLimits;
  const fast = forceFast || Math.floor((records.length * ctx.graph.nSUnits) / 1000) > fastThreshold;
  for (const group of groups(ctx, records, fast, isLoad)) {
    group.sort((a, b) => compareMemOps(ctx, a, b));
    clusterGroup(ctx, group, fast, isLoad);
  }
}

/**
 * In huge regions only records with the same control predecessor are compared.
 * @llvm MachineScheduler.cpp BaseMemOpClusterMutation::groupMemOps
 */
function groups(ctx: MutationContext, records: MemOp[], fast: boolean, isLoad: boolean): Iterable<MemOp[]> {
  if (!fast) return [records];
  const { graph, memory } = ctx;
  const byChain = new Map<number, MemOp[]>();
  for (const r of records) {
    let chain = graph.nSUnits;
    for (let e = graph.firstPred[r.node]; e !== NONE; e = graph.nextPred[e]) {
      const kind = graph.edgeKind[e];
      if (kind === DepKind.Data || kind === DepKind.Artificial) continue;
      const pred = graph.edgePred[e];
      if (!isLoad && !memory.mayStore(graph.instr[pred])) continue;
      chain = pred;
      break;
    }
    const group = byChain.get(chain);
    if (group === undefined) byChain.set(chain, [r]);
    else group.push(r);
  }
  const order = new DenseMapOrder();
  for (const chain of byChain.keys()) order.insert(chain);
  return order.keys().map((chain) => byChain.get(chain) ?? []);
}

function compareMemOps(ctx: MutationContext, a: MemOp, b: MemOp): number {
  const { fn } = ctx;
  const n = Math.min(a.base.length, b.base.length);
  for (let k = 0; k < n; k++) {
    const x = a.base[k];
    const y = b.base[k];
    if (fn.opKind[x] !== fn.opKind[y]) return fn.opKind[x] - fn.opKind[y];
    if (fn.opKind[x] === OperandKind.Register) {
      // register ids compare unsigned: virtual registers after physical ones, by index
      const rx = registerRank(fn.opVal[x]);
      const ry = registerRank(fn.opVal[y]);
      if (rx !== ry) return rx - ry;
    } else if (fn.opVal[x] !== fn.opVal[y]) return fn.opVal[x] - fn.opVal[y];
  }
  return a.base.length - b.base.length || a.offset - b.offset || a.node - b.node;
}

function registerRank(reg: number): number {
  return reg < 0 ? 0x80000000 + ~reg : reg;
}

/** @llvm MachineScheduler.cpp BaseMemOpClusterMutation::clusterNeighboringMemOps */
function clusterGroup(ctx: MutationContext, recs: MemOp[], fast: boolean, isLoad: boolean): void {
  const { graph } = ctx;
  const lengthOf = new Map<SUnitId, { len: number; bytes: number }>();
  // union of clustered nodes: representative by node
  const leader = new Map<SUnitId, SUnitId>();
  const find = (n: SUnitId): SUnitId => {
    let l = n;
    for (let p = leader.get(l)!; p !== l; p = leader.get(l)!) l = p;
    return l;
  };
  for (let idx = 0; idx + 1 < recs.length; idx++) {
    const a = recs[idx];
    let next = idx + 1;
    for (; next < recs.length; next++) {
      const b = recs[next];
      if (lengthOf.has(b.node)) continue;
      if (fast || (!graph.isReachable(b.node, a.node) && !graph.isReachable(a.node, b.node))) break;
    }
    if (next === recs.length) continue;
    const b = recs[next];
    const chain = lengthOf.get(a.node);
    const len = chain === undefined ? 2 : chain.len + 1;
    const bytes = (chain === undefined ? a.widthBytes : chain.bytes) + b.widthBytes;
    if (!shouldCluster(ctx, a, b, len, bytes)) continue;
    const first = Math.min(a.node, b.node);
    const second = Math.max(a.node, b.node);
    if (!graph.addEdge(second, first, DepKind.Cluster)) continue;
    if (!leader.has(first)) leader.set(first, first);
    if (!leader.has(second)) leader.set(second, second);
    leader.set(find(second), find(first));
    if (isLoad) {
      // what waits for the first waits for the pair
      for (let e = graph.firstSucc[first]; e !== NONE; e = graph.nextSucc[e]) {
        const succ = graph.edgeSucc[e];
        if (succ !== second) graph.addEdge(succ, second, DepKind.Artificial);
      }
    } else {
      for (let e = graph.firstPred[second]; e !== NONE; e = graph.nextPred[e]) {
        const pred = graph.edgePred[e];
        if (pred !== first) graph.addEdge(first, pred, DepKind.Artificial);
      }
    }
    lengthOf.set(b.node, { len, bytes });
  }
  assignClusters(ctx, leader, find);
}

function assignClusters(ctx: MutationContext, leader: Map<SUnitId, SUnitId>, find: (n: SUnitId) => SUnitId): void {
  const indexOf = new Map<SUnitId, number>();
  for (const n of leader.keys()) {
    const l = find(n);
    let index = indexOf.get(l);
    if (index === undefined) {
      index = ctx.nClusters++;
      indexOf.set(l, index);
    }
    ctx.graph.parentCluster[n] = index;
  }
}

/** @llvm SIInstrInfo.cpp SIInstrInfo::shouldClusterMemOps */
function shouldCluster(ctx: MutationContext, a: MemOp, b: MemOp, len: number, bytes: number): boolean {
  let limit = ctx.maxClusterDWords;
  if (a.base.length > 0 && b.base.length > 0) {
    if (!sameBasePointer(ctx, a, b)) return false;
  } else if (a.base.length > 0 || b.base.length > 0) return false;
  else limit = MAX_CLUSTER_DWORDS_WITHOUT_BASE;
  const perOp = Math.floor(bytes / len);
  return Math.ceil(perOp / 4) * len <= limit;
}

/** @llvm SIInstrInfo.cpp memOpsHaveSameBasePtr */
function sameBasePointer(ctx: MutationContext, a: MemOp, b: MemOp): boolean {
  if (identicalOperands(ctx.fn, a.base[0], b.base[0])) return true;
  const x = ctx.underlyingObjectOfBase(a.instr);
  const y = ctx.underlyingObjectOfBase(b.instr);
  return x !== null && y !== null && x.addressSpace === y.addressSpace && x.key === y.key;
}

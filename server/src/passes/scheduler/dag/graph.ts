/**
 * The scheduling graph of one region: SUnits and SDeps in typed arrays.
 *
 * Follows the semantics of LLVM's SUnit::addPred, ScheduleDAGTopologicalSort (Pearce and Kelly's dynamic topological
 * order) and SUnit::getDepth/getHeight as docs/llvm/schedule-dag.md, 4 and 7.4 describe them; the representation is ours: an
 * edge is one row, threaded on two linked lists (predecessors of its target, successors of its source), because the order
 * of both lists decides the order of the ready queues.
 *
 * Nodes 0 .. n-1 are the SUnits in the order of the region when the graph was built; node n is ExitSU. One object serves
 * a whole function: `reset` keeps the buffers.
 */
import type { Id } from '../../../util/id.js';
import { invariant } from '../../../util/invariant.js';
import { EdgePairs } from './edgePairs.js';

/** SDep::Kind and, from Barrier on, SDep::OrderKind. */
export const enum DepKind {
  Data = 0,
  Anti = 1,
  Output = 2,
  Barrier = 3,
  MayAliasMem = 4,
  MustAliasMem = 5,
  Artificial = 6,
  Weak = 7,
  Cluster = 8,
}

export const DEP_KIND_NAMES = [
  'Data',
  'Anti',
  'Output',
  'Barrier',
  'MayAliasMem',
  'MustAliasMem',
  'Artificial',
  'Weak',
  'Cluster',
] as const;

/** Weak edges do not bind; the others are strong. */
export const isWeakDep = (kind: number): boolean => kind >= DepKind.Weak;
export const isRegisterDep = (kind: number): boolean => kind <= DepKind.Output;

export const enum SUnitFlag {
  /** uses a resource with buffer size 0 */
  HasReservedResource = 1,
  /** uses a resource with buffer size 1 */
  IsUnbuffered = 2,
  HasPhysRegDefs = 4,
  HasPhysRegUses = 8,
  IsScheduled = 16,
}

export type SUnitId = Id<'sunit'>;
export type EdgeId = Id<'edge'>;
/** end of a list, no node, no cluster */
export const NONE = -1;

const INITIAL_NODES = 64;
const INITIAL_EDGES = 512;

/** Larger graphs are searched each time: their table would be larger than 8 MB. */
const MAX_TABLE_NODES = 8192;
/** When a table of the edges by their ends pays. */
const WALKED_BEFORE_TABLE = 1 << 18;
/** When a table pays. */
const SEARCHES_BEFORE_TABLE = 1 << 20;

export class ScheduleGraph {
  /** number of SUnits without ExitSU */
  nSUnits = 0;
  nEdges = 0;

  // -- nodes: length nSUnits + 1, the last is ExitSU --------------------------------------------------------------
  /** instruction of a node; ExitSU: the boundary instruction or -1 */
  instr = new Int32Array(INITIAL_NODES);
  latencyCycles = new Int32Array(INITIAL_NODES);
  /** SUnitFlag */
  flags = new Uint8Array(INITIAL_NODES);
  /** resolved scheduling class; 0 = none */
  schedClass = new Uint16Array(INITIAL_NODES);
  /** strong edges not yet satisfied */
  numPredsLeft = new Int32Array(INITIAL_NODES);
  numSuccsLeft = new Int32Array(INITIAL_NODES);
  weakPredsLeft = new Int32Array(INITIAL_NODES);
  weakSuccsLeft = new Int32Array(INITIAL_NODES);
  /** Data edges only, as in LLVM */
  numPreds = new Int32Array(INITIAL_NODES);
  numSuccs = new Int32Array(INITIAL_NODES);
  /** index of the cluster set, NONE if in none */
  parentCluster = new Int32Array(INITIAL_NODES);
  firstPred = new Int32Array(INITIAL_NODES);
  lastPred = new Int32Array(INITIAL_NODES);
  firstSucc = new Int32Array(INITIAL_NODES);
  lastSucc = new Int32Array(INITIAL_NODES);

  // -- edges --------------------------------------------------------------------------------------------------------
  edgePred = new Int32Array(INITIAL_EDGES);
  edgeSucc = new Int32Array(INITIAL_EDGES);
  /** DepKind */
  edgeKind = new Uint8Array(INITIAL_EDGES);
  /** register of a register edge, 0 for order edges */
  edgeReg = new Int32Array(INITIAL_EDGES);
  edgeLatencyCycles = new Int32Array(INITIAL_EDGES);
  /** what the edge has in the list of successors; the same column unless a mutation has changed these alone */
  succLatencyCycles = this.edgeLatencyCycles;
  nextPred = new Int32Array(INITIAL_EDGES);
  nextSucc = new Int32Array(INITIAL_EDGES);

  private depths = new Int32Array(INITIAL_NODES);
  private heights = new Int32Array(INITIAL_NODES);
  private pathsDirty = true;

  // dynamic topological order of the SUnits (ExitSU is not part of it)
  private topoIndex = new Int32Array(INITIAL_NODES);
  private topoNode = new Int32Array(INITIAL_NODES);
  private visitMark = new Int32Array(INITIAL_NODES);
  private visitEpoch = 0;
  /** what joins a SUnit already, while edges to it are made */
  private joinMark = new Int32Array(0);
  private joinEpoch = 0;
  private stack = new Int32Array(INITIAL_NODES);
  private scratch = new Int32Array(INITIAL_NODES);
  /** bit `to` of row `from`: a path leads there; null = searched. LLVM searches: with many edges that is most of the work of clustering. */
  private reach: Uint32Array | null = null;
  private reachWords = 0;
  /** edges that searches have looked at since the graph last lost one */
  private searched = 0;
  /** and in all */
  nSearched = 0;
  /** null = lists are walked */
  private pairs: EdgePairs | null = null;
  /** edges that were walked for new ones since then */
  private walked = 0;

  /** @param searchesBeforeTable edges that searches look at before a table of all answers is made */
  constructor(private readonly searchesBeforeTable = SEARCHES_BEFORE_TABLE) {}

  get exitSU(): SUnitId {
    return this.nSUnits;
  }

  /** Empties the graph and makes room for `n` SUnits and ExitSU. */
  reset(n: number): void {
    const size = n + 1;
    if (this.instr.length < size) this.growNodes(Math.max(size, this.instr.length * 2));
    this.nSUnits = n;
    this.nEdges = 0;
    this.succLatencyCycles = this.edgeLatencyCycles;
    for (const a of [
      this.latencyCycles,
      this.numPredsLeft,
      this.numSuccsLeft,
      this.weakPredsLeft,
      this.weakSuccsLeft,
      this.numPreds,
      this.numSuccs,
    ])
      a.fill(0, 0, size);
    for (const a of [this.instr, this.parentCluster, this.firstPred, this.lastPred, this.firstSucc, this.lastSucc])
      a.fill(NONE, 0, size);
    this.flags.fill(0, 0, size);
    this.schedClass.fill(0, 0, size);
    for (let i = 0; i < size; i++) this.topoIndex[i] = this.topoNode[i] = i;
    this.forgetTables();
  }

  private growNodes(n: number): void {
    const i32 = (a: Int32Array): Int32Array<ArrayBuffer> => {
      const b = new Int32Array(n);
      b.set(a);
      return b;
    };
    this.instr = i32(this.instr);
    this.latencyCycles = i32(this.latencyCycles);
    this.numPredsLeft = i32(this.numPredsLeft);
    this.numSuccsLeft = i32(this.numSuccsLeft);
    this.weakPredsLeft = i32(this.weakPredsLeft);
    this.weakSuccsLeft = i32(this.weakSuccsLeft);
    this.numPreds = i32(this.numPreds);
    this.numSuccs = i32(this.numSuccs);
    this.parentCluster = i32(this.parentCluster);
    this.firstPred = i32(this.firstPred);
    this.lastPred = i32(this.lastPred);
    this.firstSucc = i32(this.firstSucc);
    this.lastSucc = i32(this.lastSucc);
    this.depths = new Int32Array(n);
    this.heights = new Int32Array(n);
    this.topoIndex = i32(this.topoIndex);
    this.topoNode = i32(this.topoNode);
    this.visitMark = i32(this.visitMark);
    this.stack = new Int32Array(n);
    this.scratch = new Int32Array(n);
    const flags = new Uint8Array(n);
    flags.set(this.flags);
    this.flags = flags;
    const classes = new Uint16Array(n);
    classes.set(this.schedClass);
    this.schedClass = classes;
  }

  private growEdges(): void {
    const n = this.edgePred.length * 2;
    const i32 = (a: Int32Array): Int32Array<ArrayBuffer> => {
      const b = new Int32Array(n);
      b.set(a);
      return b;
    };
    this.edgePred = i32(this.edgePred);
    this.edgeSucc = i32(this.edgeSucc);
    this.edgeReg = i32(this.edgeReg);
    this.edgeLatencyCycles = i32(this.edgeLatencyCycles);
    this.succLatencyCycles = this.edgeLatencyCycles;
    this.nextPred = i32(this.nextPred);
    this.nextSucc = i32(this.nextSucc);
    const kinds = new Uint8Array(n);
    kinds.set(this.edgeKind);
    this.edgeKind = kinds;
  }

  /**
   * Adds the edge pred -> succ at the end of both lists. An overlapping edge (same ends, kind and register)
   * only gets the larger latency. With `required` false any edge between the two makes it a no-op. Returns whether an edge
   * was added. O(predecessors of succ or successors of pred, whichever are fewer), and O(1) once many were walked.
   * @llvm ScheduleDAG.cpp SUnit::addPred
   */
  addPred(succ: SUnitId, pred: SUnitId, kind: DepKind, reg: number, latencyCycles: number, required = true): boolean {
    const { edgePred, edgeSucc, edgeKind, edgeReg, nextPred, nextSucc } = this;
    if (this.pairs === null && this.walked > WALKED_BEFORE_TABLE) this.pairs = this.makePairs();
    if (this.pairs !== null) {
      const { pairs } = this;
      for (let e = pairs.find(pred, succ); e !== NONE; e = pairs.next(e)) {
        if (!required) return false;
        if (edgeKind[e] === kind && edgeReg[e] === reg) return this.raiseLatency(e, latencyCycles);
      }
      this.append(succ, pred, kind, reg, latencyCycles);
      return true;
    }
    // an edge between the two is in both lists: walk them side by side, which costs twice the shorter one
    let p = this.firstPred[succ];
    let s = this.firstSucc[pred];
    while (p !== NONE && s !== NONE) {
      this.walked++;
      if (edgePred[p] === pred) {
        if (!required) return false;
        if (edgeKind[p] === kind && edgeReg[p] === reg) return this.raiseLatency(p, latencyCycles);
      }
      if (edgeSucc[s] === succ) {
        if (!required) return false;
        if (edgeKind[s] === kind && edgeReg[s] === reg) return this.raiseLatency(s, latencyCycles);
      }
      p = nextPred[p];
      s = nextSucc[s];
    }
    this.append(succ, pred, kind, reg, latencyCycles);
    return true;
  }

  private append(succ: SUnitId, pred: SUnitId, kind: DepKind, reg: number, latencyCycles: number): EdgeId {
    if (this.nEdges === this.edgePred.length) this.growEdges();
    const e = this.nEdges++;
    this.edgePred[e] = pred;
    this.edgeSucc[e] = succ;
    this.edgeKind[e] = kind;
    this.edgeReg[e] = reg;
    this.edgeLatencyCycles[e] = latencyCycles;
    this.linkPred(e, succ);
    this.linkSucc(e, pred);
    this.count(pred, succ, kind, 1);
    this.pathsDirty = true;
    this.pairs?.add(e);
    if (this.reach !== null) this.noteReachable(this.reach, pred, succ);
    return e;
  }

  private makePairs(): EdgePairs {
    const pairs = new EdgePairs(this, this.nEdges);
    for (let n = 0; n <= this.nSUnits; n++)
      for (let e = this.firstPred[n]; e !== NONE; e = this.nextPred[e]) pairs.add(e);
    return pairs;
  }

  /** What was found out of edges that are there no more holds no longer. */
  private forgetTables(): void {
    this.pathsDirty = true;
    this.reach = null;
    this.searched = 0;
    this.pairs = null;
    this.walked = 0;
  }

  private raiseLatency(e: EdgeId, latencyCycles: number): false {
    if (this.edgeLatencyCycles[e] < latencyCycles) this.edgeLatencyCycles[e] = latencyCycles;
    return false;
  }

  private linkPred(e: EdgeId, succ: SUnitId): void {
    this.nextPred[e] = NONE;
    if (this.firstPred[succ] === NONE) this.firstPred[succ] = e;
    else this.nextPred[this.lastPred[succ]] = e;
    this.lastPred[succ] = e;
  }

  private linkSucc(e: EdgeId, pred: SUnitId): void {
    this.nextSucc[e] = NONE;
    if (this.firstSucc[pred] === NONE) this.firstSucc[pred] = e;
    else this.nextSucc[this.lastSucc[pred]] = e;
    this.lastSucc[pred] = e;
  }

  private count(pred: SUnitId, succ: SUnitId, kind: DepKind, by: 1 | -1): void {
    if (kind === DepKind.Data) {
      this.numPreds[succ] += by;
      this.numSuccs[pred] += by;
    }
    if (isWeakDep(kind)) {
      this.weakPredsLeft[succ] += by;
      this.weakSuccsLeft[pred] += by;
    } else {
      this.numPredsLeft[succ] += by;
      this.numSuccsLeft[pred] += by;
    }
  }

  /**
   * Takes an edge out of both lists. O(length of both). The row stays unused.
   * @llvm ScheduleDAG.cpp SUnit::removePred
   */
  removeEdge(e: EdgeId): void {
    const pred = this.edgePred[e];
    const succ = this.edgeSucc[e];
    let prev = NONE;
    for (let p = this.firstPred[succ]; p !== e; p = this.nextPred[p]) prev = p;
    if (prev === NONE) this.firstPred[succ] = this.nextPred[e];
    else this.nextPred[prev] = this.nextPred[e];
    if (this.lastPred[succ] === e) this.lastPred[succ] = prev;
    prev = NONE;
    for (let s = this.firstSucc[pred]; s !== e; s = this.nextSucc[s]) prev = s;
    if (prev === NONE) this.firstSucc[pred] = this.nextSucc[e];
    else this.nextSucc[prev] = this.nextSucc[e];
    if (this.lastSucc[pred] === e) this.lastSucc[pred] = prev;
    this.count(pred, succ, this.edgeKind[e], -1);
    this.forgetTables();
  }

  /**
   * `addEdge` of artificial edges from some SUnits to one, in their order, of which none is ExitSU. What closes a cycle, or is joined already, is left out.
   * O(edges of `succ`, and of what its SUnits reach) besides the order
   */
  addArtificialPreds(
    succ: SUnitId,
    preds: readonly SUnitId[],
    reach: { begin(n: SUnitId): void; isBefore(n: SUnitId): boolean },
  ): void {
    const epoch = ++this.joinEpoch;
    if (this.joinMark.length <= this.nSUnits) this.joinMark = new Int32Array(this.firstPred.length);
    for (let e = this.firstPred[succ]; e !== NONE; e = this.nextPred[e]) this.joinMark[this.edgePred[e]] = epoch;
    reach.begin(succ);
    for (const pred of preds) {
      if (pred === succ || this.joinMark[pred] === epoch || reach.isBefore(pred)) continue;
      this.joinMark[pred] = epoch;
      this.addTrialEdge(succ, pred);
    }
  }

  /**
   * An edge that nothing joins yet, and that closes no cycle, as the caller knows. `takeBack` takes them back, the last one first. O(1), and the order of
   * the SUnits
   */
  addTrialEdge(succ: SUnitId, pred: SUnitId): EdgeId {
    this.addToTopologicalOrder(succ, pred);
    return this.append(succ, pred, DepKind.Artificial, 0, 0);
  }

  /** Takes back the edge that was added last. `beforePred`, `beforeSucc`: what was last on its lists (`lastPred`, `lastSucc`) before. O(1) */
  takeBack(e: EdgeId, beforePred: EdgeId, beforeSucc: EdgeId): void {
    const pred = this.edgePred[e];
    const succ = this.edgeSucc[e];
    invariant(e === this.nEdges - 1 && this.lastPred[succ] === e && this.lastSucc[pred] === e, 'not the last edge');
    if (beforePred === NONE) this.firstPred[succ] = NONE;
    else this.nextPred[beforePred] = NONE;
    this.lastPred[succ] = beforePred;
    if (beforeSucc === NONE) this.firstSucc[pred] = NONE;
    else this.nextSucc[beforeSucc] = NONE;
    this.lastSucc[pred] = beforeSucc;
    this.count(pred, succ, DepKind.Artificial, -1);
    this.nEdges--;
    this.forgetTables();
  }

  /** In the lists of successors alone: heights and what is scheduled from the top see it. No edge is added or changed afterwards. */
  setSuccLatency(e: EdgeId, latencyCycles: number): void {
    if (this.succLatencyCycles === this.edgeLatencyCycles) this.succLatencyCycles = this.edgeLatencyCycles.slice();
    this.succLatencyCycles[e] = latencyCycles;
    this.pathsDirty = true;
  }

  /** The edges are about to get other latencies: depths and heights are recomputed when next asked for. */
  setEdgeLatency(e: EdgeId, latencyCycles: number): void {
    this.edgeLatencyCycles[e] = latencyCycles;
    this.pathsDirty = true;
  }

  /**
   * ScheduleDAGMI::addEdge: adds succ <- pred unless that closes a cycle. An artificial edge is dropped silently when any
   * edge joins the two. Returns false only for a cycle.
   * @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::addEdge
   */
  addEdge(succ: SUnitId, pred: SUnitId, kind: DepKind, reg = 0, latencyCycles = 0): boolean {
    if (succ !== this.exitSU) {
      if (this.isReachable(pred, succ)) return false;
      this.addToTopologicalOrder(succ, pred);
    }
    this.addPred(succ, pred, kind, reg, latencyCycles, kind !== DepKind.Artificial);
    return true;
  }

  /** @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::canAddEdge */
  canAddEdge(succ: SUnitId, pred: SUnitId): boolean {
    return succ === this.exitSU || !this.isReachable(pred, succ);
  }

  /**
   * Whether a path leads from `from` to `to` (both SUnits, not ExitSU); true when they are the same node.
   * @llvm ScheduleDAG.cpp ScheduleDAGTopologicalSort::IsReachable
   */
  isReachable(to: SUnitId, from: SUnitId): boolean {
    const { topoIndex, edgeSucc, nextSucc, visitMark, stack } = this;
    if (from === to) return true;
    const upper = topoIndex[to];
    if (topoIndex[from] > upper) return false;
    if (this.reach === null && this.searched > this.searchesBeforeTable && this.nSUnits <= MAX_TABLE_NODES)
      this.reach = this.makeReach();
    if (this.reach !== null) return ((this.reach[from * this.reachWords + (to >> 5)] >>> (to & 31)) & 1) !== 0;
    const epoch = ++this.visitEpoch;
    let top = 0;
    stack[top++] = from;
    visitMark[from] = epoch;
    while (top > 0) {
      const n = stack[--top];
      for (let e = this.firstSucc[n]; e !== NONE; e = nextSucc[e]) {
        const s = edgeSucc[e];
        this.searched++;
        this.nSearched++;
        if (s === this.nSUnits) continue;
        if (s === to) return true;
        if (visitMark[s] !== epoch && topoIndex[s] < upper) {
          visitMark[s] = epoch;
          stack[top++] = s;
        }
      }
    }
    return false;
  }

  private makeReach(): Uint32Array {
    const n = this.nSUnits;
    const words = (n + 31) >> 5;
    const rows = new Uint32Array(n * words);
    this.reachWords = words;
    for (let i = n - 1; i >= 0; i--) {
      const from = this.topoNode[i];
      for (let e = this.firstSucc[from]; e !== NONE; e = this.nextSucc[e])
        if (this.edgeSucc[e] !== n) this.joinRow(rows, from, this.edgeSucc[e]);
    }
    return rows;
  }

  /** What `to` reaches, and `to`, is reached from `from`. */
  private joinRow(rows: Uint32Array, from: SUnitId, to: SUnitId): void {
    const words = this.reachWords;
    const at = from * words;
    const bit = 1 << (to & 31);
    if ((rows[at + (to >> 5)] & bit) !== 0) return;
    rows[at + (to >> 5)] |= bit;
    for (let w = 0, row = to * words; w < words; w++) rows[at + w] |= rows[row + w];
  }

  /** The table with a new edge. O(nodes), and the size of the table where it joins what was apart. */
  private noteReachable(rows: Uint32Array, pred: SUnitId, succ: SUnitId): void {
    const n = this.nSUnits;
    if (succ === n || pred === n) return;
    const words = this.reachWords;
    const word = pred >> 5;
    const bit = 1 << (pred & 31);
    if ((rows[pred * words + (succ >> 5)] & (1 << (succ & 31))) !== 0) return;
    for (let x = 0; x < n; x++) if ((rows[x * words + word] & bit) !== 0) this.joinRow(rows, x, succ);
    this.joinRow(rows, pred, succ);
  }

  /**
   * Keeps the topological order valid for a new edge pred -> succ (Pearce and Kelly). Call before the edge is added.
   * @llvm ScheduleDAG.cpp ScheduleDAGTopologicalSort::AddPred
   */
  private addToTopologicalOrder(succ: SUnitId, pred: SUnitId): void {
    const { topoIndex, topoNode, visitMark, edgeSucc, nextSucc, stack, scratch } = this;
    const lower = topoIndex[succ];
    const upper = topoIndex[pred];
    if (lower >= upper) return;
    const epoch = ++this.visitEpoch;
    let top = 0;
    stack[top++] = succ;
    visitMark[succ] = epoch;
    while (top > 0) {
      const n = stack[--top];
      for (let e = this.firstSucc[n]; e !== NONE; e = nextSucc[e]) {
        const s = edgeSucc[e];
        if (s === this.nSUnits || visitMark[s] === epoch) continue;
        invariant(topoIndex[s] !== upper, 'scheduling edge closes a cycle');
        if (topoIndex[s] < upper) {
          visitMark[s] = epoch;
          stack[top++] = s;
        }
      }
    }
    // everything reachable from succ inside the window moves after pred, in its old relative order
    let moved = 0;
    let write = lower;
    for (let i = lower; i <= upper; i++) {
      const n = topoNode[i];
      if (visitMark[n] === epoch) scratch[moved++] = n;
      else {
        topoNode[write] = n;
        topoIndex[n] = write++;
      }
    }
    for (let k = 0; k < moved; k++) {
      topoNode[write] = scratch[k];
      topoIndex[scratch[k]] = write++;
    }
  }

  /**
   * Longest path in cycles from any root to the start of `n`; over all edges, also weak ones.
   * @llvm ScheduleDAG.cpp SUnit::ComputeDepth
   */
  depth(n: SUnitId): number {
    if (this.pathsDirty) this.computePaths();
    return this.depths[n];
  }

  /**
   * Longest path in cycles from the start of `n` to the end of the region (ExitSU included).
   * @llvm ScheduleDAG.cpp SUnit::ComputeHeight
   */
  height(n: SUnitId): number {
    if (this.pathsDirty) this.computePaths();
    return this.heights[n];
  }

  private computePaths(): void {
    const { depths, heights, topoNode, edgePred, edgeSucc, nextPred, nextSucc } = this;
    const { edgeLatencyCycles, succLatencyCycles } = this;
    const n = this.nSUnits;
    for (let i = 0; i <= n; i++) {
      const node = i === n ? n : topoNode[i];
      let max = 0;
      for (let e = this.firstPred[node]; e !== NONE; e = nextPred[e]) {
        const d = depths[edgePred[e]] + edgeLatencyCycles[e];
        if (d > max) max = d;
      }
      depths[node] = max;
    }
    heights[n] = 0;
    for (let i = n - 1; i >= 0; i--) {
      const node = topoNode[i];
      let max = 0;
      for (let e = this.firstSucc[node]; e !== NONE; e = nextSucc[e]) {
        const h = heights[edgeSucc[e]] + succLatencyCycles[e];
        if (h > max) max = h;
      }
      heights[node] = max;
    }
    this.pathsDirty = false;
  }

  /**
   * Swaps the predecessor edge with the deepest source to the front of the list, so that it is
   * released last. Only with two or more Data predecessors. Called when all edges are there: none may be added or removed afterwards.
   * @llvm ScheduleDAG.cpp SUnit::biasCriticalPath
   */
  biasCriticalPath(n: SUnitId): void {
    if (this.numPreds[n] < 2) return;
    const { edgePred, edgeKind, nextPred } = this;
    const first = this.firstPred[n];
    let best = first;
    let beforeBest = NONE;
    let maxDepth = this.depth(edgePred[first]);
    for (let prev = first, e = nextPred[first]; e !== NONE; prev = e, e = nextPred[e]) {
      if (edgeKind[e] !== DepKind.Data) continue;
      const d = this.depth(edgePred[e]);
      if (d > maxDepth) {
        maxDepth = d;
        best = e;
        beforeBest = prev;
      }
    }
    if (best === first) return;
    const afterFirst = nextPred[first];
    const afterBest = nextPred[best];
    this.firstPred[n] = best;
    nextPred[first] = afterBest;
    if (beforeBest === first) nextPred[best] = first;
    else {
      nextPred[best] = afterFirst;
      nextPred[beforeBest] = first;
    }
  }
}

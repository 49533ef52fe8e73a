/**
 * Parts a region's graph into subtrees of Data edges, and counts the instructions above each node: the numbers that LLVM's ILP schedulers
 * order by.
 *
 * Follows SchedDFSResult and SchedDFSImpl (ScheduleDAGInstrs.cpp, LLVM 22): a depth-first walk from each node without Data successors.
 */
import { DepKind, NONE, type ScheduleGraph, type SUnitId } from '../dag/graph.js';

/** Smaller subtrees join the one below them. */
const MIN_SUBTREE_SIZE = 8;
/** A node with this many Data successors ends its subtree. */
const PINCH_POINT_SUCCS = 4;

export class Subtrees {
  /** by node */
  readonly tree: Int32Array;
  /** instructions that lie above a node on tree edges, with the node; copies and the like do not count */
  readonly nInstrs: Int32Array;
  nTrees = 0;
  private readonly levels: number[] = [];
  /** by tree: connected trees and the depth of the deepest connection, in cycles */
  private readonly connections: { readonly tree: number; level: number }[][] = [];
  private readonly parent: number[] = [];
  /** subtree of a node before they are numbered: itself, or the node that it joined; NONE = not visited */
  private readonly joined: Int32Array;
  private readonly equivalent: Int32Array;
  /** by root: the node that its tree hangs on, NONE = none so far */
  private readonly parentNode: Int32Array;
  private readonly isRoot: Uint8Array;

  /** `isTransient`: nodes that make no instruction. O(edges), and for connections O(edges * depth of trees). */
  constructor(
    private readonly graph: ScheduleGraph,
    private readonly isTransient: (n: SUnitId) => boolean,
  ) {
    const n = graph.nSUnits;
    this.tree = new Int32Array(n);
    this.nInstrs = new Int32Array(n);
    this.joined = new Int32Array(n).fill(NONE);
    this.equivalent = Int32Array.from({ length: n }, (_, i) => i);
    this.parentNode = new Int32Array(n).fill(NONE);
    this.isRoot = new Uint8Array(n);
    this.compute();
  }

  /** Deepest connection, in cycles, to a tree that was begun; 0 = none. */
  level(tree: number): number {
    return this.levels[tree];
  }

  /**
   * The first node of a tree was scheduled.
   * @llvm ScheduleDAGInstrs.cpp SchedDFSResult::scheduleTree
   */
  begin(tree: number): void {
    for (const c of this.connections[tree]) this.levels[c.tree] = Math.max(this.levels[c.tree], c.level);
  }

  /** @llvm ScheduleDAGInstrs.cpp SchedDFSResult::compute */
  private compute(): void {
    const { graph, joined } = this;
    const cross: [SUnitId, SUnitId][] = [];
    const stack: SUnitId[] = [];
    // by node on the stack: its next edge, and the one that was followed last
    const next = new Int32Array(graph.nSUnits);
    const enter = (n: SUnitId): void => {
      this.nInstrs[n] = this.isTransient(n) ? 0 : 1;
      next[n] = graph.firstPred[n];
      stack.push(n);
    };
    for (let root = 0; root < graph.nSUnits; root++) {
      if (this.hasDataSucc(root)) continue;
      enter(root);
      while (stack.length > 0) {
        const n = stack[stack.length - 1];
        const e = next[n];
        if (e !== NONE) {
          next[n] = graph.nextPred[e];
          if (graph.edgeKind[e] !== DepKind.Data) continue;
          const pred = graph.edgePred[e];
          if (joined[pred] !== NONE) cross.push([pred, n]);
          else enter(pred);
          continue;
        }
        stack.pop();
        this.leave(n);
        if (stack.length === 0) continue;
        const below = stack[stack.length - 1];
        this.nInstrs[below] += this.nInstrs[n];
        this.join(n, below, true);
      }
    }
    this.number(cross);
  }

  private hasDataSucc(n: SUnitId): boolean {
    const { graph } = this;
    for (let e = graph.firstSucc[n]; e !== NONE; e = graph.nextSucc[e])
      if (graph.edgeKind[e] === DepKind.Data && graph.edgeSucc[e] !== graph.exitSU) return true;
    return false;
  }

  /**
   * All predecessors of n were visited: those that n is not much larger than join it after all.
   * @llvm ScheduleDAGInstrs.cpp SchedDFSImpl::visitPostorderNode
   */
  private leave(n: SUnitId): void {
    const { graph, joined, nInstrs } = this;
    joined[n] = n;
    this.isRoot[n] = 1;
    for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
      if (graph.edgeKind[e] !== DepKind.Data) continue;
      const pred = graph.edgePred[e];
      // unsigned, as LLVM counts: across a cross edge the difference may be negative
      if ((nInstrs[n] - nInstrs[pred]) >>> 0 < MIN_SUBTREE_SIZE) this.join(pred, n, false);
      if (joined[pred] === pred) {
        if (this.parentNode[pred] === NONE) this.parentNode[pred] = n;
      } else this.isRoot[pred] = 0;
    }
  }

  /** @llvm ScheduleDAGInstrs.cpp SchedDFSImpl::joinPredSubtree */
  private join(pred: SUnitId, below: SUnitId, checksSize: boolean): void {
    const { graph, joined } = this;
    if (joined[pred] !== pred) return;
    let nSuccs = 0;
    for (let e = graph.firstSucc[pred]; e !== NONE; e = graph.nextSucc[e])
      if (graph.edgeKind[e] === DepKind.Data && ++nSuccs >= PINCH_POINT_SUCCS) return;
    if (checksSize && this.nInstrs[pred] > MIN_SUBTREE_SIZE) return;
    joined[pred] = below;
    const a = this.leader(below);
    const b = this.leader(pred);
    this.equivalent[Math.max(a, b)] = Math.min(a, b);
  }

  private leader(n: SUnitId): SUnitId {
    let l = n;
    while (this.equivalent[l] !== l) l = this.equivalent[l];
    return l;
  }

  /**
   * Trees are numbered by their smallest node.
   * @llvm ScheduleDAGInstrs.cpp SchedDFSImpl::finalize
   */
  private number(cross: readonly (readonly [SUnitId, SUnitId])[]): void {
    const { graph, tree, equivalent } = this;
    for (let n = 0; n < graph.nSUnits; n++) {
      if (equivalent[n] === n) {
        tree[n] = this.nTrees++;
        this.levels.push(0);
        this.connections.push([]);
        this.parent.push(NONE);
      } else tree[n] = tree[equivalent[n]];
    }
    for (let n = 0; n < graph.nSUnits; n++)
      if (this.isRoot[n] !== 0 && this.parentNode[n] !== NONE) this.parent[tree[n]] = tree[this.parentNode[n]];
    for (const [pred, succ] of cross) {
      if (tree[pred] === tree[succ]) continue;
      const depth = graph.depth(pred);
      this.connect(tree[pred], tree[succ], depth);
      this.connect(tree[succ], tree[pred], depth);
    }
  }

  /**
   * The trees below `from` are connected, too, until one is known to be.
   * @llvm ScheduleDAGInstrs.cpp SchedDFSImpl::addConnection
   */
  private connect(from: number, to: number, depth: number): void {
    if (depth === 0) return;
    for (let t = from; t !== NONE; t = this.parent[t]) {
      const known = this.connections[t].find((c) => c.tree === to);
      if (known !== undefined) {
        known.level = Math.max(known.level, depth);
        return;
      }
      this.connections[t].push({ tree: to, level: depth });
    }
  }
}

/**
 * Puts instructions behind each other that can become one (VOPD).
 *
 * Follows VOPDPairingMutation (GCNVOPDUtils, LLVM 22) as docs/llvm/post-ra-scheduling.md, 5 describes it.
 */
import type { VopdPairs } from '../../../vopdPairs.js';
import { DepKind, NONE, type ScheduleGraph, type SUnitId } from '../graph.js';
import { mayLoad } from '../memoryFlags.js';
import { fuse, isUnfused } from './macroFusion.js';
import type { Mutation, MutationContext } from './mutation.js';

/** Each node gets the first later one that goes with it. Quadratic in the nodes of a region that can be one of a pair, as in LLVM. */
export const pairForVopd =
  (pairs: VopdPairs): Mutation =>
  (ctx) => {
    const { graph, fn } = ctx;
    const { instr } = graph;
    const loads = fn.subtarget.release.rules.keepsLoadsApart ? new LoadsAround(ctx) : null;
    const rest: SUnitId[] = [];
    for (let n = 0; n < graph.nSUnits; n++) if (pairs.isCandidate(instr[n])) rest.push(n);
    for (let k = 0; k < rest.length; k++) {
      const first = rest[k];
      if (!isUnfused(ctx, first)) continue;
      for (let j = k + 1; j < rest.length; j++) {
        const second = rest[j];
        if (!isUnfused(ctx, second) || !pairs.canPair(instr[first], instr[second])) continue;
        if (loads?.isHeldBack(first, second) === true) continue;
        if (fuse(ctx, first, second)) break;
      }
    }
  };

/** LLVM 24: a pair may not make loads wait that would run at the same time as those before it. */
class LoadsAround {
  /** by node: the loads that are met first on Data edges upward */
  private readonly firstAbove = new Map<SUnitId, ReadonlySet<SUnitId>>();
  /** by load: all loads above it */
  private readonly allAbove = new Map<SUnitId, ReadonlySet<SUnitId>>();
  private readonly isLoad: readonly boolean[];

  constructor(private readonly ctx: MutationContext) {
    const { graph, fn } = ctx;
    this.isLoad = Array.from({ length: graph.nSUnits }, (_, n) => mayLoad(fn, graph.instr[n]));
  }

  /**
   * Whether loads that wait for `first` would wait for loads before `second`, too.
   * @llvm GCNVOPDUtils.cpp loadsMayOverlap
   */
  isHeldBack(first: SUnitId, second: SUnitId): boolean {
    const below = this.collect(first, false, true);
    if (below.size === 0) return false;
    const above = cached(this.firstAbove, second, () => this.collect(second, true, true));
    if (above.size === 0) return false;
    for (const load of below) {
      const known = cached(this.allAbove, load, () => this.collect(load, true, false));
      for (const other of above) if (load === other || !known.has(other)) return true;
    }
    return false;
  }

  /**
   * O(edges)
   * @llvm GCNVOPDUtils.cpp collectLoads
   */
  private collect(from: SUnitId, isUpward: boolean, stopsAtLoads: boolean): Set<SUnitId> {
    const { graph } = this.ctx;
    const found = new Set<SUnitId>();
    const seen = new Set<SUnitId>();
    const work = [from];
    for (let n = work.pop(); n !== undefined; n = work.pop()) {
      for (let e = first(graph, n, isUpward); e !== NONE; e = isUpward ? graph.nextPred[e] : graph.nextSucc[e]) {
        if (stopsAtLoads && graph.edgeKind[e] !== DepKind.Data) continue;
        const other = isUpward ? graph.edgePred[e] : graph.edgeSucc[e];
        if (other === graph.exitSU || seen.has(other)) continue;
        seen.add(other);
        if (this.isLoad[other]) {
          found.add(other);
          if (stopsAtLoads) continue;
        }
        work.push(other);
      }
    }
    return found;
  }
}

const first = (graph: ScheduleGraph, n: SUnitId, isUpward: boolean): number =>
  isUpward ? graph.firstPred[n] : graph.firstSucc[n];

function cached<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/**
 * Memory and side-effect order inside a region.
 *
 * Follows the memory part of ScheduleDAGInstrs::buildSchedGraph with its Value2SUsMap maps and the reduction of huge
 * regions, as docs/llvm/schedule-dag.md, 6 describes it. What an instruction touches and whether two may alias is asked of MemoryFacts.
 */
import type { InstrId } from '../../../model/machineFunction.js';
import { DepKind, NONE, type ScheduleGraph, type SUnitId } from './graph.js';

/** Identity of an underlying object: equal strings are the same object. */
export interface UnderlyingObject {
  readonly key: string;
  /** whether IR memory may alias it (false for e.g. immutable fixed stack slots) */
  readonly mayAlias: boolean;
}

export interface MemoryFacts {
  /** Called before the questions about a region; instructions may have changed since the last one. */
  beginRegion(): void;
  /** It has no place in the order of memory and side effects: false to all other questions about it. */
  touchesNothing(i: InstrId): boolean;
  isGlobalMemoryObject(i: InstrId): boolean;
  mayRaiseFPException(i: InstrId): boolean;
  mayLoad(i: InstrId): boolean;
  mayStore(i: InstrId): boolean;
  isDereferenceableInvariantLoad(i: InstrId): boolean;
  /** null = unknown */
  underlyingObjects(i: InstrId): readonly UnderlyingObject[] | null;
  /** `a` comes first in the region; both have memory operands, without which an access is a global memory object */
  mayAlias(a: InstrId, b: InstrId): boolean;
}

/** When the maps of a region are reduced, and by how much. */
export interface HugeRegionLimits {
  /** `-dag-maps-huge-region`: nodes in the maps; null = the release's */
  readonly hugeRegion: number | null;
  /** `-dag-maps-reduction-size`: nodes that leave them then; null = half of those */
  readonly reductionSize: number | null;
}

export const HUGE_REGION = 1000;
/** where `clearsHugeMaps` */
const CLEARED_REGION = 500;

export const DEFAULT_HUGE_REGION_LIMITS: HugeRegionLimits = { hugeRegion: null, reductionSize: null };

const UNKNOWN = '?';

/**
 * Nodes by underlying object, keys and lists in insertion order.
 * @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::Value2SUsMap
 */
class ObjectMap {
  readonly lists = new Map<string, SUnitId[]>();
  numNodes = 0;

  constructor(readonly trueLatencyCycles: number) {}

  clear(): void {
    // Most are empty, and clearing makes a new table.
    if (this.lists.size !== 0) this.lists.clear();
    this.numNodes = 0;
  }

  insert(key: string, n: SUnitId): void {
    const list = this.lists.get(key);
    if (list === undefined) this.lists.set(key, [n]);
    else list.push(n);
    this.numNodes++;
  }
}

export class MemoryChains {
  /** a load found here waits for the store above it */
  private readonly stores = new ObjectMap(0);
  private readonly loads = new ObjectMap(1);
  private readonly nonAliasStores = new ObjectMap(0);
  private readonly nonAliasLoads = new ObjectMap(1);
  private readonly fpExceptions = new ObjectMap(0);
  private readonly hugeRegion: number;
  private readonly reductionSize: number;
  private barrier: SUnitId = NONE;
  /** of memory, below the region's end or the last chain that they made; what else becomes the chain does not begin anew */
  private accesses = 0;

  constructor(
    private readonly graph: ScheduleGraph,
    private readonly facts: MemoryFacts,
    limits: HugeRegionLimits = DEFAULT_HUGE_REGION_LIMITS,
    private readonly clearsHugeMaps = false,
  ) {
    this.hugeRegion = limits.hugeRegion ?? (clearsHugeMaps ? CLEARED_REGION : HUGE_REGION);
    this.reductionSize = limits.reductionSize ?? Math.floor(this.hugeRegion / 2);
  }

  reset(): void {
    for (const m of this.maps()) m.clear();
    this.barrier = NONE;
    this.accesses = 0;
    this.facts.beginRegion();
  }

  private maps(): readonly ObjectMap[] {
    return [this.stores, this.loads, this.nonAliasStores, this.nonAliasLoads, this.fpExceptions];
  }

  /** @llvm ScheduleDAGInstrs.cpp SUnit::addPredBarrier */
  private addBarrierEdge(from: SUnitId, to: SUnitId): void {
    const { graph, facts } = this;
    const latency = facts.mayStore(graph.instr[from]) && facts.mayLoad(graph.instr[to]) ? 1 : 0;
    graph.addPred(to, from, DepKind.Barrier, 0, latency);
  }

  /** @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::addChainDependency */
  private addChainDep(a: SUnitId, b: SUnitId, latency: number): void {
    const { graph, facts } = this;
    if (facts.mayAlias(graph.instr[a], graph.instr[b])) graph.addPred(b, a, DepKind.MayAliasMem, 0, latency);
  }

  /** @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::addChainDependencies */
  private addToAll(n: SUnitId, map: ObjectMap): void {
    for (const list of map.lists.values()) for (const m of list) this.addChainDep(n, m, map.trueLatencyCycles);
  }

  /** @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::addChainDependencies */
  private addToKey(n: SUnitId, map: ObjectMap, key: string): void {
    const list = map.lists.get(key);
    if (list !== undefined) for (const m of list) this.addChainDep(n, m, map.trueLatencyCycles);
  }

  /** All in the maps waits for it from now on, and they are empty. */
  private becomeChain(n: SUnitId): void {
    this.barrier = n;
    for (const map of this.maps()) {
      for (const list of map.lists.values()) for (const m of list) if (m !== n) this.addBarrierEdge(n, m);
      map.clear();
    }
  }

  /**
   * Adds the order edges of the next node upward.
   * @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::buildSchedGraph
   */
  visit(n: SUnitId, i: InstrId): void {
    const { facts, hugeRegion } = this;
    if (facts.touchesNothing(i)) return;
    if (facts.isGlobalMemoryObject(i)) {
      if (this.barrier !== NONE) this.addBarrierEdge(n, this.barrier);
      this.becomeChain(n);
      return;
    }
    if (facts.mayRaiseFPException(i)) {
      if (this.barrier !== NONE) this.addBarrierEdge(n, this.barrier);
      this.fpExceptions.insert(UNKNOWN, n);
      if (this.fpExceptions.numNodes >= hugeRegion && !this.clearsHugeMaps)
        this.reduceHugeMaps(this.fpExceptions, null);
    }
    const isStore = facts.mayStore(i);
    if (!isStore && !(facts.mayLoad(i) && !facts.isDereferenceableInvariantLoad(i))) return;
    if (this.barrier !== NONE) this.addBarrierEdge(n, this.barrier);
    this.addAccess(n, i, isStore);
    if (!this.clearsHugeMaps || ++this.accesses < hugeRegion) return;
    this.becomeChain(n);
    this.accesses = 0;
  }

  private addAccess(n: SUnitId, i: InstrId, isStore: boolean): void {
    const { facts, hugeRegion } = this;
    const objects = facts.underlyingObjects(i);
    const { stores, loads, nonAliasStores, nonAliasLoads } = this;
    if (isStore) {
      if (objects === null) {
        this.addToAll(n, stores);
        this.addToAll(n, nonAliasStores);
        this.addToAll(n, loads);
        this.addToAll(n, nonAliasLoads);
        stores.insert(UNKNOWN, n);
      } else {
        for (const v of objects) {
          this.addToKey(n, v.mayAlias ? stores : nonAliasStores, v.key);
          this.addToKey(n, v.mayAlias ? loads : nonAliasLoads, v.key);
        }
        for (const v of objects) (v.mayAlias ? stores : nonAliasStores).insert(v.key, n);
        this.addToKey(n, loads, UNKNOWN);
        this.addToKey(n, stores, UNKNOWN);
      }
    } else if (objects === null) {
      this.addToAll(n, stores);
      this.addToAll(n, nonAliasStores);
      loads.insert(UNKNOWN, n);
    } else {
      for (const v of objects) {
        this.addToKey(n, v.mayAlias ? stores : nonAliasStores, v.key);
        (v.mayAlias ? loads : nonAliasLoads).insert(v.key, n);
      }
      this.addToKey(n, stores, UNKNOWN);
    }
    if (this.clearsHugeMaps) return;
    if (stores.numNodes + loads.numNodes >= hugeRegion) this.reduceHugeMaps(stores, loads);
    if (nonAliasStores.numNodes + nonAliasLoads.numNodes >= hugeRegion)
      this.reduceHugeMaps(nonAliasStores, nonAliasLoads);
  }

  /**
   * Turns one node into the new barrier chain and drops everything below it from the maps.
   * @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::reduceHugeMemNodeMaps
   */
  private reduceHugeMaps(a: ObjectMap, b: ObjectMap | null): void {
    const both = b === null ? [a] : [a, b];
    const nodes: SUnitId[] = [];
    for (const map of both) for (const list of map.lists.values()) for (const node of list) nodes.push(node);
    nodes.sort((x, y) => x - y);
    const chosen = nodes[nodes.length - this.reductionSize];
    if (this.barrier === NONE) this.barrier = chosen;
    else if (chosen < this.barrier) {
      this.addBarrierEdge(chosen, this.barrier);
      this.barrier = chosen;
    }
    const chain = this.barrier;
    for (const map of both) {
      for (const [key, list] of map.lists) {
        // the walk is upward, so that the list descends; a node with several operands on the object stands in it as often, and leaves once
        let gone = 0;
        while (gone < list.length && list[gone] > chain) this.addBarrierEdge(chain, list[gone++]);
        if (gone < list.length && list[gone] === chain) gone++;
        const kept = list.slice(gone);
        map.numNodes -= list.length - kept.length;
        if (kept.length === 0) map.lists.delete(key);
        else map.lists.set(key, kept);
      }
    }
  }
}

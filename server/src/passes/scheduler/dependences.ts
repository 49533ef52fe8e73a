/**
 * The scheduling graph of a function's regions in source order, for readers: what an instruction waits for and what waits for it.
 * The graph is the one that the scheduler starts from, mutations included.
 */
import { BundleFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { Cancelled, type CancellationToken } from '../../util/cancellation.js';
import type { SchedRegion } from './regions.js';
import { NONE, type EdgeId, type ScheduleGraph } from './dag/graph.js';
import { formRegions } from './regions.js';
import {
  prepareSchedule,
  SchedulerProcessState,
  type ModuleFacts,
  type PreparedSchedule,
  type ScheduleOptions,
} from './scheduleFunction.js';

/** One edge as the instruction at one of its ends sees it. */
export interface Dependence {
  /** the instruction at the other end; the region's boundary for ExitSU, -1 where that is the end of the block */
  readonly instr: InstrId;
  /** DepKind */
  readonly kind: number;
  readonly latencyCycles: number;
  /** virtual registers as `~n`, register of a register edge; 0 for order edges */
  readonly reg: number;
}

export interface InstrDependences {
  /** number of the region as the scheduler counts */
  readonly region: number;
  readonly nInstrs: number;
  /** latency of the instruction itself */
  readonly latencyCycles: number;
  readonly predecessors: readonly Dependence[];
  readonly successors: readonly Dependence[];
}

/** Edges of one region, both directions as compressed rows of its nodes. */
interface RegionEdges {
  readonly node: ReadonlyMap<InstrId, number>;
  readonly latencyCycles: Int32Array;
  readonly predBegin: Int32Array;
  readonly preds: readonly Dependence[];
  readonly succBegin: Int32Array;
  readonly succs: readonly Dependence[];
}

/** Answers for one function; graphs are built region by region as they are asked for, and kept. */
export class FunctionDependences {
  private readonly prepared: PreparedSchedule;
  private readonly regions: readonly SchedRegion[];
  /** index in `regions` by instruction, -1 = in none (boundaries, debug instructions) */
  private readonly regionOf: Int32Array;
  private readonly edges = new Map<number, RegionEdges>();
  private token: CancellationToken | null = null;

  /** The function must be accepted by the verifier; it is cloned. */
  constructor(
    private readonly fn: MachineFunction,
    options: ScheduleOptions,
    module: ModuleFacts,
  ) {
    const checkpoint = (): void => {
      if (this.token?.isCancelled() === true) throw new Cancelled();
    };
    this.prepared = prepareSchedule(fn, { ...options, checkpoint }, new SchedulerProcessState(), module);
    const { context, choice } = this.prepared;
    // the iterative schedulers leave regions of one instruction out, also when they count
    this.regions = formRegions(context.fn, context.list, context.roles)
      .filter((r) => 'list' in choice || context.list.before(r.end) !== r.begin)
      .map((r) => context.makeRegion(r));
    this.regionOf = new Int32Array(fn.nInstrs).fill(NONE);
    this.regions.forEach((region, r) => {
      for (const i of context.instrsOf(region)) if (!context.roles.isDebug(i)) this.regionOf[i] = r;
    });
  }

  /** Instructions of the region of i; 0 where it is in none. */
  regionSize(i: InstrId): number {
    return this.regions[this.regionOf[this.headerOf(i)] ?? NONE]?.nInstrs ?? 0;
  }

  /** Null for an instruction in no region, such as a boundary. First of a region: O(its graph). */
  of(i: InstrId, token: CancellationToken): InstrDependences | 'cancelled' | null {
    const header = this.headerOf(i);
    const r = this.regionOf[header] ?? NONE;
    const region = this.regions[r];
    if (!region) return null;
    const edges = this.edgesOf(r, region, token);
    if (!edges) return 'cancelled';
    const n = edges.node.get(header);
    if (n === undefined) return null;
    return {
      region: r,
      nInstrs: region.nInstrs,
      latencyCycles: edges.latencyCycles[n] ?? 0,
      predecessors: edges.preds.slice(edges.predBegin[n], edges.predBegin[n + 1]),
      successors: edges.succs.slice(edges.succBegin[n], edges.succBegin[n + 1]),
    };
  }

  private headerOf(i: InstrId): InstrId {
    const { bundle } = this.fn;
    let header = i;
    while (((bundle[header] ?? 0) & BundleFlag.BundledPred) !== 0) header--;
    return header;
  }

  private edgesOf(r: number, region: SchedRegion, token: CancellationToken): RegionEdges | null {
    const known = this.edges.get(r);
    if (known) return known;
    const { scheduler, mutations } = this.prepared;
    this.token = token;
    try {
      scheduler.regionGraph.build(region, mutations);
    } catch (error) {
      if (error instanceof Cancelled) return null;
      throw error;
    } finally {
      this.token = null;
    }
    const edges = copyEdges(scheduler.graph);
    this.edges.set(r, edges);
    return edges;
  }
}

function copyEdges(graph: ScheduleGraph): RegionEdges {
  const n = graph.nSUnits;
  const node = new Map<InstrId, number>();
  for (let k = 0; k < n; k++) node.set(graph.instr[k] ?? NONE, k);
  const rows = (first: Int32Array, next: Int32Array, otherEnd: Int32Array): [Int32Array, Dependence[]] => {
    const begin = new Int32Array(n + 1);
    const list: Dependence[] = [];
    for (let k = 0; k < n; k++) {
      for (let e: EdgeId = first[k] ?? NONE; e !== NONE; e = next[e] ?? NONE)
        list.push({
          instr: graph.instr[otherEnd[e] ?? NONE] ?? NONE,
          kind: graph.edgeKind[e] ?? 0,
          latencyCycles: graph.edgeLatencyCycles[e] ?? 0,
          reg: graph.edgeReg[e] ?? 0,
        });
      begin[k + 1] = list.length;
    }
    return [begin, list];
  };
  const [predBegin, preds] = rows(graph.firstPred, graph.nextPred, graph.edgePred);
  const [succBegin, succs] = rows(graph.firstSucc, graph.nextSucc, graph.edgeSucc);
  return { node, latencyCycles: graph.latencyCycles.slice(0, n), predBegin, preds, succBegin, succs };
}

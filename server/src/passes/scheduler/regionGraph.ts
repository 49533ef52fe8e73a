/**
 * The scheduling graph of one region with what a strategy asks of its nodes: built, mutated, and its debug values put back behind what they followed.
 * The schedulers in front of allocation and behind it share it (ScheduleDAGMI; docs/llvm/schedule-dag.md).
 */
import type { MachineFunction } from '../../model/machineFunction.js';
import type { InstrList, ListPos } from '../../model/edit/instrList.js';
import type { Reg, VRegId } from '../../model/register.js';
import type { WriteProcRes } from '../../target/api.js';
import { DagBuilder, type DagContext, type DebugAnchors, type OperandLists } from './dag/build.js';
import { NONE, type ScheduleGraph } from './dag/graph.js';
import type { LatencyModel } from './dag/latency.js';
import type { HugeRegionLimits, MemoryFacts } from './dag/memory.js';
import type { ClusterLimits, Mutation, MutationContext } from './dag/mutations/mutation.js';
import type { FormedRegion, InstrRoles } from './regions.js';
import { NodeResources } from './strategy/schedBoundary.js';

/** What a graph asks of the function around a region. */
export interface GraphContext {
  readonly fn: MachineFunction;
  readonly list: InstrList;
  readonly roles: InstrRoles;
  readonly latency: LatencyModel;
  /** `maxMemoryClusterDWords` of the function */
  readonly maxClusterDWords: number;
  isConstantPhysReg(reg: Reg): boolean;
  /** a virtual register has exactly one def operand in the whole function */
  hasOneDef(vreg: VRegId): boolean;
}

export interface RegionGraphOptions {
  readonly barrierSignalWaitLatencyCycles: number;
  readonly hugeRegionLimits: HugeRegionLimits;
  readonly clusterLimits: ClusterLimits;
  /** false with `-schedmodel=0` */
  readonly schedModel: boolean;
  /** underlying object of an instruction's single memory operand, for clustering */
  readonly underlyingObjectOfBase: MutationContext['underlyingObjectOfBase'];
  /** asked now and then; throws `Cancelled` to end the work */
  readonly checkpoint?: (() => void) | undefined;
}

/** A region as it stands now; `begin` moves with its first instruction. */
export interface PlacedRegion extends FormedRegion {
  begin: ListPos;
}

const NO_WRITES: readonly WriteProcRes[] = [];
/** Nodes of a graph that is built between two questions. */
const NODES_PER_CHECKPOINT = 1024;

/** @llvm MachineScheduler.cpp ScheduleDAGMI */
export class RegionGraph {
  readonly graph: ScheduleGraph;
  readonly resources: NodeResources;
  private readonly builder: DagBuilder;

  constructor(
    private readonly ctx: GraphContext,
    private readonly memory: MemoryFacts,
    private readonly options: RegionGraphOptions,
    columns: { readonly graph: ScheduleGraph; readonly operands: OperandLists },
  ) {
    this.graph = columns.graph;
    const dag: DagContext = {
      fn: ctx.fn,
      latency: ctx.latency,
      memory,
      isDebugInstr: (i) => ctx.roles.isDebug(i),
      isConstantPhysReg: (r) => ctx.isConstantPhysReg(r),
      hasOneDef: (v) => ctx.hasOneDef(v),
      hugeRegionLimits: options.hugeRegionLimits,
    };
    const { checkpoint } = options;
    if (checkpoint)
      dag.onNode = (node) => {
        if (node % NODES_PER_CHECKPOINT === 0) checkpoint();
      };
    this.builder = new DagBuilder(dag, this.graph, columns.operands);
    const model = ctx.fn.subtarget.schedModel;
    this.resources = new NodeResources(model, options.schedModel && model.hasInstrSchedModel);
  }

  get debugAnchors(): DebugAnchors {
    return this.builder.debugAnchors;
  }

  /**
   * Builds the graph of a region, runs the mutations and biases the predecessor lists. `tracksLanes`: see DagBuilder.
   * @llvm MachineScheduler.cpp ScheduleDAGMILive::buildDAGWithRegPressure
   * @llvm MachineScheduler.cpp ScheduleDAGMI::postProcessDAG
   * @llvm MachineScheduler.cpp ScheduleDAGMI::findRootsAndBiasEdges
   */
  build(region: FormedRegion, mutations: readonly Mutation[], tracksLanes = true): void {
    const { graph } = this;
    this.buildEdges(region, mutations, tracksLanes);
    for (let n = 0; n <= graph.nSUnits; n++) graph.biasCriticalPath(n);
  }

  /** The same with the lists of predecessors as they are. */
  buildEdges(region: FormedRegion, mutations: readonly Mutation[], tracksLanes = true): void {
    const { ctx, graph } = this;
    const instrs: number[] = [];
    for (let p = region.begin; p !== region.end && p >= 0; p = ctx.list.after(p)) instrs.push(p);
    const boundary = region.end >= 0 ? region.end : NONE;
    this.builder.build({ block: region.block, instrs, boundary }, tracksLanes);
    this.fillResources();
    const mctx: MutationContext = {
      fn: ctx.fn,
      graph,
      memory: this.memory,
      latencyOf: (i) => ctx.latency.modelLatency(i),
      maxClusterDWords: ctx.maxClusterDWords,
      underlyingObjectOfBase: this.options.underlyingObjectOfBase,
      nClusters: 0,
      barrierSignalWaitLatencyCycles: this.options.barrierSignalWaitLatencyCycles,
      clusterLimits: this.options.clusterLimits,
      checkpoint: this.options.checkpoint,
    };
    for (const m of mutations) m(mctx);
  }

  private fillResources(): void {
    const { graph, resources, ctx } = this;
    resources.reset(graph.nSUnits);
    for (let n = 0; n < graph.nSUnits; n++) {
      const i = graph.instr[n];
      resources.uops[n] = ctx.latency.microOps(i);
      resources.writes[n] = ctx.latency.classDesc(i)?.writeProcRes ?? NO_WRITES;
    }
  }

  /**
   * ScheduleDAGMI::placeDebugValues on the anchors of the graph built last.
   * @llvm MachineScheduler.cpp ScheduleDAGMI::placeDebugValues
   */
  placeDebugValues(region: PlacedRegion): void {
    const { list } = this.ctx;
    const { debug, anchor, first } = this.builder.debugAnchors;
    if (first >= 0) {
      list.moveBefore(region.begin, first);
      region.begin = first;
    }
    for (let k = debug.length; k-- > 0;) {
      const d = debug[k];
      if (region.begin === d) region.begin = list.after(d);
      list.moveBefore(list.afterBundle(anchor[k]), d);
    }
  }
}

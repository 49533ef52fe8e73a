/** What a mutation of the scheduling graph gets: the graph after its construction and the function it stands for. */
import type { MachineFunction } from '../../../../model/machineFunction.js';
import type { ScheduleGraph } from '../graph.js';
import type { MemoryFacts } from '../memory.js';

/** When memory operations are clustered without a look at all pairs. */
export interface ClusterLimits {
  /** `-force-fast-cluster` */
  readonly forceFast: boolean;
  /** `-fast-cluster-threshold`: thousands of pairs of a memory operation and a node */
  readonly fastThreshold: number;
}

export const DEFAULT_CLUSTER_LIMITS: ClusterLimits = { forceFast: false, fastThreshold: 1000 };

export interface MutationContext {
  readonly fn: MachineFunction;
  readonly graph: ScheduleGraph;
  readonly memory: MemoryFacts;
  /** cycles of an instruction by the scheduling model */
  latencyOf(i: number): number;
  /** `maxMemoryClusterDWords` of the function */
  readonly maxClusterDWords: number;
  /** key of the underlying object of an instruction's single IR-based memory operand and its address space; null if there is none */
  underlyingObjectOfBase(i: number): { readonly key: string; readonly addressSpace: number } | null;
  /** cluster sets made so far in this region; their count is the next index */
  nClusters: number;
  /** `-amdgpu-barrier-signal-wait-latency`, cycles */
  readonly barrierSignalWaitLatencyCycles: number;
  readonly clusterLimits: ClusterLimits;
  /** asked now and then by what may take long; throws `Cancelled` to end the work */
  readonly checkpoint?: (() => void) | undefined;
}

export type Mutation = (ctx: MutationContext) => void;

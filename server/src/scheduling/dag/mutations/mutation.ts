/** What a mutation of the scheduling graph gets: the graph after its construction and the function it stands for. */
import type { MachineFunction } from '../../../model/machineFunction.js';
import type { ScheduleGraph } from '../graph.js';
import type { MemoryFacts } from '../memory.js';

export interface MutationContext {
  readonly fn: MachineFunction;
  readonly graph: ScheduleGraph;
  readonly memory: MemoryFacts;
  /** `maxMemoryClusterDWords` of the function */
  readonly maxClusterDWords: number;
  /** key of the underlying object of an instruction's single IR-based memory operand and its address space; null if there is none */
  underlyingObjectOfBase(i: number): { readonly key: string; readonly addressSpace: number } | null;
  /** cluster sets made so far in this region; their count is the next index */
  nClusters: number;
  /** `-amdgpu-barrier-signal-wait-latency`, cycles */
  readonly barrierSignalWaitLatencyCycles: number;
  /** asked now and then by what may take long; throws `Cancelled` to end the work */
  readonly checkpoint?: (() => void) | undefined;
}

export type Mutation = (ctx: MutationContext) => void;

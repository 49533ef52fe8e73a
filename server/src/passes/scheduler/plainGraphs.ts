/**
 * The scheduling graphs of a function before any mutation: what depends on what, region by region in the order of the text. Programs that build
 * LLVM's ScheduleDAGInstrs by themselves print these (Triton's dumps).
 */
import type { InstrId, MachineFunction } from '../../model/machineFunction.js';
import { NONE, type DepKind, type ScheduleGraph } from './dag/graph.js';
import { formRegions } from './regions.js';
import { prepareSchedule, SchedulerProcessState, type ModuleFacts, type ScheduleOptions } from './scheduleFunction.js';

export interface PlainNode {
  readonly instr: InstrId;
  /** place of the instruction in its block */
  readonly place: number;
}

export interface PlainEdge {
  /** places of the instructions in their block */
  readonly from: number;
  readonly to: number;
  readonly kind: DepKind;
  readonly latencyCycles: number;
  /** virtual registers as `~n`; 0 for order edges */
  readonly reg: number;
}

export interface PlainRegion {
  /** number of the block as the text has it */
  readonly block: number;
  /** among the regions of its block, from its top */
  readonly index: number;
  readonly nodes: readonly PlainNode[];
  readonly edges: readonly PlainEdge[];
}

/** The function must be accepted by the verifier; it is cloned. */
export function* plainGraphs(
  fn: MachineFunction,
  options: ScheduleOptions,
  module: ModuleFacts,
): Generator<PlainRegion> {
  const { context, scheduler } = prepareSchedule(fn, options, new SchedulerProcessState(), module);
  const placeOf = new Int32Array(fn.nInstrs).fill(NONE);
  for (let b = 0; b < fn.blocks.length; b++)
    for (let k = fn.blockBegin[b]!; k < fn.blockEnd[b]!; k++) placeOf[fn.order[k]!] = k - fn.blockBegin[b]!;
  // The scheduler goes from the last region of a block to its first.
  const regions = formRegions(context.fn, context.list, context.roles).map((region) => context.makeRegion(region));
  const byBlock = new Map<number, typeof regions>();
  for (const region of regions) byBlock.set(region.block, [...(byBlock.get(region.block) ?? []), region]);
  for (const block of [...byBlock.keys()].sort((a, b) => a - b)) {
    const own = byBlock.get(block)!;
    const first = (region: (typeof own)[number]): number => placeOf[context.instrsOf(region)[0]!]!;
    own.sort((a, b) => first(a) - first(b));
    for (const [index, region] of own.entries()) {
      scheduler.regionGraph.build(region, []);
      yield { block, index, ...copy(scheduler.graph, placeOf) };
    }
  }
}

function copy(graph: ScheduleGraph, placeOf: Int32Array): Pick<PlainRegion, 'nodes' | 'edges'> {
  const nodes: PlainNode[] = [];
  const edges: PlainEdge[] = [];
  for (let n = 0; n < graph.nSUnits; n++) {
    const instr = graph.instr[n]!;
    const from = placeOf[instr]!;
    nodes.push({ instr, place: from });
    for (let e = graph.firstSucc[n]!; e !== NONE; e = graph.nextSucc[e]!) {
      const other = graph.edgeSucc[e]!;
      if (other >= graph.nSUnits) continue;
      const [kind, latencyCycles, reg] = [graph.edgeKind[e]!, graph.edgeLatencyCycles[e]!, graph.edgeReg[e]!];
      edges.push({ from, to: placeOf[graph.instr[other]!]!, kind, latencyCycles, reg });
    }
  }
  return { nodes, edges };
}

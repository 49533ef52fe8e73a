/**
 * `post-RA-sched`: the older list scheduler after allocation, which LLVM's pipeline for this target leaves out (PostRASchedulerList.cpp, LLVM 22;
 * docs/llvm/post-ra-scheduling.md, 6).
 */
import type { ListPos } from '../../../model/edit/instrList.js';
import type { BlockId } from '../../../model/machineFunction.js';
import { NotModelled, type MachinePass } from '../../machinePass.js';
import { CFG, ALIAS_ANALYSIS } from '../../passContext.js';
import { isWeakDep, NONE, SUnitFlag, type SUnitId } from '../dag/graph.js';
import type { PlacedRegion } from '../regionGraph.js';
import { LatencyQueue } from './latencyQueue.js';
import { PostRAGraphs } from './postRAGraphs.js';

/** @llvm PostRASchedulerList.cpp PostRASchedulerLegacy */
export const postRASchedulerPass: MachinePass = {
  name: 'post-RA-sched',
  pipelineName: 'post-RA-sched',
  className: 'PostRASchedulerPass',
  title: 'Post RA top-down list latency scheduler',
  requires: [ALIAS_ANALYSIS],
  preserves: [CFG],
  run(state) {
    const { fn, context } = state;
    if (fn.isOptNone) return;
    const { options } = context;
    const isFast = ['0', '1'].includes(String(options.get('O')));
    const isOn = options.get('post-RA-scheduler') ?? (fn.subtarget.schedModel.hasInstrSchedModel && !isFast);
    if (isOn === false) return;
    const breaking = String(options.get('break-anti-dependencies') ?? 'none');
    if (breaking === 'all' || breaking === 'critical') throw new NotModelled(`-break-anti-dependencies=${breaking}`);
    new PostRAListScheduler(new PostRAGraphs(state), context.checkpoint).run();
  },
};

/** More cycles than any hazard lasts: llc waits on. */
const MOST_WAITS = 1000;

/** @llvm PostRASchedulerList.cpp SchedulePostRATDList */
class PostRAListScheduler {
  constructor(
    private readonly graphs: PostRAGraphs,
    private readonly checkpoint: (() => void) | undefined,
  ) {}

  /** @llvm PostRASchedulerList.cpp PostRAScheduler::run */
  run(): void {
    const { fn, list, roles, kills } = this.graphs;
    for (let b: BlockId = 0; b < fn.blocks.length; b++) {
      let end: ListPos = ~b;
      for (let i = list.before(~b); i >= 0;) {
        const next = list.before(i);
        if (roles.isBoundary(i)) {
          this.schedule(b, list.after(i), end);
          end = i;
        }
        i = next;
      }
      this.schedule(b, list.first(b), end);
      kills.fix(b);
    }
  }

  private schedule(block: BlockId, begin: ListPos, end: ListPos): void {
    if (begin === end) return;
    this.checkpoint?.();
    const { graphs } = this;
    const region: PlacedRegion = { block, begin, end, nInstrs: 0 };
    graphs.build(region, [], false);
    this.emit(region, this.order());
  }

  /**
   * Nodes in the order of the schedule, cycle by cycle.
   * @llvm PostRASchedulerList.cpp SchedulePostRATDList::ListScheduleTopDown
   */
  private order(): SUnitId[] {
    const { graph, hazards } = this.graphs;
    const order: SUnitId[] = [];
    const available = new LatencyQueue(graph);
    const isAvailable = new Uint8Array(graph.nSUnits);
    /** cycle at which a node can be scheduled, once what it waits for is; then the one at which it was */
    const ready = new Int32Array(graph.nSUnits);
    const pending: SUnitId[] = [];
    let cycle = 0;
    /** cycles in which all that is left had to wait for a hazard */
    let waits = 0;
    const offer = (n: SUnitId): void => {
      isAvailable[n] = 1;
      available.push(n);
    };
    const release = (n: SUnitId): void => {
      for (let e = graph.firstSucc[n]; e !== NONE; e = graph.nextSucc[e]) {
        const to = graph.edgeSucc[e];
        if (isWeakDep(graph.edgeKind[e]) || to === graph.exitSU) continue;
        ready[to] = Math.max(ready[to], ready[n] + graph.edgeLatencyCycles[e]);
        if (--graph.numPredsLeft[to] === 0) pending.push(to);
      }
    };
    hazards.reset();
    for (let n = 0; n < graph.nSUnits; n++) if (graph.numPredsLeft[n] === 0) offer(n);
    while (order.length < graph.nSUnits) {
      for (let k = 0; k < pending.length;) {
        if (ready[pending[k]] > cycle) k++;
        else {
          offer(pending[k]);
          pending[k] = pending[pending.length - 1];
          pending.pop();
        }
      }
      const n = this.pick(available);
      waits = n === NONE && pending.length === 0 ? waits + 1 : 0;
      if (waits > MOST_WAITS) throw new NotModelled('a hazard that waiting does not end, as llc-22 does not either,');
      if (n !== NONE) {
        order.push(n);
        ready[n] = Math.max(ready[n], cycle);
        release(n);
        graph.flags[n] |= SUnitFlag.IsScheduled;
        available.scheduled(n, (other) => isAvailable[other] !== 0);
        hazards.emit(graph.instr[n]);
      }
      hazards.advanceCycle();
      cycle++;
    }
    return order;
  }

  /** The first that no hazard holds back, one that would rather wait last; NONE where all have to. */
  private pick(available: LatencyQueue): SUnitId {
    const { graph, hazards } = this.graphs;
    const notReady: SUnitId[] = [];
    let found: SUnitId = NONE;
    let notPreferred: SUnitId = NONE;
    while (found === NONE && !available.isEmpty) {
      const n = available.pop();
      const isHazard = hazards.isHazard(graph.instr[n]);
      if (!isHazard && !hazards.prefersAnother(graph.instr[n])) found = n;
      else if (!isHazard && notPreferred === NONE) notPreferred = n;
      else notReady.push(n);
    }
    if (found === NONE) found = notPreferred;
    else if (notPreferred !== NONE) available.push(notPreferred);
    for (const n of notReady) available.push(n);
    return found;
  }

  /** @llvm PostRASchedulerList.cpp SchedulePostRATDList::EmitSchedule */
  private emit(region: PlacedRegion, order: readonly SUnitId[]): void {
    const { graphs } = this;
    const { list, graph, regionGraph } = graphs;
    const { debug, anchor, first } = regionGraph.debugAnchors;
    if (first >= 0) list.moveBefore(region.end, first);
    for (const n of order) list.moveBefore(region.end, graph.instr[n]);
    for (let k = debug.length; k-- > 0;) list.moveBefore(list.afterBundle(anchor[k]), debug[k]);
  }
}

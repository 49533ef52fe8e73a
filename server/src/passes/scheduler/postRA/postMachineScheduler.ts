/**
 * `postmisched`: the machine scheduler after allocation (PostMachineScheduler with GCNTargetMachine::createPostMachineScheduler, LLVM 22;
 * docs/llvm/post-ra-scheduling.md, 1 and 2).
 */
import { Generation } from '../../../target/api.js';
import type { FunctionState } from '../../functionState.js';
import { NotModelled, type MachinePass } from '../../machinePass.js';
import { CFG, ALIAS_ANALYSIS } from '../../passContext.js';
import { VopdPairs } from '../../vopdPairs.js';
import { addBarrierLatency } from '../dag/mutations/barrierLatency.js';
import { clusterLoads, clusterStores } from '../dag/mutations/clusterMemOps.js';
import { clusterExports } from '../dag/mutations/exports.js';
import { addHazardLatency } from '../dag/mutations/hazardLatency.js';
import { IglpPhase, IGroupLP } from '../dag/mutations/igroupLP.js';
import type { Mutation } from '../dag/mutations/mutation.js';
import { pairForVopd } from '../dag/mutations/vopdPairing.js';
import { formRegions } from '../regions.js';
import { opcodeSet } from '../../../target/opcodeSets.js';
import type { ListPos } from '../../../model/edit/instrList.js';
import type { PlacedRegion } from '../regionGraph.js';
import { SUnitFlag, type SUnitId } from '../dag/graph.js';
import { PostGenericStrategy } from './postGenericStrategy.js';
import { PostRAGraphs } from './postRAGraphs.js';

/** @llvm MachineScheduler.cpp PostMachineSchedulerLegacy */
export const postMachineSchedulerPass: MachinePass = {
  name: 'postmisched',
  pipelineName: 'postmisched',
  className: 'PostMachineSchedulerPass',
  title: 'PostRA Machine Instruction Scheduler',
  requires: [ALIAS_ANALYSIS],
  preserves: [CFG],
  run(state) {
    const { options } = state.context;
    const isOn = options.get('enable-post-misched') ?? state.fn.subtarget.schedModel.hasInstrSchedModel;
    if (state.fn.isOptNone || isOn === false) return;
    refuseDirections(state);
    new PostMachineScheduler(new PostRAGraphs(state), state).run();
  },
};

/** From the bottom up LLVM's own hazard recognizer gives up. */
function refuseDirections({ fn, context }: FunctionState): void {
  const option = context.options.get('misched-postra-direction');
  const attribute = fn.header.irFunction.attributes.get('amdgpu-post-ra-direction');
  const direction = String(option ?? attribute ?? 'topdown');
  if (direction !== 'topdown') throw new NotModelled(`the direction '${direction}' of scheduling after allocation`);
}

/** @llvm GCNSchedStrategy.cpp GCNPostScheduleDAGMILive */
class PostMachineScheduler {
  private readonly strategy: PostGenericStrategy;
  private readonly directives: ReadonlySet<number>;
  private mutations: readonly Mutation[];

  constructor(
    private readonly graphs: PostRAGraphs,
    private readonly state: FunctionState,
  ) {
    const { graph, regionGraph, hazards } = graphs;
    const zone = {
      reset: () => hazards.reset(),
      isHazard: (n: SUnitId) => hazards.isHazard(graph.instr[n]!),
      emit: (n: SUnitId) => hazards.emit(graph.instr[n]!),
      advanceCycle: () => hazards.advanceCycle(),
      emitsBehindStalls: graphs.fn.subtarget.release.rules.emitsBehindStalls,
    };
    this.strategy = new PostGenericStrategy(graph, regionGraph.resources, zone, graphs.options.zone);
    this.directives = opcodeSet(graphs.fn.tables, 'regionHasIGLP');
    this.mutations = this.allMutations();
  }

  /** @llvm AMDGPUTargetMachine.cpp GCNTargetMachine::createPostMachineScheduler */
  private allMutations(): Mutation[] {
    const { fn, options, state } = this.graphs;
    const list: Mutation[] = [];
    if (options.cluster) {
      list.push(clusterLoads);
      if (fn.subtarget.generation >= Generation.GFX11) list.push(clusterStores);
    }
    list.push(this.groups());
    const vopd = this.state.context.options.get('amdgpu-enable-vopd');
    const isOptimized = String(this.state.context.options.get('O')) !== '0';
    const pairs = new VopdPairs(fn);
    if (pairs.isPossible && vopd !== false && (isOptimized || vopd === true)) list.push(pairForVopd(pairs));
    list.push(clusterExports, addBarrierLatency(state.module.syncScopes, fn));
    if (fn.subtarget.release.rules.spacesMaskWrites) list.push(addHazardLatency);
    return list;
  }

  private groups(): Mutation {
    const { options, state } = this.graphs;
    const group = new IGroupLP(IglpPhase.PostRA, state.process.iglp, options.iglp);
    return (m) => group.apply(m);
  }

  /**
   * Regions from the last to the first of each block, then the kill flags of the block.
   * @llvm MachineScheduler.cpp impl_detail::MachineSchedulerBase::scheduleRegions
   */
  run(): void {
    const { fn, list, roles, kills } = this.graphs;
    const regions = formRegions(fn, list, roles);
    let next = 0;
    for (let b = 0; b < fn.blocks.length; b++) {
      for (; regions[next]?.block === b; next++) {
        const region = regions[next]!;
        if (list.before(region.end) !== region.begin) this.schedule({ ...region });
      }
      kills.fix(b);
    }
  }

  /**
   * Groups that a program asks for replace all other mutations, up to the end of the function.
   * @llvm GCNSchedStrategy.cpp GCNPostScheduleDAGMILive::schedule
   */
  private schedule(region: PlacedRegion): void {
    const { graphs, strategy } = this;
    const { list, graph, roles } = graphs;
    this.state.context.checkpoint?.();
    if (this.hasInstrGroups(region)) this.mutations = [this.groups()];
    graphs.build(region, this.mutations, true);
    for (let n = 0; n <= graph.nSUnits; n++) graph.biasCriticalPath(n);
    strategy.initialize();
    const skipDebug = (from: ListPos): ListPos => {
      let p = from;
      while (p !== region.end && p >= 0 && roles.isDebug(p)) p = list.after(p);
      return p;
    };
    let top = skipDebug(region.begin);
    for (let k = 0; k < graph.nSUnits; k++) {
      const n = strategy.pickNode();
      const i = graph.instr[n]!;
      if (i === top) top = skipDebug(list.after(i));
      else {
        if (region.begin === i) region.begin = list.after(i);
        list.moveBefore(top, i);
        if (region.begin === top) region.begin = i;
      }
      strategy.schedNode(n);
      graph.flags[n]! |= SUnitFlag.IsScheduled;
    }
    graphs.regionGraph.placeDebugValues(region);
  }

  private hasInstrGroups(region: PlacedRegion): boolean {
    const { list, fn } = this.graphs;
    for (let p = region.begin; p !== region.end && p >= 0; p = list.after(p))
      if (this.directives.has(fn.opcode[p]!)) return true;
    return false;
  }
}

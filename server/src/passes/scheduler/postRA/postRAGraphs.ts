/** What both schedulers after allocation work on: the function on its lists, and graphs of its regions without live intervals. */
import type { FunctionEditor } from '../../../model/edit/functionEditor.js';
import type { InstrList } from '../../../model/edit/instrList.js';
import { OpFlag, OperandKind, type MachineFunction } from '../../../model/machineFunction.js';
import { virtReg, type Reg, type VRegId } from '../../../model/register.js';
import { SchedulerHazards } from '../../hazards/schedulerHazards.js';
import { reservedOf } from '../../frozenRegisters.js';
import type { FunctionState } from '../../functionState.js';
import { ConstantRegs } from '../constantRegs.js';
import { AliasFacts } from '../dag/aliasFacts.js';
import { OperandLists } from '../dag/build.js';
import { ScheduleGraph } from '../dag/graph.js';
import { LatencyModel } from '../dag/latency.js';
import type { Mutation } from '../dag/mutations/mutation.js';
import { scheduleOptions } from '../llcOptions.js';
import { RegionGraph, type GraphContext, type PlacedRegion } from '../regionGraph.js';
import { InstrRoles } from '../regions.js';
import { resolveSchedClass } from '../schedClass.js';
import type { ScheduleOptions } from '../scheduleFunction.js';
import { schedulerState, type SchedulerState } from '../schedulerRun.js';
import { KillFixer } from './fixupKills.js';
import { refuseVirtualRegs } from '../../virtualRegs.js';

export class PostRAGraphs implements GraphContext {
  readonly fn: MachineFunction;
  readonly editor: FunctionEditor;
  readonly list: InstrList;
  readonly roles: InstrRoles;
  readonly latency: LatencyModel;
  readonly options: ScheduleOptions;
  readonly state: SchedulerState;
  readonly hazards: SchedulerHazards;
  readonly kills: KillFixer;
  readonly regionGraph: RegionGraph;
  private readonly constants: ConstantRegs;

  constructor(of: FunctionState) {
    const { context } = of;
    refuseVirtualRegs(of.fn);
    this.editor = of.editor();
    const { fn, list } = this.editor;
    this.fn = fn;
    this.list = list;
    this.roles = new InstrRoles(fn);
    this.options = scheduleOptions(context.options);
    this.state = schedulerState(context);
    this.latency = new LatencyModel(fn, resolveSchedClass, this.options.schedModel);
    const reserved = reservedOf(of);
    this.constants = new ConstantRegs(fn, reserved);
    this.kills = new KillFixer(fn, list, this.roles, reserved);
    this.hazards = new SchedulerHazards(this.editor, Number(context.options.get('amdgpu-mfma-padding-ratio') ?? 0));
    const memory = new AliasFacts(fn, this.state.module.aliasQueries(fn), this.options);
    this.regionGraph = new RegionGraph(
      this,
      memory,
      {
        ...this.options,
        underlyingObjectOfBase: memory.underlyingObjectOfBase,
        checkpoint: context.checkpoint,
      },
      { graph: new ScheduleGraph(), operands: new OperandLists() },
    );
  }

  get graph(): ScheduleGraph {
    return this.regionGraph.graph;
  }

  get maxClusterDWords(): number {
    return this.fn.header.machineFunctionInfo.maxMemoryClusterDWords;
  }

  isConstantPhysReg(reg: Reg): boolean {
    return this.constants.isConstantPhysReg(reg);
  }

  hasOneDef(vreg: VRegId): boolean {
    return this.editor.hasOneDef(virtReg(vreg));
  }

  /** The graph of a region before its lists of predecessors are put in order; `dropsKills`: its nodes lose their kill flags. */
  build(region: PlacedRegion, mutations: readonly Mutation[], dropsKills: boolean): void {
    const { regionGraph, graph } = this;
    regionGraph.buildEdges(region, mutations);
    if (dropsKills) for (let n = 0; n < graph.nSUnits; n++) this.dropKills(graph.instr[n]);
  }

  private dropKills(i: number): void {
    const { fn } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.Register && !this.isConstantPhysReg(fn.opVal[o])) fn.opFlags[o] &= ~OpFlag.Kill;
  }
}

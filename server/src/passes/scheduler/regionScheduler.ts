/**
 * Schedules one region with the list scheduler: graph, mutations, picks, placing of instructions and debug values, flags.
 *
 * Follows ScheduleDAGMILive::schedule and its helpers as docs/llvm/generic-scheduler.md, 3, 8 and 10.4 describe them.
 */
import type { NodePicker } from './strategy/nodePicker.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { OpFlag, OperandKind, type InstrId } from '../../model/machineFunction.js';
import { McFlag } from '../../target/api.js';
import type { SchedContext } from './context.js';
import type { SchedRegion } from './regions.js';
import { SUnitFlag, type ScheduleGraph, type SUnitId } from './dag/graph.js';
import type { MemoryFacts } from './dag/memory.js';
import { mayLoad } from './dag/memoryFlags.js';
import type { Mutation } from './dag/mutations/mutation.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { IlpStrategy, type IlpPick } from './generic/ilpStrategy.js';
import { KillPoints } from './killPoints.js';
import { incPressure, newPressure } from '../../analysis/gcnPressure.js';
import { GCNRegionPressure } from './pressure/gcnZonePressure.js';
import type { GenericRegionPressure } from './pressure/genericTracker.js';
import { MaxRegionPressure } from './pressure/maxPressure.js';
import { pressureSetLimits } from './pressure/setLimits.js';
import type { RegionLiveIns } from './pressure/regionLiveIns.js';
import type { RegionLiveness } from './pressure/regionLiveness.js';
import type { RegionColumns } from './regionColumns.js';
import { RegionGraph, type RegionGraphOptions } from './regionGraph.js';
import { WatchedRegionPressure } from './pressure/watchedPressure.js';
import {
  GCNSchedStrategy,
  type NodeFacts,
  type PickObserver,
  type PressureLimits,
  type RegionPressure,
  type StrategyOptions,
} from './strategy/gcnSchedStrategy.js';
import { classifyFlavor, type Flavor } from './strategy/coexecHeuristics.js';
import { withRoom } from '../../util/columns.js';

/** Follows the zones. */
export interface ZoneFollower {
  advance(n: SUnitId): void;
  recede(n: SUnitId): void;
}

/** A pressure tracker that follows the zones. */
export interface MovingRegionPressure extends RegionPressure, ZoneFollower {}

const NO_FOLLOWER: ZoneFollower = { advance: () => undefined, recede: () => undefined };

export interface RegionSchedulerOptions extends RegionGraphOptions {
  /** `-misched-cyclicpath` */
  readonly cyclicPath: boolean;
  /** told the critical path, in cycles, of every region that is scheduled (`-misched-dcpl`) */
  readonly onCriticalPath?: ((cycles: number) => void) | undefined;
  /** shown every graph after its mutations, before anything is picked; borrowed */
  readonly onGraph?: ((graph: ScheduleGraph) => void) | undefined;
}

/** Picks between two questions. */
const PICKS_PER_CHECKPOINT = 128;

/** Watches the picks of scheduleByIlp; what it is given is borrowed until the region is done. */
export interface IlpWatch {
  begin(graph: ScheduleGraph, pressure: RegionPressure): void;
  onPick(pick: IlpPick): void;
}

/** What is left after a region was scheduled, for the stages: labels, graph, old and new order as node numbers. */
export interface ScheduledRegion {
  readonly live: RegionLiveness;
  readonly graph: ScheduleGraph;
  /** nodes in their new order */
  readonly order: Int32Array;
  readonly hasHighPressure: boolean;
}

/** @llvm MachineScheduler.cpp ScheduleDAGMILive */
export class RegionScheduler {
  readonly graph: ScheduleGraph;
  readonly regionGraph: RegionGraph;
  private readonly live: RegionLiveness;
  private readonly pressure: GenericRegionPressure;
  private readonly nodes: InstrId[] = [];
  private nodeOfInstr = new Int32Array(0);
  private readonly facts: InstrFacts;
  private strategy: GCNSchedStrategy | null = null;
  private maxTracker: MaxRegionPressure | null = null;
  private watchedTracker: WatchedRegionPressure | null = null;

  constructor(
    private readonly ctx: SchedContext,
    memory: MemoryFacts,
    private readonly options: RegionSchedulerOptions,
    readonly columns: RegionColumns,
  ) {
    this.graph = columns.graph;
    this.live = columns.live;
    this.pressure = columns.pressure;
    this.regionGraph = new RegionGraph(ctx, memory, options, columns);
    this.facts = new InstrFacts(ctx, this.graph);
  }

  /** Numbers the values of a region in its present order. The answer is good until the next one. */
  liveness(region: SchedRegion): RegionLiveness {
    const { ctx, nodes, live } = this;
    nodes.length = 0;
    for (let p = region.begin; p !== region.end && p >= 0; p = ctx.list.after(p))
      if (!ctx.roles.isDebug(p)) nodes.push(p);
    live.reset(nodes, region.end >= 0 ? region.end : -1, ctx.regionEnds(region));
    return live;
  }

  /**
   * Schedules a region in place. The region's begin is updated; live-ins and live-outs do not change.
   * @llvm MachineScheduler.cpp ScheduleDAGMILive::schedule
   */
  schedule(
    region: SchedRegion,
    mutations: readonly Mutation[],
    options: StrategyOptions,
    limits: PressureLimits,
    /** `nodes`: instructions of the graph, with more after them */
    makePressure: (nodes: Int32Array) => MovingRegionPressure,
    observer: PickObserver | null = null,
    /** sets `undef` on definitions of an instruction that was placed, where the present order does not say it all */
    addUndef: ((i: InstrId) => void) | null = null,
  ): ScheduledRegion {
    const { ctx, graph } = this;
    this.options.checkpoint?.();
    const live = this.liveness(region);
    this.regionGraph.build(region, mutations, options.tracksPressure);
    this.options.onGraph?.(graph);
    const pressure = makePressure(graph.instr);
    this.facts.fill();
    const strategy = (this.strategy ??= new GCNSchedStrategy(
      graph,
      this.regionGraph.resources,
      this.facts,
      pressure,
      options,
    ));
    strategy.reuse(pressure, options);
    strategy.limits = limits;
    strategy.observer = observer;
    this.options.checkpoint?.();
    strategy.initialize();
    // without pressure LLVM knows no live-outs here
    const seesCycles = this.options.cyclicPath && options.tracksPressure;
    strategy.releaseRoots(() => (seesCycles ? cyclicCriticalPath(ctx, graph, live, region) : 0));
    this.options.onCriticalPath?.(strategy.rem.criticalPathCycles);
    observer?.begin?.(strategy, graph);
    const onPlaced = options.tracksPressure ? addUndef : null;
    const placement = new Placement(ctx, graph, strategy, pressure, region, this.options.checkpoint, onPlaced);
    placement.run();
    this.regionGraph.placeDebugValues(region);
    const order = this.currentOrder(region);
    if (options.tracksPressure && onPlaced === null) recomputeReadUndef(ctx, live, graph, placement.pickOrder);
    return { live, graph, order, hasHighPressure: strategy.hasHighPressure };
  }

  /** Schedules a region in place by LLVM's ILP metric (`-misched=ilpmax`, `ilpmin`). */
  scheduleByIlp(region: SchedRegion, maximizes: boolean, watch: IlpWatch | null): ScheduledRegion {
    const { ctx, graph } = this;
    const { checkpoint } = this.options;
    checkpoint?.();
    const live = this.liveness(region);
    this.regionGraph.build(region, [], false);
    this.options.onGraph?.(graph);
    const isTransient = (n: SUnitId): boolean => ctx.latency.isTransient(graph.instr[n]);
    let follower = NO_FOLLOWER;
    let onPick: ((pick: IlpPick) => void) | null = null;
    if (watch !== null) {
      const pressure = this.genericPressure(region, graph.instr.subarray(0, graph.nSUnits));
      follower = pressure;
      watch.begin(graph, pressure);
      onPick = (pick) => watch.onPick(pick);
    }
    const strategy = new IlpStrategy(graph, isTransient, maximizes, onPick);
    strategy.releaseRoots();
    new Placement(ctx, graph, strategy, follower, region, checkpoint).run();
    this.regionGraph.placeDebugValues(region);
    return { live, graph, order: this.currentOrder(region), hasHighPressure: false };
  }

  /** The region pressure of the generic scheduler; see MaxRegionPressure. */
  maxPressure(region: SchedRegion, nodes: Int32Array, isExact: boolean): MaxRegionPressure {
    const { ctx } = this;
    this.maxTracker ??= new MaxRegionPressure(ctx.fn, this.live, ctx.unitRanges, pressureSetLimits(ctx), isExact);
    this.maxTracker.reset(ctx.regionEnds(region), nodes);
    return this.maxTracker;
  }

  /** The usual region pressure of the strategies. */
  genericPressure(region: SchedRegion, nodes: Int32Array): GenericRegionPressure {
    const pressure = this.ctx.asksForEachChange ? this.watchedPressure() : this.pressure;
    pressure.reset(this.ctx.regionEnds(region), nodes);
    return pressure;
  }

  private watchedPressure(): WatchedRegionPressure {
    const { ctx } = this;
    const onChange = (set: number): void => ctx.askForSetLimit(set);
    this.watchedTracker ??= new WatchedRegionPressure(ctx.fn, this.live, ctx.unitRanges, onChange);
    return this.watchedTracker;
  }

  /** GCN's own trackers (`-amdgpu-use-amdgpu-trackers`) on the values of the region whose graph was built last. O(registers). */
  gcnPressure(region: SchedRegion, liveIns: RegionLiveIns): GCNRegionPressure {
    const { ctx } = this;
    const { lis } = ctx;
    const ends = ctx.regionEnds(region);
    const above: InstrId[] = [];
    for (let p = ctx.list.first(region.block); p !== region.begin && p >= 0; p = ctx.list.after(p)) {
      if (!ctx.roles.isDebug(p)) above.push(p);
    }
    const liveOutPressure = newPressure();
    for (let v = 0; v < ctx.fn.vregs.n; v++) {
      if (ctx.copiedRegs.has(v)) continue;
      const lo = lis.liveLanes(v, region.endSlot);
      if ((lo | lis.lanesHi) !== 0) incPressure(liveOutPressure, ctx.facts, v, 0, 0, lo, lis.lanesHi);
    }
    let lanesHi = 0;
    return new GCNRegionPressure(ctx.fn, this.live, ctx.facts, {
      liveInPressure: liveIns.pressure,
      liveOutPressure,
      above,
      liveAtBegin: (v) => {
        const stale = liveIns.stale?.get(v);
        const lo = stale?.lo ?? ends.liveAtBegin(v);
        lanesHi = stale?.hi ?? ends.lanesHi;
        return lo;
      },
      liveAtEnd: (v) => {
        const isKnown = !ctx.copiedRegs.has(v);
        const lo = isKnown ? ends.liveAtEnd(v) : 0;
        lanesHi = isKnown ? ends.lanesHi : 0;
        return lo;
      },
      get lanesHi() {
        return lanesHi;
      },
    });
  }

  /** Node numbers in the present order of the region whose graph was built last. */
  private currentOrder(region: SchedRegion): Int32Array {
    const { ctx, graph } = this;
    this.nodeOfInstr = withRoom(this.nodeOfInstr, ctx.fn.nInstrs);
    const { nodeOfInstr } = this;
    for (let n = 0; n < graph.nSUnits; n++) nodeOfInstr[graph.instr[n]] = n;
    const order = new Int32Array(graph.nSUnits);
    let k = 0;
    for (let p = region.begin; p !== region.end && p >= 0; p = ctx.list.after(p))
      if (!ctx.roles.isDebug(p)) order[k++] = nodeOfInstr[p];
    // Shorter if what ends the region has moved up.
    return k === order.length ? order : order.subarray(0, k);
  }
}

/** Places picks at the two ends of a region. */
class Placement {
  private currentTop: ListPos;
  private currentBottom: ListPos;
  private readonly followers: SUnitId[] = [];
  private readonly kills: KillPoints | null;
  /** Nodes as they were picked for their places: copies that followed a physical register later still stand where they were. */
  readonly pickOrder: Int32Array;

  constructor(
    private readonly ctx: SchedContext,
    private readonly graph: ScheduleGraph,
    private readonly strategy: NodePicker,
    private readonly pressure: ZoneFollower,
    private readonly region: SchedRegion,
    private readonly checkpoint: (() => void) | undefined,
    private readonly onPlaced: ((i: InstrId) => void) | null = null,
  ) {
    this.currentTop = this.skipDebug(region.begin);
    this.currentBottom = region.end;
    this.kills = KillPoints.of(ctx, graph, region);
    this.pickOrder = new Int32Array(graph.nSUnits);
  }

  private skipDebug(p: ListPos): ListPos {
    let q = p;
    while (q !== this.region.end && q >= 0 && this.ctx.roles.isDebug(q)) q = this.ctx.list.after(q);
    return q;
  }

  private prevNonDebug(p: ListPos): ListPos {
    let q = this.ctx.list.before(p);
    while (q >= 0 && q !== this.region.begin && this.ctx.roles.isDebug(q)) q = this.ctx.list.before(q);
    return q;
  }

  /** @llvm MachineScheduler.cpp ScheduleDAGMI::moveInstruction */
  private move(i: InstrId, before: ListPos, isUpward: boolean): void {
    const { ctx, region } = this;
    if (region.begin === i) region.begin = ctx.list.after(i);
    // Who says where `undef` goes knows which definitions are dead no more, too.
    if (isUpward && this.onPlaced === null) ctx.noteMovedUp(i, before);
    else ctx.noteMoved(i);
    // What ends the region follows a register to where it stands, or up: LLVM takes it for a node of the region.
    if (!ctx.list.moveBefore(before, i)) ctx.list.moveInPlace(i);
    if (region.begin === before) region.begin = i;
  }

  /** @llvm MachineScheduler.cpp ScheduleDAGMILive::scheduleMI */
  run(): void {
    const { graph, strategy, pressure, checkpoint, pickOrder } = this;
    let nAtTop = 0;
    for (let k = 0; k < graph.nSUnits; k++) {
      if (checkpoint !== undefined && k % PICKS_PER_CHECKPOINT === 0) checkpoint();
      const n = strategy.pickNode();
      const isTop = strategy.pickedTop;
      pickOrder[isTop ? nAtTop++ : graph.nSUnits - 1 - (k - nAtTop)] = n;
      if (isTop) {
        this.placeAtTop(graph.instr[n]);
        this.kills?.placed(n, true, false);
      } else {
        const isMoved = this.placeAtBottom(graph.instr[n]);
        this.kills?.placed(n, false, isMoved);
      }
      this.onPlaced?.(graph.instr[n]);
      if (isTop) pressure.advance(n);
      else pressure.recede(n);
      strategy.schedNode(n, isTop);
      strategy.physRegFollowers(n, isTop, this.followers);
      // all go to the same place: before the node, or of what followed it before the first of them came
      const at = isTop ? graph.instr[n] : this.ctx.list.after(graph.instr[n]);
      const { followers } = this;
      for (let f = 0; f < followers.length; f++) {
        this.move(graph.instr[followers[f]], at, !isTop);
        if (isTop) this.kills?.followed(followers[f], n, f, followers.length);
      }
      strategy.releaseNeighbours(n, isTop);
      graph.flags[n] |= SUnitFlag.IsScheduled;
    }
  }

  private placeAtTop(i: InstrId): void {
    if (i === this.currentTop) this.currentTop = this.skipDebug(this.ctx.list.after(i));
    else this.move(i, this.currentTop, true);
  }

  /** Returns whether the instruction had to move. */
  private placeAtBottom(i: InstrId): boolean {
    const last = this.prevNonDebug(this.currentBottom);
    if (i === last) {
      this.currentBottom = last;
      return false;
    }
    if (i === this.currentTop) this.currentTop = this.skipDebug(this.ctx.list.after(i));
    this.move(i, this.currentBottom, false);
    this.currentBottom = i;
    return true;
  }
}

/**
 * LLVM drops `undef` of all defs when it puts a region in order. Where it tracks lanes it sets it again, but for virtual registers only: a physical
 * one has lost it.
 */
export function clearUndefOfDefs(ctx: SchedContext, order: readonly InstrId[]): void {
  const { opBegin, opKind, opFlags } = ctx.fn;
  for (const i of order)
    for (let o = opBegin[i]; o < opBegin[i + 1]; o++)
      if (opKind[o] === OperandKind.Register && (opFlags[o] & OpFlag.Def) !== 0) opFlags[o] &= ~OpFlag.Undef;
}

/**
 * Sets `undef` on sub-register defs after which no other lane of the register lives, clears it elsewhere
 * (setRegisterDefReadUndef, generic-scheduler.md 10.4), for a region in the order given: LLVM does it when it places a node, and
 * not again for a copy that it moves afterwards.
 */
export function recomputeReadUndef(
  ctx: SchedContext,
  live: RegionLiveness,
  graph: { readonly instr: Int32Array },
  order: Int32Array,
): void {
  const { fn } = ctx;
  const { liveLo, liveHi } = live;
  live.liveOuts(liveLo, liveHi);
  for (let at = order.length - 1; at >= 0; at--) {
    const n = order[at];
    const i = graph.instr[n];
    for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
      const k = live.rowReg.data[r];
      const v = live.regVReg.data[k];
      const dLo = live.rowAllDefLo.data[r];
      const dHi = live.rowAllDefHi.data[r];
      if (v >= 0) {
        const onlyDefined = ((liveLo[k] & ~dLo) | (liveHi[k] & ~dHi)) === 0;
        for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
          // only registers have the flag
          if (fn.opVal[o] !== ~v || (fn.opFlags[o] & OpFlag.Def) === 0 || fn.opSub[o] === 0) continue;
          if (onlyDefined) fn.opFlags[o] |= OpFlag.Undef;
          else fn.opFlags[o] &= ~OpFlag.Undef;
        }
      }
      liveLo[k] = (liveLo[k] & ~dLo) | live.rowUseLo.data[r];
      liveHi[k] = (liveHi[k] & ~dHi) | live.rowUseHi.data[r];
    }
  }
}

/**
 * Only for a block that is its own successor. A live-out value defined in the
 * region comes back as a PHI-like value at the block's start; its users in the region before any redefinition close the cycle.
 * @llvm MachineScheduler.cpp ScheduleDAGMILive::computeCyclicCriticalPath
 */
function cyclicCriticalPath(
  ctx: SchedContext,
  graph: ScheduleGraph,
  live: RegionLiveness,
  region: SchedRegion,
): number {
  if (!ctx.fn.blocks[region.block].successors.includes(region.block)) return 0;
  let max = 0;
  const { lis } = ctx;
  const blockEnd = lis.indexes.lastSlotOf(region.block);
  for (let k = 0; k < live.nRegs; k++) {
    const v = live.regVReg.data[k];
    if (v < 0) continue;
    let def = -1;
    for (let p = live.partBegin.data[k]; p < live.partBegin.data[k + 1]; p++) {
      const last = live.partLastValue.data[p];
      if (last >= 0 && live.valueDef.data[last] > def) def = live.valueDef.data[last];
    }
    if (def < 0 || !definesValueAt(ctx, live, graph, k, blockEnd)) continue;
    const outHeight = graph.height(def);
    const outDepth = graph.depth(def) + graph.latencyCycles[def];
    // a def of any lane makes a new value of the whole register
    const last = firstDefOf(live, k);
    for (let n = 0; n <= last; n++) {
      if (!readsIncoming(live, n, k) || !isLiveFromBlockStart(ctx, v, region)) continue;
      let cycles = outDepth > graph.depth(n) ? outDepth - graph.depth(n) : 0;
      const inHeight = graph.height(n) + graph.latencyCycles[def];
      cycles = Math.min(cycles, inHeight - outHeight);
      if (cycles > max) max = cycles;
    }
  }
  return max;
}

/** The first node that defines a lane of register k; there is one. */
function firstDefOf(live: RegionLiveness, k: number): number {
  let first = live.nNodes - 1;
  for (let p = live.partBegin.data[k]; p < live.partBegin.data[k + 1]; p++) {
    for (let v = live.partLastValue.data[p]; v >= 0; v = live.prevValue.data[v]) {
      const def = live.valueDef.data[v];
      if (def >= 0 && def < first) first = def;
    }
  }
  return first;
}

/**
 * The value of register k, which some node defines, at a slot below the region comes from one of its nodes, not from a later region. Where
 * nothing but that value comes back around the loop, its segment begins with the block: LLVM wants a PHI there.
 */
function definesValueAt(
  ctx: SchedContext,
  live: RegionLiveness,
  graph: ScheduleGraph,
  k: number,
  slot: number,
): boolean {
  const { lis } = ctx;
  const range = lis.mainRange[live.regVReg.data[k]];
  const s = range < 0 ? -1 : lis.segmentAt(range, slot);
  if (s < 0) return false;
  const defSlot = lis.segStart[s] & ~Slot.Dead;
  for (let p = live.partBegin.data[k]; p < live.partBegin.data[k + 1]; p++) {
    for (let v = live.partLastValue.data[p]; v >= 0; v = live.prevValue.data[v]) {
      const n = live.valueDef.data[v];
      if (n >= 0 && lis.indexes.instrIndex[graph.instr[n]] === defSlot) return true;
    }
  }
  return false;
}

/** The value at the region's begin is the one from the block's start. */
function isLiveFromBlockStart(ctx: SchedContext, v: number, region: SchedRegion): boolean {
  const { lis } = ctx;
  const range = lis.mainRange[v];
  if (range < 0) return false;
  const a = lis.segmentAt(range, lis.indexes.startOf(region.block));
  return a >= 0 && a === lis.segmentAt(range, region.beginSlot);
}

/** Node n uses register k without defining it, and reads the value that is live into the region. */
function readsIncoming(live: RegionLiveness, n: SUnitId, k: number): boolean {
  for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
    if (live.rowReg.data[r] !== k || (live.rowDefLo.data[r] | live.rowDefHi.data[r]) !== 0) continue;
    let incoming = false;
    for (let e = live.readBegin.data[r]; e < live.readBegin.data[r + 1]; e++) {
      if (live.valueDef.data[live.readValue.data[e]] >= 0) return false;
      incoming = true;
    }
    return incoming;
  }
  return false;
}

const enum Fact {
  Copy = 1,
  CopyDestIsPhys = 2,
  CopySrcIsPhys = 4,
  MoveImm = 8,
  MoveImmToPhys = 16,
  MayLoad = 32,
}

/** Facts about the instructions of the region in hand: every comparison of two candidates asks for them. */
class InstrFacts implements NodeFacts {
  private readonly copyOpcode: number;
  private bits = new Uint8Array(64);

  constructor(
    private readonly ctx: SchedContext,
    private readonly graph: ScheduleGraph,
  ) {
    this.copyOpcode = ctx.fn.tables.opcodeByName('COPY');
  }

  /** Looks at the nodes of the graph, and at what ends the region. */
  fill(): void {
    const { graph } = this;
    const { exitSU } = graph;
    this.bits = withRoom(this.bits, exitSU + 1);
    for (let n = 0; n < exitSU; n++) this.bits[n] = this.factsOf(graph.instr[n]);
    this.bits[exitSU] = graph.instr[exitSU] < 0 ? 0 : this.factsOf(graph.instr[exitSU]);
  }

  private factsOf(i: InstrId): number {
    const { ctx } = this;
    const opc = ctx.fn.opcode[i];
    let bits = mayLoad(ctx.fn, i) ? Fact.MayLoad : 0;
    if (opc === this.copyOpcode) {
      bits |= Fact.Copy;
      if (this.operandIsPhys(i, 0)) bits |= Fact.CopyDestIsPhys;
      if (this.operandIsPhys(i, 1)) bits |= Fact.CopySrcIsPhys;
    }
    if (ctx.hasOpcodeFlag(opc, McFlag.MoveImm)) {
      bits |= Fact.MoveImm;
      if (this.definesOnlyPhys(i)) bits |= Fact.MoveImmToPhys;
    }
    return bits;
  }

  private operandIsPhys(i: InstrId, k: number): boolean {
    const { fn } = this.ctx;
    const o = fn.opBegin[i] + k;
    return fn.opKind[o] === OperandKind.Register && fn.opVal[o] > 0;
  }

  private definesOnlyPhys(i: InstrId): boolean {
    const { fn } = this.ctx;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      const isDef = fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & OpFlag.Def) !== 0;
      if (isDef && (fn.opFlags[o] & OpFlag.Implicit) === 0 && fn.opVal[o] <= 0) return false;
    }
    return true;
  }

  isPlain(n: SUnitId): boolean {
    return (this.bits[n] & (Fact.Copy | Fact.MoveImmToPhys)) === 0;
  }

  isCopy(n: SUnitId): boolean {
    return (this.bits[n] & Fact.Copy) !== 0;
  }

  copyDestIsPhys(n: SUnitId): boolean {
    return (this.bits[n] & Fact.CopyDestIsPhys) !== 0;
  }

  copySrcIsPhys(n: SUnitId): boolean {
    return (this.bits[n] & Fact.CopySrcIsPhys) !== 0;
  }

  isMoveImm(n: SUnitId): boolean {
    return (this.bits[n] & Fact.MoveImm) !== 0;
  }

  isMoveImmToPhys(n: SUnitId): boolean {
    return (this.bits[n] & Fact.MoveImmToPhys) !== 0;
  }

  mayLoad(n: SUnitId): boolean {
    return (this.bits[n] & Fact.MayLoad) !== 0;
  }

  flavor(n: SUnitId): Flavor {
    const { fn } = this.ctx;
    return classifyFlavor(fn.tables, fn.opcode[this.graph.instr[n]]);
  }
}

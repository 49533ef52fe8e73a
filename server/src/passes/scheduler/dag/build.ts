/**
 * Builds the scheduling graph of a region: register dependences, live-out latencies, memory and side-effect order.
 *
 * Follows ScheduleDAGInstrs::buildSchedGraph (LLVM 22.1.8) as docs/llvm/schedule-dag.md, 4 to 6 and 8 describe it. The region is walked
 * bottom-up; the order in which edges are added is LLVM's, since it decides the order of the queues.
 */
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
} from '../../../model/machineFunction.js';
import type { Reg, VRegId } from '../../../model/register.js';
import { McFlag, type TargetTables } from '../../../target/api.js';
import { opcodeSet } from '../../../target/opcodeSets.js';
import { DepKind, NONE, SUnitFlag, type ScheduleGraph, type SUnitId } from './graph.js';
import type { LatencyModel } from './latency.js';
import { MemoryChains, type HugeRegionLimits, type MemoryFacts } from './memory.js';
import { mayLoad } from './memoryFlags.js';
import { RealDependence } from './realDependence.js';

/** A region as a list: instruction headers top-down, debug instructions included. */
export interface RegionView {
  readonly block: BlockId;
  /** in current order, bundle members left out; debug instructions included */
  readonly instrs: readonly InstrId[];
  /** the instruction at the region's end (not moved), or -1 at the end of the block */
  readonly boundary: InstrId;
}

export interface DagContext {
  readonly fn: MachineFunction;
  readonly latency: LatencyModel;
  readonly memory: MemoryFacts;
  isDebugInstr(i: InstrId): boolean;
  /** @llvm MachineRegisterInfo.cpp MachineRegisterInfo::isConstantPhysReg */
  isConstantPhysReg(reg: Reg): boolean;
  /** a virtual register has exactly one def operand in the whole function */
  hasOneDef(vreg: VRegId): boolean;
  readonly hugeRegionLimits: HugeRegionLimits;
  /** called bottom-up for each node as it is visited, for the pressure bookkeeping */
  onNode?(node: SUnitId, instr: InstrId): void;
}

/** Debug instruction and the instruction directly above it, in the order recorded (bottom-up). */
export interface DebugAnchors {
  readonly debug: InstrId[];
  readonly anchor: InstrId[];
  /** debug value with nothing above it in the region, or -1 */
  first: InstrId;
}

/** Growable lists of (mask, node, operand) per key, in insertion order. */
class KeyedLists {
  head = new Int32Array(0);
  private tail = new Int32Array(0);
  next = new Int32Array(256);
  maskLo = new Uint32Array(256);
  maskHi = new Uint32Array(256);
  node = new Int32Array(256);
  op = new Int32Array(256);
  private n = 0;
  private touched: number[] = [];

  /** `nKeys` may have grown. */
  clearAll(nKeys: number): void {
    for (const k of this.touched) this.head[k] = this.tail[k] = NONE;
    this.touched.length = 0;
    this.n = 0;
    if (nKeys <= this.head.length) return;
    this.head = new Int32Array(nKeys * 2).fill(NONE);
    this.tail = new Int32Array(nKeys * 2).fill(NONE);
  }

  clear(key: number): void {
    this.head[key] = this.tail[key] = NONE;
  }

  push(key: number, lo: number, hi: number, node: SUnitId, op: number): void {
    const e = this.n++;
    if (e === this.next.length) this.grow();
    this.next[e] = NONE;
    this.maskLo[e] = lo;
    this.maskHi[e] = hi;
    this.node[e] = node;
    this.op[e] = op;
    if (this.head[key] === NONE) {
      this.touched.push(key);
      this.head[key] = e;
    } else this.next[this.tail[key]] = e;
    this.tail[key] = e;
  }

  remove(key: number, e: number, before: number): void {
    if (before === NONE) this.head[key] = this.next[e];
    else this.next[before] = this.next[e];
    if (this.tail[key] === e) this.tail[key] = before;
  }

  private grow(): void {
    const n = this.next.length * 2;
    const i32 = (a: Int32Array): Int32Array<ArrayBuffer> => {
      const b = new Int32Array(n);
      b.set(a);
      return b;
    };
    const u32 = (a: Uint32Array): Uint32Array<ArrayBuffer> => {
      const b = new Uint32Array(n);
      b.set(a);
      return b;
    };
    this.next = i32(this.next);
    this.node = i32(this.node);
    this.op = i32(this.op);
    this.maskLo = u32(this.maskLo);
    this.maskHi = u32(this.maskHi);
  }
}

const FULL = 0xffffffff;

/** Defs and uses that the builder has passed, by virtual register and by unit; `DagBuilder.build` empties them. */
export class OperandLists {
  readonly vdefs = new KeyedLists();
  readonly vuses = new KeyedLists();
  readonly pdefs = new KeyedLists();
  readonly puses = new KeyedLists();
}

/** One builder serves a function; its buffers are reused from region to region. */
export class DagBuilder {
  private readonly vdefs: KeyedLists;
  private readonly vuses: KeyedLists;
  private readonly pdefs: KeyedLists;
  private readonly puses: KeyedLists;
  private readonly chains: MemoryChains;
  private readonly tables: TargetTables;
  private readonly real: RealDependence | null;
  readonly debugAnchors: DebugAnchors = { debug: [], anchor: [], first: -1 };
  private tracksLanes = true;

  constructor(
    private readonly ctx: DagContext,
    private readonly graph: ScheduleGraph,
    { vdefs, vuses, pdefs, puses }: OperandLists,
  ) {
    this.tables = ctx.fn.tables;
    this.real = ctx.fn.subtarget.release.rules.narrowsDependences ? new RealDependence(ctx.fn) : null;
    this.vdefs = vdefs;
    this.vuses = vuses;
    this.pdefs = pdefs;
    this.puses = puses;
    this.chains = new MemoryChains(
      graph,
      ctx.memory,
      ctx.hugeRegionLimits,
      ctx.fn.subtarget.release.rules.clearsHugeMaps,
    );
  }

  /**
   * Fills the graph with the region's nodes and edges. Clears `undef` on sub-register defs, as LLVM does, unless `tracksLanes` is false:
   * then each operand stands for its whole register (`-misched-regpressure=0`, and the schedulers that LLVM has for every target).
   * @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::buildSchedGraph
   */
  build(region: RegionView, tracksLanes = true): void {
    const { ctx, graph } = this;
    this.tracksLanes = tracksLanes;
    const { fn } = ctx;
    for (const lists of [this.vdefs, this.vuses]) lists.clearAll(fn.vregs.n);
    for (const lists of [this.pdefs, this.puses]) lists.clearAll(fn.tables.nRegUnits);
    this.chains.reset();
    this.initSUnits(region);
    this.addExitUses(region);
    const anchors = this.debugAnchors;
    anchors.debug.length = anchors.anchor.length = 0;
    anchors.first = -1;
    let debug = -1;
    let node = graph.nSUnits;
    for (let k = region.instrs.length - 1; k >= 0; k--) {
      const i = region.instrs[k];
      if (debug >= 0) {
        anchors.debug.push(debug);
        anchors.anchor.push(i);
        debug = -1;
      }
      if (ctx.isDebugInstr(i)) {
        if (opcodeSet(this.tables, 'placedDebugValue').has(fn.opcode[i])) debug = i;
        continue;
      }
      node--;
      ctx.onNode?.(node, i);
      this.addRegisterDeps(node, i);
      this.addLiveOutLatency(node, i);
      this.chains.visit(node, i);
    }
    anchors.first = debug;
  }

  /** @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::initSUnits */
  private initSUnits(region: RegionView): void {
    const { ctx, graph } = this;
    let n = 0;
    for (const i of region.instrs) if (!ctx.isDebugInstr(i)) n++;
    graph.reset(n);
    const resources = ctx.fn.subtarget.schedModel.resources;
    let node = 0;
    for (const i of region.instrs) {
      if (ctx.isDebugInstr(i)) continue;
      graph.instr[node] = i;
      graph.latencyCycles[node] = ctx.latency.instrLatency(i);
      graph.schedClass[node] = ctx.latency.schedClassOf(i);
      const c = ctx.latency.classDesc(i);
      if (c !== null) {
        for (const w of c.writeProcRes) {
          const size = resources[w.resource].bufferSize;
          if (size === 0) graph.flags[node] |= SUnitFlag.HasReservedResource;
          else if (size === 1) graph.flags[node] |= SUnitFlag.IsUnbuffered;
        }
      }
      node++;
    }
    graph.instr[n] = region.boundary;
  }

  // -- registers -----------------------------------------------------------------------------------------------------

  /** @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::addSchedBarrierDeps */
  private addExitUses(region: RegionView): void {
    const { ctx, graph, tables } = this;
    const fn = ctx.fn;
    const exit = graph.exitSU;
    const i = region.boundary;
    if (i >= 0) {
      const nDesc = tables.opcodeNumOperands(fn.opcode[i]);
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
        if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o] & OpFlag.Def) !== 0) continue;
        const reg = fn.opVal[o];
        const idx = o - fn.opBegin[i];
        if (reg > 0) {
          const isReal = idx < nDesc || tables.implicitUses(fn.opcode[i]).includes(reg);
          this.pushUnits(this.puses, reg, exit, isReal ? idx : -1);
        } else if (reg < 0 && this.readsReg(o)) this.addVRegUse(exit, o, idx);
      }
    }
    const flags = i < 0 ? 0 : tables.opcodeFlagsLo(fn.opcode[i]);
    if ((flags & ((1 << McFlag.Call) | (1 << McFlag.Barrier))) !== 0) return;
    for (const s of fn.blocks[region.block].successors) {
      for (const live of fn.blocks[s].liveIns) {
        let lanes = tables.unitLaneBegin(live.reg);
        for (let u = tables.unitBegin[live.reg]; u < tables.unitEnd[live.reg]; u++, lanes++) {
          const { unitLaneLo, unitLaneHi } = tables;
          if ((unitLaneLo[lanes] & live.laneLo) === 0 && (unitLaneHi[lanes] & live.laneHi) === 0) continue;
          const unit = tables.unitList[u];
          if (this.puses.head[unit] === NONE) this.puses.push(unit, 0, 0, exit, -1);
        }
      }
    }
  }

  private pushUnits(lists: KeyedLists, reg: Reg, node: SUnitId, op: number): void {
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) lists.push(unitList[u], 0, 0, node, op);
  }

  private readsReg(o: number): boolean {
    const f = this.ctx.fn.opFlags[o];
    if ((f & (OpFlag.Undef | OpFlag.Internal)) !== 0) return false;
    return (f & OpFlag.Def) === 0 || this.ctx.fn.opSub[o] !== 0;
  }

  /** Whether the class has sub-registers that lanes tell apart. */
  private laneLo(o: number): number {
    if (!this.tracksLanes) return FULL;
    const { fn } = this.ctx;
    const sub = fn.opSub[o];
    if (sub !== 0) return this.tables.subRegLaneLo[sub];
    const rc = fn.vregs.regClass[~fn.opVal[o]];
    return rc < 0 ? FULL : this.tables.regClassLaneLo[rc];
  }

  private laneHi(o: number): number {
    if (!this.tracksLanes) return FULL;
    const { fn } = this.ctx;
    const sub = fn.opSub[o];
    if (sub !== 0) return this.tables.subRegLaneHi[sub];
    const rc = fn.vregs.regClass[~fn.opVal[o]];
    return rc < 0 ? FULL : this.tables.regClassLaneHi[rc];
  }

  private addRegisterDeps(node: SUnitId, i: InstrId): void {
    const { fn } = this.ctx;
    const begin = fn.opBegin[i];
    const end = fn.opBegin[i + 1];
    for (let o = begin; o < end; o++) {
      if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o] & OpFlag.Def) === 0) continue;
      const reg = fn.opVal[o];
      if (reg > 0) this.addPhysRegDeps(node, i, o);
      else if (reg < 0) this.addVRegDef(node, i, o);
    }
    for (let o = begin; o < end; o++) {
      if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o] & OpFlag.Def) !== 0) continue;
      const reg = fn.opVal[o];
      if (reg > 0) this.addPhysRegDeps(node, i, o);
      else if (reg < 0 && this.readsReg(o)) this.addVRegUse(node, o, o - begin);
    }
  }

  private instrOf(node: SUnitId): InstrId {
    return this.graph.instr[node];
  }

  /** @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::addVRegDefDeps */
  private addVRegDef(node: SUnitId, i: InstrId, o: number): void {
    const { ctx, graph, vuses, vdefs } = this;
    const fn = ctx.fn;
    const reg = fn.opVal[o];
    const vreg = ~reg;
    const sub = fn.opSub[o];
    const defLo = this.laneLo(o);
    const defHi = this.laneHi(o);
    let killLo = defLo;
    let killHi = defHi;
    const readUndef = (fn.opFlags[o] & OpFlag.Undef) !== 0;
    if (sub === 0 || readUndef) {
      killLo = killHi = FULL;
      if (sub !== 0 && this.tracksLanes) {
        for (let p = o + 1; p < fn.opBegin[i + 1]; p++) {
          if (fn.opKind[p] === OperandKind.Register && (fn.opFlags[p] & OpFlag.Def) !== 0 && fn.opVal[p] === reg) {
            killLo &= ~this.laneLo(p);
            killHi &= ~this.laneHi(p);
          }
        }
        fn.opFlags[o] &= ~OpFlag.Undef;
      }
    }
    const defIdx = o - fn.opBegin[i];
    if ((fn.opFlags[o] & OpFlag.Dead) === 0) {
      for (let e = vuses.head[vreg], before = NONE; e !== NONE;) {
        const next = vuses.next[e];
        const lo = vuses.maskLo[e];
        const hi = vuses.maskHi[e];
        if ((lo & killLo) === 0 && (hi & killHi) === 0) {
          before = e;
          e = next;
          continue;
        }
        if ((lo & defLo) !== 0 || (hi & defHi) !== 0) {
          const useNode = vuses.node[e];
          const use = this.instrOf(useNode);
          const useIdx = vuses.op[e];
          const latency = ctx.latency.operandLatency(i, defIdx, use, useIdx);
          this.addData(useNode, node, defIdx, useIdx, reg, latency);
        }
        vuses.maskLo[e] = lo & ~killLo;
        vuses.maskHi[e] = hi & ~killHi;
        if (vuses.maskLo[e] === 0 && vuses.maskHi[e] === 0) vuses.remove(vreg, e, before);
        else before = e;
        e = next;
      }
    }
    if (ctx.hasOneDef(vreg)) return;
    for (let e = vdefs.head[vreg]; e !== NONE; e = vdefs.next[e]) {
      const lo = vdefs.maskLo[e];
      const hi = vdefs.maskHi[e];
      if ((lo & defLo) === 0 && (hi & defHi) === 0) continue;
      const other = vdefs.node[e];
      if (other === node) continue;
      graph.addPred(other, node, DepKind.Output, reg, OUTPUT_LATENCY_CYCLES);
      const restLo = lo & ~defLo;
      const restHi = hi & ~defHi;
      vdefs.node[e] = node;
      vdefs.maskLo[e] = lo & defLo;
      vdefs.maskHi[e] = hi & defHi;
      if (restLo !== 0 || restHi !== 0) vdefs.push(vreg, restLo, restHi, other, 0);
    }
    vdefs.push(vreg, defLo, defHi, node, 0);
  }

  /** @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::addVRegUseDeps */
  private addVRegUse(node: SUnitId, o: number, opIdx: number): void {
    const { vuses, vdefs, graph } = this;
    const reg = this.ctx.fn.opVal[o];
    const vreg = ~reg;
    const lo = this.laneLo(o);
    const hi = this.laneHi(o);
    vuses.push(vreg, lo, hi, node, opIdx);
    for (let e = vdefs.head[vreg]; e !== NONE; e = vdefs.next[e]) {
      if ((vdefs.maskLo[e] & lo) === 0 && (vdefs.maskHi[e] & hi) === 0) continue;
      const def = vdefs.node[e];
      if (def !== node) graph.addPred(def, node, DepKind.Anti, reg, 0);
    }
  }

  /** An operand beyond the descriptor that the descriptor does not list either. */
  private isImplicitPseudo(i: InstrId, opIdx: number, reg: Reg, isDef: boolean): boolean {
    const opc = this.ctx.fn.opcode[i];
    if (opIdx < this.tables.opcodeNumOperands(opc)) return false;
    return !(isDef ? this.tables.implicitDefs(opc) : this.tables.implicitUses(opc)).includes(reg);
  }

  /** @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::addPhysRegDeps */
  private addPhysRegDeps(node: SUnitId, i: InstrId, o: number): void {
    const { ctx, graph, tables, pdefs, puses } = this;
    const fn = ctx.fn;
    const reg = fn.opVal[o];
    if (ctx.isConstantPhysReg(reg)) return;
    const opIdx = o - fn.opBegin[i];
    const isDef = (fn.opFlags[o] & OpFlag.Def) !== 0;
    const isDead = (fn.opFlags[o] & OpFlag.Dead) !== 0;
    const { unitBegin, unitEnd, unitList } = tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) {
      for (let e = pdefs.head[unitList[u]]; e !== NONE; e = pdefs.next[e]) {
        const other = pdefs.node[e];
        if (other === graph.exitSU || other === node) continue;
        const otherOp = fn.opBegin[this.instrOf(other)] + pdefs.op[e];
        if (isDef && isDead && (fn.opFlags[otherOp] & OpFlag.Dead) !== 0) continue;
        const kind = isDef ? DepKind.Output : DepKind.Anti;
        graph.addPred(other, node, kind, fn.opVal[otherOp], isDef ? OUTPUT_LATENCY_CYCLES : 0);
      }
    }
    if (!isDef) {
      graph.flags[node] |= SUnitFlag.HasPhysRegUses;
      this.pushUnits(puses, reg, node, opIdx);
      return;
    }
    this.addPhysRegDataDeps(node, i, opIdx, reg);
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) {
      puses.clear(unitList[u]);
      if (!isDead) pdefs.clear(unitList[u]);
    }
    this.pushUnits(pdefs, reg, node, opIdx);
  }

  /** @llvm ScheduleDAGInstrs.cpp ScheduleDAGInstrs::addPhysRegDataDeps */
  private addPhysRegDataDeps(node: SUnitId, i: InstrId, opIdx: number, reg: Reg): void {
    const { ctx, graph, tables, puses } = this;
    const fn = ctx.fn;
    const defIsPseudo = this.isImplicitPseudo(i, opIdx, reg, true);
    const { unitBegin, unitEnd, unitList } = tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) {
      for (let e = puses.head[unitList[u]]; e !== NONE; e = puses.next[e]) {
        const useNode = puses.node[e];
        if (useNode === node) continue;
        const useIdx = puses.op[e];
        let use = -1;
        let useReg = 0;
        let latency = 0;
        let pseudo = defIsPseudo;
        if (useIdx >= 0) {
          use = this.instrOf(useNode);
          useReg = fn.opVal[fn.opBegin[use] + useIdx];
          graph.flags[node] |= SUnitFlag.HasPhysRegDefs;
          pseudo ||= this.isImplicitPseudo(use, useIdx, useReg, false);
        }
        if (!pseudo) latency = ctx.latency.operandLatency(i, opIdx, use, useIdx);
        if (useIdx < 0) graph.addPred(useNode, node, DepKind.Artificial, 0, latency);
        else this.addData(useNode, node, opIdx, useIdx, useReg, latency);
      }
    }
  }

  /** An edge from an operand of `node` to one of `useNode`, as the target has it. */
  private addData(useNode: SUnitId, node: SUnitId, defIdx: number, useIdx: number, reg: Reg, latency: number): void {
    const { graph, real } = this;
    const def = this.instrOf(node);
    const use = this.instrOf(useNode);
    const flows = real === null || use < 0 ? reg : real.between(def, defIdx, use, useIdx);
    if (flows === 0) graph.addPred(useNode, node, DepKind.Artificial, 0, 0);
    else {
      const adjusted = this.ctx.latency.adjustDataLatency(def, defIdx, use, useIdx, flows, latency);
      graph.addPred(useNode, node, DepKind.Data, flows, adjusted);
    }
  }

  /** A node whose result leaves the region holds the exit back (docs/llvm/schedule-dag.md, 5.5). */
  private addLiveOutLatency(node: SUnitId, i: InstrId): void {
    const { graph } = this;
    const fn = this.ctx.fn;
    if (graph.numSuccs[node] !== 0 || graph.latencyCycles[node] <= 1) return;
    let counts = mayLoad(fn, i);
    for (let o = fn.opBegin[i]; !counts && o < fn.opBegin[i + 1]; o++) {
      counts = fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & OpFlag.Def) !== 0 && fn.opVal[o] < 0;
    }
    if (counts) graph.addPred(graph.exitSU, node, DepKind.Artificial, 0, graph.latencyCycles[node] - 1);
  }
}

/** Micro-op buffer size 1 counts as in-order. */
const OUTPUT_LATENCY_CYCLES = 1;

/**
 * Kill flags that LLVM drops when an instruction moves downward past the place where a register that it reads used to end: all uses of
 * the instruction at that place lose theirs (HMEditor::handleMoveDown in LiveIntervals.cpp, LLVM 22). Only flags that the input had
 * can show this, so that most regions need none of it.
 *
 * Liveness is taken from the order of the graph's nodes, which is that of the text: what is not placed yet still stands in that order, and
 * no move takes a read across a def of the same lanes.
 */
import { BundleFlag, OperandKind, OpFlag, type InstrId } from '../model/machineFunction.js';
import type { SchedContext, SchedRegion } from './context.js';
import type { ScheduleGraph, SUnitId } from './dag/graph.js';

/** One operand of a node that touches a register. */
interface Access {
  readonly node: SUnitId;
  readonly isDef: boolean;
  readonly reads: boolean;
  readonly lo: number;
  readonly hi: number;
}

const enum Place {
  Open = 0,
  Top = 1,
  Bottom = 2,
}

export class KillPoints {
  private readonly place: Uint8Array;

  private constructor(
    private readonly ctx: SchedContext,
    private readonly graph: ScheduleGraph,
    private readonly region: SchedRegion,
    /** accesses in order of nodes, by vreg (`~v`) or register unit, for all that an instruction with a kill flag touches */
    private readonly accesses: ReadonlyMap<number, readonly Access[]>,
  ) {
    this.place = new Uint8Array(graph.nSUnits);
  }

  /** Null when no instruction of the region has a kill flag. O(operands) */
  static of(ctx: SchedContext, graph: ScheduleGraph, region: SchedRegion): KillPoints | null {
    const accesses = new Map<number, Access[]>();
    for (let n = 0; n < graph.nSUnits; n++)
      if (hasKills(ctx, graph.instr[n])) for (const key of keysOf(ctx, graph.instr[n])) accesses.set(key, []);
    if (accesses.size === 0) return null;
    for (let n = 0; n < graph.nSUnits; n++) addAccesses(ctx, n, graph.instr[n], accesses);
    return new KillPoints(ctx, graph, region, accesses);
  }

  /** Node n goes to its place; `isMovedDown`: behind nodes that are open still. */
  placed(n: SUnitId, isTop: boolean, isMovedDown: boolean): void {
    this.place[n] = isTop ? Place.Top : Place.Bottom;
    if (!isMovedDown) return;
    for (const key of keysOf(this.ctx, this.graph.instr[n])) {
      const list = this.accesses.get(key);
      if (list === undefined) continue;
      const next = firstBehind(list, n);
      let lo = 0;
      let hi = 0;
      let isRead = false;
      for (let k = next - 1; k >= 0 && list[k].node === n; k--) {
        if (!list[k].reads) continue;
        isRead = true;
        lo |= list[k].lo;
        hi |= list[k].hi;
      }
      if (!isRead) continue;
      // The whole range, then each part of it that the instruction reads.
      this.dropKills(this.oldEnd(key, list, next, ~0, ~0));
      if (key >= 0) continue;
      const { lis } = this.ctx;
      for (let sub = lis.subRange[~key]; sub >= 0; sub = lis.nextSubRange[sub])
        if ((lis.laneLo[sub] & lo) !== 0 || (lis.laneHi[sub] & hi) !== 0)
          this.dropKills(this.oldEnd(key, list, next, lis.laneLo[sub], lis.laneHi[sub]));
    }
  }

  /**
   * The open node at which the value of these lanes ends that is live in front of access `from`; -1: it reaches the place where the
   * moved node goes.
   */
  private oldEnd(key: number, list: readonly Access[], from: number, lo: number, hi: number): SUnitId {
    let last = -1;
    for (let k = from; k < list.length; k++) {
      const a = list[k];
      const place = this.place[a.node];
      if (place === Place.Top || ((a.lo & lo) === 0 && (a.hi & hi) === 0)) continue;
      if (place === Place.Bottom) return -1;
      last = a.node;
      if (a.isDef) return last;
    }
    return this.isLiveAtEnd(key, lo, hi) ? -1 : last;
  }

  private isLiveAtEnd(key: number, lo: number, hi: number): boolean {
    const { ctx, region } = this;
    if (key >= 0) return ctx.isUnitLiveAt(key, region.endSlot);
    return (ctx.liveLanesAt(~key, region.endSlot) & lo) !== 0 || (ctx.lanesHi & hi) !== 0;
  }

  private dropKills(n: SUnitId): void {
    if (n < 0) return;
    const { fn } = this.ctx;
    for (let i = this.graph.instr[n]; ; i++) {
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
        if (fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & OpFlag.Def) === 0) fn.opFlags[o] &= ~OpFlag.Kill;
      if ((fn.bundle[i] & BundleFlag.BundledSucc) === 0) return;
    }
  }
}

/** Index of the first access of a later node than n. */
function firstBehind(list: readonly Access[], n: SUnitId): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const mid = (from + to) >> 1;
    if (list[mid].node <= n) from = mid + 1;
    else to = mid;
  }
  return from;
}

function hasKills({ fn }: SchedContext, i: InstrId): boolean {
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
    if (fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & (OpFlag.Kill | OpFlag.Def)) === OpFlag.Kill)
      return true;
  return false;
}

/** The virtual registers (`~v`) and the units that are not reserved of an instruction's operands, each once. */
function keysOf({ fn, reserved }: SchedContext, i: InstrId): Set<number> {
  const keys = new Set<number>();
  const { unitBegin, unitList } = fn.tables;
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
    const reg = fn.opVal[o];
    if (fn.opKind[o] !== OperandKind.Register || reg === 0) continue;
    if (reg < 0) keys.add(reg);
    else
      for (let u = unitBegin[reg]; u < unitBegin[reg + 1]; u++)
        if (!reserved.isReservedUnit(unitList[u])) keys.add(unitList[u]);
  }
  return keys;
}

function addAccesses(ctx: SchedContext, node: SUnitId, i: InstrId, accesses: Map<number, Access[]>): void {
  const { fn, facts } = ctx;
  const { unitBegin, unitList, subRegLaneLo, subRegLaneHi } = fn.tables;
  // Reads before defs: a value ends at its last read even where the same instruction redefines the register.
  for (const wantsDef of [false, true])
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      const reg = fn.opVal[o];
      if (fn.opKind[o] !== OperandKind.Register || reg === 0) continue;
      const flags = fn.opFlags[o];
      const isDef = (flags & OpFlag.Def) !== 0;
      if (isDef !== wantsDef) continue;
      const reads = !isDef && (flags & (OpFlag.Undef | OpFlag.Internal)) === 0;
      if (!isDef && !reads) continue;
      if (reg < 0) {
        const sub = fn.opSub[o];
        const lo = sub === 0 ? facts.fullLo[~reg] : subRegLaneLo[sub];
        const hi = sub === 0 ? facts.fullHi[~reg] : subRegLaneHi[sub];
        accesses.get(reg)?.push({ node, isDef, reads, lo, hi });
      } else
        for (let u = unitBegin[reg]; u < unitBegin[reg + 1]; u++)
          accesses.get(unitList[u])?.push({ node, isDef, reads, lo: 1, hi: 0 });
    }
}

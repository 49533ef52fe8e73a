/**
 * Kill flags that LLVM drops when an instruction moves downward past the place where a register that it reads used to end: all uses of
 * the instruction at that place lose theirs (HMEditor::handleMoveDown in LiveIntervals.cpp, LLVM 22). Only flags that the input had
 * can show this, so that most regions need none of it.
 *
 * Liveness is taken from the order of the graph's nodes, which is that of the text: what is not placed yet still stands in that order, and
 * no move takes a read across a def of the same lanes. At the top the order is that of the picks, but for copies to physical registers that
 * follow their readers down.
 */
import { OperandKind, OpFlag, type InstrId } from '../../model/machineFunction.js';
import type { SchedContext } from './context.js';
import type { SchedRegion } from './regions.js';
import type { ScheduleGraph, SUnitId } from './dag/graph.js';

/** One operand of a node that touches a register. */
interface Access {
  readonly node: SUnitId;
  /** else a read */
  readonly isDef: boolean;
  /** a def that leaves other lanes as they are: the whole register's range goes on */
  readonly isPartial: boolean;
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
  /** of the nodes at the top, ascending along them */
  private readonly topPosition: Float64Array;
  private nTop = 0;

  private constructor(
    private readonly ctx: SchedContext,
    private readonly graph: ScheduleGraph,
    private readonly region: SchedRegion,
    /** accesses in order of nodes, by vreg (`~v`) or register unit, for all that an instruction with a kill flag touches */
    private readonly accesses: ReadonlyMap<number, readonly Access[]>,
  ) {
    this.place = new Uint8Array(graph.nSUnits);
    this.topPosition = new Float64Array(graph.nSUnits);
  }

  /** Null when no instruction of the region has a kill flag. O(operands) */
  static of(ctx: SchedContext, graph: ScheduleGraph, region: SchedRegion): KillPoints | null {
    let first = 0;
    while (first < graph.nSUnits && !hasKills(ctx, graph.instr[first])) first++;
    if (first === graph.nSUnits) return null;
    const accesses = new Map<number, Access[]>();
    // Values end at bundles for what their members read, too.
    for (let n = first; n < graph.nSUnits; n++)
      if (hasKills(ctx, graph.instr[n]))
        for (let i = graph.instr[n]; i >= 0; i = ctx.list.nextInBundle(i))
          for (const key of keysOf(ctx, i)) accesses.set(key, []);
    if (accesses.size === 0) return null;
    for (let n = 0; n < graph.nSUnits; n++)
      for (let i = graph.instr[n]; i >= 0; i = ctx.list.nextInBundle(i)) addAccesses(ctx, n, i, accesses);
    return new KillPoints(ctx, graph, region, accesses);
  }

  /** Node n has gone to its place; `isMovedDown`: after nodes that are open still. */
  placed(n: SUnitId, isTop: boolean, isMovedDown: boolean): void {
    this.place[n] = isTop ? Place.Top : Place.Bottom;
    if (isTop) this.topPosition[n] = ++this.nTop;
    if (isMovedDown)
      this.dropKillsAtEnds(n, (list, key, lo, hi) => this.oldEnd(key, list, firstBehind(list, n), lo, hi));
  }

  /** A node at the top has gone down to node n, which was placed there last; it is the `order`-th of `count` that do so, from 0. */
  followed(follower: SUnitId, n: SUnitId, order: number, count: number): void {
    this.dropKillsAtEnds(follower, (list, key, lo, hi) => this.endAtTop(key, list, follower, n, lo, hi));
    this.topPosition[follower] = this.topPosition[n] - 1 + (order + 1) / (count + 1);
  }

  /** `endOf` says where a value that the moved node reads used to end; -1 = nowhere that matters. */
  private dropKillsAtEnds(
    moved: SUnitId,
    endOf: (list: readonly Access[], key: number, lo: number, hi: number) => SUnitId,
  ): void {
    for (const key of keysOf(this.ctx, this.graph.instr[moved])) {
      const list = this.accesses.get(key);
      // A range that the move computed is that of the new order: it has no old end.
      if (list === undefined || this.ctx.freshUnits.has(key)) continue;
      let lo = 0;
      let hi = 0;
      let isRead = false;
      for (let k = firstBehind(list, moved) - 1; k >= 0 && list[k].node === moved; k--) {
        if (list[k].isDef) continue;
        isRead = true;
        lo |= list[k].lo;
        hi |= list[k].hi;
      }
      if (!isRead) continue;
      // The whole range, then each part of it that the instruction reads.
      this.dropKills(endOf(list, key, ~0, ~0));
      if (key >= 0) continue;
      const { lis } = this.ctx;
      for (let sub = lis.subRange[~key]; sub >= 0; sub = lis.nextSubRange[sub])
        if ((lis.laneLo[sub] & lo) !== 0 || (lis.laneHi[sub] & hi) !== 0)
          this.dropKills(endOf(list, key, lis.laneLo[sub], lis.laneHi[sub]));
    }
  }

  /**
   * The open node at which the value of these lanes ends that is live before access `from`; -1: it reaches the place where the
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

  /** The node between `from` and `to`, both at the top, at which the value of these lanes ends that is live before `from`; else -1. */
  private endAtTop(key: number, list: readonly Access[], from: SUnitId, to: SUnitId, lo: number, hi: number): SUnitId {
    const { place, topPosition } = this;
    const isOfLanes = (a: Access): boolean => (a.lo & lo) !== 0 || (a.hi & hi) !== 0;
    const isBetween = (a: Access): boolean =>
      place[a.node] === Place.Top && topPosition[from] < topPosition[a.node] && topPosition[a.node] < topPosition[to];
    let redefinition: Access | null = null;
    for (const a of list) {
      if (!a.isDef || !isOfLanes(a) || !isBetween(a)) continue;
      if (redefinition === null || topPosition[a.node] < topPosition[redefinition.node]) redefinition = a;
    }
    if (redefinition?.isPartial === true) return redefinition.node;
    let last: SUnitId = -1;
    for (const a of list) {
      if (a.isDef || !isOfLanes(a) || !isBetween(a)) continue;
      if (redefinition !== null && topPosition[redefinition.node] < topPosition[a.node]) continue;
      if (last < 0 || topPosition[last] < topPosition[a.node]) last = a.node;
    }
    if (redefinition !== null) return last;
    for (const a of list) {
      if ((place[a.node] === Place.Top && a.node !== to) || !isOfLanes(a)) continue;
      return !a.isDef || a.isPartial ? -1 : last;
    }
    return this.isLiveAtEnd(key, lo, hi) ? -1 : last;
  }

  private isLiveAtEnd(key: number, lo: number, hi: number): boolean {
    const { ctx, region } = this;
    const { lis } = ctx;
    if (key >= 0) return ctx.isUnitLiveAt(key, region.endSlot);
    return (lis.liveLanes(~key, region.endSlot) & lo) !== 0 || (lis.lanesHi & hi) !== 0;
  }

  private dropKills(n: SUnitId): void {
    if (n < 0) return;
    const { fn, list } = this.ctx;
    for (let i = this.graph.instr[n]; i >= 0; i = list.nextInBundle(i))
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) fn.opFlags[o] &= ~OpFlag.Kill;
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

/** Only registers that are read can have the flag, those of members without their header, too. */
function hasKills({ fn, list }: SchedContext, i: InstrId): boolean {
  for (let m = i; m >= 0; m = list.nextInBundle(m))
    for (let o = fn.opBegin[m]; o < fn.opBegin[m + 1]; o++) if ((fn.opFlags[o] & OpFlag.Kill) !== 0) return true;
  return false;
}

/** The virtual registers (`~v`) and the units that are not reserved of an instruction's operands, each once. */
function keysOf({ fn, reserved }: SchedContext, i: InstrId): Set<number> {
  const keys = new Set<number>();
  const { unitBegin, unitEnd, unitList } = fn.tables;
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
    const reg = fn.opVal[o];
    if (fn.opKind[o] !== OperandKind.Register) continue;
    if (reg < 0) keys.add(reg);
    else
      for (let u = unitBegin[reg]; u < unitEnd[reg]; u++)
        if (!reserved.isReservedUnit(unitList[u])) keys.add(unitList[u]);
  }
  return keys;
}

function addAccesses(ctx: SchedContext, node: SUnitId, i: InstrId, accesses: Map<number, Access[]>): void {
  const { fn, facts } = ctx;
  const { unitBegin, unitEnd, unitList, subRegLaneLo, subRegLaneHi } = fn.tables;
  // Reads before defs: a value ends at its last read even where the same instruction redefines the register.
  for (const wantsDef of [false, true])
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      const reg = fn.opVal[o];
      if (fn.opKind[o] !== OperandKind.Register) continue;
      const flags = fn.opFlags[o];
      const isDef = (flags & OpFlag.Def) !== 0;
      if (isDef !== wantsDef) continue;
      if (!isDef && (flags & (OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
      if (reg < 0) {
        const sub = fn.opSub[o];
        const lo = sub === 0 ? facts.fullLo[~reg] : subRegLaneLo[sub];
        const hi = sub === 0 ? facts.fullHi[~reg] : subRegLaneHi[sub];
        const isPartial = isDef && sub !== 0 && (flags & OpFlag.Undef) === 0;
        accesses.get(reg)?.push({ node, isDef, isPartial, lo, hi });
      } else
        for (let u = unitBegin[reg]; u < unitEnd[reg]; u++)
          accesses.get(unitList[u])?.push({ node, isDef, isPartial: false, lo: 1, hi: 0 });
    }
}

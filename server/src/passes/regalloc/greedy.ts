/**
 * One run of the greedy register allocator (RAGreedy of LLVM 22; docs/llvm/allocation-greedy.md).
 *
 * Registers come off a queue, widest and longest first; each takes the first free register of its order, throws out cheaper ones, waits for a
 * second round, is split, and is spilled in the end.
 */
import { calleeSaved } from '../../analysis/frame/calleeSaves.js';
import { SlotList } from '../../analysis/edit/slotList.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { OpFlag } from '../../model/machineFunction.js';
import { isVirtualReg, NO_REG, virtReg, type Reg } from '../../model/register.js';
import type { PhysReg } from '../../target/api.js';
import { AllocationRun, FAIL, NONE } from './allocationRun.js';
import { Stage, type Allocator, type Candidates } from './allocator.js';
import { addSaturating, scaleByProbability } from './frequency.js';
import { Interference } from './matrix.js';
import type { RunFilter } from './runFilter.js';
import { PriorityQueue } from './priorityQueue.js';
import { RangeSplitter } from './rangeSplitter.js';
import { blockOfLocal, sizeOf } from './spillWeights.js';
import type { AllocState } from './state.js';

/** What eviction costs: hints that break, then the heaviest weight. */
interface EvictionCost {
  broken: number;
  weight: number;
}

const MAX_BROKEN = 2 ** 32 - 1;
/** LLVM's limit of cost per use that stands for none */
const NO_LIMIT = 255;
/** @llvm RegAllocGreedy.cpp RAGreedy */
export class GreedyRun extends AllocationRun implements Allocator {
  private readonly queue = new PriorityQueue();
  readonly stage: Stage[] = [];
  private readonly cascade: number[] = [];
  private nextCascade = 1;
  private readonly brokenHints = new Set<number>();
  readonly csrCost: bigint;
  private readonly calleeSavedUnits: Uint8Array;
  private readonly splitter: RangeSplitter;
  /** what recoloring for the register of now must not move */
  private readonly fixed = new Set<number>();
  private recolorHitsDepth = false;
  private recolorHitsInterference = false;

  /** What a run before has assigned, and no rewriter has put in yet, stays. */
  constructor(state: AllocState, filter: RunFilter) {
    super(state, filter, { banner: 'Before greedy register allocator' });
    this.csrCost = this.initialCSRCost();
    this.calleeSavedUnits = new Uint8Array(state.tables.nRegUnits);
    const { unitBegin, unitEnd, unitList } = state.tables;
    for (const reg of calleeSaved(state.fn))
      for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) this.calleeSavedUnits[unitList[k]] = 1;
    this.splitter = new RangeSplitter(this);
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::run */
  run(): void {
    const { state } = this;
    const { fn, slots } = state;
    let hasWork = false;
    for (let v = 0; v < fn.vregs.n && !hasWork; v++) hasWork = this.isMine(v) && !state.editor.isUnused(virtReg(v));
    if (!hasWork) return;
    slots.pack();
    this.weights.computeAll();
    const first = this.unassigned();
    // Dense from the start: of a list that is written to far past its end V8 makes a dictionary.
    for (let v = 0; v <= (first.at(-1) ?? -1); v++) {
      this.stage.push(Stage.New);
      this.cascade.push(0);
    }
    for (const v of first) this.push(v);
    state.watch?.runBegins(this.filter, this);
    this.allocateQueue();
    this.recolorBrokenHints();
    state.verify('Before post optimization');
    this.finish();
    state.watch?.runEnds(this.filter);
  }

  protected pop(): number {
    return this.queue.pop();
  }

  protected choose(v: number, made: number[]): number {
    this.fixed.clear();
    return this.select(v, made, this.fixed, [], 0);
  }

  // -- what edits of live ranges tell ------------------------------------------------------------------------------

  /** @llvm RegAllocGreedy.cpp RAGreedy::aboutToRemoveInterval */
  protected override forgotten(v: number): void {
    this.brokenHints.delete(v);
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::LRE_DidCloneVirtReg */
  override cloned(made: number, from: number): void {
    if (from >= this.stage.length) return;
    this.stage[from] = Stage.Assign;
    this.stage[made] = Stage.Assign;
    this.cascade[made] = this.cascade[from] ?? 0;
  }

  // -- queue -------------------------------------------------------------------------------------------------------

  stageOf(v: number): Stage {
    return this.stage[v] ?? Stage.New;
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::enqueue */
  protected push(v: number): void {
    this.queue.push(this.priority(v), v);
  }

  /** @llvm RegAllocGreedy.cpp DefaultPriorityAdvisor::getPriority */
  priority(v: number): number {
    const { state } = this;
    const { tables, slots, lis } = state;
    const interval = lis.interval(v);
    const { classTrumpsGlobal, reversesLocals, goesByNumber } = state.options;
    if (goesByNumber) return 0xffffffff - v;
    const size = sizeOf(state, interval);
    if (this.stageOf(v) === Stage.New) this.stage[v] = Stage.Assign;
    const stage = this.stageOf(v);
    if (stage === Stage.Split) return size;
    const rc = state.fn.vregs.regClass[v];
    const isGiant = !reversesLocals && Math.floor(size / 16) > 2 * state.classes.numAllocatable(rc);
    const isGlobal = tables.regClassGlobalPriority(rc) || isGiant || interval.isEmpty;
    let p = size;
    let g = 1;
    if (stage === Stage.Assign && !isGlobal && blockOfLocal(state, interval) >= 0) {
      p = reversesLocals
        ? (slots.number(interval.end[interval.size - 1]) & ~3) / 4
        : (slots.number(slots.endOf(state.fn.blocks.length - 1)) - (slots.number(interval.start[0]) & ~3)) / 4;
      g = 0;
    }
    const classPriority = tables.regClassAllocationPriority(rc);
    const hint = state.hints[v]?.regs[0] ?? NO_REG;
    const isKnown = hint !== NO_REG && state.map.assigned(hint) !== 0;
    return (
      2 ** 31 +
      (isKnown ? 2 ** 30 : 0) +
      (classTrumpsGlobal ? classPriority * 2 ** 25 + g * 2 ** 24 : g * 2 ** 29 + classPriority * 2 ** 24) +
      Math.min(p, 0xffffff)
    );
  }

  // -- candidates --------------------------------------------------------------------------------------------------

  /**
   * The register of a plain hint list that matters most, 0 = none.
   * @llvm MachineRegisterInfo.h MachineRegisterInfo::getSimpleHint
   */
  private simpleHint(v: number): Reg {
    const hints = this.state.hints[v];
    return hints === undefined || hints.type !== 0 ? NO_REG : (hints.regs[0] ?? NO_REG);
  }

  isCalleeSavedAlias(reg: PhysReg): boolean {
    const { unitBegin, unitEnd, unitList } = this.state.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) if (this.calleeSavedUnits[unitList[k]] !== 0) return true;
    return false;
  }

  /**
   * A callee-saved register that would have to be saved for its sake.
   * @llvm RegAllocGreedy.cpp RegAllocEvictionAdvisor::isUnusedCalleeSavedReg
   */
  isUnusedCalleeSaved(reg: PhysReg): boolean {
    return this.isCalleeSavedAlias(reg) && !this.matrix.isUsed(reg);
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::initializeCSRCost */
  private initialCSRCost(): bigint {
    const given = this.state.options.csrFirstTimeCost;
    const cost = BigInt(given ?? 100);
    const entry = this.state.blocks.entry;
    const fixed = 1n << 14n;
    if (cost === 0n) return 0n;
    if (entry < fixed) return scaleByProbability(cost, entry, fixed);
    if (entry <= 0xffffffffn) {
      const p = (fixed * (1n << 31n) + entry / 2n) / entry;
      return (cost << 31n) / p;
    }
    return cost * (entry / fixed);
  }

  // -- one register ------------------------------------------------------------------------------------------------

  /**
   * @llvm RegAllocGreedy.cpp RAGreedy::selectOrSplitImpl
   * @llvm RegAllocGreedy.cpp RAGreedy::tryAssignCSRFirstTime
   */
  private select(
    v: number,
    made: number[],
    fixed: Set<number>,
    stack: { readonly v: number; readonly reg: PhysReg }[],
    depth: number,
  ): number {
    const { state } = this;
    const interval = state.lis.interval(v);
    let limit = NO_LIMIT;
    const c = this.candidates(v);
    const free = this.tryAssign(v, c, made, fixed);
    if (free !== NONE) {
      if (this.csrCost === 0n || !this.isUnusedCalleeSaved(free) || made.length > 0) return free;
      const before = made.length;
      const stage = this.stageOf(v);
      if (stage === Stage.Spill && interval.weight !== Infinity) {
        if (this.splitter.spillCostOf(v) >= this.csrCost) return free;
        limit = 1;
      } else if (stage < Stage.Split) {
        this.splitter.splitForCalleeSaved(v, c, made);
        if (made.length === before) return free;
        return NONE;
      } else return free;
    } else if (made.length > 0) return NONE;
    const stage = this.stageOf(v);
    if (stage !== Stage.Split) {
      const evicted = this.tryEvict(v, c, made, limit, fixed);
      if (evicted !== NONE) {
        const h = this.simpleHint(v);
        if (h !== NO_REG && h !== evicted) this.brokenHints.add(v);
        return evicted;
      }
    }
    if (stage < Stage.Split) {
      this.stage[v] = Stage.Split;
      made.push(v);
      return NONE;
    }
    if (stage < Stage.Spill && !interval.isEmpty) {
      const before = made.length;
      this.splitter.trySplit(v, c, made);
      if (made.length > before) return NONE;
    }
    if (stage >= Stage.Done || interval.weight === Infinity) return this.recolor(v, c, made, fixed, stack, depth);
    const from = made.length;
    this.spiller.spill(v, made);
    for (let k = from; k < made.length; k++) if (this.stageOf(made[k]) === Stage.New) this.stage[made[k]] = Stage.Done;
    state.verify('After spilling');
    return NONE;
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::tryAssign */
  private tryAssign(v: number, c: Candidates, made: number[], fixed: Set<number>): number {
    const at = this.matrix.firstFree(v, c.list);
    if (at < 0) return NONE;
    if (at < c.nHints) return c.list[at];
    const h = this.simpleHint(v);
    if (h > 0) {
      let isHint = false;
      for (let k = 0; k < c.nHints; k++) if (c.list[k] === h) isHint = true;
      if (isHint) {
        const max = { broken: this.state.tables.regClassCopyCost(this.state.fn.vregs.regClass[v]), weight: 0 };
        if (this.canEvict(v, h, true, max, fixed)) {
          this.evict(v, h, made, true);
          return h;
        }
        if (this.splitter.splitAroundHint(v, h, made)) return NONE;
        this.brokenHints.add(v);
      }
    }
    const free = c.list[at];
    const cost = this.state.options.costs?.[free] ?? 0;
    if (cost === 0) return free;
    const cheaper = this.tryEvict(v, c, made, cost, fixed);
    return cheaper === NONE ? free : cheaper;
  }

  // -- eviction ----------------------------------------------------------------------------------------------------

  /** @llvm RegAllocGreedy.h RAGreedy::ExtraRegInfo::getCascade */
  private cascadeOf(v: number): number {
    return this.cascade[v] ?? 0;
  }

  /** @llvm VirtRegMap.cpp VirtRegMap::hasPreferredPhys */
  private hasPreferred(x: number): boolean {
    const h = this.simpleHint(x);
    return h !== NO_REG && this.state.map.physOf(x) === this.state.map.assigned(h);
  }

  /**
   * @llvm RegAllocEvictionAdvisor.cpp DefaultEvictionAdvisor::canEvictInterferenceBasedOnCost
   * @llvm RegAllocEvictionAdvisor.cpp DefaultEvictionAdvisor::canEvictHintInterference
   * @llvm RegAllocEvictionAdvisor.cpp DefaultEvictionAdvisor::shouldEvict
   */
  private canEvict(v: number, reg: PhysReg, isHint: boolean, max: EvictionCost, fixed: Set<number>): boolean {
    const { state, matrix } = this;
    const { tables, lis } = state;
    const { vregs } = state.fn;
    if (matrix.isBlocked(v, reg)) return false;
    const interval = lis.interval(v);
    const cascade = this.cascadeOf(v) || this.nextCascade;
    const weight = interval.weight;
    let broken = 0;
    let heaviest = 0;
    const { unitBegin, unitEnd, unitList } = tables;
    const end = unitEnd[reg];
    // Most registers end the search at an owner that weighs as much.
    if (weight !== Infinity && !isHint && matrix.meetsTooHeavy(v, reg, weight)) return false;
    let owners: readonly number[] = [];
    let union: object | null = null;
    for (let k = unitBegin[reg]; k < end; k++) {
      const next = matrix.knownUnion(unitList[k]);
      // Both halves of a register have the same owners, and each of them counts.
      if (next === null || next !== union) owners = matrix.interfering(v, unitList[k], state.options.evictionCutoff);
      union = next;
      if (owners.length >= state.options.evictionCutoff) return false;
      for (let n = owners.length - 1; n >= 0; n--) {
        const x = owners[n];
        if (fixed.has(x) || this.stageOf(x) === Stage.Done) return false;
        const other = lis.interval(x);
        const rc = vregs.regClass[x];
        const isUrgent =
          weight === Infinity &&
          (other.weight !== Infinity ||
            state.classes.numAllocatable(vregs.regClass[v]) < state.classes.numAllocatable(rc));
        const theirs = this.cascadeOf(x);
        if (cascade === theirs) return false;
        const copyCost = tables.regClassCopyCost(rc);
        if (cascade < theirs) {
          if (!isUrgent) return false;
          broken += 10 * copyCost;
        }
        const breaks = this.hasPreferred(x);
        if (breaks) broken += copyCost;
        heaviest = Math.max(heaviest, other.weight);
        if (broken > max.broken || (broken === max.broken && !(heaviest < max.weight))) return false;
        if (isUrgent) continue;
        const mayEvict = (this.stageOf(x) < Stage.Spill && isHint && !breaks) || weight > other.weight;
        if (!mayEvict) return false;
        if (
          max.broken < MAX_BROKEN &&
          (interval.isEmpty || blockOfLocal(state, interval) >= 0) &&
          (other.isEmpty || blockOfLocal(state, other) >= 0) &&
          !this.canReassign(x, reg)
        )
          return false;
      }
    }
    max.broken = broken;
    max.weight = heaviest;
    return true;
  }

  /**
   * Whether another register of its class has room for `x`, as far as virtual registers go.
   * @llvm RegAllocGreedy.cpp RegAllocEvictionAdvisor::canReassign
   */
  private canReassign(x: number, from: PhysReg): boolean {
    const { tables, lis } = this.state;
    const interval = lis.interval(x);
    const { list } = this.candidates(x);
    for (let n = 0; n < list.length; n++) {
      const reg = list[n];
      if (reg === from) continue;
      let isFree = true;
      let last: object | null = null;
      for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg] && isFree; k++) {
        const union = this.matrix.knownUnion(tables.unitList[k]);
        if (union === null || union === last) continue;
        last = union;
        if (union.meets(interval)) isFree = false;
      }
      if (isFree) return true;
    }
    return false;
  }

  /**
   * @llvm RegAllocGreedy.cpp RAGreedy::tryEvict
   * @llvm RegAllocEvictionAdvisor.cpp DefaultEvictionAdvisor::tryFindEvictionCandidate
   */
  private tryEvict(v: number, c: Candidates, made: number[], limit: number, fixed: Set<number>): number {
    const best: EvictionCost = { broken: MAX_BROKEN, weight: 0 };
    if (limit < NO_LIMIT) {
      best.broken = 0;
      best.weight = this.state.lis.interval(v).weight;
    }
    let chosen = NONE;
    const { costs } = this.state.options;
    const end = costs === null ? c.list.length : this.endWithin(limit, v, c, costs);
    for (let k = 0; k < end; k++) {
      const reg = c.list[k];
      if (costs !== null && costs[reg] >= limit) continue;
      if (limit === 1 && this.isUnusedCalleeSaved(reg)) continue;
      if (!this.canEvict(v, reg, false, best, fixed)) continue;
      chosen = reg;
      if (k < c.nHints) break;
    }
    if (chosen !== NONE) this.evict(v, chosen, made, false);
    return chosen;
  }

  /**
   * How many candidates may cost less than `limit`: none, or all but the tail of the order that costs as much.
   * @llvm RegAllocGreedy.cpp RegAllocEvictionAdvisor::getOrderLimit
   * @llvm RegAllocGreedy.cpp RegAllocEvictionAdvisor::canAllocatePhysReg
   */
  private endWithin(limit: number, v: number, { list, nHints }: Candidates, costs: Uint8Array): number {
    if (limit >= NO_LIMIT) return list.length;
    const { state } = this;
    const rc = state.fn.vregs.regClass[v];
    const { minCost, lastCostChange } = state.classes.orderCosts(rc, costs);
    if (minCost >= limit) return 0;
    const order = state.classes.order(rc);
    if (order.length === 0 || costs[order[order.length - 1]] < limit) return list.length;
    // A tail from the first place on stands for no tail, as in LLVM.
    if (lastCostChange === 0 || lastCostChange >= order.length) return list.length;
    const hints = new Set(list.slice(0, nHints));
    let end = nHints + lastCostChange;
    for (let k = 0; k < lastCostChange; k++) if (hints.has(order[k])) end--;
    return end;
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::evictInterference */
  private evict(v: number, reg: PhysReg, made: number[], isHint: boolean): void {
    const { tables } = this.state;
    if (this.cascadeOf(v) === 0) this.cascade[v] = this.nextCascade++;
    const victims: number[] = [];
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++)
      victims.push(...this.matrix.interfering(v, tables.unitList[k]));
    this.state.watch?.evicts(v, reg, victims, isHint);
    for (const x of victims) {
      if (this.state.map.physOf(x) === 0) continue;
      this.matrix.unassign(x);
      this.cascade[x] = this.cascadeOf(v);
      made.push(x);
    }
  }

  // -- last-chance recoloring --------------------------------------------------------------------------------------

  /** @llvm RegAllocGreedy.cpp RAGreedy::tryLastChanceRecoloring */
  private recolor(
    v: number,
    c: Candidates,
    made: number[],
    fixed: Set<number>,
    stack: { readonly v: number; readonly reg: PhysReg }[],
    depth: number,
  ): number {
    const { state, matrix } = this;
    const { lis, options } = state;
    const bottom = stack.length;
    if (depth >= options.recolorDepth && !options.isExhaustive) {
      this.recolorHitsDepth = true;
      return FAIL;
    }
    fixed.add(v);
    for (let n = 0; n < c.list.length; n++) {
      const reg = c.list[n];
      const met = matrix.check(v, reg);
      if (met === Interference.Mask || met === Interference.Fixed) continue;
      const inTheWay = this.recolorable(v, reg, fixed);
      if (inTheWay === null) continue;
      state.watch?.recolors(v, reg, inTheWay);
      const queue = new PriorityQueue();
      for (const x of inTheWay) {
        queue.push(this.priority(x), x);
        stack.push({ v: x, reg: state.map.physOf(x) });
        matrix.unassign(x);
      }
      const current: number[] = [];
      matrix.assign(v, reg);
      const saved = new Set(fixed);
      if (this.recolorAll(queue, current, fixed, stack, depth)) {
        made.push(...current);
        if (state.map.physOf(v) === 0) {
          fixed.delete(v);
          return NONE;
        }
        matrix.unassign(v);
        return reg;
      }
      fixed.clear();
      for (const x of saved) fixed.add(x);
      if (state.map.physOf(v) !== 0) matrix.unassign(v);
      for (const x of current) if (!inTheWay.has(x)) made.push(x);
      for (let k = stack.length - 1; k >= bottom; k--)
        if (state.map.physOf(stack[k].v) !== 0) matrix.unassign(stack[k].v);
      for (let k = bottom; k < stack.length; k++) {
        const { v: x, reg: old } = stack[k];
        if (!lis.interval(x).isEmpty && !state.editor.isUnused(virtReg(x))) matrix.assign(x, old);
      }
      stack.length = bottom;
    }
    return FAIL;
  }

  /**
   * The registers that have `reg` where `v` lives, null when one of them cannot move.
   * @llvm RegAllocGreedy.cpp RAGreedy::mayRecolorAllInterferences
   */
  private recolorable(v: number, reg: PhysReg, fixed: Set<number>): Set<number> | null {
    const { state } = this;
    const { tables, options } = state;
    const { vregs } = state.fn;
    const found = new Set<number>();
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) {
      const owners = this.matrix.interfering(v, tables.unitList[k]);
      if (owners.length >= options.recolorInterference && !options.isExhaustive) {
        this.recolorHitsInterference = true;
        return null;
      }
      for (let n = owners.length - 1; n >= 0; n--) {
        const x = owners[n];
        const theirs = state.map.physOf(x);
        const isStuck =
          this.stageOf(x) === Stage.Done &&
          vregs.regClass[x] === vregs.regClass[v] &&
          !(theirs !== reg && tables.regsOverlap(theirs, reg)) &&
          !(this.hasTiedDef(v) && !this.hasTiedDef(x));
        if (isStuck || fixed.has(x)) return null;
        found.add(x);
      }
    }
    return found;
  }

  /** @llvm RegAllocGreedy.cpp hasTiedDef */
  private hasTiedDef(v: number): boolean {
    const { editor, fn } = this.state;
    for (const o of editor.operandsOf(virtReg(v)))
      if (editor.isDef(o) && (fn.opFlags[o] & OpFlag.Debug) === 0 && fn.opTied[o] >= 0) return true;
    return false;
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::tryRecoloringCandidates */
  private recolorAll(
    queue: PriorityQueue,
    made: number[],
    fixed: Set<number>,
    stack: { readonly v: number; readonly reg: PhysReg }[],
    depth: number,
  ): boolean {
    for (let x = queue.pop(); x >= 0; x = queue.pop()) {
      const r = this.select(x, made, fixed, stack, depth + 1);
      if (r === FAIL || (r === NONE && !this.state.lis.interval(x).isEmpty)) return false;
      if (r === NONE) continue;
      this.matrix.assign(x, r);
      fixed.add(x);
    }
    return true;
  }

  // -- failure -----------------------------------------------------------------------------------------------------

  /** Where in the source the last instruction of a register stands. */
  /** Says what kept recoloring from going on. */
  protected override fail(v: number): void {
    const { state } = this;
    if (this.recolorHitsDepth || this.recolorHitsInterference) {
      const what =
        this.recolorHitsDepth && this.recolorHitsInterference
          ? 'interference and depth'
          : this.recolorHitsDepth
            ? 'depth'
            : 'interference';
      state.error(
        `register allocation failed: maximum ${what} for recoloring reached. Use -fexhaustive-register-search to skip cutoffs`,
      );
      this.recolorHitsDepth = this.recolorHitsInterference = false;
    }
    super.fail(v);
  }

  // -- hint recoloring ---------------------------------------------------------------------------------------------

  /** @llvm RegAllocGreedy.cpp RAGreedy::tryHintsRecoloring */
  private recolorBrokenHints(): void {
    for (const v of this.brokenHints) if (this.state.map.physOf(v) !== 0) this.recolorHint(v);
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::tryHintRecoloring */
  private recolorHint(v: number): void {
    const { state, matrix } = this;
    const { tables } = state;
    const reg = state.map.physOf(v);
    const visited = new Set([v]);
    const work = [v];
    for (let x = work.pop(); x !== undefined; x = work.pop()) {
      const own = state.map.physOf(x);
      if (own === 0) continue;
      if (own !== reg) {
        if (!tables.classContains(state.fn.vregs.regClass[x], reg)) continue;
        matrix.invalidate();
        if (matrix.check(x, reg) !== Interference.Free) continue;
      }
      const copies = this.copiesOf(x);
      if (own !== reg) {
        const cost = (r: PhysReg): bigint =>
          copies.reduce((sum, c) => (c.reg === r ? sum : addSaturating(sum, c.freq)), 0n);
        if (cost(own) < cost(reg)) continue;
        state.watch?.moves(x, own, reg);
        matrix.unassign(x);
        matrix.assign(x, reg);
      }
      for (const { other } of copies) {
        if (!isVirtualReg(other) || visited.has(~other)) continue;
        visited.add(~other);
        work.push(~other);
      }
    }
  }

  /**
   * Copies of a register with the physical register that would make each vanish.
   * @llvm RegAllocGreedy.cpp RAGreedy::collectHintInfo
   */
  private copiesOf(v: number): { readonly freq: bigint; readonly other: Reg; readonly reg: PhysReg }[] {
    const { state } = this;
    const { fn, editor, opcodes, tables } = state;
    const found = [];
    for (const o of editor.operandsOf(virtReg(v))) {
      const i = editor.instrOf(o);
      if ((fn.opFlags[o] & (OpFlag.Debug | OpFlag.Implicit)) !== 0 || fn.opcode[i] !== opcodes.copy) continue;
      const first = fn.opBegin[i];
      const q = o === first ? first + 1 : first;
      const other = fn.opVal[q];
      if (other === virtReg(v) || other === NO_REG) continue;
      const s = fn.opSub[o];
      const t = fn.opSub[q];
      let reg = 0;
      if (!isVirtualReg(other)) {
        const idx = t !== 0 ? t : s;
        reg = idx === 0 ? other : tables.getMatchingSuperReg(other, idx, fn.vregs.regClass[v]);
      } else {
        if (s !== 0 && t !== 0 && s !== t) continue;
        reg = state.map.physOf(~other);
      }
      if (reg !== 0) found.push({ freq: state.blocks.freq[fn.instrBlock[i]], other, reg });
    }
    return found;
  }

  /**
   * Cost of leaving a hint: copies that would vanish with it, for as long as the register lives only this far (9.1 of the splitting chapter).
   * @llvm RegAllocGreedy.cpp RAGreedy::getBrokenHintFreq
   */
  brokenHintCost(v: number, hint: PhysReg): bigint {
    const { state } = this;
    const { fn, editor, opcodes, lis, slots } = state;
    const interval = lis.interval(v);
    let cost = 0n;
    for (const o of editor.operandsOf(virtReg(v))) {
      const i = editor.instrOf(o);
      if ((fn.opFlags[o] & (OpFlag.Debug | OpFlag.Implicit)) !== 0 || fn.opcode[i] !== opcodes.copy) continue;
      const first = fn.opBegin[i];
      const q = o === first ? first + 1 : first;
      const other = fn.opVal[q];
      if (other === virtReg(v)) continue;
      const s = fn.opSub[o];
      const t = fn.opSub[q];
      if (s !== 0 && t !== 0 && s !== t) continue;
      if (editor.reads(o)) {
        const at = SlotList.at(slots.ofInstr(lis.headerOf(i)), Slot.Register);
        if (this.isPartLiveAt(v, o, at)) continue;
      }
      const reg = other === NO_REG ? 0 : state.map.assigned(other);
      if (reg !== state.part(hint, s)) continue;
      cost = addSaturating(cost, state.blocks.freq[fn.instrBlock[i]]);
    }
    void interval;
    return cost;
  }

  /** Whether what an operand reads lives on at a slot. */
  private isPartLiveAt(v: number, o: number, at: number): boolean {
    const { lis, fn, editor } = this.state;
    const interval = lis.interval(v);
    if (fn.opSub[o] === 0) return interval.isLiveAt(at);
    let [lo, hi] = lis.lanesOf(o);
    if (editor.isDef(o)) {
      lo = ~lo;
      hi = ~hi;
    }
    return interval.subRanges.some((sub) => ((sub.laneLo & lo) !== 0 || (sub.laneHi & hi) !== 0) && sub.isLiveAt(at));
  }
}

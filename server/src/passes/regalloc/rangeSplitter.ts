/**
 * Decides how a register is split: around a region, in single blocks, inside one block, around single instructions
 * (RAGreedy's try...Split of LLVM 22; docs/llvm/allocation-splitting.md, 3).
 */
import { NO_SLOT, SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { BundleFlag, OpFlag, type BlockId, type InstrId } from '../../model/machineFunction.js';
import { virtReg } from '../../model/register.js';
import type { PhysReg } from '../../target/api.js';
import { EdgeBundles } from './edgeBundles.js';
import { Stage, type Allocator, type Candidates } from './allocator.js';
import { FrequencySum } from './frequency.js';
import { InterferenceCache, type RegInterference } from './interferenceCache.js';
import { constrainedByInstr, LiveRangeEdit } from './liveRangeEdit.js';
import { isRematerializable } from './remat.js';
import { SplitAnalysis, type UseBlock, type Uses } from './splitAnalysis.js';
import { SplitEditor } from './splitEditor.js';
import { blockOfLocal, isFullCopy } from './spillWeights.js';
import { Border, SpillPlacement } from './spillPlacement.js';
import { SplitMode, type AllocState } from './state.js';
import type { SplitKind } from './watch.js';

const f32 = Math.fround;
/** A split has to pay by so much more than it takes. */
const HYSTERESIS = f32(2007 / 2048);
const MAX_COST = new FrequencySum().set((1n << 64n) - 1n);
/** Constraints and links go into the network in groups of so many. */
const GROUP = 8;

/** Whether the first instruction of a block stays before what is put there. */
const enum Pinned {
  Unknown,
  No,
  Yes,
}

interface Candidate {
  /** 0 = the compact region */
  readonly reg: PhysReg;
  /** null: nothing is in the way */
  readonly interference: RegInterference | null;
  /** blocks that the value lives through and that the region has grown over */
  readonly active: readonly BlockId[];
  /** bundles at which the value is in the register */
  readonly live: readonly number[];
  /** null: it was not asked for */
  readonly cost: FrequencySum | null;
  interval: number;
}

export class RangeSplitter {
  private readonly state: AllocState;
  private readonly bundles: EdgeBundles;
  private readonly network: SpillPlacement;
  private readonly analysis: SplitAnalysis;
  private readonly cache: InterferenceCache;
  /** of the register that is asked about, by block: 1 = it lives through without a use; and what is known of its start */
  private readonly isThrough: Uint8Array;
  private readonly isPinned: Uint8Array;
  /** by block: its first split point, NO_SLOT = not asked for yet */
  private readonly firstPoint: Int32Array;
  /** by block: the last question that took it into its region */
  private readonly takenBy: Int32Array;
  private question = 0;
  /** by block with uses: what each border wants without anything in the way, and with what is in a register's way */
  private entryWanted = new Uint8Array(16);
  private exitWanted = new Uint8Array(16);
  private entry = new Uint8Array(16);
  private exit = new Uint8Array(16);
  /** blocks that the region of the latest question has grown over: the first `nActive` */
  private readonly active: BlockId[] = [];
  private nActive = 0;
  /** groups of a step of its growth; `borders`: entry and exit of each block that is constrained */
  private readonly links = new Int32Array(GROUP);
  private readonly constrained = new Int32Array(GROUP);
  private readonly borders = new Uint8Array(2 * GROUP);

  constructor(private readonly run: Allocator) {
    this.state = run.state;
    this.bundles = new EdgeBundles(this.state.fn);
    this.network = new SpillPlacement(this.bundles, this.state.blocks.table, this.state.blocks.entry);
    this.analysis = new SplitAnalysis(this.state);
    this.cache = new InterferenceCache(this.state, run.matrix);
    const nBlocks = this.state.fn.blocks.length;
    this.isThrough = new Uint8Array(nBlocks);
    this.isPinned = new Uint8Array(nBlocks);
    this.firstPoint = new Int32Array(nBlocks);
    this.takenBy = new Int32Array(nBlocks);
  }

  // -- entries -----------------------------------------------------------------------------------------------------

  /**
   * Splits a register; nothing is appended to `made` when that does not pay.
   * @llvm RegAllocGreedy.cpp RAGreedy::trySplit
   */
  trySplit(v: number, c: Candidates, made: number[]): void {
    const { run, state } = this;
    const stage = run.stageOf(v);
    if (stage >= Stage.Spill) return;
    const before = made.length;
    const uses = this.analysis.analyse(v);
    if (blockOfLocal(state, uses.interval) >= 0) {
      this.tryLocal(v, uses, c, made);
      if (made.length === before) this.tryInstructions(v, uses, made);
      return;
    }
    if (stage < Stage.Split2) this.tryRegion(v, uses, c, made);
    if (made.length === before) this.tryBlocks(v, uses, made);
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::trySplitAroundHintReg */
  splitAroundHint(v: number, hint: PhysReg, made: number[]): boolean {
    const { state, run } = this;
    if (state.fn.isForSize || run.stageOf(v) >= Stage.Split2) return false;
    const percent = BigInt(state.options.hintSplitThreshold);
    const p = (percent * (1n << 31n) + 50n) / 100n;
    const cost = (run.brokenHintCost(v, hint) * p) >> 31n;
    if (cost === 0n) return false;
    const uses = this.analysis.analyse(v);
    const best = this.bestCandidate(uses, [hint], new FrequencySum().set(cost));
    if (best === null) return false;
    this.splitAround(v, uses, best, null, made, 'hint');
    return true;
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::tryAssignCSRFirstTime */
  splitForCalleeSaved(v: number, c: Candidates, made: number[]): void {
    const { run } = this;
    const uses = this.analysis.analyse(v);
    const regs = Array.from(c.list).filter((r) => !run.isUnusedCalleeSaved(r));
    const best = this.bestCandidate(uses, regs, new FrequencySum().set(run.csrCost));
    if (best !== null) this.splitAround(v, uses, best, null, made, 'csr');
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::calcSpillCost */
  spillCostOf(v: number): bigint {
    return this.spillCost(this.analysis.analyse(v)).toBigInt();
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::calcSpillCost */
  private spillCost(uses: Uses): FrequencySum {
    const { table: freqTable } = this.state.blocks;
    const cost = new FrequencySum();
    for (const u of uses.blocks) cost.add(freqTable, u.block, u.liveIn && u.liveOut && u.firstDef !== NO_SLOT ? 2 : 1);
    return cost;
  }

  // -- regions -----------------------------------------------------------------------------------------------------

  /** @llvm RegAllocGreedy.cpp RAGreedy::tryRegionSplit */
  private tryRegion(v: number, uses: Uses, c: Candidates, made: number[]): void {
    if (!this.mayRegionSplit(v, uses)) return;
    const compact = this.compactRegion(uses);
    const best = this.bestCandidate(uses, c.list, compact === null ? this.spillCost(uses) : MAX_COST);
    if (best === null && compact === null) return;
    this.splitAround(v, uses, best, compact, made, 'region');
  }

  /**
   * Giants with one cheap definition are not worth the work.
   * @llvm TargetRegisterInfo.cpp TargetRegisterInfo::shouldRegionSplitForVirtReg
   */
  private mayRegionSplit(v: number, uses: Uses): boolean {
    const { state } = this;
    let def: InstrId = -1;
    for (const o of state.editor.operandsOf(virtReg(v))) {
      if (!state.editor.isDef(o)) continue;
      const i = state.editor.instrOf(o);
      if (def >= 0 && def !== i) return true;
      def = i;
    }
    if (def < 0 || !isRematerializable(state, def)) return true;
    return uses.interval.size <= state.options.hugeSize;
  }

  /**
   * @llvm RegAllocGreedy.cpp RAGreedy::calculateRegionSplitCost
   * @llvm RegAllocGreedy.cpp RAGreedy::calculateRegionSplitCostAroundReg
   */
  private bestCandidate(uses: Uses, regs: readonly PhysReg[], limit: FrequencySum): Candidate | null {
    this.askAbout(uses);
    let best: Candidate | null = null;
    let bestCost = limit;
    let cost = new FrequencySum();
    for (let n = 0; n < regs.length; n++) {
      const interference = this.cache.of(regs[n]);
      if (!this.evaluate(uses, interference, bestCost, cost) || !cost.isBelow(bestCost)) continue;
      best = { reg: regs[n], interference, active: this.region(), live: this.network.live(), cost, interval: 0 };
      bestCost = cost;
      cost = new FrequencySum();
    }
    return best;
  }

  private region(): BlockId[] {
    return this.active.slice(0, this.nActive);
  }

  /** What does not depend on the register that the value would get. */
  private askAbout(uses: Uses): void {
    const n = uses.blocks.length;
    if (this.entry.length < n) {
      this.entryWanted = new Uint8Array(2 * n);
      this.exitWanted = new Uint8Array(2 * n);
      this.entry = new Uint8Array(2 * n);
      this.exit = new Uint8Array(2 * n);
    }
    this.isThrough.fill(0);
    this.isPinned.fill(Pinned.Unknown);
    this.firstPoint.fill(NO_SLOT);
    for (const b of uses.through) this.isThrough[b] = 1;
    for (let k = 0; k < n; k++) {
      const u = uses.blocks[k];
      this.entryWanted[k] = u.liveIn ? Border.PrefReg : Border.DontCare;
      this.exitWanted[k] = this.exitOf(u);
    }
  }

  /** Whether a slot of a block lies before what nothing can be put before. */
  private isBeforeFirstSplit(b: BlockId, at: SlotRef): boolean {
    const { firstPoint, state } = this;
    // Nothing is edited while candidates are compared.
    if (firstPoint[b] === NO_SLOT) firstPoint[b] = SlotList.base(this.analysis.firstSplitPoint(b));
    return state.slots.isBefore(SlotList.base(at), firstPoint[b]);
  }

  /**
   * Adds up in `cost` what splitting around a register costs; false = it cannot be, or costs more than `limit` at once.
   * @llvm RegAllocGreedy.cpp RAGreedy::addSplitConstraints
   */
  private evaluate(uses: Uses, interference: RegInterference, limit: FrequencySum, cost: FrequencySum): boolean {
    const { network, entry, exit } = this;
    const { slots } = this.state;
    const { table: freqTable } = this.state.blocks;
    cost.clear();
    for (let k = 0; k < uses.blocks.length; k++) {
      const u = uses.blocks[k];
      entry[k] = this.entryWanted[k];
      exit[k] = this.exitWanted[k];
      if (!interference.isIn(u.block)) continue;
      const { first, last } = interference;
      let inserted = 0;
      if (u.liveIn) {
        if (slots.isAtOrBefore(first, slots.startOf(u.block))) {
          entry[k] = Border.MustSpill;
          inserted++;
        } else if (slots.isBefore(first, u.first)) {
          entry[k] = Border.PrefSpill;
          inserted++;
        } else if (slots.isBefore(first, u.last)) inserted++;
        if (entry[k] !== Border.PrefReg && this.isBeforeFirstSplit(u.block, u.first)) return false;
      }
      if (u.liveOut) {
        if (slots.isAtOrBefore(this.analysis.lastSplitPoint(u.block), last)) {
          exit[k] = Border.MustSpill;
          inserted++;
        } else if (slots.isBefore(u.last, last)) {
          exit[k] = Border.PrefSpill;
          inserted++;
        } else if (slots.isBefore(u.first, last)) inserted++;
      }
      if (inserted === 0) continue;
      cost.add(freqTable, u.block, inserted);
      if (cost.isBelow(limit)) continue;
      // A sum only grows.
      this.askLastSplitPoints(uses, interference, k + 1);
      return false;
    }
    if (!cost.isBelow(limit)) return false;
    network.prepare();
    for (let k = 0; k < uses.blocks.length; k++) network.constrain(uses.blocks[k].block, entry[k], exit[k]);
    if (!network.scan() || !this.grow(uses, interference) || !network.hasLive()) return false;
    this.addGlobalCost(uses, interference, cost);
    return true;
  }

  /** Last split points stay as they are when they are asked for first: they are, for all blocks from `from` on that llc asks about. */
  private askLastSplitPoints(uses: Uses, interference: RegInterference, from: number): void {
    for (let k = from; k < uses.blocks.length; k++) {
      const { block, liveOut } = uses.blocks[k];
      if (liveOut && !this.analysis.knowsLastSplitPoint(block) && interference.isIn(block))
        this.analysis.lastSplitPoint(block);
    }
  }

  private exitOf(u: UseBlock): Border {
    const { fn, opcodes, slots } = this.state;
    if (!u.liveOut) return Border.DontCare;
    const i = slots.instrOf(u.last);
    return i >= 0 && fn.opcode[i] === opcodes.implicitDef ? Border.DontCare : Border.PrefReg;
  }

  /**
   * Lets the region grow over blocks that the value lives through. False = it gets too large, or cannot be.
   * @llvm RegAllocGreedy.cpp RAGreedy::growRegion
   */
  private grow(uses: Uses, interference: RegInterference | null): boolean {
    const { network, bundles, isThrough, takenBy } = this;
    const { loops } = this.state.blocks;
    const question = ++this.question;
    const { active } = this;
    this.nActive = 0;
    let budget = this.state.options.growBudget;
    for (;;) {
      const from = this.nActive;
      for (let k = 0; k < network.nRecent; k++) {
        const blocks = bundles.blocks[network.recentPositive[k]];
        if (blocks.length >= budget) return false;
        budget -= blocks.length;
        for (const b of blocks) {
          if (isThrough[b] === 0 || takenBy[b] === question) continue;
          takenBy[b] = question;
          active[this.nActive++] = b;
        }
      }
      const to = this.nActive;
      if (to === from) return true;
      if (interference !== null) {
        if (!this.addThrough(interference, from)) return false;
      } else {
        let isLoop = uses.looksLikeLoopIV && to - from >= 2;
        if (isLoop) {
          const loop = loops.loopOf[active[from]];
          isLoop = loop >= 0 && loops.loops[loop].header === active[from];
          for (let k = from; isLoop && k < to; k++) isLoop = loops.loopOf[active[k]] === loop;
        }
        if (!isLoop) for (let k = from; k < to; k++) network.preferSpill(active[k], true);
      }
      network.iterate();
    }
  }

  /**
   * Tells the network of the blocks from `from` on that the region has grown over: links and constraints in groups of their own.
   * @llvm RegAllocGreedy.cpp RAGreedy::addThroughConstraints
   */
  private addThrough(interference: RegInterference, from: number): boolean {
    const { active, links, constrained, borders } = this;
    const { slots } = this.state;
    let nLinks = 0;
    let nConstrained = 0;
    for (let k = from; k < this.nActive; k++) {
      const b = active[k];
      if (!interference.isIn(b)) {
        links[nLinks++] = b;
        if (nLinks === GROUP) nLinks = this.linkAll(nLinks);
        continue;
      }
      if (this.isPinnedAtStart(b)) return false;
      borders[2 * nConstrained] = slots.isAtOrBefore(interference.first, slots.startOf(b))
        ? Border.MustSpill
        : Border.PrefSpill;
      borders[2 * nConstrained + 1] = slots.isAtOrBefore(this.analysis.lastSplitPoint(b), interference.last)
        ? Border.MustSpill
        : Border.PrefSpill;
      constrained[nConstrained++] = b;
      if (nConstrained === GROUP) nConstrained = this.constrainAll(nConstrained);
    }
    this.constrainAll(nConstrained);
    this.linkAll(nLinks);
    return true;
  }

  /** The first `n`; so many are left. */
  private linkAll(n: number): number {
    for (let k = 0; k < n; k++) this.network.link(this.links[k]);
    return 0;
  }

  private constrainAll(n: number): number {
    const { constrained, borders } = this;
    for (let k = 0; k < n; k++) this.network.constrain(constrained[k], borders[2 * k], borders[2 * k + 1]);
    return 0;
  }

  /** Whether the first instruction of a block has to stay before what is put there. */
  private isPinnedAtStart(b: BlockId): boolean {
    const { isPinned, state } = this;
    if (isPinned[b] === Pinned.Unknown) {
      let i = state.editor.list.first(b);
      while (i >= 0 && state.slots.ofInstr(i) < 0) i = state.editor.list.after(i);
      isPinned[b] = i >= 0 && this.isBeforeFirstSplit(b, state.slots.ofInstr(i)) ? Pinned.Yes : Pinned.No;
    }
    return isPinned[b] === Pinned.Yes;
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::calcGlobalSplitCost */
  private addGlobalCost(uses: Uses, interference: RegInterference, cost: FrequencySum): void {
    const { bundles, network } = this;
    const { table: freqTable } = this.state.blocks;
    for (let k = 0; k < uses.blocks.length; k++) {
      const u = uses.blocks[k];
      let n = 0;
      if (u.liveIn && network.isLive(bundles.in[u.block]) !== (this.entry[k] === Border.PrefReg)) n++;
      if (u.liveOut && network.isLive(bundles.out[u.block]) !== (this.exit[k] === Border.PrefReg)) n++;
      if (n > 0) cost.add(freqTable, u.block, n);
    }
    for (let k = 0; k < this.nActive; k++) {
      const b = this.active[k];
      const isIn = network.isLive(bundles.in[b]);
      const isOut = network.isLive(bundles.out[b]);
      if (isIn !== isOut) cost.add(freqTable, b);
      else if (isIn && interference.isIn(b)) cost.add(freqTable, b, 2);
    }
  }

  /**
   * The region that joins the uses by the way that is cheapest without regard to any register.
   * @llvm RegAllocGreedy.cpp RAGreedy::calcCompactRegion
   */
  private compactRegion(uses: Uses): Candidate | null {
    if (uses.through.length === 0) return null;
    const { network } = this;
    this.askAbout(uses);
    network.prepare();
    for (let k = 0; k < uses.blocks.length; k++)
      network.constrain(uses.blocks[k].block, this.entryWanted[k], this.exitWanted[k]);
    if (!network.scan() || !this.grow(uses, null) || !network.hasLive()) return null;
    return { reg: 0, interference: null, active: this.region(), live: network.live(), cost: null, interval: 0 };
  }

  private newEdit(v: number, made: number[]): LiveRangeEdit {
    return new LiveRangeEdit(this.state, v, made, this.run, this.run.deadRemats);
  }

  private newEditor(edit: LiveRangeEdit, mode: SplitMode): SplitEditor {
    return new SplitEditor(this.state, this.analysis, edit, mode, this.run.weights);
  }

  /**
   * @llvm RegAllocGreedy.cpp RAGreedy::splitAroundRegion
   * @llvm RegAllocGreedy.cpp RAGreedy::doRegionSplit
   */
  private splitAround(
    v: number,
    uses: Uses,
    best: Candidate | null,
    compact: Candidate | null,
    made: number[],
    kind: SplitKind,
  ): void {
    this.state.watch?.splits(v, kind, best?.reg ?? 0, best?.cost?.toBigInt() ?? null);
    const { bundles, run, state } = this;
    const edit = this.newEdit(v, made);
    const editor = this.newEditor(edit, state.options.splitMode);
    const owner: (Candidate | undefined)[] = [];
    const used: Candidate[] = [];
    for (const candidate of [best, compact]) {
      if (candidate === null) continue;
      let n = 0;
      for (const bundle of candidate.live) {
        if (owner[bundle] !== undefined) continue;
        owner[bundle] = candidate;
        n++;
      }
      if (n === 0) continue;
      used.push(candidate);
      candidate.interval = editor.open();
    }
    const numGlobal = editor.numIntervals;
    const singles = state.classes.isProperSubClass(state.fn.vregs.regClass[v]);
    for (const u of uses.blocks) {
      const into = u.liveIn ? owner[bundles.in[u.block]] : undefined;
      const out = u.liveOut ? owner[bundles.out[u.block]] : undefined;
      const leave = firstTaken(into, u.block);
      const enter = lastTaken(out, u.block);
      if (into === undefined && out === undefined) {
        if (this.shouldSplitSingle(v, u, singles)) editor.splitSingleBlock(u);
      } else if (into !== undefined && out !== undefined)
        editor.splitThrough(u.block, into.interval, leave, out.interval, enter);
      else if (into !== undefined) editor.splitIn(u, into.interval, leave);
      else editor.splitOut(u, out!.interval, enter);
    }
    // Each of the blocks that it lives through once: the marks are not asked for any more.
    const { isThrough } = this;
    for (const candidate of used) {
      for (const b of candidate.active) {
        if (isThrough[b] === 0) continue;
        isThrough[b] = 0;
        const into = owner[bundles.in[b]];
        const out = owner[bundles.out[b]];
        if (into === undefined && out === undefined) continue;
        const leave = firstTaken(into, b);
        const enter = lastTaken(out, b);
        editor.splitThrough(b, into?.interval ?? 0, leave, out?.interval ?? 0, enter);
      }
    }
    const origBlocks = uses.blocks.length - uses.numGaps + uses.through.length;
    const from = editor.finish();
    for (let k = 0; k < edit.size; k++) {
      const x = edit.at(k);
      if (run.stageOf(x) !== Stage.New) continue;
      const source = from[k] ?? k;
      if (source === 0) run.stage[x] = Stage.Spill;
      else if (source < numGlobal && this.countLiveBlocks(x) >= origBlocks) run.stage[x] = Stage.Split2;
    }
    state.verify('After splitting live range around region');
  }

  /** @llvm SplitKit.cpp SplitAnalysis::countLiveBlocks */
  private countLiveBlocks(v: number): number {
    const { lis, slots } = this.state;
    const interval = lis.interval(v);
    let n = 0;
    let last = -1;
    for (let s = 0; s < interval.size; s++) {
      const from = Math.max(slots.blockOf(interval.start[s]), last + 1);
      const to = slots.blockOf(slots.before(interval.end[s]));
      if (to >= from) {
        n += to - from + 1;
        last = to;
      }
    }
    return n;
  }

  /** @llvm SplitKit.cpp SplitAnalysis::shouldSplitSingleBlock */
  private shouldSplitSingle(v: number, u: UseBlock, singles: boolean): boolean {
    const { state } = this;
    const { slots, fn, opcodes, lis } = state;
    if (!SlotList.isSameInstr(u.first, u.last)) return true;
    if (!singles) return false;
    if (u.liveIn && u.liveOut) return true;
    const i = slots.instrOf(u.first);
    if (i >= 0 && (state.isCopy(i) || fn.opcode[i] === opcodes.subregToReg)) return false;
    const original = lis.interval(state.map.originalOf(v));
    const s = original.segmentAt(u.first);
    if (s >= 0 && slots.number(original.start[s]) === slots.number(u.first)) return true;
    const before = original.find(slots.before(u.first));
    return before < original.size && slots.number(original.end[before]) === slots.number(u.first);
  }

  // -- blocks ------------------------------------------------------------------------------------------------------

  /** @llvm RegAllocGreedy.cpp RAGreedy::tryBlockSplit */
  private tryBlocks(v: number, uses: Uses, made: number[]): void {
    const { run, state } = this;
    const singles = state.classes.isProperSubClass(state.fn.vregs.regClass[v]);
    const edit = this.newEdit(v, made);
    const editor = this.newEditor(edit, state.options.splitMode);
    for (const u of uses.blocks) if (this.shouldSplitSingle(v, u, singles)) editor.splitSingleBlock(u);
    if (edit.size === 0) return;
    state.watch?.splits(v, 'block', 0, null);
    const from = editor.finish();
    for (let k = 0; k < edit.size; k++)
      if (run.stageOf(edit.at(k)) === Stage.New && from[k] === 0) run.stage[edit.at(k)] = Stage.Spill;
    state.verify('After splitting live range around basic blocks');
  }

  // -- inside one block --------------------------------------------------------------------------------------------

  /** @llvm RegAllocGreedy.cpp RAGreedy::tryLocalSplit */
  private tryLocal(v: number, uses: Uses, c: Candidates, made: number[]): void {
    const { run, state } = this;
    if (uses.blocks.length !== 1) return;
    const u = uses.blocks[0];
    const points = uses.slots;
    const n = points.length - 1;
    if (n < 2) return;
    const { slots, blocks } = state;
    const maskGaps = this.maskGaps(v, u, points);
    const progress = run.stageOf(v) >= Stage.Split2;
    const blockFreq = f32(f32(Number(blocks.freq[u.block])) * f32(1 / f32(Number(blocks.entry))));
    let best: readonly [number, number] | null = null;
    let bestDiff = 0;
    for (let r = 0; r < c.list.length; r++) {
      const w = this.gapWeights(uses, u, c.list[r]);
      if (maskGaps.length > 0 && run.matrix.isClobbered(v, c.list[r])) for (const g of maskGaps) w[g] = Infinity;
      let before = 0;
      let after = 1;
      let most = w[0];
      for (;;) {
        const liveBefore = before !== 0 || u.liveIn;
        const liveAfter = after !== n || u.liveOut;
        if (!liveBefore && !liveAfter) break;
        const extra = (liveBefore ? 1 : 0) + (liveAfter ? 1 : 0);
        const newGaps = extra + after - before;
        let shrink = true;
        if ((!progress || newGaps < n) && most < Infinity) {
          const length = slots.number(points[after]) - slots.number(points[before]) + extra * 16;
          const estimate = f32(f32(blockFreq * f32(newGaps + 1)) / f32(length + 400));
          if (f32(estimate * HYSTERESIS) >= most) {
            shrink = false;
            const diff = f32(estimate - most);
            if (diff > bestDiff) {
              bestDiff = f32(HYSTERESIS * diff);
              best = [before, after];
            }
          }
        }
        if (shrink) {
          before++;
          if (before < after) {
            if (w[before - 1] >= most) {
              most = w[before];
              for (let g = before + 1; g < after; g++) most = Math.max(most, w[g]);
            }
            continue;
          }
          most = 0;
        }
        if (after >= n) break;
        most = Math.max(most, w[after]);
        after++;
      }
    }
    if (best === null) return;
    const [from, to] = best;
    state.watch?.splits(v, 'local', 0, null);
    const edit = this.newEdit(v, made);
    const editor = this.newEditor(edit, SplitMode.Partition);
    editor.open();
    const start = editor.enterBefore(points[from]);
    const end = editor.leaveAfter(points[to]);
    editor.use(start, end);
    const sources = editor.finish();
    const newGaps = (from !== 0 || u.liveIn ? 1 : 0) + to - from + (to !== n || u.liveOut ? 1 : 0);
    if (newGaps >= n) for (let k = 0; k < edit.size; k++) if (sources[k] === 1) run.stage[edit.at(k)] = Stage.Split2;
  }

  /** Gaps between uses in which a call overwrites registers. */
  private maskGaps(v: number, u: UseBlock, points: readonly SlotRef[]): number[] {
    const { slots, regMaskSlots } = this.state;
    const found: number[] = [];
    if (this.run.matrix.usableAcrossCalls(v) === null) return found;
    const n = points.length - 1;
    const end = slots.endOf(u.block);
    const masks = regMaskSlots.filter(
      (m) => slots.isAtOrBefore(SlotList.at(points[0], Slot.Register), m) && slots.isBefore(m, end),
    );
    const isEarlier = (a: SlotRef, b: SlotRef): boolean => slots.isBefore(SlotList.base(a), SlotList.base(b));
    let m = 0;
    for (let g = 0; g < n && m < masks.length; g++) {
      if (isEarlier(points[g + 1], masks[m])) continue;
      if (SlotList.isSameInstr(points[g + 1], masks[m]) && g + 1 === n) break;
      found.push(g);
      while (m < masks.length && isEarlier(masks[m], points[g + 1])) m++;
    }
    return found;
  }

  /** @llvm RegAllocGreedy.cpp RAGreedy::calcGapWeights */
  private gapWeights(uses: Uses, u: UseBlock, reg: PhysReg): number[] {
    const { state, run } = this;
    const { tables, slots, lis, units } = state;
    const points = uses.slots;
    const n = points.length - 1;
    const w = new Array<number>(n).fill(0);
    const start = u.liveIn ? SlotList.base(u.first) : u.first;
    const stop = slots.number(u.liveOut ? SlotList.at(u.last, Slot.Dead) : u.last);
    const scan = (
      range: {
        readonly start: ArrayLike<SlotRef>;
        readonly end: ArrayLike<SlotRef>;
        readonly size: number;
      },
      first: number,
      weightOf: (s: number) => number,
    ): void => {
      let g = 0;
      for (let s = first; s < range.size; s++) {
        if (slots.number(range.start[s]) >= stop) return;
        const from = slots.number(range.start[s]);
        while (slots.number(SlotList.at(points[g + 1], Slot.Dead)) < from) if (++g === n) return;
        const weight = weightOf(s);
        for (; g !== n; g++) {
          w[g] = Math.max(w[g], weight);
          if (slots.number(SlotList.base(points[g + 1])) >= slots.number(range.end[s])) break;
        }
        if (g === n) return;
      }
    };
    let last: object | null = null;
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) {
      const union = run.matrix.knownUnion(tables.unitList[k]);
      if (union === null || union === last) continue;
      last = union;
      if (!union.meets(uses.interval)) continue;
      scan(union, union.find(slots.number(start)), (s) => lis.interval(union.owner[s]).weight);
    }
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) {
      const fixed = units.of(tables.unitList[k]);
      if (!fixed.isEmpty) scan(fixed, fixed.find(start), () => Infinity);
    }
    return w;
  }

  // -- single instructions -----------------------------------------------------------------------------------------

  /** @llvm RegAllocGreedy.cpp RAGreedy::tryInstructionSplit */
  private tryInstructions(v: number, uses: Uses, made: number[]): void {
    const { state, run } = this;
    const { fn, slots } = state;
    const rc = fn.vregs.regClass[v];
    const isSub = state.classes.isProperSubClass(rc);
    if (!isSub && uses.interval.subRanges.length === 0) return;
    if (uses.slots.length <= 1) return;
    const edit = this.newEdit(v, made);
    const editor = this.newEditor(edit, SplitMode.Size);
    const above = state.classes.largestSuperClass(rc);
    const most = state.classes.numAllocatable(above);
    for (const at of uses.slots) {
      const i = slots.instrOf(at);
      if (i >= 0) {
        if (isFullCopy(state, i)) continue;
        if (isSub) {
          const left = constrainedByInstr(state, i, v, above);
          if (left >= 0 && most === state.classes.numAllocatable(left)) continue;
        } else if (!this.readsLanes(v, i, at)) continue;
      }
      editor.open();
      const start = editor.enterBefore(at);
      const end = editor.leaveAfter(at);
      editor.use(start, end);
    }
    if (edit.size === 0) return;
    state.watch?.splits(v, 'instruction', 0, null);
    editor.finish();
    for (let k = 0; k < edit.size; k++) if (run.stageOf(edit.at(k)) === Stage.New) run.stage[edit.at(k)] = Stage.Spill;
  }

  /**
   * Whether the instruction reads lanes, or leaves some as they are, of which others than those alive make no difference.
   * @llvm RegAllocGreedy.cpp readsLaneSubset
   */
  private readsLanes(v: number, i: InstrId, at: SlotRef): boolean {
    const { state } = this;
    const { fn, lis } = state;
    const o = fn.opBegin[i];
    if (state.isCopy(i) && fn.bundle[i] === 0 && fn.opSub[o] === fn.opSub[o + 1]) return false;
    let hi = 0;
    let lo = 0;
    const [allLo, allHi] = lis.allLanes(v);
    for (let m = i; ; m++) {
      for (let p = fn.firstReg(m); p >= 0; p = fn.nextReg(m, p)) {
        if (fn.opVal[p] !== virtReg(v)) continue;
        const [l, h] = lis.lanesOf(p);
        const flags = fn.opFlags[p];
        if ((flags & OpFlag.Def) === 0) {
          if (fn.opSub[p] === 0) {
            if ((flags & OpFlag.Undef) === 0) {
              lo |= allLo;
              hi |= allHi;
            }
          } else {
            lo |= l;
            hi |= h;
          }
        } else if ((flags & OpFlag.Undef) === 0 && fn.opSub[p] !== 0) {
          lo |= ~l;
          hi |= ~h;
        }
      }
      if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) break;
    }
    let liveHi = 0;
    for (const sub of lis.interval(v).subRanges) if (sub.isLiveAt(at)) liveHi |= sub.laneHi;
    // Only the upper half of the lanes counts as covering.
    return lo !== 0 || (hi & ~liveHi) !== 0;
  }
}

/** The first slot that is taken in a block where a candidate has the value, NO_SLOT = none. */
function firstTaken(candidate: Candidate | undefined, b: BlockId): SlotRef {
  const interference = candidate?.interference ?? null;
  return interference?.isIn(b) === true ? interference.first : NO_SLOT;
}

/** Where the last one ends. */
function lastTaken(candidate: Candidate | undefined, b: BlockId): SlotRef {
  const interference = candidate?.interference ?? null;
  return interference?.isIn(b) === true ? interference.last : NO_SLOT;
}

/** The groups of one region, and the search for the pipeline that violates fewest edges (docs/llvm/iglp.md). */
import { BundleFlag, type MachineFunction } from '../../../../model/machineFunction.js';
import type { Opcode } from '../../../../target/api.js';
import { opcodeSet, type OpcodeSetName } from '../../../../target/opcodeSets.js';
import { DepKind, type EdgeId, type ScheduleGraph, type SUnitId } from '../graph.js';
import { classFits, classify, InstrClass, pinnedClasses } from './instrClass.js';
import type { MutationContext } from './mutation.js';
import { NodeReach } from './nodeReach.js';
import { SchedGroup, type GroupRule } from './schedGroup.js';

export interface IglpOptions {
  readonly exactSolver: boolean;
  /** search exactly up to this many entries; 0 = never by size */
  readonly exactCutoff: number;
  /** 0 = no limit */
  readonly maxBranches: number;
  readonly costHeuristic: boolean;
}

export const DEFAULT_IGLP_OPTIONS: IglpOptions = {
  exactSolver: false,
  exactCutoff: 0,
  maxBranches: 0,
  costHeuristic: true,
};

interface Entry {
  readonly node: SUnitId;
  readonly ids: number[];
}

/** One region's groups: edges, candidates, pipelines. Handed to the strategies, which add groups to it. */
export class GroupRun {
  readonly graph: ScheduleGraph;
  readonly fn: MachineFunction;
  readonly pipes = new Map<number, SchedGroup[]>();
  /** sync number -> node -> group ids */
  private readonly cands = new Map<number, Map<SUnitId, number[]>>();
  private nextId = 0;
  private readonly classes: Int32Array;
  private readonly bundleOpcode: Opcode;

  constructor(private readonly ctx: MutationContext) {
    this.graph = ctx.graph;
    this.fn = ctx.fn;
    this.bundleOpcode = ctx.fn.tables.opcodeByName('BUNDLE');
    // ExitSU is of none
    this.classes = new Int32Array(ctx.graph.nSUnits + 1);
    for (let n = 0; n < ctx.graph.nSUnits; n++) this.classes[n] = classify(ctx.fn, ctx.graph.instr[n]);
  }

  isOneOf(set: OpcodeSetName, n: SUnitId): boolean {
    const i = this.graph.instr[n];
    return i >= 0 && opcodeSet(this.fn.tables, set).has(this.fn.opcode[i]);
  }

  isMFMA(n: SUnitId): boolean {
    return (this.classes[n] & InstrClass.MFMA) !== 0;
  }

  isTrans(n: SUnitId): boolean {
    return (this.classes[n] & InstrClass.TRANS) !== 0;
  }

  isDSLoad(n: SUnitId): boolean {
    return (this.classes[n] & InstrClass.DS) !== 0 && (this.classes[n] & InstrClass.Load) !== 0;
  }

  isDSStore(n: SUnitId): boolean {
    return (this.classes[n] & InstrClass.DS) !== 0 && (this.classes[n] & InstrClass.Store) !== 0;
  }

  isVMEMLoad(n: SUnitId): boolean {
    return (this.classes[n] & InstrClass.VMEM) !== 0 && (this.classes[n] & InstrClass.Load) !== 0;
  }

  isGroupBarrier(n: SUnitId): boolean {
    return this.isOneOf('schedGroupBarrier', n);
  }

  fits(mask: number, n: SUnitId): boolean {
    const i = this.graph.instr[n];
    if (i < 0 || this.fn.opcode[i] !== this.bundleOpcode) return classFits(mask, this.classes[n]);
    for (let m = i; (this.fn.bundle[m] & BundleFlag.BundledSucc) !== 0;) {
      m++;
      if (!classFits(mask, classify(this.fn, m))) return false;
    }
    return true;
  }

  /** A path leads from `t` to `x`, which is another node. */
  reach(x: SUnitId, t: SUnitId): boolean {
    return this.graph.isReachable(x, t);
  }

  /** @llvm AMDGPUIGroupLP.cpp SchedGroup::tryAddEdge */
  tryEdge(a: SUnitId, b: SUnitId): boolean {
    return a !== b && this.graph.addEdge(b, a, DepKind.Artificial);
  }

  private newGroup(mask: number, capacity: number, sync: number, rules: readonly GroupRule[]): SchedGroup {
    const group = new SchedGroup(mask, capacity, sync, this.nextId++, rules);
    const pipe = this.pipes.get(sync);
    if (pipe === undefined) {
      this.pipes.set(sync, [group]);
      this.cands.set(sync, new Map());
    } else pipe.push(group);
    return group;
  }

  private offer(group: SchedGroup, from: SUnitId): void {
    if (group.capacity === 0) return;
    const cands = this.cands.get(group.sync)!;
    for (let n = from; n >= 0; n--) {
      if (!this.fits(group.mask, n)) continue;
      const ids = cands.get(n);
      if (ids === undefined) cands.set(n, [group.id]);
      else ids.push(group.id);
    }
  }

  /** A group of a strategy: every fitting node may join. */
  add(sync: number, mask: number, capacity: number, rules: readonly GroupRule[] = []): void {
    this.offer(this.newGroup(mask, capacity, sync, rules), this.graph.nSUnits - 1);
  }

  /** @llvm AMDGPUIGroupLP.cpp IGroupLPDAGMutation::initSchedGroupBarrierPipelineStage */
  addGroupBarrier(n: SUnitId): void {
    const { fn } = this;
    const o = fn.opBegin[this.graph.instr[n]];
    const size = fn.opVal[o + 1] >>> 0;
    const group = this.newGroup(fn.opVal[o], size, fn.opVal[o + 2], []);
    this.offer(group, n);
    group.members.push(n);
    group.capacity = (size + 1) >>> 0;
  }

  /** @llvm AMDGPUIGroupLP.cpp IGroupLPDAGMutation::addSchedBarrierEdges */
  addBarrier(n: SUnitId): void {
    const x = pinnedClasses(this.fn.opVal[this.fn.opBegin[this.graph.instr[n]]]);
    this.nextId++;
    for (let k = 0; k < this.graph.nSUnits; k++) {
      if (!this.fits(x, k)) continue;
      if (k > n) this.tryEdge(n, k);
      else this.tryEdge(k, n);
    }
  }

  /** Sync numbers in the order of LLVM's hash table (docs/llvm/iglp.md, 8.1). */
  private keyOrder(): number[] {
    let buckets = 64;
    let table: (number | undefined)[] = new Array<number | undefined>(buckets).fill(undefined);
    const insert = (key: number): void => {
      let at = (Math.imul(37, key) >>> 0) % buckets;
      for (let step = 1; table[at] !== undefined; step++) at = (at + step) % buckets;
      table[at] = key;
    };
    let n = 0;
    for (const key of this.pipes.keys()) {
      if (4 * (n + 1) >= 3 * buckets) {
        const old = table;
        buckets *= 2;
        table = new Array<number | undefined>(buckets).fill(undefined);
        for (const k of old) if (k !== undefined) insert(k);
      }
      insert(key);
      n++;
    }
    return table.filter((k): k is number => k !== undefined);
  }

  solve(bottomUp: boolean, options: IglpOptions): void {
    if ([...this.cands.values()].every((c) => c.size === 0)) return;
    const keys = this.keyOrder().reverse();
    const pipes = keys.map((k) => this.pipes.get(k)!);
    const entries = keys.map((k) =>
      [...this.cands.get(k)!].map(([node, ids]): Entry => ({ node, ids })).sort((a, b) => a.node - b.node),
    );
    new PipelineSolver(this, pipes, entries, bottomUp, options, this.ctx.checkpoint).solve();
  }
}

/** An edge that is tried, and those that were last on its lists before. */
interface Link {
  readonly edge: EdgeId;
  readonly beforePred: EdgeId;
  readonly beforeSucc: EdgeId;
}

const BRANCHES_PER_CHECKPOINT = 256;

/** One candidate of the exact search: the groups that it may go to, and the one that it is in. */
interface Visit {
  readonly pipe: SchedGroup[];
  readonly node: SUnitId;
  readonly choices: readonly { readonly id: number; readonly estimate: number }[];
  next: number;
  readonly log: Link[];
  /** null: it is in none */
  group: SchedGroup | null;
  cost: number;
}

/** @llvm AMDGPUIGroupLP.cpp PipelineSolver */
class PipelineSolver {
  private best: SUnitId[][][];
  private readonly size: number;
  private readonly miss: number;
  private readonly groupById = new Map<number, SchedGroup>();
  private readonly reach: NodeReach;
  /** each assignment leaves its edges, which count for those after it; else only the first that orders anything does */
  private readonly keepsEdges: boolean;
  private readonly addsBestCost: boolean;
  /** pairs that the last trial put in order, or found so */
  private nOrdered = 0;
  // exact search
  private pipeIdx = 0;
  private entryIdx = 0;
  private cur = 0;
  private bound = 0;
  private branches = 0;

  constructor(
    private readonly run: GroupRun,
    private readonly pipes: SchedGroup[][],
    private readonly entries: Entry[][],
    private readonly bottomUp: boolean,
    private readonly options: IglpOptions,
    private readonly checkpoint: (() => void) | undefined,
  ) {
    this.best = this.snapshot();
    this.reach = new NodeReach(run.graph);
    const { keepsFirstEdgesOnly, addsBestCost } = run.fn.subtarget.release.rules;
    this.keepsEdges = !keepsFirstEdgesOnly;
    this.addsBestCost = addsBestCost;
    this.size = entries.reduce((n, c) => n + c.length, 0);
    this.miss = (this.size >> 1) + 1;
    for (const pipe of pipes) for (const g of pipe) this.groupById.set(g.id, g);
  }

  private snapshot(): SUnitId[][][] {
    return this.pipes.map((p) => p.map((g) => g.members.slice()));
  }

  /** @llvm AMDGPUIGroupLP.cpp PipelineSolver::solve */
  solve(): void {
    const { options } = this;
    const exact = options.exactSolver || (options.exactCutoff > 0 && this.size <= options.exactCutoff);
    const total = this.greedy();
    if (exact && total > 0) this.searchExactly(total);
    this.linkBest();
  }

  private candidateIds(e: Entry): number[] {
    return this.bottomUp ? e.ids.slice().reverse() : e.ids;
  }

  private allowed(g: SchedGroup, node: SUnitId): boolean {
    for (const rule of g.rules) if (!rule(node, g)) return false;
    return true;
  }

  /**
   * Links the node with all other groups of its pipeline as if it were in group `gid`; returns how many pairs were impossible.
   * @llvm AMDGPUIGroupLP.cpp PipelineSolver::addEdges
   */
  private trial(pipe: SchedGroup[], node: SUnitId, gid: number, log: Link[]): number {
    const { run, reach } = this;
    reach.begin(node);
    let cost = 0;
    this.nOrdered = 0;
    let after = false;
    for (let k = 0; k < pipe.length; k++) {
      const g = pipe[this.bottomUp ? pipe.length - 1 - k : k];
      if (g.id === gid) {
        after = true;
        continue;
      }
      for (const m of g.members) {
        if (m === node || run.isGroupBarrier(m)) continue;
        if (after ? reach.isBefore(m) : reach.isAfter(m)) {
          this.nOrdered++;
          continue;
        }
        // The other way round it would close a cycle.
        if (after ? reach.isAfter(m) : reach.isBefore(m)) {
          cost++;
          continue;
        }
        this.nOrdered++;
        if (after) {
          log.push(this.link(node, m));
          reach.linkedTo(m);
        } else {
          log.push(this.link(m, node));
          reach.linkedFrom(m);
        }
      }
    }
    return cost;
  }

  /** @llvm AMDGPUIGroupLP.cpp SchedGroup::link */
  private link(a: SUnitId, b: SUnitId): Link {
    const { graph } = this.run;
    const [beforePred, beforeSucc] = [graph.lastPred[b], graph.lastSucc[a]];
    return { edge: graph.addTrialEdge(b, a), beforePred, beforeSucc };
  }

  /**
   * Edges that were tried after these are gone already.
   * @llvm AMDGPUIGroupLP.cpp PipelineSolver::removeEdges
   */
  private undo(log: Link[]): void {
    for (let link = log.pop(); link !== undefined; link = log.pop())
      this.run.graph.takeBack(link.edge, link.beforePred, link.beforeSucc);
  }

  /**
   * @llvm AMDGPUIGroupLP.cpp PipelineSolver::solveGreedy
   * @llvm AMDGPUIGroupLP.cpp PipelineSolver::greedyFind
   */
  private greedy(): number {
    const kept: Link[] = [];
    const tmp: Link[] = [];
    let hasEdges = false;
    let total = 0;
    this.entries.forEach((list, p) => {
      for (const e of list) {
        let best: SchedGroup | null = null;
        let bestCost = 0;
        let last = 0;
        for (const id of this.candidateIds(e)) {
          const g = this.groupById.get(id)!;
          if (g.isFull || !this.allowed(g, e.node)) continue;
          last = this.trial(this.pipes[p], e.node, id, tmp);
          if (best === null || last < bestCost) {
            best = g;
            bestCost = last;
          }
          this.undo(tmp);
          if (bestCost === 0) break;
        }
        if (best === null) total += this.miss;
        else {
          best.members.push(e.node);
          if (this.keepsEdges || !hasEdges) {
            this.trial(this.pipes[p], e.node, best.id, kept);
            hasEdges ||= this.nOrdered > 0;
          }
          total += this.addsBestCost ? bestCost : last;
        }
      }
      // LLVM reads an entry that is not there when the first solved pipeline has no candidate: counted as a miss
      if (p === 0 && list.length === 0) total += this.miss;
    });
    this.best = this.snapshot();
    this.undo(kept);
    return total;
  }

  // -- exact search (branch and bound) --------------------------------------------------------------------------------

  /** @llvm AMDGPUIGroupLP.cpp PipelineSolver::solveExact */
  private searchExactly(total: number): void {
    for (const pipe of this.pipes) {
      for (const g of pipe) {
        const barrier = g.members.find((m) => this.run.isGroupBarrier(m));
        g.members.length = 0;
        if (barrier !== undefined) g.members.push(barrier);
      }
    }
    this.pipeIdx = 0;
    this.entryIdx = 0;
    this.skipEmpty();
    this.cur = 0;
    this.bound = total;
    this.branches = 0;
    this.search();
  }

  private skipEmpty(): void {
    while (this.pipeIdx < this.entries.length && this.entryIdx >= this.entries[this.pipeIdx].length) {
      this.pipeIdx++;
      this.entryIdx = 0;
    }
  }

  /** @llvm AMDGPUIGroupLP.cpp PipelineSolver::advancePosition */
  private advance(): void {
    this.entryIdx++;
    this.skipEmpty();
  }

  /** @llvm AMDGPUIGroupLP.cpp PipelineSolver::retreatPosition */
  private retreat(): void {
    if (this.entryIdx > 0) {
      this.entryIdx--;
      return;
    }
    do this.pipeIdx--;
    while (this.entries[this.pipeIdx].length === 0);
    this.entryIdx = this.entries[this.pipeIdx].length - 1;
  }

  private get atEnd(): boolean {
    return this.pipeIdx >= this.entries.length;
  }

  /** Depth first over the ways to give each candidate to a group or to none. As deep as there are candidates: with a stack of its own. */
  private search(): void {
    const open: Visit[] = [];
    /** what the visit that just ended says: whether to stop; null when one was begun instead */
    let stop = this.begin(open);
    while (open.length > 0) {
      const visit = open[open.length - 1];
      if (stop !== null) {
        // Nothing can be better; the groups stay as they are.
        if (stop && this.bound === 0) return;
        this.retreat();
        this.cur -= visit.cost;
        if (visit.group === null) {
          open.pop();
          stop = false;
          continue;
        }
        this.undo(visit.log);
        visit.group.members.pop();
        if (stop) {
          open.pop();
          continue;
        }
      }
      stop = this.takeBranch(visit, open);
    }
  }

  /** Begins the visit of the next candidate, or says whether to stop when there is none to visit. */
  private begin(open: Visit[]): boolean | null {
    const { options } = this;
    if (this.atEnd && this.cur < this.bound) {
      this.best = this.snapshot();
      this.bound = this.cur;
    }
    if ((options.maxBranches > 0 && this.branches >= options.maxBranches) || this.bound === 0) return true;
    if (this.atEnd) return false;
    const pipe = this.pipes[this.pipeIdx];
    const { node, ids } = this.entries[this.pipeIdx][this.entryIdx];
    open.push({ pipe, node, choices: this.estimates(pipe, node, ids), next: 0, log: [], group: null, cost: 0 });
    return null;
  }

  /** The next group for the candidate, and none after the last; goes on as `begin`. */
  private takeBranch(visit: Visit, open: Visit[]): boolean | null {
    const { pipe, node, choices, log } = visit;
    while (visit.next < choices.length) {
      const { id, estimate } = choices[visit.next++];
      if (this.cur + estimate > this.bound) {
        open.pop();
        return false;
      }
      const g = this.groupById.get(id)!;
      if (g.isFull || !this.allowed(g, node)) continue;
      g.members.push(node);
      visit.group = g;
      visit.cost = this.trial(pipe, node, id, log);
      if (this.branches++ % BRANCHES_PER_CHECKPOINT === 0) this.checkpoint?.();
      return this.goOn(visit, open);
    }
    visit.group = null;
    visit.cost = this.miss;
    return this.goOn(visit, open);
  }

  private goOn({ cost }: Visit, open: Visit[]): boolean | null {
    this.cur += cost;
    this.advance();
    return this.cur < this.bound ? this.begin(open) : false;
  }

  /** @llvm AMDGPUIGroupLP.cpp PipelineSolver::populateReadyList */
  private estimates(pipe: SchedGroup[], node: SUnitId, ids: readonly number[]): { id: number; estimate: number }[] {
    const order = this.bottomUp ? ids.slice().reverse() : ids;
    if (!this.options.costHeuristic) return order.map((id) => ({ id, estimate: -1 }));
    const log: Link[] = [];
    return order
      .map((id) => {
        if (this.groupById.get(id)!.isFull) return { id, estimate: this.miss };
        const estimate = this.trial(pipe, node, id, log);
        this.undo(log);
        return { id, estimate };
      })
      .sort((a, b) => a.estimate - b.estimate);
  }

  // -- result -----------------------------------------------------------------------------------------------------------

  /** @llvm AMDGPUIGroupLP.cpp PipelineSolver::makePipeline */
  private linkBest(): void {
    const { run } = this;
    for (const pipe of this.best) {
      for (const members of pipe) {
        const barrier = members.find((m) => run.isGroupBarrier(m));
        if (barrier === undefined) continue;
        for (const m of members) if (m !== barrier) run.tryEdge(m, barrier);
      }
    }
    for (const pipe of this.best) {
      const groups = this.bottomUp ? pipe.slice().reverse() : pipe;
      for (let i = 0; i < groups.length; i++) {
        for (let j = i + 1; j < groups.length; j++) {
          const from = groups[i].filter((a) => !run.isGroupBarrier(a));
          for (const b of groups[j]) run.graph.addArtificialPreds(b, from, this.reach);
        }
      }
    }
  }
}

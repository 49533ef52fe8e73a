/** What rematerialization could do to a function as it stands; made once per function and kept with it. */
import { DominatorTree } from '../../../analysis/dominators.js';
import { LoopInfo } from '../../../analysis/loops.js';
import type { PressureSummary } from '../../../analysis/summary.js';
import { OpFlag, OperandKind } from '../../../model/machineFunction.js';
import type { CancellationToken } from '../../../util/cancellation.js';
import { RematCandidates, type RematCandidate, type UseGroup } from './candidates.js';
import type { RematEffect } from './effect.js';
import { Hoisting, type Hoist } from './hoist.js';
import { RematPressureModel } from './pressureModel.js';
import { reachOccupancy, type ReachResult, type SearchOption } from './search.js';

/** One register and where it is to be computed again. */
export interface RematChoice {
  readonly candidate: RematCandidate;
  /** some or all of the candidate's groups, in text order */
  readonly groups: readonly UseGroup[];
}

/** Copies that are as bad as one in a loop. */
const DEPTH_COST = 100;

export class RematAnalysis {
  readonly candidates: RematCandidates;
  readonly loops: LoopInfo;
  private readonly dom: DominatorTree;
  private hoistingCache: Hoisting | null = null;
  private modelCache: RematPressureModel | null = null;
  private optionsCache: readonly SearchOption[] | null = null;
  private readonly effects = new Map<RematCandidate, RematEffect>();
  private readonly reached = new Map<number, ReachResult>();

  /** O(operands); borrows the function and its intervals. */
  constructor(private readonly summary: PressureSummary) {
    const { fn, lis } = summary;
    this.candidates = new RematCandidates(fn, lis);
    this.dom = new DominatorTree(fn.blocks);
    this.loops = new LoopInfo(fn.blocks, this.dom);
  }

  /** Made when first asked for. */
  get model(): RematPressureModel {
    return (this.modelCache ??= new RematPressureModel(this.summary, this.candidates));
  }

  /** Effect of a candidate computed again at all of its places. */
  effectOf(candidate: RematCandidate): RematEffect {
    let effect = this.effects.get(candidate);
    if (!effect) {
      effect = this.model.evaluate([this.model.deltaOf(candidate)]);
      this.effects.set(candidate, effect);
    }
    return effect;
  }

  effectOfAll(choices: readonly RematChoice[]): RematEffect {
    return this.model.evaluate(choices.map((c) => this.model.deltaOf(c.candidate, c.groups)));
  }

  /** How a definition can go back to where rematerialization may have taken it from; null when it cannot. */
  hoistOf(vreg: number): Hoist | null {
    const { fn, lis } = this.summary;
    this.hoistingCache ??= new Hoisting(fn, lis, this.dom, this.loops, this.candidates);
    return this.hoistingCache.of(vreg);
  }

  /** Loops around the copies less those around the definition, at the worst place. */
  depthChange({ def, groups }: RematCandidate): number {
    const depth = this.loops.depthOf(this.summary.fn.instrBlock[def]);
    return Math.max(...groups.map((g) => this.loops.depthOf(g.block))) - depth;
  }

  /** The smallest set of candidates that brings at least `occupancy`. A search that was cancelled is not kept. */
  reach(occupancy: number, token: CancellationToken): ReachResult {
    let result = this.reached.get(occupancy);
    if (!result) {
      result = reachOccupancy(this.model, this.summary.limits, occupancy, this.options, token);
      if (!token.isCancelled()) this.reached.set(occupancy, result);
    }
    return result;
  }

  private get options(): readonly SearchOption[] {
    return (this.optionsCache ??= this.candidates.candidates.map((candidate) => ({
      candidate,
      delta: this.model.deltaOf(candidate),
      reads: this.readBy(candidate),
      cost: this.depthChange(candidate) * DEPTH_COST + candidate.groups.length,
    })));
  }

  /** Virtual registers that the definition reads. */
  readBy({ def, vreg }: RematCandidate): Set<number> {
    const { fn } = this.summary;
    const res = new Set<number>();
    for (let o = fn.opBegin[def]; o < fn.opBegin[def + 1]; o++) {
      if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] >= 0) continue;
      if ((fn.opFlags[o] & OpFlag.Def) === 0 && ~fn.opVal[o] !== vreg) res.add(~fn.opVal[o]);
    }
    return res;
  }
}

/** What rematerialization could do to a function as it stands; made once per function and kept with it. */
import { DominatorTree } from '../../../../analysis/dominators.js';
import { LoopInfo } from '../../../../analysis/loops.js';
import type { PressureSummary } from '../../../../analysis/summary.js';
import { OpFlag } from '../../../../model/machineFunction.js';
import type { CancellationToken } from '../../../../util/cancellation.js';
import { RematCandidates, type RematCandidate, type RematChoice, type UseGroup } from './candidates.js';
import type { RematEffect } from './effect.js';
import { Hoisting, type Hoist } from './hoist.js';
import { RematPressureModel } from './pressureModel.js';
import { reachOccupancy, type ReachResult, type SearchOption } from './search.js';
import type { VRegId } from '../../../../model/register.js';

export type { RematChoice } from './candidates.js';

/** Copies of one register that a search may leave out. */
const MAX_ADDING = 3;
/** Copies that are as bad as one in a loop. */
const DEPTH_COST = 100;

export class RematAnalysis {
  readonly candidates: RematCandidates;
  readonly loops: LoopInfo;
  private readonly dom: DominatorTree;
  private hoistingCache: Hoisting | null = null;
  private modelCache: RematPressureModel | null = null;
  private optionsCache: readonly SearchOption[] | null = null;
  private readonly choices = new Map<RematCandidate, RematChoice>();
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

  /**
   * The candidate at the places where it helps: all of them, but for regions through which the register lives anyway for users that
   * need the definition where it is. There may be none.
   */
  choiceOf(candidate: RematCandidate): RematChoice {
    let choice = this.choices.get(candidate);
    if (!choice) {
      const kept = [...candidate.kept];
      let groups = candidate.groups;
      while (kept.length > 0) {
        const needless = groups.filter((g) => this.model.isDominated(candidate, g, kept));
        if (needless.length === 0) break;
        kept.push(...needless);
        groups = groups.filter((g) => !needless.includes(g));
      }
      choice = { candidate, groups };
      this.choices.set(candidate, choice);
    }
    return choice;
  }

  /** Effect of a candidate computed again at the places where that helps. */
  effectOf(candidate: RematCandidate): RematEffect {
    let effect = this.effects.get(candidate);
    if (!effect) {
      effect = this.effectOfAll([this.choiceOf(candidate)]);
      this.effects.set(candidate, effect);
    }
    return effect;
  }

  effectOfAll(choices: readonly RematChoice[]): RematEffect {
    return this.model.evaluate(choices.map((c) => this.model.deltaOf(c.candidate, c.groups)));
  }

  /** How a definition can go back to where rematerialization may have taken it from; null when it cannot. */
  hoistOf(vreg: VRegId): Hoist | null {
    const { fn, lis } = this.summary;
    this.hoistingCache ??= new Hoisting(fn, lis, this.dom, this.loops, this.candidates);
    return this.hoistingCache.of(vreg);
  }

  /** Loops around the copies less those around the definition, at the worst place. */
  depthChange({ candidate, groups }: RematChoice): number {
    const depth = this.loops.depthOf(this.summary.fn.instrBlock[candidate.def]);
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
    return (this.optionsCache ??= this.candidates.candidates.flatMap((candidate) => {
      const reads = this.readBy(candidate);
      return this.variantsOf(candidate).map((choice, k) => ({
        choice,
        isFirst: k === 0,
        delta: this.model.deltaOf(candidate, choice.groups),
        reads,
        cost: this.depthChange(choice) * DEPTH_COST + choice.groups.length,
      }));
    }));
  }

  /** The usual choice of places first, then without some of those copies that also add to the pressure. */
  private variantsOf(candidate: RematCandidate): RematChoice[] {
    const usual = this.choiceOf(candidate);
    if (usual.groups.length === 0) return [];
    const kept = [...candidate.kept, ...candidate.groups.filter((g) => !usual.groups.includes(g))];
    const adding = usual.groups.filter((g) => this.model.adds(candidate, g, kept)).slice(0, MAX_ADDING);
    const variants: RematChoice[] = [usual];
    for (let mask = 1; mask < 1 << adding.length; mask++) {
      const without = (g: UseGroup): boolean => ((mask >> adding.indexOf(g)) & 1) === 0 || !adding.includes(g);
      const groups = usual.groups.filter(without);
      if (groups.length > 0) variants.push({ candidate, groups });
    }
    return variants;
  }

  /** Virtual registers that the definition reads. */
  readBy({ def }: RematCandidate): Set<number> {
    const { fn } = this.summary;
    const res = new Set<number>();
    for (let o = fn.firstReg(def); o >= 0; o = fn.nextReg(def, o)) {
      if (fn.opVal[o] < 0 && (fn.opFlags[o] & OpFlag.Def) === 0) res.add(~fn.opVal[o]);
    }
    return res;
  }
}

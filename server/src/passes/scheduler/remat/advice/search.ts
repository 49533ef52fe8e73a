/**
 * The smallest set of rematerializations that brings a function to an occupancy.
 *
 * Whatever set does it has to free a register at the place where the pressure is greatest, so the search branches over the
 * candidates that do so there and goes on with the next such place: iterative deepening, at first with one register, then with two.
 * It is bounded; within its bounds the answer is the smallest set, or that there is none.
 */
import { numVGPRs, type Pressure } from '../../../../analysis/gcnPressure.js';
import { reportOccupancy } from '../../../../analysis/summary.js';
import type { FunctionLimits } from '../../../../analysis/functionLimits.js';
import { RegKind } from '../../../../target/api.js';
import type { CancellationToken } from '../../../../util/cancellation.js';
import type { RematChoice } from './candidates.js';
import type { PlacedPressure, RematDelta, RematPressureModel } from './pressureModel.js';
import type { Place } from '../../../../model/machineFunction.js';

/** Places and options that may be looked at altogether, so that a light bulb stays below a tenth of a second. */
const WORK_LIMIT = 4_000_000;
/** Larger sets are found by the greedy search only. */
const MAX_DEPTH = 24;

export type ReachResult =
  | {
      readonly kind: 'found';
      readonly choices: readonly RematChoice[];
      /** no smaller set does it */
      readonly isSmallest: boolean;
    }
  /** proved: with all candidates together the pressure at `place` (a slot index divided by 16) is still too high */
  | { readonly kind: 'impossible'; readonly place: Place; readonly registerKind: RegKind }
  /** every set was tried */
  | { readonly kind: 'none' }
  /** no set was found within the bounds */
  | { readonly kind: 'gave up' };

export interface SearchOption {
  readonly choice: RematChoice;
  /** the one of its register that frees most; the others leave copies out that add to the pressure as well */
  readonly isFirst: boolean;
  readonly delta: RematDelta;
  /** registers that the definition reads */
  readonly reads: ReadonlySet<number>;
  /** of the copies, by number and loops; smaller is better among options that free as much */
  readonly cost: number;
}

/** `options` in order of preference among equals. */
export function reachOccupancy(
  model: RematPressureModel,
  limits: FunctionLimits,
  target: number,
  options: readonly SearchOption[],
  token: CancellationToken,
): ReachResult {
  return new Search(model, limits, target, options, token).run();
}

class Search {
  private work = 0;
  private readonly banned: Uint8Array;
  private readonly chosen: number[] = [];
  private readonly state: ReturnType<RematPressureModel['startSearch']>;

  constructor(
    model: RematPressureModel,
    private readonly limits: FunctionLimits,
    private readonly target: number,
    private readonly options: readonly SearchOption[],
    private readonly token: CancellationToken,
  ) {
    this.banned = new Uint8Array(options.length);
    this.state = model.startSearch(options.map((o) => o.delta));
  }

  run(): ReachResult {
    const { state } = this;
    const best = state.lowestWith(this.options.flatMap((o, k) => (o.isFirst ? [k] : [])));
    if (this.occupancyOf(best.max) < this.target) {
      const kinds = this.limitingKinds(best.max);
      const registerKind = kinds.find((k) => best.place[k] >= 0) ?? RegKind.VGPR;
      return { kind: 'impossible', place: best.place[registerKind], registerKind };
    }
    const greedy = this.greedy();
    const bound = Math.min(MAX_DEPTH, greedy === null ? this.options.length : greedy.length - 1);
    for (let depth = 1; depth <= bound; depth++) {
      this.banned.fill(0);
      const found = this.deepen(depth);
      if (found === 'found') {
        return { kind: 'found', choices: this.chosen.map((k) => this.options[k].choice), isSmallest: true };
      }
      if (found === 'gave up') {
        if (greedy === null) return { kind: 'gave up' };
        return { kind: 'found', choices: greedy.map((k) => this.options[k].choice), isSmallest: false };
      }
    }
    if (greedy !== null) {
      const isSmallest = greedy.length - 1 <= bound;
      return { kind: 'found', choices: greedy.map((k) => this.options[k].choice), isSmallest };
    }
    return { kind: this.options.length <= MAX_DEPTH ? 'none' : 'gave up' };
  }

  private occupancyOf(max: Pressure): number {
    return reportOccupancy(max, this.limits).occupancy;
  }

  /** Kinds of registers of which one has to go for the target. */
  private limitingKinds(max: Pressure): RegKind[] {
    const { limits } = this;
    const st = limits.subtarget;
    if (st.occupancyWithNumSGPRs(max[RegKind.SGPR]) < this.target) return [RegKind.SGPR];
    const arch = max[RegKind.VGPR] + max[RegKind.AVGPR];
    const isUnified = st.hasGFX90AInsts;
    if (isUnified && max[RegKind.AGPR] > 0) return [RegKind.VGPR, RegKind.AVGPR, RegKind.AGPR];
    return isUnified || numVGPRs(max, false) === arch ? [RegKind.VGPR, RegKind.AVGPR] : [RegKind.AGPR];
  }

  /** Options that free a register where the pressure is greatest, most registers first. */
  private useful(now: PlacedPressure): number[] {
    const result = new Set<number>();
    for (const kind of this.limitingKinds(now.max)) {
      if (now.max[kind] === 0) continue;
      for (let k = 0; k < this.options.length; k++)
        if (this.banned[k] === 0 && this.isAllowed(k) && this.state.frees(k, kind, now) > 0) result.add(k);
    }
    const { options } = this;
    const width = (k: number): number => options[k].delta.registers;
    return [...result].sort((a, b) => width(b) - width(a) || options[a].cost - options[b].cost || a - b);
  }

  /** No choice of its register is taken yet, and it neither reads a chosen register nor is read by the definition of one. */
  private isAllowed(k: number): boolean {
    const own = this.options[k];
    return this.chosen.every((c) => {
      const other = this.options[c];
      const [a, b] = [own.choice.candidate.vreg, other.choice.candidate.vreg];
      return a !== b && !own.reads.has(b) && !other.reads.has(a);
    });
  }

  private isOverdrawn(): boolean {
    this.work += this.state.nPlaces + this.options.length;
    return this.work > WORK_LIMIT || this.token.isCancelled();
  }

  private choose(k: number): void {
    this.chosen.push(k);
    this.state.apply(k, 1);
  }

  private undo(): void {
    this.state.apply(this.chosen.pop()!, -1);
  }

  /** Always takes what frees most at the worst place; null when that ends nowhere. Leaves the state as it was. */
  private greedy(): number[] | null {
    let res: number[] | null = null;
    this.banned.fill(0);
    for (;;) {
      const now = this.state.measure();
      if (this.occupancyOf(now.max) >= this.target) {
        res = [...this.chosen];
        break;
      }
      const [first] = this.useful(now);
      if (first === undefined || this.isOverdrawn()) break;
      this.choose(first);
    }
    while (this.chosen.length > 0) this.undo();
    return res;
  }

  /** Even the widest `left` of them do not bring the worst place below the limit. `useful`: widest first. */
  private isTooFew(useful: readonly number[], max: Pressure, left: number): boolean {
    const [kind, other] = this.limitingKinds(max).filter((k) => max[k] > 0);
    if (kind === undefined || other !== undefined) return false;
    const st = this.limits.subtarget;
    const dyn = this.limits.dynamicVGPRBlockSize;
    const waves = (n: number): number =>
      kind === RegKind.SGPR ? st.occupancyWithNumSGPRs(n) : st.occupancyWithNumVGPRs(n, dyn);
    let excess = 1;
    while (excess < max[kind] && waves(max[kind] - excess) < this.target) excess++;
    for (let k = 0; k < left && k < useful.length; k++) excess -= this.options[useful[k]].delta.registers;
    return excess > 0;
  }

  private deepen(left: number): 'found' | 'not' | 'gave up' {
    const now = this.state.measure();
    if (this.occupancyOf(now.max) >= this.target) return 'found';
    if (left === 0) return 'not';
    if (this.isOverdrawn()) return 'gave up';
    const useful = this.useful(now);
    if (this.isTooFew(useful, now.max, left)) return 'not';
    const tried: number[] = [];
    let res: 'found' | 'not' | 'gave up' = 'not';
    for (const k of useful) {
      this.choose(k);
      res = this.deepen(left - 1);
      if (res === 'found') return res;
      this.undo();
      if (res === 'gave up') break;
      // sets with this one are done
      this.banned[k] = 1;
      tried.push(k);
    }
    for (const k of tried) this.banned[k] = 0;
    return res;
  }
}

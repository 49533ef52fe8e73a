/**
 * What each virtual register of a function is to the lanes of a wave, at its definition and at each use, with the chain of reasons back to the
 * source: LLVM's uniformity (uniformity.ts), and which scalar registers are lane masks (laneMasks.ts). docs/llvm/uniformity.md, section 4, says what holds for
 * registers that several instructions write.
 */
import type { BlockId, InstrId, MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, type VRegId } from '../../model/register.js';
import { readsReg, SourceKind, ValueBank } from './instructionUniformity.js';
import { findLaneMasks } from './laneMasks.js';
import { CauseKind, computeUniformity, type Uniformity } from './uniformity.js';

export const enum LaneValue {
  /** no definition, or several that say nothing of each other: the function is not in SSA form */
  Unknown = 0,
  /** the same in all lanes */
  Uniform,
  Divergent,
  /** a scalar with a bit for each lane */
  LaneMask,
  /** of a use: uniform inside the cycle that defines it, divergent here because lanes left that cycle at different times */
  Temporal,
}

/** A step of a chain of reasons: why a register, or the branch of a block, is divergent. */
export interface ReasonStep {
  readonly kind: CauseKind;
  /** register that this step explains; -1 if it explains the branch of `block` */
  readonly vreg: VRegId;
  readonly block: BlockId;
  /** instruction that makes the register divergent, or that branches */
  readonly instr: InstrId;
  /** Operand, Temporal: register that it reads; Join: block of the branch; AssumedCycle, ExitPhi: the cycle; else -1 */
  readonly data: number;
  /** the cycle of Temporal, AssumedCycle and ExitPhi, else -1 */
  readonly cycle: number;
}

export class LaneValues {
  readonly uniformity: Uniformity;
  private readonly isMask: Uint8Array;

  /** O(size of the function), see Uniformity. `before`: of a version in which only places in the text differ; O(1) */
  constructor(
    readonly fn: MachineFunction,
    before: LaneValues | null = null,
  ) {
    this.uniformity = before?.uniformity ?? computeUniformity(fn);
    this.isMask = before?.isMask ?? findLaneMasks(this.uniformity);
  }

  /** At the definition of a virtual register. */
  atDef(v: VRegId): LaneValue {
    const { uniformity } = this;
    if (this.isMask[v] === 1) return LaneValue.LaneMask;
    if (uniformity.isDivergent[v] === 1) return LaneValue.Divergent;
    if (uniformity.judge.bankOf(~v) === ValueBank.Scalar) return LaneValue.Uniform;
    return uniformity.numDefs(v) === 1 ? LaneValue.Uniform : LaneValue.Unknown;
  }

  /** Where an instruction of block `b` reads the register. */
  atUse(v: VRegId, b: BlockId): LaneValue {
    const value = this.atDef(v);
    return value === LaneValue.Uniform && this.temporalCycle(v, b) >= 0 ? LaneValue.Temporal : value;
  }

  /** The cycle that makes a use in block `b` of a uniform register divergent, -1 if none does. */
  temporalCycle(v: VRegId, b: BlockId): number {
    const { uniformity } = this;
    const def = uniformity.uniqueDef(v);
    return def < 0 || uniformity.isDivergent[v] === 1 ? -1 : uniformity.temporalCycle(def, b);
  }

  /** Uses that are divergent though the register is uniform: [register, instruction] pairs. O(users of what cycles with divergent exits define) */
  temporalUses(): (readonly [number, InstrId])[] {
    const { uniformity, fn } = this;
    if (uniformity.divergentExitCycles.length === 0) return [];
    const found: (readonly [number, InstrId])[] = [];
    for (let v = 0; v < fn.vregs.n; v++) {
      const def = uniformity.uniqueDef(v);
      if (def < 0 || uniformity.cycles.cycleOf[fn.instrBlock[def]] < 0) continue;
      for (const user of uniformity.usersOf(v))
        if (this.atUse(v, fn.instrBlock[user]) === LaneValue.Temporal) found.push([v, user]);
    }
    return found;
  }

  /** Why a register is divergent, from it back to the source; empty if it is not. At most `limit` steps. */
  whyDivergent(v: VRegId, limit: number): ReasonStep[] {
    return this.uniformity.isDivergent[v] === 1 ? this.chain(v, -1, limit) : [];
  }

  /** Why the branch at the end of a block is divergent; empty if it is not. */
  whyDivergentBranch(b: BlockId, limit: number): ReasonStep[] {
    return this.uniformity.hasDivergentTerminator[b] === 1 ? this.chain(-1, b, limit) : [];
  }

  /**
   * The shortest way back to a source. To LLVM everything that reads a vector register is a source; here such an instruction is one only if nothing
   * that it reads is divergent, and otherwise a step on the way.
   */
  private chain(vreg: VRegId, block: BlockId, limit: number): ReasonStep[] {
    const steps: ReasonStep[] = [this.step(vreg, block)];
    /** step from which each step was reached */
    const from = [-1];
    const seen = new Set<number>([vreg >= 0 ? ~vreg : block]);
    let last = 0;
    for (let k = 0; k < steps.length; k++) {
      const next = this.next(steps[k]);
      last = k;
      if (next.length === 0) break;
      for (const node of next) {
        if (seen.has(node)) continue;
        seen.add(node);
        steps.push(node < 0 ? this.step(~node, -1) : this.step(-1, node));
        from.push(k);
      }
    }
    const chain: ReasonStep[] = [];
    for (let k = last; k >= 0; k = from[k]) chain.push(steps[k]);
    return chain.reverse().slice(0, limit);
  }

  private step(vreg: VRegId, block: BlockId): ReasonStep {
    const u = this.uniformity;
    const kind: CauseKind = vreg >= 0 ? u.cause[vreg] : u.branchCause[block];
    const data = vreg >= 0 ? u.causeData[vreg] : u.branchCauseData[block];
    const instr = vreg >= 0 ? u.causeInstr[vreg] : u.branchCauseInstr[block];
    let cycle = -1;
    if (kind === CauseKind.AssumedCycle || kind === CauseKind.ExitPhi) cycle = data;
    else if (kind === CauseKind.Temporal) cycle = u.temporalCycle(u.lastDefOf(data), this.fn.instrBlock[instr]);
    return { kind, vreg, block, instr, data, cycle };
  }

  /** What a step goes back to: registers as `~index`, blocks of branches as they are; nothing after a source. */
  private next({ kind, instr, data, cycle }: ReasonStep): number[] {
    const u = this.uniformity;
    switch (kind) {
      case CauseKind.Source:
        return this.divergentOperands(instr);
      case CauseKind.Operand:
        return [~data];
      case CauseKind.Join:
        return [data];
      case CauseKind.AssumedCycle:
        return [u.assumedBranch[cycle]];
      case CauseKind.ExitPhi:
      case CauseKind.Temporal:
        return cycle < 0 ? [] : [u.exitBranch[cycle]];
      default:
        return [];
    }
  }

  /** Divergent registers read by an instruction that is a source because it reads vector registers. */
  private divergentOperands(i: InstrId): number[] {
    const { fn, uniformity } = this;
    if (uniformity.judge.sourceOf(i)?.kind !== SourceKind.VectorOperand) return [];
    const found: number[] = [];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (!isVirtualReg(reg) || !readsReg(fn, o)) continue;
      if (uniformity.isDivergent[~reg] === 1) found.push(reg);
    }
    return found;
  }
}

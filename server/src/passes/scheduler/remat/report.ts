/**
 * What a rematerialization stage did and why, as plain data that survives JSON: the same shape for all models. Collected only when
 * asked for (rematRecorder.ts); reportText.ts prints it.
 *
 * Instructions are InstrIds of the scheduled function: those of the original function keep their ids there, copies have higher ones.
 * Regions are numbered as in ScheduleTrace. Pressures are counts of 32-bit registers. Candidates are named by their place in
 * `candidates`.
 */
import type { SchedulerModel } from '../schedulerModel.js';
import type { PressureTrace } from '../trace/pressureTrace.js';
import type { VRegId } from '../../../model/register.js';
import type { BlockId, InstrId } from '../../../model/machineFunction.js';

export interface RematReport {
  readonly model: SchedulerModel;
  readonly objective: RematObjective;
  /** the stage's minimum occupancy of the function, in waves per EU, before the stage and after it */
  readonly occupancyBefore: number;
  readonly occupancyAfter: number;
  /** most waves per EU that the function may have */
  readonly maxWaves: number;
  /** what a region may use to meet the target; the same for all regions */
  readonly budget: RematBudget;
  /** all regions of the function, by number */
  readonly regions: readonly RematRegion[];
  /** definitions that could be rematerialized, in the order in which the stage met them */
  readonly candidates: readonly RematCandidate[];
  /** definitions of registers that live into other regions and cannot be rematerialized, with the reason */
  readonly rejected: readonly RematRejected[];
  /** what the stage thought of the candidates, in its order; one round for a model that does not score */
  readonly rounds: readonly RematRound[];
  /** what was rematerialized, in order; also when it was rolled back later */
  readonly chosen: readonly RematChoice[];
  /** least occupancy of the regions after rematerialization and before they are scheduled again; null if nothing was chosen */
  readonly achievedOccupancy: number | null;
  readonly result: RematResult;
}

/** `occupancy` = waves per EU to reach; null: the function is at its most, or spills, so the objective is fewer spills. */
export type RematObjective =
  { readonly kind: 'occupancy'; readonly occupancy: number } | { readonly kind: 'spilling'; readonly occupancy: null };

export interface RematBudget {
  readonly sgpr: number;
  /** VGPRs, and AGPRs likewise */
  readonly vgpr: number;
  /** VGPRs and AGPRs together; null without a unified register file */
  readonly unified: number | null;
}

export type RematResult =
  /** every region meets the target: nothing to do */
  | 'targets already met'
  /** no candidate helps a region that misses the target */
  | 'no useful candidate'
  /** all useful candidates together do not reach the target occupancy, so that none was touched */
  | 'target out of reach'
  | 'kept'
  /** kept, but the new orders of the regions were not, as with them the target was missed */
  | 'kept, orders reverted'
  /** the target was missed: every instruction is where it was */
  | 'rolled back';

/** Registers above the budget; 0 = none. */
export interface RematExcess {
  readonly sgpr: number;
  readonly vgpr: number;
  readonly agpr: number;
  /** above the budget of a unified file */
  readonly unified: number;
}

export interface RematRegion {
  readonly region: number;
  readonly block: BlockId;
  /** first and last instruction before the stage, debug instructions not counted */
  readonly first: number;
  readonly last: number;
  /** boundary instruction that ends it; -1 = end of the block */
  readonly boundary: number;
  /** block frequency relative to the entry's; null if the model does not ask for it */
  readonly frequency: number | null;
  /** it missed the target when the stage began */
  readonly isTarget: boolean;
  readonly before: PressureTrace;
  readonly occupancyBefore: number;
  readonly excessBefore: RematExcess;
  /** after rematerialization, recomputed, before the regions are scheduled again; null if nothing was rematerialized */
  readonly rematerialized: PressureTrace | null;
  /** when the stage is done, a rollback included */
  readonly after: PressureTrace;
  readonly occupancyAfter: number;
  readonly excessAfter: RematExcess;
}

export interface RematUse {
  readonly instr: InstrId;
  /** -1: a terminator that no region holds */
  readonly region: number;
}

export interface RematCandidate {
  readonly def: number;
  readonly defRegion: number;
  /** virtual register, by index and as MIR spells it (`%12`) */
  readonly vreg: VRegId;
  readonly name: string;
  readonly bank: RematBank;
  /** 32-bit registers that it occupies */
  readonly registers: number;
  /** users outside the region of the definition */
  readonly uses: readonly RematUse[];
  /** regions at whose begin or end it lives */
  readonly live: readonly number[];
  /** those of them that it only passes: live at both ends and not used inside */
  readonly liveThrough: readonly number[];
}

export type RematBank = 'SGPR' | 'VGPR' | 'AGPR';

export interface RematRejected {
  readonly def: number;
  readonly defRegion: number;
  readonly vreg: VRegId;
  readonly name: string;
  readonly why: RematRejection;
  /** the register that the reason is about: the operand that is not available, or is itself a candidate; -1 = none */
  readonly operand: number;
  readonly operandName: string;
  readonly uses: readonly RematUse[];
}

export type RematRejection =
  /** the opcode, or a memory operand of a load, does not allow it */
  | 'not rematerializable'
  | 'implicit definition'
  | 'extra implicit operands'
  | 'may raise FP exceptions'
  | 'reads a physical register'
  | 'several definitions'
  | 'several users'
  | 'user outside of all regions'
  | 'used where it is defined'
  | 'user is rematerialized itself'
  | 'operand is rematerialized itself'
  | 'operand not available at the use'
  /** it, or a user of a vector register in another block, is convergent: lanes that are off there would be seen */
  | 'convergent in another block';

/** After twenty rounds only candidates that were chosen, or whose gain is gone, are listed. */
export interface RematRound {
  readonly verdicts: readonly RematVerdict[];
  /** regions that the estimate took for done and that are not, after their pressure was recomputed */
  readonly reopened: readonly number[];
  /** regions that still miss the target at the end of the round */
  readonly open: readonly number[];
}

export interface RematVerdict {
  readonly candidate: number;
  /** null for a model that does not score */
  readonly score: RematScore | null;
  readonly verdict: RematDecision;
}

export type RematDecision =
  | 'chosen'
  /** no open target region would gain */
  | 'no gain'
  /** an earlier choice took its gain away: to be scored anew in the next round */
  | 'gain is gone'
  /** the targets were met without it, as far as the estimate goes */
  | 'not needed'
  /** after a candidate whose gain is gone: to be scored anew in the next round */
  | 'next round';

/** Larger is better; the first member that differs decides, then the order of the candidates. */
export interface RematScore {
  /** highest frequency of a target region that gains, relative to the entry's, halved where the gain is not certain; 0 = not counted */
  readonly maxFreq: number;
  /** frequency of the definition minus that of the use, likewise: above 0 it runs more rarely than before */
  readonly freqDiff: number;
  /** registers by which target regions gain, those that it only passes counted twice; 0 = no gain */
  readonly regionImpact: number;
}

export interface RematChoice {
  readonly candidate: number;
  readonly copies: readonly RematCopy[];
}

export interface RematCopy {
  /** the copy of the definition */
  readonly clone: number;
  /** the user before which it stands */
  readonly use: number;
  /** region of the user; -1 = none */
  readonly region: number;
  /** register that the copy defines: the same one, or a new one, by the model */
  readonly vreg: VRegId;
  readonly name: string;
}

/** What splitting and spilling know of the run that asks for them. */
import type { InstrId } from '../../model/machineFunction.js';
import type { PhysReg } from '../../target/api.js';
import type { VRegEvents } from './liveRangeEdit.js';
import type { LiveRegMatrix } from './matrix.js';
import type { SpillWeights } from './spillWeights.js';
import type { AllocState } from './state.js';

/** How far the allocator is with a register. */
export const enum Stage {
  New,
  Assign,
  Split,
  Split2,
  Spill,
  Done,
}

/** Candidates of a register: its hints, then the order of its class. */
export interface Candidates {
  readonly list: readonly PhysReg[];
  /** so many of them are hints */
  readonly nHints: number;
}

/** What the spiller asks for. */
export interface SpillingRun extends VRegEvents {
  readonly state: AllocState;
  readonly weights: SpillWeights;
  /** definitions that nobody reads but that others may be made from: they go at the end of the run */
  readonly deadRemats: Set<InstrId>;
}

export interface Allocator extends SpillingRun {
  readonly matrix: LiveRegMatrix;
  /** by register */
  readonly stage: Stage[];
  /** what taking the first callee-saved register of a kind costs, as a frequency */
  readonly csrCost: bigint;
  stageOf(v: number): Stage;
  isUnusedCalleeSaved(reg: PhysReg): boolean;
  /** frequency of the copies that would vanish with a hint */
  brokenHintCost(v: number, hint: PhysReg): bigint;
}

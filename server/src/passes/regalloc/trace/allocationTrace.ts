/**
 * What was decided while registers were allocated, and what became of each register of the source: plain data.
 *
 * Instructions are numbers of the source (`InstrId`); what the allocator inserts is named by the neighbours that it stands between. Registers are
 * indexes of virtual registers; those at or above the source's number are parts that the allocator made, or lanes that it spills SGPRs to.
 */
import type { BlockId, InstrId } from '../../../model/machineFunction.js';
import type { PhysReg } from '../../../target/api.js';
import type { RunFilter } from '../runFilter.js';
import type { SplitKind } from '../watch.js';

/** From one instruction to another, both included, in layout order. */
export interface LifeSpan {
  readonly from: InstrId;
  readonly to: InstrId;
}

/** Where a register of the source is for a part of its life. */
export interface LifePart {
  /** of the source; -1 for lanes of SGPRs, which it does not have */
  readonly vreg: number;
  /** the register itself or what was split off it; -1 in a stack slot */
  readonly part: number;
  /** 0 in a stack slot */
  readonly reg: PhysReg;
  /** -1 in a register */
  readonly slot: number;
  readonly run: RunFilter;
  /** in layout order; empty where it lives between inserted instructions alone */
  readonly spans: readonly LifeSpan[];
}

export type InsertedKind = 'save' | 'reload' | 'copy' | 'rematerialized';

/** An instruction that the allocator made. */
export interface InsertedInstr {
  readonly instr: InstrId;
  readonly kind: InsertedKind;
  readonly run: RunFilter;
  /** whose value it moves, -1 = of no register of the source */
  readonly vreg: number;
  readonly block: BlockId;
  /** neighbours of the source in the block, -1 = none */
  readonly after: InstrId;
  readonly before: InstrId;
}

/** LLVM's names of the stages that a register goes through. */
export const STAGE_NAMES = ['new', 'assign', 'split', 'split2', 'spill', 'done'] as const;
export type StageName = (typeof STAGE_NAMES)[number];

export type Verdict = 'free' | 'taken' | 'fixed' | 'call';

/** A register that was looked at, in order; the first one that is free ends the list. */
export interface CandidateTrace {
  readonly reg: PhysReg;
  readonly isHint: boolean;
  /** `taken`: virtual registers live there; `fixed`: the code names it; `call`: a call overwrites it */
  readonly verdict: Verdict;
  /** who has it */
  readonly owners: readonly number[];
}

export type StepTrace =
  | {
      readonly kind: 'evict';
      readonly reg: PhysReg;
      readonly isHint: boolean;
      readonly victims: readonly { readonly vreg: number; readonly weight: number | null }[];
    }
  | { readonly kind: 'recolor'; readonly vreg: number; readonly reg: PhysReg; readonly owners: readonly number[] }
  | {
      readonly kind: 'split';
      readonly how: SplitKind;
      /** 0 = around no register in particular */
      readonly reg: PhysReg;
      /** of the copies, in runs of the function; null = not computed */
      readonly cost: number | null;
    }
  | { readonly kind: 'spill'; readonly slot: number; readonly together: readonly number[] }
  | { readonly kind: 'rematerialize'; readonly def: InstrId; readonly use: InstrId; readonly made: number };

/** A register that was taken from the queue, and what became of it. */
export interface PickTrace {
  readonly vreg: number;
  readonly stage: StageName;
  readonly regClass: string;
  /** of a spill; null = it must not be spilled */
  readonly weight: number | null;
  /** the first of them; `nTried` have been looked at */
  readonly candidates: readonly CandidateTrace[];
  readonly nTried: number;
  readonly steps: readonly StepTrace[];
  readonly outcome: 'assigned' | 'put off' | 'split' | 'spilled' | 'failed' | 'gone';
  /** 0 = none */
  readonly reg: PhysReg;
  /** what went into the queue for its sake */
  readonly made: readonly number[];
}

export interface RunTrace {
  readonly run: RunFilter;
  /** what using the first callee-saved register costs, in runs of the function */
  readonly csrCost: number;
  readonly picks: readonly PickTrace[];
  /** broken hints that were mended in the end */
  readonly moves: readonly { readonly vreg: number; readonly from: PhysReg; readonly to: PhysReg }[];
  /** by part: the register that it was split from */
  readonly parents: ReadonlyMap<number, number>;
}

/** What `amdgpu-mir explain --format=json` says of a function: shapes that docs/schema publishes. */
import type { AllocatedUse } from '../analysis/allocatedUse.js';
import type { CostNumbers } from '../features/allocation/compareCosts.js';
import type { CandidateTrace, InsertedKind, PickTrace } from '../passes/regalloc/trace/allocationTrace.js';
import type { AllocationCounts } from '../passes/regalloc/trace/collector.js';
import type { RunFilter } from '../passes/regalloc/runFilter.js';
import type { SplitKind } from '../passes/regalloc/watch.js';
import type { ScheduleTrace } from '../passes/scheduler/trace/scheduleTrace.js';
import type { Stage } from '../program/stageNames.js';

interface OfProcessor {
  readonly cpu: string;
  readonly wavefrontSize: number;
}

/** The scheduler's decisions; instructions by number. */
export interface ExplainedSchedule extends ScheduleTrace, OfProcessor {
  /** the instructions that are named, ascending; those that the scheduler made have no line */
  readonly instrs: readonly { readonly instr: number; readonly line: number; readonly text: string }[];
}

/** With `--costs`: the registers used under other costs. */
export interface ExplainedCosts extends OfProcessor {
  readonly function: string;
  readonly costs: readonly (ErrorsOfCosts | (ErrorsOfCosts & CostNumbers))[];
}

interface ErrorsOfCosts {
  /** the table, or the list as it was given */
  readonly costs: string;
  readonly errors: readonly string[];
}

/** With `--allocation`: the allocator's decisions; registers by name, instructions by line. */
export interface ExplainedAllocation extends OfProcessor {
  readonly function: string;
  /** `by`: what says so; null: it is a guess */
  readonly stage: { readonly name: Stage; readonly by: string };
  readonly errors: readonly string[];
  readonly use: Omit<AllocatedUse, 'savedVGPRs' | 'savedSGPRs'> & {
    readonly savedVGPRs: readonly (string | null)[];
    readonly savedSGPRs: readonly (string | null)[];
  };
  readonly counts: AllocationCounts;
  readonly parts: readonly {
    readonly register: string;
    /** what was split off it; null in a stack slot */
    readonly part: string | null;
    readonly run: RunFilter;
    readonly physical: string | null;
    readonly slot: number | null;
    /** from and to, both included; null: an inserted instruction, which has no line */
    readonly lines: readonly (readonly (number | null)[])[];
  }[];
  readonly inserted: readonly {
    readonly kind: InsertedKind;
    readonly run: RunFilter;
    readonly register: string | null;
    readonly block: number;
    readonly afterLine: number;
    readonly beforeLine: number;
  }[];
  readonly runs: readonly {
    readonly run: RunFilter;
    /** what using the first callee-saved register costs, in runs of the function */
    readonly csrCost: number;
    readonly picks: readonly ExplainedPick[];
    readonly moves: readonly { readonly register: string; readonly from: string | null; readonly to: string | null }[];
  }[];
}

/** A register that was taken from the queue, and what became of it. */
interface ExplainedPick {
  readonly register: string;
  readonly stage: PickTrace['stage'];
  readonly class: string;
  /** of a spill; null = it must not be spilled */
  readonly weight: number | null;
  readonly outcome: PickTrace['outcome'];
  readonly physical: string | null;
  readonly made: readonly string[];
  readonly tried: number;
  readonly candidates: readonly {
    readonly reg: string | null;
    readonly isHint: boolean;
    readonly verdict: CandidateTrace['verdict'];
    readonly owners: readonly string[];
  }[];
  readonly steps: readonly ExplainedStep[];
}

/** With `--divergence`: which registers and branches differ between lanes; lines of the file. */
export interface ExplainedDivergence extends OfProcessor {
  readonly function: string;
  /** those that are written, in the order of their numbers; with `--register` that one, and why */
  readonly registers: readonly {
    readonly register: string;
    /** of its definition */
    readonly line: number;
    /** null: not known */
    readonly lanes: 'uniform' | 'divergent' | 'lane mask' | null;
    /** from the register back to the source of divergence; null unless it is asked for */
    readonly why: readonly DivergenceStep[] | null;
  }[];
  /** at whose ends lanes part */
  readonly branches: readonly {
    readonly block: number;
    /** of the branch */
    readonly line: number;
    /** from the branch back to the source of divergence */
    readonly why: readonly DivergenceStep[];
    /** where the lanes meet again */
    readonly joins: readonly number[];
  }[];
}

export interface DivergenceStep {
  /** `operand`: it reads a divergent register; `join`: lanes that parted meet at a PHI; `exit-phi`, `temporal`: lanes leave a cycle at different times; `assumed-cycle`: a cycle that is taken to be divergent */
  readonly kind: 'none' | 'source' | 'operand' | 'join' | 'assumed-cycle' | 'exit-phi' | 'temporal';
  /** null: of the branch itself */
  readonly register: string | null;
  readonly line: number;
  readonly text: string;
}

export type ExplainedStep =
  | {
      readonly kind: 'evict';
      readonly reg: string;
      readonly isHint: boolean;
      readonly victims: readonly { readonly register: string; readonly weight: number | null }[];
    }
  | { readonly kind: 'recolor'; readonly register: string; readonly reg: string; readonly owners: readonly string[] }
  | { readonly kind: 'split'; readonly how: SplitKind; readonly reg: string | null; readonly cost: number | null }
  | { readonly kind: 'spill'; readonly slot: number; readonly together: readonly string[] }
  | { readonly kind: 'rematerialize'; readonly defLine: number; readonly useLine: number; readonly made: string };

/** `--pass`: what a pass did to the function. */
export interface ExplainedPass {
  readonly function: string;
  /** `NAME`, or `NAME,1` where it runs several times */
  readonly pass: string;
  /** passes that ran before it */
  readonly after: readonly string[];
  /** what names them; null: the pass ran on the function as it stands */
  readonly by: string | null;
  /** how many instructions */
  readonly inserted: number;
  readonly changed: number;
  readonly erased: number;
  /** those, and others that something is said of */
  readonly instrs: readonly {
    /** null: the file has no line of it */
    readonly line: number | null;
    /** index in the layout */
    readonly block: number;
    readonly change: 'inserted' | 'changed' | 'erased' | 'kept';
    readonly text: string;
    /** null unless it is changed */
    readonly before: string | null;
    readonly reasons: readonly { readonly kind: string; readonly text: readonly string[] }[];
  }[];
}

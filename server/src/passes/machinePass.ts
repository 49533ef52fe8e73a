/**
 * What a pass over machine functions is: its names on llc's command line, what it needs and leaves, and what it does to a function. The pass manager
 * (passManager.ts) does all else.
 */
import type { FunctionState } from './functionState.js';
import type { Analysis, PassContext, Preserved } from './passContext.js';

/** Which of its forms a pass has. */
export interface PassKind {
  /** what stands in `<>` after the name, or what the pipeline of llc gives it; '' = nothing */
  readonly parameters: string;
  /** the new pass manager runs it (-passes) */
  readonly isPipeline: boolean;
}

/** One use of a pass in a run. */
export interface PassUse extends PassKind {
  /** Somebody looks at the function with the live intervals that it leaves: the verifier, or whoever has it printed. */
  readonly isWatched: boolean;
  /** Whether a pass after this one requires or uses it, with none between that ends it. */
  wants(analysis: Analysis<unknown>): boolean;
}

export interface MachinePass {
  /** name for -run-pass */
  readonly name: string;
  /** name in a -passes pipeline, null if LLVM 22 has the pass only in the legacy pass manager */
  readonly pipelineName: string | null;
  /** the class of LLVM's that a pipeline runs (texts of -print-after with -passes); absent without `pipelineName`, and for the verifier, around which nothing is printed */
  readonly className?: string;
  /** what LLVM calls it in texts (Pass::getPassName); '' = nothing; null: it changes nothing, and is not verified */
  readonly title: string | null;
  /** It answers for R600, too; the others are for AMDGCN. */
  readonly isForR600?: true;
  /** A `-passes` pipeline runs it on functions that are `optnone`, too (isRequired in LLVM). */
  readonly isRequired?: true;
  /** Analyses that are there when it runs, and are left to the passes after it. */
  readonly requires: readonly Analysis<unknown>[];
  /** Analyses that it takes where they are there, and which the legacy pass manager keeps for it (addUsedIfAvailable). */
  readonly uses?: readonly Analysis<unknown>[];
  /** what still holds after it */
  readonly preserves: Preserved | ((use: PassKind) => Preserved);
  /** Properties of the function that it sets or takes back (MachineFunctionProperties). */
  readonly properties?: PassProperties;
  /** It is an analysis of the control flow to LLVM, and does not run again while that is preserved. */
  readonly isAnalysis?: true;
  /** Why `-passes` refuses these parameters, in LLVM's words; null = it takes them. Without it, the pass takes none. */
  checkParameters?(parameters: string): string | null;
  /** Called once, before the pass comes to the first function of a run. */
  prepare?(context: PassContext): void;
  /** Computes what it requires, where that can be done before it runs. */
  makeReady?(state: FunctionState): void;
  /** Throws NotModelled and PassError. */
  run(state: FunctionState, use: PassUse): void;
}

export interface PassProperties {
  readonly cleared: readonly ('isSSA' | 'noPhis' | 'noVRegs')[];
  /** The pass of the new pass manager leaves them alone. */
  readonly isOnlyLegacy?: true;
}

/** A pass that cannot run here; `message` is what goes to stderr. */
export class PassError extends Error {}

/** Something in a function that is not modelled: no answer is given for it. */
export class NotModelled extends Error {
  /** name of the pass that met it, '' outside of a run */
  pass = '';
}

/** A pass with its parameters, as part of a run. */
export interface PassCall {
  readonly pass: MachinePass;
  readonly parameters: string;
}

export const preservedBy = ({ preserves }: MachinePass, use: PassKind): Preserved =>
  typeof preserves === 'function' ? preserves(use) : preserves;

/**
 * What a pass over machine functions is: its names on llc's command line, and what it does to a function.
 */
import type { KnownIntervals } from '../analysis/verifier/index.js';
import type { OptionValue } from '../commandLine/optionSpec.js';
import type { IRModule } from '../ir/module.js';
import type { LimitQuery } from '../model/attributeErrors.js';
import type { MachineFunction } from '../model/machineFunction.js';
import type { DebugNames } from '../model/printer/index.js';

export interface PassContext {
  /** options that were given, by name without dashes */
  readonly options: ReadonlyMap<string, OptionValue>;
  /** false when nobody will see the function after the pass (`-o /dev/null`): a pass that only reports may then leave it alone */
  readonly needsResult: boolean;
  /** for printing instructions */
  readonly debugNames: DebugNames;
  /** text of the file */
  readonly source: string;
  /** the embedded module, null without */
  readonly ir: IRModule | null;
  /** lines about attributes that LLVM cannot read, which it repeats whenever it asks for one of these limits */
  readonly onLimits?: (fn: MachineFunction, query: LimitQuery) => void;
  /**
   * With -verify-machineinstrs: what a pass that is several of LLVM's calls after each of these, by its title, with the live intervals that LLVM has
   * then. Throws when the verifier finds fault.
   */
  readonly verifyAfter?: (fn: MachineFunction, known: KnownIntervals | null, title: string) => void;
  stderr(text: string): void;
  /** an error with which llc goes on, and ends with 1, without an output file */
  error(message: string): void;
  /** What -verify-regalloc looks at while registers are allocated; throws where llc ends. `banner`: where in the pass this is. */
  readonly verify?: (fn: MachineFunction, known: KnownIntervals, banner: string) => void;
  /** called now and then by passes that take long */
  readonly checkpoint?: () => void;
}

export interface MachinePass {
  /** name for -run-pass */
  readonly name: string;
  /** name in a -passes pipeline, null if LLVM 22 has the pass only in the legacy pass manager */
  readonly pipelineName: string | null;
  /** what LLVM calls it in texts (Pass::getPassName); '' = nothing; null: it changes nothing, or calls `PassContext.verifyAfter` itself */
  readonly title: string | null;
  /** It answers for R600, too; the others are for AMDGCN. */
  readonly isForR600?: true;
  /** What of it a `-passes` pipeline runs on functions that are `optnone` (isRequired in LLVM); absent: nothing. */
  readonly required?: 'all' | MachinePass;
  /** What becomes of live intervals; without it, those that are there stay as they are. */
  readonly intervals?: 'computes' | 'drops';
  /**
   * The function after the pass; `fn` may be changed or replaced. `hasIntervals`: a pass in front of this one has computed live intervals, which llc does
   * not compute again: kill and dead flags and split registers stay as they are.
   */
  run(fn: MachineFunction, context: PassContext, hasIntervals: boolean): MachineFunction;
}

/** A pass that cannot run here; `message` is what goes to stderr. */
export class PassError extends Error {}

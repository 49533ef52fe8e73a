/** What a pass is told of the run around it, and what it may ask of a function. */
import type { SlotList } from '../analysis/edit/slotList.js';
import type { KnownIntervals } from '../analysis/verifier/index.js';
import type { OptionValue } from '../commandLine/optionSpec.js';
import type { IRModule } from '../ir/module.js';
import type { LimitQuery } from '../model/attributeErrors.js';
import type { FunctionEditor } from '../model/edit/functionEditor.js';
import type { MachineFunction } from '../model/machineFunction.js';
import type { DebugNames } from '../model/printer/index.js';

export interface PassContext {
  /** options that were given, by name without dashes */
  readonly options: ReadonlyMap<string, OptionValue>;
  /** for printing instructions */
  readonly debugNames: DebugNames;
  /** text of the file */
  readonly source: string;
  /** the embedded module, null without */
  readonly ir: IRModule | null;
  /** nobody else reads the module: a pass may change it */
  readonly ownsIR?: true;
  /** lines about attributes that LLVM cannot read, which it repeats whenever it asks for one of these limits */
  readonly onLimits?: (fn: MachineFunction, query: LimitQuery) => void;
  stderr(text: string): void;
  /** an error with which llc goes on, and ends with 1, without an output file */
  error(message: string): void;
  /**
   * The machine verifier, for passes that ask for it; throws where it finds fault. `known`: live intervals that LLVM has then; `banner`: where this is.
   */
  readonly verify?: (fn: MachineFunction, known: KnownIntervals | null, banner: string) => void;
  /** called now and then by passes that take long */
  readonly checkpoint?: () => void;
}

/** A function as an analysis sees it. */
export interface AnalysedFunction {
  readonly context: PassContext;
  /** the function as it is now; lists are written back */
  readonly fn: MachineFunction;
  /** The function to edit. */
  editor(): FunctionEditor;
  /** Computed when it is not known. */
  get<T>(analysis: Analysis<T>): T;
  /** Null where it is not known, or where only what it changed in the function is left of it. */
  known<T>(analysis: Analysis<T>): T | null;
  /** It is known, or a pass before has computed it: what that changes in the function is done. */
  has(analysis: Analysis<unknown>): boolean;
  provide<T>(analysis: Analysis<T>, value: T): void;
}

/**
 * What is computed of a function when a pass first asks for it, and forgotten after a pass that does not preserve it. A pass names those that it requires and
 * preserves.
 */
export class Analysis<T> {
  constructor(
    readonly name: string,
    readonly compute: (state: AnalysedFunction) => T,
    private readonly more: {
      /** writes what the value knows better than the columns of the function into these */
      writeBack?(value: T): void;
      /** Those that are part of the value: without it, only what they changed is left of them. */
      readonly holds?: readonly Analysis<unknown>[];
      /** It depends on the control flow alone: passes that preserve that preserve it. */
      readonly isOfCFG?: true;
      /** It belongs to the function, as LLVM keeps it: no pass ends it. */
      readonly isOfFunction?: true;
    } = {},
  ) {}

  writeBack(value: T): void {
    this.more.writeBack?.(value);
  }

  get holds(): readonly Analysis<unknown>[] {
    return this.more.holds ?? [];
  }

  get isOfFunction(): boolean {
    return this.more.isOfFunction === true;
  }

  /** Whether it still holds after a pass that preserves these. */
  isPreservedBy(preserved: Preserved): boolean {
    if (preserved === 'all' || this.isOfFunction || preserved.includes(this)) return true;
    return this.more.isOfCFG === true && preserved.includes(CFG);
  }
}

/**
 * LiveIntervals, with the slot indexes. Computing them drops kill flags, marks dead definitions and splits registers, once: `has` says that this is done.
 * The intervals themselves are known after passes that keep them up to date.
 */
export const LIVE_INTERVALS = new Analysis<KnownIntervals | null>('live intervals', () => null);

/** SlotIndexes without live intervals, for a pass that requires them alone. */
export const SLOT_INDEXES = new Analysis<SlotList | null>('slot indexes', () => null);

/** LLVM's alias analysis of IR: there once a pass has required it. A name, without a value. */
export const ALIAS_ANALYSIS = new Analysis<null>('alias analysis', () => null, { isOfFunction: true });

/** What depends on the control flow alone: a name for `preserves`, without a value. */
export const CFG = new Analysis<null>('control flow', () => null);

/** Analyses that still hold, 'all' = nothing has changed. */
export type Preserved = readonly Analysis<unknown>[] | 'all';

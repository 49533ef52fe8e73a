/** The variables of a run: those of text by name, those of numbers as objects that patterns hold on to. */
import type { NumericFormat } from './numericFormat.js';
import { UNSIGNED_FORMAT } from './numericFormat.js';

/** Where in the input a value stands; null for one from the command line. */
export interface CapturedRange {
  readonly start: number;
  readonly end: number;
}

export class NumericVariable {
  value: bigint | null = null;
  captured: CapturedRange | null = null;

  constructor(
    readonly name: string,
    /** of a use without a format of its own */
    readonly format: NumericFormat,
    /** line of the directive that defines it, null for none */
    readonly definedOnLine: number | null,
  ) {}

  set(value: bigint, captured: CapturedRange | null): void {
    this.value = value;
    this.captured = captured;
  }

  clear(): void {
    this.value = null;
    this.captured = null;
  }
}

export class Variables {
  /** values of text variables; a name without value is undefined */
  readonly strings = new Map<string, string>();
  /** names that some pattern read so far defines as text */
  readonly stringNames = new Set<string>();
  readonly numbers = new Map<string, NumericVariable>();
  /** `@LINE` */
  readonly line = new NumericVariable('@LINE', UNSIGNED_FORMAT, null);

  /** What begins with a label under --enable-var-scope: names without `$` lose their values. */
  clearLocal(): void {
    for (const name of [...this.strings.keys()]) if (!name.startsWith('$')) this.strings.delete(name);
    for (const [name, variable] of [...this.numbers]) {
      if (name.startsWith('$')) continue;
      variable.clear();
      this.numbers.delete(name);
    }
  }
}

/** What llvm::cl knows of an option of llc (LLVM 22.1.8). */

/** How the text of a value is read. */
export const enum OptionParser {
  /** `true`, `false`, `1`, `0` or nothing; cl::boolOrDefault, too */
  Bool = 'b',
  Int = 'i',
  UInt = 'u',
  Long = 'l',
  ULong = 'U',
  /** float and double */
  Float = 'f',
  /** the first character */
  Char = 'c',
  String = 's',
  /** one of the option's values */
  Enum = 'e',
  /** an option that is the name of a value; its description stands in `values` */
  Literal = 'n',
  /** another name of the option that stands in `values` */
  Alias = 'a',
  /** classes of single options */
  HotColdHint = 'h',
  HotnessThreshold = 't',
  MFMAPaddingRatio = 'm',
  SPIRVExtensions = 'x',
  DebugCounter = 'd',
}

/** Whether a value follows the name. */
export const enum ValueExpected {
  /** after `=` only */
  Optional = 'o',
  /** after `=` or as the next word */
  Required = 'r',
  Disallowed = 'd',
}

export interface OptionSpec {
  readonly name: string;
  readonly parser: OptionParser;
  readonly expects: ValueExpected;
  /** of an enumeration; see OptionParser.Literal and Alias */
  readonly values: readonly string[];
  /** every occurrence counts, not the last one only */
  readonly isList: boolean;
  /** commas separate values */
  readonly splitsAtCommas: boolean;
  /** the value may be glued to the name: `-O2` */
  readonly isPrefix: boolean;
  /** never proposed for a misspelt name */
  readonly isSecret: boolean;
  /** the value is always glued, an equal sign being part of it: `-DX=1` */
  readonly isAlwaysPrefix?: boolean;
}

/** The options that a program registers. */
export interface OptionTable {
  /** null if there is none of this name; aliases as such */
  readonly find: (name: string) => OptionSpec | null;
  /** in the order of the program's own table */
  readonly all: () => readonly OptionSpec[];
  /** `NAME=VALUE` that this program alone takes, of an option that all have: where the option takes any text, or the list is short */
  readonly onlyValues?: ReadonlySet<string>;
}

/** Strings and numbers of a list stand in the order of the command line. */
export type OptionValue = string | boolean | number | readonly (string | number)[];

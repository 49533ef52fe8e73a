/**
 * Input errors as data. Every layer that can find fault with the text reports `Diagnostic`s; nothing throws for bad input.
 */

export const enum Severity {
  Error = 1,
  Warning = 2,
  Information = 3,
  Hint = 4,
}

/** Which part of llc would print the message; decides the shape of its line on stderr (docs/llvm/mir-format.md, 1). */
export const enum DiagnosticOrigin {
  /** `error: YAML:LINE:COL: message` */
  Yaml = 0,
  /** `error: FILE:LINE:COL: message`, source line, caret line */
  Text = 1,
  /** `error: FILE: message` */
  Function = 2,
  /** `*** Bad machine code: message ***` */
  Verifier = 3,
  /** a finding that llc does not have */
  Ours = 4,
}

/** A half-open range of UTF-16 offsets in the document. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface Diagnostic extends TextRange {
  readonly severity: Severity;
  readonly origin: DiagnosticOrigin;
  /** stable identifier, kebab-case, e.g. `undefined-vreg` */
  readonly code: string;
  /** LLVM's wording where LLVM has the error */
  readonly message: string;
  /** the offset llc reports as LINE:COL, where it differs from `start` */
  readonly llcOffset?: number;
  readonly related?: readonly { readonly start: number; readonly end: number; readonly message: string }[];
}

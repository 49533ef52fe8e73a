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

/** `llcOffset` of an error about a node that llc does not have: it prints `<unknown>:0`. */
export const NO_PLACE = -1;

/** `code` of an error for which llc has no words and no place: it prints an empty message and the line above the scalar's text. */
export const WORDLESS = 'unknown-mnemonic';

/** A place in the text of a YAML scalar. */
export interface ScalarPlace {
  /** 0-based */
  readonly line: number;
  /** 0-based, UTF-16 units */
  readonly column: number;
  /** of the line */
  readonly contents: string;
}

/** Where an offset of a scalar's text is. Its lines end with `\n`. */
export function scalarPlace(text: string, offset: number): ScalarPlace {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', start);
  let line = 0;
  for (let p = text.indexOf('\n'); p >= 0 && p < start; p = text.indexOf('\n', p + 1)) line++;
  return { line, column: offset - start, contents: text.slice(start, end < 0 ? text.length : end) };
}

/** `d` further on in a text. */
export function moveDiagnostic(d: Diagnostic, by: number): Diagnostic {
  if (by === 0) return d;
  const moved = { ...d, start: d.start + by, end: d.end + by };
  const related = d.related?.map((r) => ({ ...r, start: r.start + by, end: r.end + by }));
  return {
    ...moved,
    ...(d.llcOffset === undefined || d.llcOffset === NO_PLACE ? {} : { llcOffset: d.llcOffset + by }),
    ...(d.llcEnd === undefined ? {} : { llcEnd: d.llcEnd + by }),
    ...(related === undefined ? {} : { related }),
  };
}

/**
 * What a finding is about, for who repairs it: its message says the same, in LLVM's words, which are for reading only. Names as the text has them, without `%`
 * and `$`; each is there where the code has something of the kind.
 */
export interface Facts {
  readonly register?: string;
  readonly opcode?: string;
  /** of the instruction, implicit ones counted */
  readonly operand?: number;
  /** the class that stands there */
  readonly given?: string;
  /** the class that is asked for in its place */
  readonly expected?: string;
  /** the word before a register that may not stand there, or is missing with it */
  readonly flag?: RegisterWord;
  /** the number that the text gives a block: the one that is missing, or the other one that it is about */
  readonly block?: number;
}

export type RegisterWord = 'killed' | 'dead' | 'renamable' | 'implicit' | 'implicit-def';

export interface Diagnostic extends TextRange {
  readonly severity: Severity;
  readonly origin: DiagnosticOrigin;
  /** stable identifier, kebab-case, e.g. `undefined-vreg` */
  readonly code: string;
  /** LLVM's wording where LLVM has the error */
  readonly message: string;
  readonly facts?: Facts;
  /** the offset llc reports as LINE:COL, where it differs from `start`; NO_PLACE = none */
  readonly llcOffset?: number;
  /** end of what llc underlines, where it is not `end`; YAML only */
  readonly llcEnd?: number;
  /** the place in a scalar whose text in the file is not what llc reads; `llcOffset` is where the scalar begins */
  readonly llcInScalar?: ScalarPlace;
  /** llc, which gives up at an error, says this together with the one before */
  /** llc has it as many bytes after its offset: inside of a character */
  readonly llcBytes?: number;
  /** llc has read the body by then: the step that fails */
  readonly behindBody?: 'functionInfo' | 'properties';
  readonly isFollowUp?: true;
  /** what LLVM's IR verifier prints below the message */
  readonly llcValue?: string;
  readonly related?: readonly { readonly start: number; readonly end: number; readonly message: string }[];
}

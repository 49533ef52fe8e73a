/** What the RUN lines of a test come to, as data: of each RUN line whether it passed, of each CHECK line whether it matched, and where. */

/** `unsupported`: nothing is known; the reason is in `detail`. */
export type Verdict = 'passed' | 'failed' | 'unsupported';

/** A directive that did not match, or matched where it must not. */
export interface CheckFinding {
  /** 0-based line of the directive in the document */
  readonly line: number;
  /** FileCheck's words, with its notes and the lines of the output that they point to */
  readonly message: string;
}

export type CheckState = 'matched' | 'failed' | 'not reached';

/** A directive, in the eyes of one RUN line. */
export interface CheckLine {
  /** 0-based line in the document */
  readonly line: number;
  readonly state: CheckState;
  /** 0-based line of the output that it matches; -1 = none: it did not match, or says what must not come */
  readonly at: number;
  /** `NAME = value` of variables that it sets or reads */
  readonly variables: readonly string[];
}

export interface RunVerdict {
  /** 0-based, of the first line of a continued one */
  readonly line: number;
  readonly verdict: Verdict;
  /** what went wrong, empty when nothing did */
  readonly detail: string;
  readonly findings: readonly CheckFinding[];
  /** in the order of the lines; empty where FileCheck did not come to them */
  readonly checks: readonly CheckLine[];
  /** what FileCheck read, or the last command wrote; null when it is too long to be kept, or there is none */
  readonly output: string | null;
}

export interface TestVerdict {
  readonly runs: readonly RunVerdict[];
  /** why none was run; empty when they were */
  readonly problem: string;
  /** XFAIL: a failure is what is wanted */
  readonly isExpectedToFail: boolean;
}

/** `1 of 34 CHECK lines fails`, `passed`: in a few words. */
export function verdictTitle({ verdict, checks, findings, detail }: RunVerdict): string {
  if (verdict === 'unsupported') return 'not run here';
  const n = checks.length;
  if (verdict === 'passed')
    return n === 0 ? 'passed' : `${n === 1 ? '1 CHECK line matches' : `${n} CHECK lines match`}`;
  const failed = new Set(findings.map((f) => f.line)).size;
  if (failed === 0) return oneLineOf(detail);
  return `${failed} of ${n} CHECK lines ${failed === 1 ? 'fails' : 'fail'}`;
}

const MAX_TITLE = 80;

function oneLineOf(text: string): string {
  const line = text
    .slice(0, MAX_TITLE * 4)
    .split('\n', 1)[0]!
    .trim();
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)}…` : line;
}

/** Of a line that several RUN lines look at: what is wrong goes before what is right. */
export function worstState(states: readonly CheckState[]): CheckState {
  return states.includes('failed') ? 'failed' : states.includes('matched') ? 'matched' : 'not reached';
}

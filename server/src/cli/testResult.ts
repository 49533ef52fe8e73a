/** What comes of a test, in lit's words. */

/** As lit writes it. */
export type TestResultName = 'EXCLUDED' | 'UNSUPPORTED' | 'PASS' | 'XFAIL' | 'UNRESOLVED' | 'FAIL' | 'XPASS';

export interface ResultKind {
  readonly name: TestResultName;
  readonly label: string;
  /** named again at the end, told with -v, and the exit code is not 0 */
  readonly isFailure: boolean;
}

const kind = (name: TestResultName, label: string, isFailure = false): ResultKind => ({
  name,
  label,
  isFailure,
});

/** In lit's order of the summary. */
export const ResultKind = {
  excluded: kind('EXCLUDED', 'Excluded'),
  unsupported: kind('UNSUPPORTED', 'Unsupported'),
  pass: kind('PASS', 'Passed'),
  xfail: kind('XFAIL', 'Expectedly Failed'),
  unresolved: kind('UNRESOLVED', 'Unresolved', true),
  fail: kind('FAIL', 'Failed', true),
  // No failure for lit 22.
  xpass: kind('XPASS', 'Unexpectedly Passed'),
} as const;

export interface TestFile {
  readonly path: string;
  /** as lit names it: below the folder that was asked for */
  readonly name: string;
}

/** As it comes from a worker. */
export interface TestOutcome {
  readonly kind: keyof typeof ResultKind;
  /** what its commands told, or why it was not run */
  readonly output: string;
  readonly seconds: number;
}

export interface TestResult {
  readonly test: TestFile;
  readonly kind: ResultKind;
  readonly output: string;
  readonly seconds: number;
}

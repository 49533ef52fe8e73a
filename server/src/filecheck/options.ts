/** What a run of FileCheck is asked to do; the defaults are those of the program without options. */
export interface FileCheckOptions {
  /** empty = CHECK */
  readonly checkPrefixes: readonly string[];
  /** empty = COM and RUN */
  readonly commentPrefixes: readonly string[];
  readonly implicitCheckNot: readonly string[];
  /** `NAME=VALUE` or `#NAME=EXPRESSION`, each with an equal sign that is not the first character */
  readonly defines: readonly string[];
  readonly allowEmpty: boolean;
  readonly allowUnusedPrefixes: boolean;
  readonly matchFullLines: boolean;
  readonly strictWhitespace: boolean;
  readonly ignoreCase: boolean;
  readonly enableVarScope: boolean;
  readonly allowDeprecatedDagOverlap: boolean;
  /** -v */
  readonly verbose: boolean;
  /** -vv, which has -v in it */
  readonly verboseVerbose: boolean;
}

export const DEFAULT_OPTIONS: FileCheckOptions = {
  checkPrefixes: [],
  commentPrefixes: [],
  implicitCheckNot: [],
  defines: [],
  allowEmpty: false,
  allowUnusedPrefixes: false,
  matchFullLines: false,
  strictWhitespace: false,
  ignoreCase: false,
  enableVarScope: false,
  allowDeprecatedDagOverlap: false,
  verbose: false,
  verboseVerbose: false,
};

export const DEFAULT_CHECK_PREFIXES: readonly string[] = ['CHECK'];
export const DEFAULT_COMMENT_PREFIXES: readonly string[] = ['COM', 'RUN'];

/** Why the prefixes cannot be used, in FileCheck's words; null when they can. */
export function prefixProblem(options: FileCheckOptions): string | null {
  const seen = new Set<string>();
  if (options.checkPrefixes.length === 0) for (const p of DEFAULT_CHECK_PREFIXES) seen.add(p);
  if (options.commentPrefixes.length === 0) for (const p of DEFAULT_COMMENT_PREFIXES) seen.add(p);
  for (const [kind, prefixes] of [
    ['check', options.checkPrefixes],
    ['comment', options.commentPrefixes],
  ] as const) {
    for (const prefix of prefixes) {
      const problem = `error: supplied ${kind} prefix must`;
      if (prefix === '') return `${problem} not be the empty string\n`;
      if (!/^[a-zA-Z0-9_-]*$/.test(prefix))
        return `${problem} start with a letter and contain only alphanumeric characters, hyphens, and underscores: '${prefix}'\n`;
      if (seen.has(prefix)) return `${problem} be unique among check and comment prefixes: '${prefix}'\n`;
      seen.add(prefix);
    }
  }
  return null;
}

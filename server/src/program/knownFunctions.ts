/** What the passes of a run made of functions, kept for the next run: after an edit of one function only that one runs again. */

/** Of a function that nothing is wrong with. */
export interface FunctionOutcome {
  /** what its passes wrote to stderr */
  readonly told: string;
  /** its document in the result */
  readonly text: string;
}

/** Functions by their documents, of runs with the same options and the same file around them. */
export interface KnownFunctions {
  get(document: string): FunctionOutcome | undefined;
  set(document: string, outcome: FunctionOutcome): void;
}

/**
 * What a function comes to depends on besides its document and the options: the embedded module, the names of the functions, and the order in
 * which scopes of synchronization are mentioned. `start`: of the first function. Null where strategies of IGLP_OPT carry counts on from one
 * function to the next.
 */
export function surroundingsOf(source: string, start: number, names: readonly string[]): string | null {
  if (source.includes('IGLP_OPT')) return null;
  const scopes = new Set(source.match(/syncscope\("[^"\n]*"\)/g));
  return [withoutComments(source.slice(0, start)), ...scopes, ...names].join('\0');
}

/** What llc's answer depends on, if it has nothing to complain of: of comments that are lines only that they are there, and how far indented. */
export function withoutComments(text: string): string {
  let isInBlock = false;
  return text
    .split('\n')
    .map((line) => {
      if (/^(?:body: *\||--- \|)/.test(line)) isInBlock = true;
      else if (/^\S/.test(line)) isInBlock = false;
      return isInBlock ? line.replace(/^([ \t]+;).*$/, '$1') : line.replace(/^#.*$/, '#');
    })
    .join('\n');
}

/** What the commands of a test may take besides llc and FileCheck, so that no RUN line can fill memory or never end. */

/** A command or pass that is not known here, or more than a test may take: the test says nothing about it. */
export class Unsupported extends Error {}

/** What lit cannot read, in its words. */
export class LitSyntaxError extends Error {}

/** of conditions and `%if`: lit itself, in Python, nests them no deeper */
export const MAX_DEPTH = 300;

/** characters of one text: what a command writes, or a file */
export const MAX_TEXT = 1 << 25;
/** characters that the commands of a test read and write */
const MAX_TOTAL = 1 << 26;
const MAX_LINES = 1 << 20;
/** of searches for regular expressions, a character or a state each */
const MAX_STEPS = 30_000_000;

/** Of one test: what is used up stays so. */
export class LitLimits {
  private total = MAX_TOTAL;

  constructor(private steps = MAX_STEPS) {}

  /** Throws Unsupported. */
  text(length: number): void {
    if (length > MAX_TEXT) throw new Unsupported(`a text of more than ${MAX_TEXT >> 20} MB in a RUN line`);
    this.total -= length;
    if (this.total < 0) throw new Unsupported(`the RUN lines read and write more than ${MAX_TOTAL >> 20} MB`);
  }

  /** For regular expressions. Throws Unsupported. */
  spend(steps: number): void {
    this.steps -= steps;
    if (this.steps < 0) throw new Unsupported('a regular expression in a RUN line takes too long');
  }

  /** Lines with their ends. Throws Unsupported. */
  linesOf(text: string): string[] {
    if (text === '') return [];
    if (countOf(text, '\n') > MAX_LINES) throw new Unsupported(`a text of more than ${MAX_LINES} lines in a RUN line`);
    const lines: string[] = [];
    for (let at = 0; at < text.length;) {
      const end = text.indexOf('\n', at);
      const next = end < 0 ? text.length : end + 1;
      lines.push(text.slice(at, next));
      at = next;
    }
    return lines;
  }
}

export function countOf(text: string, what: string): number {
  let n = 0;
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + 1)) n++;
  return n;
}

/** RUN lines with what the test itself defines (lit's DEFINE and REDEFINE) and chooses (`%if`), for those who only want to know what would run. */
import { LitLimits, Unsupported } from './litLimits.js';
import {
  addDirective,
  definitionIn,
  isOpen,
  LIT_FEATURES,
  substitute,
  Substitutions,
  type Directive,
  type Substitution,
} from './litScript.js';
import { LitSyntaxError } from './litShell.js';

/** More definitions than that are not read; LLVM's tests have a dozen. */
const MAX_DEFINITIONS = 256;
/** A line that grows beyond that stays as it is written. */
const MAX_LENGTH = 1 << 16;
/** of all lines of a test: some milliseconds */
const MAX_STEPS = 1_000_000;

const DEFINE = 'DEFINE:';

/** The definitions of a test in order, as they stand at a place of it. */
export class Definitions {
  private readonly found: { readonly isNew: boolean; readonly end: number; readonly definition: Substitution }[] = [];
  private readonly limits = new LitLimits(MAX_STEPS);
  private readonly known = new Substitutions(null, this.limits, MAX_LENGTH);
  private next = 0;

  /** O(text), which is searched for a word alone where there are none. */
  constructor(text: string) {
    const script: Directive[] = [];
    for (let at = text.indexOf(DEFINE); at >= 0 && this.found.length < MAX_DEFINITIONS;) {
      const eol = text.indexOf('\n', at);
      const end = eol < 0 ? text.length : eol;
      const isNew = text.slice(Math.max(0, at - 2), at) !== 'RE';
      try {
        addDirective(script, isNew ? DEFINE : `RE${DEFINE}`, 0, text.slice(at + DEFINE.length, end).trimEnd());
        const directive = script.at(-1)!;
        if (!isOpen(directive)) this.found.push({ isNew, end, definition: definitionIn(directive) });
      } catch (error) {
        if (!(error instanceof LitSyntaxError)) throw error;
      }
      at = text.indexOf(DEFINE, end);
    }
  }

  /** The text of a RUN line that begins at `offset`; places must not go down from call to call. As it is where lit would refuse it. */
  made(text: string, offset: number): string {
    for (; this.next < this.found.length && this.found[this.next]!.end <= offset; this.next++) {
      const { isNew, definition } = this.found[this.next]!;
      this.known.define(definition, isNew);
    }
    if (!text.includes('%{') && !text.includes('%if ')) return text;
    try {
      return substitute(text, this.known, LIT_FEATURES, this.limits);
    } catch (error) {
      if (!(error instanceof LitSyntaxError) && !(error instanceof Unsupported)) throw error;
      return text;
    }
  }
}

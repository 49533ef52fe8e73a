/** RUN lines with what the test itself defines (lit's DEFINE and REDEFINE) and chooses (`%if`), for those who only want to know what would run. */
import { definitionIn, LIT_FEATURES, substitute, type Substitution } from './litScript.js';
import { LitSyntaxError } from './litShell.js';

/** More definitions than that are not read; LLVM's tests have a dozen. */
const MAX_DEFINITIONS = 256;
/** A line that grows beyond that stays as it is written. */
const MAX_LENGTH = 1 << 16;

/** The definitions of a test in order, as they stand at a place of it. */
export class Definitions {
  private readonly found: { readonly isNew: boolean; readonly end: number; readonly definition: Substitution }[] = [];
  private readonly known: Substitution[] = [];
  private next = 0;

  /** O(text), which is searched for a word alone where there are none. */
  constructor(text: string) {
    if (!text.includes('DEFINE:')) return;
    const directive = /\b(RE)?DEFINE:((?:.*\\\r?\n.*?(?:RE)?DEFINE:)*.*)/g;
    for (const match of text.matchAll(directive)) {
      if (this.found.length === MAX_DEFINITIONS) break;
      const value = match[2]!.replace(/\s*\\\r?\n.*?(?:RE)?DEFINE:\s*/g, ' ');
      try {
        const definition = definitionIn({ text: value });
        this.found.push({ isNew: match[1] === undefined, end: match.index + match[0].length, definition });
      } catch (error) {
        if (!(error instanceof LitSyntaxError)) throw error;
      }
    }
  }

  /** The text of a RUN line that begins at `offset`; places must not go down from call to call. As it is where lit would refuse it. */
  made(text: string, offset: number): string {
    for (; this.next < this.found.length && this.found[this.next]!.end <= offset; this.next++) {
      const { isNew, definition } = this.found[this.next]!;
      const at = this.known.findIndex((d) => d.name === definition.name);
      if (at >= 0) this.known[at] = definition;
      else if (isNew) this.known.unshift(definition);
    }
    if (!text.includes('%{') && !text.includes('%if ')) return text;
    try {
      let made = substitute(text, [], LIT_FEATURES);
      for (const definition of this.known) {
        const uses = made.split(definition.name).length - 1;
        if (uses === 0) continue;
        if (made.length + uses * definition.value.length > MAX_LENGTH) return text;
        made = made.replaceAll(definition.name, () => definition.value);
      }
      return made;
    } catch (error) {
      if (!(error instanceof LitSyntaxError)) throw error;
      return text;
    }
  }
}

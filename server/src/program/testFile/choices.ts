/** `%if CONDITION %{ ... %} %else %{ ... %}` of RUN lines, one in another, too. */
import { LitSyntaxError, MAX_DEPTH, Unsupported } from './limits.js';
import { TracedText } from './tracedText.js';

const ELSE = /\s*%else\s*(%\{)?/y;

/** What is left of the text. Throws LitSyntaxError, Unsupported and what `holds` throws. */
export const chosenIn = (text: TracedText, holds: (condition: string) => boolean): TracedText =>
  text.text.includes('%if ') ? TracedText.join(new Choices(text, holds).read()) : text;

class Choices {
  private readonly text: string;
  private at = 0;
  private depth = 0;

  constructor(
    private readonly traced: TracedText,
    private readonly holds: (condition: string) => boolean,
  ) {
    this.text = traced.text;
  }

  read(isInside = false): TracedText[] {
    const made: TracedText[] = [];
    while (this.at < this.text.length && !(isInside && this.text.startsWith('%}', this.at))) {
      if (this.text.startsWith('%if ', this.at)) {
        for (const part of this.choice()) made.push(part);
        continue;
      }
      const end = isInside ? /%if|%\}/g : /%if/g;
      end.lastIndex = this.at + 1;
      const next = end.exec(this.text)?.index ?? this.text.length;
      made.push(this.traced.slice(this.at, next));
      this.at = next;
    }
    return made;
  }

  private choice(): TracedText[] {
    const from = this.at + '%if '.length;
    const open = this.text.indexOf('%{', from);
    if (open < 0) throw new LitSyntaxError("'%{' is missing for %if substitution");
    const condition = this.text.slice(from, open);
    this.at = open + 2;
    const yes = this.branch('if');
    let no: TracedText[] = [];
    ELSE.lastIndex = this.at;
    const [all = '', mark] = ELSE.exec(this.text) ?? [];
    if (all !== '') {
      if (mark === undefined) throw new LitSyntaxError("'%{' is missing for %else substitution");
      this.at += all.length;
      no = this.branch('else');
    }
    return this.holds(condition) ? yes : no;
  }

  private branch(name: string): TracedText[] {
    if (++this.depth > MAX_DEPTH) throw new Unsupported(`%if nested deeper than ${MAX_DEPTH}`);
    const made = this.read(true);
    this.depth--;
    if (!this.text.startsWith('%}', this.at)) throw new LitSyntaxError(`'%}' is missing for %${name} substitution`);
    this.at += 2;
    return made;
  }
}

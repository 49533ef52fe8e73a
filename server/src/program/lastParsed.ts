/** A run's input as syntax trees. */
import { parseMirFile, type MirFile } from '../syntax/index.js';
import { SourceText } from '../text/sourceText.js';
import { Interner } from '../util/interner.js';

export const parseInput = (source: string): MirFile => parseMirFile(new SourceText(source), new Interner());

/** What was parsed last: to choose a model, and not again by the run. */
export class LastParsed {
  private known: MirFile | null = null;

  of(source: string): MirFile {
    if (this.known?.text.text === source) return this.known;
    return (this.known = parseInput(source));
  }
}

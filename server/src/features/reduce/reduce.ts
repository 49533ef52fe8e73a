/**
 * A smaller file that is still interesting: delta debugging over what a MIR file is made of. Each kind of part goes in halves, quarters and so on down to single
 * parts, kind after kind, until none of them takes anything out any more.
 */
import type { TextEdit } from '../../text/sourceText.js';
import type { TestRun } from '../../program/testFile/testFile.js';
import { RULES } from '../simplify/rules.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { OPERANDS, STRUCTURE } from './bodyParts.js';
import { comments, FUNCTIONS, HEADERS, lines } from './fileParts.js';
import { editedText, type Parts, type Reduction } from './parts.js';

export interface Candidate {
  readonly text: string;
}

/** Who says whether a text is interesting. */
export interface Judge {
  /** The first of the candidates that is, in their order; null: none. They are made as they are wanted, perhaps some at once. */
  firstGood<T extends Candidate>(candidates: Iterable<T>): Promise<T | null>;
  /** the user wants no more */
  readonly isStopped: boolean;
}

export interface ReduceOptions {
  /** which RUN lines stay: that of the present target, all, or none */
  readonly runs: 'one' | 'all' | 'none';
  /** told of each step that made the file smaller */
  readonly report: (what: string, text: string) => void;
}

const wordsOf = ({ commands }: TestRun): string =>
  commands.map(({ words }) => words.map(({ text }) => text).join(' ')).join('|');

/** More rounds than that have not been seen to be of use. */
const MAX_ROUNDS = 12;

/** The smallest text that was found; the present one where nothing may go. */
export async function reduceFile(snapshot: Snapshot, judge: Judge, options: ReduceOptions): Promise<string> {
  return new Reducer(snapshot, judge, options).run();
}

class Reducer {
  /** words of the RUN line whose options count; lines move as others go */
  private readonly ownRun: string;

  constructor(
    private now: Snapshot,
    private readonly judge: Judge,
    private readonly options: ReduceOptions,
  ) {
    const { test, target } = now;
    const line = target.commands[Math.max(0, target.commandIdx)]?.firstLine;
    const own = test.runs.find(({ firstLine }) => firstLine === line);
    this.ownRun = own === undefined ? '' : wordsOf(own);
  }

  async run(): Promise<string> {
    const notes = comments((snapshot) => this.runLines(snapshot));
    const kinds = [notes, FUNCTIONS, ...STRUCTURE, lines, ...HEADERS, ...OPERANDS];
    for (let round = 0; round < MAX_ROUNDS && !this.judge.isStopped; round++) {
      const before = this.now.text.text;
      for (const kind of kinds) {
        await this.reduce(kind, round);
        // Fewer functions are less text for all that follows.
        if (kind === FUNCTIONS) await this.applyRules();
      }
      if (this.now.text.text === before) break;
    }
    await this.applyRules();
    return this.now.text.text;
  }

  private runLines({ test }: Snapshot): ReadonlySet<number> {
    const kept = new Set<number>();
    const { runs } = this.options;
    for (const run of test.runs)
      if (runs === 'all' || (runs === 'one' && wordsOf(run) === this.ownRun))
        for (let l = run.firstLine; l <= run.lastLine; l++) kept.add(l);
    return kept;
  }

  private async reduce(kind: Reduction, round: number): Promise<void> {
    for (let k = 0; k < (kind.isOfFile ? 1 : this.now.functions.length); k++) {
      const view = this.now.functions[k];
      if (view === undefined && !kind.isOfFile) return;
      const parts = kind.parts(this.now, view as FunctionView);
      if (parts === null || this.judge.isStopped) continue;
      await this.reduceParts(kind.name, parts, round);
    }
  }

  /** `round`: in later rounds few parts go, so that large chunks need not be tried. */
  private async reduceParts(name: string, parts: Parts, round: number): Promise<void> {
    const { now, judge } = this;
    const gone = new Uint8Array(parts.count);
    let edits: readonly TextEdit[] | null = null;
    for (
      let size = round === 0 ? parts.count : Math.min(parts.count, 8);
      size >= 1;
      size = size === 1 ? 0 : (size + 1) >> 1
    ) {
      const left = [...gone.keys()].filter((k) => gone[k] === 0);
      // From the end: what is read goes after what reads it.
      let next = Math.ceil(left.length / size) - 1;
      while (next >= 0 && !judge.isStopped) {
        const found = await judge.firstGood(this.without(parts, gone, left, size, next));
        if (found === null) break;
        for (const k of left.slice(found.chunk * size, (found.chunk + 1) * size)) gone[k] = 1;
        edits = found.edits;
        next = found.chunk - 1;
      }
      if (left.length === 0) break;
    }
    if (edits === null) return;
    this.now = now.after(edits);
    this.options.report(name, this.now.text.text);
  }

  private *without(
    parts: Parts,
    gone: Uint8Array,
    left: readonly number[],
    size: number,
    from: number,
  ): Iterable<Candidate & { readonly chunk: number; readonly edits: readonly TextEdit[] }> {
    const source = this.now.text.text;
    for (let chunk = from; chunk >= 0; chunk--) {
      const tried = gone.slice();
      for (const k of left.slice(chunk * size, (chunk + 1) * size)) tried[k] = 1;
      const edits = parts.without(tried);
      if (edits === null || edits.length === 0) continue;
      yield { text: editedText(source, edits), chunk, edits };
    }
  }

  /** Those of the editor's simplification that leave less text or another form of it. */
  private async applyRules(): Promise<void> {
    for (const rule of RULES) {
      if (!rule.isTried) continue;
      for (let k = 0; k < this.now.functions.length && !this.judge.isStopped; k++) {
        const { now } = this;
        const source = now.text.text;
        const proposals = rule
          .edits(now, now.functions[k]!)
          .map((edits) => ({ edits, text: editedText(source, edits) }))
          .filter(({ text }) => text !== source);
        const found = await this.judge.firstGood(proposals);
        if (found === null) continue;
        this.now = now.after(found.edits);
        this.options.report(rule.title, found.text);
      }
    }
  }
}

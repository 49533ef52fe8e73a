/** The list of a log: for each dump what it is of, how large, whether the pass changed anything, and what is known of it. */
import { codeKey, countInstructions } from './dumpFunction.js';
import {
  factsOfMir,
  likelyTarget,
  mirOfDumps,
  NO_TARGET,
  type DumpFacts,
  type DumpQuestion,
  type LikelyTarget,
} from './dumpMir.js';
import type { LogTarget, MachineDump } from './logReader.js';

export interface LogRow extends Omit<MachineDump, 'lines' | 'properties'> {
  /** without debug instructions and headers of bundles */
  readonly instructions: number;
  /** null: it is the first dump of its function */
  readonly isChanged: boolean | null;
  /** null of one that is cut off */
  readonly facts: DumpFacts | null;
}

interface Known {
  readonly code: string;
  readonly facts: DumpFacts | null;
}

/** Keeps of each function its last facts and a fingerprint, no text. */
export class LogTable {
  private readonly known = new Map<string, Known>();
  /** what the numbers are for */
  private likely: LikelyTarget | null = null;
  private readonly met: LikelyTarget[] = [];
  private readonly failed = new Map<string, number>();

  /** `said`: what the log has said so far. */
  constructor(
    private readonly question: DumpQuestion,
    private readonly said: () => LogTarget,
  ) {}

  /** Of the last row. */
  get target(): LikelyTarget {
    return this.likely ?? { ...NO_TARGET, isGuess: false };
  }

  /** O(dump), more where it changed. */
  row(dump: MachineDump): LogRow {
    const { lines, properties: _, ...rest } = dump;
    const before = this.known.get(dump.functionName);
    const code = codeKey(dump);
    const isChanged = before === undefined ? null : before.code !== code;
    const facts =
      isChanged === false && before!.facts !== null ? before!.facts : dump.isCut ? null : this.factsOf(dump);
    this.known.set(dump.functionName, { code, facts });
    return { ...rest, instructions: countInstructions(lines), isChanged, facts };
  }

  private factsOf(dump: MachineDump): DumpFacts {
    const { text } = mirOfDumps([dump], NO_TARGET);
    const ask = ({ triple, cpu }: LogTarget): DumpFacts => {
      const { features } = this.question.target;
      return factsOfMir(text, { ...this.question, target: { triple, cpu, features, isChosen: cpu !== '' } });
    };
    this.likely ??= likelyTarget(dump, this.said(), this.question);
    const facts = ask(this.likely);
    if (facts.errors.length === 0 || this.question.target.cpu !== '') return facts;
    // A log may be of several processors, one after the other.
    for (const other of this.others(dump)) {
      if (other.cpu === this.likely.cpu) continue;
      const better = ask(other);
      if (better.errors.length > 0) continue;
      if (!this.met.some(({ cpu }) => cpu === other.cpu)) this.met.push(other);
      this.likely = other;
      this.failed.delete(dump.functionName);
      return better;
    }
    // An error may be one of the compiler.
    this.failed.set(dump.functionName, (this.failed.get(dump.functionName) ?? 0) + 1);
    return facts;
  }

  /** Processors that may take what the present one does not, those first that have taken something. */
  private *others(dump: MachineDump): Generator<LikelyTarget> {
    const { triple, cpu } = this.said();
    if (cpu !== '') yield { triple, cpu, isGuess: false };
    yield* this.met;
    if ((this.failed.get(dump.functionName) ?? 0) < MAX_FAILED) yield likelyTarget(dump, NO_TARGET, this.question);
  }
}

/** A function that so many times no processor has taken is asked of the others no more. */
const MAX_FAILED = 3;

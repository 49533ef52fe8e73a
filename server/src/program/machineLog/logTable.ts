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
    // Another function may tell more of the processor, and an error may be one of the compiler.
    const other = likelyTarget(dump, this.said(), this.question);
    if (other.cpu === this.likely.cpu) return facts;
    const better = ask(other);
    if (better.errors.length > 0) return facts;
    this.likely = other;
    return better;
  }
}

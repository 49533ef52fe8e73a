/** What a run keeps of its patterns, so that it is not made again for each search: up to a limit, beyond which it is. */
import { parseRegex, type ParsedRegex, type SearchMeter } from './regexSyntax.js';

/** Steps of the expressions that are kept as trees. */
const MAX_STEPS = 1 << 19;
/** Steps of a search that take as long as a step takes to be read. */
const PARSING = 12;
/** Bytes of what patterns have been made into. */
const MAX_BYTES = 48 << 20;

/** Nobody asks for the groups that a check file writes: variables have theirs around them. */
export const NO_GROUPS: ReadonlySet<number> = new Set();

export class KeptRegexes {
  /** what stands in braces and blocks is much the same in all patterns */
  private readonly parsed = new Map<string, ParsedRegex>();
  private steps = 0;
  private bytes = 0;

  /** `meter`: of all searches of a run */
  constructor(private readonly meter: SearchMeter) {}

  /** What `source` is, alone in its braces or block. Throws RegexError and SearchLimit. */
  parse(source: string): ParsedRegex {
    const known = this.parsed.get(source);
    if (known !== undefined) return known;
    const parsed = parseRegex(source, { newline: true, wanted: NO_GROUPS });
    // Of a set of characters all that is written there counts.
    const steps = Math.max(parsed.size, source.length);
    if (this.steps + steps > MAX_STEPS) this.meter.spend(PARSING * steps);
    else {
      this.steps += steps;
      this.parsed.set(source, parsed);
    }
    return parsed;
  }

  /** Whether who has kept `before` bytes may keep as many as `now` after a search; the others stay. */
  keeps(before: number, now: number): boolean {
    this.bytes -= before;
    if (this.bytes + now > MAX_BYTES) return false;
    this.bytes += now;
    return true;
  }
}

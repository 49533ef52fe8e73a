/** Lines of the source that a report names. */

export interface LineReference {
  /** offsets in the report */
  readonly start: number;
  readonly end: number;
  /** 0-based */
  readonly line: number;
}

/** `line 24`, `lines 31-100` (both ends), and the `23:` before a register in the comparisons of picks. */
const REFERENCE = /\blines? (\d+)(?:-(\d+))?|(?<=\b(?:beat|top's|bottom's) )(\d+)(?=: )/g;

/** References in the order of the text. */
export function lineReferences(report: string): LineReference[] {
  const found: LineReference[] = [];
  for (const match of report.matchAll(REFERENCE)) {
    const [whole, first, last, bare] = match;
    const end = match.index + whole.length;
    const number = first ?? bare ?? '';
    if (last === undefined) {
      found.push({ start: match.index, end, line: Number(number) - 1 });
    } else {
      const dash = end - last.length;
      found.push({ start: match.index, end: dash - 1, line: Number(number) - 1 });
      found.push({ start: dash, end, line: Number(last) - 1 });
    }
  }
  return found;
}

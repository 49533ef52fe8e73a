/** Places in the source as LLVM prints them behind an instruction. */

export interface SourcePlace {
  readonly file: string;
  /** from 1; 0 = none */
  readonly line: number;
  /** from 1; 0 = none */
  readonly column: number;
}

/** Of `f.cl:3:4 @[ f.cl:9:1 ]`: the place, then the calls that it is inlined by, innermost first. Empty if it is none. */
export function sourcePlaces(text: string): SourcePlace[] {
  const own = text.replace(/ line no:\d+.*$/, '').replace(/( \])+$/, '');
  const places: SourcePlace[] = [];
  for (const part of own.split(' @[ ')) {
    const found = /^(.*?):(\d+)(?::(\d+))?$/.exec(part.trim());
    if (found === null) break;
    places.push({ file: found[1]!, line: Number(found[2]), column: Number(found[3] ?? 0) });
  }
  return places;
}

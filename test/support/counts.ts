/** What counts less than none in a report. */

/** Places that are none. */
const NONE: ReadonlySet<string> = new Set(['block', 'instr']);

/** Paths of the negative numbers in a value. */
export function negatives(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return value < 0 && !(value === -1 && NONE.has(path.split('.').at(-1)!)) ? [`${path}: ${value}`] : []; // prettier-ignore
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, own]) => negatives(own, `${path}.${key}`));
}

/** A count of something, which has a name before or after it. What is gained (`VGPR -1 in 2 regions`) or missing (`-4 VGPR`) has its sign. */
export const COUNT = /\b(?:(?:VGPR|SGPR|AGPR) -(?!\d+(?: to -\d+)? in )|(?:occupancy|scratch|LDS|length|peak|waves) -)\d|\(-\d+ used|-\d+ (?:holes?|spilled|saves?|reloads?|callee-saved|waves?|bytes)\b/; // prettier-ignore

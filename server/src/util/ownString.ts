/** Below it V8 copies what is cut out of a string; a longer piece refers to the whole string and keeps it in memory. */
const SHORTEST_SLICE = 13;

/** `text.slice(start, end)` as a string of its own: for what outlives the text that it stands in, such as keys of caches. */
export function ownString(text: string, start = 0, end = text.length): string {
  const s = text.slice(start, end);
  // What is cut out of this refers to a string that is hardly longer.
  return s.length < SHORTEST_SLICE ? s : (' ' + s).slice(1);
}

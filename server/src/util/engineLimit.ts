/** Limits of the JavaScript engine: a stack that is used up, a string that would be too long. */

/** What a RangeError of the engine says to people; null for any other error. */
export function engineLimit(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { message, name } = error;
  // Bun words some of them otherwise, and throws an Error for memory.
  if (/call stack/i.test(message)) return 'it nests deeper than the stack of this program';
  if (/string length|out of memory/i.test(message)) return 'a text grows beyond what fits into memory';
  return name === 'RangeError' && /array (?:buffer )?(?:length|allocation)/i.test(message)
    ? 'a list grows beyond what fits into memory'
    : null;
}

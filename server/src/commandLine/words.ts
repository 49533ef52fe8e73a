/** A command line as text: its words, by GNU quoting as llvm::cl has it. */

/** Words between white space; quotes join, a backslash takes the next character as it is. Empty words vanish, quoted or not. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(
    /(?:\\(?:[^]|$)|"(?:\\[^]|[^"\\])*(?:"|\\?$)|'(?:\\[^]|[^'\\])*(?:'|\\?$)|[^\s"'\\])+/g,
  )) {
    const bare = word.replace(
      /\\([^])|"((?:\\[^]|[^"\\])*)"?|'((?:\\[^]|[^'\\])*)'?/g,
      (_, escaped?: string, double?: string, single?: string) =>
        escaped ?? (double ?? single ?? '').replace(/\\([^])/g, '$1'),
    );
    if (bare !== '') words.push(bare);
  }
  return words;
}

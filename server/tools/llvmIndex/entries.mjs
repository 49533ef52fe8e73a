// The names of LLVM that stand in docstrings of the sources: `@llvm FILE NAME`, one a line.

/** One name in its form: the file of LLVM (without folders), the name without `llvm::`, template arguments and parameters. */
export const FORM = /^@llvm ([A-Z]\w*\.(?:cpp|h)) ((?:\w+::)*\w+)$/;

/** The lines of a docstring without its stars. */
export const docLines = (comment) =>
  comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim());

/**
 * What a text names: each with the line of ours (from 1) and what is declared there.
 * @returns {{ file: string, name: string, line: number, ours: string }[]}
 */
export function entriesOf(text) {
  const found = [];
  for (const doc of text.matchAll(/\/\*\*(?:(?!\*\/)[^])*@llvm(?:(?!\*\/)[^])*\*\//g)) {
    const end = doc.index + doc[0].length;
    const rest = text.slice(end).trimStart();
    const line = text.slice(0, text.length - text.slice(end).trimStart().length).split('\n').length;
    const words =
      /^(?:(?:export|default|abstract|async|private|protected|public|static|readonly|get|set|override|function|class|interface|const|let|type|enum) )*([\w$]+)/;
    for (const each of docLines(doc[0])) {
      const m = FORM.exec(each);
      if (m !== null) found.push({ file: m[1], name: m[2], line, ours: words.exec(rest)?.[1] ?? '' });
    }
  }
  return found;
}

/** Text of a file, such as a function's name, where the editor would read links or icons in it. */

/** For messages: VS Code makes links of `[words](command:...)` in them. */
export const asMessage = (text: string): string => text.replaceAll('](', '] (').replaceAll(/[\r\n]+/g, ' ');

/** For the status bar, lenses and lists: VS Code draws icons for `$(name)` there, and knows this escape. */
export const asLabel = (text: string): string => text.replaceAll('$(', '\\$(').replaceAll(/[\r\n]+/g, ' ');

/** For the path of a virtual document: one segment, which editors show as the title of a tab. */
export const asSegment = (text: string): string => text.replaceAll(/[\\/\s\p{Cc}]+/gu, ' ').slice(0, 100);

/** For Markdown that has icons: as text that wraps, which `appendText` with its hard spaces does not. */
export const asMarkdown = (text: string): string => asLabel(text).replaceAll(/[\\`*_{}[\]()#+\-.!~<>&$|]/g, '\\$&');

/** Whether the title of a lens says that something is wrong with a line, which is 1-based. */
export const saysBroken = (title: string, line: number): boolean =>
  new RegExp(`(?:error: line|function \\(line) ${line}\\b`).test(title);

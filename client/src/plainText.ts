/** Text of a file, such as a function's name, where the editor would read links or icons in it. */

/** For messages: VS Code makes links of `[words](command:...)` in them. */
export const asMessage = (text: string): string => text.replaceAll('](', '] (').replaceAll(/[\r\n]+/g, ' ');

/** For the status bar, lenses and lists: VS Code draws icons for `$(name)` there, and knows this escape. */
export const asLabel = (text: string): string => text.replaceAll('$(', '\\$(').replaceAll(/[\r\n]+/g, ' ');

/** For the path of a virtual document: one segment, which editors show as the title of a tab. */
export const asSegment = (text: string): string => text.replaceAll(/[\\/\s\p{Cc}]+/gu, ' ').slice(0, 100);

/** Words that completion gives back. */

/** What the author wrote, without what does not change which item it is. */
export const essence = (word: string): string =>
  word
    .replace(/\b(?:killed|undef|dead|renamable|early-clobber|internal|nofpexcept) /g, '')
    .replace(/ ?\(tied-def \d+\)|(?<=^%[\w.]+)\((?:[sp]\d+|<.*>)\)$/, '')
    .replace(/^(%stack\.\d+)\..*$/, '$1')
    .replace(/^((?:implicit(?:-def)? )?[%$][\w.]+) ?:.*$/, '$1');

/**
 * Ids are plain integers in columns. A kind on their type keeps an id of an instruction from being taken for a block's: a number goes
 * wherever an id is asked for (what comes out of a column is one), an id goes only where its own kind or a number is. Nothing of it is
 * left at run time.
 */
export type Id<Kind extends string> = number & { readonly idOf?: Kind };

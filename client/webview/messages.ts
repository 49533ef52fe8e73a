/** What the extension and a page about the function at the cursor say to each other. */

/** A document and the 0-based line of the cursor in it. */
export interface PanelPlace {
  readonly uri: string;
  readonly line: number;
}

export type ToPage<Answer> =
  | { readonly kind: 'show'; readonly answer: Answer }
  /** 0-based line of the cursor in the file */
  | { readonly kind: 'cursor'; readonly line: number }
  /** what is shown, for when the window is loaded again */
  | { readonly kind: 'place'; readonly place: PanelPlace }
  /** there is nothing to show, and why */
  | { readonly kind: 'nothing'; readonly message: string };

export type FromPage =
  | { readonly kind: 'ready' }
  /** 0-based */
  | { readonly kind: 'goTo'; readonly line: number }
  /** index among the targets of the RUN lines */
  | { readonly kind: 'target'; readonly index: number }
  | { readonly kind: 'copy' }
  /** what a page has of its own */
  | { readonly kind: 'act'; readonly name: string; readonly value: string };

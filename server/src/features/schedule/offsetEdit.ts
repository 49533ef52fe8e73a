/** An edit by offsets. */

/** Offsets in the document. */
export interface OffsetEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Peak and instructions of a function over the passes of a log, as data: the page of the log view imports these types and nothing else. */

/** A dump; numbers are null where the dump has errors or is cut off. */
export interface LogPoint {
  /** `after machine-scheduler` */
  readonly pass: string;
  /** 0-based, of the log */
  readonly line: number;
  readonly lastLine: number;
  /** false: as the dump before it */
  readonly isChanged: boolean;
  readonly instructions: number;
  /** most registers that live at once; in use where `isAllocated` */
  readonly vgpr: number | null;
  readonly sgpr: number | null;
  readonly agpr: number | null;
  readonly waves: number | null;
  readonly isAllocated: boolean;
  /** how many */
  readonly errors: number;
}

export interface LogGraph {
  readonly function: string;
  /** `61 dumps, gfx942` */
  readonly headline: string;
  /** 0-based, from the first dump of the function to its last one */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly points: readonly LogPoint[];
  /** a table in plain text */
  readonly text: string;
  /** why there is none, else empty */
  readonly problem: string;
}

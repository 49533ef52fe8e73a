/** The modes in which instructions run, as sets of bits, and the opcodes that switch between them. */
/** Modes of EXEC. A set of them is a number. */
export const enum Mode {
  /** lanes of all quads that have a live lane; helper lanes take part in control flow */
  WQM = 1,
  /** all lanes of the wave, whatever control flow has done */
  StrictWWM = 2,
  /** all lanes of quads that have an active one, whatever control flow has done */
  StrictWQM = 4,
  /** live lanes alone */
  Exact = 8,
}

export type ModeSet = number;

export const STRICT: ModeSet = Mode.StrictWWM | Mode.StrictWQM;
/** those between which control flow goes on */
export const PLAIN: ModeSet = Mode.WQM | Mode.Exact;

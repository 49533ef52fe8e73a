/** How instructions are named in a text about a schedule. */
export interface InstrLabels {
  /** one line of MIR */
  text(instr: number): string;
  /** 1-based line in the file; 0 = it has none (made by the scheduler) */
  line(instr: number): number;
}

/** How instructions are named in a text about a schedule. */
import type { InstrId } from '../../../model/machineFunction.js';
export interface InstrLabels {
  /** one line of MIR */
  text(instr: InstrId): string;
  /** 1-based line in the file; 0 = it has none (made by the scheduler) */
  line(instr: InstrId): number;
}

/** Lines that the user wants before others, as instructions for the scheduler. */
import type { InstrId } from '../../model/machineFunction.js';
import type { Pin } from '../../passes/scheduler/dag/mutations/pins.js';
import { instrOnLine } from '../snapshot/locate.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** 0-based lines of the source. */
export interface LinePin {
  readonly before: number;
  readonly after: number;
}

/** Instructions of the function that stand in the pins' lines; those without one are dropped. */
export function pinsOf(snapshot: Snapshot, view: FunctionView, pins: readonly LinePin[] = []): Pin[] {
  const at = (line: number): InstrId =>
    line < snapshot.text.lineCount ? instrOnLine(snapshot, view, { line, character: 0 }) : -1;
  return pins
    .map(({ before, after }) => ({ before: at(before), after: at(after) }))
    .filter((p) => p.before >= 0 && p.after >= 0 && p.before !== p.after);
}

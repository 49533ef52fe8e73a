/** Live intervals of a function for the verifier and for who prints around passes, where a pass has computed them and let them go. */
import { IntervalEditor } from '../analysis/edit/intervalEditor.js';
import { ReservedRegs } from '../analysis/reservedRegs.js';
import { SlotIndexes } from '../analysis/slotIndexes.js';
import type { KnownIntervals } from '../analysis/verifier/index.js';
import { FunctionEditor } from '../model/edit/functionEditor.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { UnitRanges } from './regalloc/unitRanges.js';

/** A copy of a function with the live intervals that llc computes, and what it marks while it does; or with slot indexes alone. */
export function analysedCopy(
  fn: MachineFunction,
  what: 'live intervals' | 'slot indexes' = 'live intervals',
): { readonly fn: MachineFunction; readonly known: KnownIntervals } {
  const own = fn.clone();
  const intervals = new IntervalEditor(new FunctionEditor(own), new SlotIndexes(own));
  const { slots, editor } = intervals;
  const reserved = new ReservedRegs(own);
  const units = new UnitRanges({ fn: own, tables: own.tables, slots, editor, lis: intervals, reserved });
  if (what === 'live intervals') {
    intervals.computeAll();
    units.computeLiveIns();
  }
  return { fn: own, known: { intervals, unitRange: (unit) => units.known(unit) } };
}

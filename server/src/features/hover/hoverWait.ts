/** Hover on a wait: the instructions whose results it waits for, how far back they are, and who needs them. */
import { awaitedBy, firstTouch, type AwaitedInstr, type Waits } from '../../analysis/waits.js';
import type { InstrId } from '../../model/machineFunction.js';
import type { CounterWait } from '../../model/waitMnemonics.js';
import { oneLine } from '../../text/visible.js';
import { rich, type Markdown } from '../words/markdown.js';
import { plural } from '../words/numbers.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

const MAX_SHOWN = 3;
const MAX_COUNTERS = 3;

/** A line for each counter, none for what is no wait. */
export function waitLines(snapshot: Snapshot, view: FunctionView, i: InstrId): Markdown[] {
  const { fn } = view;
  const source = fn?.source;
  const waits = fn === null || !fn.tables.isAMDGCN ? null : awaitedBy(fn, i);
  if (!fn || !source || waits === null) return [];
  return waits.counters.slice(0, MAX_COUNTERS).map((wait) => counterLine(snapshot, view, i, wait, waits));
}

function counterLine(
  snapshot: Snapshot,
  view: FunctionView,
  i: InstrId,
  { counter, left }: CounterWait,
  { awaited, isPartial }: Waits,
): Markdown {
  const own = awaited.filter((one) => one.counter === counter);
  const name = left === 0 ? counter : `${counter} ${left}`;
  if (own.length === 0)
    return isPartial ? rich`${name}: what it waits for is too far back` : rich`${name}: nothing is under way here`;
  const told = own.slice(0, MAX_SHOWN).map((one) => instrText(snapshot, view, i, one));
  const more = own.length > MAX_SHOWN ? ` and ${own.length - MAX_SHOWN} more` : '';
  const stay = left > 0 ? ` (${plural(left, 'younger one')} may go on)` : '';
  return rich`**waits for** ${name}: ${told.join('; ')}${more}${stay}`;
}

/** `GLOBAL_LOAD_DWORDX4 of line 12, 14 instructions before, for line 40` */
function instrText(snapshot: Snapshot, view: FunctionView, wait: InstrId, { instr, distance }: AwaitedInstr): string {
  const fn = view.fn!;
  const lineOf = (of: InstrId): number => snapshot.text.lineAt(view.start + fn.source!.instrRange(of).start) + 1;
  const reader = firstTouch(fn, wait, instr);
  const far = distance === 0 ? 'just before' : `${plural(distance, 'instruction')} between`;
  const need = reader < 0 ? '' : `, needed in line ${lineOf(reader)}`;
  return `${oneLine(fn.tables.opcodeName(fn.opcode[instr]!))} of line ${lineOf(instr)} (${far}${need})`;
}

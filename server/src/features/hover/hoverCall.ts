/** Hover on a call: what lives across it in physical registers, what of that is lost, what else of the function's registers it overwrites. */
import { preservedUnits, usedUnits } from '../../analysis/callClobbers.js';
import type { InstrId } from '../../model/machineFunction.js';
import { BitSet } from '../../util/bitset.js';
import { callsOf, maskText, registersText } from '../allocation/callCrossings.js';
import { rich, type Markdown } from '../words/markdown.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** At most three lines, none for what is no call with a register mask. */
export function callLines(snapshot: Snapshot, view: FunctionView, i: InstrId): Markdown[] {
  const { fn } = view;
  const source = fn?.source;
  const crossing = fn === null ? undefined : callsOf(view, fn).crossings.find((one) => one.call === i);
  if (!fn || !source || crossing === undefined) return [];
  const lost = callsOf(view, fn).lost.filter((one) => one.call === i);
  const kept = new BitSet(crossing.across.size);
  kept.copyFrom(crossing.across);
  kept.subtract(crossing.lost);
  const clobbered = usedUnits(fn);
  clobbered.subtract(preservedUnits(fn, crossing.mask));
  const mask = maskText(fn, crossing.mask);
  const across = registersText(fn, kept);
  const overwritten = registersText(fn, clobbered);
  const lines = [
    across === ''
      ? rich`nothing lives across in physical registers`
      : rich`lives across: ${across}, preserved by ${mask}`,
  ];
  if (lost.length > 0) {
    const told = lost.slice(0, MAX_LOST).map(({ reg, read }) => {
      const line = snapshot.text.lineAt(view.start + source.instrRange(read).start) + 1;
      return `$${fn.tables.regName(reg)} (read at ${line})`;
    });
    const more = lost.length > MAX_LOST ? ` and ${lost.length - MAX_LOST} more` : '';
    lines.push(rich`**lost**: ${told.join(', ')}${more}`);
  }
  if (overwritten !== '') lines.push(rich`overwrites, of the registers of this function: ${overwritten}`);
  return lines;
}

/** Lost registers that are named. */
const MAX_LOST = 4;

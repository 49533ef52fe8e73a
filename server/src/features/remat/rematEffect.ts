/**
 * What an edit of rematerializations does to pressure and occupancy: both recomputed on the edited text, nothing estimated.
 */
import { Bank, PressureSummary } from '../../analysis/summary.js';
import type { InstrId } from '../../model/machineFunction.js';
import { Severity } from '../../text/diagnostic.js';
import type { RematAnalysis } from '../../passes/scheduler/remat/advice/analysis.js';
import { BANKS, type RegionChange, type RematEffect } from '../../passes/scheduler/remat/advice/effect.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import type { RematEdit } from './rematEdit.js';

/** Null when the edited function would not be well-formed. Costs one analysis of the function. */
export function recomputeEffect(
  snapshot: Snapshot,
  view: FunctionView,
  { regionOf, regions }: RematAnalysis['candidates'],
  edit: RematEdit,
): RematEffect | null {
  const { fn, summary } = view;
  const after = snapshot.after(edit.edits).functions[snapshot.functions.indexOf(view)];
  const summaryAfter = after?.summary;
  if (!fn || !summary || !after || !summaryAfter) return null;
  if (errors(after) > errors(view)) return null;
  const was = regions.map(() => [0, 0, 0]);
  const is = regions.map(() => [0, 0, 0]);
  // Ids follow the text on both sides: walk both in step.
  let copy = 0;
  let removed = 0;
  let now: InstrId = 0;
  const note = (table: number[][], s: PressureSummary, region: number, i: InstrId): void => {
    const row = table[region];
    if (row) for (const bank of BANKS) row[bank] = Math.max(row[bank]!, PressureSummary.count(s.up.at, bank, i));
  };
  for (let i = 0; i < fn.nInstrs; i++) {
    const region = regionOf[i]!;
    for (let at = edit.copies[copy]; at?.before === i; at = edit.copies[++copy])
      note(is, summaryAfter, at.region, now++);
    note(was, summary, region, i);
    if (edit.removed[removed] === i) removed++;
    else note(is, summaryAfter, region, now++);
  }
  const changes: RegionChange[] = [];
  was.forEach((before, region) => {
    const row = is[region]!;
    if (BANKS.some((bank) => before[bank] !== row[bank])) changes.push({ region, before, after: row });
  });
  return {
    occupancyBefore: summary.occupancy.occupancy,
    occupancyAfter: summaryAfter.occupancy.occupancy,
    before: BANKS.map((bank) => summary.peaks[bank]!.value),
    after: BANKS.map((bank) => summaryAfter.peaks[bank]!.value),
    regions: changes,
  };
}

const errors = (view: FunctionView): number => view.diagnostics.filter((d) => d.severity === Severity.Error).length;

const NAMES: Readonly<Record<number, string>> = { [Bank.SGPR]: 'SGPR', [Bank.VGPR]: 'VGPR', [Bank.AGPR]: 'AGPR' };

/** `VGPR -1 in 3 regions, occupancy 7 to 8` */
export function effectText(effect: RematEffect): string {
  const parts: string[] = [];
  for (const bank of [Bank.VGPR, Bank.AGPR, Bank.SGPR]) {
    const deltas = effect.regions.map((r) => r.after[bank]! - r.before[bank]!);
    for (const sign of [-1, 1]) {
      const own = deltas.filter((d) => Math.sign(d) === sign).map((d) => Math.abs(d));
      if (own.length === 0) continue;
      const [least, most] = [Math.min(...own), Math.max(...own)];
      const amount = `${sign < 0 ? '-' : '+'}${least}${least === most ? '' : ` to ${sign < 0 ? '-' : '+'}${most}`}`;
      parts.push(`${NAMES[bank]} ${amount} in ${own.length === 1 ? '1 region' : `${own.length} regions`}`);
    }
  }
  if (parts.length === 0) parts.push('no region changes its live peak');
  const { occupancyBefore, occupancyAfter } = effect;
  parts.push(
    occupancyBefore === occupancyAfter
      ? `occupancy stays ${occupancyAfter}`
      : `occupancy ${occupancyBefore} to ${occupancyAfter}`,
  );
  return parts.join(', ');
}

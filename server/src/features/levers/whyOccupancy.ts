/** Why llc ends with so few waves, and what would help, as a report whose levers can be applied and compared. */
import type { Position } from 'vscode-languageserver-types';
import { usualSettings } from '../../program/sweep.js';
import { targetLabel } from '../../program/targetOfFile.js';
import { whyOf, type LeverChange } from '../../program/why.js';
import { linkedReport } from '../../program/whyReportText.js';
import { oneLine } from '../../text/visible.js';
import type { ProgressToken } from '../../util/cancellation.js';
import { llvmText, type Elsewhere, type Snapshot } from '../snapshot/snapshot.js';
import { patiently, sweepOf, viewAt, whyNothing } from './keptSweep.js';
import { textLevers } from './textLevers.js';

export interface WhyOccupancy {
  readonly function: string;
  readonly text: string;
  /** parts of the text, by offsets, ascending */
  readonly links: readonly {
    readonly start: number;
    readonly end: number;
    readonly does: 'apply' | 'compare';
    readonly change: LeverChange;
  }[];
}

/** `amdgpuMir/whyOccupancy` */
export function provideWhyOccupancy(
  snapshot: Snapshot,
  { position }: { readonly position: Position },
  token: ProgressToken,
): WhyOccupancy | Elsewhere | null {
  const view = viewAt(snapshot, position.line);
  const nothing = whyNothing(snapshot, view);
  if (view === null || nothing !== '') return { function: '', text: `${nothing}\n`, links: [] };
  const { name } = view;
  return patiently(snapshot, token, (checkpoint) => {
    const sweep = sweepOf(snapshot);
    token.report?.('other orders and registers');
    const report = whyOf({
      sweep,
      functionName: name,
      settings: usualSettings(snapshot.target, snapshot.model.release, sweep.hasModule),
      texts: textLevers(snapshot, view, token),
      checkpoint,
      tried: (done, all) => token.report?.(`${done} of ${all} levers`),
    });
    if (typeof report !== 'string')
      return { function: name, ...linkedReport(report, `${targetLabel(snapshot.target)}, ${llvmText(snapshot)}`) };
    return { function: name, text: `${oneLine(name)}: no outcome: ${oneLine(report)}\n`, links: [] };
  });
}

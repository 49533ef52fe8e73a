/** Edits that could lower what a function ends with: rematerializations and moves to the scalar unit, proposed by its pressure, and other orders of a region. What they come to is for others to compute. */
import { Bank } from '../../analysis/summary.js';
import { analyzeScalarization, scalarize, searchScalarization } from '../../passes/scalarize/scalarize.js';
import type { RematChoice } from '../../passes/scheduler/remat/advice/analysis.js';
import type { TextChange, TextLever } from '../../program/why.js';
import type { TextEdit } from '../../text/sourceText.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { errorsOf } from '../fixes/finding.js';
import { functionEdits } from '../fixes/functionEdits.js';
import { rematEdit } from '../remat/rematEdit.js';
import { schedulerPlan, wavePlans } from '../remat/rematPlans.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { nameOf } from '../words/registerNames.js';
import { otherOrders } from './otherOrders.js';

/** Registers that are tried alone. */
const MAX_ALONE = 8;

/** A lever with the edits that make its text. */
export interface EditedText extends TextLever {
  readonly edits: readonly TextEdit[];
}

/** Of a function without errors whose registers are virtual; none of another one. */
export function textLevers(snapshot: Snapshot, view: FunctionView, token: CancellationToken): EditedText[] {
  const { fn, summary } = view;
  if (!fn || !summary || errorsOf(view).length > 0 || summary.usedRegisters.kind !== 'virtual') return [];
  const levers: EditedText[] = [];
  const add = (change: TextChange, edits: readonly TextEdit[] | null): void => {
    if (edits === null || edits.length === 0) return;
    const text = edited(snapshot.text.text, edits);
    if (levers.every((lever) => lever.text !== text)) levers.push({ change, text, edits });
  };
  const names = (vregs: readonly number[]): string[] => vregs.map((v) => nameOf(fn, v));
  for (const choices of rematChoices(view, token)) {
    const registers = names(choices.map(({ candidate }) => candidate.vreg));
    add({ kind: 'rematerialize', registers }, rematEdit(snapshot, view, choices)?.edits ?? null);
  }
  for (const vregs of scalarSets(view))
    add({ kind: 'scalarize', registers: names(vregs) }, functionEdits(snapshot, view, scalarize(fn, vregs)));
  for (const { change, edits } of otherOrders(snapshot, view, token)) add(change, edits);
  return levers;
}

/** Do they name the same edit? */
export function sameChange(a: TextChange, b: TextChange): boolean {
  if (a.kind === 'reorder') return b.kind === 'reorder' && a.region === b.region && a.strategy === b.strategy;
  return a.kind === b.kind && a.registers.join() === b.registers.join();
}

export function edited(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let done = 0;
  for (const { start, end, text: put } of edits) {
    result += text.slice(done, start) + put;
    done = end;
  }
  return result + text.slice(done);
}

/** What the scheduler's stage would do, the smallest sets for more waves, those that free most at the peaks alone and together. */
function rematChoices(view: FunctionView, token: CancellationToken): (readonly RematChoice[])[] {
  const { remat } = view;
  if (remat === null) return [];
  const stage = schedulerPlan(view);
  const sets = [...(stage === null ? [] : [stage]), ...wavePlans(view, token)].map(({ choices }) => choices);
  const alone = remat.candidates.candidates
    .map((candidate) => {
      const { before, after } = remat.effectOf(candidate);
      return { candidate, freed: before[Bank.VGPR]! - after[Bank.VGPR]! + (before[Bank.SGPR]! - after[Bank.SGPR]!) };
    })
    .filter(({ freed }) => freed > 0)
    .sort((a, b) => b.freed - a.freed)
    .slice(0, MAX_ALONE)
    .map(({ candidate }) => remat.choiceOf(candidate));
  return [...sets, ...(alone.length > 1 ? [alone] : []), ...alone.map((choice) => [choice])];
}

/** The smallest set that frees registers at the peak, and all that could move. */
function scalarSets({ fn, lanes, summary }: FunctionView): (readonly number[])[] {
  if (!fn || !lanes || !summary) return [];
  const analysis = analyzeScalarization(fn, lanes);
  const smallest = searchScalarization(summary, analysis);
  const all = [...new Set(analysis.candidates.flatMap(({ closure }) => closure))];
  return [...(smallest === null ? [] : [smallest]), ...(all.length === 0 ? [] : [all])];
}

/** An instruction before the one above it, where no dependence says otherwise. */
import type { CancellationToken } from '../../util/cancellation.js';
import { instrOnLine } from '../locate.js';
import type { Refactoring, RefactorPlace } from './refactoring.js';

/** Why not, where there is an instruction above that could stand below. */
export interface Obstacle {
  readonly title: string;
  readonly reason: string;
}

export function swapWithLineAbove(
  { snapshot, view, offset }: RefactorPlace,
  token: CancellationToken,
): Refactoring | Obstacle | null {
  const { fn } = view;
  const { text } = snapshot;
  const line = text.lineAt(offset);
  const i = instrOnLine(snapshot, view, text.positionAt(offset));
  const source = fn?.source;
  if (!fn || !source || i <= 0 || fn.instrBlock[i] !== fn.instrBlock[i - 1]) return null;
  const above = source.instrRange(i - 1);
  const own = source.instrRange(i);
  const isOneLine = (r: { start: number; end: number }, at: number): boolean =>
    text.lineAt(view.start + r.start) === at && text.lineAt(view.start + r.end) === at;
  if (!isOneLine(own, line) || !isOneLine(above, line - 1) || (fn.bundle[i]! | fn.bundle[i - 1]!) !== 0) return null;
  const state = view.dependencesOf(i, token);
  if (state.kind !== 'ready' || state.found === null) return null;
  const title = 'Swap with the line above';
  const before = state.found.predecessors.filter((p) => p.instr === i - 1);
  if (before.length > 0) return { title, reason: reasonOf(before[0]!, fn) };
  const slice = (r: { start: number; end: number }): string => text.slice(view.start + r.start, view.start + r.end);
  return {
    title,
    keeps: 'errors',
    edits: [
      { start: view.start + above.start, end: view.start + above.end, text: slice(own) },
      { start: view.start + own.start, end: view.start + own.end, text: slice(above) },
    ],
  };
}

const KIND_WORDS = ['it reads', 'the line above reads', 'both write'];

function reasonOf(
  { kind, reg }: { kind: number; reg: number },
  { vregs, tables }: NonNullable<RefactorPlace['view']['fn']>,
): string {
  const words = KIND_WORDS[kind];
  if (words === undefined || reg === 0) return 'they have to stay in order: memory or side effects';
  const v = ~reg;
  const name = reg > 0 ? `$${tables.regName(reg)}` : `%${vregs.name[v] ?? vregs.sourceNumber[v]! >>> 0}`;
  return `${words} ${name}${kind === 0 ? ' of the line above' : ''}`;
}

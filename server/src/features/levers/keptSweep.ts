/** What several questions about one version of a document ask of it: which rows are known, and which edits are levers. */
import { Sweep } from '../../program/sweep.js';
import { whyUncounted } from '../../program/targetOfFile.js';
import { Cancelled, type ProgressToken } from '../../util/cancellation.js';
import { ELSEWHERE, type Elsewhere, type FunctionView, type Snapshot } from '../snapshot/snapshot.js';
import { MemoryKey } from '../snapshot/memory.js';

interface KeptSweep {
  readonly text: string;
  readonly of: string;
  readonly sweep: Sweep;
}

const SWEEP = new MemoryKey<KeptSweep>('sweep of its text');

/** Of the last version that somebody asked about. */
export function sweepOf({ text: { text }, target, model, settings, memory }: Snapshot): Sweep {
  const of = JSON.stringify([target, model.model, settings.stage]);
  const known = memory.known(SWEEP);
  if (known?.text === text && known.of === of) return known.sweep;
  return memory.keep(SWEEP, { text, of, sweep: new Sweep(text, target, model.model, settings.stage) }).sweep;
}

export const viewAt = (snapshot: Snapshot, line: number): FunctionView | null =>
  snapshot.functionAt(snapshot.text.offsetAt({ line, character: 0 })) ?? snapshot.functions[0] ?? null;

/** Why nothing is computed of a function, '' where something is. */
export function whyNothing({ target }: Snapshot, view: FunctionView | null): string {
  if (whyUncounted(target) !== '') return whyUncounted(target);
  return view === null ? 'no function here' : '';
}

/** Work that only the patient worker does; null: it was cancelled. */
export function patiently<T>(
  snapshot: Snapshot,
  token: ProgressToken,
  work: (checkpoint: () => void) => T,
): T | Elsewhere | null {
  if (snapshot.limited(token) !== token) return ELSEWHERE;
  try {
    return work(() => {
      if (token.isCancelled()) throw new Cancelled();
    });
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    return null;
  }
}

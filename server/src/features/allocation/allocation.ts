/** The function at a position with its registers allocated, as text for a diff. */
import type { Position } from 'vscode-languageserver-types';
import type { ProgressToken } from '../../util/cancellation.js';
import { oneLine } from '../../text/visible.js';
import { whyUncounted } from '../../program/targetOfFile.js';
import {
  llvmText,
  ELSEWHERE,
  targetText,
  type Elsewhere,
  type FunctionView,
  type Snapshot,
} from '../snapshot/snapshot.js';
import { allocatedDocument } from './allocatedDocument.js';
import type { ExpectedOccupancy } from '../words/allocatedUseText.js';
import { allocatedText } from './allocationWords.js';

export interface AllocationParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

export interface AllocatedText {
  readonly function: string;
  /** e.g. `gfx90a wave64, LLVM 22.1.8` */
  readonly target: string;
  /** the whole document with this function allocated; null when that cannot be told */
  readonly text: string | null;
  /** one line: registers, spills, occupancy; or why there is no text */
  readonly summary: string;
}

export function allocatedViewAt(snapshot: Snapshot, position: Position): FunctionView | null {
  return snapshot.functionAt(snapshot.text.offsetAt(position)) ?? snapshot.functions[0] ?? null;
}

/** Why a function is not allocated: its first error where `why` is empty. */
export function notAllocated({ target }: Snapshot, view: FunctionView | null, why = ''): string {
  if (whyUncounted(target) !== '') return `not allocated: ${whyUncounted(target)}`;
  if (view === null) return 'no function here';
  if (why !== '') return `not allocated: ${why}`;
  const first = view.diagnostics[0];
  return first === undefined ? 'this function has no body to allocate' : `not allocated: ${oneLine(first.message)}`;
}

/** Waves that were expected before registers were allocated. */
export function expectedOccupancy(view: FunctionView): ExpectedOccupancy | null {
  const { summary, fn, allocationSetting } = view;
  if (summary === null || fn === null) return null;
  if (allocationSetting.isBeforeScheduler) {
    const schedule = view.quickSchedule;
    return schedule === null ? null : { waves: schedule.trace.occupancyAfter, by: 'scheduler' };
  }
  const { hasOwnOccupancy, occupancy } = fn.header.machineFunctionInfo;
  // In a file of which nobody says that it was scheduled the number is that of instruction selection, which knows no registers.
  return hasOwnOccupancy && allocationSetting.isAfterScheduler
    ? { waves: occupancy, by: 'header' }
    : { waves: summary.occupancy.occupancy, by: 'pressure' };
}

export const allocationTarget = (snapshot: Snapshot, view: FunctionView | null): string =>
  `${targetText(snapshot, view)}, ${llvmText(snapshot)}`;

/** `amdgpuMir/allocatedText` */
export function provideAllocatedText(
  snapshot: Snapshot,
  { position }: AllocationParams,
  token: ProgressToken,
): AllocatedText | Elsewhere | null {
  const view = allocatedViewAt(snapshot, position);
  const answer = (text: string | null, summary: string): AllocatedText => ({
    function: view?.name ?? '',
    target: allocationTarget(snapshot, view),
    text,
    summary,
  });
  if (view === null) return answer(null, notAllocated(snapshot, null));
  const state = view.allocate(token);
  if (state.kind === 'cancelled') return null;
  if (state.kind === 'large') return ELSEWHERE;
  if (state.kind === 'none') return answer(null, notAllocated(snapshot, view, state.why));
  const { allocated } = state;
  const source = snapshot.text.text;
  const text = source.slice(0, view.start) + allocatedDocument(view, allocated, snapshot.text) + source.slice(view.end);
  return answer(text, allocatedText(allocated, expectedOccupancy(view)));
}

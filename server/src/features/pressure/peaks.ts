/** `amdgpuMir/peaks`: where the pressure of each bank is at a peak, for "next peak", "previous peak" and marks beside the text. */
import type { Position } from 'vscode-languageserver-types';
import { pressurePeaks } from '../../analysis/pressurePeaks.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { BANKS, placeIn } from '../words/pressureText.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

export interface PeaksParams {
  readonly textDocument: { readonly uri: string };
  /** functions that end above this line are left out; default 0 */
  readonly fromLine?: number;
  /** functions that begin below this line are left out; default none */
  readonly toLine?: number;
}

/** A part of the answer, so that a file of many functions keeps nobody waiting. */
export interface PeaksResult {
  readonly functions: readonly FunctionPeaks[];
  /** ask again from here; null = that is all */
  readonly nextLine: number | null;
}

export interface PeakInfo {
  readonly position: Position;
  /** registers, amdgpu-print-rp's number */
  readonly value: number;
  /** e.g. `bb.1:15` */
  readonly place: string;
  /** no other peak of the bank in this function is higher; the first of equal ones */
  readonly isHighest: boolean;
}

export interface FunctionPeaks {
  readonly function: string;
  /** lines of the function's document, last one included */
  readonly firstLine: number;
  readonly lastLine: number;
  /** only banks that are used; peaks in the order of the text */
  readonly banks: readonly { readonly bank: string; readonly peaks: readonly PeakInfo[] }[];
}

/** One answer ends with the function that reaches it. */
const INSTRS_PER_ANSWER = 4000;

/** Functions in order. One that is broken just now has the peaks of its last good version, where their lines are unchanged. */
export function providePeaks(
  snapshot: Snapshot,
  { fromLine = 0, toLine = Infinity }: PeaksParams,
  token: CancellationToken,
): PeaksResult {
  const from = snapshot.text.offsetAt({ line: Math.max(0, fromLine), character: 0 });
  const functions: FunctionPeaks[] = [];
  let nInstrs = 0;
  for (const view of snapshot.functions) {
    if (view.end <= from) continue;
    if (toLine < snapshot.text.lineAt(view.start)) break;
    if (token.isCancelled() || INSTRS_PER_ANSWER <= nInstrs)
      return { functions, nextLine: snapshot.text.lineAt(view.start) };
    functions.push(peaksOf(snapshot, view));
    nInstrs += view.fn?.nInstrs ?? 0;
  }
  return { functions, nextLine: null };
}

function peaksOf(snapshot: Snapshot, view: FunctionView): FunctionPeaks {
  const { stale } = view;
  const summary = view.summary ?? stale?.summary ?? null;
  const source = summary?.fn.source;
  const banks = BANKS.flatMap(([bank, name]) => {
    if (!summary || !source) return [];
    const peaks = pressurePeaks(summary, bank);
    const highest = Math.max(0, ...peaks.map((p) => p.value));
    const first = peaks.findIndex((p) => p.value === highest);
    const infos = peaks.flatMap(({ instr, value }, k): PeakInfo[] => {
      const range = source.instrRange(instr);
      const at = stale ? stale.toNew(range.start, range.end) : range.start;
      if (at < 0) return [];
      const position = snapshot.text.positionAt(view.start + at);
      return [{ position, value, place: placeIn(summary, instr), isHighest: k === first }];
    });
    return infos.length === 0 ? [] : [{ bank: name, peaks: infos }];
  });
  return {
    function: view.name,
    firstLine: snapshot.text.lineAt(view.start),
    lastLine: snapshot.text.lineAt(Math.max(view.start, view.end - 1)),
    banks,
  };
}

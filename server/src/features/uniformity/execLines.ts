/** `amdgpuMir/execLines`: which lines of a range run with fewer lanes than the function began with, or with all of the wave, for a mark beside the text. */
import type { Range } from 'vscode-languageserver-types';
import { ExecChange } from '../../analysis/uniformity/execChanges.js';
import { execRegions, type ExecRegion } from '../../analysis/uniformity/execRegions.js';
import type { BlockId, InstrId, MachineFunction } from '../../model/machineFunction.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { MemoryKey } from '../snapshot/memory.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

export interface ExecLinesParams {
  readonly textDocument: { readonly uri: string };
  readonly range: Range;
}

/** Columns with an entry per line whose EXEC is not that of the function's beginning; where a line has several instructions, the first counts. */
export interface ExecLines {
  readonly line: number[];
  /** changes of EXEC that have taken lanes away and not given them back */
  readonly narrowed: number[];
  /** 1 = all lanes of the wave run */
  readonly whole: number[];
}

const EXEC_REGIONS = new MemoryKey<readonly ExecRegion[]>('regions of EXEC');

const regionsOf = ({ memory, lanes }: FunctionView): readonly ExecRegion[] =>
  lanes === null ? [] : memory.of(EXEC_REGIONS, () => execRegions(lanes));

export function provideExecLines(snapshot: Snapshot, { range }: ExecLinesParams, token: CancellationToken): ExecLines {
  const out: ExecLines = { line: [], narrowed: [], whole: [] };
  const start = snapshot.text.offsetAt({ line: range.start.line, character: 0 });
  const end = snapshot.text.offsetAt({ line: range.end.line, character: 0x7fffffff });
  for (const view of snapshot.functions) {
    if (view.end <= start || end < view.start) continue;
    if (token.isCancelled()) break;
    addLines(snapshot, view, start, end, out);
  }
  return out;
}

function addLines(snapshot: Snapshot, view: FunctionView, start: number, end: number, out: ExecLines): void {
  const { fn, start: base } = view;
  if (!fn?.source) return;
  const regions = regionsOf(view);
  if (regions.length === 0) return;
  const n = fn.blockEnd[fn.blocks.length - 1]!;
  /** changes of the two counts, by place */
  const narrowed = new Int32Array(n + 1);
  const whole = new Int32Array(n + 1);
  for (const { change, spans } of regions) {
    const column = change === ExecChange.Narrowed ? narrowed : whole;
    for (const [from, to] of spans) {
      column[from]!++;
      column[to]!--;
    }
  }
  for (let p = 0, few = 0, all = 0; p < n; p++) {
    few += narrowed[p]!;
    all += whole[p]!;
    if (few === 0 && all === 0) continue;
    const at = base + fn.source.instrRange(fn.order[p]!).start;
    if (at < start) continue;
    if (end < at) break;
    const line = snapshot.text.lineAt(at);
    if (out.line.at(-1) === line) continue;
    out.line.push(line);
    out.narrowed.push(few);
    out.whole.push(all > 0 ? 1 : 0);
  }
}

/** The region that an instruction begins, null if it begins none. */
export function regionFrom(view: FunctionView, i: InstrId): ExecRegion | null {
  return regionsOf(view).find((region) => region.begin === i) ?? null;
}

/** Regions that go on from one end of a block to the other. */
export function regionsAround(view: FunctionView, fn: MachineFunction, b: BlockId): ExecRegion[] {
  const [from, to] = [fn.blockBegin[b]!, fn.blockEnd[b]!];
  return to === from ? [] : regionsOf(view).filter(({ spans }) => spans.some((s) => s[0] <= from && to <= s[1]));
}

/** `amdgpuMir/sourceLines`: pressure, instructions and spills by lines of the source, and where the instructions of each stand in the text. */
import { MetadataNames } from '../../model/printer/metadataNames.js';
import { SourceLines, type SourceLine } from '../../program/sourceLines.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { MemoryKey } from '../snapshot/memory.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

export interface LineOfSource extends SourceLine {
  readonly function: string;
  /** the folder that `file` is named from, as the metadata has it; may be empty */
  readonly folder: string;
  /** the function has no line with more VGPRs */
  readonly isPeak: boolean;
  /** 0-based, ascending: lines of the document with an instruction of this one */
  readonly mirLines: readonly number[];
}

/** `lines`: by function, then by file, line and calls; empty without debug locations. */
export interface LinesOfSource {
  readonly lines: readonly LineOfSource[];
}

/** What follows from a function and its module; places are those in its document. */
interface Known {
  readonly lines: SourceLines;
  readonly starts: ReadonlyMap<SourceLine, readonly number[]>;
  readonly folders: ReadonlyMap<string, string>;
}

const LINES = new MemoryKey<Known | null>('lines of the source');

export function provideLinesOfSource(snapshot: Snapshot, _: unknown, token: CancellationToken): LinesOfSource {
  const lines: LineOfSource[] = [];
  const names = new Map<unknown, { readonly names: MetadataNames; readonly folders: ReadonlyMap<string, string> }>();
  for (const view of snapshot.functions) {
    if (token.isCancelled()) break;
    const known = view.memory.of(LINES, () => {
      let module = names.get(view.module);
      if (module === undefined) {
        const own = new MetadataNames(view.module);
        names.set(view.module, (module = { names: own, folders: own.folders() }));
      }
      return linesOf(view, module.names, module.folders);
    });
    if (known === null) continue;
    const { knownAllocation } = view;
    if (knownAllocation !== null && typeof knownAllocation !== 'string') known.lines.addSpills(knownAllocation.framed);
    const own = known.lines.sorted();
    const most = Math.max(0, ...own.map(({ maxVgpr }) => maxVgpr));
    for (const line of own) {
      const mirLines = (known.starts.get(line) ?? []).map((start) => snapshot.text.lineAt(view.start + start));
      lines.push({
        ...line,
        function: view.name,
        folder: known.folders.get(line.file) ?? '',
        isPeak: line.maxVgpr === most,
        mirLines: [...new Set(mirLines)].sort((a, b) => a - b),
      });
    }
  }
  return { lines };
}

function linesOf(
  { fn, summary, module }: FunctionView,
  names: MetadataNames,
  folders: ReadonlyMap<string, string>,
): Known | null {
  const source = fn?.source;
  if (!fn || !source || module === null || summary?.usedRegisters.kind !== 'virtual') return null;
  const lines = new SourceLines(names);
  const starts = new Map<SourceLine, number[]>();
  lines.addPressure(summary, (line, i) => {
    const { start } = source.instrRange(i);
    const own = starts.get(line);
    if (own === undefined) starts.set(line, [start]);
    else own.push(start);
  });
  return { lines, starts, folders };
}

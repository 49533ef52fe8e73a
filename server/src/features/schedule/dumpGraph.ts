/** The scheduling graph that Triton appends to a dump, beside that of the model (program/tritonGraph.ts). */
import { compareDump, comparisonText } from '../../program/tritonGraph.js';
import { oneLine } from '../../text/visible.js';
import type { Snapshot } from '../snapshot/snapshot.js';

export interface DumpGraph {
  /** why there is none; else '' */
  readonly problem: string;
  /** that the graphs are equal, or the first difference */
  readonly summary: string;
  readonly isEqual: boolean;
  /** the model's graph in Triton's form; null = no graph */
  readonly ours: string | null;
  /** the file's, with the registers of its text, in the order of ours */
  readonly theirs: string | null;
}

/** `amdgpuMir/dumpGraph`: of the whole document. */
export function provideDumpGraph(snapshot: Snapshot): DumpGraph {
  const found = compareDump(snapshot.text.text, '');
  if (typeof found === 'string')
    return { problem: oneLine(found), summary: '', isEqual: false, ours: null, theirs: null };
  const { text, theirs, first } = found;
  return {
    problem: '',
    summary: `${found.function}: ${comparisonText(found).trimEnd()}`,
    isEqual: first === null,
    ours: text,
    theirs,
  };
}

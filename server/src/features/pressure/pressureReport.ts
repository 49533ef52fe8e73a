/** The register pressure of a function as `llc -run-pass=amdgpu-print-rp` prints it, for pasting into a review. */
import type { Position } from 'vscode-languageserver-types';
import { printRegisterPressure } from '../../passes/printRp/printRegisterPressure.js';
import { InstrPrinter, MetadataNames } from '../../model/printer/index.js';
import { Severity } from '../../text/diagnostic.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { whyUncounted } from '../../program/targetOfFile.js';
import { oneLine } from '../../text/visible.js';

export interface PressureReportParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

export interface PressureReport {
  /** name of the function; '' where none stands */
  readonly function: string;
  /** the report, or null when there is none */
  readonly text: string | null;
  /** why there is none, else '' */
  readonly problem: string;
}

/** `amdgpuMir/pressureReport`: of the function at `position`, else of the first one. */
export function providePressureReport(snapshot: Snapshot, { position }: PressureReportParams): PressureReport {
  const view = snapshot.functionAt(snapshot.text.offsetAt(position)) ?? snapshot.functions[0];
  if (!view) return { function: '', text: null, problem: 'no function here' };
  const { name, fn, summary } = view;
  const uncounted = whyUncounted(snapshot.target);
  if (uncounted !== '') return { function: name, text: null, problem: uncounted };
  if (!fn || !summary) {
    const first = view.diagnostics.find((d) => d.severity === Severity.Error);
    return { function: name, text: null, problem: oneLine(first?.message.split('\n')[0] ?? 'it has no body') };
  }
  const debugNames = new MetadataNames(view.module);
  let printer: InstrPrinter | null = null;
  const text = printRegisterPressure(fn, {
    printInstr: (f, i) => (printer ??= new InstrPrinter(f, { standalone: true, debugNames })).printInstr(i),
  });
  return { function: name, text, problem: '' };
}

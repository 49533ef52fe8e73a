/** Occupancy and peaks of functions on several targets, side by side (`amdgpuMir/compareTargets`). */
import type { Position } from 'vscode-languageserver-types';
import { Bank, type PressureSummary } from '../../analysis/summary.js';
import { Severity } from '../../text/diagnostic.js';
import { oneLine } from '../../text/visible.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { BANKS, limiterText, nextWaveText, placeOf, usedRegistersText } from '../words/pressureText.js';
import { targetTable, type TargetNumbers } from './targetTable.js';
import { llvmText, fileSaysOf, subtargetText, type FunctionView, type Snapshot } from '../snapshot/snapshot.js';
import { isSameTarget, whyUncounted, targetLabel, type TargetOptions } from '../../program/targetOfFile.js';
import { isUnmodelled } from '../../program/targetTriple.js';

export interface CompareParams {
  /** of the function; absent = all functions of the file */
  readonly position?: Position;
  /** besides those of the RUN lines and of `amdgpu-mir.target.compare` */
  readonly targets?: readonly AskedTarget[];
}

/** What is left out is the file's. */
type AskedTarget = Pick<TargetOptions, 'cpu'> & { readonly [K in 'triple' | 'features']?: TargetOptions[K] };

export interface TargetRow extends TargetNumbers {
  /** 0-based line of the RUN line, -1 if none */
  readonly line: number;
}

export interface ComparedFunction {
  readonly name: string;
  /** 0-based */
  readonly line: number;
  /** `file says gfx942`; empty where its own target is in no row that was chosen instead */
  readonly fileSays: string;
  readonly rows: readonly TargetRow[];
}

export interface TargetComparison {
  readonly functions: readonly ComparedFunction[];
  /** the same as a plain text table */
  readonly text: string;
}

/** More targets make a table that nobody reads. */
const MAX_TARGETS = 16;

interface Asked extends TargetOptions {
  readonly line: number;
}

export function provideTargetComparison(
  snapshot: Snapshot,
  { position, targets = [] }: CompareParams,
  token: CancellationToken,
): TargetComparison {
  const chosen = position ? snapshot.functionAt(snapshot.text.offsetAt(position)) : null;
  const indexes = snapshot.functions.flatMap((view, k) => (position && view !== chosen ? [] : [k]));
  const columns = askedTargets(snapshot, targets).map((asked) => ({ asked, other: snapshot.withTarget(asked) }));
  const functions: ComparedFunction[] = [];
  for (const k of indexes) {
    if (token.isCancelled()) break;
    const view = snapshot.functions[k]!;
    const line = snapshot.text.positionAt(view.nameRange?.start ?? view.start).line;
    const says = columns.map(({ other }) => fileSaysOf(other, other.functions[k]!)).find((text) => text !== '');
    functions.push({
      name: view.name,
      line,
      fileSays: says ?? '',
      rows: columns.map(({ asked, other }) => rowOf(other, other.functions[k]!, asked)),
    });
  }
  return { functions, text: tableText(functions, llvmText(snapshot)) };
}

/** The file's own target first, then the other RUN lines', the setting's, the question's; each once. */
function askedTargets({ target, settings }: Snapshot, more: readonly AskedTarget[] | null): Asked[] {
  const { triple, cpu, features, release, isChosen = false, commands, commandIdx, namesProcessors } = target;
  const result: Asked[] = [];
  const add = (named: Asked): void => {
    const asked = { ...named, release };
    if (isUnmodelled(asked) || result.length === MAX_TARGETS) return;
    if (!result.some((r) => isSameTarget(r, asked))) result.push(asked);
  };
  add({ triple, cpu, features, isChosen, line: commands[commandIdx]?.firstLine ?? -1 });
  for (const c of commands) add({ triple: c.triple || triple, cpu: c.cpu, features: c.features, line: c.firstLine });
  for (const other of settings.compareWith)
    add({ triple, cpu: other, features: '', isChosen: namesProcessors, line: -1 });
  for (const { triple: own, cpu: other, features: on } of more ?? [])
    add({ triple: own || triple, cpu: other, features: on ?? '', isChosen: namesProcessors, line: -1 });
  return result;
}

function rowOf(snapshot: Snapshot, view: FunctionView, asked: Asked): TargetRow {
  const { summary } = view;
  const label = targetLabel(asked);
  const { line } = asked;
  const target = subtargetText(view.fn?.subtarget ?? snapshot.subtarget);
  if (summary?.usedRegisters.kind !== 'virtual')
    return {
      label,
      target,
      line,
      occupancy: -1,
      most: -1,
      limiter: '',
      nextWave: '',
      peaks: [],
      problem: summary ? usedRegistersText(summary.usedRegisters) : problemOf(snapshot, view),
    };
  const { occupancy, limits } = summary;
  return {
    label,
    target,
    line,
    occupancy: occupancy.occupancy,
    most: limits.subtarget.maxWavesPerEU,
    limiter: limiterText(occupancy),
    nextWave: nextWaveText(occupancy),
    peaks: peaksOf(snapshot, view, summary),
    problem: oneLine(snapshot.subtarget.problems[0] ?? ''),
  };
}

function peaksOf({ text }: Snapshot, { start }: FunctionView, { fn, peaks }: PressureSummary): TargetRow['peaks'] {
  return BANKS.flatMap(([bank, name]) => {
    const { value, instr } = peaks[bank as Bank]!;
    if (value === 0) return [];
    if (instr < 0) return [{ bank: name, value, place: '', line: 0 }];
    const line = text.lineAt(start + fn.source!.instrRange(instr).start) + 1;
    return [{ bank: name, value, place: placeOf(fn, instr), line }];
  });
}

function problemOf(snapshot: Snapshot, view: FunctionView): string {
  if (whyUncounted(snapshot.target) !== '') return whyUncounted(snapshot.target);
  const first = view.diagnostics.find((d) => d.severity === Severity.Error);
  if (!first) return 'no instructions that count';
  return `llc rejects line ${snapshot.text.positionAt(first.start).line + 1}: ${oneLine(first.message.split('\n')[0]!)}`;
}

/** One table per function; fit for a bug report. */
function tableText(functions: readonly ComparedFunction[], llvm: string): string {
  const tables = functions.map(({ name, fileSays, rows }) =>
    [oneLine(name) + (fileSays === '' ? '' : ` (${fileSays})`), ...targetTable(rows).map((line) => `  ${line}`)].join(
      '\n',
    ),
  );
  return `${tables.join('\n\n')}\n\n${llvm}, waves per EU\nlive peak: the most registers live at once (amdgpu-print-rp)\n`;
}

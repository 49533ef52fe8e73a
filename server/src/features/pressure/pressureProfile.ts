/**
 * The pressure along a function as data for a chart (`amdgpuMir/pressureProfile`): a number per instruction and bank, the limits of each
 * wave count, blocks and scheduling regions, and the same as a table of text.
 */
import type { AllocatedFile, ProfileSeries, ProfileBlock, ProfileRegion, PressureProfile } from './profileData.js';
import type { Position } from 'vscode-languageserver-types';
import { Bank, PressureSummary, mostSGPRsFor } from '../../analysis/summary.js';
import { BundleFlag, type InstrId } from '../../model/machineFunction.js';
import { InstrList } from '../../model/edit/instrList.js';
import { InstrRoles, formRegions } from '../../passes/scheduler/regions.js';
import { Severity } from '../../text/diagnostic.js';
import { oneLine } from '../../text/visible.js';
import { NEVER_CANCELLED, type ProgressToken } from '../../util/cancellation.js';
import { layoutOf } from '../snapshot/locate.js';
import { allocatedFiles } from './allocatedFiles.js';
import { momentsOf } from './profileMoments.js';
import {
  BANKS,
  excessText,
  limiterText,
  nextWaveText,
  placeOf,
  usedRegistersText,
  vectorCount,
} from '../words/pressureText.js';
import { llvmText, targetText, type FunctionView, type Snapshot } from '../snapshot/snapshot.js';
import { whyUncounted, targetLabel } from '../../program/targetOfFile.js';

/** Null where no function is. Lines of a function that is broken are those of the version that the numbers are of. */
export function providePressureProfile(
  snapshot: Snapshot,
  { position }: { position: Position },
  token: ProgressToken = NEVER_CANCELLED,
): PressureProfile | null {
  const view = snapshot.functionAt(snapshot.text.offsetAt(position)) ?? snapshot.functions[0];
  if (!view) return null;
  const { target } = snapshot;
  const head = {
    function: view.name,
    version: snapshot.version,
    target: targetText(snapshot, view),
    llvm: snapshot.subtarget.release.version,
    targets: target.commands.map(targetLabel),
    activeTarget: target.commandIdx,
    problem: view.summary ? usedRegistersText(view.summary.usedRegisters) : problemOf(snapshot, view),
  };
  const summary = view.summary ?? view.stale?.summary;
  if (!summary?.fn.source || summary.usedRegisters.kind !== 'virtual')
    return {
      ...head,
      lines: [],
      series: [],
      allocated: [],
      allocatedNote: '',
      moments: [],
      blocks: [],
      regions: [],
      headline: '',
      text: `${head.problem}\n`,
    };
  const points = pointsOf(summary);
  const series = seriesOf(summary, points);
  const blocks = blocksOf(snapshot, view, summary, points);
  const headline = headlineOf(snapshot, view, summary);
  const moments = view.summary && series[0] ? momentsOf(snapshot, view, view.summary, series[0].name, token) : [];
  const [allocated, allocatedNote] = view.summary ? allocatedOf(view, points, token) : [[], ''];
  const below = [...allocated.map((f) => f.text), ...(allocatedNote === '' ? [] : [allocatedNote])];
  // Of the only one the table says it.
  const then = (moments.length < 2 ? [] : moments).map(
    ({ name, most, held }) => `  ${series[0]!.name} ${name}: ${most}${held && `; ${held}`}\n`,
  );
  const title = `${oneLine(view.name)}, ${head.target}, ${llvmText(snapshot)}: ${headline}`;
  return {
    ...head,
    lines: linesOf(snapshot, view, summary, points),
    series,
    allocated,
    allocatedNote,
    moments,
    blocks,
    regions: regionsOf(summary, points),
    headline,
    text: `${tableText(title, series, blocks)}${below.map((line) => `  allocated: ${line}\n`).join('')}${then.join('')}`,
  };
}

/** The registers of the allocated function, where allocating it takes no longer than a request may; or why there are none. */
function allocatedOf(view: FunctionView, points: readonly InstrId[], token: ProgressToken): [AllocatedFile[], string] {
  const state = view.allocate(token);
  switch (state.kind) {
    case 'ready':
      return state.allocated.errors.length > 0
        ? [[], state.allocated.errors[0]!]
        : [allocatedFiles(state.allocated.fn, points), ''];
    case 'none':
      return [[], state.why];
    case 'large':
      return [[], 'takes too long for this view: "Show Allocated Function" has it'];
    case 'cancelled':
      return [[], ''];
  }
}

function problemOf(snapshot: Snapshot, view: FunctionView): string {
  if (whyUncounted(snapshot.target) !== '') return whyUncounted(snapshot.target);
  const first = view.diagnostics.find((d) => d.severity === Severity.Error);
  if (!first) return 'no instructions that count';
  return `llc rejects line ${snapshot.text.positionAt(first.start).line + 1}: ${oneLine(first.message.split('\n')[0]!)}`;
}

/** Instructions in layout order; members of bundles have the numbers of their header. */
function pointsOf({ fn }: PressureSummary): InstrId[] {
  const points: InstrId[] = [];
  for (const i of layoutOf(fn)) if ((fn.bundle[i]! & BundleFlag.BundledPred) === 0) points.push(i);
  return points;
}

function linesOf(
  { text }: Snapshot,
  view: FunctionView,
  { fn }: PressureSummary,
  points: readonly InstrId[],
): number[] {
  const source = fn.source!;
  return points.map((i) => text.lineAt(Math.min(view.start + source.instrRange(i).start, text.length)));
}

function seriesOf(summary: PressureSummary, points: readonly InstrId[]): ProfileSeries[] {
  const { limits, peaks } = summary;
  const st = limits.subtarget;
  const dyn = limits.dynamicVGPRBlockSize;
  const vector = limitsOf(st.maxWavesPerEU, (waves) => st.maxNumVGPRs(waves, dyn));
  const isScalarFree = st.occupancyWithNumSGPRs(st.addressableNumSGPRs) === st.occupancyWithNumSGPRs(0);
  const scalar = isScalarFree ? [] : limitsOf(st.maxWavesPerEU, (waves) => mostSGPRsFor(waves, limits));
  const isUnified = st.hasGFX90AInsts && peaks[Bank.AGPR]!.value > 0;
  const result: ProfileSeries[] = [];
  const add = (name: string, of: (i: InstrId) => number, bankLimits: ProfileSeries['limits']): void => {
    const values = points.map(of);
    const most = values.reduce((a, b) => Math.max(a, b), 0);
    if (most > 0) result.push({ name, values, peak: values.indexOf(most), limits: bankLimits });
  };
  if (isUnified) add('VGPR + AGPR', (i) => vectorCount(summary, i), vector);
  for (const [bank, name] of BANKS) {
    const bankLimits = bank === Bank.SGPR ? scalar : isUnified ? [] : vector;
    add(name, (i) => PressureSummary.count(summary.up.at, bank, i), bankLimits);
  }
  return result;
}

/** Wave counts that share a number of registers are one line, named by the most waves. */
function limitsOf(maxWaves: number, registersFor: (waves: number) => number): ProfileSeries['limits'] {
  const limits: { waves: number; registers: number }[] = [];
  for (let waves = 1; waves <= maxWaves; waves++) {
    const registers = registersFor(waves);
    const last = limits[limits.length - 1];
    if (last?.registers === registers) last.waves = waves;
    else if (registers > 0) limits.push({ waves, registers });
  }
  return limits;
}

function blocksOf(
  snapshot: Snapshot,
  view: FunctionView,
  { fn }: PressureSummary,
  points: readonly InstrId[],
): ProfileBlock[] {
  const { text } = snapshot;
  const blocks: ProfileBlock[] = [];
  let at = 0;
  fn.blocks.forEach((block, b) => {
    const from = at;
    while (at < points.length && fn.instrBlock[points[at]!] === b) at++;
    const offset = Math.min(view.start + fn.source!.blockLabelRange(b).start, text.length);
    blocks.push({ name: `bb.${block.sourceNumber}`, from, to: at, line: text.lineAt(offset) });
  });
  return blocks;
}

function regionsOf({ fn }: PressureSummary, points: readonly InstrId[]): ProfileRegion[] {
  const pointOf = new Int32Array(fn.nInstrs).fill(-1);
  points.forEach((i, k) => (pointOf[i] = k));
  const list = new InstrList(fn);
  return formRegions(fn, list, new InstrRoles(fn))
    .map(({ begin, end }, region) => ({ region, from: pointOf[begin]!, to: pointOf[list.before(end)]! + 1 }))
    .filter((r) => 0 <= r.from && r.from < r.to)
    .sort((a, b) => a.from - b.from);
}

function headlineOf(snapshot: Snapshot, view: FunctionView, summary: PressureSummary): string {
  const { occupancy, limits, fn, peaks, excess } = summary;
  const limiter = limiterText(occupancy);
  const steps = nextWaveText(occupancy);
  const peak = peaks[Bank.VGPR]!;
  const spills = excessText(excess);
  const [line = -1] = peak.instr < 0 ? [] : linesOf(snapshot, view, summary, [peak.instr]);
  const at = line < 0 ? '' : ` (line ${line + 1})`;
  return (
    `${spills && `${spills}; `}occupancy ${occupancy.occupancy} of ${limits.subtarget.maxWavesPerEU}${limiter && `, limited by ${limiter}`}` +
    (peak.instr < 0 ? '' : `; live peak VGPR ${peak.value} at ${placeOf(fn, peak.instr)}${at}`) +
    (steps && `; next wave: ${steps}`)
  );
}

/** Most registers of each bank, block by block. */
function tableText(title: string, series: readonly ProfileSeries[], blocks: readonly ProfileBlock[]): string {
  const rows = [['block', 'line', 'instructions', ...series.map((s) => s.name)]];
  for (const { name, line, from, to } of blocks) {
    const most = series.map((s) => String(s.values.slice(from, to).reduce((a, b) => Math.max(a, b), 0)));
    rows.push([name, String(line + 1), String(to - from), ...most]);
  }
  const widths = rows[0]!.map((_, c) => Math.max(...rows.map((r) => r[c]!.length)));
  return `${[
    title,
    ...rows.map(
      (r) =>
        `  ${r
          .map((cell, c) => cell.padEnd(widths[c]!))
          .join('  ')
          .trimEnd()}`,
    ),
  ].join('\n')}\n`;
}

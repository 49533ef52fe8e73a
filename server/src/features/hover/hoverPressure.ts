/**
 * The pressure of an instruction in at most four lines of its hover: the counts beside their limits, the occupancy and what holds it
 * down, what the instruction defines and kills, and what the rest is alive for. The two numbers that matter are bold.
 */
import { Bank, OccupancyLimiter, PressureSummary } from '../../analysis/summary.js';
import type { InstrId } from '../../model/machineFunction.js';
import { livenessLine } from './hoverLiveness.js';
import { commandLink, joined, rich, type Markdown } from '../words/markdown.js';
import {
  BANKS,
  bankTypeRows,
  excessText,
  limiterPlace,
  limiterText,
  limitText,
  nextWaveText,
  placeOf,
  sgprUse,
  usedRegistersText,
  vgprUse,
} from '../words/pressureText.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { groupWeights } from '../pressure/why.js';
import { GO_TO, WHY_COMMAND } from '../words/viewCommands.js';

/** @param isStale the numbers are of an earlier version: no links, and no region, whose numbers may have changed */
export function pressureLines(
  snapshot: Snapshot,
  view: FunctionView,
  summary: PressureSummary,
  i: InstrId,
  isStale: boolean,
): Markdown[] {
  const other = usedRegistersText(summary.usedRegisters);
  const liveness = livenessLine(summary, i);
  const types = bankTypeRows(summary.usedRegisters).map((row) => rich`${row}`);
  if (other !== '') return [rich`${other}`, ...types, ...(liveness ? [liveness] : [])];
  const spills = excessText(summary.excess);
  const lines = spills === '' ? [] : [rich`**${spills}**`];
  lines.push(countsLine(summary, i), occupancyLine(snapshot, view, summary, i, isStale));
  if (liveness) lines.push(liveness);
  // A function that spills has a line more on top.
  const groups = spills === '' ? groupsText(summary, i) : '';
  if (groups !== '') lines.push(rich`${groups}`);
  return lines;
}

/** `VGPR 26 → **28** of 28 for 9 waves (24 for 10: 4 too many) · SGPR 7`: each bank before and after the instruction. */
function countsLine(summary: PressureSummary, i: InstrId): Markdown {
  const { up, peaks, limits, occupancy } = summary;
  const isScalar = occupancy.limiters[0] === OccupancyLimiter.SGPRs;
  const agpr = PressureSummary.count(up.at, Bank.AGPR, i);
  const use = vgprUse(summary, i);
  const scalar = sgprUse(summary, i);
  const parts: Markdown[] = [];
  for (const [bank, name] of BANKS) {
    if (peaks[bank]!.value === 0 && bank !== Bank.VGPR) continue;
    const isMain = bank === (isScalar ? Bank.SGPR : Bank.VGPR);
    const change = changeText(summary, bank, name, i, isMain);
    if (bank === Bank.VGPR && agpr === 0 && use.count > 0) parts.push(rich`${change}${limitText(use)}`);
    else if (bank === Bank.SGPR && scalar && (isMain || scalar.next)) parts.push(rich`${change}${limitText(scalar)}`);
    else parts.push(change);
    if (bank === Bank.AGPR && agpr > 0) {
      const words = limits.subtarget.hasGFX90AInsts ? 'VGPR + AGPR' : 'the larger of VGPR and AGPR';
      parts.push(rich`${words} ${use.count}${limitText(use)}`);
    }
  }
  return joined(parts, ' · ');
}

/** Before and after, and what it takes itself where that is more: results that are never read, early clobbers. */
function changeText({ up }: PressureSummary, bank: Bank, name: string, i: InstrId, isMain: boolean): Markdown {
  const before = PressureSummary.count(up.before, bank, i);
  const after = PressureSummary.count(up.after, bank, i);
  const at = PressureSummary.count(up.at, bank, i);
  const shown = (n: number): Markdown => (isMain && n === at ? rich`**${n}**` : rich`${n}`);
  const ends =
    before === after
      ? shown(after)
      : rich`${after < before ? shown(before) : before} → ${before < after ? shown(after) : after}`;
  return at > Math.max(before, after) ? rich`${name} ${ends}, ${shown(at)} while it runs` : rich`${name} ${ends}`;
}

/** `occupancy **9** of 10, limited by VGPR here; next wave: -4 VGPR`, with the ways to the reasons and to the peak. */
function occupancyLine(
  snapshot: Snapshot,
  view: FunctionView,
  summary: PressureSummary,
  i: InstrId,
  isStale: boolean,
): Markdown {
  const { fn, occupancy, limits, peaks } = summary;
  const here = summary.occupancyAt(i).occupancy;
  const isByRegisters = [OccupancyLimiter.VGPRs, OccupancyLimiter.SGPRs].includes(occupancy.limiters[0]!);
  const regionOf = isStale ? () => -1 : regionIn(view);
  const limiter =
    isByRegisters && here <= occupancy.occupancy ? `${limiterText(occupancy)} here` : limiterPlace(summary, regionOf);
  const steps = nextWaveText(occupancy);
  const parts: (Markdown | string)[] = [
    rich`occupancy **${occupancy.occupancy}** of ${limits.subtarget.maxWavesPerEU}`,
  ];
  if (limiter !== '') parts.push(`, limited by ${limiter}`);
  if (here > occupancy.occupancy) parts.push(`; ${here} here`);
  if (steps !== '') parts.push(`; next wave: ${steps}`);
  const isScalar = occupancy.limiters[0] === OccupancyLimiter.SGPRs || peaks[Bank.VGPR]!.instr < 0;
  const peak = peaks[isScalar ? Bank.SGPR : Bank.VGPR]!;
  const name = isScalar ? 'SGPR' : 'VGPR';
  const range = isStale ? undefined : fn.source?.instrRange(i);
  const link = (label: string, command: string, at: number): Markdown => {
    const { line, character } = snapshot.text.positionAt(view.start + at);
    return rich` · ${commandLink(label, command, [snapshot.uri, line, character])}`;
  };
  const isLinked = range !== undefined && snapshot.settings.commandLinks;
  if (isLinked) parts.push(link('why', WHY_COMMAND, range.start));
  if (peak.instr === i) parts.push(` · live peak ${name} of the function`);
  else if (isLinked && peak.instr >= 0)
    parts.push(link(`live peak ${name} ${peak.value}`, GO_TO, fn.source!.instrRange(peak.instr).start));
  else if (peak.instr >= 0) {
    const start = isStale ? undefined : fn.source?.instrRange(peak.instr).start;
    const place =
      start === undefined ? placeOf(fn, peak.instr) : `line ${snapshot.text.positionAt(view.start + start).line + 1}`;
    parts.push(` · live peak ${name} ${peak.value} at ${place}`);
  }
  return joined(parts, '');
}

/** Number of the scheduling region of an instruction, -1 when it is in none or that is not known quickly. */
const regionIn =
  (view: FunctionView) =>
  (i: InstrId): number =>
    view.quickSchedule?.trace.regions.find((r) => r.oldOrder.includes(i))?.region ?? -1;

/** `used soon 24 VGPR, 3 SGPR · later 2 VGPR · only passing 4 VGPR`: what makes the numbers. */
function groupsText(summary: PressureSummary, i: InstrId): string {
  const weights = groupWeights(summary, i);
  const groups = [
    ['used soon', 'soon'],
    ['used later', 'later'],
    ['only passing', 'through'],
  ] as const;
  const parts = groups.flatMap(([words, group]) => {
    const counts = BANKS.flatMap(([bank, name]) => {
      const n = weights.get(bank)?.[group] ?? 0;
      return n > 0 ? [`${n} ${name}`] : [];
    });
    return counts.length > 0 ? [`${words} ${counts.join(', ')}`] : [];
  });
  return parts.join(' · ');
}

/** One line above each function: occupancy and its limiter, the live peaks, the way to the next wave. */
import type { CodeLens, Command } from 'vscode-languageserver-types';
import { Bank, type PressureSummary } from '../../analysis/summary.js';
import type { SchedulerModel } from '../../passes/scheduler/schedulerModel.js';
import { regionLine } from '../../passes/scheduler/trace/traceText.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { expectedOccupancy } from '../allocation/allocation.js';
import { allocatedText, spilledRegisters } from '../allocation/allocationWords.js';
import { FileEnds } from '../allocation/fileEnds.js';
import type { EndedFunction } from '../../program/outcome.js';
import { whyNoWayFrom } from '../../program/stage.js';
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import { endText, nextText, whyText } from '../words/outcomeText.js';
import { isReleaseName } from '../../target/releases.js';
import { verdictLenses } from '../checks/verdictLens.js';
import { blockLenses, regionPeakLenses } from './blockLens.js';
import {
  excessText,
  limiterText,
  nextWaveText,
  placeOf,
  tooManyText,
  usedRegistersText,
} from '../words/pressureText.js';
import { Severity } from '../../text/diagnostic.js';
import { oneLine } from '../../text/visible.js';
import { fileSaysOf, subtargetText, type FunctionView, type Snapshot } from '../snapshot/snapshot.js';
import {
  EXPLAIN_COMMAND,
  GO_TO,
  SHOW_ALLOCATED_COMMAND,
  WHY_COMMAND,
  WHY_OCCUPANCY_COMMAND,
} from '../words/viewCommands.js';
import { targetDoubt } from '../diagnostics/targetDoubt.js';
import { targetLabel } from '../../program/targetOfFile.js';
import { plural } from '../words/numbers.js';

export function provideCodeLenses(snapshot: Snapshot, _params: unknown, token: CancellationToken): CodeLens[] {
  const lenses: CodeLens[] = [];
  if (!snapshot.settings.codeLens) return lenses;
  if (snapshot.target.foreign !== '') return verdictLenses(snapshot);
  const ends = new FileEnds(snapshot);
  for (const view of snapshot.functions) {
    if (token.isCancelled()) break;
    const { nameRange } = view;
    if (!nameRange) continue;
    const range = snapshot.rangeOf(nameRange.start, nameRange.end);
    for (const command of commandsOf(snapshot, view, ends)) lenses.push({ range, command });
    // Where the pressure means nothing there is nothing to say of its parts.
    if (view.summary && view.summary.usedRegisters.kind !== 'virtual') continue;
    if (snapshot.settings.blockLens) lenses.push(...blockLenses(snapshot, view));
    if (snapshot.settings.regionLens) lenses.push(...regionLenses(snapshot, view));
  }
  lenses.push(...targetLenses(snapshot), ...verdictLenses(snapshot));
  return lenses;
}

/** Above the RUN lines of a file with several targets: which one is active, and a way to each other. Above a file without any: that it is so. */
function targetLenses(snapshot: Snapshot): CodeLens[] {
  const { target, uri } = snapshot;
  const lens = (line: number, command: Command): CodeLens => ({
    range: { start: { line, character: 0 }, end: { line, character: 0 } },
    command,
  });
  const doubt = targetDoubt(snapshot);
  if (doubt !== null) {
    const line = target.commands[target.commandIdx]?.firstLine ?? 0;
    return [lens(line, { title: `target unknown: ${doubt}; choose...`, command: 'amdgpu-mir.selectTarget' })];
  }
  const { commands, commandIdx } = target;
  const keys = commands.map((c) => `${c.triple}\n${c.cpu}\n${c.features}`);
  if (new Set(keys).size < 2) return [];
  const active = keys[commandIdx];
  const compare: Command = { title: 'compare targets...', command: 'amdgpu-mir.compareTargets', arguments: [uri] };
  const { firstLine } = commands[0]!;
  const chosen =
    active === undefined
      ? [lens(firstLine, label(`chosen target: ${targetLabel(target)}`)), lens(firstLine, compare)]
      : [];
  const others = commands.flatMap((c, k): CodeLens[] => {
    if (keys.indexOf(keys[k]!) !== k) return [];
    if (keys[k] === active)
      return [lens(c.firstLine, label(`active target: ${targetLabel(c)}`)), lens(c.firstLine, compare)];
    const title = `use ${targetLabel(c)}`;
    return [lens(c.firstLine, { title, command: 'amdgpu-mir.useTarget', arguments: [uri, k] })];
  });
  return [...chosen, ...others];
}

function commandsOf(snapshot: Snapshot, view: FunctionView, ends: FileEnds): Command[] {
  const { summary, stale } = view;
  if (summary) return summaryCommands(snapshot, view, summary, ends, (start) => start);
  const trouble = troubleCommands(snapshot, view, stale !== null);
  return stale ? [...summaryCommands(snapshot, view, stale.summary, ends, stale.toNew), ...trouble] : trouble;
}

/** `toNew` maps a range of the summary's document to its start in the present one, -1 = gone. */
function summaryCommands(
  snapshot: Snapshot,
  view: FunctionView,
  summary: PressureSummary,
  ends: FileEnds,
  toNew: (start: number, end: number) => number,
): Command[] {
  const { occupancy, limits } = summary;
  const use = summary.usedRegisters;
  if (use.kind !== 'virtual') return [label(usedRegistersText(use))];
  const limiter = limiterText(occupancy);
  const most = limits.subtarget.maxWavesPerEU;
  const end = view.summary === summary && snapshot.settings.allocationLens ? ends.of(view) : null;
  const spills = isWithoutSpills(view, summary) ? tooManyText(summary.excess) : excessText(summary.excess);
  const allocation = view.summary === summary ? allocationCommands(snapshot, view, end) : [];
  // What llc ends with goes first, and says by itself what is spilled.
  const commands =
    end !== null ? [...allocation, ...whyCommands(snapshot, view, end)] : spills === '' ? [] : [label(spills)];
  const waves = `occupancy ${occupancy.occupancy} of ${most}${limiter && ` (${limiter})`}`;
  commands.push(label(end === null ? waves : `${waves} ${momentsText(view)}`));
  const says = fileSaysOf(snapshot, view);
  if (says !== '') commands.push(label(`for ${subtargetText(summary.fn.subtarget)}, ${says}`));
  if (end === null) commands.push(...allocation);
  const peak = peakCommand(snapshot, view, summary, toNew);
  if (peak) {
    commands.push(peak);
    if (peak.arguments && view.summary === summary)
      commands.push({ title: 'why...', command: WHY_COMMAND, arguments: peak.arguments });
  }
  if (use.generic > 0) commands.push(label(`${plural(use.generic, 'generic register')} not counted`));
  const steps = nextWaveText(occupancy);
  if (end?.bounds) commands.push(...[nextText(end.outcome, end.bounds.next)].filter((text) => text !== '').map(label));
  else if (steps !== '') commands.push(label(`next wave: ${steps}`));
  if (view.summary === summary) commands.push(...scheduleCommands(snapshot, view), rematCommand(snapshot, view));
  return commands;
}

/** `as written -> scheduled 5`. Nothing is said of a scheduler that does not run. */
function momentsText(view: FunctionView): string {
  const written = view.stage?.stage === 'scheduled' ? 'as scheduled' : 'as written';
  const schedule = view.allocationSetting.isBeforeScheduler ? view.quickSchedule : null;
  return schedule === null ? written : `${written} -> scheduled ${schedule.trace.occupancyAfter}`;
}

/** What the machine scheduler makes of each region, above its first instruction, and the way to have it so. */
function regionLenses(snapshot: Snapshot, view: FunctionView): CodeLens[] {
  const { fn, quickSchedule } = view;
  if (!fn?.source) return [];
  if (!quickSchedule) return view.isLarge ? regionPeakLenses(snapshot, view) : [];
  const { source } = fn;
  return quickSchedule.trace.regions.flatMap((r) => {
    const at = view.start + source.instrRange(r.first).start;
    const range = snapshot.rangeOf(at, at);
    const lenses: CodeLens[] = [{ range, command: label(`${regionLine(r)}${shortModel(quickSchedule.trace.model)}`) }];
    if (fn.header.noPhis && r.newOrder.some((i, k) => i !== r.oldOrder[k])) {
      const args = [snapshot.uri, range.start.line];
      lenses.push({ range, command: { title: 'apply', command: 'amdgpu-mir.applyRegionSchedule', arguments: args } });
    }
    return lenses;
  });
}

/** Ways to the machine scheduler's view of the function; the client schedules when one is chosen. */
function scheduleCommands(snapshot: Snapshot, view: FunctionView): Command[] {
  const args = [snapshot.uri, snapshot.rangeOf(view.start, view.start).start.line + 1];
  const model = shortModel(snapshot.model.model);
  return [
    { title: `schedule${model}...`, command: 'amdgpu-mir.showScheduled', arguments: args },
    { title: `explain${model}...`, command: EXPLAIN_COMMAND, arguments: args },
  ];
}

/** The report of rematerialization; made when it is asked for. */
const rematCommand = (snapshot: Snapshot, view: FunctionView): Command => ({
  title: 'rematerialize...',
  command: 'amdgpu-mir.rematReport',
  arguments: [snapshot.uri, snapshot.rangeOf(view.start, view.start).start.line + 1],
});

/** The allocator has found a way for all of its registers. */
function isWithoutSpills({ summary, knownEnd: known }: FunctionView, shown: PressureSummary): boolean {
  if (summary !== shown || known === null || typeof known === 'string') return false;
  return known.errors.length === 0 && spilledRegisters(known) === 0;
}

/**
 * Of a stage from which the way to the end is not known nothing is said, of one from which a pass on the way refuses the function its reason; of a function that
 * calls others what is known of its own registers.
 */
function allocationTextOf(view: FunctionView, known: AllocatedFunction | string, end: EndedFunction | null): string {
  const { stage } = view;
  if (stage === null || whyNoWayFrom(stage) !== '') return '';
  if (typeof known === 'string') return stage.ahead === null ? '' : `as llc ends: not known: ${oneLine(known)}`;
  return end === null ? allocatedText(known, expectedOccupancy(view)) : endText(end);
}

/** What llc ends with, as far as the background has found it out. */
function allocationCommands(snapshot: Snapshot, view: FunctionView, end: EndedFunction | null): Command[] {
  if (!snapshot.settings.allocationLens) return [];
  const args = [snapshot.uri, snapshot.rangeOf(view.start, view.start).start.line + 1];
  // The text of a function whose passes are still ahead shows no registers.
  const isAhead = (view.stage?.ahead ?? null) !== null;
  const show = (title: string): Command =>
    isAhead
      ? { title, command: WHY_OCCUPANCY_COMMAND, arguments: [...args, 0] }
      : { title, command: SHOW_ALLOCATED_COMMAND, arguments: args };
  const known = view.knownEnd;
  if (known === null) {
    if (view.isLargeToAllocate) return [show(isAhead ? 'as llc ends...' : 'allocate...')];
    return view.lastAllocation === '' ? [] : [show(`${view.lastAllocation} (before the edit)`)];
  }
  const text = allocationTextOf(view, known, end);
  view.lastAllocation = text;
  return text === '' ? [] : [show(text)];
}

/** Where something binds the waves that llc ends with, or it spills. */
function whyCommands(snapshot: Snapshot, view: FunctionView, end: EndedFunction): Command[] {
  const why = whyText(end);
  if (why === '') return [];
  const args = [snapshot.uri, snapshot.rangeOf(view.start, view.start).start.line + 1, 0];
  return [{ title: `${why}?`, command: WHY_OCCUPANCY_COMMAND, arguments: args }];
}

/** Which model schedules, when it is not the default. */
const shortModel = (model: SchedulerModel): string => (isReleaseName(model) ? '' : ` (${model})`);

const label = (title: string): Command => ({ title, command: '' });

function peakCommand(
  snapshot: Snapshot,
  view: FunctionView,
  { fn, peaks }: PressureSummary,
  toNew: (start: number, end: number) => number,
): Command | null {
  const first = peaks[Bank.VGPR]!.instr >= 0 ? Bank.VGPR : Bank.SGPR;
  const { value, instr } = peaks[first]!;
  if (instr < 0) return null;
  const range = fn.source!.instrRange(instr);
  const at = toNew(range.start, range.end);
  const { line, character } = snapshot.text.positionAt(view.start + Math.max(0, at));
  const place = at < 0 ? placeOf(fn, instr) : `line ${line + 1}`;
  let title = `live peak ${first === Bank.VGPR ? 'VGPR' : 'SGPR'} ${value} at ${place}`;
  if (first === Bank.VGPR && peaks[Bank.SGPR]!.value > 0) title += `, SGPR ${peaks[Bank.SGPR]!.value}`;
  if (peaks[Bank.AGPR]!.value > 0) title += `, AGPR ${peaks[Bank.AGPR]!.value}`;
  return at < 0 ? label(title) : { title, command: GO_TO, arguments: [snapshot.uri, line, character] };
}

function troubleCommands(snapshot: Snapshot, view: FunctionView, hasOldNumbers: boolean): Command[] {
  const first = view.diagnostics.find((d) => d.severity === Severity.Error);
  if (!first) return [];
  const { line, character } = snapshot.text.positionAt(first.start);
  const title = hasOldNumbers
    ? `as it was before line ${line + 1} broke`
    : `no pressure: llc rejects this function (line ${line + 1})`;
  return [{ title, command: GO_TO, arguments: [snapshot.uri, line, character] }];
}

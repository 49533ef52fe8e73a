/**
 * Hover over an instruction: pressure before and after, against the limits, and what the occupancy hangs on. Over a register, an
 * opcode, a block or a key of the header: what the file of that name says (hoverRegister.ts, ...).
 */
import type { Hover, Position } from 'vscode-languageserver-types';
import { Bank, PressureSummary } from '../analysis/summary.js';
import type { InstrId } from '../model/machineFunction.js';
import { Severity, type TextRange } from '../text/diagnostic.js';
import { dependenceLines } from './dependences.js';
import { blockLines } from './hoverBlock.js';
import { headerHover } from './hoverHeader.js';
import { livenessLines } from './hoverLiveness.js';
import { opcodeLines } from './hoverOpcode.js';
import { registerLines } from './hoverRegister.js';
import { testLineHover } from './hoverTestLine.js';
import { instrAt } from './locate.js';
import { code, commandLink, joined, markup, rich, type Markdown } from './markdown.js';
import {
  BANKS,
  limiterPlace,
  nextWaveText,
  placeOf,
  roomText,
  sgprUse,
  sourceText,
  useText,
  vgprUse,
} from './pressureText.js';
import { schedulePlace } from './schedulePlace.js';
import { symbolAt, type SymbolHere } from './symbolAt.js';
import { EntityKind } from './symbolIndex.js';
import type { FunctionView, Snapshot } from './snapshot.js';
import { groupWeights } from './why.js';
import { WHY_COMMAND } from './whyText.js';

/** Null where nothing stands that we can say something of. What is under the cursor comes first, then the pressure of its line. */
export function provideHover(snapshot: Snapshot, { position }: { position: Position }): Hover | null {
  if (snapshot.target.foreign !== '') return null;
  const offset = snapshot.text.offsetAt(position);
  const { text } = snapshot;
  const test = testLineHover(snapshot, position.line);
  if (test) return hover(snapshot, [test], { start: text.lineStart(position.line), end: text.lineEnd(position.line) });
  const view = snapshot.functionAt(offset);
  if (!view) return null;
  const symbol = symbolAt(snapshot, offset);
  const named = symbol ? symbolLines(snapshot, view, symbol) : null;
  const i = view.fn ? instrAt(view.fn, offset - view.start) : -1;
  if (i < 0) {
    if (symbol && named) return hover(snapshot, [named], symbol);
    const key = headerHover(snapshot, view, offset);
    return key && hover(snapshot, [key.lines], key);
  }
  const source = view.fn!.source!;
  const pressure = linesAt(snapshot, view, i);
  if (symbol && named) return hover(snapshot, [named, pressure], symbol);
  const opcode = absolute(view, source.opcodeRange(i));
  if (opcode.start <= offset && offset <= opcode.end)
    return hover(snapshot, [pressure, opcodeLines(view.fn!, i)], opcode);
  return hover(snapshot, [pressure], absolute(view, source.instrRange(i)));
}

const absolute = (view: FunctionView, { start, end }: TextRange): TextRange => ({
  start: view.start + start,
  end: view.start + end,
});

function hover(snapshot: Snapshot, sections: readonly (readonly Markdown[])[], { start, end }: TextRange): Hover {
  return { contents: markup(sections), range: snapshot.rangeOf(start, end) };
}

function symbolLines(snapshot: Snapshot, view: FunctionView, symbol: SymbolHere): Markdown[] | null {
  if (symbol.kind === EntityKind.Block) return blockLines(view, Number(symbol.name));
  return registerLines(snapshot, symbol);
}

function linesAt(snapshot: Snapshot, view: FunctionView, i: InstrId): Markdown[] {
  const { summary, stale } = view;
  if (summary) {
    const lines = pressureLines(summary, i, regionIn(view), whyLine(snapshot, view, summary, i));
    const place = schedulePlace(view, i);
    if (place) lines.splice(-1, 0, ...place, ...dependenceLines(snapshot, view, i));
    return lines;
  }
  const trouble = troubleLines(snapshot, view);
  const range = view.fn!.source!.instrRange(i);
  const before = stale ? stale.toOld(range.start, range.end) : -1;
  const old = stale && 0 <= before ? instrAt(stale.summary.fn, before) : -1;
  return stale && 0 <= old
    ? [...pressureLines(stale.summary, old, () => -1, null), rich`*as it was before: ${trouble[1]!}*`]
    : trouble;
}

/** `used soon 24 VGPR, 3 SGPR · later 2 VGPR · only passing 4 VGPR · why...`: what makes the numbers, and the way to all of it. */
function whyLine(snapshot: Snapshot, view: FunctionView, summary: PressureSummary, i: InstrId): Markdown | null {
  const weights = groupWeights(summary, i);
  const groups = [
    ['used soon', 'soon'],
    ['used later', 'later'],
    ['only passing', 'through'],
  ] as const;
  const parts: (Markdown | string)[] = groups.flatMap(([words, group]) => {
    const counts = BANKS.flatMap(([bank, name]) => {
      const n = weights.get(bank)?.[group] ?? 0;
      return n > 0 ? [`${n} ${name}`] : [];
    });
    return counts.length > 0 ? [`${words} ${counts.join(', ')}`] : [];
  });
  if (parts.length === 0) return null;
  const range = summary.fn.source?.instrRange(i);
  if (range && snapshot.settings.commandLinks) {
    const { line, character } = snapshot.text.positionAt(view.start + range.start);
    parts.push(commandLink('why...', WHY_COMMAND, [snapshot.uri, line, character]));
  }
  return joined(parts, ' · ');
}

/** Number of the scheduling region of an instruction, -1 when it is in none or that is not known quickly. */
const regionIn =
  (view: FunctionView) =>
  (i: InstrId): number =>
    view.quickSchedule?.trace.regions.find((r) => r.oldOrder.includes(i))?.region ?? -1;

function pressureLines(
  summary: PressureSummary,
  i: InstrId,
  regionOf: (i: InstrId) => number,
  why: Markdown | null,
): Markdown[] {
  const { fn, occupancy, limits, peaks } = summary;
  const lines = [banksText(summary, i)];
  const use = vgprUse(summary, i);
  if (use.count > 0) lines.push(useText(vectorFileText(summary, i), use));
  const scalar = sgprUse(summary, i);
  if (scalar && scalar.count > 0) lines.push(useText('SGPR', scalar));
  const here = summary.occupancyAt(i).occupancy;
  const limiter = limiterPlace(summary, regionOf);
  const steps = nextWaveText(occupancy);
  const room = roomText(occupancy);
  const waves = [`occupancy here ${here}, function ${occupancy.occupancy} of ${limits.subtarget.maxWavesPerEU}`];
  if (limiter) waves.push(`, limited by ${limiter}`);
  if (steps) waves.push(`; next wave: ${steps}`);
  if (room) waves.push(`; room: ${room}`);
  lines.push(joined(waves, ''));
  lines.push(...livenessLines(summary, i));
  if (why) lines.push(why);
  const peak = peaks[Bank.VGPR]!;
  if (peak.instr >= 0 && peak.instr !== i) lines.push(rich`peak VGPR ${peak.value} at ${placeOf(fn, peak.instr)}`);
  if (peak.instr === i) lines.push(rich`this is the peak of the function`);
  lines.push(rich`*${sourceText(summary)}*`);
  return lines;
}

/** `**VGPR 66 → 67** · SGPR 22 → 21 · AGPR 32`: before and after the instruction, one number where it keeps. */
function banksText({ up, peaks }: PressureSummary, i: InstrId): Markdown {
  const parts: (Markdown | string)[] = [];
  for (const [bank, name] of BANKS) {
    const before = PressureSummary.count(up.before, bank, i);
    const after = PressureSummary.count(up.after, bank, i);
    if (bank === Bank.VGPR) parts.push(rich`**VGPR ${before} → ${after}**`);
    else if (peaks[bank]!.value > 0)
      parts.push(before === after ? `${name} ${before}` : `${name} ${before} → ${after}`);
  }
  return joined(parts, ' · ');
}

/** Which registers the bar counts. */
function vectorFileText({ up, limits }: PressureSummary, i: InstrId): string {
  if (PressureSummary.count(up.at, Bank.AGPR, i) === 0) return 'VGPR';
  return limits.subtarget.hasGFX90AInsts ? 'VGPR + AGPR' : 'larger of VGPR and AGPR';
}

/** Why there are no numbers. */
function troubleLines(snapshot: Snapshot, view: FunctionView): Markdown[] {
  const first = view.diagnostics.find((d) => d.severity === Severity.Error);
  if (!first) return [rich`no pressure: the function has no instructions that count`];
  const line = snapshot.text.positionAt(first.start).line + 1;
  return [
    rich`**no pressure**: llc rejects ${code(view.name)}`,
    rich`line ${line}: ${code(first.message.split('\n')[0]!)}`,
  ];
}

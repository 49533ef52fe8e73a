/**
 * Hover: what is under the cursor first (opcode, register, block; hoverOpcode.ts, ...), then the pressure of its line, then its place in
 * the schedule. At most twelve lines; long lists are cut, and a link leads to all of them (details.ts).
 */
import type { Hover, Position } from 'vscode-languageserver-types';
import type { InstrId } from '../../model/machineFunction.js';
import { Severity, type TextRange } from '../../text/diagnostic.js';
import { dependenceLine } from '../schedule/dependences.js';
import { callLines } from './hoverCall.js';
import { waitLines } from './hoverWait.js';
import { blockLines } from './hoverBlock.js';
import { headerHover } from './hoverHeader.js';
import { depctrLines } from './hoverDepctr.js';
import { noopLines } from './hoverNoop.js';
import { opcodeLines } from './hoverOpcode.js';
import { pressureLines } from './hoverPressure.js';
import { registerLines } from './hoverRegister.js';
import { testLineHover } from './hoverTestLine.js';
import { instrAt } from '../snapshot/locate.js';
import { code, commandLink, joined, markup, rich, type Markdown } from '../words/markdown.js';
import { sourceText } from '../words/pressureText.js';
import { schedulePlace } from '../schedule/schedulePlace.js';
import { symbolAt, type SymbolHere } from '../snapshot/symbolAt.js';
import { DUMP_NOTE, graphStart } from '../../program/tritonDump.js';
import { EntityKind } from '../symbols/symbolIndex.js';
import { execLine } from '../uniformity/laneText.js';
import { llvmText, targetText, type FunctionView, type Snapshot } from '../snapshot/snapshot.js';
import { DETAILS_COMMAND, EXPLAIN_COMMAND } from '../words/viewCommands.js';

/** Rules between sections count, too. */
const MAX_LINES = 12;

/** What a dump of Triton ends with: on its first lines. */
function graphHover(snapshot: Snapshot, line: number): Hover | null {
  const { text } = snapshot;
  const start = graphStart(snapshot.file);
  const first = start < 0 ? -1 : text.lineAt(start);
  if (first < 0 || line < first || line > first + 1) return null;
  const lines = [
    rich`The graph that Triton's scheduler starts from: no part of the MIR, and left out by *Save for TRITON\\_SWAP\\_MIR*`,
    rich`${DUMP_NOTE}`,
  ];
  return hover(snapshot, [lines], { start: text.lineStart(line), end: text.lineEnd(line) });
}

/** Null where nothing stands that we can say something of. */
export function provideHover(snapshot: Snapshot, { position }: { position: Position }): Hover | null {
  if (snapshot.target.foreign !== '') return null;
  const offset = snapshot.text.offsetAt(position);
  const { text } = snapshot;
  const test = testLineHover(snapshot, position.line);
  if (test) return hover(snapshot, [test], { start: text.lineStart(position.line), end: text.lineEnd(position.line) });
  const view = snapshot.functionAt(offset);
  if (!view) return graphHover(snapshot, position.line);
  const symbol = symbolAt(snapshot, offset);
  const named = symbol ? symbolLines(snapshot, view, symbol) : null;
  const i = view.fn ? instrAt(view.fn, offset - view.start) : -1;
  if (i < 0) {
    if (symbol && named) return hover(snapshot, [named], symbol);
    const key = headerHover(snapshot, view, offset);
    return key && hover(snapshot, [key.lines], key);
  }
  const source = view.fn!.source!;
  const opcode = absolute(view, source.opcodeRange(i));
  const isOpcode = opcode.start <= offset && offset <= opcode.end;
  const exec = symbol && named ? null : execLine(snapshot, view, i);
  const first =
    symbol && named
      ? named
      : [
          ...opcodeLines(view.fn!, i, !snapshot.settings.commandLinks),
          ...(view.summary === null ? [] : callLines(snapshot, view, i)),
          ...waitLines(snapshot, view, i),
          ...depctrLines(snapshot, view, i),
          ...noopLines(snapshot, view, i),
          ...(exec === null ? [] : [exec]),
        ];
  const range = symbol && named ? symbol : isOpcode ? opcode : absolute(view, source.instrRange(i));
  return hover(snapshot, sectionsAt(snapshot, view, i, first), range);
}

const absolute = (view: FunctionView, { start, end }: TextRange): TextRange => ({
  start: view.start + start,
  end: view.start + end,
});

function hover(snapshot: Snapshot, sections: readonly (readonly Markdown[])[], { start, end }: TextRange): Hover {
  return { contents: markup(sections), range: snapshot.rangeOf(start, end) };
}

function symbolLines(snapshot: Snapshot, view: FunctionView, symbol: SymbolHere): Markdown[] | null {
  if (symbol.kind === EntityKind.Block) return blockLines(snapshot, view, Number(symbol.name));
  return registerLines(snapshot, symbol);
}

/** What is under the cursor, the pressure, the schedule with the target that all of it holds for. */
function sectionsAt(snapshot: Snapshot, view: FunctionView, i: InstrId, first: readonly Markdown[]): Markdown[][] {
  const { summary } = view;
  if (view.subtarget?.tables.isAMDGCN === false)
    return [[...first], [rich`*${targetText(snapshot, view)}, ${llvmText(snapshot)}*`]];
  if (!summary) return [[...first], staleLines(snapshot, view, i)];
  const pressure = pressureLines(snapshot, view, summary, i, false);
  const details = detailsLink(snapshot, view, i);
  const hasPressure = summary.usedRegisters.kind === 'virtual';
  const source = hasPressure ? sourceText(summary) : `${targetText(snapshot, view)}, ${llvmText(snapshot)}`;
  const last = joined([rich`*${source}*`, ...(details ? [details] : [])], ' · ');
  if (!hasPressure) return [[...first], pressure, [last]];
  const schedule = scheduleLines(snapshot, view, i);
  const room = MAX_LINES - first.length - pressure.length - 3;
  return [[...first], pressure, [...schedule.slice(0, Math.max(0, room)), last]];
}

function scheduleLines(snapshot: Snapshot, view: FunctionView, i: InstrId): Markdown[] {
  const place = schedulePlace(view, i);
  if (!place) return [];
  const { line } = placeOfInstr(snapshot, view, i);
  const explain = commandLink('explain', EXPLAIN_COMMAND, [snapshot.uri, line, 0]);
  const dependences = dependenceLine(snapshot, view, i);
  const first = snapshot.settings.commandLinks ? rich`${place} · ${explain}` : place;
  return dependences ? [first, dependences] : [first];
}

function detailsLink(snapshot: Snapshot, view: FunctionView, i: InstrId): Markdown | null {
  if (!snapshot.settings.commandLinks) return null;
  const { line, character } = placeOfInstr(snapshot, view, i);
  return commandLink('details', DETAILS_COMMAND, [snapshot.uri, line, character]);
}

const placeOfInstr = (snapshot: Snapshot, view: FunctionView, i: InstrId): Position =>
  snapshot.text.positionAt(view.start + view.fn!.source!.instrRange(i).start);

/** The last good numbers of a line that is as it was, and why there are no new ones. */
function staleLines(snapshot: Snapshot, view: FunctionView, i: InstrId): Markdown[] {
  const { stale } = view;
  const trouble = troubleLines(snapshot, view);
  const range = view.fn!.source!.instrRange(i);
  const before = stale ? stale.toOld(range.start, range.end) : -1;
  const old = stale && 0 <= before ? instrAt(stale.summary.fn, before) : -1;
  if (!stale || old < 0) return trouble;
  const numbers = pressureLines(snapshot, view, stale.summary, old, true);
  return [...numbers, rich`*${sourceText(stale.summary)}, as it was before: ${trouble[1]!}*`];
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

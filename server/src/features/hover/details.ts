/**
 * `amdgpuMir/details`: all that a hover on an instruction has no room for, as plain text with 1-based lines: its opcode, its registers,
 * what lives before and after it, and its dependences.
 */
import type { Position } from 'vscode-languageserver-types';
import { PressureSummary } from '../../analysis/summary.js';
import type { InstrId } from '../../model/machineFunction.js';
import { oneLine, visible } from '../../text/visible.js';
import { NEVER_CANCELLED } from '../../util/cancellation.js';
import { dependenceRows } from '../schedule/dependences.js';
import { livenessRows, virtualOperands } from './hoverLiveness.js';
import { opcodeRows } from './hoverOpcode.js';
import { vregRows } from './hoverRegister.js';
import { instrOnLine } from '../snapshot/locate.js';
import {
  BANKS,
  bankTypeRows,
  excessText,
  nextWaveText,
  placeIn,
  roomText,
  usedRegistersText,
} from '../words/pressureText.js';
import { scheduleTarget } from '../schedule/schedule.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { noPressure } from '../pressure/whyText.js';

export interface DetailsParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

/** Ends in a line break. */
export function provideDetails(snapshot: Snapshot, { position }: DetailsParams): string {
  const view = snapshot.functionAt(snapshot.text.offsetAt(position));
  const i = view ? instrOnLine(snapshot, view, position) : -1;
  if (!view?.fn?.source || i < 0) return noPressure(snapshot, view, i);
  const { fn, summary } = view;
  const range = fn.source!.instrRange(i);
  const line = snapshot.text.lineAt(view.start + range.start);
  const source = snapshot.text.slice(view.start + range.start, view.start + range.end);
  const sections = [
    [
      `@${oneLine(view.name)}, line ${line + 1}${summary ? ` (${placeIn(summary, i)})` : ''}`,
      scheduleTarget(snapshot, view),
      '',
      `  ${oneLine(source)}`,
    ],
    opcodeRows(fn, i),
    ...(summary ? [pressureRows(summary, i)] : [[noPressure(snapshot, view, i).trimEnd()]]),
    virtualOperands(fn, i).flatMap((v) => vregRows(snapshot, view, v, i)),
    dependenceSection(snapshot, view, i),
  ];
  return `${sections
    .filter((rows) => rows.length > 0)
    .map((rows) => rows.map(visible).join('\n'))
    .join('\n\n')}\n`;
}

function pressureRows(summary: PressureSummary, i: InstrId): string[] {
  const other = usedRegistersText(summary.usedRegisters);
  if (other !== '') return [other, ...bankTypeRows(summary.usedRegisters).map((row) => `  ${row}`)];
  const { up, peaks, occupancy } = summary;
  const rows = BANKS.filter(([bank]) => peaks[bank]!.value > 0).map(([bank, name]) => {
    const [before, at, after] = [up.before, up.at, up.after].map((c) => PressureSummary.count(c, bank, i));
    return `${name} ${before} before, ${at} at it (amdgpu-print-rp), ${after} after; live peak of the function ${peaks[bank]!.value}`;
  });
  const spills = excessText(summary.excess);
  const steps = nextWaveText(occupancy);
  const room = roomText(occupancy);
  return [
    ...rows,
    ...(spills === '' ? [] : [spills]),
    `occupancy here ${summary.occupancyAt(i).occupancy}, function ${occupancy.occupancy}${steps && `; next wave: ${steps}`}${room && `; room: ${room}`}`,
    ...livenessRows(summary, i),
  ];
}

function dependenceSection(snapshot: Snapshot, view: FunctionView, i: InstrId): string[] {
  const state = view.dependencesOf(i, NEVER_CANCELLED);
  return state.kind === 'ready' && state.found ? dependenceRows(snapshot, view, state.found) : [];
}

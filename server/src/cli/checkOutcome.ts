/** What `amdgpu-mir check` says of a function first: as written, scheduled, as llc ends. */
import { nextText, outcomeRegistersText, outcomeSpillText } from '../features/words/outcomeText.js';
import { STAGE_WORDS, type Stage } from '../program/stageNames.js';
import { targetRowName } from '../features/pressure/targetTable.js';
import { plural } from '../features/words/numbers.js';
import type { CheckFunction, CheckStage } from './checkTypes.js';
import type { Palette } from './palette.js';

/** What the order of the file is. */
const writtenWord = ({ name }: CheckStage): string => (name === 'scheduled' ? 'scheduled' : 'as written');

export const isAllocated = (stage: Stage): boolean => stage === 'allocated' || stage === 'final';

/** Waves at the moments that there are, the last one first to be seen by its colour: `as written 3 -> scheduled 5 -> as llc ends 5 of 8 waves` */
export function storyText(fn: CheckFunction, stage: CheckStage, palette: Palette): string {
  const { pressure, outcome, bounds } = fn;
  const moments: string[] = [];
  if (pressure !== null) moments.push(`${writtenWord(stage)} ${pressure.occupancy}`);
  if (stage.scheduledOccupancy !== null) moments.push(`scheduled ${stage.scheduledOccupancy}`);
  if (outcome === null || bounds === null) {
    const most = pressure === null ? '' : ` of ${pressure.maxOccupancy}`;
    return moments.length === 0 ? '' : `${moments.join(' -> ')}${most} waves`;
  }
  const paint = bounds.by.length > 0 ? palette.yellow : palette.green;
  const spills = outcomeSpillText(outcome);
  const end = paint(`as llc ends ${outcome.waves} of ${bounds.most} waves`);
  return `${spills === '' ? '' : `${palette.red(spills)}; `}${[...moments, end].join(' -> ')}`;
}

/** The line below it: what llc ends with, or why that is not known. */
export function printOutcome({ outcome: o, bounds, noOutcome }: CheckFunction, stage: CheckStage): string {
  if (o === null) return `    as llc ends: not known: ${noOutcome}\n`;
  const { by = [], next = null } = bounds ?? {};
  const bound = [by.length > 0 ? `limited by ${by.join(' and ')}` : '', nextText(o, next)];
  const callers = o.waves === null ? 'not a kernel: its callers decide the waves' : '';
  const binds = [callers, ...bound].filter((part) => part !== '').join('; ');
  const guess = stage.by === '' ? ` (guess: the file is ${placeText(stage)})` : '';
  return `    as llc ends: ${outcomeRegistersText(o)}${binds === '' ? '' : `; ${binds}`}${guess}\n`;
}

/** `    final code: 412 bytes, 87 instructions; 6 waits (vmcnt 4, lgkmcnt 2); 2 no-ops; 1 clause`, where it was asked for. */
export function printFinal({ final: f, noFinal }: CheckFunction): string {
  if (f === null) return noFinal === '' ? '' : `    final code: not known: ${noFinal}\n`;
  const counters = Object.entries(f.waitsByCounter).map(([name, n]) => `${name} ${n}`);
  const counts = [
    ...[f.waits > 0 ? `${plural(f.waits, 'wait')} (${counters.join(', ')})` : 'no waits'],
    ...[f.depctrWaits > 0 ? `${plural(f.depctrWaits, 'wait')} for the ALU` : ''],
    ...[f.noOps > 0 ? plural(f.noOps, 'no-op') : '', f.delays > 0 ? plural(f.delays, 'delay') : ''],
    ...[f.clauses > 0 ? plural(f.clauses, 'clause') : ''],
  ].filter((text) => text !== '');
  return `    final code: ${plural(f.codeBytes, 'byte')}, ${plural(f.instructions, 'instruction')}; ${counts.join('; ')}\n`;
}

const placeText = ({ name }: CheckStage): string =>
  name === 'before-scheduling' ? `from ${STAGE_WORDS[name]}` : STAGE_WORDS[name];

const NUMBERS = ['as written', 'scheduled', 'as llc ends', 'VGPR', 'AGPR', 'SGPR', 'spills', 'limited by', 'next wave'];

/** One function for one target. */
export interface OutcomeRow {
  /** what asks for it: `gfx90a +xnack` */
  readonly label: string;
  /** what the function really has: `gfx90a wave64` */
  readonly target: string;
  readonly fn: CheckFunction;
}

/** Aligned columns, the first line with their titles; in lines of at most `width` columns, which a table may not fit. */
export function outcomeRows(rows: readonly OutcomeRow[], width: number, palette: Palette): string[] {
  const names = rows.map((row) => targetRowName(row));
  const all = rows.map(({ fn }) => cellsOf(fn));
  const isUsed = NUMBERS.map((_, c) => all.some((cells) => cells !== null && cells[c] !== '-'));
  const head = NUMBERS.filter((_, c) => isUsed[c]);
  const cells = all.map((row) => row?.filter((_, c) => isUsed[c]) ?? null);
  const nameWidth = Math.max('target'.length, ...names.map((name) => name.length));
  const widths = head.map((title, c) => Math.max(title.length, ...cells.map((row) => row?.[c]!.length ?? 0)));
  const lineOf = (name: string, row: readonly string[]): string =>
    [name.padEnd(nameWidth), ...row.map((cell, c) => cell.padEnd(widths[c]!))].join('  ').trimEnd();
  const table = [
    lineOf('target', head),
    ...rows.map(({ fn }, k) => {
      const row = cells[k]!;
      return row === null ? `${names[k]!.padEnd(nameWidth)}  ${whyNoNumbers(fn)}` : lineOf(names[k]!, row);
    }),
  ];
  if (table.every((line) => line.length <= width)) return table.map((line, k) => (k === 0 ? palette.dim(line) : line));
  return rows.flatMap(({ fn }, k) => {
    const name = names[k]!.padEnd(nameWidth);
    const { stage } = fn;
    if (cells[k]! === null || stage === null) return [`${name}  ${whyNoNumbers(fn)}`];
    return [`${name}  ${storyText(fn, stage, palette)}`, printOutcome(fn, stage).trim().replace(/^/, '  ')];
  });
}

const whyNoNumbers = ({ registers, stage, noOutcome }: CheckFunction): string =>
  stage === null
    ? registers || 'not analysed: it has errors'
    : [registers, noOutcome].filter((t) => t !== '').join('; ');

/** Null: there are no numbers. */
function cellsOf({ stage, pressure, outcome, bounds }: CheckFunction): string[] | null {
  if (stage === null || (pressure === null && outcome === null)) return null;
  const waves = (n: number | null | undefined): string => (n === null || n === undefined ? '-' : `${n}`);
  const isScheduled = stage.name === 'scheduled';
  const written = [
    isScheduled ? '-' : waves(pressure?.occupancy),
    isScheduled ? waves(pressure?.occupancy) : waves(stage.scheduledOccupancy),
  ];
  if (outcome === null) return [...written, 'not known', ...NUMBERS.slice(3).map(() => '-')];
  const { vgpr = null, sgpr = null } = bounds?.next ?? {};
  const files = [
    ...(vgpr === null ? [] : [`-${(outcome.totalVgpr ?? outcome.vgpr) - vgpr} VGPR`]),
    ...(sgpr === null ? [] : [`-${outcome.sgpr - sgpr} SGPR`]),
  ];
  return [
    ...written,
    bounds === null ? '-' : `${outcome.waves} of ${bounds.most}`,
    `${outcome.vgpr}`,
    (outcome.agpr ?? 0) > 0 ? `${outcome.agpr}` : '-',
    `${outcome.sgpr}`,
    outcomeSpillText(outcome).replace(/ spilled$/, '') || '-',
    bounds?.by.join(', ') || '-',
    files.join(', ') || '-',
  ];
}

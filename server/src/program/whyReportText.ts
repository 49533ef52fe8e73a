/** The report of program/why.ts as text, for a terminal, a document or a bug report. */
import { visible } from '../text/visible.js';
import type { HeldAt, HeldGroup, HeldKind, HeldRegister } from './heldRegisters.js';
import type { Outcome } from './outcome.js';
import { settingText } from './sweep.js';
import type { Lever, LeverChange, WaveLimit, WhyReport } from './why.js';

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
const MAX_REGISTERS = 4;
const MAX_LEVERS = 12;

/** A part of a report that does something with one of its levers when it is clicked. */
export interface ReportLink {
  /** offsets in the text */
  readonly start: number;
  readonly end: number;
  readonly does: 'apply' | 'compare';
  readonly change: LeverChange;
}

/** `target`: as it is told, `gfx942`. */
export const whyReportText = (report: WhyReport, target: string): string =>
  `${[...headLines(report, target), '', ...heldReport(report), ...leverLines(report)].join('\n')}\n`;

const [APPLY, COMPARE] = ['apply', 'compare'] as const;
const LINKS = `[${APPLY}] [${COMPARE}]`;

/** The same for a narrow view whose words can be clicked: each lever has its numbers in a second line. */
export function linkedReport(
  report: WhyReport,
  target: string,
): { readonly text: string; readonly links: readonly ReportLink[] } {
  const head = headLines(report, target);
  // What can be done stands in sight, who holds the registers below it.
  const lines = [...head, '', ...leverPairs(report), '', ...heldReport(report)];
  while (lines.at(-1) === '') lines.pop();
  const links: ReportLink[] = [];
  let at = 0;
  for (const [n, line] of lines.entries()) {
    // An empty line, the heading of the levers, and two lines of the function as it stands come first.
    const row = n - head.length - 4;
    const change = row >= 0 && row % 2 === 0 ? report.levers[row / 2] : undefined;
    if (change !== undefined && line.startsWith(`  ${LINKS}`))
      for (const does of [APPLY, COMPARE] as const) {
        const start = at + line.indexOf(`[${does}]`) + 1;
        links.push({ start, end: start + does.length, does, change: changeOf(change) });
      }
    at += line.length + 1;
  }
  return { text: `${lines.join('\n')}\n`, links };
}

/** Without the row of a lever. */
function changeOf(change: LeverChange): LeverChange {
  switch (change.kind) {
    case 'setting':
      return { kind: change.kind, setting: change.setting };
    case 'reorder':
      return { kind: change.kind, region: change.region, line: change.line, strategy: change.strategy };
    default:
      return { kind: change.kind, registers: change.registers };
  }
}

/** The answer, and the ladder. */
function headLines(report: WhyReport, target: string): string[] {
  const { waves, isEntry, limits } = report;
  const hardware = limits.at(-1)!.allows;
  const what = isEntry
    ? `${count(waves, 'wave')} of ${hardware}`
    : `registers for ${count(waves, 'wave')} of ${hardware}`;
  return [`${visible(report.function)}, ${visible(target)}: ${what}`, ...ladder(report)];
}

const heldReport = ({ held, present }: WhyReport): string[] =>
  held.flatMap((own) => [...heldLines(own, present.outcome), '']);

function ladder({ limits, nextRung, present: { outcome } }: WhyReport): string[] {
  const needs = nextRung === null ? '' : `${count(nextRung, 'wave')} need${nextRung === 1 ? 's' : ''}`;
  const rows = limits.map((l) => [
    l.name === 'hardware' ? 'processor' : l.name,
    nowText(l, outcome),
    `${l.allows}`,
    nextRung === null ? '' : neededText(l, nextRung),
    l.binds ? '< binds' : '',
  ]);
  return table([['limits', 'now', 'allows', needs, ''], ...rows]);
}

/** `88 = 24 + 64 AGPR`: in a unified file. */
function nowText({ name, now }: WaveLimit, { vgpr, agpr, totalVgpr }: Outcome): string {
  if (name === 'LDS' && now !== null) return bytes(Number(now));
  const isSum =
    name === 'VGPR' && agpr !== null && agpr > 0 && totalVgpr !== null && totalVgpr > agpr && totalVgpr !== vgpr;
  return isSum ? `${totalVgpr} = ${totalVgpr - agpr} + ${agpr} AGPR` : `${now ?? ''}`;
}

function neededText({ name, allows, next }: WaveLimit, nextRung: number): string {
  if (allows >= nextRung) return 'ok';
  if (next === null) return 'another value';
  return name === 'LDS' ? bytes(next) : `${next}`;
}

function bytes(n: number): string {
  return n >= 1024 && n % 1024 === 0 ? `${n / 1024} KiB` : count(n, 'byte');
}

/** Columns as wide as they have to be. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, k) => Math.max(...rows.map((row) => row[k]!.length)));
  return rows.map((row) => `  ${row.map((cell, k) => cell.padEnd(widths[k]!)).join('  ')}`.trimEnd());
}

// -- registers ------------------------------------------------------------------------------------------------------

function heldLines(held: HeldAt, outcome: Outcome): string[] {
  const { bank, pressure, place, line, loopDepth, groups } = held;
  const loop = loopDepth === 0 ? '' : `, in ${loopDepth === 1 ? 'a loop' : `${loopDepth} loops`}`;
  const ends = { VGPR: outcome.vgpr, AGPR: outcome.agpr ?? 0, SGPR: outcome.sgpr }[bank];
  return [
    `held at the peak of the schedule (${lineText(line, place)}${loop}): ${pressure} ${bank}s live, llc ends with ${ends}`,
    ...groups.flatMap((group) => groupLines(group)),
  ];
}

const lineText = (line: number, place: string): string => (line === 0 ? place : `line ${line}, ${place}`);

const WORDS: Readonly<Record<HeldKind, string>> = {
  accumulators: 'accumulators',
  'loads in flight': 'loads in flight',
  addresses: 'addresses and descriptors',
  'passing through': 'passing through: not used in this region',
  'in use': 'in use in this region',
};

function groupLines({ kind, weight, registers }: HeldGroup): string[] {
  const passing = registers.filter((r) => r.isOnlyPassing);
  const isNoted = kind !== 'passing through' && passing.length > 0;
  const only =
    passing.length === registers.length
      ? 'only pass through'
      : `${passing.length} of ${registers.length} only pass through`;
  const rows = registers.slice(0, MAX_REGISTERS).map((r) => `        ${registerText(r)}`);
  const more = registers.length - rows.length;
  return [
    `  ${String(weight).padStart(4)}  ${WORDS[kind]}${isNoted ? ` (${only})` : ''}`,
    ...rows,
    ...(more > 0 ? [`        and ${more} more`] : []),
  ];
}

function registerText({ register, class: rc, definition, nextUse, distance, passesLoop }: HeldRegister): string {
  const use =
    nextUse === null
      ? 'not read again'
      : `next read at ${lineText(nextUse.line, nextUse.place)}${distance > 0 ? `, ${count(distance, 'instruction')} later` : ''}`;
  const defined =
    definition === null ? 'lives into the function' : `defined at ${lineText(definition.line, definition.place)}`;
  const loop = passesLoop === '' ? '' : `; passes the loop at ${passesLoop}`;
  return `${visible(register)}${rc === '' ? '' : ` ${rc}`}: ${defined}, ${use}${loop}`;
}

// -- levers ---------------------------------------------------------------------------------------------------------

const HEADING = 'what would help (each computed to the end, best first)';

function leverLines(report: WhyReport): string[] {
  const { levers, present } = report;
  if (levers.length === 0) return ['what would help', leftText(report)];
  const rows = levers.slice(0, MAX_LEVERS).map((lever) => [changeText(lever), ...cells(lever, present)]);
  const as = ['(as it stands)', ...cells({ row: present }, present)];
  return [HEADING, ...table([as, ...rows]), ...moreLines(report), leftText(report)];
}

function leverPairs(report: WhyReport): string[] {
  const { levers, present } = report;
  if (levers.length === 0) return ['what would help', leftText(report)];
  const shown = levers.slice(0, MAX_LEVERS);
  const [as, ...numbers] = table([{ row: present }, ...shown].map((lever) => cells(lever, present)));
  return [
    HEADING,
    '  (as it stands)',
    `    ${as!}`,
    ...shown.flatMap((lever, k) => [`  ${LINKS}  ${changeText(lever)}`, `    ${numbers[k]!}`]),
    ...moreLines(report),
    leftText(report),
  ];
}

const moreLines = ({ levers }: WhyReport): string[] =>
  levers.length > MAX_LEVERS ? [`  and ${levers.length - MAX_LEVERS} more`] : [];

function leftText({ levers, nTried, withoutEffect, worse, failed }: WhyReport): string {
  const rest = [
    ...(withoutEffect.length > 0 ? [`${withoutEffect.length} without effect`] : []),
    ...(worse.length > 0 ? [`${worse.length} worse`] : []),
    ...(failed.length > 0 ? [`${failed.length} with which llc fails`] : []),
  ];
  return `  ${levers.length === 0 ? 'nothing' : 'nothing else'} of ${nTried} tried${rest.length === 0 ? '' : ` (${rest.join(', ')})`}`;
}

/** Instructions: `no spills`, `1 spill, 2 reloads (1 in loops)` */
function spillText({ vgprSaves, vgprRestores, sgprSaves, sgprRestores, inLoops }: Lever['row']['spills']): string {
  const saves = vgprSaves + sgprSaves;
  const reloads = vgprRestores + sgprRestores;
  if (saves + reloads === 0) return 'no spills';
  return `${count(saves, 'spill')}, ${count(reloads, 'reload')}${inLoops === 0 ? '' : ` (${inLoops} in loops)`}`;
}

function cells({ row }: Pick<Lever, 'row'>, present: Lever['row']): string[] {
  const { outcome, spills, modelLength, instructions } = row;
  const agprs = outcome.agpr === null || outcome.agpr === 0 ? '' : `, AGPR ${outcome.agpr}`;
  const change =
    present.modelLength === 0 ? 0 : Math.round((100 * (modelLength - present.modelLength)) / present.modelLength);
  const more = instructions - present.instructions;
  return [
    outcome.waves === null ? '' : count(outcome.waves, 'wave'),
    `VGPR ${outcome.vgpr}${agprs}`,
    spillText(spills),
    more === 0 ? '' : `${count(Math.abs(more), 'instruction')} ${more > 0 ? 'more' : 'fewer'}`,
    change === 0 ? '' : `length (model) ${change > 0 ? '+' : ''}${change} %`,
  ];
}

/** `rematerialize %12, %13`, `-enable-misched=0`, `amdgpu-waves-per-eu=8,8` */
export function changeText(change: LeverChange): string {
  if (change.kind === 'setting') return visible(settingText(change.setting));
  if (change.kind === 'reorder')
    return `order region ${change.region} (line ${change.line}) as ${change.strategy} schedules it`;
  const shown = change.registers.slice(0, MAX_REGISTERS);
  const more = change.registers.length - shown.length;
  const names = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return change.kind === 'rematerialize' ? `rematerialize ${names}` : `move ${names} to the scalar unit`;
}

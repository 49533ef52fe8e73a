/** The report of outcomeDiff.ts as text, for a terminal or a document, and as Markdown, for a pull request. */
import { visible } from '../text/visible.js';
import type {
  DiffEnd,
  FunctionDiff,
  OutcomeDiff,
  RegionDiff,
  RegionNumbers,
  SpillDiff,
  ValueDiff,
} from './outcomeDiff.js';

/** What the two sides are called, `git HEAD:k.mir`, and their targets: `gfx942, LLVM 22.1.8`. */
export interface DiffNames {
  readonly before: string;
  readonly after: string;
  readonly targetBefore: string;
  readonly targetAfter: string;
}

const MAX_REGIONS = 8;
const MAX_VALUES = 8;
const MAX_SPILLS = 12;

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** `7 -> 8`, or the one number of both. */
const change = (before: number | string, after: number | string): string =>
  before === after ? `${after}` : `${before} -> ${after}`;

const changeOrDash = (a: number | null, b: number | null): string => change(a ?? '-', b ?? '-');

export function outcomeDiffText(diff: OutcomeDiff, names: DiffNames): string {
  const { functions, onlyBefore, onlyAfter } = diff;
  const lines = [headText(names)];
  for (const fn of functions) if (!fn.isSame) lines.push('', ...functionLines(fn));
  for (const [side, own] of [
    [names.before, onlyBefore],
    [names.after, onlyAfter],
  ] as const)
    if (own.length > 0) lines.push('', `only in ${visible(side)}: ${own.map(visible).join(', ')}`);
  lines.push('', sameText(diff));
  return `${lines.join('\n')}\n`;
}

function headText({ before, after, targetBefore, targetAfter }: DiffNames): string {
  const target = change(visible(targetBefore), visible(targetAfter));
  return `${change(visible(before), visible(after))}  (${target})`;
}

function sameText({ functions, onlyBefore, onlyAfter }: OutcomeDiff): string {
  const all = functions.length + onlyBefore.length + onlyAfter.length;
  const same = functions.filter((fn) => fn.isSame).length;
  if (all === 0) return 'neither has a function';
  if (same === all) return all === 1 ? 'the function is the same' : `all ${all} functions are the same`;
  return `${same === 0 ? 'none' : same} of ${count(all, 'function')} ${same > 1 ? 'are' : 'is'} the same`;
}

const nameText = ({ function: name, nameBefore }: FunctionDiff): string => change(visible(nameBefore), visible(name));

function functionLines(fn: FunctionDiff): string[] {
  const { before, after, regions, longer, nShorter, spills } = fn;
  return [
    `${nameText(fn)}: ${answerText(before, after)}`,
    ...rowsOf(before, after).map((row) => `  ${row}`),
    ...failures(fn).map((line) => `  ${line}`),
    ...textLines(fn),
    ...section('regions', regions, MAX_REGIONS, regionText),
    ...section(
      `live longer${nShorter > 0 ? ` (${count(nShorter, 'other')} shorter)` : ''}`,
      longer,
      MAX_VALUES,
      valueText,
    ),
    ...section('spilled', spills, MAX_SPILLS, spillText),
  ];
}

function section<T>(title: string, rows: readonly T[], most: number, text: (row: T) => string): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - most;
  return [
    `  ${title}`,
    ...rows.slice(0, most).map((row) => `    ${text(row)}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

/** The one fact that somebody came for. */
function answerText(before: DiffEnd, after: DiffEnd): string {
  const [a, b] = [before.row, after.row];
  if (a.outcome === null || b.outcome === null) return 'what llc ends with is not known of both';
  const [x, y] = [a.outcome, b.outcome];
  const spills = change(spillCount(before), spillCount(after));
  const waves = y.waves === null ? '' : `${change(x.waves ?? '-', y.waves)} waves as llc ends, `;
  return `${waves}VGPR ${change(x.totalVgpr ?? x.vgpr, y.totalVgpr ?? y.vgpr)}, ${spills === '0' ? 'no spills' : `spills and reloads ${spills}`}`;
}

const spillCount = ({ row }: DiffEnd): number => {
  if (row.outcome === null) return 0;
  const { vgprSaves, vgprRestores, sgprSaves, sgprRestores } = row.spills;
  return vgprSaves + vgprRestores + sgprSaves + sgprRestores;
};

type Row = readonly [title: string, before: number | null, after: number | null];

function numbers(end: DiffEnd): readonly (readonly [string, number | null])[] {
  const { waves, row } = end;
  const { written, scheduled } = waves;
  const moments = [
    ['waves as written', written],
    ['waves scheduled', scheduled],
    ['waves as llc ends', waves.end],
  ] as const;
  const live = [
    ['live VGPRs as written', end.live.written?.vgpr ?? null],
    ['live VGPRs as scheduled', end.live.scheduled?.vgpr ?? null],
    ['live AGPRs as written', end.live.written?.agpr ?? null],
    ['live AGPRs as scheduled', end.live.scheduled?.agpr ?? null],
    ['live SGPRs as written', end.live.written?.sgpr ?? null],
    ['live SGPRs as scheduled', end.live.scheduled?.sgpr ?? null],
  ] as const;
  if (row.outcome === null) return [...moments, ...live];
  const { outcome: o, spills, bankCopies, instructions, modelLength } = row;
  return [
    ...moments,
    ...live,
    ['VGPR', o.vgpr],
    ['AGPR', o.agpr],
    ['VGPR and AGPR', o.totalVgpr],
    ['SGPR', o.sgpr],
    ['LDS bytes', o.ldsBytes],
    ['scratch bytes', o.scratchBytes],
    ['spills and reloads', spillCount(end)],
    ['spills and reloads in loops', spills.inLoops],
    ['AGPR-VGPR copies', bankCopies.total],
    ['AGPR-VGPR copies in loops', bankCopies.inLoops],
    ['instructions', instructions],
    ['length (model)', modelLength],
  ];
}

/** What of a function has changed, in a sentence. */
export const outcomeChangeText = ({ before, after }: FunctionDiff): string => answerText(before, after);

/** Every number of every function on both sides: function, what it is, before, after; null: not known there. */
export const outcomeDiffRows = ({ functions, onlyBefore, onlyAfter }: OutcomeDiff): (string | number | null)[][] => [
  ...functions.flatMap((fn) => {
    const [a, b] = [new Map(numbers(fn.before)), new Map(numbers(fn.after))];
    const titles = new Set([...a.keys(), ...b.keys()]);
    return [...titles].map((title) => [fn.function, title, a.get(title) ?? null, b.get(title) ?? null]);
  }),
  ...onlyBefore.map((name) => [name, 'functions', 1, 0]),
  ...onlyAfter.map((name) => [name, 'functions', 0, 1]),
];

function changedNumbers(before: DiffEnd, after: DiffEnd): Row[] {
  const other = new Map(numbers(before));
  return numbers(after).flatMap(([title, b]): Row[] => {
    const a = other.get(title) ?? null;
    return a === b ? [] : [[title, a, b]];
  });
}

const signed = (n: number): string => (n > 0 ? `+${n}` : `${n}`);

/** Only what differs. */
function rowsOf(before: DiffEnd, after: DiffEnd): string[] {
  const rows = changedNumbers(before, after).map(([title, a, b]) => [
    title,
    `${a ?? '-'}`,
    `${b ?? '-'}`,
    a === null || b === null ? '' : signed(b - a),
  ]);
  if (rows.length === 0) return [];
  const all = [['', 'before', 'after', ''], ...rows];
  const widths = [0, 1, 2, 3].map((k) => Math.max(...all.map((row) => row[k]!.length)));
  return all.map((row) =>
    row
      .map((cell, k) => (k === 0 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!)))
      .join('  ')
      .trimEnd(),
  );
}

function failures({ before, after }: FunctionDiff): string[] {
  const sides = [
    ['before', before.row.failed],
    ['after', after.row.failed],
  ] as const;
  return sides.flatMap(([word, why]) => (why === '' ? [] : [`${word}: no outcome: ${visible(why)}`]));
}

function textLines({ text: { added, removed, changed } }: FunctionDiff): string[] {
  const parts = [
    ...(added > 0 ? [`${added} added`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
  ];
  return parts.length === 0 ? [] : [`  instructions of the text: ${parts.join(', ')}`];
}

/** `region 4 (bb.2, lines 231-260, in a loop): VGPR 70 -> 64, length 212 -> 205; 12 of 57 instructions moved` */
function regionText({ before, after, moved, added, removed }: RegionDiff): string {
  if (before === null)
    return `${placeText(after!)}: only after, VGPR ${after!.vgpr}, ${count(after!.instructions, 'instruction')}`;
  if (after === null)
    return `${placeText(before)}: only before, VGPR ${before.vgpr}, ${count(before.instructions, 'instruction')}`;
  const keys = [
    ['VGPR', 'vgpr'],
    ['AGPR', 'agpr'],
    ['SGPR', 'sgpr'],
    ['length', 'length'],
  ] as const;
  const changed = keys.flatMap(([word, key]) =>
    before[key] === after[key] ? [] : [`${word} ${change(before[key], after[key])}`],
  );
  const order = [
    ...(moved > 0 ? [`${moved} of ${count(after.instructions, 'instruction')} moved`] : []),
    ...(added > 0 ? [`${added} added`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ];
  const parts = [changed.join(', '), order.join(', ')].filter((part) => part !== '');
  return `${placeText(after)}: ${parts.join('; ')}`;
}

function placeText({ region, block, firstLine, lastLine, loopDepth }: RegionNumbers): string {
  const lines =
    firstLine === 0 ? '' : firstLine === lastLine ? `, line ${firstLine}` : `, lines ${firstLine}-${lastLine}`;
  return `region ${region} (${block}${lines}${loopText(loopDepth)})`;
}

const loopText = (depth: number): string => (depth === 0 ? '' : depth === 1 ? ', in a loop' : `, in ${depth} loops`);

/** `%12 (4 registers, line 40): 12 -> 57 instructions, at the peak now` */
function valueText({ register, nameBefore, weight, line, before, after, wasAtPeak, isAtPeak }: ValueDiff): string {
  const peak = isAtPeak ? (wasAtPeak ? ', at the peak' : ', at the peak now') : '';
  const where = [weight === 1 ? '' : count(weight, 'register'), line === 0 ? '' : `line ${line}`].filter(
    (t) => t !== '',
  );
  return `${change(visible(nameBefore), visible(register))}${where.length === 0 ? '' : ` (${where.join(', ')})`}: ${before} -> ${after} instructions${peak}`;
}

/** `+ %31, line 88: 1 save, 3 reloads (3 in loops)` */
function spillText({ before, after }: SpillDiff): string {
  const sign = before === null ? '+' : after === null ? '-' : ' ';
  const { register, line, registers } = (after ?? before)!;
  const moves = (n: NonNullable<SpillDiff['after']>): string => {
    const inLoops = n.inLoops === 0 ? '' : ` (${n.inLoops} in loops)`;
    return `${count(n.saves, 'save')}, ${count(n.reloads, 'reload')}${inLoops}`;
  };
  const wide = registers === 1 ? '' : `, ${registers} registers`;
  const what = before === null || after === null ? moves((after ?? before)!) : change(moves(before), moves(after));
  return `${sign} ${visible(register)}${wide}${line === 0 ? '' : `, line ${line}`}: ${what}`;
}

// -- Markdown -------------------------------------------------------------------------------------------------------

/** In a table of Markdown, whatever the file calls its functions. */
const cell = (text: string): string => visible(text).replace(/[|\\`*_<>[\]~&#]/g, (c) => `\\${c}`);

/** A table of all functions that differ, and the places folded below it. */
export function outcomeDiffMarkdown(diff: OutcomeDiff, names: DiffNames): string {
  const { functions, onlyBefore, onlyAfter } = diff;
  const changed = functions.filter((fn) => !fn.isSame);
  const lines = [
    `**What llc ends with**: ${change(cell(names.before), cell(names.after))} (${change(cell(names.targetBefore), cell(names.targetAfter))})`,
    '',
  ];
  if (changed.length > 0)
    lines.push(
      '| function | waves | VGPR | AGPR | SGPR | spills and reloads (in loops) | scratch | length (model) |',
      '|---|--:|--:|--:|--:|--:|--:|--:|',
      ...changed.map(rowOf),
      '',
    );
  for (const [side, own] of [
    [names.before, onlyBefore],
    [names.after, onlyAfter],
  ] as const)
    if (own.length > 0) lines.push(`Only in ${cell(side)}: ${own.map(cell).join(', ')}`, '');
  lines.push(sameText(diff), '');
  for (const fn of changed) {
    const fence = '```';
    const body = functionLines(fn)
      .slice(1)
      .map((line) => line.replaceAll(fence, "'''"));
    if (body.length > 0)
      lines.push(
        '<details>',
        `<summary>${cell(fn.function)}</summary>`,
        '',
        fence,
        ...body,
        fence,
        '',
        '</details>',
        '',
      );
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function rowOf(fn: FunctionDiff): string {
  const { before, after } = fn;
  const [a, b] = [before.row, after.row];
  const name = change(cell(fn.nameBefore), cell(fn.function));
  const both = (x: number | null | undefined, y: number | null | undefined): string => {
    const text = changeOrDash(x ?? null, y ?? null);
    return text.includes('->') ? `**${text.replace('->', '→')}**` : text;
  };
  const spills = (end: DiffEnd): string => {
    const inLoops = end.row.outcome === null ? 0 : end.row.spills.inLoops;
    return `${spillCount(end)}${inLoops === 0 ? '' : ` (${inLoops})`}`;
  };
  const spilled = change(spills(before), spills(after));
  const length = (end: DiffEnd): number | null => (end.row.outcome === null ? null : end.row.modelLength);
  return `| ${[
    name,
    both(a.outcome?.waves, b.outcome?.waves),
    both(a.outcome?.vgpr, b.outcome?.vgpr),
    both(a.outcome?.agpr, b.outcome?.agpr),
    both(a.outcome?.sgpr, b.outcome?.sgpr),
    spilled.includes('->') ? `**${spilled.replace('->', '→')}**` : spilled,
    both(a.outcome?.scratchBytes, b.outcome?.scratchBytes),
    both(length(before), length(after)),
  ].join(' | ')} |`;
}

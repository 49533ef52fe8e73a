/** The text report of `amdgpu-mir check` (ux.md): answer first, then the banks with their bars, then the findings. */
import type { Palette } from './palette.js';
import { excessText } from '../features/words/pressureText.js';
import { scalarizationLines } from './checkScalarize.js';
import { suggestionLines } from '../features/remat/suggestionsText.js';
import { targetRows, targetTable, type TargetNumbers } from '../features/pressure/targetTable.js';
import { isSameTarget, targetLabel, type TargetOptions } from '../program/targetOfFile.js';
import { visible } from '../text/visible.js';
import { byPlace, placeKey } from './checkFormats.js';
import { printAllocation } from './checkAllocation.js';
import { isAllocated, outcomeRows, printFinal, printOutcome, storyText, type OutcomeRow } from './checkOutcome.js';
import { sourceLineRows } from './checkSourceLines.js';
import { printSchedule } from './checkSchedule.js';
import { allDiagnostics } from './checkTypes.js';
import { fitLines } from './fitLines.js';
import type {
  CheckBaseline,
  CheckDiagnostic,
  CheckedFor,
  CheckFile,
  CheckFinding,
  CheckFunction,
  CheckPeak,
  CheckPressure,
  CheckTarget,
} from './checkTypes.js';

const BAR_WIDTH = 34;
/** Of the rows of a table. */
const INDENT = 4;
const FULL = '█';
const EMPTY = '░';

/** One file, ending in a line break. `columns`: of the terminal, Infinity = none */
export function printCheckFile(file: CheckFile, palette: Palette, columns = Infinity): string {
  const own = file.llvm === '' || isOfSeveral(file) ? '' : `  ${palette.dim(llvmText(file))}`;
  let out = `${palette.bold(visible(file.file))}${own}\n`;
  if (file.madeBy !== '') out += `  ${palette.dim(visible(file.madeBy))}\n`;
  if (file.skipped !== '') return `${out}  ${palette.dim(`skipped: ${visible(file.skipped)}`)}\n`;
  const isDetailed = [file, ...file.otherTargets].some(({ functions }) =>
    functions.some(
      (fn) =>
        fn.schedule !== null ||
        fn.rematerialization !== null ||
        fn.scalarization !== null ||
        fn.allocation !== null ||
        fn.sourceLines !== null,
    ),
  );
  if (file.otherTargets.length === 0) out += printFunctions(file.functions, palette);
  else if (!isDetailed) out += printTables(file, palette, columns);
  else out += printSections(file, palette);
  // Findings stay whole, since terminals make links of their places.
  out = fitLines(out, columns);
  return out + printDiagnostics(file, palette);
}

/** Those of the editor where they were asked for, and others, in the order of the text, each with its line as clang prints it. */
function printDiagnostics(file: CheckFile, palette: Palette): string {
  const told = new Set(file.findings?.map(placeKey));
  const isOfMany = isOfSeveral(file);
  const all = [
    ...(file.findings ?? []).map((found) => ({ found, text: printFinding(file, found, null, isOfMany, palette) })),
    ...allDiagnostics(file)
      .filter(({ diagnostic }) => !told.has(placeKey(diagnostic)))
      .map(({ diagnostic, targets }) => ({
        found: diagnostic,
        text: printFinding(file, diagnostic, targets, isOfMany, palette),
      })),
  ];
  return all
    .sort((a, b) => byPlace(a.found, b.found))
    .map(({ text }) => text)
    .join('');
}

/** `LLVM 24.0.0git: opcode G_CTLS in line 12` */
const llvmText = ({ llvm, decidedBy }: CheckFile): string =>
  `LLVM ${llvm}${decidedBy === '' ? '' : `: ${visible(decidedBy)}`}`;

const isOfSeveral = ({ llvm, otherTargets }: CheckFile): boolean => otherTargets.some((other) => other.llvm !== llvm);

/** `gfx942`, and the LLVM where there are several. */
const checkedForText = ({ target, llvm }: CheckedFor, hasSeveral: boolean): string =>
  `${targetLabel(target)}${hasSeveral ? `, LLVM ${llvm}` : ''}`;

/** All functions for each target; of another LLVM those that come to something else. */
function printSections(file: CheckFile, palette: Palette): string {
  const hasSeveral = isOfSeveral(file);
  let out = '';
  const met: CheckTarget[] = [];
  const textOf = (fn: CheckFunction): string => printFunction(fn, 0, palette);
  for (const checked of [file, ...file.otherTargets]) {
    const before = met.find(({ target, llvm }) => llvm !== checked.llvm && isSameTarget(target, checked.target));
    met.push(checked);
    const own = checked.functions.filter(
      (fn, n) => before === undefined || textOf(fn) !== textOf(before.functions[n]!),
    );
    const nSame = checked.functions.length - own.length;
    const same =
      nSame === 0 ? '' : `  ${nSame === 1 ? '1 function' : `${nSame} functions`} as with LLVM ${before!.llvm}\n`;
    out += `  ${palette.bold(`for ${checkedForText(checked, hasSeveral)}`)}\n${printFunctions(own, palette)}${same}`;
  }
  return out;
}

function printFunctions(functions: readonly CheckFunction[], palette: Palette): string {
  const width = Math.max(0, ...functions.map((f) => shownName(f).length));
  return functions.map((fn) => printFunction(fn, width, palette)).join('');
}

/** Per function a row for each target, as the editor's "Compare Targets". */
function printTables(file: CheckFile, palette: Palette, columns: number): string {
  const checked = [file, ...file.otherTargets];
  let out = '';
  file.functions.forEach((first, n) => {
    // All targets read the same documents.
    const rowOf = ({ functions, target }: CheckTarget): string => {
      const fn = functions[n];
      return fn === undefined ? '' : JSON.stringify([numbersOf(fn, target), fn.stage, fn.outcome, fn.noOutcome]);
    };
    const rows = checked.flatMap((one): (TargetNumbers & OutcomeRow)[] => {
      const fn = one.functions[n];
      if (!fn) return [];
      const alike = checked.filter((other) => other.llvm !== one.llvm && isSameTarget(other.target, one.target));
      const hasOwn = alike.some((other) => rowOf(other) !== rowOf(one));
      // Where all releases come to the same, one row is enough.
      if (!hasOwn && alike.some((other) => checked.indexOf(other) < checked.indexOf(one))) return [];
      const row = { ...numbersOf(fn, one.target), fn };
      return [!hasOwn ? row : { ...row, target: `${row.target}, LLVM ${one.llvm}` }];
    });
    const table = tableOf(rows, columns - INDENT, palette).map((line) => `    ${line}\n`);
    const says = checked.map(({ functions }) => functions[n]?.fileSays ?? '').find((text) => text !== '');
    out += `  ${shownName(first)}${says === undefined ? '' : ` (${visible(says)})`}\n${table.join('')}`;
  });
  return out;
}

function tableOf(rows: readonly (TargetNumbers & OutcomeRow)[], columns: number, palette: Palette): string[] {
  if (rows.some(({ fn }) => fn.stage !== null)) return outcomeRows(rows, columns, palette);
  const lines = targetRows(rows, columns);
  const isTable = lines[0] === targetTable(rows)[0];
  return lines.map((line, k) => (k === 0 && isTable ? palette.dim(line) : line));
}

function numbersOf({ cpu, wavefrontSize, pressure, registers }: CheckFunction, target: TargetOptions): TargetNumbers {
  const name = `${cpu === '' ? 'generic' : visible(cpu)} wave${wavefrontSize}`;
  const row = {
    label: targetLabel(target),
    target: name,
    occupancy: -1,
    most: -1,
    limiter: '',
    nextWave: '',
    peaks: [],
  };
  if (pressure === null) return { ...row, problem: registers || 'not analysed: it has errors' };
  const banks = [
    ['VGPR', pressure.vgpr],
    ['SGPR', pressure.sgpr],
    ['AGPR', pressure.agpr],
  ] as const;
  return {
    ...row,
    occupancy: pressure.occupancy,
    most: pressure.maxOccupancy,
    limiter: [excessText(pressure.excess), pressure.limitedBy].filter((part) => part !== '').join('; '),
    nextWave: pressure.nextWave.map((w) => `-${w.excess} ${w.bank}`).join(', '),
    peaks: banks.flatMap(([bank, { value, block, instr, line }]) =>
      value > 0 ? [{ bank, value, place: instr < 0 ? '' : `bb.${block}:${instr}`, line }] : [],
    ),
    problem: '',
  };
}

/** What a run has seen. */
export interface CheckTotals {
  readonly functions: number;
  readonly errors: number;
  readonly warnings: number;
  /** files of other targets */
  readonly skipped: number;
}

/** `2 functions, 1 error` */
export function printTotals({ functions, errors, warnings, skipped }: CheckTotals, palette: Palette): string {
  const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
  const parts = [count(functions, 'function')];
  parts.push(errors === 0 ? 'no errors' : palette.red(count(errors, 'error')));
  if (warnings !== 0) parts.push(palette.yellow(count(warnings, 'warning')));
  if (skipped !== 0) parts.push(`${count(skipped, 'file')} skipped`);
  return `${parts.join(', ')}\n`;
}

const MOST_LISTED = 4;

/** The first few of them. */
export function listOf(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  return names.slice(0, MOST_LISTED).map(visible).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** `3 results compared with the baseline; not in it: f (a.mir); of it but not here: g (a.mir)` */
export function printBaseline({ compared, fresh, gone }: CheckBaseline): string {
  const parts = [
    `${compared} result${compared === 1 ? '' : 's'} (one per function and target) compared with the baseline`,
  ];
  if (fresh.length > 0) parts.push(`not in it: ${listOf(fresh)}`);
  if (gone.length > 0) parts.push(`only in it: ${listOf(gone)}`);
  return `${parts.join('; ')}\n`;
}

/** llc allows functions without a name. */
const shownName = (fn: CheckFunction): string => visible(fn.name) || '(no name)';

function printFunction(fn: CheckFunction, width: number, palette: Palette): string {
  const says = fn.fileSays === '' ? '' : ` (${visible(fn.fileSays)})`;
  const head = `  ${shownName(fn).padEnd(width)}  ${fn.cpu === '' ? 'generic' : visible(fn.cpu)} wave${fn.wavefrontSize}${says}`;
  const { pressure: p, stage } = fn;
  if (p === null) {
    const why = fn.registers === '' ? palette.red('not analysed: it has errors') : fn.registers;
    // Of a function without registers there is nothing to tell.
    const hasNone = fn.outcome !== null && stage !== null && !isAllocated(stage.name);
    const story = stage === null || fn.outcome === null || hasNone ? '' : storyText(fn, stage, palette);
    const ends = stage === null || hasNone ? '' : `${printOutcome(fn, stage)}${printFinal(fn)}`;
    const first = story === '' ? why : `${story}\n    ${why}`;
    return `${head}   ${first}\n${ends}${fn.schedule === null ? '' : printSchedule(fn.schedule, palette)}`;
  }
  const limiter = p.limitedBy === '' ? '' : `, limited by ${p.limitedBy}`;
  const occupancy = `occupancy ${p.occupancy} of ${p.maxOccupancy}${limiter}`;
  const spills = excessText(p.excess);
  const first = spills === '' ? '' : `${palette.red(spills)}; `;
  const isFull = p.occupancy === p.maxOccupancy;
  const asWritten = `${first}${isFull ? palette.green(occupancy) : palette.yellow(occupancy)}`;
  let out = `${head}   ${stage === null ? asWritten : `${fn.outcome === null ? first : ''}${storyText(fn, stage, palette)}`}\n`;
  if (stage !== null) out += `${printOutcome(fn, stage)}${printFinal(fn)}`;
  // In a unified file VGPRs and AGPRs together decide: their sum stands on the AGPR line.
  const isShared = p.unifiedFile !== 0 && p.agpr.value !== 0;
  out += printBank('VGPR', p.vgpr, p.vgprLimit, isShared ? '' : nextWaveText(p, 'VGPR'), palette);
  out += printBank('SGPR', p.sgpr, p.sgprLimit, nextWaveText(p, 'SGPR'), palette);
  if (p.agpr.value !== 0) {
    const note = nextWaveText(p, 'VGPR').replace(/^; /, ', ');
    const unified = isShared ? `  (unified with VGPR: ${p.unifiedPeak} of ${p.unifiedFile}${note})` : '';
    out += `    AGPR ${String(p.agpr.value).padEnd(3)}${place(p.agpr)}${unified}\n`;
  }
  const [min, max] = p.workGroupSizes;
  const sizes = min === max ? String(max) : `${min} to ${max}`;
  out += palette.dim(
    `    LDS ${bytes(p.ldsBytes)}, workgroup ${sizes}: at most ${p.ldsOccupancy} waves; live-in ${p.liveIns}, live-out ${p.liveOuts} registers\n`,
  );
  if (fn.schedule !== null) out += printSchedule(fn.schedule, palette);
  if (fn.allocation !== null) out += printAllocation(fn.allocation, palette);
  if (fn.scalarization !== null) {
    out += '    scalarization:\n';
    for (const line of scalarizationLines(fn.scalarization)) out += `      ${line}\n`;
  }
  if (fn.sourceLines !== null) {
    out += '    source lines:\n';
    for (const line of sourceLineRows(fn.sourceLines, palette)) out += `      ${line}\n`;
  }
  if (fn.rematerialization !== null) {
    out += '    rematerialization:\n';
    for (const line of suggestionLines(fn.rematerialization, { dim: palette.dim, good: palette.green }))
      out += `      ${line}\n`;
  }
  return out;
}

function printBank(bank: string, peak: CheckPeak, limit: number, note: string, palette: Palette): string {
  const filled = limit <= 0 ? 0 : Math.min(BAR_WIDTH, Math.round((peak.value / limit) * BAR_WIDTH));
  const bar = FULL.repeat(filled) + palette.dim(EMPTY.repeat(BAR_WIDTH - filled));
  return `    ${bank} ${String(peak.value).padEnd(3)} ${bar}${place(peak)}${note}\n`;
}

function place(peak: CheckPeak): string {
  return peak.line === 0 ? '' : `  live peak at line ${peak.line} (bb.${peak.block}:${peak.instr})`;
}

function nextWaveText(p: CheckPressure, bank: 'SGPR' | 'VGPR'): string {
  const next = p.nextWave.find((n) => n.bank === bank);
  if (next === undefined) return '';
  return `; ${next.excess} above the limit of ${next.waves} waves (${next.limit})`;
}

function bytes(n: number): string {
  return n !== 0 && n % 1024 === 0 ? `${n / 1024} KiB` : `${n} bytes`;
}

/** `k.mir:3:5: error: what [code]`, the line, and a mark below it. */
function printFinding(
  { file, excerpts }: CheckFile,
  d: CheckDiagnostic | CheckFinding,
  targets: readonly CheckedFor[] | null,
  hasSeveral: boolean,
  palette: Palette,
): string {
  const at = d.line === 0 ? visible(file) : `${visible(file)}:${d.line}:${d.column}`;
  const word = d.severity === 'error' ? palette.red('error') : palette.yellow(d.severity);
  // Names in messages may hold what a terminal obeys.
  const message = d.message.split('\n').map(visible).join('\n');
  const only = targets === null ? '' : ` (for ${targets.map((one) => checkedForText(one, hasSeveral)).join('; ')})`;
  const more =
    'fixes' in d ? [...d.related.map((r) => `line ${r.line}: ${r.message}`), ...d.fixes.map((f) => `fix: ${f}`)] : [];
  const notes = more.map((line) => `      ${visible(line)}\n`).join('');
  return `${at}: ${word}: ${message}${only} [${d.code}]\n${excerptText(d, excerpts, palette)}${notes}`;
}

/** The line of a finding with its number, and a caret with waves below what is meant; empty where there is no place. */
function excerptText(
  { line, column, endLine, endColumn }: CheckDiagnostic,
  excerpts: CheckFile['excerpts'],
  palette: Palette,
): string {
  const text = excerpts[line];
  if (text === undefined || text.trim() === '') return '';
  const end = endLine === line ? endColumn : text.length + 1;
  const marked = [...text.slice(column - 1, Math.max(column, end - 1))].length;
  const indent = ' '.repeat([...text.slice(0, column - 1)].length);
  const number = `${line}`.padStart(5);
  const mark = palette.green(`^${'~'.repeat(Math.max(0, marked - 1))}`);
  return `${number} | ${visible(text)}\n${' '.repeat(5)} | ${indent}${mark}\n`;
}

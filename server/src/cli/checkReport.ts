/** The text report of `amdgpu-mir check` (ux.md): answer first, then the banks with their bars, then the findings. */
import type { Palette } from './palette.js';
import { excessText } from '../features/pressure/pressureText.js';
import { scalarizationLines } from './checkScalarize.js';
import { suggestionLines } from '../features/remat/suggestionsText.js';
import { targetRows, targetTable, type TargetNumbers } from '../features/pressure/targetTable.js';
import { targetLabel, type TargetOptions } from '../program/targetOfFile.js';
import { visible } from '../text/visible.js';
import { printAllocation } from './checkAllocation.js';
import { printSchedule } from './checkSchedule.js';
import { allDiagnostics } from './checkTypes.js';
import { fitLines } from './fitLines.js';
import type {
  CheckBaseline,
  CheckDiagnostic,
  CheckFile,
  CheckFunction,
  CheckPeak,
  CheckPressure,
} from './checkTypes.js';

const BAR_WIDTH = 34;
/** Of the rows of a table. */
const INDENT = 4;
const FULL = '█';
const EMPTY = '░';

/** One file, ending in a line break. `columns`: of the terminal, Infinity = none */
export function printCheckFile(file: CheckFile, palette: Palette, columns = Infinity): string {
  let out = `${palette.bold(visible(file.file))}\n`;
  if (file.skipped !== '') return `${out}  ${palette.dim(`skipped: ${visible(file.skipped)}`)}\n`;
  const isDetailed = [file, ...file.otherTargets].some(({ functions }) =>
    functions.some(
      (fn) =>
        fn.schedule !== null || fn.rematerialization !== null || fn.scalarization !== null || fn.allocation !== null,
    ),
  );
  if (file.otherTargets.length === 0) out += printFunctions(file.functions, palette);
  else if (!isDetailed) out += printTables(file, palette, columns);
  else
    for (const { target, functions } of [file, ...file.otherTargets])
      out += `  ${palette.bold(`for ${targetLabel(target)}`)}\n${printFunctions(functions, palette)}`;
  // Findings stay whole, since terminals make links of their places.
  out = fitLines(out, columns);
  for (const { diagnostic, targets } of allDiagnostics(file))
    out += printFinding(file.file, diagnostic, targets, palette);
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
    const rows = checked.flatMap(({ target, functions }): TargetNumbers[] => {
      // All targets read the same documents.
      const fn = functions[n];
      return fn ? [numbersOf(fn, target)] : [];
    });
    const lines = targetRows(rows, columns - INDENT);
    const isTable = lines[0] === targetTable(rows)[0];
    const table = lines.map((line, k) => `    ${k === 0 && isTable ? palette.dim(line) : line}\n`);
    const says = checked.map(({ functions }) => functions[n]?.fileSays ?? '').find((text) => text !== '');
    out += `  ${shownName(first)}${says === undefined ? '' : ` (${visible(says)})`}\n${table.join('')}`;
  });
  return out;
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

/** `3 functions compared with the baseline; not in it: f (a.mir); of it but not here: g (a.mir)` */
export function printBaseline({ compared, fresh, gone }: CheckBaseline): string {
  const parts = [`${compared} function${compared === 1 ? '' : 's'} compared with the baseline`];
  if (fresh.length > 0) parts.push(`not in it: ${listOf(fresh)}`);
  if (gone.length > 0) parts.push(`only in it: ${listOf(gone)}`);
  return `${parts.join('; ')}\n`;
}

/** llc allows functions without a name. */
const shownName = (fn: CheckFunction): string => visible(fn.name) || '(no name)';

function printFunction(fn: CheckFunction, width: number, palette: Palette): string {
  const says = fn.fileSays === '' ? '' : ` (${visible(fn.fileSays)})`;
  const head = `  ${shownName(fn).padEnd(width)}  ${fn.cpu === '' ? 'generic' : visible(fn.cpu)} wave${fn.wavefrontSize}${says}`;
  const p = fn.pressure;
  if (p === null) {
    const why = fn.registers === '' ? palette.red('not analysed: it has errors') : fn.registers;
    return `${head}   ${why}\n${fn.schedule === null ? '' : printSchedule(fn.schedule, palette)}`;
  }
  const limiter = p.limitedBy === '' ? '' : `, limited by ${p.limitedBy}`;
  const occupancy = `occupancy ${p.occupancy} of ${p.maxOccupancy}${limiter}`;
  const spills = excessText(p.excess);
  const first = spills === '' ? '' : `${palette.red(spills)}; `;
  let out = `${head}   ${first}${p.occupancy < p.maxOccupancy ? palette.yellow(occupancy) : palette.green(occupancy)}\n`;
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

function printFinding(
  file: string,
  d: CheckDiagnostic,
  targets: readonly TargetOptions[] | null,
  palette: Palette,
): string {
  const at = d.line === 0 ? visible(file) : `${visible(file)}:${d.line}:${d.column}`;
  const word = d.severity === 'error' ? palette.red('error') : palette.yellow(d.severity);
  // Names in messages may hold what a terminal obeys.
  const message = d.message.split('\n').map(visible).join('\n');
  const only = targets === null ? '' : ` (for ${targets.map(targetLabel).join(', ')})`;
  return `  ${word}: ${at}: ${message}${only}\n`;
}

/** `amdgpu-mir sweep`: what llc ends with under other options and attributes, a row for each function and setting. */
import { readCommandLine } from '../commandLine/commandLine.js';
import { AUTO_MODEL, isModelChoice, MODEL_CHOICES, type ModelChoice } from '../passes/scheduler/schedulerModel.js';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { splitTriple } from '../program/llcOptions.js';
import { modelWithTarget } from '../program/modelOfFile.js';
import { DEFAULT_SETTINGS } from '../program/settings.js';
import { Sweep, type SweepRow, type SweepSetting } from '../program/sweep.js';
import {
  chosenTarget,
  foreignText,
  targetLabel,
  targetOfFile,
  UNCOUNTED_R600,
  type FileTarget,
  type TargetOptions,
} from '../program/targetOfFile.js';
import { isUnmodelled } from '../program/targetTriple.js';
import { TestFile } from '../program/testFile/testFile.js';
import { parseMirFile } from '../syntax/index.js';
import { createSubtarget, parseTriple, releaseOf, type ReleaseName } from '../target/index.js';
import { SourceText } from '../text/sourceText.js';
import { visible } from '../text/visible.js';
import { Interner } from '../util/interner.js';
import { parseCommandOptions } from './commandOptions.js';
import { asksForHelp, helpOf } from './help.js';
import { parseTargets } from './targetArgument.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;
const EXIT_USAGE = 2;

const AS_IN_FILE: SweepSetting = { options: [], attributes: {} };

interface Settings {
  /** empty: what makes sense for the target */
  readonly settings: readonly SweepSetting[];
  readonly format: 'text' | 'json' | 'csv';
  readonly functionName: string | null;
  readonly target: TargetOptions;
  readonly model: ModelChoice;
  readonly input: string;
}

/** The exit code: 1 when a function has no outcome even as the file stands. */
export function runSweep(args: readonly string[], io: CommandIO): number {
  if (asksForHelp(args)) {
    io.stdout(helpOf('sweep'));
    return EXIT_OK;
  }
  const wanted = readSettings(args);
  const refuse = (message: string): number => {
    io.stderr(`amdgpu-mir sweep: ${message}\n`);
    return EXIT_USAGE;
  };
  if (typeof wanted === 'string') return refuse(wanted);
  let source: string;
  try {
    source = io.read(wanted.input);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return refuse(`${visible(wanted.input)}: ${error.message}`);
  }
  const found = targetAndModel(source, wanted);
  if (typeof found === 'string') return refuse(`${visible(wanted.input)}: ${found}`);
  const { target } = found;
  const { model, release } = found.model;
  const problem = wanted.settings.map(({ options }) => problemOf(options, release)).find((text) => text !== '');
  if (problem !== undefined) return refuse(problem);
  const sweep = new Sweep(source, target, model);
  const settings = wanted.settings.length > 0 ? wanted.settings : usualSettings(target, release, sweep.hasModule);
  if (!sweep.hasModule && settings.some(({ attributes }) => Object.keys(attributes).length > 0))
    return refuse(`${visible(wanted.input)} has no embedded module, whose functions could have other attributes`);
  const rows: SweepRow[] = [];
  for (const setting of [AS_IN_FILE, ...settings]) {
    const some = sweep.rows(setting, () => io.checkpoint?.());
    rows.push(...some.filter((row) => wanted.functionName === null || row.function === wanted.functionName));
  }
  if (wanted.functionName !== null && rows.length === 0)
    return refuse(`there is no function '${visible(wanted.functionName)}'`);
  const llvm = releaseOf(release).version;
  if (wanted.format === 'json')
    io.stdout(`${JSON.stringify({ file: wanted.input, target: targetLabel(target), llvm, rows }, null, 2)}\n`);
  else if (wanted.format === 'csv') io.stdout(csvOf(rows));
  else io.stdout(tablesOf(wanted.input, `${targetLabel(target)}, LLVM ${llvm}`, rows));
  return rows.some((row) => settingText(row) === AS_IT_STANDS && row.outcome === null) ? EXIT_ERRORS : EXIT_OK;
}

/** A text: why nothing is computed for the file. */
function targetAndModel(source: string, wanted: Settings): ReturnType<typeof modelWithTarget> | string {
  const test = new TestFile(source);
  const targetFor = (release: ReleaseName): FileTarget =>
    chosenTarget(targetOfFile(test, DEFAULT_SETTINGS.target, undefined, release), wanted.target);
  const file = parseMirFile(new SourceText(source), new Interner());
  const found = modelWithTarget(file, targetFor, wanted.model);
  const { foreign } = found.target;
  if (foreign !== '' && !isUnmodelled(found.target)) return foreignText(foreign, found.model.release);
  return parseTriple(found.target.triple).isR600 ? UNCOUNTED_R600 : found;
}

/** The levers that users of LLVM try: strategies, trackers, stages, waves, and where there are matrix instructions their registers. */
function usualSettings(
  { triple, cpu, features }: FileTarget,
  release: ReleaseName,
  hasModule: boolean,
): SweepSetting[] {
  const subtarget = createSubtarget(triple, cpu, features, releaseOf(release));
  const options = [
    ...['max-ilp', 'max-memory-clause', 'iterative-ilp', 'iterative-minreg', 'iterative-maxocc'].map(
      (name) => `-amdgpu-sched-strategy=${name}`,
    ),
    '-amdgpu-use-amdgpu-trackers',
    '-amdgpu-disable-unclustered-high-rp-reschedule',
    '-amdgpu-schedule-metric-bias=0',
    '-amdgpu-schedule-relaxed-occupancy',
    '-enable-misched=0',
    ...(subtarget.hasGFX90AInsts ? ['-amdgpu-mfma-vgpr-form'] : []),
  ];
  const waves = [1, 2, 4, 8].filter((n) => n <= subtarget.maxWavesPerEU);
  const attributes = [
    ...waves.map((n) => ({ 'amdgpu-waves-per-eu': `${n},${n}` })),
    ...(subtarget.hasGFX90AInsts ? [{ 'amdgpu-agpr-alloc': '0' }] : []),
  ];
  return [
    ...options.map((option) => ({ options: [option], attributes: {} })),
    ...(hasModule ? attributes.map((some) => ({ options: [], attributes: some })) : []),
  ];
}

const AS_IT_STANDS = '(as in the file)';

/** `amdgpu-waves-per-eu=8,8` */
function settingText({ options, attributes }: SweepSetting): string {
  const words = [...options, ...Object.entries(attributes).map(([name, value]) => `${name}=${value}`)];
  return words.length === 0 ? AS_IT_STANDS : words.join(' ');
}

const COLUMNS = [
  'waves',
  'VGPR',
  'AGPR',
  'SGPR',
  'spills (loop)',
  'A-V copies (loop)',
  'instructions',
  'scratch',
] as const;

function cellsOf(row: SweepRow): string[] {
  if (row.outcome === null) return [];
  const { outcome, spills, bankCopies, instructions } = row;
  const inLoops = (total: number, loop: number): string => (loop === 0 ? `${total}` : `${total} (${loop})`);
  const { vgprSaves, vgprRestores, sgprSaves, sgprRestores } = spills;
  return [
    `${outcome.waves ?? '-'}`,
    `${outcome.vgpr}`,
    `${outcome.agpr ?? '-'}`,
    `${outcome.sgpr}`,
    inLoops(vgprSaves + vgprRestores + sgprSaves + sgprRestores, spills.inLoops),
    inLoops(bankCopies.total, bankCopies.inLoops),
    `${instructions}`,
    `${outcome.scratchBytes}`,
  ];
}

/** A table for each function, the file as it is first. */
function tablesOf(file: string, target: string, rows: readonly SweepRow[]): string {
  let out = '';
  for (const name of new Set(rows.map((row) => row.function))) {
    const own = rows.filter((row) => row.function === name);
    const names = own.map((row) => visible(settingText(row)));
    const first = `${visible(file)}  ${visible(name)}  ${visible(target)}`;
    const width = Math.max(first.length, ...names.map((text) => text.length + 4));
    const line = (head: string, cells: readonly string[]): string =>
      `${head.padEnd(width)}${cells.map((cell, k) => `  ${cell.padStart(COLUMNS[k]!.length)}`).join('')}`.trimEnd();
    out += `${line(first, COLUMNS)}\n`;
    for (const [k, row] of own.entries())
      out +=
        row.outcome === null
          ? `    ${names[k]}: ${visible(row.failed)}\n`
          : `${line(`    ${names[k]}`, cellsOf(row))}\n`;
  }
  return out;
}

function csvOf(rows: readonly SweepRow[]): string {
  const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const head = ['function', 'setting', ...COLUMNS, 'failed'];
  const lines = rows.map((row) =>
    row.outcome === null
      ? [row.function, settingText(row), ...COLUMNS.map(() => ''), row.failed]
      : [row.function, settingText(row), ...cellsOf(row), ''],
  );
  return [head, ...lines].map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}

/** A message when the arguments are wrong. */
function readSettings(args: readonly string[]): Settings | string {
  const parsed = parseCommandOptions(args, {
    ...{ json: 'flag', csv: 'flag', vary: 'list', function: 'value', model: 'value' },
    ...{ target: 'value', mtriple: 'value', mcpu: 'value', mattr: 'list' },
  });
  if (typeof parsed === 'string') return parsed;
  const { flags, values, inputs } = parsed;
  const value = (name: string): string | undefined => values.get(name)?.[0];
  const model = value('model') ?? AUTO_MODEL;
  if (!isModelChoice(model)) return `--model is one of ${MODEL_CHOICES.join(', ')}`;
  if (inputs.length !== 1) return "one file is wanted; see 'amdgpu-mir help sweep'";
  const settings = (values.get('vary') ?? []).flatMap(variedBy);
  const triple = value('mtriple') || DEFAULT_SETTINGS.target.triple;
  const split = splitTriple(triple);
  const targets = value('target') === undefined ? [] : parseTargets(value('target')!, triple);
  if (typeof targets === 'string') return targets;
  const features = (values.get('mattr') ?? []).filter((list) => list !== '').join(',');
  const named = { triple: value('mtriple') ? split.triple : '', cpu: value('mcpu') || split.cpu, features };
  return {
    settings,
    format: flags.has('json') ? 'json' : flags.has('csv') ? 'csv' : 'text',
    functionName: value('function') ?? null,
    target: targets[0] === undefined ? named : { ...targets[0], triple: named.triple },
    model,
    input: inputs[0]!,
  };
}

/** Of `-option=a,b`, `-flag` or `attr:NAME=a|b`. */
function variedBy(text: string): SweepSetting[] {
  const [, attribute, list = ''] = /^attr:([^=]+)=([^]*)$/.exec(text) ?? [];
  if (attribute !== undefined)
    return list.split('|').map((value) => ({ options: [], attributes: { [attribute]: value } }));
  const [, given = '', values] = /^([^=]*)(?:=([^]*))?$/.exec(text) ?? [];
  const name = given.startsWith('-') ? given : `-${given}`;
  const options = values === undefined ? [name] : values.split(',').map((one) => `${name}=${one}`);
  return options.map((option) => ({ options: [option], attributes: {} }));
}

/** What that release's llc says of options that it does not take, '' when it takes them. */
function problemOf(options: readonly string[], release: ReleaseName): string {
  const [error] = readCommandLine(options, [], 'llc', releaseOf(release).options).errors;
  return error === undefined ? '' : error.text.trimEnd().replace(/^llc: /, '');
}

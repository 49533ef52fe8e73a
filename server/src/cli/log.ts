/** `amdgpu-mir log`: the passes and functions of a log of machine dumps, a dump as MIR, and what a pass changed. */
import { parseTargets } from './targetArgument.js';
import { isModelChoice, MODEL_CHOICES, AUTO_MODEL, type ModelChoice } from '../passes/scheduler/schedulerModel.js';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { ANY_TARGET, likelyTarget, mirOfDumps } from '../program/machineLog/dumpMir.js';
import { chosenDumps, dumpName, readSelector, type DumpSelector } from '../program/machineLog/dumpSelector.js';
import { LogReader, type LogFacts } from '../program/machineLog/logReader.js';
import { LogTable, type LogRow } from '../program/machineLog/logTable.js';
import { isReleaseName } from '../target/index.js';
import type { TargetOptions } from '../program/targetOfFile.js';
import { visible } from '../text/visible.js';
import { parseCommandOptions } from './commandOptions.js';
import { asksForHelp, helpOf } from './help.js';
import { logCsv, logJson, logText } from './logReport.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;
const EXIT_USAGE = 2;

interface LogSettings {
  readonly input: string;
  readonly selector: DumpSelector | null;
  readonly functionName: string | null;
  readonly isDiff: boolean;
  readonly withOutcome: boolean;
  readonly form: 'text' | 'csv' | 'json';
  readonly target: TargetOptions;
  readonly model: ModelChoice;
  readonly output: string;
}

/** The exit code: 1 when there is no machine function, or not the one asked for. */
export function runLog(args: readonly string[], io: CommandIO): number {
  if (asksForHelp(args)) {
    io.stdout(helpOf('log'));
    return EXIT_OK;
  }
  const settings = readSettings(args);
  if (typeof settings === 'string') {
    io.stderr(`amdgpu-mir log: ${settings}; see 'amdgpu-mir help log'\n`);
    return EXIT_USAGE;
  }
  try {
    return settings.selector === null ? list(settings, io) : print(settings, settings.selector, io);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    io.stderr(`amdgpu-mir log: ${visible(settings.input)}: ${error.message}\n`);
    return EXIT_ERRORS;
  }
}

function readSettings(args: readonly string[]): LogSettings | string {
  const options = parseCommandOptions(args, {
    ...{ pass: 'value', function: 'value', diff: 'flag', outcome: 'flag', csv: 'flag', json: 'flag' },
    ...{ target: 'value', mtriple: 'value', mcpu: 'value', mattr: 'value', model: 'value', o: 'value' },
  });
  if (typeof options === 'string') return options;
  const { flags, values, inputs } = options;
  const value = (name: string): string | null => values.get(name)?.[0] ?? null;
  if (inputs.length !== 1) return 'one file is wanted';
  if (flags.has('csv') && flags.has('json')) return '--csv and --json exclude each other';
  const pass = value('pass');
  const selector = pass === null ? null : readSelector(pass);
  if (typeof selector === 'string') return selector;
  if (selector === null && flags.has('diff')) return '--diff needs --pass, which names what has changed';
  if (selector !== null && (flags.has('csv') || flags.has('json') || flags.has('outcome')))
    return '--csv, --json and --outcome are for the list, --pass is not';
  const model = value('model') ?? AUTO_MODEL;
  if (!isModelChoice(model)) return `--model is one of ${MODEL_CHOICES.join(', ')}`;
  const target = readTarget(value('target'), value('mtriple') ?? '', value('mcpu') ?? '', value('mattr') ?? '');
  if (typeof target === 'string') return target;
  return {
    ...{ input: inputs[0]!, selector, functionName: value('function'), target, model },
    ...{ isDiff: flags.has('diff'), withOutcome: flags.has('outcome'), output: value('o') ?? '-' },
    form: flags.has('csv') ? 'csv' : flags.has('json') ? 'json' : 'text',
  };
}

function readTarget(named: string | null, triple: string, cpu: string, features: string): TargetOptions | string {
  if (named === null)
    return cpu + triple + features === '' ? ANY_TARGET : { triple, cpu, features, isChosen: cpu !== '' };
  const targets = parseTargets(named, triple);
  if (typeof targets === 'string') return targets;
  return targets.length === 1 ? { ...targets[0]!, triple } : '--target is one processor';
}

/** Feeds the reader until it wants no more. */
function readAll(io: CommandIO, path: string, reader: LogReader): LogFacts {
  if (io.readPieces === undefined) reader.feed(io.read(path));
  else io.readPieces(path, (piece) => reader.feed(piece));
  return reader.end();
}

function list(settings: LogSettings, io: CommandIO): number {
  const { input, functionName, withOutcome, target, model, form } = settings;
  const rows: LogRow[] = [];
  const table: LogTable = new LogTable({ target, model, withOutcome }, () => reader.facts.target);
  const reader: LogReader = new LogReader((dump) => {
    io.checkpoint?.();
    if (functionName === null || dump.functionName === functionName) rows.push(table.row(dump));
    return false;
  });
  const facts = readAll(io, input, reader);
  if (facts.dumps === 0) return tellContent(facts, input, io);
  if (rows.length === 0) {
    io.stderr(`amdgpu-mir log: ${visible(input)} has no dump of a function '${visible(functionName ?? '')}'\n`);
    return EXIT_ERRORS;
  }
  const report = { file: input, facts, rows, target: table.target };
  if (form === 'json') io.stdout(logJson(report));
  else io.stdout(form === 'csv' ? logCsv(report) : logText(report, io.columns ?? Infinity));
  return EXIT_OK;
}

function print(settings: LogSettings, selector: DumpSelector, io: CommandIO): number {
  const { input, functionName, isDiff, model } = settings;
  const chosen = chosenDumps(selector, functionName);
  const reader: LogReader = new LogReader((dump) => chosen.take(dump));
  const facts = readAll(io, input, reader);
  if (facts.dumps === 0) return tellContent(facts, input, io);
  if (chosen.dumps.length === 0) {
    const of = functionName === null ? '' : ` of function '${visible(functionName)}'`;
    io.stderr(
      `amdgpu-mir log: ${visible(input)} has no dump ${visible(selector.text)}${of}; without --pass it lists what there is\n`,
    );
    return EXIT_ERRORS;
  }
  const release = isReleaseName(model) ? model : undefined;
  for (const { dump } of chosen.dumps)
    if (dump.isCut)
      io.stderr(
        `amdgpu-mir log: ${visible(input)}:${dump.line}: ${visible(dumpName(dump))} is cut off: what follows is the part that is there\n`,
      );
  let text: string;
  if (isDiff) text = chosen.diff();
  else {
    const dumps = chosen.dumps.map(({ dump }) => dump);
    const question = { target: settings.target, model, withOutcome: false };
    const { isGuess, triple, cpu } = likelyTarget(dumps[0]!, facts.target, question);
    const made = mirOfDumps(dumps, { triple, cpu: isGuess ? '' : cpu }, release);
    for (const note of made.notes) io.stderr(`amdgpu-mir log: ${visible(note)}\n`);
    ({ text } = made);
  }
  if (settings.output === '-') io.stdout(text);
  else io.openFile(settings.output).write(text);
  return EXIT_OK;
}

/** What a text without machine functions is, and who makes MIR of it. */
function tellContent({ content, irDumps }: LogFacts, input: string, io: CommandIO): number {
  const what = content === 'nothing' ? 'it is empty' : `it seems to be ${CONTENT_WORDS[content]}`;
  const irText = irDumps > 0 ? `; of ${irDumps} dumps all are LLVM IR: passes on machine code come later` : '';
  io.stderr(
    `amdgpu-mir log: ${visible(input)}: there is no machine function in it (# Machine code for function); ${what}${irText}\n`,
  );
  const advice = ADVICE[content];
  if (advice !== '') io.stderr(`amdgpu-mir log: ${advice}\n`);
  return EXIT_ERRORS;
}

const CONTENT_WORDS = {
  'LLVM IR': 'LLVM IR',
  bitcode: 'LLVM bitcode',
  assembly: 'assembly',
  object: 'an object file',
  MIR: 'MIR',
  text: 'other text',
} as const;

const FROM_IR = 'llc -stop-before=machine-scheduler -o - FILE makes MIR of it, llc -print-after-all FILE 2> LOG a log';
const NO_WAY_BACK =
  'there is no way back to MIR: compile its source with -mllvm -print-after-all (clang) or -print-after-all (llc)';
const ADVICE: Readonly<Record<LogFacts['content'], string>> = {
  nothing: '',
  'LLVM IR': FROM_IR,
  bitcode: FROM_IR,
  assembly: NO_WAY_BACK,
  object: NO_WAY_BACK,
  MIR: 'amdgpu-mir check FILE reads it as it is',
  text: 'clang writes such a log with -mllvm -print-after-all, llc with -print-after-all',
};

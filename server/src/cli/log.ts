/** `amdgpu-mir log`: the passes and functions of a log of machine dumps, a dump as MIR, and what a pass changed. */
import {
  AUTO_MODEL,
  isModelChoice,
  llvmsOfChoice,
  MODEL_CHOICES,
  type ModelChoice,
} from '../passes/scheduler/schedulerModel.js';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { ANY_TARGET, likelyTarget, mirOfDumps } from '../program/machineLog/dumpMir.js';
import { ADVICE, CONTENT_WORDS } from '../program/machineLog/logContent.js';
import { chosenDumps, dumpName, readSelector, type DumpSelector } from '../program/machineLog/dumpSelector.js';
import { LogReader, type LogFacts } from '../program/machineLog/logReader.js';
import { LogTable, type LogRow } from '../program/machineLog/logTable.js';
import { isReleaseName } from '../target/index.js';
import type { TargetOptions } from '../program/targetOfFile.js';
import { visible } from '../text/visible.js';
import { valueOf, type CommandOptions } from './commandOptions.js';
import { EXIT_USAGE, runCommand, type Invocation } from './commandRun.js';
import { parseTargetLists } from './targetArgument.js';
import { logCsv, logJson, logText } from './logReport.js';

const EXIT_OK = 0;
/** There is no answer. */
const EXIT_NONE = EXIT_USAGE;

type Format = 'text' | 'csv' | 'json';

interface LogSettings {
  readonly input: string;
  readonly selector: DumpSelector | null;
  readonly functionName: string | null;
  readonly isDiff: boolean;
  readonly withOutcome: boolean;
  readonly target: TargetOptions;
  readonly model: ModelChoice;
}

/** The exit code: 2 when there is no machine function, or not the one asked for. */
export const runLog = (args: readonly string[], io: CommandIO): number => runCommand<Format>('log', args, io, log);

function log(call: Invocation<Format>, io: CommandIO): number {
  const settings = readSettings(call);
  if (typeof settings === 'string') return call.refuse(`${settings}; see 'amdgpu-mir help log'`);
  try {
    return settings.selector === null ? list(settings, call.format, io) : print(settings, settings.selector, io);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    io.stderr(`amdgpu-mir log: ${visible(settings.input)}: ${error.message}\n`);
    return EXIT_NONE;
  }
}

function readSettings(options: Invocation<Format>): LogSettings | string {
  const { flags, inputs, format } = options;
  const value = (name: string): string | null => valueOf(options, name) ?? null;
  if (inputs.length !== 1) return 'expected one file';
  const pass = value('pass');
  const selector = pass === null ? null : readSelector(pass);
  if (typeof selector === 'string') return selector;
  if (selector === null && flags.has('diff')) return '--diff needs --pass';
  if (selector !== null && (format !== 'text' || flags.has('outcome')))
    return '--csv, --json and --outcome apply to the list and cannot be combined with --pass';
  const model = value('model') ?? AUTO_MODEL;
  if (!isModelChoice(model)) return `--model must be one of ${MODEL_CHOICES.join(', ')}`;
  const target = readTarget(options);
  if (typeof target === 'string') return target;
  return {
    ...{ input: inputs[0]!, selector, functionName: value('function'), target, model },
    ...{ isDiff: flags.has('diff'), withOutcome: flags.has('outcome') },
  };
}

function readTarget(options: CommandOptions): TargetOptions | string {
  const triple = valueOf(options, 'mtriple') ?? '';
  const named = options.values.get('target');
  const cpu = valueOf(options, 'mcpu') ?? '';
  const features = (options.values.get('mattr') ?? []).filter((list) => list !== '').join(',');
  if (named === undefined)
    return cpu + triple + features === '' ? ANY_TARGET : { triple, cpu, features, isChosen: cpu !== '' };
  const targets = parseTargetLists(named, triple);
  if (typeof targets === 'string') return targets;
  return targets.length === 1 ? { ...targets[0]!, triple } : '--target takes one processor';
}

/** Feeds the reader until it wants no more. */
function readAll(io: CommandIO, path: string, reader: LogReader): LogFacts {
  if (io.readPieces === undefined) reader.feed(io.read(path));
  else io.readPieces(path, (piece) => reader.feed(piece));
  return reader.end();
}

function list(settings: LogSettings, form: Format, io: CommandIO): number {
  const { input, functionName, withOutcome, target, model } = settings;
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
    return EXIT_NONE;
  }
  const report = { file: input, facts, rows, target: table.target };
  if (form === 'json') io.stdout(logJson(report, llvmsOfChoice(model)));
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
    return EXIT_NONE;
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
  io.stdout(text);
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
  return EXIT_NONE;
}

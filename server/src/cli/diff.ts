/** `amdgpu-mir diff`: what llc ends with of two files, revisions, settings, processors or releases. The report is data of program/outcomeDiff.ts. */
import { AUTO_MODEL, isModelChoice, MODEL_CHOICES, type ModelChoice } from '../passes/scheduler/schedulerModel.js';
import type { CommandIO } from '../program/commandIO.js';
import { diffOutcomes, type DiffSide, type OutcomeDiff } from '../program/outcomeDiff.js';
import {
  outcomeChangeText,
  outcomeDiffMarkdown,
  outcomeDiffRows,
  outcomeDiffText,
  type DiffNames,
} from '../program/outcomeDiffText.js';
import { AS_IN_FILE, AS_IT_STANDS, settingText, Sweep, type SweepSetting } from '../program/sweep.js';
import { attributeNameProblem, optionProblem, settingOf } from '../program/settingWords.js';
import type { TargetOptions } from '../program/targetOfFile.js';
import { releaseOf } from '../target/index.js';
import { visible } from '../text/visible.js';
import { valueOf, type CommandOptions } from './commandOptions.js';
import { runCommand, type Invocation } from './commandRun.js';
import { openSubjects, readTargets } from './fileSubject.js';
import { functionLine } from './functionLine.js';
import { githubCommands, NOWHERE, sarifLog, type ReportedFinding } from './findingReports.js';
import { reportJson, type DiffReport, type ReportedSide } from './report.js';
import { csvTable } from './tables.js';
import { gitName, readGitFile } from './gitFile.js';
import { nearAttribute } from './settingArgument.js';

const EXIT_SAME = 0;
const EXIT_DIFFERENT = 1;

type Format = 'text' | 'json' | 'sarif' | 'github' | 'csv' | 'markdown';

/** What a side is to be. */
interface AskedSide {
  readonly input: string;
  readonly target: TargetOptions;
  readonly model: ModelChoice;
  readonly setting: SweepSetting;
}

interface Settings {
  readonly functionName: string | null;
  readonly sides: readonly [AskedSide, AskedSide];
}

/** The exit code, as that of diff: 0 the same, 1 different, 2 trouble. */
export const runDiff = (args: readonly string[], io: CommandIO): number => runCommand<Format>('diff', args, io, diff);

function diff(call: Invocation<Format>, io: CommandIO): number {
  const { refuse, format } = call;
  const settings = readSettings(call);
  if (typeof settings === 'string') return refuse(settings);
  const { sides, functionName } = settings;
  const before = openSide(io, sides[0]);
  if (typeof before === 'string') return refuse(before);
  const after = openSide(io, sides[1]);
  if (typeof after === 'string') return refuse(after);
  const found = diffOutcomes(before.side, after.side, functionName, () => io.checkpoint?.());
  const { functions, onlyBefore, onlyAfter } = found;
  if (functionName !== null && functions.length + onlyBefore.length + onlyAfter.length === 0)
    return refuse(`there is no function '${visible(functionName)}'`);
  const names = namesOf(settings, before, after);
  const side = (opened: OpenSide, { input, setting }: AskedSide): ReportedSide => ({
    ...{ file: input, target: opened.label, llvm: opened.llvm, ...setting },
  });
  const findings = (): ReportedFinding[] => differencesOf(found, settings.sides[1].input, after.side.source);
  if (format === 'json') {
    const both = { before: side(before, sides[0]), after: side(after, sides[1]) };
    io.stdout(reportJson<DiffReport>('diff', [before.llvm, after.llvm], { ...both, ...found }));
  } else if (format === 'csv') io.stdout(csvTable(DIFF_COLUMNS, outcomeDiffRows(found)));
  else if (format === 'sarif') io.stdout(sarifLog(findings()));
  else if (format === 'github') io.stdout(githubCommands(findings()));
  else io.stdout(format === 'markdown' ? outcomeDiffMarkdown(found, names) : outcomeDiffText(found, names));
  const isSame = functions.every((fn) => fn.isSame) && onlyBefore.length + onlyAfter.length === 0;
  return isSame ? EXIT_SAME : EXIT_DIFFERENT;
}

interface OpenSide {
  readonly side: DiffSide;
  /** `gfx942` */
  readonly label: string;
  readonly llvm: string;
}

/** `gfx942, LLVM 22.1.8` */
const targetOf = ({ label, llvm }: OpenSide): string => `${label}, LLVM ${llvm}`;

const DIFF_COLUMNS = ['function', 'what', 'before', 'after'];

/** A note for each function that differs, in the second file. */
function differencesOf(
  { functions, onlyBefore, onlyAfter }: OutcomeDiff,
  file: string,
  source: string,
): ReportedFinding[] {
  const note = (name: string, message: string): ReportedFinding => ({
    ...{ file, ...NOWHERE, line: functionLine(source, name), level: 'note', rule: 'outcome-differs' },
    ...{ ruleText: 'what llc ends with differs', message },
  });
  return [
    ...functions.filter((fn) => !fn.isSame).map((fn) => note(fn.function, `${fn.function}: ${outcomeChangeText(fn)}`)),
    ...onlyBefore.map((name) => note('', `${name} is gone`)),
    ...onlyAfter.map((name) => note(name, `${name} is new`)),
  ];
}

/** A message when it cannot be compared. */
function openSide(io: CommandIO, { input, target, model, setting }: AskedSide): OpenSide | string {
  const read = (path: string): string => {
    const git = gitName(path);
    return git === null ? io.read(path) : readGitFile(git);
  };
  const wanted = { functionName: null, targets: [target], model, input };
  const opened = openSubjects({ read }, wanted, false);
  if (typeof opened === 'string') return opened;
  const { source, subjects } = opened;
  const [subject] = subjects;
  if (subject === undefined) return `${visible(input)}: no target`;
  const option = optionProblem(setting.options, subject.release);
  if (option !== '') return option;
  if (Object.keys(setting.attributes).length > 0) {
    const sweep = new Sweep(source, subject.target, subject.model);
    if (!sweep.hasModule)
      return `${visible(input)} has no embedded module, whose functions could have other attributes`;
    const problem = sweep.problemOf(setting.attributes);
    if (problem !== '') return problem;
  }
  return {
    side: { source, target: subject.target, model: subject.model, setting },
    label: subject.label,
    llvm: releaseOf(subject.release).version,
  };
}

/** A side is called by its file, and where both are of one file by what else it is. */
function namesOf({ sides: [a, b] }: Settings, before: OpenSide, after: OpenSide): DiffNames {
  const withSetting = settingText(b.setting);
  const isPlain = withSetting === AS_IT_STANDS;
  return {
    before: a.input,
    after: isPlain ? b.input : `${a.input === b.input ? 'the same' : b.input} with ${withSetting}`,
    targetBefore: targetOf(before),
    targetAfter: targetOf(after),
  };
}

/** A message when the arguments are wrong. */
function readSettings(options: CommandOptions): Settings | string {
  const { values, inputs } = options;
  const models = (valueOf(options, 'model') ?? AUTO_MODEL).split(',');
  if (models.length > 2 || !models.every(isModelChoice))
    return `--model must be one of ${MODEL_CHOICES.join(', ')}, or two with a comma`;
  const targets = readTargets(values);
  if (typeof targets === 'string') return targets;
  if (targets.length > 2) return '--target takes one processor, or two with a comma between them';
  const setting = settingOf(values.get('with') ?? []);
  const problem = attributeNameProblem(setting, nearAttribute);
  if (problem !== '') return problem;
  if (inputs.length === 0 || inputs.length > 2) return "expected one or two files; see 'amdgpu-mir help diff'";
  const [first = '', second = first] = inputs;
  const isOne = inputs.length === 1 || first === second;
  const hasDifference = models.length > 1 || targets.length > 1 || settingText(setting) !== AS_IT_STANDS;
  if (isOne && !hasDifference)
    return 'nothing to compare with: give a second file, --with, or two values for --target or --model';
  if (first === '-' && second === '-' && inputs.length === 2) return 'only one side can be standard input';
  return {
    functionName: valueOf(options, 'function') ?? null,
    sides: [
      { input: atRevision(first, second), target: targets[0]!, model: models[0]!, setting: AS_IN_FILE },
      { input: atRevision(second, first), target: targets.at(-1)!, model: models.at(-1)!, setting },
    ],
  };
}

/** `git:HEAD` is the file that the other side names. */
function atRevision(input: string, other: string): string {
  const git = gitName(input);
  if (git === null || git.path !== '') return input;
  const path = gitName(other)?.path ?? other;
  return path === '' || path === '-' ? input : `git:${git.revision}:${path}`;
}

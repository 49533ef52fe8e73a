/** The file of a command that computes outcomes, and the targets for which it does. */
import {
  AUTO_MODEL,
  isModelChoice,
  MODEL_CHOICES,
  type ModelChoice,
  type SchedulerModel,
} from '../passes/scheduler/schedulerModel.js';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { splitTriple } from '../program/llcOptions.js';
import { modelWithTarget } from '../program/modelOfFile.js';
import { DEFAULT_SETTINGS } from '../program/settings.js';
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
import { parseTriple, type ReleaseName } from '../target/index.js';
import { SourceText } from '../text/sourceText.js';
import { visible } from '../text/visible.js';
import { Interner } from '../util/interner.js';
import type { DocumentSnapshot } from '../host/documentSnapshot.js';
import { snapshotOfFile } from './fileSnapshot.js';
import { valueOf, type CommandOptions } from './commandOptions.js';
import { parseTargetLists } from './targetArgument.js';

export interface SubjectSettings {
  readonly functionName: string | null;
  /** one after the other; one without processor: the file's */
  readonly targets: readonly TargetOptions[];
  readonly model: ModelChoice;
  readonly input: string;
}

/** A target of the file, and the model that answers for it. */
export interface Subject {
  readonly target: FileTarget;
  readonly model: SchedulerModel;
  readonly release: ReleaseName;
  /** tells it from others */
  readonly label: string;
}

/** A message when the options are wrong. */
export function readSubject(options: CommandOptions, command: string): SubjectSettings | string {
  const { values, inputs } = options;
  const model = valueOf(options, 'model') ?? AUTO_MODEL;
  if (!isModelChoice(model)) return `--model must be one of ${MODEL_CHOICES.join(', ')}`;
  const [input] = inputs;
  if (input === undefined || inputs.length !== 1) return `expected one file; see 'amdgpu-mir help ${command}'`;
  const targets = readTargets(values);
  return typeof targets === 'string'
    ? targets
    : { functionName: valueOf(options, 'function') ?? null, targets, model, input };
}

/** Those of --target, or the one that is named otherwise; a message when one is not known. */
export function readTargets(values: CommandOptions['values']): readonly TargetOptions[] | string {
  const value = (name: string): string | undefined => values.get(name)?.[0];
  const triple = value('mtriple') || DEFAULT_SETTINGS.target.triple;
  const split = splitTriple(triple);
  const targets = parseTargetLists(values.get('target') ?? [], triple);
  if (typeof targets === 'string') return targets;
  const features = (values.get('mattr') ?? []).filter((list) => list !== '').join(',');
  const named = { triple: value('mtriple') ? split.triple : '', cpu: value('mcpu') || split.cpu, features };
  return targets.length === 0 ? [named] : targets.map((own) => ({ ...own, triple: named.triple }));
}

/** The text of the file, and its targets. A text alone: why nothing is computed for the file. */
export function openSubjects(
  io: Pick<CommandIO, 'read'>,
  wanted: SubjectSettings,
  isByRunLine: boolean,
): { readonly source: string; readonly subjects: readonly Subject[] } | string {
  let problem: string;
  try {
    const source = io.read(wanted.input);
    const subjects = subjectsOf(source, wanted, isByRunLine);
    if (typeof subjects !== 'string') return { source, subjects };
    problem = subjects;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problem = error.message;
  }
  return `${visible(wanted.input)}: ${problem}`;
}

/** The model that `auto` takes for the file. */
export const autoModelOf = (
  { file, test }: Pick<DocumentSnapshot, 'file' | 'test'>,
  chosen: TargetOptions,
): SchedulerModel =>
  modelWithTarget(
    file,
    (release) => chosenTarget(targetOfFile(test, DEFAULT_SETTINGS.target, undefined, release), chosen),
    AUTO_MODEL,
  ).model.model;

/** The text as the editor's features see it for its own target, or another one; a text: it is of no target of ours. */
export function subjectOfText(source: string, chosen: TargetOptions, choice: ModelChoice): DocumentSnapshot | string {
  const test = new TestFile(source);
  const file = parseMirFile(new SourceText(source), new Interner());
  const targetFor = (release: ReleaseName): FileTarget =>
    chosenTarget(targetOfFile(test, DEFAULT_SETTINGS.target, undefined, release), chosen);
  const { target, model } = modelWithTarget(file, targetFor, choice);
  if (target.foreign !== '' && !isUnmodelled(target)) return foreignText(target.foreign, model.release);
  return snapshotOfFile(source, target, model.model);
}

/** `isByRunLine`: each llc command of the RUN lines. A text: why nothing is computed for the file. */
function subjectsOf(source: string, wanted: SubjectSettings, isByRunLine: boolean): readonly Subject[] | string {
  const test = new TestFile(source);
  const file = parseMirFile(new SourceText(source), new Interner());
  const subjects: Subject[] = [];
  const add = (chosen: TargetOptions, run?: number): string => {
    const targetFor = (release: ReleaseName): FileTarget =>
      chosenTarget(targetOfFile(test, DEFAULT_SETTINGS.target, run, release), chosen);
    const { target, model } = modelWithTarget(file, targetFor, wanted.model);
    const { foreign } = target;
    if (foreign !== '' && !isUnmodelled(target)) return foreignText(foreign, model.release);
    if (parseTriple(target.triple).isR600) return UNCOUNTED_R600;
    const line = run === undefined ? '' : `, RUN line ${target.commands[run]!.firstLine + 1}`;
    const label = `${targetLabel(target)}${line}`;
    if (subjects.every((own) => own.label !== label))
      subjects.push({ target, model: model.model, release: model.release, label });
    return '';
  };
  const { commands } = targetOfFile(test, DEFAULT_SETTINGS.target);
  // What has to fail is no run to compare with, and a substitution of lit is no target.
  const runs = commands.flatMap(({ triple, cpu, features, isNegated }, k) =>
    isNegated || [triple, cpu, features].some((word) => word.includes('%')) ? [] : [k],
  );
  for (const chosen of wanted.targets)
    for (const run of isByRunLine && runs.length > 0 ? runs : [undefined]) {
      const problem = add(chosen, run);
      if (problem !== '') return problem;
    }
  return subjects;
}

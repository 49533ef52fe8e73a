/**
 * Which target a file is for. LLVM's tests say it in their RUN lines (`; RUN: llc -mtriple=amdgcn -mcpu=gfx90a ...`);
 * the first one that runs llc for AMDGPU decides. Without one, the `target triple` of the embedded IR and the user's
 * setting do. Attributes of a single function (`target-cpu`, `target-features`) come on top, in the lowering.
 */
import { DEFAULT_RELEASE, parseTriple, releaseOf, type ReleaseName } from '../target/index.js';
import { oneLine } from '../text/visible.js';
import { ownString } from '../util/ownString.js';
import { isAMDGPUTriple, isUnmodelled } from './targetTriple.js';
import { isProgram, type TestCommand, type TestFile } from './testFile/testFile.js';

/** What `llc` would be told: `-mtriple`, `-mcpu`, `-mattr`. Empty string = not given. */
export interface TargetOptions {
  readonly triple: string;
  readonly cpu: string;
  /** comma-separated, as `-mattr` takes them */
  readonly features: string;
  /** whose tables and rules; not given: LLVM 22's */
  readonly release?: ReleaseName | undefined;
  /** somebody chose this processor: it goes before `target-cpu` and `target-features` of functions. llc knows no such choice */
  readonly isChosen?: boolean;
}

/** One `llc` command of a RUN line. */
export interface RunCommand extends TargetOptions {
  /** 0-based lines in the document, first and last (a continued RUN line spans several) */
  readonly firstLine: number;
  readonly lastLine: number;
  /** the command's words, without the program, unquoted */
  readonly args: readonly string[];
  /** `not llc`: it has to fail */
  readonly isNegated: boolean;
}

export const enum TargetOrigin {
  /** the user chose it for this file */
  Override = 'override',
  RunLine = 'run',
  /** `target triple` of the embedded IR; CPU and features from the setting */
  Module = 'module',
  Setting = 'setting',
}

export interface FileTarget extends TargetOptions {
  readonly origin: TargetOrigin;
  /** index in `commands` when the origin is a RUN line, else -1 */
  readonly commandIdx: number;
  /** every llc command for AMDGPU in the file, in order */
  readonly commands: readonly RunCommand[];
  /** triple of what is not modelled and the file is for: another target, a family of processors; empty = nothing says so */
  readonly foreign: string;
  /** its functions may name processors (`target-cpu`), before which only a choice goes */
  readonly namesProcessors: boolean;
  /** processor that the file itself names where another was chosen; its functions may name others. Empty = none, or it is the target */
  readonly said?: string;
}

/** The value of `-name=value`, `--name=value` or `-name value`; the last one wins, as in LLVM's command line. */
function optionValues(args: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const match = /^--?([\w-]+)(?:=(.*))?$/s.exec(arg);
    if (!match || match[1] !== name) continue;
    const value = match[2] ?? args[i + 1];
    if (value !== undefined) values.push(value);
  }
  return values;
}

/** The command as one of llc; null for another program. */
export function llcCommand({ run, program, words, isNegated }: TestCommand): RunCommand | null {
  if (!isProgram(program.text, 'llc')) return null;
  const { firstLine, lastLine } = run;
  const args = words.map((w) => w.text);
  const march = optionValues(args, 'march').at(-1) ?? '';
  const triple = optionValues(args, 'mtriple').at(-1) ?? march;
  return {
    firstLine,
    lastLine,
    args,
    isNegated,
    triple,
    cpu: optionValues(args, 'mcpu').at(-1) ?? '',
    features: optionValues(args, 'mattr')
      .filter((v) => v !== '')
      .join(','),
  };
}

/** Every `llc` command for AMDGPU (or without a triple) in the document's RUN lines. Bad RUN lines are skipped. */
export const runCommandsOf = (test: TestFile): RunCommand[] => readRunLines(test).commands;

/** llc without a triple takes the module's; targetOfFile fills it in. */
export const isForAMDGPU = ({ triple }: RunCommand): boolean => triple === '' || isAMDGPUTriple(triple);

/** The same, and the triple of the first `llc` for another target (empty = there is none). */
function readRunLines(test: TestFile): { commands: RunCommand[]; foreign: string } {
  const commands: RunCommand[] = [];
  let foreign = '';
  for (const shellCommand of test.commands) {
    const command = llcCommand(shellCommand);
    if (command && isForAMDGPU(command)) commands.push(command);
    // A substitution of lit may stand for any target.
    else if (command && foreign === '' && !command.triple.includes('%')) foreign = command.triple;
  }
  return { commands, foreign };
}

/** `target triple` of the embedded IR document, or an empty string. Looks at the text before the first function only. */
function moduleTripleOf(text: string): string {
  if (!/^---[ \t]+[|>]/m.test(text.slice(0, 65536))) return '';
  return /^[ \t]+target triple = "([^"]*)"/m.exec(text.slice(0, 65536))?.[1] ?? '';
}

/**
 * The target of a document. `setting` is the user's default, `override` what the user chose for this document: the
 * index of a RUN command or a target of its own.
 */
export function targetOfFile(
  test: TestFile,
  setting: TargetOptions,
  override?: TargetOptions | number,
  release: ReleaseName = DEFAULT_RELEASE,
): FileTarget {
  const { text } = test;
  const { commands, foreign: foreignRun } = readRunLines(test);
  const moduleTriple = moduleTripleOf(text);
  const ofModule = isAMDGPUTriple(moduleTriple) ? moduleTriple : '';
  const first = Math.max(
    0,
    commands.findIndex((c) => !isUnmodelled({ ...c, release })),
  );
  const commandIdx = typeof override === 'number' && override < commands.length ? override : first;
  const command = commands[commandIdx];
  // Functions keep it as long as they stay as they are, and with a piece of the text they would keep all of it.
  const own = {
    triple: ownString(command?.triple || ofModule || setting.triple),
    cpu: ownString(command?.cpu ?? setting.cpu),
    features: ownString(command?.features ?? setting.features),
    release,
  };
  // A triple for AMDGPU anywhere makes it a file of ours; llc's option goes before the module's triple.
  const isOurs = ofModule !== '' || commands.some((c) => c.triple !== '');
  const foreign = isOurs ? (isUnmodelled(own) ? own.triple : '') : foreignRun || moduleTriple;
  const origin = command ? TargetOrigin.RunLine : ofModule ? TargetOrigin.Module : TargetOrigin.Setting;
  const namesProcessors = text.includes('"target-cpu"');
  const found = { ...own, origin, commandIdx: command ? commandIdx : -1, commands, foreign, namesProcessors };
  if (override === undefined || typeof override === 'number') return found;
  const { triple, cpu, features } = override;
  return {
    ...{ ...found, triple, cpu, features, foreign: '' },
    ...{ origin: TargetOrigin.Override, commandIdx: -1 },
    ...{ isChosen: namesProcessors, said: saidIn(found, cpu) },
  };
}

/** The processor that a file names, where `cpu` was chosen; '' = none, or the same. */
export function saidIn(found: FileTarget, cpu: string): string {
  const isNamed = found.origin === TargetOrigin.RunLine || found.origin === TargetOrigin.Module;
  const named = found.origin === TargetOrigin.RunLine ? found.cpu : '';
  const said = isNamed ? named || parseTriple(found.triple).cpu : (found.said ?? '');
  return said === cpu ? '' : said;
}

export const isSameTarget = (a: TargetOptions, b: TargetOptions): boolean =>
  a.triple === b.triple &&
  a.cpu === b.cpu &&
  a.features === b.features &&
  (a.release ?? DEFAULT_RELEASE) === (b.release ?? DEFAULT_RELEASE) &&
  (a.isChosen === true) === (b.isChosen === true);

/** What of `chosen` is given, in place of what the file says: with a processor come its own features, without one they are added. */
export function chosenTarget(found: FileTarget, chosen: TargetOptions): FileTarget {
  const triple = chosen.triple || found.triple;
  const { release } = found;
  if (chosen.cpu !== '') {
    const { cpu, features } = chosen;
    const named = { triple, cpu, features, foreign: foreignBeside(found, { triple, cpu, release }) };
    return { ...found, ...named, isChosen: found.namesProcessors, said: saidIn(found, cpu) };
  }
  const features = [found.features, chosen.features].filter((list) => list !== '').join(',');
  return { ...found, triple, features, foreign: foreignBeside(found, { triple, cpu: found.cpu, release }) };
}

/** `foreign` of a file when a target of ours is chosen: another target stays one, a family of processors need not. */
export function foreignBeside(
  { foreign }: FileTarget,
  chosen: Pick<TargetOptions, 'triple' | 'cpu' | 'release'>,
): string {
  if (isUnmodelled(chosen)) return chosen.triple;
  return isUnmodelled({ triple: foreign, cpu: '', release: chosen.release }) ? '' : foreign;
}

/** Why nothing is said of a file of another target: `not an AMDGPU file (aarch64-linux-gnu)`. */
export const foreignText = (triple: string, release: ReleaseName = DEFAULT_RELEASE): string =>
  parseTriple(triple).isSubArch
    ? `not modelled: LLVM ${releaseOf(release).version} has no processor for the triple ${oneLine(triple)}; choose one (-mcpu)`
    : `not an AMDGPU file (${oneLine(triple)})`;

/** What the file names, beside a choice that goes before it: `file says gfx942`; '' = the same. `ofFunction`: its `target-cpu`, if it has one. */
export function fileSays(target: FileTarget, ofFunction: string | undefined): string {
  const isBefore = target.isChosen === true && target.cpu !== '';
  // Without a processor to go before it the function's counts.
  if (ofFunction !== undefined && !isBefore) return '';
  const said = ofFunction ?? target.said ?? '';
  return said === '' || said === target.cpu ? '' : `file says ${oneLine(said)}`;
}

/** What R600 files lack; the one place that says so. */
export const UNCOUNTED_R600 = 'a file for R600: pressure, occupancy, schedules and allocation are modelled for AMDGCN';

/** Why a file has no numbers; '' = it has. */
export function whyUncounted({ foreign, triple, release }: Pick<FileTarget, 'foreign' | 'triple' | 'release'>): string {
  if (foreign !== '') return foreignText(foreign, release);
  return parseTriple(triple).isR600 ? UNCOUNTED_R600 : '';
}

/** Short text for a menu or the status bar: `gfx1100 +wavefrontsize64`; the triple's processor where no `-mcpu` is. */
export function targetLabel(target: TargetOptions): string {
  const cpu = target.cpu || parseTriple(target.triple).cpu || 'generic';
  return oneLine(target.features ? `${cpu} ${target.features.split(',').join(' ')}` : cpu);
}

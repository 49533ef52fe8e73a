/**
 * Which target a file is for. LLVM's tests say it in their RUN lines (`; RUN: llc -mtriple=amdgcn -mcpu=gfx90a ...`);
 * the first one that runs llc for AMDGPU decides. Without one, the `target triple` of the embedded IR and the user's
 * setting do. Attributes of a single function (`target-cpu`, `target-features`) come on top, in the lowering.
 *
 * The syntax is lit's (llvm/utils/lit): any line that contains `RUN:`, whatever the comment characters before it; a
 * backslash at the end of the line continues with the text after the next `RUN:`.
 */
import { DEFAULT_RELEASE, listCpus, parseTriple, releaseOf, type ReleaseName } from '../target/index.js';
import type { TextRange } from '../text/diagnostic.js';
import { oneLine } from '../text/visible.js';
import { MODELLED_LLVM } from '../util/modelledLLVM.js';
import { Definitions } from './definedWords.js';

/** What `llc` would be told: `-mtriple`, `-mcpu`, `-mattr`. Empty string = not given. */
export interface TargetOptions {
  readonly triple: string;
  readonly cpu: string;
  /** comma-separated, as `-mattr` takes them */
  readonly features: string;
  /** whose tables and rules; not given: LLVM 22's */
  readonly release?: ReleaseName;
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

const RUN = 'RUN:';
/** A RUN line with more continuations than this is not one; it keeps bad input linear. */
const MAX_CONTINUATIONS = 64;
/** RUN lines past this many are ignored (LLVM's longest test has about 60). */
const MAX_RUN_LINES = 512;

/** The triple that llc goes by when `-march` is given, too ('' = it is not). */
export function withArchitecture(triple: string, march: string): string {
  const isOther = march !== '' && parseTriple(triple).isR600 !== parseTriple(march).isR600;
  return isOther ? triple.replace(/^[^-]*/, march) : triple;
}

/** Does the triple belong to this tool: `amdgcn`, a sub-architecture of LLVM main such as `amdgpu9.00`, or `r600`? */
export function isAMDGPUTriple(triple: string): boolean {
  const { isAMDGCN, isR600 } = parseTriple(triple);
  return isAMDGCN || isR600;
}

interface RunText {
  firstLine: number;
  lastLine: number;
  text: string;
  /** where the parts of `text` begin, in it and in the document; a word lies in one part */
  parts: { at: number; offset: number }[];
}

/** A word of a RUN line, unquoted, and where it stands in the document with its quotes. */
export interface Word extends TextRange {
  readonly text: string;
}

/** The RUN lines of a document with continuations joined. Cost: one search over the text. */
function runTexts(text: string): RunText[] {
  const result: RunText[] = [];
  let open: RunText | null = null;
  let continuations = 0;
  let line = 0;
  let lineStart = 0;
  for (let at = text.indexOf(RUN); at >= 0 && result.length < MAX_RUN_LINES;) {
    for (let eol = text.indexOf('\n', lineStart); eol >= 0 && eol < at; eol = text.indexOf('\n', lineStart)) {
      line++;
      lineStart = eol + 1;
    }
    const eol = text.indexOf('\n', at);
    const end = eol < 0 ? text.length : eol;
    const whole = text.slice(at + RUN.length, end);
    const offset = at + RUN.length + whole.length - whole.trimStart().length;
    let rest = whole.trim();
    const continued = rest.endsWith('\\');
    if (continued) rest = rest.slice(0, -1).trimEnd();
    if (open && continuations < MAX_CONTINUATIONS) {
      open.parts.push({ at: open.text.length + 1, offset });
      open.text += ' ' + rest;
      open.lastLine = line;
      continuations++;
    } else {
      open = { firstLine: line, lastLine: line, text: rest, parts: [{ at: 0, offset }] };
      continuations = 0;
      result.push(open);
    }
    if (!continued) open = null;
    at = text.indexOf(RUN, end);
  }
  return result;
}

/** Words of a shell command; control operators (`|`, `&&`, `;`, `<`, `>`, `2>&1`) are words of their own. */
const shellWords = (run: RunText): Word[] => readShell(run).words;

/** `unread`: offset in the document of what ends the reading, -1 = nothing does. */
function readShell({ text: command, parts }: RunText): { words: Word[]; unread: number } {
  const words: Word[] = [];
  let part = 0;
  let read = 0;
  const placeOf = (at: number): number => {
    while (part + 1 < parts.length && parts[part + 1]!.at <= at) part++;
    return at - parts[part]!.at + parts[part]!.offset;
  };
  const token = /\s+|\|\|?|&&|;|\d?>>?(?:&\d)?|<|((?:[^\s"'|;&<>\\]|\\.|&(?!&))*(?:"(?:[^"\\]|\\.)*"|'[^']*')?)+/gy;
  for (let match = token.exec(command); match && match[0] !== ''; match = token.exec(command)) {
    read = token.lastIndex;
    if (match[0].trim() === '') continue;
    const start = placeOf(match.index);
    const text = match[0].replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, d?: string, s?: string) => d ?? s ?? '');
    words.push({ text, start, end: start + match[0].length });
  }
  return { words, unread: read < command.length ? placeOf(read) : -1 };
}

/** Quotes in RUN lines that nothing closes, each with the letters behind it: for lit the rest of the line is one word. */
export function openQuotes(text: string): TextRange[] {
  return runTexts(text).flatMap((run) => {
    const { unread } = readShell(run);
    if (unread < 0 || !/['"]/.test(text[unread]!)) return [];
    return [{ start: unread, end: unread + /^.[^\s'"]*/.exec(text.slice(unread, unread + MAX_WORD))![0].length }];
  });
}

const MAX_WORD = 4096;

const isControl = ({ text }: Word): boolean => /^(?:\|\|?|&&|;)$/.test(text);

/** Words without lit's `%if cond %{ ... %} %else %{ ... %}`: the first branch stays, the condition and the second go. */
function withoutConditionals(words: readonly Word[]): Word[] {
  const result: Word[] = [];
  let inElse = false;
  for (let i = 0; i < words.length; i++) {
    const { text, start, end } = words[i]!;
    if (text === '%if') {
      while (i + 1 < words.length && !words[i + 1]!.text.startsWith('%{')) i++;
    } else if (text === '%else') {
      inElse = true;
    } else if (text === '%}') {
      inElse = false;
    } else if (!inElse) {
      // `%{name}` is a substitution
      const opening = /^%\{(?![\w:-]+\})/.test(text) ? 2 : 0;
      const closing = text.endsWith('%}') ? 2 : 0;
      const bare = text.slice(opening, text.length - closing);
      if (bare !== '') result.push({ text: bare, start: start + opening, end: end - closing });
      if (closing !== 0) inElse = false;
    } else if (text.endsWith('%}')) {
      inElse = false;
    }
  }
  return result;
}

/** Is the first word of a command `llc`, by whatever path and version suffix? */
const isLlc = (program: string): boolean => /(?:^|[\\/])llc(?:-\d+)?(?:\.exe)?$|^%\{?llc\}?$/.test(program);

/** Commands that run another command: `not --crash llc`, `env A=B llc`, `timeout 10 llc`. */
function skipWrappers(words: readonly Word[]): readonly Word[] {
  let i = 0;
  while (i < words.length) {
    const { text } = words[i]!;
    if (text === 'not' || text === 'env' || text === 'time' || text === '--crash' || /^\w+=/.test(text)) i++;
    else if (text === 'timeout') i += 2;
    else break;
  }
  return words.slice(i);
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

/** Words without `< file`, `2> file`, `2>&1`. */
const withoutRedirections = (words: readonly Word[]): Word[] =>
  words.filter(({ text }, i) => !/^\d?[<>]/.test(text) && !/^(?:<|\d?>>?)$/.test(words[i - 1]?.text ?? ''));

/** A command of a RUN line: the program, and its words with their places. */
export interface ShellCommand {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly program: string;
  /** of the program's name */
  readonly place: TextRange;
  readonly words: readonly Word[];
  /** `not llc`: it has to fail */
  readonly isNegated: boolean;
}

/** The simple commands of the document's RUN lines, in order, as they are written. */
export const shellCommandsOf = (text: string): ShellCommand[] => commandsIn(runTexts(text));

/** The same with what the test defines; places are those of their RUN lines. */
function definedCommandsOf(text: string): ShellCommand[] {
  const definitions = new Definitions(text);
  return commandsIn(
    runTexts(text).map((run) => {
      const made = definitions.made(run.text, run.parts[0]!.offset);
      // What is not to run here still says for which target it would.
      const isAsWritten = made === run.text || made === '';
      return isAsWritten ? run : { ...run, text: made, parts: run.parts.slice(0, 1) };
    }),
  );
}

function commandsIn(runs: readonly RunText[]): ShellCommand[] {
  const commands: ShellCommand[] = [];
  for (const run of runs) {
    let words: Word[] = [];
    for (const word of [...withoutConditionals(shellWords(run)), null]) {
      if (word !== null && !isControl(word)) {
        words.push(word);
        continue;
      }
      const own = skipWrappers(words);
      const [program] = own;
      if (program !== undefined) {
        const { firstLine, lastLine } = run;
        commands.push({
          firstLine,
          lastLine,
          program: program.text,
          place: { start: program.start, end: program.end },
          words: withoutRedirections(own.slice(1)),
          isNegated: words.slice(0, words.length - own.length).some((w) => w.text === 'not'),
        });
      }
      words = [];
    }
  }
  return commands;
}

/** The command as one of llc; null for another program. */
export function llcCommand({ program, words, firstLine, lastLine, isNegated }: ShellCommand): RunCommand | null {
  if (!isLlc(program)) return null;
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
export const runCommandsOf = (text: string): RunCommand[] => readRunLines(text).commands;

/** llc without a triple takes the module's; targetOfFile fills it in. */
export const isForAMDGPU = ({ triple }: RunCommand): boolean => triple === '' || isAMDGPUTriple(triple);

/** The same, and the triple of the first `llc` for another target (empty = there is none). */
function readRunLines(text: string): { commands: RunCommand[]; foreign: string } {
  const commands: RunCommand[] = [];
  let foreign = '';
  for (const shellCommand of definedCommandsOf(text)) {
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
export function targetOfFile(text: string, setting: TargetOptions, override?: TargetOptions | number): FileTarget {
  const { commands, foreign: foreignRun } = readRunLines(text);
  const moduleTriple = moduleTripleOf(text);
  const ofModule = isAMDGPUTriple(moduleTriple) ? moduleTriple : '';
  const first = Math.max(
    0,
    commands.findIndex((c) => !isUnmodelled(c)),
  );
  const commandIdx = typeof override === 'number' && override < commands.length ? override : first;
  const command = commands[commandIdx];
  const own = {
    triple: command?.triple || ofModule || setting.triple,
    cpu: command?.cpu ?? setting.cpu,
    features: command?.features ?? setting.features,
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
  (a.isChosen === true) === (b.isChosen === true);

/** What of `chosen` is given, in place of what the file says: with a processor come its own features, without one they are added. */
export function chosenTarget(found: FileTarget, chosen: TargetOptions): FileTarget {
  const triple = chosen.triple || found.triple;
  if (chosen.cpu !== '') {
    const { cpu, features } = chosen;
    const named = { triple, cpu, features, foreign: foreignBeside(found, { triple, cpu }) };
    return { ...found, ...named, isChosen: found.namesProcessors, said: saidIn(found, cpu) };
  }
  const features = [found.features, chosen.features].filter((list) => list !== '').join(',');
  return { ...found, triple, features, foreign: foreignBeside(found, { triple, cpu: found.cpu }) };
}

/** `foreign` of a file when a target of ours is chosen: another target stays one, a family of processors need not. */
export function foreignBeside({ foreign }: FileTarget, chosen: Pick<TargetOptions, 'triple' | 'cpu'>): string {
  if (isUnmodelled(chosen)) return chosen.triple;
  return isUnmodelled({ triple: foreign, cpu: '' }) ? '' : foreign;
}

/**
 * A triple of a newer LLVM names a family of processors, or one that LLVM 22 lacks, and no `-mcpu` stands beside it: there is nothing to compute numbers
 * for.
 */
export function isUnmodelled({ triple, cpu, release }: Pick<TargetOptions, 'triple' | 'cpu' | 'release'>): boolean {
  const named = parseTriple(triple);
  return cpu === '' && named.isSubArch && !listCpus('', releaseOf(release ?? DEFAULT_RELEASE)).includes(named.cpu);
}

/** Why nothing is said of a file of another target: `not an AMDGPU file (aarch64-linux-gnu)`. */
export const foreignText = (triple: string): string =>
  parseTriple(triple).isSubArch
    ? `not modelled: LLVM ${MODELLED_LLVM} has no processor for the triple ${oneLine(triple)}; choose one (-mcpu)`
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
export function whyUncounted({ foreign, triple }: Pick<FileTarget, 'foreign' | 'triple'>): string {
  if (foreign !== '') return foreignText(foreign);
  return parseTriple(triple).isR600 ? UNCOUNTED_R600 : '';
}

/** Short text for a menu or the status bar: `gfx1100 +wavefrontsize64`; the triple's processor where no `-mcpu` is. */
export function targetLabel(target: TargetOptions): string {
  const cpu = target.cpu || parseTriple(target.triple).cpu || 'generic';
  return oneLine(target.features ? `${cpu} ${target.features.split(',').join(' ')}` : cpu);
}

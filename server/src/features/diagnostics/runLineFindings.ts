/**
 * What is wrong with the words of RUN lines: options, values, processors, features and passes that llc does not know, options that are
 * not modelled here, prefixes that no CHECK line uses, and directives that FileCheck would pass over.
 */
import { CommandLineErrorKind, readCommandLine, type CommandLineError } from '../../commandLine/commandLine.js';
import { whyNumbersDiffer } from '../../commandLine/notModelled.js';
import { prefixProblem } from '../../filecheck/options.js';
import { OWN_SCHEDULE_OPTIONS } from '../../passes/scheduler/optionSpecs.js';
import { DEFAULT_MODEL } from '../../passes/scheduler/schedulerModel.js';
import { createSubtarget, listCpus, listFeatures, parseTriple, type Release } from '../../target/index.js';
import { Severity, type TextRange } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import { oneLine } from '../../text/visible.js';
import { lazy } from '../../util/lazy.js';
import { editDistance } from '../words/editDistance.js';
import { MODELLED_LLVM } from '../../target/releases.js';
import { llvmText, type Snapshot } from '../snapshot/snapshot.js';
import { subArchError } from '../../program/targetTriple.js';
import { readFileCheckCommand } from '../../program/fileCheckOptions.js';
import { isForAMDGPU, llcCommand, type RunCommand } from '../../program/targetOfFile.js';
import { checkLinesIn, isNoPrefix, withoutSuffix, wordCounts } from '../../program/testFile/checkLines.js';
import {
  askedPrefixes,
  DEFAULT_PREFIX,
  fileChecksOf,
  namedPrefixes,
  type CheckPrefix,
} from '../../program/testFile/checkPrefixes.js';
import type { TestCommand, TestFile, Word } from '../../program/testFile/testFile.js';

export interface RunLineFinding extends TextRange {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** texts to write in place of the range, the best first */
  readonly replacements: readonly string[];
  /** what else can be done, where another word is not what is meant */
  readonly fixes?: () => readonly Fix[];
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** More findings than these in one file are not looked for. */
const MAX_FINDINGS = 100;
const MAX_REPLACEMENTS = 3;

/** Findings in the order of the commands, then of CHECK lines. O(text) and, for each wrong word, O(names that it could have been). */
export function runLineFindings(snapshot: Snapshot): RunLineFinding[] {
  if (snapshot.target.foreign !== '') return [];
  const { test } = snapshot;
  const findings: RunLineFinding[] = [];
  for (const command of test.commands) {
    if (findings.length >= MAX_FINDINGS) break;
    const llc = llcCommand(command);
    // What has to fail may be wrong on purpose.
    if (llc !== null && !llc.isNegated && isForAMDGPU(llc)) findings.push(...llcFindings(snapshot, command, llc));
  }
  findings.push(...unknownPrograms(test), ...unclosedQuotes(test), ...checkFindings(test));
  const seen = new Set<string>();
  return findings.slice(0, MAX_FINDINGS).filter((f) => {
    const key = `${f.start}:${f.code}:${f.message}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Findings with which a RUN line does not run, or FileCheck does not begin. */
export const KEEP_FROM_RUNNING: ReadonlySet<string> = new Set([
  'unknown-option',
  'option-value',
  'unknown-pass',
  'unused-prefix',
  'unknown-program',
  'unclosed-quote',
]);

/** Programs for which others may be meant that are spelt alike. */
const PROGRAMS = ['llc', 'FileCheck', 'split-file'];
/** Those that are spelt like one of these and are none. */
const OTHER_PROGRAMS: ReadonlySet<string> = new Set(['lli', 'lld', 'lc', 'llvm']);

/** `FileChek`, and `%llc`, for which lit has nothing to put in its place. */
function unknownPrograms({ text, commands }: TestFile): RunLineFinding[] {
  return commands.flatMap(({ program: { text: program, origin } }): RunLineFinding[] => {
    const bare = /^%\{?([\w-]+)\}?$/.exec(program)?.[1];
    const isDefined = bare !== undefined && new RegExp(`DEFINE:\\s*%\\{${bare}\\}`).test(text);
    if (origin === null || PROGRAMS.includes(program) || isDefined || OTHER_PROGRAMS.has(program)) return [];
    const replacements = bare === undefined ? closest(program, PROGRAMS) : PROGRAMS.filter((name) => name === bare);
    if (replacements.length === 0) return [];
    const message =
      bare === undefined
        ? `no program '${oneLine(program)}' is known here`
        : `lit has no substitution '${oneLine(program)}': it would look for a program of that name`;
    return [{ ...origin, severity: Severity.Warning, code: 'unknown-program', message, replacements }];
  });
}

const MAX_WORD = 4096;

/** Each with the letters after it. */
const unclosedQuotes = ({ text, runs }: TestFile): RunLineFinding[] =>
  runs.flatMap(({ openQuote: start }): RunLineFinding[] => {
    if (start < 0) return [];
    const end = start + /^.[^\s'"]*/.exec(text.slice(start, start + MAX_WORD))![0].length;
    return [
      {
        start,
        end,
        severity: Severity.Warning,
        code: 'unclosed-quote',
        message: 'nothing closes this quote: the rest of the RUN line is one word',
        replacements: [text.slice(start, end) + text[start]!, text.slice(start + 1, end)],
      },
    ];
  });

/** Where `part` is written in the word, or all of it. */
function rangeIn(text: string, { origin }: Word, part: string): TextRange | null {
  if (origin === null || part === '') return origin;
  const at = text.lastIndexOf(part, origin.end - part.length);
  return at < origin.start ? origin : { start: at, end: at + part.length };
}

function llcFindings(snapshot: Snapshot, { words }: TestCommand, llc: RunCommand): RunLineFinding[] {
  const { text } = snapshot.text;
  const ownOptions = snapshot.model.model === DEFAULT_MODEL ? [] : OWN_SCHEDULE_OPTIONS;
  const line = readCommandLine(llc.args, ownOptions, 'llc', snapshot.subtarget.release.options);
  const findings: RunLineFinding[] = [];
  const report = (
    range: TextRange | null,
    severity: Severity,
    code: string,
    message: string,
    replacements: string[] = [],
  ): void => {
    // lit puts something else in the place of a substitution
    if (range === null || text.slice(range.start, range.end).includes('%')) return;
    findings.push({ ...range, severity, code, message, replacements });
  };
  for (const error of line.errors) {
    if (findings.length >= MAX_FINDINGS) return findings;
    const word = words[error.wordIdx];
    if (error.kind === CommandLineErrorKind.Positional || word === undefined || isOfAsserts(word.text)) continue;
    const code = error.kind === CommandLineErrorKind.UnknownOption ? 'unknown-option' : 'option-value';
    const meant = spellings(error, llc.args);
    // llc proposes something for every word.
    const lines = withoutProgram(error).split('\n');
    const message = (meant.length > 0 ? lines : lines.slice(0, 1)).join(' ');
    report(word.origin, Severity.Warning, code, `${message} (${llvmText(snapshot)})`, meant);
  }
  for (const given of line.occurrences) {
    if (findings.length >= MAX_FINDINGS) return findings;
    const word = words[given.wordIdx];
    if (word === undefined) continue;
    const why = whyNumbersDiffer(given);
    if (why !== null) report(word.origin, Severity.Hint, 'option-not-modelled', why);
    for (const pass of unknownPasses(given.name, String(given.value), snapshot.subtarget.release)) {
      const message =
        given.name === 'run-pass' ? `run-pass ${pass} is not registered.` : `"${pass}" pass is not registered.`;
      // The value may be the word after the option.
      const last = words[given.wordIdx + 1];
      const place = word.text.includes('=') || last === undefined ? word : last;
      report(
        rangeIn(text, place, pass),
        Severity.Warning,
        'unknown-pass',
        `${message} (${llvmText(snapshot)})`,
        closest(pass, snapshot.subtarget.release.passes.all()),
      );
    }
  }
  const triple = llc.triple || snapshot.target.triple;
  const { release } = snapshot.subtarget;
  const unknown = subArchError(triple, llc.cpu, release.name);
  const problems = [
    ...createSubtarget(triple, llc.cpu, llc.features, release).problems,
    ...(unknown === null ? [] : [unknown]),
  ];
  const places = lazy(() => placesOfParts(words));
  const features = lazy(() => listFeatures(triple, release).map(({ name }) => name));
  for (const problem of problems) {
    if (findings.length >= MAX_FINDINGS) break;
    const name = /^(?:invalid cpu )?'([^']+)'/.exec(problem)?.[1] ?? '';
    const option = problem === unknown ? /^--?mtriple\b/ : /^--?(?:mattr|mcpu)\b/;
    const word = name === '' ? words.find((w) => option.test(w.text)) : places().get(partKey(name));
    if (word === undefined) continue;
    const cpus = problem === unknown ? (parseTriple(triple).cpus ?? []) : listCpus(triple, release);
    const known = /^[+-]/.test(name) ? features().map((f) => name[0]! + f) : cpus;
    report(
      rangeIn(text, word, name),
      Severity.Warning,
      'unknown-target',
      `${problem} (${llvmText(snapshot)})`,
      closest(name, known),
    );
  }
  return findings;
}

const partKey = (name: string): string => name.replace(/^[+-]/, '').toLowerCase();

/** By each part of the values of options, without sign: the first word with it. O(words) */
function placesOfParts(words: readonly Word[]): Map<string, Word> {
  const places = new Map<string, Word>();
  for (const word of words)
    for (const part of word.text.split(/[=,]/)) {
      const key = partKey(part);
      if (!places.has(key)) places.set(key, word);
    }
  return places;
}

/** Options that only an llc with assertions has; LLVM's tests say `REQUIRES: asserts` then. */
const isOfAsserts = (word: string): boolean =>
  /^--?(?:debug(?:-only)?|misched-(?:cutoff|only-(?:block|func)|print-dags)|view-[\w-]+-dags)(?:=|$)/.test(word);

/** llc's or FileCheck's lines without its name and its advice to ask for help. */
const withoutProgram = ({ text }: CommandLineError): string =>
  text
    .trimEnd()
    .replaceAll(/^(?:llc|FileCheck): /gm, '')
    .replace(/ {2}Try: '(?:llc|FileCheck) --help'/, '');

/** What to write for the whole word. */
function spellings({ kind, suggestion, wordIdx, values }: CommandLineError, args: readonly string[]): string[] {
  const word = args[wordIdx]!;
  if (kind === CommandLineErrorKind.UnknownOption && suggestion !== null) {
    const wanted = word.startsWith('--') || suggestion.length <= 2 ? suggestion : suggestion.slice(1);
    const name = (s: string): string => s.replace(/^--?/, '').replace(/=[^]*/, '');
    return editDistance(name(word), name(wanted), 3) <= 3 ? [wanted] : [];
  }
  const equals = word.indexOf('=');
  return closest(word.slice(equals + 1), values).map((v) => word.slice(0, equals + 1) + v);
}

const PASS_OPTIONS: ReadonlySet<string> = new Set([
  'run-pass',
  'start-before',
  'start-after',
  'stop-before',
  'stop-after',
]);

/** Names in the value of such an option that no pass has; `NAME,2` is the second of that name. */
function unknownPasses(option: string, value: string, { passes }: Release): string[] {
  if (!PASS_OPTIONS.has(option)) return [];
  const names = option === 'run-pass' ? value.split(',') : [value.replace(/,\d+$/, '')];
  return names.filter((name) => name !== '' && !passes.has(name) && !name.includes('%'));
}

/** Names at most three edits away and less than half of the word, the nearest first. */
function closest(word: string, names: readonly string[]): string[] {
  const most = Math.min(3, Math.floor((word.length - 1) / 2));
  return names
    .map((name) => ({ name, distance: editDistance(word, name, most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_REPLACEMENTS)
    .map(({ name }) => name);
}

// -- FileCheck ------------------------------------------------------------------------------------------------------------------

/** FileCheck is told that a prefix may have no lines. */
const allowsUnused = ({ words }: TestCommand): boolean => {
  const given = words.filter(({ text }) => /^--?allow-unused-prefixes(?:=|$)/.test(text)).at(-1);
  return given !== undefined && /^[^=]*(?:=(?:true|1|))?$/i.test(given.text);
};

/** Options, values, definitions and prefixes on the command line of a FileCheck with which it would not even begin. */
function fileCheckFindings(text: string, { words }: TestCommand): RunLineFinding[] {
  const args = words.map((word) => word.text);
  const { line, command } = readFileCheckCommand(args, 'FileCheck');
  const findings: RunLineFinding[] = [];
  const report = (wordIdx: number, code: string, message: string, replacements: string[] = []): void => {
    const { origin = null } = words[wordIdx] ?? {};
    if (origin === null || text.slice(origin.start, origin.end).includes('%')) return;
    findings.push({ ...origin, severity: Severity.Warning, code, message, replacements });
  };
  for (const error of line.errors) {
    if (error.kind === CommandLineErrorKind.Positional || error.wordIdx < 0) continue;
    const isUnknown = error.kind === CommandLineErrorKind.UnknownOption;
    const meant = spellings(error, args);
    const lines = withoutProgram(error).split('\n');
    const message = (meant.length > 0 ? lines : lines.slice(0, 1)).join(' ');
    report(error.wordIdx, isUnknown ? 'unknown-option' : 'option-value', `${message} (LLVM ${MODELLED_LLVM})`, meant);
  }
  if (command === null) return findings;
  /** The last word with such an option. */
  const wordOf = (name: string, isIt: (value: string) => boolean): number =>
    [...line.occurrences].reverse().find((given) => given.name === name && isIt(String(given.value)))?.wordIdx ?? -1;
  for (const problem of command.defineProblems)
    report(
      wordOf('D', (value) => problem.includes(`'-D${value}'`)),
      'option-value',
      `${problem.trim()} (LLVM ${MODELLED_LLVM})`,
    );
  const prefix = prefixProblem(command.options)
    ?.trim()
    .replace(/^error: /, '');
  if (prefix !== undefined) {
    const option = prefix.includes('supplied comment prefix') ? 'comment-prefixes' : 'check-prefix';
    report(
      wordOf(option, () => true),
      'option-value',
      `${prefix} (LLVM ${MODELLED_LLVM})`,
    );
  }
  return findings;
}

const DIRECTIVES = ['NEXT', 'SAME', 'NOT', 'DAG', 'LABEL', 'EMPTY', 'COUNT'];

function checkFindings(test: TestFile): RunLineFinding[] {
  const { text } = test;
  const checks = fileChecksOf(test);
  if (checks.length === 0) return [];
  const findings = checks.filter((c) => !c.isNegated).flatMap((c) => fileCheckFindings(text, c));
  const used = new Set<string>();
  const named = new Map<string, string>();
  for (const command of checks) for (const name of askedPrefixes(command)) named.set(name, name);
  // A word before a colon, perhaps with a directive after the prefix.
  for (const match of text.matchAll(/(?<![\w-])([A-Za-z][\w-]*)(?:\{LITERAL\})?:/g)) {
    const word = match[1]!;
    const prefix = named.get(word) ?? named.get(withoutSuffix(word));
    if (prefix !== undefined) {
      used.add(prefix);
      continue;
    }
    const wrong = misspeltDirective(word, named);
    if (wrong === null || findings.length >= MAX_FINDINGS) continue;
    findings.push({
      start: match.index,
      end: match.index + word.length,
      severity: Severity.Warning,
      code: 'misspelt-directive',
      message: `misspelled directive '${word}:'`,
      replacements: wrong,
    });
  }
  findings.push(...unsetVariables(text, checks, named), ...unknownPrefixes(test, checks, named));
  const written = lazy(() => [...wordCounts(text).keys()]);
  for (const command of checks) {
    if (allowsUnused(command)) continue;
    const prefixes = namedPrefixes(command);
    for (const { name, place } of prefixes) {
      if (place === null || used.has(name) || name.includes('%')) continue;
      const message = `no check strings found with prefix '${name}:'`;
      if (findings.length >= MAX_FINDINGS) return findings;
      const replacements = closest(name, written());
      const fixes = (): Fix[] => unusedFixes(text, command, prefixes, place, used);
      findings.push({ ...place, severity: Severity.Warning, code: 'unused-prefix', message, replacements, fixes });
    }
  }
  return findings;
}

/** A prefix goes where another one is left, be it FileCheck's own; or FileCheck is told not to mind. */
function unusedFixes(
  text: string,
  { words }: TestCommand,
  prefixes: readonly CheckPrefix[],
  { start, end }: TextRange,
  used: ReadonlySet<string>,
): Fix[] {
  const fixes: Fix[] = [];
  const { name, list, option } = prefixes.find((p) => p.place?.start === start)!;
  const title = `Remove the prefix '${oneLine(name)}'`;
  if (list !== null && prefixes.some((p) => p.list?.start === list.start && p.place?.start !== start)) {
    // One comma goes, too.
    const edit = end < list.end ? { start, end: end + 1, text: '' } : { start: start - 1, end, text: '' };
    fixes.push({ title, edits: [edit] });
  } else if (
    option !== null &&
    (prefixes.length > 1 || used.has(DEFAULT_PREFIX) || hasDirective(text, DEFAULT_PREFIX))
  ) {
    const before = text[option.start - 1] === ' ' ? 1 : 0;
    fixes.push({ title, edits: [{ start: option.start - before, end: option.end, text: '' }] });
  }
  const at = words[0]!.start;
  // FileCheck wants at least one of them.
  if (prefixes.some((p) => used.has(p.name)))
    fixes.push({ title: 'Allow unused prefixes', edits: [{ start: at, end: at, text: '--allow-unused-prefixes ' }] });
  return fixes;
}

const hasDirective = (text: string, prefix: string): boolean =>
  new RegExp(`^[ \\t]*(?:[;#]+|//)[ \\t]*${prefix}(?:-[A-Z][A-Z0-9-]*)?:`, 'm').test(text);

/** A misspelt one, with its number. */
const LONGEST_DIRECTIVE = 64;

/** `CHECK-NXT`, `CHECK_NEXT`: a prefix in use and nearly a directive; what may have been meant. */
function misspeltDirective(word: string, prefixes: ReadonlyMap<string, string>): string[] | null {
  for (let at = word.length - 1; at > Math.max(0, word.length - LONGEST_DIRECTIVE); at--) {
    const separator = word[at];
    const prefix = word.slice(0, at);
    if ((separator !== '-' && separator !== '_') || !prefixes.has(prefix)) continue;
    const [, directive = '', number = ''] = /^(.*?)([-_]\d+)?$/.exec(word.slice(at + 1))!;
    const meant = closest(directive, DIRECTIVES);
    if (DIRECTIVES.includes(directive)) meant.unshift(directive);
    if (meant.length > 0) return [...new Set(meant)].map((d) => `${prefix}-${d}${number.replace('_', '-')}`);
  }
  return null;
}

/** Variables that are read and that neither a line nor a command sets: FileCheck fails there, whatever the output is. */
function unsetVariables(
  text: string,
  checks: readonly TestCommand[],
  named: ReadonlyMap<string, string>,
): RunLineFinding[] {
  const set = new Set<string>();
  const uses: { name: string; start: number }[] = [];
  for (const { words } of checks)
    for (const { text: word } of words) {
      const [, name] = /^-D#?(?:%[^,]*,)?\s*([\w$]+)/.exec(word) ?? [];
      if (name !== undefined) set.add(name);
      // lit puts something else in the place of a substitution
      else if (word.includes('%') && word !== '%s') return [];
    }
  for (const { prefix, isLiteral, contentStart: at, end } of checkLinesIn(text)) {
    if (!named.has(prefix) || isLiteral) continue;
    for (const part of text.slice(at, end).matchAll(/\[\[(?:#(?:%[^,\]]*,)?\s*)?(\$?[A-Za-z_]\w*)\s*(:|\]\])/g)) {
      const [inside, name = '', mark] = part;
      if (mark === ':') set.add(name);
      else uses.push({ name, start: at + part.index + inside.indexOf(name) });
    }
  }
  return uses
    .filter(({ name }) => !set.has(name))
    .slice(0, MAX_FINDINGS)
    .map(({ name, start }) => ({
      start,
      end: start + name.length,
      severity: Severity.Warning,
      code: 'unset-variable',
      message: `undefined variable: ${name}`,
      replacements: closest(name, [...set]),
      fixes: () => {
        const isText = text.startsWith(']]', start + name.length) && text.startsWith('[[', start - 2);
        const at = start + name.length;
        return isText
          ? [{ title: `Set ${name} here, to any register`, edits: [{ start: at, end: at, text: ANY_REGISTER }] }]
          : [];
      },
    }));
}

const ANY_REGISTER = ':%[0-9]+';

/** Prefixes of lines that no RUN line asks for, at the first line of each. */
function unknownPrefixes(
  test: TestFile,
  checks: readonly TestCommand[],
  named: ReadonlyMap<string, string>,
): RunLineFinding[] {
  const { text } = test;
  const found = new Map<string, RunLineFinding>();
  for (const { prefix, suffix, start } of checkLinesIn(text)) {
    if (suffix === '' || named.has(prefix) || isNoPrefix(prefix) || found.has(prefix)) continue;
    found.set(prefix, {
      start,
      end: start + prefix.length,
      severity: Severity.Information,
      code: 'unknown-prefix',
      message: `no RUN line asks for the prefix '${prefix}'`,
      replacements: closest(prefix, [...named.keys()]),
      fixes: () => unknownFixes(test, checks, prefix),
    });
    if (found.size >= MAX_FINDINGS) break;
  }
  return [...found.values()];
}

/** A FileCheck command asks for the prefix from now on, or its lines go. */
function unknownFixes(test: TestFile, checks: readonly TestCommand[], name: string): Fix[] {
  const { text } = test;
  const fixes: Fix[] = checks.slice(0, MAX_REPLACEMENTS).flatMap((command) => {
    const last = namedPrefixes(command).at(-1);
    const at = last === undefined ? command.words[0]?.start : last.list?.end;
    if (at === undefined) return [];
    const line = text.slice(0, at).split('\n').length;
    const title = `Ask for '${name}' in line ${line}`;
    if (last === undefined)
      return [{ title, edits: [{ start: at, end: at, text: `--check-prefixes=${DEFAULT_PREFIX},${name} ` }] }];
    const edits = [{ start: at, end: at, text: `,${name}` }];
    // A list is the value of the other spelling alone.
    const option = last.option?.start ?? at;
    const [single = ''] = /^--?check-prefix(?=[= ]|$)/.exec(text.slice(option, at)) ?? [];
    const plural = option + single.length;
    if (single !== '') edits.unshift({ start: plural, end: plural, text: 'es' });
    return [{ title, edits }];
  });
  const edits = [...checkLinesIn(text)]
    .filter(({ prefix, suffix }) => prefix === name && suffix !== '')
    .map(({ lineStart: start, end }) => ({ start, end: endOfLine(text, end), text: '' }));
  const whose = edits.length === 1 ? 'the line' : `the ${edits.length} lines`;
  fixes.push({ title: `Remove ${whose} of '${name}'`, edits });
  return fixes;
}

/** After the line break. */
function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end + 1;
}

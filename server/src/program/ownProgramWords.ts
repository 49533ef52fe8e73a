/**
 * Words that a RUN line gives to a program of the user's own: what may load code, start programs or write outside of the test's folder is not passed on.
 * For options whose value is a text that is a list of those that are.
 */
import { CommandLineErrorKind, readCommandLine } from '../commandLine/commandLine.js';
import { OptionParser } from '../commandLine/optionSpec.js';
import { ANY_LLC_TABLE } from '../commandLine/optionTable.js';
import { oneLine } from '../text/visible.js';
import { Unsupported } from './testFile/limits.js';

/** What a test's files say of paths. Both throw Unsupported for one that a RUN line may not use. */
export interface PathRules {
  checkInput(path: string): void;
  writable(path: string): unknown;
}

/** Names of targets, passes, functions, registers and sections. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['mtriple', 'march', 'mcpu', 'mattr', 'target-abi', 'x', 'trap-func', 'binutils-version'],
  ...['run-pass', 'passes', 'start-after', 'start-before', 'stop-after', 'stop-before', 'filter-passes'],
  ...['print-before', 'print-after', 'filter-print-funcs', 'opt-disable', 'force-attribute', 'force-remove-attribute'],
  ...['pass-remarks', 'pass-remarks-analysis', 'pass-remarks-missed', 'pass-remarks-filter', 'pass-remarks-format'],
  ...['amdgpu-sched-strategy', 'amdgpu-use-native', 'reserve-regs-for-regalloc', 'break-anti-dependencies'],
  ...['internalize-public-api-list', 'cfg-func-name', 'mcfg-func-name', 'print-bfi-func-name', 'print-bpi-func-name'],
]);
const RULES = /-(?:disable|only-enable)-rule$/;
/** Options that show a graph in a program of its own. */
const SHOWS = /(?:^|-)view(?:bfi)?(?:-|$)/;
/** An option of another LLVM: without value, or with a number or a word. */
const UNKNOWN = /^--?[\w.-]+(?:=[\w.,+-]*)?$/;
const SUSPICIOUS = /load|plugin|exec|file|path|dir|output/i;

const STANDARD = '-';

/** Throws Unsupported, and errors of the system that `rules` meet. `commandOptions`: the words of FILECHECK_OPTS. */
export function checkOwnWords(
  program: 'llc' | 'FileCheck',
  args: readonly string[],
  commandOptions: string,
  rules: PathRules,
): void {
  const refuse = (word: string): never => {
    throw new Unsupported(`gives ${program} the word ${oneLine(word)}, which no RUN line may for a program of yours`);
  };
  for (const word of [...args, ...commandOptions.split(/\s+/)]) {
    // More words, in a file.
    if (/^['"]?@/.test(word)) refuse(word);
    for (const path of [word, word.slice(word.indexOf('=') + 1)])
      if (path !== '' && path !== STANDARD && !path.includes('\0')) checkInput(path, rules);
  }
  if (program === 'llc') checkLlc(args, rules, refuse);
}

function checkInput(path: string, rules: PathRules): void {
  try {
    rules.checkInput(path);
  } catch (error) {
    // No such file: a word like any other.
    if ((error as { code?: unknown }).code === undefined) throw error;
  }
}

function checkLlc(args: readonly string[], rules: PathRules, refuse: (word: string) => never): void {
  const line = readCommandLine(args, [], 'llc', ANY_LLC_TABLE);
  for (const { kind, wordIdx } of line.errors) {
    const word = args[wordIdx] ?? '';
    if (kind === CommandLineErrorKind.UnknownOption && (!UNKNOWN.test(word) || SUSPICIOUS.test(word))) refuse(word);
  }
  for (const { name, value, wordIdx } of line.occurrences) {
    const word = args[wordIdx] ?? name;
    if (name === 'o') writes(String(value), rules);
    else if (SHOWS.test(name)) refuse(word);
    else if (ANY_LLC_TABLE.find(name)?.parser === OptionParser.String && !TEXTS.has(name) && !RULES.test(name))
      refuse(word);
  }
  const [input] = line.positional;
  const output = line.values.get('o') ?? '';
  if (input === undefined || input === STANDARD || output !== '' || line.values.get('filetype') === 'null') return;
  // llc writes beside its input then.
  writes(input.replace(/\.(?:bc|ll|mir)$/, '') + (line.values.get('filetype') === 'obj' ? '.o' : '.s'), rules);
}

function writes(path: string, rules: PathRules): void {
  if (path === '' || path === STANDARD || path.includes('\0')) return;
  try {
    rules.writable(path);
  } catch (error) {
    // A folder that is not there: the program says so.
    if ((error as { code?: unknown }).code === undefined) throw error;
  }
}

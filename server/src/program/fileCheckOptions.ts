/** The options that FileCheck 22 registers, and a command line of it as what the run is asked for. */
import { readCommandLine, type CommandLine } from '../commandLine/commandLine.js';
import { OptionParser, ValueExpected, type OptionSpec, type OptionTable } from '../commandLine/optionSpec.js';
import { DumpFilter } from '../filecheck/inputDump.js';
import type { FileCheckOptions } from '../filecheck/options.js';
import { lazy } from '../util/lazy.js';

/** When the input is dumped; of several the last of this list counts. */
const DUMP_MODES = ['never', 'fail', 'always', 'help'] as const;
export type DumpMode = (typeof DUMP_MODES)[number];

const DUMP_FILTERS: ReadonlyMap<string, DumpFilter> = new Map([
  ['error', DumpFilter.Error],
  ['annotation', DumpFilter.Annotation],
  ['annotation-full', DumpFilter.AnnotationFull],
  ['all', DumpFilter.All],
]);

const DEFAULT_CONTEXT = 5;

const spec = (
  name: string,
  parser: OptionParser,
  expects: ValueExpected,
  more: Partial<OptionSpec> = {},
): OptionSpec => ({
  name,
  parser,
  expects,
  values: [],
  isList: false,
  splitsAtCommas: false,
  isPrefix: false,
  isSecret: false,
  ...more,
});
const flag = (name: string): OptionSpec => spec(name, OptionParser.Bool, ValueExpected.Optional);
const text = (name: string): OptionSpec => spec(name, OptionParser.String, ValueExpected.Required);
const list = (name: string, more: Partial<OptionSpec> = {}): OptionSpec =>
  spec(name, OptionParser.String, ValueExpected.Required, { isList: true, ...more });
const choice = (name: string, values: readonly string[]): OptionSpec =>
  spec(name, OptionParser.Enum, ValueExpected.Required, { isList: true, values });
const ending = (name: string): OptionSpec => spec(name, OptionParser.Bool, ValueExpected.Disallowed);

/** In the order of FileCheck's own table, a DenseMap: of several names as near as each other the first is proposed. */
const OPTIONS = lazy((): readonly OptionSpec[] => [
  text('input-file'),
  ending('version'),
  flag('print-options'),
  choice('dump-input-filter', [...DUMP_FILTERS.keys()]),
  ending('help-list-hidden'),
  spec('h', OptionParser.Alias, ValueExpected.Disallowed, { values: ['help'] }),
  spec('dump-input-context', OptionParser.UInt, ValueExpected.Required, { isList: true }),
  text('info-output-file'),
  list('comment-prefixes', { splitsAtCommas: true }),
  list('debug-counter', { splitsAtCommas: true }),
  spec('check-prefixes', OptionParser.Alias, ValueExpected.Required, {
    values: ['check-prefix'],
    splitsAtCommas: true,
  }),
  flag('disable-symbolication'),
  list('implicit-check-not'),
  flag('match-full-lines'),
  spec('rng-seed', OptionParser.ULong, ValueExpected.Required),
  flag('sort-timers'),
  choice('dump-input', DUMP_MODES),
  flag('track-memory'),
  flag('allow-deprecated-dag-overlap'),
  flag('enable-var-scope'),
  flag('stats'),
  flag('ignore-case'),
  flag('debug-counter-break-on-last'),
  flag('print-debug-counter-queries'),
  flag('v'),
  flag('print-debug-counter'),
  flag('strict-whitespace'),
  ending('help-hidden'),
  flag('stats-json'),
  ending('help'),
  ending('help-list'),
  flag('vv'),
  flag('color'),
  flag('print-all-options'),
  list('check-prefix'),
  flag('allow-unused-prefixes'),
  text('crash-diagnostics-dir'),
  flag('allow-empty'),
  list('D', { isPrefix: true, isAlwaysPrefix: true }),
]);

const TABLE: OptionTable = { find: (name) => OPTIONS().find((o) => o.name === name) ?? null, all: OPTIONS };

export interface FileCheckCommand {
  readonly options: FileCheckOptions;
  /** null when it is missing */
  readonly checkFile: string | null;
  /** `-` is standard input */
  readonly inputFile: string;
  readonly dump: DumpMode;
  readonly filter: DumpFilter;
  readonly context: number;
  readonly isColored: boolean;
  /** what is wrong with `-D`, a line each */
  readonly defineProblems: readonly string[];
}

/** What the words say; for help or version, or where the words are wrong, only the command line. */
export function readFileCheckCommand(
  words: readonly string[],
  program: string,
): { readonly line: CommandLine; readonly command: FileCheckCommand | null } {
  const line = readCommandLine(words, [], program, TABLE);
  if (line.asksFor !== null || line.errors.length > 0) return { line, command: null };
  const { values, positional } = line;
  const isSet = (name: string): boolean => values.get(name) === true;
  const strings = (name: string): readonly string[] => (values.get(name) as readonly string[] | undefined) ?? [];
  const numbers = (name: string): readonly number[] => (values.get(name) as readonly number[] | undefined) ?? [];
  const mostOf = (given: readonly number[], none: number): number => (given.length === 0 ? none : Math.max(...given));
  const dump =
    DUMP_MODES[
      mostOf(
        strings('dump-input').map((m) => DUMP_MODES.indexOf(m as DumpMode)),
        1,
      )
    ]!;
  const filters = strings('dump-input-filter').map((f) => DUMP_FILTERS.get(f)!);
  const defines = strings('D');
  const isWrong = (define: string): boolean => !define.includes('=') || define.startsWith('=');
  const options: FileCheckOptions = {
    checkPrefixes: strings('check-prefix'),
    commentPrefixes: strings('comment-prefixes'),
    implicitCheckNot: strings('implicit-check-not'),
    defines: defines.filter((d) => !isWrong(d)),
    allowEmpty: isSet('allow-empty'),
    allowUnusedPrefixes: isSet('allow-unused-prefixes'),
    matchFullLines: isSet('match-full-lines'),
    strictWhitespace: isSet('strict-whitespace'),
    ignoreCase: isSet('ignore-case'),
    enableVarScope: isSet('enable-var-scope'),
    allowDeprecatedDagOverlap: isSet('allow-deprecated-dag-overlap'),
    verbose: isSet('v') || isSet('vv'),
    verboseVerbose: isSet('vv'),
  };
  const command: FileCheckCommand = {
    options,
    checkFile: positional[0] === undefined || positional[0] === '' ? null : positional[0],
    inputFile: (values.get('input-file') as string | undefined) ?? '-',
    dump,
    filter: mostOf(filters, dump === 'always' ? DumpFilter.All : DumpFilter.Error) as DumpFilter,
    context: mostOf(numbers('dump-input-context'), DEFAULT_CONTEXT),
    isColored: isSet('color'),
    defineProblems: defines.filter(isWrong).map((define) => {
      const what = define.startsWith('=') ? 'variable name' : 'equal sign';
      return `Missing ${what} in command-line definition '-D${define}'\n`;
    }),
  };
  return { line, command };
}

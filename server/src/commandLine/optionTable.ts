/**
 * The options that llc registers. The table is one text, in which an option is searched by its name; the few that every run has lie in
 * a short one beside it, so that a usual run never reads the long one.
 */
import { LLC_OPTIONS, OPTION_SOURCES } from './generated/llcOptions.js';
import { lazy } from '../util/lazy.js';
import type { OptionParser, OptionSpec, OptionTable, ValueExpected } from './optionSpec.js';

/** As in the table; a test compares them. */
const COMMON_OPTIONS = `
mtriple;sr;;
march;sr;;
mcpu;sr;;
mattr;sr*,;;
o;sr;;
x;sr;;
run-pass;sr;;
verify-machineinstrs;bo;;
O;cr^;;
`;

/** `NAME;FACTS;SOURCE;VALUES` as a spec. */
function specOf(line: string): OptionSpec {
  const [name = '', facts = '', , values = ''] = line.split(';');
  return {
    name,
    parser: facts[0] as OptionParser,
    expects: facts[1] as ValueExpected,
    values: values.split('|'),
    isList: facts.includes('*'),
    splitsAtCommas: facts.includes(','),
    isPrefix: facts.includes('^'),
    isSecret: facts.includes('!'),
  };
}

function lineOf(table: string, name: string): string | null {
  const at = table.indexOf(`\n${name};`);
  return at < 0 ? null : table.slice(at + 1, table.indexOf('\n', at + 1));
}

/** The option of this name, aliases as such; null if llc has none. */
export function findOption(name: string): OptionSpec | null {
  // A name with a separator would match inside of a line.
  if (/[;\n]/.test(name)) return null;
  const line = lineOf(COMMON_OPTIONS, name) ?? lineOfAll(name);
  return line === null ? null : specOf(line);
}

/** Searches of the whole table, which is long, before it is cut into lines: most command lines have fewer uncommon words. */
const MANY_SEARCHES = 64;
let searches = 0;
const lines = lazy(
  (): ReadonlyMap<string, string> =>
    new Map(
      LLC_OPTIONS()
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(';')), line]),
    ),
);

const lineOfAll = (name: string): string | null =>
  searches++ < MANY_SEARCHES ? lineOf(LLC_OPTIONS(), name) : (lines().get(name) ?? null);

/** All options, in the order of llc's own table. O(options). */
export const allOptions = lazy((): readonly OptionSpec[] => LLC_OPTIONS().trim().split('\n').map(specOf));

/** Source file of LLVM (`LIBRARY/FILE`) that defines each option, by name. */
export function optionSources(): Map<string, string> {
  const sources = OPTION_SOURCES().split('\n');
  const lines = LLC_OPTIONS().trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [name = '', , source = ''] = line.split(';');
      return [name, sources[Number(source)] ?? ''];
    }),
  );
}

export const LLC_TABLE: OptionTable = { find: findOption, all: allOptions };

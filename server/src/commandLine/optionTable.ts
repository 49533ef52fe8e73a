/**
 * The options that llc registers. The table is one text, in which an option is searched by its name; the few that every run has lie in
 * a short one beside it, so that a usual run never reads the long one.
 */
import { LLC_OPTIONS, OPTION_SOURCES } from './generated/llcOptions.js';
import { GONE_OPTIONS, NEW_OPTIONS } from './generated/llcOptions24.js';
import { stringHash } from '../util/stringMapOrder.js';
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

export const LLC_TABLE: OptionTable = { find: findOption, all: allOptions, onlyValues: new Set(['regalloc=pbqp']) };

const isGone = (name: string): boolean => GONE_OPTIONS().includes(`\n${name}\n`);

/** The option of LLVM 24's llc that 22.1.8 lacks, or whose values are others there. */
function newOption(name: string): OptionSpec | null {
  const line = /[;\n]/.test(name) ? null : lineOf(NEW_OPTIONS(), name);
  return line === null ? null : specOf(line);
}

/** Buckets of llc's table of some 3,000 options, and what LLVM 24 mixes into the hash of a name. */
const BUCKETS = 4096;
const SEED = 0xed558ccd;

/** In the order of a table by hashes (DenseMap), as far as hashes tell it. */
function inTableOrder(options: readonly OptionSpec[]): OptionSpec[] {
  // Names are ASCII.
  const homeOf = ({ name }: OptionSpec): number =>
    (stringHash(Uint8Array.from(name, (c) => c.charCodeAt(0))) ^ SEED) & (BUCKETS - 1);
  return options
    .map((option) => ({ option, home: homeOf(option) }))
    .sort((a, b) => a.home - b.home)
    .map(({ option }) => option);
}

/** Options of LLVM 24's llc: those of 22.1.8 but for the differences. */
export const LLC24_TABLE: OptionTable = {
  find: (name) => newOption(name) ?? (isGone(name) ? null : findOption(name)),
  all: lazy(() => {
    const kept = allOptions().flatMap((option) => (isGone(option.name) ? [] : [newOption(option.name) ?? option]));
    const added = NEW_OPTIONS().trim().split('\n').map(specOf);
    return inTableOrder([...kept, ...added.filter(({ name }) => findOption(name) === null)]);
  }),
  onlyValues: new Set(['amdgpu-sched-strategy=coexec']),
};

/** Options of any release, for those who look for a word's meaning before they know whose llc it is for. */
export const ANY_LLC_TABLE: OptionTable = { find: (name) => findOption(name) ?? newOption(name), all: allOptions };

/** Whether one of the two tables alone has the option, or the value of it; null: both, or none. */
export function onlyTableOf(name: string, value: string): OptionTable | null {
  if (/[;\n]/.test(name)) return null;
  if (isGone(name)) return LLC_TABLE;
  if (newOption(name) !== null && findOption(name) === null) return LLC24_TABLE;
  return [LLC_TABLE, LLC24_TABLE].find(({ onlyValues }) => onlyValues?.has(`${name}=${value}`)) ?? null;
}

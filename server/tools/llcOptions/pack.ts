/**
 * Writes the table of llc's options from what dump.cpp has printed. The source file that defines an option is found in LLVM's static
 * libraries: the object whose strings have the option's name; where several have it, the one whose options lie nearest in memory.
 *
 *     node --import tsx pack.ts VERSION LIBDIR OPTIONS
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OptionParser } from '../../src/commandLine/optionSpec.js';

const OUT = join(__dirname, '../../src/commandLine/generated/llcOptions.ts');

/** As llvm::cl numbers them. */
const VALUE_EXPECTED = ['', 'o', 'r', 'd'];
const COMMA_SEPARATED = 1;
const GROUPING = 8;
/** taken when no other option has the name */
const DEFAULT_OPTION = 16;
const PREFIX = 2;
const REALLY_HIDDEN = 2;

interface Row {
  readonly name: string;
  readonly className: string;
  readonly object: string;
  readonly address: number;
  readonly valueExpected: number;
  readonly formatting: number;
  readonly misc: number;
  readonly hidden: number;
  readonly takesEmpty: boolean;
  /** what --help prints of it, without the first line */
  readonly help: readonly string[];
}

function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`the packer's rule does not hold: ${what}`);
}

function rowsOf(text: string): Row[] {
  return text
    .split(/^OPTION\t/m)
    .slice(1)
    .map((part) => {
      const [facts = '', ...help] = part.split('\n');
      const [name = '', className = '', object = '', ...numbers] = facts.split('\t');
      const [address, valueExpected, formatting, misc, hidden, takesEmpty] = numbers.map(Number) as number[];
      check(numbers.length === 6 && numbers.every((n) => /^\d+$/.test(n)), facts);
      return {
        name,
        className: className.replaceAll(/std::__cxx11::basic_string<[^<>]*<[^<>]*>[^<>]*<[^<>]*> ?>/g, 'string'),
        object,
        address: address!,
        valueExpected: valueExpected!,
        formatting: formatting!,
        misc: misc!,
        hidden: hidden!,
        takesEmpty: takesEmpty === 1,
        help,
      };
    });
}

/** Parsers by the C++ type in `llvm::cl::parser<TYPE>`; any other type is an enumeration. */
const PARSERS: Readonly<Record<string, OptionParser>> = {
  bool: OptionParser.Bool,
  'llvm::cl::boolOrDefault': OptionParser.Bool,
  int: OptionParser.Int,
  'unsigned int': OptionParser.UInt,
  long: OptionParser.Long,
  'unsigned long': OptionParser.ULong,
  float: OptionParser.Float,
  double: OptionParser.Float,
  char: OptionParser.Char,
  string: OptionParser.String,
};

/** Options with a parser class of their own. */
const OWN_PARSERS: readonly (readonly [RegExp, OptionParser])[] = [
  [/HotColdHintParser/, OptionParser.HotColdHint],
  [/HotnessThresholdParser/, OptionParser.HotnessThreshold],
  [/MFMAPaddingRatioParser/, OptionParser.MFMAPaddingRatio],
  [/SPIRVExtensionsParser/, OptionParser.SPIRVExtensions],
  [/DebugCounterList/, OptionParser.DebugCounter],
  [/RegisterPassParser|RegAllocTypeParser/, OptionParser.Enum],
];

function parserOf(row: Row): OptionParser {
  if (row.className === 'llvm::cl::alias') return OptionParser.Alias;
  for (const [pattern, parser] of OWN_PARSERS) if (pattern.test(row.className)) return parser;
  const type = /llvm::cl::parser<(.*?) ?>(?: ?>)?$/.exec(row.className)?.[1];
  if (type !== undefined) return PARSERS[type] ?? OptionParser.Enum;
  // Compiled without run-time types: help names the type of a number.
  check(row.className === 'unknown', `a parser in ${row.className}`);
  const word = /^ {2}--?[\w-]+=<(\w+)>/.exec(row.help[0]!)?.[1] ?? '';
  return PARSERS[word === 'uint' ? 'unsigned int' : word] ?? OptionParser.Enum;
}

const valuesOf = (row: Row, parser: OptionParser): string[] =>
  parser !== OptionParser.Enum
    ? []
    : [
        ...row.help.flatMap((line) => /^ {4}=(\S+)/.exec(line)?.[1]?.replace('<empty>', '') ?? []),
        ...(row.takesEmpty ? [''] : []),
      ];

/** Options that have no name but those of their values: `-name` is what others write `-option=name`. Their errors begin with their help. */
const isLiteral = (row: Row, parser: OptionParser): boolean => parser === OptionParser.Enum && row.valueExpected === 3;

function aliasTarget(row: Row): string {
  const name = /alias for -{1,2}(\S+)/i.exec(row.help[0] ?? '')?.[1];
  check(name !== undefined, `${row.name} says what it is an alias for`);
  return name;
}

/** Members of an `ar` archive. */
function* membersOf(path: string): Generator<{ name: string; bytes: Buffer }> {
  const file = readFileSync(path);
  let longNames = '';
  for (let at = 8; at + 60 <= file.length;) {
    const header = file.toString('latin1', at, at + 60);
    const size = Number(header.slice(48, 58));
    const bytes = file.subarray(at + 60, at + 60 + size);
    at += 60 + size + (size & 1);
    const name = header.slice(0, 16).trim();
    if (name === '//') longNames = bytes.toString('latin1');
    else if (name !== '/' && name !== '/SYM64/') {
      const long = /^\/(\d+)$/.exec(name);
      const from = Number(long?.[1]);
      yield { name: long ? longNames.slice(from, longNames.indexOf('/', from)) : name.replace(/\/$/, ''), bytes };
    }
  }
}

/** Object files (`LIBRARY/FILE`) whose strings hold a name and that use llvm::cl, by name. */
function objectsByName(libdir: string, names: ReadonlySet<string>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const library of readdirSync(libdir).filter((f) => /^libLLVM.*\.a$/.test(f))) {
    for (const { name, bytes } of membersOf(join(libdir, library))) {
      const text = bytes.toString('latin1');
      if (!text.includes('4llvm2cl')) continue;
      const object = `${library.slice(7, -2)}/${name.replace(/(?:\.cpp)?\.o$/, '')}`;
      for (const [word] of text.matchAll(/(?<=\0)[!-~]+(?=\0)/g)) {
        if (!names.has(word)) continue;
        let objects = found.get(word);
        if (!objects) found.set(word, (objects = new Set()));
        objects.add(object);
      }
    }
  }
  return found;
}

/** The source file of each row. */
function sourcesOf(rows: readonly Row[], libdir: string): string[] {
  const objects = objectsByName(libdir, new Set(rows.map((r) => r.name)));
  const known = new Map<Row, string>();
  for (const row of rows) {
    const candidates = [...(objects.get(row.name) ?? [])];
    if (row.object === 'heap') known.set(row, candidates.length === 1 ? candidates[0]! : 'Support/CommandLine');
    else if (!row.object.startsWith('libLLVM')) known.set(row, 'llc');
    else if (row.name.includes('polly')) known.set(row, 'Polly');
    else if (candidates.length === 1) known.set(row, candidates[0]!);
  }
  const placed = [...known]
    .filter(([row]) => row.object.startsWith('libLLVM'))
    .sort(([a], [b]) => a.address - b.address);
  return rows.map((row) => {
    const own = known.get(row);
    if (own !== undefined) return own;
    const [, nearest] = placed.reduce((best, next) =>
      Math.abs(next[0].address - row.address) < Math.abs(best[0].address - row.address) ? next : best,
    );
    return nearest;
  });
}

const [version = '', libdir = '', file = ''] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const rows = rowsOf(text.replaceAll(/^PASS\t.*\n/gm, ''));
const passes = [...text.matchAll(/^PASS\t(.*)$/gm)].map((m) => m[1]!).sort();
check(passes.length > 500 && passes.every((name) => /^[\w-]+$/.test(name)), 'names of passes');
const sources = sourcesOf(rows, libdir);
const sourceList = [...new Set(sources)].sort();
const lines = rows.map((row, i) => {
  let parser = parserOf(row);
  if (isLiteral(row, parser)) parser = OptionParser.Literal;
  const values =
    parser === OptionParser.Alias
      ? [aliasTarget(row)]
      : parser === OptionParser.Literal
        ? [row.help[0]!.trim()]
        : valuesOf(row, parser);
  check(!/[;|`\\$]/.test(row.name + values.join('')), `plain names in ${row.name}`);
  check((row.name.length === 1) === ((row.misc & GROUPING) !== 0), `one letter means grouping: ${row.name}`);
  check((row.misc & ~(COMMA_SEPARATED | GROUPING | DEFAULT_OPTION)) === 0, `flags of ${row.name}`);
  const code =
    parser +
    VALUE_EXPECTED[row.valueExpected]! +
    (/^llvm::cl::(?:list|bits)</.test(row.className) ? '*' : '') +
    (row.misc & COMMA_SEPARATED ? ',' : '') +
    (row.formatting === PREFIX ? '^' : '') +
    (row.hidden === REALLY_HIDDEN ? '!' : '');
  return `${row.name};${code};${sourceList.indexOf(sources[i]!)};${values.join('|')}`;
});
writeFileSync(
  OUT,
  `/** Made by server/tools/llcOptions/build.sh from LLVM ${version}. Do not edit. */

/** One option a line, in the order of llc's own table: \`NAME;FACTS;SOURCE;VALUES\`, read by ../optionTable.ts. */
export const LLC_OPTIONS = (): string => \`
${lines.join('\n')}
\`;

/** Source files that define options, one a line. */
export const OPTION_SOURCES = (): string => \`${sourceList.join('\n')}\`;

/** Passes that -run-pass knows, one a line, in ascending order. */
export const RUN_PASSES = (): string => \`
${[...new Set(passes)].join('\n')}
\`;
`,
);

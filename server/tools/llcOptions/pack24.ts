/**
 * Writes how the options of LLVM 24's llc differ from those of 22.1.8, from what options24.py has printed of a library. That library has not all
 * of llc: an option of 22 is gone where its source file is in the library with others, or is of AMDGPU.
 *
 *     node --import tsx pack24.ts VERSION OPTIONS
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allOptions, optionSources } from '../../src/commandLine/optionTable.js';
import { OptionParser } from '../../src/commandLine/optionSpec.js';

const OUT = join(__dirname, '../../src/commandLine/generated/llcOptions24.ts');

/** What an llc without assertions lacks; the library has them. */
const OF_ASSERTIONS =
  /^(?:debug|debug-only|debug-buffer-size|view-.*|filter-view-dags|dump-sorted-dags|print-sdnode-addrs|stress-(?:sched|ivchain)|misched-(?:cutoff|only-.*|print-dags|detail-resource-booking|dump-reserved-cycles)|pipeliner-max|precompute-phys-liveness|combiner-aa-only-func|attributor-(?:function-)?seed-allow-list|amdgpu-module-splitting-(?:serial-execution|debug-proposal-search)|loop-fusion-verbose-debug|ipt-expensive-asserts|coro-elide-info-output-file|vplan-build-outerloop-stress-test|line-info-inlined-at)$/;

/** Lists that name what the library leaves out; less what is gone. */
const REGISTERED_ELSEWHERE: Readonly<Record<string, readonly string[]>> = { misched: [], regalloc: ['pbqp'] };

/** By the word that help has for a value. */
const PARSERS: Readonly<Record<string, OptionParser>> = {
  int: OptionParser.Int,
  uint: OptionParser.UInt,
  long: OptionParser.Long,
  ulong: OptionParser.ULong,
  number: OptionParser.Float,
};
const VALUE_EXPECTED = ['', 'o', 'r', 'd'];

interface Row {
  readonly name: string;
  readonly facts: string;
  readonly values: readonly string[];
}

function rowOf(part: string): Row {
  const [facts = '', ...help] = part.split('\n');
  const [name = '', , , , expected = '', formatting, misc, hidden] = facts.split('\t');
  const values = help.flatMap((line) => /^ {4}=(\S+)/.exec(line)?.[1]?.replace('<empty>', '') ?? []);
  const word = /^ {2}--?[\w-]+=<([^>]+)>/.exec(help[0] ?? '')?.[1];
  const alias = /alias for -{1,2}(\S+)/i.exec(help[0] ?? '')?.[1];
  const isList = (Number(misc) & 1) !== 0;
  let parser = values.length > 0 ? OptionParser.Enum : OptionParser.Bool;
  if (values.length === 0 && word !== undefined) parser = PARSERS[word] ?? OptionParser.String;
  if (values.length === 0 && alias !== undefined) parser = OptionParser.Alias;
  return {
    name,
    facts: `${parser}${VALUE_EXPECTED[Number(expected)]}${isList ? '*,' : ''}${formatting === '2' ? '^' : ''}${hidden === '2' ? '!' : ''}`,
    values: parser === OptionParser.Alias ? [alias!] : values,
  };
}

const [version = '', file = ''] = process.argv.slice(2);
const rows = readFileSync(file, 'utf8')
  .replaceAll(/^PASS\t.*\n/gm, '')
  .split(/^OPTION\t/m)
  .slice(1)
  .map(rowOf);
const now = new Map(rows.map((row) => [row.name, row]));
const before = new Map(allOptions().map((option) => [option.name, option]));
const sources = optionSources();
const inLibrary = new Set([...now.keys()].flatMap((name) => sources.get(name) ?? []));

const gone = [...before.keys()].filter((name) => {
  const source = sources.get(name) ?? '';
  return !now.has(name) && (inLibrary.has(source) || source.startsWith('AMDGPUCodeGen/'));
});
/** With the values that the library leaves out. */
function completed(row: Row): Row {
  const lost = REGISTERED_ELSEWHERE[row.name];
  const old = before.get(row.name)?.values ?? [];
  if (lost !== undefined) return { ...row, values: old.filter((value) => !lost.includes(value)) };
  return old.includes('') ? { ...row, values: [...new Set(['', ...row.values])] } : row;
}

const changed = rows.map(completed).filter((row) => {
  const old = before.get(row.name);
  if (old === undefined) return !OF_ASSERTIONS.test(row.name);
  if (old.parser !== OptionParser.Enum || row.values.length === 0) return false;
  return new Set([...old.values, ...row.values]).size !== row.values.length || old.values.length !== row.values.length;
});
writeFileSync(
  OUT,
  `/** Made by server/tools/llcOptions/build24.sh from LLVM ${version}. Do not edit. */

/** Options of 22.1.8 that are gone, one a line. */
export const GONE_OPTIONS = (): string => \`
${gone.sort().join('\n')}
\`;

/** New ones, and those that take other values, as lines of llcOptions.ts without a source. */
export const NEW_OPTIONS = (): string => \`
${changed
  .map(({ name, facts, values }) => `${name};${facts};;${values.join('|')}`)
  .sort()
  .join('\n')}
\`;
`,
);

/** Options of the commands as data: what is parsed, what help and man page say of it, what shells complete. The tables of commands are commands.ts. */
import { MODEL_CHOICES } from '../passes/scheduler/schedulerModel.js';

/** A flag, an option whose last value counts, or one that may be given several times. */
export type OptionKind = 'flag' | 'value' | 'list';

/** What shells offer for a value: these words, files, folders, processors or passes. */
export type Completed = readonly string[] | 'file' | 'folder' | 'processor' | 'pass' | 'none';

export interface OptionSpec {
  /** without dashes; the first is what the program calls it, the others are as good */
  readonly names: readonly [string, ...string[]];
  readonly kind: OptionKind;
  /** what stands for the value in help, e.g. `CPU[:FEATURE...]`; '' of a flag */
  readonly value: string;
  readonly completed: Completed;
  /** read by the parser of LLVM's options: shown with one dash */
  readonly isLlvm: boolean;
}

/** A row of the help: options that are explained together. */
export interface OptionRow {
  readonly options: readonly OptionSpec[];
  readonly what: string;
  /** in the place of what is made of the options, for those that are many */
  readonly shown?: string;
}

type Names = OptionSpec['names'];

const spec = (names: Names, kind: OptionKind, value: string, completed: Completed, isLlvm = false): OptionSpec => ({
  names,
  kind,
  value,
  completed,
  isLlvm,
});

export const flag = (...names: Names): OptionSpec => spec(names, 'flag', '', 'none');
export const value = (names: Names | string, shown: string, completed: Completed = 'none'): OptionSpec =>
  spec(typeof names === 'string' ? [names] : names, 'value', shown, completed);
export const list = (name: string, shown: string, completed: Completed = 'none'): OptionSpec =>
  spec([name], 'list', shown, completed);
/** Of LLVM's own programs; without `shown` it takes no value. */
export const llvm = (name: string, shown = '', completed: Completed = 'none'): OptionSpec =>
  spec([name], shown === '' ? 'flag' : 'list', shown, completed, true);

export const row = (options: OptionSpec | readonly OptionSpec[], what: string, shown?: string): OptionRow => ({
  options: 'names' in options ? [options] : options,
  what,
  ...(shown === undefined ? {} : { shown }),
});

/** `--target=CPU[:FEATURE...]`, `-o OUT`, `--jobs=N, -j N` */
const shownOption = ({ names, value: shown, isLlvm }: OptionSpec): string =>
  names
    .filter((name) => !HIDDEN_NAMES.has(name))
    .map((name) => {
      if (name.length === 1) return shown === '' ? `-${name}` : `-${name} ${shown}`;
      return `${isLlvm ? '-' : '--'}${name}${shown === '' ? '' : `=${shown}`}`;
    })
    .join(', ');

/** llc's own spelling of `--target`'s parts, and what an option was called before. */
const HIDDEN_NAMES: ReadonlySet<string> = new Set(['workers']);

export const shownRow = ({ options, shown }: OptionRow): string => shown ?? options.map(shownOption).join(' ');

/** The rows with what is shown for each. */
export const helpRows = (rows: readonly OptionRow[]): (readonly [string, string])[] =>
  rows.map((one) => [shownRow(one), one.what]);

const MODELS =
  'llvm-22; llvm-24 (main); rocm-10: LLVM 23 as ROCm 10 ships it (preview); auto: what only one of 22 and 24 accepts decides (a key, opcode, processor, option, triple), then the clang that compiled the module, else llvm-24; llvm-main: 24 with what newer tests of LLVM main confirm (by its tests); llvm-main-2026-01 or llvm-main-2026-07: 22 with the rematerialization stage of LLVM main';

const MODEL = value('model', 'NAME', MODEL_CHOICES);
/** Of `llc`, as its name says. */
export const MODEL_OF_LLC = row(MODEL, `whose LLVM (llvm-22 unless given): ${MODELS}`);
/** Of commands that read tests and files of any LLVM. */
export const MODEL_OF_FILE = row(MODEL, `whose LLVM (auto unless given): ${MODELS}`);
export const MODELS_OF_FILE = row(
  value('model', 'NAME[,NAME...]', MODEL_CHOICES),
  `whose LLVM (auto unless given), of several both where numbers differ: ${MODELS}`,
);
export const MODELS_OF_SIDES = row(
  value('model', 'NAME[,NAME]', MODEL_CHOICES),
  `whose LLVM (auto unless given); of two, the first is for the first side: ${MODELS}`,
);

export const TARGET = list('target', 'CPU[:FEATURE...][,CPU...]', 'processor');
/** The target in llc's words, with one dash or two. */
export const TARGET_PARTS = row(
  [value('mtriple', 'T'), value('mcpu', 'C', 'processor'), list('mattr', 'F')],
  'the target in the words of llc: goes before what RUN lines, the module and functions (target-cpu) say; features alone are added',
  '-mtriple=T -mcpu=C -mattr=F',
);
export const FUNCTION = row(value('function', 'F'), 'only this function');
export const OUTPUT = row(value(['o', 'output'], 'OUT', 'file'), 'file instead of standard output');
export const JOBS = row(value(['jobs', 'j', 'workers'], 'N'), 'threads; as many as the machine has cores unless given');
export const COLOR = row(
  value('color', 'WHEN', ['auto', 'always', 'never']),
  'colours: auto (default: on a terminal), always or never',
);
export const JSON_FLAG = row(flag('json'), 'the same as --format=json');
export const CSV_FLAG = row(flag('csv'), 'the same as --format=csv');

/** `formats`: the first is what there is without the option */
export function formatRow(formats: readonly [string, ...string[]], what = ''): OptionRow {
  const [first, ...others] = formats;
  const last = others.pop();
  const names = [`${first} (default)`, ...others].join(', ');
  return row(value('format', 'FORMAT', formats), `${names}${last === undefined ? '' : ` or ${last}`}${what}`);
}

export const CONFIG = row(
  [value('config', 'FILE', 'file'), flag('no-config')],
  'a configuration instead of the amdgpu-mir.toml, or package.json with the key amdgpu-mir, that is found upwards from the first file; or none',
);

/** Of commands that take sources. */
export const SOURCE_TOOLS: readonly OptionRow[] = [
  row(
    [value('clang', 'PATH', 'file'), value('llc', 'PATH', 'file')],
    'what makes MIR of a source (.ll, .bc, .cl, .hip): yours, else the first clang or llc of a modelled LLVM on PATH and in /opt/rocm/llvm/bin',
  ),
  row(value('stop-before', 'PASS', 'pass'), 'up to where it compiles a source (machine-scheduler unless given)'),
  row(list('tool-arg', 'WORD'), 'a word for it, such as -nogpulib; may be given several times'),
  row(
    value('compile-commands', 'FILE', 'file'),
    'how a build compiles the source; else a compile_commands.json beside or above it',
  ),
];

/** Of FileCheck, which takes one dash or two. */
export const fileCheck = (name: string, shown = '', completed: Completed = 'none'): OptionSpec =>
  spec([name], shown === '' ? 'flag' : 'list', shown, completed);

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
  'llvm-22; llvm-24 (main); rocm-10: LLVM 23 as shipped in ROCm 10 (preview); llvm-main: llvm-24 with changes that newer tests of LLVM main confirm; llvm-main-2026-01, llvm-main-2026-07: llvm-22 with the rematerialization stage of LLVM main of that month; auto: if only one of 22 and 24 accepts the file (a key, opcode, processor, option or triple), that one; otherwise the version of the clang that compiled the module; otherwise llvm-24';

const MODEL = value('model', 'NAME', MODEL_CHOICES);
/** Of `llc`, as its name says. */
export const MODEL_OF_LLC = row(MODEL, `the LLVM to model (default: llvm-22). ${MODELS}`);
/** Of commands that read tests and files of any LLVM. */
export const MODEL_OF_FILE = row(MODEL, `the LLVM to model (default: auto). ${MODELS}`);
export const MODELS_OF_FILE = row(
  value('model', 'NAME[,NAME...]', MODEL_CHOICES),
  `the LLVM to model (default: auto). With several, both numbers are shown where they differ. ${MODELS}`,
);
export const MODELS_OF_SIDES = row(
  value('model', 'NAME[,NAME]', MODEL_CHOICES),
  `the LLVM to model (default: auto). Of two, the first is for the first side. ${MODELS}`,
);

/** Of commands that take one. */
export const ONE_TARGET = 'use this processor instead of the one in RUN lines and function attributes';
export const TARGET = list('target', 'CPU[:FEATURE...][,CPU...]', 'processor');
/** The target in llc's words, with one dash or two. */
export const TARGET_PARTS = row(
  [value('mtriple', 'T'), value('mcpu', 'C', 'processor'), list('mattr', 'F')],
  'the target, spelled as for llc. It overrides RUN lines, the module and function attributes (target-cpu); -mattr alone adds features',
  '-mtriple=T -mcpu=C -mattr=F',
);
export const FUNCTION = row(value('function', 'F'), 'report only this function');
export const OUTPUT = row(value(['o', 'output'], 'OUT', 'file'), 'write to this file instead of standard output');
export const JOBS = row(value(['jobs', 'j', 'workers'], 'N'), 'number of threads (default: the number of cores)');
export const COLOR = row(
  value('color', 'WHEN', ['auto', 'always', 'never']),
  'use colours: auto (default; on a terminal), always or never',
);
export const JSON_FLAG = row(flag('json'), 'short for --format=json');
export const CSV_FLAG = row(flag('csv'), 'short for --format=csv');

/** `formats`: the first is what there is without the option */
export function formatRow(formats: readonly [string, ...string[]], what = ''): OptionRow {
  const [first, ...others] = formats;
  const last = others.pop();
  const names = [`${first} (default)`, ...others].join(', ');
  return row(value('format', 'FORMAT', formats), `${names}${last === undefined ? '' : ` or ${last}`}${what}`);
}

export const CONFIG = row(
  [value('config', 'FILE', 'file'), flag('no-config')],
  'use this configuration file, or none. The default is the nearest amdgpu-mir.toml, or package.json with the key amdgpu-mir, in the folder of the first file or above it',
);

/** Of commands that take source files. */
export const SOURCE_TOOLS: readonly OptionRow[] = [
  row(
    [value('clang', 'PATH', 'file'), value('llc', 'PATH', 'file')],
    'the compiler for source files (.ll, .bc, .cl, .hip). The default is the first clang or llc of a modelled LLVM on PATH and in /opt/rocm/llvm/bin',
  ),
  row(value('stop-before', 'PASS', 'pass'), 'compile a source file up to this pass (default: machine-scheduler)'),
  row(list('tool-arg', 'WORD'), 'an argument for that compiler, such as -nogpulib. Repeat it for several'),
  row(
    value('compile-commands', 'FILE', 'file'),
    'how your build compiles the source. The default is a compile_commands.json in its folder or above',
  ),
];

/** Of FileCheck, which takes one dash or two. */
export const fileCheck = (name: string, shown = '', completed: Completed = 'none'): OptionSpec =>
  spec([name], shown === '' ? 'flag' : 'list', shown, completed);

/** What the command line says of itself: `amdgpu-mir help` and `COMMAND --help`, made from the table of commands. */
import { editDistance } from '../features/words/editDistance.js';
import { agreementText } from '../target/releases.js';
import { VERSION } from '../util/version.js';
import { commandOf, PASS_NAMES } from './commands.js';
import { helpRows } from './options.js';

export const VERSION_LINE = `amdgpu-mir ${VERSION}, models LLVM ${agreementText()}\n`;

const WIDTH = 100;

/** Every command, by what it is for. */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['kernels', ['check', 'why', 'sweep', 'diff', 'explain', 'compare']],
  ['tests and MIR files', ['test', 'update-checks', 'fmt', 'simplify', 'reduce']],
  ['logs and dumps', ['log', 'swap']],
  ["LLVM's own tools", ['llc', 'filecheck', 'batch']],
  ['other', ['lsp', 'completions', 'report', 'help', 'licenses', '--version']],
];
/** What the table of commands does not have. */
const OTHERS: Readonly<Record<string, string>> = {
  help: 'print this text, or everything about a command',
  licenses: 'print the licences of all work in this program',
  '--version': 'print the version, and the versions of LLVM that it models',
};
const OVERVIEW_WIDTH = 13;
const SHOWN_FIRST = ['check', 'why', 'test', 'update-checks', 'diff'];

/** The overview. */
export function helpText(): string {
  return [
    `amdgpu-mir ${VERSION}: LLVM MIR of AMD GPUs. Says how many waves a kernel ends with, why, and what would help.\n`,
    'usage: amdgpu-mir COMMAND [ARGUMENT]...\n',
    ...GROUPS.map(([title, names]) => {
      const rows = names.map((name) => [name, OTHERS[name] ?? commandOf(name)!.summary] as const);
      return `${title}:\n${table(rows, OVERVIEW_WIDTH)}`;
    }),
    `examples:\n${examplesText(SHOWN_FIRST.map((name) => commandOf(name)!.examples[0]!))}`,
    "'amdgpu-mir help COMMAND' lists the options, examples and exit codes of a command.\n",
  ].join('\n');
}

/** Everything about a command; the overview for a name that is none. `passes`: names of all passes, for the command that runs them. */
export function helpOf(name: string, passes: readonly string[] = []): string {
  const command = commandOf(name);
  if (!command) return helpText();
  const { usage, about, options, examples, exits } = command;
  const parts = [`usage: ${usage.map((u) => `amdgpu-mir ${u}`).join('\n       ')}\n`];
  for (const paragraph of about)
    parts.push(`${wrap(paragraph.replace(PASS_NAMES, passes.join(', ')), WIDTH).join('\n')}\n`);
  if (options.length > 0) parts.push(`options:\n${table(helpRows(options))}`);
  parts.push(`examples:\n${examplesText(examples)}`);
  parts.push(`exit codes:\n${table(exits.map(([code, meaning]) => [String(code), meaning]))}`);
  return parts.join('\n');
}

/** Does a command line ask for help? What stands after `--` does not. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-help' || arg === '-h');
}

/** `; did you mean 'check'?`, empty when nothing is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const most = Math.max(1, Math.floor(word.length / 3));
  let best = '';
  let least = most + 1;
  for (const name of known) {
    const d = editDistance(word, name, most);
    if (d < least) [best, least] = [name, d];
  }
  return best === '' ? '' : `; did you mean '${best}'?`;
}

const INDENT = 2;

/** `width`: of the first column. */
function table(rows: readonly (readonly [string, string])[], width = columnOf(rows)): string {
  let out = '';
  for (const [left, right] of rows) {
    const lines = wrap(right, WIDTH - INDENT - width - 2);
    const isLong = left.length > width;
    if (isLong) out += `${' '.repeat(INDENT)}${left}\n`;
    lines.forEach((line, k) => {
      const head = k === 0 && !isLong ? left : '';
      out += `${' '.repeat(INDENT)}${head.padEnd(width)}  ${line}\n`;
    });
  }
  return out;
}

/** Longer ones stand on a line of their own. */
const columnOf = (rows: readonly (readonly [string, string])[]): number =>
  Math.min(32, Math.max(...rows.map(([left]) => left.length)));

const examplesText = (examples: readonly (readonly [string, string])[]): string =>
  examples.map(([line, what]) => `  ${line}\n      ${what}\n`).join('');

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line += `${line === '' ? '' : ' '}${word}`;
  }
  return [...lines, line];
}

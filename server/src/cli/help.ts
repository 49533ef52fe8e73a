/** What the command line says of itself: `amdgpu-mir help` and `COMMAND --help`, made from the table of commands. */
import { editDistance } from '../features/words/editDistance.js';
import { agreementText, DEFAULT_RELEASE, releaseText } from '../target/releases.js';
import { VERSION } from '../util/version.js';
import { commandOf, commands, PASS_NAMES } from './commands.js';
import { helpRows } from './options.js';

export const VERSION_LINE = `amdgpu-mir ${VERSION}, models LLVM ${agreementText()}\n`;

const WIDTH = 100;

/** The overview. */
export function helpText(): string {
  return [
    `amdgpu-mir ${VERSION}: LLVM MIR of the AMDGPU target, as ${releaseText(DEFAULT_RELEASE)} sees it\n`,
    'usage: amdgpu-mir COMMAND [ARGUMENT]...\n',
    table([
      ...commands().map(({ usage, summary }) => [usage[0]!, summary] as const),
      ['help [COMMAND]', 'this, or a command with its options, examples and exit codes'],
      ['licenses', 'whose work the program holds, and under which licences'],
      ['--version', 'version, and the LLVM that it models'],
    ]),
    `examples:\n${examplesText(commands().map(({ examples }) => examples[0]!))}`,
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

function table(rows: readonly (readonly [string, string])[]): string {
  const INDENT = 2;
  const most = 32;
  const width = Math.min(most, Math.max(...rows.map(([left]) => left.length)));
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

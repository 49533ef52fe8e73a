/** What all commands do alike: help, wrong arguments, the format that is asked for, colours, the file that the result goes to. */
import { OutputError, StreamError, type CommandIO } from '../program/commandIO.js';
import { ForwardingIO } from '../program/forwardingIO.js';
import { visible } from '../text/visible.js';
import { commandOf, type CommandHelp } from './commands.js';
import { configAt, findConfig, type Config } from './configFile.js';
import { parseCommandOptions, valueOf, type CommandOptions } from './commandOptions.js';
import { asksForHelp, helpOf } from './help.js';
import { COLOURED, PLAIN, type Palette } from './palette.js';

const EXIT_OK = 0;
/** The arguments are wrong, or there is no answer: what linters end with. */
export const EXIT_USAGE = 2;

/** `Format`: those of the command. */
export interface Invocation<Format extends string = string> extends CommandOptions {
  readonly format: Format;
  readonly palette: Palette;
  /** the user's, where the command has one; its options are among the values */
  readonly config: Config | null;
  /** Says why there is no answer, after the name of the command; the exit code. */
  refuse(message: string): number;
}

type Run<Format extends string, Exit> = (call: Invocation<Format>, io: CommandIO) => Exit;

/** Runs a command of the table with its arguments; its exit code. */
export function runCommand<Format extends string>(
  name: string,
  args: readonly string[],
  io: CommandIO,
  run: Run<Format, number>,
): number {
  const opened = open<Format>(name, args, io);
  if (typeof opened === 'number') return opened;
  const { call, out } = opened;
  return finish(name, run(call, out ?? io), out, io);
}

/** The same of a command that waits for threads. */
export async function runCommandLater<Format extends string>(
  name: string,
  args: readonly string[],
  io: CommandIO,
  run: Run<Format, Promise<number>>,
): Promise<number> {
  const opened = open<Format>(name, args, io);
  if (typeof opened === 'number') return opened;
  const { call, out } = opened;
  return finish(name, await run(call, out ?? io), out, io);
}

/** The exit code where there is nothing to run. */
function open<Format extends string>(
  name: string,
  args: readonly string[],
  io: CommandIO,
): { readonly call: Invocation<Format>; readonly out: CollectingIO | null } | number {
  if (asksForHelp(args)) {
    io.stdout(helpOf(name));
    return EXIT_OK;
  }
  const refuse = (message: string): number => {
    io.stderr(`amdgpu-mir ${name}: ${message}\n`);
    return EXIT_USAGE;
  };
  const command = commandOf(name)!;
  const parsed = parseCommandOptions(args, command);
  if (typeof parsed === 'string') return refuse(parsed);
  const formats = command.options.flatMap((row) => row.options).find((spec) => spec.names[0] === 'format')?.completed;
  const known = Array.isArray(formats) ? (formats as readonly string[]) : ['text'];
  const asked = formatsOf(parsed);
  if (asked.length > 1) return refuse(`${asked.join(' and ')} are different formats: choose one`);
  const format = asked[0] ?? known[0]!;
  if (!known.includes(format)) return refuse(`--format must be one of ${known.join(', ')}`);
  const color = valueOf(parsed, 'color') ?? 'auto';
  if (color !== 'auto' && color !== 'always' && color !== 'never')
    return refuse('--color must be auto, always or never');
  const output = valueOf(parsed, 'o') ?? '-';
  const out = output === '-' ? null : new CollectingIO(io, output);
  const hasColor = color === 'always' || (color === 'auto' && out === null && isTerminal(process.stdout));
  const config = hasOption(command, 'config') ? configOf(parsed) : null;
  if (typeof config === 'string') return refuse(visible(config));
  const values = config === null ? parsed.values : withConfig(command, parsed, config, io);
  const call = { ...parsed, values, config, format: format as Format, palette: hasColor ? COLOURED : PLAIN, refuse };
  return { call, out };
}

/** Those that are named, each once: `--json` and `--csv` are short for `--format`. */
function formatsOf(parsed: CommandOptions): string[] {
  const short = ['json', 'csv'].filter((name) => parsed.flags.has(name));
  return [...new Set([...(parsed.values.get('format') ?? []), ...short])];
}

const hasOption = ({ options }: CommandHelp, name: string): boolean =>
  options.some((own) => own.options.some((spec) => spec.names[0] === name));

/** Null: none is wanted, or there is none. A text: what is wrong with it. */
function configOf(parsed: CommandOptions): Config | string | null {
  if (parsed.flags.has('no-config')) return null;
  const path = valueOf(parsed, 'config');
  if (path !== undefined) return configAt(path);
  return findConfig(parsed.inputs[0] ?? '-');
}

/** Of several targets these commands take one. */
const OF_ONE_TARGET: ReadonlySet<string> = new Set([
  'explain',
  'compare',
  'diff',
  'log',
  'reduce',
  'simplify',
  'report',
]);

/** Its `--llc` is not what compiles sources: it changes the question. */
const WITHOUT_TOOLS = 'reduce';

/** What is given on the command line goes first. Programs are of a configuration that the command line names alone: one that lies beside a file may be anybody's. */
function withConfig(
  command: CommandHelp,
  parsed: CommandOptions,
  { path, values, tools }: Config,
  io: CommandIO,
): CommandOptions['values'] {
  const all = new Map(parsed.values);
  const namesTarget = ['target', 'mtriple', 'mcpu', 'mattr'].some((name) => all.has(name));
  const isOwn = parsed.rest.every((word) => !/^--?(?:mtriple|mcpu|mattr)\b/.test(word));
  for (const [name, list] of values) {
    if (all.has(name) || !hasOption(command, name)) continue;
    if (name === 'target' && (namesTarget || !isOwn)) continue;
    all.set(name, name === 'target' && OF_ONE_TARGET.has(command.name) ? [list[0]!.split(',')[0]!] : list);
  }
  const usable =
    command.name === WITHOUT_TOOLS ? [] : [...tools].filter(([name]) => hasOption(command, name) && !all.has(name));
  if (usable.length > 0 && !parsed.values.has('config'))
    io.stderr(
      `amdgpu-mir ${command.name}: the tools in ${visible(path)} are not used without --config=${visible(path)}\n`,
    );
  else for (const [name, list] of usable) all.set(name, list);
  return all;
}

function finish(name: string, exit: number, out: CollectingIO | null, io: CommandIO): number {
  const problem = out === null || (exit !== EXIT_OK && out.isEmpty) ? '' : out.write();
  if (problem === '') return exit;
  io.stderr(`amdgpu-mir ${name}: ${problem}\n`);
  return EXIT_USAGE;
}

export function isTerminal(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && process.env['NO_COLOR'] === undefined && process.env['TERM'] !== 'dumb';
}

/** Keeps what goes to standard output for a file. */
class CollectingIO extends ForwardingIO {
  private readonly texts: string[] = [];

  constructor(
    io: CommandIO,
    private readonly path: string,
  ) {
    super(io);
  }

  override stdout(text: string): void {
    this.texts.push(text);
  }

  get isEmpty(): boolean {
    return this.texts.length === 0;
  }

  /** Why the file could not be written; empty when it was. */
  write(): string {
    try {
      this.io.openFile(this.path).write(this.texts.join(''));
      return '';
    } catch (error) {
      if (!(error instanceof OutputError) && !(error instanceof StreamError)) throw error;
      return `${visible(this.path)}: ${error.message}`;
    }
  }
}

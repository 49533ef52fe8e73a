/**
 * `amdgpu-mir filecheck`: FileCheck 22.1.8 with its options, what it writes and its exit codes. Its help, and that of `--dump-input=help`, are in
 * our own words; colours are on only when `--color` says so.
 */
import { wordsOf } from '../commandLine/words.js';
import { runFileCheck, ExitCode, type FileCheckRun } from '../filecheck/fileCheck.js';
import { dumpInput } from '../filecheck/inputDump.js';
import { Painter, printMessage } from '../filecheck/message.js';
import { prefixProblem } from '../filecheck/options.js';
import { UsageError } from '../commandLine/commandLine.js';
import { byteText } from '../text/sourceText.js';
import { textOf } from './byteText.js';
import { readFileCheckCommand, type FileCheckCommand } from '../program/fileCheckOptions.js';
import { helpOf, VERSION_LINE } from './help.js';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { expandResponseFiles } from './responseFiles.js';

/** as messages name it */
const PROGRAM = 'FileCheck';
const EXIT_USAGE = 1;
const STDIN = '-';
const STDIN_NAME = '<stdin>';

/** Ends a run with what stderr still gets. */
class Stop extends Error {}

/** Runs FileCheck with its arguments, those of the variable FILECHECK_OPTS in front; the exit code. Throws only for bugs of ours. */
export function runFileCheckCommand(args: readonly string[], io: CommandIO, environmentOptions = ''): number {
  let words: readonly string[];
  try {
    words = expandResponseFiles([...wordsOf(environmentOptions), ...args], io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.stderr(`${PROGRAM}: ${error.message}\n`);
    return EXIT_USAGE;
  }
  const { line, command } = readFileCheckCommand(words, PROGRAM);
  io.stderr(textOf(line.errors.map((e) => byteText(e.text)).join('')));
  if (line.asksFor !== null) io.stdout(line.asksFor === 'help' ? helpOf('filecheck') : VERSION_LINE);
  if (command === null) return line.asksFor === null ? EXIT_USAGE : ExitCode.Passed;
  if (command.dump === 'help') {
    io.stdout(dumpHelp(new Painter(command.isColored)));
    return ExitCode.Passed;
  }
  // One write: what comes in pieces costs a call of the system each.
  const out: string[] = [];
  try {
    return check(command, args, io, (text) => out.push(text));
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    out.push(error.message);
    return ExitCode.Unusable;
  } finally {
    io.stderr(textOf(out.join('')));
  }
}

function check(
  command: FileCheckCommand,
  args: readonly string[],
  io: CommandIO,
  write: (text: string) => void,
): number {
  const { checkFile, inputFile, options, dump, filter, context } = command;
  if (checkFile === null) throw new Stop('<check-file> not specified\n');
  if (command.defineProblems.length > 0) throw new Stop(byteText(command.defineProblems.join('')));
  const problem = prefixProblem(options);
  if (problem !== null) throw new Stop(byteText(problem));
  const painter = new Painter(command.isColored);
  const nameOf = (path: string): string => (path === STDIN ? STDIN_NAME : byteText(path));
  const inputName = nameOf(inputFile);
  const readInput = (): { name: string; text: string } => {
    const text = read(io, inputFile, `input file '${inputName}'`);
    if (text === '' && !options.allowEmpty) {
      const words = byteText(args.join(' '));
      throw new Stop(`FileCheck error: '${inputName}' is empty.\nFileCheck command line:  ${PROGRAM} ${words}\n`);
    }
    return { name: inputName, text };
  };
  const checkText = { name: nameOf(checkFile), text: read(io, checkFile, `check file '${byteText(checkFile)}'`) };
  const byteOptions = {
    ...options,
    implicitCheckNot: options.implicitCheckNot.map(byteText),
    defines: options.defines.map(byteText),
  };
  const run: FileCheckRun = runFileCheck(
    checkText,
    readInput,
    byteOptions,
    (message) => write(printMessage(message, painter)),
    { isRecording: dump !== 'never' },
  );
  const isDumped = dump === 'always' || (dump === 'fail' && run.exitCode === ExitCode.Failed);
  if (isDumped && run.input !== null) {
    write(`\nInput file: ${inputName}\nCheck file: ${byteText(checkFile)}\n\n`);
    write('-dump-input=help explains the following input dump.\n\n');
    const dumpOptions = { filter, context, isVerbose: options.verbose };
    write(dumpInput(run.input, run.events, run.implicitBuffers, dumpOptions, painter));
  }
  return run.exitCode;
}

function read(io: CommandIO, path: string, what: string): string {
  try {
    return byteText(io.read(path));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new Stop(`Could not open ${what}: ${error.message}\n`);
  }
}

/** `--dump-input=help` */
function dumpHelp(painter: Painter): string {
  const rows: readonly (readonly [string, string])[] = [
    ['L:', 'before an input line: its number; a blank at its end stands for the line break'],
    ['T:L', 'before a mark: the kind of directive and its line in the check file, or impN for the Nth implicit NOT'],
    ["T:L'N", 'the same, for the Nth event of that directive'],
    ['^~~', 'what a directive matched (with -v)'],
    ['!~~', 'a match that must not be: of a NOT, on the wrong line, or overlapping another DAG (with -vv)'],
    ['X~~', 'what was searched in vain'],
    ['?', 'what might have been meant'],
    ['...', 'lines left out: --dump-input-filter says which are shown, --dump-input-context how many around them'],
  ];
  const width = Math.max(...rows.map(([mark]) => mark.length));
  const table = rows.map(
    ([mark, meaning]) => `  ${painter.paint(null, mark)}${' '.repeat(width - mark.length)}  ${meaning}\n`,
  );
  return `The dump of the input shows what the directives did in it.\n\n${table.join('')}`;
}

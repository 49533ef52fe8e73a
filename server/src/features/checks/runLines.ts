/**
 * What the RUN lines of a test come to, without a process (`amdgpuMir/runLines`): llc's passes by the engine, its output by FileCheck. A RUN line that
 * needs more than `llc ... %s | FileCheck ... %s` says so.
 */
import { prefixProblem } from '../../filecheck/options.js';
import { ExitCode, runFileCheck } from '../../filecheck/fileCheck.js';
import { Severity, type Diagnostic as CheckDiagnostic, type Message } from '../../filecheck/message.js';
import { PassError } from '../../passes/machinePass.js';
import type { CommandIO } from '../../program/commandIO.js';
import { readFileCheckCommand } from '../../program/fileCheckOptions.js';
import { LIT_FEATURES, readLitScript, type LitCommand, type LitRun } from '../../program/litScript.js';
import { InformationRequest, parseLlcOptions, UsageError } from '../../program/llcOptions.js';
import { runLlcOptions, Stop } from '../../program/llcRun.js';
import { byteText, textOfBytes } from '../../text/sourceText.js';
import { Cancelled, type ProgressToken } from '../../util/cancellation.js';
import { ELSEWHERE, type Elsewhere, type Snapshot } from '../snapshot.js';

/** `unsupported`: nothing is known; the reason is in `detail`. */
export type Verdict = 'passed' | 'failed' | 'unsupported';

/** A directive that did not match, or matched where it must not. */
export interface CheckFinding {
  /** 0-based line of the directive in the document */
  readonly line: number;
  /** FileCheck's words, with its notes and the lines of the output that they point to */
  readonly message: string;
}

export interface RunLineResult {
  /** 0-based, of the first line of a continued one */
  readonly line: number;
  readonly verdict: Verdict;
  /** what went wrong, empty when nothing did */
  readonly detail: string;
  readonly findings: readonly CheckFinding[];
}

export interface RunLinesResult {
  readonly runs: readonly RunLineResult[];
  /** why none was run; empty when they were */
  readonly problem: string;
}

/** As lit names the test; nothing is read from or written to a disk. */
const FILE = '%s';
const PLACES = { file: FILE, folder: '%S', temporary: '%t', temporaryFolder: '%T' };

/** Null when cancelled. */
export function provideRunLines(
  snapshot: Snapshot,
  _params: unknown,
  token: ProgressToken,
): RunLinesResult | Elsewhere | null {
  if (snapshot.functions.some((view) => view.isLarge)) return ELSEWHERE;
  const limited = snapshot.limited(token);
  try {
    return runAll(snapshot.text.text, limited);
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    return limited.isLate === true ? ELSEWHERE : null;
  }
}

/** Throws Cancelled. */
function runAll(text: string, token: ProgressToken): RunLinesResult {
  const script = readLitScript(text, PLACES, LIT_FEATURES);
  const problem = script.unsupported ?? script.unresolved ?? '';
  if (problem !== '') return { runs: [], problem };
  return { runs: script.runs.map((run) => resultOf(run, text, token)), problem: '' };
}

const OTHER_FILES = 'files other than the test are not read or written in the editor';

/** Ends a run: it cannot be done here, or it has failed. */
class Ended extends Error {
  constructor(
    readonly verdict: Verdict,
    message: string,
  ) {
    super(message);
  }
}

function resultOf(run: LitRun, text: string, token: ProgressToken): RunLineResult {
  const line = run.line - 1;
  try {
    const findings = run.pipelines.flatMap((pipeline) => findingsOf(pipeline, text, token));
    const failed = findings.length > 0;
    return { line, verdict: failed ? 'failed' : 'passed', detail: failed ? findings[0]!.message : '', findings };
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    return { line, verdict: error.verdict, detail: error.message, findings: [] };
  }
}

/** Throws Ended. */
function findingsOf(pipeline: readonly LitCommand[], text: string, token: ProgressToken): CheckFinding[] {
  const [llc, check, ...more] = pipeline;
  const isKnown = isNamed(llc, 'llc') && (check === undefined || isNamed(check, 'FileCheck')) && more.length === 0;
  if (!llc || !isKnown) throw new Ended('unsupported', 'only `llc ... | FileCheck ...` runs in the editor');
  const writes = pipeline.some((c) => c.stdout !== null || (c.stderr !== null && c.stderr !== 'stdout'));
  if (writes || check?.stdin) throw new Ended('unsupported', OTHER_FILES);
  const output = outputOf(llc, text, token);
  return check ? checked(check.words.slice(1), output, text) : [];
}

const isNamed = (command: LitCommand | undefined, name: string): boolean =>
  command?.words[0]?.split('/').at(-1) === name;

/** What goes through the pipe. Throws Ended when llc ends with an error. */
function outputOf(llc: LitCommand, text: string, token: ProgressToken): string {
  let out = '';
  let err = '';
  const toPipe = llc.stderr === 'stdout';
  const io: CommandIO = {
    read: (path) => {
      if (path === FILE || (path === '-' && llc.stdin === FILE)) return text;
      throw new Ended('unsupported', OTHER_FILES);
    },
    stdout: (piece) => (out += piece),
    stderr: (piece) => {
      if (toPipe) out += piece;
      else err += piece;
    },
    isStderrLost: false,
    checkpoint: () => {
      if (token.isCancelled()) throw new Cancelled();
    },
    openFile: () => {
      throw new Ended('unsupported', OTHER_FILES);
    },
  };
  try {
    runLlcOptions(parseLlcOptions(llc.words.slice(1)), io);
    return out;
  } catch (error) {
    if (error instanceof InformationRequest) throw new Ended('unsupported', 'llc is asked for information only');
    const isWords = error instanceof UsageError || error instanceof PassError;
    if (!isWords && !(error instanceof Stop)) throw error;
    const said = `${err}${error instanceof Stop ? error.text : error.message}`.trim();
    const refused = /^llc: error: amdgpu-mir (.*)$/m.exec(said)?.[1];
    if (refused !== undefined) throw new Ended('unsupported', `amdgpu-mir ${refused}`);
    throw new Ended('failed', said === '' ? 'llc ends with an error' : said);
  }
}

function checked(args: readonly string[], output: string, text: string): CheckFinding[] {
  const { line, command } = readFileCheckCommand(args, 'FileCheck');
  const problem = command && (command.defineProblems.join('') || prefixProblem(command.options));
  if (command === null || problem)
    throw new Ended('failed', `FileCheck: ${(problem ?? '') || line.errors.map((e) => e.text).join('')}`.trim());
  if (command.checkFile !== FILE || command.inputFile !== '-')
    throw new Ended('unsupported', 'FileCheck reads another file than the test');
  if (output === '' && !command.options.allowEmpty) throw new Ended('failed', "FileCheck error: '<stdin>' is empty.");
  const { implicitCheckNot, defines } = command.options;
  const options = {
    ...command.options,
    implicitCheckNot: implicitCheckNot.map(byteText),
    defines: defines.map(byteText),
  };
  const told: Message[] = [];
  const input = { name: '<stdin>', text: byteText(output) };
  const { exitCode } = runFileCheck(
    { name: FILE, text: byteText(text) },
    () => input,
    options,
    (m) => told.push(m),
  );
  if (exitCode === ExitCode.Passed) return [];
  const findings = findingsIn(told);
  if (findings.length === 0) throw new Ended('failed', textOfBytes(told.map(wordsOf).join('\n').trim()));
  return findings;
}

const wordsOf = (message: Message): string => (typeof message === 'string' ? message : message.message);

/** An error in the check file, with the notes that follow it. */
function findingsIn(told: readonly Message[]): CheckFinding[] {
  const findings: { line: number; message: string }[] = [];
  let last: { line: number; message: string } | null = null;
  for (const message of told) {
    if (typeof message === 'string') continue;
    if (message.severity === Severity.Error) {
      const { location } = message;
      last =
        location?.buffer.name === FILE
          ? { line: location.buffer.lineAt(location.offset) - 1, message: textOfBytes(message.message) }
          : null;
      if (last) findings.push(last);
    } else if (last) last.message += `\n${textOfBytes(noteText(message))}`;
  }
  return findings;
}

function noteText({ message, location }: CheckDiagnostic): string {
  if (location === null) return message;
  const { buffer, offset } = location;
  const shown = buffer.text.slice(buffer.startOfLine(offset), buffer.endOfLine(offset)).trim();
  return `${message} (line ${buffer.lineAt(offset)}): ${shown}`;
}

/** `amdgpu-mir llc`: llc's command line; the run itself is program/llcRun.ts. */
import { PassError } from '../passes/machinePass.js';
import { StreamError, type CommandIO } from '../program/commandIO.js';
import { InformationRequest, parseLlcOptions, UsageError } from '../program/llcOptions.js';
import { runLlcOptions, Stop } from '../program/llcRun.js';
import { EXIT_ERROR } from '../program/mirProgram.js';
import { DEFAULT_MODEL, type ModelChoice, type SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import { LastParsed } from '../program/lastParsed.js';
import { modelOfRun } from '../program/modelOfFile.js';
import { ReadOnce } from '../program/readOnce.js';
import { BufferedIO } from './bufferedIO.js';
import { helpOf, VERSION_LINE } from './help.js';
import { passNames } from '../passes/passes.js';
import { expandResponseFiles } from './responseFiles.js';

/**
 * Runs `llc` with its arguments; the exit code. Throws only for bugs of ours. `byDefault`: whose LLVM, unless --model says it; `test`: text of the
 * test whose RUN line this is.
 */
export function runLlc(
  args: readonly string[],
  io: CommandIO,
  byDefault: ModelChoice = DEFAULT_MODEL,
  test = '',
): number {
  try {
    const once = new ReadOnce(io);
    const parsed = new LastParsed();
    const modelOf = (input: string, words: readonly string[]): SchedulerModel =>
      modelOfRun(once.readIfThere(input), words, test, parsed);
    runLlcOptions(parseLlcOptions(expandResponseFiles(args, io), { byDefault, modelOf }), once, null, parsed);
    return 0;
  } catch (error) {
    if (error instanceof UsageError || error instanceof PassError) {
      io.stderr(`${error.message}\n`);
      return EXIT_ERROR;
    }
    if (error instanceof InformationRequest) {
      io.stderr(error.errors);
      io.stdout(error.what === 'help' ? helpOf('llc', passNames()) : VERSION_LINE);
      return 0;
    }
    if (error instanceof Stop) {
      io.stderr(error.text);
      return error.exitCode;
    }
    if (error instanceof StreamError) {
      io.stderr(`LLVM ERROR: IO failure on output stream: ${error.message}\n`);
      return EXIT_ERROR;
    }
    throw error;
  }
}

/** For tests and the build. */
export function runLlcToStrings(args: readonly string[]): { exit: number; out: string; err: string } {
  const io = new BufferedIO();
  const exit = runLlc(args, io);
  return { exit, out: io.out(), err: io.err() };
}

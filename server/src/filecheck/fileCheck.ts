/** A run of FileCheck on texts that are at hand: what it tells, and whether the input passed. */
import { readCheckFile, tell, UnusableCheckFile, type CheckFile } from './checkFile.js';
import { checkInput, type MatchEvent } from './checker.js';
import { engineLimit } from '../util/engineLimit.js';
import { PatternError } from './expression.js';
import type { Sink } from './message.js';
import type { FileCheckOptions } from './options.js';
import { SourceBuffer } from './sourceBuffer.js';

export const enum ExitCode {
  Passed = 0,
  Failed = 1,
  Unusable = 2,
}

export interface FileCheckRun {
  readonly exitCode: number;
  /** in the order of matching */
  readonly events: readonly MatchEvent[];
  /** the input as it was searched: blanks made one, if they were; null when the check file could not be used */
  readonly input: SourceBuffer | null;
  /** of the implicit patterns that events may point into */
  readonly implicitBuffers: readonly SourceBuffer[];
  /** what was read of the check file; null when it could not be used */
  readonly file: CheckFile | null;
}

export interface NamedText {
  /** as messages print it */
  readonly name: string;
  /** bytes, each a character below 256 */
  readonly text: string;
}

export interface FileCheckManner {
  /** off where no dump of the input can follow (`--dump-input=never`): then --v tells at once */
  readonly isRecording?: boolean;
  /** called every few milliseconds; what it throws leaves the run */
  readonly checkpoint?: () => void;
}

/** Checks what `readInput` gives against a check file; it is asked only when the check file can be used, and may throw. */
export function runFileCheck(
  check: NamedText,
  readInput: () => NamedText,
  options: FileCheckOptions,
  sink: Sink,
  { isRecording = true, checkpoint }: FileCheckManner = {},
): FileCheckRun {
  try {
    const source = new SourceBuffer(check.name, canonicalize(check.text, options));
    const file = readCheckFile(source, options, sink, checkpoint);
    const { name, text } = readInput();
    const input = new SourceBuffer(name, canonicalize(text, options));
    const { isPassed, events } = checkInput(file, input, options, sink, isRecording);
    const { implicitBuffers } = file;
    return { exitCode: isPassed ? ExitCode.Passed : ExitCode.Failed, events, input, implicitBuffers, file };
  } catch (error) {
    // A search that has been given up says nothing of the input.
    const limit = engineLimit(error);
    if (limit !== null) sink(`FileCheck: this check file cannot be used: ${limit}\n`);
    else if (error instanceof PatternError) tell(error, sink);
    else if (!(error instanceof UnusableCheckFile)) throw error;
    const exitCode = error instanceof UnusableCheckFile ? error.exitCode : ExitCode.Unusable;
    return { exitCode, events: [], input: null, implicitBuffers: [], file: null };
  }
}

/** Line ends become `\n`; a run of blanks and tabs becomes one blank, unless blanks count. */
function canonicalize(text: string, { strictWhitespace }: FileCheckOptions): string {
  const lines = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  return strictWhitespace ? lines : lines.replace(/\t[\t ]*| [\t ]+/g, ' ');
}

/** What a run of FileCheck found for each directive of the check file. */
import { EventKind, type MatchEvent } from '../../filecheck/checker.js';
import type { CheckFile, PrefixedPattern } from '../../filecheck/checkFile.js';
import type { FileCheckRun } from '../../filecheck/fileCheck.js';
import { Severity, type Diagnostic, type Message } from '../../filecheck/message.js';
import { DirectiveKind } from '../../filecheck/pattern.js';
import type { SourceBuffer } from '../../filecheck/sourceBuffer.js';
import { textOfBytes } from '../../text/sourceText.js';
import type { CheckFinding, CheckLine, CheckState } from '../snapshot/verdict.js';

/** Directives with more have only their state. */
const MAX_VARIABLES = 8;
const MAX_VALUE = 120;

const STATES: Partial<Record<EventKind, CheckState>> = {
  [EventKind.FoundExpected]: 'matched',
  [EventKind.NoneExcluded]: 'matched',
  [EventKind.FoundExcluded]: 'failed',
  [EventKind.FoundOnWrongLine]: 'failed',
  [EventKind.NoneExpected]: 'failed',
  [EventKind.NoneInvalid]: 'failed',
};

/** A line for each directive in the order of the file; the run has to be one with `verboseVerbose`. O(directives + events) */
export function checkLines({ file, events, input }: FileCheckRun, name: string): CheckLine[] {
  if (file === null || input === null) return [];
  const found = new Map<number, { state: CheckState; at: number; variables: string[] }>();
  for (const event of events) {
    if (event.location.buffer.name !== name) continue;
    const { offset } = event.location;
    const state = STATES[event.kind];
    if (state === undefined) continue;
    if (event.note !== '') {
      const variables = found.get(offset)?.variables;
      const text = variableOf(event, input);
      if (variables && text !== null && variables.length < MAX_VARIABLES && !variables.includes(text))
        variables.push(text);
      continue;
    }
    const isMatch = event.kind === EventKind.FoundExpected || event.kind === EventKind.FoundExcluded;
    found.set(offset, { state, at: isMatch ? input.lineAt(event.start) - 1 : -1, variables: [] });
  }
  const lines = patternsOf(file).flatMap(({ pattern }): CheckLine[] => {
    const { buffer, offset } = pattern.location;
    if (buffer.name !== name || pattern.type.kind === DirectiveKind.EndOfFile) return [];
    const line = buffer.lineAt(offset) - 1;
    return [{ line, ...(found.get(offset) ?? { state: 'not reached', at: -1, variables: [] }) }];
  });
  return lines.sort((a, b) => a.line - b.line);
}

const patternsOf = ({ checks }: CheckFile): PrefixedPattern[] => checks.flatMap((check) => [...check.before, check]);

/** `with "A" equal to "%5"` and `captured var "A"`, which has its value in the input, as `A = %5`. */
function variableOf({ note, start, end }: MatchEvent, input: SourceBuffer): string | null {
  const captured = /^captured var "(.*)"$/s.exec(note);
  const equal = /^with "(.*)" equal to "(.*)"$/s.exec(note);
  const text = captured ? `${captured[1]} = ${input.text.slice(start, end)}` : equal && `${equal[1]} = ${equal[2]}`;
  return text === null ? null : textOfBytes(text.slice(0, MAX_VALUE));
}

/** Errors in the check file, with the notes that follow each. */
export function findingsIn(told: readonly Message[], name: string): CheckFinding[] {
  const findings: { line: number; message: string }[] = [];
  let last: { line: number; message: string } | null = null;
  for (const message of told) {
    if (typeof message === 'string') continue;
    if (message.severity === Severity.Error) {
      const { location } = message;
      last =
        location?.buffer.name === name
          ? { line: location.buffer.lineAt(location.offset) - 1, message: textOfBytes(message.message) }
          : null;
      if (last) findings.push(last);
    } else if (last && message.severity === Severity.Note) last.message += `\n${textOfBytes(noteText(message))}`;
  }
  return findings;
}

function noteText({ message, location }: Diagnostic): string {
  if (location === null) return message;
  const { buffer, offset } = location;
  const shown = buffer.text.slice(buffer.startOfLine(offset), buffer.endOfLine(offset)).trim();
  return `${message} (line ${buffer.lineAt(offset)}): ${shown}`;
}

/** What RUN lines have found, as diagnostics: CHECK lines that fail in FileCheck's words, RUN lines that fail without one. */
import { DiagnosticSeverity, type Diagnostic } from 'vscode-languageserver-types';
import { Severity, type TextRange } from '../../text/diagnostic.js';
import { oneLine } from '../../text/visible.js';
import { readCommandLine } from '../../commandLine/commandLine.js';
import { ANY_LLC_TABLE } from '../../commandLine/optionTable.js';
import { readFileCheckCommand } from '../../program/fileCheckOptions.js';
import type { TestCommand } from '../../program/testFile/testFile.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { headline, isOfOtherTarget, type RunVerdict } from '../snapshot/verdict.js';

const SOURCE = 'FileCheck';
export const CHECK_FAILED = 'check-failed';
/** More bury the editor. */
const MAX_FINDINGS = 200;

/** Of a stale verdict as information: the next one follows. `explained`: findings that say at their word why a RUN line does not run. */
export function verdictDiagnostics(snapshot: Snapshot, explained: readonly TextRange[] = []): Diagnostic[] {
  const { verdict, text } = snapshot;
  if (!verdict || verdict.test.isExpectedToFail) return [];
  const severity = verdict.isStale ? DiagnosticSeverity.Information : DiagnosticSeverity.Error;
  const several = verdict.test.runs.length > 1;
  const isBroken = hasErrors(snapshot);
  const found: Diagnostic[] = [];
  const report = (line: number, code: string, message: string): void => {
    const at = verdict.nowAt(line);
    if (at < 0 || text.lineCount <= at || found.length >= MAX_FINDINGS) return;
    const start = text.lineStart(at);
    const indent = /^\s*/.exec(text.slice(start, text.lineEnd(at)))![0].length;
    const range = snapshot.rangeOf(start + indent, text.lineEnd(at));
    found.push({ range, severity, source: SOURCE, code, message });
  };
  /** Of a RUN line as a whole, at the word that says why. */
  const reportRun = (run: RunVerdict): void => {
    const at = verdict.nowAt(run.line);
    if (at < 0 || text.lineCount <= at || found.length >= MAX_FINDINGS) return;
    const own = snapshot.test.runs.find((r) => r.firstLine === at);
    const last = own?.lastLine ?? at;
    if (explained.some(({ start }) => at <= text.lineAt(start) && text.lineAt(start) <= last)) return;
    const word = wordOf(run.detail, own?.commands ?? []);
    const isKnown = run.verdict === 'failed';
    const message = headline(run.detail).split('\n').slice(0, 4).map(oneLine).join('\n');
    if (word !== null)
      found.push({
        range: snapshot.rangeOf(word.start, word.end),
        severity: isKnown ? severity : DiagnosticSeverity.Hint,
        source: SOURCE,
        code: isKnown ? 'run-failed' : 'run-not-here',
        message,
      });
    else if (isKnown) report(run.line, 'run-failed', message);
  };
  for (const run of verdict.test.runs) {
    if (run.verdict === 'unsupported' && !verdict.isStale && !isOfOtherTarget(run)) reportRun(run);
    if (run.verdict !== 'failed') continue;
    const of = several ? `\n(RUN line ${verdict.nowAt(run.line) + 1})` : '';
    for (const { line, message } of run.findings)
      report(line, 'check-failed', `${message.split('\n').map(oneLine).join('\n')}${of}`);
    // One squiggle for a mistake: what llc says of a text with errors stands at these already.
    if (isBroken) continue;
    if (run.findings.length === 0 || run.findings[0]!.message !== run.detail) reportRun(run);
  }
  const { problem } = verdict.test;
  const first = /\bRUN:/.exec(text.text);
  if (
    problem !== '' &&
    first &&
    !verdict.isStale &&
    !/^(?:Missing required feature|Unsupported configuration)/.test(problem)
  )
    report(text.lineAt(first.index), 'run-failed', oneLine(problem));
  return [...found, ...outdatedBlocks(snapshot, found)];
}

/** The word of a RUN line's commands that a message is about: what it names in quotes, an argument too many, the program that says it. */
function wordOf(detail: string, commands: readonly TestCommand[]): TextRange | null {
  const words = commands.flatMap((c) => [c.program, ...c.words]).reverse();
  for (const [, name = ''] of detail.slice(0, MAX_DETAIL).matchAll(/'([^'\n]+)'/g)) {
    const word = words.find((w) => w.text === name || w.text.endsWith(`=${name}`));
    if (word) return word;
  }
  const said = /^(?:error: no check strings found|([\w-]+): (Too many positional arguments)?)/.exec(detail);
  if (said === null) return null;
  const [, program = 'FileCheck', isTooMany] = said;
  const command = commands.find((c) => c.program.text.replace(/^.*[\\/]/, '') === program);
  if (command === undefined || isTooMany === undefined) return command?.program ?? null;
  const args = command.words.map((w) => w.text);
  const line =
    program === 'llc' ? readCommandLine(args, [], 'llc', ANY_LLC_TABLE) : readFileCheckCommand(args, program).line;
  const extra = line.positional.find((text) => !text.includes('%')) ?? line.positional.at(-1);
  return words.find((w) => w.text === extra) ?? command.program;
}

const MAX_DETAIL = 1000;

const hasErrors = ({ fileDiagnostics, functions }: Snapshot): boolean =>
  [fileDiagnostics, ...functions.map((view) => view.diagnostics)].some((list) =>
    list.some((d) => d.severity === Severity.Error),
  );

/** Autogenerated lines that the script would write otherwise, where no line fails that says as much. */
function outdatedBlocks(snapshot: Snapshot, failed: readonly Diagnostic[]): Diagnostic[] {
  const { verdict, text } = snapshot;
  if (!verdict || verdict.isStale) return [];
  return verdict.test.outdated.slice(0, MAX_FINDINGS).flatMap(({ start, end }): Diagnostic[] => {
    const last = Math.max(start, end - 1);
    const isTold = failed.some((d) => start <= d.range.start.line && d.range.start.line <= last);
    if (isTold || text.lineCount <= last) return [];
    const indent = /^\s*/.exec(text.slice(text.lineStart(start), text.lineEnd(start)))![0].length;
    const range = snapshot.rangeOf(text.lineStart(start) + indent, text.lineEnd(last));
    const message =
      'autogenerated lines that were edited, or whose output has changed: update_mir_test_checks.py writes others';
    return [{ range, severity: DiagnosticSeverity.Information, source: SOURCE, code: 'checks-outdated', message }];
  });
}

/** A line above each RUN line: what it came to, and what can be done. */
import type { CodeLens, Command } from 'vscode-languageserver-types';
import { oneLine } from '../../text/visible.js';
import type { Snapshot } from '../snapshot.js';
import { CHECK_RUN_LINES_COMMAND, RUN_OUTPUT_COMMAND } from '../viewCommands.js';
import { verdictTitle, type RunVerdict } from './verdict.js';

const MARKS = { passed: '✓', failed: '✗', unsupported: '–' } as const;

/** `✗ 1 of 34 CHECK lines fails | run | output`; nothing before the first verdict. */
export function verdictLenses({ verdict, uri, text }: Snapshot): CodeLens[] {
  if (!verdict) return [];
  return verdict.test.runs.flatMap((run) => {
    const line = verdict.nowAt(run.line);
    if (line < 0 || text.lineCount <= line) return [];
    const range = { start: { line, character: 0 }, end: { line, character: 0 } };
    return commandsOf(run, verdict.isStale, verdict.test.isExpectedToFail, uri, line).map((command) => ({
      range,
      command,
    }));
  });
}

function commandsOf(run: RunVerdict, isStale: boolean, isXfail: boolean, uri: string, line: number): Command[] {
  const mark = isStale ? '~' : MARKS[run.verdict];
  const xfail = isXfail && run.verdict === 'failed' ? ' (as XFAIL says)' : '';
  const title = run.verdict === 'unsupported' ? `${verdictTitle(run)}: ${oneLine(run.detail)}` : verdictTitle(run);
  const commands: Command[] = [
    { title: oneLine(`${mark} ${title}${xfail}`), command: '' },
    { title: 'run', command: CHECK_RUN_LINES_COMMAND, arguments: [uri] },
  ];
  if (run.output) commands.push({ title: 'output', command: RUN_OUTPUT_COMMAND, arguments: [uri, line] });
  return commands;
}

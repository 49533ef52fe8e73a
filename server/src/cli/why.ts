/** `amdgpu-mir why`: why llc ends with so few waves, and what would help. The report is data of program/why.ts; here it is put into words. */
import { textLevers } from '../features/levers/textLevers.js';
import type { CommandIO } from '../program/commandIO.js';
import { Sweep, usualSettings } from '../program/sweep.js';
import { whyOf, type TextLever, type WhyReport } from '../program/why.js';
import { whyReportText } from '../program/whyReportText.js';
import { releaseOf } from '../target/index.js';
import { visible } from '../text/visible.js';
import { NEVER_CANCELLED } from '../util/cancellation.js';
import { runCommand, type Invocation } from './commandRun.js';
import { snapshotOfFile } from './fileSnapshot.js';
import { openSubjects, readSubject, type Subject } from './fileSubject.js';
import { reportJson, type WhyFileReport } from './report.js';
import { readTools, SourceIO } from './sourceFiles.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;

type Format = 'text' | 'json';

/** What is said of a function: the report, or why there is none. */
type Answer = WhyReport | { readonly function: string; readonly failed: string };

/** The exit code: 1 when a function has no outcome. */
export const runWhy = (args: readonly string[], io: CommandIO): number => runCommand<Format>('why', args, io, why);

function why(call: Invocation<Format>, io: CommandIO): number {
  const { refuse, format } = call;
  const wanted = readSubject(call, 'why');
  if (typeof wanted === 'string') return refuse(wanted);
  const sources = new SourceIO(io, readTools(call, wanted.targets));
  const opened = openSubjects(sources, wanted, false);
  if (typeof opened === 'string') return refuse(opened);
  const { source, subjects } = opened;
  for (const [file, told] of sources.told) io.stderr(`amdgpu-mir why: ${visible(file)}: ${visible(told)}\n`);
  const files: WhyFileReport['files'][number][] = [];
  let exit = EXIT_OK;
  for (const subject of subjects) {
    const { target, model, release, label } = subject;
    const sweep = new Sweep(source, target, model);
    const names = sweep.functionNames.filter((name) => wanted.functionName === null || name === wanted.functionName);
    if (names.length === 0)
      return refuse(
        wanted.functionName === null
          ? `${visible(wanted.input)} has no function`
          : `there is no function '${visible(wanted.functionName)}'`,
      );
    const levers = leversOf(source, subject);
    const answers: Answer[] = [];
    for (const functionName of names) {
      const checkpoint = (): void => io.checkpoint?.();
      const settings = usualSettings(target, release, sweep.hasModule);
      const question = { sweep, functionName, settings, checkpoint };
      const report = whyOf({ ...question, texts: levers(functionName) });
      const answer = typeof report === 'string' ? { function: functionName, failed: report } : report;
      answers.push(answer);
      if (typeof report === 'string') exit = EXIT_ERRORS;
      if (format === 'json') continue;
      io.stdout(
        'failed' in answer && typeof answer.failed === 'string'
          ? `${visible(functionName)}, ${visible(label)}: no outcome: ${visible(answer.failed)}\n\n`
          : `${whyReportText(answer as WhyReport, label)}\n`,
      );
    }
    files.push({ file: wanted.input, target: label, llvm: releaseOf(release).version, functions: answers });
  }
  if (format === 'json')
    io.stdout(
      reportJson<WhyFileReport>(
        'why',
        files.map(({ llvm }) => llvm),
        { files },
      ),
    );
  return exit;
}

/** The edits that analyses of the editor propose. */
function leversOf(source: string, { target, model }: Subject): (functionName: string) => TextLever[] {
  const snapshot = snapshotOfFile(source, target, model);
  return (name) => {
    const view = snapshot.functions.find((own) => own.name === name);
    return view === undefined ? [] : textLevers(snapshot, view, NEVER_CANCELLED);
  };
}

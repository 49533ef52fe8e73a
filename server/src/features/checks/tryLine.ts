/** Whether a CHECK line that failed matches once the text is edited: FileCheck again, on what the last run wrote. */
import type { TextEdit } from '../../text/sourceText.js';
import { NEVER_CANCELLED } from '../../util/cancellation.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { TestFile } from '../../program/testFile/testFile.js';
import { runTest, type LlcMemory } from './runTest.js';

/** More RUN lines are not tried for a light bulb. */
const MAX_RUNS = 8;
/** As long as `RUN:`, so that all places stay. */
const NO_RUN = 'run,';

/** False also where that cannot be told from the last run; true where there was none. `edits` keep the lines of the text; `line` is 0-based. */
export function matchesAfter({ text, verdict }: Snapshot, edits: readonly TextEdit[], line: number): boolean {
  if (verdict === null) return true;
  const failing = verdict.test.runs.filter((run) => run.findings.some((f) => f.line === line));
  if (failing.length === 0 || failing.length > MAX_RUNS) return false;
  let edited = text.text;
  for (const { start, end, text: own } of [...edits].reverse())
    edited = edited.slice(0, start) + own + edited.slice(end);
  const test = new TestFile(edited);
  return failing.every(({ line: first, output }) => {
    if (output === null) return false;
    const memory: LlcMemory = {
      get: () => ({ exit: 0, stdout: output, stderr: '', written: [] }),
      set: () => undefined,
    };
    const own = runTest(onlyRun(test, first), memory, NEVER_CANCELLED);
    const [run] = own.runs.filter((r) => r.line === first);
    const here = run?.checks.filter((c) => c.line === line) ?? [];
    return run !== undefined && !run.findings.some((f) => f.line === line) && here.some((c) => c.state === 'matched');
  });
}

/** The text with that RUN line alone, and what it is continued by. */
function onlyRun({ text, directives }: TestFile, first: number): string {
  let made = '';
  let last = 0;
  for (const { keyword, rows } of directives)
    if (keyword === 'RUN:' && rows[0]!.line !== first)
      for (const { at } of rows) {
        made += text.slice(last, at) + NO_RUN;
        last = at + NO_RUN.length;
      }
  return made + text.slice(last);
}

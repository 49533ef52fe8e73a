/** `amdgpu-mir fmt`: files in the layout of llc, as the editor formats them; with --check only their names. */
import { formatEdits } from '../features/format/formatting.js';
import { FileChanged } from '../disk/wholeFile.js';
import { InputError, OutputError, StreamError, type CommandIO } from '../program/commandIO.js';
import { withEdits } from '../text/sourceText.js';
import { visible } from '../text/visible.js';
import { NEVER_CANCELLED } from '../util/cancellation.js';
import { AUTO_MODEL } from '../passes/scheduler/schedulerModel.js';
import { findInputs } from './checkInputs.js';
import { EXIT_USAGE, runCommandLater, type Invocation } from './commandRun.js';
import { subjectOfText } from './fileSubject.js';
import { rewriteFile, type Rewritten } from './rewriteFile.js';

const EXIT_OK = 0;
/** With --check. */
const EXIT_UNFORMATTED = 1;
/** In folders longer files are left out. */
const MAX_BYTES = 1 << 26;

/** The exit code. Rejects only for bugs of ours, and for output that nobody takes. */
export const runFmt = (args: readonly string[], io: CommandIO): Promise<number> =>
  runCommandLater('fmt', args, io, formatFiles);

async function formatFiles({ inputs, flags, refuse }: Invocation, io: CommandIO): Promise<number> {
  if (inputs.length === 0) return refuse("no files; see 'amdgpu-mir help fmt'");
  const isCheck = flags.has('check');
  const named = new Set(inputs);
  const outcomes: (Rewritten | 'failed')[] = [];
  const fail = (file: string, why: string): void => {
    io.stderr(`amdgpu-mir fmt: ${visible(file)}: ${visible(why)}\n`);
    outcomes.push('failed');
  };
  for (const { file, problem, skipped } of findInputs(inputs, MAX_BYTES)) {
    if (problem !== '') fail(file, problem);
    else if (skipped !== '' && !named.has(file)) outcomes.push('left');
    else
      try {
        outcomes.push(await formatFile(file, { isCheck, isNamed: named.has(file) }, io));
      } catch (error) {
        const isExpected = [InputError, OutputError, StreamError, FileChanged].some((kind) => error instanceof kind);
        if (!isExpected) throw error;
        fail(file, (error as Error).message);
      }
  }
  if (outcomes.length === 0) return refuse(`no .mir files in ${inputs.map((i) => `'${visible(i)}'`).join(', ')}`);
  if (outcomes.includes('failed')) return EXIT_USAGE;
  return outcomes.includes('outdated') ? EXIT_UNFORMATTED : EXIT_OK;
}

/** Of what is no AMDGPU file in a folder nothing is said. */
async function formatFile(
  file: string,
  { isCheck, isNamed }: { readonly isCheck: boolean; readonly isNamed: boolean },
  io: CommandIO,
): Promise<Rewritten> {
  if (file === '-') {
    const text = io.read(file);
    const made = formatted(text);
    if (isCheck) return made === text ? 'same' : told('-', io);
    io.stdout(made);
    return 'same';
  }
  const done = await rewriteFile(file, io, { isCheck, changed: () => undefined }, (text) => {
    try {
      return formatted(text);
    } catch (error) {
      if (!(error instanceof InputError) || isNamed) throw error;
      return null;
    }
  });
  return done === 'outdated' ? told(file, io) : done;
}

function told(file: string, io: CommandIO): Rewritten {
  io.stdout(`${visible(file)}: not formatted\n`);
  return 'outdated';
}

/** The text with the blanks and line breaks of llc. Throws InputError for a file of another target. */
function formatted(text: string): string {
  const snapshot = subjectOfText(text, NO_TARGET, AUTO_MODEL);
  if (typeof snapshot === 'string') throw new InputError(snapshot);
  return withEdits(text, formatEdits(snapshot, NEVER_CANCELLED));
}

const NO_TARGET = { triple: '', cpu: '', features: '' };

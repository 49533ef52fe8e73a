/** `amdgpu-mir check --fix`: the one sensible repair of each error, tried before it is written. */
import { repairAll } from '../features/assists/fixAll.js';
import { repairOf } from '../features/assists/quickFixes.js';
import { FileChanged } from '../disk/wholeFile.js';
import { InputError, OutputError, StreamError, type CommandIO } from '../program/commandIO.js';
import { withEdits } from '../text/sourceText.js';
import { visible } from '../text/visible.js';
import { NEVER_CANCELLED } from '../util/cancellation.js';
import type { CheckInput } from './checkInputs.js';
import type { CheckOptions } from './checkTypes.js';
import { subjectOfText } from './fileSubject.js';
import { rewriteFile } from './rewriteFile.js';
import { isSource } from '../disk/sourceCommands.js';

/** What was repaired. */
export interface FixedFiles {
  readonly files: readonly { readonly file: string; readonly repairs: number }[];
  /** a file could not be written */
  readonly hasFailed: boolean;
}

/**
 * Repairs the errors of each file that have one sensible repair, which holds for all targets of its RUN lines, and writes the file. Sources and standard input
 * stay, and so do files of other targets.
 */
export async function fixFiles(
  inputs: readonly CheckInput[],
  { target, targets, models }: Pick<CheckOptions, 'target' | 'targets' | 'models'>,
  io: CommandIO,
): Promise<FixedFiles> {
  const files: { file: string; repairs: number }[] = [];
  let hasFailed = false;
  for (const { file } of inputs) {
    if (file === '-' || isSource(file)) continue;
    let repairs = 0;
    try {
      const written = await rewriteFile(file, io, { isCheck: false, changed: () => undefined }, (text) => {
        const snapshot = subjectOfText(text, targets[0] ?? target, models[0]!);
        if (typeof snapshot === 'string') return null;
        const { edits, nRepairs } = repairAll(snapshot, repairOf, NEVER_CANCELLED);
        repairs = nRepairs;
        return withEdits(text, edits);
      });
      if (written === 'updated') files.push({ file, repairs });
    } catch (error) {
      // What cannot be read is said by the check that follows.
      if (error instanceof InputError) continue;
      const isExpected = [OutputError, StreamError, FileChanged].some((kind) => error instanceof kind);
      if (!isExpected) throw error;
      io.stderr(`amdgpu-mir check: ${visible(file)} was not fixed: ${(error as Error).message}\n`);
      hasFailed = true;
    }
    io.checkpoint?.();
  }
  return { files, hasFailed };
}

/** `fixed 3 errors in k.mir` */
export const printFixed = ({ files }: FixedFiles): string =>
  files.length === 0
    ? 'nothing to repair of which only one repair makes sense\n'
    : files
        .map(({ file, repairs }) => `fixed ${repairs} error${repairs === 1 ? '' : 's'} in ${visible(file)}\n`)
        .join('');

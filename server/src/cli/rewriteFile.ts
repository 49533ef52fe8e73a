/** Files that a command writes anew in their places: update-checks, fmt, check --fix. */
import { FileChanged, replaceFile } from '../disk/wholeFile.js';
import type { CommandIO } from '../program/commandIO.js';
import { heldSignals } from './heldSignals.js';

/** A file that changes while its new text is made is read again so often. */
const MAX_TURNS = 3;

/** `outdated`: it would be updated, and `isCheck` says to write nothing; `left`: there is no new text. */
export type Rewritten = 'updated' | 'outdated' | 'same' | 'left';

/**
 * Gives the file the text that `newText` makes of it; null leaves it. `changed` is told when somebody else has written it meanwhile. Throws what reading and
 * writing throw (InputError, OutputError, StreamError, FileChanged).
 */
export async function rewriteFile(
  file: string,
  io: Pick<CommandIO, 'read'>,
  { isCheck, changed }: { readonly isCheck: boolean; readonly changed: () => void },
  newText: (text: string) => string | null,
): Promise<Rewritten> {
  for (let turn = 1; ; turn++) {
    const text = io.read(file);
    const updated = newText(text);
    if (updated === null || updated === text) return updated === null ? 'left' : 'same';
    if (isCheck) return 'outdated';
    try {
      // A signal waits until the file is whole.
      await heldSignals(() => replaceFile(file, text, updated));
      return 'updated';
    } catch (error) {
      if (!(error instanceof FileChanged) || turn === MAX_TURNS) throw error;
      changed();
    }
  }
}

/** `@FILE` on llc's command line: the words of that file (llvm::cl's response files, LLVM 22.1.8, GNU quoting). */
import { UsageError } from '../commandLine/commandLine.js';
import { wordsOf } from '../commandLine/words.js';
import { InputError, type CommandIO } from '../program/commandIO.js';

/** A file that names itself would never end; llc has no limit but this. */
const MAX_DEPTH = 64;

/** `args` with the words of files in place of their names; a word whose file does not exist stays. Throws UsageError. */
export function expandResponseFiles(args: readonly string[], io: CommandIO, depth = 0): readonly string[] {
  if (!args.some((arg) => arg.startsWith('@'))) return args;
  return args.flatMap((arg) => {
    if (!arg.startsWith('@')) return [arg];
    const path = arg.slice(1);
    if (depth === MAX_DEPTH) throw new UsageError(`recursive expansion of: '${path}'`);
    let text: string;
    try {
      text = io.read(path);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      if (error.message === 'No such file or directory') return [arg];
      throw new UsageError(`cannot not open file '${path}': ${error.message}`);
    }
    return expandResponseFiles(wordsOf(text), io, depth + 1);
  });
}

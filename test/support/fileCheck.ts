/** FileCheck 22 for differential tests, and an input and output for our own. */
import { spawnSync } from 'node:child_process';
import { BufferedIO } from '../../server/src/cli/bufferedIO.js';
import { InputError } from '../../server/src/program/commandIO.js';
import { textOf } from '../../server/src/cli/byteText.js';
import { byteText } from '../../server/src/text/sourceText.js';
import { LIMIT_MS, MODELLED_LLC } from './llc.js';
import { skip } from './skip.js';
import { placeOr } from './switches.js';

export const FILECHECK = placeOr('FILECHECK', 'FileCheck-22');

/** Skips the running mocha test, saying why, when FileCheck-22 is missing. */
export function needsFileCheck(context: Mocha.Context): void {
  const run = spawnSync(FILECHECK, ['--version'], { encoding: 'utf8', timeout: LIMIT_MS });
  if (run.status === 0 && run.stdout.includes(MODELLED_LLC)) return;
  skip(context, `${FILECHECK} ${MODELLED_LLC} is not installed`);
}

export interface FileCheckIO extends BufferedIO {
  stdoutText(): string;
  stderrBytes(): string;
}

/** Two files, c.txt and i.txt, of bytes; the second is standard input, too. `.` is a folder, nothing else exists. */
export function fileCheckIO(check: string, input: string): FileCheckIO {
  const read = (path: string): string => {
    if (path === '.') throw new InputError('Is a directory');
    const text = { 'c.txt': check, 'i.txt': input, '-': input }[path];
    if (text === undefined) throw new InputError('No such file or directory');
    return textOf(text);
  };
  const io = new BufferedIO();
  return Object.assign(io, { read, stdoutText: () => io.out(), stderrBytes: () => byteText(io.err()) });
}

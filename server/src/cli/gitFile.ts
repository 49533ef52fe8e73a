/** Files as a git revision has them, read by the user's git. */
import { basename, dirname, isAbsolute } from 'node:path';
import { decodeBytes } from '../disk/fileBytes.js';
import { InputError } from '../program/commandIO.js';
import { runUserProgram, type ProgramLimits } from './userProgram.js';

/** `git:REV:PATH`, or `git:REV`, which is the file of the other side. */
export interface GitName {
  readonly revision: string;
  readonly path: string;
}

const LIMITS: ProgramLimits = { ms: 20_000, bytes: 1 << 28 };

/** Null: it is no name of such a file. */
export function gitName(name: string): GitName | null {
  const [, revision, path = ''] = /^git:([^:]*)(?::([^]*))?$/.exec(name) ?? [];
  return revision === undefined ? null : { revision, path };
}

/** A path is one of the present folder, as those of files are, or else of the repository. Throws InputError. */
export function readGitFile({ revision, path }: GitName, folder?: string): string {
  // An option of git's would be none of ours.
  if (revision === '' || revision.startsWith('-')) throw new InputError(`'${revision}' is no revision of git`);
  if (path === '') throw new InputError('which file of the revision? git:REV:PATH names it');
  const [where, own] = isAbsolute(path) ? [dirname(path), basename(path)] : [folder, path];
  const read = (object: string): ReturnType<typeof runUserProgram> =>
    runUserProgram('git', ['cat-file', 'blob', object], '', LIMITS, gitEnvironment(), where);
  const first = read(`${revision}:./${own}`);
  const run = first.problem === '' && first.exit !== 0 && !isAbsolute(path) ? read(`${revision}:${own}`) : first;
  const found = run.problem === '' && run.exit !== 0 ? first : run;
  if (found.problem.endsWith('No such file or directory'))
    throw new InputError('there is no git to read it with, or no such folder');
  if (found.problem !== '') throw new InputError(found.problem);
  if (found.exit !== 0) throw new InputError(messageOf(found.stderr.toString('utf8')));
  return decodeBytes(found.stdout);
}

/** Nothing is asked of the user, fetched or written; messages are in English. */
const gitEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
});

function messageOf(told: string): string {
  const line = told
    .trim()
    .split('\n', 1)[0]!
    .replace(/^fatal: /, '');
  if (line.endsWith(': bad file')) return 'it is not a file in that revision';
  return line === '' ? 'git cannot read it' : line;
}

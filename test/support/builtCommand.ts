/** The programs that `npm run build` makes of the command line: what one answers, the other answers. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { skip } from './skip.js';

const ROOT = resolve(__dirname, '..', '..');

export interface BuiltCommand {
  readonly name: string;
  /** program and first arguments */
  readonly command: readonly [string, ...string[]];
  /** For `before` of a suite: skips it, and says so, where the program is not built. */
  readonly skipUnlessBuilt: (this: Mocha.Context) => void;
}

function builtCommand(name: string, path: string, why: string, program?: string): BuiltCommand {
  const file = join(ROOT, 'dist', path);
  return {
    name,
    command: program === undefined ? [file] : [program, file],
    skipUnlessBuilt() {
      if (existsSync(file)) return;
      skip(this, `dist/${path} is not built (${why})`);
    },
  };
}

export const NODE_COMMAND = builtCommand('by Node', 'server/amdgpu-mir.js', 'npm run build', process.execPath);
/** As in a browser: the threads share no memory. */
export const UNSHARED: BuiltCommand = {
  ...NODE_COMMAND,
  name: 'by Node without shared memory',
  command: [process.execPath, '--require', join(__dirname, 'noSharedMemory.cjs'), NODE_COMMAND.command[1]!],
};
export const EXECUTABLE = builtCommand('as one executable', 'bin/amdgpu-mir', 'npm run build on Linux');
export const BUILT_COMMANDS: readonly BuiltCommand[] = [NODE_COMMAND, EXECUTABLE];

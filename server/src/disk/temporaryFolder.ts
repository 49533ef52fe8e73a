/** A folder among the system's temporary ones that is gone when the process is, however it ends. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  /** Removes it with all that is in it. Throws where something in it cannot be removed. */
  remove(): void;
}

/**
 * Makes a folder whose name begins with `prefix`; throws where there can be none. Who kills this process lets it do nothing more: a shell of a session of
 * its own waits for the end of a pipe that only this process holds, and removes the folder then. Without a shell (Windows) it stays at a kill.
 */
export function makeTemporaryFolder(prefix: string): TemporaryFolder {
  const path = join(tmpdir(), prefix + randomBytes(6).toString('hex'));
  const watcher = spawn('/bin/sh', ['-c', 'read -r end; rm -rf -- "$1"', 'sh', path], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  const ignore = (): void => undefined;
  watcher.on('error', ignore);
  watcher.stdin.on('error', ignore);
  watcher.unref();
  // Of its type Node says less than it is: a socket.
  (watcher.stdin as { unref?(): void }).unref?.();
  // After the one who removes it: there is no moment at which a kill would leave it.
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    watcher.stdin.end();
    throw error;
  }
  return {
    path,
    remove() {
      try {
        rmSync(path, { recursive: true, force: true });
      } finally {
        watcher.stdin.end();
      }
    },
  };
}

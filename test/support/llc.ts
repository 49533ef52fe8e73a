/** llc-22 as the oracle of differential tests: found once, and a test that needs it skips with a message when it is absent. */
import { spawnSync } from 'node:child_process';
import { skip } from './skip.js';
import { placeOr } from './switches.js';

export const LLC = placeOr('LLC', 'llc-22');

/** Another one answers otherwise. */
export const MODELLED_LLC = '22.1.8';
/** No program of others may take longer, nor more memory than `test/support/runAll.mjs` gives it. */
export const LIMIT_MS = 60_000;

let version: string | null | undefined;

/** Version line of llc-22, or null when it is not installed. */
export function llcVersion(): string | null {
  if (version === undefined) {
    const run = spawnSync(LLC, ['--version'], { encoding: 'utf8', timeout: LIMIT_MS });
    version = run.status === 0 ? (/LLVM version (\S+)/.exec(run.stdout)?.[1] ?? null) : null;
  }
  return version;
}

/** Skips the running mocha test, saying why, when llc-22 is missing. */
export function needsLlc(context: Mocha.Context): void {
  if (llcVersion() === MODELLED_LLC) return;
  skip(context, `${LLC} ${MODELLED_LLC} is not installed`);
}

export interface LlcRun {
  readonly status: number | null;
  /** what ended llc-22, if a signal did */
  readonly signal?: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs llc-22 on `input` (standard input); `env`: variables besides those of this process. */
export function runLlc(args: readonly string[], input: string, env: Readonly<Record<string, string>> = {}): LlcRun {
  const run = spawnSync(LLC, [...args, '-'], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    timeout: LIMIT_MS,
    // The addresses of a crash need no names, which take a second to find.
    env: { ...process.env, LLVM_DISABLE_SYMBOLIZATION: '1', ...env },
  });
  return { status: run.status, signal: run.signal, stdout: run.stdout, stderr: run.stderr };
}

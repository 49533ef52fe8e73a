/**
 * Golden files of llc's output: kept in the project, compared with the installed llc-22 where there is one, and rewritten from
 * it by `AMDGPU_MIR_UPDATE=1`. What differs between two runs of llc itself is normalised: module names and addresses.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { LIMIT_MS, LLC, MODELLED_LLC, llcVersion } from './llc.js';
import { UPDATE } from './switches.js';

/** Text without module names, addresses and llc's own crash report. */
export function normalise(text: string): string {
  return text
    .replace(/^ {2}; ModuleID = .*$/m, '  ; ModuleID')
    .replace(/^ {2}source_filename = .*$/m, '  source_filename')
    .replace(/<0x[0-9a-f]+>/g, '<0x>')
    .replace(/\(0x[0-9a-f]+\)$/gm, '(0x)')
    .replace(/^PLEASE submit a bug report[^]*$/m, '');
}

export interface LlcResult {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs llc-22; a run that ends by a signal counts as exit 134, as in a shell. */
export function runRealLlc(args: readonly string[]): LlcResult {
  const r = spawnSync(LLC, args, { encoding: 'utf8', maxBuffer: 1 << 28, timeout: LIMIT_MS });
  return { exit: r.status ?? 134, out: r.stdout, err: r.stderr };
}

/** The golden text at `path`, after rewriting it from `fromLlc` if that was asked for. */
export function golden(path: string, fromLlc: () => string): string {
  if (UPDATE && llcVersion() === MODELLED_LLC) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, fromLlc());
  }
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

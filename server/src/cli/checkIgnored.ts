/** Findings of `check` that the configuration ignores: they are left out, and counted. */
import { visible } from '../text/visible.js';
import { INTERNAL_ERROR, UNREADABLE } from './checkFile.js';
import type { CheckDiagnostic, CheckFile } from './checkTypes.js';
import { ignoredBy, type Config } from './configFile.js';

/** One that was left out. */
export interface IgnoredFinding {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly reason: string;
}

/** The file without those that are ignored, which are added to `ignored`, each once for all targets. That there is no answer cannot be ignored. */
export function withoutIgnored(file: CheckFile, config: Config, ignored: IgnoredFinding[]): CheckFile {
  if (config.ignore.length === 0) return file;
  const met = new Set<string>();
  const isKept = ({ code, line, column, message }: CheckDiagnostic): boolean => {
    const entry = code === UNREADABLE || code === INTERNAL_ERROR ? null : ignoredBy(config, file.file, code);
    if (entry === null) return true;
    const key = JSON.stringify([code, line, column, message]);
    if (!met.has(key)) ignored.push({ file: file.file, line, code, reason: entry.reason });
    met.add(key);
    return false;
  };
  return {
    ...file,
    diagnostics: file.diagnostics.filter(isKept),
    otherTargets: file.otherTargets.map((other) => ({ ...other, diagnostics: other.diagnostics.filter(isKept) })),
    ...(file.findings === undefined ? {} : { findings: file.findings.filter(isKept) }),
  };
}

/** `2 findings ignored by amdgpu-mir.toml: limits-occupancy (known, see issue 12)` */
export function printIgnored(ignored: readonly IgnoredFinding[], path: string): string {
  const reasons = new Set(ignored.map(({ code, reason }) => `${code} (${reason})`));
  const count = `${ignored.length} finding${ignored.length === 1 ? '' : 's'}`;
  return `${count} ignored by ${visible(path)}: ${[...reasons].map(visible).join(', ')}\n`;
}

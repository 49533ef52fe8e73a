/** Options of llc and attributes of functions as somebody writes them: `-amdgpu-schedule-metric-bias=50`, `attr:amdgpu-waves-per-eu=8,8`. */
import { readCommandLine } from '../commandLine/commandLine.js';
import { releaseOf, type ReleaseName } from '../target/index.js';
import type { SweepSetting } from './sweep.js';

/** Of `-option=VALUE` and `attr:NAME=VALUE`, all together. */
export function settingOf(words: readonly string[]): SweepSetting {
  const options: string[] = [];
  const attributes: Record<string, string> = {};
  for (const word of words) {
    const [, name, value = ''] = /^attr:([^=]+)=([^]*)$/.exec(word) ?? [];
    if (name !== undefined) attributes[name] = value;
    else options.push(word.startsWith('-') ? word : `-${word}`);
  }
  return { options, attributes };
}

/** What that release's llc says of options that it does not take, '' when it takes them. */
export function optionProblem(options: readonly string[], release: ReleaseName): string {
  const [error] = readCommandLine(options, [], 'llc', releaseOf(release).options).errors;
  return error === undefined ? '' : error.text.trimEnd().replace(/^llc: /, '');
}

/** Options of llc that only one of the releases has, by their names, and the list of each release. */
import { LLC24_TABLE, LLC_TABLE, onlyTableOf } from '../commandLine/optionTable.js';
import type { OptionTable } from '../commandLine/optionSpec.js';
import { RELEASE_NAMES, type ReleaseName } from '../target/releases.js';

/** That of ROCm's llc was not read; LLVM 24's is the nearest. */
const TABLES: Readonly<Record<ReleaseName, OptionTable>> = {
  'llvm-22': LLC_TABLE,
  'llvm-24': LLC24_TABLE,
  'rocm-10': LLC24_TABLE,
};

export const optionTableOf = (release: ReleaseName): OptionTable => TABLES[release];

/** Values of options that both have, where texts are taken or the list is short. */
const ONLY_VALUES: ReadonlyMap<string, ReleaseName> = new Map([
  ['amdgpu-sched-strategy=coexec', 'llvm-24'],
  ['regalloc=pbqp', 'llvm-22'],
]);

/** The release that alone has an option, or a value of one; null where both have it, or neither. */
export function optionRelease(name: string, value: string): ReleaseName | null {
  const table = onlyTableOf(name);
  if (table !== null) return RELEASE_NAMES.find((release) => TABLES[release] === table) ?? null;
  return ONLY_VALUES.get(`${name}=${value}`) ?? null;
}

/** The passes that llc's -run-pass, -start-before and their like know. */
import { RUN_PASSES } from './generated/llcOptions.js';

/** As `none` does nothing, it is no registered pass; only -run-pass takes it. */
const NO_PASS = 'none';

export const isRunPass = (name: string): boolean =>
  name === NO_PASS || (/^[\w-]+$/.test(name) && RUN_PASSES().includes(`\n${name}\n`));

const allRunPasses = (): string[] => RUN_PASSES().trim().split('\n');

/** The passes of a release's llc. */
export interface PassNames {
  /** whether its -run-pass, -start-before and their like know the name */
  has(name: string): boolean;
  /** what the pass is called here, which is what LLVM 22 calls it */
  ownName(name: string): string;
  /** the names that 22 has, too */
  readonly all: () => readonly string[];
}

export const LLC_PASSES: PassNames = { has: isRunPass, ownName: (name) => name, all: allRunPasses };

/** Names that LLVM main has given to passes since, as its tests of 2026 write them. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['prolog-epilog', 'prologepilog'],
  ['post-ra-pseudos', 'postrapseudos'],
]);

const earlierName = (name: string): string => RENAMED.get(name) ?? name;

export const LLC24_PASSES: PassNames = {
  has: (name) => isRunPass(earlierName(name)),
  ownName: earlierName,
  all: allRunPasses,
};

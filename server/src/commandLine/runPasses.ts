/** The passes that llc's -run-pass, -start-before and their like know. */
import { RUN_PASSES } from './generated/llcOptions.js';

/** As `none` does nothing, it is no registered pass; only -run-pass takes it. */
const NO_PASS = 'none';

export const isRunPass = (name: string): boolean =>
  name === NO_PASS || (/^[\w-]+$/.test(name) && RUN_PASSES().includes(`\n${name}\n`));

/** Names that LLVM main has given to passes since, as its tests of 2026 write them. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['prolog-epilog', 'prologepilog'],
  ['post-ra-pseudos', 'postrapseudos'],
]);

/** What a pass is called here that LLVM main calls otherwise. */
export const earlierPassName = (name: string): string => RENAMED.get(name) ?? name;

export const allRunPasses = (): string[] => RUN_PASSES().trim().split('\n');
